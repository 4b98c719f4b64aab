"""What suggestions do to people, from screens whose arm was drawn: pull, wrong suggestions
accepted, time."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from graders.core.errors import InputError
from graders.store.opinions.filters import Filters
from graders.workflows.agreement.people import set_aside
from graders.workflows.diagnostics.anchoring import (
    AnchoringRow,
    Arms,
    Shares,
    anchoring,
    anchoring_so_far,
    forget,
)
from graders.workflows.opinions.narrowing import filters_of
from graders.workflows.routing.route import route
from graders.workflows.scope.permissions import Scope
from tests.commands.runner import Line
from tests.support.agreeing import WORDS, judged, said, study, words
from tests.support.studies import RUBRIC, bring, scope_at

N = 120


def two_arms(tmp_path: Path, blind_same: int, *, truth: bool = False) -> Scope:
    """Two people, each blind on every second question: assisted they always say what north says,
    blind on `blind_same` of 10."""
    human: list[dict[str, Any]] = []
    for place, person in enumerate(("mira", "noor")):
        blind = [i % 2 == place for i in range(N)]
        same = [not b or i % 10 < blind_same for i, b in enumerate(blind)]
        bits = [int(s) for s in same]
        for arm, design, seconds in ((True, "blind_arm", 20.0), (False, "ordinary", 10.0)):
            values = [
                word if b == arm else None for word, b in zip(words(bits), blind, strict=True)
            ]
            how = {
                "arm": "blind" if arm else "assisted",
                "design": design,
                "probability": 0.5,
                "seconds": seconds,
            }
            human += said(person, values, **how)
    scope = study(tmp_path, human=human, judge=judged("north", words([1] * N)), n=N)
    if truth:  # an adjudicator finds north wrong on the first 60
        values = [WORDS[i >= 60] for i in range(N)]
        bring(
            scope,
            tmp_path,
            questions=[{"id": "q0", "text": "Question 0?"}],
            human=said("adjudicated", values),
        )
    return scope


def relevance(scope: Scope, **chosen: list[str]) -> AnchoringRow:
    found = anchoring(scope, "study", filters_of(chosen))
    return next(row for row in found.rows if row.criterion == "small/relevance")


def test_a_real_pull_is_a_warning_with_its_harm_and_its_saving(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scope = two_arms(tmp_path, 6, truth=True)
    found = relevance(scope)
    assert (found.cells, found.people, found.arms) == (
        240,
        2,
        Arms(120, 120),
    )
    assert (found.equal.blind, found.equal.assisted) == (0.6, 1.0)
    # a share of all has an interval too
    low, high = found.equal.assisted_between
    assert 0.95 < low < 1 and high == 1
    low, high = found.equal.blind_between
    assert low == pytest.approx(0.507, abs=0.02) and high == pytest.approx(0.688, abs=0.02)
    assert found.wrong.blind_between[0] < found.wrong.blind < found.wrong.blind_between[1]
    assert found.pull.value == pytest.approx(0.4) and found.pull.low > 0.2 and found.real
    assert found.wrong.cells == 120 and found.wrong.assisted == 1.0
    # blind ones are right on 24 of the first 60 and 36 of the others
    between = found.accuracy.blind_between
    assert between[0] == pytest.approx(0.407, abs=0.02)
    assert found.accuracy == Shares(
        240, Arms(120, 120), N, "", 0.5, 0.5, between, found.accuracy.assisted_between
    )
    assert (found.wrong.arms, found.wrong.questions) == (
        Arms(60, 60),
        60,
    )
    assert found.wrong.short == "fewer than 100 blind cells"
    assert found.time.value == pytest.approx(0.5)  # 10 seconds to 20
    assert found.words.startswith(
        "With the suggestion in view 40 of 100 more verdicts say what it says."
    )
    ground = "Counted: 120 blind and 120 assisted verdicts of 2 people on screens randomised to blind or assisted; for these people."
    pull, low, high = (
        f"{100 * getattr(found.pull, name):+.0f}" for name in ("value", "low", "high")
    )
    assert found.sentences.pull == (
        "Relevance, anchoring effect (says the same, assisted minus blind): "
        f"{pull} of 100 verdicts (95 % interval {low} to {high}). {ground}"
    )
    assert found.sentences.rest.startswith(
        "Relevance, time per cell, assisted to blind: 0.50 times"
    )
    assert found.sentences.rest.endswith(
        "; right by adjudication, blind 50% (95 % interval 41% to 59%) of 120 and assisted "
        f"50% (95 % interval 41% to 59%) of 120 cells. {ground}"
    )
    assert anchoring(scope, "study").title == "Suggestions pull people on Relevance."
    done = Line(scope.ws.path, capsys)("anchoring")
    assert (
        "Says the same: blind 60% (95 % interval 51% to 69%), assisted 100% (95 % interval 97% to "
        "100%). Wrong suggestions accepted: blind 60% (" in done.out
    )
    assert (
        done.code == 4 and "Anchoring effect +0.400 [" in done.out and "Time 0.50 times" in done.out
    )


def test_without_a_pull_there_is_none_to_see(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scope = two_arms(tmp_path, 10)
    found = relevance(scope)
    assert not found.real and found.wrong.value is None and found.wrong.reason == "no cells"
    # all alike is not certainty
    assert found.words == "INCONCLUSIVE: no spread to estimate an interval from."
    assert Line(scope.ws.path, capsys)("anchoring").code == 5


def test_filters_narrow_both_arms_down_and_few_cells_decide_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scope = two_arms(tmp_path, 6, truth=True)
    whole = relevance(scope)
    # who is set aside on Agreement had an arm drawn as well
    set_aside(scope, "study", "noor", True)
    assert relevance(scope) == whole
    assert anchoring(scope, "study").subtitle.endswith(
        " Set aside on Agreement, counted here: noor."
    )
    mira = relevance(scope, annotator=["mira"])
    assert (mira.people, mira.arms) == (1, Arms(60, 60))
    assert mira.pull.value == pytest.approx(0.4)  # blind she says the same on 6 of 10
    assert (whole.real, mira.real) == (True, False)
    assert mira.words == "INCONCLUSIVE: fewer than 100 blind cells."
    few = "INCONCLUSIVE: fewer than 100 blind cells"
    assert (
        "; right by adjudication, blind 50% (95 % interval 37% to 63%) of 60 and assisted "
        f"50% (95 % interval 37% to 63%) of 60 cells, {few}." in mira.sentences.rest
    )
    assert mira.sentences.pull.endswith(
        "randomised to blind or assisted; for these people; only annotator mira."
    )
    assert anchoring(scope, "study", filters_of({"annotator": ["mira"]})).subtitle.startswith(
        "Only annotator mira. 120 verdicts"
    )
    mark = [
        {"id": f"q{i}", "text": f"Question {i}?", "category": "chess" if i < 40 else "go"}
        for i in range(N)
    ]
    bring(scope, tmp_path, questions=mark)
    assert relevance(scope, category=["chess"], model=["Ash"]).arms == Arms(40, 40)
    assert (
        replace(
            relevance(scope, category=["chess", "go"], since=["2000-01-01"]),
            sentences=whole.sentences,
        )
        == whole
    )
    found = anchoring(scope, "study", filters_of({"until": ["2000-01-01"]}))
    assert (found.title, found.subtitle, found.rows) == (
        "No verdict is left by these filters.",
        "Only given until 2000-01-01.",
        [],
    )
    assert sorted(found.choices) == ["annotator", "category", "model", "neighbours", "task_type"]
    for name in ("action", "wording"):
        with pytest.raises(
            InputError,
            match=f"filter {name}: found one that these figures do not have, expected one of annotator, category",
        ):
            anchoring(scope, "study", Filters(**{name: ("typed",)}))
    line = Line(scope.ws.path, capsys)
    assert (line("anchoring").code, line("anchoring", "--only", "annotator=mira").code) == (4, 5)
    assert line("anchoring", "--only", "action=typed").code == 2
    nobody = line("anchoring", "--only", "annotator=nobody")
    assert (
        nobody.code,
        "annotator 'nobody': found no person of that id, expected one of mira, noor" in nobody.err,
    ) == (1, True)


def test_while_much_is_read_the_page_is_told_how_far_that_is(tmp_path: Path) -> None:
    scope = two_arms(tmp_path, 6)
    whole = anchoring(scope, "study")
    forget()
    asked = [anchoring_so_far(scope, "study", patience=0.0) for _ in whole.rows + whole.without]
    assert [found.progress.done for found in asked[:-1]] == list(range(1, len(asked))) and len(
        asked
    ) > 1
    assert asked[-1] == whole


def test_arms_that_were_not_left_to_chance_do_not_count(tmp_path: Path) -> None:
    human = said("mira", words([1] * 40), arm="assisted", design="ordinary", probability=1.0)
    scope = study(tmp_path, human=human, judge=judged("north", words([1] * 40)))
    report = anchoring(scope, "study")
    assert (report.title, report.rows) == (
        "No screen was blind for one person and assisted for another yet.",
        [],
    )


def test_where_all_else_is_automatic_it_says_that_no_screen_shows_a_suggestion(
    tmp_path: Path,
) -> None:
    scope = scope_at(tmp_path)
    names = [f"q{i}" for i in range(10)]
    bring(
        scope,
        tmp_path,
        rubric=RUBRIC.replace(", review: people", ""),
        questions=[{"id": name, "text": "?", "task_type": "factual"} for name in names],
        answers=[{"question_id": name, "model": "Ash", "text": name} for name in names],
        judge=[
            {"question_id": name, "model": "Ash", "judge": "north"}
            | {"criterion": f"small/{criterion}", "value": value}
            for name in names
            for criterion, value in (("relevance", WORDS[1]), ("completeness", 4), ("tone", "dry"))
        ],
    )
    assert anchoring(scope, "study").subtitle.startswith("A share of the screens")
    route(scope, "study")
    assert anchoring(scope, "study").subtitle == (
        "No screen shows a suggestion: drawn screens are blind, and all other answers are decided "
        "automatically."
    )
