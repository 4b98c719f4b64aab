"""Serving the web app: opens the workspace, brings in the demo where there is nothing yet, answers until told to stop."""

from __future__ import annotations

import socket
import threading
from pathlib import Path

import uvicorn

from graders.core.errors import InputError
from graders.core.settings import Settings
from graders.store.workspace import Workspace, open_workspace
from graders.web.app import make_app
from graders.web.session import Resolver
from graders.workflows.demo import ensure_demo
from graders.workflows.imports import sweep_interrupted


def serve(settings: Settings) -> None:
    """Serve until interrupted."""
    _free_port(settings)
    path = settings.data / "demo.db" if settings.space else settings.workspace
    workspace = open_workspace(path)
    ensure_demo(workspace)
    # What an interrupted import left is invisible: removing it need not hold up the first page.
    threading.Thread(target=sweep_interrupted, args=(workspace,), daemon=True).start()
    app = make_app(resolver_of(workspace, settings), settings)
    print(
        f"Cograde is at http://{'127.0.0.1' if settings.host == '0.0.0.0' else settings.host}:{settings.port}/  (workspace {path})",
        flush=True,
    )
    uvicorn.run(app, host=settings.host, port=settings.port, log_level="warning", timeout_graceful_shutdown=2)


def resolver_of(workspace: Workspace, settings: Settings) -> Resolver:
    """On a Space every visitor has a copy of the demo; elsewhere all share one workspace."""
    visitors: Path | None = settings.data / "visitors" if settings.space else None
    return Resolver(workspace, visitors)


def _free_port(settings: Settings) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as error:
            raise InputError(
                f"port {settings.port}",
                found=f"it is taken ({error.strerror})",
                expected="a free port",
                remedy="Set GRADIO_SERVER_PORT to another one.",
            ) from error
