"""Token F1 = 2 x shared / (tokens of the answer + tokens of the reference)."""

from __future__ import annotations

import pytest

from graders.metrics.token_f1 import TokenF1, tokens

TABLE = [
    # answer, reference, language, F1 with its arithmetic
    ("The Eiffel Tower!", "eiffel tower", "en", 1.0),  # article, case and mark do not count: 2*2/(2+2)
    ("in Paris, France", "Paris", "en", 2 * 1 / (3 + 1)),
    ("no no no", "no no", "en", 2 * 2 / (3 + 2)),  # counted as often as it stands in both
    ("Berlin", "Paris", "en", 0.0),
    ("U.S. dollars", "US dollars", "en", 1.0),  # points go, letters stay together
    ("Столица - Москва", "Москва", "ru", 2 * 1 / (2 + 1)),
    ("东京是首都", "东京", "zh", 2 * 2 / (5 + 2)),
    ("ＡＩ是什么", "AI", "zh", 2 * 1 / (4 + 1)),  # full-width letters are the same letters; a Latin word is one token
    ("東京タワー", "東京", "ja", 2 * 2 / (5 + 2)),
]


@pytest.mark.parametrize(("answer", "reference", "language", "expected"), TABLE)
def test_f1(subject, answer, reference, language, expected):
    [[value]] = TokenF1().compute([subject(answer, language)], [[reference]])
    assert value.value == pytest.approx(expected)
    assert (value.metric, value.status, value.reference, value.version) == ("token_f1", "ok", 0, "1")


def test_best_reference_and_its_position(subject):
    [[value]] = TokenF1().compute([subject("red green")], [["blue", "", "red green blue", "red"]])
    assert value.value == pytest.approx(2 * 2 / (2 + 3))
    assert value.reference == 2  # position in the list as given, blank ones included


@pytest.mark.parametrize(
    ("answer", "references", "reason"), [("red", [], "no_reference"), ("red", ["  "], "no_reference"), (" \n", ["red"], "empty")]
)
def test_absence_has_a_name(subject, answer, references, reason):
    [[value]] = TokenF1().compute([subject(answer)], [references])
    assert (value.value, value.status, value.reason, value.reference) == (None, "unscored", reason, None)


def test_the_language_of_an_unmarked_question_is_that_of_the_answer(subject):
    # As English the article would go and F1 be 1; as German "the" would stay a word.
    [[value]] = TokenF1().compute([subject("The weather in the city is good today and we will go there", language="")], [["weather"]])
    assert value.value == pytest.approx(2 * 1 / (11 + 1))


def test_tokens_of_scripts():
    assert tokens("The cat's «mat»", "en") == ["cats", "«mat»"]
    assert tokens("Кот, да!", "ru") == ["кот", "да"]
