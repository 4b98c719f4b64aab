"""What a lead may change of a project: shares that are drawn, sizes of screens, routes, rubrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graders.core.errors import InputError
from graders.core.rubric import Criterion
from graders.store import projects
from graders.store.projects import Project
from graders.workflows.cells.policy import RouteSettings
from graders.workflows.cells.state import FAULTS
from graders.workflows.review.reveal import RevealSettings
from graders.workflows.routing import review_order
from graders.workflows.rubrics import edit as rubrics_edit
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.sampling import Sampling


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: where it is kept (group "" is the top level), what it may be."""

    group: str
    title: str
    kind: type
    low: float = 0.0
    high: float = 1.0
    choices: tuple[str, ...] = ()

    def read(self, name: str, value: Any) -> Any:
        """A value as it is kept. InputError says what was expected."""
        if self.choices:
            if value in self.choices:
                return value
            expected = "one of " + ", ".join(self.choices)
            raise InputError(
                f"setting {name} ({self.title})",
                found=repr(value)[:60],
                expected=expected,
                remedy="Choose one of these.",
            )
        if self.kind is bool:
            if isinstance(value, bool):
                return value
            raise InputError(
                f"setting {name}",
                found=repr(value)[:60],
                expected="true or false",
                remedy="Choose one of the two.",
            )
        expected = (
            f"{'a whole number' if self.kind is int else 'a share'} from {self.low:g} to "
            f"{self.high:g}"
        )
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or not self.low <= value <= self.high
            or self.kind(value) != value
        ):
            raise InputError(
                f"setting {name} ({self.title})",
                found=repr(value)[:60],
                expected=expected,
                remedy="Correct the value.",
            )
        return self.kind(value)


SETTINGS: Mapping[str, Setting] = {
    "calibration": Setting("sampling", "answers drawn for calibration", float),
    "audit": Setting("sampling", "answers drawn for audit", float),
    "blind": Setting("sampling", "screens that are blind", float),
    "repeat": Setting("sampling", "screens that come back to the same person blind", float, 0, 0.2),
    "gold": Setting("sampling", "screens that are gold questions", float, 0, 0.2),
    "control": Setting("sampling", "screens that are copies with a seeded fault", float, 0, 0.2),
    "answers_per_screen": Setting("sampling", "answers on a screen", int, 1, 3),
    "overlap": Setting("sampling", "people per screen", int, 1, 20),
    "low_confidence": Setting("routes", "confidence below which people decide", float),
    "judge_against_metric": Setting(
        "routes", "people decide where a judge's top label meets a low metric", bool
    ),
    "promises": Setting(
        "routes",
        "proven cells are the machine's, and what labels or audits speak against is people's",
        bool,
    ),
    "whole": Setting("routes", "an answer that people read is graded whole", bool),
    "reveal": Setting(
        "reveal", "judges' values are shown at the end of a batch of blind screens", bool
    ),
    "reveal_batch": Setting("reveal", "blind screens in a batch", int, 1, 100),
    "show_models": Setting("", "models' names are shown while grading", bool),
    review_order.SETTING: Setting(
        "", "order in which screens are handed out", str, choices=review_order.ORDERS
    ),
}


@dataclass(frozen=True, slots=True)
class CriterionHead:
    """A criterion in short: its scale in words, its graders by name."""

    name: str
    question: str
    scale: str
    graders: Sequence[str]


@dataclass(frozen=True, slots=True)
class RubricHead:
    """A rubric of a project, with its text."""

    name: str
    about: str
    source: str
    criteria: Sequence[CriterionHead]


@dataclass(frozen=True, slots=True)
class ProjectSettings:
    """The values of `SETTINGS` by name, and the rubrics."""

    settings: Mapping[str, float | int | bool | str]
    rubrics: Sequence[RubricHead]


@needs("look")
def settings(scope: Scope, project_name: str) -> ProjectSettings:
    """All settings of `SETTINGS` as they are now, and the project's rubrics."""
    project = scope.project(project_name)
    known = [rubric for rubric in projects.rubrics(scope.ws, project) if rubric.name != FAULTS.name]
    return ProjectSettings(
        _present(project),
        [RubricHead(r.name, r.about, r.source, [_criterion(c) for c in r.criteria]) for r in known],
    )


@needs("settings")
def change_settings(scope: Scope, project_name: str, changes: Mapping[str, Any]) -> ProjectSettings:
    """Change settings by name; nothing is changed if one of them is off. They take effect when
    cells are routed again, the order of screens at once."""
    project = scope.project(project_name)
    unknown = sorted(set(changes) - set(SETTINGS))
    if unknown:
        raise InputError(
            "settings",
            found=f"the name {unknown[0][:60]!r}",
            expected="one of " + ", ".join(SETTINGS),
            remedy="Correct the name.",
        )
    before = _present(project)
    values = {name: SETTINGS[name].read(name, value) for name, value in changes.items()}
    changed = {name: value for name, value in values.items() if value != before[name]}
    if changed:
        groups: dict[str, Any] = {}
        for name, value in changed.items():
            group = SETTINGS[name].group
            if group:
                groups.setdefault(group, dict(project.settings.get(group) or {}))[name] = value
            else:
                groups[name] = value
        project = projects.set_settings(scope.ws, project, groups)
        body = {name: [before[name], value] for name, value in changed.items()}
        projects.log_event(scope.ws, project, scope.actor.person_id, "settings", body)
        if review_order.SETTING in changed and project.settings.get("routed"):
            review_order.arrange(scope.ws, project)
    return settings(scope, project_name)


@needs("settings")
def change_rubric(scope: Scope, project_name: str, name: str, source: str) -> ProjectSettings:
    """Give a rubric of the project another text. Verdicts on criteria that changed are kept and
    count as stale."""
    project = scope.project(project_name)
    if name not in {rubric.name for rubric in projects.rubrics(scope.ws, project)} - {FAULTS.name}:
        raise InputError(
            f"rubric {name[:60]!r}",
            found="no such rubric in this project",
            expected="the name of one of its rubrics",
            remedy="Reload the page.",
        )
    rubrics_edit.put(scope, project_name, source, name)
    return settings(scope, project_name)


def _present(project: Project) -> dict[str, float | int | bool | str]:
    read: dict[str, object] = {
        "sampling": Sampling.of(project.settings),
        "routes": RouteSettings.of(project.settings),
        "reveal": RevealSettings.of(project.settings),
    }
    present: dict[str, float | int | bool | str] = {
        name: getattr(read[s.group], name) if s.group else bool(project.settings.get(name))
        for name, s in SETTINGS.items()
    }
    return present | {review_order.SETTING: review_order.chosen(project.settings)}


def _criterion(criterion: Criterion) -> CriterionHead:
    return CriterionHead(
        criterion.name,
        criterion.question,
        criterion.scale.describe(),
        [grader.name for grader in criterion.graders],
    )
