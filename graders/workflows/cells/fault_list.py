"""Named faults as one list: those that rules find and those that a judge is asked about."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from graders.core import discovery
from graders.core.contracts import SEVERITIES, Rule
from graders.core.errors import NotFound
from graders.core.faults import FAULTS_RUBRIC, Fault, FaultExample, FaultList
from graders.core.shapes import as_dict
from graders.core.words import error_parts
from graders.store.projects import CriterionRow


@dataclass(frozen=True, slots=True)
class NamedFault:
    """What pages say of a fault: its name, words, how bad it is, the criterion it counts against,
    why it hurts, who finds it."""

    name: str
    title: str
    severity: str
    speaks_to: str
    why: str
    by: str


@dataclass(frozen=True, slots=True)
class ExplainedFault(NamedFault):
    """All that is said of a fault: what it is about and what it misses in words, examples that have
    it, that do not, and that are taken wrongly."""

    about: str
    misses: str
    present: Sequence[FaultExample]
    absent: Sequence[FaultExample]
    missed: Sequence[FaultExample]


@cache
def named_faults() -> dict[str, NamedFault]:
    """All faults that have a name, by it; a rule goes before a judge where both know one."""
    rules, _ = discovery.load_all("rules")
    found = {
        fault.name: NamedFault(
            fault.name, fault.title, fault.severity, fault.speaks_to, fault.why, "judge"
        )
        for fault in judged_faults()
    }
    found |= {
        rule.fault: NamedFault(
            rule.fault, rule.fault_title, rule.severity, rule.speaks_to, rule.why, "rule"
        )
        for rule in rules.values()
        if rule.fault
    }
    return dict(sorted(found.items()))


@cache
def judged_faults() -> tuple[Fault, ...]:
    """The faults that a judge is asked about, in the order of their names."""
    parts, _ = discovery.load_all("faults")
    return tuple(part() for _, part in sorted(parts.items()))


def explained(name: str) -> ExplainedFault:
    """All that is said of a fault. NotFound lists near names."""
    known = named_faults().get(name)
    if known is None:
        near = difflib.get_close_matches(name, named_faults(), n=3) or list(named_faults())
        raise NotFound(**error_parts("cells.no_fault", name=repr(name), near=", ".join(near)))
    fault: type[Rule] | Fault
    if known.by == "rule":
        fault = next(rule for rule in discovery.load_all("rules")[0].values() if rule.fault == name)
        about = " ".join((fault.__doc__ or fault.about).split())
    else:
        fault = next(one for one in judged_faults() if one.name == name)
        about = fault.about
    return ExplainedFault(
        **as_dict(known),
        about=about,
        misses=fault.misses,
        present=fault.present,
        absent=fault.absent,
        missed=fault.missed,
    )


def fault_title(name: str) -> str:
    """The words for a fault; its own name for one that a person typed."""
    known = named_faults().get(name)
    return known.title if known else name.replace("_", " ")


def worst_first(name: str) -> tuple[int, str]:
    """The place of a fault in lists: the most severe first, then by its words; one that a person
    typed stands last."""
    known = named_faults().get(name)
    return (-SEVERITIES.index(known.severity) if known else 1), fault_title(name)


def judged_list(criteria: Sequence[CriterionRow]) -> list[CriterionRow]:
    """The criterion of named faults with those that a judge is asked about as its parts; empty
    where a project or the house has none."""
    row = next((row for row in criteria if row.criterion.rubric == FAULTS_RUBRIC), None)
    names = [fault.name for fault in judged_faults()]
    if row is None or not names:
        return []
    criterion = FaultList.of(row.criterion, names)
    return [replace(row, criterion=criterion, rubric=replace(row.rubric, criteria=(criterion,)))]
