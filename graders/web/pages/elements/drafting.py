"""Drafts that a judge is asked for, one question after the other: those that were asked for stand
in the page, in the order in which they were, and how far that is beside them."""

from __future__ import annotations

import json
import logging
from dataclasses import asdict, dataclass
from typing import Any

from graders.core.errors import CogradeError, ReadOnly
from graders.core.words import say
from graders.web.kit import Asked
from graders.workflows.rubrics import element_lists
from graders.workflows.rubrics.element_lists import Drafted

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Questions whose drafts were asked for since the page was opened, each with the judge that
    stood in its field then; those of the present batch begin at `start`. `all`: every question
    without a list; `stop`: no further one is asked about.
    """

    ids: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    start: int = 0
    all: bool = False
    stop: bool = False

    @classmethod
    def of(cls, kept: object) -> Wanted:
        """What stands in the page."""
        found = _kept(kept)
        ids, judges = (_texts(found.get(name)) for name in ("ids", "judges"))
        return cls(
            ids if len(ids) == len(judges) else (),
            judges if len(ids) == len(judges) else (),
            _whole(found.get("start")),
            found.get("all") is True,
            found.get("stop") is True,
        )

    def with_(self, ids: list[str], judge: str, done: int, *, every: bool = False) -> Wanted:
        """With more questions for a judge: a batch of their own where nothing is under way."""
        waiting = () if self.stop else self.ids[done:]
        more = [one for one in ids if one not in waiting]
        start = self.start if waiting else len(self.ids)
        judges = (*self.judges, *([judge.strip()] * len(more)))
        return Wanted((*self.ids, *more), judges, start, every or (self.all and bool(waiting)))

    def stopped(self, done: int) -> Wanted:
        """Without what was not begun."""
        begun = slice(done + 1)
        return Wanted(self.ids[begun], self.judges[begun], self.start, self.all, stop=True)

    def kept(self) -> str:
        """As it stands in the page."""
        return json.dumps(asdict(self))


@dataclass(frozen=True, slots=True)
class Done:
    """How many of the wanted drafts were asked for, and for how many dollars those from `start` on;
    `unpriced`: some of their calls have no known price."""

    count: int = 0
    start: int = 0
    money: float = 0.0
    unpriced: int = 0

    @classmethod
    def of(cls, kept: object) -> Done:
        """What stands in the page."""
        found = _kept(kept)
        money = found.get("money")
        return cls(
            _whole(found.get("count")),
            _whole(found.get("start")),
            float(money) if isinstance(money, int | float) else 0.0,
            _whole(found.get("unpriced")),
        )

    def and_(self, made: Drafted | None, start: int) -> Done:
        """After one more."""
        before = self if self.start == start else Done(self.count, start)
        money, unpriced = (made.money, made.unpriced) if made else (0.0, 0)
        return Done(self.count + 1, start, before.money + money, before.unpriced + unpriced)

    def kept(self) -> str:
        """As it stands in the page."""
        words = {"count": self.count, "start": self.start}
        return json.dumps({**words, "money": self.money, "unpriced": self.unpriced})


@dataclass(frozen=True, slots=True)
class Step:
    """What became of the next draft: of which `question`, what is `told` of it, how far all are.
    `refused`: why no further one is asked for; `over`: nothing is left."""

    done: Done
    over: bool
    question: str = ""
    told: str = ""
    refused: str = ""


def next_draft(asked: Asked, wanted: Wanted, done: Done) -> Step:
    """Ask for the draft that is next."""
    if wanted.stop or done.count >= len(wanted.ids):
        return Step(Done(len(wanted.ids), done.start, done.money, done.unpriced), over=True)
    question, judge = wanted.ids[done.count], wanted.judges[done.count]
    try:
        made = element_lists.draft(asked.scope, asked.project, judge, [question])
    except ReadOnly:  # a visitor gets a copy to write to
        raise
    except CogradeError as error:
        return Step(Done(len(wanted.ids)), over=True, refused=str(error))
    except Exception:  # what cannot be kept is not asked for again and again
        _LOG.exception("A draft of elements failed.")
        return Step(Done(len(wanted.ids)), over=True, refused=say("web.failed"))
    after = done.and_(made, wanted.start)
    if made.error:
        return Step(Done(len(wanted.ids)), over=True, refused=made.error)
    return Step(after, after.count >= len(wanted.ids), question, _told(made, question))


def price(money: float, unpriced: int) -> str:
    """What drafts cost; they cost less than a cent."""
    return say("rubrics.elements.price.unknown") if unpriced else f"${money:.4f}"


def _told(made: Drafted, question: str) -> str:
    if question in made.failed:
        return say("rubrics.elements.failed", question=question, why=made.failed[question])
    cost = price(made.money, made.unpriced)
    return say("rubrics.elements.drafted", question=question, judge=made.judge, price=cost)


def _kept(kept: object) -> dict[str, Any]:
    try:
        found = json.loads(str(kept or "{}"))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else ()


def _whole(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
