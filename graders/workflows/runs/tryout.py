"""What came back from a few answers that a judge was tried on, before all are asked about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graders.core.errors import NotFound
from graders.core.money import dollars
from graders.core.scale import Value
from graders.core.shapes import as_dict
from graders.core.words import error_parts, say
from graders.store import projects
from graders.store.answers import content
from graders.store.answers.content import StoredSubject
from graders.store.calls import ledger
from graders.store.calls import runs as run_store
from graders.store.calls.ledger import SqlLedger
from graders.store.opinions import cells as cell_store
from graders.store.opinions import stored_verdicts
from graders.store.projects import CriterionRow
from graders.store.workspace import Workspace
from graders.workflows.calling import asked_criteria, judging
from graders.workflows.calling.call import call_key
from graders.workflows.calling.judge_setup import JudgeSetup
from graders.workflows.calling.run_options import Options
from graders.workflows.cells.state import FAULTS
from graders.workflows.cells.told import whose
from graders.workflows.runs.try_judge import Quote, quotes
from graders.workflows.scope.missing_reasons import note_words, reason_words
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import several
from graders.workflows.scope.seen import mark_seen

#: Characters of a question that stand for it.
SHOWN = 160


@dataclass(frozen=True, slots=True)
class SaidCell:
    """What a judge said of a cell: the criterion's key and title, the value and its word (None and
    empty where there is none), and the reason for that as a code and in words (`why`).

    `confidence` is from 0 to 1, None where none was given; `part` is empty where a criterion has
    none.
    """

    criterion: str
    title: str
    part: str
    value: Value | None
    word: str
    status: str
    reason: str
    why: str
    confidence: float | None
    rationale: str
    note: str
    evidence: tuple[Quote, ...]


@dataclass(frozen=True, slots=True)
class JudgeOnAnswer:
    """What a judge said of an answer.

    `asked`: whether it is asked about it at all (a rule may close what it would be asked). Seconds,
    US dollars and tokens are those of its calls, each answer's share of a call about several; None
    where nothing usable came or no price is known.
    """

    name: str
    asked: bool
    seconds: float | None
    money: float | None
    tokens: int | float | None
    cells: list[SaidCell]


@dataclass(frozen=True, slots=True)
class TriedAnswer:
    """An answer of a try, with what each judge said of it; `question` is its beginning."""

    question_id: str
    question: str
    category: str
    model: str
    judges: list[JudgeOnAnswer]


@dataclass(frozen=True, slots=True)
class Tryout:
    """The answers of a try; `run` is its number, `measured` says that plans go by these calls from
    now on."""

    run: int
    title: str
    measured: bool
    answers: list[TriedAnswer]


@needs("look")
def tried(scope: Scope, project_name: str, run_id: int | None = None) -> Tryout:
    """The answers of a try (the latest run, or one by its number) with what each judge said of
    them."""
    ws, project = scope.ws, scope.project(project_name)
    run = run_store.latest_run(ws, project) if run_id is None else run_store.get_run(ws, run_id)
    if (
        run is None
        or run.project_id != project.id
        or not run.settings.get("tries")
        or run.settings.get("workshop")
    ):
        raise NotFound(**error_parts("runs.error.no_try", project=project.name))
    options = Options.of(run.settings)
    setups = options.setups(
        ws, criteria=asked_criteria.judged_criteria(ws, project, options.faults)
    )
    subjects = content.subjects(ws.db, options.only)
    criteria = {
        c.id: c
        for c in projects.criteria(ws, project)
        if c.criterion.grader("judge") is not None
        or (options.faults and c.criterion.rubric == FAULTS.name)
    }
    said = _said(ws, subjects, criteria)
    tasks = {
        s.name: list(
            judging.tasks(ws, project, s, options.only, afresh=True, faults=options.faults)
        )
        for s in setups
    }
    asked = {name: {row for task in found for row in task.rows} for name, found in tasks.items()}
    calls = {setup.name: _calls(ws, project, setup, tasks[setup.name]) for setup in setups}
    answers = [
        TriedAnswer(
            question_id=s.subject.question.id,
            question=s.subject.question.text[:SHOWN],
            category=s.subject.question.category,
            model=whose(s.subject),
            judges=[
                JudgeOnAnswer(
                    name=setup.name,
                    asked=s.id in asked[setup.name],
                    **as_dict(calls[setup.name].of.get(s.id, _Took(None, None, None))),
                    cells=said.get((s.id, setup.author), []),
                )
                for setup in setups
            ],
        )
        for s in subjects
    ]
    mark_seen(scope, [s.id for s in subjects])
    measured = bool(setups) and all(
        ledger.past_calls(ws.db, project, setup.judge.model) is not None for setup in setups
    )
    return Tryout(run.id, _title(list(calls.values())), measured, answers)


@dataclass(frozen=True, slots=True)
class _Took:
    """What a call took: seconds, US dollars, tokens; None where it is not known."""

    seconds: float | None
    money: float | None
    tokens: int | float | None

    def share(self, of: int) -> _Took:
        """An answer's share of a call about `of` answers, which each waited for all of it."""
        if of == 1:
            return self
        money = None if self.money is None else self.money / of
        return _Took(self.seconds, money, None if self.tokens is None else self.tokens / of)

    def plus(self, other: _Took) -> _Took:
        """Both together; what is not known of one is not known of both."""
        return _Took(
            _sum(self.seconds, other.seconds),
            _sum(self.money, other.money),
            _sum(self.tokens, other.tokens),
        )


@dataclass(frozen=True)
class _Calls:
    """What a judge was asked in a try: `asked` calls, the `replies` to them that can be used, by
    key, and the share `of` each answer."""

    asked: int
    replies: Mapping[str, _Took]
    of: Mapping[int, _Took]


def _calls(
    ws: Workspace, project: projects.Project, setup: JudgeSetup, tasks: Sequence[judging.Task]
) -> _Calls:
    """The calls of a try with seconds, money and tokens of the stored replies."""
    store = SqlLedger(ws, project, 0)
    keys: set[str] = set()
    replies: dict[str, _Took] = {}
    found: dict[int, _Took] = {}
    for task in tasks:
        keys.add(key := call_key(task.request, setup.provider.address))
        reply = store.known(key)
        if reply is None:
            continue
        tokens = (reply.input_tokens, reply.output_tokens)
        money = None
        if reply.input_tokens is not None and reply.output_tokens is not None:
            money = setup.provider.price(
                setup.judge.model, reply.input_tokens, reply.cached_tokens or 0, reply.output_tokens
            )
        one = _Took(reply.seconds, money, None if None in tokens else sum(t or 0 for t in tokens))
        replies[key] = one
        share = one.share(len(task.rows))
        for row in task.rows:
            found[row] = found[row].plus(share) if row in found else share
    return _Calls(len(keys), replies, found)


def _sum(first: float | None, second: float | None) -> float | None:
    return None if first is None or second is None else first + second


def _said(
    ws: Workspace, subjects: Sequence[StoredSubject], criteria: Mapping[int, CriterionRow]
) -> dict[tuple[int, str], list[SaidCell]]:
    """(subject row, author) -> what a judge said, in the order of the rubric."""
    place = {criterion: at for at, criterion in enumerate(criteria)}
    cells = [
        c
        for c in cell_store.cells_of(ws.db, [s.id for s in subjects])
        if c.criterion_id in criteria
    ]
    given = stored_verdicts.verdicts_of(ws.db, [c.id for c in cells])
    found: dict[tuple[int, str], list[SaidCell]] = {}
    for cell in sorted(cells, key=lambda c: (place[c.criterion_id], c.id)):
        row = criteria[cell.criterion_id]
        for verdict in given.get(cell.id, []):
            if verdict.author_kind != "judge" or verdict.criterion_hash != row.hash:
                continue
            mark = verdict.mark
            if row.criterion.rubric == FAULTS.name and mark.value == row.scale.values[0]:
                continue  # a fault that was not found
            found.setdefault((cell.subject_id, verdict.author), []).append(
                SaidCell(
                    criterion=row.key,
                    title=row.criterion.title,
                    part=cell.part,
                    value=mark.value,
                    word="" if mark.value is None else row.scale.word(mark.value),
                    status=mark.status,
                    reason=mark.reason,
                    why=reason_words(mark.reason, mark.rationale),
                    confidence=mark.confidence,
                    rationale=mark.rationale,
                    note=note_words(verdict.metadata),
                    evidence=quotes(mark),
                )
            )
    return found


def _title(calls: Sequence[_Calls]) -> str:
    """``5 replies came back, each after 1.4 s and for $0.0003.``"""
    asked, there = (
        sum(one.asked for one in calls),
        [reply for one in calls for reply in one.replies.values()],
    )
    if calls and not asked:
        return say("runs.tried.not_asked")
    if not there:
        return say("runs.tried.nothing")
    some = (
        say("runs.tried.back", replies=several(len(there), "reply"))
        if len(there) == asked
        else say("runs.tried.usable", usable=len(there), n=asked)
    )
    prices = [reply.money for reply in there if reply.money is not None]
    price = (
        dollars(sum(prices) / len(prices), each=True)
        if len(prices) == len(there)
        else say("runs.paid.unknown_price")
    )
    seconds = sum(reply.seconds or 0.0 for reply in there) / len(there)
    return say("runs.tried.title", n=len(there), some=some, seconds=seconds, price=price)
