"""Outcomes on their way to whoever asked for them: in groups, in one thread that is not the
loop's."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from graders.workflows.calling.records import Outcome

#: Seconds that outcomes wait for company before they are handed over.
HAND_OVER = 0.05


class Outbox:
    """Hands outcomes over to `take`, which may write to a database. What it raises is raised in the
    task `group`."""

    def __init__(self, take: Callable[[Sequence[Outcome]], None]) -> None:
        self._take = take
        self._outcomes: list[Outcome] = []
        self._delivering = False
        self._last = asyncio.Event()
        self._thread = ThreadPoolExecutor(1, "outcomes")

    def put(self, outcomes: Sequence[Outcome], group: asyncio.TaskGroup) -> None:
        """Add outcomes; they are handed over soon."""
        self._outcomes += outcomes
        if not self._delivering:
            self._delivering = True
            group.create_task(self._deliver())

    def hurry(self) -> None:
        """No more outcomes come: those that wait are handed over at once."""
        self._last.set()

    def close(self) -> None:
        """End the thread."""
        self._thread.shutdown()

    async def _deliver(self) -> None:
        while self._outcomes:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._last.wait(), HAND_OVER)
            group, self._outcomes = self._outcomes, []
            await asyncio.get_running_loop().run_in_executor(self._thread, self._take, group)
        self._delivering = False
