"""A rubric that is not in force yet, tried on one real answer: its rules at once, metrics as they
were measured, a judge when asked for.

Nothing becomes a verdict. A judge's call stands in the ledger, so that the same question is never
bought again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from graders.core.errors import NotAllowed, NotFound
from graders.core.records import Mark, MetricValue, Problem, Subject
from graders.core.rubric import Criterion, Rubric, read_rubric
from graders.core.words import error_parts, say
from graders.store.answers import content, metric_values
from graders.store.answers.content import StoredSubject
from graders.store.calls.ledger import SqlLedger
from graders.workflows.calling import asked_criteria
from graders.workflows.cells.outputs import outputs_of
from graders.workflows.cells.rule_values import grade_safely, rules_of
from graders.workflows.evaluate.carry import Room
from graders.workflows.results import answer as results_answer
from graders.workflows.runs import run_plan
from graders.workflows.scope.missing_reasons import reason_words
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.rubric_check import check_rubric
from graders.workflows.scope.seen import mark_seen

#: Seconds that a try waits for a judge.
PATIENCE = 120.0


class GraderKind(StrEnum):
    """What graded an answer."""

    RULE = "rule"
    METRIC = "metric"
    JUDGE = "judge"


@dataclass(frozen=True, slots=True)
class TriedMark:
    """What a grader says of a criterion ("" of none): the word of its value and the reason."""

    criterion: str
    part: str
    grader: str
    kind: GraderKind
    word: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """A rubric tried on one answer (`text`): what each grader says, and what the judge took in
    dollars and seconds; None where no judge was asked, or no price is known."""

    question: str
    model: str
    text: str
    rows: Sequence[TriedMark]
    judge: str
    money: float | None = None
    seconds: float | None = None


@needs("run")
def try_rubric(
    scope: Scope, project_name: str, source: str, subject: int, judge: str = ""
) -> Tried:
    """Per criterion of the text what its rules say of an answer, what its metrics measured and,
    with `judge`, what that judge says.

    `judge` is one that is set up, or PROVIDER:MODEL; it is asked about this answer alone, with the
    server's key.
    """
    project = scope.project(project_name)
    rubric = check_rubric(read_rubric(source))
    found = content.subjects(scope.ws.db, [subject])
    if not found or not content.questions(scope.ws.db, project, [found[0].subject.question.id]):
        raise NotFound(**error_parts("rubrics.no_answer", subject=subject))
    stored = found[0].subject
    values = metric_values.metrics_of(scope.ws.db, [subject]).get(subject, [])
    rows = [row for criterion in rubric.criteria for row in _rules(found[0], criterion)]
    rows += [
        _measured(criterion, measured, stored)
        for criterion in rubric.criteria
        if (measured := results_answer.metric_of(outputs_of(criterion), values)) is not None
    ]
    mark_seen(scope, [subject])
    money, seconds = None, None
    if judge:
        judged, money, seconds = _judge(scope, project_name, rubric, stored, judge)
        rows += judged
    return Tried(
        question=stored.question.text,
        model=stored.answer.model,
        text=stored.answer.text,
        rows=rows,
        judge=judge,
        money=money,
        seconds=seconds,
    )


def _measured(criterion: Criterion, value: MetricValue, subject: Subject) -> TriedMark:
    word = "" if value.value is None else f"{value.value:.2f}"
    why = (
        reason_words(value.reason, metric=value.metric, subject=subject)
        if value.reason
        else say("rubrics.measured")
    )
    return TriedMark(criterion.title, "", value.metric, GraderKind.METRIC, word, why)


def _rules(subject: StoredSubject, criterion: Criterion) -> list[TriedMark]:
    if subject.subject.other is not None:
        return []
    return [
        _row(criterion, "", name, GraderKind.RULE, grade_safely(rule, subject.subject, criterion))
        for name, rule in rules_of(criterion)
    ]


def _row(criterion: Criterion, part: str, grader: str, kind: GraderKind, mark: Mark) -> TriedMark:
    word = "" if mark.value is None else criterion.scale.word(mark.value)
    why = mark.rationale or (reason_words(mark.reason) if mark.reason else "")
    return TriedMark(criterion.title, part, grader, kind, word, why)


def _judge(
    scope: Scope, project_name: str, rubric: Rubric, subject: Subject, name: str
) -> tuple[list[TriedMark], float | None, float]:
    """What a judge says of the answer under the text that is not in force, its dollars and
    seconds."""
    if scope.actor.own_key_only:
        raise NotAllowed(**error_parts("rubrics.own_key.try"))
    ws, project = scope.ws, scope.project(project_name)
    asked = [c for c in rubric.criteria if c.grader("judge") is not None]
    (setup,) = run_plan.settled(ws, project, {"judges": [name]}).setups(ws, criteria=asked)
    answerable = asked_criteria.answerable(setup.judge, subject, rubric, asked)
    requests = setup.judge.requests([subject], rubric, answerable) if answerable else []
    room = Room(SqlLedger(ws, project, 0), False, 4, PATIENCE)
    outcomes = asyncio.run(
        room.call(
            requests,
            setup.provider,
            lambda request, reply: list(
                setup.judge.read(request, reply, {subject.key: subject}, rubric)
            ),
            setup.author,
        )
    )
    refused = [
        (c, setup.judge.cannot(subject, rubric, c, "")) for c in asked if c not in answerable
    ]
    rows = [
        _row(criterion, "", setup.name, GraderKind.JUDGE, mark)
        for criterion, mark in refused
        if mark is not None
    ]
    for outcome in outcomes:
        if outcome.cause:
            why = reason_words(outcome.cause, outcome.detail)
            rows.append(TriedMark("", "", setup.name, GraderKind.JUDGE, "", why))
        for item in outcome.items:
            if not isinstance(item, Problem):
                criterion = rubric.criterion(item.criterion)
                rows.append(_row(criterion, item.part, setup.name, GraderKind.JUDGE, item.mark))
    money = [outcome.money for outcome in outcomes]
    return (
        rows,
        None if None in money else sum(m for m in money if m is not None),
        sum(outcome.reply.seconds or 0.0 for outcome in outcomes),
    )
