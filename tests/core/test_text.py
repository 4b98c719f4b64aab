"""Folding, quotes, characters, scripts, languages, sentences, words and names."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graders.core.text import (
    MASK,
    characters,
    find_quote,
    fold,
    folded,
    language_of,
    mask_names,
    scripts,
    sentences,
    words,
)
from tests.support.pace import too_slow


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  a \n\t b  ", "a b"),
        ("ＡＢＣ　１２", "ABC 12"),
        ("ﬁne", "fine"),
        ("e\u0301te\u0301", "été"),
        ("in\u00advisi\u200bble", "invisible"),
        ("", ""),
    ],
)
def test_fold(text: str, expected: str) -> None:
    assert fold(text) == expected


def test_fold_with_case() -> None:
    assert fold("Straße ÉTÉ", case=True) == "strasse été"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("abc", 3),
        ("a\r\nb", 3),  # a line break is one
        ("👨‍👩‍👧", 1),  # a family is one
        ("🇯🇵🇷🇺", 2),  # two flags
        ("e\u0301a", 2),
        ("日本語", 3),
        ("", 0),
    ],
)
def test_characters_are_those_a_person_sees(text: str, count: int) -> None:
    assert characters(text) == count


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ("the sea", "Look at the sea.", "the sea"),
        ("the sea", "Look at the \n  sea.", "the \n  sea"),
        ("“the sea”", "Look at the sea.", "the sea"),
        ("...the sea…", "Look at the sea.", "the sea"),
        ("— the sea", "Look at the sea.", "the sea"),
        ("it's 5-6 km", "It is far: it’s 5–6\u00a0km", "it’s 5–6\u00a0km"),
        ("fine", "All is ﬁne here", "ﬁne"),
        ("hello", "x ｈｅｌｌｏ", "ｈｅｌｌｏ"),
        ("café!", "cafe\u0301!", "cafe\u0301!"),
        ("в школу", "Он пошёл «в  школу»", "в  школу"),
        ("invisible", "in\u200bvisible", "in\u200bvisible"),
    ],
)
def test_a_quote_is_found_at_its_place_in_the_original(quote: str, text: str, found: str) -> None:
    span = find_quote(quote, text)
    assert span is not None
    assert text[span[0] : span[1]] == found


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("the lake", "Look at the sea."),
        ("", "abc"),
        ("...", "abc"),
        ("The Sea", "the sea"),
        ("seas", "sea"),
    ],
)
def test_a_quote_that_is_not_there_is_not_found(quote: str, text: str) -> None:
    assert find_quote(quote, text) is None


PIECES = [
    *"ab \n\t.“”—…é",
    "\u200b",
    "\u00ad",
    "\u3000",
    "ｈ",
    "ﬁ",
    "\u0301",
    "\u1100",
    "\u1161",
    "\u11a8",
    "ガ",
    "ｶ",
    "ﾞ",
    "👍🏽",
]


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=20).map("".join))
def test_folding_with_offsets_equals_folding(text: str) -> None:
    result = folded(text)
    plain = str.maketrans("“”—", '""-')
    assert result.text.strip() == fold(text).translate(plain)
    assert len(result.text) == len(result.starts) == len(result.ends)
    assert all(
        0 <= start < end <= len(text) for start, end in zip(result.starts, result.ends, strict=True)
    )


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60), st.integers(0, 60), st.integers(1, 60))
def test_every_piece_of_a_text_is_found_in_it(text: str, start: int, length: int) -> None:
    piece = text[start : start + length]
    assert (find_quote(piece, text) is not None) == bool(piece.strip())


def test_scripts_are_shares_of_letters() -> None:
    # 2 Latin, 2 Cyrillic, digits and signs do not count
    assert scripts("ab, 12 да!") == {"Latin": 0.5, "Cyrillic": 0.5}
    assert list(scripts("日本のこと")) == ["Hiragana", "Han"]
    assert scripts("123") == {}


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Why is the sky blue?", "en"),
        ("Name five fruits.", "en"),
        ("Почему небо голубое?", "ru"),
        ("天空为什么是蓝色的？", "zh"),
        ("空はなぜ青いのですか？", "ja"),
        ("カフェ", "ja"),
        ("用 Python 写一个 hello world", "zh"),
        ("Напиши hello world на Python", "ru"),
        ("하늘은 왜 파란가요?", "ko"),
        ("Warum ist der Himmel blau und nicht grün?", "de"),
        ("Pourquoi le ciel est-il bleu et pas vert ?", "fr"),
        ("¿Por qué el cielo es azul y no verde?", "es"),
        ("Dzisiaj jest bardzo ładna pogoda i idziemy na spacer do parku.", "pl"),
        ("Сьогодні дуже гарна погода, і ми їдемо до парку.", "uk"),
        ("Това е много добър ден за разходка в парка с кучето.", "bg"),
        ("ท้องฟ้าสีฟ้า", "th"),
        ("Leonardo da Vinci", ""),
        ("Python, Docker, Rust", ""),
        ("42 + 1 = 43", ""),
        ("", ""),
    ],
)
def test_language(text: str, language: str) -> None:
    assert language_of(text) == language


def test_asked_languages_narrow_the_choice() -> None:
    assert language_of("Сегодня хорошо", among=["ru"]) == "ru"
    assert language_of("Bugün hava çok güzel ve parka yürüyüşe gidiyoruz.", among=["tr"]) == "tr"


def test_usual_languages_need_no_model() -> None:
    code = (
        "import sys; from graders.core.text import language_of as f\n"
        "print([f('Why is the sky blue?'), f('Почему небо голубое?'), f('天空为什么是蓝色的'), f('空はなぜ青い')], "
        "'lingua' in sys.modules, 'regex' in sys.modules)"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert out.strip() == "['en', 'ru', 'zh', 'ja'] False False"


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("He came. He saw! Did he win?", "en", ["He came.", "He saw!", "Did he win?"]),
        (
            "Mr. Brown paid 3.5 dollars, e.g. for tea. Then he left.",
            "en",
            ["Mr. Brown paid 3.5 dollars, e.g. for tea.", "Then he left."],
        ),
        ("«Кто там?» — спросил он. Никого.", "ru", ["«Кто там?» — спросил он.", "Никого."]),
        ("你好。他说：“走吧！”然后走了。", "zh", ["你好。", "他说：“走吧！”然后走了。"]),
        ("はい。そうです！", "ja", ["はい。", "そうです！"]),
        ("one\ntwo", "en", ["one", "two"]),
        ("", "en", []),
    ],
)
def test_sentences(text: str, language: str, expected: list[str]) -> None:
    assert sentences(text, language) == expected


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("It's a well-known test.", "en", ["It's", "a", "well-known", "test"]),
        ("Ёлка, мяч!", "ru", ["Ёлка", "мяч"]),
        ("我爱GPT模型2024年", "zh", ["我", "爱", "GPT", "模", "型", "2024", "年"]),
        ("ラーメン", "", ["ラ", "ー", "メ", "ン"]),
        ("हिन्दी भाषा", "hi", ["हिन्दी", "भाषा"]),
        ("!?", "en", []),
    ],
)
def test_words(text: str, language: str, expected: list[str]) -> None:
    assert words(text, language) == expected


@pytest.mark.parametrize(
    ("text", "names", "masked"),
    [
        ("I am GPT-4o.", ["gpt-4o"], f"I am {MASK}."),
        ("gpt 4o mini and GPT-4o", ["openai/gpt-4o", "gpt-4o-mini"], f"{MASK} and {MASK}"),
        ("我是Qwen模型", ["Qwen"], f"我是{MASK}模型"),
        ("Bertha is not Bert", ["Bert"], f"Bertha is not {MASK}"),
        ("A cat", ["A"], "A cat"),
        ("Text", [], "Text"),
    ],
)
def test_names_of_models_are_masked(text: str, names: list[str], masked: str) -> None:
    assert mask_names(text, names) == masked


def test_a_thousand_names_are_masked_at_once() -> None:
    """Compiling a border of its own for each took 24 s, at the first screen of a project with 1,490
    models."""
    names = [f"model-{n}-x" for n in range(1490)] + ["模型", "c++"]
    start = time.process_time()
    assert (
        mask_names("Model 7 x and c++ and model-1489-X, model-77 and 模型.", names)
        == f"{MASK} and {MASK} and {MASK}, model-77 and {MASK}."
    )
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    "unit", ["a", " ", ".", "a. ", "“", "Слово и дело. ", "中。", "ａ ", "\n", "e\u0301"]
)
def test_a_megabyte_takes_no_second_each(unit: str) -> None:
    for work in (
        folded,
        characters,
        scripts,
        language_of,
        sentences,
        words,
        lambda t: find_quote("not there.....", t),
        lambda t: mask_names(t, ["a b"]),
    ):
        assert not too_slow(lambda size: unit * (size // len(unit)), work, 1_000_000, seconds=5), (
            work
        )
