"""The how-to of named faults: its commands run as they stand there, its list is the house's, its
Python defines a fault."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from graders.core import discovery
from graders.core.faults import Fault
from graders.workflows.cells.fault_list import judged_faults, named_faults
from tests.commands.runner import Line
from tests.support.stub import provider_stub

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/faults.md").read_text("utf-8")
FOUND = "".join(re.findall(r"^```console\n(.*?)^```", TEXT, flags=re.M | re.S))
#: (command, what it prints where the how-to shows it)
STEPS = [
    (step.split("\n", 1)[0], step.split("\n", 1)[1])
    for step in re.split(r"^\$ ", FOUND, flags=re.M)[1:]
]


def test_the_how_to(cograde: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    printed = {}
    names = [fault.name for fault in judged_faults()]
    with provider_stub() as stub:
        monkeypatch.setenv("OPENAI_API_KEY", "nobody")
        monkeypatch.setenv("OPENAI_BASE_URL", stub.base_url)
        for line, said in STEPS:
            words = shlex.split(line)
            printed[line] = done = (
                cograde.bare(*words[1:]) if words[1] == "faults" else cograde(*words[1:])
            )
            assert done.code == 0, f"{line}\n{done.err}"
            assert said in ("", done.out), line
    plan = next(done for line, done in printed.items() if "--plan" in line)
    assert f"named faults that the judges look for: {', '.join(names)}" in plan.out
    assert "36 calls" in plan.out, "18 answers: one call for the criteria, one for all faults"
    ran = next(done for line, done in printed.items() if "--max-calls" in line)
    assert "36 of 36 calls, 0 known, 0 without a usable reply" in ran.out
    assert printed["cograde faults"].out.count("\n") == len(named_faults())


def test_its_list_is_the_house_s() -> None:
    rows = [
        [cell.strip(" `") for cell in row.strip("| \n").split("|")]
        for row in re.findall(r"^\|.*\|$", TEXT, flags=re.M)
    ]
    parts, _ = discovery.load_all("rules")
    faults, rules = rows[2 : 2 + len(named_faults())], rows[-len(parts) :]
    assert faults == [
        [f.title, name, ", ".join(filter(None, (f.by, f.finding))), f.severity, f.speaks_to]
        for name, f in named_faults().items()
    ]
    assert [row[:2] for row in rules] == [[n, str(p.finding)] for n, p in sorted(parts.items())]
    assert all(row[2] for row in rules)


def test_a_rule_s_precision_is_told_by_language(cograde: Line) -> None:
    told = cograde.bare("faults", "arithmetic_error")
    assert "A rule detects it" in told.out and "en 28 of 30" in told.out
    found = cograde.bare("faults", "arithmetic_error", "--json").json
    assert (found["finding"], found["precision"][0]) == (
        "detected",
        {"language": "en", "flagged": 30, "right": 28},
    )
    assert cograde.bare("faults", "too_long", "--json").json["precision"] == []
    assert "A rule measures it, and decides." in cograde.bare("faults", "too_long").out


def test_its_python_defines_a_fault() -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```", TEXT, flags=re.M | re.S)
    room: dict[str, object] = {"__name__": "mine"}
    exec(code, room)
    assert issubclass(room["NoGreeting"], Fault)  # type: ignore[arg-type]


def test_a_fault_that_is_not_there(cograde: Line) -> None:
    done = cograde.bare("faults", "buried")
    assert done.code == 1
    assert (
        done.err.strip()
        == "fault 'buried': found no such fault, expected one of buried_answer. List them: cograde faults."
    )
    told = cograde.bare("faults", "truncated_", "--json")
    assert told.code == 1
    rule = cograde.bare("faults", "cut_off", "--json").json
    assert (
        rule["by"] == "rule"
        and rule["about"].startswith("The answer stops before its end")
        and rule["why"].startswith("The reader waits")
    )
    assert (
        rule["present"][0]["quote"] in rule["present"][0]["answer"]
        and rule["absent"]
        and rule["missed"][0]["why"].startswith("Overlooked")
    )
    slow = cograde.bare("faults", "slow_first_token").out
    assert (
        "Has it: What is the capital of Peru? -> Lima. (5.2 s, where the limit is 5 s.)" in slow
        and "Known misses: An answer" in slow
    )
    assert (
        "… 2,650 characters (2,500 are the limit where it is.)"
        in cograde.bare("faults", "too_long").out
    )
