"""Token F1 = 2 x shared / (tokens of the answer + tokens of the reference)."""

from __future__ import annotations

import pytest

from graders.core.text_languages import pair_language
from graders.metrics.texts.tokens import rouge_tokens, tokens
from graders.metrics.token_f1 import TokenF1

TABLE = [
    # answer, reference, language, F1 counted, F1 over sets, with their arithmetic
    ("hello world", "hello there", "en", 2 * 1 / (2 + 2), 2 * 1 / (2 + 2)),
    # article, case and mark do not count: 2*2/(2+2)
    (
        "The Eiffel Tower!",
        "eiffel tower",
        "en",
        1.0,
        1.0,
    ),
    ("in Paris, France", "Paris", "en", 2 * 1 / (3 + 1), 2 * 1 / (3 + 1)),
    # counted as often as it stands in both; once each
    (
        "no no no",
        "no no",
        "en",
        2 * 2 / (3 + 2),
        2 * 1 / (1 + 1),
    ),
    ("yes yes no", "yes", "en", 2 * 1 / (3 + 1), 2 * 1 / (2 + 1)),
    ("Berlin", "Paris", "en", 0.0, 0.0),
    ("U.S. dollars", "US dollars", "en", 1.0, 1.0),  # points go, letters stay together
    ("Столица - Москва", "Москва", "ru", 2 * 1 / (2 + 1), 2 * 1 / (2 + 1)),
    ("东京是首都", "东京", "zh", 2 * 2 / (5 + 2), 2 * 2 / (5 + 2)),
    ("人人为我", "我为人人", "zh", 1.0, 1.0),  # order does not count
    # full-width letters are the same letters; a Latin word is one token
    (
        "ＡＩ是什么",
        "AI",
        "zh",
        2 * 1 / (4 + 1),
        2 * 1 / (4 + 1),
    ),
    ("東京タワー", "東京", "ja", 2 * 2 / (5 + 2), 2 * 2 / (5 + 2)),
    ("กรุงเทพ", "กรุง", "th", 2 * 4 / (7 + 4), 2 * 4 / (7 + 4)),  # ก ร ุ ง เ ท พ against ก ร ุ ง
]


@pytest.mark.parametrize(("answer", "reference", "language", "counted", "once"), TABLE)
def test_f1(subject, answer, reference, language, counted, once):
    [values] = TokenF1().compute([subject(answer, language)], [[reference]])
    assert [value.metric for value in values] == ["token_f1", "token_f1_set"]
    assert [value.value for value in values] == pytest.approx([counted, once])
    assert {(value.status, value.reference, value.version) for value in values} == {("ok", 0, "2")}


def test_best_reference_and_its_position(subject):
    [[value, _]] = TokenF1().compute(
        [subject("red green")], [["blue", "", "red green blue", "red"]]
    )
    assert value.value == pytest.approx(2 * 2 / (2 + 3))
    assert value.reference == 2  # position in the list as given, blank ones included


def test_each_output_has_its_own_best_reference(subject):
    [[counted, once]] = TokenF1().compute([subject("no no no yes")], [["no no no", "no yes"]])
    # counted: 2*3/(4+3) = .857 against 2*2/(4+2) = .667; over sets: 2*1/(2+1) = .667 against
    # 2*2/(2+2) = 1
    assert (counted.value, counted.reference) == (pytest.approx(6 / 7), 0)
    assert (once.value, once.reference) == (1.0, 1)


@pytest.mark.parametrize(
    ("answer", "references", "reason"),
    [("red", [], "no_reference"), ("red", ["  "], "no_reference"), (" \n", ["red"], "empty")],
)
def test_absence_has_a_name(subject, answer, references, reason):
    [values] = TokenF1().compute([subject(answer)], [references])
    assert [(v.value, v.status, v.reason, v.reference) for v in values] == [
        (None, "unscored", reason, None)
    ] * 2


def test_the_language_of_an_unmarked_question_is_that_of_the_answer(subject):
    # As English the article would go and F1 be 1; as German "the" would stay a word.
    [[value, _]] = TokenF1().compute(
        [subject("The weather in the city is good today and we will go there", language="")],
        [["weather"]],
    )
    assert value.value == pytest.approx(2 * 1 / (11 + 1))


def test_tokens_of_scripts():
    assert tokens("The cat's «mat»", "en") == ["cats", "«mat»"]
    assert tokens("Кот, да!", "ru") == ["кот", "да"]
    assert rouge_tokens("The cat's 2nd-best mat", "en") == ["the", "cat", "s", "2nd", "best", "mat"]
    assert rouge_tokens("Кот, да!", "ru") == ["кот", "да"]


@pytest.mark.parametrize(
    ("marked", "references", "language"),
    [
        ("en", ["The cat sat on the mat and it slept."], "en"),
        ("en", ["猫坐在垫子上。"], "zh"),  # "Translate into Chinese: ..."
        ("en-GB", ["猫がマットに座った。"], "ja"),
        ("en", ["แมวนั่งบนเสื่อ"], "th"),
        ("en", ["Кошка сидела на коврике и ещё спала."], "ru"),
        ("zh", ["The cat sat on the mat and it slept there."], "en"),
        ("ru", ["The cat sat on the mat and it slept there."], "en"),
        ("zh-TW", ["AI", "42"], "zh-TW"),  # a name or number says nothing about the language
        ("zh", ["GPT-4 是一种模型"], "zh"),
        ("ja", ["東京"], "ja"),
        ("en", ["42"], "en"),
        ("de", ["Die Katze saß auf der Matte."], "de"),
        ("ko", ["고양이가 매트 위에 앉았다"], "ko"),
    ],
)
def test_references_in_another_script_bring_their_own_language(marked, references, language):
    assert pair_language(marked, references) == language


def test_a_translation_into_chinese_is_compared_by_characters(subject):
    # The question is in English; cut at spaces the two would share nothing: 0. Characters:
    # 2*5/(6+6)
    [[value, _]] = TokenF1().compute([subject("猫坐在毯子上", "en")], [["猫坐在垫子上"]])
    assert value.value == pytest.approx(2 * 5 / (6 + 6))
