"""Screens are handed out one by one: nobody gets what somebody holds, and what comes back is handed
out again."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from graders.store import projects
from graders.store.desk import queue
from graders.store.workspace import Workspace
from graders.workflows.review import grading
from graders.workflows.routing.route import route
from tests.store import small

ROOT = Path(__file__).parents[3]


def scope(ws: Workspace, person: str) -> Any:
    return small.scope_of(ws, person)


def take(ws: Workspace, person: str, count: int = 1, **more: Any) -> list[dict[str, Any]]:
    return grading.next_screens(scope(ws, person), "study", count, **more)


def ids(screens: list[dict[str, Any]]) -> list[int]:
    return [screen.id for screen in screens]


def settled(ws: Workspace) -> None:
    """Free places are what they should be, and nothing points nowhere."""
    assert small.free(ws) == small.places(ws)
    counted = {
        row[0]: row[1] for row in ws.db.execute("SELECT * FROM open_screens WHERE count > 0")
    }
    assert counted == dict(
        ws.db.execute("SELECT project_id, count(*) FROM queue WHERE free > 0 GROUP BY 1").fetchall()
    )
    assert ws.check() == []


def drain(ws: Workspace, person: str, gate: Barrier) -> list[int]:
    """Take screens in threes until none is left."""
    held: list[int] = []
    gate.wait()
    while found := take(ws, person, 3, have=held):
        held += ids(found)
    ws.close()
    return held


@pytest.mark.parametrize("overlap", [1, 3])
def test_twenty_people_at_once_and_no_screen_too_often(tmp_path: Path, overlap: int) -> None:
    ws = small.workspace(tmp_path)
    small.study(tmp_path, ws, count=60)
    small.sample(ws, overlap=overlap)
    route(small.scope_of(ws), "study")
    screens = {row[0] for row in ws.db.execute("SELECT id FROM screen")}
    people, gate = [f"person{i}" for i in range(20)], Barrier(20)
    for person in people:
        scope(ws, person)
    with ThreadPoolExecutor(20) as pool:
        taken = list(pool.map(lambda person: drain(ws, person, gate), people))
    given = Counter(screen for held in taken for screen in held)
    assert all(len(held) == len(set(held)) for held in taken), "nobody has a screen twice"
    assert given == Counter(dict.fromkeys(screens, overlap))
    settled(ws)


def test_four_processes_at_once_and_none_is_given_twice(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    small.study(tmp_path, ws, count=80)
    command = [sys.executable, "-m", "tests.store.taker", str(ws.path)]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    workers = [subprocess.Popen([*command, f"person{i}"], cwd=ROOT, **pipes) for i in range(4)]
    for worker in workers:
        assert worker.stdout is not None and worker.stdout.readline() == "ready\n"
    held: list[str] = []
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.write("go\n")
        worker.stdin.flush()
    for worker in workers:
        out, _ = worker.communicate(timeout=60)
        held += out.split()
        assert worker.returncode == 0
    assert sorted(map(int, held)) == sorted(
        row[0] for row in ws.db.execute("SELECT id FROM screen")
    )
    settled(ws)


def test_a_lease_that_runs_out_goes_to_the_next(tmp_path: Path) -> None:
    clock = small.Clock()
    ws = small.workspace(tmp_path, clock=clock)
    small.study(tmp_path, ws, count=1)
    (screen,) = take(ws, "mira")
    assert take(ws, "jon") == []
    clock.now += queue.LEASE_SECONDS - 60
    assert take(ws, "jon") == [], "a minute is left"
    clock.now += 120
    assert ids(take(ws, "jon")) == [screen.id]
    settled(ws)


def test_whoever_comes_back_gets_what_he_or_she_held(tmp_path: Path) -> None:
    clock = small.Clock()
    ws = small.workspace(tmp_path, clock=clock)
    small.study(tmp_path, ws, count=4)
    first = ids(take(ws, "mira", 2))
    clock.now += queue.LEASE_SECONDS - 60
    assert ids(take(ws, "mira", 2)) == first, "asked again without saying what the page has"
    clock.now += 120
    assert ids(take(ws, "mira", 2)) == first, "coming back renewed the lease"
    assert set(ids(take(ws, "mira", 1, have=first))).isdisjoint(first)


def test_a_save_after_a_colleague_finished_is_kept_as_extra(tmp_path: Path) -> None:
    clock = small.Clock()
    ws = small.workspace(tmp_path, clock=clock)
    small.study(tmp_path, ws, count=1)
    (slow,) = take(ws, "mira")
    clock.now += queue.LEASE_SECONDS + 1
    (quick,) = take(ws, "jon")
    assert small.save(scope(ws, "jon"), quick, "save-jon1").extra is False
    late = small.save(scope(ws, "mira"), slow, "save-mira")
    assert late.extra is True
    assert (
        late.message
        == "A colleague finished this screen meanwhile; your verdicts are kept as extra ones."
    )
    given = ws.db.execute(
        "SELECT count(*) FROM verdict v JOIN author a ON a.id = v.author_id AND a.name = 'mira'"
    ).fetchone()[0]
    assert given == 3 * 4, "three answers, four criteria: kept"
    settled(ws)


def test_a_late_save_whose_screen_is_still_free_is_no_extra(tmp_path: Path) -> None:
    clock = small.Clock()
    ws = small.workspace(tmp_path, clock=clock)
    small.study(tmp_path, ws, count=1)
    (screen,) = take(ws, "mira")
    clock.now += queue.LEASE_SECONDS + 1
    take(ws, "jon", question_key="q1")
    grading.release(scope(ws, "jon"), "study", [screen.id])
    assert small.save(scope(ws, "mira"), screen, "save-mira").extra is False
    assert take(ws, "jon") == []
    settled(ws)


def test_skipped_screens_come_last_and_to_others(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    small.study(tmp_path, ws, count=3)
    (screen,) = take(ws, "mira")
    small.save(scope(ws, "mira"), screen, "skip-mira", skipped="not my field")
    others = ids(take(ws, "jon", 9))
    assert len(others) == 3 and others[-1] == screen.id
    assert screen.id not in ids(take(ws, "mira", 9))
    settled(ws)


def test_a_skipped_screen_that_is_done_after_all_counts_once(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    small.study(tmp_path, ws, count=1)
    (screen,) = take(ws, "mira")
    small.save(scope(ws, "mira"), screen, "skip-mira", skipped="not now")
    small.save(scope(ws, "mira"), screen, "save-mira")
    assert take(ws, "jon") == [], "nobody is asked for what is done"
    settled(ws)


def test_skipping_what_was_done_takes_nothing_back(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    small.study(tmp_path, ws, count=1)
    (screen,) = take(ws, "mira")
    small.save(scope(ws, "mira"), screen, "save-mira")
    small.save(scope(ws, "mira"), screen, "skip-mira", skipped="second thoughts")
    assert take(ws, "jon") == []
    assert ws.db.execute("SELECT state FROM assignment").fetchone()[0] == "done"
    settled(ws)


def test_undoing_an_amended_save_leaves_the_screen_done(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    small.study(tmp_path, ws, count=1)
    (screen,) = take(ws, "mira")
    small.save(scope(ws, "mira"), screen, "save-one1", {**small.VALUES, "completeness": 2})
    small.save(scope(ws, "mira"), screen, "save-two2", {**small.VALUES, "completeness": 5})
    grading.undo(scope(ws, "mira"), "study", "undo-one1", "save-one1")
    assert ws.db.execute(
        "SELECT state, done FROM assignment a JOIN screen s ON s.id = a.screen_id"
    ).fetchone()[:] == ("done", 1)
    grading.undo(scope(ws, "mira"), "study", "undo-two2", "save-two2")
    assert ws.db.execute(
        "SELECT state, done FROM assignment a JOIN screen s ON s.id = a.screen_id"
    ).fetchone()[:] == ("leased", 0)
    settled(ws)


def test_a_screen_that_is_given_back_is_open_again(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    small.study(tmp_path, ws, count=1)
    (screen,) = take(ws, "mira")
    grading.release(scope(ws, "mira"), "study", [screen.id])
    grading.release(scope(ws, "mira"), "study", [screen.id])  # twice is once
    assert ids(take(ws, "jon")) == [screen.id]
    settled(ws)


def test_routing_again_while_people_work_changes_no_screen_of_theirs(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    lead = small.study(tmp_path, ws, count=6)
    before = {row[0] for row in ws.db.execute("SELECT id FROM screen")}
    (mine,) = take(ws, "mira")
    route(lead, "study")
    assert {row[0] for row in ws.db.execute("SELECT id FROM screen")} == before, (
        "the partition is the same, so the screens are"
    )
    small.sample(ws, answers_per_screen=1)
    route(lead, "study")
    sizes = [
        row[0]
        for row in ws.db.execute(
            "SELECT count(*) FROM screen_subject GROUP BY screen_id ORDER BY screen_id"
        )
    ]
    assert sorted(sizes) == [1] * 15 + [3], (
        "the one that somebody holds stays as it was, the other 15 answers stand alone"
    )
    assert ids(take(ws, "mira")) == [mine.id]
    settled(ws)


def test_two_routings_at_once_draw_and_form_once(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    lead = small.study(tmp_path, ws, count=10)
    small.sample(ws, calibration=0.3)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: route(lead, "study"), range(4)))
    stands = Counter(row[0] for row in ws.db.execute("SELECT subject_id FROM screen_subject"))
    assert set(stands.values()) == {1}, "every answer stands on one screen"
    assert (
        sum(
            e.body["design"] == "calibration"
            for e in projects.events(ws, projects.get_project(ws, "study"), "draw")
        )
        == 1
    )
    settled(ws)


# -- saves that leave cells open

SOME = {"completeness": 4}


def state_of(ws: Workspace, person: str) -> tuple[str, int]:
    """A person's state on the only screen, and how many are done with it."""
    sql = "SELECT a.state, s.done FROM assignment a JOIN screen s ON s.id = a.screen_id WHERE a.person_id = ?"
    return tuple(ws.db.execute(sql, (person,)).fetchone())


def counted(ws: Workspace, person: str) -> tuple[int, int, int]:
    """Done, total and waiting as a person is told."""
    counts = grading.counts(scope(ws, person), "study")
    return counts.done, counts.total, counts.waiting


@pytest.mark.parametrize("values", [SOME, {}], ids=["some", "none"])
def test_a_screen_with_open_cells_goes_on_waiting_at_the_end(
    tmp_path: Path, values: dict[str, Any]
) -> None:
    ws = small.workspace(tmp_path)
    small.study(tmp_path, ws, count=3)
    (screen,) = take(ws, "mira")
    small.save(scope(ws, "mira"), screen, "save-one1", values, comment="hard", flagged=True)
    row = ws.db.execute("SELECT state, comment, flagged FROM assignment").fetchone()
    assert tuple(row) == ("partial", "hard", 1)
    kept = ws.db.execute(
        "SELECT count(*) FROM opinion o JOIN author a ON a.id = o.author_id AND a.name = 'mira'"
    ).fetchone()[0]
    assert kept == 3 * len(values), "what was decided is kept"
    assert screen.id not in ids(take(ws, "mira", 9)), "it is somebody else's now"
    assert counted(ws, "mira") == (1, 3, 3), "mine: one done, two left; three wait"
    grading.release(scope(ws, "mira"), "study", ids(take(ws, "mira", 9)))
    assert ids(take(ws, "jon", 9))[-1] == screen.id, "behind the others"
    settled(ws)


def test_a_cell_that_the_machine_decides_is_not_left_open(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    small.study(tmp_path, ws, count=1)
    (screen,) = take(ws, "mira")
    asked = {
        c.criterion.rsplit("/")[-1] for answer in screen.answers for c in answer.cells if c.open
    }
    small.save(scope(ws, "mira"), screen, "save-one1", {name: small.VALUES[name] for name in asked})
    assert state_of(ws, "mira") == ("done", 1)


def test_it_takes_its_place_when_all_is_decided_later(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    small.study(tmp_path, ws, count=1)
    (screen,) = take(ws, "mira")
    small.save(scope(ws, "mira"), screen, "save-one1", SOME)
    small.save(scope(ws, "mira"), screen, "save-one1", SOME)  # the same save twice
    assert state_of(ws, "mira") == ("partial", 0) and counted(ws, "jon") == (0, 1, 1)
    small.save(scope(ws, "mira"), screen, "skip-one1", skipped="after all")
    assert state_of(ws, "mira") == ("partial", 0), "what was saved is not undone by skipping it"
    rest = {name: value for name, value in small.VALUES.items() if name not in SOME}
    assert small.save(scope(ws, "mira"), screen, "save-two2", rest).extra is False
    assert state_of(ws, "mira") == ("done", 1) and counted(ws, "jon") == (0, 0, 0)
    small.save(scope(ws, "mira"), screen, "save-thr3", SOME)
    assert state_of(ws, "mira") == ("done", 1), "counted once"
    settled(ws)


def test_completed_after_a_colleague_did_it_is_extra(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    small.study(tmp_path, ws, count=1)
    (screen,) = take(ws, "mira")
    small.save(scope(ws, "mira"), screen, "save-one1", SOME)
    (other,) = take(ws, "jon")
    assert small.save(scope(ws, "jon"), other, "save-jon1").extra is False
    assert counted(ws, "mira") == (1, 1, 0)
    assert small.save(scope(ws, "mira"), screen, "save-two2").extra is True
    settled(ws)


def test_undo_of_saves_that_left_cells_open(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    small.study(tmp_path, ws, count=1)
    mira = scope(ws, "mira")
    (screen,) = take(ws, "mira")
    small.save(mira, screen, "save-one1", SOME)
    grading.undo(mira, "study", "undo-one1", "save-one1")
    assert state_of(ws, "mira") == ("leased", 0) and take(ws, "jon") == []
    small.save(mira, screen, "save-two2", SOME)
    rest = {name: value for name, value in small.VALUES.items() if name not in SOME}
    small.save(mira, screen, "save-thr3", rest)
    assert state_of(ws, "mira") == ("done", 1)
    # the later one stands, and alone leaves cells open
    grading.undo(mira, "study", "undo-two2", "save-two2")
    assert state_of(ws, "mira") == ("partial", 0)
    settled(ws)
    grading.undo(mira, "study", "undo-thr3", "save-thr3")
    assert state_of(ws, "mira") == ("leased", 0)
    settled(ws)


def test_with_overlap_each_place_waits_for_somebody_who_decides_all(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    lead = small.study(tmp_path, ws, count=1)
    small.sample(ws, overlap=2)
    route(lead, "study")
    for person, values, after in (
        ("mira", SOME, 0),
        ("jon", small.VALUES, 1),
        ("ann", small.VALUES, 2),
    ):
        (screen,) = take(ws, person)
        small.save(scope(ws, person), screen, f"save-{person}", values)
        assert state_of(ws, person)[1] == after
    assert take(ws, "bob") == [] and counted(ws, "mira") == (1, 1, 0)
    settled(ws)


def test_equal_answers_are_decided_together(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    answers = [
        {"question_id": "q1", "model": model, "text": "The same."} for model in ("Ash", "Oak")
    ]
    small.bring(
        scope(ws, "lead"),
        small.folder(tmp_path, "f", questions=small.questions(1), answers=answers),
    )
    small.sample(ws, calibration=0.0, audit=0.0, blind=0.0)
    route(scope(ws, "lead"), "study")
    (screen,) = take(ws, "mira")
    first = {c.id for c in screen.answers[0].cells}
    both = small.marks(screen, small.VALUES)
    small.save(
        scope(ws, "mira"), screen, "save-one1", verdicts=[v for v in both if v["cell"] in first]
    )
    assert state_of(ws, "mira") == ("partial", 0), "the page says it of both"
    small.save(scope(ws, "mira"), screen, "save-two2", verdicts=both)
    assert state_of(ws, "mira") == ("done", 1)


def test_a_page_that_fetches_ahead_leaves_something_to_a_colleague(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    small.study(tmp_path, ws, count=8)
    ahead = {"sent": ()}
    mira = ids(take(ws, "mira", 4, **ahead))
    assert len(mira) == 4, "half of eight"
    jon = ids(take(ws, "jon", 4, **ahead))
    assert len(jon) == 2, "half of the four that are left"
    assert take(ws, "mira", 1, have=mira, sent=mira[:1]) == [], (
        "three in hand, and two are left for others"
    )
    (more,) = take(ws, "mira", 2, have=mira, sent=mira[:3])
    assert more.id not in (*mira, *jon), "one in hand while three saves travel: the next is there"
    assert ids(take(ws, "jon", 4, **ahead)) == jon, (
        "what is on lease comes back to a page that lost it"
    )
    assert len(take(ws, "ann", 4, **ahead)) == 1
    assert take(ws, "eva", 4, **ahead) == []


def test_what_others_hold_is_told_and_leaves_my_total_as_it_is(tmp_path: Path) -> None:
    clock = small.Clock()
    ws = small.workspace(tmp_path, clock=clock)
    small.study(tmp_path, ws, count=4)
    assert counted(ws, "mira") == (0, 4, 4)
    take(ws, "jon", 2)
    assert counted(ws, "mira") == (0, 4, 4), "nothing was saved"
    clock.now += 600
    take(ws, "ann")
    (mine,) = take(ws, "mira", 9)
    small.save(scope(ws, "mira"), mine, "save-mira")
    counts = grading.counts(scope(ws, "mira"), "study")
    assert (counts.done, counts.total, counts.waiting, counts.minutes_left) == (
        1,
        4,
        3,
        0,
    )
    assert counts.held.screens == 3
    assert counts.held.back_in == pytest.approx(queue.LEASE_SECONDS - 600, abs=1), "Jon's end first"
    clock.now += queue.LEASE_SECONDS - 599
    assert len(take(ws, "mira", 9)) == 2, "they come back when the lease ends"
    assert counted(ws, "mira") == (1, 4, 3)
    assert grading.counts(scope(ws, "mira"), "study").held.screens == 1


def test_what_only_others_can_do_is_not_counted_as_mine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ws = small.workspace(tmp_path)
    lead = small.study(tmp_path, ws, count=4)
    small.sample(ws, calibration=1.0)
    for places in ("SHARED", "SHARED_AGAIN"):  # one person each
        monkeypatch.setattr(f"graders.workflows.routing.calibration.{places}", 0)
    route(lead, "study")
    skipped, half, *_ = take(ws, "mira", 2)
    small.save(scope(ws, "mira"), skipped, "skip-mira", skipped="not my field")
    small.save(scope(ws, "mira"), half, "save-half", SOME)
    where = "SELECT subject_id FROM screen_subject WHERE screen_id NOT IN (?, ?) LIMIT 1"
    with ws.write() as db:  # marks on one of its answers were seen on another page
        queue.mark_seen(
            db, ws, "mira", [row[0] for row in db.execute(where, (skipped.id, half.id))]
        )
    assert counted(ws, "mira") == (1, 2, 4), (
        "one done, one left; two are for others, and one whose marks were seen"
    )
    counts = grading.counts(scope(ws, "mira"), "study")
    assert (counts.held, counts.others) == (grading.Held(0, None), 3)
    assert len(take(ws, "mira", 9)) == 1
    assert counted(ws, "jon") == (0, 4, 4)
    assert grading.counts(scope(ws, "jon"), "study").held.screens == 1, "Mira holds one"
