"""Faults that are judged: complete, with examples in the languages of the house; a file that lacks
something fails when it is defined."""

from __future__ import annotations

from dataclasses import replace

import pytest

from graders.core.discovery import load_all
from graders.core.errors import ContractError
from graders.core.faults import Fault, FaultExample
from graders.core.text import language_of

FAULTS, FAILURES = load_all("faults")
ONE = FaultExample("Why?", "Because of the rain.", "It says why.", "rain")


def test_all_load_and_none_has_the_name_of_a_rule_s() -> None:
    rules, _ = load_all("rules")
    assert FAILURES == [] and len(FAULTS) >= 9
    assert not set(FAULTS) & {rule.fault for rule in rules.values()}
    assert len({fault.title for fault in FAULTS.values()}) == len(FAULTS)


@pytest.mark.parametrize("name", FAULTS)
def test_each_says_what_it_is_and_what_it_is_not(name: str) -> None:
    fault = FAULTS[name]
    for sentence in (fault.about, fault.why, fault.misses):
        assert sentence.endswith(".") and len(sentence) > 40
    assert len(fault.present) >= 2 and len(fault.absent) >= 2, "judges and people learn from both"
    assert (
        all(
            example.why.startswith(("Overlooked: ", "Taken for the fault: "))
            for example in fault.missed
        )
        and fault.missed
    )
    languages = {language_of(example.answer) for example in (*fault.present, *fault.absent)}
    assert len(languages & {"en", "ru", "zh", "ja"}) >= 2, f"{name} is told in {languages} alone"


def test_together_they_have_examples_in_all_languages() -> None:
    told = [
        language_of(e.answer) for fault in FAULTS.values() for e in (*fault.present, *fault.absent)
    ]
    assert {"en", "ru", "zh", "ja"} <= set(told)


def make(**given: object) -> type[Fault]:
    words = {
        "version": "1",
        "title": "T",
        "about": "A.",
        "why": "W.",
        "misses": "M.",
        "severity": "minor",
        "speaks_to": "clarity",
    }
    made = {**words, "present": (ONE,), "absent": (ONE,), **given}
    return type("Odd", (Fault,), {name: value for name, value in made.items() if value is not None})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"misses": None}, "no misses"),
        ({"severity": "awful"}, "the severity 'awful'"),
        ({"present": ()}, "no example with the fault"),
        ({"absent": ()}, "no example without the fault"),
        ({"present": (replace(ONE, quote="snow"),)}, "the quote 'snow'"),
    ],
)
def test_a_file_that_lacks_something_fails_when_it_is_defined(
    given: dict[str, object], said: str
) -> None:
    assert make().severity == "minor"
    with pytest.raises(ContractError, match=said):
        make(**given)
