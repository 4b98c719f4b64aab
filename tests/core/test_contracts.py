"""Contracts fail when a part is defined, with a sentence that says what is missing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from graders.core.contracts import Importer, Metric, Rule
from graders.core.errors import ContractError
from graders.core.examples import FaultExample
from graders.core.scale import YES_NO

SAID = {
    "fault": "odd",
    "fault_title": "Odd",
    "severity": "minor",
    "speaks_to": "clarity",
    "why": "It is.",
    "misses": "All.",
}
RAIN = FaultExample("Why?", "Because of the rain.", "It says why.", "rain")


@pytest.mark.parametrize(
    ("attributes", "complaint"),
    [
        (
            {"fault": "odd"},
            "found the fault 'odd' with no fault_title, no severity, no speaks_to, no why, no misses",
        ),
        ({**SAID, "severity": "awful"}, "found the severity 'awful'"),
        ({}, ""),
    ],
)
def test_a_rule_that_finds_a_fault_says_how_bad_it_is(
    attributes: dict[str, Any], complaint: str
) -> None:
    body = {
        "version": "1",
        "about": "Odd.",
        "default_scale": YES_NO,
        "grade": lambda self, subject, criterion: None,
        **attributes,
    }
    if not complaint:
        assert type("Odd", (Rule,), body).fault == ""
        return
    with pytest.raises(
        ContractError, match="expected fault_title, speaks_to, why, misses and severity"
    ) as raised:
        type("Odd", (Rule,), body)
    assert complaint in str(raised.value)


@pytest.mark.parametrize(
    ("examples", "complaint"),
    [
        ({"absent": (RAIN,)}, "found no example with the fault"),
        ({"present": (RAIN,)}, "found no example without the fault"),
        (
            {"present": (RAIN,), "absent": (RAIN,), "missed": (replace(RAIN, quote="snow"),)},
            "found the quote 'snow'",
        ),
        ({"present": (RAIN,), "absent": (RAIN,)}, ""),
    ],
)
def test_a_rule_that_finds_a_fault_shows_it_by_examples(
    examples: dict[str, Any], complaint: str
) -> None:
    body = {
        "version": "1",
        "about": "Odd.",
        "default_scale": YES_NO,
        "grade": lambda self, subject, criterion: None,
        **SAID,
        **examples,
    }
    if not complaint:
        assert type("Odd", (Rule,), body).present == (RAIN,)
        return
    with pytest.raises(ContractError, match=complaint):
        type("Odd", (Rule,), body)


@pytest.mark.parametrize(
    ("attributes", "complaint"),
    [
        ({"version": 1}, "found version = 1, expected a text, such as '1' as version"),
        ({"about": " "}, "found about = ' ', expected a sentence as about"),
        (
            {"default_scale": ["No", "Yes"]},
            "found default_scale = ['No', 'Yes'], expected a Scale as default_scale",
        ),
        ({"grade": None}, "found grade = None, expected a method grade(self, subject, criterion)"),
        (
            {"grade": lambda self, subject: None},
            "found grade(self, subject), expected a method grade(self, subject, criterion)",
        ),
        ({"grade": lambda self, subject, criterion, more=0: None}, ""),
        ({"grade": staticmethod(lambda subject, criterion: None)}, ""),
    ],
)
def test_what_is_defined_is_of_the_kind_that_is_needed(
    attributes: dict[str, Any], complaint: str
) -> None:
    body = {
        "version": "1",
        "about": "Odd.",
        "default_scale": YES_NO,
        "grade": lambda self, subject, criterion: None,
        **attributes,
    }
    if not complaint:
        assert type("Odd", (Rule,), body).kind == "rule"
        return
    with pytest.raises(ContractError) as raised:
        type("Odd", (Rule,), body)
    assert str(raised.value) == f"rule Odd in abc: {complaint}. Correct it in the class."


@pytest.mark.parametrize(
    ("base", "attributes", "complaint"),
    [
        (
            Metric,
            {"outputs": "length", "compute": lambda self, subjects, references, encoder: []},
            "found outputs = 'length'",
        ),
        (
            Importer,
            {"suffixes": ".qa", **dict.fromkeys(("fits", "look", "read"), lambda *given: None)},
            "found suffixes = '.qa'",
        ),
    ],
)
def test_several_are_a_tuple(base: type, attributes: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ContractError, match=complaint):
        type("Odd", (base,), {"version": "1", "about": "Odd.", **attributes})
