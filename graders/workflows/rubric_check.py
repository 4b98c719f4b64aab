"""Whether all graders that a rubric names are there: asked when it comes in, not when cells stay empty."""

from __future__ import annotations

from graders.core import discovery
from graders.core.errors import CogradeError, PluginError, RubricError
from graders.core.rubric import Criterion, Rubric


def unknown_grader(criterion: Criterion) -> RubricError | None:
    """The first grader of a criterion that no part of that name, or none with its options, is known for.

    A part that is there and does not load is no fault of the rubric.
    """
    rules, metrics = discovery.names("rules"), discovery.names("metrics")
    for ref in criterion.graders:
        where = f"rubric {criterion.rubric}, criterion {criterion.name}, graders"
        if ref.name == "judge":
            continue
        if ref.name not in (*rules, *metrics):
            known = ", ".join(sorted({*rules, *metrics}))
            return RubricError(where, found=f"the grader {ref.name!r}", expected=f"judge or one of {known}")
        try:
            discovery.make("rules" if ref.name in rules else "metrics", ref.name, ref.options)
        except PluginError:
            continue
        except CogradeError as error:
            return RubricError(where, found=f"{error.where} with {error.found}", expected=error.expected, remedy=error.remedy)
    return None


def check_graders(rubric: Rubric) -> Rubric:
    """The rubric, or a RubricError with the place and the known names."""
    for criterion in rubric.criteria:
        if (error := unknown_grader(criterion)) is not None:
            raise error
    return rubric
