"""What a run will cost, before any money: its options as they are settled, cells, calls, tokens,
money and time, and what is odd about the judges that are named."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from graders.core.contracts import Finding
from graders.core.errors import NotAllowed, UsageError
from graders.core.records import Request
from graders.core.text import BYTES_PER_TOKEN, bytes_of
from graders.core.words import error_parts, say
from graders.store import projects
from graders.store.answers import content
from graders.store.calls import ledger
from graders.store.figures import reading
from graders.store.opinions import made_cells, pairs
from graders.store.projects import Project
from graders.store.workspace import Workspace
from graders.workflows.calling import asked_criteria, judging, split_claims, tried_answers
from graders.workflows.calling.batch_carrier import batched, price_of
from graders.workflows.calling.call import call_key
from graders.workflows.calling.judge_setup import JudgeSetup
from graders.workflows.calling.judge_shares import assigned
from graders.workflows.calling.known_replies import replies
from graders.workflows.calling.records import JudgePlan
from graders.workflows.calling.run_options import Options
from graders.workflows.calling.split_claims import ASSUMED_SECONDS
from graders.workflows.cells import derived_judges
from graders.workflows.cells.fault_list import asked_faults
from graders.workflows.cells.state import FAULTS
from graders.workflows.measuring import measure, text_scores
from graders.workflows.results import detail
from graders.workflows.runs import _anchor_figures, _judge_notes, _once_more
from graders.workflows.scope.permissions import Scope, needs

#: Assumed before a model has answered: tokens of a reply per criterion.
ASSUMED_TOKENS = 90
#: The same per named fault, most of which are absent.
ASSUMED_FAULT_TOKENS = 35
#: Texts measured in a second, about, before this workspace has measured any.
ASSUMED_RATE = 40.0


@dataclass(frozen=True, slots=True)
class RunPlan:
    """What a run will do and cost.

    Counts of cells, subjects and the pairs of answers among them; the names of rules and metrics,
    and of those rules that point out more than they measure (`detecting`); a model that splits
    answers into claims stands before the judges. Seconds, those of measuring
    among them; US dollars, None where a judge's price is not known. `anchors` says whether there
    are anchor questions, also where the run leaves them out; `faults` names those that judges look
    for. The last four, and `tries`, are the run's own options.
    """

    cells: int
    subjects: int
    pairs: int
    rules: list[str]
    detecting: list[str]
    metrics: list[str]
    judges: list[JudgePlan]
    problems: list[str]
    measure_seconds: float
    seconds: float
    money: float | None
    tries: int | None
    anchors: bool
    faults: list[str]
    concurrency: int
    panel: str
    budget_money: float | None
    budget_calls: int | None


@needs("run")
def plan(scope: Scope, project_name: str, options: Mapping[str, Any]) -> RunPlan:
    """Cells, calls, tokens, money and time of a run before anything is sent."""
    project = scope.project(project_name)
    ws = scope.ws
    chosen = asked_by(scope, settled(ws, project, assigned(ws, project, options)))
    need_own_headers(scope, chosen)
    chosen = drawn(ws, project, chosen)
    criteria = [c for c in projects.criteria(ws, project) if c.criterion.rubric != FAULTS.name]
    subjects = chosen.only or content.subject_ids(ws.db, project)
    rules, metrics, problems = measure.graders_of([] if chosen.tries else criteria)
    metrics |= {} if chosen.tries else text_scores.added(project, chosen.metrics)
    setups = chosen.setups(
        ws, chosen.stand_ins(), asked_criteria.judged_criteria(ws, project, chosen.faults)
    )
    splitter = chosen.splitter(ws, chosen.stand_ins())
    own_key = scope.actor.own_key_only and not chosen.all_keys_typed()
    judges: list[JudgePlan] = []
    if splitter:
        judges.append(split_claims.plan(ws, project, splitter, chosen))
    bought: set[str] = set()
    judges += [
        _judge_plan(ws, project, setup, chosen, setup is _judge_notes.first_asked(setups), bought)
        for setup in setups
    ]
    asked = [*([splitter] if splitter else []), *setups]
    judges = [
        replace(row, lacking=_judge_notes.lacking(setup, own_key))
        for row, setup in zip(judges, asked, strict=True)
    ]
    measuring = (
        0.0 if chosen.tries else len(subjects) / ASSUMED_RATE if metrics else len(subjects) / 2_000
    )
    money = (
        None
        if any(j.money is None and j.calls > j.known for j in judges)
        else sum((j.money or 0.0 for j in judges), 0.0)
    )
    return RunPlan(
        cells=made_cells.count_parts(ws.db, project, criteria, subjects),
        subjects=len(subjects),
        pairs=len(pairs.rows(ws.db, project).intersection(subjects)),
        rules=sorted({name for pairs in rules.values() for name, _ in pairs}),
        detecting=sorted(
            {
                name
                for pairs in rules.values()
                for name, rule in pairs
                if rule.finding is not Finding.MEASURED
            }
        ),
        metrics=sorted(metrics),
        judges=judges,
        problems=[str(problem) for problem in problems],
        measure_seconds=measuring,
        seconds=measuring + sum(j.seconds for j in judges),
        money=money,
        tries=chosen.tries,
        anchors=bool(project.settings.get(_anchor_figures.SETTING)),
        faults=asked_faults() if chosen.faults and chosen.judges else [],
        concurrency=chosen.concurrency,
        panel=chosen.panel,
        budget_money=chosen.budget_money,
        budget_calls=chosen.budget_calls,
    )


def settled(ws: Workspace, project: Project, given: Mapping[str, Any]) -> Options:
    """The options with the project's own judges as they are set up now."""
    known: Mapping[str, Any] = project.settings.get("judges") or {}
    names = [str(name).strip() for name in (*(given.get("judges") or ()), given.get("split") or "")]
    known = {**known, **(given.get("cards") or {})} if given.get("workshop") else known
    for name in names:
        if name and ":" not in name and name not in known and not derived_judges.is_derived(name):
            raise UsageError(
                **error_parts(
                    "runs.error.no_judge",
                    name=name[:60],
                    expected=say("runs.judge_or_one_of", names=", ".join(known))
                    if known
                    else say("runs.judge_form"),
                )
            )
    cards = {name: known[name] for name in names if name in known}
    prices = project.settings.get("prices") or {}
    return Options.of({**given, "cards": cards, "prices": prices})


def asked_by(scope: Scope, options: Options) -> Options:
    """The options, knowing whether a page asks."""
    return replace(options, from_page=options.from_page or scope.actor.through_page)


def need_own_headers(scope: Scope, options: Options) -> None:
    """Raise where headers would take from the environment what is no business of whoever asks."""
    if scope.actor.own_key_only and options.takes_from_environment():
        raise NotAllowed(**error_parts("runs.error.own_variable"))


def drawn(ws: Workspace, project: Project, options: Options) -> Options:
    """With the answers that the judges are tried on: such as they can be asked about."""
    if not options.tries or options.only:
        return options
    setups = options.setups(
        ws, criteria=asked_criteria.judged_criteria(ws, project, options.faults)
    )
    return replace(
        options, only=tried_answers.draw(ws, project, options.tries, setups, options.faults)
    )


def _judge_plan(
    ws: Workspace,
    project: Project,
    setup: JudgeSetup,
    options: Options,
    first: bool,
    bought: set[str],
) -> JudgePlan:
    """What a judge will cost. `bought` are the keys of calls that are bought before its turn; its
    own are added."""
    uncalled = judging.Uncalled()
    anchors = _anchor_figures.due(ws, project, setup, options)
    afresh, faults, only = options.afresh, options.faults, anchors.beside(options.only)
    found = list(
        judging.tasks(ws, project, setup, only, afresh=afresh, faults=faults, uncalled=uncalled)
    )
    if setup.judge.asks_together and (lost := replies(ws, setup, found).lost):
        found += judging.tasks_of_lost(ws, project, setup, lost, afresh, faults=faults)
    details = (
        list(detail.requests(ws, project, setup).values()) if first and not options.tries else []
    )
    again = _anchor_figures.repeats(ws, project, setup, anchors)
    once_more = _once_more.tasks(ws, project, setup, options)
    bill = judging.bill(
        ws, setup, [*details, *(task.request for task in (*again, *found, *once_more))], bought
    )
    bought.update(bill.left)
    left, requests = len(bill.left), bill.left.values()
    further = _once_more.expected(ws, project, setup, options, list(requests))
    # those had other sizes
    past = (
        None if setup.judge.asks_together else ledger.past_calls(ws.db, project, setup.judge.model)
    )
    if past:
        input_tokens, output_tokens = past.input_tokens * left, past.output_tokens * left
    else:
        form = max((len(str(task.request.schema)) for task in found[:1]), default=0)
        input_tokens = (
            sum(form + bytes_of(text for _, text in r.messages) for r in requests) / BYTES_PER_TOKEN
        )
        output_tokens = sum(_assumed(r) * len(r.subjects) for r in requests)
    input_tokens, output_tokens = (
        tokens * (1 + further.share) for tokens in (input_tokens, output_tokens)
    )
    seconds = math.ceil((left + further.calls) / options.concurrency) * (
        past.seconds if past else ASSUMED_SECONDS
    )
    price = price_of(setup, batched(setup)) if options.batch else setup.provider.price
    money = price(setup.judge.model, round(input_tokens), 0, round(output_tokens))
    mine = _own_criteria(ws, project, setup, options)
    models, uncut = reading.models(ws.db, project), _judge_notes.kept_whole(setup, found)
    return JudgePlan(
        name=setup.name,
        author=setup.author,
        key=setup.key_words,
        calls=bill.calls,
        done=len(uncalled.graded - {row for task in (*found, *once_more) for row in task.rows}),
        known=bill.known,
        input_tokens=round(input_tokens),
        output_tokens=round(output_tokens),
        money=money,
        seconds=seconds,
        measured=past is not None,
        once_more=further.calls,
        batch=options.batch,
        criteria=mine,
        price_name=setup.price_name,
        notes=_judge_notes.grades(setup, options, mine)
        + _anchor_figures.note(
            anchors,
            found,
            again,
            lambda task: call_key(task.request, setup.provider.address) in bill.left,
        )
        + _judge_notes.notes(
            setup, models, [task.request for task in found], len(details), uncut, uncalled.refused
        )
        + _judge_notes.further_faults(found, list(requests), money)
        + further.note,
    )


def _assumed(request: Request) -> int:
    """Tokens of a reply about one answer, before a model has answered."""
    if request.criteria == (FAULTS.criteria[0].key,):
        return ASSUMED_FAULT_TOKENS * len(request.parts_of(FAULTS.criteria[0]))
    return ASSUMED_TOKENS * (len(request.criteria) or 1)


def _own_criteria(
    ws: Workspace, project: Project, setup: JudgeSetup, options: Options
) -> list[str]:
    """The keys of the criteria that a judge grades; none where the run names no judge for any."""
    if not options.judge_criteria:
        return []
    asked = asked_criteria.judged_criteria(ws, project, options.faults)
    return [criterion.key for criterion in asked if setup.share.grades(criterion.key)]


@dataclass(frozen=True, slots=True)
class Noted:
    """A judge with sentences about it."""

    name: str
    notes: list[str]


@needs("run")
def check(scope: Scope, project_name: str, options: Mapping[str, Any]) -> list[Noted]:
    """The judges of a run's `options` that have something to be said of. Raises as a plan would for
    one that is none."""
    project = scope.project(project_name)
    chosen = settled(scope.ws, project, assigned(scope.ws, project, options))
    own_key = scope.actor.own_key_only and not chosen.all_keys_typed()
    found = []
    for setup in chosen.setups(scope.ws, chosen.stand_ins()):
        lacking = _judge_notes.lacking(setup, own_key)
        if said := [*_judge_notes.odd(setup), *([lacking] if lacking else [])]:
            found.append(Noted(setup.name, said))
    return found
