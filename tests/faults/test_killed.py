"""Killed at a named point and started again: nothing that was acknowledged is lost, nothing is half
there, little is paid twice."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from graders.store import projects
from graders.store.calls import runs as run_store
from graders.store.calls.ledger import ModelCalls, run_calls
from graders.store.transfer import imports as import_store
from graders.store.workspace import Workspace, open_workspace
from graders.workflows.importing import stage as importing_stage
from graders.workflows.report.export import export
from graders.workflows.routing.route import route
from graders.workflows.runs.runs import Options
from graders.workflows.scope.named_rubrics import read_named_rubric
from tests.store import small
from tests.support import forked
from tests.support.stub import provider_stub

AT_ONCE = 8
#: One rubric, one call for all its criteria: brevity is a rule's.
QUESTIONS, MODELS = 10, ("Ash", "Oak", "Elm")
#: With two answers each, more than the driver's import writes at once (tests/faults/driver.py).
QUESTIONS_BROUGHT = 60


def act(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the driver to its end, natural or not."""
    environment = {
        **os.environ,
        "OPENAI_API_KEY": "nobody",
        "OPENAI_BASE_URL": "http://127.0.0.1:9",
    }
    return forked.run(["-m", "tests.faults.driver", *arguments], env=environment)


def killed(done: subprocess.CompletedProcess[str]) -> list[str]:
    """What was acknowledged before the end; the process really was killed."""
    assert done.returncode == -signal.SIGKILL, (done.returncode, done.stderr)
    return said(done)


def said(done: subprocess.CompletedProcess[str]) -> list[str]:
    """What was acknowledged."""
    ready, *lines = done.stdout.split()
    assert ready == "ready"
    return lines


def ended(done: subprocess.CompletedProcess[str]) -> list[str]:
    assert done.returncode == 0, done.stderr
    return said(done)


def sound(ws: Workspace) -> None:
    """The file is whole, what is kept beside the verdicts equals a fresh count, and each resend has
    one named cause."""
    assert ws.check() == []
    assert (
        ws.db.execute(
            "SELECT count(*) FROM call WHERE json_array_length(causes) <> max(sends - 1, 0)"
        ).fetchone()[0]
        == 0
    )
    assert small.tallied(ws) == small.recount(ws)
    assert small.opinions(ws) == small.standing(ws)
    assert small.free(ws) == small.places(ws)


def copied(made: Path, place: Path) -> Workspace:
    """A copy, in a workspace with the time of day, since processes tell each other when they were
    last alive."""
    shutil.copy(made, place / "work.db")
    return open_workspace(place / "work.db")


def closed(ws: Workspace) -> Path:
    """The whole file of a workspace that is done with."""
    ws.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    ws.close()
    return ws.path


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A routed project."""
    place = tmp_path_factory.mktemp("study")
    ws = open_workspace(place / "work.db")
    small.study(place, ws, count=QUESTIONS, models=MODELS)
    return closed(ws)


@pytest.mark.parametrize(
    ("point", "count"),
    [
        ("lease", 3),
        ("leased", 3),
        ("store_save", 3),
        ("verdict", 3),
        ("saved", 3),
        ("store_save", 1),
    ],
)
def test_a_person_is_cut_off(study: Path, tmp_path: Path, point: str, count: int) -> None:
    ws = copied(study, tmp_path)
    safe = killed(act("person", ws.path, "mira", point, count))
    assert len(safe) == count - 1
    sound(ws)
    sql = "SELECT s.id, (SELECT count(*) FROM verdict v WHERE v.save_id = s.id) FROM save s"
    kept = {row[0]: row[1] for row in ws.db.execute(sql)}
    assert {kept.get(name) for name in safe} == {3 * 4} or not safe, "three answers, four criteria"
    assert len(kept) == count - 1 + (point == "saved"), (
        "a save that was kept and not acknowledged may be there, whole"
    )
    assert set(kept.values()) <= {12}
    ended(act("person", ws.path, "mira"))
    sound(ws)
    assert (
        ws.db.execute("SELECT count(*) FROM screen WHERE done = needed").fetchone()[0] == QUESTIONS
    )
    assert ws.db.execute("SELECT count(*) FROM save").fetchone()[0] == QUESTIONS, (
        "every screen once"
    )


@pytest.mark.parametrize(
    ("point", "count"),
    [
        ("reserve", 5), ("sent", 5), ("send", 1), ("send", 20), ("replied", 1), ("replied", 20), ("stored", 1), ("stored", 20),
        ("commit", 1), ("commit", 6), ("verdict", 3),
    ],
)  # fmt: skip
def test_a_run_is_cut_off(study: Path, tmp_path: Path, point: str, count: int) -> None:
    ws = copied(study, tmp_path)
    project = projects.get_project(ws, "study")
    with provider_stub(latency=0.05) as stub:
        options = Options(
            judges=("openai:stub",), concurrency=AT_ONCE, base_url=stub.base_url, models={}
        )
        run = run_store.add_run(ws, project, options.to_json(), {}, "")
        killed(act("run", ws.path, run, point, count))
        sound(ws)
        assert ended(act("run", ws.path, run)) == ["done"]
        counts = stub.stats()
    answers = QUESTIONS * len(MODELS)
    assert counts["paid_distinct"] == answers
    twice = counts["requests"] - answers
    assert 0 <= twice <= AT_ONCE
    perhaps, stored = ws.db.execute(
        "SELECT sum(perhaps_paid), sum(state = 'stored') FROM call"
    ).fetchone()
    assert stored == answers
    assert twice <= perhaps <= AT_ONCE, "the ledger knows what it may have paid twice"
    sound(ws)
    judged = "SELECT count(*) FROM opinion o JOIN author a ON a.id = o.author_id WHERE a.kind = 'judge' AND o.status = 'ok'"
    assert ws.db.execute(judged).fetchone()[0] == answers * 3, (
        "every cell that names the judge, once"
    )
    again = "SELECT count(*) FROM (SELECT 1 FROM verdict v JOIN author a ON a.id = v.author_id AND a.kind = 'judge' GROUP BY v.cell_id HAVING count(*) > 1)"
    assert ws.db.execute(again).fetchone()[0] == 0


@pytest.mark.parametrize(("point", "count"), [("replied", 2), ("verdict", 1)])
def test_a_run_that_splits_answers_is_cut_off(tmp_path: Path, point: str, count: int) -> None:
    """The splitter is the judge's own model: the ledger tells what each of them bought, and the
    limit holds for both."""
    ws = open_workspace(tmp_path / "work.db")
    questions = [
        {"id": f"q{n}", "text": "When can I swim?", "context": ["The pool opens at 8."]}
        for n in range(4)
    ]
    texts = [
        {"question_id": f"q{n}", "model": "Ash", "text": f"It opens at {n}. It closes in August."}
        for n in range(4)
    ]
    files = small.folder(tmp_path, "files", questions=questions, answers=texts)
    small.bring(small.scope_of(ws), files, rubric=read_named_rubric("grounded").source)
    project = projects.get_project(ws, "study")
    with provider_stub(latency=0.05) as stub:
        wanted = Options(
            judges=("openai:stub",),
            split="openai:stub",
            concurrency=1,
            base_url=stub.base_url,
            budget_calls=6,
            models={},
        )
        run = run_store.add_run(ws, project, wanted.to_json(), {}, "")
        killed(act("run", ws.path, run, point, count))
        assert ended(act("run", ws.path, run)) == ["stopped"]
        progress = run_store.get_run(ws, run).progress
        counts = {judge["name"]: judge["calls"] for judge in progress["judges"]}
        assert sum(counts.values()) == progress["calls"] == 6, (
            "what was bought before the end counts against the limit"
        )
        assert counts["openai:stub, splitting answers"] == 4 + (point == "replied"), (
            "four answers, and one reply that nobody noted"
        )
        assert stub.stats()["requests"] == 6
        assert {
            name: run_calls(ws.db, run, name).get("stub", ModelCalls("stub")).sends
            for name in counts
        } == counts
        run = run_store.add_run(ws, project, {**wanted.to_json(), "budget_calls": None}, {}, "")
        assert ended(act("run", ws.path, run)) == ["done"]
        assert stub.stats()["paid_distinct"] == 8 and stub.stats()["requests"] == 8 + (
            point == "replied"
        ), "no split is bought twice"
    assert ws.check() == []


@pytest.mark.parametrize("point", ["submit", "fetch", "ended"])
def test_a_run_in_batches_is_cut_off(study: Path, tmp_path: Path, point: str) -> None:
    """Whatever moment the process dies in: each answer is bought once, and no call counts as
    perhaps paid."""
    ws = copied(study, tmp_path)
    project = projects.get_project(ws, "study")
    with provider_stub(polls=1) as stub:
        options = Options(judges=("openai:stub",), base_url=stub.base_url, models={}, batch=True)
        run = run_store.add_run(ws, project, options.to_json(), {}, "")
        killed(act("run", ws.path, run, point, 1))
        sound(ws)
        assert ended(act("run", ws.path, run)) == ["done"]
        counts = stub.stats()
    answers = QUESTIONS * len(MODELS)
    assert (counts["paid"], counts["paid_distinct"]) == (answers, answers)
    found = ws.db.execute(
        "SELECT sum(perhaps_paid), sum(state = 'stored'), sum(sends) FROM call"
    ).fetchone()
    assert tuple(found) == (0, answers, answers)
    assert ws.db.execute("SELECT count(*) FROM batch").fetchone()[0] == 0, (
        "forgotten when all is stored"
    )
    sound(ws)
    judged = "SELECT count(*) FROM opinion o JOIN author a ON a.id = o.author_id WHERE a.kind = 'judge' AND o.status = 'ok'"
    assert ws.db.execute(judged).fetchone()[0] == answers * 3


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An export of a project with verdicts, routes, screens and draws."""
    place = tmp_path_factory.mktemp("source")
    # with the time of day: what is dated after an import is taken for a wrong clock
    ws = open_workspace(place / "work.db")
    count = QUESTIONS_BROUGHT
    judged = [
        small.judge(f"q{i}", m, "completeness", "north", 4, confidence=0.9)
        for i in range(1, count + 1)
        for m in ("Ash", "Oak")
    ]
    path = small.folder(
        place,
        "source",
        questions=small.questions(count),
        answers=small.answers(count, ["Ash", "Oak"]),
        judge=judged,
    )
    scope = small.scope_of(ws)
    small.bring(scope, path)
    route(scope, "study")
    return export(scope, "study", "jsonl", place / "exported")


@pytest.mark.parametrize(
    ("point", "count", "visible"),
    [
        ("content", 1, False), ("content", 2, False), ("opinions", 1, False), ("opinions", 2, False), ("staged", 1, False),
        ("finish", 1, False), ("finished", 1, True), ("unpack", 1, True), ("unpacked", 1, True),
    ],
)  # fmt: skip
def test_an_import_is_cut_off(
    source: Path, tmp_path: Path, point: str, count: int, visible: bool
) -> None:
    ws = open_workspace(tmp_path / "work.db")
    killed(act("import", ws.path, source, point, count))
    sound(ws)
    shown = ws.db.execute("SELECT coalesce(sum(cells), 0) FROM tally").fetchone()[0]
    assert shown == (QUESTIONS_BROUGHT * 2 * 4 if visible else 0), "all or nothing"
    # a writer counts as interrupted after some seconds of silence; they are over
    with ws.write() as db:
        db.execute("UPDATE import SET heartbeat = heartbeat - ?", (import_store.STALE_SECONDS + 1,))
    importing_stage.sweep_interrupted(ws)
    assert ended(act("import", ws.path, source)) == ["staged", "finished"]
    sound(ws)
    assert ws.db.execute("SELECT count(*) FROM kept").fetchone()[0] == 0
    back = export(small.scope_of(ws), "study", "jsonl", tmp_path / "back")
    for file in sorted(p for p in source.rglob("*") if p.is_file()):
        assert (back / file.relative_to(source)).read_bytes() == file.read_bytes(), file.name


@pytest.fixture(scope="module")
def unrouted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a judge's verdicts, nothing drawn yet."""
    place = tmp_path_factory.mktemp("unrouted")
    ws = open_workspace(place / "work.db")
    scope = small.scope_of(ws)
    judged = [
        small.judge(f"q{i}", m, "completeness", "north", 4) for i in range(1, 41) for m in MODELS
    ]
    small.bring(
        scope,
        small.folder(
            place,
            "f",
            questions=small.questions(40),
            answers=small.answers(40, MODELS),
            judge=judged,
        ),
    )
    small.sample(ws, calibration=0.1, audit=0.2)
    return closed(ws)


@pytest.mark.parametrize(("point", "count"), [("draw", 1), ("draw", 2), ("draw", 3)])
def test_a_routing_is_cut_off(unrouted: Path, tmp_path: Path, point: str, count: int) -> None:
    ws = copied(unrouted, tmp_path)
    killed(act("route", ws.path, "-", point, count))
    sound(ws)
    assert ended(act("route", ws.path, "-")) == ["routed"]
    designs = [
        e.body["design"] for e in projects.events(ws, projects.get_project(ws, "study"), "draw")
    ]
    assert sorted(designs) == ["audit", "calibration"], "each drawn once"
    stands = ws.db.execute(
        "SELECT max(n) FROM (SELECT count(*) AS n FROM screen_subject GROUP BY subject_id)"
    ).fetchone()[0]
    assert stands == 1
    sound(ws)
