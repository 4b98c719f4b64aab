"""What a promise says, in words."""

from __future__ import annotations

from collections.abc import Sequence

from graders.core.scale import Scale
from graders.core.words import say
from graders.statistics.risk_control import Selection
from graders.store.figures.confidence_orders import Order
from graders.store.projects import CriterionRow
from graders.workflows.promise.kind_rows import AuditShown, DrawKind, KindRow
from graders.workflows.promise.promise_tests import Try
from graders.workflows.scope.phrases import listed, several
from graders.workflows.scope.units import unit_of

#: On a scale of fewer values "one step off" would be hardly wrong at all.
STEPS_FROM = 4
#: Steps of a numeric range, whose values are hardly ever equal.
STEPS = 10


def allowed(scale: Scale, within: int) -> float:
    """How far apart on a scale's numbers is no difference, of `within` steps that the terms let
    pass."""
    if not scale.is_discrete:
        return within * step(scale)
    return within if scale.is_ordered and len(scale.values) >= STEPS_FROM else 0


def step(scale: Scale) -> float:
    """A step of a numeric range, as everywhere where two of its values count as alike: a tenth of
    it."""
    return (scale.high - scale.low) / STEPS


def sentence(why: str) -> str:
    """A reason as a sentence."""
    return f"{why[:1].upper()}{why[1:]}."


def sorted_by(order: Order | None) -> str:
    """By what cells are sorted from sure to doubtful."""
    body = {} if order is None else order.made_from
    if order is None or body.get("stated"):
        return say("promise.order.stated")
    if learned := body.get("learned"):
        return say(
            "promise.order.learned", labels=several(learned["labels"], "earlier blind label")
        )
    further = [name for name in ("rules", "metrics", "siblings") if body.get(name)]
    voices = [say(f"promise.order.voice.{name}") for name in ("judges", *further)]
    return say("promise.order.voices", voices=listed(voices))


def unlabelled(criterion: CriterionRow, tried: Try) -> str:
    """That a draw waits for its first label, and what became of the one before."""
    unit = unit_of([criterion.scale])
    if tried.number == 1 or tried.placed:
        return say("promise.unlabelled.none", unit=unit.one)
    before = (
        say("promise.unlabelled.proof_ended", draw=tried.number - 1)
        if criterion.key in tried.ended
        else say("promise.unlabelled.earlier")
    )
    return say(
        "promise.unlabelled.draw",
        drawn=unit.count(len(tried.drawn)),
        draw=tried.number,
        before=before,
    )


def unequal(scale: Scale, *, opened: bool) -> str:
    """That a numeric range needs terms which let a step pass, and how it gets them."""
    return say(
        f"promise.unequal.{'opened' if opened else 'before'}",
        low=scale.low,
        high=scale.high,
        step=step(scale),
    )


def promise(
    scale: Scale,
    found: Selection,
    automatic: int,
    tasks: Sequence[str],
    agree: float | None,
    tried: Try,
    order: Order | None,
) -> str:
    """What is proven, in words. `tasks`: task types that were tested together; `agree`: how often
    two people do."""
    sentences = [
        say(
            f"promise.proven.{'together' if len(tasks) > 1 else 'alone'}",
            cells=several(automatic, "unlabelled cell"),
            sure=_how_sure(found, order),
            by=_by_more_than(scale, tried.within),
            alpha=found.alpha,
            level=1 - tried.delta,
            off=say("promise.proven.off", n=found.errors, labels=several(found.labels, "label")),
            tasks=say("promise.and").join(tasks),
        )
    ]
    if order is not None:
        sentences.append(sentence(sorted_by(order)))
    if tried.placed:
        sentences.append(say("promise.proven.placed"))
    if tried.number > 1:
        sentences.append(say("promise.proven.draw", draw=tried.number))
    if tried.looks and tried.drawn != tried.looks[-1].drawn:
        sentences.append(say("promise.proven.look"))
    if agree is not None:
        sentences.append(say("promise.proven.people", share=1 - agree))
        if 1 - agree > found.alpha:
            sentences.append(say("promise.proven.people_too"))
    return " ".join(sentences)


def _how_sure(found: Selection, order: Order | None) -> str:
    """Which cells the machine may decide: by a stated confidence, or the surest by an order."""
    if order is None:
        if found.threshold is None or found.threshold < 0:
            return ""
        return say("promise.proven.confidence", threshold=found.threshold)
    if found.cells == len(found.automatic):
        return ""
    return say("promise.proven.surest", share=found.cells / len(found.automatic))


def _by_more_than(scale: Scale, within: int) -> str:
    """The difference that the terms let pass; empty for none."""
    steps = allowed(scale, within)
    if not steps:
        return ""
    size = several(int(steps), "step") if scale.is_discrete else f"{steps:g}"
    return say("promise.proven.by_more", size=size)


def kind_sentence(row: KindRow) -> str:
    """Who decides a kind of cells and what that rests on, as a sentence that can stand alone."""
    decided = row.decided
    machine = decided.automatic + decided.audit
    placed = row.draw.kind is DrawKind.PLACED
    return say(
        "promise.kind",
        title=row.title,
        task=row.task_type,
        cells=several(row.cells, "cell"),
        machine=machine,
        share=machine / max(1, row.cells),
        audited=say("promise.kind.audited", cells=decided.audit) if decided.audit else "",
        people=decided.people,
        pending=say("promise.kind.pending", cells=decided.pending) if decided.pending else "",
        state=row.state,
        words=row.words,
        draw=say(f"promise.kind.{'placed' if placed else 'drawn'}", units=row.unit.many),
        labels=row.labels,
    )


def audit_sentence(row: KindRow, audit: AuditShown) -> str:
    """What audits of a kind of cells found, as a sentence that can stand alone; empty where there
    was none."""
    told = audit.alarm or audit.objection
    if not audit.audits and not told:
        return ""
    if not audit.audits:
        found = say("promise.audit.none", alpha=audit.alpha)
    else:
        found = say(
            "promise.audit.off",
            errors=audit.errors,
            audits=several(audit.audits, "audit"),
            bounds=""
            if audit.low is None
            else say("promise.audit.interval", low=audit.low, high=audit.high),
            alpha=audit.alpha,
        )
    return say(
        "promise.audit",
        title=row.title,
        task=row.task_type,
        found=found,
        told=told or say("promise.audit.no_alarm"),
        units=row.unit.many,
    )
