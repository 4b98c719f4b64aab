"""Whether a rubric can be graded by: its graders are there, its templates can be filled. Asked when
the rubric comes in."""

from __future__ import annotations

from graders.core import discovery
from graders.core.errors import CogradeError, PluginError, RubricError
from graders.core.rubric import Criterion, Rubric
from graders.core.words import error_parts, say
from graders.judges.asking.templates import check_templates


def unknown_grader(criterion: Criterion) -> RubricError | None:
    """The first grader of a criterion that no part of that name, or none with its options, is known
    for.

    A part that is there and does not load is no fault of the rubric.
    """
    rules, metrics = discovery.names("rules"), discovery.names("metrics")
    for ref in criterion.graders:
        where = say("scope.graders_of", rubric=criterion.rubric, criterion=criterion.name)
        if ref.name == "judge":
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
