"""Copies of a workspace file: for visitors of a public Space."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from graders.store.workspace import Workspace


def copy_workspace(source: Workspace, target: Path) -> None:
    """A consistent copy of a workspace; a half copy never carries the name. A run under way is stopped in it, to be gone on with."""
    draft = target.with_suffix(".draft")
    draft.unlink(missing_ok=True)
    source.db.execute("VACUUM INTO ?", (str(draft),))
    with closing(sqlite3.connect(draft)) as db, db:
        db.execute(
            "UPDATE run SET state = 'stopped', want = 'run', worker = '', message = 'It was under way when this copy was made.' "
            "WHERE state IN ('queued', 'running')"
        )
    shutil.move(draft, target)
