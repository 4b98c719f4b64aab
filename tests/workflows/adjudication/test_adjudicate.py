"""Adjudication: what is listed, what an adjudicated verdict changes and leaves, what counts as
blind, what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graders.core.errors import CogradeError, Conflict, InputError, NotAllowed, NotFound
from graders.core.rubric import read_rubric
from graders.store import projects
from graders.store.copies import copy_workspace
from graders.store.opinions import lessons, stored_verdicts
from graders.store.opinions.filters import EVERYTHING
from graders.store.workspace import open_workspace
from graders.workflows.adjudication.adjudicate import (
    CellQuery,
    Settled,
    cell_card,
    settle,
    take_back,
)
from graders.workflows.adjudication.card import FinalOnCard
from graders.workflows.adjudication.cell_list import Show, cells_to_settle
from graders.workflows.agreement import agree
from graders.workflows.agreement.work_left import progress
from graders.workflows.opinions import standings
from graders.workflows.opinions.participants import circle_of
from graders.workflows.results import answer as results_answer
from graders.workflows.review import my_work
from graders.workflows.review.my_work import SettledOtherwise
from graders.workflows.scope.permissions import Actor, Nameless, Scope
from tests.store import small
from tests.support.studies import RUBRIC, bring, given, scope_at

WITH_SHARE = (
    RUBRIC
    + "  share: {question: How much?, scale: {from: 0, to: 1, whole: false}, review: people}\n"
)
#: Mira, Jonas and Lena on what Ash said: (question, criterion, their values; None: not applicable,
#: ... left out)
SAID: list[tuple[str, str, list[Any]]] = [
    ("q1", "completeness", [2, 3, 5]),  # wide, the median stands
    ("q2", "completeness", [2, 3]),  # a tie
    ("q3", "completeness", [4, 4, 4]),
    ("q1", "relevance", ["relevant", None]),
    ("q1", "tone", ["warm", "dry", "dry"]),
    ("q2", "share", [0.5, 0.58]),  # within a tenth of the scale
    ("q3", "share", [0.2, 0.58]),
]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Scope:
    """A study in which people differ on five cells; a judge graded completeness; Vera is called
    in."""
    tmp_path = tmp_path_factory.mktemp("begun")
    scope = scope_at(tmp_path, "vera")
    human = [
        given(
            q,
            "Ash",
            criterion,
            name,
            value,
            **({"status": "unscored", "reason": "not_applicable"} if value is None else {}),
        )
        for q, criterion, values in SAID
        for name, value in zip(("mira", "jonas", "lena"), values, strict=False)
    ]
    judge = [
        {
            "question_id": q,
            "model": "Ash",
            "criterion": "small/completeness",
            "judge": "north",
            "value": 1,
            "rationale": "JUDGED so",
        }
        for q in ("q1", "q2", "q3")
    ]
    rows = small.questions(3), small.answers(3, ["Ash", "Oak"])
    people = [{"id": name, "name": name.title()} for name in ("mira", "jonas", "lena")]
    bring(
        scope,
        tmp_path,
        WITH_SHARE,
        questions=rows[0],
        answers=rows[1],
        human=human,
        judge=judge,
        people=people,
    )
    return scope


@pytest.fixture
def room(begun: Scope, tmp_path: Path) -> Scope:
    """A copy of it."""
    copy_workspace(begun.ws, tmp_path / "copy.db")
    return Scope(begun.actor, open_workspace(tmp_path / "copy.db", small.Clock(4_000_000_000.0)))


def of(scope: Scope, question: str, criterion: str) -> int:
    """The cell of Ash's answer to a question."""
    sql = (
        "SELECT c.id FROM cell c JOIN criterion k ON k.id = c.criterion_id JOIN question q ON q.id = c.question_id JOIN subject s ON s.id = c.subject_id "
        "JOIN answer a ON a.id = s.answer_id WHERE q.key = ? AND k.key = ? AND a.model = 'Ash'"
    )
    return int(scope.ws.db.execute(sql, (question, f"small/{criterion}")).fetchone()[0])


def test_people_of_one_name_are_told_apart(room: Scope) -> None:
    projects.rename_person(room.ws, "jonas", "Mira")
    cell = of(room, "q1", "completeness")
    assert [person.name for person in cell_card(room, "study", CellQuery(cell)).people] == [
        "Mira (mira)",
        "Mira (jonas)",
        "Lena",
    ]


def decide(
    scope: Scope, cell: int, value: Any, save_id: str = "save-0001", **more: Any
) -> dict[str, Any]:
    return settle(
        scope,
        "study",
        cell,
        {
            "value": value,
            "reason": "Two of three verses.",
            "save_id": save_id,
            "before": "",
            **more,
        },
    )


def listed(scope: Scope, **more: Any) -> list[tuple[str, str, list[str], bool]]:
    return [
        (r.question_id, r.title, r.values, r.tied)
        for r in cells_to_settle(scope, "study", **more).rows
    ]


def test_cells_on_which_people_differ_widest_first(room: Scope) -> None:
    assert listed(room) == [
        # labels without order, and a value against n/a, are as far apart as can be; ties stand
        # before what a majority decides
        ("q1", "Relevance", ["relevant", "not applicable"], True),
        ("q1", "Tone", ["warm", "dry", "dry"], False),
        ("q1", "Completeness", ["2", "3", "5"], False),  # 3 / 4
        ("q3", "Share", ["0.2", "0.58"], False),  # .38 / 1
        ("q2", "Completeness", ["2", "3"], True),  # 1 / 4
    ]
    found = cells_to_settle(room, "study", criterion_key="small/completeness")
    assert (found.title, found.total) == ("People differ on 5 cells.", 2)
    assert {c.key: (c.left, c.settled) for c in found.criteria}["small/completeness"] == (2, 0)


def test_an_adjudicated_verdict_is_final_names_its_adjudicator_and_leaves_the_others(
    room: Scope,
) -> None:
    cell = of(room, "q2", "completeness")
    before = stored_verdicts.verdicts_of(room.ws.db, [cell], latest=False)[cell]
    made = decide(room, cell, "2", seconds=12.5)
    said = stored_verdicts.verdicts_of(room.ws.db, [cell], latest=False)[cell]
    assert made.stored and said[: len(before)] == before and len(said) == len(before) + 1
    last = said[-1]
    assert (last.id, last.author, last.mark.value, last.mark.rationale) == (
        made.verdict,
        "adjudicated",
        2,
        "Two of three verses.",
    )
    people = [v.id for v in before if v.author_kind == "person"]
    assert (
        last.metadata["adjudicator"] == "vera"
        and sorted(last.metadata["settles"]) == sorted(people)
        and len(people) == 2
    )
    origin = last.provenance
    assert (origin["arm"], origin["design"], origin["seconds"], origin["judges_seen"]) == (
        "blind",
        "adjudication",
        12.5,
        [],
    )
    drawer = results_answer.answer(room, "study", "q2", "Ash")
    row = next(c for c in drawer.cells if c.cell == cell)
    assert (row.value, row.source) == (2, "adjudicated")
    assert "adjudicated by Vera" in [v.author for v in row.verdicts]
    assert small.tallied(room.ws) == small.recount(room.ws)
    [done] = cells_to_settle(room, "study", "settled").rows
    assert (done.settled.by, done.settled.said, done.settled.reason) == (
        "Vera",
        "2",
        "Two of three verses.",
    )
    assert cells_to_settle(room, "study").title == "People differ on 4 cells; 1 is settled."
    # the same save again changes nothing
    assert decide(room, cell, "2") == Settled(False, made.verdict)


def test_who_was_overruled_reads_why(room: Scope) -> None:
    decide(room, of(room, "q2", "completeness"), 2)
    mine = my_work.my_work(Scope(Actor("jonas"), room.ws), "study").rows
    assert [row.adjudicated for row in mine if row.adjudicated] == [
        SettledOtherwise(2, "Two of three verses.")
    ]


def test_taking_back_and_deciding_anew(room: Scope) -> None:
    cell = of(room, "q1", "completeness")
    first = decide(room, cell, 5).verdict
    second = decide(room, cell, None, "save-0002", before=first).verdict
    card = cell_card(room, "study", CellQuery(cell))
    assert (card.final.source, card.final.reason, card.settled.word) == (
        "closed",
        "not applicable (adjudicated)",
        "not applicable",
    )
    take_back(room, "study", cell, second)
    assert cell_card(room, "study", CellQuery(cell)).settled.value == 5
    take_back(room, "study", cell, first)
    card = cell_card(room, "study", CellQuery(cell))
    # the median again
    assert card.settled is None and card.final == FinalOnCard(3, "people", "3 people")
    # people and judge; two given, two taken back
    assert len(stored_verdicts.verdicts_of(room.ws.db, [cell], latest=False)[cell]) == 4 + 4
    with pytest.raises(NotFound, match="found no adjudicated verdict"):
        take_back(room, "study", cell, first)


def test_judges_are_sent_only_when_asked_for_and_looking_is_noted(room: Scope) -> None:
    cell = of(room, "q1", "completeness")
    card = cell_card(room, "study", CellQuery(cell))
    assert (
        (card.machines, card.judges) == (1, [])
        and "JUDGED" not in str(card)
        and "north" not in str(card)
    )
    assert [j.rationale for j in cell_card(room, "study", CellQuery(cell), judges=True).judges] == [
        "JUDGED so"
    ]
    decide(room, cell, 2)
    origin = stored_verdicts.verdicts_of(room.ws.db, [cell])[cell][-1].provenance
    assert (origin["arm"], origin["judges_seen"]) == ("assisted", ["north"])


def test_marks_seen_elsewhere_make_it_assisted_but_this_page_does_not(room: Scope) -> None:
    at, share = of(room, "q3", "share"), of(room, "q3", "completeness")
    assert (
        not cell_card(room, "study", CellQuery(at)).seen_before
        and not cell_card(room, "study", CellQuery(share)).seen_before
    )
    results_answer.answer(room, "study", "q3", "Ash")  # the drawer shows the judge
    decide(room, at, 0.3)
    assert stored_verdicts.verdicts_of(room.ws.db, [at])[at][-1].provenance["arm"] == "assisted"


def test_judges_do_not_vote_and_chosen_cells_are_no_sample(room: Scope) -> None:
    cell = of(room, "q2", "completeness")
    # 2 and 3; the judge's 1 does not decide
    assert cell_card(room, "study", CellQuery(cell)).final.reason == "people differ"
    decide(room, cell, 2)
    project = projects.get_project(room.ws, "study")
    row = next(c for c in projects.criteria(room.ws, project) if c.key == "small/completeness")
    label = next(
        one for one in lessons.labels(room.ws.db, project, row) if one.author == "adjudicated"
    )
    assert (label.number, label.design) == (2.0, "adjudication")
    # On the leaderboard it stands in place of their mean, 2.5, because they were drawn; nobody was
    # drawn for it.
    labels, _ = standings._labels(
        room,
        row,
        circle_of(room, project),
        np.array(sorted([cell, of(room, "q1", "completeness")])),
        EVERYTHING,
    )
    # 2 and (2 + 3 + 5) / 3 of 1 to 5, on 0 to 1
    assert sorted(labels.y) == pytest.approx([1 / 4, (10 / 3 - 1) / 4])
    assert list(labels.pi) == [1, 1]


def test_its_minutes_are_told_and_all_verdicts_say_that_its_cells_are_chosen(room: Scope) -> None:
    decide(room, of(room, "q2", "completeness"), 2, seconds=90)
    minutes = {row.kind: row.minutes for row in progress(room, "study").minutes if row.minutes}
    assert minutes == {"adjudication": 1.5}
    chosen = "1 adjudicated value is of cells that were chosen because people differ: figures against them speak for such cells alone."
    assert agree.agreement(room, "study", blind_only=False).subtitle.endswith(chosen)
    assert "adjudicated" not in agree.agreement(room, "study").subtitle


@pytest.mark.parametrize(
    ("body", "error", "says"),
    [
        ({"value": 9}, InputError, "verdict on Completeness"),
        ({"reason": "  "}, InputError, "reason: found nothing, expected why this value is right"),
        ({"save_id": "x"}, InputError, "save_id"),
        ({"before": "another"}, Conflict, "settled or taken back meanwhile"),
    ],
)
def test_what_is_refused_changes_nothing(
    room: Scope, body: dict[str, Any], error: type[CogradeError], says: str
) -> None:
    cell = of(room, "q2", "completeness")
    with pytest.raises(error, match=says):
        decide(room, cell, **{"value": 2, **body})
    assert cell_card(room, "study", CellQuery(cell)).settled is None


def test_nobody_without_a_name_and_no_annotator_settles(room: Scope) -> None:
    cell = of(room, "q2", "completeness")
    with pytest.raises(Nameless):
        decide(Scope(Actor(), room.ws), cell, 2)
    with pytest.raises(NotAllowed):
        decide(Scope(Actor("mira", role="annotator"), room.ws), cell, 2)
    with pytest.raises(NotFound, match="cell 999999: found no such cell"):
        cell_card(room, "study", CellQuery(999999))


def test_one_person_cannot_differ_and_a_changed_wording_starts_anew(
    tmp_path: Path, room: Scope
) -> None:
    (tmp_path / "alone").mkdir()
    alone = scope_at(tmp_path / "alone")
    bring(
        alone,
        tmp_path / "alone",
        questions=small.questions(1),
        answers=small.answers(1, ["Ash"]),
        human=[given("q1", "Ash", "tone", "mira", "dry")],
    )
    assert (
        cells_to_settle(alone, "study").title == "One annotator so far; a disagreement needs two."
    )
    cell = of(room, "q2", "completeness")
    decide(room, cell, 2)
    changed = read_rubric(WITH_SHARE.replace("Is all there?", "Is everything there?"))
    projects.save_rubric(room.ws, projects.get_project(room.ws, "study"), changed)
    card = cell_card(room, "study", CellQuery(cell))
    assert [p.stale for p in card.people] == [True, True] and card.settled.stale
    assert not [r for r in listed(room) if r[1] == "Completeness"] and tuple(Show) == (
        "left",
        "settled",
    )


def test_a_subject_and_a_criterion_lead_to_the_very_cell(room: Scope) -> None:
    cell = of(room, "q1", "tone")
    subject = cell_card(room, "study", CellQuery(cell)).subject
    assert cell_card(room, "study", CellQuery(subject=subject, criterion="small/tone")).cell == cell
    # without a criterion: the answer's first cell on which people differ
    assert cell_card(room, "study", CellQuery(subject=subject)).cell == of(room, "q1", "relevance")
    other = cell_card(room, "study", CellQuery(of(room, "q3", "share")))
    assert cell_card(room, "study", CellQuery(subject=other.subject)).cell == other.cell
    with pytest.raises(NotFound, match="criterion 'small/none'"):
        cell_card(room, "study", CellQuery(subject=subject, criterion="small/none"))
