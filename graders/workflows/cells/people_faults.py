"""What people said of the named faults of an answer, and what follows for its criteria.

A rule whose fault a person rejected is not heard; a fault that a person confirmed or added speaks
in its own right.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache

from graders.core import discovery
from graders.core.faults import FAULTS_RUBRIC
from graders.core.records import CONFIRMED
from graders.core.rubric import Criterion
from graders.core.scale import Scale, Value
from graders.store.opinions import cells as cell_store
from graders.store.opinions import verdicts
from graders.store.opinions.verdicts import Opinion
from graders.store.projects import CriterionRow
from graders.workflows.cells.fault_list import named_faults
from graders.workflows.cells.measured import measured
from graders.workflows.cells.policy import Voice


def decided_faults(
    db: sqlite3.Connection,
    criteria: Mapping[int, CriterionRow],
    subjects: Iterable[int],
    final_of: Callable[[Scale, Sequence[Opinion]], Value | None],
) -> dict[int, dict[str, bool]]:
    """The faults of `subjects` that people decided: answer (row) -> fault -> whether it is there.

    `final_of` gives the value that people's opinions come to, None where they differ.
    """
    row = next((c for c in criteria.values() if c.criterion.rubric == FAULTS_RUBRIC), None)
    if row is None:
        return {}
    cells = cell_store.load_cells(db, cell_store.told_by_people(db, row.id, set(subjects)))
    found: dict[int, dict[str, bool]] = {}
    for cell_id, opinions in verdicts.opinions_of(db, cells).items():
        people = [o for o in opinions if o.author_kind == "person" and o.criterion_hash == row.hash]
        value, cell = final_of(row.scale, people), cells[cell_id]
        if value is not None:
            found.setdefault(cell.subject_id, {})[cell.part] = value == row.scale.values[-1]
    return found


def voices_after(
    rules: Sequence[Voice], faults: Mapping[str, bool], criterion: Criterion, part: str
) -> list[Voice]:
    """The `rules` that speak on a cell as they are heard after people decided `faults` of its
    answer, and the faults that speak in their own right."""
    heard = [
        replace(rule, value=None)
        if not rule.measured and faults.get(_fault_of(rule.author)) is False
        else rule
        for rule in rules
    ]
    if measured(criterion):
        return heard
    known, looked_for = named_faults(), {_fault_of(rule.author) for rule in rules}
    for name in sorted(name for name, there in faults.items() if there):
        fault = known.get(name)
        if fault is None or not (name in looked_for or fault.speaks_to in (criterion.name, part)):
            continue
        value = criterion.scale.spoiled(by_half=fault.severity == "minor")
        if value is not None:
            heard = [rule for rule in heard if _fault_of(rule.author) != name or rule.measured]
            heard.append(Voice(name, value, reason=CONFIRMED))
    return heard


@cache
def _fault_of(rule: str) -> str:
    """The fault that a rule finds, empty for none."""
    return next((p.fault for n, p in discovery.load_all("rules")[0].items() if n == rule), "")
