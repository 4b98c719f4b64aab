"""Which cells may be automatic: what is proven, by which labels, and what voids it."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from pathlib import Path

import pytest

from graders.store import projects
from graders.store.answers import content
from graders.store.desk import queued_screens
from graders.store.figures import risk as risk_store
from graders.workflows.importing import stage as importing_stage
from graders.workflows.projects.task_types import map_categories
from graders.workflows.promise.kind_rows import Constant, KindRow
from graders.workflows.promise.risk import gate, risk, title
from graders.workflows.report.export import export
from graders.workflows.routing.route import route
from graders.workflows.routing.terms import draw_more, fix_terms
from graders.workflows.scope.permissions import Scope
from tests.commands.runner import Line
from tests.support.agreeing import WORDS, judged, words
from tests.support.studies import bring, scope_at

QUESTIONS = 160
FIRST = [{"id": "q0", "text": "Question 0?", "task_type": "factual"}]


def drawn_study(folder: Path, *, share: float = 0.5, creative: bool = False) -> Scope:
    """A judge has graded one answer to each question, and routing has drawn a share of the
    answers."""
    scope = scope_at(folder)
    kinds = ("factual", "creative") if creative else ("factual",)
    questions = [
        {"id": f"q{i}", "text": f"Question {i}?", "task_type": kinds[i % len(kinds)]}
        for i in range(QUESTIONS)
    ]
    answers = [
        {"question_id": f"q{i}", "model": "Ash", "text": f"Reply {i}."} for i in range(QUESTIONS)
    ]
    bring(
        scope,
        folder,
        questions=questions,
        answers=answers,
        judge=judged("north", words([1] * QUESTIONS)),
    )
    projects.set_settings(scope.ws, scope.project("study"), {"sampling": {"calibration": share}})
    route(scope, "study")
    return scope


def drawn(scope: Scope) -> list[int]:
    """Numbers of the questions whose answers were drawn."""
    project = scope.project("study")
    subjects = content.subject_ids(scope.ws.db, project)
    taken = queued_screens.screened(scope.ws.db, project, ("calibration",))
    return [place for place, subject in enumerate(subjects) if subject in taken]


def label(
    scope: Scope, folder: Path, numbers: list[int], wrong: int = 0, annotator: str = "mira"
) -> None:
    """Blind verdicts on drawn answers, the first `wrong` of them other than the judge's."""
    common = {
        "model": "Ash",
        "criterion": "small/relevance",
        "annotator": annotator,
        "design": "calibration",
        "probability": 0.5,
    }
    bring(
        scope,
        folder,
        questions=FIRST,
        human=[
            {"question_id": f"q{n}", "value": WORDS[place >= wrong], **common}
            for place, n in enumerate(numbers)
        ],
    )


def tasks_drawn(scope: Scope) -> dict[str, int]:
    """Task type -> number of its present draw."""
    return {task: found.draw for task, found in risk(scope, "study").terms.tasks.items()}


def row(scope: Scope, task: str = "factual") -> KindRow:
    return next(
        r
        for r in risk(scope, "study").rows
        if (r.criterion, r.task_type) == ("small/relevance", task)
    )


def test_the_life_of_a_proof(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scope = drawn_study(tmp_path)
    before = risk(scope, "study")
    assert {r.state for r in before.rows} == {"BY YOUR RULE"}
    assert {r.decided.automatic for r in before.rows} == {0}
    assert before.title == "Nothing is automatic, and no drawn answer was labelled yet"
    one = replace(before.rows[0], decided=replace(before.rows[0].decided, automatic=1))
    assert title([one]) == "What is automatic is so by your rule: no drawn answer was labelled yet"
    assert (before.terms.alpha, before.terms.delta, before.terms.drawn) == (
        0.1,
        0.1,
        80,
    )
    assert (row(scope).cells, row(scope).words) == (
        160,
        "No drawn answer was labelled blind.",
    )

    numbers = drawn(scope)
    label(scope, tmp_path, numbers[:60], wrong=2)
    assert (row(scope).state, row(scope).words) == (
        "UNPROVEN",
        "6 of the 30 cells of the next planned look still need a blind label: no test is made before.",
    )

    label(scope, tmp_path, numbers[60:])
    found = row(scope)
    # with 2 + 8 + 1 = 11 errors in 160 cells so few would be seen in 80 labels with a chance of 1
    # in 30
    assert (found.state, found.automatic, found.labels) == ("PROVEN", 80, 80)
    assert found.words == (
        "Among the 80 unlabelled cells that the machine may decide it differs from a person on at most 10%, sure to 90%; 2 of 80 labels differ."
    )
    assert found.upper <= 0.1
    assert ", factual (160 cells, 80 labelled): PROVEN" in Line(scope.ws.path, capsys)("risk").out

    bring(scope, tmp_path, questions=FIRST, judge=judged("south", words([1])))
    assert (row(scope).state, row(scope).words) == (
        "UNPROVEN",
        "The machine's verdicts are newer than the first label: a confidence must be fixed before labels are read.",
    )


def test_a_clock_that_was_set_back_hides_no_newer_machine(tmp_path: Path) -> None:
    scope = drawn_study(tmp_path)
    label(scope, tmp_path, drawn(scope))
    assert row(scope).state == "PROVEN"
    scope.ws.clock = lambda: time.time() - 86_400
    bring(scope, tmp_path, questions=FIRST, judge=judged("south", words([1])))
    assert row(scope).words.startswith("The machine's verdicts are newer than the first label")


def test_a_file_from_the_future_tells_its_own_order_and_sets_nobody_elses_time(
    tmp_path: Path,
) -> None:
    """Its labels were given before it came in, so what a machine says here afterwards is newer."""
    scope = drawn_study(tmp_path)
    label(scope, tmp_path, drawn(scope), wrong=2)
    here = risk(scope, "study").rows
    there = export(scope, "study", "jsonl", tmp_path / "exported")
    for table in there.glob("*.jsonl"):
        table.write_text(
            re.sub(r'"(at|created_at|saved_at)": "\d{4}', r'"\1": "2999', table.read_text())
        )
    other = scope_at(tmp_path / "other")
    report = importing_stage.stage(other, "study", there)
    importing_stage.finish(other, report.import_id)
    assert other.ws.now() < "2999"
    assert risk(other, "study").rows == here and here[0].state == "PROVEN"
    assert report.notes[-1] == (
        "240 verdicts with a time that is still to come, or that is none: they count as given when this file came in. "
        "What the file says is kept under file_created_at."
    )
    bring(other, tmp_path, questions=FIRST, judge=judged("south", words([1])))
    assert row(other).words.startswith("The machine's verdicts are newer than the first label")


def test_a_numeric_range_is_proven_within_a_tenth_and_says_so_before_anybody_labels(
    tmp_path: Path,
) -> None:
    scope = scope_at(tmp_path)
    rubric = "rubric: small\ncriteria:\n  depth: {question: How deep?, scale: {from: 0, to: 4, whole: false}, review: people}\n"
    keys = [{"question_id": f"q{i}", "model": "Ash"} for i in range(QUESTIONS)]
    questions = [
        {"id": f"q{i}", "text": f"Question {i}?", "task_type": "factual"} for i in range(QUESTIONS)
    ]
    said = [{**key, "criterion": "depth", "judge": "north", "value": 2.0} for key in keys]
    bring(
        scope,
        tmp_path,
        rubric,
        questions=questions,
        answers=[{**key, "text": "Reply."} for key in keys],
        judge=said,
    )
    projects.set_settings(scope.ws, scope.project("study"), {"sampling": {"calibration": 0.5}})
    route(scope, "study")

    def found() -> KindRow:
        (one,) = risk(scope, "study").rows
        return one

    assert found().words == (
        "Two values from 0 to 4 are hardly ever equal: before anybody labels drawn answers, fix terms that let a step pass (here 0.4)."
    )
    fix_terms(scope, "study", 0.1, 0.1, within=1)
    assert (found().state, found().words) == (
        "BY YOUR RULE",
        "No drawn answer was labelled blind.",
    )
    common = {
        "model": "Ash",
        "criterion": "depth",
        "annotator": "mira",
        "design": "calibration",
        "probability": 0.5,
    }
    people = [
        {"question_id": f"q{n}", "value": 2.5 if place < 2 else 2.4, **common}
        for place, n in enumerate(drawn(scope))
    ]
    bring(scope, tmp_path, rubric, questions=FIRST, human=people)
    assert found().state == "PROVEN" and found().constant == Constant("2.4", 0.0)
    assert found().words == (
        "Among the 80 unlabelled cells that the machine may decide it differs from a person by more than 0.4 on at most 10%, sure to 90%; "
        "2 of 80 labels differ."
    )


def test_a_machine_that_errs_is_unproven(tmp_path: Path) -> None:
    scope = drawn_study(tmp_path)
    label(scope, tmp_path, drawn(scope), wrong=24)
    found = row(scope)
    assert (found.state, found.automatic, found.missing) == ("UNPROVEN", 0, None)
    assert (
        found.words
        == "The strictest region errs in 24 of 80 labels: no number of labels will show at most 10%."
    )


def test_labels_from_before_the_draw_prove_nothing(tmp_path: Path) -> None:
    scope = scope_at(tmp_path)
    questions = [
        {"id": f"q{i}", "text": f"Question {i}?", "task_type": "factual"} for i in range(60)
    ]
    answers = [{"question_id": f"q{i}", "model": "Ash", "text": f"Reply {i}."} for i in range(60)]
    bring(
        scope,
        tmp_path,
        questions=questions,
        answers=answers,
        judge=judged("north", words([1] * 60)),
    )
    label(scope, tmp_path, list(range(30)))
    assert row(scope).words == "Labels were opened before alpha and delta were logged."
    route(scope, "study")
    assert row(scope).words == "Labels were opened before alpha and delta were logged."


@pytest.mark.parametrize(
    ("change", "factual_only"),
    [("by category", False), ("task type in a file", False), ("category in a file", True)],
)
def test_a_question_that_changes_its_kind_after_labels_were_opened_voids(
    tmp_path: Path, change: str, factual_only: bool
) -> None:
    scope = drawn_study(tmp_path, creative=True)
    project = scope.project("study")
    mover = {"id": "q2", "text": "Question 2?", "task_type": "factual", "category": "sums"}
    # nobody has labelled anything yet
    bring(scope, tmp_path, questions=[{"id": "new", "text": "New?", "category": "verse"}, mover])
    fix_terms(scope, "study", 0.2, 0.2)
    numbers = drawn(scope)
    label(scope, tmp_path, numbers)
    route(scope, "study")
    assert not [
        row(scope, t).words for t in ("factual", "creative") if row(scope, t).state != "PROVEN"
    ]
    if change == "by category":
        map_categories(scope, "study", {"verse": "factual"})
        assert (
            row(scope).words == "After labels were opened 1 question changed task type or category."
        )
        assert row(scope, "creative").state == "PROVEN"  # it was of no task type before
    else:
        bring(
            scope,
            tmp_path,
            questions=[
                {**mover, "task_type": "creative"}
                if change.startswith("task")
                else {**mover, "category": "odds"}
            ],
        )
        assert (
            row(scope).words == "After labels were opened 1 question changed task type or category."
        )
        assert (row(scope, "creative").state == "PROVEN") is factual_only
    void = projects.events(scope.ws, project, "rulings", limit=1)[0].body["void"]
    assert "small/relevance, factual" in void
    draw_more(scope, "study", 60, consent=True)
    assert tasks_drawn(scope)["factual"] == 2  # under the same terms, and yet fresh labels alone
    label(scope, tmp_path, [n for n in drawn(scope) if n not in numbers])
    assert row(scope).state == "PROVEN", row(scope)


def test_people_who_differ_say_what_another_person_would(tmp_path: Path) -> None:
    scope = drawn_study(tmp_path)
    numbers = drawn(scope)
    label(scope, tmp_path, numbers)
    label(scope, tmp_path, numbers[:20], wrong=2, annotator="noor")
    found = row(scope)
    # two cells where people differ confirm nothing: 2 errors; 18 of 20 pairs agree
    assert (found.state, found.people) == ("PROVEN", 0.9)
    assert found.words.endswith("2 of 80 labels differ. Another person would differ on 10%.")
    # of 40 cells two people differ on 6: with 6 errors in 80 labels more of them would help a
    # machine, but not where people are no surer
    label(scope, tmp_path, numbers[:40], wrong=6, annotator="noor")
    found = row(scope)
    assert (found.state, found.people, found.missing) == ("UNPROVEN", 0.85, None)
    assert (
        found.words
        == "Two people differ on 15% of such cells themselves: no number of labels will show at most 10%."
    )
    assert gate([found]) == 4


def test_each_task_type_has_its_own_walk(tmp_path: Path) -> None:
    scope = drawn_study(tmp_path, creative=True)
    numbers = drawn(scope)
    creative = [n for n in numbers if n % 2]
    label(scope, tmp_path, creative + [n for n in numbers if not n % 2], wrong=len(creative))
    # looks at 30 and at 80 labels share delta by their squares, task types halve it:
    # .1 x 6,400 / 7,300 / 2 asks for 63 labels in the first region
    assert row(scope, "creative").state == "UNPROVEN"
    few = row(scope)
    assert (few.state, few.words) == (
        "UNPROVEN",
        f"{few.labels} labels are too few to begin: a first region needs 63 inside.",
    )
    assert few.missing == 210 - few.labels  # 63 / .3, less those that are there


def test_without_a_draw_nothing_is_logged(tmp_path: Path) -> None:
    scope = scope_at(tmp_path)
    bring(
        scope,
        tmp_path,
        questions=[{"id": "q0", "text": "?"}],
        answers=[{"question_id": "q0", "model": "Ash", "text": "Hm."}],
    )
    found = risk(scope, "study")
    assert found.terms is None and {r.state for r in found.rows} <= {"BY YOUR RULE"}
    criterion = projects.criteria(scope.ws, scope.project("study"))[0]
    assert risk_store.machine_changed(scope.ws.db, criterion) == ""
