"""Roles of columns -> the places of a row's cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graders.core.contracts import Column, Look
from graders.core.errors import InputError
from graders.importers._cells import unit_factor
from graders.importers._columns import OF_ANSWERS

#: Roles that say something about the question; the first row that fills one of them counts.
OF_QUESTIONS = ("category", "task_type", "language", "detail", "reference", "context", "facts", "must_have")


@dataclass(frozen=True, slots=True)
class Answers:
    """Where one model's answer and its figures stand; `model` is empty where a column names it. `headers` is as in `Placed`."""

    model: str
    text: int
    figures: dict[str, tuple[int, float]]
    headers: dict[str, str]


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Where people's verdicts under one criterion stand; `model` is empty where a column names it. `headers` is as in `Placed`."""

    criterion: str
    index: int
    model: str
    headers: dict[str, str]


@dataclass(frozen=True, slots=True)
class Plan:
    """The places of a table's cells: indexes of columns, by what they hold."""

    file: str
    long: bool
    stem: str
    headers: dict[int, str]
    question: int | None
    question_id: int | None
    model: int | None
    about: dict[str, list[int]]
    answers: list[Answers]
    verdicts: list[Verdicts]
    annotator: int | None
    metadata: list[int]
    width: int


def plan_of(look: Look, file: str, stem: str) -> Plan:
    """Where everything stands in a row, from the roles of the columns. InputError where they make no table."""
    columns = look.columns
    first: dict[str, int] = {}
    for column in columns:
        first.setdefault(column.role, column.index)
    answers = _answer_plans(columns, file, "model" in first)
    if "question" not in first and ("question_id" not in first or not answers):
        raise InputError(
            file,
            found="no column with the role question" if columns else "no columns",
            expected="a column of questions, or one of question ids beside answers",
            remedy="Choose the role question for the column that holds what the models were asked; "
            "if the first rows cannot be read, choose another encoding.",
        )
    # figures that no answer takes, and second columns of single roles, are kept beside the question
    used = {i for plan in answers for i in (plan.text, *(place for place, _ in plan.figures.values()))}
    verdicts = _verdict_plans(columns, answers, file, "model" in first)
    used |= {place.index for place in verdicts}
    used |= {first[role] for role in ("question", "question_id", "model", "annotator") if role in first}
    about = {role: [c.index for c in columns if c.role == role] for role in OF_QUESTIONS}
    used |= {i for indexes in about.values() for i in indexes}
    return Plan(
        file=file,
        long=look.layout != "wide",
        stem=stem,
        headers={c.index: _header(c) for c in columns},
        question=first.get("question"),
        question_id=first.get("question_id"),
        model=first.get("model"),
        about={role: indexes for role, indexes in about.items() if indexes},
        answers=answers,
        verdicts=verdicts,
        annotator=first.get("annotator"),
        metadata=[c.index for c in columns if c.role != "ignore" and c.index not in used],
        width=max((c.index for c in columns), default=-1) + 1,
    )


def _header(column: Column) -> str:
    return column.header or f"column {column.index + 1}"


def _named(columns: Sequence[Column]) -> dict[str, str]:
    """What the table calls the columns that say whose answer a row speaks of."""
    return {c.role: _header(c) for c in reversed(columns) if c.role in ("question_id", "model")}


def _answer_plans(columns: Sequence[Column], file: str, has_model: bool) -> list[Answers]:
    texts, named = [c for c in columns if c.role == "answer"], _named(columns)
    plans: list[Answers] = []
    for column in texts:
        model = "" if has_model else column.model or (column.header if len(texts) > 1 else "")
        if any(plan.model == model for plan in plans):
            raise InputError(
                file,
                found=f"two columns with the answers of {model!r}" if model else "two columns with the role answer",
                expected="one column of answers for each model",
                remedy="Give one of the columns another model or role.",
            )
        mine = [c for c in columns if c.role in OF_ANSWERS and (c.model == column.model or (len(texts) == 1 and not c.model))]
        figures: dict[str, tuple[int, float]] = {}
        for c in mine:
            seconds = c.role in ("time_to_first_token", "total_seconds")
            figures.setdefault(c.role, (c.index, unit_factor(c.header) if seconds else 1.0))
        plans.append(Answers(model, column.index, figures, {**named, "answer": _header(column)}))
    return plans


def _verdict_plans(columns: Sequence[Column], answers: Sequence[Answers], file: str, has_model: bool) -> list[Verdicts]:
    """A place for each column of verdicts. Beside a column per model, each says whose answers it speaks of."""
    models, named = [plan.model for plan in answers], _named(columns)
    plans: list[Verdicts] = []
    for column in columns:
        if column.role != "verdict":
            continue
        model = "" if has_model else answers[0].model if len(answers) == 1 else column.model
        if not answers or (model not in models and not has_model):
            raise InputError(
                file,
                found=f"verdicts in {column.header!r} on " + (f"the model {model!r}" if model else "answers of no stated model"),
                expected="one of the models " + ", ".join(models) if models else "a column of answers",
                remedy="Name the model that the column speaks of, or give it another role.",
            )
        header = _header(column)
        criterion = " ".join(header.replace(model, " ").split()).strip(" _-:/()[].") if model else header
        # What is wrong with model or criterion stands in the verdict's own header, unless a column names the model.
        plans.append(
            Verdicts(criterion or "verdict", column.index, model, {"model": header, **named, "value": header, "criterion": header})
        )
    return plans
