"""Which metric values belong to a criterion: what the metrics among its graders declare as their
outputs."""

from __future__ import annotations

from graders.core import discovery
from graders.core.contracts import Metric
from graders.core.errors import CogradeError
from graders.core.rubric import Criterion


def metrics_of(criterion: Criterion) -> list[type[Metric]]:
    """The metrics among a criterion's graders, in their order.

    One that cannot be loaded is left out: that is said where it is to be computed.
    """
    found: list[type[Metric]] = []
    known = discovery.names("metrics")
    for ref in criterion.graders:
        if ref.name in known:
            try:
                found.append(discovery.find("metrics", ref.name))
            except CogradeError:
                continue
    return found


def outputs_of(criterion: Criterion) -> tuple[str, ...]:
    """Names of the values that the metrics of a criterion give, in the order of its graders, of
    each metric its lead first."""
    names = [
        name
        for metric in metrics_of(criterion)
        for name in ((metric.lead,) if metric.lead else ()) + metric.outputs
    ]
    return tuple(dict.fromkeys(names))


def best_outputs(criterion: Criterion) -> tuple[str, ...]:
    """Those of them by which an answer is held against the best answers to its question."""
    return tuple(
        dict.fromkeys(
            name
            for metric in metrics_of(criterion)
            if metric.against == "best"
            for name in metric.outputs
        )
    )
