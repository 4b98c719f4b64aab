"""What an import does to a project's rubrics, in sentences for the lead to read before it is
done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graders.core.rubric import Criterion, Rubric


def rubric_changes(present: Sequence[Rubric], planned: Sequence[Rubric]) -> list[dict[str, Any]]:
    """Per rubric of `planned`: {name, replaces, criteria, text}; `replaces` says that a rubric of
    that name is in the project now."""
    here = {rubric.name: rubric for rubric in present}
    return [
        {
            "name": rubric.name,
            "replaces": rubric.name in here,
            "criteria": [criterion.name for criterion in rubric.criteria],
            "text": _replaced(here[rubric.name], rubric) if rubric.name in here else _added(rubric),
        }
        for rubric in planned
    ]


def _added(rubric: Rubric) -> str:
    criteria = "; ".join(f"{c.name} ({c.scale.describe()})" for c in rubric.criteria)
    return f"The rubric {rubric.name} is added to the project: {criteria}."


def _replaced(old: Rubric, new: Rubric) -> str:
    before, after = ({c.name: c for c in rubric.criteria} for rubric in (old, new))
    said = [words for name in after if (words := _changed(before.get(name), after[name]))]
    said += [f"{name} goes" for name in before if name not in after]
    what = (
        "; ".join(said)
        or "its criteria and scales stay, what changes is how they are graded or worded around them"
    )
    stale = [
        name
        for name in after
        if name in before and before[name].criterion_hash != after[name].criterion_hash
    ]
    rest = (
        f" Verdicts given so far on {', '.join(stale)} are kept and count as stale."
        if stale
        else ""
    )
    return f"The project's rubric {new.name} is replaced: {what}.{rest}"


def _changed(old: Criterion | None, new: Criterion) -> str:
    if old is None:
        return f"{new.name} is new ({new.scale.describe()})"
    if old.scale != new.scale:
        return (
            f"the scale of {new.name} changes from {old.scale.describe()} to {new.scale.describe()}"
        )
    return f"the wording of {new.name} changes" if old.criterion_hash != new.criterion_hash else ""
