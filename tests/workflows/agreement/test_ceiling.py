"""The ceiling: people and judges against the same targets, what is missing, which verdicts a view
lets in, figures as sentences."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from graders.core.errors import InputError, NotFound
from graders.core.rubric import read_rubric
from graders.core.scale import Scale
from graders.store import projects
from graders.store.calls import runs
from graders.workflows.agreement import agree, by_wording
from graders.workflows.agreement.criterion_report import verdict
from graders.workflows.agreement.details import details
from graders.workflows.agreement.matrix import matrix_cell
from graders.workflows.agreement.records import MatrixCell, Silent, Verdict, Word
from graders.workflows.opinions.narrowing import filters_of
from graders.workflows.rubrics.rubric_list import rubric_list
from tests.support.agreeing import NORTH, judged, said, study, words
from tests.support.judge_human import judge_human
from tests.support.studies import RUBRIC, bring
from tests.support.voices import beside


@pytest.mark.parametrize(
    "scale",
    [
        Scale("integer", low=1, high=5),
        Scale("ordered", labels=("no", "yes")),
        Scale("nominal", labels=("a", "b", "c", "d", "e")),
    ],
    ids=["integer", "two labels", "nominal"],
)
def test_without_gaps_the_ceiling_is_the_mean_over_pairs_of_the_statistics(scale: Scale) -> None:
    rng, K = np.random.default_rng(11), len(scale.values)
    g = np.repeat(np.arange(30), 4)
    true = rng.integers(0, K, 120)
    codes = np.stack(
        [np.where(rng.random(120) < 0.7, true, rng.integers(0, K, 120)) for _ in range(4)]
    )
    judge = np.where(rng.random(120) < 0.6, true, rng.integers(0, K, 120))
    judge[:10] = -1
    seen = judge >= 0
    reference = judge_human(judge[seen], codes[:, seen], g[seen], scale)
    numbers = np.array([*scale.numbers, np.nan])
    found = beside(scale, numbers[codes], numbers[judge], g)
    for mine, theirs in ((found.people, reference.macro_people), (found.judge, reference.macro)):
        assert mine.value == pytest.approx(theirs.value)
        assert (mine.low, mine.high) == (pytest.approx(theirs.low), pytest.approx(theirs.high))
    assert found.apart.value == pytest.approx(
        (reference.macro.value or 0) - (reference.macro_people.value or 0)
    )
    # it rests on cells, not on pairs of people
    assert (found.people.n_cells, found.graders, found.judged) == (110, 4, 110)


def test_with_gaps_alpha_leads_and_every_pair_is_in_the_ceiling(tmp_path: Path) -> None:
    # three people in a circle: each two share 20 cells, too few for a pair of its own
    rng = np.random.default_rng(4)
    true = rng.integers(0, 2, 60)
    rows = np.where(rng.random((3, 60)) < 0.1, 1 - true, true).astype(object)
    for person in range(3):
        rows[person, 20 * person : 20 * person + 20] = None
    north = np.where(rng.random(60) < 0.2, 1 - true, true).tolist()
    human = [
        row
        for who, bits in zip(("ann", "bob", "cy"), rows, strict=True)
        for row in said(who, words(bits.tolist()))
    ]
    scope = study(tmp_path, human=human, judge=judged("north", words(north)), n=60)
    report = agree.agreement(scope, "study")
    criterion = report.criteria[0]
    assert (criterion.gaps, criterion.figure, criterion.pair_figure) == (
        True,
        "nominal alpha" if not criterion.ordered else "ordinal alpha",
        "kappa",
    )
    people, judge = criterion.people, criterion.judges[0]
    assert (people.ceiling.status, people.ceiling.n_cells, people.graders) == ("OK", 60, 3)
    assert (people.mean.status, people.mean.reason) == ("EARLY", "no two of them share 30 cells")
    assert "3 people, 60 cells of 60 questions that two of them graded" in people.sentence
    assert (judge.shown.status, judge.shown.n_cells, judge.shown_against) == ("OK", 60, "people")
    assert judge.verdict.short is None
    assert "with ordinal alpha" in judge.sentence
    # pairs keep their kappa
    assert all("with kappa" in pair.sentence for pair in report.pairs)


def test_a_judge_is_held_against_the_ceiling_on_the_cells_that_both_graded(tmp_path: Path) -> None:
    # people differ on the second half, which the judge did not grade
    one, two = (
        words([0, 1] * 40),
        words([0, 1] * 20 + [1, 0] * 20),
    )
    scope = study(
        tmp_path, human=said("ann", one) + said("bob", two), judge=judged("north", one[:40]), n=80
    )
    criterion = agree.agreement(scope, "study").criteria[0]
    judge = criterion.judges[0]
    assert criterion.people.ceiling.value == pytest.approx(0.0)  # 40 of 80 alike
    assert (judge.ceiling.value, judge.shown.value, judge.shown_against) == (
        1.0,
        1.0,
        "people",
    )
    assert judge.kind == "judge"


@pytest.mark.parametrize(
    ("shared", "reason", "missing"),
    [
        (
            0,
            "30 more {}s: two people and the judge have graded 0 of 30 cells on 0 of 10 questions",
            30,
        ),
        (29, "1 more {}: two people and the judge have graded 29 of 30 cells", 1),
    ],
)
def test_what_is_missing_is_said_in_labels(
    tmp_path: Path, shared: int, reason: str, missing: int
) -> None:
    bits = words([0, 1] * 20)
    human = said("ann", bits) + (
        said("bob", bits[:shared]) if shared else said("bob", [*[None] * 40, *words([0, 1])])
    )
    scope = study(tmp_path, human=human, judge=judged("north", bits), n=42)
    # among all verdicts any label would do
    for blind_only, label in (
        (True, "blind label"),
        (False, "label"),
    ):
        verdict = (
            agree.agreement(scope, "study", blind_only=blind_only).criteria[0].judges[0].verdict
        )
        assert (verdict.word, verdict.reason, verdict.missing) == (
            "INCONCLUSIVE",
            reason.format(label),
            missing,
        )


TONES = Scale("nominal", labels=("warm", "dry", "stiff"))


def test_three_experts_on_all_36_cells_of_14_tests_are_asked_for_no_more_labels() -> None:
    rng = np.random.default_rng(3)
    for _ in range(14):
        true = rng.integers(0, 3, 36)
        people, judge = (
            np.where(rng.random((rows, 36)) < 0.6, true, rng.integers(0, 3, (rows, 36))) * 1.0
            for rows in (3, 1)
        )
        found = beside(TONES, people, judge[0])
        assert found.lack is None
        assert found.people.value is not None and found.apart.low is not None
        assert found.people.n_cells == 36


@pytest.mark.parametrize("seed", range(12))
def test_the_labels_that_are_asked_for_end_the_lack(seed: int) -> None:
    rng = np.random.default_rng(seed)
    true = rng.integers(0, 2, 80) * 1.0
    people = np.where(rng.random((2, 80)) < rng.uniform(0.05, 0.5, (2, 1)), true, np.nan)
    judge = np.where(rng.random(80) < 0.9, true, np.nan)
    scale = Scale("ordered", labels=("no", "yes"))
    lack = beside(scale, people, judge).lack
    assert lack is not None and lack.missing is not None and lack.short == "cells"
    # cells with one label first, then those without any
    judged_cells = np.flatnonzero(~np.isnan(judge))
    by = (~np.isnan(people)).sum(axis=0)[judged_cells]
    order = np.concatenate([judged_cells[by == 1], judged_cells[by == 0]])
    wanted = [(p, cell) for cell in order for p in (0, 1) if np.isnan(people[p, cell])]
    for p, cell in wanted[: lack.missing - 1]:
        people[p, cell] = true[cell]
    left = beside(scale, people, judge).lack
    assert left is not None and left.missing == 1
    p, cell = wanted[lack.missing - 1]
    people[p, cell] = true[cell]
    assert beside(scale, people, judge).lack is None


@pytest.mark.parametrize(("alone", "missing"), [(0, 14), (3, 11), (9, 7)])
def test_labels_for_further_questions_end_the_lack(alone: int, missing: int) -> None:
    """Two people share 36 cells of 3 questions; one of them graded a cell of `alone` others."""
    scale, g = Scale("ordered", labels=("no", "yes")), np.arange(240) // 12
    true = np.random.default_rng(1).integers(0, 2, 240) * 1.0
    people = np.full((2, 240), np.nan)
    people[:, :36] = true[:36]
    further = 36 + 12 * np.arange(17)
    people[0, further[:alone]] = true[further[:alone]]
    lack = beside(scale, people, true, g).lack
    assert lack is not None and (lack.short, lack.missing) == ("questions", missing)
    wanted = [(p, cell) for cell in further for p in (0, 1) if np.isnan(people[p, cell])]
    for p, cell in wanted[: missing - 1]:
        people[p, cell] = true[cell]
    assert beside(scale, people, true, g).lack is not None
    p, cell = wanted[missing - 1]
    people[p, cell] = true[cell]
    assert beside(scale, people, true, g).lack is None


def test_the_labels_that_a_verdict_asks_for_end_it_where_figures_stay_as_they_are() -> None:
    scale = Scale("ordered", labels=("no", "yes"))
    rng, asked = np.random.default_rng(7), 0
    for _ in range(20):
        true = rng.integers(0, 2, 40)
        ann, bob, north = np.where(rng.random((3, 40)) < 0.12, 1 - true, true) * 1.0
        people = np.stack([ann, bob])
        before = verdict(beside(scale, people, north).apart)
        if before.word != Word.INCONCLUSIVE or before.missing is None:
            continue
        asked += 1
        times = 1 + -(-before.missing // 80)  # 80 labels a copy, two on each cell
        after = verdict(beside(scale, np.tile(people, times), np.tile(north, times)).apart)
        assert after.word != Word.INCONCLUSIVE, (before, after)
    assert asked >= 10


def test_few_questions_are_said_too(tmp_path: Path) -> None:
    bits = words([0, 1] * 15)
    scope = study(tmp_path, human=[], judge=[], n=3)
    models = [f"m{i}" for i in range(15)]
    cells = [(f"q{q}", m) for q in range(2) for m in models]
    rows = [
        {"question_id": q, "model": m, "criterion": "small/relevance", "value": v}
        for (q, m), v in zip(cells, bits, strict=True)
    ]
    answers = [{"question_id": q, "model": m, "text": f"{m} {q}"} for q, m in cells]
    human = [{**row, "annotator": who} for row in rows for who in ("ann", "bob")]
    bring(
        scope,
        tmp_path,
        answers=answers,
        human=human,
        judge=[{**row, "judge": "north"} for row in rows],
    )
    verdict = agree.agreement(scope, "study").criteria[0].judges[0].verdict
    assert (verdict.word, verdict.reason) == (
        "INCONCLUSIVE",
        "there are only 3 questions, and 10 are needed",
    )


@pytest.mark.parametrize(
    ("n", "there"),
    [
        (600, "more blind labels"),
        (45, "these 2 people can give only 10"),
        (40, "every cell has a label of each person"),
    ],
)
def test_more_labels_than_there_can_be_are_not_asked_for(
    tmp_path: Path, n: int, there: str
) -> None:
    bits = words([0, 1] * 20)
    other = words([0, 1] * 19 + [1, 0])  # people differ on two cells, the judge on three others
    north = words([1, 0, 1, 1] + [0, 1] * 18)
    scope = study(
        tmp_path, human=said("ann", bits) + said("bob", other), judge=judged("north", north), n=n
    )
    verdict = agree.agreement(scope, "study").criteria[0].judges[0].verdict
    assert verdict.word == "INCONCLUSIVE" and there in verdict.reason
    if n == 600:
        assert verdict.reason == f"at most about {verdict.missing:,} more blind labels decide it"
    else:
        assert verdict.missing is None and "further" in verdict.reason


# -- filters


def test_filters_narrow_verdicts_down_and_the_matrix_leads_to_just_these(tmp_path: Path) -> None:
    bits = words([0, 1] * 20)
    human = said("ann", bits, created_at="2026-01-05T10:00:00Z") + said(
        "bob", bits, created_at="2026-03-05T10:00:00Z"
    )
    scope = study(tmp_path, human=human, judge=judged("north", bits))
    bring(
        scope,
        tmp_path,
        questions=[
            {"id": f"q{i}", "text": f"Question {i}?", "category": "chess" if i < 10 else "go"}
            for i in range(40)
        ],
    )
    whole = agree.agreement(scope, "study")
    assert [one.value for one in whole.choices["category"]] == ["chess", "go"]

    def cells(**chosen: list[str]) -> int:
        found = agree.agreement(scope, "study", filters=filters_of(chosen))
        return found.criteria[0].cells if found.criteria else 0

    assert cells(category=["chess"]) == 10
    assert cells(category=["chess", "go"]) == 40
    with pytest.raises(NotFound, match="model 'Oak': found no answer with it, expected one of "):
        cells(model=["Oak"])
    january = filters_of({"until": ["2026-01-31"]})
    found = agree.agreement(scope, "study", filters=january)
    assert [p.b_name for p in found.pairs] == ["ann"]
    only = filters_of({"annotator": ["bob"], "category": ["go"]})
    assert (
        "only category go, annotator bob"
        in agree.agreement(scope, "study", filters=only).criteria[0].judges[0].sentence
    )
    opened = matrix_cell(
        scope,
        "study",
        MatrixCell("small/relevance", NORTH, "person:bob", "relevant", "relevant"),
        filters=only,
    )
    assert opened.total == 15
    assert (
        matrix_cell(
            scope,
            "study",
            MatrixCell("small/relevance", NORTH, "person:bob", "relevant", "relevant"),
            filters=january,
        ).total
        == 0
    )


@pytest.mark.parametrize(
    ("chosen", "error"),
    [
        ({"colour": ["red"]}, "filter 'colour': found no such filter"),
        (
            {"since": ["yesterday"]},
            "filter since: found 'yesterday', expected a date such as 2026-11-21",
        ),
        (
            {"task_type": ["silly"]},
            "filter task_type: found 'silly', expected one of factual, creative, unknown",
        ),
        (
            {"wording": ["x"]},
            "filter wording: found 'x', expected the number of a version of a rubric",
        ),
    ],
)
def test_filters_that_there_are_not_are_named(chosen: dict[str, list[str]], error: str) -> None:
    with pytest.raises(InputError, match=error):
        filters_of(chosen)


def test_verdicts_under_an_earlier_scale_are_shown_under_that_version_alone(tmp_path: Path) -> None:
    values = [1, 2, 3, 4, 5] * 8
    human = said("ann", values, "completeness") + said("bob", values, "completeness")
    scope = study(tmp_path, human=human, judge=judged("north", values, "completeness"))
    before = agree.agreement(scope, "study")
    bring(
        scope,
        tmp_path,
        questions=[{"id": "q0", "text": "Question 0?"}],
        human=said("adjudicated", [2], "completeness"),
    )
    changed = RUBRIC.replace(
        "scale: {from: 1, to: 5, anchors: {1: nothing, 5: everything}}", "scale: [some, all]"
    )
    projects.save_rubric(scope.ws, scope.project("study"), read_rubric(changed))
    now = agree.agreement(scope, "study")
    # and an adjudicated one
    assert (now.criteria, now.left_out.earlier_wording) == (
        [],
        81,
    )
    [told] = [c for c in rubric_list(scope, "study").rubrics[0].criteria if c.people]
    assert told.people == 81
    assert "81 verdicts of people given under another wording are left out." in now.subtitle
    old = next(one for one in now.choices["wording"] if not one.active)
    found = agree.agreement(scope, "study", filters=filters_of({"wording": [old.value]}))
    assert [c.judges[0].shown.value for c in found.criteria] == [
        c.judges[0].shown.value for c in before.criteria
    ]
    assert found.criteria[0].ranges == ["1", "2", "3", "4", "5"]
    with pytest.raises(NotFound, match="version 99 of a rubric"):
        agree.agreement(scope, "study", filters=filters_of({"wording": ["99"]}))


def test_wordings_stand_beside_each_other_and_what_is_said_anew_hides_no_old_verdict(
    tmp_path: Path,
) -> None:
    bits = words([0, 1] * 20)
    scope = study(
        tmp_path,
        human=said("ann", bits) + said("bob", bits),
        judge=judged("north", words([0, 1] * 16 + [1, 0] * 4)),
    )
    old = agree.agreement(scope, "study").criteria[0].judges[0].shown
    assert by_wording.versions(scope, "study").criteria == []
    changed = RUBRIC.replace(
        "Does it do what was asked?", "Does it do all that was asked?"
    ).replace("rubric: small", "rubric: small\nversion: 2")
    projects.save_rubric(scope.ws, scope.project("study"), read_rubric(changed))
    # since it was changed nobody has graded
    nobody = by_wording.versions(scope, "study").criteria[0].wordings[0]
    assert (nobody.present, nobody.judges, nobody.cells) == (True, [], 0)
    assert (
        nobody.words == "no verdict that counts under this wording meets a judge's or a colleague's"
    )
    asked, anew = [{"id": "q0", "text": "Question 0?"}], {"rationale": "Said anew."}
    human, judge = (
        [{**row, **anew} for row in rows] for rows in (said("ann", bits), judged("north", bits))
    )
    # bob has said nothing anew
    bring(scope, tmp_path, changed, questions=asked, human=human, judge=judge)
    (found,) = by_wording.versions(scope, "study").criteria
    now, before = found.wordings
    assert [(one.version, one.present, one.cells) for one in (now, before)] == [
        ("2", True, 40),
        ("1", False, 40),
    ]
    assert now.judges[0].shown.value == 1.0 and before.judges[0].shown == old
    assert (now.people.value, before.people.value) == (None, 1.0)
    assert before.judges[0].sentence.startswith("On Relevance, north agrees with ")
    assert before.judges[0].sentence.endswith(
        f" Wording: version 1, since {before.since}, no longer in force."
    )
    view = filters_of({"wording": [str(before.id)]})
    behind = matrix_cell(
        scope,
        "study",
        MatrixCell("small/relevance", NORTH, "person:bob", "relevant", "irrelevant"),
        filters=view,
    )
    assert behind.total == 4  # of the old wording's last eight


def test_two_people_of_one_name_are_told_apart(tmp_path: Path) -> None:
    bits = words([0, 1] * 20)
    people = [
        {"id": "k1", "name": "Kim", "group": "expert"},
        {"id": "k2", "name": "Kim", "group": "crowd"},
        {"id": "k3", "name": "Kim"},
    ]
    human = [row for who in ("k1", "k2", "k3") for row in said(who, bits)]
    scope = study(tmp_path, human=human, judge=judged("north", bits), people=people)
    names = agree.agreement(scope, "study").criteria[0].people.names
    assert names == ["Kim (expert)", "Kim (crowd)", "Kim (k3)"]


def test_a_judge_without_a_value_is_named_and_equal_verdicts_give_no_figure(tmp_path: Path) -> None:
    same = words([1] * 40)
    silent = [
        {**row, "value": None, "status": "unscored", "reason": "no_reference"}
        for row in judged("south", same)
    ]
    machine = [*judged("north", same), *silent, *judged("west", [3] * 40, "completeness")]
    scope = study(tmp_path, human=said("ann", same) + said("bob", same), judge=machine)
    project = projects.set_settings(
        scope.ws,
        scope.project("study"),
        {
            "judges": {
                "strict": {"judge": "openai:stub"},
                "north@http://127.0.0.1:9": {"judge": "openai:stub"},
            }
        },
    )
    criterion = agree.agreement(scope, "study").criteria[0]
    why = "south gave no value on any of 40 cells: The question has no reference answer; give one to have this checked"
    assert criterion.silent == [
        Silent("south", 40, why),
        Silent("west", 0, "west graded other criteria only"),
    ]
    assert agree.agreement(scope, "study").idle == "Without a verdict: strict (nothing run yet)."
    run = runs.add_run(scope.ws, project, {}, {}, "")
    failed = {"judges": [{"name": "strict", "reasons": {"wrong_key": 40}}]}
    runs.end(scope.ws, run, "done", "", failed)
    assert (
        agree.agreement(scope, "study").idle
        == "Without a verdict: strict (all failed: key not taken 40)."
    )
    judge = criterion.judges[0]
    assert (judge.shown.value, judge.shown.reason) == (
        None,
        "both always give the same value: agreement by chance is 1",
    )
    assert judge.sentence.startswith(
        "On Relevance, no figure can be given for north: both always give the same value"
    )


# -- behind more


def test_details_hold_every_figure_with_its_sentence(tmp_path: Path) -> None:
    one = [1, 2, 3, 4, 5] * 12
    two = [min(5, v + (i % 4 == 0)) for i, v in enumerate(one)]
    three = [max(1, v - (i % 5 == 0)) for i, v in enumerate(one)]
    human = (
        said("ann", one, "completeness")
        + said("bob", two, "completeness")
        + said("cy", three, "completeness")
    )
    scope = study(tmp_path, human=human, judge=judged("north", one, "completeness"), n=60)
    found = details(scope, "study", "small/completeness", NORTH)
    by_key = {row.key: row for row in found.figures}
    assert list(by_key) == ["raw", "ac", "kappa", "micro", "spearman", "kendall", "alpha"]
    # north says what ann says; bob differs on each fourth (not where 5 is already there: 3 of 15),
    # cy on each fifth, all of them 1s
    assert by_key["raw"].judge.value == pytest.approx((1 + 48 / 60 + 1) / 3)
    assert all(row.sentence.endswith("given by ann, bob, cy.") for row in found.figures)
    assert {who: test.passed for who, test in found.alt_test.items()} == {
        "experts": True,
        "skilled": True,
        "crowd": True,
    }
    exact, near = found.constant
    assert (near.tolerance, near.judge.value) == (1.0, 1.0)
    assert exact.constant.value < exact.judge.value
    with pytest.raises(NotFound, match="judge 'judge:south'"):
        details(scope, "study", "small/completeness", "judge:south")


def test_the_gate_tells_scripts_whom_to_trust() -> None:
    def report(*criteria: tuple[str, ...]) -> Any:
        judges = [
            [SimpleNamespace(verdict=Verdict(Word(word), "")) for word in found]
            for found in criteria
        ]
        rows = [SimpleNamespace(key=f"r/{i}", judges=of) for i, of in enumerate(judges)]
        return SimpleNamespace(criteria=rows)

    assert agree.gate(report(("as good", "worse"), ("better",))) == 0
    assert agree.gate(report(("as good",), ("worse",))) == 4
    assert agree.gate(report(("as good",), ("INCONCLUSIVE", "worse"))) == 5
    assert agree.gate(report(("as good",), ("worse",)), "r/0") == 0
    assert agree.gate(report()) == 5
    with pytest.raises(NotFound, match="expected one of r/0"):
        agree.gate(report(("worse",)), "r/7")
