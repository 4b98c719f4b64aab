"""Which rules measure and which detect, and how often those that detect are right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from graders.core import discovery
from graders.core.contracts import Finding, Rule
from graders.core.errors import ContractError
from graders.core.scale import YES_NO
from graders.workflows.cells.rule_precision import Precision
from tests.benchmarks.bench_faults_unseen import PRECISION, precision, written

#: All others detect.
MEASURED = {"exact_match", "length", "time_to_first_token"}
EITHER = {"requested_count"}


def test_only_these_rules_measure() -> None:
    rules, _ = discovery.load_all("rules")
    assert {n for n, p in rules.items() if p.finding is Finding.MEASURED} == MEASURED
    assert {n for n, p in rules.items() if p.finding is Finding.EITHER} == EITHER
    assert {n for n, p in rules.items() if p.unseen} < MEASURED


def test_a_rule_says_when_an_answer_has_its_fault() -> None:
    rules, _ = discovery.load_all("rules")
    assert {n for n, p in rules.items() if p.fault and not p.fault_about} == set()


def test_the_product_s_precision_is_what_first_runs_gave() -> None:
    assert PRECISION.read_text("utf-8") == written(), (
        "write it anew: python -m tests.benchmarks.bench_faults_unseen --write"
    )
    rows = [row for languages in precision().values() for row in languages.values()]
    assert all(0 <= right <= flagged for flagged, right in rows)


def test_no_rule_that_detects_is_sure() -> None:
    assert round(Precision("en", 24, 24).confidence, 3) == 0.962
    assert round(Precision("en", 100_000, 100_000).confidence, 3) < 1
    assert Precision("en", 0, 0).confidence == 0.5


def test_a_rule_that_states_nothing_detects_and_a_wrong_word_is_refused() -> None:
    @dataclass(frozen=True)
    class Plain(Rule):
        version = "1"
        about = "Says nothing."
        default_scale = YES_NO

        def grade(self, subject: Any, criterion: Any) -> Any: ...

    assert Plain.finding is Finding.DETECTED
    with pytest.raises(ContractError, match=r"Finding\.MEASURED"):

        class Wrong(Plain):
            finding = "certain"  # type: ignore[assignment]
