"""Runs a rule over a table of cases and prints what it got wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from graders.core.contracts import Rule
from graders.core.records import Answer, Mark, Question, Subject
from graders.core.rubric import Criterion
from graders.core.scale import YES_NO

CRITERION = Criterion(rubric="r", name="c", scale=YES_NO)


def subject(question: str = "Why?", answer: str = "Because.", *, q: dict[str, Any] | None = None, **more: Any) -> Subject:
    """A subject from two texts; `q` sets fields of the question, the rest fields of the answer."""
    return Subject(Question(id="q", text=question, **(q or {})), Answer(question_id="q", model="m", text=answer, **more))


def assert_precision_and_recall(rule: Rule, name: str, make: Callable[[list[str], str], Subject]) -> None:
    """Precision >= .95 and recall >= .9 over all cases of ``cases/NAME.yaml`` and no language with recall below .8.

    precision = faults found that are faults / faults found; recall = faults found that are faults / faults.
    """
    table = YAML(typ="safe").load((Path(__file__).parent / "cases" / f"{name}.yaml").read_text("utf-8"))
    lines, hits, alarms, faults = [], 0, 0, 0
    for language, groups in table.items():
        assert len(groups["fault"]) >= 12 and len(groups["clean"]) >= 12, language
        marks = {kind: [(case, rule.grade(make(case, language), CRITERION)) for case in groups[kind]] for kind in groups}
        found = sum(_faulty(mark) for _, mark in marks["fault"])
        false = sum(_faulty(mark) for _, mark in marks["clean"])
        lines.append(f"{language}: found {found} of {len(groups['fault'])}, false alarms {false} of {len(groups['clean'])}")
        for kind, wrong in (("fault", False), ("clean", True)):
            for case, mark in marks[kind]:
                if _faulty(mark) is wrong:
                    lines.append(f"  {'false alarm' if wrong else 'missed'}: {case} -> {mark.reason or mark.value}, {mark.rationale}")
        hits, alarms, faults = hits + found, alarms + false, faults + len(groups["fault"])
        assert found >= 0.8 * len(groups["fault"]), "\n".join(lines)
    precision, recall = hits / (hits + alarms or 1), hits / faults
    lines.insert(0, f"{name}: precision {precision:.3f}, recall {recall:.3f}")
    print("\n".join(lines))
    assert precision >= 0.95 and recall >= 0.9, "\n".join(lines)


def _faulty(mark: Mark) -> bool:
    return mark.status == "ok" and mark.value == YES_NO.labels[0]
