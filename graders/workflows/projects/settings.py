"""What a lead may change of a project: shares that are drawn, sizes of screens, routes, rubrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graders.core.errors import CogradeError, InputError
from graders.core.rubric import Criterion
from graders.core.shapes import JSON
from graders.core.words import error_parts, say
from graders.store import projects
from graders.store.projects import Project
from graders.workflows.cells.routes import RouteSettings
from graders.workflows.cells.state import FAULTS
from graders.workflows.review.reveal import RevealSettings
from graders.workflows.routing import consent as consents
from graders.workflows.routing import review_order
from graders.workflows.routing.share import CalibrationSample, calibration_sample, draw_to_share
from graders.workflows.rubrics import edit as rubrics_edit
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.sampling import Sampling


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: where it is kept (group "" is the top level), what it may be."""

    group: str
    kind: type
    low: float = 0.0
    high: float = 1.0
    choices: tuple[str, ...] = ()

    def read(self, name: str, value: Any) -> Any:
        """A value as it is kept. InputError says what was expected."""
        given = repr(value)[:60]
        if self.choices:
            if value in self.choices:
                return value
            choices = ", ".join(self.choices)
            raise InputError(
                **error_parts(
                    "projects.setting_choice", **called(name), value=given, choices=choices
                )
            )
        if self.kind is bool:
            if isinstance(value, bool):
                return value
            raise InputError(**error_parts("projects.setting_switch", name=name, value=given))
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or not self.low <= value <= self.high
            or self.kind(value) != value
        ):
            key = "whole" if self.kind is int else "share"
            raise InputError(
                **error_parts(
                    f"projects.setting_number.{key}",
                    **called(name),
                    value=given,
                    low=self.low,
                    high=self.high,
                )
            )
        return self.kind(value)


def called(name: str) -> dict[str, str]:
    """A setting's name, and what it is in words."""
    return {"name": name, "title": say(f"projects.setting.{name}")}


SETTINGS: Mapping[str, Setting] = {
    "calibration": Setting("sampling", float),
    "audit": Setting("sampling", float),
    "blind": Setting("sampling", float),
    "repeat": Setting("sampling", float, 0, 0.2),
    "gold": Setting("sampling", float, 0, 0.2),
    "control": Setting("sampling", float, 0, 0.2),
    "answers_per_screen": Setting("sampling", int, 1, 3),
    "overlap": Setting("sampling", int, 1, 20),
    "low_confidence": Setting("routes", float),
    "judge_against_metric": Setting("routes", bool),
    "promises": Setting(
        "routes",
        bool,
    ),
    "whole": Setting("routes", bool),
    "reveal": Setting("reveal", bool),
    "reveal_batch": Setting("reveal", int, 1, 100),
    "show_models": Setting("", bool),
    review_order.SETTING: Setting("", str, choices=review_order.ORDERS),
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
    """The values of `SETTINGS` by name, the rubrics, and the calibration sample, with what the
    change of a setting just added to it or gave back."""

    settings: Mapping[str, float | int | bool | str]
    rubrics: Sequence[RubricHead]
    sample: CalibrationSample


@needs("look")
def settings(scope: Scope, project_name: str) -> ProjectSettings:
    """All settings of `SETTINGS` as they are now, and the project's rubrics."""
    project = scope.project(project_name)
    known = [rubric for rubric in projects.rubrics(scope.ws, project) if rubric.name != FAULTS.name]
    return ProjectSettings(
        _present(project),
        [RubricHead(r.name, r.about, r.source, [_criterion(c) for c in r.criteria]) for r in known],
        calibration_sample(scope, project),
    )


@needs("settings")
def change_settings(
    scope: Scope, project_name: str, changes: Mapping[str, Any], *, consent: bool = False
) -> ProjectSettings:
    """Change settings by name; nothing is changed if one of them is off. They take effect when
    cells are routed again; the order of screens and the share of drawn answers at once.

    Without `consent` NeedsConsent is raised where more than half of the answers would be drawn.
    """
    project = scope.project(project_name)
    unknown = sorted(set(changes) - set(SETTINGS))
    if unknown:
        name = repr(unknown[0][:60])
        raise InputError(**error_parts("projects.no_setting", name=name, names=", ".join(SETTINGS)))
    before = _present(project)
    values = {name: SETTINGS[name].read(name, value) for name, value in changes.items()}
    changed = {name: value for name, value in values.items() if value != before[name]}
    if "calibration" in changed:
        consents.check(values["calibration"], float(before["calibration"]), consent=consent)
    sample = None
    if changed:
        groups: JSON = {}
        for name, value in changed.items():
            group = SETTINGS[name].group
            if group:
                groups.setdefault(group, dict(project.settings.get(group) or {}))[name] = value
            else:
                groups[name] = value
        earlier, routed = project.settings, bool(project.settings.get("routed"))
        project = projects.set_settings(scope.ws, project, groups)
        if "calibration" in changed and routed:
            try:
                sample = draw_to_share(scope, project_name)
            except CogradeError:
                # what cannot be drawn now leaves all as it was
                projects.set_settings(
                    scope.ws, project, {group: earlier.get(group) for group in groups}
                )
                raise
        body = {name: [before[name], value] for name, value in changed.items()}
        projects.log_event(scope.ws, project, scope.actor.person_id, "settings", body)
        if review_order.SETTING in changed and routed:
            review_order.arrange(scope.ws, project)
    found = settings(scope, project_name)
    return found if sample is None else replace(found, sample=sample)


@needs("settings")
def change_rubric(scope: Scope, project_name: str, name: str, source: str) -> ProjectSettings:
    """Give a rubric of the project another text. Verdicts on criteria that changed are kept and
    count as stale."""
    project = scope.project(project_name)
    if name not in {rubric.name for rubric in projects.rubrics(scope.ws, project)} - {FAULTS.name}:
        raise InputError(**error_parts("projects.no_rubric", rubric=repr(name[:60])))
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
