"""The bars of the Agreement page: 50,000 cells, four people and two judges on each of them, all
figures with their intervals.

The workspace is the store's bench, smaller: 2,500 questions x 4 models x 5 criteria. Each of four
people says on every cell what the first judge says, or on one cell of four what the second does.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from graders.store.workspace import Workspace
from graders.workflows.agreement import agree
from graders.workflows.agreement.disagreements import disagreements
from graders.workflows.agreement.people import people_report
from graders.workflows.scope.permissions import Actor, Scope
from tests.benchmarks import bench_store

QUESTIONS, MODELS, PEOPLE, CELLS = 2_500, 4, 4, 50_000
EVERYBODY = (
    "INSERT OR REPLACE INTO opinion (criterion_id, author_id, cell_id, question_id, verdict_id, value, number, status, blind, probability, "
    "design, criterion_hash, import_id) SELECT n.criterion_id, p.id, n.cell_id, n.question_id, n.verdict_id, "
    "iif((n.cell_id * 40503 + p.id * 7129) / 16 % 4 = 0, s.value, n.value), iif((n.cell_id * 40503 + p.id * 7129) / 16 % 4 = 0, s.number, n.number), "
    "'ok', 1, 1.0, 'calibration', n.criterion_hash, 0 FROM opinion n JOIN author a ON a.id = n.author_id AND a.name = 'north' "
    "JOIN author b ON b.name = 'south' JOIN opinion s ON s.criterion_id = n.criterion_id AND s.author_id = b.id AND s.cell_id = n.cell_id "
    f"JOIN (SELECT id FROM author WHERE kind = 'person' ORDER BY id LIMIT {PEOPLE}) p"
)


def build(path: Path) -> Workspace:
    """The workspace."""
    before = bench_store.QUESTIONS, bench_store.MODELS
    bench_store.QUESTIONS, bench_store.MODELS = QUESTIONS, MODELS
    try:
        ws = bench_store.build(path)
    finally:
        bench_store.QUESTIONS, bench_store.MODELS = before
    ws.db.execute("PRAGMA foreign_keys=OFF")
    with ws.write() as db:
        db.execute(
            "DELETE FROM opinion WHERE author_id IN (SELECT id FROM author WHERE kind = 'person')"
        )
        db.execute(EVERYBODY)
    return ws


def main() -> list[dict[str, Any]]:
    """Build, ask, and print the bars."""
    with tempfile.TemporaryDirectory() as folder:
        ws = build(Path(folder) / "agreement.db")
        scope = Scope(Actor(), ws)
        opinions = ws.db.execute(
            "SELECT count(*) FROM opinion WHERE design = 'calibration'"
        ).fetchone()[0]
        agree.agreement(scope, "large")  # libraries are loaded, pages of the file are read
        agree.forget()
        first = _seconds(lambda: agree.agreement(scope, "large"))
        again = _seconds(lambda: agree.agreement(scope, "large"))
        differ = _seconds(lambda: disagreements(scope, "large"))
        people = _seconds(lambda: people_report(scope, "large"))
        ws.close()
    assert opinions == CELLS * PEOPLE, opinions
    rows = [
        ("agreement: 50,000 cells, figures and intervals, s", first, 1.0),
        ("agreement: the same again, s", again, 0.2),
        ("agreement: disagreements in groups, s", differ, None),
        ("agreement: people side by side, s", people, None),
    ]
    return [
        {
            "name": n,
            "figure": round(f, 3),
            "bar": b,
            "ratio": round(f / b, 3) if b else None,
            "met": b is None or f < b,
        }
        for n, f, b in rows
    ]


def _seconds(work: Any) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


if __name__ == "__main__":
    for row in main():
        print(
            f"{'MET   ' if row['met'] else 'MISSED'} {row['name']}: {row['figure']} (bar {row['bar']}, ratio {row['ratio']})"
        )
