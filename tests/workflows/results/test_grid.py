"""The grid of models and criteria: means of final values alone, and what is pending beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from graders.core.errors import InputError
from graders.core.shapes import as_dict
from graders.statistics.means import interval_from_sums, mean_interval
from graders.workflows.opinions.grid_cells import GridCell
from graders.workflows.results import grid as results_grid
from graders.workflows.scope.permissions import Scope
from tests.support.plain import plain
from tests.support.studies import bring, given, scope_at


def study(tmp_path: Path, person: str = "") -> Scope:
    """Two models, four questions. Ash: 5, 4, 3 and one open; Oak: 1, 1, 2, 1. Relevance: Ash 2 of
    2, Oak 1 of 4."""
    scope = scope_at(tmp_path, person)
    questions = [
        {
            "id": f"q{i}",
            "text": f"Question {i}?",
            "category": "nature" if i < 3 else "verse",
            "task_type": "creative",
        }
        for i in range(1, 5)
    ]
    answers = [
        {"question_id": f"q{i}", "model": m, "text": f"The {m} reply to {i}."}
        for i in range(1, 5)
        for m in ("Ash", "Oak")
    ]
    values = [("Ash", "completeness", i, v) for i, v in ((1, 5), (2, 4), (3, 3))]
    values += [("Oak", "completeness", i, v) for i, v in ((1, 1), (2, 1), (3, 2), (4, 1))]
    values += [("Ash", "relevance", 1, "relevant"), ("Ash", "relevance", 2, "relevant")]
    values += [
        ("Oak", "relevance", i, "relevant" if i == 1 else "irrelevant") for i in (1, 2, 3, 4)
    ]
    values += [("Ash", "tone", 1, "warm"), ("Ash", "tone", 2, "stiff")]
    human = [
        given(f"q{i}", m, c, "mira", v, seconds=12.0, comment="looked it up")
        for m, c, i, v in values
    ]
    judge = [
        {"question_id": "q1", "model": "Ash", "criterion": "small/completeness", "judge": "north", "value": 4, "confidence": 0.7,
         "rationale": "Nearly all.", "evidence": [{"quote": "The Ash reply", "found": True}]},
    ]  # fmt: skip
    bring(scope, tmp_path, questions=questions, answers=answers, human=human, judge=judge)
    return scope


def cell(found: results_grid.Grid, model: str, criterion: str) -> GridCell:
    return next(row.cells[f"small/{criterion}"] for row in found.models if row.model == model)


def test_pending_cells_are_counted_and_never_averaged_in(tmp_path: Path) -> None:
    found = results_grid.grid(study(tmp_path), "study")
    ash = cell(found, "Ash", "completeness")
    # (5 + 4 + 3) / 3
    assert (ash.value, ash.n, ash.pending, ash.note) == (
        4.0,
        3,
        1,
        "1 pending",
    )
    oak = cell(found, "Oak", "completeness")
    assert (oak.value, oak.note) == (1.25, "all 4")  # (1 + 1 + 2 + 1) / 4
    share = cell(found, "Oak", "relevance")
    assert (share.value, share.shown) == (25.0, "25 %")  # one of four
    assert ash.sentence == (
        "Ash, Completeness (1 to 5): mean of final values 4.0 (95 % interval 1.5 to 5.0, by question; 3 answers). Final values: 3 by people; "
        "1 cell without a final value is in no mean."
    )
    assert cell(found, "Ash", "tone").sentence == ""  # labels without order have no mean
    # 24 cells (2 models x 4 questions x 3 criteria), 15 decided: 7 + 6 + 2
    assert plain(found.counts) == {"models": 2, "cells": 24, "decided": 15, "pending": 9}
    assert found.subtitle == "15 of 24 cells have a final value. Pending ones are in no mean."


def test_filters_count_one_unit(tmp_path: Path) -> None:
    found = results_grid.grid(study(tmp_path), "study")
    assert (found.filter_unit, found.filter_all) == ("answer", 8)  # 4 questions x 2 models
    assert [as_dict(one) for one in found.filter_values["category"]] == [
        {"value": "nature", "cells": 4},
        {"value": "verse", "cells": 4},
    ]


def test_the_interval_is_the_one_that_question_means_give(tmp_path: Path) -> None:
    oak = cell(results_grid.grid(study(tmp_path), "study"), "Oak", "completeness")
    # mean 1.25, s² = (4 + 3 - 25 / 4) / 3 = .25, t(3) = 3.1824: 1.25 ± 3.1824 x .5 / 2, cut at 1
    assert (round(oak.low, 4), round(oak.high, 4)) == (1.0, 2.0456)
    long = mean_interval([1, 1, 2, 1], [1, 2, 3, 4], bounds=(1, 5))
    assert (oak.low, oak.high) == pytest.approx((long.low, long.high))


@pytest.mark.parametrize(
    ("n", "total", "squares", "reason"),
    [(1, 4.0, 16.0, "one value"), (5, 20.0, 80.0, "five equal values: 4, 4, 4, 4, 4")],
)
def test_no_interval_where_values_show_no_spread(
    n: int, total: float, squares: float, reason: str
) -> None:
    assert interval_from_sums(n, total, squares, n, (1, 5)) == (None, None), reason


def test_labels_without_order_have_no_mean_but_a_most_frequent_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scope = study(tmp_path)

    def tone(**filters: str) -> tuple[Any, ...]:
        made = cell(results_grid.grid(scope, "study", filters), "Ash", "tone")
        return made.value, made.n, made.shown, made.reason

    assert tone() == (
        None,
        2,
        "stiff 50 %, warm 50 %",
        "stiff 1, warm 1; labels without order have no mean",
    )
    more = [given(f"q{i}", "Ash", "tone", "mira", "warm") for i in (3, 4)]
    bring(scope, tmp_path, questions=[], answers=[], human=more)
    # 3 of 4
    assert tone() == (
        None,
        4,
        "warm 75 %",
        "warm 3, stiff 1; labels without order have no mean",
    )
    assert tone(category="verse")[2:] == ("warm 100 %", "warm 2; labels without order have no mean")
    monkeypatch.setattr(results_grid, "COUNTED_CELLS", 7)  # of 8
    assert tone() == (None, 4, "", "labels without order have no mean")


def test_the_title_names_who_trails_clearly(tmp_path: Path) -> None:
    found = results_grid.grid(study(tmp_path), "study")
    # Completeness: Oak's interval ends at 2.05, Ash's begins at 4 - 4.30 x 1 / sqrt(3) = 1.52: they
    # overlap.
    assert found.title == "No model trails clearly; 9 cells are still pending."
    assert [row.model for row in found.models] == ["Ash", "Oak"]  # best first
    assert [
        row.model for row in results_grid.grid(study(tmp_path), "study", sort="name").models
    ] == [
        "Ash",
        "Oak",
    ]


def test_one_model_far_behind_is_named(tmp_path: Path) -> None:
    scope = scope_at(tmp_path)
    ids = range(12)
    bring(
        scope,
        tmp_path,
        questions=[{"id": f"q{i}", "text": "?"} for i in ids],
        answers=[
            {"question_id": f"q{i}", "model": m, "text": f"{m} {i}"}
            for i in ids
            for m in ("Ash", "Oak")
        ],
        human=[
            given(f"q{i}", m, "completeness", "mira", (4 if m == "Ash" else 1) + i % 2)
            for i in ids
            for m in ("Ash", "Oak")
        ],
    )
    # Oak 1.5 and Ash 4.5, each ± .33; relevance and tone wait: 2 x 24 cells
    assert (
        results_grid.grid(scope, "study").title
        == "Oak trails on one criterion; 48 cells are still pending."
    )


@pytest.mark.parametrize(
    ("filters", "n"),
    [
        ({}, 3),
        ({"category": "nature"}, 2),
        ({"category": "verse"}, 1),
        ({"task_type": "creative"}, 3),
    ],
)
def test_filters_count_only_what_matches(tmp_path: Path, filters: dict[str, str], n: int) -> None:
    assert cell(results_grid.grid(study(tmp_path), "study", filters), "Ash", "completeness").n == n


def test_a_filter_that_nothing_matches_says_so(tmp_path: Path) -> None:
    found = results_grid.grid(study(tmp_path), "study", {"language": "xx"})
    assert (found.title, found.models) == ("Nothing to show: no answer matches.", [])


def test_an_unknown_filter_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError) as refusal:
        results_grid.grid(study(tmp_path), "study", {"colour": "red"})
    assert (
        str(refusal.value)
        == "filter 'colour': found no such filter, expected one of category, task_type, language, state. Choose one of these."
    )


def test_many_models_come_in_pages_and_can_be_searched(tmp_path: Path) -> None:
    scope = scope_at(tmp_path)
    models = [f"model {i:03}" for i in range(120)]
    bring(
        scope,
        tmp_path,
        questions=[{"id": "q", "text": "?"}],
        answers=[{"question_id": "q", "model": m, "text": m} for m in models],
    )
    second = results_grid.grid(scope, "study", page=3, sort="name")
    # 50 + 50 + 20
    assert (second.pages, second.found, [r.model for r in second.models]) == (
        3,
        120,
        models[100:],
    )
    assert results_grid.grid(scope, "study", page=99, sort="name").page == 3
    found = results_grid.grid(scope, "study", search="Model 01")
    assert [r.model for r in found.models] == models[10:20]
    # 120 x 3 criteria
    assert found.title == "Nothing has a final value yet; 360 cells are still pending."
