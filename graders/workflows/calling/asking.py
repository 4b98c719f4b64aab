"""Asking models: one call per question, without history, through the ledger of a workspace, so that
nothing is bought twice."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from graders.core import discovery
from graders.core.contracts import Provider
from graders.core.errors import CogradeError, ProviderError
from graders.core.records import Problem, Question, Reply, Request, SubjectKey
from graders.core.words import say
from graders.providers.http.connected import keep_fenced
from graders.store.calls import runs as run_store
from graders.store.calls.ledger import SqlLedger
from graders.store.projects import Project
from graders.store.workspace import Workspace
from graders.workflows.calling.call import Budget, CallReport, Delivery, Outcome, call_all
from graders.workflows.calling.key_routes import key_words
from graders.workflows.calling.records import Items
from graders.workflows.calling.run_options import NO_KEY, Options

#: Seconds between signs of life in the run's row; others take a run for dead after ten.
ALIVE = 2.0
#: Why a question was not asked: its model had stopped before.
NOT_ASKED = "not_asked"
#: Causes that are about the address or its key, so that no other model can be asked there.
OF_THE_ADDRESS = ("unreachable", "wrong_key", "quota")
#: What a judge cannot use and yet is the model's answer.
ANSWERS = ("length_stop", "refusal")


@dataclass(frozen=True, kw_only=True)
class Source:
    """A model and the way to it. `name` is what its answers are kept under, `provider` a provider's
    module, `options` its fields.

    At most `concurrency` calls to it are on the way at once.
    """

    name: str
    provider: str
    model: str
    options: Mapping[str, Any] = field(default_factory=dict, repr=False)  # may hold a key
    settings: Mapping[str, Any] = field(default_factory=dict)
    concurrency: int = 1
    #: Where its key is from: ``typed``, a variable, or "" for the provider's own; `strange`: its
    #: address came from a page.
    key_from: str = ""
    strange: bool = False

    def key_words(self, provider: Any) -> str:
        """Which key goes where, in words."""
        return key_words(
            provider,
            self.key_from,
            none=self.options.get("api_key") == NO_KEY,
            strange=self.strange,
        )

    def make(self) -> Any:
        """Its provider."""
        return keep_fenced(
            discovery.make(
                "providers", self.provider, {**self.options, "connections": self.concurrency}
            )
        )


@dataclass(frozen=True, slots=True)
class Failed:
    """Why a question has no answer: a cause of a provider, or ``not_asked``; `detail` in words."""

    cause: str
    detail: str = ""


@dataclass(slots=True)
class Asked:
    """What a model said, by question; `stop` is what stopped it before the end, None where it went
    through.

    `keys` are the names of the calls in the ledger; `report` counts them.
    """

    model: str
    replies: dict[str, Reply] = field(default_factory=dict)
    failed: dict[str, Failed] = field(default_factory=dict)
    known: int = 0
    stop: CogradeError | None = None
    keys: dict[str, str] = field(default_factory=dict)
    report: CallReport = field(default_factory=CallReport)

    @property
    def error(self) -> str:
        """The sentence that stopped the model; empty where nothing did."""
        return "" if self.stop is None else str(self.stop)

    @property
    def closed(self) -> bool:
        """Whether no other model can be asked at its address: nobody answers there, or not with
        this key."""
        return isinstance(self.stop, ProviderError) and self.stop.cause in OF_THE_ADDRESS


@dataclass(frozen=True)
class Whole(Provider):
    """Another provider, whose cut replies and refusals in words count as answers: that is what the
    model said."""

    version = "1"
    about = "Takes what a model said as its answer."

    inner: Any = None

    async def send(self, request: Request, timeout: float) -> Reply:
        """One send by the other provider."""
        reply: Reply = await self.inner.send(request, timeout)
        if reply.cause not in ANSWERS:
            return reply
        # OpenAI's protocol writes a refusal beside the text, under a finish reason that says
        # nothing about it.
        beside = reply.cause == "refusal" and reply.finish_reason == "stop"
        text = reply.text if reply.text.strip() else reply.detail if beside else ""
        return replace(reply, text=text, cause="", detail="") if text.strip() else reply

    async def aclose(self) -> None:
        """Close the other provider."""
        await self.inner.aclose()

    def remedy(self, cause: str) -> str:
        """What the other provider says."""
        return str(self.inner.remedy(cause))


@dataclass(frozen=True, slots=True)
class RunRow:
    """The row that keeps the calls: that of `run_id`, a run that the caller made, claimed and will
    end, else one of the asker's own.

    `progress` is written to it. `aside`: the row only keeps the calls of something that goes on
    beside the project's runs.
    """

    run_id: int | None = None
    progress: Callable[[], Mapping[str, Any]] = dict
    aside: bool = False


class Asker:
    """Asks models, as one run in a workspace. Use as a context manager: the run's row is closed at
    the end.

    `read` says what a reply holds of use, as for `call_all`: one with a Problem is asked for again
    by cause, and is not what was bought. With `whole` replies that were cut at the limit, and
    refusals in words, are answers too. The calls are kept under `row`.
    """

    def __init__(
        self,
        ws: Workspace,
        project: Project,
        message: str,
        *,
        timeout: float = 600.0,
        whole: bool = False,
        row: RunRow = RunRow(),
        read: Callable[[Request, Reply], Items] = lambda request, reply: (),
    ) -> None:
        self.ws, self.project, self.message, self.timeout, self.whole = (
            ws,
            project,
            message,
            timeout,
            whole,
        )
        self.stopped, self.wanted = False, "run"
        self._row, self._read = row, read
        self._spoke = 0.0
        self._ready: dict[str, Any] = {}

    def __enter__(self) -> Asker:
        if self._row.run_id is not None:
            self.run_id = self._row.run_id
            return self
        # made and claimed at once, so that no worker of grading runs takes it up
        with self.ws.write():
            settings = {
                **Options().to_json(),
                "asks": True,
                **({"aside": True} if self._row.aside else {}),
            }
            self.run_id = run_store.add_run(self.ws, self.project, settings, {}, "")
            run_store.claim(self.ws, self.run_id)
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if self._row.run_id is not None:
            return
        state = "stopped" if self.stopped or error is not None else "done"
        run_store.end(self.ws, self.run_id, state, self.message, {})

    def prepare(self, sources: Iterable[Source]) -> None:
        """Make the providers of models that will be asked side by side, before the first call:
        making one halts the calls of all."""
        for source in sources:
            self._ready[source.name] = provider = source.make()
            provider.prepare()

    async def aclose(self) -> None:
        """Close providers that were prepared and never asked."""
        while self._ready:
            await self._ready.popitem()[1].aclose()

    def ask(
        self, source: Source, requests: Mapping[str, Request], listen: Callable[[Outcome], None]
    ) -> Asked:
        """The replies of a model to `requests` (by question). Never raises for what provider or
        model did."""
        return asyncio.run(self.asked(source, requests, listen))

    async def asked(
        self,
        source: Source,
        requests: Mapping[str, Request],
        listen: Callable[[Outcome], None],
        limit: Budget | None = None,
    ) -> Asked:
        """As `ask`, within `limit`; several may be under way at once."""
        asked = Asked(source.name)
        names = {id(request): name for name, request in requests.items()}
        unread: list[Outcome] = []

        def take(outcomes: Sequence[Outcome]) -> None:
            for outcome in outcomes:
                name = names[id(outcome.request)]
                asked.keys[name] = outcome.key
                if outcome.cause:
                    asked.failed[name] = Failed(outcome.cause, outcome.detail)
                    unread.extend([outcome] if outcome.known else ())
                else:
                    asked.replies[name] = outcome.reply
                    asked.known += outcome.known
                listen(outcome)

        await self._call(source, asked, list(requests.values()), take, limit)
        # kept as usable by an earlier version, which did not read before it stored: not served for
        # ever
        if unread:
            ledger = SqlLedger(self.ws, self.project, self.run_id)
            with ledger.batch():
                for outcome in unread:
                    ledger.give_up(outcome.key, outcome.cause, outcome.reply)
        for name in requests:
            if name not in asked.replies and name not in asked.failed:
                asked.failed[name] = why_not(asked.stop)
        return asked

    async def _call(
        self,
        source: Source,
        asked: Asked,
        requests: Sequence[Request],
        take: Callable[[Sequence[Outcome]], None],
        limit: Budget | None,
    ) -> None:
        provider = self._ready.pop(source.name, None) or source.make()
        try:
            report = await call_all(
                requests,
                Delivery(
                    provider=Whole(provider) if self.whole else provider,
                    ledger=SqlLedger(self.ws, self.project, self.run_id),
                    address=provider.address,
                    price=provider.price,
                    concurrency=source.concurrency,
                    limit=limit,
                    timeout=self.timeout,
                    should_stop=self._should_stop,
                ),
                read=self._read,
                on_outcomes=take,
            )
        finally:
            await provider.aclose()
        asked.report = report
        if report.stopped == "wish":
            self.stopped = True
        error = report.error
        if isinstance(error, ProviderError):
            remedy = provider.remedy(error.cause) or error.remedy
            where = f"model {asked.model}"
            asked.stop = ProviderError(
                where, cause=error.cause, found=error.found, expected=error.expected, remedy=remedy
            )
        else:
            asked.stop = error

    def _should_stop(self) -> bool:
        if time.monotonic() - self._spoke < ALIVE:
            return self.stopped
        self._spoke = time.monotonic()
        self.wanted = run_store.report(self.ws, self.run_id, self._row.progress())
        self.stopped = self.stopped or self.wanted != "run"
        return self.stopped


def of_use(understand: Callable[[str], object]) -> Callable[[Request, Reply], Items]:
    """What `Asker` is told to read by: the Problem that `understand` finds in a reply's text, else
    nothing."""

    def read(request: Request, reply: Reply) -> Items:
        found = understand(reply.text)
        return (found,) if isinstance(found, Problem) else ()

    return read


def why_not(stop: CogradeError | None) -> Failed:
    """Why a question was not asked: what stopped its model, else that people stopped the run."""
    cause = stop.cause if isinstance(stop, ProviderError) else NOT_ASKED
    return Failed(cause, say("calling.run_stopped") if stop is None else str(stop))


def ollama_source(
    model: str, url: str, concurrency: int = 1, headers: Mapping[str, str] | None = None
) -> Source:
    """A model of Ollama, at `url` or its usual address; `headers` go with every call."""
    options = {"base_url": url, "headers": dict(headers or {})}
    return Source(
        name=model, provider="ollama", model=model, options=options, concurrency=concurrency
    )


def request_for(
    question: Question, source: Source, *, system: str = "", occasion: str = "", **settings: Any
) -> Request:
    """The call that asks a model a question and nothing before it; streamed, so that the time to
    the first token is known."""
    return Request(
        subjects=(SubjectKey(question.id, source.name),),
        provider=source.provider,
        model=source.model,
        messages=(*((("system", system),) if system else ()), ("user", question.text)),
        settings={"stream": True, **settings},
        occasion=occasion,
    )
