"""What was tried with a judge: before and after beside people, on both halves of the questions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from graders.core.errors import CogradeError, InputError
from graders.core.words import error_parts, say
from graders.web.kit import Asked, drawn
from graders.web.pages.workshop import asking
from graders.workflows.workshop import workshop
from graders.workflows.workshop.figures import CriterionFigures, PartFigures
from graders.workflows.workshop.tries import PartCounts, TriedChange
from graders.workflows.workshop.workshop import Workshop

#: The look of the word for a difference; others have none of their own.
KINDS = {"better": "ok", "worse": "no", "INCONCLUSIVE": "pd"}
PARTS = ("looked_at", "held_out")


@dataclass(frozen=True, slots=True)
class Told:
    """What was said last of a try."""

    judge: str
    number: int
    words: str

    @classmethod
    def of(cls, text: object) -> Told:
        """As a hidden field of the page has it; nothing where it has none."""
        try:
            judge, number, words, _ = json.loads(str(text))
            return cls(str(judge), int(number), str(words))
        except (ValueError, TypeError):
            return cls("", 0, "")

    @property
    def text(self) -> str:
        """For the hidden field."""
        return json.dumps([self.judge, self.number, self.words, ""])


@dataclass(frozen=True, slots=True)
class Row:
    """The figures of one half: its name and counts, both values, their difference as a dot from
    -`reach` to `reach` and in figures, and the word for it."""

    name: str
    part: PartFigures
    before_after: str
    value: str
    interval: str
    label: str
    reason: str
    kind: str


def listed(asked: Asked, found: Workshop, told: Told) -> str:
    """The tries, the newest first; what a try is about where there is none yet."""
    if not found.judge or not found.tries:
        return drawn("workshop/none.html", found=found, counts=_counts(found.part), view=asked.view)
    again = asked.view.number("again", 0)
    one = next((one for one in found.tries if one.number == again and _missing(one)), None)
    plan, refused = None, ""
    if one is not None:
        try:
            plan = workshop.plan(asked.scope, asked.project, found.judge, {}, {}, again)
        except CogradeError as error:
            refused = str(error)
    return drawn(
        "workshop/tries.html",
        judge=found.judge,
        tries=[(one, _missing(one), [*_figures(one)], _reach(one)) for one in found.tries],
        told=told if told.judge == found.judge else Told("", 0, ""),
        again=one.number if one else 0,
        plan=asking.table(plan) if plan else "",
        left=asking.left(plan) if plan else 0,
        ask=asking.ask_words(plan, "again") if plan else "",
        refused=refused,
        view=asked.view,
    )


def ended(asked: Asked) -> Told:
    """Keep or drop a try, as a button says."""
    said = asked.event
    name, number, state = str(said.get("judge") or ""), asking.which(said.get("try")), said["state"]
    if state not in ("kept", "dropped"):
        raise InputError(**error_parts("web.try.state", value=repr(state)[:40]))
    end = workshop.keep if state == "kept" else workshop.drop
    return Told(name, number, end(asked.scope, asked.project, name, number).message)


def _missing(one: TriedChange) -> bool:
    return any(side.known < side.calls for side in one.asked)


def _counts(part: PartCounts) -> str:
    """What a try is about."""
    if not part.labelled:
        return say("workshop.page.unlabelled")
    return say(
        "workshop.page.counts",
        answers=say("units.answer", n=part.answers),
        questions=say("units.question", n=part.questions),
        n=part.held_out_answers,
        held=say("units.question", n=part.held_out_questions),
    )


def _figures(one: TriedChange) -> Iterator[tuple[CriterionFigures, list[Row]]]:
    for figure in one.criteria:
        yield figure, [_row(figure, name, figure.parts[name]) for name in PARTS]


def _row(figure: CriterionFigures, name: str, part: PartFigures) -> Row:
    apart, before, after = part.difference, part.before.value, part.after.value
    interval = ""
    if apart.low is not None and apart.high is not None:
        interval = say("workshop.page.interval", low=_signed(apart.low), high=_signed(apart.high))
    value = "–" if apart.value is None else _signed(apart.value)
    shown = apart.reason if apart.value is None else f"{value} {interval}"
    return Row(
        name=name,
        part=part,
        before_after="–"
        if before is None or after is None
        else f"{_plain(before)} → {_plain(after)}",
        value=value,
        interval=interval,
        label=f"{figure.title}, {say(f'workshop.page.half.{name}')}: {shown}",
        reason="" if apart.value is not None and apart.status == "OK" else apart.reason,
        kind=KINDS.get(str(part.word), ""),
    )


def _reach(one: TriedChange) -> float:
    """How far the axis of the differences goes to either side."""
    apart = [part.difference for figure in one.criteria for part in figure.parts.values()]
    ends = [end for one in apart for end in (one.low, one.high, one.value) if end is not None]
    return max([0.1, *map(abs, ends)])


def _plain(value: float) -> str:
    return f"{'−' if value <= -0.005 else ''}{abs(value):.2f}"


def _signed(value: float) -> str:
    return f"+{_plain(value)}" if value >= 0.005 else _plain(value)
