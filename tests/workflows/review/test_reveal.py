"""Reveals: nothing before a batch is full, what a reveal changes afterwards, and what Agreement
counts then."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graders.core.errors import InputError, NotAllowed
from graders.core.shapes import writable
from graders.store import projects
from graders.store.desk import queue
from graders.store.workspace import Workspace
from graders.workflows.agreement.agree import agreement
from graders.workflows.home import frame as page_frame
from graders.workflows.home import overview
from graders.workflows.projects import settings as projects_settings
from graders.workflows.review import desk, grading, reveal
from graders.workflows.scope.permissions import Actor, Scope
from tests.store import small
from tests.workflows.review.test_grading import (
    MARKER,
    NUMBER,
    at,
    cells_of,
    made,
    say,
    speak,
    stored,
    take,
)

JUDGE = f"{MARKER}-north"


def switched_on(tmp_path: Path, batch: int, **shares: Any) -> Workspace:
    """A project of blind screens with a reveal after each `batch` of them."""
    ws = made(tmp_path, **{"blind": 1.0, **shares})
    projects_settings.change_settings(
        at(ws, "lead"), "study", {"reveal": True, "reveal_batch": batch}
    )
    return ws


def grade(ws: Workspace, person: str, count: int, **values: Any) -> list[dict[str, Any]]:
    """Take and save `count` screens."""
    given = take(ws, person, count)
    for screen in given:
        small.save(at(ws, person), screen, f"save-{person}-{screen.id}", values or small.VALUES)
    return given


def to_go(ws: Workspace, person: str) -> int | None:
    found: int | None = grading.counts(at(ws, person), "study").to_reveal
    return found


def opinions(ws: Workspace, person: str, criterion: str) -> list[tuple[Any, ...]]:
    """(value that stands, number that agreement counts, blind) by cell."""
    sql = (
        "SELECT o.value, o.number, o.blind FROM opinion o JOIN author a ON a.id = o.author_id AND a.name = ? "
        "JOIN criterion c ON c.id = o.criterion_id AND c.key = ? ORDER BY o.cell_id"
    )
    return [tuple(row) for row in ws.db.execute(sql, (person, criterion))]


# -- when


def test_it_is_off_unless_a_lead_switches_it_on(tmp_path: Path) -> None:
    ws = made(tmp_path, blind=1.0)
    speak(ws)
    grade(ws, "mira", 9)
    found = projects_settings.settings(at(ws, "lead"), "study").settings
    assert (found["reveal"], found["reveal_batch"], to_go(ws, "mira")) == (False, 10, None)
    with pytest.raises(
        NotAllowed,
        match=r"^reveal: found a project whose lead left it off, expected blind screens to stay blind\.$",
    ):
        reveal.open_batch(at(ws, "mira"), "study")
    with pytest.raises(NotAllowed):
        projects_settings.change_settings(
            Scope(Actor("mira", role="annotator"), ws), "study", {"reveal": True}
        )


def test_nothing_is_sent_before_the_batch_is_saved(tmp_path: Path) -> None:
    ws = switched_on(tmp_path, batch=3, overlap=2)
    speak(ws)
    sent = [grade(ws, "mira", 1)]
    assert to_go(ws, "mira") == 2
    sent.append(grade(ws, "mira", 1))
    sent.append(take(ws, "mira", 1))  # held, not saved
    with pytest.raises(
        InputError,
        match=r"^reveal: found 2 since the last one, expected 3 saved blind screens\. Save the others first\.$",
    ):
        reveal.open_batch(at(ws, "mira"), "study")
    assert MARKER not in json.dumps(sent, default=writable) and str(NUMBER)[1:] not in json.dumps(
        sent, default=writable
    )
    assert to_go(ws, "mira") == 1
    assert ws.db.execute("SELECT count(*) FROM seen WHERE person_id = 'mira'").fetchone()[0] == 0


def test_a_batch_holds_the_judges_of_graded_cells_and_nothing_else(tmp_path: Path) -> None:
    ws = switched_on(tmp_path, batch=2, overlap=2)
    speak(ws)
    given = grade(ws, "mira", 2, completeness=4, relevance="relevant")
    batch = reveal.open_batch(at(ws, "mira"), "study")
    assert [screen.id for screen in batch] == [screen.id for screen in given]
    cells = [cell for screen in batch for cell in cells_of(screen)]
    # Two criteria of 2 x 3 answers were graded; two judges spoke on completeness, a rule alone on
    # relevance.
    assert len(cells) == 12 and {cell.mine.value for cell in cells} == {4, "relevant"}
    said = {(cell.criterion, j.name.split("-")[1], j.value) for cell in cells for j in cell.judges}
    assert said == {("small/completeness", "north", 5), ("small/completeness", "south", 1)}
    text = json.dumps(batch, default=writable)
    assert JUDGE in text
    for sign in (
        "-length",
        "-count",
        "_fault",
        "_added",
        "_f1",
        "-colleague",
        " why",
        " says",
        " quote",
        " comment",
    ):
        assert MARKER + sign not in text
    assert str(NUMBER)[1:] not in text
    others = take(ws, "mira", 9)
    assert MARKER not in json.dumps(others, default=writable), (
        "screens that are still to be graded stay blind"
    )


def test_a_batch_stays_open_until_the_person_goes_on(tmp_path: Path) -> None:
    ws = switched_on(tmp_path, batch=2)
    first = {screen.id for screen in grade(ws, "mira", 2)}
    mira = at(ws, "mira")
    for _ in range(2):  # a reload shows it again
        assert {screen.id for screen in reveal.open_batch(mira, "study")} == first
    assert to_go(ws, "mira") == 0
    for _ in range(2):
        reveal.close_batch(mira, "study")
    assert to_go(ws, "mira") == 2
    second = {screen.id for screen in grade(ws, "mira", 2)}
    assert {screen.id for screen in reveal.open_batch(mira, "study")} == second
    assert ws.db.execute("SELECT count(*) FROM event WHERE kind = 'reveal'").fetchone()[0] == 2


# -- what it changes


def test_what_is_given_blind_later_is_marked_and_not_blind_any_more(tmp_path: Path) -> None:
    ws = switched_on(tmp_path, batch=2, overlap=2)
    grade(ws, "mira", 2)
    reveal.open_batch(at(ws, "mira"), "study")
    reveal.close_batch(at(ws, "mira"), "study")
    grade(ws, "mira", 1)
    grade(ws, "jon", 1)
    rows = {
        person: [
            (row["provenance"]["arm"], row["provenance"]["after_reveal"])
            for row in stored(ws, person)
        ]
        for person in ("mira", "jon")
    }
    # Nine verdicts a screen (brevity is measured): two screens before the reveal, one after;
    # nothing was ever revealed to Jon.
    assert rows == {
        "mira": [("blind", False)] * 18 + [("blind", True)] * 9,
        "jon": [("blind", False)] * 9,
    }
    # 2 screens x 3 answers
    assert [blind for _, _, blind in opinions(ws, "mira", "small/completeness")].count(1) == 6


def test_switching_it_off_again_does_not_make_later_verdicts_blind(tmp_path: Path) -> None:
    ws = switched_on(tmp_path, batch=1)
    grade(ws, "mira", 1)
    reveal.open_batch(at(ws, "mira"), "study")
    projects_settings.change_settings(at(ws, "lead"), "study", {"reveal": False})
    grade(ws, "mira", 1)
    assert stored(ws, "mira")[-1]["provenance"]["after_reveal"] is True


def test_an_amendment_is_a_second_verdict_and_agreement_counts_the_first(tmp_path: Path) -> None:
    ws = switched_on(tmp_path, batch=4)
    say(ws, "judge", JUDGE, "small/completeness", 5)
    grade(ws, "mira", 4, completeness=2)
    before = agreement(at(ws, "lead"), "study", intervals=False).criteria
    (screen, *_) = reveal.open_batch(at(ws, "mira"), "study")
    amended = [{"cell": cells_of(screen)[0].id, "value": 5, "action": "typed"}]
    body = {
        "save_id": "amend-one1",
        "screen": screen.id,
        "verdicts": amended,
        "after_reveal": True,
        "after": screen.saved.save_id,
    }
    grading.save(at(ws, "mira"), "study", body)
    first, second = [row for row in stored(ws, "mira") if row["cell_id"] == amended[0]["cell"]]
    assert (first["value"], first["kind"], second["value"], second["kind"], second["amends"]) == (
        "2",
        "given",
        "5",
        "amends",
        first["uid"],
    )
    assert (
        second["provenance"]["arm"],
        second["provenance"]["after_reveal"],
        second["provenance"]["judges_seen"],
    ) == (
        "assisted",
        True,
        [JUDGE],
    )
    found = ws.db.execute(
        "SELECT final, final_source FROM cell WHERE id = ?", (amended[0]["cell"],)
    ).fetchone()
    assert tuple(found) == ("5", "people"), "the amendment is what stands"
    assert sorted(opinions(ws, "mira", "small/completeness")) == sorted(
        [("5", 2.0, 1), *[("2", 2.0, 1)] * 11]
    ), "4 screens x 3 answers"
    assert agreement(at(ws, "lead"), "study", intervals=False).criteria == before != []
    assert small.opinions(ws) == small.standing(ws) and small.tallied(ws) == small.recount(ws)
    grading.undo(at(ws, "mira"), "study", "undo-one1", "amend-one1")
    assert set(opinions(ws, "mira", "small/completeness")) == {("2", 2.0, 1)}
    assert small.opinions(ws) == small.standing(ws) and small.tallied(ws) == small.recount(ws)


def test_the_mark_survives_a_file(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    human = [
        small.human(
            "q1", "Ash", "small/completeness", "p1", 3, arm="blind", design="calibration", **more
        )
        for more in ({}, {"after_reveal": True, "part": "late"})
    ]
    files = small.folder(
        tmp_path, "f", questions=small.questions(1), answers=small.answers(1, ["Ash"]), human=human
    )
    small.bring(at(ws, "lead"), files)
    found = ws.db.execute(
        "SELECT c.part, o.blind FROM opinion o JOIN cell c ON c.id = o.cell_id ORDER BY c.part"
    )
    assert [tuple(row) for row in found] == [("", 1), ("late", 0)]


# -- the same number everywhere


def test_all_pages_tell_the_same_number_of_waiting_screens(tmp_path: Path) -> None:
    ws = made(tmp_path, count=6)
    mira, jon = at(ws, "mira"), at(ws, "jon")

    def told() -> set[int]:
        counts = grading.counts(mira, "study")
        card = next(c for c in overview.all_projects(mira).projects if c.name == "study")
        frame = page_frame.frame(mira, "study").waiting
        return {
            counts.waiting,
            card.screens,
            frame,
            desk.open_desk(jon, "study").counts.waiting,
        }

    assert told() == {6}
    held = take(ws, "mira", 3)
    take(ws, "jon", 2)
    assert told() == {6}, "who holds a screen has not done it yet"
    small.save(mira, held[0], "save-one1")
    assert told() == {5}
    small.save(mira, held[1], "skip-one1", skipped="not my field")
    assert told() == {5}, "a skipped screen still needs somebody"
    grading.release(mira, "study", [held[2].id])
    assert told() == {5}


def test_a_screen_for_two_people_waits_for_the_second(tmp_path: Path) -> None:
    ws = made(tmp_path, count=2, overlap=2)
    project = projects.get_project(ws, "study")
    grade(ws, "mira", 2)
    mira, jon = (grading.counts(at(ws, person), "study") for person in ("mira", "jon"))
    assert queue.open_screens(ws.db, project) == mira.waiting == jon.waiting == 2
    # Mira has nothing left to do
    assert (mira.done, mira.total, jon.done, jon.total) == (
        2,
        2,
        0,
        2,
    )
