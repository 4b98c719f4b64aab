"""Collect answers: N models are asked M questions, each call without history, and what they say
comes into the project.

A reply is kept in the ledger before it is used, so a collection that was interrupted goes on where
it stopped.
"""

from __future__ import annotations

import asyncio
import statistics
import threading
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from graders.core.errors import CogradeError, InputError, NotAllowed
from graders.core.records import Answer, Question, Reply, Request
from graders.core.rubric import Rubric
from graders.core.words import error_parts, say
from graders.store.calls import ledger
from graders.workflows.calling.asking import Asked, Asker, RunRow, Source, why_not
from graders.workflows.calling.call import Budget, Outcome
from graders.workflows.collecting._plan import (
    CollectPlan,
    ModelPlan,
    Order,
    Standing,
    lanes,
    plan_of,
    questions_of,
    requests_of,
    sampling,
    standing,
)
from graders.workflows.collecting.sources import (
    all_different,
    concurrency_of,
    read_models,
    source_of,
)
from graders.workflows.importing import stage as importing_stage
from graders.workflows.importing.replies_as_import import Imported, answer_of, bring
from graders.workflows.scope import named_rubrics
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.rubric_check import check_rubric

__all__ = [
    "Budget",
    "CollectPlan",
    "Collected",
    "Heard",
    "ModelCollected",
    "ModelPlan",
    "Order",
    "Source",
    "all_different",
    "collect",
    "concurrency_of",
    "plan",
    "read_models",
    "source_of",
]

#: Finish reasons of answers that were cut at a limit.
CUT = ("length", "max_tokens", "model_context_window_exceeded")


@dataclass(frozen=True, slots=True)
class Heard:
    """One question is through with one model: for whoever watches. `cause` is empty for an
    answer."""

    model: str
    question: str
    cause: str
    known: bool
    done: int
    total: int
    money: float | None = None


@dataclass(frozen=True, slots=True)
class ModelCollected:
    """What asking one model brought.

    Of its `questions` so many are `answered`, with a reply that was `known` or bought; those that
    `failed` by cause, and why the model could not be asked (`error`, empty otherwise); answers that
    were `cut` at the longest length. Medians in seconds, None without a figure; tokens, US dollars
    as far as prices are known (`money`) beside replies that are `unpriced`; `sends`, and causes of
    those that were `resends`.
    """

    name: str
    provider: str
    model: str
    questions: int
    answered: int
    known: int
    failed: dict[str, int]
    error: str
    cut: int
    first_token_seconds: float | None
    seconds: float | None
    input_tokens: int
    output_tokens: int
    money: float
    unpriced: int
    sends: int
    resends: dict[str, int]


@dataclass(frozen=True, slots=True)
class Collected:
    """What a collection brought, with the number of the `run` that keeps its calls.

    `stopped`: ``wish``, ``budget``, or empty where all was asked; `wanted` is what people asked of
    the run; `imported` are the counts of what came in, None where no answer came.
    """

    project: str
    run: int
    questions: int
    bad_rows: int
    models: list[ModelCollected]
    stopped: str
    wanted: str
    imported: Imported | None


@needs("run")
def plan(scope: Scope, project_name: str, order: Order) -> CollectPlan:
    """Calls, tokens, money and time before anything is sent; what is known already is counted
    apart. Nothing is written."""
    return _agreed(scope, project_name, order)[0]


def _agreed(
    scope: Scope, project_name: str, order: Order
) -> tuple[CollectPlan, list[Question], Rubric | None]:
    """The plan, what is asked, and the rubric that comes along."""
    rubric = check_rubric(named_rubrics.read_named_rubric(order.rubric)) if order.rubric else None
    questions, bad = questions_of(scope, project_name, order)
    agreed = plan_of(scope.ws, project_name, order, questions, bad)
    if order.limit.money is not None and agreed.money is None:
        unknown = ", ".join(m.name for m in agreed.models if m.money is None and m.calls)
        raise InputError(**error_parts("collecting.no_price", models=unknown))
    return agreed, questions, rubric


@needs("run")
def collect(
    scope: Scope,
    project_name: str,
    order: Order,
    listen: Callable[[Heard], None] = lambda heard: None,
    *,
    run_id: int | None = None,
    progress: Callable[[], Mapping[str, Any]] = dict,
) -> Collected:
    """Ask, keep, and bring the answers into the project (made if new, with a file of questions).

    `run_id` is a run of the caller's own, whose row is told the `progress`.
    A model that cannot be asked is told in the result (`ModelCollected.error`), the others go on.
    """
    if scope.actor.own_key_only:
        raise NotAllowed(**error_parts("collecting.need_lead"))
    agreed, wanted, rubric = _agreed(scope, project_name, order)
    if order.questions is not None:
        staged = importing_stage.stage(scope, project_name, order.questions, rubric=rubric)
        importing_stage.finish(scope, staged.import_id)
    project = scope.project(project_name)
    there = standing(scope.ws, project.name)
    jobs = {source.name: requests_of(order, source, wanted, there) for source in order.sources}
    with Asker(
        scope.ws,
        project,
        say("collecting.done"),
        timeout=order.timeout,
        whole=True,
        row=RunRow(run_id, progress),
    ) as asker:
        work = _Work(asker, order, jobs, listen, sum(map(len, jobs.values())))
        asyncio.run(work.run({model.name for model in agreed.models if model.calls}))
    answers = [
        answer
        for source in order.sources
        for answer in _answers(scope, order, source, jobs[source.name], work, there)
    ]
    brought = bring(scope, project.name, "collected", (), answers, rubric) if answers else None
    return Collected(
        project=project.name,
        run=asker.run_id,
        questions=len(wanted),
        bad_rows=agreed.bad_rows,
        models=[_collected(source, work.heard[source.name]) for source in order.sources],
        stopped="wish" if asker.stopped else work.stopped,
        wanted=asker.wanted,
        imported=brought,
    )


class _Work:
    """Providers side by side, the models of one after the other; with a budget everything by turns,
    so that it holds."""

    def __init__(
        self,
        asker: Asker,
        order: Order,
        jobs: Mapping[str, Mapping[str, Request]],
        listen: Callable[[Heard], None],
        total: int,
    ) -> None:
        self.asker, self.order, self.jobs, self.listen, self.total = (
            asker,
            order,
            jobs,
            listen,
            total,
        )
        self.heard: dict[str, Asked] = {}
        self.done, self.telling = 0, threading.Lock()
        self.stopped = ""

    async def run(self, calls: Collection[str]) -> None:
        """Ask them all; `calls` names the models that have something to be sent."""
        self.asker.prepare(source for source in self.order.sources if source.name in calls)
        try:
            await self._ask()
        finally:
            await self.asker.aclose()

    async def _ask(self) -> None:
        ways = lanes(self.order.sources).values()
        if self.order.limit != Budget():
            for sources in ways:
                await self._lane(sources)
            return
        try:
            async with asyncio.TaskGroup() as group:
                for sources in ways:
                    group.create_task(self._lane(sources))
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None

    async def _lane(self, sources: Sequence[Source]) -> None:
        dead: CogradeError | None = None
        for source in sources:
            requests = self.jobs[source.name]
            if dead is not None or self.asker.stopped or self.stopped:
                failed = {question: why_not(dead) for question in requests}
                self.heard[source.name] = Asked(source.name, failed=failed, stop=dead)
                continue
            asked = await self.asker.asked(
                source, requests, partial(self._tell, source.name), self._left()
            )
            self.heard[source.name] = asked
            dead = asked.stop if asked.closed else None
            if asked.report.stopped == "budget":
                self.stopped = "budget"

    def _tell(self, model: str, outcome: Outcome) -> None:
        question = outcome.request.subjects[0].question_id
        with self.telling:  # each provider has a thread that tells
            self.done += 1
            self.listen(
                Heard(
                    model,
                    question,
                    outcome.cause,
                    outcome.known,
                    self.done,
                    self.total,
                    outcome.money,
                )
            )

    def _left(self) -> Budget:
        """What is left of the budget."""
        limit, reports = self.order.limit, [asked.report for asked in self.heard.values()]
        return Budget(
            money=None
            if limit.money is None
            else max(0.0, limit.money - sum(report.money for report in reports)),
            calls=None
            if limit.calls is None
            else max(0, limit.calls - sum(report.sends for report in reports)),
        )


def _answers(
    scope: Scope,
    order: Order,
    source: Source,
    requests: Mapping[str, Request],
    work: _Work,
    there: Standing,
) -> list[Answer]:
    """What a model said, with its figures, price and the way it was asked."""
    asked, provider = work.heard[source.name], source.make()
    at = ledger.call_times(scope.ws.db, [asked.keys[question] for question in asked.replies])
    made = []
    for question, reply in asked.replies.items():
        how = {
            **sampling(order, source, provider, requests[question]),
            "answered_by": reply.model,
            "at": at.get(asked.keys[question], ""),
        }
        made.append(
            replace(
                answer_of(question, source.name, reply),
                version=there.version_for(question, source.name, reply.text),
                cost=_price(provider, source, reply),
                metadata={"collected": {name: value for name, value in how.items() if value != ""}},
            )
        )
    return made


def _price(provider: Any, source: Source, reply: Reply) -> float | None:
    """What an answer cost: its own tokens, whenever they were paid; None where no price is
    known."""
    if reply.input_tokens is None or reply.output_tokens is None:
        return None
    price: float | None = provider.price(
        source.model, reply.input_tokens, reply.cached_tokens or 0, reply.output_tokens
    )
    return price


def _collected(source: Source, asked: Asked) -> ModelCollected:
    """A model's counts and medians."""
    replies, report = asked.replies.values(), asked.report
    return ModelCollected(
        name=source.name,
        provider=source.provider,
        model=source.model,
        questions=len(asked.replies) + len(asked.failed),
        answered=len(asked.replies),
        known=asked.known,
        failed=dict(Counter(failed.cause for failed in asked.failed.values())),
        error=asked.error,
        cut=sum(reply.finish_reason in CUT for reply in replies),
        first_token_seconds=_median([r.first_token_seconds for r in replies]),
        seconds=_median([r.seconds for r in replies]),
        input_tokens=report.input_tokens,
        output_tokens=report.output_tokens,
        money=report.money,
        unpriced=report.unpriced,
        sends=report.sends,
        resends=dict(report.resends),
    )


def _median(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None
