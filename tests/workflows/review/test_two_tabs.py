"""One person, one screen, two saves that do not know each other: one is stored, the other is kept
aside and told so."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from sqlite_utils.db import Database

from graders.store import migrations
from graders.workflows.review import grading
from graders.workflows.review.save_replies import SavedElsewhere
from graders.workflows.review.screen_records import Screen
from tests.store import small
from tests.workflows.review.test_grading import at, cells_of, made, stored, take


def standing(ws: Any) -> list[str]:
    return [row[0] for row in ws.db.execute("SELECT id FROM save WHERE undone = 0 ORDER BY at")]


def tab(screen: Screen) -> Screen:
    """The screen as another tab has it, which knows of no save."""
    return replace(screen, saved=None)


def test_the_same_from_another_tab_is_stored_once_and_told(tmp_path: Path) -> None:
    ws = made(tmp_path)
    (screen,) = take(ws, "mira")
    other = tab(screen)
    small.save(at(ws, "mira"), screen, "save-one1")
    reply = small.save(at(ws, "mira"), other, "save-two2")
    assert (reply.ok, reply.stored, reply.elsewhere) == (
        True,
        False,
        SavedElsewhere("save-one1", True),
    )
    assert (
        reply.message == "You saved this screen in another tab already. Nothing was stored twice."
    )
    assert len(stored(ws, "mira")) == 3 * 4 and standing(ws) == ["save-one1"]
    assert small.save(at(ws, "mira"), other, "save-two2") == reply, (
        "a reply that was lost is given again"
    )
    assert ws.db.execute("SELECT sum(seconds) FROM assignment").fetchone()[0] == 9, (
        "nor are its seconds counted twice"
    )


def test_other_values_are_kept_aside_until_the_person_replaces_what_stands(tmp_path: Path) -> None:
    ws = made(tmp_path)
    mira = at(ws, "mira")
    (screen,) = take(ws, "mira")
    other = tab(screen)
    small.save(mira, screen, "save-one1", {**small.VALUES, "completeness": 2}, flagged=True)
    reply = small.save(
        mira, other, "save-two2", {**small.VALUES, "completeness": 5}, comment="I doubt it"
    )
    assert (reply.stored, reply.elsewhere.same) == (
        False,
        False,
    ) and "those stand" in reply.message
    cell = next(c.id for c in cells_of(screen) if c.criterion == "small/completeness")
    assert ws.db.execute("SELECT final FROM cell WHERE id = ?", (cell,)).fetchone()[0] == "2"
    assert grading.counts(mira, "study").flagged == 1
    aside = ws.db.execute("SELECT body, after, aside FROM save WHERE id = 'save-two2'").fetchone()
    assert "I doubt it" in aside["body"] and (aside["after"], aside["aside"]) == ("save-one1", 1), (
        "it can be traced"
    )
    grading.undo(mira, "study", "undo-two2", "save-two2")  # takes nothing back
    assert standing(ws) == ["save-one1"] and len(stored(ws, "mira")) == 12
    again = grading.one_screen(mira, "study", screen.id)
    assert again.saved.save_id == "save-one1"
    assert small.save(mira, again, "save-three", {"completeness": 5}).stored
    rows = [row for row in stored(ws, "mira") if row["cell_id"] == cell]
    assert [(row["kind"], row["amends"], row["value"]) for row in rows] == [
        ("given", "", "2"),
        ("amends", rows[0]["uid"], "5"),
    ]
    assert (
        small.tallied(ws) == small.recount(ws)
        and small.opinions(ws) == small.standing(ws)
        and ws.check() == []
    )


def test_a_skip_is_no_verdict_and_takes_none_away(tmp_path: Path) -> None:
    ws = made(tmp_path)
    first, second = take(ws, "mira", 2)
    small.save(at(ws, "mira"), first, "skip-one1", skipped="not my field")
    assert small.save(at(ws, "mira"), tab(first), "save-one1").stored, (
        "the verdicts of the other tab are the first ones"
    )
    small.save(at(ws, "mira"), second, "save-two2")
    reply = small.save(at(ws, "mira"), tab(second), "skip-two2", skipped="not my field")
    assert (reply.stored, reply.elsewhere.same) == (False, True)
    assert standing(ws) == ["skip-one1", "save-one1", "save-two2"] and len(stored(ws, "mira")) == 24


def test_what_was_taken_back_stands_in_nobodys_way(tmp_path: Path) -> None:
    ws = made(tmp_path)
    (screen,) = take(ws, "mira")
    other = tab(screen)
    small.save(at(ws, "mira"), screen, "save-one1")
    grading.undo(at(ws, "mira"), "study", "undo-one1", "save-one1")
    assert small.save(at(ws, "mira"), other, "save-two2").stored and standing(ws) == ["save-two2"]


def test_two_people_save_the_same_screen_each_once(tmp_path: Path) -> None:
    ws = made(tmp_path, overlap=2)
    (screen,), (same,) = take(ws, "mira"), take(ws, "jon")
    assert screen.id == same.id
    replies = [
        small.save(at(ws, person), tab(screen), f"save-{person}") for person in ("mira", "jon")
    ]
    assert all(reply.stored for reply in replies)


@pytest.mark.parametrize("differing", [False, True])
def test_twenty_threads_with_one_screen_store_one_save(tmp_path: Path, differing: bool) -> None:
    ws = made(tmp_path)
    (screen,) = take(ws, "mira")
    gate = Barrier(20)

    def send(n: int) -> dict[str, Any]:
        scope = at(ws, "mira")
        gate.wait()
        try:
            return small.save(
                scope,
                tab(screen),
                f"save-{n:04d}",
                {**small.VALUES, "completeness": 1 + n % 5 if differing else 4},
            )
        finally:
            ws.close()

    with ThreadPoolExecutor(20) as pool:
        replies = list(pool.map(send, range(20)))
    [first] = [reply for reply in replies if reply.stored]
    assert standing(ws) == [first.save_id] and len(stored(ws, "mira")) == 12
    assert {row["save_id"] for row in stored(ws, "mira")} == {first.save_id}
    told = [reply.elsewhere for reply in replies if not reply.stored]
    assert len(told) == 19 and sum(one.same for one in told) == (3 if differing else 19)
    assert small.tallied(ws) == small.recount(ws) and ws.check() == []


def test_the_database_itself_refuses_a_second_save_after_the_same_one(tmp_path: Path) -> None:
    ws = made(tmp_path)
    (screen,) = take(ws, "mira")
    small.save(at(ws, "mira"), screen, "save-one1")
    with pytest.raises(sqlite3.IntegrityError, match="UNIQUE"):
        ws.db.execute(
            "INSERT INTO save (id, screen_id, person_id, body, extra, at) SELECT 'save-two2', screen_id, person_id, body, 0, at FROM save"
        )


def test_saves_of_an_older_workspace_follow_one_another() -> None:
    db = Database(memory=True)
    steps = migrations.workspace_migrations
    steps.apply(db, stop_before="m029_one_save")
    db.conn.execute("PRAGMA foreign_keys = OFF")
    rows = [
        ("c", 1, "mira", "03", 0),
        ("a", 1, "mira", "01", 0),
        ("b", 1, "mira", "02", 1),
        ("d", 1, "jon", "01", 0),
        ("e", 2, "mira", "01", 0),
    ]
    db.conn.executemany(
        "INSERT INTO save (id, screen_id, person_id, body, extra, at, undone) VALUES (?, ?, ?, '{}', 0, ?, ?)",
        rows,
    )
    steps.apply(db)
    assert dict(db.conn.execute("SELECT id, after FROM save ORDER BY id")) == {
        "a": "",
        "b": "",
        "c": "a",
        "d": "",
        "e": "",
    }
