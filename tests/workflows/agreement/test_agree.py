"""Agreement: whose verdicts count, with what weight, against whom, and the answers behind every
number."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr

from graders.core.errors import InputError, NotFound
from graders.core.rubric import read_rubric
from graders.core.scale import Scale
from graders.statistics import pair_figures
from graders.statistics.agreement import kappa
from graders.statistics.resampling import Interval, cluster_tables, undefined
from graders.store import projects
from graders.workflows.agreement import agree
from graders.workflows.agreement.criterion_report import verdict
from graders.workflows.agreement.matrix import matrix_cell
from graders.workflows.agreement.records import MatrixCell
from tests.support.agreeing import NORTH, judged, pair, said, study, words
from tests.support.studies import RUBRIC, bring

# -- which verdicts count


def test_assisted_verdicts_are_left_out_counted_and_let_in_by_the_switch(tmp_path: Path) -> None:
    blind, assisted = words([0, 1] * 10), words([None] * 20 + [1] * 20)
    human = said("mira", blind) + said("mira", assisted, arm="assisted", design="ordinary")
    scope = study(tmp_path, human=human, judge=judged("north", words([0, 1] * 10 + [1] * 20)))
    found = agree.agreement(scope, "study")
    assert (pair(found, "north", "mira").cells, found.left_out.assisted) == (20, 20)
    assert "20 verdicts given with suggestions in view are left out." in found.subtitle
    everything = agree.agreement(scope, "study", blind_only=False)
    assert (pair(everything, "north", "mira").cells, everything.left_out.assisted) == (
        40,
        0,
    )
    assert everything.subtitle.endswith(
        "Assisted verdicts are included: they lean towards the suggestion that was shown."
    )


def test_verdicts_weigh_one_over_their_probability(tmp_path: Path) -> None:
    human = said("mira", words([0, 1] * 10), design="calibration", probability=0.5)
    human += said("mira", words([None] * 20 + [0, 1] * 10), design="calibration", probability=1.0)
    scope = study(tmp_path, human=human, judge=judged("north", words([0, 1] * 10 + [1, 0] * 10)))
    found = pair(agree.agreement(scope, "study"), "north", "mira")
    # 20 agree at weight 2, 20 differ at weight 1: 40 / 60
    assert found.raw.value == pytest.approx(2 / 3)
    # both use each value half the time: (2/3 - 1/2) / (1 - 1/2)
    assert found.lead.value == pytest.approx(1 / 3)
    assert found.counts == [[10, 10], [10, 10]]  # counts stay counts


def test_draws_from_different_populations_are_never_mixed(tmp_path: Path) -> None:
    human = said("mira", words([0, 1] * 10), design="calibration", probability=0.1)
    human += said("mira", words([None] * 20 + [0, 1] * 10), design="blind_arm", probability=0.2)
    scope = study(tmp_path, human=human, judge=judged("north", words([0, 1] * 10 + [1, 0] * 10)))
    found = agree.agreement(scope, "study")
    assert found.population.name == "all"
    assert (
        found.population.words
        == "20 verdicts of answers drawn for calibration, inverse-probability weighted, representative of all cells"
    )
    assert (pair(found, "north", "mira").lead.value, found.left_out.other_draws) == (
        1.0,
        20,
    )
    assert "20 blind verdicts of other samples are excluded." in found.subtitle
    others = agree.agreement(scope, "study", population="people")
    assert pair(others, "north", "mira").lead.value == -1.0
    with pytest.raises(InputError, match="expected one of all, people, audit"):
        agree.agreement(scope, "study", population="everybody")


def test_only_the_present_wording_and_the_current_answers_count(tmp_path: Path) -> None:
    bits = words([0, 1] * 20)
    scope = study(tmp_path, human=said("mira", bits), judge=judged("north", bits))
    assert pair(agree.agreement(scope, "study"), "north", "mira").counts == [[20, 0], [0, 20]]
    bring(scope, tmp_path, answers=[{"question_id": "q0", "model": "Ash", "text": "A new reply."}])
    assert pair(agree.agreement(scope, "study"), "north", "mira").counts == [[19, 0], [0, 20]]
    changed = read_rubric(
        RUBRIC.replace("Does it do what was asked?", "Does it do all that was asked?")
    )
    projects.save_rubric(scope.ws, scope.project("study"), changed)
    found = agree.agreement(scope, "study")
    assert (found.pairs, found.title) == (
        [],
        "No blind verdicts by people meet a judge's or a colleague's yet.",
    )


def test_a_report_is_kept_until_a_verdict_comes(tmp_path: Path) -> None:
    bits = words([0, 1] * 20)
    scope = study(tmp_path, human=said("mira", bits), judge=judged("north", bits))
    first = agree.agreement(scope, "study")
    assert agree.agreement(scope, "study") is first
    bring(
        scope,
        tmp_path,
        questions=[{"id": "q0", "text": "Question 0?"}],
        human=said("jonas", bits[:4]),
    )
    assert pair(agree.agreement(scope, "study"), "north", "jonas").cells == 4


# -- against whom


def test_adjudicated_is_a_target_of_its_own_and_no_person(tmp_path: Path) -> None:
    human = (
        said("mira", words([0, 1] * 20))
        + said("jonas", words([0, 1] * 18 + [1, 0] * 2))
        + said("adjudicated", words([0, 1] * 20))
    )
    found = agree.agreement(
        study(tmp_path, human=human, judge=judged("north", words([0, 1] * 20))), "study"
    )
    criterion = found.criteria[0]
    assert criterion.people.names == ["mira", "jonas"]
    # 36 of 40 equal, each value half the time: (.9 - .5) / .5
    assert criterion.people.mean.value == pytest.approx(0.8)
    judge = criterion.judges[0]
    assert judge.people.value == pytest.approx((1.0 + 0.8) / 2)
    assert judge.adjudicated.lead.value == 1.0
    kinds = sorted(p.kind for p in found.pairs)
    assert kinds == [
        "judge-adjudicated",
        "judge-person",
        "judge-person",
        "person-adjudicated",
        "person-adjudicated",
        "person-person",
    ]


def test_a_reference_group_decides_who_counts(tmp_path: Path) -> None:
    bits = words([0, 1] * 20)
    people = [
        {"id": name, "name": name, "group": group}
        for name, group in (("ann", "expert"), ("bob", "expert"), ("cy", "crowd"), ("di", "crowd"))
    ]
    human = said("ann", bits) + said("bob", bits) + said("cy", bits[::-1]) + said("di", bits[::-1])
    scope = study(tmp_path, human=human, judge=judged("north", bits), people=people)
    projects.set_settings(scope.ws, scope.project("study"), {"reference_group": "expert"})
    criterion = agree.agreement(scope, "study").criteria[0]
    assert (criterion.people.names, criterion.judges[0].people.value) == (
        ["ann", "bob"],
        1.0,
    )
    assert [(g.group, g.people, g.judges[0].people.value) for g in criterion.groups] == [
        ("crowd", 2, -1.0)
    ]


def test_somebody_called_in_on_disagreements_is_in_no_mean(tmp_path: Path) -> None:
    one, two = words([0, 1] * 20), words([0, 1] * 16 + [1, 0] * 4)
    third = [None] * 32 + one[32:]  # only where the two differ
    human = said("ann", one) + said("bob", two) + said("cy", third)
    people = (
        agree.agreement(study(tmp_path, human=human, judge=judged("north", one)), "study")
        .criteria[0]
        .people
    )
    assert (people.names, people.called_in) == (["ann", "bob"], ["cy"])
    assert people.mean.value == pytest.approx(0.6)  # 32 of 40 equal: (.8 - .5) / .5


def test_a_judge_that_always_says_the_same_is_said_to_do_so(tmp_path: Path) -> None:
    one, two = words([0, 1] * 20), words([0, 1] * 18 + [1, 0] * 2)
    human, judge = said("ann", one) + said("bob", two), judged("north", words([1] * 40))
    found = agree.agreement(study(tmp_path, human=human, judge=judge), "study").criteria[0]
    row = found.judges[0]
    assert (row.shown.value, row.verdict.word) == (0.0, "worse")
    assert row.verdict.reason == (
        "it says the same of every cell, and so agrees with people only by chance"
    )
    assert row.verdict.reason in row.sentence


def interval(
    value: float | None, low: float | None, high: float | None, status: str = "OK", reason: str = ""
) -> Interval:
    return Interval(
        value=value,
        low=low,
        high=high,
        level=0.95,
        n_cells=100,
        n_questions=50,
        method="",
        status=status,
        reason=reason,
    )  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("apart", "word", "reason"),
    [
        (interval(0.05, 0.01, 0.09), "better", ""),
        (interval(-0.05, -0.09, -0.01), "worse", ""),
        (interval(-0.01, -0.10, 0.08), "as good", ""),
        # reach .15, and .05 decides whatever the value is: 100 x ((.15 / .05)² - 1) cells, each by two
        (
            interval(-0.02, -0.17, 0.13),
            "INCONCLUSIVE",
            "at most about 1,600 more blind labels decide it",
        ),
        (
            interval(0.2, 0.1, 0.3, "INCONCLUSIVE", "fewer than 10 questions"),
            "INCONCLUSIVE",
            "fewer than 10 questions",
        ),
        (undefined("no two people share 30 cells"), "INCONCLUSIVE", "no two people share 30 cells"),
    ],
)
def test_the_difference_to_people_in_words(apart: Interval, word: str, reason: str) -> None:
    found = verdict(apart)
    assert (found.word, found.reason) == (word, reason)


def test_one_person_cannot_say_how_far_people_agree(tmp_path: Path) -> None:
    bits = words([0, 1] * 20)
    found = agree.agreement(
        study(tmp_path, human=said("mira", bits), judge=judged("north", bits)), "study"
    )
    assert found.criteria[0].people.mean.reason == "fewer than 2 people"
    assert found.criteria[0].judges[0].verdict.word == "INCONCLUSIVE"
    assert found.title == (
        "north agrees with people on Relevance with kappa 1.00, 40 answers; "
        "whether that is as good as a person is open."
    )
    assert found.subtitle.startswith("Not enough blind labels yet to compare judges with people.")
    assert found.criteria[0].people.lacking == (
        "needs a second person: 30 more blind labels, so that two graded 30 cells"
    )


# -- figures on long scales


def test_long_whole_number_scales_give_the_same_quadratic_kappa_from_moments() -> None:
    scale, rng = Scale("integer", low=0, high=100), np.random.default_rng(7)
    x = rng.integers(0, 101, 300)
    y = np.clip(x + rng.integers(-30, 31, 300), 0, 100)
    g = np.repeat(np.arange(60), 5)
    found = pair_figures.pair(scale, x.astype(float), y.astype(float), g, 60, None)
    table = cluster_tables(x, y, g, 101).sum(axis=0)
    assert found.lead.value == pytest.approx(float(kappa(table[None], "quadratic")[0]))
    assert found.raw.value == pytest.approx(float((x == y).mean()))
    assert np.sum(found.counts) == 300 and len(found.counts) == 5  # five equal ranges


def test_plain_ranges_are_compared_by_rank() -> None:
    rng = np.random.default_rng(3)
    x = rng.random(200)
    y = x + rng.normal(0, 0.2, 200)
    found = pair_figures.pair(Scale("numeric", low=-2, high=3), x, y, np.arange(200), 200, None)
    assert found.lead.value == pytest.approx(float(spearmanr(x, y).statistic))
    assert (found.raw.value, found.raw.reason) == (
        None,
        "values of a plain range are compared by rank",
    )


# -- from a matrix to the answers


def test_every_cell_of_a_matrix_opens_its_answers(tmp_path: Path) -> None:
    one, two = words([0, 0, 1, 1] * 10), words([0, 1, 1, 1] * 10)
    scope = study(
        tmp_path,
        human=said("mira", two, comment="because"),
        judge=judged("north", one),
        person="lead",
    )
    found = pair(agree.agreement(scope, "study"), "north", "mira")
    assert found.counts == [[10, 10], [0, 20]]
    opened = matrix_cell(
        scope,
        "study",
        MatrixCell("small/relevance", NORTH, "person:mira", "irrelevant", "relevant"),
    )
    assert (opened.total, [row.question_id for row in opened.rows[:3]]) == (
        10,
        ["q1", "q5", "q9"],
    )
    assert [(s.name, s.value) for s in opened.rows[0].said] == [
        ("north", "irrelevant"),
        ("mira", "relevant"),
    ]
    turned = matrix_cell(
        scope,
        "study",
        MatrixCell("small/relevance", "person:mira", NORTH, "relevant", "irrelevant"),
    )
    assert [row.question_id for row in turned.rows] == [row.question_id for row in opened.rows]
    assert (
        scope.ws.db.execute("SELECT count(*) FROM seen WHERE person_id = 'lead'").fetchone()[0]
        == 10
    )


@pytest.mark.parametrize(
    ("who", "value", "error"),
    [
        ("judge:south", "relevant", "author 'judge:south': found no author of that name"),
        (NORTH, "maybe", "expected one of irrelevant, relevant"),
    ],
)
def test_what_is_not_there_is_named(tmp_path: Path, who: str, value: str, error: str) -> None:
    scope = study(
        tmp_path, human=said("mira", words([0, 1] * 20)), judge=judged("north", words([0, 1] * 20))
    )
    with pytest.raises((NotFound, InputError), match=error):
        matrix_cell(
            scope, "study", MatrixCell("small/relevance", who, "person:mira", value, "relevant")
        )


def test_the_first_view_of_small_projects_is_whole(tmp_path: Path) -> None:
    bits = words([0, 1] * 20)
    found = agree.agreement(
        study(tmp_path, human=said("mira", bits), judge=judged("north", bits)),
        "study",
        intervals=False,
    )
    assert found.intervals


@pytest.mark.parametrize("criterion", ["completeness", "tone"])
def test_weights_and_values_count_alike_in_the_first_view(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, criterion: str
) -> None:
    values = {"completeness": [1, 2, 3, 4, 5], "tone": ["warm", "dry", "stiff"]}[criterion]
    one = [values[i % len(values)] for i in range(40)]
    two = [values[(i + (i % 3 == 0)) % len(values)] for i in range(40)]
    human = said("ann", one[:20], criterion, design="calibration", probability=0.5)
    human += said("bob", two, criterion, design="calibration", probability=0.25)
    scope = study(tmp_path, human=human, judge=judged("north", one, criterion))
    whole = agree.agreement(scope, "study")
    agree.forget()
    monkeypatch.setattr(agree, "FEW_OPINIONS", 0)
    first = agree.agreement(scope, "study", intervals=False)
    for a, b in (("ann", "bob"), ("north", "ann"), ("north", "bob")):
        key = f"small/{criterion}"
        early, late = pair(first, a, b, key), pair(whole, a, b, key)
        assert early.counts == late.counts
        assert early.lead.value == pytest.approx(late.lead.value)
        assert early.raw.value == pytest.approx(late.raw.value)


def test_figures_of_plain_ranges_are_the_same_without_intervals() -> None:
    rng = np.random.default_rng(5)
    x = rng.random(60)
    y = x + rng.normal(0, 0.3, 60)
    for scale in (Scale("numeric", low=-2, high=3), Scale("integer", low=0, high=100)):
        a, b = (
            (x, y)
            if scale.kind == "numeric"
            else (np.round(x * 100), np.clip(np.round(y * 100), 0, 100))
        )
        early, late = (
            pair_figures.first_pair(scale, a, b, 60, None),
            pair_figures.pair(scale, a, b, np.arange(60), 60, None),
        )
        assert early.lead.value == pytest.approx(late.lead.value)
        assert early.raw.value == (
            None if late.raw.value is None else pytest.approx(late.raw.value)
        )
        assert early.counts == late.counts
