"""The stages of a run: split where a model splits answers into claims, measure, judge, route; what
each is at and how fast it goes.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from graders.core.run_state import RESTING, RunState
from graders.core.shapes import JSON
from graders.core.words import say
from graders.store.calls.runs import Run


class StageState(StrEnum):
    """What a stage is at: it waits until it begins, and while it rests; it is skipped where it has
    nothing to do, or is not reached."""

    WAITING = "waiting"
    WORKING = "working"
    DONE = "done"
    SKIPPED = "skipped"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of a run: `done` of `total` things, `rate` of them a second; seconds that it took
    and that are left, None where that is not known."""

    name: str
    title: str
    detail: str
    state: StageState = StageState.WAITING
    done: int = 0
    total: int = 0
    rate: float | None = None
    left_seconds: float | None = None
    took_seconds: float | None = None


class Stages:
    """The stages of one start of a run, in their order; `before` are those of an earlier start,
    whose time counts on."""

    def __init__(self, judges: int, before: Sequence[JSON], splits: bool = False) -> None:
        judge = _stage("judge", n=judges)
        if not judges:
            judge = replace(judge, state=StageState.SKIPPED, detail=say("runs.stage.judge.none"))
        self.rows = [
            *([_stage("split")] if splits else []),
            _stage("measure"),
            judge,
            _stage("route"),
        ]
        self._took = {stage["name"]: float(stage["took_seconds"] or 0.0) for stage in before}
        self._begun: dict[str, tuple[float, int]] = {}

    def begin(self, name: str, detail: str) -> None:
        """A stage comes to a part of its own, which is counted from zero."""
        if self._named(name).detail != detail:
            begun = self._begun.pop(name, None)
            self._took[name] = self._took.get(name, 0.0) + (
                time.monotonic() - begun[0] if begun else 0.0
            )
            self._change(name, detail=detail)

    def move(self, name: str, done: int, total: int) -> None:
        """A stage is at work and so far."""
        now = time.monotonic()
        begun, first = self._begun.setdefault(name, (now, done))
        took = now - begun
        rate = (done - first) / took if took > 0.2 and done > first else None
        failed = self._named(name).state == StageState.FAILED
        left = (total - done) / rate if rate else None
        self._change(
            name,
            state=StageState.FAILED if failed else StageState.WORKING,
            done=done,
            total=total,
            rate=rate,
            took_seconds=took + self._took.get(name, 0.0),
            left_seconds=left,
        )

    def fail(self, name: str) -> None:
        """A stage failed, at least in part; the run may go on with the next."""
        self._change(name, state=StageState.FAILED, left_seconds=None)

    def stop(self, name: str) -> None:
        """A stage ended before it was through, and another is next."""
        self._change(name, state=StageState.STOPPED, left_seconds=None)

    def wait(self, name: str) -> None:
        """A stage is not through, and rests, though others are; one that failed has."""
        if self._named(name).state != StageState.FAILED:
            self._change(name, state=StageState.WAITING, left_seconds=None)

    def finish(self, *names: str) -> None:
        """Stages are through, unless they failed."""
        for stage in self.rows:
            if stage.name in names and stage.state == StageState.WORKING:
                self._change(stage.name, state=StageState.DONE, left_seconds=0.0)

    def skip(self, name: str) -> None:
        """A stage has nothing to do."""
        self._change(name, state=StageState.SKIPPED, left_seconds=None)

    def only(self, *names: str) -> None:
        """All other stages have nothing to do."""
        for stage in self.rows:
            if stage.name not in names:
                self._change(stage.name, state=StageState.SKIPPED)

    def leave(self, state: RunState) -> None:
        """The run rests or is over before the stage at work was through; `state` is the run's."""
        for stage in self.rows:
            if stage.state == StageState.WORKING:
                rests = StageState.WAITING if state in RESTING else StageState(state)
                self._change(stage.name, state=rests, left_seconds=None)
            elif stage.state == StageState.WAITING and state not in RESTING:
                self._change(stage.name, state=StageState.SKIPPED)

    def _named(self, name: str) -> Stage:
        return next(stage for stage in self.rows if stage.name == name)

    def _change(self, name: str, **fields: Any) -> None:
        self.rows = [replace(one, **fields) if one.name == name else one for one in self.rows]


def _stage(name: str, **places: int) -> Stage:
    """A stage that has not begun, with its title and what it does."""
    title, detail = say(f"runs.stage.{name}"), say(f"runs.stage.{name}.detail", **places)
    return Stage(name, title, detail)


def shown(run: Run) -> list[Stage]:
    """The stages of a run's row as they are now: where the worker ended without a last report, the
    stage at work waits or is stopped."""
    return [
        replace(stage, state=_stands(stage, run.state, run.alive))
        for stage in map(_read, run.progress.get("stages") or ())
    ]


def _stands(stage: Stage, state: str, alive: bool) -> StageState:
    """What a stage is at in a run of that state."""
    begun = stage.state == StageState.WORKING
    if state in (RunState.STOPPED, RunState.FAILED):
        if begun or (stage.state == StageState.WAITING and stage.done):
            return StageState(state)
        return StageState.SKIPPED if stage.state == StageState.WAITING else stage.state
    if begun and not alive:
        rests = state in (*RESTING, RunState.QUEUED)
        return StageState.WAITING if rests else StageState.STOPPED
    return stage.state


def _read(row: JSON) -> Stage:
    """A stage as a run's row holds it; "now" is in rows of earlier versions."""
    return Stage(
        name=row["name"],
        title=row.get("title", ""),
        detail=row.get("detail", ""),
        state=StageState("working" if row["state"] == "now" else row["state"]),
        done=row.get("done", 0),
        total=row.get("total", 0),
        rate=row.get("rate"),
        left_seconds=row.get("left_seconds"),
        took_seconds=row.get("took_seconds"),
    )
