"""Copies with seeded faults follow the project whose answers they are of: under its rubrics, and in
its exchange files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from graders.core.contracts import ImportedRow
from graders.core.errors import Conflict
from graders.core.records import BadRow
from graders.core.shapes import JSON
from graders.core.words import error_parts, row_parts, say
from graders.store import projects
from graders.store.answers import content
from graders.store.desk import seeded
from graders.store.opinions import cells, made_cells
from graders.store.projects import Project
from graders.store.transfer import snapshot
from graders.store.workspace import Workspace
from graders.workflows.cells.state import FAULTS, refresh_all
from graders.workflows.measuring import measure

#: The table of an exchange file that holds the copies' own tables, and which of them travel: what
#: rules and routing say is made anew.
TABLE = "copies"
TABLES = ("people", "questions", "answers", "human", "judge", "rules", "seen", "calls")


def name_for(ws: Workspace, project: Project) -> str:
    """The name of the project that holds a project's copies or may be made for them. Conflict where
    a project of other answers has it.

    An empty project of that name may be what is left of an attempt that was killed: it is free to
    take.
    """
    name = project.name + seeded.SUFFIX
    found = projects.find_project(ws.db, name)
    if (
        found is not None
        and found.settings.get(seeded.SEEDED_OF) != project.name
        and not projects.is_empty(ws.db, found)
    ):
        raise Conflict(
            **error_parts("importing.copies_name", name=repr(name), project=repr(project.name))
        )
    return name


def carry(ws: Workspace, project: Project) -> bool:
    """Put the copies of a project's answers under its rubrics, where theirs are others; whether
    they were. No judge is asked.

    What was said under an earlier wording is kept and counts no more, as with the answers
    themselves.
    """
    copies = seeded.project_of_copies(ws.db, project)
    if copies is None or seeded.same_rubrics(ws.db, project, copies):
        return False
    for rubric in projects.rubrics(ws, project):
        projects.save_rubric(ws, copies, rubric)
    criteria = [c for c in projects.criteria(ws, copies) if c.criterion.rubric != FAULTS.name]
    made_cells.ensure_cells(ws, copies, criteria, content.subject_ids(ws.db, copies))
    refresh_all(ws, copies, cells.cell_ids(ws.db, copies))
    measure.measure(ws, copies, None)
    return True


def rows_of(ws: Workspace, project: Project) -> list[JSON]:
    """The copies of a project's answers and all that was said of them, as rows {table, row}; none
    where there are no copies."""
    copies = seeded.project_of_copies(ws.db, project)
    if copies is None:
        return []
    tables = snapshot.tables(ws, copies)
    rubrics = [
        {"table": "rubrics", "row": {"text": text}}
        for text in snapshot.rubric_sources(ws, copies).values()
    ]
    head = {"table": "project", "row": snapshot.project_row(ws, copies)}
    return [
        head,
        *rubrics,
        *({"table": name, "row": row} for name in TABLES for row in tables[name]),
    ]


@dataclass(frozen=True)
class Unpacked:
    """Copies in a folder of the exchange format: the project's `name`, where each line of a file
    comes from, and rows that were none."""

    name: str
    lines: Mapping[str, Sequence[ImportedRow]]
    bad: Sequence[BadRow]

    def __bool__(self) -> bool:
        return any(self.lines.values())

    def placed(self, row: BadRow) -> BadRow:
        """A bad row of the folder as one of the file that the copies came in."""
        lines = self.lines.get(row.file, ())
        return (
            replace(row, file=lines[row.row - 1].file, row=lines[row.row - 1].row)
            if 0 < row.row <= len(lines)
            else row
        )


def unpack(ws: Workspace, project: Project, rows: Iterable[ImportedRow], folder: Path) -> Unpacked:
    """Write rows of `rows_of` into a new folder of the exchange format. Conflict as `name_for`
    says."""
    name = name_for(ws, project)
    lines: dict[str, list[ImportedRow]] = {f"{table}.jsonl": [] for table in TABLES}
    rubrics: list[str] = []
    head: JSON = {}
    bad: list[BadRow] = []
    for found in rows:
        table, row = found.fields.get("table"), found.fields.get("row")
        if not isinstance(row, Mapping) or table not in ("project", "rubrics", *TABLES):
            tables = ", ".join(("project", "rubrics", *TABLES))
            parts = row_parts("importing.copies_row", table=repr(table)[:80], tables=tables)
            bad.append(BadRow(file=found.file, row=found.row, column="table", line=0, **parts))
        elif table == "project":
            head = dict(row)
        elif table == "rubrics":
            rubrics.append(str(row.get("text") or ""))
        else:
            lines[f"{table}.jsonl"].append(found)
    settings = head.get("settings")
    known = settings if isinstance(settings, Mapping) else {}
    head |= {
        "name": name,
        "title": say("importing.copies_title", title=project.title),
        "settings": {**known, seeded.SEEDED_OF: project.name},
    }
    (folder / "rubrics").mkdir(parents=True)
    (folder / "project.json").write_text(json.dumps(head, ensure_ascii=False), "utf-8")
    for place, text in enumerate(rubrics):
        (folder / "rubrics" / f"{place}.yaml").write_text(text, "utf-8")
    for file, its in lines.items():
        if its:
            (folder / file).write_text(
                "".join(json.dumps(one.fields["row"], ensure_ascii=False) + "\n" for one in its),
                "utf-8",
            )
    return Unpacked(name, lines, bad)
