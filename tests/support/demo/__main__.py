"""Writes what the demo's people did into data/demo and data/pairs: their verdicts, screens,
assignments, and the draws before them."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from graders.workflows.projects.demo import DEMO, PAIRS
from tests.support.demo.judges import COST, verdicts
from tests.support.demo.story import Rows, paired, study
from tests.support.demo.written import FIRST, written


def _write(folder: Path, rows: Rows) -> None:
    for name, found in rows.items():
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in found)
        (folder / f"{name}.jsonl").write_text(text, "utf-8")
        print(
            f"{folder.name}/{name}.jsonl: {len(found):,} rows, {len(text.encode()) // 1024:,} KB",
            file=sys.stderr,
        )


def _lengthened() -> None:
    """The questions, answers and judges' verdicts that were written row by row, and behind them
    those that are made of short texts."""
    of = written()
    for name, made in (
        ("questions", of.questions),
        ("answers", of.answers),
        ("judge", verdicts(of)),
    ):
        file = DEMO / f"{name}.jsonl"
        rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        by_hand = [row for row in rows if int(row.get("question_id", row.get("id"))[1:]) < FIRST]
        if name == "judge":
            by_hand = [{**row, "cost": COST[row["judge"]]} for row in by_hand]
        _write(DEMO, {name: [*by_hand, *made]})


def main() -> None:
    """Tell both stories in workspaces that are thrown away, and keep their rows."""
    _lengthened()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        told = {DEMO: study(folder, DEMO), PAIRS: paired(folder, PAIRS)}
    for place, rows in told.items():
        _write(place, rows)


if __name__ == "__main__":
    main()
