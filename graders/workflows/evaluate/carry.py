"""How calls of an evaluation are carried: over the ledger, offline where wanted, and first of all
to split answers into claims."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graders.core.claims import with_claims
from graders.core.errors import InputError, StoppedEarly
from graders.core.records import Problem, Reply, Request, Subject, Verdict
from graders.core.words import error_parts
from graders.judges.asking.claims import read_claims, split_request
from graders.workflows.calling.call import Delivery, Ledger, Outcome, call_all, call_key
from graders.workflows.calling.judge_setup import JudgeSetup, make_judge
from graders.workflows.calling.short_replies import ShortReplies


@dataclass(frozen=True)
class Room:
    """How calls of an evaluation are carried."""

    ledger: Ledger
    offline: bool
    concurrency: int
    timeout: float

    async def call(
        self,
        requests: Sequence[Request],
        provider: Any,
        read: Callable[[Request, Reply], Sequence[Verdict | Problem]],
        judge: str,
    ) -> list[Outcome]:
        """The outcome of each request; raises where the provider says no to all, or offline where a
        reply is missing."""
        if self.offline:
            missing = sum(
                self.ledger.known(call_key(request, provider.address)) is None
                for request in requests
            )
            if missing:
                raise InputError(
                    **error_parts(
                        "evaluate.error.offline",
                        judge=judge,
                        missing=missing,
                        address=provider.address,
                        requests=len(requests),
                    )
                )
        outcomes: list[Outcome] = []
        try:
            report = await call_all(
                requests,
                Delivery(
                    provider=ShortReplies(provider),
                    ledger=self.ledger,
                    address=provider.address,
                    price=provider.price,
                    concurrency=self.concurrency,
                    timeout=self.timeout,
                ),
                read=read,
                on_outcomes=outcomes.extend,
            )
        finally:
            await provider.aclose()
        if report.error is not None:
            raise report.error
        if report.stopped:
            raise StoppedEarly(**error_parts("evaluate.error.ended", stopped=report.stopped))
        return outcomes


async def split_claims(
    room: Room,
    name: str,
    subjects: Sequence[Subject],
    secret: str,
    judge: JudgeSetup,
    by: dict[str, str],
) -> list[Subject]:
    """The subjects with the claims that the model `name` finds in long answers; where it fails,
    sentences stay.

    `by` gets who split which case. A provider that is the judge's is reached at the judge's
    address.
    """
    setup = make_judge(name, secret=secret)
    if type(setup.provider) is type(judge.provider):
        setup = replace(setup, provider=replace(judge.provider))
    long = [
        s
        for s in subjects
        if "claims" not in s.answer.metadata and len(s.question.metadata["claims"]) > 1
    ]
    requests = [split_request(s, setup.judge.provider, setup.judge.model, secret) for s in long]

    def read(request: Request, reply: Reply) -> list[Verdict | Problem]:
        found = read_claims(reply)
        return [found] if isinstance(found, Problem) else []

    claims: dict[str, tuple[str, ...]] = {}
    for outcome in await room.call(requests, setup.provider, read, setup.author):
        found = read_claims(outcome.reply) if not outcome.cause else ()
        case = outcome.request.subjects[0].question_id
        if found and not isinstance(found, Problem):
            claims[case], by[case] = found, setup.author
        else:
            by[case] = f"sentences ({setup.author}: {outcome.cause or 'no claims'})"
    return [
        with_claims(
            replace(
                s,
                answer=replace(
                    s.answer, metadata={**s.answer.metadata, "claims": claims[s.question.id]}
                ),
            )
        )
        if s.question.id in claims
        else s
        for s in subjects
    ]
