"""Small checking models: what they are asked, and that anything but yes is never a silent no."""

import pytest

from graders.core.claims import with_claims
from graders.core.records import Answer, Problem, Question, Reply, Subject
from graders.core.rubric import read_rubric
from graders.judges.asking.prompts import fence
from graders.judges.checker import Checker

RUBRIC = read_rubric("""
rubric: r
criteria:
  supported: {question: Is it said?, scale: ["no", "yes"], parts: claims}
  relevancy: {question: Does it answer?, scale: ["no", "yes"]}
  stars: {question: How good?, scale: {from: 1, to: 5}}
""")
SUBJECT = with_claims(
    Subject(
        Question(id="q", text="Where?", context=("Oslo lies in Norway.",)),
        Answer(question_id="q", model="m", text="In Oslo. It is far."),
    )
)
MINI = Checker(model="bespoke-minicheck", secret="s")
CHAT = Checker(model="llama3", secret="s")


def test_a_minicheck_gets_one_claim_per_call_in_its_own_bare_form():
    requests = MINI.requests([SUBJECT], RUBRIC, RUBRIC.criteria)
    assert [r.messages for r in requests] == [
        (("user", "Document: Oslo lies in Norway.\nClaim: In Oslo."),),
        (("user", "Document: Oslo lies in Norway.\nClaim: It is far."),),
    ]
    assert [r.elements for r in requests] == [
        (("r/supported", ("In Oslo.",)),),
        (("r/supported", ("It is far.",)),),
    ]
    assert (
        requests[0].settings == {"max_output_tokens": 2, "temperature": 0.0}
        and requests[0].schema is None
    )
    assert (requests[0].provider, MINI.author) == ("ollama", "ollama:bespoke-minicheck")


def test_other_models_get_fenced_texts_and_other_questions():
    requests = CHAT.requests([SUBJECT], RUBRIC, RUBRIC.criteria)
    assert [r.criteria for r in requests] == [("r/supported",), ("r/supported",), ("r/relevancy",)]
    for request, texts in zip(
        requests,
        [
            ("Oslo lies in Norway.", "In Oslo."),
            ("It is far.",),
            ("Oslo lies in Norway.", "In Oslo. It is far."),
        ],
        strict=True,
    ):
        for text in texts:
            assert f"[{fence('s', text)}]\n{text}\n[{fence('s', text)}]" in request.messages[0][1]
    assert "Query: Where?" in requests[2].messages[0][1]


@pytest.mark.parametrize(
    ("judge", "criterion", "context", "reason"),
    [
        (MINI, "relevancy", ("d",), "not_applicable"),
        (MINI, "stars", ("d",), "not_applicable"),
        (CHAT, "stars", ("d",), "not_applicable"),
        (MINI, "supported", (), "no_context"),
        (MINI, "supported", ("d",), None),
        (CHAT, "relevancy", (), None),
    ],
)
def test_why_a_cell_is_not_asked_about(judge, criterion, context, reason):
    subject = with_claims(Subject(Question(id="q", text="Where?", context=context), SUBJECT.answer))
    mark = judge.cannot(subject, RUBRIC, RUBRIC.criterion(criterion), "In Oslo.")
    assert (mark.reason if mark else None) == reason


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("Yes", "yes"),
        (" yes", "yes"),
        ("YES because", "yes"),
        ("はい", "yes"),
        ("да", "yes"),
        ("是", "yes"),
        ("No.", "no"),
    ],
)
def test_a_reply_is_a_verdict_on_its_claim(said, value):
    request = MINI.requests([SUBJECT], RUBRIC, RUBRIC.criteria)[1]
    (verdict,) = MINI.read(request, Reply(text=said), {SUBJECT.key: SUBJECT}, RUBRIC)
    assert (verdict.criterion, verdict.part, verdict.mark.value) == (
        "r/supported",
        "It is far.",
        value,
    )
    assert (verdict.criterion_hash, verdict.recipe_hash) == (
        RUBRIC.criterion("supported").criterion_hash,
        MINI.recipe_hash(RUBRIC),
    )


@pytest.mark.parametrize(
    ("reply", "cause"),
    [
        (Reply(text="Maybe"), "off_scale"),
        (Reply(text=""), "off_scale"),
        (Reply(cause="timeout"), "timeout"),
    ],
)
def test_anything_else_is_a_problem_and_then_unscored(reply, cause):
    request = MINI.requests([SUBJECT], RUBRIC, RUBRIC.criteria)[0]
    (problem,) = MINI.read(request, reply, {SUBJECT.key: SUBJECT}, RUBRIC)
    assert isinstance(problem, Problem) and problem.cause == cause
    (verdict,) = MINI.unscored(request, RUBRIC, problem.cause, problem.detail)
    assert (verdict.part, verdict.mark.value, verdict.mark.status, verdict.mark.reason) == (
        "In Oslo.",
        None,
        "unscored",
        cause,
    )


def test_a_scale_from_yes_to_no_is_read_by_its_words():
    rubric = read_rubric(
        'rubric: r\ncriteria: {contradiction: {question: Does it contradict?, scale: ["yes", "no"]}}'
    )
    (request,) = CHAT.requests([SUBJECT], rubric, rubric.criteria)
    (verdict,) = CHAT.read(request, Reply(text="Yes"), {SUBJECT.key: SUBJECT}, rubric)
    assert verdict.mark.value == "yes"
    assert rubric.criteria[0].score_of("yes") == 0.0


@pytest.mark.parametrize("judge", [MINI, CHAT])
def test_half_characters_of_broken_texts_are_replaced(judge):
    broken = with_claims(
        Subject(
            Question(id="q", text="?", context=("D \ud83d.",)),
            Answer(question_id="q", model="m", text="A \ud83d b."),
        )
    )
    for request in judge.requests([broken], RUBRIC, RUBRIC.criteria):
        assert "\ufffd" in request.messages[0][1] and request.messages[0][1].encode()
