"""Bare values: the prompts of the accuracy rubric in two languages, and replies as verdicts."""

from pathlib import Path

import pytest

from graders.core.records import Answer, Question, Reply, Subject
from graders.core.rubric import load_rubric, read_rubric
from graders.judges.asking.prompts import fence
from graders.judges.bare import Bare

RUBRIC = load_rubric(Path(__file__).parents[2] / "rubrics/accuracy.yaml")
SUBJECT = Subject(
    Question(id="q", text="Who wrote Faust?", references=("Goethe",)),
    Answer(question_id="q", model="m", text="Johann Wolfgang Goethe."),
)


def prompt(**options):
    (request,) = Bare(model="m", secret="s", **options).requests([SUBJECT], RUBRIC, RUBRIC.criteria)
    ((role, text),) = request.messages
    assert role == "user" and request.schema is None
    return text


def test_the_prompt_has_steps_bands_examples_and_the_texts():
    text = prompt()
    places = [
        text.index(part)
        for part in (
            "How accurate is the answer",
            "1. List the points of the right answer.",
            "half of it missing is 0.6",
            "They are red, green and blue.",
            "accuracy: 0.6",
            "Question: Who wrote Faust?",
            "Right answer: Goethe",
            f"[{fence('s', SUBJECT.answer.text)}]\nJohann Wolfgang Goethe.\n",
            "Reply with this one line and nothing else:\naccuracy: VALUE",
        )
    ]
    assert places == sorted(places)


def test_the_prompt_in_chinese():
    text = prompt(language="zh")
    for part in (
        "与正确答案相比",
        "1. 列出正确答案的要点。",
        "缺一半是 0.6",
        "问题：Who wrote Faust?",
        "正确答案：Goethe",
        "只回复下面这一行",
    ):
        assert part in text
    assert "How accurate" not in text


def test_reasoning_is_an_option():
    assert "Argue first, step by step." in prompt(reasoning=True) and "Argue" not in prompt()
    assert "请先逐步说明理由" in prompt(reasoning=True, language="zh")


@pytest.mark.parametrize(
    ("said", "options", "value", "rationale"),
    [
        ("accuracy:0.6", {}, 0.6, ""),
        ("准确性：０．６", {"language": "zh"}, 0.6, ""),
        ("Точность: 0,6", {}, 0.6, ""),
        ("60%", {}, 0.6, ""),
        ("The author is right.\naccuracy: 1", {"reasoning": True}, 1.0, "The author is right."),
    ],
)
def test_a_reply_is_a_verdict(said, options, value, rationale):
    bare = Bare(model="m", **options)
    (request,) = bare.requests([SUBJECT], RUBRIC, RUBRIC.criteria)
    (verdict,) = bare.read(request, Reply(text=said), {SUBJECT.key: SUBJECT}, RUBRIC)
    assert (verdict.criterion, verdict.mark.value, verdict.mark.rationale) == (
        "accuracy/accuracy",
        value,
        rationale,
    )


def test_without_a_right_answer_nothing_is_asked():
    subject = Subject(Question(id="q", text="Who wrote Faust?"), SUBJECT.answer)
    assert Bare(model="m").requests([subject], RUBRIC, RUBRIC.criteria) == []
    assert Bare(model="m").cannot(subject, RUBRIC, RUBRIC.criteria[0], "").reason == "no_reference"


def test_language_and_reasoning_are_part_of_the_recipe_and_the_secret_is_not():
    recipes = [
        Bare(model="m", **options).recipe_hash(RUBRIC)
        for options in ({}, {"language": "zh"}, {"reasoning": True}, {"secret": "other"})
    ]
    assert len(set(recipes[:3])) == 3 and recipes[3] == recipes[0]
    assert "secret" not in Bare(model="m", secret="hidden").options() and "hidden" not in repr(
        Bare(model="m", secret="hidden")
    )


@pytest.mark.parametrize(
    ("template", "labels"),
    [
        ("Examples:\n{examples}\n\nGrade this answer: {answer}", "Question: Name two.\nAnswer: A."),
        ("请看下面的示例，再给回答打分。\n{examples}\n回答：{answer}", "问题：Name two.\n回答：A."),
        ("Посмотри на примеры и оцени ответ.\n{examples}\nОтвет: {answer}", "Вопрос: Name two.\nОтвет: A."),
    ],
)  # fmt: skip
def test_examples_have_labels_in_the_language_of_the_users_prompt(template, labels):
    rubric = read_rubric(
        "rubric: r\ncriteria: {c: {scale: {from: 1, to: 5}}}\n"
        "examples: [{question: Name two., answer: A., verdicts: {c: 3}}]"
    )
    bare = Bare(model="m", secret="s", template=template)
    (request,) = bare.requests([SUBJECT], rubric, rubric.criteria)
    assert f"{labels}\nc: 3" in request.messages[0][1]


def test_examples_in_the_chinese_prompt_have_chinese_labels_and_a_recipe_of_their_own():
    assert "问题：" in prompt(language="zh") and "Question: W" not in prompt(language="zh")
    assert Bare(model="m", language="zh").recipe_hash(RUBRIC) != Bare(model="m").recipe_hash(RUBRIC)


def test_a_reply_in_the_words_of_the_users_prompt_is_a_verdict():
    bare = Bare(model="m", template="给出准确率，格式如下。\n准确率：分值\n回答：{answer}")
    (request,) = bare.requests([SUBJECT], RUBRIC, RUBRIC.criteria)
    (verdict,) = bare.read(request, Reply(text="准确率: 0.6"), {SUBJECT.key: SUBJECT}, RUBRIC)
    assert verdict.mark.value == 0.6
