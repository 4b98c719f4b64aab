"""Faults that code puts into copies: their own examples, the same copy every time, nothing where it
cannot be sure."""

from __future__ import annotations

import pytest

from graders.core import discovery
from graders.core.seeded import SeededFault, SeedExample

FAULTS, FAILURES = discovery.load_all("seeded")
EXAMPLES = [
    (name, example) for name, fault in FAULTS.items() for example in (*fault.present, *fault.absent)
]


def test_all_load() -> None:
    assert not FAILURES
    assert set(FAULTS) == {
        "tail_cut",
        "dangling_note",
        "number_changed",
        "item_dropped",
        "translation_removed",
        "negation_flipped",
    }


@pytest.mark.parametrize(
    ("name", "example"), EXAMPLES, ids=[f"{name}-{n}" for n, (name, _) in enumerate(EXAMPLES)]
)
def test_examples(name: str, example: SeedExample) -> None:
    fault: SeededFault = FAULTS[name]()
    made = fault.damage(example.question, example.answer, example.language, 0.0)
    assert (made.text if made else "") == example.damaged
    assert made is None or (fault.may(example.language, "factual") and made.where)


@pytest.mark.parametrize("name", FAULTS)
def test_odd_texts_do_no_harm(name: str) -> None:
    fault: SeededFault = FAULTS[name]()
    for text in (
        "",
        "。",
        "1.\n2.\n3.",
        "(" * 5000,
        "не " * 500,
        "1) " * 500 + "a. " * 500,
        "\ud800",
        "是" * 3000,
        "a - b (" * 3000,
        "字 " * 9000,
    ):
        for language in ("en", "ru", "zh", "ja", "ar", ""):
            fault.damage(text, text, language, 0.999)
