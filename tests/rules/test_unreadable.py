"""Texts that cannot be read: kinds of damage, what lies below the limits."""

from __future__ import annotations

import pytest

from graders.rules.unreadable import Unreadable
from graders.rules.writing._encodings import garbled
from graders.rules.writing.unreadable import unreadable
from tests.rules.cases_table import CRITERION, subject, too_slow_on

TEXTS = [
    "Сегодня хорошая погода, пойдём гулять.",
    "今天天气很好，我们去散步吧。",
    "今日は天気がいいので、散歩に行きましょう。",
]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("read_as", ["latin-1", "cp1252", "cp1251", "gb18030", "cp932"])
def test_utf_8_read_as_something_else(text: str, read_as: str) -> None:
    assert not unreadable(text, "")
    assert unreadable(text.encode("utf-8").decode(read_as, "replace"), "")


def test_what_was_meant_is_known_where_the_bytes_are_whole() -> None:
    (one,) = garbled("He said: " + "привет".encode().decode("latin-1"))
    assert (one.start, one.meant) == (9, "привет")


@pytest.mark.parametrize(
    ("answer", "what"),
    [
        ("???? ?? ????? ???", "question marks stand in place of letters"),
        ("The \ufffd\ufffd\ufffd is \ufffd\ufffd\ufffd.", "letters are lost"),
        ("%%^^ &&** ~~|| {{[[ ]]}} <<>> ==++ @@##", "symbols stand in place of words"),
        ("xkjq wlfpt bnrgh zxcvb mnpqr tghjk plkmn", "the letters form no words"),
        (
            "I really люблю this книга because она about море и has смешной герой",
            "languages are mixed within the sentences",
        ),
    ],
)
def test_the_rationale_names_the_damage(answer: str, what: str) -> None:
    mark = Unreadable().grade(subject("Why is it so?", answer), CRITERION)
    assert (mark.value, mark.rationale) == ("No", f"The answer cannot be read: {what}.")
    assert (
        all(answer[evidence.start : evidence.end] == evidence.quote for evidence in mark.evidence)
        and mark.evidence
    )


def test_a_tenth_must_be_broken() -> None:
    # 3 broken characters of 27 + 3 are a tenth, of 28 + 3 they are less
    assert unreadable("a" * 27 + " \ufffd\ufffd\ufffd", "en")
    assert not unreadable("a" * 28 + " \ufffd\ufffd\ufffd", "en")


def test_a_listing_of_languages_can_be_read() -> None:
    assert not unreadable("Hello, Привет, 你好, こんにちは, 안녕하세요, مرحبا, שלום", "en")


@pytest.mark.parametrize("question", ["Why is it so?", "Почему?"])
@pytest.mark.parametrize(
    "unit",
    [
        "? ",
        "a?",
        "@#$%^&*",
        "你 is 好 the ",
        "слово is the ",
        "\ufffd",
        "Ð°Ñ",
        "É",
        "Ёё",
        "АБВ ",
        "遨ｺ",
        "锟斤拷",
        "xkjq ",
    ],
)
def test_a_megabyte_is_graded_in_a_second(question: str, unit: str) -> None:
    assert too_slow_on(Unreadable(), question, unit) == 0
