"""The LLM judge for claims: one call, and quotes that stand in the documents."""

import json

import pytest

from graders.core.claims import with_claims
from graders.core.records import Answer, Question, Reply, Subject
from graders.core.rubric import read_rubric
from graders.judges.grounded import Grounded
from graders.judges.llm import LLMJudge

RUBRIC = read_rubric("""
rubric: r
criteria:
  relevancy: {question: Does it answer?, scale: ["no", "yes"], reference: context}
  supported: {question: Is it said?, scale: ["no", "yes"], parts: claims, reference: context}
""")
SUBJECT = with_claims(
    Subject(
        Question(
            id="q", text="Where?", context=("Bergen is wet.", "Oslo lies in Norway — in the south.")
        ),
        Answer(question_id="q", model="m", text="In Oslo. It is far."),
    )
)
JUDGE = Grounded(model="gpt-x", secret="s")


def opinion(value, evidence="absent"):
    return {"evidence": evidence, "rationale": "So it is.", "value": value, "confidence": 0.9}


def verdicts(first, second):
    (request,) = JUDGE.requests([SUBJECT], RUBRIC, RUBRIC.criteria)
    said = {"relevancy": opinion("yes", "In Oslo"), "supported": {"1": first, "2": second}}
    return {
        v.part: v
        for v in JUDGE.read(request, Reply(text=json.dumps(said)), {SUBJECT.key: SUBJECT}, RUBRIC)
    }


def test_one_call_for_all_claims_that_asks_for_quotes_from_the_source():
    (request,) = JUDGE.requests([SUBJECT], RUBRIC, RUBRIC.criteria)
    assert request.criteria == ("r/relevancy", "r/supported")
    assert "1. In Oslo.\n2. It is far." in request.messages[1][1]
    assert (
        "For supported, evidence is not copied from the answer but from the source text"
        in request.messages[0][1]
    )
    assert JUDGE.author == "openai:gpt-x"


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("Oslo lies in Norway", True),
        ("Oslo lies in Norway - in the south.", True),
        ("In Oslo.", False),
        ("Oslo is in Norway", False),
    ],
)
def test_a_quote_for_a_claim_is_looked_for_in_the_documents(quote, found):
    (evidence,) = verdicts(opinion("yes", quote), opinion("no"))["In Oslo."].mark.evidence
    assert (evidence.found, evidence.start) == (found, None)


def test_other_criteria_keep_their_place_in_the_answer():
    (evidence,) = verdicts(opinion("yes"), opinion("no"))[""].mark.evidence
    assert (evidence.found, evidence.start, evidence.end) == (True, 0, 7)


def test_without_claims_it_asks_what_the_llm_judge_asks():
    relevancy = [RUBRIC.criterion("relevancy")]
    assert JUDGE.requests([SUBJECT], RUBRIC, relevancy) == LLMJudge(
        model="gpt-x", secret="s"
    ).requests([SUBJECT], RUBRIC, relevancy)


def test_claims_without_a_document_are_not_asked_about():
    subject = with_claims(Subject(Question(id="q", text="Where?"), SUBJECT.answer))
    assert [r.criteria for r in JUDGE.requests([subject], RUBRIC, RUBRIC.criteria)] == [
        ("r/relevancy",)
    ]
    assert (
        JUDGE.cannot(subject, RUBRIC, RUBRIC.criterion("supported"), "In Oslo.").reason
        == "no_context"
    )
