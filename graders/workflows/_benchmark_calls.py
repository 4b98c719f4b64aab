"""Asking models of Ollama: one call per case, through the ledger of a workspace, so that nothing is asked twice."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graders.core import discovery
from graders.core.errors import CogradeError, ProviderError
from graders.core.records import Question, Reply, Request, SubjectKey
from graders.store import runs as run_store
from graders.store.ledger import SqlLedger
from graders.store.projects import Project
from graders.store.workspace import Workspace
from graders.workflows.call import Outcome, call_all
from graders.workflows.run_options import Options

PROVIDER = "ollama"
#: Seconds between signs of life in the run's row; others take a run for dead after ten.
ALIVE = 2.0
#: Why a case was not asked: its model had stopped before.
NOT_ASKED = "not_asked"


@dataclass(frozen=True, slots=True)
class Failed:
    """Why a case has no answer: a cause of a provider, or ``not_asked``; `detail` in words."""

    cause: str
    detail: str = ""


@dataclass(slots=True)
class Asked:
    """What a model said, by case; `stop` is what stopped it before the end, None where it went through."""

    model: str
    replies: dict[str, Reply] = field(default_factory=dict)
    failed: dict[str, Failed] = field(default_factory=dict)
    known: int = 0
    stop: CogradeError | None = None

    @property
    def error(self) -> str:
        """The sentence that stopped the model; empty where nothing did."""
        return "" if self.stop is None else str(self.stop)

    @property
    def unreachable(self) -> bool:
        """Whether nobody answers at the address, so that no other model can be asked there."""
        return isinstance(self.stop, ProviderError) and self.stop.cause == "unreachable"


class Asker:
    """Asks models one after the other, as one run in a workspace. Use as a context manager: the run's row is closed at the end."""

    def __init__(self, ws: Workspace, project: Project, url: str, *, concurrency: int = 1, timeout: float = 600.0) -> None:
        self.ws, self.project, self.url, self.concurrency, self.timeout = ws, project, url, concurrency, timeout
        self.stopped = False
        self._spoke = 0.0

    def __enter__(self) -> Asker:
        with self.ws.write():  # made and claimed at once, so that no worker of grading runs takes it up
            self.run_id = run_store.add_run(self.ws, self.project, Options().to_json(), {}, "")
            run_store.claim(self.ws, self.run_id)
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        state = "stopped" if self.stopped or error is not None else "done"
        run_store.end(self.ws, self.run_id, state, "Models were asked for a benchmark.", {})

    @property
    def address(self) -> str:
        """Where models are asked."""
        return str(self._provider().address)

    def ask(self, model: str, requests: Mapping[str, Request], listen: Callable[[Outcome], None]) -> Asked:
        """The replies of `model` to `requests` (by case). Never raises for what provider or model did."""
        asked = Asked(model)
        names = {id(request): name for name, request in requests.items()}

        def take(outcomes: Sequence[Outcome]) -> None:
            for outcome in outcomes:
                name = names[id(outcome.request)]
                if outcome.cause:
                    asked.failed[name] = Failed(outcome.cause, outcome.detail)
                else:
                    asked.replies[name] = outcome.reply
                    asked.known += outcome.known
                listen(outcome)

        asyncio.run(self._ask(asked, list(requests.values()), take))
        for name in requests:
            if name not in asked.replies and name not in asked.failed:
                asked.failed[name] = why_not(asked.stop)
        return asked

    async def _ask(self, asked: Asked, requests: Sequence[Request], take: Callable[[Sequence[Outcome]], None]) -> None:
        provider = self._provider()
        try:
            report = await call_all(
                requests,
                provider=provider,
                ledger=SqlLedger(self.ws, self.project, self.run_id),
                read=lambda request, reply: (),
                on_outcomes=take,
                address=provider.address,
                price=provider.price,
                concurrency=self.concurrency,
                timeout=self.timeout,
                should_stop=self._should_stop,
            )
        finally:
            await provider.aclose()
        if report.stopped == "wish":
            self.stopped = True
        error = report.error
        if isinstance(error, ProviderError):
            remedy = provider.remedy(error.cause) or error.remedy
            where = f"model {asked.model}"
            asked.stop = ProviderError(where, cause=error.cause, found=error.found, expected=error.expected, remedy=remedy)
        else:
            asked.stop = error

    def _provider(self) -> Any:
        return discovery.make("providers", PROVIDER, {"base_url": self.url})

    def _should_stop(self) -> bool:
        if time.monotonic() - self._spoke < ALIVE:
            return self.stopped
        self._spoke = time.monotonic()
        self.stopped = self.stopped or run_store.report(self.ws, self.run_id, {}) != "run"
        return self.stopped


def why_not(stop: CogradeError | None) -> Failed:
    """Why a case was not asked: what stopped its model, else that people stopped the run."""
    cause = stop.cause if isinstance(stop, ProviderError) else NOT_ASKED
    return Failed(cause, "the run was stopped" if stop is None else str(stop))


def request_for(case: Question, model: str, **settings: Any) -> Request:
    """The call that asks `model` a case; streamed, so that the time to the first token is known."""
    return Request(
        subjects=(SubjectKey(case.id, model),),
        provider=PROVIDER,
        model=model,
        messages=(("user", case.text),),
        settings={"temperature": 0.0, "stream": True, **settings},
    )
