"""How verdicts, evidence, metric values and faults are told to a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from graders.core.author_texts import author_of, mask_author
from graders.core.derived_judges import STEPS
from graders.core.quotes import misquotes, quotes_words, stands_in
from graders.core.records import AGAINST_JUDGE, Answer, Evidence, Mark, MetricValue, Subject
from graders.core.scale import Scale, Value
from graders.core.text import mask_names
from graders.core.words import say
from graders.store.opinions.cells import Cell
from graders.store.opinions.stored_verdicts import StoredVerdict
from graders.store.projects import CriterionRow
from graders.workflows.cells.fault_list import fault_title, named_faults
from graders.workflows.cells.quotes import quotable
from graders.workflows.scope.missing_reasons import note_words, reason_words


@dataclass(frozen=True, slots=True)
class Quote:
    """A quote as pages show it. `absent`: the grader says that something is missing; `found`:
    whether the quote stands in the text, None where it was not looked for."""

    quote: str
    absent: bool
    found: bool | None


@dataclass(frozen=True, slots=True)
class MachineVerdict:
    """A rule's or judge's verdict as pages show it (`kind`: ``rule`` or ``judge``).

    `reason`: the code of a missing value, `why` the same in words, both empty for none;
    `confidence` 0 to 1; `note`: what else is to be known of it; `misquotes`: it is a judge's, and
    its quotes do not stand in the text.
    """

    kind: str
    name: str
    value: Value | None
    status: str
    reason: str
    why: str
    confidence: float | None
    confidence_kind: str
    rationale: str
    note: str
    misquotes: bool
    evidence: Sequence[Quote]


@dataclass(frozen=True, slots=True)
class MetricShown:
    """A metric's value as pages show it: its `rank` from 1 among the `of` answers of the question,
    None without a value, and which `reference` it was compared with, counted from 0."""

    name: str
    value: float | None
    status: str
    reason: str
    why: str
    rank: int | None
    of: int
    reference: int | None


@dataclass(frozen=True, slots=True)
class GivenMark:
    """What a person said of a cell; `reason`: the code of a missing value."""

    value: Value | None
    status: str
    reason: str


@dataclass(frozen=True, slots=True)
class FaultShown:
    """A fault that was found in an answer: the row `id` of its cell, who found it (`by`), where
    rule and judge differ on it (`differs`, in words), and what the reader of the page said of it
    (`mine`), None for nothing."""

    id: int
    name: str
    title: str
    severity: str
    why: str
    by: str
    differs: str
    evidence: Sequence[Quote]
    rationale: str
    mine: GivenMark | None


@dataclass(frozen=True, slots=True)
class Chip:
    """A fact under an answer that helps to judge it, in words."""

    label: str
    value: str


def machine(verdict: StoredVerdict, subject: Subject, *, claims: bool) -> MachineVerdict:
    """A rule's or judge's verdict on a subject as pages show it; of a criterion on `claims` its
    quotes may stand in documents too."""
    mark, misquoted = verdict.mark, False
    if mark.evidence:
        mark = sought(mark, quotable(subject, claims=claims))
        misquoted = verdict.author_kind == "judge" and misquotes(mark)
    return MachineVerdict(
        kind=verdict.author_kind,
        name=verdict.author,
        value=mark.value,
        status=mark.status,
        reason=mark.reason,
        why=reason_words(mark.reason, mark.rationale) if mark.reason else "",
        confidence=mark.confidence,
        confidence_kind=mark.confidence_kind,
        rationale=mark.rationale,
        note=note_words(verdict.metadata) if verdict.metadata else "",
        misquotes=misquoted,
        evidence=[shown_quote(item) for item in mark.evidence],
    )


def sought(mark: Mark, texts: Sequence[str]) -> Mark:
    """The mark with its quotes looked up in `texts`: those of files nobody has looked for, and some
    were looked for more strictly once."""
    if all(one.found or not quotes_words(one.quote) for one in mark.evidence):
        return mark
    return replace(
        mark,
        evidence=tuple(
            one if one.found else replace(one, found=_stands(one, texts)) for one in mark.evidence
        ),
    )


def _stands(item: Evidence, texts: Sequence[str]) -> bool | None:
    return stands_in(item.quote, texts) if quotes_words(item.quote) else item.found


def shown_quote(item: Evidence) -> Quote:
    """A quote as pages show it."""
    return Quote(item.quote, item.absent, item.found)


def whose(subject: Subject) -> str:
    """Whose answer it is, or whose two."""
    return (
        subject.answer.model
        if subject.other is None
        else f"{subject.answer.model} / {subject.other.model}"
    )


def masked(text: str, show: bool, names: Sequence[str], authors: Sequence[str]) -> str:
    """An answer's text without the names of models (`names`, longest first; unless they are shown)
    and of the question's authors."""
    text = text if show else mask_names(text, names)
    for author in authors:
        text = mask_author(text, author_of(author))
    return text


def metric(value: MetricValue, peers: Sequence[float], subject: Subject) -> MetricShown:
    """A metric value with its rank among this question's answers."""
    return MetricShown(
        name=value.metric,
        value=value.value,
        status=value.status,
        reason=value.reason,
        why=reason_words(value.reason, metric=value.metric, subject=subject),
        rank=None if value.value is None else 1 + sum(peer > value.value for peer in peers),
        of=len(peers),
        reference=value.reference,
    )


def fault(
    cell: Cell,
    machines: Sequence[MachineVerdict],
    said: Sequence[StoredVerdict],
    mine: GivenMark | None,
) -> FaultShown | None:
    """A fault for the list; None where neither a machine nor a person found it."""
    finders = [verdict for verdict in machines if verdict.value == "present"]
    people = [v for v in said if v.author_kind == "person" and v.mark.value == "present"]
    if not finders and not people:
        return None
    named = named_faults().get(cell.part)
    quotes = [quote for verdict in finders for quote in verdict.evidence]
    quotes += [shown_quote(item) for verdict in people for item in verdict.mark.evidence]
    return FaultShown(
        id=cell.id,
        name=cell.part,
        title=fault_title(cell.part),
        severity=named.severity if named else "",
        why=named.why if named else "",
        by=_finder(finders),
        differs=differs(cell, [verdict.kind for verdict in finders]),
        evidence=quotes,
        rationale=finders[0].rationale if finders else "",
        mine=mine,
    )


def differs(cell: Cell, finders: Iterable[str]) -> str:
    """Where rule and judge differ on a named fault that `finders` (kinds of machines) found, in
    words; empty where they do not."""
    if cell.state.route_reason != AGAINST_JUDGE:
        return ""
    return say(f"cells.differs.{'judge' if 'rule' in finders else 'rule'}")


def _finder(finders: Sequence[MachineVerdict]) -> str:
    if not finders:
        return say("cells.by_person")
    # a rule's name is that of a file; what it found is the fault's own title
    return say("cells.by_rule") if finders[0].kind == "rule" else finders[0].name


def chance_of(
    chances: Mapping[str, float] | None, value: Value | None, scale: Scale
) -> float | None:
    """The chance that a suggestion of `value` is right; None where nothing was learned."""
    if not chances or value is None:
        return None
    if not scale.is_discrete:  # learned in even steps
        step = round((float(value) - scale.low) / (scale.high - scale.low) * STEPS)
        value = round(scale.low + (scale.high - scale.low) * step / STEPS, 9)
    return chances.get(str(value), 0.0)


def chips(answer: Answer, criteria: Iterable[CriterionRow]) -> list[Chip]:
    """Facts under an answer that help to judge it: seconds to the first token where a criterion
    asks for speed."""
    asked = any(ref.name == "time_to_first_token" for c in criteria for ref in c.criterion.graders)
    if asked and answer.time_to_first_token is not None:
        return [
            Chip(say("cells.first_token"), say("cells.seconds", seconds=answer.time_to_first_token))
        ]
    return []
