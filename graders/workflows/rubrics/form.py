"""A rubric as a form: what each criterion asks; its scale, graders and who decides as choices."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graders.core import discovery
from graders.core.errors import CogradeError
from graders.core.rubric import TASKS, Criterion, GraderRef, Rubric
from graders.core.rubric_set import values_by_criterion
from graders.core.scale import Kind, Scale
from graders.core.words import say
from graders.workflows.scope.rubric_check import JUDGE_OPTIONS

#: The grader that is a judge of the run, or the one of its `model`.
JUDGE = "judge"
#: Parts that the rubric names itself, beside the lists of `ELEMENTS`.
NAMED = "named"
#: What the form shows; all else of a criterion stands in the text alone.
SHOWN = (
    "name",
    "question",
    "guide",
    "scale",
    "graders",
    "review",
    "reference",
    "parts",
    "unless",
)


@dataclass(frozen=True, slots=True)
class ScaleForm:
    """A scale: its kind, and either labels or both ends with what some numbers mean, a line
    each."""

    kind: Kind
    labels: str
    low: str
    high: str
    anchors: str


@dataclass(frozen=True, slots=True)
class OptionForm:
    """An option of a grader: the name of its type, what the rubric sets ("" where nothing), and
    what is so otherwise."""

    name: str
    type: str
    value: str
    default: str


@dataclass(frozen=True, slots=True)
class GraderForm:
    """A grader of a criterion: the registry that it stands in ("" where none has it)."""

    name: str
    folder: str
    about: str
    options: Sequence[OptionForm]


@dataclass(frozen=True, slots=True, kw_only=True)
class FormCriterion:
    """A criterion in the form. `called` is the name that the text gives it, `title` how it is
    shown; `review` and `reference` have a word for each of `TASKS`, "" where the text has none;
    `parts` is "", `NAMED` or one of `ELEMENTS`; `more` stands in the text alone."""

    name: str
    title: str
    called: str
    question: str
    guide: str
    scale_words: str
    scale: ScaleForm
    graders: Sequence[GraderForm]
    review: Mapping[str, str]
    reference: Mapping[str, str]
    parts: str
    part_lines: str
    unless: str
    more: Sequence[str]


@dataclass(frozen=True, slots=True)
class Form:
    """A rubric as a form."""

    about: str
    version: str
    criteria: Sequence[FormCriterion]


@dataclass(frozen=True, slots=True)
class KnownGraders:
    """The graders that a criterion may have, by registry."""

    rules: Sequence[str]
    metrics: Sequence[str]


def known_graders() -> KnownGraders:
    """All that are registered now: those of plug-ins too."""
    return KnownGraders(discovery.names("rules"), discovery.names("metrics"))


def form_of(rubric: Rubric, source: str) -> Form:
    """The form that a text fills."""
    said = values_by_criterion(source)
    criteria = [_criterion(one, said.get(one.name, {})) for one in rubric.criteria]
    return Form(rubric.about, rubric.version, criteria)


def _criterion(criterion: Criterion, said: Mapping[str, Any]) -> FormCriterion:
    parts = criterion.elements or (NAMED if criterion.parts else "")
    guides = criterion.part_guides
    lines = [f"{part}: {guides[part]}" if part in guides else part for part in criterion.parts]
    return FormCriterion(
        name=criterion.name,
        title=criterion.title,
        called=str(said.get("name") or ""),
        question=criterion.question,
        guide=criterion.guide,
        scale_words=criterion.scale.describe(),
        scale=_scale(criterion.scale),
        graders=[_grader(ref) for ref in criterion.graders],
        review={task: criterion.review.get(task, "") for task in TASKS},
        reference={task: criterion.reference.get(task, "") for task in TASKS},
        parts=parts,
        part_lines="\n".join(" ".join(line.split()) for line in lines),
        unless=criterion.unless,
        more=[name for name in said if name not in SHOWN],
    )


def _scale(scale: Scale) -> ScaleForm:
    numbers = not scale.labels
    return ScaleForm(
        kind=scale.kind,
        labels="\n".join(scale.labels),
        low=f"{scale.low:g}" if numbers else "",
        high=f"{scale.high:g}" if numbers else "",
        anchors="\n".join(f"{number}: {' '.join(text.split())}" for number, text in scale.anchors),
    )


def _grader(ref: GraderRef) -> GraderForm:
    known = known_graders()
    folder = "rules" if ref.name in known.rules else "metrics" if ref.name in known.metrics else ""
    if ref.name == JUDGE:
        types = dict.fromkeys(JUDGE_OPTIONS, ("str", ""))
        folder, about = "judges", say("rubrics.form.judge")
    else:
        types, about = _part(folder, ref.name)
    # what the text sets and the part does not have is seen too
    types |= {name: ("str", "") for name in ref.options if name not in types}
    options = [
        OptionForm(name, kind, _written(ref.options.get(name)), default)
        for name, (kind, default) in types.items()
    ]
    return GraderForm(ref.name, folder, about, options)


def _part(folder: str, name: str) -> tuple[dict[str, tuple[str, str]], str]:
    """The options of a part that is registered, each with its type and default; and what it is."""
    if not folder:
        return {}, say("rubrics.form.unknown")
    try:
        found = discovery.find(folder, name)
    except CogradeError as error:  # one that does not load is no fault of the rubric
        return {}, str(error)
    return option_types(found), found.said("about")


def option_types(part: type[Any]) -> dict[str, tuple[str, str]]:
    """Option -> the name of its type and its default as text."""
    if not dataclasses.is_dataclass(part):
        return {}
    return {
        one.name: (
            one.type if isinstance(one.type, str) else one.type.__name__,
            "" if one.default is dataclasses.MISSING else _written(one.default),
        )
        for one in dataclasses.fields(part)
    }


def _written(value: Any) -> str:
    """A value of an option as it is typed."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:g}" if isinstance(value, float) else str(value)
