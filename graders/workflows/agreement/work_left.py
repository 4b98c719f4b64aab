"""What is left for people, when it will be done, who is idle, and where people's minutes went."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import median

from graders.core.words import say
from graders.store.desk import people_work, queue
from graders.store.desk.people_work import ScreenDone
from graders.workflows.cells.state import ADJUDICATED
from graders.workflows.opinions.fast_work import fast_sentences
from graders.workflows.scope.people_names import called, names_of
from graders.workflows.scope.permissions import Scope, needs

#: A person who saved nothing for so many days while screens wait is idle; the pace is that of so
#: many days.
IDLE_DAYS, PACE_DAYS = 3, 7
#: With fewer screens that were saved and timed in these days nothing is forecast.
MIN_TIMED = 20
#: With fewer screens that were ever timed nothing is said of how long the others take.
FEWEST_TIMED = 3


class Work(StrEnum):
    """What people's minutes go into, in the order of the bar."""

    REVIEW = "review"
    BLIND_ARM = "blind_arm"
    CALIBRATION = "calibration"
    AUDIT = "audit"
    PLACED = "placed"
    ASKED = "asked"
    OVERLAP = "overlap"
    REPEAT = "repeat"
    GOLD = "gold"
    CONTROL = "control"
    ADJUDICATION = "adjudication"


@dataclass(frozen=True, slots=True)
class Idle:
    """A person who saved nothing for days, and when the person `last` did."""

    name: str
    last: str


@dataclass(frozen=True, slots=True)
class Minutes:
    """The minutes that went into one kind of work."""

    kind: Work
    words: str
    minutes: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """Screens that are `left` and `done`, the `minutes_left` at the median of those that were timed
    (None where fewer than FEWEST_TIMED were), screens `a_day` at the present pace, the `days` that
    the rest takes and `until` when (None where fewer than MIN_TIMED were saved lately), in `words`;
    who is idle, where people's minutes went, and who worked very fast, in words (`fast`, "" for
    nobody)."""

    left: int
    done: int
    minutes_left: float | None
    a_day: float
    days: float | None
    until: str | None
    words: str
    idle: Sequence[Idle]
    minutes: Sequence[Minutes]
    fast: str


@needs("look")
def progress(scope: Scope, project_name: str) -> Progress:
    """What is left, when it will be done at the pace of the last days, who is idle, and where
    people's minutes went."""
    project = scope.project(project_name)
    now = dt.datetime.fromisoformat(scope.ws.now())
    people = names_of(scope.ws)
    left = queue.open_screens(scope.ws.db, project)
    screens = people_work.screens_done(scope.ws.db, project)
    minutes = dict.fromkeys(Work, 0.0)
    last: dict[str, str] = {}
    for row in screens:
        minutes[_work(row)] += row.seconds / 60
        last[row.person] = max(last.get(row.person, ""), row.saved_at)
    minutes[Work.ADJUDICATION] = (
        people_work.adjudication_seconds(scope.ws.db, project, ADJUDICATED) / 60
    )
    since = (now - dt.timedelta(days=PACE_DAYS)).isoformat()
    lately = [row for row in screens if row.saved_at >= since[:19]]
    seconds = [row.seconds for row in screens if row.seconds > 0]
    recent, timed = len(lately), sum(row.seconds > 0 for row in lately)
    days = left / (recent / PACE_DAYS) if timed >= MIN_TIMED else None
    until = None if days is None else (now + dt.timedelta(days=days)).date().isoformat()
    idle_since = (now - dt.timedelta(days=IDLE_DAYS)).isoformat()[:19]
    return Progress(
        left=left,
        done=len(screens),
        minutes_left=left * median(seconds) / 60 if len(seconds) >= FEWEST_TIMED else None,
        a_day=recent / PACE_DAYS,
        days=days,
        until=until,
        words=_words(left, recent, timed, until),
        idle=[
            Idle(called(people, person), at)
            for person, at in sorted(last.items())
            if left and at < idle_since
        ],
        minutes=[
            Minutes(kind, say(f"agreement.work.{kind}"), round(spent, 1))
            for kind, spent in minutes.items()
        ],
        fast=_fast(fast_sentences(scope, project)),
    )


def _fast(sentences: Sequence[str]) -> str:
    return say("agreement.progress.fast", people="; ".join(sentences)) if sentences else ""


def _work(row: ScreenDone) -> Work:
    if row.further:
        return Work.OVERLAP
    if row.design == "ordinary":
        return Work.BLIND_ARM if row.arm == "blind" else Work.REVIEW
    return Work(row.design) if row.design in tuple(Work) else Work.REVIEW


def _words(left: int, recent: int, timed: int, until: str | None) -> str:
    if not left:
        return say("agreement.progress.nothing")
    if not recent:
        return say("agreement.progress.no_pace", n=left, days=PACE_DAYS)
    if until is None:
        places = {"days": PACE_DAYS, "timed": timed, "least": MIN_TIMED}
        return say("agreement.progress.too_little", n=left, **places)
    return say("agreement.progress.until", n=left, until=until, days=PACE_DAYS, recent=recent)
