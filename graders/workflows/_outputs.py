"""Which metric values belong to a criterion: what the metrics among its graders declare as their outputs."""

from __future__ import annotations

from graders.core import discovery
from graders.core.errors import CogradeError
from graders.core.rubric import Criterion


def outputs_of(criterion: Criterion) -> tuple[str, ...]:
    """Names of the values that the metrics of a criterion give, in the order of its graders, of each metric its lead first.

    A metric that cannot be loaded gives none: that is said where it is to be computed.
    """
    found: list[str] = []
    known = discovery.names("metrics")
    for ref in criterion.graders:
        if ref.name in known:
            try:
                metric = discovery.find("metrics", ref.name)
            except CogradeError:
                continue
            found += [metric.lead, *metric.outputs] if metric.lead else metric.outputs
    return tuple(dict.fromkeys(found))
