"""Judges of a run: what they are asked, which replies are known already, and how their verdicts reach the cells."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from graders.core.claims import with_claims
from graders.core.control import author_of, is_author, mask_author
from graders.core.faults import FaultList
from graders.core.records import Request, Subject, SubjectKey, Verdict
from graders.core.rubric import Criterion, Rubric
from graders.store import cells as cell_store
from graders.store import content, elections, ledger, projects, reading
from graders.store.content import StoredSubject, chunks
from graders.store.elections import Election
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows._rules import Rules, closing_rules, open_parts
from graders.workflows._samples import samples_of
from graders.workflows.call import call_key
from graders.workflows.elect import elected_references, waits
from graders.workflows.faults import judged_list
from graders.workflows.judge_setup import JudgeSetup

#: Before or after references are elected.
Stage = Literal["all", "before", "after"]
#: What is asked about an answer: criteria by key, with the parts that rules left open, None for all.
Asked = tuple[tuple[str, tuple[str, ...] | None], ...]
#: Subjects that are read and asked about in one go.
SUBJECTS_AT_ONCE = 200
#: Causes for which answers that were asked about together are asked about one by one.
ALONE = ("malformed", "off_scale", "empty", "length_stop", "refusal", "bad_request")
#: Answers among which those to try a judge on are chosen.
POOL = 200


@dataclass(frozen=True)
class Task:
    """One request with the rubric it belongs to and its subjects: as they are stored, and with the references that the judge sees.

    `wanted` are the subjects and criteria that it is made for; a reply that is there already may be about others too.
    """

    request: Request
    rubric: Rubric
    subjects: Mapping[SubjectKey, tuple[StoredSubject, Subject]]
    wanted: frozenset[tuple[SubjectKey, str]]

    @property
    def shown(self) -> dict[SubjectKey, Subject]:
        """The subjects as the judge sees them."""
        return {key: shown for key, (_, shown) in self.subjects.items()}

    @property
    def rows(self) -> list[int]:
        """Rows of the subjects that it is made for, in the order of the call."""
        there = {key for key, _ in self.wanted}
        return [self.subjects[key][0].id for key in self.request.subjects if key in there]


@dataclass(frozen=True)
class Refused:
    """A verdict that needs no call: the judge says why it makes none."""

    subject: StoredSubject
    verdict: Verdict


def tasks(
    ws: Workspace,
    project: Project,
    setup: JudgeSetup,
    only: Sequence[int] | None = None,
    afresh: bool = False,
    stage: Stage = "all",
    refused: list[Refused] | None = None,
    graded: set[int] | None = None,
    faults: bool = False,
    alone: bool = False,
) -> Iterator[Task]:
    """The calls that a judge still has to make: criteria that name ``judge`` and cells without its fresh verdict.

    `only` names the subjects that it is asked about (with all others of their questions, where it is asked about these together); None
    stands for all. `afresh` brings the calls for cells with a verdict too.
    What waits for an elected reference is asked in the stage ``after`` the election, all else ``before`` it. Cells that a rule closes are
    not asked about: nothing that a judge says counts there. Those that the judge makes no call for, such as claims without a document,
    are put into `refused`; subjects with all their verdicts into `graded`. With `faults`
    it is asked about named faults too; `alone` asks about each answer in calls of its own.
    """
    elected = elections.elections(ws.db, project)
    by_rubric: dict[str, tuple[Rubric, list[CriterionRow]]] = {}
    for row in _judged(ws, project, faults):
        by_rubric.setdefault(row.rubric.name, (row.rubric, []))[1].append(row)
    for found in _slices(ws, project, only, setup.judge.asks_together):
        fresh = set() if afresh else reading.judged(ws.db, project, setup.author, [s.id for s in found])
        for rubric, rows in by_rubric.values():
            recipes = {row.id: setup.judge.recipe_of(rubric, row.criterion) for row in rows}
            rules = {row.id: closing_rules(row.criterion) for row in rows}
            for late in (False, True):
                if stage in ("all", "after" if late else "before"):
                    yield from _rubric_tasks(ws, setup, rubric, rows, found, fresh, recipes, rules, elected, late, refused, graded, alone)


def _slices(ws: Workspace, project: Project, only: Sequence[int] | None, whole: bool) -> Iterator[list[StoredSubject]]:
    """Single answers, so many at a time; with `whole` all answers to a question come together."""
    ids = content.subject_ids(ws.db, project) if only is None else list(only)
    if whole and only is not None:
        ids = content.beside(ws.db, project, ids)
    kept: list[StoredSubject] = []
    for some in chunks(ids, SUBJECTS_AT_ONCE):
        found = kept + [s for s in content.subjects(ws.db, some) if s.subject.other is None]
        kept = [s for s in found if whole and s.question_id == found[-1].question_id]
        yield found[: len(found) - len(kept)]
    yield kept


def judged_criteria(ws: Workspace, project: Project, faults: bool = False) -> list[Criterion]:
    """What a judge is asked about in a project; with `faults` the named ones too."""
    return [row.criterion for row in _judged(ws, project, faults)]


def _judged(ws: Workspace, project: Project, faults: bool) -> list[CriterionRow]:
    """Criteria that name ``judge``, without those that pairs are graded by, and the named faults where they are wanted."""
    paired = cell_store.pair_criteria(ws.db, project)
    known = projects.criteria(ws, project)
    asked = [c for c in known if c.criterion.grader("judge") is not None and c.id not in paired]
    return asked + (judged_list(known) if faults else [])


def _refusals(
    setup: JudgeSetup, rubric: Rubric, stored: StoredSubject, shown: Subject, row: CriterionRow, parts: Sequence[str]
) -> list[Refused]:
    """Verdicts on those `parts` of a subject under a criterion that the judge makes no call for."""
    judge = setup.judge
    return [
        Refused(
            stored,
            Verdict(
                subject=shown.key,
                criterion=row.key,
                part=part,
                author=setup.author,
                author_kind="judge",
                mark=mark,
                criterion_hash=row.criterion.criterion_hash,
                recipe_hash=judge.recipe_of(rubric, row.criterion),
                inputs=judge.inputs_hash(shown, row.criterion),
                grader_version=judge.version,
            ),
        )
        for part in parts
        if (mark := judge.cannot(shown, rubric, row.criterion, part)) is not None
    ]


def draw(ws: Workspace, project: Project, count: int) -> tuple[int, ...]:
    """Subjects to try a judge on, the same for the same project and answers: spread over categories, then over models and questions."""
    ids = content.subject_ids(ws.db, project)
    shuffled = random.Random(f"try {project.seed}").sample(ids, min(len(ids), POOL))
    left = [s for s in content.subjects(ws.db, shuffled) if s.subject.other is None and not is_author(s.subject.answer.model)]
    chosen: list[StoredSubject] = []
    used: Counter[tuple[str, str]] = Counter()
    while left and len(chosen) < count:
        best = min(left, key=lambda s: [used[mark] for mark in _marks(s)])
        left.remove(best)
        chosen.append(best)
        used.update(_marks(best))
    return tuple(s.id for s in chosen)


def _marks(found: StoredSubject) -> list[tuple[str, str]]:
    question, answer = found.subject.question, found.subject.answer
    return [("category", question.category), ("model", answer.model), ("question", question.id)]


def _rubric_tasks(
    ws: Workspace,
    setup: JudgeSetup,
    rubric: Rubric,
    rows: Sequence[CriterionRow],
    found: Sequence[StoredSubject],
    fresh: set[tuple[int, int, str, str, str, str]],
    recipes: Mapping[int, str],
    rules: Mapping[int, Rules],
    elected: Mapping[int, Election],
    late: bool,
    refused: list[Refused] | None,
    graded: set[int] | None,
    alone: bool,
) -> Iterator[Task]:
    wanted: dict[Asked, dict[SubjectKey, tuple[StoredSubject, frozenset[str]]]] = {}
    for stored in found:
        question = stored.subject.question
        due = [row for row in rows if waits(row.criterion, question) == late]
        if is_author(stored.subject.answer.model):  # a fault is what a model did
            due = [row for row in due if not isinstance(row.criterion, FaultList)]
        together = setup.judge.asks_together and not alone
        missing: list[str] = []
        asked_of: list[tuple[str, tuple[str, ...] | None]] = []
        for row in due:
            shown = _scoped(stored, [row.criterion], elected)
            inputs = setup.judge.inputs_hash(shown, row.criterion)
            parts = row.criterion.parts_of(shown.question)
            lacking = [part for part in parts if (stored.id, row.id, part, row.hash, recipes[row.id], inputs) not in fresh]
            if not lacking and not together:
                continue
            left = open_parts(stored.subject, row.criterion, rules[row.id])
            lacking = [part for part in lacking if left is None or part in left]
            none = _refusals(setup, rubric, stored, shown, row, lacking)
            if refused is not None:
                refused += none
            if len(lacking) > len(none):
                missing.append(row.key)
            if left != () and (together or len(lacking) > len(none)):
                asked_of.append((row.key, left))
        if asked_of:
            wanted.setdefault(tuple(asked_of), {})[stored.subject.key] = stored, frozenset(missing)
        if due and not missing and graded is not None:
            graded.add(stored.id)
    for what, group in wanted.items():
        parts_of = dict(what)
        asked = [r.criterion if (own := parts_of[r.key]) is None else replace(r.criterion, parts=own) for r in rows if r.key in parts_of]
        members = {key: (stored, _scoped(stored, asked, elected)) for key, (stored, _) in group.items()}
        yield from _calls(ws, setup, rubric, asked, {key: names for key, (_, names) in group.items()}, members, alone)


def _calls(
    ws: Workspace,
    setup: JudgeSetup,
    rubric: Rubric,
    asked: Sequence[Criterion],
    left: Mapping[SubjectKey, frozenset[str]],
    members: Mapping[SubjectKey, tuple[StoredSubject, Subject]],
    alone: bool,
) -> Iterator[Task]:
    """The calls about subjects of which the same is asked, each as often as the judge asks."""
    for request in _requests(ws, setup, rubric, asked, left, {key: shown for key, (_, shown) in members.items()}, alone):
        about = {key: members[key] for key in request.subjects}
        cells_of = frozenset((key, name) for key in about for name in left[key].intersection(request.criteria))
        for sample in range(samples_of(setup.judge)):
            yield Task(replace(request, sample=sample) if sample else request, rubric, about, cells_of)


def _requests(
    ws: Workspace,
    setup: JudgeSetup,
    rubric: Rubric,
    asked: Sequence[Criterion],
    left: Mapping[SubjectKey, frozenset[str]],
    shown: Mapping[SubjectKey, Subject],
    alone: bool,
) -> Iterator[Request]:
    """What a judge is asked about subjects; `left` names the criteria that each has no verdict on yet.

    One that asks about answers together does so where all that a call asks about is left and the call did not come back without use, or
    where its reply is there already. What came late, or was lost in a reply, is asked about alone. So every later run makes the same
    calls, and buys nothing twice.
    """
    judge = setup.judge
    if alone or not judge.asks_together:
        for some in [[one] for one in shown.values()] if alone else [list(shown.values())]:
            yield from judge.requests(some, rubric, asked)
        return
    whole = [
        r for r in judge.requests(list(shown.values()), rubric, asked) if any(left[key].intersection(r.criteria) for key in r.subjects)
    ]
    keys = [call_key(r, setup.provider.address) for r in whole]
    useless, stored = ledger.useless_keys(ws.db, keys, ALONE), ledger.stored_keys(ws.db, keys)
    for request, call in zip(whole, keys, strict=True):
        unasked = call not in useless and all(left[key].issuperset(request.criteria) for key in request.subjects)
        if call in stored or unasked or (len(request.subjects) == 1 and left[request.subjects[0]].issuperset(request.criteria)):
            yield request
            continue
        for key in request.subjects:
            if own := [c for c in asked if c.key in left[key].intersection(request.criteria)]:
                yield from judge.requests([shown[key]], rubric, own)


def _scoped(stored: StoredSubject, criteria: Sequence[Criterion], elected: Mapping[int, Election]) -> Subject:
    """The subject with the references that these criteria may see (the question's own, an elected one, or none) and, where one asks
    for them, its claims."""
    subject = with_claims(stored.subject) if any(c.elements == "claims" for c in criteria) else stored.subject
    if author := author_of(subject.answer.model):  # graded like the others, by somebody who is not told whose it is
        subject = replace(subject, answer=replace(subject.answer, text=mask_author(subject.answer.text, author)))
    if {c.reference_for(subject.question.task_type) for c in criteria} == {"none"}:
        return replace(subject, question=replace(subject.question, references=()))
    if any(waits(c, subject.question) for c in criteria):
        texts = elected_references(stored, elected.get(stored.question_id))
        return replace(subject, question=replace(subject.question, references=texts))
    return subject


def count_known(ws: Workspace, setup: JudgeSetup, found: Sequence[Request]) -> int:
    """How many of these calls have a stored usable reply."""
    return len(ledger.stored_keys(ws.db, [call_key(request, setup.provider.address) for request in found]))
