"""The stages of a run: split where a model splits answers into claims, measure, judge, route; what
each is at and how fast it goes.

States: ``waiting`` (has not begun, or rests), ``working``, ``done``, ``skipped`` (nothing to do, or
not reached), ``stopped``, ``failed``.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

#: What the stage route does.
ROUTE = "every cell gets a reason"
#: States of a run that goes on later.
RESTS = ("paused", "waiting_for_key")


class Stages:
    """The stages of one start of a run, in their order; `before` are those of an earlier start,
    whose time counts on."""

    def __init__(
        self, judges: int, before: Sequence[Mapping[str, Any]], splits: bool = False
    ) -> None:
        asked = f"{judges} judge{'s' * (judges != 1)}" if judges else "no judge chosen"
        self.rows = [
            *([_row("split", "Split", "answers into claims, by a model")] if splits else []),
            _row("measure", "Measure", "rules and metrics"),
            _row("judge", "Judge", asked, "waiting" if judges else "skipped"),
            _row("route", "Route", ROUTE),
        ]
        self._took = {stage["name"]: float(stage["took_seconds"] or 0.0) for stage in before}
        self._begun: dict[str, tuple[float, int]] = {}

    def begin(self, name: str, detail: str) -> None:
        """A stage comes to a part of its own, which is counted from zero."""
        stage = self._named(name)
        if stage["detail"] != detail:
            begun = self._begun.pop(name, None)
            self._took[name] = self._took.get(name, 0.0) + (
                time.monotonic() - begun[0] if begun else 0.0
            )
            stage["detail"] = detail

    def move(self, name: str, done: int, total: int) -> None:
        """A stage is at work and so far."""
        now = time.monotonic()
        begun, first = self._begun.setdefault(name, (now, done))
        took = now - begun
        rate = (done - first) / took if took > 0.2 and done > first else None
        stage = self._named(name)
        state = "failed" if stage["state"] == "failed" else "working"
        left = (total - done) / rate if rate else None
        stage.update(
            state=state,
            done=done,
            total=total,
            rate=rate,
            took_seconds=took + self._took.get(name, 0.0),
            left_seconds=left,
        )

    def fail(self, name: str) -> None:
        """A stage failed, at least in part; the run may go on with the next."""
        self._named(name).update(state="failed", left_seconds=None)

    def stop(self, name: str) -> None:
        """A stage ended before it was through, and another is next."""
        self._named(name).update(state="stopped", left_seconds=None)

    def wait(self, name: str) -> None:
        """A stage is not through, and rests, though others are; one that failed has."""
        stage = self._named(name)
        if stage["state"] != "failed":
            stage.update(state="waiting", left_seconds=None)

    def finish(self, *names: str) -> None:
        """Stages are through, unless they failed."""
        for stage in self.rows:
            if stage["name"] in names and stage["state"] == "working":
                stage.update(state="done", left_seconds=0.0)

    def skip(self, name: str) -> None:
        """A stage has nothing to do."""
        self._named(name).update(state="skipped", left_seconds=None)

    def only(self, *names: str) -> None:
        """All other stages have nothing to do."""
        for stage in self.rows:
            if stage["name"] not in names:
                stage["state"] = "skipped"

    def leave(self, state: str) -> None:
        """The run rests or is over before the stage at work was through; `state` is the run's."""
        for stage in self.rows:
            if stage["state"] == "working":
                stage.update(state="waiting" if state in RESTS else state, left_seconds=None)
            elif stage["state"] == "waiting" and state not in RESTS:
                stage["state"] = "skipped"

    def _named(self, name: str) -> dict[str, Any]:
        return next(stage for stage in self.rows if stage["name"] == name)


def shown(run: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The stages of a run's row as they are now: where no worker could say goodbye, the one at work
    stands still."""
    state, found = run["state"], [dict(stage) for stage in run["progress"].get("stages") or []]
    for stage in found:
        begun = stage["state"] in ("working", "now")  # "now" is in rows of earlier versions
        if begun:
            stage["state"] = "working"
        if state in ("stopped", "failed"):
            if begun or (stage["state"] == "waiting" and stage["done"]):
                stage["state"] = state
            elif stage["state"] == "waiting":
                stage["state"] = "skipped"
        elif begun and not run["alive"]:
            stage["state"] = (
                "waiting" if state in ("paused", "queued", "waiting_for_key") else "stopped"
            )
    return found


def _row(name: str, title: str, detail: str, state: str = "waiting") -> dict[str, Any]:
    return {
        "name": name,
        "title": title,
        "detail": detail,
        "state": state,
        "done": 0,
        "total": 0,
        "rate": None,
        "left_seconds": None,
        "took_seconds": None,
    }
