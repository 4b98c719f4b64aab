"""Who calls a function for programs (`graders/web/calls`), and what it may ask for."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import Request

from graders.core.errors import InputError, ReadOnly
from graders.core.settings import Settings
from graders.core.words import error_parts
from graders.store.transfer.snapshot import Span
from graders.web.hosts import client_address
from graders.web.run_requests import typed_keys
from graders.web.session import Resolver, visitor_of
from graders.web.worker import Supervisor
from graders.workflows.runs.runs import Started
from graders.workflows.scope.permissions import Scope

#: The most rows that one reply holds.
MOST_ROWS = 1_000
#: The header with the key of a run's judges; with ``-PROVIDER`` behind it that of one provider. A
#: key is no argument: arguments stand in logs and in what a model writes.
KEY = "x-cograde-key"


@dataclass(frozen=True, slots=True)
class Served:
    """What functions stand in: who is asked for scopes, the settings, who starts workers."""

    resolver: Resolver
    settings: Settings
    supervisor: Supervisor


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls: the first argument of each function."""

    served: Served
    request: Request

    @property
    def scope(self) -> Scope:
        """The caller's scope, to read in: on a Space the shared demo, or the copy of the visitor
        whose cookie comes with the call."""
        return self._scope(writes=False)

    def writing(self) -> Scope:
        """The caller's scope, to write in. ReadOnly on a Space for who is no visitor there, NoRoom
        where no copy can be made now."""
        if self.served.resolver.copies is not None and not visitor_of(self.request.session):
            raise ReadOnly(**error_parts("web.call.read_only"))
        return self._scope(writes=True)

    def _scope(self, writes: bool) -> Scope:
        address = client_address(self.request.scope)
        return self.served.resolver.scope(self.request.session, address, writes)

    def keys(self) -> dict[str, str]:
        """The keys in the call's headers, by provider; "" is the one for all."""
        headers = self.request.headers.items()
        found = {name.lower(): value for name, value in headers}
        keys = {
            name.removeprefix(KEY).removeprefix("-"): value
            for name, value in found.items()
            if name == KEY or name.startswith(f"{KEY}-")
        }
        return typed_keys(keys)

    def work(self, scope: Scope, started: Started) -> None:
        """Give a run that was queued its worker, and the keys."""
        self.served.supervisor.start(scope.ws, started.run, self.keys())


def span_of(page: int, rows: int) -> Span:
    """The rows of a page, from 1. InputError for more than a reply holds."""
    if not 1 <= rows <= MOST_ROWS:
        raise InputError(**error_parts("web.call.rows", value=rows, most=MOST_ROWS))
    if page < 1:
        raise InputError(**error_parts("web.call.page", value=page))
    return Span((page - 1) * rows, rows)
