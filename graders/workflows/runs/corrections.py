"""People's corrections of a judge as examples in its prompt: which there are, which are suggested,
and which the judge is given.

What is picked is copied into the judge as it is set up, so that a run goes by what was agreed to.
The judge's recipe changes with its examples, so that all its verdicts are asked for anew; no
question is graded with a correction of one of its own answers in the prompt.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graders.core.author_texts import is_author
from graders.core.errors import InputError, NotFound
from graders.core.rubric import Criterion
from graders.core.scale import Value
from graders.core.shapes import JSON
from graders.core.words import error_parts, say
from graders.judges.asking.templates import shows_examples
from graders.store import projects
from graders.store.answers import content
from graders.store.answers.content import StoredSubject
from graders.store.opinions import judges, stored_verdicts
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows.calling import asked_criteria
from graders.workflows.calling.run_options import Options
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import listed, several
from graders.workflows.scope.seen import mark_seen

#: Examples that are suggested, and the most that a judge takes: each is paid for in every call.
SUGGESTED, MOST = 6, 12
#: Characters of question and answer together that an example may have.
LONGEST = 6_000
#: Characters of an answer that stand for it in the list.
SHOWN = 400
#: Causes of a disagreement from which the judge could learn nothing.
NOT_ITS_FAULT = ("rubric unclear", "reference wrong", "matter of taste")


@dataclass(frozen=True, slots=True)
class Correction:
    """A cell (row id) on which people decided otherwise than a judge: both values in words, `why`
    people said so, whether it is suggested as an example and whether it is one.

    `question` and `answer` are the beginnings of the texts; `part` is empty where a criterion has
    none.
    """

    cell: int
    question_id: str
    question: str
    model: str
    answer: str
    criterion: str
    part: str
    judge: str
    people: str
    why: str
    suggested: bool
    picked: bool


@dataclass(frozen=True, slots=True)
class Corrections:
    """The corrections of a judge, and the `most` that it takes as examples."""

    judge: str
    title: str
    most: int
    corrections: list[Correction]


@dataclass(frozen=True, slots=True)
class Picked:
    """A judge, how many examples it has now, and a sentence about what that changes."""

    judge: str
    examples: int
    message: str


@dataclass(frozen=True, slots=True)
class Offer:
    """A judge that can be shown a cell as an example, and whether it is shown it already."""

    judge: str
    picked: bool


@dataclass(frozen=True, slots=True)
class Offers:
    """The judges that can be shown a cell; `message` says why where there is none."""

    judges: list[Offer]
    message: str


@dataclass(frozen=True, slots=True)
class _Differing:
    """A correction as it is stored: cell row `id`, both values, how far they lie `apart` (0 to
    1)."""

    id: int
    subject: StoredSubject
    criterion: CriterionRow
    part: str
    said: Value
    decided: Value
    why: str
    apart: float

    @property
    def question_id(self) -> str:
        return self.subject.subject.question.id


@needs("look")
def corrections(scope: Scope, project_name: str, name: str) -> Corrections:
    """Where people decided otherwise than a judge that is set up, largest differences first."""
    ws, project = scope.ws, scope.project(project_name)
    card = card_of(project, name)
    found = _found(ws, project, name, card)
    picked = {one["cell"] for one in card.get("examples") or ()}
    suggested = _suggested(found)
    rows = [
        Correction(
            cell=one.id,
            question_id=one.question_id,
            question=one.subject.subject.question.text[:300],
            model=one.subject.subject.answer.model,
            answer=one.subject.subject.answer.text[:SHOWN],
            criterion=one.criterion.criterion.title,
            part=one.part,
            judge=one.criterion.scale.word(one.said),
            people=one.criterion.scale.word(one.decided),
            why=one.why,
            suggested=one.id in suggested,
            picked=one.id in picked,
        )
        for one in found
    ]
    mark_seen(scope, [one.subject.id for one in found])
    title = f"{_title(name, rows, len(card.get('examples') or ()))}{_silent(ws, project)}"
    return Corrections(name, title, MOST, rows)


@needs("run")
def pick(scope: Scope, project_name: str, name: str, cells: Sequence[int] | None) -> Picked:
    """Give a judge these corrections as its examples, in place of those it has; None takes the
    suggested ones, no cell takes all away.

    InputError for more than `MOST`, and NotFound for a cell that is no correction of the judge.
    """
    ws, project = scope.ws, scope.project(project_name)
    card = card_of(project, name)
    known = {one.id: one for one in _found(ws, project, name, card)}
    chosen = sorted(_suggested(known.values())) if cells is None else list(dict.fromkeys(cells))
    if len(chosen) > MOST:
        raise InputError(
            **error_parts("runs.error.many_examples", name=name, n=len(chosen), most=MOST)
        )
    kept = {one["cell"]: one for one in card.get("examples") or ()}
    for cell in chosen:
        if cell not in known and cell not in kept:
            raise NotFound(**error_parts("runs.error.no_correction", name=name, cell=cell))
    examples = [_example(known[cell]) if cell in known else kept[cell] for cell in chosen]
    changed = {**card, "examples": examples}
    criteria = asked_criteria.judged_criteria(ws, project)
    if examples:
        Options.of({"judges": [name], "cards": {name: changed}}).setups(ws, criteria=criteria)
    else:
        del changed["examples"]
    projects.set_settings(
        ws, project, {"judges": {**(project.settings.get("judges") or {}), name: changed}}
    )
    projects.log_event(
        ws, project, scope.actor.person_id, "judge", {"name": name, "examples": chosen}
    )
    stale = (
        say("runs.examples.stale") if examples != list(kept.values()) else say("runs.examples.same")
    )
    message = say(
        "runs.examples.picked", name=name, examples=several(len(examples), "example"), stale=stale
    )
    return Picked(name, len(examples), message)


def examples_for(
    ws: Workspace,
    project: Project,
    name: str,
    card: Mapping[str, Any],
    cells: Sequence[int] | None,
    allowed: Container[str],
) -> list[JSON]:
    """Corrections of a judge as examples, as its card keeps them, of answers to the questions
    `allowed` (ids) alone: those cells, or the suggested ones for None.

    NotFound for a cell that is no correction there, InputError for more than `MOST`.
    """
    known = {one.id: one for one in _found(ws, project, name, card) if one.question_id in allowed}
    chosen = sorted(_suggested(known.values())) if cells is None else list(dict.fromkeys(cells))
    if len(chosen) > MOST:
        raise InputError(
            **error_parts("runs.error.many_examples", name=name, n=len(chosen), most=MOST)
        )
    for cell in chosen:
        if cell not in known:
            raise NotFound(**error_parts("runs.error.held_out_correction", name=name, cell=cell))
    return [_example(known[cell]) for cell in chosen]


@needs("look")
def offers(scope: Scope, project_name: str, cell: int) -> Offers:
    """The judges that are set up and can be shown a cell as an example.

    A person who asks learns which judges differ from people there, and so has seen marks of its
    answer.
    """
    ws, project = scope.ws, scope.project(project_name)
    rows = []
    for name, card in (project.settings.get("judges") or {}).items():
        found = _found(ws, project, name, card, cell)
        picked = any(one["cell"] == cell for one in card.get("examples") or ())
        if found or picked:
            rows.append(Offer(name, picked))
            mark_seen(scope, [one.subject.id for one in found])
    return Offers(rows, "" if rows else say("runs.corrections.no_offer"))


@needs("run")
def add(scope: Scope, project_name: str, name: str, cell: int) -> Picked:
    """Give a judge one more correction beside the examples that it has; as `pick`."""
    kept = [
        int(one["cell"]) for one in card_of(scope.project(project_name), name).get("examples") or ()
    ]
    return pick(scope, project_name, name, [*kept, cell])


def card_of(project: Project, name: str) -> Mapping[str, Any]:
    known: Mapping[str, Mapping[str, Any]] = project.settings.get("judges") or {}
    if name not in known:
        raise NotFound(
            **error_parts(
                "runs.error.no_named_judge",
                name=name[:60],
                expected=say("runs.one_of", names=", ".join(known))
                if known
                else say("runs.none_set_up"),
            )
        )
    return known[name]


def _found(
    ws: Workspace, project: Project, name: str, card: Mapping[str, Any], cell: int = 0
) -> list[_Differing]:
    """The corrections of a judge, under its name or its model's, that can be examples (or the one
    on a cell); largest differences first."""
    criteria = {
        row.id: row for row in _judged(ws, project) if shows_examples(row.criterion.template)
    }
    rows = [
        row
        for row in judges.corrected(ws.db, project, name, str(card.get("judge") or name), cell)
        if row.criterion_id in criteria
    ]
    subjects = {s.id: s for s in content.subjects(ws.db, sorted({row.subject_id for row in rows}))}
    reasons = _reasons(ws, [row.id for row in rows])
    found = []
    for row in rows:
        subject, criterion, (fault_of, why) = (
            subjects[row.subject_id],
            criteria[row.criterion_id],
            reasons.get(row.id, ("", "")),
        )
        said, decided = json.loads(row.said), json.loads(row.decided)
        if said == decided or fault_of in NOT_ITS_FAULT or not _fits(subject):
            continue
        apart = _apart(criterion.criterion, said, decided)
        found.append(_Differing(row.id, subject, criterion, row.part, said, decided, why, apart))
    return sorted(found, key=lambda one: (-one.apart, one.id))


def _judged(ws: Workspace, project: Project) -> list[CriterionRow]:
    return [
        row
        for row in projects.criteria(ws, project)
        if row.criterion.grader("judge") and not row.criterion.elements
    ]


def _silent(ws: Workspace, project: Project) -> str:
    """The sentence about criteria whose own prompts hold no examples; empty where all do."""
    names = [
        row.criterion.title
        for row in _judged(ws, project)
        if not shows_examples(row.criterion.template)
    ]
    return (say("runs.examples.hidden", titles=listed(names))) if names else ""


def _fits(found: StoredSubject) -> bool:
    subject = found.subject
    long = len(subject.question.text) + len(subject.answer.text) > LONGEST
    return subject.other is None and not long and not is_author(subject.answer.model)


def _reasons(ws: Workspace, cells: Iterable[int]) -> dict[int, tuple[str, str]]:
    """Cell -> whose fault people say a difference is, and their latest comment."""
    found: dict[int, tuple[str, str]] = {}
    for cell, said in stored_verdicts.verdicts_of(ws.db, cells).items():
        for one in said:
            if one.author_kind == "person":
                told = one.provenance or {}
                before = found.get(cell, ("", ""))
                comment = str(told.get("comment") or one.mark.rationale or "")
                found[cell] = str(told.get("fault_of") or "") or before[0], comment or before[1]
    return found


def _apart(criterion: Criterion, said: Value, decided: Value) -> float:
    """How far two values lie apart, from 0 to 1; labels without order are all alike far."""
    first, second = criterion.score_of(said), criterion.score_of(decided)
    return 1.0 if first is None or second is None else abs(first - second)


def _suggested(found: Iterable[_Differing]) -> set[int]:
    """Cells that are suggested: far apart, from as many questions and criteria as there are."""
    left, chosen = list(found), set[int]()
    questions, criteria = set[str](), Counter[int]()
    while left and len(chosen) < SUGGESTED:
        left = [one for one in left if one.question_id not in questions]
        if not left:
            break
        best = min(left, key=lambda one: (criteria[one.criterion.id], -one.apart, one.id))
        chosen.add(best.id)
        questions.add(best.question_id)
        criteria[best.criterion.id] += 1
    return chosen


def _example(found: _Differing) -> JSON:
    """A correction as the judge's card keeps it."""
    subject = found.subject.subject
    value = {found.part: found.decided} if found.part else found.decided
    said = {
        "question_id": subject.question.id,
        "question": subject.question.text,
        "answer": subject.answer.text,
    }
    return {
        "cell": found.id,
        **said,
        "verdicts": {found.criterion.key: value},
        "why": found.why,
    }


def _title(name: str, rows: Sequence[Correction], examples: int) -> str:
    if not rows and not examples:
        return say("runs.corrections.none", name=name)
    return say(
        "runs.corrections.count",
        name=name,
        cells=several(len(rows), "cell"),
        examples=several(examples, "example"),
    )
