"""A file that is no workspace is left as it is, to the byte, and nothing is put beside it."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from graders.core.errors import InputError
from graders.store.kinds import APPLICATION_ID
from graders.store.workspace import open_workspace
from tests.support.older import files, older


def foreign(path: Path, *statements: str, keep_log: bool = False) -> None:
    """A database of another program; with `keep_log` as a kill leaves it, its log beside it."""
    db = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        db.execute(statement)
    if keep_log:
        for ending in ("", "-wal"):
            shutil.copy(f"{path}{ending}", path.with_name(f"kept{ending}"))
    db.close()
    if keep_log:
        for ending in ("", "-wal"):
            path.with_name(f"kept{ending}").replace(f"{path}{ending}")


NOTES = "CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT)"
STEPS = "CREATE TABLE _sqlite_migrations (id INTEGER PRIMARY KEY, migration_set TEXT, name TEXT, applied_at TEXT)"
FOREIGN: dict[str, Callable[[Path], None]] = {
    "tables of its own": lambda path: foreign(path, NOTES),
    "in log mode": lambda path: foreign(path, "PRAGMA journal_mode=WAL", NOTES),
    "all of it in the log": lambda path: foreign(
        path, "PRAGMA journal_mode=WAL", NOTES, keep_log=True
    ),
    "the same tool's steps, of another program": lambda path: foreign(
        path, STEPS, "INSERT INTO _sqlite_migrations VALUES (1, 'llm', 'm001', '')"
    ),
    "tables named as ours": lambda path: foreign(
        path, "CREATE TABLE project (id INTEGER)", "CREATE TABLE verdict (id INTEGER)"
    ),
    "a mark of its own": lambda path: foreign(path, "PRAGMA application_id = 252006675", NOTES),
    "no table at all": lambda path: foreign(path, "PRAGMA user_version = 3"),
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_a_database_of_another_program_is_never_written_to(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "theirs.db"
    FOREIGN[kind](path)
    before = files(tmp_path)
    with pytest.raises(InputError) as raised:
        open_workspace(path)
    assert str(raised.value) == (
        "workspace theirs.db: found a file that is no workspace (a database of another program), expected a Cograde workspace file. "
        "It was left as it is. Name another file with --workspace, or move this one away."
    )
    assert files(tmp_path) == before


def test_a_database_that_another_program_has_open_is_not_written_to(tmp_path: Path) -> None:
    path = tmp_path / "theirs.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as theirs:
        theirs.execute("PRAGMA journal_mode=WAL")
        theirs.execute(NOTES)
        before = files(tmp_path)
        with pytest.raises(InputError, match="a database of another program"):
            open_workspace(path)
        assert files(tmp_path) == before
        assert theirs.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 1


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"These are my notes, and no database at all. " * 20, "it is not a database"),
        (b"SQLite format 3\x00", "it is not a database"),
        (b"SQLite format 3\x00" + bytes(4080), "a database that cannot be read"),
        (b"\x00", "it is not a database"),
    ],
    ids=["text", "cut short", "only the first bytes", "one byte"],
)
def test_what_is_no_database_is_left_as_it_is(data: bytes, found: str, tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    path.write_bytes(data)
    with pytest.raises(InputError, match=found):
        open_workspace(path)
    assert files(tmp_path) == {"other.db": data}


def test_folders_and_places_that_cannot_hold_a_file_are_refused_in_one_sentence(
    tmp_path: Path,
) -> None:
    with pytest.raises(
        InputError,
        match=f"^workspace {tmp_path.name}: found a folder, expected a Cograde workspace file",
    ):
        open_workspace(tmp_path)
    (tmp_path / "text").write_text("no folder")
    with pytest.raises(
        InputError, match=r"^workspace work.db: found (Not a directory|File exists), expected"
    ):
        open_workspace(tmp_path / "text" / "work.db")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match=r"found something that is not a file"):
        open_workspace(tmp_path / "pipe")


def test_an_empty_file_becomes_a_workspace_and_is_marked(tmp_path: Path) -> None:
    path = tmp_path / "work.db"
    path.touch()
    open_workspace(path).settle()
    assert int.from_bytes(path.read_bytes()[68:72], "big") == APPLICATION_ID
    assert open_workspace(path).check() == []


@pytest.mark.parametrize("empty", [True, False], ids=["empty", "gone"])
def test_a_log_whose_file_is_gone_is_kept(empty: bool, tmp_path: Path) -> None:
    """SQLite deletes such a log: with it went what was saved last."""
    path = older(tmp_path / "work.db", log=True)
    path.write_bytes(b"") if empty else path.unlink()
    before = files(tmp_path)
    with pytest.raises(InputError) as raised:
        open_workspace(path)
    assert str(raised.value) == (
        "workspace work.db: found only work.db-wal, the log of a file that is gone, expected a Cograde workspace file. Put work.db back beside it: "
        "the log holds what was saved last. If it is not needed, move work.db-wal away."
    )
    assert files(tmp_path) == before


@pytest.mark.parametrize("log", [False, True], ids=["settled", "all of it in the log"])
def test_a_workspace_from_before_there_was_a_mark_is_known_by_its_steps(
    log: bool, tmp_path: Path
) -> None:
    path = older(tmp_path / "work.db", log=log)
    ws = open_workspace(path)
    assert [row[0] for row in ws.db.execute("SELECT name FROM person")] == ["Mira"]
    assert ws.db.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID


def test_a_second_opening_takes_nobodys_locks_away(tmp_path: Path) -> None:
    """Closing a handle that is not SQLite's own drops the locks of all connections of a process:
    another process would take the log away, and what is saved after that is lost."""
    path = tmp_path / "work.db"
    first = open_workspace(path)
    project = first.db.execute("SELECT count(*) FROM project").fetchone()[0]
    open_workspace(path)
    log = Path(f"{path}-wal").stat().st_ino
    other = (
        "import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); "
        "db.execute(\"INSERT INTO setting VALUES ('said', 'elsewhere')\"); db.commit(); db.close()"
    )
    subprocess.run([sys.executable, "-c", other, str(path)], check=True)
    assert Path(f"{path}-wal").stat().st_ino == log, "the log stays while somebody reads"
    said = first.db.execute("SELECT value FROM setting WHERE name = 'said'").fetchone()
    assert project == 0 and said[0] == "elsewhere"
