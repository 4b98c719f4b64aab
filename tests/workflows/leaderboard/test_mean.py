"""The mean over criteria: their weights, and which criteria are in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.core.errors import InputError
from graders.workflows.leaderboard.board import Unranked
from graders.workflows.leaderboard.ground import Wish
from graders.workflows.leaderboard.ranking import leaderboard
from tests.support.ranked import MODELS, study, values
from tests.support.studies import given


def test_a_criterion_labelled_for_some_models_takes_no_other_out_of_the_mean(
    tmp_path: Path,
) -> None:
    right, judged = values()
    some = [given(f"q{i}", "Ash", "completeness", "mira", 1 + i % 5) for i in range(20)]
    scope = study(tmp_path, right, judged, 60, human=some)
    found = leaderboard(scope, "study")
    alone = leaderboard(scope, "study", Wish(view="small/relevance"))
    assert [row.model for row in found.models if row.figure.status == "OK"] == [
        row.model for row in alone.models
    ]
    assert {c.key: (c.weight, c.aside) for c in found.criteria} == {
        "small/relevance": (1.0, ""),
        "small/completeness": (
            0.0,
            "not labelled for every model; give it a weight to rank only those that are",
        ),
    }
    # whoever gives it a weight means it
    wanted = leaderboard(scope, "study", Wish(weights={"small/completeness": 1.0}))
    assert [row.model for row in wanted.models if row.figure.value is not None] == ["Ash"]
    assert not any(c.aside for c in wanted.criteria)


def test_a_criterion_on_a_handful_of_questions_does_not_undo_the_ranking(tmp_path: Path) -> None:
    right, judged = values()
    some = [
        given(f"q{i}", model, "completeness", "mira", 1 + i % 5)
        for i in range(4)
        for model in MODELS
    ]
    found = leaderboard(study(tmp_path, right, judged, 60, human=some), "study")
    assert [row.figure.status for row in found.models] == ["OK"] * len(MODELS)
    assert {c.key: c.aside for c in found.criteria} == {
        "small/relevance": "",
        "small/completeness": "fewer than 10 questions; give it a weight to count it",
    }


def test_overall_is_the_weighted_mean_of_the_criteria(tmp_path: Path) -> None:
    right, judged = values()
    stars = [
        given(f"q{i}", m, "completeness", "mira", 1 + (i + k) % 5)
        for i in range(60)
        for k, m in enumerate(MODELS)
    ]
    scope = study(tmp_path, right, judged, 60, stars)
    single = [
        leaderboard(scope, "study", Wish(view=f"small/{name}"))
        for name in ("relevance", "completeness")
    ]
    assert [one.axis.words for one in single] == ["relevant, %", "1 to 5"]
    found = leaderboard(scope, "study", Wish(weights={"small/relevance": 3}))
    assert found.view == "overall"
    ash = [
        next(row for row in one.models if row.model == "Ash").figure.value
        for one in (*single, found)
    ]
    assert ash[2] == pytest.approx((3 * ash[0] + 100 * (ash[1] - 1) / 4) / 4)
    assert [c.weight for c in found.criteria] == [3.0, 1.0]
    # a figure copied from the mean's table is that of its own view
    for criterion, own in zip(found.criteria, single, strict=True):
        told = {
            model: f"{figure.sentence} {criterion.ground}"
            for model, figure in criterion.cells.items()
        }
        assert told == {row.model: row.sentence for row in own.models}
    assert found.without == [Unranked("Tone", "labels without order have no mean")]
    with pytest.raises(InputError, match="weight of small/relevance: found -1"):
        leaderboard(scope, "study", Wish(weights={"small/relevance": -1}))
