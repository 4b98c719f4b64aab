"""Three questions for somebody who sees Cograde for the first time: graded blind, the last with a
suggestion in view, then put beside judges and people of the demo."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graders.core.scale import Value
from graders.core.words import say
from graders.store import projects
from graders.store.figures import first_questions as store
from graders.store.figures.first_questions import TriedCell
from graders.store.projects import CriterionRow
from graders.workflows.cells.derived_judges import is_derived
from graders.workflows.diagnostics.anchoring import anchoring
from graders.workflows.opinions.participants import watermark
from graders.workflows.results.answer import CellCard, answer
from graders.workflows.scope.memory import Memory
from graders.workflows.scope.permissions import Scope, needs

#: Characters of question and answer together that are read in a few seconds.
LONGEST = 900
#: A question has at most so many values: one key each.
MOST_VALUES = 5

_kept = Memory(16)


@dataclass(frozen=True, slots=True)
class Option:
    """A value that can be given, in words."""

    value: Value
    word: str


@dataclass(frozen=True, slots=True)
class FirstQuestion:
    """An answer under one criterion. `suggested`: what a judge says, in words, where it is shown;
    empty for a blind question."""

    project: str
    question_id: str
    question: str
    language: str
    model: str
    answer: str
    criterion: str
    title: str
    asks: str
    options: Sequence[Option]
    suggested: str


@dataclass(frozen=True, slots=True)
class Voice:
    """What a judge or a person said, with the reason; `same` as the newcomer."""

    name: str
    word: str
    same: bool
    why: str = ""


@dataclass(frozen=True, slots=True)
class Beside:
    """A question that was answered: the newcomer's word beside judges and people."""

    question: FirstQuestion
    word: str
    judges: Sequence[Voice]
    people: Sequence[Voice]


@dataclass(frozen=True, slots=True)
class Score:
    """With whom the newcomer agreed, on how many of so many questions."""

    name: str
    same: int
    of: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """The newcomer beside the judges and people of the demo; `effect` says what suggestions do to
    people, empty where that is not known."""

    rows: Sequence[Beside]
    scores: Sequence[Score]
    effect: str


@needs("look")
def languages(scope: Scope, project_name: str) -> list[str]:
    """The languages that have three questions, those with most of them first."""
    count = Counter(cell.language for cell in _cells(scope, project_name))
    return [code for code, n in count.most_common() if n >= len(_WANTED)]


@needs("look")
def first_questions(scope: Scope, project_name: str, language: str) -> list[FirstQuestion]:
    """Three questions in a language, or in the first that has them: one on which judges and people
    agree, one on which judges differ, one where the suggestion is not what most people said, which
    is shown. Fewer where the project has no such answers."""
    known = languages(scope, project_name)
    spoken = language if language in known else next(iter(known), language)
    cells = [cell for cell in _cells(scope, project_name) if cell.language == spoken]
    project = scope.project(project_name)
    criteria = {row.id: row for row in projects.criteria(scope.ws, project)}
    return [
        _question(scope, project_name, cell, criteria[cell.criterion_id], assisted)
        for cell, assisted in _picked(cells)
    ]


@needs("look")
def compared(
    scope: Scope, project_name: str, asked: Sequence[FirstQuestion], said: Sequence[int]
) -> Comparison:
    """The answers (places among the options) beside those of judges and people."""
    rows = [
        _beside(scope, project_name, question, question.options[at])
        for question, at in zip(asked, said, strict=False)
        if 0 <= at < len(question.options)
    ]
    names = list(dict.fromkeys(voice.name for row in rows for voice in row.judges))
    scores = [
        _score(name, [voice for row in rows for voice in row.judges if voice.name == name])
        for name in names
    ]
    most = [_majority(row) for row in rows]
    agreed = sum(word == row.word for word, row in zip(most, rows, strict=True))
    scores.append(Score(say("home.first.most_people"), agreed, len(rows)))
    shown = [row.question for row in rows if row.question.suggested]
    return Comparison(rows, scores, _effect(scope, project_name, shown[0]) if shown else "")


#: What each question shows: judges and people at one; judges apart; the suggestion beside people.
_WANTED = ("agree", "differ", "misled")


def _kind(cell: TriedCell) -> str:
    most = Counter(cell.people).most_common(1)[0][0]
    if len(set(cell.judges)) > 1:
        return "misled" if cell.suggestion not in (None, most) else "differ"
    return "agree" if cell.judges[0] == most else "misled"


def _picked(cells: Sequence[TriedCell]) -> Iterator[tuple[TriedCell, bool]]:
    """The three, each of another question, the last with its suggestion; shorter ones first."""
    taken: set[str] = set()
    for wanted in _WANTED:
        free = [cell for cell in cells if cell.question_id not in taken]
        assisted = wanted == "misled"
        if assisted:
            free = [cell for cell in free if cell.suggestion is not None]
        cell = next((one for one in free if _kind(one) == wanted), next(iter(free), None))
        if cell is None:
            return
        taken.add(cell.question_id)
        yield cell, assisted


def _cells(scope: Scope, project_name: str) -> list[TriedCell]:
    project = scope.project(project_name)
    few = {
        row.id
        for row in projects.criteria(scope.ws, project)
        if 2 <= len(row.scale.values) <= MOST_VALUES
    }

    def read() -> list[TriedCell]:
        return [
            cell
            for cell in store.tried_cells(scope.ws.db, project, LONGEST)
            if len(cell.judges) >= 2 and len(cell.people) >= 2 and cell.criterion_id in few
        ]

    key = (str(scope.ws.path.resolve()), project.id)
    return _kept.get(key, watermark(scope, project), read)


def _question(
    scope: Scope, project_name: str, cell: TriedCell, row: CriterionRow, assisted: bool
) -> FirstQuestion:
    card = answer(scope, project_name, cell.question_id, cell.model)
    suggestion = json.loads(cell.suggestion) if assisted and cell.suggestion else None
    return FirstQuestion(
        project=project_name,
        question_id=cell.question_id,
        question=card.question.text,
        language=cell.language,
        model=cell.model,
        answer=card.text,
        criterion=row.key,
        title=row.criterion.title,
        asks=row.criterion.question,
        options=[Option(value, row.scale.word(value)) for value in row.scale.values],
        suggested="" if suggestion is None else row.scale.word(suggestion),
    )


def _beside(scope: Scope, project_name: str, question: FirstQuestion, given: Option) -> Beside:
    card = answer(scope, project_name, question.question_id, question.model)
    cell: CellCard = next(
        one for one in card.cells if one.criterion == question.criterion and not one.part
    )
    voices: dict[str, list[Voice]] = {"judge": [], "person": []}
    for one in cell.verdicts:
        apart = one.kind == "judge" or one.arm == "blind"
        if one.kind in voices and one.value is not None and apart and not is_derived(one.author):
            same, why = one.value == given.value, one.rationale or one.comment
            voices[one.kind].append(Voice(one.author, one.word, same, why))
    return Beside(question, given.word, voices["judge"], voices["person"])


def _score(name: str, voices: Sequence[Voice]) -> Score:
    return Score(name, sum(voice.same for voice in voices), len(voices))


def _majority(row: Beside) -> str:
    words = Counter(voice.word for voice in row.people)
    return words.most_common(1)[0][0] if words else ""


def _effect(scope: Scope, project_name: str, question: FirstQuestion) -> str:
    """What suggestions do to the people of the study, on the criterion of this question."""
    for row in anchoring(scope, project_name).rows:
        equal = row.equal
        if row.criterion == question.criterion and equal.blind is not None and equal.assisted:
            places = {"blind": 100 * equal.blind, "assisted": 100 * equal.assisted}
            return say("home.first.effect", criterion=row.title, **places)
    return ""
