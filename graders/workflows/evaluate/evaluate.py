"""Grading one answer, or many, from Python: for test suites and notebooks. Nothing is stored but
the replies.

Replies are kept in a ledger: the file of a workspace, or else the memory of the process. A stored
reply is never bought again; with ``offline`` nothing is sent at all, so that a test suite that was
run once runs anywhere without a key. Two processes that evaluate the same new case in one file at
the same time may both buy it.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, TypeVar

from graders.core import discovery
from graders.core.contracts import Judge
from graders.core.errors import InputError, NotFound, UsageError
from graders.core.records import Mark, Problem, Reply, Request, Subject, Verdict
from graders.core.rubric import Criterion, Rubric
from graders.core.words import error_parts, say
from graders.judges.asking.by_criterion import ByCriterion
from graders.judges.asking.templates import check_templates
from graders.store import projects
from graders.store.calls.ledger import SqlLedger
from graders.store.workspace import Workspace, open_workspace
from graders.workflows.calling import asked_criteria
from graders.workflows.calling.call import Ledger, Outcome
from graders.workflows.calling.judge_setup import JudgeSetup, make_judge
from graders.workflows.calling.samples import samples_of
from graders.workflows.cells.rule_values import (
    closing_rules,
    decided_by_rules,
    decided_together,
    open_parts,
)
from graders.workflows.evaluate._cases import (
    Beside,
    Metadata,
    Result,
    Shares,
    read_case,
    result_of,
    shares,
)
from graders.workflows.evaluate._memory_ledger import MemoryLedger
from graders.workflows.evaluate.carry import Room, split_claims
from graders.workflows.scope.named_rubrics import read_named_rubric
from graders.workflows.scope.rubric_check import judge_models, wrong_judge

__all__ = ["Result", "aevaluate", "aevaluate_many", "evaluate", "evaluate_many"]

#: The project under which calls of evaluations stand in a workspace's ledger.
PROJECT = "evaluate"
T = TypeVar("T")
_shared_ledger, _shared_secret = MemoryLedger(), secrets.token_hex(24)


@dataclass(frozen=True, slots=True)
class EvaluateOptions:
    """What `evaluate` is told beside case, judge and rubric; there it says what each means."""

    workspace: str | Path | Workspace | None = None
    offline: bool = False
    threshold: float | None = None
    split: str = ""
    options: Mapping[str, Any] | None = None
    provider_options: Mapping[str, Any] | None = None
    base_url: str = ""
    concurrency: int = 16
    timeout: float = 120.0


#: Everything else that is given to `evaluate` belongs to the case.
OPTIONS = frozenset(field.name for field in fields(EvaluateOptions))


def evaluate(
    *, judge: str | Judge = "", rubric: str | Path | Rubric = "grounded", **case_and_options: Any
) -> Result:
    """Grade one case and wait for it.

    * the case: ``question``, ``answer``, ``context`` (a text or several), ``reference``, ``facts``,
      ``must_have``, ``task_type``, ``language``; or ``document`` and ``claim`` alone
    * ``rubric``: the name of one that ships with Cograde, a file, or a Rubric. As in a run, the
      judge is asked about criteria that name it among their graders, rules decide those that name
      only rules, and what people alone decide is left out
    * ``judge``: ``openai:MODEL``, ``ollama:MODEL``, ``checker:MODEL``, ``bare:MODEL``, or a Judge;
      none: the one model that the rubric names for all criteria that a judge grades
    * ``workspace``: a file whose ledger keeps the replies; none: this process's memory
    * ``offline``: send nothing; InputError says what to do where a reply is not in the ledger
    * ``threshold``: the score from 0 to 1 that each criterion needs to pass; without it all
      two-label criteria need their best label everywhere, and others half of their range
    * ``split``: a model (``openai:MODEL``) that splits long answers into claims; none: each
      sentence is one
    * ``options``, ``provider_options``: the judge's and the provider's (``{"context": 32768}`` for
      long documents over Ollama)
    * ``base_url``, ``concurrency``, ``timeout``: the provider's address, calls at once, seconds for
      one

    Raises CogradeError for what a person has to mend: a rubric, a case, a key, a model that is
    missing.
    """
    return _wait(aevaluate(judge=judge, rubric=rubric, **case_and_options))


async def aevaluate(
    *, judge: str | Judge = "", rubric: str | Path | Rubric = "grounded", **case_and_options: Any
) -> Result:
    """Grade one case, as `evaluate` does."""
    options = {name: case_and_options.pop(name) for name in OPTIONS & case_and_options.keys()}
    (result,) = await aevaluate_many([case_and_options], judge=judge, rubric=rubric, **options)
    return result


def evaluate_many(
    cases: Sequence[Mapping[str, Any]], *, judge: str | Judge = "", **options: Any
) -> list[Result]:
    """Grade several cases at once and wait for them: one result per case, in order. Options as
    `evaluate`."""
    return _wait(aevaluate_many(cases, judge=judge, **options))


async def aevaluate_many(
    cases: Sequence[Mapping[str, Any]],
    *,
    judge: str | Judge = "",
    rubric: str | Path | Rubric = "grounded",
    **options: Any,
) -> list[Result]:
    """Grade several cases at once: one result per case, in order. Options as `evaluate`."""
    told = EvaluateOptions(**options)
    chosen = _rubric(rubric)
    subjects = [read_case(case, number) for number, case in enumerate(cases)]
    parts = [shares(chosen, case) for case in cases]
    with _open(told.workspace, told.offline) as (ledger, secret):
        room = Room(ledger, told.offline, told.concurrency, told.timeout)
        setup = _setup(
            _model_of(chosen, [c for part in parts for c in part.judged]) if judge == "" else judge,
            chosen.criteria,
            secret,
            dict(told.options or {}),
            {"base_url": told.base_url, **(told.provider_options or {})},
        )
        if samples_of(setup.judge) > 1:
            raise InputError(
                **error_parts("evaluate.error.samples", samples=str(samples_of(setup.judge)))
            )
        claims_by: dict[str, str] = {}
        if told.split and any(c.elements == "claims" for part in parts for c in part.judged):
            subjects = await split_claims(room, told.split, subjects, secret, setup, claims_by)
        outcomes = await _ask(room, chosen, setup, subjects, [part.judged for part in parts])
    results = []
    for subject, part in zip(subjects, parts, strict=True):
        case = subject.key.question_id
        results.append(
            _result(
                chosen,
                setup.judge,
                subject,
                part,
                outcomes[case],
                told.threshold,
                claims_by.get(case, "sentences"),
            )
        )
    return results


def _model_of(rubric: Rubric, judged: Sequence[Criterion]) -> str:
    """The one model that a rubric names for the criteria that a judge grades."""
    for criterion in judged:
        if error := wrong_judge(criterion):
            raise error
    named = [judge_models(criterion) for criterion in judged]
    models = dict.fromkeys(model for some in named for model in some)
    if not all(named) or len(models) != 1:
        raise UsageError(
            **error_parts(
                "evaluate.error.no_judge",
                rubric=rubric.name,
                models=", ".join(models) or say("evaluate.error.no_judge_named"),
            )
        )
    return next(iter(models))


def _setup(
    judge: str | Judge,
    criteria: Sequence[Criterion],
    secret: str,
    options: dict[str, Any],
    provider_options: dict[str, Any],
) -> JudgeSetup:
    """The judge that is meant, with its provider."""
    if isinstance(judge, str):
        return make_judge(
            judge,
            secret=secret,
            options=options,
            provider_options=provider_options,
            criteria=criteria,
        )
    if isinstance(judge, list | tuple):
        raise UsageError(**error_parts("evaluate.error.judges", judges=len(judge)))
    if not isinstance(judge, Judge):
        raise UsageError(**error_parts("evaluate.error.judge", found=repr(judge)[:80]))
    provider = discovery.make(
        "providers", getattr(judge, "provider", "openai_chat"), provider_options
    )
    return JudgeSetup(judge.author, judge, provider)


async def _ask(
    room: Room,
    rubric: Rubric,
    setup: JudgeSetup,
    subjects: Sequence[Subject],
    criteria: Sequence[Sequence[Criterion]],
) -> dict[str, list[Outcome]]:
    """Outcomes by case."""
    by_key = {subject.key: subject for subject in subjects}
    requests: list[Request] = []
    for subject, own in zip(subjects, criteria, strict=True):
        answerable = asked_criteria.answerable(setup.judge, subject, rubric, own)
        # what a rule closes is not asked about
        left = [(c, open_parts(subject, c, closing_rules(c))) for c in answerable]
        asked = [
            c if parts is None else replace(c, parts=parts) for c, parts in left if parts != ()
        ]
        requests += setup.judge.requests([subject], rubric, asked) if asked else []

    def read(request: Request, reply: Reply) -> list[Verdict | Problem]:
        return list(setup.judge.read(request, reply, by_key, rubric))

    found: dict[str, list[Outcome]] = {subject.key.question_id: [] for subject in subjects}
    for outcome in await room.call(requests, setup.provider, read, setup.author):
        found[outcome.request.subjects[0].question_id].append(outcome)
    return found


def _result(
    rubric: Rubric,
    judge: Judge,
    subject: Subject,
    shared: Shares,
    outcomes: Sequence[Outcome],
    threshold: float | None,
    claims_by: str,
) -> Result:
    """The result of one case: a verdict for every cell, whatever became of its call."""
    made: dict[tuple[str, str], Verdict] = {}
    for outcome in outcomes:
        usable = [item for item in outcome.items if isinstance(item, Verdict)]
        share = None if outcome.money is None else outcome.money / max(1, len(usable))
        usable = [replace(item, cost=share) for item in usable]
        missing = (
            judge.unscored(outcome.request, rubric, outcome.cause, outcome.detail, usable)
            if outcome.cause
            else []
        )
        made.update({(v.criterion, v.part): v for v in (*usable, *missing)})
    criteria = [c for c in rubric.criteria if c in shared.judged or c in shared.ruled]
    verdicts: list[Verdict] = []
    beside: list[Verdict] = []
    for c in criteria:
        if c in shared.ruled:
            verdicts += decided_by_rules(subject, c)
            continue
        parts = c.parts_of(subject.question)
        said = [
            made.get((c.key, part)) or _unasked(rubric, judge, subject, c, part) for part in parts
        ]
        counting, others = decided_together(subject, c, said)
        verdicts, beside = verdicts + counting, beside + others
    moneys = [outcome.money for outcome in outcomes]
    given = "claims" in subject.answer.metadata and claims_by == "sentences"
    has_claims = any(c.elements == "claims" for c in shared.judged)
    metadata = Metadata(
        judge=judge.author,
        version="+".join(
            f"{one.name} {one.version}"
            for one in (judge.made_of if isinstance(judge, ByCriterion) else (judge,))
        ),
        cost=None if None in moneys else sum(money for money in moneys if money is not None),
        seconds=sum(outcome.reply.seconds or 0.0 for outcome in outcomes),
        cached=bool(outcomes) and all(outcome.known for outcome in outcomes),
        calls=len(outcomes),
        beside=tuple(Beside(v.criterion, v.part, v.author, v.mark.value) for v in beside),
        claims_by=("given" if given else claims_by) if has_claims else "",
    )
    return result_of(verdicts, criteria, threshold, metadata, shared.left_out)


def _unasked(
    rubric: Rubric, judge: Judge, subject: Subject, criterion: Criterion, part: str
) -> Verdict:
    """The verdict on a cell that no call was made for, with the reason."""
    mark = judge.cannot(subject, rubric, criterion, part)
    return Verdict(
        subject=subject.key,
        criterion=criterion.key,
        part=part,
        author=judge.author,
        author_kind="judge",
        mark=mark or Mark.unscored("not_asked", say("evaluate.not_asked")),
        criterion_hash=criterion.criterion_hash,
        recipe_hash=judge.recipe_of(rubric, criterion),
        grader_version=judge.version,
    )


def _rubric(found: str | Path | Rubric) -> Rubric:
    """The rubric that is meant, its templates checked."""
    rubric = found if isinstance(found, Rubric) else read_named_rubric(str(found))
    where = f"rubric {rubric.name}" if isinstance(found, Rubric) else Path(found).name
    check_templates(rubric, where)
    return rubric


@contextmanager
def _open(workspace: str | Path | Workspace | None, offline: bool) -> Iterator[tuple[Ledger, str]]:
    """The ledger of a workspace with its secret; that of this process where none is named. Offline
    no file is made."""
    if workspace is None:
        yield _shared_ledger, _shared_secret
        return
    if offline and not isinstance(workspace, Workspace) and not Path(workspace).exists():
        raise InputError(
            **error_parts(
                "evaluate.error.no_file",
                workspace=workspace,
                what=say("evaluate.error.no_file_in", folder=Path.cwd())
                if not Path(workspace).is_absolute()
                else say("evaluate.error.no_such_file"),
            )
        )
    ws = workspace if isinstance(workspace, Workspace) else open_workspace(workspace)
    try:
        try:
            project = projects.get_project(ws, PROJECT)
        except NotFound:
            project = projects.add_project(ws, PROJECT, say("evaluate.run_message"))
        # An evaluation is no run: nobody pauses or resumes it, so its calls stand under run 0.
        yield SqlLedger(ws, project, 0), ws.secret()
    finally:
        if ws is not workspace:
            ws.close()


def _wait(work: Coroutine[Any, Any, T]) -> T:
    """The result of `work`; in a thread of its own where a loop is running already, as in
    notebooks."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1, "evaluate") as pool:
        return pool.submit(asyncio.run, work).result()
