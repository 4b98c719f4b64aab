"""Work in the terminal: the bars of a run and of an import, and what Ctrl-C does to a run."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from graders.commands._shell import hint, messages
from graders.core.errors import StoppedEarly
from graders.core.money import dollars
from graders.core.run_state import RunState, Wish
from graders.core.words import say
from graders.store.calls import runs as run_store
from graders.workflows.runs import runs
from graders.workflows.runs.progress import Progress as RunProgress
from graders.workflows.runs.stages import StageState
from graders.workflows.scope.permissions import Scope

_SHOWN = (StageState.WORKING, StageState.DONE, StageState.FAILED, StageState.STOPPED)


def work(scope: Scope, run_id: int, models: dict[str, str]) -> RunState:
    """Work on a run with bars in a terminal; returns its state. Ctrl-C pauses it, a second one ends
    the process."""
    with (
        Progress(
            TextColumn("{task.description:<9}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[money]}"),
            console=messages,
            transient=False,
            disable=not messages.is_terminal,
        ) as bars,
        _pausing(scope, run_id),
    ):
        tasks: dict[str, Any] = {}

        def listen(progress: RunProgress) -> None:
            for stage in progress.stages:
                name = stage.name
                if stage.state in _SHOWN and stage.total:
                    if name not in tasks:
                        tasks[name] = bars.add_task(
                            stage.title, total=stage.total, rate="", money=""
                        )
                    spent = money(progress.money, progress.unpriced) if name == "judge" else ""
                    bars.update(
                        tasks[name],
                        completed=stage.done,
                        total=stage.total,
                        rate=rate(stage.rate),
                        money=spent,
                    )

        return runs.execute(scope.ws, run_id, models=models, listen=listen)


@contextmanager
def importing(
    reading: bool = True,
) -> Iterator[tuple[Callable[[int], None], Callable[[str, int, int], None]]]:
    """A line in a terminal for what an import does: who is told how many rows were read, and what
    comes after that (what, done, total). Without `reading` no rows are read first."""
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[count]}"),
        TimeRemainingColumn(),
        console=messages,
        transient=True,
        disable=not messages.is_terminal,
    ) as bars:
        first = say("terminal.progress.reading") if reading else ""
        line = bars.add_task(first, total=None, count="", visible=reading)
        stages = {"": line}

        def read(rows: int) -> None:
            bars.update(line, count=f"{rows:,}")

        def doing(what: str, done: int, total: int) -> None:
            if what not in stages:
                for earlier in stages.values():
                    bars.update(earlier, visible=False)
                stages[what] = bars.add_task(what, total=None, count="")
                bars.refresh()  # told also where it takes less time than a look
            bars.update(
                stages[what],
                completed=done,
                total=total or None,
                count=say("terminal.progress.count", done=done, total=total) if total else "",
            )

        yield read, doing


@contextmanager
def sorting() -> Iterator[Callable[[str, int, int], None]]:
    """A line in a terminal for the order in which cells are tested: who is told what is done, and
    how far it is."""
    with importing(reading=False) as (_, doing):
        yield doing


def rate(found: float | None) -> str:
    """Things a second."""
    return say("terminal.progress.rate_unknown") if found is None else f"{found:.1f}/s"


def money(known: float, unpriced: int) -> str:
    """US dollars so far; what was paid at an unknown price is unknown, not 0."""
    spent = dollars(known)
    return (
        spent
        if not unpriced
        else say("terminal.progress.unknown_price", spent=spent)
        if known
        else dollars(None)
    )


@contextmanager
def _pausing(scope: Scope, run_id: int) -> Iterator[None]:
    """Inside, the first Ctrl-C is the wish to pause."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    asked = threading.Event()

    def wish() -> None:
        try:
            run_store.wish(scope.ws, run_id, Wish.PAUSE)
        finally:
            scope.ws.close()

    def interrupted(number: int, frame: FrameType | None) -> None:
        if asked.is_set():  # the ledger and the verdicts bear that at any moment
            messages.print(
                (say("terminal.progress.ended", hint=hint("grade --resume"))),
                markup=False,
            )
            messages.show_cursor(True)
            os._exit(StoppedEarly.exit_code)
        asked.set()
        messages.print(say("terminal.progress.pausing"))
        # In a thread of its own: this one may be in the middle of a transaction.
        threading.Thread(target=wish).start()

    before = signal.signal(signal.SIGINT, interrupted)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
