"""Cases whose writers saw neither rules nor other cases: one JSON line each, with `fault`, `kind`
(``fault``, ``lookalike`` or ``clean``), `question`, `answer`, a note for readers and perhaps a
`finish_reason`. All rules run on each of them.

A set is a folder with a file per language. A case that a careful reader would label otherwise
stands, with the reason, in `set_aside.yaml` beside them and counts nowhere.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from graders.core.contracts import Rule
from graders.core.discovery import find, module_names
from graders.core.records import Answer, Question, Subject
from graders.core.rubric import Criterion
from graders.core.scale import YES_NO
from graders.statistics.proportion import clopper_pearson

CRITERION = Criterion(rubric="cases", name="fault", scale=YES_NO)
#: Faults that are a measure and a limit, which a rubric sets: nothing is detected.
MEASURED = {"too_long", "slow_first_token"}
CODE = Path(__file__).parents[2] / "graders"


@dataclass(frozen=True)
class Case:
    language: str
    fault: str
    kind: str
    question: str
    answer: str
    note: str = ""
    finish_reason: str = ""


@dataclass
class Counted:
    """What rules told of cases: faults found of those that there are, and ordinary clean answers
    and look-alikes on which any fault was named."""

    cases: Counter[str] = field(default_factory=Counter)
    told: Counter[str] = field(default_factory=Counter)

    def add(self, kind: str, told: bool) -> None:
        self.cases[kind] += 1
        self.told[kind] += told

    def share(self, kind: str) -> float:
        return self.told[kind] / self.cases[kind] if self.cases[kind] else 0.0

    def upper(self, kind: str = "fault") -> float:
        """The upper end of the exact 95 % interval of a share."""
        return clopper_pearson(self.told[kind], self.cases[kind])[1]


def load(folder: Path) -> list[Case]:
    """All cases of a set but those set aside."""
    aside = {(one["language"], one["question"], one["answer_begins"]) for one in set_aside(folder)}
    cases = [
        Case(language=path.stem, **json.loads(line))
        for path in sorted(folder.glob("*.jsonl"))
        for line in path.read_text("utf-8").strip().split("\n")  # texts hold other line ends
    ]
    return [
        case
        for case in cases
        if not any(
            case.language == language and case.question == question and case.answer.startswith(head)
            for language, question, head in aside
        )
    ]


def set_aside(folder: Path) -> list[dict[str, str]]:
    path = folder / "set_aside.yaml"
    return YAML(typ="safe").load(path.read_text("utf-8")) or [] if path.exists() else []


@cache
def _rules() -> tuple[Rule, ...]:
    rules = (find("rules", name) for name in module_names("rules"))
    return tuple(rule() for rule in rules if rule.fault and rule.fault not in MEASURED)


def faults_in(
    question: str, answer: str, finish_reason: str = "", context: tuple[str, ...] = ()
) -> set[str]:
    """The faults that any rule names in an answer."""
    subject = Subject(
        Question(id="q", text=question, context=context),
        Answer(question_id="q", model="m", text=answer, finish_reason=finish_reason),
    )
    marks = [(rule.fault, rule.grade(subject, CRITERION)) for rule in _rules()]
    return {
        fault for fault, mark in marks if mark.value == YES_NO.labels[0] or mark.reason == fault
    }


def wrong(case: Case, faults: set[str]) -> bool:
    """Whether rules got a case wrong: missed its fault, or named any where there is none."""
    return case.fault not in faults if case.kind == "fault" else bool(faults)


def named(cases: Iterable[Case]) -> list[tuple[Case, set[str]]]:
    """Each case with the faults that rules name in its answer."""
    return [(case, faults_in(case.question, case.answer, case.finish_reason, ())) for case in cases]


def count(cases: Iterable[tuple[Case, set[str]]]) -> dict[tuple[str, str], Counted]:
    """Counts by fault and language, each also over ``all``."""
    counted: dict[tuple[str, str], Counted] = {}
    for case, faults in cases:
        told = case.fault in faults if case.kind == "fault" else bool(faults)
        for fault in (case.fault, "all"):
            for language in (case.language, "all"):
                counted.setdefault((fault, language), Counted()).add(case.kind, told)
    return counted


def flags(cases: Iterable[tuple[Case, set[str]]]) -> dict[str, dict[str, list[int]]]:
    """By fault and language how many answers were flagged, and on how many of these rightly.

    A flag is right on an answer that was written with the fault, and wrong on one that was written
    without any. On an answer with another fault the label does not say, and the flag counts
    nowhere."""
    found: dict[str, dict[str, list[int]]] = {}
    for case, faults in cases:
        for fault in sorted(faults):
            if case.kind == "fault" and case.fault != fault:
                continue
            row = found.setdefault(fault, {}).setdefault(case.language, [0, 0])
            row[0] += 1
            row[1] += case.kind == "fault"
    return {fault: dict(sorted(row.items())) for fault, row in sorted(found.items())}


def figures(counted: dict[tuple[str, str], Counted]) -> dict[str, Any]:
    """What is kept of a run: shares over all and by language, and found of there are by fault."""
    return {
        "languages": {
            language: {
                "recall": round(one.share("fault"), 4),
                "clean": round(one.share("clean"), 4),
                "lookalike": round(one.share("lookalike"), 4),
                "cases": dict(sorted(one.cases.items())),
            }
            for (fault, language), one in counted.items()
            if fault == "all"
        },
        "faults": {
            fault: {
                "found": one.told["fault"],
                "of": one.cases["fault"],
                "upper": round(one.upper(), 4),
            }
            for (fault, language), one in counted.items()
            if language == "all" and fault != "all"
        },
    }


def hash_of_set(folder: Path) -> str:
    """What the cases are, whatever their order."""
    lines = sorted(
        json.dumps({"language": path.stem, **json.loads(line)}, sort_keys=True)
        for path in folder.glob("*.jsonl")
        for line in path.read_text("utf-8").strip().split("\n")  # texts hold other line ends
    )
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def hash_of_rules() -> str:
    """The code of the rules and of what they stand on."""
    whole = hashlib.sha256()
    for room in ("rules", "core"):
        for path in sorted((CODE / room).rglob("*.py")):
            whole.update(f"{path.relative_to(CODE)}\n".encode() + path.read_bytes())
    return whole.hexdigest()[:16]
