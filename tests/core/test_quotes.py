"""Quotes are compared as people read them; words and their order count."""

from __future__ import annotations

import time

import pytest

from graders.core.quotes import misquotes, stands_in, unsought
from graders.core.records import Evidence, Mark

ANSWER = """## The **Paris** plan

Intro with `code_name` and [a link](https://x.org/a_(b)), e\u0301te\u0301 at ２０℃.

1. First *point* is “good”.
2. Second\u00a0point, l’été: «да».
- bullet one
- bullet **two**

| Name | Size |
|------|-----:|
| Ash  | 2*3  |

```python
x = snake_case * 2
```
> quoted\u200b  line
"""


@pytest.mark.parametrize(
    "quote",
    [
        "The Paris plan",
        "the paris PLAN",
        "## The **Paris** plan",
        "Intro with code_name and a link, été at 20°C.",
        'First point is "good".',
        "1. First *point* is «good». 2. Second point",
        'First point is good. Second point, l\'été: "да"',
        "“Second point”",
        "'Second point, l’été",
        "bullet one bullet two",
        "- bullet one\n- bullet two",
        "Name Size Ash 2*3",
        "Ash | 2*3",
        "x = snake_case * 2",
        "`x = snake_case * 2`",
        "Second point,\n\n  l'été",
        "quoted line",
        "First point ... bullet two",
        "First point is … l'été [...] Ash",
        "[…] quoted line",
        "...",
        "“ ”",
    ],
)
def test_what_reads_the_same_stands_in_the_text(quote: str) -> None:
    assert stands_in(quote, [ANSWER])
    assert stands_in(quote, ["another", ANSWER])


@pytest.mark.parametrize(
    "quote",
    [
        "The London plan",
        "plan Paris",
        "bullet three",
        "23",
        "snakecase",
        "Second point ... First point",
        "First point ... bullet three",
        "quoted ... quoted line",
        "absent",
    ],
)
def test_other_words_or_another_order_do_not(quote: str) -> None:
    assert not stands_in(quote, [ANSWER])


def test_a_verdict_misquotes_only_where_a_quote_was_given() -> None:
    said = {
        found: Mark(value=1, evidence=(Evidence(quote="words", found=found),))
        for found in (True, False, None)
    }
    assert [misquotes(said[found]) for found in (True, False, None)] == [False, True, False]
    assert [unsought(said[found]) for found in (True, False, None)] == [False, False, True]
    for nothing in (
        Evidence(absent=True),
        Evidence(quote="", found=False),
        Evidence(quote=" “…” ", found=False),
    ):
        assert not misquotes(Mark(value=1, evidence=(nothing,)))
    assert misquotes(
        Mark(
            value=1,
            evidence=(
                Evidence(quote="there", found=True),
                Evidence(quote="not there", found=False),
            ),
        )
    )


@pytest.mark.parametrize(
    "sign", ["[", "*", "_ ", "> ", "- ", "| -", "1. ", "[a](", ".", "\\", "<br", "`"]
)
def test_no_text_makes_the_comparison_slow(sign: str) -> None:
    began = time.perf_counter()
    assert not stands_in("nothing like it", [sign * 20_000])
    assert not stands_in(f"words {sign * 20_000}", ["nothing like it"])
    assert time.perf_counter() - began < 1.0
