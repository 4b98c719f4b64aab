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
from graders.core.words import error_parts, say
from graders.store import backups, damage, projects, soundness, upgrade
from graders.store.opinions import cells as cell_store
from graders.store.opinions import recount
from graders.store.projects import CriterionRow
from graders.store.soundness import EXAMPLES, Finding
from graders.store.workspace import Workspace
from graders.workflows.cells.state import outdated, read_frame, refresh_all
from graders.workflows.scope.permissions import Scope, needs

#: What is looked at, in order; the catalogue of words has what each check compares.
CHECKS = ("pages", "rows", "ledger", "opinions", "values", "tallies", "places")
#: What reading a row raises that no program of ours wrote.
_UNREADABLE = (ValueError, KeyError, TypeError, IndexError)


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
        checks={name: say(f"projects.check.{name}") for name in CHECKS},
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
            words = say("projects.found.unreadable", error=error)
            found.append(Finding(name, 1, words, soundness.from_backup()))
    return unseen, found


def _opinions(db: sqlite3.Connection) -> list[Finding]:
    wrong = recount.wrong_opinions(db)
    examples = recount.named(db, [cell for cell, _ in wrong[:EXAMPLES]])
    return _several("opinions", "opinions", len(wrong), examples)


def _values(ws: Workspace) -> list[Finding]:
    wrong = [cell for cells in _outdated(ws).values() for cell in cells]
    return _several("values", "values", len(wrong), recount.named(ws.db, wrong[:EXAMPLES]))


def _tallies(db: sqlite3.Connection) -> list[Finding]:
    cells, sums = recount.wrong_cells(db), recount.wrong_tallies(db)
    examples = recount.named(db, cells[:EXAMPLES])
    misplaced = _several("tallies", "misplaced", len(cells), examples)
    return misplaced + _several("tallies", "tallies", len(sums), sums)


def _places(db: sqlite3.Connection) -> list[Finding]:
    screens, projects_off = recount.wrong_places(db), recount.wrong_open(db)
    told = [say("projects.found.screen", screen=screen) for screen in screens]
    places = _several("places", "places", len(screens), told)
    return places + _several("places", "open", len(projects_off), projects_off)


def _several(check: str, key: str, count: int, examples: list[str]) -> list[Finding]:
    """The finding of a check, none where the count is 0; its words, and what mending makes it again
    from, have a key in the catalogue."""
    if not count:
        return []
    words, mend = say(f"projects.found.{key}"), say(f"projects.mend.{key}")
    return [Finding(check, count, words, mend, True, tuple(examples[:EXAMPLES]))]


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
        remedy = soundness.from_backup()
        raise Conflict(**error_parts("projects.damaged", workspace=ws.path.name, remedy=remedy))
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
