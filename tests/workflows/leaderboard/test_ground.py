"""Which verdicts the leaderboard rests on: of whom, of which draw, under which filters and wording."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from graders.core.errors import InputError, NotFound
from graders.statistics.resampling import Estimate
from graders.store import projects
from graders.store.opinions.filters import Filters
from graders.workflows.leaderboard import ground as leaderboard_ground
from graders.workflows.leaderboard.board import Board
from graders.workflows.leaderboard.compare import compare
from graders.workflows.leaderboard.ground import Wish
from graders.workflows.leaderboard.ranking import leaderboard, leaderboard_so_far
from graders.workflows.opinions.narrowing import filters_of
from graders.workflows.projects.settings import change_rubric
from graders.workflows.scope.project_head import Reading
from tests.support.ranked import MODELS, WORDS, judge_rows, study, values
from tests.support.studies import RUBRIC, bring, given

EVEN = Filters(category=("even",))


def test_the_switch_shows_people_alone_and_the_judge_alone(tmp_path: Path) -> None:
    right, judged = values()
    scope = study(tmp_path, right, judged, 60)
    people = {
        row.model: row.figure for row in leaderboard(scope, "study", Wish(show="people")).models
    }
    judge = {
        row.model: row.figure for row in leaderboard(scope, "study", Wish(show="judge")).models
    }
    both = {row.model: row.figure for row in leaderboard(scope, "study").models}
    for k, model in enumerate(MODELS):
        assert people[model].value == pytest.approx(100 * right[:60, k].mean())
        assert judge[model].value == pytest.approx(100 * judged[:, k].mean())
        assert both[model].high - both[model].low < people[model].high - people[model].low
    with pytest.raises(InputError, match="expected one of corrected, people, judge"):
        leaderboard(scope, "study", Wish(show="best"))


def test_assisted_verdicts_and_other_draws_do_not_count(tmp_path: Path) -> None:
    right, judged = values()
    others = [
        given(f"q{i}", "Ash", "relevance", "mira", "irrelevant", arm="assisted", design="ordinary")
        for i in range(60, 70)
    ]
    others += [
        given(
            f"q{i}", "Ash", "relevance", "jonas", "irrelevant", design="blind_arm", probability=0.2
        )
        for i in range(70, 75)
    ]
    found = leaderboard(study(tmp_path, right, judged, 60, others), "study")
    assert found.counts.labels == 180
    assert found.rests_on.endswith(
        "Left out on Relevance: 10 verdicts given with suggestions in view and 5 blind verdicts outside the calibration sample."
    )


def test_unequal_chances_weigh(tmp_path: Path) -> None:
    right = np.zeros((40, 3), bool)
    right[:10] = True  # drawn with 1/2, the next ten with certainty: (10*2 + 0)/(10*2 + 10) = 2/3
    likely = [
        given(f"q{i}", m, "relevance", "mira", "irrelevant", design="calibration", probability=1.0)
        for i in range(10, 20)
        for m in MODELS
    ]
    scope = study(tmp_path, right, None, 10, likely, design="calibration", probability=0.5)
    found = leaderboard(scope, "study")
    assert found.models[0].figure.value == pytest.approx(200 / 3)
    assert found.subtitle == "20 questions labelled by people, blind; no LLM judge graded them."


def test_filters_and_the_pair(tmp_path: Path) -> None:
    right, judged = values()
    scope = study(tmp_path, right, judged, 60)
    even = leaderboard(scope, "study", Wish(filters=EVEN, show="people"), a="Cedar", b="Ash")
    ash = next(row for row in even.models if row.model == "Ash")
    assert ash.figure.value == pytest.approx(100 * right[:60:2, 0].mean())
    assert even.counts.labelled_questions == 30
    d = right[:60:2, 2].astype(float) - right[:60:2, 0]
    assert (even.pair.a, even.pair.b, even.pair.apart) == (
        "Cedar",
        "Ash",
        pytest.approx(100 * d.mean()),
    )
    assert even.subtitle.startswith("Only category even. 60 questions judged by north, 30 of them")
    assert even.models[0].sentence.startswith("Ash, Relevance (relevant, %; only category even): ")
    with pytest.raises(
        InputError,
        match="filter model: found one that these figures do not have, expected one of annotator, category",
    ):
        leaderboard(scope, "study", Wish(filters=Filters(model=("Ash",))))
    with pytest.raises(InputError, match="view: found 'small/none'"):
        leaderboard(scope, "study", Wish(view="small/none"))


def test_filters_choose_whose_labels_count_and_what_is_left_says_so(tmp_path: Path) -> None:
    right, judged = values()
    contrary = [
        given(
            f"q{i}",
            m,
            "relevance",
            "noor",
            WORDS[1 - int(right[i, k])],
            created_at="2026-03-05T10:00:00Z",
        )
        for i in range(30)
        for k, m in enumerate(MODELS)
    ]
    seen = [
        given(f"q{i}", "Ash", "relevance", "noor", WORDS[0], arm="assisted", design="ordinary")
        for i in (60, 61)
    ]
    settled = [given(f"q{i}", "Ash", "relevance", "adjudicated", WORDS[0]) for i in range(60)]
    scope = study(
        tmp_path, right, judged, 60, contrary + seen + settled, created_at="2026-01-05T10:00:00Z"
    )

    def ash(show: str = "people", **chosen: list[str]) -> tuple[Estimate, Board]:
        found = leaderboard(scope, "study", Wish(show=show, filters=filters_of(chosen)))
        return next(row for row in found.models if row.model == "Ash").figure, found

    assert ash()[0].value == 0.0  # what was adjudicated settles it
    mine, found = ash(annotator=["mira"])
    # what she said, not what was adjudicated
    assert mine.value == pytest.approx(100 * right[:60, 0].mean())
    assert found.rests_on == (
        "Counted: people's blind verdicts on 180 cells of 60 questions, only annotator mira, drawn or imported, inverse-probability "
        "weighted; representative of the 360 cells that the judge graded, as far as it was left to chance which of the drawn answers these are."
    )
    assert found.models[0].sentence.endswith(found.rests_on)
    theirs, found = ash(annotator=["noor"], category=["even"], since=["2026-03-01"])
    assert theirs.value == pytest.approx(100 * (1 - right[:30:2, 0].mean()))
    assert (found.subtitle[:20], found.counts.labels) == ("Only category even. ", 45)
    assert "only annotator noor, given since 2026-03-01, drawn" in found.rests_on
    # What is left out is counted as far as the filters go.
    assert [
        ash(annotator=["noor"], category=[name])[1].counts.assisted for name in ("even", "odd")
    ] == [1, 1]
    assert [ash(annotator=[name])[1].counts.assisted for name in ("mira", "noor")] == [0, 2]
    # The judge's values are nobody's verdict among people.
    alone, found = ash("judge", annotator=["noor"])
    assert alone.value == pytest.approx(100 * judged[:, 0].mean())
    assert "noor" not in found.models[0].sentence
    few, found = ash("corrected", until=["2025-12-31"])
    assert (few, found.title) == (
        None,
        "No blind label of people is left by these filters: no model can be ranked.",
    )
    both = compare(
        scope,
        "study",
        "Ash",
        "Beech",
        Wish(show="people", filters=filters_of({"annotator": ["mira"], "category": ["odd"]})),
    )
    assert both.rows[0].apart == pytest.approx(
        100 * (right[1:60:2, 0].astype(float) - right[1:60:2, 1]).mean()
    )
    assert both.rows[0].sentence.endswith(
        ", 30 questions in pairs, 30 of them labelled; only category odd, annotator mira."
    )
    assert both.subtitle.startswith("Only category odd. 60 questions that both answered.")


def test_standings_under_an_earlier_wording_are_of_that_wording_alone(tmp_path: Path) -> None:
    right, judged = values()
    scope = study(tmp_path, right, judged, 60)
    before = leaderboard(scope, "study")
    assert "wording" not in before.filter_choices
    changed = RUBRIC.replace("Does it do what was asked?", "Does it do all of it?")
    change_rubric(scope, "study", "small", changed)
    changed = projects.rubrics(scope.ws, scope.project("study"))[0].source
    said = [
        given(f"q{i}", m, "relevance", "mira", WORDS[0], rationale="Not all.")
        for i in range(60)
        for m in MODELS
    ]
    known = [{"id": "q0", "text": "Question 0?", "category": "even"}]
    bring(scope, tmp_path, changed, questions=known, human=said)
    now = leaderboard(scope, "study", Wish(show="people"))
    assert {row.figure.value for row in now.models} == {0.0}
    old = next(one for one in now.filter_choices["wording"] if not one.active)
    found = leaderboard(scope, "study", Wish(filters=filters_of({"wording": [old.value]})))
    assert [row.figure for row in found.models] == [row.figure for row in before.models]
    assert found.subtitle.startswith(f"Only version of the rubric {old.words}. ")
    assert found.rests_on == before.rests_on
    with pytest.raises(NotFound, match="version 99 of a rubric"):
        leaderboard(scope, "study", Wish(filters=Filters(wording=99)))


def test_the_judge_may_be_chosen_and_a_new_verdict_is_seen_at_once(tmp_path: Path) -> None:
    right, judged = values(40)
    scope = study(tmp_path, right, judged, 20)
    assert leaderboard(scope, "study").judge == "north"
    known = {"questions": [{"id": "q0", "text": "Question 0?", "category": "even"}]}
    known["answers"] = [{"question_id": "q0", "model": "Ash", "text": "Ash says 0.", "cost": 0.001}]
    bring(scope, tmp_path, **known, judge=judge_rows("south", ~judged[:20]))
    assert leaderboard(scope, "study").judges == ["north", "south"]
    assert leaderboard(scope, "study", Wish(judge="south")).judge == "south"
    assert leaderboard(scope, "study", Wish(judge="south")).counts.cells == 60
    refused = [
        {**row, "value": None, "status": "unscored", "reason": "refusal"}
        for row in judge_rows("west", judged)
    ]
    bring(
        scope,
        tmp_path,
        **known,
        judge=[{k: v for k, v in row.items() if k != "value"} for row in refused],
    )
    # as many verdicts as west's, and with values
    assert leaderboard(scope, "study").judge == "north"
    asked = leaderboard(scope, "study", Wish(judge="west")).subtitle
    assert asked == "20 questions labelled by people, blind; west has no value that counts."


def test_much_to_read_is_told_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leaderboard_ground, "MANY_CELLS", 10)
    right, judged = values(20)
    scope = study(tmp_path, right, judged, 10)
    assert leaderboard_so_far(scope, "study", Wish(patience=1.0, begun=False)).progress == Reading(
        0, 2
    )
    assert leaderboard_so_far(scope, "study", Wish(patience=0.0)).progress == Reading(1, 2)
    assert leaderboard_so_far(scope, "study", Wish(patience=0.0)).progress == Reading(2, 2)
    assert leaderboard_so_far(scope, "study", Wish(patience=0.0)).view == "small/relevance"
