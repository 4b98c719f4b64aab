"""What rules know of a language rather than of cases: vocabulary, little words, torn letters, Latin
letters, sentences, and what stands elsewhere."""

from __future__ import annotations

import pytest

from graders.rules.counts.asked_sentences import asked_sentences, sentences_given
from graders.rules.languages.asked_broadly import asked_broadly
from graders.rules.languages.latin_words import in_latin_letters
from graders.rules.writing.elsewhere import elsewhere
from graders.rules.writing.known_words import strange_words
from graders.rules.writing.salad import salad
from graders.rules.writing.scrambled import scrambled


@pytest.mark.parametrize(
    ("language", "made_up", "real"),
    [
        (
            "en",
            "the florbish grandle vompted quillash into sprendic mobbets while tharvel dinked",
            "the gardener carried heavy buckets into silent houses while children looked",
        ),
        (
            "ru",
            "шлюповал дрымкий вестопрян зугалый корёмб и хлабосил мурзявую пентушку возле "
            "глимофа чтобы снорить быртовую лямгу",
            "старый садовник медленно поливал цветы возле дома чтобы вечером показать соседям "
            "красивый сад который вырос",
        ),
    ],
)
def test_words_that_nobody_knows(language: str, made_up: str, real: str) -> None:
    assert strange_words(made_up, language) and not strange_words(real, language)


def test_words_in_no_order() -> None:
    lost = (
        "Tea of the with a from is water the of and to pour in a the by of leaves and than the it."
    )
    assert salad(f"{lost} {lost}", "en")
    assert not salad("Pour the water into the pot and wait for a minute. " * 4, "en")
    assert salad(
        "合同的是与在买方将被从卖方的在与签字，价格之于将而是的与由双方决定并且付款交货日期", "zh"
    )


def test_letters_torn_apart() -> None:
    assert scrambled("в#да к*пит пр&м%рно пят^ м@нут зат=м е# с~ивают пот*м", "ru")
    assert not scrambled("Вода кипит примерно пять минут, затем её сливают.", "ru")
    assert scrambled("b o i l t h e w a t e r a n d w a i t f o r a m i n u t e", "en")


def test_another_script_in_latin_letters() -> None:
    question = "How do you write 'good night' in Korean? Give me the phrase."
    assert in_latin_letters("It is **annyeonghi jumuseyo**.", question, "en")
    assert not in_latin_letters("It is **안녕히 주무세요** (annyeonghi jumuseyo).", question, "en")


def test_wishes_in_any_order() -> None:
    assert asked_broadly("Which phrases should I know in Turkish before my holiday?") == "tr"
    assert asked_broadly("Why is Turkish grammar difficult?") == ""


def test_sentences_are_counted() -> None:
    assert asked_sentences("Explain gravity in two sentences.") == 2
    assert asked_sentences("Explain gravity in at most two sentences.") is None
    assert asked_sentences("Объясни тремя предложениями, что такое роса.") == 3
    assert sentences_given("Things fall. Mass pulls. It holds the moon.") == (3,)


def test_what_stands_elsewhere() -> None:
    text = "Cut the roots as the photo on the right shows; see Appendix B for soils."
    assert [what for *_, what in elsewhere(text, text, "How do I plant a tree?", False)] == [
        "figure",
        "list",
    ]
    assert not list(elsewhere(text, text, "Write to her about the photo", True))
