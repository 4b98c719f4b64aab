"""Texts that no YAML parser should be given: a sentence at once, no error of a parser's own."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from graders.core import rubric_set
from graders.core.errors import InputError, RubricError
from graders.core.plain_yaml import read_plain_yaml
from graders.core.rubric import read_rubric

HEAD = "rubric: r\ncriteria:\n  a: {question: "
BOMBS = {
    "brackets": "[" * 5_000,
    "braces": "{a: " * 5_000,
    "closed": "[" * 5_000 + "]" * 5_000,
    "in a field": HEAD + "[" * 5_000,
    "over lines": "[\n" * 5_000,
    "indents": "".join(" " * n + f"k{n}:\n" for n in range(3_000)),
    "dashes": "- " * 5_000 + "x",
    "dashes over lines": "".join(" " * n + "-\n" for n in range(3_000)),
    "marks": "? " * 5_000 + "x",
    "aliases": "a: &a [x]\n" + "".join(f"b{n}: *a\n" for n in range(3_000)),
    "long": "a: " + "x" * 2_000_000,
}


@pytest.mark.parametrize("text", BOMBS.values(), ids=BOMBS.keys())
@pytest.mark.parametrize(
    "read",
    [
        read_rubric,
        lambda text: read_plain_yaml(text, "elements"),
        lambda text: rubric_set.set_value(text, "a", "scale", ["x", "y"]),
    ],
)
def test_a_bomb_gets_a_sentence_in_a_tenth_of_a_second(
    text: str, read: Callable[[str], object]
) -> None:
    took = []
    for _ in range(3):
        began = time.perf_counter()
        with pytest.raises(InputError, match=r"expected "):
            read(text)
        took.append(time.perf_counter() - began)
    assert min(took) < 0.1


def test_the_sentence_says_where() -> None:
    with pytest.raises(
        RubricError,
        match=r"rubric, line 3: found more than 60 brackets inside one another, expected at most 60",
    ):
        read_rubric(HEAD + "[" * 5_000)


def test_what_people_write_is_read() -> None:
    text = "rubric: r\ncriteria:\n  a:\n    question: Is it [right]? (see [1], [2] and {x})\n    scale: [wrong, right]\n"
    assert read_rubric(text).criteria[0].key
