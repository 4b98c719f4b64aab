"""Opening a workspace file, reading and writing it from many threads and processes.

SQLite lets one writer in at a time and its waiting is unfair, so: inside a process writers queue on
one lock; across processes background writers commit little and pause while a person is active
(`background`), people's writes come first. Flushing to disk and copying the write-ahead log back
into the file happen after the lock is given up.
"""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from graders.core.errors import InputError, ReadOnly
from graders.core.garbage import not_collecting
from graders.core.words import error_parts, say
from graders.store.damage import refuse_damaged, told
from graders.store.kinds import kind_of, mark_new
from graders.store.soon import Soon

#: Rows a background writer may commit at once, and its pause in seconds, while a person was active
#: lately.
BATCH_ROWS, PAUSE_SECONDS, ACTIVE_SECONDS = 200, 0.02, 60.0
#: The least pause before a background writer takes the lock then, in seconds.
BREATH_SECONDS = 0.001
#: A background writer's first rows then, and how long it may hold the lock, in seconds.
FIRST_ROWS, HOLD_SECONDS = 10, 0.0015
#: How long a writer waits for the lock, in seconds.
WAIT_SECONDS = 30.0
#: Rows at once while no person is active.
IDLE_BATCH_ROWS = 5_000
#: The log is copied back once it holds this many bytes, at most once in so many seconds; above the
#: last it is begun anew.
LOG_BYTES, LOG_SECONDS, LOG_LIMIT_BYTES = 4 << 20, 1.0, 64 << 20

#: When this workspace last wrote of itself; verdicts and events that came with a file have the
#: file's time.
_LAST = (
    "SELECT max(coalesce((SELECT at FROM event WHERE import_id = 0 ORDER BY id DESC LIMIT 1), ''), "
    "coalesce((SELECT created_at FROM verdict WHERE id = (SELECT max(id) FROM verdict) "
    "AND import_id = 0), ''))"
)

#: How much of the file is read through the memory map; writes never go through it.
MAPPED_BYTES = 0x7FFF0000

Item = TypeVar("Item")
Read = TypeVar("Read")

_locks: dict[str, threading.RLock] = {}
_locks_guard = threading.Lock()


class Workspace:
    """One SQLite file. Connections are per thread; `clock` gives seconds since the epoch.

    One that is `read_only` raises ReadOnly where something is to be written.
    """

    def __init__(
        self, path: Path, clock: Callable[[], float] = time.time, read_only: bool = False
    ) -> None:
        self.path = path
        self.clock = clock
        self.read_only = read_only
        self._local = threading.local()
        with _locks_guard:
            self._lock = _locks.setdefault(str(path.resolve()), threading.RLock())
        self._log = Path(f"{path}-wal")
        self._copying = threading.Lock()
        self._copied = 0.0
        #: What a look at the whole file found wrong, as a sentence; empty where nothing is known.
        self.damage = ""
        #: Does small writes beside, in a thread of its own.
        self.soon = Soon(lambda: self.write(durable=False), self.close)

    @property
    def db(self) -> sqlite3.Connection:
        """This thread's connection."""
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = sqlite3.connect(
                # one that was removed meanwhile is an error, not an empty workspace
                f"{self.path.absolute().as_uri()}?mode=rw",
                uri=True,
                timeout=WAIT_SECONDS,
                isolation_level=None,
                check_same_thread=False,
                cached_statements=256,
            )
            connection.row_factory = sqlite3.Row
            # while another process makes the file, SQLite does not wait by itself
            _patiently(connection, "PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA foreign_keys=ON")
            # `write` flushes by itself, after the lock is free
            connection.execute("PRAGMA synchronous=NORMAL")
            # `_copy_back` does it, in a thread of its own
            connection.execute("PRAGMA wal_autocheckpoint=0")
            connection.execute("PRAGMA cache_size=-65536")
            # of a large file, what the cache cannot hold is read without copying
            connection.execute(f"PRAGMA mmap_size={MAPPED_BYTES}")
            connection.execute("PRAGMA temp_store=MEMORY")
            if self.read_only:
                connection.execute("PRAGMA query_only=ON")
            self._local.connection = connection
        return connection

    @contextmanager
    def write(self, durable: bool = True) -> Iterator[sqlite3.Connection]:
        """One write transaction (BEGIN IMMEDIATE); joins the transaction that this thread already
        has open.

        Returns when what was written is on disk; `durable` False does not wait for that: for leases
        and progress, which a power cut may undo.
        """
        if self.read_only:
            raise ReadOnly(**error_parts("store.workspace.read_only"))
        db = self.db
        if db.in_transaction:
            yield db
            return
        with self._lock:
            self._begin(db)
            with not_collecting():  # everybody else who writes waits until the lock is free
                try:
                    yield db
                except BaseException:
                    _rollback(db)
                    raise
                db.execute("COMMIT")
        log = os.open(self._log, os.O_RDWR)
        try:
            if durable:
                os.fsync(log)
            if os.fstat(log).st_size > LOG_BYTES and time.monotonic() - self._copied > LOG_SECONDS:
                self._copied = time.monotonic()
                threading.Thread(target=self._copy_back, name="log").start()
        finally:
            os.close(log)

    def flush(self) -> None:
        """Return when all that was committed until now is on disk: it lies in the log, and one
        flush serves everybody."""
        log = os.open(self._log, os.O_RDWR)
        try:
            os.fsync(log)
        finally:
            os.close(log)

    def _copy_back(self) -> None:
        """Copy the log into the file, beside readers and writers; a log that grew too long is begun
        anew."""
        if not self._copying.acquire(blocking=False):
            return
        try:
            db = self.db
            _, pages, done = db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            if self._log.stat().st_size > LOG_LIMIT_BYTES and pages == done:
                db.execute("PRAGMA busy_timeout = 50")
                db.execute("PRAGMA wal_checkpoint(RESTART)")
        except (OSError, sqlite3.Error):  # nothing is lost: the next writer has it tried again
            pass
        finally:
            self.close()
            self._copying.release()

    def _begin(self, db: sqlite3.Connection) -> None:
        """Take the write lock: SQLite's own waiting grows to 100 ms between looks, and others take
        the lock meanwhile."""
        db.execute("PRAGMA busy_timeout = 0")
        try:
            _patiently(db, "BEGIN IMMEDIATE")
        finally:
            db.execute(f"PRAGMA busy_timeout = {int(WAIT_SECONDS * 1000)}")

    def background(
        self,
        rows: Sequence[Any],
        work: Callable[[sqlite3.Connection, Any], object],
        prepare: Callable[[sqlite3.Connection, Sequence[Any]], Any] = lambda db, rows: rows,
        tell: Callable[[int, int], None] = lambda done, total: None,
    ) -> None:
        """Do `work` on what `prepare` makes of slices of `rows`, a transaction each, giving way to
        people between them.

        `prepare` reads, while others may write; `work` holds the lock, so the more is prepared the
        less do people wait. `tell` is called after each slice with the rows done and the rows in
        all.
        """
        at, polite, pause = 0, FIRST_ROWS, BREATH_SECONDS
        while at < len(rows):
            active = self.person_active()
            step = polite if active else IDLE_BATCH_ROWS
            prepared = prepare(self.db, rows[at : at + step])
            if active:
                time.sleep(pause)  # before the lock is taken, see `breathe`
            with self.write(durable=True) as db:
                began = time.perf_counter()
                work(db, prepared)
                took = time.perf_counter() - began
            at += step
            tell(min(at, len(rows)), len(rows))
            if active:  # as many rows as fit into the time that a person may have to wait
                polite = max(
                    1, min(BATCH_ROWS, int(step * HOLD_SECONDS / max(took, 1e-6)), 2 * step)
                )
                pause = PAUSE_SECONDS

    def breathe(self) -> None:
        """Sleep a moment before a background writer takes the lock while a person is active.

        A thread that just woke may keep the processor for some milliseconds, longer than the lock
        is held. A thread that has worked until then is the first to be interrupted for others, and
        while it holds the lock all others wait.
        """
        if self.person_active():
            time.sleep(BREATH_SECONDS)

    def person_active(self) -> bool:
        """Whether a person asked for or saved a screen in the last minute."""
        last = self.db.execute("SELECT last_person_at FROM activity WHERE id = 1").fetchone()[0]
        return bool(self.clock() - last < ACTIVE_SECONDS)

    def read_beside(self, items: Sequence[Item], read: Callable[[Item], Read]) -> list[Read]:
        """What `read` makes of each item, every second one in a thread of its own: SQLite reads
        while Python counts.

        What others write meanwhile may be seen by some of the reads only.
        """

        def every_second() -> list[Read]:
            try:
                return [read(item) for item in items[1::2]]
            finally:
                self.close()

        with ThreadPoolExecutor(1, "read") as pool:
            beside = pool.submit(every_second)
            mine = [read(item) for item in items[::2]]
            theirs = beside.result()
        return [(mine, theirs)[place % 2][place // 2] for place in range(len(items))]

    def touch(self, db: sqlite3.Connection) -> None:
        """Note, in the transaction of a person's write, that a person is active."""
        db.execute(
            "UPDATE activity SET last_person_at = ? WHERE id = 1 AND last_person_at < ? - 5",
            (self.clock(), self.clock()),
        )

    def now(self) -> str:
        """The time as ISO 8601 in UTC, milliseconds; after what was written last here, even where
        the clock was set back.

        What came first decides what a proof may rest on, and that is told by these times.
        """
        told = datetime.fromtimestamp(self.clock(), UTC)
        with suppress(ValueError):  # nothing was written here yet
            last = datetime.fromisoformat(self.db.execute(_LAST).fetchone()[0])
            if last.tzinfo and told < last:
                told = last + timedelta(milliseconds=1)
        return told.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def secret(self) -> str:
        """The workspace's own secret, for fences around answers and for signed cookies; made
        once."""
        row = self.db.execute("SELECT value FROM setting WHERE name = 'secret'").fetchone()
        if row is None:
            with self.write() as db:
                db.execute(
                    "INSERT OR IGNORE INTO setting VALUES ('secret', ?)", (secrets.token_hex(24),)
                )
            row = self.db.execute("SELECT value FROM setting WHERE name = 'secret'").fetchone()
        return str(row[0])

    def settle(self) -> None:
        """Copy the whole log into the file and close this thread's connection: then the file alone
        holds everything.

        Waits for the connections of other threads; the next one to open the file begins a new log.
        """
        _patiently(self.db, "PRAGMA journal_mode=DELETE")
        self.close()

    def close(self) -> None:
        """Close this thread's connection."""
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is not None:
            connection.close()
            self._local.connection = None

    def check(self) -> list[str]:
        """What SQLite's own integrity check and the foreign keys complain about; empty when all is
        well."""
        rows = [str(row[0]) for row in self.db.execute("PRAGMA integrity_check")]
        broken = [
            say("store.workspace.orphan", table=row[0], row=row[1], parent=row[2])
            for row in self.db.execute("PRAGMA foreign_key_check")
        ]
        return [row for row in rows if row != "ok"] + broken


def open_workspace(
    path: str | Path, clock: Callable[[], float] = time.time, checked: bool = True
) -> Workspace:
    """The workspace in a file, made or brought up to date as needed; an older one is backed up
    before.

    `checked`: a small file is looked through for damage (`graders.store.damage`). InputError if the
    file is something else, of a newer version, or damaged; then nothing is written.
    """
    path = Path(path)
    workspace = Workspace(path, clock)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        kind, revision = kind_of(path)
        if kind == "new":
            mark_new(path)
        elif revision != _revision():
            _refuse_newer(path)
        if checked:
            refuse_damaged(workspace.db, path)
        if workspace.db.execute("PRAGMA user_version").fetchone()[0] != _revision():
            _migrate(workspace)
    except Exception as error:
        workspace.close()
        if (said := told(path, error)) is None:
            raise
        raise said from error
    return workspace


def forget_lock(path: Path) -> None:
    """Forget the lock of a file that was removed."""
    with _locks_guard:
        _locks.pop(str(path.resolve()), None)


def open_to_check(path: Path) -> Workspace:
    """The workspace in a file, also a damaged one, as it is. InputError if there is none, or one of
    another version."""
    if not path.exists() or kind_of(path)[0] == "new":
        raise InputError(**error_parts("store.workspace.missing", path=path))
    try:
        _refuse_newer(path)
        workspace = Workspace(path)
        current = workspace.db.execute("PRAGMA user_version").fetchone()[0] == _revision()
    except sqlite3.DatabaseError as error:
        raise told(path, error) or error from error
    if not current:
        workspace.close()
        open_workspace(path).close()  # backed up and brought up to date
    return workspace


def _revision() -> int:
    """A number that names the text of the migrations: a file that carries it has them all."""
    return zlib.crc32((Path(__file__).parent / "migrations.py").read_bytes()) & 0x7FFFFFFF


def _refuse_newer(path: Path) -> None:
    """InputError where a newer version wrote the file: through a connection that sets nothing,
    since that would be written down."""
    with closing(sqlite3.connect(path, timeout=WAIT_SECONDS)) as db:
        if db.execute("PRAGMA user_version").fetchone()[0] == _revision():
            return  # the log told what the file's head did not
        from graders.store import upgrade

        upgrade.refuse_newer(db, path)


def _migrate(workspace: Workspace) -> None:
    """Bring the file up to date. sqlite-utils loads pandas where there is one, so it is imported
    only for this."""
    from graders.store import upgrade

    # Several processes may start at once: the second waits here and then finds nothing pending.
    with workspace.write() as db:
        day = datetime.fromtimestamp(workspace.clock(), UTC).date().isoformat()
        upgrade.bring_up_to_date(db, workspace.path, day)
        db.execute(f"PRAGMA user_version = {_revision()}")


# `json.dumps` with these options would make an encoder for every value.
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def dumps(value: Any) -> str:
    """JSON text as the store keeps it."""
    return _encode(value)


def _patiently(db: sqlite3.Connection, statement: str) -> None:
    """Execute a statement that needs a lock, looking every quarter of a millisecond."""
    deadline = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            db.execute(statement)
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.00025)


def _rollback(db: sqlite3.Connection) -> None:
    """Roll back unless the error already destroyed the transaction."""
    if db.in_transaction:
        db.execute("ROLLBACK")
