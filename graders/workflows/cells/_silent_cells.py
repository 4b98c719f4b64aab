"""Cells that rules leave without a value, and why."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from functools import cache

from graders.core import discovery
from graders.store.opinions import stored_verdicts
from graders.store.opinions.verdicts import Opinion
from graders.store.projects import CriterionRow
from graders.workflows.cells.policy import NOT_MEASURED


def silent_cells(
    db: sqlite3.Connection,
    criteria: Mapping[int, CriterionRow],
    opinions: Mapping[int, Sequence[Opinion]],
) -> dict[int, str]:
    """Why rules leave a cell without a value, by cell: not measured, not asked for, or not to be
    read. It is for good where they measure."""
    found = dict.fromkeys(_unmeasured(db, criteria, opinions), NOT_MEASURED)
    closing = _closing()
    mute: dict[str, dict[int, int]] = {reason: {} for reason in closing.values()}
    for cell, given in opinions.items():
        row = criteria.get(given[0].criterion_id)
        if row is None or not any(ref.name in closing for ref in row.criterion.graders):
            continue
        for o in given:
            if (
                o.author_kind == "rule"
                and o.status == "unscored"
                and o.author in closing
                and o.criterion_hash == row.hash
            ):
                mute[closing[o.author]][o.verdict_id] = cell
    for reason in sorted(mute):  # what cannot be read goes before what is not asked for
        found |= {
            mute[reason][verdict]: reason
            for verdict in stored_verdicts.with_reason(db, list(mute[reason]), reason)
        }
    return found


def closes(rule: str) -> str:
    """The reason for which a rule may say that there is nothing to grade; empty for none."""
    return _closing().get(rule, "")


@cache
def _closing() -> dict[str, str]:
    """The rules that may close a cell, and the reason for which each does."""
    parts, _ = discovery.load_all("rules")
    return {name: part.closes for name, part in parts.items() if part.closes}


def _unmeasured(
    db: sqlite3.Connection,
    criteria: Mapping[int, CriterionRow],
    opinions: Mapping[int, Sequence[Opinion]],
) -> set[int]:
    """Cells that rules alone were to decide, of which all lack a measurement."""
    found: set[int] = set()
    silent = {
        cell: rules
        for cell, given in opinions.items()
        if (row := criteria.get(given[0].criterion_id)) is not None
        and row.criterion.grader("judge") is None
        and (
            rules := [o for o in given if o.author_kind == "rule" and o.criterion_hash == row.hash]
        )
        and all(o.status == "unscored" for o in rules)
    }
    for cell, said in stored_verdicts.verdicts_of(db, silent).items():
        if all(
            v.mark.reason == NOT_MEASURED
            for v in said
            if v.author_kind == "rule" and v.criterion_hash == silent[cell][0].criterion_hash
        ):
            found.add(cell)
    return found
