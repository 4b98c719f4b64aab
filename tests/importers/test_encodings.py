"""Sixty-eight small files: language x encoding x separator, guessed right every time."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from graders.core.contracts import Placed
from graders.core.records import Answer, BadRow, Question
from graders.importers.csv import Csv
from graders.importers.tables.encoding import guess_encoding, guess_separator
from tests.importers.texts import HEADERS, TEXTS

SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}
#: language, encoding: three that know every letter, and the old one of each language
PAIRS = [
    *product(TEXTS, ("utf-8", "utf-8-sig", "utf-16")),
    *(("ru", "cp1251"), ("zh", "gb18030"), ("ja", "shift_jis")),
    *(("ru", "koi8-r"), ("ja", "euc_jp")),
]
#: KOI8-R has no long dash and no Russian quotation marks: programs that wrote it took plain ones.
PLAIN = str.maketrans({"—": "-", "–": "-", "«": '"', "»": '"', "…": "."})
#: without a byte order mark nothing but the text itself gives the order away
UNMARKED = list(product(TEXTS, ("utf-16-le", "utf-16-be")))


def table(
    language: str, encoding: str, separator: str, start: int
) -> tuple[bytes, list[tuple[str, str]]]:
    """A long table of at least 500 bytes that begins at the `start`-th text, and what it says."""
    rows, text = [HEADERS[language]], io.StringIO(newline="")
    said = []
    writer = csv.writer(text, delimiter=separator)
    writer.writerow(rows[0])
    for i in range(200):
        question, answer = TEXTS[language][(start + i) % len(TEXTS[language])]
        if encoding == "koi8-r":
            question, answer = question.translate(PLAIN), answer.translate(PLAIN)
        if i >= len(TEXTS[language]):
            question = f"{question} ({i})"
        said.append((question, answer))
        writer.writerow((question, "m-1", answer))
        raw = text.getvalue().encode(encoding)
        if len(raw) >= 500:
            return raw, said
    raise AssertionError("never long enough")


CASES = [(language, encoding, name) for (language, encoding), name in product(PAIRS, SEPARATORS)]


def test_there_are_sixty_eight() -> None:
    assert len(CASES) == 17 * 4 == 68


@pytest.mark.parametrize(
    ("language", "encoding", "name"),
    CASES + [(*pair, name) for pair, name in product(UNMARKED, SEPARATORS)],
)
def test_encoding_and_separator_are_guessed(
    language: str, encoding: str, name: str, tmp_path: Path
) -> None:
    raw, said = table(language, encoding, SEPARATORS[name], list(SEPARATORS).index(name))
    assert 500 <= len(raw) < 1000
    path = tmp_path / "table.csv"
    path.write_bytes(raw)
    look = Csv().look(path)
    assert (look.encoding, look.separator) == (encoding, SEPARATORS[name])
    found = [item.record for item in Csv().read(path, look) if isinstance(item, Placed)]
    texts = [
        (q.text, a.text)
        for q, a in zip(found[::2], found[1::2], strict=True)
        if isinstance(q, Question) and isinstance(a, Answer)
    ]
    assert texts == said


@pytest.mark.parametrize(
    ("language", "encoding"),
    [("ru", "cp1251"), ("zh", "gb18030"), ("ja", "shift_jis"), ("ru", "koi8-r"), ("ja", "euc_jp")],
)
def test_every_stretch_of_the_texts_is_guessed(language: str, encoding: str) -> None:
    # each question with its answer alone, about 60 to 200 bytes, less than is promised
    for question, answer in TEXTS[language]:
        line = f"{question};{answer}\r\n"
        raw = (line.translate(PLAIN) if encoding == "koi8-r" else line).encode(encoding)
        assert guess_encoding(raw).encoding == encoding, (question, guess_encoding(raw))


def test_western_letters_are_not_taken_for_russian_ones() -> None:
    text = "question,answer\nOù est la gare ?,À côté de l'hôtel; c'est très près.\nWie heißt du?,Ich heiße Jürgen Müller und wohne in Köln.\n"
    assert guess_encoding(text.encode("cp1252")).encoding == "cp1252"


def test_one_broken_row_does_not_change_the_guess() -> None:
    raw = (
        "вопрос;ответ\nГде Волга?;В России\n".encode()
        + b"\xff\xfe\xfa;x\n"
        + "Где Нил?;В Африке\n".encode()
    )
    assert guess_encoding(raw).encoding == "utf-8"


def test_a_cut_character_at_the_end_of_the_head_is_forgiven() -> None:
    raw = ("вопрос;ответ\n" + "Где Волга?;В России\n" * 20).encode()[:-2]
    assert guess_encoding(raw, whole=False).score == 1.0


def test_russian_after_a_megabyte_of_ascii_is_seen(tmp_path: Path) -> None:
    rows = (
        ["question,answer"]
        + [f"What is {i} plus {i}?,{2 * i}" for i in range(40_000)]
        + ["Сколько будет два плюс два?,Четыре будет"]
    )
    path = tmp_path / "late.csv"
    path.write_bytes("\n".join(rows).encode("cp1251"))
    assert path.stat().st_size > 1_000_000
    look = Csv().look(path)
    assert look.encoding == "cp1251"
    last = [item.record for item in Csv().read(path, look) if isinstance(item, Placed)][-1]
    assert isinstance(last, Answer) and last.text == "Четыре будет"


def test_a_choice_beats_the_guess(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(
        "питання;відповідь\nДе Волга, а де Дон?;У Росії, обидві річки\n".encode("koi8-u")
    )
    chosen = replace(Csv().look(path), encoding="koi8-u", separator=";")
    look = Csv().look(path, chosen)
    assert [c.header for c in look.columns] == ["питання", "відповідь"]
    assert not [item for item in Csv().read(path, look) if isinstance(item, BadRow)]


@pytest.mark.parametrize(
    ("text", "separator"),
    [
        ("question;answer\nOne, two, three?;a, b\nFour, five?;c\n", ";"),
        ("question,answer\nOne; two?,a; b; c\nFour?,c; d\n", ","),
        ("a|b\nOne, two|x, y\nThree, four|z, w\n", "|"),
        ("вопрос;время\nГде?;1,5\nКогда?;2,25\n", ";"),
        ("just one line of text\nand another one\n", ""),
    ],
)
def test_separators(text: str, separator: str) -> None:
    assert guess_separator(text) == separator
