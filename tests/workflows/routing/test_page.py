"""What people must read at each risk: a forecast before labels, exploratory after a test; and what
hours will show."""

from __future__ import annotations

import re
import shlex
import time
from itertools import count
from pathlib import Path

import pytest

from graders.core.errors import InputError
from graders.workflows.promise.kind_rows import Constant
from graders.workflows.promise.promise_tests import tries_of
from graders.workflows.routing.page import Totals, routing
from graders.workflows.routing.plan import labels_in, plan
from graders.workflows.routing.terms import draw_more
from tests.commands.runner import Line
from tests.support.routed import grade, routed

HOW_TO = re.findall(
    r"^```console\n(.*?)^```",
    (Path(__file__).parents[3] / "docs/routing.md").read_text("utf-8"),
    flags=re.M | re.S,
)


def follow(cograde: Line, place: int) -> None:
    """Type what a block of the how-to types, and see what it shows."""
    for words, shown in re.findall(
        r"^\$ cograde (.*)\n((?:(?!\$ ).*\n)*)", HOW_TO[place], flags=re.M
    ):
        assert cograde.bare(*shlex.split(words), "--workspace", cograde.workspace).out == shown, (
            words
        )


def right(criterion: str, question: str) -> object:
    """The judge is right on relevance but for q50, and on completeness never."""
    if criterion == "small/relevance":
        return "irrelevant" if question == "q50" else "relevant"
    return 1


def test_a_forecast_becomes_exploratory_once_a_test_was_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scope = routed(tmp_path, creative=False, calibration=0.7)
    before = routing(scope, "study")
    assert before.basis.startswith("Forecast: no test was made yet")
    assert (before.totals, before.effort, before.free) == (
        Totals(answers=120, cells=240),
        None,
        {"factual": 36},
    )
    read = [point.answers for point in before.curve]
    # drawn answers are read whatever happens; at 25 % all others are the machine's by its own word
    # (.02 to .45, on average .235)
    assert read == sorted(read, reverse=True) and read[0] == 120 and read[-1] == 84
    assert before.curve[24].cells == 2 * 84 and before.curve[0].seconds is None
    assert before.sentence.startswith("People read ") and before.sentence.endswith(
        "on at most 10%, sure to 90%."
    )
    # until three screens are timed, the demo's pace: 720 seconds are 20 answers
    untimed = plan(scope, "study", 2, 0.1)
    assert (untimed.answers, untimed.seconds, untimed.assumed) == (20, 720, 36)
    assert untimed.words.endswith(
        "Assumed: 36 seconds per answer, the pace of the demo project; the pace of this project counts once three screens are timed."
    )
    assert labels_in(scope, "study", 2, 0.1).labels == 20

    cograde = Line(scope.ws.path, capsys)
    follow(cograde, 0)
    # drawn ones, and those of which the judge is less than .6 sure
    assert grade(scope, "mira", right, seconds=30) >= 84
    after = routing(scope, "study")
    states = {row.criterion.split("/")[1]: row.state for row in after.rows}
    assert states == {"relevance": "PROVEN", "completeness": "UNPROVEN"}
    told = after.rows[0].sentence
    assert (
        told.startswith("Relevance, factual questions: of 120 cells the machine decides ")
        and ". PROVEN: Among the " in told
    )
    assert (
        told.endswith(" Blind labels of drawn answers: 84.") and after.rows[0].audit.sentence == ""
    )
    assert after.basis.startswith("Exploratory") and (after.alpha, after.delta) == (
        0.1,
        0.2,
    )
    at_terms = after.curve[9]
    # completeness is people's everywhere, so all answers are read though relevance is proven on the
    # rest
    assert (at_terms.answers, at_terms.automatic) == (
        120,
        36,
    ) and at_terms.seconds == pytest.approx(120 * 30)
    assert after.rows[1].constant == Constant("1", 0.0) and after.rows[1].answers is None
    whole = routing(scope, "study", whole=True).curve[9]
    assert (whole.automatic, whole.cells) == (0, 240)  # read anyway, graded whole
    assert routing(scope, "study", delta=0.01).curve[9].automatic <= 36

    found = plan(scope, "study", 2, 0.1)  # 720 seconds are 24 answers
    assert (found.answers, found.free, found.rows[0].labels) == (24, 36, 24)
    assert found.assumed is None and "Assumed" not in found.words
    assert labels_in(scope, "study", 2, 0.1).pace == ""
    assert found.rows[0].words.startswith(
        "24 labels: agreement known to ±24% at the widest; too few for a proof, which begins with 42 labels"
    )
    assert found.stake.startswith(
        "The draw begins a new test, and a proof ends with it (Relevance, factual)"
    )
    follow(cograde, 1)
    assert routing(scope, "study").free == {"factual": 12}
    follow(cograde, 4)
    assert routing(scope, "study").order.setting == "question"


def right_of_relevance(criterion: str, question: str) -> object:
    """The judge is always right on relevance, and on completeness never."""
    return "relevant" if criterion == "small/relevance" else 1


def test_a_plan_foresees_the_test_that_its_labels_enter(tmp_path: Path) -> None:
    """Task types with few labels are tested together, a region begins with enough labels, and
    labels that are there count until a test."""
    scope = routed(tmp_path, calibration=0.2)
    assert grade(scope, "mira", right_of_relevance, screens=3) == 3
    before = plan(scope, "study", 1, 1 / 3)  # 1,200 seconds are 30 answers of both task types
    assert (before.answers, before.stake) == (30, "")
    words = {
        row.criterion.split("/")[1]: row.words for row in before.rows if row.task_type == "factual"
    }
    assert words["relevance"].startswith(
        "16 labels, 26 with those drawn before: agreement known to ±24% at the widest; proven, four times out of five, if"
    )
    assert words["relevance"].endswith(" of factual and creative questions together."), words
    assert (
        plan(scope, "study", 1, 0.2)
        .rows[0]
        .words.endswith(
            "; too few for a proof, which begins with 52 labels of factual and creative questions together."
        )
    )
    draw_more(scope, "study", 30, consent=True)
    grade(scope, "mira", right_of_relevance)
    states = {
        (row.criterion.split("/")[1], row.task_type): row.state
        for row in routing(scope, "study").rows
    }
    assert states["relevance", "factual"] == states["relevance", "creative"] == "PROVEN"

    # what was tested together falls together, also where one of them alone is drawn anew
    stake = routing(scope, "study").stake
    assert (
        "2 proofs end with it (Relevance, factual; Relevance, creative)"
        in stake["creative"]["same"]
    )
    ticks = count(int(time.time()) + 60)
    scope.ws.clock = lambda: float(next(ticks))
    draw_more(scope, "study", 60, consent=True)
    assert (
        len(
            {
                one.key
                for task, one in tries_of(scope.ws, scope.project("study")).items()
                if task != "unknown"
            }
        )
        == 1
    )


def test_a_plan_of_nobody_or_no_time_is_refused(tmp_path: Path) -> None:
    scope = routed(tmp_path, 4)
    for people, hours in ((0, 6), (2, 0), (2, float("nan")), (2, -3)):
        with pytest.raises(InputError, match="plan: found"):
            plan(scope, "study", people, hours)


def test_little_data_says_what_it_is(tmp_path: Path) -> None:
    scope = routed(tmp_path, 1, calibration=1.0)
    grade(
        scope,
        "mira",
        lambda criterion, question: "relevant" if criterion == "small/relevance" else 4,
        seconds=-5,
    )
    found = routing(scope, "study")
    assert {row.words for row in found.rows} == {
        "1 labels are too few to begin: a first region needs 52 inside."
    }
    assert found.effort is None  # the clock went backwards
    (last,) = scope.ws.db.execute(
        "SELECT created_at FROM verdict ORDER BY id DESC LIMIT 1"
    ).fetchone()
    scope.ws.clock = lambda: 0.0
    assert scope.ws.now() > last  # what a person said comes first wherever the clock stands
    with pytest.raises(InputError, match=r"delta: found 0, expected a share from 0\.005 to 0\.5"):
        routing(scope, "study", delta=0)
