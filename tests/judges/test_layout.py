"""What one call asks about: all answers to a question in a drawn order, read one by one."""

import json

from graders.core.records import Answer, Problem, Question, Reply, Subject, Verdict
from graders.core.rubric import read_rubric
from graders.judges.llm import LLMJudge

RUBRIC = read_rubric("""
rubric: r
criteria:
  relevance: {question: Does it do what is asked?, scale: [irrelevant, relevant]}
  clarity: {question: Is it clear?, scale: {from: 1, to: 5}, parts: [tone, words]}
""")
QUESTION = Question(
    id="q1", text="Which is the capital of France?", task_type="factual", references=("Paris",)
)
TOGETHER = LLMJudge(model="m", secret="s", per="question")
MODELS = ("Ash", "Elm", "Oak", "Yew")


def subjects(question=QUESTION, models=MODELS):
    return [
        Subject(question, Answer(question_id=question.id, model=m, text=f"{m} says Paris."))
        for m in models
    ]


def asked(judge=TOGETHER, of=None):
    return judge.requests(of or subjects(), RUBRIC, RUBRIC.criteria)


def said(**more):
    opinion = {"evidence": "absent", "rationale": "So it is.", "confidence": 0.5}
    one = {
        "relevance": {**opinion, "value": "relevant"},
        "clarity": {part: {**opinion, "value": 4} for part in ("tone", "words")},
    }
    return {f"answer_{n}": one for n in range(1, 5)} | more


def read(found):
    (request,) = asked()
    return TOGETHER.read(
        request, Reply(text=json.dumps(found)), {s.key: s for s in subjects()}, RUBRIC
    )


def test_one_call_asks_about_all_answers_in_an_order_that_the_seed_draws():
    (request,) = asked()
    order = [key.model for key in request.subjects]
    assert sorted(order) == list(MODELS) and order != list(MODELS)
    text = request.messages[1][1]
    assert [text.index(f"{model} says") for model in order] == sorted(
        text.index(f"{model} says") for model in MODELS
    )
    (again,), (other,) = (
        asked(of=subjects()[::-1]),
        asked(LLMJudge(model="m", per="question", order_seed=3)),
    )
    assert again == request, "the order comes from the seed, not from who came first"
    assert [key.model for key in other.subjects] != order
    # 4 answers x (1 + 2) opinions of 150 tokens are less than the 2,000 that one answer may take
    assert request.settings["max_output_tokens"] == 2000
    assert (
        asked(of=subjects(models=[f"m{n}" for n in range(20)]))[0].settings["max_output_tokens"]
        == 20 * 3 * 150
    )


def test_answers_of_another_question_or_held_against_another_reference_are_asked_about_apart():
    other = Question(id="q1", text=QUESTION.text, task_type="factual", references=("Lutetia",))
    sizes = sorted(
        len(r.subjects)
        for r in asked(
            of=[*subjects(), *subjects(other, ("Fir",)), *subjects(Question(id="q2", text="Why?"))]
        )
    )
    assert sizes == [1, 4, 4]
    assert sorted(
        len(r.subjects) for r in asked(of=subjects(models=[f"m{n}" for n in range(40)]))
    ) == [7, 33], "100 // 3 opinions of an answer"


def test_every_verdict_says_where_its_answer_stood():
    (request,) = asked()
    made = read(said())
    assert len(made) == 4 * 3 and all(isinstance(one, Verdict) for one in made)
    assert {(v.subject, v.metadata["position"], v.metadata["answers"]) for v in made} == {
        (k, n, 4) for n, k in enumerate(request.subjects, 1)
    }


def test_what_a_reply_lacks_is_a_problem_of_that_answer_alone():
    (request,) = asked()
    found = said(answer_3="Paris")
    del found["answer_2"]
    made = read(found)
    assert {v.subject for v in made if isinstance(v, Verdict)} == {
        request.subjects[0],
        request.subjects[3],
    }
    assert [p.cause for p in made if isinstance(p, Problem)] == ["malformed"] * 6


def test_the_layout_is_part_of_the_recipe_and_what_was_bought_before_it_still_holds():
    kinds = [
        LLMJudge(model="m", **more).recipe_hash(RUBRIC)
        for more in (
            {},
            {"per": "criterion"},
            {"per": "question"},
            {"per": "question", "order_seed": 1},
        )
    ]
    assert len(set(kinds)) == 4
    assert kinds[:2] == ["7315de4529453ccc", "20ef550b330652cb"], (
        "as they were when the layout was a switch, per_criterion: false or true"
    )
