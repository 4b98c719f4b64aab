"""A rubric that is not in force yet, tried on one real answer: its rules at once, metrics as they
were measured, a judge when asked for.

Nothing becomes a verdict. A judge's call stands in the ledger, so that the same question is never
bought again.
"""

from __future__ import annotations

import asyncio
from typing import Any

from graders.core.errors import NotAllowed, NotFound
from graders.core.records import Mark, Problem, Subject
from graders.core.rubric import Criterion, Rubric, read_rubric
from graders.store.answers import content, metric_values
from graders.store.answers.content import StoredSubject
from graders.store.calls.ledger import SqlLedger
from graders.workflows.calling import judging
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


@needs("run")
def try_rubric(
    scope: Scope, project_name: str, source: str, subject: int, judge: str = ""
) -> dict[str, Any]:
    """Per criterion of the text what its rules say of an answer, what its metrics measured and,
    with `judge`, what that judge says.

    {question, model, text, rows: [{criterion, grader, kind, word, why}], money, seconds}. `judge`
    is one that is set up, or PROVIDER:MODEL; it is asked about this answer alone, with the server's
    key.
    """
    project = scope.project(project_name)
    rubric = check_rubric(read_rubric(source))
    found = content.subjects(scope.ws.db, [subject])
    if not found or not content.questions(scope.ws.db, project, [found[0].subject.question.id]):
        raise NotFound(
            f"answer {subject}",
            found="no such answer",
            expected="an answer of this project",
            remedy="Choose one of the list.",
        )
    stored = found[0].subject
    values = metric_values.metrics_of(scope.ws.db, [subject]).get(subject, [])
    rows = [row for criterion in rubric.criteria for row in _rules(found[0], criterion)]
    for criterion in rubric.criteria:
        measured = results_answer.metric_of(outputs_of(criterion), values)
        if measured is not None:
            word = "" if measured.value is None else f"{measured.value:.2f}"
            why = (
                reason_words(measured.reason, metric=measured.metric, subject=stored)
                if measured.reason
                else "as measured"
            )
            rows.append(
                {
                    "criterion": criterion.title,
                    "part": "",
                    "grader": measured.metric,
                    "kind": "metric",
                    "word": word,
                    "why": why,
                }
            )
    mark_seen(scope, [subject])
    said: dict[str, Any] = {"money": None, "seconds": None}
    if judge:
        said = _judge(scope, project_name, rubric, stored, judge)
        rows += said.pop("rows")
    return {
        "question": stored.question.text,
        "model": stored.answer.model,
        "text": stored.answer.text,
        "rows": rows,
        "judge": judge,
        **said,
    }


def _rules(subject: StoredSubject, criterion: Criterion) -> list[dict[str, Any]]:
    if subject.subject.other is not None:
        return []
    return [
        _row(criterion, "", name, "rule", grade_safely(rule, subject.subject, criterion))
        for name, rule in rules_of(criterion)
    ]


def _row(criterion: Criterion, part: str, grader: str, kind: str, mark: Mark) -> dict[str, Any]:
    word = "" if mark.value is None else criterion.scale.word(mark.value)
    why = mark.rationale or (reason_words(mark.reason) if mark.reason else "")
    return {
        "criterion": criterion.title,
        "part": part,
        "grader": grader,
        "kind": kind,
        "word": word,
        "why": why,
    }


def _judge(
    scope: Scope, project_name: str, rubric: Rubric, subject: Subject, name: str
) -> dict[str, Any]:
    """What a judge says of the answer under the text that is not in force."""
    if scope.actor.own_key_only:
        raise NotAllowed(
            "ask a judge here",
            found="no key of your own",
            expected="a lead",
            remedy="Try the judge on the Judges page with your key.",
        )
    ws, project = scope.ws, scope.project(project_name)
    asked = [c for c in rubric.criteria if c.grader("judge") is not None]
    (setup,) = run_plan.settled(ws, project, {"judges": [name]}).setups(ws, criteria=asked)
    answerable = judging.answerable(setup.judge, subject, rubric, asked)
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
        _row(criterion, "", setup.name, "judge", mark)
        for criterion, mark in refused
        if mark is not None
    ]
    for outcome in outcomes:
        if outcome.cause:
            why = reason_words(outcome.cause, outcome.detail)
            rows.append(
                {
                    "criterion": "",
                    "part": "",
                    "grader": setup.name,
                    "kind": "judge",
                    "word": "",
                    "why": why,
                }
            )
        for item in outcome.items:
            if not isinstance(item, Problem):
                rows.append(
                    _row(
                        rubric.criterion(item.criterion), item.part, setup.name, "judge", item.mark
                    )
                )
    money = [outcome.money for outcome in outcomes]
    return {
        "rows": rows,
        "money": None if None in money else sum(m for m in money if m is not None),
        "seconds": sum(outcome.reply.seconds or 0.0 for outcome in outcomes),
    }
