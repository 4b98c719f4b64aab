"""The leaderboard, its pair, comparisons and the report take what they say of two models from one
source: the questions that both have."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graders.workflows.leaderboard import ranking as use
from graders.workflows.leaderboard.board import Board
from graders.workflows.leaderboard.compare import compare
from graders.workflows.leaderboard.comparison import Verdict
from graders.workflows.leaderboard.ground import Wish
from graders.workflows.leaderboard.ranking import leaderboard
from graders.workflows.report.report import report
from graders.workflows.scope.permissions import Scope
from tests.support.imported import need
from tests.support.ranked import MODELS, WORDS, study, values
from tests.support.studies import bring, given, scope_at

SHOWN = ("", "corrected", "people", "judge")
CORRECT = "rubric: correct\ncriteria:\n  correctness: {question: Is it right?, scale: [No, Yes], review: people}\n"


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    use.forget()
    yield
    use.forget()


def rows_of(folder: Path, table: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / f"{table}.jsonl").open(encoding="utf-8")]


def nq301(folder: Path, chosen: str, *, only_no: bool = False) -> Scope:
    """The answers of twelve systems, judged by gpt-4; `only_no`: labels where it said No alone."""
    data = need("nq301")
    answers = rows_of(data, "answers")
    systems = {(row["question_id"], row["model"]): sorted(row["systems"]) for row in answers}
    seen: set[tuple[str, str]] = set()
    texts = []
    for row in answers:
        for system in systems[row["question_id"], row["model"]]:
            if (row["question_id"], system) not in seen:  # two answers of one system: the first
                seen.add((row["question_id"], system))
                texts.append({**row, "model": system, "systems": row["model"]})
    first = {(row["question_id"], row["systems"], row["model"]) for row in texts}

    def of_systems(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [
            {**row, "model": system, "criterion": "correct/correctness"}
            for row in rows
            for system in systems[row["question_id"], row["model"]]
            if (row["question_id"], row["model"], system) in first
        ]

    judged = [row for row in rows_of(data, "judge") if row["judge"] == "gpt-4"]
    no = {(row["question_id"], row["model"]) for row in judged if row["value"] == "No"}
    human = [row for row in rows_of(data, "human") if row["annotator"] == "adjudicated"]
    if only_no:
        human = [row for row in human if (row["question_id"], row["model"]) in no]
    human = [{**row, "annotator": "ann"} for row in human]
    scope = scope_at(folder)
    bring(
        scope,
        folder,
        rubric=CORRECT,
        chosen=chosen,
        questions=rows_of(data, "questions"),
        answers=[{k: row[k] for k in ("question_id", "model", "text")} for row in texts],
        human=of_systems(human),
        judge=of_systems(judged),
    )
    return scope


def all_pairs(scope: Scope, **wish: Any) -> int:
    """How many pairs were asked about on the leaderboard and in a comparison; they answer alike."""
    asked = 0
    for show in SHOWN:
        wished = Wish(show=show, **wish)
        whole = leaderboard(scope, "study", wished)
        places = {row.model: row.place for row in whole.models if row.place}
        for a, b in combinations(places, 2):
            found = leaderboard(scope, "study", wished, a=a, b=b)
            two = compare(scope, "study", a, b, wished).lead
            pair = found.pair
            assert pair is not None and two is not None
            alike(found, pair.a, pair.b, two)
            if two.verdict != Verdict.UNTOLD:  # nor does the table say otherwise
                assert (places[a] < places[b]) == (two.verdict == Verdict.BETTER)
            asked += 1
    return asked


def alike(found: Board, a: str, b: str, two: Any) -> None:
    pair = found.pair
    assert pair is not None
    if two.apart is None:
        assert pair.apart is None or not np.isfinite(pair.apart) or pair.doubt
        return
    assert two.apart == pytest.approx(pair.apart, abs=1e-9), (a, b)
    ends = (pair.low, pair.high)
    if pair.low is not None and pair.high is not None:  # a comparison stops at the scale's ends
        wide = found.axis.high - found.axis.low
        ends = (max(pair.low, -wide), min(pair.high, wide))
    assert (two.low, two.high) == pytest.approx(ends, abs=1e-9), (a, b)
    assert bool(two.why) == bool(pair.doubt)
    assert pair.tied == (two.verdict == Verdict.UNTOLD)
    places = sorted(row.place - 1 for row in found.models if row.model in (a, b) and row.place)
    if len(places) == 2 and any(
        first <= places[0] < places[1] <= last for first, last in found.ties
    ):
        assert pair.tied, "no run of ties holds two that can be told apart"
    code = use.gate(found.models, found.pair, a, b, unconfirmed=found.unconfirmed)
    sure = {Verdict.BETTER: 0, Verdict.WORSE: 4, Verdict.UNTOLD: 5}
    assert found.unconfirmed or code == sure[two.verdict]


@pytest.mark.parametrize("chosen", ["all", "random", "unknown"])
@pytest.mark.parametrize("only_no", [False, True])
def test_no_two_systems_of_nq301_are_told_two_ways(
    tmp_path: Path, chosen: str, only_no: bool
) -> None:
    scope = nq301(tmp_path, chosen, only_no=only_no)
    assert all_pairs(scope) == 4 * 66
    board = leaderboard(scope, "study")
    printed = next(part for part in report(scope, "study").sections if part.key == "leaderboard")
    assert printed.words[0] == board.title
    table = printed.tables[0].rows
    assert [row[0] for row in table] == [row.model for row in board.models]
    assert [row[2].value for row in table] == pytest.approx(
        [row.figure.value for row in board.models], abs=0.05
    )
    if only_no:
        assert board.choice.warning and board.choice.warning in printed.words
        assert compare(scope, "study").choice.warning == board.choice.warning
        assert "gpt-4 on Correctness" in board.choice.warning


@pytest.mark.parametrize("chosen", ["random", "unknown"])
def test_models_with_different_questions_are_compared_on_those_that_they_share(
    tmp_path: Path, chosen: str
) -> None:
    """Ash has the hard half and some, Beech the easy half and some, Cedar all; two criteria."""
    right, judged = values(120, 3)
    right[:60] &= np.random.default_rng(1).random((60, 3)) < 0.4
    scope = scope_at(tmp_path)
    has = np.ones((120, 3), bool)
    has[90:, 0] = has[:30, 1] = False
    cells = [(i, k) for i in range(120) for k in range(3) if has[i, k]]

    def rows(of: np.ndarray, criterion: str, judge: bool) -> list[dict[str, Any]]:
        some = cells if judge else [(i, k) for i, k in cells if i % 2 or k == 2]
        made = [
            given(f"q{i}", MODELS[k], criterion, "mira", value_of(of[i, k], criterion))
            for i, k in some
        ]
        return [
            {**{n: v for n, v in row.items() if n != "annotator"}, "judge": "north"}
            if judge
            else row
            for row in made
        ]

    bring(
        scope,
        tmp_path,
        chosen=chosen,
        questions=[{"id": f"q{i}", "text": f"Question {i}?"} for i in range(120)],
        answers=[
            {"question_id": f"q{i}", "model": MODELS[k], "text": f"{k} {i}"} for i, k in cells
        ],
        human=rows(right, "relevance", False) + rows(right, "completeness", False),
        judge=rows(judged, "relevance", True) + rows(judged, "completeness", True),
    )
    for view in ("", "small/relevance", "small/completeness"):
        assert all_pairs(scope, view=view) == 12
    found = leaderboard(scope, "study", Wish(view="small/relevance"), a="Ash", b="Beech")
    shared = [i for i in range(30, 90) if i % 2]
    if chosen == "unknown":  # of the labelled answers nothing is left to correct
        expected = right[shared, 0].mean() - right[shared, 1].mean()
        assert found.pair.apart == pytest.approx(100 * expected)
        assert found.pair.questions == len(shared)
        alone = leaderboard(scope, "study", Wish(view="small/relevance", show="people"))
        assert [row.figure.value for row in alone.models] == pytest.approx(
            [row.figure.value for row in found.models]
        )


def value_of(right: bool, criterion: str) -> Any:
    return WORDS[int(right)] if criterion == "relevance" else 2 + 2 * int(right)


def test_labels_chosen_in_an_unknown_way_speak_for_their_answers_alone(tmp_path: Path) -> None:
    right, judged = values()
    scope = study(tmp_path, right, judged, 60)
    sure = leaderboard(scope, "study")
    assert (sure.counts.within, sure.counts.labels) == (0, 180)
    (tmp_path / "other").mkdir()
    scope = study(tmp_path / "other", right, judged, 60, chosen="unknown")
    found = leaderboard(scope, "study")
    assert found.counts.within == 180
    assert [row.figure.value for row in found.models] == pytest.approx(
        sorted(100 * right[:60].mean(axis=0), reverse=True)
    )
    assert found.subtitle.startswith(
        "For the 180 labelled answers: how they were chosen is not stated, so nothing is said of others."
    )
    assert found.rests_on == (
        "Counted: people's blind verdicts on 180 cells of 60 questions; for the 180 labelled answers alone."
    )
    two = compare(scope, "study", "Ash", "Beech")
    assert two.subtitle.startswith("For the 120 labelled answers: ")
    assert "for the 180 labelled answers alone" in found.models[0].sentence
    # judges beside these figures are of the same answers
    assert [row.judge.value for row in found.models] == pytest.approx(
        [100 * judged[:60, MODELS.index(row.model)].mean() for row in found.models]
    )


def test_a_report_says_whose_values_it_ranks_by(tmp_path: Path) -> None:
    right, judged = values(30)
    scope = study(tmp_path, right, judged, 0)
    printed = next(part for part in report(scope, "study").sections if part.key == "leaderboard")
    assert printed.words[1].startswith("Unconfirmed: ")
    assert printed.tables[0].columns[2].name == "north alone, unconfirmed"
