"""References: shown or not, and cut to a model's window where the rubric allows it."""

import json

import pytest

from graders.core.errors import RubricError
from graders.core.records import Answer, Question, Reply, Subject
from graders.core.rubric import read_rubric
from graders.judges.asking.window import CUT, _share, tokens
from graders.judges.bare import Bare
from graders.judges.faults import FaultJudge
from graders.judges.grounded import Grounded
from graders.judges.llm import LLMJudge


def rubric(more="cut_reference: true"):
    return read_rubric(
        f"rubric: r\ncriteria:\n  accuracy: {{question: Is it right?, scale: [wrong, right], reference: given, {more}}}"
    )


def subject(*references):
    question = Question(id="q1", text="Tell it.", task_type="factual", references=references)
    return Subject(question, Answer(question_id="q1", model="Ash", text="It was so."))


LONG = "word " * 4_000  # 20,000 characters, about 5,000 tokens


def asked(judge, of, made=None):
    made = made or rubric()
    (request,) = judge.requests([of], made, made.criteria)
    return request


@pytest.mark.parametrize("judge", [LLMJudge, Bare])
def test_the_longest_reference_is_cut_to_fit_where_the_rubric_allows_it_and_the_verdict_says_so(
    judge,
):
    of = subject(LONG, "A short one.")
    whole, cut = asked(judge(model="m"), of), asked(judge(model="m", window=4_000), of)
    assert tokens(whole) > 4_000 >= tokens(cut) > 3_800, "as much is kept as fits"
    assert (
        "A short one." in cut.messages[-1][1]
        and CUT in cut.messages[-1][1]
        and "reference_cut" not in whole.metadata
    )
    kept = cut.metadata["reference_cut"]
    assert kept["of"] == 20_000 + 12 and 2_000 < kept["kept"] < 20_000
    text = (
        "right"
        if judge is Bare
        else json.dumps({"accuracy": {"evidence": "absent", "rationale": "", "value": "right"}})
    )
    (verdict,) = judge(model="m", window=4_000).read(cut, Reply(text=text), {of.key: of}, rubric())
    assert verdict.metadata == {"reference_cut": kept}
    assert asked(judge(model="m", known_window=4_000), of) == cut


def test_nothing_is_cut_where_the_rubric_does_not_say_so_or_where_too_little_would_be_left():
    of = subject(LONG)
    for judge, made in (
        (LLMJudge(model="m", window=4_000), rubric("guide: No.")),
        (LLMJudge(model="m", window=2_100), rubric()),
    ):
        request = asked(judge, of, made)
        assert LONG.strip() in request.messages[1][1] and request.metadata == {}


def test_texts_share_what_is_left():
    # 10 is whole; of the other two, 100 and 500, each may have (200 - 10) / 2
    assert [_share([100, 10, 500], 200), _share([100, 10, 500], 610)] == [95, 500]


def test_only_true_or_false_lets_a_rubric_cut():
    with pytest.raises(RubricError, match="true or false"):
        rubric("cut_reference: perhaps")


@pytest.mark.parametrize("judge", [LLMJudge, Grounded, Bare, FaultJudge])
def test_a_judge_without_reference_is_shown_none_and_rests_on_none(judge):
    made = rubric()
    (criterion,) = made.criteria
    unaided, usual = judge(model="m", reference=False), judge(model="m")
    assert unaided.recipe_hash(made) != usual.recipe_hash(made)
    first, second = subject("It was so."), subject("It was not so.")
    assert (
        unaided.inputs_hash(first, criterion)
        == unaided.inputs_hash(second, criterion)
        != usual.inputs_hash(first, criterion)
    )
    assert usual.inputs_hash(first, criterion) != usual.inputs_hash(second, criterion)
    if judge is Bare:  # which compares with a right answer or says nothing
        assert unaided.cannot(first, made, criterion, "").reason == "no_reference"
    elif judge is not FaultJudge:
        assert (
            "Reference" not in asked(unaided, first).messages[1][1]
            and "Reference" in asked(usual, first).messages[1][1]
        )
