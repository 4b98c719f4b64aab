"""Whether a rubric can be graded by: its graders are there, its templates can be filled. Asked when
the rubric comes in."""

from __future__ import annotations

from graders.core import discovery
from graders.core.errors import CogradeError, PluginError, RubricError
from graders.core.provider_names import offered, provider_of
from graders.core.rubric import Criterion, Rubric
from graders.core.words import error_parts, say
from graders.judges.asking.templates import check_templates

#: Options that the rubric may give the grader ``judge``.
JUDGE_OPTIONS = ("model",)


def judge_models(criterion: Criterion) -> list[str]:
    """The models that a criterion names for its judges."""
    refs = [ref for ref in criterion.graders if ref.name == "judge"]
    return list(dict.fromkeys(str(ref.options["model"]).strip() for ref in refs if ref.options))


def wrong_judge(criterion: Criterion) -> RubricError | None:
    """The first judge of a criterion whose model is none that can be asked; the name of one that a
    project set up is left to the run."""
    where = say("scope.graders_of", rubric=criterion.rubric, criterion=criterion.name)
    for ref in criterion.graders:
        if ref.name != "judge" or not ref.options:
            continue
        model = ref.options.get("model")
        if list(ref.options) != [*JUDGE_OPTIONS] or not isinstance(model, str) or not model.strip():
            options = ", ".join(f"{name}: {value!r}" for name, value in ref.options.items())
            return RubricError(**error_parts("scope.judge_model", where=where, found=options[:80]))
        kind, sign, name = model.strip().partition(":")
        if "@http" in name:
            return RubricError(
                **error_parts("scope.judge_address", where=where, model=repr(model)[:80])
            )
        known = kind in discovery.names("judges") or provider_of(kind) in discovery.names(
            "providers"
        )
        if sign and not (known and name):
            names = ", ".join(named.word for named in offered())
            return RubricError(
                **error_parts(
                    "scope.judge_unknown", where=where, model=repr(model)[:80], names=names
                )
            )
    return None


def unknown_grader(criterion: Criterion) -> RubricError | None:
    """The first grader of a criterion that no part of that name, or none with its options, is known
    for.

    A part that is there and does not load is no fault of the rubric.
    """
    rules, metrics = discovery.names("rules"), discovery.names("metrics")
    for ref in criterion.graders:
        where = say("scope.graders_of", rubric=criterion.rubric, criterion=criterion.name)
        if ref.name == "judge":
            if error := wrong_judge(criterion):
                return error
            continue
        if ref.name not in (*rules, *metrics):
            known = ", ".join(sorted({*rules, *metrics}))
            return RubricError(
                **error_parts("scope.no_grader", where=where, name=ref.name, names=known)
            )
        try:
            discovery.make("rules" if ref.name in rules else "metrics", ref.name, ref.options)
        except PluginError:
            continue
        except CogradeError as error:
            return RubricError(
                where,
                found=f"{error.where} with {error.found}",
                expected=error.expected,
                remedy=error.remedy,
            )
    return None


def problems(rubric: Rubric) -> list[RubricError]:
    """What keeps a rubric from being graded by: graders that nobody knows, templates that cannot be
    used."""
    found = [
        error for criterion in rubric.criteria if (error := unknown_grader(criterion)) is not None
    ]
    try:
        check_templates(rubric, f"rubric {rubric.name}")
    except RubricError as error:
        found.append(error)
    return found


def check_rubric(rubric: Rubric) -> Rubric:
    """The rubric, or the first of its problems with the place and what is known."""
    for error in problems(rubric):
        raise error
    return rubric
