"""A workspace file is made or brought up to date whoever comes first, also when several processes
come at once."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from sqlite_utils.db import Database

from graders.core.errors import InputError
from graders.store.migrations import workspace_migrations
from graders.store.workspace import open_workspace
from tests.support import forked

OPEN = "import sys; from graders.store.workspace import open_workspace; ws = open_workspace(sys.argv[1]); print(len(ws.secret()), ws.check())"


@pytest.mark.parametrize("turn", range(3))
def test_four_processes_may_make_the_file_at_once(tmp_path: Path, turn: int) -> None:
    path = tmp_path / "work.db"
    (tmp_path / "open.py").write_text(OPEN, "utf-8")
    said = [(tmp_path / f"out-{n}", tmp_path / f"errors-{n}") for n in range(4)]
    starting = [
        forked.start([tmp_path / "open.py", path], out=out, err=errors) for out, errors in said
    ]
    for process, (out, errors) in zip(starting, said, strict=True):
        assert (process.wait(), out.read_text("utf-8"), errors.read_text("utf-8")) == (
            0,
            "48 []\n",
            "",
        )
    applied = [
        row[0]
        for row in sqlite3.connect(path).execute(
            "SELECT name FROM _sqlite_migrations ORDER BY rowid"
        )
    ]
    assert applied == [step.name for step in workspace_migrations.pending(Database(memory=True))]
    if turn == 0:
        assert len(applied) == len(set(applied)) >= 5


def test_a_file_that_is_up_to_date_is_opened_without_a_write(tmp_path: Path) -> None:
    path = tmp_path / "work.db"
    open_workspace(path).close()
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")  # whoever needed to write would now have to wait
    assert workspace_migrations.pending(Database(open_workspace(path).db)) == []
    holder.execute("ROLLBACK")


def test_a_file_of_another_kind_is_refused_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "notes.db"
    path.write_text("These are my notes, and no database at all. " * 20)
    with pytest.raises(InputError) as raised:
        open_workspace(path)
    assert str(raised.value).startswith(
        "workspace notes.db: found a file that is no workspace (it is not a database), expected"
    )
    assert path.read_text().startswith("These are my notes")
