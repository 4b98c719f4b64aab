"""Plain replies: which are yes, which are no, which are a value, and which leave a doubt."""

import pytest

from graders.core.records import Problem
from graders.core.rubric import read_rubric
from graders.judges.asking.plain import YES_NO, read_bare, read_value, read_yes_no

RUBRIC = read_rubric("""
rubric: r
criteria:
  accuracy: {name: Accuracy, scale: {from: 0.0, to: 1.0, whole: false}}
  points: {scale: {from: 0, to: 100}}
  stars: {scale: {from: 1, to: 5}}
  tone: {scale: [rude, plain, kind]}
  right: {scale: ["no", "yes"]}
""")


@pytest.mark.parametrize(
    "reply",
    ["yes", "Yes.", " yes", "YES because", "\n\tYes, it says so.", '"Yes"', "**Yes**", "Ｙｅｓ", "да", "Да.", "ДА, потому что", "是", "是的", "是的。", "是，因为文档这样说", "對", "はい", "はい。", "네", "oui", "Sí.", "Yes, there is no doubt."],
)  # fmt: skip
def test_yes(reply):
    assert read_yes_no(reply) is True


@pytest.mark.parametrize(
    "reply",
    [
        "no",
        "No.",
        " NO",
        "No, because",
        "нет",
        "Нет.",
        "不是",
        "否。",
        "不",
        "没有",
        "いいえ",
        "いいえ、",
        "아니요",
        "nein",
        "non",
        "Não.",
    ],
)
def test_no(reply):
    assert read_yes_no(reply) is False


@pytest.mark.parametrize(
    "reply",
    ["", "  ", "...", "perhaps", "Supported", "True", "1", "yesterday", "nobody", "not", "не", "не знаю", "дата", "данет", "是否", "是不是", "是因为", "はいです", "The answer is yes", "Yes or no", "yes/no", "No, yes", "да или нет", "是/否", "да, нет", "I cannot say yes or no.", "{\"answer\": \"yes\"}", "<think>", "No idea", "no clue.", "No sé", "нет ответа", "No information given"],
)  # fmt: skip
def test_all_else_is_neither(reply):
    found = read_yes_no(reply)
    assert isinstance(found, Problem) and found.cause == "off_scale" and found.detail


def test_no_word_is_both():
    yes = {word for yes, _ in YES_NO.values() for word in yes.split()}
    no = {word for _, no in YES_NO.values() for word in no.split()}
    assert yes.isdisjoint(no)


@pytest.mark.parametrize(
    ("criterion", "reply", "value"),
    [
        ("accuracy", "accuracy:0.6", 0.6),
        ("accuracy", "Accuracy: 0.6", 0.6),
        ("accuracy", "ACCURACY = .6".replace(" .", " 0."), 0.6),
        ("accuracy", "0.6", 0.6),
        ("accuracy", "0,6", 0.6),
        ("accuracy", "accuracy：０．６", 0.6),
        ("accuracy", "准确性：0.6", 0.6),
        ("accuracy", "60%", 0.6),
        ("accuracy", "６０％", 0.6),
        ("accuracy", "accuracy: 62,5 %", 0.625),
        ("accuracy", "1", 1.0),
        ("accuracy", "0.6.", 0.6),
        ("accuracy", "0.6。", 0.6),
        ("points", "60%", 60),
        ("points", "60", 60),
        ("stars", "stars: 4", 4),
        ("tone", "Kind.", "kind"),
        ("tone", "tone: plain", "plain"),
        ("right", "right: Yes", "yes"),
        ("right", "是", "yes"),
        ("accuracy", "-accuracy: 0.6", 0.6),
        ("accuracy", "- Accuracy: 0.6", 0.6),
        ("accuracy", "* **accuracy**: 0.6", 0.6),
        ("accuracy", "**accuracy: 0.6**", 0.6),
        ("accuracy", "`accuracy: 0.6`", 0.6),
        ("accuracy", "**0.6**", 0.6),
        ("accuracy", "```\n0.6\n```", 0.6),
        ("accuracy", '{"accuracy": 0.6}', 0.6),
        ("accuracy", '```json\n{"Accuracy": "0,6"}\n```', 0.6),
        ("accuracy", "zero point six", 0.6),
        ("accuracy", "accuracy: point six", 0.6),
        ("accuracy", "ноль целых шесть десятых", 0.6),
        ("accuracy", "准确性：零点六", 0.6),
        ("accuracy", "null komma sechs", 0.6),
        ("stars", "Four.", 4),
        ("stars", "четыре", 4),
        ("stars", "四分", 4),
        ("stars", "stars: cuatro", 4),
        ("points", "ten", 10),
    ],
)
def test_a_bare_value(criterion, reply, value):
    found = read_bare(reply, RUBRIC.criterion(criterion), [criterion, "准确性"], reasoning=False)
    assert found == (value, "")


@pytest.mark.parametrize(
    ("criterion", "reply", "cause"),
    [
        ("accuracy", "", "empty"),
        ("accuracy", "六成", "malformed"),  # six tenths
        ("accuracy", "six out of ten", "malformed"),
        ("accuracy", "zero point", "malformed"),
        ("accuracy", "zero point ten", "malformed"),
        ("accuracy", '{"clarity": 0.6}', "malformed"),
        ("accuracy", '{"accuracy": 0.6, "accuracy": 0.8}', "malformed"),
        ("accuracy", '{"accuracy": true}', "malformed"),
        ("accuracy", '{"accuracy": [0.6]}', "malformed"),
        ("accuracy", '{"accuracy": 0.6', "malformed"),
        ("accuracy", "准确率: 0.6", "malformed"),  # no name of the criterion, in no prompt
        ("accuracy", "accuracy: высокая", "malformed"),
        ("accuracy", "NaN", "malformed"),
        ("accuracy", "accuracy: nan", "malformed"),
        ("accuracy", "inf", "malformed"),
        ("accuracy", '{"accuracy": 0.6} {"accuracy": 0.8}', "malformed"),
        ("accuracy", "0.6 0.8", "malformed"),
        ("accuracy", "0.6 or 0.8", "malformed"),
        ("accuracy", "0.6-0.8", "malformed"),
        ("accuracy", "accuracy: 0.6, clarity: 0.8", "malformed"),
        ("accuracy", "clarity: 0.6", "malformed"),
        # no reasoning was asked for
        (
            "accuracy",
            "The answer is right.\naccuracy: 0.6",
            "malformed",
        ),
        ("accuracy", "1,000", "malformed"),  # one, or a thousand
        ("accuracy", "6", "off_scale"),
        ("accuracy", "-0.1", "off_scale"),
        ("accuracy", "160%", "off_scale"),
        ("stars", "60%", "off_scale"),
        ("stars", "3.5", "off_scale"),
        ("tone", "friendly", "off_scale"),
        ("right", "perhaps", "off_scale"),
        ("accuracy", "<think>accuracy: 0.6", "malformed"),  # thoughts without an end
        ("accuracy", "So: <think></think>0.6", "malformed"),
    ],
)
def test_a_bare_value_that_leaves_a_doubt(criterion, reply, cause):
    found = read_bare(reply, RUBRIC.criterion(criterion), [criterion], reasoning=False)
    assert isinstance(found, Problem) and found.cause == cause


@pytest.mark.parametrize(
    ("prompt", "reply", "value", "rationale"),
    [
        ("请评分。\n准确率: 分值\n{answer}", "准确率: 0.6", 0.6, ""),
        ("请评分。\n准确率：分值\n{answer}", "**准确率**：0.6", 0.6, ""),
        ("Reply with Score: X. {answer}", "Score: 0.6", 0.6, ""),
        ("Score: X. {answer}", "score = 0.6", 0.6, ""),
        ('Reply with {{ \'{"score": 0.6}\' }}. {answer}', '{"score": 0.6}', 0.6, ""),
        ('Give "score": and "why". {answer}', '{"why": "One is off.", "score": 0.6}', 0.6, "One is off."),
        ("How good? {answer}", "Score: 0.6", None, ""),
        ("Underscore: no. {answer}", "Score: 0.6", None, ""),
    ],
)  # fmt: skip
def test_a_name_of_the_users_own_prompt_is_read(prompt, reply, value, rationale):
    read = read_bare(reply, RUBRIC.criterion("accuracy"), ["accuracy"], False, prompt=prompt)
    assert read == (value, rationale) if value is not None else isinstance(read, Problem)


def test_reasoning_before_the_value():
    accuracy = RUBRIC.criterion("accuracy")
    said = "Two points of three are there: 0.6 fits.\n\nNote: nothing is wrong.\nAccuracy: 0.6"
    assert read_bare(said, accuracy, ["accuracy"], reasoning=True) == (
        0.6,
        "Two points of three are there: 0.6 fits.\nNote: nothing is wrong.",
    )
    assert read_bare("0.6", accuracy, ["accuracy"], reasoning=True) == (0.6, "")
    for doubtful in (
        "It is right.\n0.6",
        "accuracy: 0.8\nOr rather\naccuracy: 0.6",
        "accuracy: 0.6\nThat is all.",
    ):
        assert isinstance(read_bare(doubtful, accuracy, ["accuracy"], reasoning=True), Problem), (
            doubtful
        )


@pytest.mark.parametrize("opening", ["<think>\n", ""])
@pytest.mark.parametrize("reasoning", [True, False])
def test_thoughts_before_the_value_are_no_part_of_the_reply(opening, reasoning):
    said = f"{opening}Is it\naccuracy: 0.2\n</think>\n\naccuracy: 0.6"
    assert read_bare(said, RUBRIC.criterion("accuracy"), ["accuracy"], reasoning=reasoning) == (
        0.6,
        "",
    )
    assert read_bare(
        f"{opening}Hm.</think>Да", RUBRIC.criterion("right"), ["right"], reasoning=reasoning
    ) == ("yes", "")


def test_the_thousand_of_a_wide_range_is_written_without_a_comma():
    wide = read_rubric("rubric: r\ncriteria: {c: {scale: {from: 0, to: 5000}}}").criteria[0].scale
    assert read_value("1000", wide) == 1000
    assert isinstance(read_value("1,000", wide), Problem)
