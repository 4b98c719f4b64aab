"""What a run leaves behind: cells with and without a verdict of a machine and why, suggestions,
routes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from graders.core.words import say
from graders.store.desk import queue, seeded
from graders.store.figures import reading
from graders.store.projects import Project
from graders.store.workspace import Workspace
from graders.workflows.scope.missing_reasons import reason_words


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts of cells after a run, over the project's current answers and active criteria.

    `cells` = `with_verdict` + `without`; `suggestions` of them have one; `reasons` tells each of
    those without under one code (a judge's before a rule's; ``nobody`` where no grader looked);
    `routes`: cells by route. `screens` wait for people, none where `copies_of` names the project
    whose answers these are copies of, with one fault each.
    """

    cells: int
    with_verdict: int
    without: int
    suggestions: int
    reasons: Mapping[str, int]
    routes: Mapping[str, int]
    screens: int
    copies_of: str


def summary(ws: Workspace, project: Project) -> Summary:
    """What there is of a project's cells now."""
    counts, of = (
        reading.verdict_counts(ws.db, project),
        str(project.settings.get(seeded.SEEDED_OF) or ""),
    )
    return Summary(
        **counts,
        reasons={
            code or "nobody": count
            for code, count in reading.reasons_without(ws.db, project).items()
        },
        routes={
            name: sum(found.values())
            for name, found in reading.route_counts(ws.db, project).items()
        },
        screens=0 if of else queue.open_screens(ws.db, project),
        copies_of=of,
    )


@dataclass(frozen=True, slots=True)
class ReasonCount:
    """So many cells without a verdict for one reason, in words."""

    why: str
    cells: int


def reason_list(reasons: Mapping[str, int]) -> list[ReasonCount]:
    """Reason codes with their counts, the most frequent first."""
    found: dict[str, int] = {}
    for code, count in reasons.items():
        why = say("runs.not_looked_at") if code == "nobody" else reason_words(code)
        found[why] = found.get(why, 0) + count
    return [
        ReasonCount(why, count) for why, count in sorted(found.items(), key=lambda pair: -pair[1])
    ]
