"""Opening a workspace file, reading and writing it from many threads and processes.

SQLite lets one writer in at a time and its waiting is unfair, so: inside a process writers queue on one lock; across
processes background writers commit little and pause while a person is active (`background`), people's writes come first.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlite_utils.db import Database

from graders.core.errors import InputError
from graders.store.migrations import workspace_migrations

#: Rows a background writer may commit at once, and its pause in seconds, while a person was active lately.
BATCH_ROWS, PAUSE_SECONDS, ACTIVE_SECONDS = 200, 0.02, 60.0
#: A background writer's first rows then, and how long it may hold the lock, in seconds.
FIRST_ROWS, HOLD_SECONDS = 20, 0.004
#: How long a writer waits for the lock, in seconds.
WAIT_SECONDS = 30.0
#: Rows at once while nobody is active.
IDLE_BATCH_ROWS = 5_000

_locks: dict[str, threading.RLock] = {}
_locks_guard = threading.Lock()


class Workspace:
    """One SQLite file. Connections are per thread; `clock` gives seconds since the epoch."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self.path = path
        self.clock = clock
        self._local = threading.local()
        with _locks_guard:
            self._lock = _locks.setdefault(str(path.resolve()), threading.RLock())

    @property
    def db(self) -> sqlite3.Connection:
        """This thread's connection."""
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = sqlite3.connect(
                self.path, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False, cached_statements=256
            )
            connection.row_factory = sqlite3.Row
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA foreign_keys=ON")
            connection.execute("PRAGMA synchronous=FULL")
            connection.execute("PRAGMA cache_size=-65536")
            connection.execute("PRAGMA temp_store=MEMORY")
            self._local.connection, self._local.durable = connection, True
        return connection

    @contextmanager
    def write(self, durable: bool = True) -> Iterator[sqlite3.Connection]:
        """One write transaction (BEGIN IMMEDIATE); joins the transaction that this thread already has open.

        `durable` False skips the flush to disk: for leases and progress, which a power cut may undo.
        """
        db = self.db
        if db.in_transaction:
            yield db
            return
        with self._lock:
            if self._local.durable != durable:
                db.execute(f"PRAGMA synchronous={'FULL' if durable else 'NORMAL'}")
                self._local.durable = durable
            self._begin(db)
            try:
                yield db
            except BaseException:
                _rollback(db)
                raise
            db.execute("COMMIT")

    def _begin(self, db: sqlite3.Connection) -> None:
        """Take the write lock, looking every half millisecond: SQLite's own waiting grows to 100 ms a look and starves."""
        db.execute("PRAGMA busy_timeout = 0")
        deadline = time.monotonic() + WAIT_SECONDS
        try:
            while True:
                try:
                    db.execute("BEGIN IMMEDIATE")
                    return
                except sqlite3.OperationalError as error:
                    if "locked" not in str(error) or time.monotonic() > deadline:
                        raise
                    time.sleep(0.0005)
        finally:
            db.execute(f"PRAGMA busy_timeout = {int(WAIT_SECONDS * 1000)}")

    def background(self, rows: Sequence[Any], work: Callable[[sqlite3.Connection, Sequence[Any]], None]) -> None:
        """Do `work` on slices of `rows`, a transaction each, giving way to people between them."""
        at, polite = 0, FIRST_ROWS
        while at < len(rows):
            active = self.person_active()
            step = polite if active else IDLE_BATCH_ROWS
            with self.write(durable=True) as db:
                began = time.perf_counter()
                work(db, rows[at : at + step])
                took = time.perf_counter() - began
            at += step
            if active:  # as many rows as fit into the time that a person may have to wait
                polite = max(1, min(BATCH_ROWS, int(step * HOLD_SECONDS / max(took, 1e-6)), 2 * step))
            if active and at < len(rows):
                time.sleep(PAUSE_SECONDS)

    def person_active(self) -> bool:
        """Whether a person asked for or saved a screen in the last minute."""
        last = self.db.execute("SELECT last_person_at FROM activity WHERE id = 1").fetchone()[0]
        return bool(self.clock() - last < ACTIVE_SECONDS)

    def touch(self, db: sqlite3.Connection) -> None:
        """Note, in the transaction of a person's write, that a person is active."""
        db.execute("UPDATE activity SET last_person_at = ? WHERE id = 1 AND last_person_at < ? - 5", (self.clock(), self.clock()))

    def now(self) -> str:
        """The time as ISO 8601 in UTC, milliseconds."""
        return datetime.fromtimestamp(self.clock(), UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def secret(self) -> str:
        """The workspace's own secret, for fences around answers and for signed cookies; made once."""
        row = self.db.execute("SELECT value FROM setting WHERE name = 'secret'").fetchone()
        if row is None:
            with self.write() as db:
                db.execute("INSERT OR IGNORE INTO setting VALUES ('secret', ?)", (secrets.token_hex(24),))
            row = self.db.execute("SELECT value FROM setting WHERE name = 'secret'").fetchone()
        return str(row[0])

    def close(self) -> None:
        """Close this thread's connection."""
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is not None:
            connection.close()
            self._local.connection = None

    def check(self) -> list[str]:
        """What SQLite's own integrity check and the foreign keys complain about; empty when all is well."""
        rows = [str(row[0]) for row in self.db.execute("PRAGMA integrity_check")]
        broken = [f"{row[0]} row {row[1]} points to a missing {row[2]}" for row in self.db.execute("PRAGMA foreign_key_check")]
        return [row for row in rows if row != "ok"] + broken


def open_workspace(path: str | Path, clock: Callable[[], float] = time.time) -> Workspace:
    """The workspace in a file, made or brought up to date as needed. InputError if the file is something else."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    workspace = Workspace(path, clock)
    try:
        database = Database(workspace.db)
        if workspace_migrations.pending(database):
            # Several processes may start at once: the second waits here and then finds nothing pending.
            with workspace.write():
                workspace_migrations.apply(database)
    except sqlite3.DatabaseError as error:
        workspace.close()
        raise InputError(
            f"workspace {path.name}",
            found=f"a file that is no workspace ({error})",
            expected="a Cograde workspace file",
            remedy="Name another file with --workspace, or move this one away.",
        ) from error
    return workspace


# `json.dumps` with these options would make an encoder for every value.
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def dumps(value: Any) -> str:
    """JSON text as the store keeps it."""
    return _encode(value)


def _rollback(db: sqlite3.Connection) -> None:
    """Roll back unless the error already destroyed the transaction."""
    if db.in_transaction:
        db.execute("ROLLBACK")
