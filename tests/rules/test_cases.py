"""Cases in four languages, with each fault and without: what rules find of them, and how many there
must be."""

from __future__ import annotations

import pytest

from graders.core.discovery import find, module_names
from tests.benchmarks.bench_faults_found import names, shortcomings

#: Its cases are signs that cannot be read in a file of cases: lists of both kinds stand in
#: ``tests/core/test_hidden.py``.
ELSEWHERE = {"hidden_text"}


def test_every_rule_that_names_a_fault_has_cases() -> None:
    assert names() == sorted(
        name
        for name in module_names("rules")
        if find("rules", name).fault and name not in ELSEWHERE
    )


@pytest.mark.parametrize("name", names())
def test_the_fault_is_found_where_it_is_and_nowhere_else(name: str) -> None:
    assert shortcomings(name) == []
