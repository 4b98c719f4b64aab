"""Damage is noticed when a workspace is opened, with a sentence that says the way back, and nothing
is written to a damaged file."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from graders.core.errors import InputError, StorageError
from graders.store import backups, damage
from graders.store.workspace import open_workspace
from tests.store import small
from tests.support import damaged


@pytest.fixture
def sound(tmp_path: Path) -> Path:
    """A workspace with a project, all in its file."""
    ws = small.workspace(tmp_path)
    small.study(tmp_path, ws)
    ws.settle()
    return ws.path


HURT: dict[str, Callable[[Path], None]] = {
    "a page in the middle": lambda path: damaged.overwrite(path, damaged.page_of(path, "answer")),
    "a page of an index": lambda path: damaged.overwrite(
        path, damaged.page_of(path, "cell_question")
    ),
    "the table of tables": lambda path: damaged.overwrite(path, 2),
    "the end cut off": damaged.cut,
}


@pytest.mark.parametrize("hurt", HURT)
def test_damage_is_noticed_at_opening(hurt: str, sound: Path) -> None:
    HURT[hurt](sound)
    before = sound.read_bytes()
    with pytest.raises(InputError) as raised:
        open_workspace(sound)
    words = str(raised.value)
    assert words.startswith("workspace work.db: found damage ("), words
    assert words.endswith(
        "), expected a whole file. End all programs that use it, copy it, then see what `cograde check` finds. There is no backup beside it; "
        "docs/workspaces.md says how to go back."
    )
    assert sound.read_bytes()[100:] == before[100:], (
        "but for the head, in which SQLite notes how it keeps its log"
    )


def test_the_last_backup_is_named(sound: Path) -> None:
    for day in ("2030-01-01", "2030-01-02"):
        with closing(sqlite3.connect(sound)) as db:
            db.execute("UPDATE activity SET last_person_at = last_person_at + 1")
            db.commit()
        last = backups.back_up(sound, f"before-mend.{day}")
    damaged.cut(sound)
    with pytest.raises(
        InputError, match=f"The last backup beside it is {last.name}; docs/workspaces.md"
    ):
        open_workspace(sound)


def test_a_large_file_is_not_read_through_at_opening_but_its_cut_end_is_noticed(
    sound: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(damage, "SMALL_BYTES", 4096)
    whole = sound.read_bytes()
    damaged.overwrite(sound, damaged.page_of(sound, "answer"))
    open_workspace(sound).close()
    sound.write_bytes(whole)
    damaged.cut(sound)
    with pytest.raises(InputError, match="found damage"):
        open_workspace(sound)


def test_a_file_that_another_program_holds_is_said_so(
    sound: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graders.store.workspace.WAIT_SECONDS", 0.05)
    with closing(sqlite3.connect(sound, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(
            StorageError,
            match=r"^workspace work.db: found a file that another program is writing, expected a turn",
        ):
            open_workspace(sound)
