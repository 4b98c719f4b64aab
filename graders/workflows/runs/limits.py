"""The limits of a run: which of them ended it, how much would be enough, and what it may be given
anew when it goes on."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graders.core.errors import InputError
from graders.core.money import dollars
from graders.core.words import error_parts
from graders.store.calls.runs import Run
from graders.workflows.scope.phrases import several

#: What a run may be given anew, by its name in the run's settings, with its option on the command
#: line.
RENEWED = {
    "budget_money": "--budget",
    "budget_calls": "--max-calls",
    "concurrency": "--concurrency",
    "stay": "--wait",
}


def at_limit(budget_money: float | None, budget_calls: int | None, calls: int) -> list[str]:
    """The names of the limits that stopped the calls of a run which made `calls`; where it is not
    their number, it is money."""
    if budget_calls is not None and calls >= budget_calls:
        return ["budget_calls"]
    return ["budget_money"] if budget_money is not None else []


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit that stopped a run: its name in the settings, its option on the command line, the
    limit itself and in words, what was spent, and what is `enough` for the whole run: what was
    spent, and what is left at what a reply cost so far. Calls, or US dollars."""

    name: str
    option: str
    limit: int | float
    spent: int | float
    enough: int | float
    words: str


def reached(run: Run) -> list[Limit]:
    """The limits that stopped a run (its row); empty otherwise."""
    progress, settings = run.progress, run.settings
    if run.state != "stopped" or settings.get("collect") or not progress.get("reached"):
        return []
    judges = progress.get("judges") or []
    left = sum(
        max(0, judge["total"] - judge["done"] + judge.get("unreadable", 0)) for judge in judges
    )
    found = []
    for name in progress["reached"]:
        limit = settings[name]
        calls = name == "budget_calls"
        spent = progress["calls"] if calls else progress["money"] or 0.0
        enough = max(limit + 1, spent + left) if calls else _money_enough(run, judges, limit, left)
        words = several(limit, "call") if calls else dollars(limit)
        found.append(
            Limit(
                name=name,
                option=RENEWED[name],
                limit=limit,
                spent=spent,
                enough=enough,
                words=words,
            )
        )
    return found


def _money_enough(run: Run, judges: list[dict[str, Any]], limit: float, left: int) -> float:
    """US dollars in whole cents, above `limit`."""
    spent = run.progress["money"] or 0.0
    asked = sum(judge["done"] - judge["known"] for judge in judges)
    # A send is made only where twice the dearest one before it is left.
    needed = spent + spent / asked * (left + 2) if asked > 0 else run.plan.get("money") or 0.0
    return max(math.ceil(needed * 100), math.floor(limit * 100) + 1) / 100


def check_above(run: Run, limits: Mapping[str, Any]) -> None:
    """InputError where one of `limits` is spent already, so that the run would stop at once."""
    spent_calls, spent_money = (
        run.progress.get("calls") or 0,
        run.progress.get("money") or 0.0,
    )
    calls, money = limits.get("budget_calls"), limits.get("budget_money")
    if calls is not None and spent_calls and calls <= spent_calls:
        raise _spent(run, several(calls, "call"), several(spent_calls, "call"), str(spent_calls))
    if money is not None and spent_money and money <= spent_money:
        raise _spent(run, dollars(money), dollars(spent_money), dollars(spent_money))


def _spent(run: Run, limit: str, spent: str, least: str) -> InputError:
    return InputError(
        **error_parts("runs.error.limit_spent", limit=limit, spent=spent, least=least, run=run.id)
    )
