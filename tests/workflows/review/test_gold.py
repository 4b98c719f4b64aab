"""Gold questions: practice before a first queue counts nowhere, checks come unseen among other
screens and are figures per person."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from graders.core.errors import InputError, NotFound
from graders.store import projects
from graders.store.opinions import lessons
from graders.workflows.adjudication import adjudicate
from graders.workflows.adjudication.adjudicate import CellQuery
from graders.workflows.agreement.agree import agreement
from graders.workflows.agreement.people import people_report
from graders.workflows.review import gold, grading, practice
from graders.workflows.review.save_replies import Explained
from graders.workflows.review.screen_records import PracticePlace
from graders.workflows.scope.permissions import Actor, Scope
from tests.commands.runner import Line
from tests.support.routed import grade, routed, save
from tests.support.studies import scope_at

N = 32


def cell_of(scope: Scope, question: str) -> int:
    sql = "SELECT c.id FROM cell c JOIN criterion k ON k.id = c.criterion_id AND k.key = 'small/relevance' JOIN question q ON q.id = c.question_id WHERE q.key = ?"
    return int(scope.ws.db.execute(sql, (question,)).fetchone()[0])


def settle(
    scope: Scope, question: str, value: str, reason: str = "It speaks of another city."
) -> int:
    cell = cell_of(scope, question)
    adjudicate.settle(
        scope,
        "study",
        cell,
        {"value": value, "reason": reason, "save_id": f"settle-{question}-1", "before": ""},
    )
    return cell


def first_come_first(scope: Scope) -> None:
    """Put drawn screens in the order of their questions."""
    scope.ws.db.execute(
        "UPDATE queue SET priority = -0.45 + 1e-6 * (SELECT s.question_id FROM screen s "
        "WHERE s.id = queue.screen_id)"
    )


def with_gold(tmp_path: Path) -> Scope:
    """Of 32 answers, all drawn, Jon and Kim graded q0 to q13: 2 are for practice (right:
    irrelevant) and 12 are checks (right: relevant)."""
    scope = routed(tmp_path, N, calibration=1.0, creative=False, repeat=0.0, gold=0.5)
    first_come_first(scope)
    for person in ("jon", "kim"):
        grade(
            scope,
            person,
            lambda criterion, question: "relevant" if criterion == "small/relevance" else 4,
            screens=14,
        )
    lead = scope_at(tmp_path, "vera")
    for i in range(14):
        gold.mark(
            lead,
            "study",
            settle(lead, f"q{i}", "irrelevant" if i < 2 else "relevant"),
            "practice" if i < 2 else "check",
        )
    return lead


def said(scope: Scope) -> list[tuple[str, int, str]]:
    sql = "SELECT o.design, o.cell_id, o.value FROM opinion o JOIN author w ON w.id = o.author_id WHERE w.name = 'mira' ORDER BY 2"
    return [tuple(row) for row in scope.ws.db.execute(sql)]


def value(criterion: str, question: str) -> Any:
    """Mira is wrong on every third check."""
    if criterion == "small/completeness":
        return 4
    return "irrelevant" if int(question[1:]) % 3 == 0 else "relevant"


def test_practice_is_explained_and_checks_are_figures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lead = with_gold(tmp_path)
    projects.add_person(lead.ws, "Mira", person_id="mira")
    mira = Scope(Actor("mira"), lead.ws)
    first, second, third = grading.next_screens(mira, "study", 3)
    assert [s.practice for s in (first, second, third)] == [
        PracticePlace(1, 2),
        PracticePlace(2, 2),
        None,
    ]
    assert (first.design, first.arm) == ("practice", "blind") and "another city" not in str(first)
    reply = save(
        mira, first, lambda criterion, question: "relevant" if criterion == "small/relevance" else 4
    )
    assert reply.explained == [
        Explained(
            criterion="Relevance",
            part="",
            said="relevant",
            right="irrelevant",
            why="It speaks of another city.",
            same=False,
        )
    ]
    assert save(mira, first, value).explained == reply.explained, (
        "a save that is sent again is explained again"
    )
    assert said(lead) == [] and grading.counts(mira, "study").done == 0
    practice.leave_out(mira, "study")
    assert all(screen.practice is None for screen in grading.next_screens(mira, "study", 3))

    grade(lead, "mira", value)
    designs = {design for design, _, _ in said(lead)}
    assert designs == {"calibration", "gold"}
    checks = [cell for design, cell, _ in said(lead) if design == "gold"]
    asked = sum(cell in {cell_of(lead, f"q{i}") for i in range(2, 14)} for cell in checks)
    assert asked >= 8 and len(checks) == 2 * asked, "about as many checks as other screens"
    (row,) = [row for row in people_report(lead, "study").people if row.person == "mira"]
    shares = [one for one in gold.listed(lead, "study").cells if one.answered]
    right = sum(one.right for one in shares)
    assert (row.gold.n_cells, row.gold.value) == (
        asked,
        pytest.approx(right / asked),
    ) and 0 < right < asked
    assert {one.right for one in shares if int(one.question_id[1:]) % 3 == 0} == {0}
    assert row.gold.status == ("OK" if asked >= 10 else "INCONCLUSIVE")
    # what a lead chose is no sample
    relevance = next(
        c for c in projects.criteria(lead.ws, lead.project("study")) if c.key == "small/relevance"
    )
    assert {
        label.design
        for label in lessons.labels(lead.ws.db, lead.project("study"), relevance)
        if label.author == "mira"
    } == {"calibration"}
    assert agreement(lead, "study").left_out.other_draws == len(checks)
    shown = Line(lead.ws.path, capsys)("gold", "list").out
    assert (
        "practice Relevance: irrelevant (It speaks of another city.)" in shown
        and "Mira: 0." in shown
    )


def test_only_what_is_settled_with_a_reason_may_be_gold(tmp_path: Path) -> None:
    routed(tmp_path, 4, calibration=1.0, creative=False, gold=0.0)
    lead = scope_at(tmp_path, "vera")
    with pytest.raises(InputError, match="no adjudicated value with a reason"):
        gold.mark(lead, "study", cell_of(lead, "q1"), "check")
    with pytest.raises(NotFound):
        gold.mark(lead, "study", 10_000, "check")
    first_come_first(lead)
    for person in ("jon", "kim"):
        grade(
            lead,
            person,
            lambda criterion, question: "relevant" if criterion == "small/relevance" else 4,
            screens=2,
        )
    cell = settle(lead, "q1", "relevant")
    gold.mark(lead, "study", cell, "practice")
    projects.add_person(lead.ws, "Ada", person_id="ada")
    given = grading.next_screens(Scope(Actor("ada"), lead.ws), "study", 3)
    assert [screen.practice for screen in given] == [PracticePlace(1, 1), None, None], (
        "no screen is a check, people practise all the same"
    )
    assert adjudicate.cell_card(lead, "study", CellQuery(cell)).settled.gold == "practice"
    taken = adjudicate.cell_card(lead, "study", CellQuery(cell)).settled.id
    adjudicate.take_back(lead, "study", cell, taken)
    assert gold.listed(lead, "study").cells == [], "a value that was taken back explains nothing"
    projects.add_person(lead.ws, "Mira", person_id="mira")
    assert all(
        screen.practice is None
        for screen in grading.next_screens(Scope(Actor("mira"), lead.ws), "study", 3)
    )
