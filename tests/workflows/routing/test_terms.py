"""Terms are fixed before labels are opened; further draws are random, and after a test only fresh
labels count."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from graders.core.errors import Conflict, InputError
from graders.store import projects
from graders.store.desk import queue
from graders.workflows.promise.kind_rows import TaskTerms
from graders.workflows.promise.promise_tests import NewTerms
from graders.workflows.promise.risk import risk
from graders.workflows.review import grading
from graders.workflows.routing.page import routing
from graders.workflows.routing.terms import draw_more, fix_terms
from graders.workflows.scope.permissions import Scope
from tests.commands.runner import Line
from tests.store import small
from tests.support.agreeing import judged, words
from tests.support.studies import bring
from tests.workflows.promise.test_risk import FIRST, drawn, drawn_study, label, row

#: What is said of a second draw that waits for its labels.
BEGUN = "answers drawn under these terms (draw 2) was labelled blind yet:"


def tasks(scope: Scope) -> dict[str, TaskTerms]:
    return dict(risk(scope, "study").terms.tasks)


def chances(scope: Scope) -> set[float]:
    return {
        round(r[0], 6)
        for r in scope.ws.db.execute("SELECT probability FROM screen WHERE design = 'calibration'")
    }


def test_terms_change_until_the_first_label_and_never_after(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scope = drawn_study(tmp_path)
    fix_terms(scope, "study", 0.05, 0.2)
    assert {(t.alpha, t.delta, t.draw) for t in tasks(scope).values()} == {(0.05, 0.2, 1)}
    label(scope, tmp_path, drawn(scope)[:1])
    with pytest.raises(Conflict) as refused:
        fix_terms(scope, "study", 0.3, 0.1, task_type="factual")
    assert str(refused.value).startswith(
        "terms: found labels that were opened on 2"
    ) and "Draw further answers" in str(refused.value)
    cograde = Line(scope.ws.path, capsys)
    said = cograde.bare(
        "promise", "terms", "--alpha", "0.3", "--task-type", "factual", "--workspace", scope.ws.path
    )
    assert said.code == 1 and "expected drawn answers without a label" in said.err
    assert cograde("risk", "--json").json["terms"]["tasks"]["factual"]["alpha"] == 0.05
    for statement in (
        "UPDATE event SET body = '{}'",
        "DELETE FROM event WHERE kind = 'terms'",
        "DELETE FROM event WHERE kind = 'draw'",
    ):
        with pytest.raises(sqlite3.IntegrityError, match="never"):
            scope.ws.db.execute(statement)


@pytest.mark.parametrize(
    ("alpha", "delta", "within", "said"),
    [
        (0.0, 0.1, 0, "alpha, the share that may differ: found 0, expected a share from 0.005 to 0.5. None at all cannot be promised from a sample."),
        (0.1, 1.0, 0, "delta, the chance that the promise fails: found 1, expected a share from 0.005 to 0.5."),
        (float("nan"), 0.1, 0, "alpha, the share that may differ: found nan, expected a share from 0.005 to 0.5."),
        (0.1, 0.1, 9, "steps that do not count: found 9, expected a whole number from 0 to 3."),
    ],
)  # fmt: skip
def test_terms_that_promise_nothing_are_refused(
    tmp_path: Path, alpha: float, delta: float, within: int, said: str
) -> None:
    with pytest.raises(InputError) as refused:
        fix_terms(drawn_study(tmp_path), "study", alpha, delta, within)
    assert str(refused.value) == said


def test_a_further_draw_before_labels_joins_the_first(tmp_path: Path) -> None:
    scope = drawn_study(tmp_path)
    found = draw_more(scope, "study", 20, task_type="factual", consent=True)
    assert (found.answers, found.tasks["factual"].draw, len(drawn(scope))) == (20, 1, 100)
    # 80 and 20 of 160 answers, drawn before anybody looked, are one sample
    assert chances(scope) == {100 / 160}
    numbers = drawn(scope)
    label(scope, tmp_path, numbers, wrong=2)
    proven = row(scope)
    assert (proven.state, proven.labels, proven.automatic) == ("PROVEN", 100, 60)


def test_an_answer_that_is_drawn_later_leaves_the_screens_with_suggestions(tmp_path: Path) -> None:
    scope = small.study(tmp_path, small.workspace(tmp_path))
    draw_more(scope, "study", 5, task_type="factual")
    screens = grading.next_screens(small.scope_of(scope.ws, "mira"), "study", 30)
    by_arm: dict[str, list[int]] = {}
    for screen in screens:
        by_arm.setdefault(screen.arm, []).extend(answer.id for answer in screen.answers)
    assert len(by_arm["blind"]) == 5 and len(by_arm["assisted"]) == 7
    assert len({*by_arm["blind"], *by_arm["assisted"]}) == 12, "each stands on one screen"


def test_after_a_failed_test_fresh_labels_alone_are_tested(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scope = drawn_study(tmp_path, share=0.4)
    first = drawn(scope)
    label(scope, tmp_path, first, wrong=5)
    failed = row(scope)
    # 5 of 64 is .078: too close to .1 for 64 labels
    assert (failed.state, failed.tested) == ("UNPROVEN", True)
    cograde = Line(scope.ws.path, capsys)
    assert cograde("risk").code == 5
    draw = ("promise", "draw", "--answers", 60, "--workspace", scope.ws.path)
    refused = cograde.bare(*draw)
    assert refused.code == 1
    assert refused.err == (
        "calibration sample: found 78% of all answers, expected at most 50% without the lead's "
        "consent. Drawn answers get no suggestion. Agree on the page, or with --yes.\n"
    )
    said = cograde.bare(*draw, "--yes")
    assert (
        said.code == 0
        and "60 of 96 factual answers drawn (draw 2).\nThe draw begins a new test: earlier labels stay, and"
        in said.out
    )
    fresh = [n for n in drawn(scope) if n not in first]
    waiting = row(scope)
    assert (waiting.state, waiting.labels, waiting.words) == (
        "BY YOUR RULE",
        0,
        f"None of 60 {BEGUN} earlier labels are in no test of it.",
    )
    found = risk(scope, "study")
    assert (
        found.title
        == "Nothing is automatic, and no answer drawn under these terms was labelled yet"
    )
    assert (found.terms.drawn, found.terms.earlier) == (60, 64)
    label(scope, tmp_path, fresh)
    proven = row(scope)
    # 160 - 64 - 60
    assert (proven.state, proven.labels, proven.automatic) == (
        "PROVEN",
        60,
        36,
    )
    assert proven.words.endswith(
        "0 of 60 labels differ. Draw 2: earlier ones are not in this test."
    )
    assert tasks(scope)["factual"].draw == 2

    # a draw beside a proof ends it: that is said before the click and with the draw, and the reason
    # afterwards names it
    ends = "The draw begins a new test, and a proof ends with it (Relevance, factual): these cells go by your rule until a test of the new"
    stake = routing(scope, "study").stake["all"]
    assert (
        stake["same"].startswith(ends)
        and stake["other"] == stake["same"] == draw_more(scope, "study", 30, consent=True).stake
    )
    again = row(scope)
    assert (again.state, again.words) == (
        "BY YOUR RULE",
        "None of 30 answers drawn under these terms (draw 3) was labelled blind yet: the proof of draw 2 ended with it.",
    )


def test_a_new_judge_voids_and_a_further_draw_proves_anew(tmp_path: Path) -> None:
    scope = drawn_study(tmp_path)
    numbers = drawn(scope)
    label(scope, tmp_path, numbers)
    assert row(scope).state == "PROVEN"
    bring(scope, tmp_path, questions=FIRST, judge=judged("south", words([1] * 160)))
    assert "newer than the first label" in row(scope).words
    draw_more(scope, "study", 70, new=NewTerms(0.1, 0.2), consent=True)
    label(scope, tmp_path, [n for n in drawn(scope) if n not in numbers])
    assert (row(scope).state, tasks(scope)["factual"].delta) == ("PROVEN", 0.2)


def test_a_draw_says_why_there_is_nothing_to_draw(tmp_path: Path) -> None:
    scope = drawn_study(tmp_path, share=1.0)
    with pytest.raises(Conflict, match="found no answer that was not drawn already"):
        draw_more(scope, "study", 5)
    with pytest.raises(InputError, match="answers to draw: found 0"):
        draw_more(scope, "study", 0)
    with pytest.raises(InputError, match="task type: found 'silly'"):
        draw_more(scope, "study", 1, task_type="silly")
    projects.set_settings(scope.ws, scope.project("study"), {"routed": False})
    with pytest.raises(Conflict, match="never routed"):
        draw_more(scope, "study", 5)
    assert queue.open_screens(scope.ws.db, scope.project("study")) == 160
