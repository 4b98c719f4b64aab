"""What a draw that begins a new test puts at stake: the proofs that end with it, said before
anybody presses a button."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from graders.statistics.arrays import among, distinct
from graders.statistics.risk_control import select_strata
from graders.workflows.promise.promise_tests import TASK_TYPES
from graders.workflows.promise.proofs import PROVEN, Kind


def stake(kinds: Sequence[Kind], anew: Collection[str]) -> str:
    """What becomes of labels and proofs where the next draw begins a new test of the task types
    `anew`, as a sentence; empty for none."""
    if not any(kind.task in anew for kind in kinds):
        return ""
    ends = [
        kind
        for kind in kinds
        if kind.state == PROVEN and (kind.task in anew or _falls(kind, kinds, anew))
    ]
    if not ends:
        return "The draw begins a new test: earlier labels stay, and are in no test of it."
    names = "; ".join(f"{kind.criterion.criterion.title}, {kind.task}" for kind in ends)
    end = f"{len(ends)} proofs end" if len(ends) > 1 else "a proof ends"
    return (
        f"The draw begins a new test, and {end} with it ({names}): these cells go by your "
        "rule until a test of the new answers passes. "
        "Earlier labels stay, and are in no test of it."
    )


def stakes(
    kinds: Sequence[Kind], over: Collection[str], free: Mapping[str, int]
) -> dict[str, dict[str, str]]:
    """`stake` per task type that has answers to draw and for ``all`` of them: under the ``same``
    terms, and under ``other`` ones.

    `over`: task types whose next draw begins a new test under any terms.
    """
    opened = {kind.task for kind in kinds if kind.tried.opened}
    able = {kind.task for kind in kinds if free.get(kind.task)}
    asked = {"all": able, **{task: {task} for task in able}}
    begun = {"same": set(over), "other": {*over, *opened}}
    return {
        name: {terms: stake(kinds, tasks & anew) for terms, anew in begun.items()}
        for name, tasks in asked.items()
    }


def _falls(kind: Kind, kinds: Sequence[Kind], anew: Collection[str]) -> bool:
    """Whether a kind that was tested together with task types that begin anew is not proven by its
    own labels alone."""
    left = ~among(kind.tested.task, [TASK_TYPES.index(task) for task in anew])
    if kind.placing is not None or left.all():
        return False
    types, tested = (
        sum(other.criterion is kind.criterion for other in kinds),
        kind.tested.only(left),
    )
    delta = kind.tried.delta * len(distinct(tested.task)) / types
    alone = select_strata(
        tested.sure,
        kind.known[left],
        kind.error[left],
        tested.question,
        tested.task,
        kind.tried.alpha,
        delta,
    )
    mine = TASK_TYPES.index(kind.task)
    return not any(mine in part.codes and part.selection.status == "OK" for part in alone)
