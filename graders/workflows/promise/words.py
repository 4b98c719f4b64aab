"""What a promise says, in words."""

from __future__ import annotations

from collections.abc import Sequence

from graders.core.scale import Scale
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


def said(why: str) -> str:
    """A reason as a sentence."""
    return f"{why[:1].upper()}{why[1:]}."


def sorted_by(order: Order | None) -> str:
    """By what cells are sorted from sure to doubtful."""
    if order is None:
        return "sorted by the confidence that the machine states"
    body = order.made_from
    if body.get("stated"):
        return "sorted by the confidence that the machine states"
    if learned := body.get("learned"):
        labels = several(learned["labels"], "earlier blind label")
        return (
            f"sorted by how likely each value is right, learned from {labels}; "
            "none of this draw's was read"
        )
    more = (
        ("rules", "rules"),
        ("metrics", "metrics"),
        ("siblings", "the other answers to the question"),
    )
    found = ["all judges", *(words for name, words in more if body.get(name))]
    return f"sorted by what {listed(found)} say together; no label of a person is read"


def unlabelled(criterion: CriterionRow, tried: Try) -> str:
    """That a draw waits for its first label, and what became of the one before."""
    unit = unit_of([criterion.scale])
    if tried.number == 1 or tried.placed:
        return f"no drawn {unit.one} was labelled blind"
    before = (
        f"the proof of draw {tried.number - 1} ended with it"
        if criterion.key in tried.ended
        else "earlier labels are in no test of it"
    )
    return (
        f"none of {unit.count(len(tried.drawn))} drawn under these terms (draw {tried.number}) "
        f"was labelled blind yet: {before}"
    )


def unequal(scale: Scale, *, opened: bool) -> str:
    """That a numeric range needs terms which let a step pass, and how it gets them."""
    how = (
        "draw further answers under terms"
        if opened
        else "before anybody labels drawn answers, fix terms"
    )
    return (
        f"two values from {scale.low:g} to {scale.high:g} are hardly ever equal: "
        f"{how} that let a step pass (here {step(scale):g})"
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
    sure = (
        ""
        if found.threshold is None or found.threshold < 0
        else f" (confidence {found.threshold:.2f} or more)"
    )
    if order is not None:
        sure = (
            ""
            if found.cells == len(found.automatic)
            else f" (the surest {found.cells / len(found.automatic):.0%})"
        )
    by = ""
    if steps := allowed(scale, tried.within):
        by = (
            f" by more than {steps:g}"
            if not scale.is_discrete
            else f" by more than {several(int(steps), 'step')}"
        )
    off = (
        f"{found.errors} of {several(found.labels, 'label')} "
        f"{'differs' if found.errors == 1 else 'differ'}"
    )
    words = (
        f"Among the {several(automatic, 'unlabelled cell')} that the machine may "
        f"decide{sure} it differs from a person{by} on at most "
        f"{found.alpha:.0%}, sure to {1 - tried.delta:.0%}; {off}"
    )
    words += f", {' and '.join(tasks)} tested together." if len(tasks) > 1 else "."
    if order is not None:
        words += f" {said(sorted_by(order))}"
    if tried.placed:
        words += " Labels were placed where they decide, on cells of this criterion alone."
    if tried.number > 1:
        words += f" Draw {tried.number}: earlier ones are not in this test."
    if agree is not None:
        words += f" Another person would differ on {1 - agree:.0%}."
        if 1 - agree > found.alpha:
            words += " Two people would not meet this themselves."
    return words


def kind_sentence(row: KindRow) -> str:
    """Who decides a kind of cells and what that rests on, as a sentence that can stand alone."""
    decided = row.decided
    machine = decided.automatic + decided.audit
    graded = f", {decided.audit:,} of them graded by a person too" if decided.audit else ""
    left = f", {decided.pending:,} pending" if decided.pending else ""
    labels = (
        "Placed blind labels"
        if row.draw.kind is DrawKind.PLACED
        else f"Blind labels of drawn {row.unit.many}"
    )
    return (
        f"{row.title}, {row.task_type} questions: of {several(row.cells, 'cell')} "
        f"the machine decides {machine:,} "
        f"({machine / max(1, row.cells):.0%}){graded}, people "
        f"{decided.people:,}{left}. {row.state}: {row.words} "
        f"{labels}: {row.labels:,}."
    )


def audit_sentence(row: KindRow, audit: AuditShown) -> str:
    """What audits of a kind of cells found, as a sentence that can stand alone; empty where there
    was none."""
    told = audit.alarm or audit.objection
    if not audit.audits and not told:
        return ""
    found = f"promised is at most {audit.alpha:.0%} of the machine's cells off."
    if audit.audits:
        bounds = (
            "" if audit.low is None else f" (95 % interval {audit.low:.0%} to {audit.high:.0%})"
        )
        off = (
            f"{audit.errors:,} of {several(audit.audits, 'audit')} of the machine's cells "
            f"off{bounds}"
        )
        found = f"{off}, promised at most {audit.alpha:.0%}."
    drawn = f"Audits are cells of {row.unit.many} that were drawn after routing and graded blind."
    return f"{row.title}, {row.task_type} questions: {found} {told or 'No alarm so far.'} {drawn}"
