"""Contracts fail when a part is defined, with a sentence that says what is missing."""

from __future__ import annotations

from typing import Any

import pytest

from graders.core.contracts import Rule
from graders.core.errors import ContractError
from graders.core.scale import YES_NO


@pytest.mark.parametrize(
    ("attributes", "complaint"),
    [
        ({"fault": "odd"}, "found the fault 'odd' with no fault_title, no severity, no speaks_to"),
        ({"fault": "odd", "fault_title": "Odd", "severity": "awful", "speaks_to": "clarity"}, "found the severity 'awful'"),
        ({"version": None}, ""),
    ],
)
def test_a_rule_that_finds_a_fault_says_how_bad_it_is(attributes: dict[str, Any], complaint: str) -> None:
    body = {"version": "1", "about": "Odd.", "default_scale": YES_NO, "grade": lambda self, subject, criterion: None, **attributes}
    if not complaint:
        assert type("Odd", (Rule,), body).fault == ""
        return
    with pytest.raises(ContractError, match="expected fault_title, speaks_to and severity") as raised:
        type("Odd", (Rule,), body)
    assert complaint in str(raised.value)
