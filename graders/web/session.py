"""Who asks, and in which workspace: the one place that turns a request into a scope."""

from __future__ import annotations

import re
import secrets
import sys
import time
from collections.abc import Callable, MutableMapping
from pathlib import Path
from typing import Any

from fastapi import Request

from graders.core.errors import ReadOnly
from graders.core.words import error_parts
from graders.store.calls import runs as run_store
from graders.store.copies import Copies, Limits
from graders.store.workspace import Workspace
from graders.web.copy_rates import Rates
from graders.web.hosts import client_address
from graders.workflows.scope.identity import in_force, told
from graders.workflows.scope.permissions import Actor, Scope, person_of

Session = MutableMapping[str, Any]

#: The largest file that may be uploaded, in bytes; on a command line larger ones come in.
LARGEST_UPLOAD = 300 * 1024 * 1024

#: How long visitors wait for the demo's own run; then they get copies of what there is.
PATIENCE_SECONDS = 180.0
#: Set in a request's scope that is answered once more because it writes.
WRITES = "cograde.writes"


class Resolver:
    """One shared workspace; on a public Space it is only read, and a visitor who writes gets a copy
    of it."""

    def __init__(
        self,
        shared: Workspace,
        visitors: Path | None = None,
        clock: Callable[[], float] = time.time,
        limits: Limits | None = None,
        rates: Rates | None = None,
    ) -> None:
        self.shared, self.clock = shared, clock
        self.copies = None if visitors is None else Copies(shared, visitors, limits, clock)
        self.rates = rates or Rates(clock=clock)
        #: What whoever has no copy reads.
        self.read = (
            shared if visitors is None else Workspace(shared.path, shared.clock, read_only=True)
        )
        self._patience = clock() + PATIENCE_SECONDS
        #: Whether copies may be made of the shared workspace: false at first on a Space.
        self.ready = visitors is None

    def preparing(self, session: Session) -> tuple[int, int] | None:
        """(answers measured, answers) while the demo's own run is at work and the session has no
        copy yet; else None.

        A copy made meanwhile would hold a run that nobody works on, and lack its values.
        """
        if self.ready or self.copies is None or self.copies.find(visitor_of(session)) is not None:
            return None
        runs = [
            run for run in run_store.unfinished(self.shared) if run.state in ("queued", "running")
        ]
        if not runs or self.clock() > self._patience:
            self.ready = True
            return None
        stages = [
            stage
            for run in runs
            for stage in run.progress.get("stages") or []
            if stage["name"] == "measure"
        ]
        return sum(stage["done"] for stage in stages), sum(stage["total"] for stage in stages)

    def scope(self, session: Session, address: str = "", writes: bool = False) -> Scope:
        """The scope of a session that comes from `address`.

        A visitor who `writes` gets a copy, if there is none yet: NoRoom while there is no place for
        it, ReadOnly for somebody whose browser never opened a page here. Others read what is
        shared.
        """
        person = str(session.get("person") or "")
        if self.copies is None:
            return Scope(Actor(person, through_page=True), self.shared)
        visitor = visitor_of(session)
        found = self.copies.find(visitor)
        if found is None and writes:
            if not visitor:
                raise ReadOnly(**error_parts("web.read_only"))
            found = self.copies.make(visitor, lambda: self.rates.admit(address))
        return Scope(
            Actor(person, role="visitor", own_key_only=True, through_page=True), found or self.read
        )

    def most_bytes(self) -> int:
        """The most that one visitor may send or keep."""
        return sys.maxsize if self.copies is None else self.copies.limits.each

    def most_upload(self) -> int:
        """The most bytes that one uploaded file may have."""
        return min(LARGEST_UPLOAD, self.most_bytes())

    def uploads(self, data: Path) -> Path:
        """The folder for uploads where `data` is that of all data: what visitors upload counts as
        theirs."""
        return (data if self.copies is None else self.copies.folder) / "uploads"

    def find_room(self, size: int) -> None:
        """NoRoom unless visitors may keep so many bytes more."""
        if self.copies is not None:
            self.copies.find_room(size)


def visitor_of(session: Session) -> str:
    """The visitor that a session names; "" where none does."""
    visitor = str(session.get("visitor") or "")
    return visitor if re.fullmatch(r"[0-9a-f]{32}", visitor) else ""


def begin_visit(session: Session) -> None:
    """Let a session name a visitor, unless it does."""
    if not visitor_of(session):
        session["visitor"] = secrets.token_hex(16)


def keep_code(session: Session, code: str, seal: str) -> None:
    """Let a session keep its person's code, so that its pages can show it again."""
    session["code"] = [code, seal]


def code_of(session: Session, scope: Scope) -> str | None:
    """The code that a session keeps, as a sentence; "" where it is none any more, None for a
    visitor, who has none."""
    if scope.actor.role == "visitor":
        return None
    code, seal = session.get("code") or ("", "")
    person = person_of(scope)
    if person is None or not code or not in_force(scope, seal):
        return ""
    return told(person.name, code)


def scope_of(request: Request, writes: bool = False) -> Scope:
    """The scope of a request. One that reads its body piece by piece says beforehand whether it
    `writes`; others need not."""
    resolver: Resolver = request.app.state.resolver
    return resolver.scope(
        request.session, client_address(request.scope), writes or WRITES in request.scope
    )
