"""The store's bars at one million cells: the next screen while others write, the grid of Results,
Agreement's first view.

The workspace: 10,000 questions x 20 models x 5 criteria, two judges' opinion on every cell, 100,000
blind opinions of 20 people (two on each cell of every twentieth answer), 70,000 open screens. 20
people (threads, as in the server) take screens and pause 50 ms between them, while a judge's run
over a provider on loopback and an import write from processes of their own.
"""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import timeit
from collections.abc import Callable
from pathlib import Path
from typing import Any

from graders.__main__ import step_back
from graders.core.rubric import read_rubric
from graders.core.shapes import as_dict, writable
from graders.store import projects
from graders.store.calls import runs
from graders.store.calls.ledger import SqlLedger
from graders.store.desk import queue
from graders.store.desk.assignments import Wanted
from graders.store.opinions import tallies
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace, dumps, open_workspace
from graders.workflows.adjudication import cell_list
from graders.workflows.agreement import agree
from graders.workflows.calling import judge_setup, judging
from graders.workflows.calling.call import Delivery, call_all
from graders.workflows.calling.record_verdicts import Recorder
from graders.workflows.diagnostics import anchoring
from graders.workflows.importing import stage as importing_stage
from graders.workflows.leaderboard import ranking
from graders.workflows.leaderboard.ground import Wish
from graders.workflows.results import grid as results_grid
from graders.workflows.routing import page as routing_page
from graders.workflows.scope.permissions import Actor, Scope
from tests.benchmarks.lead_pages import drawings, seconds_by_page
from tests.support.stub import provider_stub

QUESTIONS, MODELS, PEOPLE, JUDGES = 10_000, 20, 20, ("north", "south")
SECONDS, PAUSE = 12.0, 0.05
RUBRIC = """
rubric: large
criteria:
  relevance: {question: Does it do what was asked?, scale: [irrelevant, relevant], graders: [judge]}
  completeness: {question: Is all there?, scale: {from: 1, to: 5}, graders: [judge]}
  clarity: {question: Can it be read once and understood?, scale: {from: 1, to: 5}, graders: [judge]}
  tone: {question: Which tone?, scale: {labels: [warm, dry, stiff], ordered: false}, graders: [judge]}
  accuracy: {question: Is it right?, scale: {from: 1, to: 5}, graders: [judge]}
"""


def build(path: Path) -> Workspace:
    """The workspace, written by statements over whole tables."""
    ws = open_workspace(path)
    project = projects.add_project(ws, "large", seed=1)
    projects.save_rubric(ws, project, read_rubric(RUBRIC))
    db = ws.db
    db.execute("PRAGMA synchronous=OFF")
    db.execute("PRAGMA foreign_keys=OFF")
    with ws.write():
        _content(db, project)
        criteria = projects.criteria(ws, project)
        _cells(db, project, criteria)
        for criterion in criteria:
            _opinions(db, project, criterion)
        _screens(db, project)
    with ws.write():
        tallies.add_sums(db, tallies.sums(db, "c.project_id = ?", (project.id,)), +1)
        db.execute("ANALYZE")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    ws.close()
    return open_workspace(path)


def _content(db: sqlite3.Connection, project: Project) -> None:
    """Questions, answers, subjects, people and authors. Ten categories, of which half are
    creative."""
    numbers = f"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {QUESTIONS * MODELS}) "
    db.execute(
        "INSERT INTO question (id, project_id, key, text, category, task_type, language, detail, refs, context, facts, must_have, metadata, import_id) "
        f"{numbers} SELECT i + 1, ?, 'q' || i, 'What is number ' || i || ' good for, and what is it not?', 'category ' || (i % 10), "
        f"iif(i % 2, 'creative', 'factual'), 'en', '', '[]', '[]', '[]', '[]', '{{}}', 0 FROM n WHERE i < {QUESTIONS}",
        (project.id,),
    )
    db.execute(
        "INSERT INTO answer (id, project_id, question_id, model, version, text, text_hash, finish_reason, metadata, import_id) "
        f"{numbers} SELECT i + 1, ?, i / {MODELS} + 1, printf('model %02d', i % {MODELS}), 1, "
        "'Answer ' || i || ': it is good for counting and for little else, as far as anybody knows.', 'h' || i, '', '{}', 0 FROM n",
        (project.id,),
    )
    db.execute("INSERT INTO subject SELECT id, project_id, question_id, id, NULL, 0 FROM answer")
    people = [(f"person{i:02d}", f"Person {i}", "", "2026-01-01") for i in range(PEOPLE)]
    db.executemany("INSERT INTO person VALUES (?, ?, ?, ?)", people)
    authors = [("judge", name) for name in JUDGES] + [("person", row[0]) for row in people]
    db.executemany(
        "INSERT INTO author (project_id, kind, name) VALUES (?, ?, ?)",
        [(project.id, *author) for author in authors],
    )


def _cells(db: sqlite3.Connection, project: Project, criteria: list[CriterionRow]) -> None:
    """A cell for every answer and criterion, half of them decided by the machine, with their
    tallies."""
    count = len(criteria)
    first = criteria[0].id
    db.execute(
        "INSERT INTO tally (id, project_id, criterion_id, model, category, task_type, language) "
        f"SELECT ((c.id - {first}) * {MODELS} + a.id - 1) * 10 + q.id, c.project_id, c.id, a.model, q.category, q.task_type, 'en' "
        f"FROM criterion c, (SELECT id, model FROM answer WHERE id <= {MODELS}) a, (SELECT id, category, task_type FROM question WHERE id <= 10) q"
    )
    db.execute(
        "INSERT INTO cell (id, project_id, question_id, subject_id, criterion_id, tally_id, route, final, final_number, final_source, open) "
        f"SELECT (s.id - 1) * {count} + c.id - {first} + 1, ?, s.question_id, s.id, c.id, "
        f"((c.id - {first}) * {MODELS} + (s.id - 1) % {MODELS}) * 10 + (s.question_id - 1) % 10 + 1, "
        "iif(s.question_id % 2, 'automatic', 'people'), iif(s.question_id % 2 AND c.key <> 'large/tone', '1', NULL), "
        "iif(s.question_id % 2 AND c.key <> 'large/tone', s.id % 2 + 1, NULL), iif(s.question_id % 2, 'automatic', 'pending'), s.question_id % 2 = 0 "
        "FROM subject s, criterion c ORDER BY s.id, c.id",
        (project.id,),
    )


def _opinions(db: sqlite3.Connection, project: Project, criterion: CriterionRow) -> None:
    """Both judges on every cell, two people on the cells of every twentieth answer; an author
    differs from the rest on one in four."""
    scale = criterion.scale
    db.execute(
        "CREATE TEMP TABLE IF NOT EXISTS words (place INTEGER PRIMARY KEY, value TEXT, number REAL)"
    )
    db.execute("DELETE FROM words")
    db.executemany(
        "INSERT INTO words VALUES (?, ?, ?)",
        [(i, dumps(v), scale.number(v)) for i, v in enumerate(scale.values)],
    )
    size = len(scale.values)
    for kind, who in (
        ("judge", "a.kind = 'judge'"),
        (
            "person",
            f"a.kind = 'person' AND c.subject_id % 20 = 0 AND a.id - 3 IN (c.subject_id / 20 % {PEOPLE}, (c.subject_id / 20 + 1 + c.subject_id / 400 % {PEOPLE - 1}) % {PEOPLE})",
        ),
    ):
        place = f"((c.subject_id * 7919 + {criterion.id * 31}) / 8 + ((c.id * 40503 + a.id * 7129) / 16 % 4 = 0)) % {size}"
        first = db.execute("SELECT coalesce(max(id), 0) FROM verdict").fetchone()[0]
        db.execute(
            "INSERT INTO verdict (uid, project_id, cell_id, author_id, value, status, criterion_hash, created_at) "
            f"SELECT '{kind}' || a.id || '-' || c.id, ?, c.id, a.id, w.value, 'ok', ?, '2026-01-01T00:00:00.000Z' "
            f"FROM author a CROSS JOIN cell c CROSS JOIN words w ON w.place = {place} WHERE c.criterion_id = ? AND {who} ORDER BY a.id, c.id",
            (project.id, criterion.hash, criterion.id),
        )
        design, blind = ("calibration", 1) if kind == "person" else ("", 0)
        db.execute(
            "INSERT INTO opinion SELECT ?, v.author_id, v.cell_id, c.question_id, v.id, v.value, w.number, 'ok', ?, ?, ?, ?, 0, 0 "
            "FROM verdict v JOIN cell c ON c.id = v.cell_id JOIN words w ON w.value = v.value WHERE v.id > ? ORDER BY v.id",
            (criterion.id, blind, 0.05 if blind else 1.0, design, criterion.hash, first),
        )


def _screens(db: sqlite3.Connection, project: Project) -> None:
    """Ordinary screens of up to three answers, all open."""
    per = -(-MODELS // 3)
    db.execute(
        "INSERT INTO screen (id, project_id, question_id, design, probability, seed, needed, created_at) "
        f"SELECT DISTINCT (question_id - 1) * {per} + ((id - 1) % {MODELS}) / 3 + 1, ?, question_id, 'ordinary', 1.0, 1, 1, '' FROM subject ORDER BY 1",
        (project.id,),
    )
    db.execute(
        f"INSERT INTO screen_subject SELECT (question_id - 1) * {per} + ((id - 1) % {MODELS}) / 3 + 1, id FROM subject ORDER BY 1, 2"
    )
    db.execute(
        "INSERT INTO queue (screen_id, project_id, priority, free) SELECT id, project_id, (id * 7919) % 70001, 1 FROM screen ORDER BY 3"
    )


# -- the other writers, in processes of their own


async def judge(path: Path, base_url: str) -> None:
    """A judge's run, as long as it is let: ledger, verdicts and the cells' states are written as in
    any run."""
    ws = open_workspace(path)
    project = projects.get_project(ws, "large")
    run = runs.add_run(ws, project, {}, {}, "bench")
    runs.claim(ws, run)
    setup = judge_setup.make_judge(
        "openai:stub", secret="bench", provider_options={"base_url": base_url, "api_key": "bench"}
    )
    recorder = Recorder(
        ws, project, setup, lambda outcomes, without: print(len(outcomes), flush=True)
    )
    await call_all(
        recorder.follow(judging.tasks(ws, project, setup)),
        Delivery(
            provider=setup.provider,
            ledger=SqlLedger(ws, project, run),
            address=setup.provider.address,
            price=setup.provider.price,
            concurrency=64,
        ),
        read=recorder.read,
        on_outcomes=recorder.take,
    )


def bring(path: Path, folder: Path) -> None:
    """One import after the other, each into a project of its own."""
    rows = [
        f"q{i};What is number {i} good for?;model {m};It is good for counting, says {m}."
        for i in range(2000)
        for m in range(3)
    ]
    file = folder / "rows.csv"
    file.write_text("id;question;model;answer\n" + "\n".join(rows), "utf-8")
    scope = Scope(Actor(), open_workspace(path))
    for number in range(1000):
        print(0, flush=True)
        read = [0]

        def told(rows: int, read: list[int] = read) -> None:
            print(rows - read[0], flush=True)
            read[0] = rows

        report = importing_stage.stage(
            scope,
            f"brought-{os.getpid()}-{number}",
            file,
            staging=importing_stage.Staging(listener=importing_stage.Listener(told)),
        )
        importing_stage.finish(scope, report.import_id)


# -- measuring


def take_screens(ws: Workspace, seconds: float) -> tuple[list[float], list[float], list[int]]:
    """Seconds of everybody's call for a first screen and of every call for a next one, by 20
    people, and the screens that they were given."""
    project = projects.get_project(ws, "large")
    firsts: list[float] = []
    took: list[float] = []
    given: list[int] = []
    until = time.monotonic() + seconds

    def work(person: str) -> None:
        # the connection is there before the clock starts
        ws.db.execute("SELECT count(*) FROM queue").fetchone()
        time.sleep(PAUSE * int(person[-2:]) / PEOPLE)  # not all at the same moment
        mine = firsts
        while time.monotonic() < until:
            started = time.perf_counter()
            found = queue.take(
                ws,
                project,
                Wanted(person, 1),
                lambda screen, design, seen: ("assisted", 1.0, screen),
            )
            mine.append(time.perf_counter() - started)
            mine = took
            given.extend(assignment.screen_id for assignment in found)
            with ws.write(durable=False) as db:
                for assignment in found:  # as a save does; what is leased ahead stays
                    db.execute(
                        "UPDATE assignment SET state = 'done' WHERE id = ?", (assignment.id,)
                    )
            time.sleep(PAUSE)
        ws.close()

    threads = [threading.Thread(target=work, args=(f"person{i:02d}",)) for i in range(PEOPLE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return firsts, took, given


def seconds_of(work: Callable[[], Any]) -> float:
    """The median seconds of five turns."""
    return statistics.median(timeit.repeat(work, number=1, repeat=5))


def others(path: Path, base_url: str, folder: Path) -> list[subprocess.Popen[str]]:
    """The judge's run and the import, both at work."""
    commands = [["judge", str(path), base_url], ["bring", str(path), str(folder)]]
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.benchmarks.bench_store", *command],
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
            env=os.environ,
        )
        for command in commands
    ]
    for process in started:
        assert process.stdout is not None
        process.stdout.readline()
    return started


def end(process: subprocess.Popen[str]) -> int:
    """End a writer; what it said that it wrote (rows or calls)."""
    process.kill()
    said = process.communicate()[0]
    return sum(int(line) for line in said.split() if line.isdigit())


def main() -> list[dict[str, Any]]:
    """Measure; one row per bar: name, figure, bar, ratio (figure / bar), met."""
    with tempfile.TemporaryDirectory() as name, provider_stub(latency=0.2) as stub:
        folder = Path(name)
        path = folder / "large.db"
        ws = build(path)
        scope = Scope(Actor(), ws)
        results_grid.grid(scope, "large")
        grid = seconds_of(lambda: results_grid.grid(scope, "large"))
        first = seconds_of(lambda: _first_view(scope))
        longest, routed = (
            _longest(
                ranking.forget,
                lambda patience, begun: ranking.leaderboard_so_far(
                    scope, "large", Wish(patience=patience, begun=begun)
                ),
            ),
            _longest(
                routing_page.forget,
                lambda patience, begun: routing_page.routing_so_far(
                    scope, "large", patience=patience, begun=begun
                ),
            ),
        )
        settling = seconds_of(lambda: cell_list.cells_to_settle(scope, "large"))
        pages = [*seconds_by_page(scope, "large"), *drawings(scope, "large")]
        pulled = _pulled(scope)
        writers = others(path, stub.base_url, folder)
        firsts, took, given = take_screens(ws, SECONDS)
        calls, answers = (end(process) for process in writers)
        took.sort()
        print(
            f"store: {len(took)} screens taken beside {calls} calls of a judge and {answers} imported rows"
        )
        broken = ws.check()
    rows = [
        (
            "store: screens, first ones among them, p95 ms",
            1000 * sorted(firsts + took)[int(0.95 * len(firsts + took))],
            2.0,
        ),
        ("store: next screen after a first one, max ms", 1000 * took[-1], 50.0),
        (
            "store: first screen of 20 people who come within 50 ms, max ms",
            1000 * max(firsts),
            50.0,
        ),
        ("store: screens given twice", len(given) - len(set(given)), 0.0),
        ("store: rows that the integrity check complains about", len(broken), 0.0),
        ("store: Results, ms", 1000 * grid, 300.0),
        ("store: Agreement, counts and matrices, ms", 1000 * first, 300.0),
        ("store: Leaderboard, longest wait for progress or figures, ms", 1000 * longest, 1000.0),
        ("store: Routing, longest wait for progress or figures, ms", 1000 * routed, 1000.0),
        ("store: Adjudicate, ms", 1000 * settling, 1000.0),
        (
            "store: Anchoring, 100,000 verdicts of both arms, longest wait for progress or figures, ms",
            1000 * pulled,
            1000.0,
        ),
        *pages,
    ]
    return [
        {
            "name": n,
            "figure": round(f, 3),
            "bar": b,
            "ratio": round(f / b, 3) if b else None,
            "met": f <= b and calls > 0 < answers,
        }
        for n, f, b in rows
    ]


def _first_view(scope: Scope) -> None:
    """What the page asks for first, nothing kept from before; and one criterion's matrices as
    sent."""
    agree.forget()
    found = agree.agreement(scope, "large", intervals=False)
    assert len(json.dumps(found.pairs, default=writable)) > 1000 and not found.intervals


def _pulled(scope: Scope) -> float:
    """Anchoring, nothing kept from before, as if all that people said had been said on screens
    whose arm was drawn. Changes the workspace."""
    person = "author_id IN (SELECT id FROM author WHERE kind = 'person')"
    with scope.ws.write() as db:
        db.execute(
            f"UPDATE opinion SET design = 'ordinary', probability = 0.8, blind = question_id % 5 = 0 WHERE {person}"
        )
        db.execute(
            f"UPDATE cell SET suggestion = (SELECT value FROM opinion o WHERE o.cell_id = cell.id LIMIT 1) WHERE id IN (SELECT cell_id FROM opinion WHERE {person})"
        )
    return _longest(
        anchoring.forget,
        lambda patience, begun: anchoring.anchoring_so_far(scope, "large", patience=patience),
    )


def _longest(forget: Callable[[], None], ask: Callable[[float, bool], Any]) -> float:
    """The longest of the requests that a page makes until it has the figures, nothing kept from
    before."""
    forget()
    took: list[float] = []
    reading = True
    while reading:
        started = time.perf_counter()
        found = ask(0.5, bool(took))
        took.append(time.perf_counter() - started)
        reading = "progress" in as_dict(found)
    return max(took)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        step_back()  # as every command does
    if sys.argv[1:2] == ["judge"]:
        asyncio.run(judge(Path(sys.argv[2]), sys.argv[3]))
    elif sys.argv[1:2] == ["bring"]:
        bring(Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        for row in main():
            print(
                f"{'MET   ' if row['met'] else 'MISSED'} {row['name']}: {row['figure']} (bar {row['bar']}, ratio {row['ratio']})"
            )
