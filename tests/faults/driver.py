"""One actor in a process of its own, who may be made to die at a named point.

``python -m tests.faults.driver ACTION WORKSPACE ARGUMENT [POINT COUNT]``: the process kills itself
with SIGKILL when it reaches POINT for the COUNT-th time. What is acknowledged is printed, a line
each, as soon as it is.

Actions: ``person`` takes screens and saves them until none is left (argument: who); ``run`` works
on a run (its number); ``import`` brings in a folder (its path); ``route`` routes; ``back`` takes an
import back (its number); ``delete`` deletes the project (the path of its export).
"""

from __future__ import annotations

import functools
import itertools
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from graders.providers.openai_batch import OpenAIBatch
from graders.providers.openai_chat import OpenAIChat
from graders.store.calls.batches import BatchLedger
from graders.store.calls.ledger import SqlLedger
from graders.store.desk import queue, queued_screens, saves
from graders.store.opinions import verdicts
from graders.store.transfer import _exchange_work, exchange, project_removal, taking_back
from graders.store.transfer import imports as import_store
from graders.store.workspace import open_workspace
from graders.workflows.importing import (
    _planned,
    _read_pass,
    _write_rows,
    _write_verdicts,
    take_back,
)
from graders.workflows.importing import stage as importing_stage
from graders.workflows.projects import delete
from graders.workflows.report.export_whole import export_whole
from graders.workflows.review import grading
from graders.workflows.routing.route import route
from graders.workflows.runs import runs
from graders.workflows.scope.permissions import Scope
from tests.store import small

#: Point -> (owner, name of the function, whether the end comes before or after it has run)
POINTS: dict[str, tuple[Any, str, str]] = {
    "reserve": (SqlLedger, "reserve", "after"),  # noted, not committed
    "sent": (SqlLedger, "sent", "after"),
    "send": (OpenAIChat, "send", "before"),  # committed, about to go out
    "replied": (OpenAIChat, "send", "after"),  # the reply is there, nothing noted
    "stored": (SqlLedger, "stored", "after"),
    "begin": (BatchLedger, "begin", "after"),  # noted, not handed in
    "submit": (OpenAIBatch, "submit", "after"),  # handed in, the handle is not noted
    "named": (BatchLedger, "named", "after"),
    "fetch": (OpenAIBatch, "fetch", "after"),  # the replies are there, nothing noted
    "ended": (BatchLedger, "ended", "before"),  # noted, the batch not forgotten
    "commit": (SqlLedger, "batch", "after"),  # the group is kept, nobody has used it
    "verdict": (verdicts, "append", "after"),
    "lease": (queue, "_lease", "after"),
    "leased": (queue, "take", "after"),
    "store_save": (saves, "store_save", "after"),
    "saved": (grading, "save", "after"),  # kept, not acknowledged
    "content": (_write_rows.RowWriter, "content", "after"),
    "opinions": (_write_verdicts.VerdictWriter, "opinions", "after"),
    "staged": (import_store, "staged", "after"),
    "finish": (import_store, "finish_rows", "after"),
    "finished": (_planned, "after_finish", "before"),
    "unpack": (_exchange_work, "_screens", "after"),
    "unpacked": (exchange, "unpacked", "before"),
    "draw": (queued_screens, "add_screens", "after"),
    "adopted": (taking_back, "adopt", "after"),
    "hidden": (taking_back, "hide", "after"),
    "put_back": (taking_back, "put_back", "after"),
    "rows": (taking_back, "by_and_by", "after"),
    "deleted": (project_removal, "hide", "after"),
    "sweep": (project_removal, "sweep", "before"),
    "swept": (project_removal, "by_and_by", "after"),
}


def die() -> None:
    """The end, without goodbye."""
    os.kill(os.getpid(), signal.SIGKILL)


def arm(point: str, count: int) -> None:
    """Make the process die at the `count`-th arrival at `point`."""
    owner, name, when = POINTS[point]
    inner: Callable[..., Any] = getattr(owner, name)
    arrivals = itertools.count(1)

    def arrived(moment: str) -> None:
        if moment == when and next(arrivals) == count:
            die()

    @functools.wraps(inner)
    def plain(*args: Any, **more: Any) -> Any:
        arrived("before")
        found = inner(*args, **more)
        arrived("after")
        return found

    @functools.wraps(inner)
    async def waiting(*args: Any, **more: Any) -> Any:
        arrived("before")
        found = await inner(*args, **more)
        arrived("after")
        return found

    @contextmanager
    def around(*args: Any, **more: Any) -> Any:
        with inner(*args, **more) as found:
            yield found
        arrived("after")

    setattr(
        owner,
        name,
        {"send": waiting, "submit": waiting, "fetch": waiting, "batch": around}.get(name, plain),
    )


def person(scope: Scope, who: str) -> None:
    """Grade all there is, with values that the cells decide, and say which saves are safe."""
    mine = small.scope_of(scope.ws, who)
    for number in itertools.count(1):
        found = grading.next_screens(mine, "study", 1)
        if not found:
            return
        name = f"{who}-{os.getpid()}-{number}"
        small.save(mine, found[0], name)
        print(name, flush=True)
        time.sleep(random.random() * 0.004)


def bring(scope: Scope, path: str) -> None:
    """Bring in a folder; what an earlier process left half done is mended first, as the app does
    when it starts."""
    importing_stage.sweep_interrupted(scope.ws)
    _read_pass.BATCH = 100  # as 500 with five times the rows
    report = importing_stage.stage(scope, "study", Path(path))
    print("staged", flush=True)
    importing_stage.finish(scope, report.import_id)
    print("finished", flush=True)


def back(scope: Scope, number: str) -> None:
    """Take an import back."""
    take_back.take_back(scope, int(number))
    print("back", flush=True)


def remove(scope: Scope, path: str) -> None:
    """Write the project's export, then delete it."""
    written = export_whole(scope, "study", Path(path))
    delete.delete(scope, "study", "study", written.state)
    print("deleted", flush=True)


def main(action: str, path: str, argument: str, point: str = "", count: str = "1") -> None:
    """Do `action`; see above."""
    if point:
        arm(point, int(count))
    scope = small.scope_of(open_workspace(Path(path)))
    print("ready", flush=True)
    match action:
        case "person":
            person(scope, argument)
        case "run":
            print(runs.execute(scope.ws, int(argument)), flush=True)
        case "import":
            bring(scope, argument)
        case "back":
            back(scope, argument)
        case "delete":
            remove(scope, argument)
        case "route":
            route(scope, "study")
            print("routed", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
