"""Roles of columns -> the places of a row's cells."""

from __future__ import annotations

import difflib
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from graders.core.contracts import FIGURES, Column, Look
from graders.core.errors import InputError
from graders.core.words import error_parts, say
from graders.importers.tables._owners import listed, without_model
from graders.importers.tables.cells import per_second
from graders.importers.tables.words import GRADES, fold

#: Roles that say something about the question; the first row that fills one of them counts.
OF_QUESTIONS = (
    "category",
    "task_type",
    "language",
    "detail",
    "reference",
    "context",
    "facts",
    "must_have",
)
#: Models that a message names.
NAMED = 20


@dataclass(frozen=True, slots=True)
class Answers:
    """Where one model's answer and its figures stand; `model` is empty where a column names it.
    `headers` is as in `Placed`."""

    model: str
    text: int
    figures: dict[str, tuple[int, float]]
    headers: dict[str, str]


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Where people's verdicts under one criterion stand; `model` is empty where a column names it.
    `headers` is as in `Placed`."""

    criterion: str
    index: int
    model: str
    headers: dict[str, str]


@dataclass(frozen=True, slots=True)
class Plan:
    """The places of a table's cells: indexes of columns, by what they hold. `repeats` says that a
    question may have several rows: one an answer, or in a wide table one a person."""

    file: str
    long: bool
    repeats: bool
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
    ignored: frozenset[int]
    width: int


def plan_of(look: Look, file: str, stem: str) -> Plan:
    """Where everything stands in a row, from the roles of the columns. InputError where they make
    no table."""
    columns = look.columns
    first: dict[str, int] = {}
    for column in columns:
        first.setdefault(column.role, column.index)
    answers = _answer_plans(columns, file, "model" in first)
    if "question" not in first and ("question_id" not in first or not answers):
        if columns:
            raise InputError(**error_parts("importers.plan.no_question", file=file))
        raise InputError(**error_parts("importers.plan.no_columns", file=file))
    owners = _Owners(file, stem, columns, answers, "model" in first)
    _figures(columns, owners)
    # figures that no answer takes, and second columns of single roles, are kept beside the question
    used = {
        i for plan in answers for i in (plan.text, *(place for place, _ in plan.figures.values()))
    }
    verdicts = _verdict_plans(columns, owners)
    used |= {place.index for place in verdicts}
    used |= {
        first[role] for role in ("question", "question_id", "model", "annotator") if role in first
    }
    about = {role: [c.index for c in columns if c.role == role] for role in OF_QUESTIONS}
    used |= {i for indexes in about.values() for i in indexes}
    return Plan(
        file=file,
        long=look.layout != "wide",
        repeats=look.layout != "wide" or ("annotator" in first and bool(verdicts)),
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
        ignored=frozenset(c.index for c in columns if c.role == "ignore"),
        width=max((c.index for c in columns), default=-1) + 1,
    )


def _header(column: Column) -> str:
    return column.header or say("importers.column", number=column.index + 1)


def _named(columns: Sequence[Column]) -> dict[str, str]:
    """What the table calls the columns that say whose answer a row speaks of."""
    return {c.role: _header(c) for c in reversed(columns) if c.role in ("question_id", "model")}


def _answer_plans(columns: Sequence[Column], file: str, has_model: bool) -> list[Answers]:
    texts, named = [c for c in columns if c.role == "answer"], _named(columns)
    plans: list[Answers] = []
    for column in texts:
        model = "" if has_model else column.model or (column.header if len(texts) > 1 else "")
        if any(plan.model == model for plan in plans):
            if model:
                raise InputError(
                    **error_parts("importers.plan.two_of_model", file=file, model=repr(model))
                )
            raise InputError(**error_parts("importers.plan.two_answers", file=file))
        plans.append(Answers(model, column.index, {}, {**named, "answer": _header(column)}))
    return plans


def option(words: str) -> str:
    """How the command line gives a column a role: `words` are ``NAME=ROLE`` or
    ``NAME=ROLE:MODEL``."""
    return "--column " + (words if re.fullmatch(r"[\w.:=@%+,/-]+", words) else shlex.quote(words))


@dataclass(frozen=True, slots=True)
class _Owners:
    """Who owns a column of figures or verdicts: the answers of the model that it names, or the only
    ones there are."""

    file: str
    stem: str
    columns: Sequence[Column]
    answers: Sequence[Answers]
    has_model: bool

    def of(self, column: Column) -> Answers:
        """The answers of which `column` speaks. InputError where it does not say so."""
        if len(self.answers) == 1 and column.model in (
            "",
            self.answers[0].model or (self.stem if not self.has_model else ""),
        ):
            return self.answers[0]
        headers = {c.index: c.header for c in self.columns}
        named = [
            plan
            for plan in self.answers
            if column.model and column.model in (plan.model, headers[plan.text])
        ]
        if not named:
            raise self._problem(column)
        return named[0]

    def _problem(self, column: Column) -> InputError:
        verdicts = column.role == "verdict"
        what = say("importers.plan.verdicts") if verdicts else column.role
        model = (
            say("importers.plan.model", model=repr(column.model))
            if column.model
            else say("importers.plan.no_model")
        )
        found = say("importers.plan.on", what=what, header=repr(_header(column)), model=model)
        if not self.answers:
            return InputError(
                **error_parts("importers.plan.no_answers", file=self.file, found=found)
            )
        if self.has_model:
            by = next(_header(c) for c in self.columns if c.role == "model")
            return InputError(
                **error_parts(
                    "importers.plan.model_of_row",
                    file=self.file,
                    found=found,
                    by=repr(by),
                    option=self._option(column, ""),
                )
            )
        models = [plan.model or self.stem for plan in self.answers]
        named, more = ", ".join(models[:NAMED]), len(models) - NAMED
        like = difflib.get_close_matches(column.model, models, 1) if column.model else []
        return InputError(
            **error_parts(
                "importers.plan.other_model",
                file=self.file,
                found=found,
                models=say("importers.more", named=named, n=more) if more > 0 else named,
                option=self._option(column, (like or models)[0]),
            )
        )

    def _option(self, column: Column, model: str) -> str:
        """How the command line says that `column` speaks of `model`."""
        unique = sum(c.header == column.header for c in self.columns) == 1 and column.header.strip()
        name = (
            column.header
            if unique
            else str([c.index for c in self.columns].index(column.index) + 1)
        )
        words = f"{name}={column.role}" + (f":{model}" if model else "")
        return option(words)


def _figures(columns: Sequence[Column], owners: _Owners) -> None:
    """Give each answer the places of its figures; the first of two wins. Where there are no
    answers, none is needed."""
    for column in columns if owners.answers else ():
        if column.role in FIGURES:
            parts = (
                per_second(column.header)
                if column.role in ("time_to_first_token", "total_seconds")
                else 1.0
            )
            owners.of(column).figures.setdefault(column.role, (column.index, parts))


def _verdict_plans(columns: Sequence[Column], owners: _Owners) -> list[Verdicts]:
    """A place for each column of verdicts. Beside a column per model, each says whose answers it
    speaks of."""
    plans: list[Verdicts] = []
    named = _named(columns)
    for column in columns:
        if column.role == "verdict":
            model, header = owners.of(column).model, _header(column)
            criterion = without_model(header, model) or "verdict"
            # What is wrong with model or criterion stands in the verdict's own header, unless a
            # column names the model.
            headers = {"model": header, **named, "value": header, "criterion": header}
            plans.append(Verdicts(criterion, column.index, model, headers))
    return plans


def unread(plan: Plan) -> str:
    """What to do with rows that repeat an answer, as tables do that have a row for each person's
    verdict: which column holds those is said by people and not guessed."""
    likely = [plan.headers[i] for i in plan.metadata if fold(plan.headers[i]) in GRADES]
    if not likely:
        return say("importers.plan.several_annotators")
    options = " ".join(option(f"{name}=verdict") for name in likely)
    return say("importers.plan.grades", n=len(likely), headers=listed(likely), options=options)
