"""Contracts fail when a part is defined, with a sentence that says what is missing."""

from __future__ import annotations

from typing import Any

import pytest

from graders.core.contracts import Rule
from graders.core.errors import ContractError
from graders.core.examples import FaultExample
from graders.core.scale import YES_NO

SAID = {"fault": "odd", "fault_title": "Odd", "severity": "minor", "speaks_to": "clarity", "why": "It is.", "misses": "All."}
RAIN = FaultExample("Why?", "Because of the rain.", "It says why.", "rain")


@pytest.mark.parametrize(
    ("attributes", "complaint"),
    [
        ({"fault": "odd"}, "found the fault 'odd' with no fault_title, no severity, no speaks_to, no why, no misses"),
        ({**SAID, "severity": "awful"}, "found the severity 'awful'"),
        ({"version": None}, ""),
    ],
)
def test_a_rule_that_finds_a_fault_says_how_bad_it_is(attributes: dict[str, Any], complaint: str) -> None:
    body = {"version": "1", "about": "Odd.", "default_scale": YES_NO, "grade": lambda self, subject, criterion: None, **attributes}
    if not complaint:
        assert type("Odd", (Rule,), body).fault == ""
        return
    with pytest.raises(ContractError, match="expected fault_title, speaks_to, why, misses and severity") as raised:
        type("Odd", (Rule,), body)
    assert complaint in str(raised.value)


@pytest.mark.parametrize(
    ("examples", "complaint"),
    [
        ({"absent": (RAIN,)}, "found no example with the fault"),
        ({"present": (RAIN,)}, "found no example without the fault"),
        ({"present": (RAIN,), "absent": (RAIN,), "missed": (RAIN._replace(quote="snow"),)}, "found the quote 'snow'"),
        ({"present": (RAIN,), "absent": (RAIN,)}, ""),
    ],
)
def test_a_rule_that_finds_a_fault_shows_it_by_examples(examples: dict[str, Any], complaint: str) -> None:
    body = {"version": "1", "about": "Odd.", "default_scale": YES_NO, "grade": lambda self, subject, criterion: None, **SAID, **examples}
    if not complaint:
        assert type("Odd", (Rule,), body).present == (RAIN,)
        return
    with pytest.raises(ContractError, match=complaint):
        type("Odd", (Rule,), body)
