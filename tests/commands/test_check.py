"""`cograde check` finds what is wrong in a workspace, says how to mend each, and mends what can be
made again; verdicts stay as they are."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from graders.store.calls import runs
from graders.store.projects import get_project
from graders.store.workspace import Workspace, open_workspace
from graders.workflows.review import grading
from graders.workflows.routing import route
from tests.commands.runner import Line
from tests.store import small
from tests.support import damaged
from tests.support.older import files, newer, older

NOTES = "CREATE TABLE notes (id INTEGER PRIMARY KEY)"
VERDICTS = "SELECT * FROM verdict ORDER BY id"


@pytest.fixture
def ws(cograde: Line, tmp_path: Path) -> Workspace:
    """A workspace in which two people and a judge have said something, some of it amended and taken
    back."""
    made = small.workspace(tmp_path)
    said = [
        small.judge("q1", model, "relevance", "north", "relevant", confidence=0.9)
        for model in ("Ash", "Oak", "Elm")
    ]
    small.study(tmp_path, made, judge=said)
    for place, person in enumerate(("mira", "jon")):
        scope = small.scope_of(made, person)
        for number, screen in enumerate(grading.next_screens(scope, "study", 2)):
            small.save(scope, screen, f"save-{person}-{number}")
            small.save(
                scope,
                screen,
                f"again-{person}-{number}",
                {"relevance": "irrelevant", "completeness": 2},
            )
        if place:
            grading.undo(scope, "study", "undo-1", "again-jon-0")
    route.route(small.scope_of(made), "study")
    return made


def rows(ws: Workspace, sql: str) -> list[tuple[object, ...]]:
    return [tuple(row) for row in ws.db.execute(sql)]


def change(ws: Workspace, *statements: str) -> None:
    """Change rows as a broken program would: no foreign keys."""
    with closing(sqlite3.connect(ws.path, isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement)


def wrong(found: dict[str, object]) -> set[str]:
    return {finding["check"] for finding in found["findings"]}  # type: ignore[attr-defined]


def test_a_sound_workspace_is_told_so_and_nothing_is_written(cograde: Line, ws: Workspace) -> None:
    before = ws.db.execute("PRAGMA data_version").fetchone()[0]
    done = cograde("check")
    assert done.code == 0, done
    assert [line.split()[0] for line in done.out.splitlines()[1:]] == ["sound"] * 7, done.out
    found = cograde("check", "--mend", "--json")
    assert (found.code, found.json["sound"], found.json["findings"], found.json["backup"]) == (
        0,
        True,
        [],
        "",
    )
    assert ws.db.execute("PRAGMA data_version").fetchone()[0] == before


#: What goes wrong -> (statement, the check that finds it). All of it can be made again.
WRONG = {
    "a tally off by one": ("UPDATE tally SET people = people + 1 WHERE id = 2", {"tallies"}),
    "a cell in another tally": (
        "UPDATE cell SET tally_id = (SELECT max(id) FROM tally) WHERE id = 1",
        {"tallies"},
    ),
    "a cell in none": ("UPDATE cell SET tally_id = NULL WHERE id = 3", {"tallies"}),
    "a tally that is gone": ("DELETE FROM tally WHERE id = 1", {"rows", "tallies"}),
    "an opinion that is gone": (
        "DELETE FROM opinion WHERE verdict_id = (SELECT max(verdict_id) FROM opinion)",
        {"opinions"},
    ),
    "an opinion of an amended verdict": (
        "UPDATE opinion SET verdict_id = (SELECT min(v.id) FROM verdict v WHERE v.cell_id = opinion.cell_id AND v.author_id = opinion.author_id) "
        "WHERE author_id = (SELECT id FROM author WHERE name = 'mira')",
        {"opinions"},
    ),
    "an opinion with another value": (
        "UPDATE opinion SET value = '\"dry\"' WHERE value = '2'",
        {"opinions"},
    ),
    "a final value that nobody gave": (
        "UPDATE cell SET final = '5', final_number = 5 WHERE final = '2'",
        {"values", "tallies"},
    ),
    "a place too many": ("UPDATE queue SET free = free + 1", {"places"}),
    "open screens that do not wait": ("UPDATE open_screens SET count = count + 3", {"places"}),
    "a place for no project": (
        "INSERT INTO queue (screen_id, project_id, priority, free) SELECT max(id) + 9, 77, 0, 1 FROM screen",
        {"rows"},
    ),
    "a stored reply that is gone": (
        "INSERT INTO call (key, project_id, provider, model, state, sends, money, at) VALUES ('k', 1, 'openai', 'm', 'stored', 1, 0.5, '')",
        {"ledger"},
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_can_be_made_again_is_found_and_mended_and_no_verdict_changes(
    what: str, cograde: Line, ws: Workspace, tmp_path: Path
) -> None:
    statement, checks = WRONG[what]
    derived = {
        name: rows(ws, f"SELECT * FROM {name} ORDER BY 1, 2, 3")
        for name in ("opinion", "tally", "cell", "queue")
    }
    said = rows(ws, VERDICTS)
    change(ws, statement)
    done = cograde("check", "--json")
    assert (done.code, checks - wrong(done.json)) == (1, set()), done.out
    assert all(
        finding["mendable"] and "cograde check --mend" in finding["remedy"]
        for finding in done.json["findings"]
    )
    mended = cograde("check", "--mend", "--json")
    assert (mended.code, mended.json["sound"]) == (0, True), mended.out
    assert (
        wrong({"findings": mended.json["mended"]}) == wrong(done.json)
        and mended.json["unseen"] == []
    )
    assert rows(ws, VERDICTS) == said
    if "tally that is gone" not in what:  # its row has another number now
        assert {
            name: rows(ws, f"SELECT * FROM {name} ORDER BY 1, 2, 3") for name in derived
        } == derived
    assert small.tallied(ws) == small.recount(ws) and small.opinions(ws) == small.standing(ws)
    with closing(sqlite3.connect(tmp_path / mended.json["backup"])) as backup:
        assert backup.execute(VERDICTS).fetchall() == said, "as it was before"


#: What goes wrong -> statement, words of the finding. None of it can be made again from what is
#: there.
LOST = {
    "a cell that is gone": (
        "DELETE FROM cell WHERE id = (SELECT min(cell_id) FROM verdict)",
        "rows of `verdict` name a row of `cell`",
    ),
    "a screen that is gone": (
        "DELETE FROM screen WHERE id = (SELECT min(screen_id) FROM verdict)",
        "rows of `verdict` name a row of `screen`",
    ),
    "a request without its call": (
        "INSERT INTO request VALUES ('lost', '{}')",
        "rows of `request` name a row of `call`",
    ),
    "a resend without a cause": (
        "INSERT INTO call (key, project_id, provider, model, state, reply, sends, at) VALUES ('k', 1, 'openai', 'm', 'stored', '{}', 3, '')",
        "calls have resends without a named cause",
    ),
    "a value that is none": (
        "UPDATE verdict SET value = 'dr' WHERE id = (SELECT max(id) FROM verdict WHERE value = '2')",
        "cannot be read",
    ),
    "a call that cost less than nothing": (
        "INSERT INTO call (key, project_id, provider, model, state, sends, money, at) VALUES ('k', 1, 'openai', 'm', 'answered', 1, -2, '')",
        "calls have a negative cost",
    ),
}


@pytest.mark.parametrize("what", LOST)
def test_what_cannot_be_made_again_is_left_and_a_backup_advised(
    what: str, cograde: Line, ws: Workspace
) -> None:
    statement, words = LOST[what]
    change(ws, statement)
    said = rows(ws, VERDICTS)
    for mend in ((), ("--mend",)):
        done = cograde("check", *mend)
        assert done.code == 1 and words in done.out, done.out
        assert (
            "Put the last good backup in its place (docs/workspaces.md); no command can restore these rows."
            in done.out
        )
    assert rows(ws, VERDICTS) == said, "also verdicts whose cell is gone are kept"


def test_runs_are_held_against_the_ledger(cograde: Line, ws: Workspace) -> None:
    project = get_project(ws, "study")
    run = runs.add_run(ws, project, {}, {}, "")
    call = f"INSERT INTO call (key, project_id, run_id, provider, model, state, reply, sends, money, at) VALUES ('k', 1, {run}, 'openai', 'm', 'stored', '{{}}', 1, 0.25, '')"
    change(ws, call)
    runs.end(ws, run, "done", "", {"money": 0.25})
    assert cograde("check").code == 0
    runs.end(ws, run, "done", "", {"money": 1.25})
    done = cograde("check")
    assert (
        "WRONG   ledger: 1 project 'study': its runs report $1.2500, their calls in the ledger add up to $0.2500"
        in done.out
    )
    runs.wish(ws, run, "run")
    with ws.write() as db:
        db.execute("UPDATE run SET state = 'running'")
    assert cograde("check").code == 0, "a run at work tells its total later"


def test_an_index_that_differs_from_its_table_is_made_again(cograde: Line, ws: Workspace) -> None:
    ws.close()
    damaged.forget_in_index(ws.path, "cell_question", "cell", "question_id")
    done = cograde("check", "--json")
    assert done.code == 1 and wrong(done.json) == {"indexes"}, done.out
    assert cograde("check", "--mend").code == 0
    assert open_workspace(ws.path).check() == []


@pytest.mark.parametrize("table", ["answer", "verdict"])
def test_damaged_pages_are_told_with_what_could_not_be_seen_and_never_mended(
    table: str, cograde: Line, ws: Workspace
) -> None:
    ws.settle()
    damaged.overwrite(ws.path, damaged.page_of(ws.path, table))
    for words in (["status"], ["export", "--output", ws.path.parent / "out.zip"]):
        refused = cograde(*words)  # type: ignore[arg-type]
        assert refused.code == 1 and refused.err.startswith("workspace work.db: found damage ("), (
            refused
        )
    done = cograde("check")
    assert (
        done.code == 1
        and "WRONG   pages: " in done.out
        and "Put the last good backup in its place" in done.out
    )
    assert any(line.startswith("unseen  ") for line in done.out.splitlines()), done.out
    before = ws.path.read_bytes()[100:]
    refused = cograde("check", "--mend")
    assert refused.code == 1 and ws.path.read_bytes()[100:] == before
    assert "WRONG   pages: " in refused.out


def test_damage_that_a_command_meets_in_a_large_file_is_one_sentence(
    cograde: Line, ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    ws.settle()
    damaged.overwrite(ws.path, damaged.page_of(ws.path, "project"))
    monkeypatch.setattr("graders.store.damage.SMALL_BYTES", 0)
    done = cograde("status", "--json")
    assert (done.code, "Traceback" in done.err) == (1, False)
    assert (
        done.json["error"]["found"].startswith("damage (")
        and "cograde check" in done.json["error"]["remedy"]
    )


def test_other_files_are_refused_and_left_alone(cograde: Line) -> None:
    change(Workspace(cograde.workspace), NOTES)
    before = files(cograde.workspace.parent)
    for words in (["status"], ["check"], ["check", "--mend"], ["grade", "--yes"], ["serve"]):
        done = cograde(*words)
        assert words == ["serve"] or (done.code, "a database of another program" in done.err) == (
            1,
            True,
        ), done
    assert files(cograde.workspace.parent) == before
    missing = cograde.bare("check", "--workspace", cograde.workspace.parent / "gone.db")
    assert missing.code == 1 and "found no such file, expected a workspace" in missing.err
    assert files(cograde.workspace.parent) == before


def test_an_older_workspace_is_backed_up_before_it_is_checked_and_a_newer_one_refused(
    cograde: Line,
) -> None:
    older(cograde.workspace)
    done = cograde("check", "--json")
    assert (done.code, done.json["sound"]) == (0, True)
    assert done.json["last_backup"].startswith("work.schema-19.before-")
    newer(cograde.workspace, "9.1.0")
    done = cograde("check", "--json")
    assert done.code == 1 and json.dumps(done.json["error"]).count("Cograde 9.1.0") == 2
