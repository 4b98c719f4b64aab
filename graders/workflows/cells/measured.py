"""What code measures, and so decides, and what it only detects."""

from __future__ import annotations

from functools import cache

from graders.core import discovery
from graders.core.contracts import Finding
from graders.core.errors import CogradeError
from graders.core.rubric import Criterion


def measured(criterion: Criterion) -> bool:
    """Whether a criterion is measured alone, by rules and what stands beside them: nothing in the
    text tells its value, and no judge is held to it."""
    return (
        criterion.scale.is_ordered
        and bool(criterion.graders)
        and all(_unseen(ref.name) for ref in criterion.graders)
    )


# asked for every cell that is routed, and a look into the folders takes longer than all else
@cache
def _unseen(grader: str) -> bool:
    try:
        return any(
            grader in discovery.names(kind) and bool(discovery.find(kind, grader).unseen)
            for kind in ("rules", "metrics")
        )
    except CogradeError:  # of a grader that cannot be loaded nothing is known
        return False


@cache
def finding_of(rule: str) -> Finding:
    """What stands behind the values of a rule, by its name; one that is not there detects."""
    try:
        return Finding(discovery.find("rules", rule).finding)
    except CogradeError:
        return Finding.DETECTED


def measures(rule: str, confidence: float | None) -> bool:
    """Whether a value that a rule gave with this confidence is measured, and so decides."""
    finding = finding_of(rule)
    return finding is Finding.MEASURED or (finding is Finding.EITHER and confidence == 1)
