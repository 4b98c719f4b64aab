"""Deleting a project: its export first, all of its rows and none of others', and back again."""

from __future__ import annotations

import json
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from graders.core.errors import CogradeError, Conflict, InputError, NotAllowed
from graders.store import projects
from graders.store.calls import runs as run_store
from graders.store.workspace import Workspace
from graders.workflows.diagnostics import seeded_faults
from graders.workflows.importing import stage as importing_stage
from graders.workflows.projects import delete
from graders.workflows.report import export_whole as export_whole_module
from graders.workflows.report.export_whole import export_whole
from graders.workflows.review import grading
from graders.workflows.scope.permissions import Actor, Scope
from tests.store import small
from tests.support import worked

#: Tables of the workspace itself. The person who graded stays a person; `event` is the log.
SHARED = ("setting", "activity", "person", "vector", "step_version", "_sqlite_migrations")
WHALE = (
    "A whale is a mammal that lives in the sea. It breathes air with lungs, and comes up for it "
    "every 20 minutes. It feeds its young with milk for 6 months. It is not a fish."
)
CALL = {
    "provider": "openai", "model": "stub", "state": "stored", "payload": {"a": 1}, "reply": "{}",
    "sends": 1, "at": "2026-01-01T00:00:00.000Z", "money": 0.5,
}  # fmt: skip


def rows(ws: Workspace) -> dict[str, Counter[tuple[Any, ...]]]:
    """All rows of all tables."""
    tables = [
        row[0]
        for row in ws.db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        if row[0] not in SHARED and not row[0].startswith("sqlite_")
    ]
    return {
        table: Counter(tuple(row) for row in ws.db.execute(f"SELECT * FROM {table}"))
        for table in tables
    }


def another(place: Path, ws: Workspace, name: str = "other") -> Scope:
    """A project beside, with a person's verdict and a call."""
    scope = small.scope_of(ws)
    path = small.folder(
        place,
        name,
        questions=small.questions(3),
        answers=small.answers(3, ("Ash",)),
        human=[small.human("q1", "Ash", "tone", "ann", "warm")],
        calls=[{**CALL, "key": f"k-{name}"}],
    )
    small.bring(scope, path, project=name)
    return scope


def copied(place: Path, scope: Scope) -> int:
    """Bring an answer in which faults can be put, and make copies of it; how many."""
    texts = [{"id": "whale", "text": "What is a whale?", "language": "en", "task_type": "factual"}]
    said = [{"question_id": "whale", "model": "Ash", "text": WHALE}]
    small.bring(scope, small.folder(place, "whale", questions=texts, answers=said), rubric=None)
    return seeded_faults.seed(scope, "study", 1.0).made


def gone(scope: Scope, file: Path, name: str = "study") -> delete.Deleted:
    """Export and delete, once nobody has a screen open."""
    assert isinstance(scope.ws.clock, small.Clock)
    scope.ws.clock.now += 3600
    written = export_whole(scope, name, file)
    return delete.delete(scope, name, name, written.state)


def test_all_of_it_goes_and_nothing_of_others(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    another(tmp_path, ws)
    before = rows(ws)
    scope = worked.at_work(tmp_path, ws)
    small.bring(
        scope,
        small.folder(tmp_path, "calls", questions=[], calls=[{**CALL, "key": "k-own"}]),
        rubric=None,
    )
    assert copied(tmp_path, scope)
    project = projects.get_project(ws, "study")
    run_store.end(ws, run_store.add_run(ws, project, {}, {}, ""), "done", "", {})
    ws.db.execute(
        "INSERT INTO lesson SELECT id, hash, 1, '{}', '' FROM criterion WHERE project_id = ?",
        (project.id,),
    )
    ws.db.execute(
        "INSERT INTO draft (project_id, question_id, state, by, elements, at) SELECT project_id, id, 'drafted', '', '[]', '' FROM question WHERE project_id = ?",
        (project.id,),
    )
    ws.db.execute(
        "INSERT INTO gold SELECT id, project_id, 0, '', '' FROM cell WHERE project_id = ? LIMIT 3",
        (project.id,),
    )
    ws.db.execute(
        "INSERT INTO election (project_id, question_id, subject_id, at) SELECT project_id, question_id, id, '' FROM subject WHERE project_id = ?",
        (project.id,),
    )
    ws.db.execute(
        "INSERT INTO metric_value (subject_id, metric, project_id, status) SELECT id, 'exact', project_id, 'ok' FROM subject WHERE project_id = ?",
        (project.id,),
    )
    ws.db.execute(
        "INSERT INTO test_label (uid, project_id, import_id, cell_id, body) SELECT 'kept', project_id, import_id, id, '{}' FROM cell WHERE project_id = ? AND import_id > 0 LIMIT 1",
        (project.id,),
    )
    during = rows(ws)
    empty = {table for table, held in during.items() if held == before[table]}
    assert empty <= {"chance", "batch", "confidence_order", "kept", "bad_row", "question_change", "looked", "screen_cell", "unsought", "unweighed"}  # fmt: skip
    done = gone(scope, tmp_path / "study.zip")
    assert done.content.human > 50 and done.free_bytes > 0
    after = rows(ws)
    assert ws.check() == []
    for table in before:
        if table in ("project", "event"):
            continue
        assert after[table] == before[table], table
    stones = after["project"] - before["project"]
    assert all(stone[2:5] == ("", "", "{}") for stone in stones), "numbers, and nothing else"
    (trace,) = after["event"] - before["event"]
    assert "project_deleted" in trace and '"study"' in str(trace)
    assert [p.name for p in projects.list_projects(ws)] == ["other"]
    with pytest.raises(CogradeError, match="a project that was deleted on 2027-01-15"):
        scope.project("study")


def test_its_export_brings_every_verdict_back(tmp_path: Path) -> None:
    """Verdict, author, time and trace: the export made of what came back has the same bytes."""
    ws = small.workspace(tmp_path)
    scope = worked.at_work(tmp_path, ws)
    said = "SELECT v.uid, w.kind, w.name, v.value, v.status, v.kind, v.amends, v.provenance, v.created_at, v.criterion_hash, v.rationale, v.confidence, v.metadata FROM verdict v JOIN author w ON w.id = v.author_id WHERE w.kind <> 'rule' ORDER BY v.uid"
    before = [tuple(row) for row in ws.db.execute(said)]
    assert {row[1] for row in before} == {"person", "judge"}
    file = tmp_path / "study.zip"
    gone(scope, file)
    assert [tuple(row) for row in ws.db.execute(said)] == []
    report = importing_stage.stage(scope, "study", file)
    importing_stage.finish(scope, report.import_id)
    assert [tuple(row) for row in ws.db.execute(said)] == before
    again = export_whole(scope, "study", tmp_path / "again.zip")
    with zipfile.ZipFile(file) as first, zipfile.ZipFile(again.output) as second:
        for name in first.namelist():
            assert first.read(name) == second.read(name), name
    assert ws.check() == []


def test_copies_with_seeded_faults_go_and_come_back(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    scope = worked.at_work(tmp_path, ws)
    made = copied(tmp_path, scope)
    file = tmp_path / "study.zip"
    done = gone(scope, file)
    assert done.content.answers == 12 + 1 + 1 + made
    assert projects.list_projects(ws) == []
    report = importing_stage.stage(scope, "study", file)
    importing_stage.finish(scope, report.import_id)
    assert {p.name for p in projects.list_projects(ws)} == {"study", "study-seeded"}
    assert ws.check() == []


def test_a_reply_that_another_project_rests_on_stays(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    another(tmp_path, ws)
    scope = another(tmp_path, ws, "study")
    ws.db.execute("UPDATE verdict SET call_key = 'k-study' WHERE project_id = 1")
    gone(scope, tmp_path / "study.zip")
    held = {row[0]: row[1] for row in ws.db.execute("SELECT key, project_id FROM call")}
    assert held == {"k-other": 1, "k-study": 1}
    assert ws.db.execute("SELECT count(*) FROM request").fetchone()[0] == 2


def refused(scope: Scope, state: str, typed: str = "study") -> str:
    before = rows(scope.ws)
    with pytest.raises((Conflict, InputError, NotAllowed)) as raised:
        delete.delete(scope, "study", typed, state)
    assert rows(scope.ws) == before, "nothing was deleted"
    return str(raised.value)


def test_it_is_refused_while_somebody_works(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path, clock=(clock := small.Clock()))
    scope = small.study(tmp_path, ws)
    state = export_whole(scope, "study", tmp_path / "a.zip").state
    mira = small.scope_of(ws, "mira")
    (screen,) = grading.next_screens(mira, "study", 1)
    said = refused(scope, state)
    assert "screen open at Mira" in said and "free in 30 min" in said
    small.save(mira, screen, "save-mira")
    clock.now += 3600
    said = refused(scope, state)
    assert "changes since its export was written" in said and "Export it again" in said
    state = export_whole(scope, "study", tmp_path / "b.zip").state
    run = run_store.add_run(ws, projects.get_project(ws, "study"), {}, {}, "")
    assert "Stop or resume that one." in refused(scope, state)
    run_store.end(ws, run, "done", "", {})
    more = small.folder(tmp_path, "more", questions=small.questions(5))
    waits = importing_stage.stage(scope, "study", more).import_id
    assert "unfinished work: more" in refused(scope, state)
    importing_stage.drop(scope, waits)
    assert "the project's name, study" in refused(scope, state, "Study")
    assert "changes since" in refused(scope, "")
    annotator = Scope(Actor("mira", "annotator"), ws)
    assert "delete" in refused(annotator, state)
    state = export_whole(scope, "study", tmp_path / "c.zip").state
    delete.delete(scope, "study", " study ", state)
    assert projects.list_projects(ws) == []


def test_an_export_that_lacks_a_verdict_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ws = small.workspace(tmp_path)
    scope = another(tmp_path, ws, "study")
    whole = export_whole_module.export

    def short(scope: Scope, name: str, format: str, target: Path) -> Path:
        whole(scope, name, format, target)
        with zipfile.ZipFile(target) as archive:
            held = {name: archive.read(name) for name in archive.namelist()}
        held["human.jsonl"] = b""
        with zipfile.ZipFile(target, "w") as archive:
            for name, content in held.items():
                archive.writestr(name, content)
        return target

    monkeypatch.setattr(export_whole_module, "export", short)
    with pytest.raises(InputError, match=r"0 human, .* expected .*1 human"):
        export_whole(scope, "study", tmp_path / "study.zip")
    for target, found in (("study.csv", "ends in .zip"), ("none/study.zip", "study.zip")):
        with pytest.raises(InputError, match=found):
            export_whole(scope, "study", tmp_path / target)


def test_the_number_of_a_deleted_project_is_given_to_no_other(tmp_path: Path) -> None:
    """What is remembered by number in a process never shows another project's."""
    ws = small.workspace(tmp_path)
    scope = another(tmp_path, ws, "study")
    first = projects.get_project(ws, "study").id
    gone(scope, tmp_path / "study.zip")
    another(tmp_path, ws, "study")
    assert projects.get_project(ws, "study").id > first
    assert json.loads(ws.db.execute("SELECT settings FROM project ORDER BY id").fetchone()[0]) == {}
