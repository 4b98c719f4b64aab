"""Workers of the web app: a run is worked by a process of its own, so that pages stay quick. A
typed key goes over a pipe."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from fastapi import FastAPI

from graders.core.errors import NotFound
from graders.store.calls import runs as run_store
from graders.store.projects import Project, get_project
from graders.store.workspace import Workspace
from graders.workflows.learning import learn
from graders.workflows.routing import review_order, sorting

#: Whether work on a project is due.
Due = Callable[[Workspace, Project], object]
#: Seconds between two looks at whether there are new labels to learn from.
LOOK_SECONDS = 30.0
#: Seconds between two looks at whether what people found changes the order of the screens.
ORDER_SECONDS = 10.0
#: Looks that are remembered, and how long where there are more: each visitor has a workspace.
REMEMBERED, FORGET_SECONDS = 1_000, 600.0
#: Seconds between two looks at a worker that another process started.
WATCH_SECONDS = 1.0


class Supervisor:
    """Starts workers and watches that unfinished runs have one. `models` are the encoder
    settings."""

    def __init__(self, models: Mapping[str, str]) -> None:
        self.models = dict(models)
        self._workers: dict[tuple[str, int], subprocess.Popen[bytes]] = {}
        self._looked: dict[tuple[str, str, str], float] = {}
        self._under_way: dict[tuple[str, str, str], list[tuple[Due | None, tuple[str, ...]]]] = {}
        self._lock = threading.Lock()

    def start(self, ws: Workspace, run_id: int, keys: Mapping[str, str] | None = None) -> None:
        """Give a run a worker, unless it has one. The keys (see `run_options.Keys`) are in no
        argument, environment or file.

        A worker that is on its way out (the run was paused a moment ago) is waited for, in the
        background.
        """
        name = (str(ws.path.resolve()), run_id)
        with self._lock:
            running = self._workers.get(name)
            if running is not None and running.poll() is None:
                threading.Thread(
                    target=self._after, args=(running, ws, run_id, keys), daemon=True
                ).start()
                return
            worker = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "graders",
                    "worker",
                    "--workspace",
                    str(ws.path),
                    "--run",
                    str(run_id),
                ],
                stdin=subprocess.PIPE,
                start_new_session=True,
            )
            assert worker.stdin is not None
            worker.stdin.write(
                json.dumps({"keys": dict(keys or {}), "models": self.models}).encode()
            )
            worker.stdin.close()
            self._workers[name] = worker
            # a worker that ended leaves no zombie process
            threading.Thread(target=worker.wait, daemon=True).start()

    def learn(self, ws: Workspace, project: str, now: bool = False) -> None:
        """Let the learned judge of a project learn again in a process of its own where labels
        changed enough, or in any case (`now`).

        Returns at once, and by itself looks at most once in `LOOK_SECONDS`.
        """
        self._beside(
            "learn",
            ws,
            project,
            0.0 if now else LOOK_SECONDS,
            None if now else learn.due,
            *(["--every"] if now else []),
        )

    def order(self, ws: Workspace, project: str) -> None:
        """Let the order of a project's screens follow what people found, in a process of its own.
        Returns at once, and looks at most once in `ORDER_SECONDS`."""
        self._beside("order", ws, project, ORDER_SECONDS, review_order.is_due)

    def sort(self, ws: Workspace, project: str, seconds: float = 0.0) -> None:
        """Let the order in which cells will be tested know how near the answers to a question are,
        and make that of many cells, in a process of its own: both take a while. Returns at once,
        and looks at most once in so many `seconds`."""
        self._beside("sort", ws, project, seconds, sorting.is_due)

    def _beside(
        self, work: str, ws: Workspace, project: str, seconds: float, is_due: Due | None, *more: str
    ) -> None:
        """Start `work` on a project in a process of its own, if it is due and was not looked at
        within `seconds`. Returns at once; where such a process is under way, the next one waits for
        it. What is only read is left as it is."""
        if ws.read_only:
            return
        if not self._may_look(work, ws, project, seconds):
            return
        name = (work, str(ws.path.resolve()), project)
        with self._lock:
            waiting = name in self._under_way
            self._under_way.setdefault(name, []).append((is_due, more))
        if not waiting:
            threading.Thread(target=self._one_by_one, args=(name, ws), daemon=True).start()

    def _one_by_one(self, name: tuple[str, str, str], ws: Workspace) -> None:
        """Do what was asked for; what was asked for several times meanwhile, in the same words, is
        done once more."""
        work, _, project = name
        try:
            while asked := self._asked(name):
                for is_due, more in asked:
                    with suppress(NotFound):  # the project was removed meanwhile
                        self._do(work, ws, project, is_due, more)
        except BaseException:
            with self._lock:
                self._under_way.pop(name, None)
            raise

    def _asked(self, name: tuple[str, str, str]) -> list[tuple[Due | None, tuple[str, ...]]]:
        """What waits to be done; where nothing does, nothing is under way any more."""
        with self._lock:
            waiting = list(dict.fromkeys(self._under_way[name]))
            if waiting:
                self._under_way[name] = []
            else:
                del self._under_way[name]
            return waiting

    def _may_look(self, what: str, ws: Workspace, project: str, seconds: float) -> bool:
        name, at = (what, str(ws.path.resolve()), project), time.monotonic()
        with self._lock:
            if at - self._looked.get(name, -seconds) < seconds:
                return False
            if len(self._looked) >= REMEMBERED:
                self._looked = {
                    one: when for one, when in self._looked.items() if at - when < FORGET_SECONDS
                }
            self._looked[name] = at
        return True

    def _do(
        self, work: str, ws: Workspace, project: str, is_due: Due | None, more: Sequence[str]
    ) -> None:
        try:
            if is_due is not None and not is_due(ws, get_project(ws, project)):
                return
        finally:
            ws.close()
        command = [
            sys.executable,
            "-m",
            "graders",
            "worker",
            "--workspace",
            str(ws.path),
            f"--{work}",
            project,
            *more,
        ]
        subprocess.run(
            command,
            input=json.dumps({"models": self.models}).encode(),
            start_new_session=True,
            check=False,
        )

    def _after(
        self,
        leaving: subprocess.Popen[bytes],
        ws: Workspace,
        run_id: int,
        keys: Mapping[str, str] | None,
    ) -> None:
        leaving.wait()
        try:
            if run_store.get_run(ws, run_id).state == "queued":
                self.start(ws, run_id, keys)
        finally:
            ws.close()

    def resume(self, ws: Workspace) -> None:
        """Give workers to the runs of a workspace that were under way when the app or the machine
        stopped.

        One whose worker seems to live is watched: one that was killed a moment ago may look alive
        until it has been silent for a while.
        """
        for run in run_store.unfinished(ws):
            if run.alive:
                threading.Thread(target=self._watch, args=(ws, run.id), daemon=True).start()
            elif run.state in ("queued", "running"):
                self.start(ws, run.id)

    def _watch(self, ws: Workspace, run_id: int) -> None:
        """Give a run a worker once the one that it has falls silent."""
        try:
            while (run := run_store.get_run(ws, run_id)).alive:
                time.sleep(WATCH_SECONDS)
            if run.state == "running":
                self.start(ws, run_id)
        finally:
            ws.close()


def supervisor(app: FastAPI) -> Supervisor:
    """The supervisor of an application."""
    found: Supervisor = app.state.supervisor
    return found
