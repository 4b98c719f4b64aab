"""Copies of a workspace file: for visitors of a public Space.

A copy is one file, made of a template in some milliseconds when its visitor first writes. It is
open only while a request works in it: opening takes two milliseconds, and so a visitor who reads a
page costs neither memory nor open files.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

from graders.core.errors import InputError, NoRoom
from graders.core.words import error_parts, say
from graders.store.workspace import Workspace, forget_lock, open_workspace

_NAME = re.compile(r"[0-9a-f]{32}")
#: Seconds after which a use of a copy is noted again.
NOTE_SECONDS = 60.0
#: Free bytes of a disk that is not full.
SPARE_BYTES = 16 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """How many copies there may be, how large all and each of them (bytes), what must stay free on
    the disk (bytes), and how long an unused one is kept (seconds)."""

    copies: int = 1_000
    total: int = 8 << 30
    each: int = 64 << 20
    spare: int = 512 << 20
    keep: float = 24 * 3600.0


class Copies:
    """The copies of `source` in a folder, one per visitor, found again after a restart.

    What else visitors keep in folders inside it counts towards their space.
    """

    def __init__(
        self,
        source: Workspace,
        folder: Path,
        limits: Limits | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.source, self.folder, self.clock = source, folder, clock
        self.limits = limits or Limits()
        self._lock = threading.Lock()
        self._template: tuple[tuple[int, int], ...] = ()
        #: Copies that are known to be of this version.
        self._current: set[str] = set()
        folder.mkdir(parents=True, exist_ok=True)
        for draft in folder.glob("*.draft*"):
            draft.unlink(missing_ok=True)
        self._expire()

    def find(self, name: str) -> Workspace | None:
        """A visitor's copy, if there is one. It is kept from now on for another `Limits.keep`."""
        if not _NAME.fullmatch(name):
            return None
        path = self._path(name)
        with self._lock:  # so that it is not removed as expired meanwhile
            used = _used(path)
            if used is None:
                return None
            if self.clock() - used > self.limits.keep:
                self._remove(name)
                return None
            if self.clock() - used > NOTE_SECONDS:
                os.utime(path, (self.clock(), self.clock()))
            if name not in self._current:
                # an older version is brought up to date
                open_workspace(path, self.source.clock).close()
                self._current.add(name)
        return _Copy(path, self.source.clock, self.limits.each)

    def make(self, name: str, admit: Callable[[], None]) -> Workspace:
        """A visitor's copy, made if need be; `admit` may raise against a new one. NoRoom while
        there are too many."""
        with self._lock:
            if _used(self._path(name)) is None:
                self._expire()
                self._find_room(0)
                admit()
                self._place(self._path(name))
                self._current.add(name)
        found = self.find(name)
        assert found is not None
        return found

    def find_room(self, size: int) -> None:
        """NoRoom unless so many bytes more may be kept."""
        with self._lock:
            self._find_room(size, others=0)

    def expire(self) -> None:
        """Remove copies whose visitors did not come back."""
        with self._lock:
            self._expire()

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.db"

    def _place(self, path: Path) -> None:
        """Put a copy at `path`; a half copy never carries the name."""
        template = self.folder / "demo.template"
        mark = tuple(
            (stat.st_mtime_ns, stat.st_size)
            for file in (self.source.path, Path(f"{self.source.path}-wal"))
            if (stat := _stat(file)) is not None
        )
        if mark != self._template or not template.exists():
            copy_workspace(self.source, template)
            self.source.close()
            self._template = mark
        draft = path.with_suffix(".draft")
        shutil.copyfile(template, draft)
        with draft.open("rb+") as file:
            os.fsync(file.fileno())
        os.utime(draft, (self.clock(), self.clock()))
        draft.replace(path)

    def _find_room(self, more: int, others: int = 1) -> None:
        """NoRoom unless there is room for `others` copies more and for so many bytes."""
        # A log goes when its copy is closed, which may be now.
        stats = {path: stat for path in self._kept() if (stat := _stat(path)) is not None}
        # Backups lie beside copies.
        copies = [
            stat
            for path, stat in stats.items()
            if _NAME.fullmatch(path.stem) and path == self._path(path.stem)
        ]
        needed = more + others * self.source.path.stat().st_size
        size = sum(stat.st_size for stat in stats.values()) + needed
        crowded = len(copies) + others > self.limits.copies
        if not crowded and size <= self.limits.total and self._spare() >= needed:
            return
        oldest = min((stat.st_mtime for stat in copies), default=self.clock())
        wait = max(60.0, oldest + self.limits.keep - self.clock())
        raise NoRoom(
            seconds=wait,
            **error_parts(
                f"store.copies.{'crowded' if crowded else 'full'}",
                copies=self.limits.copies,
                span=_span(wait),
            ),
        )

    def _kept(self) -> Iterator[Path]:
        """The files of visitors: copies, what lies beside them, and what was uploaded."""
        for home, _, names in os.walk(self.folder):
            yield from (Path(home, name) for name in names if not name.endswith(".template"))

    def _spare(self) -> int:
        return shutil.disk_usage(self.folder).free - self.limits.spare

    def _expire(self) -> None:
        for path in self.folder.glob("*.db"):
            used = _used(path)
            if used is not None and self.clock() - used > self.limits.keep:
                self._remove(path.stem)

    def _remove(self, name: str) -> None:
        path = self._path(name)
        for ending in ("-shm", "-wal", ""):
            Path(f"{path}{ending}").unlink(missing_ok=True)
        self._current.discard(name)
        forget_lock(path)


def copy_workspace(source: Workspace, target: Path) -> None:
    """A consistent copy of a workspace; a half copy never carries the name. A run under way is
    stopped in it, to be gone on with."""
    draft = target.with_suffix(".draft")
    draft.unlink(missing_ok=True)
    source.db.execute("VACUUM INTO ?", (str(draft),))
    with closing(sqlite3.connect(draft)) as db, db:
        db.execute(
            "UPDATE run SET state = 'stopped', want = 'run', worker = '', "
            "message = 'It was under way when this copy was made.' "
            "WHERE state IN ('queued', 'running')"
        )
        db.commit()
        # as it is used: a change of mode takes longer than opening
        db.execute("PRAGMA journal_mode=WAL")
    shutil.move(draft, target)


#: Connections that were opened for the work at hand, in whatever thread of it.
_OPENED: ContextVar[list[sqlite3.Connection] | None] = ContextVar("opened", default=None)


@contextmanager
def passing() -> Iterator[list[sqlite3.Connection]]:
    """Connections to copies that the work inside opens; the caller closes them at its end. Threads
    that the work leaves behind close their own.
    """
    opened: list[sqlite3.Connection] = []
    token = _OPENED.set(opened)
    try:
        yield opened
    finally:
        _OPENED.reset(token)


class _Copy(Workspace):
    """A visitor's copy as one request sees it; its file grows to `most` bytes."""

    def __init__(self, path: Path, clock: Callable[[], float], most: int) -> None:
        super().__init__(path, clock)
        self.most = most

    @property
    def db(self) -> sqlite3.Connection:
        """This thread's connection."""
        fresh = getattr(self._local, "connection", None) is None
        connection = super().db
        if fresh:
            size = connection.execute("PRAGMA page_size").fetchone()[0]
            connection.execute(f"PRAGMA max_page_count = {self.most // size}")
            opened = _OPENED.get()
            if opened is not None:
                opened.append(connection)
        return connection

    @contextmanager
    def write(self, durable: bool = True) -> Iterator[sqlite3.Connection]:
        """One write transaction. InputError where the copy would outgrow its limit."""
        try:
            with super().write(durable) as db:
                yield db
        except sqlite3.OperationalError as error:
            full = error.sqlite_errorcode == sqlite3.SQLITE_FULL
            if not full or shutil.disk_usage(self.path.parent).free < SPARE_BYTES:
                raise  # the disk is full
            raise InputError(
                **error_parts("store.copies.too_large", most=self.most >> 20)
            ) from error


def _stat(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError:
        return None


def _used(path: Path) -> float | None:
    """When a copy was used last, in seconds since the epoch; None where there is none."""
    found, log = _stat(path), _stat(Path(f"{path}-wal"))
    if found is None:
        return None
    return max(found.st_mtime, log.st_mtime if log is not None else 0.0)


def _span(seconds: float) -> str:
    """A waiting time in words: "3 hours", "20 minutes"."""
    hours, minutes = round(seconds / 3600), max(1, round(seconds / 60))
    if minutes >= 90:
        return say("store.copies.hours", n=hours)
    return say("store.copies.minutes", n=minutes)
