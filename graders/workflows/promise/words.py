"""What is said of kinds of cells: what is proven, or why nothing is, and what audits found."""

from __future__ import annotations

from graders.core.scale import Scale
from graders.core.words import say
from graders.statistics.risk_control import Selection
from graders.store.figures.confidence_orders import Order
from graders.store.projects import CriterionRow
from graders.workflows.promise.kind_rows import AuditShown, DrawKind, KindRow, KindState
from graders.workflows.promise.kinds import Hindrance, Kind, Why
from graders.workflows.promise.label_evidence import allowed, step
from graders.workflows.promise.placed_draws import Placing
from graders.workflows.promise.promise_tests import Try
from graders.workflows.scope.phrases import listed, several
from graders.workflows.scope.units import unit_of


def sentence(why: str) -> str:
    """A reason as a sentence."""
    return f"{why[:1].upper()}{why[1:]}."


def kind_words(kind: Kind) -> str:
    """What is said of a kind: what its test proved or lacks, else why none can be made."""
    selection = kind.selection
    if selection is None:
        return "" if kind.hindrance is None else sentence(_hindered(kind, kind.hindrance))
    if kind.undecidable and kind.people is not None:
        words = say("promise.people_differ", share=1 - kind.people, alpha=selection.alpha)
    elif kind.state is KindState.PROVEN:
        words = _promise(kind, selection)
    else:
        words = sentence(selection.reason)
    more = "" if kind.placing is None else _still_asked(kind.placing)
    return f"{words} {more}" if more else words


def _hindered(kind: Kind, hindrance: Hindrance) -> str:
    """Why no test can be made."""
    match hindrance.why:
        case Why.DOUBT:
            return kind.tried.doubt
        case Why.UNLABELLED:
            return _unlabelled(kind.criterion, kind.tried)
        case Why.UNEQUAL:
            scale = kind.criterion.scale
            return say(
                f"promise.unequal.{'opened' if kind.opened else 'before'}",
                low=scale.low,
                high=scale.high,
                step=step(scale),
            )
    return say(f"promise.hindrance.{hindrance.why}", **hindrance.places)


def _still_asked(placing: Placing) -> str:
    """What is asked for after the first test of a placed draw; empty where nothing is."""
    if not placing.under_way:
        return ""
    return say(
        f"promise.placed.{'further' if placing.stage.tested else 'doubtful'}",
        n=len(placing.waits),
    )


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
    judges = "judge" if len(body.get("judges") or ()) == 1 else "judges"
    voices = [say(f"promise.order.voice.{name}") for name in (judges, *further)]
    return say("promise.order.voices", voices=listed(voices))


def _unlabelled(criterion: CriterionRow, tried: Try) -> str:
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


def _promise(kind: Kind, found: Selection) -> str:
    """What is proven."""
    tried, alone = kind.tried, len(kind.together) <= 1
    sentences = [
        say(
            f"promise.proven.{'alone' if alone else 'together'}",
            cells=several(int(kind.automatic.sum()), "unlabelled cell"),
            sure=_how_sure(found, kind.order),
            by=_by_more_than(kind.criterion.scale, tried.within),
            alpha=found.alpha,
            level=1 - tried.delta,
            off=say("promise.proven.off", n=found.errors, labels=several(found.labels, "label")),
            tasks=say("promise.and").join(kind.together),
        )
    ]
    if kind.order is not None:
        sentences.append(sentence(sorted_by(kind.order)))
    if tried.placed:
        sentences.append(say("promise.proven.placed"))
    if tried.number > 1:
        sentences.append(say("promise.proven.draw", draw=tried.number))
    if kind.early:
        sentences.append(say("promise.proven.look"))
    if kind.people is not None:
        sentences.append(say("promise.proven.people", share=1 - kind.people))
        if 1 - kind.people > found.alpha:
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
