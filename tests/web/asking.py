"""A lead who asks for runs as the pages do, in this process, which then starts their workers."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from graders.store.workspace import open_workspace
from graders.web import run_requests
from graders.web.worker import Supervisor
from graders.workflows.collecting.collect import CollectPlan
from graders.workflows.runs import runs, shown_run
from graders.workflows.runs.run_plan import RunPlan
from graders.workflows.scope.permissions import Actor, Scope

OVER = ("done", "stopped", "failed", "waiting_for_key")


class Lead:
    """Asks for what a project's pages ask for."""

    def __init__(self, workspace: Path, project: str) -> None:
        self.scope = Scope(Actor(role="lead", through_page=True), open_workspace(workspace))
        self.project = project
        self.supervisor = Supervisor(
            {"english": "", "multilingual": "", "bertscore_multilingual": ""}
        )

    def plan(self, **options: Any) -> RunPlan:
        """The price on the Run page."""
        return run_requests.plan(self.scope, self.project, options, [])

    def start(self, key: str = "", **options: Any) -> tuple[runs.Started, Any]:
        """Its button, `key` being typed for all judges; also the headers that are kept."""
        keys = run_requests.typed_keys({"": key})
        return run_requests.start(self.scope, self.supervisor, self.project, options, keys)

    def resume(self, run: int, **keys: str) -> None:
        """The button of a run that rests."""
        run_requests.wish(self.scope, self.supervisor, self.project, run, "run", keys)

    def collect_plan(self, **options: Any) -> CollectPlan:
        """The price of the models' answers."""
        return run_requests.collect_plan(self.scope, self.project, options, [])

    def collect(self, **options: Any) -> None:
        """Ask models."""
        run_requests.collect_start(self.scope, self.supervisor, self.project, options, {})

    def finished(self, seconds: float = 90.0) -> shown_run.ShownRun:
        """The latest run once it is over, or waits for somebody."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            run = shown_run.status(self.scope, self.project)
            if run is not None and run.state in OVER:
                return run
            time.sleep(0.1)
        raise AssertionError("the run did not end")
