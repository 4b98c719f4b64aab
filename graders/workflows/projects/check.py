"""Whether a workspace is sound: its file, its rows, its ledger, and what is kept beside the
verdicts; and mending what can be made again.

Mending never touches a verdict: what is made again is made from the verdicts, and a backup lies
beside the file before anything is.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from graders.core.errors import Conflict
from graders.store import backups, damage, projects, soundness, upgrade
from graders.store.opinions import cells as cell_store
from graders.store.opinions import recount
from graders.store.projects import CriterionRow
from graders.store.soundness import EXAMPLES, Finding
from graders.store.workspace import Workspace
from graders.workflows.cells.state import outdated, read_frame, refresh_all
from graders.workflows.scope.permissions import Scope, needs

#: What is looked at, in order, with what each check compares.
CHECKS = {
    "pages": "every page of the file and every index",
    "rows": "verdicts that can be read, and rows that name other rows",
    "ledger": "calls: replies, resends with their causes, costs against the totals of runs",
    "opinions": "each author's present opinion against the verdicts",
    "values": "suggestions and final values against the opinions",
    "tallies": "counts on the pages against the cells",
    "places": "free places and open screens against screens and leases",
}
#: What reading a row raises that no program of ours wrote.
_UNREADABLE = (ValueError, KeyError, TypeError, IndexError)
MEND = "`cograde check --mend` makes them again from {}."


@dataclass(frozen=True, slots=True)
class Checked:
    """What a look through a workspace found.

    `bytes`: the size of the file; `schema`: its version, None where it cannot be read; `checks`:
    name -> what it compares; `unseen`: checks that damage kept from; `mended`: findings that are
    gone; `backup`: the name of the copy made before mending, `last_backup` of the newest one, both
    empty where there is none; `sound`: nothing was found, and everything was looked at.
    """

    workspace: str
    bytes: int
    schema: int | None
    checks: Mapping[str, str]
    unseen: Sequence[str]
    findings: Sequence[Finding]
    mended: Sequence[Finding]
    backup: str
    last_backup: str
    sound: bool


@needs("settings")
def check(scope: Scope, mend: bool = False) -> Checked:
    """Look through the whole workspace and, with `mend`, make again what can be made from what is
    there; then look once more.

    Conflict where a backup is refused; nothing is changed then.
    """
    ws = scope.ws
    unseen, found = _look(ws)
    backup, mended = "", []
    if mend and any(finding.mendable for finding in found):
        backup = _mend(ws, found)
        before = found
        unseen, found = _look(ws)
        left = {(finding.check, finding.words) for finding in found}
        mended = [finding for finding in before if (finding.check, finding.words) not in left]
    last = backups.backups_of(ws.path)
    return Checked(
        workspace=str(ws.path),
        bytes=damage.size_of(ws.path),
        schema=upgrade.shape_of(ws.db).schema if "pages" not in unseen else None,
        checks=CHECKS,
        unseen=unseen,
        findings=found,
        mended=mended,
        backup=backup,
        last_backup=last[0].name if last else "",
        sound=not found and not unseen,
    )


def _look(ws: Workspace) -> tuple[list[str], list[Finding]]:
    """The checks that could not be made, and all findings."""
    looks: dict[str, Callable[[], Iterable[Finding]]] = {
        "pages": lambda: soundness.pages(ws.db),
        "rows": lambda: [*soundness.unreadable(ws.db), *soundness.references(ws.db)],
        "ledger": lambda: soundness.ledger(ws.db),
        "opinions": lambda: _opinions(ws.db),
        "values": lambda: _values(ws),
        "tallies": lambda: _tallies(ws.db),
        "places": lambda: _places(ws.db),
    }
    unseen: list[str] = []
    found: list[Finding] = []
    for name, look in looks.items():
        if name == "values" and any(finding.check == "opinions" for finding in found):
            unseen.append(name)  # they rest on the opinions
            continue
        try:
            found += look()
        except damage.ERRORS as error:
            if not damage.is_damage(error):
                raise
            unseen.append(name)
        except _UNREADABLE as error:
            words = f"row holds something that cannot be read ({error})"
            found.append(Finding(name, 1, words, soundness.from_backup()))
    return unseen, found


def _opinions(db: sqlite3.Connection) -> list[Finding]:
    wrong = recount.wrong_opinions(db)
    examples = recount.named(db, [cell for cell, _ in wrong[:EXAMPLES]])
    return _several(
        "opinions",
        len(wrong),
        "present opinions are not what the verdicts say",
        "the verdicts",
        examples,
    )


def _values(ws: Workspace) -> list[Finding]:
    wrong = [cell for cells in _outdated(ws).values() for cell in cells]
    words = "cells have another suggestion or final value than the opinions about them give"
    return _several(
        "values", len(wrong), words, "the opinions", recount.named(ws.db, wrong[:EXAMPLES])
    )


def _tallies(db: sqlite3.Connection) -> list[Finding]:
    cells, sums = recount.wrong_cells(db), recount.wrong_tallies(db)
    examples = recount.named(db, cells[:EXAMPLES])
    misplaced = _several(
        "tallies", len(cells), "cells are counted in the wrong place", "the cells", examples
    )
    return misplaced + _several(
        "tallies", len(sums), "tallies differ from a fresh count", "the cells", sums
    )


def _places(db: sqlite3.Connection) -> list[Finding]:
    screens, projects_off = recount.wrong_places(db), recount.wrong_open(db)
    told = [f"screen {screen}" for screen in screens]
    places = _several(
        "places",
        len(screens),
        "screens have another number of free places than they should",
        "screens and leases",
        told,
    )
    return places + _several(
        "places",
        len(projects_off),
        "projects count other open screens than wait",
        "the queue",
        projects_off,
    )


def _several(name: str, count: int, words: str, source: str, examples: list[str]) -> list[Finding]:
    return (
        [Finding(name, count, words, MEND.format(source), True, tuple(examples[:EXAMPLES]))]
        if count
        else []
    )


def _outdated(ws: Workspace) -> dict[str, list[int]]:
    """Project -> its cells that are not what their opinions say."""
    found = {}
    for project in projects.list_projects(ws):
        frame = read_frame(ws, project)
        found[project.name] = outdated(ws.db, frame, cell_store.cell_ids(ws.db, project))
    return found


def _mend(ws: Workspace, found: list[Finding]) -> str:
    """Back up, then make again what can be; returns the backup's name. Verdicts are read and never
    written."""
    if any(finding.check == "pages" for finding in found):
        raise Conflict(
            f"workspace {ws.path.name}",
            found="damaged pages",
            expected="pages that can be read, to mend from",
            remedy=soundness.from_backup(),
        )
    criteria: dict[int, CriterionRow] = {
        c.id: c for p in projects.list_projects(ws) for c in projects.criteria(ws, p)
    }
    day = datetime.fromtimestamp(ws.clock(), UTC).date().isoformat()
    with ws.write() as db:
        made = backups.back_up(ws.path, f"before-mend.{day}", sound=False)
        db.execute("REINDEX")
        recount.drop_orphans(db)
        recount.forget_unreadable(db)
        recount.say_again(db, recount.wrong_opinions(db), criteria)
        recount.place_again(db, recount.wrong_places(db))
        recount.count_again(db)
    with suppress(*_UNREADABLE):  # the second look says so
        for name, cells in _outdated(ws).items():
            refresh_all(ws, projects.get_project(ws, name), cells)
    return made.name
