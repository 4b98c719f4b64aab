"""Sentences for a rubric from disagreements that people put down to it: a judge may draft one, a
person takes it in the rubric editor.

A draft is kept in the log and changes nothing. Cases of questions that are held out are neither
shown nor sent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from graders.core.errors import InputError, NotAllowed
from graders.core.records import Problem, Request
from graders.core.shapes import JSON
from graders.core.words import error_parts, say
from graders.judges.asking.sentence import read_sentence, sentence_request
from graders.store import projects
from graders.store.projects import CriterionRow, Project
from graders.workflows.agreement.disagreements import MENDED, Wanted, disagreements
from graders.workflows.calling.asking import Asker, RunRow, Source, of_use
from graders.workflows.calling.call import Outcome
from graders.workflows.cells.state import FAULTS
from graders.workflows.collecting.sources import concurrency_of, source_of
from graders.workflows.scope.missing_reasons import reason_words
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.workshop.held_out import LookedAt

#: The reason that counts, the event of a draft, and the most cases that are sent.
UNCLEAR, EVENT, MOST_CASES = MENDED[0], "sentence", 8
#: Characters of a case's question and answer that are sent.
SENT = 1_200


@dataclass(frozen=True, slots=True)
class JudgesWord:
    """What a judge said of a case."""

    name: str
    word: str


@dataclass(frozen=True, slots=True)
class PersonsWord:
    """What a person said of a case, and why."""

    name: str
    word: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UnclearCase:
    """An answer on which people and judges differ because the rubric is unclear."""

    cell: int
    question_id: str
    question: str
    model: str
    answer: str
    judges: Sequence[JudgesWord]
    people: Sequence[PersonsWord]


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftedSentence:
    """A sentence that a judge (`by`) drafted from so many `cases`; `taken`: the guide of the
    criterion has it."""

    criterion: str
    sentence: str
    by: str
    cases: int
    at: str
    taken: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class UnclearCriterion:
    """A criterion with disagreements that are the rubric's, `total` of them; at most twenty `cases`
    of questions that are not held out; `drafts`, newest first."""

    key: str
    title: str
    guide: str
    total: int
    cases: Sequence[UnclearCase]
    drafts: Sequence[DraftedSentence]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSentence:
    """A sentence as a judge (`by`) drafted it from so many `cases`, and its dollars; where it is
    empty, `why` says in words why."""

    criterion: str
    by: str
    cases: int
    sentence: str
    money: float | None
    why: str


@needs("look")
def unclear(scope: Scope, project_name: str) -> list[UnclearCriterion]:
    """The criteria with disagreements that are the rubric's, most first; whoever looks has seen the
    marks of the cases."""
    project = scope.project(project_name)
    logged = projects.events(scope.ws, project, EVENT, limit=1_000)
    rows = []
    for row in projects.criteria(scope.ws, project):
        if row.criterion.rubric == FAULTS.name:
            continue
        total, cases = _cases(scope, project, row)
        guide = row.criterion.guide
        drafts = [
            DraftedSentence(
                **event.body, at=event.at, taken=event.body["sentence"] in (guide or "")
            )
            for event in logged
            if event.body["criterion"] == row.key
        ]
        if total or drafts:
            title = row.criterion.title
            rows.append(
                UnclearCriterion(
                    key=row.key, title=title, guide=guide, total=total, cases=cases, drafts=drafts
                )
            )
    return sorted(rows, key=lambda row: (-row.total, row.key))


@needs("run")
def draft(
    scope: Scope, project_name: str, criterion: str, judge: str, *, timeout: float = 120.0
) -> NewSentence:
    """Let a model (PROVIDER:MODEL[@ADDRESS]) draft a sentence for the guide of a criterion (its
    key): one call, in the ledger, sent again where its reply cannot be read.

    A further draft from the same cases is a purchase of its own. InputError where no person said
    that the rubric is unclear there.
    """
    if scope.actor.own_key_only:
        raise NotAllowed(**error_parts("rubrics.own_key.sentence"))
    project = scope.project(project_name)
    row, cases = _unclear_cases(scope, project, criterion)
    source = source_of(judge, concurrency_of(()))
    source = replace(source, name=judge.partition("@")[0])
    asked = [_sent(case) for case in cases[:MOST_CASES]]
    before = sum(
        event.body["criterion"] == criterion
        for event in projects.events(scope.ws, project, EVENT, limit=1_000)
    )
    request = sentence_request(
        row.criterion,
        asked,
        name=source.name,
        provider=source.provider,
        model=source.model,
        secret=scope.ws.secret(),
        sample=before,
    )
    sentence, money, why = _ask(scope, project, source, {criterion: request}, timeout)
    if sentence:
        body: JSON = {"criterion": criterion, "sentence": sentence, "by": source.name}
        projects.log_event(
            scope.ws, project, scope.actor.person_id, EVENT, {**body, "cases": len(asked)}
        )
    return NewSentence(
        criterion=criterion,
        by=source.name,
        cases=len(asked),
        sentence=sentence,
        money=money,
        why=why,
    )


def _ask(
    scope: Scope,
    project: Project,
    source: Source,
    requests: Mapping[str, Request],
    timeout: float,
) -> tuple[str, float | None, str]:
    """The sentence of a model's reply, its dollars, and why there is no sentence ("" where there is
    one)."""
    outcomes: list[Outcome] = []
    message = say("rubrics.drafted.sentence")
    with Asker(
        scope.ws,
        project,
        message,
        timeout=timeout,
        row=RunRow(aside=True),
        read=of_use(read_sentence),
    ) as asker:
        done = asker.ask(source, requests, outcomes.append)
    money = outcomes[-1].money if outcomes else None
    problem: Problem | None = None
    for outcome in outcomes:
        if outcome.cause:
            problem = Problem(cause=outcome.cause, detail=outcome.detail)
            continue
        sentence = read_sentence(outcome.reply.text)
        if not isinstance(sentence, Problem):
            return sentence, money, ""
        problem = sentence
    failure = problem or next(iter(done.failed.values()), None)
    return "", money, reason_words(failure.cause, failure.detail) if failure else done.error


def _unclear_cases(
    scope: Scope, project: Project, criterion: str
) -> tuple[CriterionRow, Sequence[UnclearCase]]:
    """A criterion by its key, and the cases that a draft may rest on: at least one."""
    name = repr(criterion[:60])
    row = next((row for row in projects.criteria(scope.ws, project) if row.key == criterion), None)
    if row is None:
        raise InputError(**error_parts("rubrics.no_criterion", criterion=name))
    total, cases = _cases(scope, project, row)
    if total and not cases:
        raise InputError(
            **error_parts("rubrics.all_held_out", criterion=name, reason=repr(UNCLEAR))
        )
    if not cases:
        raise InputError(**error_parts("rubrics.no_case", criterion=name, reason=repr(UNCLEAR)))
    return row, cases


def _cases(scope: Scope, project: Project, row: CriterionRow) -> tuple[int, Sequence[UnclearCase]]:
    """How many disagreements on a criterion are the rubric's, and the first of those that are
    looked at."""
    found = disagreements(
        scope,
        project.name,
        Wanted(criterion=row.key, group=UNCLEAR),
        allowed=LookedAt(project),
    )
    cases = [
        UnclearCase(
            cell=one.cell,
            question_id=one.question_id,
            question=one.question,
            model=one.model,
            answer=one.answer,
            judges=[JudgesWord(said.name, said.word) for said in one.said if said.kind == "judge"],
            people=[
                PersonsWord(said.name, said.word, said.rationale)
                for said in one.said
                if said.kind == "person"
            ],
        )
        for one in found.rows
    ]
    return found.total, cases


def _sent(case: UnclearCase) -> dict[str, str]:
    return {
        "question": case.question[:SENT],
        "answer": case.answer[:SENT],
        "comment": " ".join(person.why for person in case.people if person.why)[:SENT],
        "judge": ", ".join(dict.fromkeys(judge.word for judge in case.judges)),
        "people": ", ".join(dict.fromkeys(person.word for person in case.people)),
    }
