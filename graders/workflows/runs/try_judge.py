"""A judge, or a panel of several, tried on one answer: what it is asked, what came back, how that
is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graders.core import discovery
from graders.core.errors import InputError, NotFound
from graders.core.money import dollars
from graders.core.preference import TURNED
from graders.core.records import KnownCell, Mark, Problem, Reply, Verdict
from graders.core.rubric import Criterion
from graders.core.shapes import JSON
from graders.core.words import error_parts, say
from graders.judges.panel import METHODS
from graders.store.answers import content
from graders.store.answers.content import StoredSubject
from graders.store.calls import ledger
from graders.store.projects import Project
from graders.workflows.calling import asked_criteria, judging, tried_answers
from graders.workflows.calling.call import Outcome, call_key
from graders.workflows.calling.judge_setup import JudgeSetup
from graders.workflows.calling.samples import Samples
from graders.workflows.cells.told import whose
from graders.workflows.runs import run_plan, runs
from graders.workflows.scope.missing_reasons import note_words, reason_words
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import several
from graders.workflows.scope.seen import mark_seen

#: Answers that a try is offered.
OFFERED = 30


@dataclass(frozen=True, slots=True)
class OfferedAnswer:
    """An answer (row id) to try a judge on: the beginning of its question, and whose it is."""

    id: int
    question: str
    model: str


@dataclass(frozen=True, slots=True)
class Quote:
    """Evidence: words of the answer and whether they are `found` there (None where nothing was
    looked for), or that something is `absent`."""

    quote: str
    absent: bool
    found: bool | None


@dataclass(frozen=True, slots=True)
class ReadItem:
    """What was read from a reply, in words: a verdict on a cell, or `why` there is none.

    `word` is empty where there is no value, `part` where the criterion has none, `model` where a
    call is about one answer alone; `confidence` is from 0 to 1, None where none was given.
    """

    criterion: str
    part: str
    word: str
    why: str
    confidence: float | None = None
    rationale: str = ""
    note: str = ""
    evidence: tuple[Quote, ...] = ()
    model: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """A message of a prompt."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class TriedCall:
    """A call of a judge about an answer, and what came back.

    `settings` and `schema` are sent as they stand here, without the names in `left_out`, which the
    model does not take; `raw` is the reply's text, None where there is none; `cause` says why in
    words; `money` is in US dollars, None where no price is known.
    """

    judge: str
    messages: list[Message]
    settings: JSON
    left_out: list[str]
    schema: JSON | None
    raw: str | None
    state: str
    cause: str
    money: float | None
    seconds: float | None
    read: list[ReadItem]


@dataclass(frozen=True, slots=True)
class TriedAnswer:
    """What a judge, or several, are asked about one answer and said of it.

    `method` is how a panel makes one verdict of theirs, empty for a single judge; `together` is
    what it makes, or what the repeated samples of a single judge make.
    """

    judge: str
    author: str
    question: str
    question_id: str
    model: str
    title: str
    calls: list[TriedCall]
    method: str
    together: list[ReadItem]


@needs("look")
def offered(scope: Scope, project_name: str) -> list[OfferedAnswer]:
    """Answers to try a judge on, drawn over categories, models and questions."""
    project = scope.project(project_name)
    found = content.subjects(scope.ws.db, tried_answers.draw(scope.ws, project, OFFERED))
    return [OfferedAnswer(s.id, s.subject.question.text[:120], whose(s.subject)) for s in found]


@needs("run")
def plan_try(
    scope: Scope, project_name: str, judge: str, subject: int, more: Mapping[str, Any]
) -> run_plan.RunPlan:
    """What `start_try` would cost; nothing is sent."""
    return runs.plan(scope, project_name, _options(scope, project_name, judge, subject, more))


@needs("run")
def start_try(
    scope: Scope, project_name: str, judge: str, subject: int, more: Mapping[str, Any]
) -> runs.Started:
    """Start a run that asks a judge, or each of several (names with commas between them, or the
    project's panel), about one answer; returns as `runs.start` does. `more` are further options of
    the run."""
    options = _options(scope, project_name, judge, subject, more)
    return runs.start(scope, project_name, options, scope.actor.person_id)


def _options(
    scope: Scope, project_name: str, judge: str, subject: int, more: Mapping[str, Any]
) -> dict[str, Any]:
    """The options of the run that asks about one answer."""
    project = scope.project(project_name)
    _subject(scope, project, subject)
    names, _ = _asked(project, judge, "")
    return {**more, "judges": names, "tries": 1, "only": [subject], "beside": True}


@needs("run")
def tried(
    scope: Scope,
    project_name: str,
    judge: str,
    subject: int,
    more: Mapping[str, Any] | None = None,
    panel: str = "",
) -> TriedAnswer:
    """What a judge is asked about one answer, and what came back where it was asked: prompt, raw
    reply, verdicts as they are read.

    Of several judges (names with commas between them) the calls of each, and under `together` what
    a panel makes of them by the method `panel` (median, else as named), or what the repeated
    samples of one make; the project's panel may be named as it is listed. Nothing is sent.
    InputError for a judge that cannot be made.
    """
    ws, project = scope.ws, scope.project(project_name)
    stored = _subject(scope, project, subject)
    names, method = _asked(project, judge, panel)
    setups = run_plan.settled(ws, project, {**(more or {}), "judges": names}).setups(
        ws, criteria=asked_criteria.judged_criteria(ws, project)
    )
    calls, said, seen = [], _Said(stored), {subject}
    for setup in setups:
        for task in judging.tasks(ws, project, setup, [subject], afresh=True):
            call, items = _call(scope, setup, task)
            calls.append(call)
            said.add(setup, task, items)
            seen.update(task.rows)
    mark_seen(scope, seen)
    question = stored.subject.question
    return TriedAnswer(
        judge=judge,
        author=", ".join(setup.author for setup in setups),
        question=question.text[:300],
        question_id=question.id,
        model=whose(stored.subject),
        title=_tried_title(calls),
        calls=calls,
        method=method,
        together=said.together([setup.author for setup in setups], method),
    )


def _asked(project: Project, judge: str, method: str) -> tuple[list[str], str]:
    """The judges that are meant, and how their verdicts are made one; no method for a single one.
    InputError for an unknown method."""
    panel = project.settings.get("panel") or {}
    if panel and judge.strip() == panel.get("author"):
        return list(panel["members"]), method or str(panel["method"])
    names = list(dict.fromkeys(name.strip() for name in judge.split(",") if name.strip()))
    if method and method not in METHODS:
        raise InputError(
            **error_parts("runs.error.panel", found=repr(method)[:60], names=", ".join(METHODS))
        )
    return names, (method or METHODS[0]) if len(names) > 1 else ""


class _Said:
    """What judges say of one answer, by cell."""

    def __init__(self, stored: StoredSubject) -> None:
        self.key = stored.subject.key
        self.cells: dict[tuple[str, str], dict[str, Verdict]] = {}
        self.criteria: dict[str, Criterion] = {}
        self.samples: dict[str, Samples] = {}

    def add(self, setup: JudgeSetup, task: judging.Task, items: Sequence[Any]) -> None:
        """Take in what a reply says: as in a run, repeated samples make one verdict when all are
        there, and so do both orders of a pair."""
        cause = "" if any(isinstance(item, Verdict) for item in items) else "empty"
        samples = self.samples.setdefault(setup.author, Samples(setup.judge))
        whole = samples.gather(Outcome(task.request, "", Reply(), items, cause), task.rubric)
        for item in whole.items if whole is not None else ():
            if isinstance(item, Verdict) and item.subject == self.key:
                self.criteria[item.criterion] = task.rubric.criterion(item.criterion)
                self.cells.setdefault((item.criterion, item.part), {}).setdefault(
                    setup.author, item
                )

    def together(self, members: Sequence[str], method: str) -> list[ReadItem]:
        """What a panel makes of it; without a method what the samples of the one judge make, where
        it asks for several."""
        if not method:
            return [
                _of_samples(v, self.criteria[name])
                for (name, _), said in self.cells.items()
                for v in said.values()
                if "samples" in v.metadata
            ]
        judge = discovery.make("judges", "panel", {"members": list(members), "method": method})
        found = []
        for (name, part), said in self.cells.items():
            marks = {author: verdict.mark for author, verdict in said.items()}
            (verdict,) = judge.derive(
                [KnownCell(subject=self.key, part=part, judges=marks)], self.criteria[name]
            )
            found.append(_words(verdict, self.criteria[name]))
        return found


def _tried_title(calls: Sequence[TriedCall]) -> str:
    there = [call for call in calls if call.raw]
    if not there and any(call.cause for call in calls):
        return say("runs.try.no_reply")
    if not calls:
        return say("runs.try.no_call")
    if not there:
        return say("runs.try.not_sent", calls=several(len(calls), "call"))
    money = [call.money for call in there]
    price = (
        say("runs.paid.unknown_price")
        if None in money
        else dollars(sum(m for m in money if m is not None), each=True)
    )
    return say("runs.try.paid", replies=several(len(there), "reply"), price=price)


def _call(scope: Scope, setup: JudgeSetup, task: judging.Task) -> tuple[TriedCall, Sequence[Any]]:
    """A call as it is shown, and what its reply says."""
    found = ledger.call_of(scope.ws.db, call_key(task.request, setup.provider.address))
    reply = found.reply if found is not None else None
    items = [] if reply is None else setup.judge.read(task.request, reply, task.shown, task.rubric)
    shown = TriedCall(
        judge=setup.name,
        messages=[Message(role, text) for role, text in task.request.messages],
        settings=dict(task.request.settings),
        left_out=list(setup.provider.left_out(task.request)),
        schema=None if task.request.schema is None else dict(task.request.schema),
        raw=None if reply is None else reply.text or reply.raw or reply.detail,
        state=say("runs.try.unsent") if found is None else found.state,
        cause=reason_words(found.cause) if found is not None and found.cause else "",
        money=None if found is None else found.money,
        seconds=None if found is None else found.seconds,
        read=[_item(item, task) for item in items],
    )
    return shown, items


def _item(item: Verdict | Problem, task: judging.Task) -> ReadItem:
    if isinstance(item, Problem):
        return ReadItem("", "", "", reason_words(item.cause, item.detail))
    found = _words(item, task.rubric.criterion(item.criterion))
    # The word is about the pair in its own order; the call beside it names its answers by their
    # places there.
    turned = say("runs.try.turned") if task.request.occasion == TURNED else ""
    model = item.subject.model if len(task.request.subjects) > 1 else ""
    return replace(found, note=found.note or turned, model=model)


def _words(item: Verdict, criterion: Criterion) -> ReadItem:
    """A verdict in words."""
    mark = item.mark
    return ReadItem(
        criterion=criterion.title,
        part=item.part,
        word="" if mark.value is None else criterion.scale.word(mark.value),
        why=reason_words(mark.reason, mark.rationale),
        confidence=mark.confidence,
        rationale=mark.rationale,
        note=note_words(item.metadata),
        evidence=quotes(mark),
    )


def quotes(mark: Mark) -> tuple[Quote, ...]:
    """The evidence of a mark."""
    return tuple(Quote(e.quote, e.absent, e.found) for e in mark.evidence)


def _of_samples(item: Verdict, criterion: Criterion) -> ReadItem:
    """What repeated samples make, in words, with each of them and how far they spread."""
    values = ", ".join(
        say("runs.try.no_value") if value is None else criterion.scale.word(value)
        for value in item.metadata["samples"]
    )
    if "spread" not in item.metadata:
        return replace(_words(item, criterion), note=say("runs.try.samples", values=values))
    spread = item.metadata["spread"]
    return replace(
        _words(item, criterion), note=say("runs.try.samples_spread", values=values, spread=spread)
    )


def _subject(scope: Scope, project: Project, subject: int) -> StoredSubject:
    found = content.subjects(scope.ws.db, [subject])
    if not found or found[0].question_id not in content.questions(
        scope.ws.db, project, [found[0].subject.question.id]
    ):
        raise NotFound(**error_parts("runs.error.no_answer", subject=subject))
    return found[0]


@needs("look")
def answer_row(scope: Scope, project_name: str, question_id: str = "", model: str = "") -> int:
    """The row of the answer of a model to a question; one that is drawn where neither is named."""
    project = scope.project(project_name)
    if not question_id and not model:
        drawn = tried_answers.draw(scope.ws, project, 1)
        if not drawn:
            raise NotFound(**error_parts("runs.error.no_answers", project=project.name))
        return drawn[0]
    rows = content.subject_rows(
        scope.ws.db, project, content.question_ids(scope.ws.db, project, [question_id]).values()
    )
    fits = [
        (version, row)
        for (_, name, version, other), row in rows.items()
        if not other and (not model or name == model)
    ]
    if not fits:
        raise NotFound(
            **error_parts(
                "runs.error.no_answer_of",
                model=repr(model) if model else say("runs.any_model"),
                question=question_id,
            )
        )
    return max(fits)[1]
