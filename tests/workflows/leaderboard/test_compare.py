"""Two models, or two versions of one: differences in pairs, verdicts, what got worse, what so many
questions can show, the gate."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graders.core.errors import InputError, NotFound, UsageError
from graders.statistics.budget import detectable
from graders.store.opinions.filters import Filters
from graders.workflows.leaderboard import compare_words
from graders.workflows.leaderboard import ranking as board
from graders.workflows.leaderboard.compare import compare, gate
from graders.workflows.leaderboard.comparison import (
    CaseValues,
    Comparison,
    Difference,
    LeftOut,
    Verdict,
)
from graders.workflows.leaderboard.ground import Wish
from graders.workflows.leaderboard.ranking import leaderboard
from graders.workflows.scope.permissions import Scope
from tests.support.studies import bring, given, scope_at

WORDS = ("irrelevant", "relevant")
N, LABELLED, CHANGED = 60, 24, 20


def judged(model: str, values: Any, start: int = 0) -> list[dict[str, Any]]:
    one = {"model": model, "criterion": "small/relevance", "judge": "north"}
    return [
        {**one, "question_id": f"q{start + i}", "value": WORDS[int(value)]}
        for i, value in enumerate(values)
    ]


def versions(folder: Path) -> Scope:
    """Old is right on half of 60 questions, new on nine in ten; then new's first 20 answers are
    written anew, all of them wrong."""
    draw = np.random.default_rng(3)
    old, new = draw.random(N) < 0.5, draw.random(N) < 0.9
    scope = scope_at(folder)
    questions = [
        {"id": f"q{i}", "text": f"Question {i}?", "category": ("even", "odd")[i % 2]}
        for i in range(N)
    ]
    answers = [
        {"question_id": f"q{i}", "model": m, "text": f"{m} says {i} in their words."}
        for i in range(N)
        for m in ("new", "old")
    ]
    answers.append({"question_id": "q0", "model": "other", "text": "other says 0."})
    human = [
        given(f"q{i}", m, "relevance", "mira", WORDS[int(v[i])])
        for i in range(LABELLED)
        for m, v in (("new", new), ("old", old))
    ]
    full = [
        given(f"q{i}", m, "completeness", "mira", 3 + i % 2 + (m == "old") * (i % 3 > 0))
        for i in range(LABELLED)
        for m in ("new", "old")
    ]
    human += full
    bring(
        scope,
        folder,
        questions=questions,
        answers=answers,
        human=human,
        judge=judged("new", new) + judged("old", old),
    )
    again = [
        {"question_id": f"q{i}", "model": "new", "text": f"new says {i} in other words."}
        for i in range(CHANGED)
    ]
    human = [given(f"q{i}", "new", "relevance", "mira", "irrelevant") for i in range(CHANGED)]
    human += [one for one in full[: 2 * CHANGED] if one["model"] == "new"]
    bring(
        scope,
        folder,
        questions=questions[:CHANGED],
        answers=again,
        human=human,
        judge=judged("new", np.zeros(CHANGED)),
    )
    return scope


@pytest.fixture(scope="module")
def scope(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scope]:
    board.forget()
    made = versions(tmp_path_factory.mktemp("compared"))
    yield made
    made.ws.close()


def row(found: Comparison, key: str) -> Difference:
    return next(one for one in found.rows if one.key == key)


@pytest.mark.parametrize("show", ["corrected", "people", "judge"])
def test_models_that_answered_the_same_questions_differ_as_on_the_leaderboard(
    scope: Scope, show: str
) -> None:
    pair = leaderboard(
        scope, "study", Wish(view="small/relevance", show=show), a="new", b="old"
    ).pair
    found = compare(scope, "study", "new", "old", Wish(view="small/relevance", show=show))
    one = row(found, "small/relevance")
    for name in ("apart", "low", "high", "p_flip"):
        assert getattr(one, name) == pytest.approx(getattr(pair, name)), name
    assert (one.questions, one.labelled) == (
        LABELLED if show == "people" else N,
        N if show == "judge" else LABELLED,
    )
    assert one.least == pytest.approx(
        100 * detectable((one.high - one.low) / 200 / _t(one), one.labelled - 1)
    )


def _t(one: Difference) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(one.labelled - 1, 0.975))


def test_overall_is_the_mean_of_the_criteria_and_the_opposite_is_named(scope: Scope) -> None:
    found = compare(
        scope, "study", "old", "new", Wish(show="people", weights={"small/completeness": 3})
    )
    relevance, completeness, overall = (
        row(found, key) for key in ("small/relevance", "small/completeness", "overall")
    )
    assert (completeness.apart, completeness.verdict) == (pytest.approx(16 / 24), "better")
    assert overall.apart == pytest.approx((relevance.apart + 3 * 25 * completeness.apart) / 4)
    assert found.rows[0].key == found.view == "overall"
    assert found.questions == LeftOut(N, 0, 0)


def test_what_is_said_of_a_new_text_is_no_repetition_of_the_same_words_about_the_old(
    scope: Scope,
) -> None:
    counts = leaderboard(scope, "study", Wish(view="small/relevance")).counts
    assert (counts.cells, counts.labels) == (2 * N, 2 * LABELLED)


def test_a_version_is_compared_with_what_took_its_place(scope: Scope) -> None:
    found = compare(scope, "study", "new", "new@1", Wish(show="judge"))
    assert found.title == "By north alone, new is worse than new (version 1) on Relevance."
    assert (found.questions, found.rows[0].questions) == (
        LeftOut(CHANGED, N - CHANGED, 0),
        CHANGED,
    )
    assert "Left out: 40 questions without both versions." in found.subtitle
    people = compare(scope, "study", "new", "new@1", Wish(show="people", view="small/relevance"))
    # what people said of the earlier answers still stands
    assert row(people, "small/relevance").labelled == CHANGED
    assert [choice.ref for choice in found.choices] == ["new", "old", "other", "new@1"]
    assert compare(scope, "study").b.label == "new (version 1)"
    cases = found.cases
    assert (cases.worse + cases.same, cases.better) == (CHANGED, 0)
    first = cases.rows[0]
    assert (first.a.text.endswith("in other words."), first.b.version) == (True, 1)
    assert first.values == [
        CaseValues("small/relevance", "Relevance", "irrelevant", "relevant", -100.0, "north")
    ]


def test_what_got_worse_comes_first_and_people_are_never_set_against_a_judge(scope: Scope) -> None:
    worse, better = (
        compare(scope, "study", "new", "old", order=order).cases for order in ("worse", "better")
    )
    assert [r.apart for r in worse.rows] == sorted(r.apart for r in worse.rows)
    assert better.rows[0].apart == max(r.apart for r in better.rows) > 0 > worse.rows[0].apart
    assert worse.pages == 6
    pages = [
        compare(scope, "study", "new", "old", page=page).cases.rows for page in (1, 2, 3, 4, 5, 6)
    ]
    by = {r.question_id: {value.by for value in r.values} for page in pages for r in page}
    assert all(by[f"q{i}"] == {"people"} for i in range(LABELLED))
    assert all(by[f"q{i}"] == {"north"} for i in range(LABELLED, N))


def test_few_labels_tell_nothing_and_say_how_many_would(scope: Scope) -> None:
    few = compare(
        scope,
        "study",
        "new",
        "old",
        Wish(filters=Filters(category=("even",)), show="people", view="small/relevance"),
    )
    one = row(few, "small/relevance")
    assert one.questions == 12
    assert one.needed > 12
    assert one.seen.startswith("With these 12 questions a difference under ")
    none = compare(scope, "study", "new", "other")
    assert none.rows[0].why == "no verdicts that count on answers of both"
    assert none.title == "Nothing compares new with other yet."
    assert gate(none.lead, "better").code == 5


def test_one_question_and_verdicts_that_are_all_alike_have_no_interval(tmp_path: Path) -> None:
    scope = scope_at(tmp_path)
    questions = [{"id": f"q{i}", "text": "?"} for i in range(12)]
    answers = [
        {"question_id": f"q{i}", "model": m, "text": m} for i in range(12) for m in ("a", "b")
    ]
    human = [
        given(f"q{i}", m, "relevance", "mira", "relevant") for i in range(12) for m in ("a", "b")
    ]
    bring(scope, tmp_path, questions=questions, answers=answers, human=human)
    found = compare(scope, "study", "a", "b")
    assert (found.rows[0].verdict, found.rows[0].why) == (
        "cannot be told",
        "all labels are alike: no interval can be estimated",
    )
    assert (found.cases.same, gate(found.lead, "not worse by 5").code) == (12, 5)


@pytest.mark.parametrize(
    ("low", "high", "rule", "code"),
    [
        (-4, 3, "not worse by 5", 0),
        (-6, 3, "not worse by 5", 5),
        (-9, -6, "Not  worse by 5", 4),
        (0, 3, "not worse", 0),
        (0.5, 3, "better", 0),
        (0, 3, "better", 5),
        (-3, 0, "better", 4),
        (2, 9, "better by 1,5", 0),
        (1, 9, "better by 1.5", 5),
        (0, 1, "better by 1.5", 4),
    ],
)
def test_the_gate_asks_for_the_whole_interval(
    low: float, high: float, rule: str, code: int
) -> None:
    lead = Difference(
        "overall", "Overall", "", "0 to 100", 1, 0.0, 100.0, Verdict.UNTOLD, "", low=low, high=high
    )
    assert gate(lead, rule).code == code


def test_what_does_not_fit_is_refused(scope: Scope) -> None:
    with pytest.raises(
        NotFound,
        match="answers of 'new@2': found no such model or version, expected one of new, old, other, new@1",
    ):
        compare(scope, "study", "new@2", "old")
    with pytest.raises(InputError, match="found old twice"):
        compare(scope, "study", "old", "old")
    with pytest.raises(InputError, match="order: found 'best'"):
        compare(scope, "study", "new", "old", order="best")
    with pytest.raises(InputError, match="view: found 'small/none'"):
        compare(scope, "study", "new", "old", Wish(view="small/none"))
    for rule in ("worse", "not worse by -1", "better by x"):
        with pytest.raises(UsageError, match="--gate"):
            gate(compare(scope, "study", "new", "old").lead, rule)


def test_a_project_with_one_model_says_so(tmp_path: Path) -> None:
    scope = scope_at(tmp_path)
    bring(
        scope,
        tmp_path,
        questions=[{"id": "q", "text": "?"}],
        answers=[{"question_id": "q", "model": "a", "text": "b"}],
    )
    assert compare(scope, "study").title.startswith("There is only one model")


def test_small_numbers_keep_a_digit() -> None:
    assert [compare_words.plain(x, 1) for x in (12.34, 0.1, 0.034)] == [
        "12.3",
        "0.1",
        "0.03",
    ]
