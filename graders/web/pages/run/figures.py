"""The figures of a run, from its first second on: what is not counted yet stands in its plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graders.core.money import dollars
from graders.core.shapes import JSON, as_dict
from graders.core.words import say
from graders.workflows.runs.run_page import RunPage
from graders.workflows.runs.shown_run import Phase
from graders.workflows.runs.stages import Stages


@dataclass(frozen=True, slots=True)
class Figures:
    """So much is `done` of a `total`: replies where it `reads` some, else what is measured; `share`
    in per cent. `judges` and `stages` as the run's progress has them, `now` the stage at work; by
    judge, what was sent again in words, and what its verdicts go by."""

    reads: bool
    done: int
    total: int
    share: int
    spent: str
    spent_rest: str
    without: int
    judges: Sequence[JSON]
    stages: Sequence[JSON]
    now: JSON | None
    resent: Mapping[str, str]
    authors: Mapping[str, str]


def figures(found: RunPage) -> Figures | None:
    """The figures of the run that is shown; None without one."""
    run = found.run
    if run is None:
        return None
    progress, planned = run.progress, run.plan.get("judges") or []
    judges = progress.get("judges") or []
    stages = progress.get("stages") or [as_dict(row) for row in Stages(len(planned), ()).rows]
    measure = next((one for one in stages if one["name"] == "measure"), {"done": 0, "total": 0})
    done, total = measure["done"], measure["total"] or int(run.plan.get("subjects") or 0)
    if judges or planned:
        done = sum(judge["done"] for judge in judges)
        total = sum(one["total"] for one in judges) or sum(one["calls"] for one in planned)
    without = int(progress.get("without_verdict") or 0)
    if run.collects:
        without = sum(judge["without_verdict"] for judge in judges)
        without += total - done if found.phase == Phase.OVER else 0
    return Figures(
        reads=bool(judges or planned),
        done=done,
        total=total,
        share=round(100 * done / max(1, total)),
        spent=_spent(progress),
        spent_rest=_beside(progress, run.plan),
        without=without,
        judges=judges,
        stages=stages,
        # a run that rests has no time left to foretell
        now=next((one for one in stages if one["state"] == "working"), None)
        if found.phase == Phase.WORKING
        else None,
        resent={judge["name"]: _resent(found, judge) for judge in judges},
        authors={one["name"]: one.get("author") or one["name"] for one in planned},
    )


def _spent(progress: JSON) -> str:
    money = progress.get("money", 0.0)
    return say("runs.page.unknown") if money is None else dollars(money or 0.0)


def _beside(progress: JSON, plan: JSON) -> str:
    """What the money that is spent is to be held against."""
    if plan.get("money") is not None:
        return say("runs.page.spent.planned", money=dollars(plan["money"]))
    unpriced = progress.get("unpriced") or 0
    return say("runs.page.spent.unpriced", n=unpriced) if unpriced else ""


def _resent(found: RunPage, judge: Mapping[str, Any]) -> str:
    """``rate-limited (429) 3, no reply 1``."""
    counts = judge.get("resends") or {}
    return ", ".join(f"{found.causes[cause]} {count:,}" for cause, count in counts.items())
