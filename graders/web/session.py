"""Who asks, and in which workspace: the one place that turns a request into a scope."""

from __future__ import annotations

import re
import secrets
import threading
import time
from collections.abc import Callable
from pathlib import Path

from fastapi import Request

from graders.store.calls import runs as run_store
from graders.store.copies import copy_workspace
from graders.store.workspace import Workspace, open_workspace
from graders.workflows.scope.permissions import Actor, Scope

#: A visitor's copy of the demo is removed when it was not touched for this long.
KEEP_VISITORS_SECONDS = 3 * 24 * 3600.0
#: How long visitors wait for the demo's own run; then they get copies of what there is.
PATIENCE_SECONDS = 180.0


class Resolver:
    """One shared workspace, or on a public Space a copy of the demo for every visitor."""

    def __init__(self, shared: Workspace, visitors: Path | None = None, clock: Callable[[], float] = time.time) -> None:
        self.shared, self.visitors, self.clock = shared, visitors, clock
        self._open: dict[str, Workspace] = {}
        self._lock = threading.Lock()
        self._patience = clock() + PATIENCE_SECONDS
        #: Whether copies may be made of the shared workspace: false at first on a Space.
        self.ready = visitors is None

    def preparing(self, session: dict[str, str]) -> tuple[int, int] | None:
        """(answers measured, answers) while the demo's own run is at work and the session has no copy yet; else None.

        A copy made meanwhile would hold a run that nobody works on, and lack its values.
        """
        if self.ready:
            return None
        visitor = str(session.get("visitor") or "")
        if self.visitors is not None and re.fullmatch(r"[0-9a-f]{32}", visitor) and (self.visitors / f"{visitor}.db").exists():
            return None
        runs = [run for run in run_store.unfinished(self.shared) if run["state"] in ("queued", "running")]
        if not runs or self.clock() > self._patience:
            self.ready = True
            return None
        stages = [stage for run in runs for stage in run["progress"].get("stages") or [] if stage["name"] == "measure"]
        return sum(stage["done"] for stage in stages), sum(stage["total"] for stage in stages)

    def scope(self, session: dict[str, str]) -> Scope:
        """The scope of a session; a visitor's first call makes the copy."""
        person = str(session.get("person") or "")
        if self.visitors is None:
            return Scope(Actor(person, through_page=True), self.shared)
        visitor = str(session.get("visitor") or "")
        if not re.fullmatch(r"[0-9a-f]{32}", visitor):
            visitor = session["visitor"] = secrets.token_hex(16)
        return Scope(Actor(person, role="visitor", own_key_only=True, through_page=True), self._copy(visitor))

    def _copy(self, visitor: str) -> Workspace:
        assert self.visitors is not None
        with self._lock:
            found = self._open.get(visitor)
            if found is None or not found.path.exists():
                path = self.visitors / f"{visitor}.db"
                if not path.exists():
                    self._sweep()
                    path.parent.mkdir(parents=True, exist_ok=True)
                    copy_workspace(self.shared, path)
                found = self._open[visitor] = open_workspace(path)
            return found

    def _sweep(self) -> None:
        """Remove copies that nobody came back to."""
        assert self.visitors is not None
        for path in self.visitors.glob("*.db"):
            if self.clock() - path.stat().st_mtime > KEEP_VISITORS_SECONDS:
                self._open.pop(path.stem, None)
                for file in self.visitors.glob(path.name + "*"):
                    file.unlink(missing_ok=True)

    def workspaces(self) -> list[Workspace]:
        """All workspaces that are open."""
        return [self.shared, *self._open.values()]


def scope_of(request: Request) -> Scope:
    """The scope of a request."""
    resolver: Resolver = request.app.state.resolver
    return resolver.scope(request.session)
