"""Lists of required elements: drafted by a judge or written by a person, in force only when a
person has accepted them.

Nothing is graded against a draft. Accepting one changes what answers to this one question are asked
about, and nothing else: their verdicts on other criteria, and those of all other questions, stay as
they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from graders.core.errors import InputError, NotAllowed, NotFound
from graders.core.records import Problem, Question, Request
from graders.core.words import error_parts, say
from graders.judges.asking.elements import draft_request, read_draft
from graders.store import projects
from graders.store.answers import content
from graders.store.answers import drafts as store
from graders.store.answers.drafts import Draft, ListState
from graders.store.opinions import cells as cell_store
from graders.store.opinions import made_cells
from graders.store.projects import Project
from graders.store.workspace import Workspace
from graders.workflows.calling.asking import Asker, RunRow, Source, of_use
from graders.workflows.calling.call import Outcome
from graders.workflows.cells.state import FAULTS, refresh_all
from graders.workflows.collecting.sources import concurrency_of, source_of
from graders.workflows.scope.missing_reasons import reason_words
from graders.workflows.scope.people_names import called, names_of
from graders.workflows.scope.permissions import Scope, needs

#: Entries of a list, and characters of one: a checklist that people go through, answer by answer.
MOST, LONGEST = 500, 500


@dataclass(frozen=True, slots=True)
class ListStep:
    """A step of a list: what became of it, by whom, when, and for how many dollars (None: no price
    is known)."""

    state: ListState
    by: str
    at: str
    elements: Sequence[str]
    money: float | None


@dataclass(frozen=True, slots=True)
class QuestionList:
    """A question with the list it has, the draft that waits, and all steps before (`past`).

    `origin` says who drafted and accepted the list and when, empty for one that came with a file;
    `emptied`: a person took the list away, so that no bulk draft brings one back.
    """

    question_id: str
    question: str
    category: str
    task_type: str
    elements: Sequence[str]
    origin: Mapping[str, str]
    emptied: bool
    draft: ListStep | None
    past: Sequence[ListStep]


@dataclass(frozen=True, slots=True)
class ElementLists:
    """The questions of a project with their lists. `used`: a criterion grades such lists;
    `with_list` questions have one, `drafts` wait."""

    project: str
    used: bool
    questions: Sequence[QuestionList]
    with_list: int
    drafts: int


@dataclass(frozen=True, slots=True)
class Drafted:
    """What a judge drafted: ids of questions, those that failed with the reason, dollars for the
    calls of which so many had no known price (`unpriced`); `error` is the sentence that stopped the
    judge."""

    judge: str
    drafted: Sequence[str]
    failed: Mapping[str, str]
    money: float
    unpriced: int
    error: str


@dataclass(frozen=True, slots=True)
class AcceptedList:
    """A list that was put in force, and how many cells it has."""

    question_id: str
    elements: Sequence[str]
    cells: int


@dataclass(frozen=True, slots=True)
class DismissedDraft:
    """The question whose draft was laid aside."""

    question_id: str


@needs("look")
def lists(scope: Scope, project_name: str) -> ElementLists:
    """Questions with the list they have and the draft that waits, in their order."""
    project = scope.project(project_name)
    names = names_of(scope.ws)
    steps = store.drafts(scope.ws.db, project)
    rows = [
        _row(question, steps.get(row, []), names)
        for row, question in content.questions(scope.ws.db, project).items()
    ]
    return ElementLists(
        project.name,
        any(c.criterion.elements == "must_have" for c in projects.criteria(scope.ws, project)),
        rows,
        sum(bool(row.elements) for row in rows),
        sum(row.draft is not None for row in rows),
    )


@needs("run")
def draft(
    scope: Scope,
    project_name: str,
    judge: str,
    questions: Sequence[str] = (),
    *,
    timeout: float = 120.0,
    listen: Callable[[str], None] = lambda question: None,
) -> Drafted:
    """Let a model draft lists for `questions` (ids), or for all that have neither a list nor a
    draft that waits, and from which no person has taken a list away.

    `judge` is PROVIDER:MODEL[@ADDRESS]. A question that is named is drafted anew. The calls are in
    the ledger.
    """
    if scope.actor.own_key_only:
        raise NotAllowed(**error_parts("rubrics.own_key.lists"))
    project = scope.project(project_name)
    steps = store.drafts(scope.ws.db, project)
    wanted = {q.id: (row, q) for row, q in _wanted(scope.ws, project, questions, steps).items()}
    source = source_of(judge, concurrency_of(()))
    source = replace(source, name=judge.partition("@")[0])
    drafted: list[str] = []
    failed: dict[str, str] = {}
    money: list[float | None] = []

    def take(outcome: Outcome) -> None:
        name = outcome.request.subjects[0].question_id
        listen(name)
        if outcome.sends:
            money.append(outcome.money)
        found = (
            Problem(cause=outcome.cause, detail=outcome.detail)
            if outcome.cause
            else read_draft(outcome.reply.text)
        )
        if isinstance(found, Problem):
            failed[name] = reason_words(found.cause, found.detail)
            return
        at, key = scope.ws.now(), outcome.key
        step = Draft(ListState.DRAFTED, source.name, tuple(found), at, key, outcome.money)
        with scope.ws.write() as db:
            store.put(db, project, wanted[name][0], step)
        drafted.append(name)

    with Asker(
        scope.ws,
        project,
        say("rubrics.drafted.lists"),
        timeout=timeout,
        row=RunRow(aside=True),
        read=of_use(read_draft),
    ) as asker:
        asked = asker.ask(source, _requests(scope.ws, project, source, wanted, steps), take)
    failed |= {
        name: reason_words(why.cause, why.detail)
        for name, why in asked.failed.items()
        if name not in failed
    }
    return Drafted(
        source.name,
        drafted,
        failed,
        sum(m for m in money if m is not None),
        sum(m is None for m in money),
        asked.error,
    )


@needs("settings")
def accept(
    scope: Scope, project_name: str, question_id: str, elements: Sequence[str] | None = None
) -> AcceptedList:
    """Put a list in force: the draft as it stands, or `elements` as a person edited or wrote them;
    an empty one takes it away.

    The answers to this question are asked about the new list from now on. Verdicts on entries that
    stay are kept in force, those on others are kept in the record.
    """
    ws, project = scope.ws, scope.project(project_name)
    row, _ = _question(ws, project, question_id)
    waiting = _waiting(store.drafts(ws.db, project).get(row, []))
    if elements is None and waiting is None:
        raise InputError(**error_parts("rubrics.no_draft.accept", question=repr(question_id)))
    chosen = _cleaned(waiting.elements if elements is None and waiting else elements or ())
    by = scope.actor.person_id or scope.actor.role
    with ws.write() as db:
        step = Draft(ListState.ACCEPTED, by, chosen, ws.now())
        store.put(db, project, row, step)
        origin = {"accepted_by": by, "accepted_at": step.at}
        if waiting is not None:
            origin = {"drafted_by": waiting.by, "drafted_at": waiting.at, **origin}
        store.set_list(db, row, chosen, origin)
    criteria = [c for c in projects.criteria(ws, project) if c.criterion.rubric != FAULTS.name]
    subjects = content.subjects_of(ws.db, [row])
    made_cells.ensure_cells(ws, project, criteria, subjects)
    cells = cell_store.cells_of(ws.db, subjects)
    refresh_all(
        ws, project, [cell.id for cell in cells], route=bool(project.settings.get("routed"))
    )
    projects.log_event(
        ws,
        project,
        scope.actor.person_id,
        "elements",
        {"question": question_id, "elements": list(chosen)},
    )
    listed = {c.id for c in criteria if c.criterion.elements == "must_have"}
    graded = sum(cell.criterion_id in listed for cell in cells)
    return AcceptedList(question_id, list(chosen), graded)


@needs("settings")
def dismiss(scope: Scope, project_name: str, question_id: str) -> DismissedDraft:
    """Lay a draft aside; it stays in the record."""
    ws, project = scope.ws, scope.project(project_name)
    row, _ = _question(ws, project, question_id)
    waiting = _waiting(store.drafts(ws.db, project).get(row, []))
    if waiting is None:
        raise InputError(**error_parts("rubrics.no_draft.dismiss", question=repr(question_id)))
    by = scope.actor.person_id or scope.actor.role
    step = Draft(ListState.DISMISSED, by, waiting.elements, ws.now())
    with ws.write() as db:
        store.put(db, project, row, step)
    return DismissedDraft(question_id)


def _requests(
    ws: Workspace,
    project: Project,
    source: Source,
    wanted: dict[str, tuple[int, Question]],
    steps: dict[int, list[Draft]],
) -> dict[str, Request]:
    """The calls; a question that was drafted before is a purchase of its own, since the stored
    reply would be the same list again."""
    secret = ws.secret()
    return {
        name: draft_request(
            question,
            name=source.name,
            provider=source.provider,
            model=source.model,
            secret=secret,
            sample=sum(step.state is ListState.DRAFTED for step in steps.get(row, [])),
        )
        for name, (row, question) in wanted.items()
    }


def _wanted(
    ws: Workspace, project: Project, named: Sequence[str], steps: dict[int, list[Draft]]
) -> dict[int, Question]:
    if named:
        return dict(_question(ws, project, name) for name in dict.fromkeys(named))
    asked = content.questions(ws.db, project)
    return {
        row: q
        for row, q in asked.items()
        if not (q.must_have or _emptied(q)) and _waiting(steps.get(row, [])) is None
    }


def _emptied(question: Question) -> bool:
    """Whether a person decided that the question has no list."""
    return not question.must_have and "accepted_by" in store.origin_of(question)


def _question(ws: Workspace, project: Project, name: str) -> tuple[int, Question]:
    row = content.question_ids(ws.db, project, [name]).get(name)
    asked = content.questions(ws.db, project)
    if row is None or row not in asked:
        raise NotFound(**error_parts("rubrics.no_question", question=repr(name[:80])))
    return row, asked[row]


def _waiting(steps: Sequence[Draft]) -> Draft | None:
    """The draft on which no person has decided yet."""
    return steps[-1] if steps and steps[-1].state is ListState.DRAFTED else None


def _cleaned(elements: Sequence[str]) -> tuple[str, ...]:
    """Entries without empty and double ones; InputError for too many or too long ones."""
    cleaned = tuple(
        dict.fromkeys(words for entry in elements if (words := " ".join(str(entry).split())))
    )
    limits = {"most": MOST, "longest": LONGEST}
    if len(cleaned) > MOST:
        raise InputError(**error_parts("rubrics.list_long", n=len(cleaned), **limits))
    if long := next((words for words in cleaned if len(words) > LONGEST), None):
        raise InputError(**error_parts("rubrics.entry_long", n=len(long), **limits))
    return cleaned


def _row(question: Question, steps: Sequence[Draft], names: Mapping[str, str]) -> QuestionList:
    waiting = _waiting(steps)
    origin = store.origin_of(question)
    if "accepted_by" in origin:
        origin["accepted_by"] = called(names, origin["accepted_by"])
    return QuestionList(
        question_id=question.id,
        question=question.text[:400],
        category=question.category,
        task_type=question.task_type,
        elements=list(question.must_have),
        origin=origin if question.must_have else {},
        emptied=_emptied(question),
        draft=None if waiting is None else _step(waiting, names),
        past=[_step(step, names) for step in steps],
    )


def _step(step: Draft, names: Mapping[str, str]) -> ListStep:
    by = step.by if step.state is ListState.DRAFTED else called(names, step.by)
    return ListStep(step.state, by, step.at, list(step.elements), step.money)
