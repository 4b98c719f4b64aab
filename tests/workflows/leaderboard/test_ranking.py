"""The leaderboard: which verdicts it rests on, what it is sure of, and what it says where it cannot
be sure."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graders.core.errors import InputError, NotFound
from graders.statistics.prediction_powered import Differences, ppi, rogan_gladen
from graders.statistics.ranking import two
from graders.statistics.resampling import Estimate
from graders.store import projects
from graders.store.opinions.filters import Filters
from graders.workflows.agreement.agree import agreement
from graders.workflows.leaderboard import ground as leaderboard_ground
from graders.workflows.leaderboard import ranking as use
from graders.workflows.leaderboard.board import Board, Pair, Row, Unranked
from graders.workflows.leaderboard.compare import compare
from graders.workflows.leaderboard.compare import gate as compare_gate
from graders.workflows.leaderboard.ground import Wish
from graders.workflows.leaderboard.ranking import leaderboard, leaderboard_so_far
from graders.workflows.leaderboard.words import alone, tied
from graders.workflows.opinions.narrowing import filters_of
from graders.workflows.opinions.participants import Circle
from graders.workflows.projects.settings import change_rubric
from graders.workflows.results import grid as results_grid
from graders.workflows.scope.permissions import Scope
from graders.workflows.scope.project_head import Reading
from tests.commands.runner import Line
from tests.support.studies import RUBRIC, bring, given, scope_at

MODELS = ("Ash", "Beech", "Cedar")
EVEN = Filters(category=("even",))
WORDS = ("irrelevant", "relevant")


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    use.forget()
    yield
    use.forget()


def study(
    folder: Path,
    right: np.ndarray,
    judged: np.ndarray | None,
    labelled: int,
    human: list[dict[str, Any]] | None = None,
    chosen: str = "random",
    **more: Any,
) -> Scope:
    """A project whose people say `right` on the first questions and whose judge says `judged` on
    all, 0 or 1 [questions, models]."""
    scope = scope_at(folder)
    n = len(right)
    questions = [
        {"id": f"q{i}", "text": f"Question {i}?", "category": "even" if i % 2 == 0 else "odd"}
        for i in range(n)
    ]
    answers = [
        {"question_id": f"q{i}", "model": m, "text": f"{m} says {i}.", "cost": 0.001 * (k + 1)}
        for i in range(n)
        for k, m in enumerate(MODELS)
    ]
    blind = [
        given(f"q{i}", m, "relevance", "mira", WORDS[int(right[i, k])], **more)
        for i in range(labelled)
        for k, m in enumerate(MODELS)
    ]
    machine = [] if judged is None else judge_rows("north", judged)
    bring(
        scope,
        folder,
        chosen=chosen,
        questions=questions,
        answers=answers,
        human=blind + (human or []),
        judge=machine,
    )
    return scope


def judge_rows(name: str, judged: np.ndarray, criterion: str = "relevance") -> list[dict[str, Any]]:
    return [
        {
            "question_id": f"q{i}",
            "model": m,
            "criterion": f"small/{criterion}",
            "judge": name,
            "value": WORDS[int(judged[i, k])],
        }
        for i in range(len(judged))
        for k, m in enumerate(MODELS)
    ]


def values(n: int = 120, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """People: .9, .6, .55 right; a judge that errs on a tenth."""
    draw = np.random.default_rng(seed)
    right = draw.random((n, 3)) < [0.9, 0.6, 0.55]
    return right, np.where(draw.random((n, 3)) < 0.1, ~right, right)


def test_figures_are_those_of_the_statistics(tmp_path: Path) -> None:
    right, judged = values()
    found = leaderboard(study(tmp_path, right, judged, 60), "study")
    g, m = np.repeat(np.arange(120), 3), np.tile(np.arange(3), 120)
    expected = ppi(
        right.ravel().astype(float),
        np.repeat(np.arange(120) < 60, 3),
        judged.ravel(),
        np.full(360, 0.5),
        g,
        m,
    )
    for row in found.models:
        one = expected.intervals[MODELS.index(row.model)]
        assert [row.figure.value, row.figure.low, row.figure.high] == pytest.approx(
            [100 * one.value, 100 * one.low, 100 * min(one.high, 1)]
        )
        assert row.gain == pytest.approx(expected.gain[MODELS.index(row.model)])
    assert found.models[0].model == "Ash"
    first, value = found.models[0], found.models[0].figure
    assert first.sentence == (
        f"Ash, Relevance (relevant, %): {value.value:.1f} (95 % interval {value.low:.1f} to {value.high:.1f}); rank 1 of 3. "
        f"north on 120 questions, corrected by people (PPI++): 60 questions labelled by people. {found.rests_on}"
    )
    assert found.pair.sentence.startswith(f"Ash minus {found.pair.b}, Relevance (relevant, %): +")
    assert found.models[0].ranks == (1, 1)
    assert found.title == "Ash leads; the next two cannot be told apart."
    assert found.ties == [(1, 2)]
    assert found.subtitle.startswith(
        "120 questions judged by north, 60 of them also by people, blind. Judge and human labels together are worth "
    )
    assert found.rests_on == (
        "Counted: people's blind verdicts on 180 cells of 60 questions, drawn or imported, inverse-probability weighted; "
        "representative of the 360 cells that the judge graded."
    )
    assert (
        found.alone
        == "All labels are mira's: whether another person would rank the models so cannot be said."
    )
    assert [row.cost for row in sorted(found.models, key=lambda r: r.model)] == pytest.approx(
        [0.001, 0.002, 0.003]
    )


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


def test_rogan_gladen_on_request_for_two_values(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    right, judged = values()
    scope = study(tmp_path, right, judged, 60)
    assert (
        leaderboard(scope, "study").rogan_gladen is None and leaderboard(scope, "study").two_valued
    )
    shares = leaderboard(scope, "study", rogan_gladen=True).rogan_gladen.figures
    for k, model in enumerate(MODELS):
        one = rogan_gladen(right[:60, k], judged[:60, k], judged[:, k])
        assert (
            f" {shares[model].value:.1f} (95 % interval {shares[model].low:.1f} to "
            in shares[model].sentence
        )
        assert [shares[model].value, shares[model].low, shares[model].high] == pytest.approx(
            [100 * one.value, 100 * one.low, 100 * one.high]
        )
    line = Line(scope.ws.path, capsys)
    ash = shares["Ash"]
    assert (
        f"{'':<8}{'Ash':<28}{ash.value:.1f} [{ash.low:.1f}, {ash.high:.1f}]\n"
        in line("leaderboard", "--rogan-gladen").out
    )
    common = {"criterion": "small/completeness", "annotator": "mira"}
    marks = [
        {"question_id": f"q{i}", "model": m, "value": 1 + i % 5, **common}
        for i in range(20)
        for m in MODELS
    ]
    bring(
        scope,
        tmp_path,
        questions=[{"id": "q0", "text": "Question 0?", "category": "even"}],
        human=marks,
    )
    found = line("leaderboard", "--rogan-gladen")
    change_rubric(
        scope,
        "study",
        "small",
        RUBRIC.replace("Does it do what was asked?", "Does it do all of it?"),
    )
    now = leaderboard(scope, "study", Wish(view="small/relevance"))
    assert now.subtitle == "No answer has a blind label; north has no value that counts."
    left = "180 verdicts of people given under another wording and 360 verdicts of the judge given under another wording"
    assert now.rests_on.endswith(f"Left out on Relevance: {left}.")
    apart = agreement(scope, "study").left_out
    assert {
        name: getattr(apart, name) for name in ("assisted", "other_draws", "earlier_wording")
    } == {
        "assisted": now.counts.assisted,
        "other_draws": now.counts.other_draws,
        "earlier_wording": now.counts.wordings,
    }
    assert (
        found.code == 2
        and "--rogan-gladen: found overall, expected a criterion with two values in order. Name one with --criterion."
        in found.err
    )


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
    assert found.subtitle == "20 questions labelled by people, blind; no judge graded them."


def test_a_judge_that_misleads_is_named(tmp_path: Path) -> None:
    right, _ = values()
    judged = right.copy()
    judged[:, 0] = right[:, 1]  # it cannot see what makes Ash right
    judged[:, 2] = True  # and is charmed by Cedar
    found = leaderboard(study(tmp_path, right, judged, 60), "study")
    assert found.misled.example.better == "Ash"
    assert "puts Cedar above Ash" in found.warning
    assert leaderboard(_other(tmp_path, *values()), "study").warning == ""


def _other(tmp_path: Path, right: np.ndarray, judged: np.ndarray) -> Scope:
    folder = tmp_path / "other"
    folder.mkdir()
    return study(folder, right, judged, 60)


def test_a_corrected_value_does_not_leave_the_scale(tmp_path: Path) -> None:
    draw = np.random.default_rng(7)
    right = draw.random((30, 3)) < [0.95, 0.8, 0.5]
    judged = np.where(draw.random((30, 3)) < 0.3, ~right, right)
    found = leaderboard(study(tmp_path, right, judged, 6), "study")
    g, m = np.repeat(np.arange(30), 3), np.tile(np.arange(3), 30)
    expected = ppi(
        right.ravel().astype(float),
        np.repeat(np.arange(30) < 6, 3),
        judged.ravel(),
        np.full(90, 0.2),
        g,
        m,
    )
    assert max(one.value or 0.0 for one in expected.intervals) > 1
    assert found.models[0].figure.value == 100


def test_few_labels_and_none_are_said(tmp_path: Path) -> None:
    right, judged = values(30)
    assert alone(Circle({}, {1: "mira", 2: "jonas"}, None), 6) == ""
    few = leaderboard(study(tmp_path, right, judged, 6), "study")
    assert few.title == "Not enough blind labels yet to rank the models."
    assert {row.figure.reason for row in few.models} == {"fewer than 10 labelled questions"}
    folder = tmp_path / "none"
    folder.mkdir()
    scope = study(folder, right, judged, 0)
    none = leaderboard(scope, "study", Wish(show="corrected"))
    assert none.title == "People's blind labels are missing: no model can be ranked yet."
    assert [row.figure for row in none.models] == [None] * 3
    assert leaderboard(scope, "study", Wish(show="judge")).models[0].model == "Ash"


def test_where_no_person_has_spoken_the_judges_values_are_shown_as_unconfirmed(
    tmp_path: Path,
) -> None:
    right, judged = values(30)
    scope = study(tmp_path, right, judged, 0)
    found, judge = leaderboard(scope, "study"), leaderboard(scope, "study", Wish(show="judge"))
    assert (found.show, found.unconfirmed, judge.unconfirmed) == ("judge", True, False)
    assert found.title == judge.title and found.title.startswith("By north alone, ")
    assert found.subtitle.startswith("Unconfirmed: no blind rating of a person counts yet. ")
    assert [row.figure for row in found.models] == [row.figure for row in judge.models]
    assert use.gate(found.models, unconfirmed=found.unconfirmed) == 5  # nothing is decided on them
    two = compare(scope, "study", "Ash", "Beech")
    assert two.unconfirmed and two.subtitle.startswith("Unconfirmed: ")
    assert compare_gate(two.lead, "better", unconfirmed=two.unconfirmed).code == 5
    scope = study(tmp_path / "labelled", right, judged, 1)
    assert leaderboard(scope, "study").show == "corrected"


def test_one_question_is_no_ranking(tmp_path: Path) -> None:
    right, judged = values(1)
    found = leaderboard(study(tmp_path, right, judged, 1), "study")
    assert found.title == "Not enough blind labels yet to rank the models."
    assert all(row.figure.low is None and row.ranks is None for row in found.models)
    pair = found.pair
    assert (pair.p_flip, pair.more, pair.doubt) == (
        None,
        None,
        "fewer than 10 labelled questions",
    )
    assert (
        ", 1 question in pairs, INCONCLUSIVE: fewer than 10 labelled questions. north on 1 question"
        in pair.sentence
    )
    assert "; rank" not in found.models[0].sentence


def test_a_model_with_few_labels_has_no_rank_and_takes_no_place_from_others(tmp_path: Path) -> None:
    right, judged = values()
    human = [
        given(f"q{i}", m, "relevance", "mira", WORDS[int(right[i, k])])
        for i in range(60)
        for k, m in enumerate(MODELS[:2])
    ]
    # it trails by far, on nine questions
    human += [given(f"q{i}", "Cedar", "relevance", "mira", "irrelevant") for i in range(9)]
    found = leaderboard(
        study(tmp_path, right, judged, 0, human), "study", Wish(show="people"), a="Ash", b="Cedar"
    )
    assert [(row.model, row.ranks) for row in found.models] == [
        ("Ash", (1, 2)),
        ("Beech", (2, 3)),
        ("Cedar", None),
    ]
    assert found.ties == [(1, 2)]
    assert (found.pair.p_flip, found.pair.doubt) == (
        None,
        "fewer than 10 labelled questions",
    )


def test_all_verdicts_equal_have_no_interval(tmp_path: Path) -> None:
    same = np.ones((30, 3), bool)
    found = leaderboard(study(tmp_path, same, same, 20), "study")
    assert {row.figure.status for row in found.models} == {"INCONCLUSIVE"}
    assert found.models[0].figure.reason == "all labels are alike: no interval can be estimated"


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


def test_words_for_many_ties_and_for_labels_without_order(tmp_path: Path) -> None:
    table = [f"m{i}" for i in range(40)]
    told = tied(table, [(i, i + 9) for i in range(1, 31)])
    assert told[0] == "Cannot be told apart: m1 to m10, the 10 from place 2 on."
    assert (len(told), told[-1]) == (7, "24 more runs of models cannot be told apart.")
    assert tied(table, [(0, 1)]) == ["Cannot be told apart: m0, m1."]
    tones = [given(f"q{i}", m, "tone", "mira", "warm") for i in range(12) for m in MODELS]
    only = "rubric: small\ncriteria:\n  tone: {question: Which tone?, scale: {labels: [warm, dry, stiff], ordered: false}, review: people}\n"
    scope = scope_at(tmp_path)
    questions = [{"id": f"q{i}", "text": "?"} for i in range(12)]
    answers = [{"question_id": f"q{i}", "model": m, "text": m} for i in range(12) for m in MODELS]
    bring(scope, tmp_path, only, questions=questions, answers=answers, human=tones)
    assert (
        leaderboard(scope, "study").title
        == "No criterion here has an order to rank models by: labels without one have no mean."
    )


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


LISTED = """
rubric: small
criteria:
  facts: {question: Is the fact there?, scale: ["no", "yes"], parts: facts, graders: [judge], review: people}
"""


def listed(
    folder: Path,
    said: dict[str, list[list[int]]],
    judged: dict[str, list[list[int]]],
    without: tuple[str, ...] = (),
) -> Scope:
    """A checklist per question: what people and a judge say of each fact, 0 or 1, by model;
    `without` a person's word on "q fact model"."""
    scope, words = scope_at(folder), ("no", "yes")
    sizes = [len(row) for row in judged["Ash"]]
    questions = [
        {"id": f"q{i}", "text": f"Question {i}?", "facts": [f"fact {k}" for k in range(size)]}
        for i, size in enumerate(sizes)
    ]
    answers = [
        {"question_id": f"q{i}", "model": m, "text": f"{m} says {i}."}
        for i in range(len(sizes))
        for m in judged
    ]
    places = [(i, m, k) for i, size in enumerate(sizes) for m in judged for k in range(size)]
    human = [
        given(f"q{i}", m, "facts", "mira", words[said[m][i][k]], part=f"fact {k}")
        for i, m, k in places
        if i < len(said[m]) and f"q{i} {k} {m}" not in without
    ]
    judge = [
        {
            "question_id": f"q{i}",
            "model": m,
            "criterion": "small/facts",
            "part": f"fact {k}",
            "judge": "north",
            "value": words[judged[m][i][k]],
        }
        for i, m, k in places
    ]
    bring(scope, folder, LISTED, questions=questions, answers=answers, human=human, judge=judge)
    return scope


def test_an_answer_with_twelve_facts_counts_as_much_as_one_with_two(tmp_path: Path) -> None:
    ash, oak = [[1] * 12, [0, 0], [1, 0]], [[0] * 12, [1, 1], [1, 1]]
    scope = listed(tmp_path, {"Ash": ash[:2], "Oak": oak[:2]}, {"Ash": ash, "Oak": oak})
    judged = leaderboard(scope, "study", Wish(view="small/facts", show="judge"))
    # Ash (1 + 0 + 1/2) / 3, Oak (0 + 1 + 1) / 3; over facts it would be 13/16 against 4/16
    assert {row.model: row.figure.value for row in judged.models} == pytest.approx(
        {"Ash": 50.0, "Oak": 200 / 3}
    )
    assert (judged.counts.cells, judged.counts.labels, judged.counts.partly) == (
        32,
        28,
        0,
    )
    people = leaderboard(scope, "study", Wish(view="small/facts", show="people"))
    assert {row.model: row.figure.value for row in people.models} == pytest.approx(
        {"Ash": 50.0, "Oak": 50.0}
    )
    use.forget()
    grid = {row.model: row.cells["small/facts"] for row in results_grid.grid(scope, "study").models}
    assert {model: cell.value for model, cell in grid.items()} == pytest.approx(
        {"Ash": 50.0, "Oak": 50.0}
    ), "as Results has it"


def test_labels_of_an_answer_count_when_all_its_parts_have_one(tmp_path: Path) -> None:
    ash, oak = [[1, 1], [0, 0]], [[0, 1], [1, 1]]
    scope = listed(
        tmp_path, {"Ash": ash, "Oak": oak}, {"Ash": ash, "Oak": oak}, without=("q0 1 Ash",)
    )
    people = leaderboard(scope, "study", Wish(view="small/facts", show="people"))
    assert {row.model: row.figure.value for row in people.models} == pytest.approx(
        {"Ash": 0.0, "Oak": 75.0}
    )
    assert (people.counts.labels, people.counts.partly) == (6, 1)
    assert people.rests_on.endswith("Left out: 1 label on answers of which another part has none.")


@pytest.mark.parametrize(
    ("low", "high", "code"), [(-0.9, 16.4, 5), (0.7, 16.4, 0), (-9.0, -0.7, 4)]
)
def test_the_gate_tells_an_order_where_the_interval_does(
    low: float, high: float, code: int
) -> None:
    figure = Estimate(50.0, 40.0, 60.0, 30, 30, "OK", "", "t")
    models = [Row(name, 1, (1, 2), figure, None, None, None) for name in ("Ash", "Oak")]
    apart = (low + high) / 2
    arrays = ([[part]] for part in (apart, 1.0, 0.04, low, high, 29, 1.0))
    found = two(Differences(*map(np.array, arrays)), 0, 0)
    pair = Pair("", "Ash", "Oak", apart, low, high, 0.04, found.tied, 30, None, "")
    assert pair.tied == (code == 5)
    assert use.gate(models, pair, "Ash", "Oak") == code
