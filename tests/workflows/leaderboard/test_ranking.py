"""The ranking: what it is sure of, and what it says where it cannot be sure."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from graders.statistics.prediction_powered import Differences, ppi, rogan_gladen
from graders.statistics.ranking import two
from graders.statistics.resampling import Estimate
from graders.workflows.agreement.agree import agreement
from graders.workflows.leaderboard import ranking as use
from graders.workflows.leaderboard.board import Pair, Row
from graders.workflows.leaderboard.compare import compare
from graders.workflows.leaderboard.compare import gate as compare_gate
from graders.workflows.leaderboard.ground import Wish
from graders.workflows.leaderboard.ranking import leaderboard
from graders.workflows.leaderboard.words import alone, tied
from graders.workflows.opinions.participants import Circle
from graders.workflows.projects.settings import change_rubric
from graders.workflows.scope.permissions import Scope
from tests.commands.runner import Line
from tests.support.ranked import MODELS, WORDS, study, values
from tests.support.studies import RUBRIC, bring, given, scope_at


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
