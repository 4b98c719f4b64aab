"""Runs: a row that a worker works and pages look at; stop and pause are wishes in the row."""

from __future__ import annotations

import json
import os
import secrets
import socket
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from graders.core.errors import InputError, NotFound
from graders.core.run_state import OVER, RunState
from graders.core.shapes import JSON
from graders.core.words import error_parts
from graders.store.answers.content import marks
from graders.store.projects import Project
from graders.store.workspace import Workspace, dumps

#: A worker that has said nothing for this many seconds is gone.
SILENT_SECONDS = 10.0
#: After this many seconds a machine that is not this one no longer holds up others.
HOLD_SECONDS = 300.0
#: States of a run that is not over.
ACTIVE = tuple(state for state in RunState if state not in OVER)
#: A run's row with the name of its project.
_SELECT = "SELECT r.*, p.name AS project FROM run r JOIN project p ON p.id = r.project_id"


@dataclass(frozen=True, slots=True)
class Run:
    """A run's row, with the name of its `project`.

    `settings` are the options that it was started with, `plan` what was agreed to, `progress` its
    counts; `want` is what people ask of it, `message` its last words. `worker` names the process
    that works on it, `heartbeat` is when that was last heard of, `alive` whether it lives. Times
    are ISO 8601 in UTC; `ended_at` is empty while it is not over.
    """

    id: int
    project_id: int
    project: str
    state: RunState
    want: str
    settings: JSON
    plan: JSON
    progress: JSON
    message: str
    started_by: str
    worker: str
    heartbeat: float
    created_at: str
    ended_at: str
    alive: bool


def add_run(
    ws: Workspace,
    project: Project,
    settings: Mapping[str, Any],
    plan: Mapping[str, Any],
    started_by: str,
) -> int:
    """A new run, queued."""
    with ws.write() as db:
        return int(
            db.execute(
                (
                    "INSERT INTO run (project_id, state, settings, plan, started_by, created_at) "
                    "VALUES (?, 'queued', ?, ?, ?, ?)"
                ),
                (project.id, dumps(dict(settings)), dumps(dict(plan)), started_by, ws.now()),
            ).lastrowid
            or 0
        )


def get_run(ws: Workspace, run_id: int) -> Run:
    """The run of a number. NotFound where there is none."""
    row = ws.db.execute(f"{_SELECT} WHERE r.id = ?", (run_id,)).fetchone()
    if row is None:
        raise NotFound(**error_parts("store.no_run", run=run_id))
    return _run(ws, row)


def latest_run(ws: Workspace, project: Project) -> Run | None:
    """The run of a project that people mean: one that is not over, else the newest; one that was no
    more than a look at a judge (``beside`` or ``workshop`` in its settings) only where there is no
    other.

    Rows that only keep the calls of something beside (``aside`` in their settings, such as drafts
    of lists) stand behind all others: they must not hide a run that works, nor let a second one
    start beside it.
    """
    row = ws.db.execute(
        f"{_SELECT} WHERE r.project_id = ? "
        "ORDER BY coalesce(json_extract(r.settings, '$.aside'), 0), "
        f"r.state IN ({marks(len(ACTIVE))}) DESC, "
        "coalesce(json_extract(r.settings, '$.beside'), 0) OR "
        "coalesce(json_extract(r.settings, '$.workshop'), 0), r.id DESC LIMIT 1",
        (project.id, *ACTIVE),
    ).fetchone()
    return None if row is None else _run(ws, row)


def need_none_at_work(ws: Workspace, project: Project) -> None:
    """InputError where a run of the project is not over: there is one at a time."""
    running = latest_run(ws, project)
    if running is not None and running.state in ACTIVE:
        raise InputError(
            **error_parts(
                "store.run_at_work", project=project.name, run=running.id, state=running.state
            )
        )


def add_only_run(
    ws: Workspace,
    project: Project,
    settings: Mapping[str, Any],
    plan: Mapping[str, Any],
    started_by: str,
) -> int:
    """`add_run` where none is at work: looked at in the same transaction, so that two starts at
    once are one run."""
    with ws.write():
        need_none_at_work(ws, project)
        return add_run(ws, project, settings, plan, started_by)


def unfinished(ws: Workspace) -> list[Run]:
    """Runs that are not over."""
    sql = f"{_SELECT} WHERE r.state IN ({marks(len(ACTIVE))}) ORDER BY r.id"
    return [_run(ws, row) for row in ws.db.execute(sql, ACTIVE)]


def _run(ws: Workspace, row: sqlite3.Row) -> Run:
    state = RunState(row["state"])
    return Run(
        id=row["id"],
        project_id=row["project_id"],
        project=row["project"],
        state=state,
        want=row["want"],
        settings=json.loads(row["settings"]),
        plan=json.loads(row["plan"]),
        progress=json.loads(row["progress"]),
        message=row["message"],
        started_by=row["started_by"],
        worker=row["worker"],
        heartbeat=row["heartbeat"],
        created_at=row["created_at"],
        ended_at=row["ended_at"],
        alive=state == RunState.RUNNING and _worker_alive(ws, row["worker"], row["heartbeat"]),
    )


def claim(ws: Workspace, run_id: int) -> bool:
    """Become the worker of a run, unless another living one is."""
    with ws.write() as db:
        row = db.execute(
            "SELECT state, worker, heartbeat FROM run WHERE id = ?", (run_id,)
        ).fetchone()
        if (
            row is None
            or row["state"] in OVER
            or (row["state"] == "running" and _worker_alive(ws, row["worker"], row["heartbeat"]))
        ):
            return False
        db.execute(
            (
                "UPDATE run SET state = 'running', worker = ?, heartbeat = ?, message = '' "
                "WHERE id = ?"
            ),
            (worker_name(), ws.clock(), run_id),
        )
        return True


def report(ws: Workspace, run_id: int, progress: Mapping[str, Any]) -> str:
    """Write progress, say that the worker lives, and return what people want: run, pause or
    stop."""
    with ws.write(durable=False) as db:
        db.execute(
            "UPDATE run SET progress = ?, heartbeat = ? WHERE id = ?",
            (dumps(dict(progress)), ws.clock(), run_id),
        )
        return str(db.execute("SELECT want FROM run WHERE id = ?", (run_id,)).fetchone()[0])


def wish(ws: Workspace, run_id: int, want: str) -> None:
    """Ask a run to run, pause or stop."""
    with ws.write() as db:
        db.execute(
            "UPDATE run SET want = ?, state = CASE WHEN ? = 'run' "
            "AND state IN ('paused', 'stopped', 'waiting_for_key', 'failed') THEN 'queued' "
            "WHEN ? = 'stop' AND state IN ('queued', 'paused', 'waiting_for_key') THEN "
            "'stopped' ELSE state END WHERE id = ?",
            (want, want, want, run_id),
        )


def settle_anew(
    ws: Workspace, run_id: int, settings: Mapping[str, Any], plan: Mapping[str, Any]
) -> None:
    """Write a run's options and its plan anew; for runs that no process works on. The limits that
    it was stopped at no longer count."""
    with ws.write() as db:
        db.execute(
            (
                "UPDATE run SET settings = ?, plan = ?, progress = json_remove(progress, "
                "'$.reached') WHERE id = ?"
            ),
            (dumps(dict(settings)), dumps(dict(plan)), run_id),
        )


def end(ws: Workspace, run_id: int, state: str, message: str, progress: Mapping[str, Any]) -> None:
    """A run is over or waits: done, stopped, paused, failed, waiting_for_key."""
    with ws.write() as db:
        db.execute(
            (
                "UPDATE run SET state = ?, message = ?, progress = ?, heartbeat = ?, "
                "ended_at = ? WHERE id = ?"
            ),
            (state, message, dumps(dict(progress)), ws.clock(), ws.now(), run_id),
        )


def is_alive(ws: Workspace, db: sqlite3.Connection, run_id: int) -> bool:
    """Whether a living worker works on a run."""
    row = db.execute("SELECT state, worker, heartbeat FROM run WHERE id = ?", (run_id,)).fetchone()
    return (
        row is not None
        and row["state"] == "running"
        and _worker_alive(ws, row["worker"], row["heartbeat"])
    )


@contextmanager
def alone(ws: Workspace, what: str) -> Iterator[None]:
    """Do `what` alone, in this process and all others; waits for its turn. A process that died in
    it does not block the others."""
    name, mine = f"alone:{what}", f"{worker_name()} {ws.clock()} {secrets.token_hex(6)}"
    while True:
        with ws.write() as db:
            row = db.execute("SELECT value FROM setting WHERE name = ?", (name,)).fetchone()
            if row is None or not _holds(ws, *row[0].split()[:2]):
                db.execute("INSERT OR REPLACE INTO setting VALUES (?, ?)", (name, mine))
                break
        time.sleep(0.05)
    try:
        yield
    finally:
        with ws.write() as db:
            db.execute("DELETE FROM setting WHERE name = ? AND value = ?", (name, mine))


def _holds(ws: Workspace, worker: str, since: str) -> bool:
    """Here a living process holds on; what another machine began too long ago is given up."""
    here = worker.rpartition(":")[0] == socket.gethostname()
    return _worker_alive(
        ws, worker, ws.clock() if here else float(since) + HOLD_SECONDS - SILENT_SECONDS
    )


def worker_name() -> str:
    """This process, as the run's row names it."""
    return f"{socket.gethostname()}:{os.getpid()}"


def _worker_alive(ws: Workspace, worker: str, heartbeat: float) -> bool:
    """On this machine a process that is gone is gone at once; elsewhere only silence tells."""
    host, _, pid = worker.rpartition(":")
    if host == socket.gethostname() and pid.isdigit():
        try:
            os.kill(int(pid), 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            pass
    return ws.clock() - heartbeat < SILENT_SECONDS
