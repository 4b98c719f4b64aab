"""Named faults as one list: those that rules find and those that a judge is asked about."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from graders.core import discovery
from graders.core.contracts import SEVERITIES, Finding, Rule
from graders.core.errors import NotFound
from graders.core.faults import FAULTS_RUBRIC, Fault, FaultExample, FaultList, ToldFault
from graders.core.records import Question
from graders.core.shapes import as_dict
from graders.core.words import error_parts, language, say
from graders.store.projects import CriterionRow
from graders.workflows.cells.rule_precision import Precision, counted


@dataclass(frozen=True, slots=True)
class NamedFault:
    """What pages say of a fault: its name, words, how bad it is, the criterion it counts against,
    why it hurts, who finds it (`by`), and whether that is measured, detected or either, empty for a
    judge."""

    name: str
    title: str
    severity: str
    speaks_to: str
    why: str
    by: str
    finding: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedFault(NamedFault):
    """All that is said of a fault: what it is about and what it misses in words, who finds it and
    how often that is right (`found`), examples that have it, that do not, and that are taken
    wrongly; `precision` by language."""

    about: str
    misses: str
    found: str
    precision: Sequence[Precision]
    present: Sequence[FaultExample]
    absent: Sequence[FaultExample]
    missed: Sequence[FaultExample]


def named_faults() -> dict[str, NamedFault]:
    """All faults that have a name, by it; a rule goes before a judge where both know one."""
    return _named_faults(language())


@cache
def _named_faults(spoken: str) -> dict[str, NamedFault]:
    """As said in the language that is `spoken`."""
    rules, _ = discovery.load_all("rules")
    found = {
        fault.name: NamedFault(
            fault.name,
            fault.said("title"),
            fault.severity,
            fault.speaks_to,
            fault.said("why"),
            "judge",
        )
        for fault in judged_faults()
    }
    found |= {
        rule.fault: NamedFault(
            rule.fault,
            rule.said("fault_title"),
            rule.severity,
            rule.speaks_to,
            rule.said("why"),
            "rule",
            str(rule.finding),
        )
        for rule in rules.values()
        if rule.fault
    }
    return dict(sorted(found.items()))


def impossible(question: Question) -> list[str]:
    """The names of faults that no answer to this question can have, or that nobody can tell by
    looking, as the rules that find them say: a list to choose from need not offer them."""
    return list(_impossible(question.text, question.language, question.must_have))


@lru_cache(4096)
def _impossible(text: str, language: str, must_have: tuple[str, ...]) -> tuple[str, ...]:
    rules, _ = discovery.load_all("rules")
    question = Question(id="", text=text, language=language, must_have=must_have)
    found = {
        rule.fault
        for rule in rules.values()
        if rule.fault and (rule.unseen or not rule.can_have(question))
    }
    return tuple(sorted(found.difference(fault.name for fault in judged_faults())))


@cache
def judged_faults() -> tuple[Fault, ...]:
    """The faults that a judge is asked about, in the order of their names."""
    parts, _ = discovery.load_all("faults")
    return tuple(part() for _, part in sorted(parts.items()))


@cache
def ruled_faults() -> tuple[ToldFault, ...]:
    """The faults of rules that a judge is asked about too, in the order of their names: all that a
    reader can tell by looking, and no judge's own."""
    rules, _ = discovery.load_all("rules")
    own = {fault.name for fault in judged_faults()}
    found = {
        rule.fault: ToldFault(
            name=rule.fault,
            title=rule.fault_title,
            about=rule.fault_about or " ".join((rule.__doc__ or rule.about).split()),
            why=rule.why,
            present=rule.present,
            absent=rule.absent,
        )
        for rule in rules.values()
        if rule.fault and not rule.unseen and rule.fault not in own
    }
    return tuple(told for _, told in sorted(found.items()))


def asked_faults() -> list[str]:
    """The names of all faults that a judge is asked about."""
    return [
        *(fault.name for fault in judged_faults()),
        *(fault.name for fault in ruled_faults()),
    ]


def explained(name: str) -> ExplainedFault:
    """All that is said of a fault. NotFound lists near names."""
    known = named_faults().get(name)
    if known is None:
        near = difflib.get_close_matches(name, named_faults(), n=3) or list(named_faults())
        raise NotFound(**error_parts("cells.no_fault", name=repr(name), near=", ".join(near)))
    fault: type[Rule] | Fault
    precision: list[Precision] = []
    if known.by == "rule":
        rules = discovery.load_all("rules")[0]
        rule = next(one for one, part in rules.items() if part.fault == name)
        fault, precision = rules[rule], list(counted().get(rule, {}).values())
        about = fault.said("fault_about") or fault.said("about")
    else:
        fault = next(one for one in judged_faults() if one.name == name)
        about = fault.said("about")
    return ExplainedFault(
        **as_dict(known),
        about=about,
        misses=fault.said("misses"),
        found=_found(known, precision),
        precision=precision,
        present=fault.present,
        absent=fault.absent,
        missed=fault.missed,
    )


def _found(known: NamedFault, precision: Sequence[Precision]) -> str:
    """Who finds a fault, what follows, and how often a rule that flags it is right."""
    said = say(f"cells.finding.{known.finding or 'judge'}")
    if known.finding in ("", Finding.MEASURED):
        return said
    right = ", ".join(one.words() for one in precision)
    if not right:
        return f"{said} {say('cells.finding.uncounted')}"
    return f"{said} {say('cells.finding.right', right=right)}"


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
    read, ruled = ([fault.name for fault in faults] for faults in (judged_faults(), ruled_faults()))
    if row is None or not (read or ruled):
        return []
    criterion = FaultList.of(row.criterion, read, ruled)
    return [replace(row, criterion=criterion, rubric=replace(row.rubric, criteria=(criterion,)))]
