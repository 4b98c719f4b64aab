"""Judges that are derived from others: whose verdicts count for a suggestion, and how a panel's
come about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graders.core import discovery
from graders.core.derived_judges import is_derived as is_derived
from graders.core.records import KnownCell, Mark, Verdict
from graders.store import projects
from graders.store.answers import content
from graders.store.answers.content import chunks
from graders.store.opinions import cells as cell_store
from graders.store.opinions import stored_verdicts
from graders.store.opinions.stored_verdicts import StoredVerdict
from graders.store.opinions.verdicts import CellVerdict
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows.cells.state import FAULTS, read_frame, record

#: The word for no panel: it also removes the project's.
NO_PANEL = "none"

#: Answers whose cells are read and judged in one go.
AT_ONCE = 500


def judge_together(ws: Workspace, project: Project, panel: str, members: Sequence[str]) -> Project:
    """Bring the project's panel up to date after its judges spoke; returns the project as it is
    now.

    `panel` names how the verdicts of `members` (authors) become one from now on; empty keeps the
    panel that there is, none removes it: then every judge counts by itself again.
    """
    if panel == NO_PANEL:
        return (
            projects.set_settings(ws, project, {"panel": {}})
            if project.settings.get("panel")
            else project
        )
    if panel:
        made = discovery.make("judges", "panel", {"members": list(members), "method": panel})
        project = projects.set_settings(
            ws,
            project,
            {"panel": {"author": made.author, "members": list(members), "method": panel}},
        )
    setting = project.settings.get("panel")
    if setting:
        judge = discovery.make(
            "judges", "panel", {"members": list(setting["members"]), "method": setting["method"]}
        )
        for subjects in chunks(content.subject_ids(ws.db, project), AT_ONCE):
            _judge_some(ws, project, judge, subjects)
    return project


def _judge_some(ws: Workspace, project: Project, judge: Any, ids: Sequence[int]) -> None:
    """The panel's verdicts on some answers' cells, where they are not the same already."""
    criteria = {
        c.id: c for c in projects.criteria(ws, project) if c.criterion.rubric != FAULTS.name
    }
    subjects = {s.id: s for s in content.subjects(ws.db, ids)}
    cells = {c.id: c for c in cell_store.cells_of(ws.db, ids) if c.criterion_id in criteria}
    said = stored_verdicts.verdicts_of(ws.db, cells)
    rows: list[CellVerdict] = []
    for criterion_id, row in criteria.items():
        mine = [
            c
            for c in cells.values()
            if c.criterion_id == criterion_id
            and any(_is_member(v, row, judge) for v in said.get(c.id, []))
        ]
        known = [
            KnownCell(
                subject=subjects[c.subject_id].subject.key,
                part=c.part,
                judges=marks(said[c.id], row, "judge"),
            )
            for c in mine
        ]
        for cell, verdict in zip(mine, judge.derive(known, row.criterion), strict=True):
            if not _said_so(said[cell.id], row, verdict):
                rows.append(CellVerdict(cell.id, row, cell.question_id, verdict))
    record(ws, read_frame(ws, project), rows)


def marks(said: Sequence[StoredVerdict], row: CriterionRow, kind: str) -> dict[str, Mark]:
    """What judges that were asked (or rules) say of a cell under the criterion as it stands, by
    author."""
    return {
        v.author: v.mark
        for v in said
        if v.author_kind == kind
        and v.criterion_hash == row.hash
        and not (kind == "judge" and is_derived(v.author))
    }


def _is_member(verdict: StoredVerdict, row: CriterionRow, judge: Any) -> bool:
    return (
        verdict.author_kind == "judge"
        and verdict.author in judge.members
        and verdict.criterion_hash == row.hash
    )


def _said_so(said: Sequence[StoredVerdict], row: CriterionRow, verdict: Verdict) -> bool:
    """Whether the judge's present verdict is the same."""
    return any(
        v.author_kind == "judge"
        and v.author == verdict.author
        and v.criterion_hash == row.hash
        and v.mark == verdict.mark
        for v in said
    )
