"""In a long queue the next screens are leased before they are asked for, and given without the
write lock."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from graders.store import projects
from graders.store.desk import queue
from graders.store.desk.assignments import Wanted
from graders.store.workspace import Workspace
from tests.store import small
from tests.store.desk.test_queue import drain, ids, settled, take


def leased(ws: Workspace, person: str) -> list[int]:
    """The screens that a person holds."""
    sql = "SELECT screen_id FROM assignment WHERE person_id = ? AND state = 'leased' ORDER BY id"
    return [row[0] for row in ws.db.execute(sql, (person,))]


def wait_until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not true():
        assert time.monotonic() < deadline, "it did not come true within a minute"
        time.sleep(0.01)


@pytest.fixture
def long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """A workspace whose queue counts as long: forty screens."""
    monkeypatch.setattr(queue, "LONG_QUEUE", 20)
    ws = small.workspace(tmp_path)
    small.study(tmp_path, ws, count=40)
    return ws


def test_the_next_screen_is_there_while_somebody_else_writes(long: Workspace) -> None:
    first = ids(take(long, "mira"))
    wait_until(lambda: len(leased(long, "mira")) == 1 + queue.AHEAD)
    assert leased(long, "mira")[:1] == first
    other = sqlite3.connect(long.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")  # as an import in another process does
    started = time.monotonic()
    project = projects.get_project(long, "study")
    (second,) = queue.take(
        long,
        project,
        Wanted("mira", 1, tuple(first)),
        lambda screen, design, seen: ("assisted", 1.0, 1),
    )
    assert time.monotonic() - started < 5 and second.screen_id == leased(long, "mira")[1]
    other.execute("ROLLBACK")
    wait_until(lambda: len(leased(long, "mira")) == 2 + queue.AHEAD)
    settled(long)
    other.close()


def test_what_is_leased_ahead_goes_to_nobody_else_and_comes_back_when_the_lease_ends(
    long: Workspace,
) -> None:
    mine = ids(take(long, "mira"))
    wait_until(lambda: len(leased(long, "mira")) == 1 + queue.AHEAD)
    assert not set(ids(take(long, "jon", 3))) & set(leased(long, "mira"))
    wait_until(lambda: len(leased(long, "jon")) == 3 + queue.AHEAD)
    long.clock.now += queue.LEASE_SECONDS + 1  # type: ignore[attr-defined]
    assert ids(take(long, "lea")) == mine
    wait_until(lambda: len(leased(long, "lea")) == 1 + queue.AHEAD)
    settled(long)


def test_a_lease_that_is_about_to_end_is_taken_anew(long: Workspace) -> None:
    mine = ids(take(long, "mira"))
    long.clock.now += queue.LEASE_SECONDS - 60  # type: ignore[attr-defined]
    assert ids(take(long, "mira")) == mine
    ends = long.db.execute(
        "SELECT min(lease_until) FROM assignment WHERE state = 'leased'"
    ).fetchone()[0]
    assert ends > long.clock() + queue.FRESH_SECONDS


def test_a_short_queue_is_shared_screen_by_screen(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    small.study(tmp_path, ws, count=6)
    given = ids(take(ws, "mira"))
    time.sleep(0.1)
    assert leased(ws, "mira") == given


def test_ten_people_empty_a_long_queue_and_nothing_is_given_twice(long: Workspace) -> None:
    gate = Barrier(10)
    people = [f"person{i}" for i in range(10)]
    for person in people:
        small.scope_of(long, person)
    with ThreadPoolExecutor(10) as pool:
        taken = [
            screen
            for held in pool.map(lambda person: drain(long, person, gate), people)
            for screen in held
        ]
    assert len(taken) == len(set(taken))
    wait_until(lambda: not long.soon.waiting)
    held = {screen for person in people for screen in leased(long, person)}
    assert held == {row[0] for row in long.db.execute("SELECT id FROM screen")}, (
        "all are in somebody's hands"
    )
    settled(long)
