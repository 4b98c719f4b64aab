"""Which rubric suits a file: recommended from what its first rows hold, with the number of cells
that each rubric makes, and what it cannot measure there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

from graders.core import discovery
from graders.core.contracts import ImportedRow, Look
from graders.core.errors import CogradeError, InputError
from graders.core.preference import is_preference
from graders.core.records import Answer, BadRow, Question, Subject
from graders.core.rubric import Criterion, Rubric, read_rubric
from graders.core.rubric_edit import without_criteria
from graders.core.words import say, text_of_part
from graders.rules.forms.asked_forms import forms_asked
from graders.store import projects
from graders.workflows.cells.state import FAULTS
from graders.workflows.importing.look import importer_of, records_of
from graders.workflows.scope.named_rubrics import bundled_rubrics, read_named_rubric
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.rubric_check import check_rubric

#: Records that are read of a file, and answers whose figures are looked for.
RECORDS, LOOKED = 10_000, 50
#: From this share of questions on a file is of one kind.
MOST = 2 / 3
#: Answers up to so many characters are short.
SHORT = 200
#: Where nothing speaks for another one.
GENERAL = "answer-quality"
_TRANSLATE = re.compile(r"\btranslat|перевед|перевод|翻译|翻譯|翻訳|訳し", re.IGNORECASE)
_POEMS = re.compile(
    r"poe(?:m|try)|verse|haiku|sonnet|limerick|fiction|short story|creative|стих|рассказ|诗|詩|"
    r"俳句|物語",
    re.IGNORECASE,
)
_CREATIVE = {"verse", "dialogue"}


@dataclass(frozen=True, slots=True)
class Lacks:
    """What a criterion cannot measure in a file, as a sentence; `off`: nobody could, so it is left
    out of the rubric."""

    criterion: str
    title: str
    text: str
    off: bool


@dataclass(frozen=True, slots=True)
class OfferedRubric:
    """A rubric for a file: what it is about, the criteria that it would grade there, the cells that
    these make (None where not known; `at_least` so many where the file has more rows than were
    read), and what it cannot measure."""

    name: str
    about: str
    criteria: Sequence[str]
    cells: int | None
    at_least: bool
    lacks: Sequence[Lacks]


@dataclass(frozen=True, slots=True)
class Advice:
    """The rubric that is recommended for a file, and why; empty where the file or the project has
    its own. `rubrics`: all that come with Cograde, the recommended one first."""

    name: str
    why: str
    rubrics: Sequence[OfferedRubric]


@dataclass(frozen=True, slots=True)
class Held:
    """What the first rows of a file hold; `whole`: it has no others."""

    questions: Sequence[Question]
    answers: Sequence[Answer]
    own: Sequence[str]
    whole: bool

    def most(self, some: Iterable[object]) -> bool:
        """Whether something is true of most questions."""
        return bool(self.questions) and sum(map(bool, some)) >= MOST * len(self.questions)


@needs("import")
def advice(scope: Scope, project_name: str, held: Held) -> Advice:
    """What to grade a file by that goes into a project, which may be new."""
    project = projects.find_project(scope.ws.db, project_name) if project_name else None
    present = [r.name for r in projects.rubrics(scope.ws, project)] if project is not None else []
    present = [name for name in present if name != FAULTS.name]
    if present:
        name, why = "", say("importing.advice.project", n=len(present), rubrics=", ".join(present))
    elif held.own:
        name, why = "", say("importing.advice.file", rubrics=", ".join(held.own))
    elif held.questions:
        name, why = _advised(held)
    else:
        name, why = "", ""
    some = [offer for one in bundled_rubrics() if (offer := _named(one, held)) is not None]
    some.sort(key=lambda offer: (offer.name != name, offer.name))
    return Advice(name, why, some)


def measurable(rubric: Rubric, held: Held) -> Rubric:
    """A rubric without the criteria that nobody could measure in a file."""
    off = [one.criterion for one in offered(rubric, held).lacks if one.off]
    if not off or len(off) == len(rubric.criteria):
        return rubric
    return read_rubric(without_criteria(rubric.source, off), where=rubric.name)


def held_by(path: Path, look: Look) -> Held:
    """What the first rows of a file hold, read as `look` says."""
    importer = importer_of(path)
    questions: dict[str, Question] = {}
    answers: list[Answer] = []
    own: list[str] = []
    read = 0
    with suppress(InputError):  # staging says what is wrong with the columns
        for item in islice(records_of(importer, path, look), RECORDS):
            read += 1
            if isinstance(item, BadRow):
                continue
            if isinstance(item.record, Question):
                questions.setdefault(item.record.id, item.record)
            elif isinstance(item.record, Answer):
                answers.append(item.record)
            elif isinstance(item.record, ImportedRow) and item.record.table == "rubric":
                own += _own_rubric(item.record)
    return Held(list(questions.values()), answers, own, read < RECORDS)


def _own_rubric(row: ImportedRow) -> list[str]:
    try:
        name = read_rubric(str(row.fields.get("text") or "")).name
    except CogradeError:
        return []
    return [name] if name != FAULTS.name else []


def _advised(held: Held) -> tuple[str, str]:
    """The name of a bundled rubric, and a sentence that says what speaks for it."""
    asked = held.questions
    if held.most(one.context for one in asked):
        return "grounded", _why("grounded", [one for one in asked if one.context], held)
    if held.most(map(_creative, asked)):
        return "creative", _why("creative", [one for one in asked if _creative(one)], held)
    referred = [one for one in asked if one.references]
    if held.most(one.references for one in asked):
        if held.most(_TRANSLATE.search(one.text[:120]) for one in asked):
            return "translation", _why("translation", referred, held)
        lengths = [len(one.text) for one in held.answers if one.text.strip()]
        lengths = lengths or [len(one.references[0]) for one in referred]
        middle = round(median(lengths))
        name = "correctness" if middle <= SHORT else "accuracy"
        return name, _why(name, referred, held, length=middle)
    return GENERAL, say(f"importing.advice.{GENERAL}")


def _why(name: str, some: Sequence[Question], held: Held, **places: Any) -> str:
    count, of = len(some), len(held.questions)
    return say(f"importing.advice.{name}", n=count, count=count, of=of, **places)


def _creative(question: Question) -> bool:
    if question.task_type != "unknown":
        return question.task_type == "creative"
    if question.references:
        return False
    forms = {form.key for form in forms_asked(question.text)}
    return bool(forms & _CREATIVE or _POEMS.search(f"{question.category}\n{question.text[:200]}"))


def _named(name: str, held: Held) -> OfferedRubric | None:
    try:
        offer = offered(read_named_rubric(name), held)
    except (CogradeError, OSError):  # of an outside package: told elsewhere
        return None
    return replace(offer, name=name, about=text_of_part("rubrics", name, "about", offer.about))


def offered(rubric: Rubric, held: Held) -> OfferedRubric:
    """What a rubric does with a file. InputError where a grader of it is unknown."""
    by_id = {question.id: question for question in held.questions}
    lacks, cells, criteria = [], 0, []
    for criterion in check_rubric(rubric).criteria:
        said = _lacks(criterion, held, by_id)
        if said is not None:
            lacks.append(said)
            if said.off:
                continue
        criteria.append(criterion.title)
        if not is_preference(criterion.scale):
            cells += _cells(criterion, held, by_id)
    known = cells if held.answers else None
    return OfferedRubric(rubric.name, rubric.about, criteria, known, not held.whole, lacks)


def _cells(criterion: Criterion, held: Held, by_id: Mapping[str, Question]) -> int:
    known = [by_id[one.question_id] for one in held.answers if one.question_id in by_id]
    if not criterion.by_question:
        return len(known) * len(criterion.parts or ("",))
    return sum(len(criterion.parts_of(question)) for question in known)


def cells_words(offer: OfferedRubric) -> str:
    """How many cells a rubric makes."""
    if offer.cells is None:
        return say("importing.advice.unknown_cells")
    return say(f"importing.advice.{'at_least' if offer.at_least else 'cells'}", n=offer.cells)


def _lacks(criterion: Criterion, held: Held, by_id: Mapping[str, Question]) -> Lacks | None:
    """What keeps a criterion from being graded in a file, or None."""
    if text := _unmeasured(criterion, held, by_id):
        return Lacks(criterion.name, criterion.title, text, True)
    key, without = "", [one for one in held.questions if _lacks_reference(criterion, one)]
    if is_preference(criterion.scale):
        key = "pairs"
    elif criterion.elements == "claims":
        key = "claims"
    elif criterion.elements:
        without = [one for one in held.questions if not criterion.parts_of(one)]
        key = "list" if len(without) == len(held.questions) else ""
    elif without:
        documents = criterion.reference_for("unknown") == "context"
        key = "documents" if documents else "references"
    if not key:
        return None
    n, of = len(without), len(held.questions)
    text = say(f"importing.advice.lacks.{key}", n=n, count=n, of=of)
    return Lacks(criterion.name, criterion.title, text, False)


def _lacks_reference(criterion: Criterion, question: Question) -> bool:
    stated = {question.task_type, "default"} & set(criterion.reference)
    if criterion.elements or not stated:
        return False
    wanted = criterion.reference_for(question.task_type)
    return (wanted == "given" and not question.references) or (
        wanted == "context" and not question.context
    )


def _unmeasured(criterion: Criterion, held: Held, by_id: Mapping[str, Question]) -> str:
    """Why nothing measures a criterion that no reader can tell by looking; empty where something
    does."""
    known = discovery.names("rules")
    if not criterion.graders or any(ref.name not in known for ref in criterion.graders):
        return ""
    said = ""
    for ref in criterion.graders:
        rule = discovery.make("rules", ref.name, ref.options)
        if not rule.unseen:
            return ""
        for answer in held.answers[:LOOKED]:
            if (question := by_id.get(answer.question_id)) is None:
                continue
            mark = rule.grade(Subject(question=question, answer=answer), criterion)
            if mark.reason != "not_measured":
                return ""
            said = mark.rationale
    return said
