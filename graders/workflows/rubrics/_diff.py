"""What changes from one text of a rubric to another, in words and as lines."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from graders.core.rubric import Criterion, GraderRef, Rubric
from graders.core.words import say
from graders.workflows.scope.phrases import several


class ChangeKind(StrEnum):
    """What became of a criterion."""

    ADDED = "added"
    GONE = "gone"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field of a criterion or of the rubric, as it was and as it is now."""

    field: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class CriterionChange:
    """A criterion that is not the same ("": the rubric itself), and the fields in which it differs.

    `stale`: what people and judges are asked is another, so that verdicts so far no longer count.
    """

    criterion: str
    kind: ChangeKind
    stale: bool = False
    what: Sequence[FieldChange] = ()


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line that differs: `sign` is "+", "-", " " for one around it, or "@" for a new place."""

    sign: str
    text: str


def changes(old: Rubric | None, new: Rubric) -> list[CriterionChange]:
    """The criteria that are not the same, then what differs in the rubric itself."""
    before = {c.name: c for c in (old.criteria if old else ())}
    after = {c.name: c for c in new.criteria}
    differing = []
    for name, criterion in after.items():
        was = before.get(name)
        if was is None:
            differing.append(CriterionChange(name, ChangeKind.ADDED))
        elif what := _fields(was, criterion):
            stale = was.criterion_hash != criterion.criterion_hash
            differing.append(CriterionChange(name, ChangeKind.CHANGED, stale, what))
    differing += [
        CriterionChange(name, ChangeKind.GONE, stale=True) for name in before if name not in after
    ]
    if old is not None and old.about != new.about:
        what = [FieldChange("about", old.about, new.about)]
        differing.append(CriterionChange("", ChangeKind.CHANGED, what=what))
    if old is not None and old.examples != new.examples:
        counts = (several(len(rubric.examples), "example") for rubric in (old, new))
        what = [FieldChange("examples", *counts)]
        differing.append(CriterionChange("", ChangeKind.CHANGED, what=what))
    return differing


def lines(old: str, new: str) -> list[DiffLine]:
    """The lines that differ, with two around them."""
    diff = difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=2)
    return [
        DiffLine("@", line.split("@@")[1].strip())
        if line[:1] == "@"
        else DiffLine(line[:1], line[1:])
        for line in list(diff)[2:]
    ]


def words(differing: Sequence[CriterionChange]) -> list[str]:
    """The changes as sentences."""
    sentences = []
    for change in differing:
        name = change.criterion or say("rubrics.change.rubric")
        if change.kind is ChangeKind.ADDED:
            sentences.append(say("rubrics.change.added", name=name))
        elif change.kind is ChangeKind.GONE:
            sentences.append(say("rubrics.change.gone", name=name))
        else:
            sentences += [
                say(
                    "rubrics.change.field",
                    name=name,
                    field=what.field,
                    before=_quoted(what.before),
                    after=_quoted(what.after),
                )
                for what in change.what
            ]
    return sentences


def _quoted(text: str) -> str:
    return say("rubrics.change.quoted", text=text) if text else say("rubrics.change.nothing")


def _fields(old: Criterion, new: Criterion) -> list[FieldChange]:
    pairs = {
        "name": (old.title, new.title),
        "question": (old.question, new.question),
        "guide": (old.guide, new.guide),
        "scale": (old.scale.describe(), new.scale.describe()),
        "parts": (_parts(old), _parts(new)),
        "graders": (_graders(old.graders), _graders(new.graders)),
        "review": (_by_task(old.review), _by_task(new.review)),
        "reference": (_by_task(old.reference), _by_task(new.reference)),
        "template": (old.template, new.template),
        "scores": (_by_task(old.scores), _by_task(new.scores)),
        "unless": (old.unless, new.unless),
        "ceiling": (old.ceiling, new.ceiling),
    }
    return [FieldChange(field, *pair) for field, pair in pairs.items() if pair[0] != pair[1]]


def _parts(criterion: Criterion) -> str:
    if criterion.elements:
        return criterion.elements
    return "; ".join(
        f"{part} ({guide})" if (guide := criterion.part_guides.get(part)) else part
        for part in criterion.parts
    )


def _graders(refs: tuple[GraderRef, ...]) -> str:
    return ", ".join(
        ref.name + (f" ({_by_task(ref.options)})" if ref.options else "") for ref in refs
    )


def _by_task(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{key}: {value}" for key, value in values.items())
