"""What a collection asks and what it will cost: the order, its calls, and the plan that is shown
before anything is sent."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graders.core.errors import InputError, NotFound
from graders.core.hashing import text_hash
from graders.core.records import BadRow, Question, Request
from graders.core.shapes import JSON
from graders.core.text import BYTES_PER_TOKEN, bytes_of
from graders.core.words import error_parts, say
from graders.store import projects
from graders.store.answers import content
from graders.store.calls import ledger
from graders.store.projects import Project
from graders.store.workspace import Workspace
from graders.workflows.calling.asking import Source, request_for
from graders.workflows.calling.call import Budget, call_key
from graders.workflows.calling.key_routes import shown
from graders.workflows.importing import look as importing_look

#: Assumed before a model has answered: seconds of a call, tokens of an answer.
ASSUMED_SECONDS, ASSUMED_TOKENS = 10.0, 400
#: Calls of a collection are no calls of a judge or a benchmark, which cannot use a reply that was
#: cut.
OCCASION = "collect"
#: Settings that say nothing about how an answer was sampled, or may hold a key.
UNSAID = ("stream", "headers")


@dataclass(frozen=True, kw_only=True)
class Order:
    """What `collect` is asked to do.

    `questions` is a file of questions that come into the project first; None asks all questions of
    the project. `settings` are for all models, a source's own go before them. `occasion` names a
    repetition: replies of another one are not used. `missing` leaves out what a model has answered
    already, wherever that answer came from.
    """

    sources: tuple[Source, ...]
    questions: Path | None = None
    system: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    limit: Budget = field(default_factory=Budget)
    timeout: float = 300.0
    occasion: str = ""
    missing: bool = False
    rubric: str = ""

    def settings_of(self, source: Source) -> JSON:
        """The settings of a model's calls."""
        return {**self.settings, **source.settings}


@dataclass(frozen=True, slots=True)
class Standing:
    """The present answers of a project: (question id, model) -> (version, hash of the text)."""

    answers: Mapping[tuple[str, str], tuple[int, str]]

    def version_for(self, question: str, model: str, text: str) -> int:
        """The version that `text` is: the present one where it is the same, else the next."""
        version, name = self.answers.get((question, model), (0, ""))
        return version if version and name == text_hash(text) else version + 1


@dataclass(frozen=True, slots=True)
class ModelPlan:
    """What asking one model will cost.

    `questions` to ask, of which `known` have a stored reply and `calls` are left to send; their
    tokens, US dollars (`money`, None where no price is known) and seconds, which go by earlier
    replies where they are `measured`. `address` and `key` say where calls and the key go; settings
    that the provider does not take are `left_out`; `lacking` is what the model cannot be asked
    without, empty where nothing is; so many present answers it `replaces` by new versions.
    """

    name: str
    provider: str
    model: str
    address: str
    questions: int
    known: int
    calls: int
    input_tokens: int
    output_tokens: int
    money: float | None
    seconds: float
    measured: bool
    concurrency: int
    key: str
    left_out: list[str]
    lacking: str
    replaces: int


@dataclass(frozen=True, slots=True)
class CollectPlan:
    """What a collection will ask and cost: `questions`, `bad_rows` of the file of questions, and
    all models together. `money` in US dollars, None where a price is not known; the budget that the
    order sets, None for no limit."""

    project: str
    questions: int
    bad_rows: int
    models: list[ModelPlan]
    calls: int
    known: int
    money: float | None
    seconds: float
    budget_money: float | None
    budget_calls: int | None


def questions_of(
    scope: Any, project_name: str, order: Order
) -> tuple[list[Question], list[BadRow]]:
    """What is to be asked, and bad rows of the file of questions. Nothing is written."""
    if order.questions is None:
        questions = list(content.questions(scope.ws.db, scope.project(project_name)).values())
        if not questions:
            raise InputError(**error_parts("collecting.project_empty", project=project_name))
        return questions, []
    questions, bad = importing_look.read_questions(scope, order.questions)
    if not questions:
        found = say("collecting.bad_rows", n=len(bad)) if bad else say("collecting.no_rows")
        file = order.questions.name
        raise InputError(**error_parts("collecting.file_empty", file=file, found=found))
    return questions, bad


def standing(ws: Workspace, project_name: str) -> Standing:
    """What the project's models have answered; nothing where there is no such project yet."""
    try:
        project = projects.get_project(ws, project_name)
    except NotFound:
        return Standing({})
    keys = {row: question.id for row, question in content.questions(ws.db, project).items()}
    versions = content.answer_versions(ws.db, list(keys))
    return Standing(
        {(keys[row], model): max(found.items()) for (row, model), found in versions.items()}
    )


def requests_of(
    order: Order, source: Source, questions: Sequence[Question], there: Standing
) -> dict[str, Request]:
    """A model's calls, by question."""
    occasion = f"{OCCASION}:{order.occasion}" if order.occasion else OCCASION
    return {
        question.id: request_for(
            question, source, system=order.system, occasion=occasion, **order.settings_of(source)
        )
        for question in questions
        if not (order.missing and (question.id, source.name) in there.answers)
    }


def lanes(sources: Sequence[Source]) -> dict[tuple[str, str], list[Source]]:
    """Models by provider and address: those of one are asked one after the other, so that its limit
    holds."""
    found: dict[tuple[str, str], list[Source]] = {}
    for source in sources:
        found.setdefault((source.provider, str(source.make().address)), []).append(source)
    return found


def plan_of(
    ws: Workspace,
    project_name: str,
    order: Order,
    questions: Sequence[Question],
    bad: Sequence[BadRow],
) -> CollectPlan:
    """Calls, tokens, money and time, by model and in all."""
    there = standing(ws, project_name)
    try:
        project = projects.get_project(ws, project_name)
    except NotFound:
        project = None
    models = [
        _model_plan(ws, project, order, source, requests_of(order, source, questions, there), there)
        for source in order.sources
    ]
    seconds = [
        sum(m.seconds for m in models if (m.provider, m.address) == lane)
        for lane in {(m.provider, m.address) for m in models}
    ]
    prices = [m.money for m in models if m.calls]
    known_prices = [money for money in prices if money is not None]
    return CollectPlan(
        project=project_name,
        questions=len(questions),
        bad_rows=len(bad),
        models=models,
        calls=sum(m.calls for m in models),
        known=sum(m.known for m in models),
        money=None if len(known_prices) < len(prices) else sum(known_prices),
        seconds=sum(seconds) if _by_turns(order) else max(seconds, default=0.0),
        budget_money=order.limit.money,
        budget_calls=order.limit.calls,
    )


def _by_turns(order: Order) -> bool:
    """Whether providers are asked one after the other: only then what is left of a budget is known
    to each."""
    return order.limit.money is not None or order.limit.calls is not None


def _model_plan(
    ws: Workspace,
    project: Project | None,
    order: Order,
    source: Source,
    requests: Mapping[str, Request],
    there: Standing,
) -> ModelPlan:
    provider = source.make()
    keys = {question: call_key(request, provider.address) for question, request in requests.items()}
    known = ledger.stored_keys(ws.db, list(keys.values()))
    # same words, same call
    left = list(
        {key: requests[question] for question, key in keys.items() if key not in known}.values()
    )
    past = ledger.past_calls(ws.db, project, source.model) if project is not None else None
    input_tokens = (
        bytes_of(text for request in left for _, text in request.messages) // BYTES_PER_TOKEN
    )
    output_tokens = round((past.output_tokens if past else ASSUMED_TOKENS) * len(left))
    example = next(iter(requests.values()), None)
    return ModelPlan(
        name=source.name,
        provider=source.provider,
        model=source.model,
        address=shown(provider.address),
        questions=len(requests),
        known=len(requests) - len(left),
        calls=len(left),
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        money=provider.price(source.model, input_tokens, 0, output_tokens),
        seconds=math.ceil(len(left) / source.concurrency)
        * (past.seconds if past else ASSUMED_SECONDS),
        measured=past is not None,
        concurrency=source.concurrency,
        key=source.key_words(provider),
        left_out=list(provider.left_out(example)) if example is not None else [],
        lacking=str(getattr(provider, "lacking", "")),
        replaces=sum(
            (question, source.name) in there.answers
            for question, key in keys.items()
            if key not in known
        ),
    )


def sampling(order: Order, source: Source, provider: Any, request: Request) -> JSON:
    """How an answer was asked for, as it is kept beside the answer."""
    left_out = provider.left_out(request)
    sent = {
        name: value
        for name, value in request.settings.items()
        if name not in left_out and name not in UNSAID
    }
    found = {
        "provider": source.provider,
        "address": shown(provider.address),
        "model": source.model,
        "settings": sent,
        "left_out": list(left_out),
        "system": order.system,
        "occasion": order.occasion,
    }
    return {name: value for name, value in found.items() if value or name == "settings"}
