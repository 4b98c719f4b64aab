"""What takes long to make is made once in a session of tests, by whichever worker needs it
first."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest


def once(tmp_path_factory: pytest.TempPathFactory, name: str, make: Callable[[Path], Path]) -> Path:
    """The file or folder `name`, to be copied or read and never written: what `make` made, which
    gets an empty folder to work in.

    It lies in the folder of the session, which all workers share; those that come while it is being
    made wait for it.
    """
    place = tmp_path_factory.getbasetemp()
    place = place.parent if "PYTEST_XDIST_WORKER" in os.environ else place
    kept = place / name
    with (place / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            make(tmp_path_factory.mktemp("once")).rename(kept)
    return kept


def whole(workspace: Path) -> Path:
    """The whole workspace in one file beside it, without what SQLite keeps in others."""
    made = workspace.with_suffix(".whole")
    with closing(sqlite3.connect(workspace)) as source, closing(sqlite3.connect(made)) as copy:
        source.backup(copy)
    return made
