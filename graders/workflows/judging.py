"""Judges of a run: what they are asked, which replies are known already, and how their verdicts reach the cells."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from graders.core import discovery
from graders.core.claims import with_claims
from graders.core.control import author_of, is_author, mask_author
from graders.core.errors import UsageError
from graders.core.faults import FaultList
from graders.core.records import Request, Subject, Verdict
from graders.core.rubric import Criterion, Rubric
from graders.judges._by_criterion import ByCriterion
from graders.judges.checker import checks_claims_only
from graders.store import cells as cell_store
from graders.store import content, elections, ledger, projects, reading
from graders.store.content import StoredSubject, chunks
from graders.store.elections import Election
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows._samples import samples_of
from graders.workflows.call import call_key
from graders.workflows.elect import elected_references, waits
from graders.workflows.faults import judged_faults, judged_list

#: Prefix of a judge's name -> provider module.
PROVIDERS = {"openai": "openai_chat", "anthropic": "anthropic_messages"}
#: Judges that are given the secret for the fences around what they read.
FENCING = ("llm", "checker", "bare", "grounded", "faults")
#: Options that only replies in plain text know.
PLAIN = frozenset({"template", "reasoning", "language"})
#: Before or after references are elected.
Stage = Literal["all", "before", "after"]
#: Subjects that are read and asked about in one go.
SUBJECTS_AT_ONCE = 200
#: Answers among which those to try a judge on are chosen.
POOL = 200


@dataclass(frozen=True)
class JudgeSetup:
    """A judge of a run with its provider, ready to be asked."""

    name: str
    judge: Any
    provider: Any

    @property
    def author(self) -> str:
        return str(self.judge.author)


def split_address(model: str) -> tuple[str, str]:
    """``PROVIDER:MODEL@ADDRESS`` as (PROVIDER:MODEL, ADDRESS); the address is empty where none is named."""
    for sign in ("@http://", "@https://"):
        if sign in model:
            model, _, address = model.partition(sign)
            return model, sign[1:] + address
    return model, ""


def make_judge(
    name: str,
    *,
    secret: str,
    options: dict[str, Any] | None = None,
    provider_options: dict[str, Any] | None = None,
    criteria: Sequence[Criterion] = (),
) -> JudgeSetup:
    """The judge that ``openai:MODEL`` (or ``PLUGIN:MODEL``) means.

    With the `criteria` that it will be asked about, those with a template of the user's own are asked in plain text, and rubrics
    with claims by the judge that quotes documents; a model that can only check claims is a checker.
    """
    kind, _, model = name.partition(":")
    if not model:
        raise UsageError(f"judge {name!r}", found="no model", expected="PROVIDER:MODEL, such as openai:gpt-4o-mini")
    if kind in discovery.names("judges") and kind not in ("llm", "faults"):
        fenced = {"secret": secret} if kind in FENCING else {}
        judge = discovery.make("judges", kind, {"model": model, **fenced, **(options or {})})
        return JudgeSetup(name, judge, discovery.make("providers", judge.provider, provider_options))
    provider_name = PROVIDERS.get(kind, kind)
    if provider_name not in discovery.names("providers"):
        raise UsageError(
            f"judge {name!r}",
            found=f"the provider {kind!r}",
            expected="one of " + ", ".join(sorted({*PROVIDERS, *discovery.names("providers")})),
        )
    provider = discovery.make("providers", provider_name, provider_options)
    asked_in = ways(model, criteria, options or {})
    explained = {"faults": judged_faults()}
    made = [
        (
            discovery.make(
                "judges",
                way,
                {"model": model, "provider": provider_name, "secret": secret, **own, **(explained if way == "faults" else {})},
            ),
            asked_in[way],
        )
        for way, own in _options_by_way(asked_in, options or {}).items()
    ]
    return JudgeSetup(name, made[0][0] if len(made) == 1 else ByCriterion(tuple(made)), provider)


def ways(model: str, criteria: Sequence[Criterion], options: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    """The judges by which a model is asked -> the keys of their criteria; all by ``llm`` where nothing particular is wanted."""
    listed = frozenset(c.key for c in criteria if isinstance(c, FaultList))
    criteria = [c for c in criteria if c.key not in listed]
    more = {"faults": listed} if listed else {}
    everything = frozenset(c.key for c in criteria)
    if checks_claims_only(model):
        return {"checker": everything | listed}
    if not PLAIN.isdisjoint(options):
        return {"bare": everything, **more}
    with_claims = {c.rubric for c in criteria if c.elements == "claims"}
    found: dict[str, set[str]] = {}
    for c in criteria:
        found.setdefault("bare" if c.template else "grounded" if c.rubric in with_claims else "llm", set()).add(c.key)
    return {way: frozenset(keys) for way, keys in found.items()} | more or {"llm": frozenset()}


def _options_by_way(ways: Iterable[str], options: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The options that each judge takes; one that none of several takes is left to all, so that it is refused by name."""
    known = {way: {item.name for item in fields(discovery.find("judges", way))} for way in ways}
    everywhere = set(options) - set().union(*known.values())
    return {way: {name: value for name, value in options.items() if name in names | everywhere} for way, names in known.items()}


@dataclass(frozen=True)
class Task:
    """One request with the rubric it belongs to; `shown` is the subject with the references that the judge sees."""

    request: Request
    rubric: Rubric
    subject: StoredSubject
    shown: Subject


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
) -> Iterator[Task]:
    """The calls that a judge still has to make: criteria that name ``judge`` and cells without its fresh verdict.

    `only` names the subjects that it is asked about; None stands for all. `afresh` brings the calls for cells with a verdict too.
    What waits for an elected reference is asked in the stage ``after`` the election, all else ``before`` it. Cells that the judge makes
    no call for, such as claims without a document, are put into `refused`; subjects with all their verdicts into `graded`. With `faults`
    it is asked about named faults too.
    """
    elected = elections.elections(ws.db, project)
    by_rubric: dict[str, tuple[Rubric, list[CriterionRow]]] = {}
    for row in _judged(ws, project, faults):
        by_rubric.setdefault(row.rubric.name, (row.rubric, []))[1].append(row)
    for ids in chunks(content.subject_ids(ws.db, project) if only is None else only, SUBJECTS_AT_ONCE):
        found = [s for s in content.subjects(ws.db, ids) if s.subject.other is None]
        fresh = set() if afresh else reading.judged(ws.db, project, setup.author, ids)
        for rubric, rows in by_rubric.values():
            recipes = {row.id: setup.judge.recipe_of(rubric, row.criterion) for row in rows}
            for late in (False, True):
                if stage in ("all", "after" if late else "before"):
                    yield from _rubric_tasks(setup, rubric, rows, found, fresh, recipes, elected, late, refused, graded)


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
    setup: JudgeSetup, rubric: Rubric, stored: StoredSubject, shown: Subject, cells: Sequence[tuple[CriterionRow, str]]
) -> list[Refused]:
    """Verdicts on those `cells` (criterion, part) of a subject that the judge makes no call for."""
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
        for row, part in cells
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
    setup: JudgeSetup,
    rubric: Rubric,
    rows: Sequence[CriterionRow],
    found: Sequence[StoredSubject],
    fresh: set[tuple[int, int, str, str, str, str]],
    recipes: Mapping[int, str],
    elected: Mapping[int, Election],
    late: bool,
    refused: list[Refused] | None,
    graded: set[int] | None,
) -> Iterator[Task]:
    wanted: dict[tuple[str, ...], list[StoredSubject]] = {}
    for stored in found:
        question = stored.subject.question
        missing: list[str] = []
        due = [row for row in rows if waits(row.criterion, question) == late]
        if is_author(stored.subject.answer.model):  # a fault is what a model did
            due = [row for row in due if not isinstance(row.criterion, FaultList)]
        for row in due:
            shown = _scoped(stored, [row.criterion], elected)
            inputs = setup.judge.inputs_hash(shown, row.criterion)
            cells = [
                (row, part)
                for part in row.criterion.parts_of(shown.question)
                if (stored.id, row.id, part, row.hash, recipes[row.id], inputs) not in fresh
            ]
            none = _refusals(setup, rubric, stored, shown, cells)
            if refused is not None:
                refused += none
            if len(cells) > len(none):
                missing.append(row.criterion.name)
        if missing:
            wanted.setdefault(tuple(missing), []).append(stored)
        elif due and graded is not None:
            graded.add(stored.id)
    for names, group in wanted.items():
        asked = [r.criterion for r in rows if r.criterion.name in names]
        by_key = {s.subject.key: (s, _scoped(s, asked, elected)) for s in group}
        for request in setup.judge.requests([shown for _, shown in by_key.values()], rubric, asked):
            for sample in range(samples_of(setup.judge)):
                yield Task(replace(request, sample=sample) if sample else request, rubric, *by_key[request.subjects[0]])


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
