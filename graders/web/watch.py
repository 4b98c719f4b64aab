"""Looks through a workspace for damage beside the app's work: when the app starts, and every day
that it runs."""

from __future__ import annotations

import logging
import threading

from graders.store.damage import look_again
from graders.store.workspace import Workspace

#: Seconds between two looks.
EVERY = 24 * 3600.0
#: Seconds until the next look where the file could not be looked at.
SOON = 60.0

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
        try:
            found = look_again(lambda: ws.db, ws.path)
        finally:
            ws.close()
        if found is not None:
            ws.damage = found
        if found:
            log.error(found)
        if over.wait(every if found is not None else min(every, SOON)):
            return
