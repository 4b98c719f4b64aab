"""What a run is at, as its row says it."""

from __future__ import annotations

from enum import StrEnum


class RunState(StrEnum):
    """The state of a run; who reads it decides by the process, too, whether anybody works on it."""

    QUEUED = "queued"
    RUNNING = "running"
    PAUSED = "paused"
    WAITING_FOR_KEY = "waiting_for_key"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


#: States of a run that goes on later, and of one that is over.
RESTING = (RunState.PAUSED, RunState.WAITING_FOR_KEY)
OVER = (RunState.DONE, RunState.STOPPED, RunState.FAILED)


class Wish(StrEnum):
    """What people want of a run that is not over."""

    RUN = "run"
    PAUSE = "pause"
    STOP = "stop"
