"""Text scores: metrics that a lead adds to a project beside those of its rubrics, and the mean of
each by model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graders.core import discovery
from graders.core.contracts import Metric
from graders.core.errors import UsageError
from graders.core.words import error_parts
from graders.store import projects
from graders.store.projects import Project
from graders.store.workspace import Workspace
from graders.workflows.cells.outputs import metrics_of
from graders.workflows.measuring.benchmark_scores import OUTPUTS
from graders.workflows.scope.permissions import Scope, needs

#: The word that removes the scores that were chosen before.
NO_SCORES = "none"
#: Where the choice is kept among a project's settings.
SETTING = "metrics"


def choosable() -> dict[str, type[Metric]]:
    """Metrics that compare an answer with its question's reference, by name: these can be
    chosen."""
    parts, _ = discovery.load_all("metrics")
    return {name: part for name, part in parts.items() if part.against == "reference"}


def check(names: Sequence[str]) -> tuple[str, ...]:
    """The names, each once; UsageError for one that cannot be chosen, or for ``none`` beside
    others."""
    given = tuple(dict.fromkeys(str(name).strip() for name in names if str(name).strip()))
    known = choosable()
    wrong = next(
        (name for name in given if name not in known and (name != NO_SCORES or len(given) > 1)),
        None,
    )
    if wrong is not None:
        places = {"score": repr(wrong)[:60], "none": NO_SCORES, "scores": ", ".join(known)}
        if wrong == NO_SCORES:
            raise UsageError(**error_parts("measuring.none_beside_others", **places))
        raise UsageError(**error_parts("measuring.no_score", **places))
    return given


def chosen(project: Project, names: Sequence[str] = ()) -> tuple[str, ...]:
    """The scores that a run computes: those that it is told, else those of the project; what is no
    longer installed is left out."""
    wanted = tuple(names) or tuple(str(name) for name in project.settings.get(SETTING) or ())
    known = choosable() if wanted else {}
    return tuple(name for name in wanted if name in known)


def keep(ws: Workspace, project: Project, names: Sequence[str]) -> Project:
    """The project with these scores from now on; without `names` it stays as it is."""
    if not names:
        return project
    return projects.set_settings(
        ws, project, {SETTING: [name for name in names if name != NO_SCORES]}
    )


def added(project: Project, names: Sequence[str] = ()) -> dict[str, Metric]:
    """The metrics of `chosen` with their defaults, by name."""
    return {name: discovery.make("metrics", name, {}) for name in chosen(project, names)}


@dataclass(frozen=True, slots=True)
class ScoreChoice:
    """A score that can be chosen, whether it is, and whether a rubric computes it anyway."""

    name: str
    title: str
    about: str
    chosen: bool
    rubric: bool


@needs("look")
def choices(scope: Scope, project_name: str) -> list[ScoreChoice]:
    """All scores that can be chosen."""
    project = scope.project(project_name)
    mine = set(chosen(project))
    theirs = {
        metric.name
        for row in projects.criteria(scope.ws, project)
        for metric in metrics_of(row.criterion)
    }
    return [
        ScoreChoice(
            name=name,
            title=_metric_title(name, part),
            about=part.said("about"),
            chosen=name in mine,
            rubric=name in theirs,
        )
        for name, part in choosable().items()
    ]


def title_of(output: str) -> str:
    """What people call a value of a metric."""
    return next(
        (known.title for known in OUTPUTS if known.key == output),
        output.replace("_", " ").replace("bertscore", "BERTScore"),
    )


def _metric_title(name: str, part: type[Metric]) -> str:
    return (
        ", ".join(dict.fromkeys(title_of(output).partition(" (")[0] for output in part.outputs))
        if name != "bertscore"
        else "BERTScore"
    )
