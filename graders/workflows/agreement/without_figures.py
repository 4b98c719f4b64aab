"""What Agreement has no figure of, and why: judges without a value."""

from __future__ import annotations

from collections.abc import Collection

from graders.core.derived_judges import LEARNED
from graders.core.words import say
from graders.store.opinions import uncounted
from graders.store.projects import CriterionRow
from graders.workflows.agreement.records import Silent
from graders.workflows.opinions.participants import Circle
from graders.workflows.scope.missing_reasons import reason_words
from graders.workflows.scope.permissions import Scope
from graders.workflows.scope.phrases import listed

#: So many judges of one reason are named.
NAMED = 3


# -- judges without a figure, each with the reason: no value, other answers or criteria only


def silent(
    scope: Scope, circle: Circle, criterion: CriterionRow, shown: Collection[str]
) -> list[Silent]:
    """The judges without a row on a criterion, others than those `shown` (their refs)."""
    without = [
        judge
        for judge, name in circle.judges.items()
        if circle.ref(judge) not in shown and name != LEARNED
    ]
    if not without:
        return []
    counts = uncounted.said_by(scope.ws.db, criterion, without)
    rows: list[Silent] = []
    elsewhere: list[str] = []
    reworded: list[str] = []
    for judge in without:
        graded, valued, anew = counts.get(judge, (0, 0, 0))
        name = circle.label(judge)
        if not graded:
            (reworded if anew else elsewhere).append(name)
            continue
        if valued:
            words = say("agreement.silent.other_cells", n=graded, name=name)
        else:
            why = _reasons(scope, criterion, judge)
            words = say("agreement.silent.no_value", n=graded, name=name, why=why)
        rows.append(Silent(name, graded, words))
    for key, names in (("reworded", reworded), ("elsewhere", elsewhere)):
        if names:
            who = (
                listed(sorted(names))
                if len(names) <= NAMED
                else say("agreement.silent.many", n=len(names))
            )
            rows.append(Silent(who, 0, say(f"agreement.silent.{key}", name=who)))
    return rows


def _reasons(scope: Scope, criterion: CriterionRow, judge: int) -> str:
    """Why a judge gave no value; with counts where there are several reasons."""
    counts = uncounted.reasons_without(scope.ws.db, criterion, judge)
    reasons = [reason_words(reason) or say("agreement.silent.unknown") for reason, _ in counts]
    if len(reasons) == 1:
        return reasons[0].rstrip(".")
    return " ".join(
        say("agreement.silent.times", count=count, words=words)
        for (_, count), words in zip(counts, reasons, strict=True)
    ).rstrip(".")
