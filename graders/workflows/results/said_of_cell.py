"""What authors said of a cell, and how it came about, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graders.core.quotes import misquotes
from graders.core.records import Evidence
from graders.core.scale import Scale, Value
from graders.core.words import catalogue, say
from graders.store.figures import one_answer
from graders.store.opinions.stored_verdicts import StoredVerdict
from graders.store.projects import CriterionRow
from graders.workflows.cells.state import ADJUDICATED
from graders.workflows.scope.missing_reasons import misquote_words, note_words, reason_words
from graders.workflows.scope.phrases import several


@dataclass(frozen=True, slots=True)
class Quoted:
    """A passage that a grader cites; `absent`: what it misses there; `found`: it stands in the
    text."""

    quote: str
    absent: bool
    found: bool | None


@dataclass(frozen=True, slots=True)
class Said:
    """What an author says of a cell now; `arm` to `comment` are a person's."""

    kind: str
    author: str
    value: Value | None
    word: str
    status: str
    reason: str
    why: str
    confidence: float | None
    rationale: str
    note: str
    evidence: Sequence[Quoted]
    arm: str
    design: str
    action: str
    seconds: float | None
    comment: str
    stale: bool
    at: str


@dataclass(frozen=True, slots=True)
class Moment:
    """What happened to a cell, and when."""

    at: str
    text: str


def said_now(
    found: StoredVerdict,
    criterion: CriterionRow,
    people: Mapping[str, str],
    comments: Mapping[str, str],
) -> Said:
    """What a verdict says; `people` and `comments` are by the author's id."""
    mark, origin = found.mark, found.provenance or {}
    person = found.author_kind == "person"
    astray = misquote_words() if found.author_kind == "judge" and misquotes(mark) else ""
    return Said(
        kind=found.author_kind,
        author=author_name(found, people),
        value=mark.value,
        word="" if mark.value is None else criterion.scale.word(mark.value),
        status=mark.status,
        reason=mark.reason,
        why=reason_words(mark.reason, mark.rationale),
        confidence=mark.confidence,
        rationale=mark.rationale,
        note="" if person else " ".join(filter(None, (astray, note_words(found.metadata)))),
        evidence=[quoted(e) for e in mark.evidence],
        arm=origin.get("arm", "") if person else "",
        design=design_words(origin.get("design", "")) if person else "",
        action=origin.get("action", "") if person else "",
        seconds=origin.get("seconds") if person else None,
        comment=(origin.get("comment") or comments.get(found.author, "")) if person else "",
        stale=found.criterion_hash != criterion.hash,
        at=found.at,
    )


def quoted(item: Evidence) -> Quoted:
    """A passage of a verdict's evidence."""
    return Quoted(item.quote, item.absent, item.found)


def moment_of(found: StoredVerdict, criterion: CriterionRow, people: Mapping[str, str]) -> Moment:
    """One row of a cell's history: who said what when, and how."""
    mark, origin = found.mark, found.provenance or {}
    value = _said(criterion.scale, mark.value, reason_words(mark.reason, mark.rationale))
    if found.kind == "retracts":
        value = say("results.history.retracted")
    parts = [value]
    if found.author_kind == "person" and found.kind != "retracts":
        parts += [str(origin.get("arm") or "")]
        if seconds := origin.get("seconds"):
            parts.append(say("results.whole_seconds", seconds=seconds))
    if found.kind == "amends":
        parts.append(say("results.history.amended"))
    if found.criterion_hash != criterion.hash:
        parts.append(say("results.history.earlier_wording"))
    said = ", ".join(part for part in parts if part)
    return Moment(found.at, f"{author_name(found, people)}: {said}")


def design_words(design: str) -> str:
    """How a screen was chosen, in words; empty for a design that has none."""
    return catalogue().text(f"results.design.{design}") or ""


def drawn(row: one_answer.Draw) -> Moment:
    """A screen that was drawn with the cell: how, and how many people graded it."""
    words = say(
        "results.history.drawn",
        design=design_words(row.design) or row.design,
        chance=say("results.history.chance", chance=row.probability) if row.probability < 1 else "",
        done=row.done,
        people=several(row.needed, "person"),
    )
    return Moment(row.at, words)


def author_name(found: StoredVerdict, people: Mapping[str, str]) -> str:
    """Who gave a verdict, as pages call them."""
    if found.author_kind == "person":
        if found.author != ADJUDICATED:
            return people.get(found.author, found.author)
        by = str(found.metadata.get("adjudicator") or "")
        return say("results.adjudicated_by", name=people.get(by, by)) if by else ADJUDICATED
    return str(found.author)


def _said(scale: Scale, value: Any, why_not: str) -> str:
    if value is None:
        why = why_not.rstrip(".")
        return say("results.no_value_why", why=why) if why_not else say("results.no_value")
    word = scale.word(value)
    return word if str(value) == word else f"{value} {word}"
