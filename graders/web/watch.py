"""Looks through a workspace for damage beside the app's work: when the app starts, and every day
that it runs."""

from __future__ import annotations

import logging
import threading

from graders.core.errors import CogradeError
from graders.store.damage import damaged, look_through
from graders.store.workspace import Workspace

#: Seconds between two looks.
EVERY = 24 * 3600.0

log = logging.getLogger("cograde")


def watch(ws: Workspace, over: threading.Event | None = None, every: float = EVERY) -> None:
    """Look, now and every so many seconds, until `over` or the end of the process; in a thread of
    its own.

    What is found stands in `ws.damage`, for the pages of leads, and in the log.
    """
    over = over or threading.Event()
    threading.Thread(target=_watch, args=(ws, over, every), name="watch", daemon=True).start()


def _watch(ws: Workspace, over: threading.Event, every: float) -> None:
    while True:
        ws.damage = _said(ws)
        if ws.damage:
            log.error(ws.damage)
        if over.wait(every):
            return


def _said(ws: Workspace) -> str:
    """What is wrong, as a sentence; empty where all is well."""
    try:
        found = look_through(ws.db, ws.path)
    except CogradeError as error:
        return str(error)
    finally:
        ws.close()
    return str(damaged(ws.path, found)) if found else ""
