"""An older workspace is backed up, then migrated as a whole or not at all; a newer one is refused
by name."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graders.core.errors import InputError
from graders.core.version import VERSION
from graders.store import backups, upgrade
from graders.store.upgrade import STEPS, shape_of
from graders.store.workspace import open_workspace
from tests.store import small
from tests.support import forked
from tests.support.older import files, newer, older

DAY = datetime.fromtimestamp(small.Clock().now, UTC).date().isoformat()
BACKUP = f"work.schema-19.before-{VERSION}.{DAY}.backup.db"


def taken(path: Path) -> list[str]:
    """The steps that a file has taken, and nothing is changed by the look."""
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return [row[0] for row in db.execute("SELECT name FROM _sqlite_migrations ORDER BY id")]


def people(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as db:
        return [row[0] for row in db.execute("SELECT name FROM person")]


@pytest.mark.parametrize("version", ["9.1.0", VERSION, ""])
def test_a_workspace_of_a_newer_version_is_refused_and_says_which_wrote_it(
    version: str, tmp_path: Path
) -> None:
    small.workspace(tmp_path).settle()
    path = newer(tmp_path / "work.db", version)
    before = files(tmp_path)
    with pytest.raises(InputError) as raised:
        open_workspace(path)
    by = {
        "9.1.0": "Cograde 9.1.0",
        VERSION: f"a later build of Cograde {VERSION}",
        "": "a newer Cograde",
    }[version]
    what = "Cograde 9.1.0 or newer" if version == "9.1.0" else "the newest Cograde"
    assert str(raised.value) == (
        f"workspace work.db: found schema 999, written by {by} on 2031-05-06, expected schema {upgrade.number(STEPS[-1])} or older, which Cograde "
        f"{VERSION} reads. Nothing was changed. Install {what}, or open a backup that was made before (docs/workspaces.md)."
    )
    assert files(tmp_path) == before


def test_each_step_notes_the_version_that_took_it(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    assert {row[1] for row in ws.db.execute("SELECT * FROM step_version")} == {VERSION}
    old = open_workspace(older(tmp_path / "old.db"))
    noted = {row[0] for row in old.db.execute("SELECT step FROM step_version")}
    assert noted == set(STEPS[STEPS.index("m020_left_over") :]), (
        "who took the steps before is not known"
    )


def test_an_older_workspace_is_backed_up_and_then_migrated(tmp_path: Path) -> None:
    path = older(tmp_path / "work.db")
    before = path.read_bytes()
    old = taken(path)
    ws = small.workspace(tmp_path)
    assert shape_of(ws.db).pending == () and ws.check() == []
    backup = tmp_path / BACKUP
    assert taken(backup) == old and people(backup) == ["Mira"]
    assert open_workspace(path).path.with_name(BACKUP).exists()
    assert [file.name for file in backups.backups_of(path)] == [BACKUP], (
        "a second opening makes none"
    )
    with closing(sqlite3.connect(backup)) as db, closing(sqlite3.connect(":memory:")) as first:
        first.deserialize(_alone(before))
        assert list(db.iterdump()) == list(first.iterdump())


def _alone(data: bytes) -> bytes:
    """The bytes of a file that keeps no log: only such a one can be read from memory."""
    return data[:18] + b"\x01\x01" + data[20:]


def test_what_still_stands_in_the_log_is_in_the_backup_too(tmp_path: Path) -> None:
    older(tmp_path / "work.db", log=True)
    small.workspace(tmp_path)
    assert people(tmp_path / BACKUP) == ["Mira"]


def test_a_backup_takes_no_other_files_place_and_the_same_one_is_kept_once(tmp_path: Path) -> None:
    path = older(tmp_path / "first.db")
    (tmp_path / BACKUP).write_bytes(b"mine")
    for _ in range(2):
        shutil.copy(path, tmp_path / "work.db")
        small.workspace(tmp_path).settle()
    assert (tmp_path / BACKUP).read_bytes() == b"mine"
    names = sorted(file.name for file in tmp_path.glob("work.*"))
    assert names == ["work.db", BACKUP.replace(".backup", ".2.backup"), BACKUP]


def test_a_new_workspace_needs_no_backup(tmp_path: Path) -> None:
    small.workspace(tmp_path).settle()
    assert list(files(tmp_path)) == ["work.db"]


def test_a_damaged_one_is_not_migrated(tmp_path: Path) -> None:
    """Also where it is too large to be looked through at every opening."""
    path = older(tmp_path / "work.db")
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        root, size = (
            db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'vector'").fetchone()[0],
            4096,
        )
    data = bytearray(path.read_bytes())
    data[(root - 1) * size : root * size] = b"\xff" * size
    path.write_bytes(data)
    for checked, words in (
        (True, "found damage ("),
        (False, "no backup could be made beside it (it is damaged:"),
    ):
        with pytest.raises(InputError) as raised:
            open_workspace(path, checked=checked)
        assert words in str(raised.value)
    assert files(tmp_path) == {"work.db": bytes(data)}


#: A process with a smaller limit on the size of its files than the backup needs: the system
#: refuses, as a full disk does.
FULL = """
import resource, signal, sys
from graders.core.errors import InputError
from graders.store.workspace import open_workspace
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))
try:
    open_workspace(sys.argv[1])
except InputError as error:
    print(error)
"""


def test_without_room_for_the_backup_nothing_is_migrated(tmp_path: Path) -> None:
    path = older(tmp_path / "work.db")
    before = files(tmp_path)
    (tmp_path.parent / "full.py").write_text(FULL, "utf-8")
    done = forked.run([tmp_path.parent / "full.py", path])
    assert done.stdout.startswith("workspace work.db: found no backup could be made beside it ("), (
        done
    )
    assert (
        "expected a backup before it is changed. Nothing was changed. Free about 1 MB there"
        in done.stdout
    )
    assert files(tmp_path) == before


#: Opens a workspace and is killed: at a step of the migration, or while the backup is made.
KILLED = """
import os, signal, sys
from sqlite_utils.migrations import Migrations
from graders.store import backups
from graders.store.workspace import open_workspace
die = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
path, where = sys.argv[1:]
if where == "backup":
    backups._placed = die
else:
    record = Migrations._record_applied
    Migrations._record_applied = lambda self, db, name: die() if name == where else record(self, db, name)
open_workspace(path)
"""


@pytest.mark.parametrize("where", ["backup", "m020_left_over", "m024_confidence_order", STEPS[-1]])
def test_a_migration_that_is_killed_leaves_the_old_one_whole(where: str, tmp_path: Path) -> None:
    path = older(tmp_path / "work.db")
    old = taken(path)
    (tmp_path / "killed.py").write_text(KILLED, "utf-8")
    done = forked.run([tmp_path / "killed.py", path, where], env={**os.environ})
    assert done.returncode == -signal.SIGKILL, done
    assert taken(path) == old and people(path) == ["Mira"]
    ws = open_workspace(path)
    assert ws.check() == [] and shape_of(ws.db).pending == ()
    (backup,) = backups.backups_of(path)
    assert taken(backup) == old
    assert sorted(file.name for file in tmp_path.iterdir() if file.name.startswith(".")) == [], (
        "the draft of the killed one is gone"
    )


@pytest.mark.parametrize("before", [step for step in STEPS[1:] if upgrade.number(step) % 5 == 1])
def test_every_older_shape_comes_to_the_present_one(before: str, tmp_path: Path) -> None:
    fresh, old = (
        small.workspace(tmp_path, "fresh"),
        open_workspace(older(tmp_path / "old.db", before)),
    )
    shape = "SELECT type, name, tbl_name FROM sqlite_master ORDER BY 1, 2"
    assert [tuple(row) for row in old.db.execute(shape)] == [
        tuple(row) for row in fresh.db.execute(shape)
    ]
    assert old.check() == []
