"""How the answers were chosen that imported labels are of, and whether these look like the
others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from graders.core.contracts import Chosen
from graders.core.derived_judges import LEARNED
from graders.core.words import say
from graders.statistics.arrays import among
from graders.statistics.selection import Beside, beside, different
from graders.statistics.standing_cells import values_at
from graders.store import projects
from graders.store.figures import leaderboard as stored
from graders.store.figures.agreement import DESIGNS, LABELLED, people_opinions
from graders.store.opinions import verdicts
from graders.store.projects import CriterionRow, Project
from graders.store.transfer.labels import LabelImport, with_labels
from graders.workflows.cells.state import FAULTS
from graders.workflows.opinions import grid_cells
from graders.workflows.opinions.participants import watermark
from graders.workflows.scope.memory import Memory
from graders.workflows.scope.permissions import Scope
from graders.workflows.scope.phrases import listed

#: So many differences are named.
NAMED = 2
#: Projects whose labels are kept in memory.
KEPT = 8


@dataclass(frozen=True, slots=True)
class ChoiceDifference:
    """What labelled answers and the others differ in: a judge, a rule or the length (`of`), with
    its means as they are shown, and the chance `p` of that where chance chose."""

    criterion: str
    of: str
    labelled: str
    others: str
    p: float


@dataclass(frozen=True, slots=True)
class LabelChoice:
    """The imports that brought labels, with what is stated of each; how many values of labelled and
    of other answers were `compared`, those that differ more than chance would have it (all of them
    together wrong in one project of twenty), and the same as a `warning`, empty without one."""

    imports: Sequence[LabelImport] = ()
    compared: int = 0
    differences: Sequence[ChoiceDifference] = ()
    warning: str = ""

    @property
    def unknown(self) -> bool:
        """Whether nobody says of some labels how their answers were chosen."""
        return any(one.chosen == Chosen.UNKNOWN for one in self.imports)


#: No import brought labels.
NO_CHOICE = LabelChoice()
_kept = Memory(KEPT)


def choice(scope: Scope, project: Project, *, used: bool = True) -> LabelChoice:
    """How the labels of a project were chosen, kept until one of them, or what judges say, changes;
    without a warning where they are not `used`."""
    key = (str(scope.ws.path.resolve()), project.id)
    found = _kept.get(key, watermark(scope, project), lambda: _read(scope, project))
    return found if used else replace(found, warning="")


def _read(scope: Scope, project: Project) -> LabelChoice:
    imports = with_labels(scope.ws.db, project)
    if not imports:
        return NO_CHOICE
    criteria = [
        c for c in projects.criteria(scope.ws, project) if c.criterion.rubric != FAULTS.name
    ]
    values: list[tuple[CriterionRow, str, Beside]] = []
    lengths: set[Beside] = set()
    for row in criteria:
        for name, found in _compared(scope, project, row):
            if not name:
                if found in lengths:
                    continue  # the same answers are labelled on another criterion
                lengths.add(found)
            values.append((row, name, found))
    worst = different([found for _, _, found in values])
    differences = [_shown(*values[at]) for at in worst]
    named = listed([_said(one) for one in differences[:NAMED]]) if differences else ""
    more = len(differences) - NAMED
    if more > 0:
        named += say("opinions.choice.more", n=more)
    warning = say("opinions.choice.differ", parts=named) if differences else ""
    return LabelChoice(imports, len(values), differences, warning)


def _compared(scope: Scope, project: Project, row: CriterionRow) -> Iterator[tuple[str, Beside]]:
    """What judges and rules, by name, and lengths, without one, say of a criterion's labelled cells
    and of the others."""
    db = scope.ws.db
    known = verdicts.authors(db, project)
    people = [author for author, (kind, _) in known.items() if kind == "person"]
    given = people_opinions(db, row, people)
    imported = np.isin(given["design"], (LABELLED, DESIGNS.index("imported")))
    cells = np.unique(given["cell"][imported & (given["blind"] > 0)])
    if not len(cells):
        return
    cell, question, length = stored.lengths(db, row)
    order = np.argsort(cell)
    cell, question, length = cell[order], question[order], length[order]
    labelled = among(cell, cells)
    if labelled.all():
        return
    for author, (kind, name) in known.items():
        if kind != "person" and name != LEARNED:
            said = values_at(cell, *stored.judged(db, row, author))
            if (found := beside(said, labelled, question)) is not None:
                yield name, found
    if (found := beside(np.log1p(length), labelled, question)) is not None:
        plain = [float(length[side].mean()) for side in (labelled, ~labelled)]
        yield "", found._replace(labelled=plain[0], others=plain[1])


def _shown(row: CriterionRow, name: str, found: Beside) -> ChoiceDifference:
    if name:
        measure = grid_cells.axis(row).measure
        mine, other = (_value(row, measure, value) for value in (found.labelled, found.others))
    else:
        mine, other = (
            say("opinions.choice.characters", n=round(value))
            for value in (found.labelled, found.others)
        )
    title = row.criterion.title if name else ""
    return ChoiceDifference(title, name or say("opinions.choice.length"), mine, other, found.p)


def _value(row: CriterionRow, measure: str, value: float) -> str:
    if measure == "share":
        return say(
            "opinions.choice.share", label=row.scale.word(row.scale.labels[-1]), share=100 * value
        )
    return grid_cells.number_words(row.scale, value)


def _said(one: ChoiceDifference) -> str:
    sides = {"labelled": one.labelled, "others": one.others}
    if not one.criterion:
        return say("opinions.choice.part_length", **sides)
    return say("opinions.choice.part", criterion=one.criterion, of=one.of, **sides)


def forget() -> None:
    """Drop what is kept in memory."""
    _kept.forget()


__all__ = ["NO_CHOICE", "ChoiceDifference", "LabelChoice", "choice", "forget"]
