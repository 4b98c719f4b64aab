"""Serving the web app: opens the workspace, brings in the demo where there is nothing yet, answers
until told to stop."""

from __future__ import annotations

import errno
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import uvicorn

from graders.core.errors import CogradeError, InputError
from graders.core.settings import Settings
from graders.core.words import error_parts, say
from graders.store.projects import begun_project
from graders.store.workspace import Workspace, open_workspace
from graders.web.app import make_app
from graders.web.copy_rates import Rates
from graders.web.session import Resolver
from graders.web.uploads import Uploads
from graders.web.visitors import sweep
from graders.web.watch import watch
from graders.workflows.cells import earlier_rulings
from graders.workflows.importing.stage import sweep_interrupted
from graders.workflows.projects.demo import ensure_demo
from graders.workflows.review import desk
from graders.workflows.scope.permissions import Actor, Scope

#: What a system says of an address that is not its own, or of the wrong kind.
_NOT_HERE = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT, errno.EINVAL)


class _Server(uvicorn.Server):
    """Says where it is once it answers."""

    def __init__(self, config: uvicorn.Config, tell: Callable[[], None]) -> None:
        super().__init__(config)
        self.tell = tell

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self.tell()


def serve(settings: Settings, tell: Callable[[dict[str, str]], None]) -> None:
    """Serve until interrupted. `tell` gets address, workspace and project (the one that opens
    first) once the pages answer."""
    _free_port(settings)
    path = settings.data / "demo.db" if settings.space else settings.workspace
    workspace = open_workspace(path)
    earlier_rulings.weigh_again(workspace)
    ensure_demo(workspace)
    if settings.project:
        # one that is not there is said now, not on every page
        begun_project(workspace, settings.project)
    # What an interrupted import left is invisible: removing it need not hold up the first page.
    threading.Thread(target=sweep_interrupted, args=(workspace,), daemon=True).start()
    watch(workspace)
    resolver = resolver_of(workspace, settings)
    uploads = Uploads(resolver.uploads(settings.data))
    threading.Thread(target=uploads.sweep, daemon=True).start()
    if resolver.copies is not None:
        sweep(resolver.copies)
    app = make_app(resolver, settings)
    address = f"http://{_shown(settings.host)}:{settings.port}/"
    address += f"?project={quote(settings.project, safe='')}" if settings.project else ""
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        log_level="warning",
        timeout_graceful_shutdown=2,
        proxy_headers=False,  # `hosts` alone decides whom to believe
    )
    where = {"address": address, "workspace": str(path), "project": settings.project}

    def answering() -> None:
        tell(where)
        threading.Thread(target=_warm, args=(workspace,), daemon=True).start()

    with suppress(KeyboardInterrupt):
        _Server(config, answering).run()


def _warm(workspace: Workspace) -> None:
    """Load what the first desk needs (rules, rubrics) while its browser is still busy with the
    page."""
    with suppress(CogradeError):
        desk.open_desk(Scope(Actor(), workspace), "")
    workspace.close()


def resolver_of(workspace: Workspace, settings: Settings) -> Resolver:
    """On a Space every visitor who writes has a copy of the demo; elsewhere all share one
    workspace."""
    visitors: Path | None = settings.data / "visitors" if settings.space else None
    return Resolver(workspace, visitors, rates=Rates(settings.proxies))


def _shown(host: str) -> str:
    """A bound host as it stands in an address that can be opened here."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"[{host}]" if ":" in host else host


def _free_port(settings: Settings) -> None:
    """InputError where the server cannot listen: the port is taken or not allowed, or the host is
    no name or address of this machine."""
    with socket.socket(socket.AF_INET6 if ":" in settings.host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except (OSError, UnicodeError) as error:
            if isinstance(error, socket.gaierror | UnicodeError) or error.errno in _NOT_HERE:
                raise InputError(
                    **error_parts("web.serve.host", host=repr(settings.host))
                ) from error
            taken = error.errno == errno.EADDRINUSE
            raise InputError(
                **error_parts(
                    "web.serve.port",
                    port=settings.port,
                    why=say("web.serve.taken")
                    if taken
                    else say("web.serve.unusable", why=error.strerror),
                )
            ) from error
