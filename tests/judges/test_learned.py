"""The local judge, learning by the statistics that it is used with."""

import time
from dataclasses import replace

import numpy as np
import pytest

from graders.core.errors import InputError
from graders.core.records import KnownCell, Mark, SubjectKey
from graders.core.rubric import Criterion
from graders.core.scale import YES_NO, Scale
from graders.judges.learned import LearnedJudge
from graders.statistics.learned import learn

CRITERION = Criterion("r", "c", YES_NO)
JUDGE = LearnedJudge(learner=learn)
NO_YES = ("No", "Yes")


def cells(n=300, labelled=240, right=0.8, metric=2.0, seed=4, scale=YES_NO):
    """n cells on n/3 questions: two judges, each right in `right`; a metric that tells the truth by
    `metric` deviations; a rule that decides a tenth. The first `labelled` have a person's value."""
    generator = np.random.default_rng(seed)
    values = scale.values
    made = []
    for at in range(n):
        true = int(generator.integers(len(values)))
        said = [
            true if generator.random() < right else int(generator.integers(len(values)))
            for _ in "ab"
        ]
        made.append(
            KnownCell(
                subject=SubjectKey(f"q{at // 3:03}", f"m{at % 3}"),
                judges={
                    f"judge-{name}": Mark(value=values[code])
                    for name, code in zip("ab", said, strict=True)
                },
                rules={
                    "exact_match": Mark(value=values[true])
                    if at % 10 == 0
                    else Mark.unscored("not_decisive")
                },
                metrics={"f1": float(metric * true + generator.normal()), "never": None},
                answer_characters=int(generator.integers(20, 900)),
                question_characters=int(generator.integers(20, 90)),
                people=values[true] if at < labelled else None,
            )
        )
    return made


def test_it_judges_every_cell_in_order():
    found = cells()
    made = JUDGE.derive(found, CRITERION)
    assert [v.subject for v in made] == [c.subject for c in found]
    assert {(v.author, v.author_kind, v.criterion, v.mark.confidence_kind) for v in made} == {
        ("learned", "judge", "r/c", "learned")
    }
    first = made[0]
    assert (first.criterion_hash, first.recipe_hash) == (
        CRITERION.criterion_hash,
        JUDGE.recipe_hash(),
    )
    assert first.mark.rationale == "Learned from 240 verdicts of people."
    assert first.mark.confidence == pytest.approx(max(first.metadata["chances"].values()), abs=1e-4)


def test_the_chances_of_two_values_add_up_to_one():
    for verdict in JUDGE.derive(cells(), CRITERION):
        assert sum(verdict.metadata["chances"].values()) == pytest.approx(1, abs=0.006)
        assert verdict.metadata["labels"] == 240


def test_a_labelled_cell_is_judged_by_a_model_that_did_not_see_it():
    found = cells()
    before = JUDGE.derive(found, CRITERION)
    assert [v.metadata["out_of_fold"] for v in before] == [True] * 240 + [False] * 60
    # Turning the labels of one question round changes other verdicts, not its own.
    turned = [
        replace(c, people={"No": "Yes", "Yes": "No"}[c.people]) if c.question_id == "q007" else c
        for c in found
    ]
    after = JUDGE.derive(turned, CRITERION)
    changed = {
        v.subject.question_id
        for v, w in zip(before, after, strict=True)
        if v.metadata["chances"] != w.metadata["chances"]
    }
    assert "q007" not in changed and len(changed) > 50


def test_batches_get_what_the_whole_gets():
    found = cells()
    lesson = JUDGE.study(found, CRITERION)
    assert (
        JUDGE.apply(lesson, found[200:250], CRITERION) + JUDGE.apply(lesson, found[250:], CRITERION)
        == JUDGE.derive(found, CRITERION)[200:]
    )
    assert JUDGE.apply(lesson, [], CRITERION) == []


def test_it_says_what_it_rests_on():
    lesson = JUDGE.study(cells(), CRITERION)
    assert lesson.rests_on.startswith("Learned from 240 labels on 80 questions; Brier score 0.0")
    assert lesson.rests_on.endswith(
        "It judges by itself. Sources: verdicts of judge-a, judge-b; rules exact_match; metrics f1; lengths."
    )


def test_too_few_labels_are_refused_in_words():
    made = JUDGE.derive(cells(labelled=38), CRITERION)
    assert {(v.mark.value, v.mark.status, v.mark.reason) for v in made} == {
        (None, "unscored", "too_few_labels")
    }
    assert made[0].mark.rationale.startswith("Nothing is learned yet: it needs 12 more labels.")
    assert JUDGE.study([], CRITERION).refused == "needs 50 more labels"


def test_where_a_judge_is_better_only_the_chances_are_there():
    made = JUDGE.derive(cells(right=1.0, metric=0.0), CRITERION)
    assert {(v.mark.value, v.mark.reason) for v in made} == {(None, "not_deployed")}
    assert all(max(v.metadata["chances"].values()) > 0.7 for v in made)


def test_a_missing_verdict_is_no_zero():
    found = cells()
    without = [
        replace(c, judges={}, metrics={}, rules={}) if at >= 240 else c
        for at, c in enumerate(found)
    ]
    chances = [v.metadata["chances"]["Yes"] for v in JUDGE.derive(without, CRITERION)[240:]]
    # Nothing is known but lengths, which tell nothing: near the share of Yes.
    assert 0.35 < np.mean(chances) < 0.65
    zeros = [
        replace(c, judges=dict.fromkeys(c.judges, Mark(value="No")), metrics={"f1": 0.0}, rules={})
        if at >= 240
        else c
        for at, c in enumerate(found)
    ]
    assert (
        np.mean([v.metadata["chances"].get("Yes", 0) for v in JUDGE.derive(zeros, CRITERION)[240:]])
        < 0.1
    )


def test_its_own_verdicts_are_no_source():
    found = cells()
    again = [
        replace(c, judges={**c.judges, "learned": Mark(value=c.people or "No")}) for c in found
    ]
    assert JUDGE.derive(again, CRITERION) == JUDGE.derive(found, CRITERION)


def test_stated_confidence_is_a_source():
    generator = np.random.default_rng(8)
    made = []
    for at in range(300):
        sure = bool(generator.random() < 0.5)
        true = int(generator.integers(2))
        code = true if sure or generator.random() < 0.5 else 1 - true
        mark = Mark(value=NO_YES[code], confidence=0.95 if sure else 0.5)
        made.append(
            KnownCell(
                subject=SubjectKey(f"q{at // 3}", f"m{at % 3}"),
                judges={"j": mark},
                people=NO_YES[true],
            )
        )
    verdicts = JUDGE.derive(made, CRITERION)
    confident = [v.mark.confidence or max(v.metadata["chances"].values()) for v in verdicts]
    by_sure = {
        s: np.mean(
            [
                c
                for c, cell in zip(confident, made, strict=True)
                if (cell.judges["j"].confidence > 0.9) == s
            ]
        )
        for s in (True, False)
    }
    # sure verdicts are always right, the others in half of the cells
    assert by_sure[True] > 0.85 and by_sure[False] < 0.75


@pytest.mark.parametrize(
    "scale",
    [
        Scale("nominal", labels=("warm", "dry", "stiff")),
        Scale("ordered", labels=("bad", "fair", "good")),
        Scale.from_spec([1, 4]),
    ],
    ids=["labels without order", "ordered labels", "whole numbers"],
)
def test_scales_of_several_values(scale):
    found = cells(scale=scale, right=0.7)
    made = JUDGE.derive(found, Criterion("r", "c", scale))
    truth = [c.people for c in cells(scale=scale, right=0.7, labelled=300)]
    likeliest = [max(v.metadata["chances"], key=v.metadata["chances"].get) for v in made]
    hits = np.mean([word == str(true) for word, true in zip(likeliest, truth, strict=True)])
    # one judge is right in 70 % and by luck in 30/K % more; two and a metric are better than one
    assert hits > 0.78
    assert all(set(v.metadata["chances"]) <= {str(value) for value in scale.values} for v in made)


def test_a_plain_range_is_learned_in_steps_of_a_tenth():
    generator = np.random.default_rng(6)
    true = generator.choice([0.0, 0.31, 0.68, 1.0], 240)
    made = [
        KnownCell(
            subject=SubjectKey(f"q{at // 3}", f"m{at % 3}"),
            judges={"j": Mark(value=float(np.clip(t + generator.normal() * 0.1, 0, 1)))},
            people=float(t),
        )
        for at, t in enumerate(true)
    ]
    verdicts = LearnedJudge(learner=learn, tolerance=0.1).derive(
        made, Criterion("r", "c", Scale.from_spec([0.0, 1.0]))
    )
    assert {v.mark.value for v in verdicts} <= {round(step / 10, 1) for step in range(11)}
    assert (
        np.mean([abs(v.mark.value - t) <= 0.1 for v, t in zip(verdicts, true, strict=True)]) > 0.8
    )


def test_parts_of_a_criterion_have_their_own_level():
    # People see mistakes in every answer, and nearly none in its language; nothing else tells.
    parts = ["mistakes", "language"] * 60
    made = [
        KnownCell(
            subject=SubjectKey(f"q{at // 4}", f"m{at // 2 % 2}"),
            part=part,
            people="No" if part == "mistakes" or at % 20 == 1 else "Yes",
        )
        for at, part in enumerate(parts)
    ]
    assert [v.mark.value for v in JUDGE.derive(made, CRITERION)] == ["No", "Yes"] * 60


def test_the_tolerance_is_part_of_the_recipe_and_checked():
    assert JUDGE.options() == {"tolerance": 0.0, "label": "learned"}
    assert LearnedJudge(learner=learn, tolerance=1).recipe_hash() != JUDGE.recipe_hash()
    with pytest.raises(InputError) as found:
        LearnedJudge(learner=learn, tolerance=-1)
    assert (
        str(found.value)
        == "judge learned, tolerance: found -1, expected 0 or a positive number. Correct the option."
    )


def test_it_is_refitted_in_five_seconds_on_5000_labels():
    found = cells(n=5000, labelled=5000, scale=Scale.from_spec([1, 5]))
    started = time.process_time()  # other work on the machine does not count
    JUDGE.derive(found, Criterion("r", "c", Scale.from_spec([1, 5])))
    assert time.process_time() - started < 5
