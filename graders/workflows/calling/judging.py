"""The calls that a judge still has to make, and what they come to: a reply that is there already
is not bought again."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from graders.core.author_texts import author_of, is_author, mask_author
from graders.core.claims import with_claims
from graders.core.faults import FaultList
from graders.core.preference import compares
from graders.core.records import Request, Subject, SubjectKey, Verdict
from graders.core.rubric import Criterion, Rubric
from graders.store.answers import content, elections
from graders.store.answers.content import StoredSubject, chunks
from graders.store.answers.elections import Election
from graders.store.calls import ledger
from graders.store.figures import reading
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows.calling.asked_criteria import answerable, judged_rows, recipes
from graders.workflows.calling.call import call_key
from graders.workflows.calling.judge_setup import JudgeSetup
from graders.workflows.calling.samples import samples_of
from graders.workflows.cells.rule_values import Rules, closing_rules, open_parts
from graders.workflows.measuring.elect import elected_references, waits

#: Before or after references are elected.
Stage = Literal["all", "before", "after"]
#: What is asked about an answer: criteria by key, with the parts that rules left open, None for
#: all.
Asked = tuple[tuple[str, tuple[str, ...] | None], ...]
#: Answers (rows) that replies about several had no use for -> the criteria (keys) on which they
#: were lost.
Lost = Mapping[int, Collection[str]]
#: Subjects that are read and asked about in one go.
SUBJECTS_AT_ONCE = 200
#: Causes for which answers that were asked about together are asked about one by one.
ALONE = ("malformed", "off_scale", "empty", "length_stop", "refusal", "bad_request")


@dataclass(frozen=True)
class Task:
    """One request with the rubric it belongs to and its subjects: as they are stored, and with the
    references that the judge sees.

    `wanted` are the subjects and criteria that it is made for; a reply that is there already may be
    about others too.
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


@dataclass(frozen=True, slots=True)
class Uncalled:
    """What needs no call: verdicts that the judge is `refused`, such as claims without a document,
    and the subjects (rows) with all their verdicts, `graded`. `tasks` fills it as it goes."""

    refused: list[Refused] = field(default_factory=list)
    graded: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class _Asking:
    """What is the same for all calls of a judge: its setup, the elected references, what was
    `lost` in replies if the calls are about that alone, and where it goes that needs no call."""

    ws: Workspace
    setup: JudgeSetup
    elected: Mapping[int, Election]
    lost: Lost | None
    uncalled: Uncalled


@dataclass(frozen=True, slots=True)
class _RubricRows:
    """The criteria of a rubric that a judge is asked about, with its recipe of each (of a named
    fault by its part too) and the rules that close its cells, by row."""

    rubric: Rubric
    rows: Sequence[CriterionRow]
    recipes: Mapping[tuple[int, str], str]
    rules: Mapping[int, Rules]

    @classmethod
    def of(cls, setup: JudgeSetup, rows: Sequence[CriterionRow]) -> _RubricRows:
        """Of criteria that have one rubric."""
        rubric = rows[0].rubric
        return cls(
            rubric,
            rows,
            {
                (row.id, part): recipe
                for row in rows
                for part, recipe in recipes(setup, row).items()
            },
            {row.id: closing_rules(row.criterion) for row in rows},
        )

    def recipe(self, row: CriterionRow, part: str) -> str:
        """The recipe of a part; of a criterion without named faults it is that of all."""
        return self.recipes.get((row.id, part)) or self.recipes[row.id, ""]


def tasks(
    ws: Workspace,
    project: Project,
    setup: JudgeSetup,
    only: Sequence[int] | None = None,
    afresh: bool = False,
    stage: Stage = "all",
    faults: bool = False,
    uncalled: Uncalled | None = None,
) -> Iterator[Task]:
    """The calls that a judge still has to make: criteria that name ``judge`` and are the judge's to
    grade, and cells without its fresh verdict.

    `only` names the subjects that it is asked about (with all others of their questions, where it
    is asked about these together); None stands for all. `afresh` brings the calls for cells with a
    verdict too.
    What waits for an elected reference is asked in the stage ``after`` the election, all else
    ``before`` it. Cells that a rule closes are not asked about: nothing that a judge says counts
    there. With `faults` it is asked about named faults too.
    """
    elected = elections.elections(ws.db, project)
    asking = _Asking(ws, setup, elected, None, uncalled or Uncalled())
    slices = _slices(ws, project, only, setup.judge.asks_together)
    return _tasks(asking, project, slices, afresh, stage, faults)


def tasks_of_lost(
    ws: Workspace,
    project: Project,
    setup: JudgeSetup,
    lost: Lost,
    afresh: bool = False,
    stage: Stage = "all",
    faults: bool = False,
) -> Iterator[Task]:
    """As `tasks`, about what was `lost` alone: about each answer in calls of its own."""
    asking = _Asking(ws, setup, elections.elections(ws.db, project), lost, Uncalled())
    return _tasks(asking, project, _slices(ws, project, list(lost), False), afresh, stage, faults)


def _tasks(
    asking: _Asking,
    project: Project,
    slices: Iterable[list[StoredSubject]],
    afresh: bool,
    stage: Stage,
    faults: bool,
) -> Iterator[Task]:
    """The calls about answers and pairs that come slice by slice."""
    ws, setup = asking.ws, asking.setup
    by_rubric: dict[str, list[CriterionRow]] = {}
    for row in judged_rows(ws, project, faults):
        if setup.share.grades(row.key):
            by_rubric.setdefault(row.rubric.name, []).append(row)
    rubrics = [_RubricRows.of(setup, rows) for rows in by_rubric.values()]
    for subjects in slices:
        fresh = (
            set()
            if afresh
            else reading.judged(ws.db, project, setup.author, [s.id for s in subjects])
        )
        for rubric in rubrics:
            for late in (False, True):
                if stage in ("all", "after" if late else "before"):
                    yield from _rubric_tasks(asking, rubric, subjects, fresh, late)


def _slices(
    ws: Workspace, project: Project, only: Sequence[int] | None, whole: bool
) -> Iterator[list[StoredSubject]]:
    """Answers and pairs, so many at a time; with `whole` all of a question come together."""
    ids = content.subject_ids(ws.db, project) if only is None else list(only)
    if whole and only is not None:
        ids = content.beside(ws.db, project, ids)
    kept: list[StoredSubject] = []
    for some in chunks(ids, SUBJECTS_AT_ONCE):
        found = kept + content.subjects(ws.db, some)
        kept = [s for s in found if whole and s.question_id == found[-1].question_id]
        yield found[: len(found) - len(kept)]
    yield kept


def _lists_of(criterion: FaultList, lacking: Sequence[str]) -> tuple[str, ...]:
    """The lists of named faults of which one is lacking, as parts: a list is asked about whole, so
    that later runs make the same call."""
    short = [names for names in criterion.lists if not set(names).isdisjoint(lacking)]
    return criterion.only(short).parts


def _refusals(
    setup: JudgeSetup,
    rubric: Rubric,
    stored: StoredSubject,
    shown: Subject,
    row: CriterionRow,
    parts: Sequence[str],
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
                recipe_hash=judge.recipe_of_part(rubric, row.criterion, part),
                inputs=judge.inputs_hash(shown, row.criterion),
                grader_version=judge.version,
                cost=0.0,
            ),
        )
        for part in parts
        if (mark := judge.cannot(shown, rubric, row.criterion, part)) is not None
    ]


def _rubric_tasks(
    asking: _Asking,
    criteria: _RubricRows,
    subjects: Sequence[StoredSubject],
    fresh: set[tuple[int, int, str, str, str, str]],
    late: bool,
) -> Iterator[Task]:
    """The calls about some subjects under the criteria of a rubric, those that wait for an elected
    reference if `late`; `fresh` are the verdicts that are there."""
    setup, lost, elected = asking.setup, asking.lost, asking.elected
    rubric, rows, alone = criteria.rubric, criteria.rows, lost is not None
    wanted: dict[Asked, dict[SubjectKey, tuple[StoredSubject, frozenset[str]]]] = {}
    for stored in subjects:
        question = stored.subject.question
        pair = stored.subject.other is not None
        due = [
            row
            for row in rows
            if waits(row.criterion, question) == late and compares(row.scale) == pair
        ]
        if lost is not None:
            due = [row for row in due if row.key in lost[stored.id]]
        if is_author(stored.subject.answer.model):  # a fault is what a model did
            due = [row for row in due if not isinstance(row.criterion, FaultList)]
        together = setup.judge.asks_together and not alone and not pair
        missing, refusing, cells = list[str](), False, 0
        asked_of: list[tuple[str, tuple[str, ...] | None]] = []
        for row in due:
            shown = _scoped(stored, [row.criterion], elected)
            inputs = setup.judge.inputs_hash(shown, row.criterion)
            parts = row.criterion.parts_of(shown.question)
            cells += len(parts)
            lacking = [
                part
                for part in parts
                if (stored.id, row.id, part, row.hash, criteria.recipe(row, part), inputs)
                not in fresh
            ]
            if not lacking and not together:
                continue
            left = (
                _lists_of(row.criterion, lacking)
                if isinstance(row.criterion, FaultList)
                else open_parts(stored.subject, row.criterion, criteria.rules[row.id])
            )
            lacking = [part for part in lacking if left is None or part in left]
            none = _refusals(setup, rubric, stored, shown, row, lacking)
            refusing |= bool(none)
            asking.uncalled.refused.extend(none)
            if len(lacking) > len(none):
                missing.append(row.key)
            shared = together and answerable(setup.judge, shown, rubric, [row.criterion])
            if left != () and (shared or len(lacking) > len(none)):
                asked_of.append((row.key, left))
        if asked_of:
            wanted.setdefault(tuple(asked_of), {})[stored.subject.key] = stored, frozenset(missing)
        if cells and not (missing or refusing):
            asking.uncalled.graded.add(stored.id)
    for what, group in wanted.items():
        parts_of = dict(what)
        asked = [
            r.criterion if (own := parts_of[r.key]) is None else replace(r.criterion, parts=own)
            for r in rows
            if r.key in parts_of
        ]
        members = {
            key: (stored, _scoped(stored, asked, elected)) for key, (stored, _) in group.items()
        }
        yield from _calls(
            asking.ws,
            setup,
            rubric,
            asked,
            {key: names for key, (_, names) in group.items()},
            members,
            alone,
        )


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
    for request in _requests(
        ws, setup, rubric, asked, left, {key: shown for key, (_, shown) in members.items()}, alone
    ):
        about = {key: members[key] for key in request.subjects}
        cells_of = frozenset(
            (key, name) for key in about for name in left[key].intersection(request.criteria)
        )
        for sample in range(samples_of(setup.judge)):
            yield Task(
                replace(request, sample=sample) if sample else request, rubric, about, cells_of
            )


def _requests(
    ws: Workspace,
    setup: JudgeSetup,
    rubric: Rubric,
    asked: Sequence[Criterion],
    left: Mapping[SubjectKey, frozenset[str]],
    shown: Mapping[SubjectKey, Subject],
    alone: bool,
) -> Iterator[Request]:
    """What a judge is asked about subjects; `left` names the criteria that each has no verdict on
    yet.

    One that asks about answers together does so where all that a call asks about is left and the
    call did not come back without use, or where its reply is there already. What came late, or was
    lost in a reply, is asked about alone. So every later run makes the same calls, and buys nothing
    twice. Pairs are asked about one by one.
    """
    judge = setup.judge
    if isinstance(asked[0], FaultList):
        yield from _about_faults(ws, setup, rubric, asked[0], list(shown.values()))
        return
    if alone or not judge.asks_together or any(one.other is not None for one in shown.values()):
        for some in [[one] for one in shown.values()] if alone else [list(shown.values())]:
            yield from judge.requests(some, rubric, asked)
        return
    whole = [
        r
        for r in judge.requests(list(shown.values()), rubric, asked)
        if any(left[key].intersection(r.criteria) for key in r.subjects)
    ]
    calls = [
        {call_key(replace(r, sample=n), setup.provider.address) for n in range(samples_of(judge))}
        for r in whole
    ]
    keys = sorted(set[str]().union(*calls))
    useless, stored = ledger.useless_keys(ws.db, keys, ALONE), ledger.stored_keys(ws.db, keys)
    for request, samples in zip(whole, calls, strict=True):
        unasked = samples.isdisjoint(useless) and all(
            left[key].issuperset(request.criteria) for key in request.subjects
        )
        if (
            samples & stored
            or unasked
            or (
                len(request.subjects) == 1
                and left[request.subjects[0]].issuperset(request.criteria)
            )
        ):
            yield request
            continue
        for key in request.subjects:
            if own := [c for c in asked if c.key in left[key].intersection(request.criteria)]:
                yield from judge.requests([shown[key]], rubric, own)


def _about_faults(
    ws: Workspace,
    setup: JudgeSetup,
    rubric: Rubric,
    criterion: FaultList,
    shown: Sequence[Subject],
) -> Iterator[Request]:
    """The calls about the named faults of answers: one for all of an answer, unless a list was
    asked about alone before and all together never were; its reply is used, and the rest asked
    apart."""
    judge, address = setup.judge, setup.provider.address
    lists = [names for names in criterion.lists if set(names) <= set(criterion.parts)]
    whole = judge.requests(shown, rubric, [criterion])
    if len(lists) < 2:
        yield from whole
        return
    apart = [judge.requests(shown, rubric, [criterion.only([names])]) for names in lists]
    keys = {
        id(r): {call_key(replace(r, sample=n), address) for n in range(samples_of(judge))}
        for r in (*whole, *(r for requests in apart for r in requests))
    }
    stored = ledger.stored_keys(ws.db, sorted(set[str]().union(*keys.values())))
    for subject, together, *alone in zip(shown, whole, *apart, strict=True):
        there = [
            place for place, request in enumerate(alone) if not stored.isdisjoint(keys[id(request)])
        ]
        if not there or not stored.isdisjoint(keys[id(together)]):
            yield together
            continue
        yield from (alone[place] for place in there)
        rest = [names for place, names in enumerate(lists) if place not in there]
        if rest:
            yield from judge.requests([subject], rubric, [criterion.only(rest)])


def _scoped(
    stored: StoredSubject, criteria: Sequence[Criterion], elected: Mapping[int, Election]
) -> Subject:
    """The subject with the references that these criteria may see (the question's own, an elected
    one, or none) and, where one asks for them, its claims."""
    pair = stored.subject.other is not None
    subject = (
        with_claims(stored.subject)
        if not pair and any(c.elements == "claims" for c in criteria)
        else stored.subject
    )
    # graded like the others, by somebody who is not told whose it is
    if author := author_of(subject.answer.model):
        subject = replace(
            subject, answer=replace(subject.answer, text=mask_author(subject.answer.text, author))
        )
    if {c.reference_for(subject.question.task_type) for c in criteria} == {"none"}:
        return replace(subject, question=replace(subject.question, references=()))
    if any(waits(c, subject.question) for c in criteria):
        # Of two answers that are compared one may be the elected one: a pair is shown none.
        texts = () if pair else elected_references(stored, elected.get(stored.question_id))
        return replace(subject, question=replace(subject.question, references=texts))
    return subject


@dataclass(frozen=True)
class Bill:
    """What calls come to: how many ask something of their own (`distinct`), and those of them that
    have to be bought, by key."""

    calls: int
    left: Mapping[str, Request]

    @property
    def known(self) -> int:
        """How many have a reply, or will have one when their turn comes."""
        return self.calls - len(self.left)


def distinct(setup: JudgeSetup, found: Iterable[Request]) -> dict[str, Request]:
    """The calls that ask something of their own, by key: two answers of one text to a question ask
    the same."""
    return {call_key(request, setup.provider.address): request for request in found}


def bill(
    ws: Workspace, setup: JudgeSetup, found: Iterable[Request], before: Collection[str] = ()
) -> Bill:
    """What is to be bought of these calls; `before` are the keys of calls that are bought before
    them."""
    own = distinct(setup, found)
    there = ledger.stored_keys(ws.db, list(own)).union(before)
    return Bill(len(own), {key: request for key, request in own.items() if key not in there})
