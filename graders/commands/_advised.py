"""The rubric that suits a file, as the terminal shows it before its rows are read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path

from graders.commands._looked import harmless
from graders.core.contracts import Look
from graders.core.rubric import Rubric
from graders.core.words import say
from graders.store.projects import present_name
from graders.workflows.importing import advised_rubric
from graders.workflows.importing.advised_rubric import OfferedRubric
from graders.workflows.importing.stage import Report
from graders.workflows.scope.named_rubrics import read_named_rubric
from graders.workflows.scope.permissions import Scope


@dataclass(frozen=True, slots=True)
class Advised:
    """The rubric that is recommended for a file (`name`; empty where the file or the project has
    its own), why, and what it does there; of a rubric that was chosen what that does."""

    name: str
    why: str
    rubric: OfferedRubric | None


@dataclass(frozen=True, slots=True)
class Imported(Report):
    """What an import brought, and the rubric that suits its file."""

    advice: Advised | None = None

    @classmethod
    def with_advice(cls, report: Report, advice: Advised) -> Imported:
        """The report with what was recommended."""
        given = {one.name: getattr(report, one.name) for one in fields(Report)}
        return cls(**given, advice=advice)


def advised(
    scope: Scope, project: str, path: Path, look: Look, chosen: Rubric | None
) -> tuple[Advised, Rubric | None]:
    """What to grade a file by; the rubric that is `chosen`, else the recommended one without what
    nobody could measure, None where the file or the project has its own."""
    held = advised_rubric.held_by(path, look)
    found = advised_rubric.advice(scope, present_name(scope.ws, project), held)
    if chosen is None and found.name:
        whole = read_named_rubric(found.name)
        offer = advised_rubric.offered(whole, held)
        return Advised(found.name, found.why, offer), advised_rubric.measurable(whole, held)
    offered = None if chosen is None else advised_rubric.offered(chosen, held)
    return Advised(found.name, found.why, offered), chosen


def told(found: Advised, *, asked: bool) -> Iterator[str]:
    """Lines that say so: the recommended rubric with how to choose it, or what the one that was
    `asked` for cannot measure."""
    if found.rubric is None:
        return
    if not asked:
        yield say("terminal.advised.name", rubric=found.name, why=found.why)
        yield harmless(f"  {found.rubric.about}")
        count = advised_rubric.cells_words(found.rubric)
        criteria = ", ".join(map(harmless, found.rubric.criteria))
        yield say("terminal.advised.cells", cells=count, criteria=criteria)
    for one in found.rubric.lacks:
        key = "off" if one.off and not asked else "lacks"
        yield "  " + say(f"importing.advice.{key}", title=harmless(one.title), text=one.text)
