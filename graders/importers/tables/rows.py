"""Rows of a table -> questions and answers, and a BadRow for every row that cannot be one."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, cast

from graders.core.contracts import Imported, ImportedVerdict, Look, Placed
from graders.core.hashing import text_hash
from graders.core.records import Answer, BadRow, Question, TaskType
from graders.core.shapes import JSON
from graders.core.words import row_parts, say
from graders.importers.tables._chats import looks_like_chat
from graders.importers.tables._plan import Answers, Plan, Verdicts, plan_of, unread
from graders.importers.tables.cells import (
    bad,
    clean_lines,
    flaw_in,
    parse_entries,
    parse_number,
    parse_texts,
    quoted,
)
from graders.importers.tables.contents import cell_text
from graders.importers.tables.words import language_code, task_type


class Row(NamedTuple):
    """One row of a file: its number and the line it begins in (see `BadRow`), and its cells."""

    number: int
    cells: Sequence[Any]
    line: int = 0


Rows = Callable[[], Iterator[Row | BadRow]]

_WHOLE = frozenset({"input_tokens", "output_tokens"})


def records(rows: Rows, look: Look, file: str, stem: str) -> Iterator[Imported]:
    """Questions, answers and bad rows in the order of the file; `rows` gives the data rows and may
    be called twice.

    A wide table has one row per question. In a long one the rows of a question share its id, or its
    text; what the question's first row leaves empty is taken from the first row that fills it.
    `stem` names the model where no column does. Raises InputError where the columns chosen hold no
    question and no answer.
    """
    plan = plan_of(look, file, stem)
    later = _filled_later(rows, plan) if plan.repeats and plan.question is not None else {}
    state = _State(later=later)
    for row in rows():
        if isinstance(row, BadRow):
            yield row
        elif row.line:
            yield from (replace(item, line=row.line) for item in _row_records(row, plan, state))
        else:
            yield from _row_records(row, plan, state)


@dataclass(slots=True)
class _State:
    later: dict[str, dict[int, Any]]
    questions: dict[str, tuple[int, str]] = field(default_factory=dict)
    waiting: dict[str, Placed] = field(default_factory=dict)
    answers: dict[tuple[str, str], tuple[int, str]] = field(default_factory=dict)
    said: dict[tuple[str, ...], tuple[int, Any]] = field(default_factory=dict)


def _cell(row: Row, index: int) -> Any:
    return row.cells[index] if index < len(row.cells) else ""


def _key(row: Row, plan: Plan) -> tuple[str, str]:
    """Id and text of a row's question; the id is made from the text where the table has none."""
    text = (
        clean_lines(cell_text(_cell(row, plan.question))).strip()
        if plan.question is not None
        else ""
    )
    if plan.question_id is not None:
        return cell_text(_cell(row, plan.question_id)).strip(), text
    return f"q-{text_hash(text)[:10]}", text


def _filled_later(rows: Rows, plan: Plan) -> dict[str, dict[int, Any]]:
    """For each question the cells about it that its first row leaves empty and a later row
    fills."""
    watched = [i for indexes in plan.about.values() for i in indexes]
    missing: dict[str, list[int]] = {}
    later: dict[str, dict[int, Any]] = {}
    if not watched:
        return later
    for row in rows():
        if isinstance(row, BadRow):
            continue
        key, _ = _key(row, plan)
        empty = missing.get(key)
        if empty is None:
            missing[key] = [i for i in watched if not cell_text(_cell(row, i)).strip()]
        elif empty:
            for i in [i for i in empty if cell_text(_cell(row, i)).strip()]:
                if flaw_in(_cell(row, i)) is None:
                    later.setdefault(key, {})[i] = _cell(row, i)
                    empty.remove(i)
    return later


def _row_records(row: Row, plan: Plan, state: _State) -> Iterator[Imported]:
    problem = _broken(row, plan)
    if problem:
        yield problem
        return
    key, text = _key(row, plan)
    problem = _question_problem(row, plan, state, key, text)
    if problem:
        yield problem
        return
    if key not in state.questions:
        state.questions[key] = (row.number, text_hash(text))
        if plan.question is not None:
            state.waiting[key] = Placed(
                record=_question(row, plan, key, text, state.later.pop(key, {})),
                file=plan.file,
                row=row.number,
            )
    made = [(answers, _answer(row, plan, answers, key, state)) for answers in plan.answers]
    refused = [answer for _, answer in made if isinstance(answer, BadRow)]
    # a question whose only row stays out does not come in without its answer; that row's cells
    # count if another row brings it
    if key in state.waiting and (
        not refused or any(isinstance(answer, Answer) for _, answer in made)
    ):
        yield replace(state.waiting.pop(key), row=row.number)
    for answers, answer in made:
        if isinstance(answer, BadRow):
            yield answer
        elif answer is not None:
            yield Placed(record=answer, file=plan.file, row=row.number, headers=answers.headers)
    if not refused:
        for place, verdict in _verdicts(row, plan, key):
            problem = _second_word(verdict, place, plan, row, state)
            yield problem or Placed(
                record=verdict, file=plan.file, row=row.number, headers=place.headers
            )


def _broken(row: Row, plan: Plan) -> BadRow | None:
    for i, cell in enumerate(row.cells):
        found = None if i in plan.ignored else flaw_in(cell)
        if found:
            return bad(
                plan.file,
                row.number,
                plan.headers.get(i, f"column {i + 1}"),
                f"{found[0]} in {quoted(cell, 30)}",
                say("importers.rows.readable"),
                found[1],
            )
    for place in (plan.question, plan.model, *(answers.text for answers in plan.answers)):
        if place is not None and _is_object(_cell(row, place)):
            parts = row_parts("importers.rows.no_text", value=quoted(_cell(row, place)))
            return _refused(row, plan, place, parts)
    return None


def _is_object(cell: Any) -> bool:
    """Whether a cell holds several texts, a chat, or no text at all."""
    return (
        isinstance(cell, dict)
        or looks_like_chat(cell)
        or (
            isinstance(cell, list | tuple)
            and (len(cell) > 1 or any(isinstance(one, dict | list) for one in cell))
        )
    )


def _refused(row: Row, plan: Plan, index: int, parts: Mapping[str, str]) -> BadRow:
    """The row as a bad one, for what stands in a column."""
    return BadRow(file=plan.file, row=row.number, column=plan.headers[index], line=0, **parts)


def _question_problem(row: Row, plan: Plan, state: _State, key: str, text: str) -> BadRow | None:
    if plan.question_id is not None and not key:
        return _refused(row, plan, plan.question_id, row_parts("importers.rows.no_id"))
    seen = state.questions.get(key)
    if (
        plan.question is not None
        and not text
        and (seen is None or not plan.repeats or plan.question_id is None)
    ):
        return _refused(row, plan, plan.question, row_parts("importers.rows.no_question"))
    if seen is None:
        return None
    if not plan.repeats:
        return _repeated(row, plan, key, text, seen[0])
    if text and text_hash(text) != seen[1] and plan.question is not None:
        parts = row_parts(
            "importers.rows.other_text", text=quoted(text), question=quoted(key), row=seen[0]
        )
        return _refused(row, plan, plan.question, parts)
    return None


def _repeated(row: Row, plan: Plan, key: str, text: str, first: int) -> BadRow:
    if plan.question_id is not None:
        parts = row_parts("importers.rows.id_again", id=quoted(key), first=first)
        return _refused(row, plan, plan.question_id, parts)
    kind = "judged" if plan.verdicts else "plain"
    parts = row_parts(f"importers.rows.question_again.{kind}", question=quoted(text), first=first)
    return _refused(row, plan, cast(int, plan.question), parts)


def _verdicts(row: Row, plan: Plan, key: str) -> Iterator[tuple[Verdicts, ImportedVerdict]]:
    """What a person says of the row's answers; an empty cell says nothing."""
    who = cell_text(_cell(row, plan.annotator)).strip() if plan.annotator is not None else ""
    for place in plan.verdicts:
        value = value_of_cell(_cell(row, place.index))
        if value is not None:
            model = (
                cell_text(_cell(row, plan.model)).strip()
                if plan.model is not None
                else place.model or plan.stem
            )
            verdict = ImportedVerdict(
                author=who or "annotator",
                author_kind="person",
                question_id=key,
                model=model,
                criterion=place.criterion,
                value=value,
                file=plan.file,
                row=row.number,
            )
            yield place, verdict


def _second_word(
    verdict: ImportedVerdict, place: Verdicts, plan: Plan, row: Row, state: _State
) -> BadRow | None:
    """A verdict that would take the place of one above it in the file: of two people who are not
    named, only the later would be left."""
    known = (verdict.author, verdict.question_id, verdict.model, verdict.criterion)
    first, value = state.said.setdefault(known, (row.number, verdict.value))
    if value == verdict.value:
        return None
    parts = row_parts(
        "importers.rows.verdict_again",
        value=quoted(str(verdict.value)),
        criterion=verdict.criterion,
        author=verdict.author,
        before=quoted(str(value)),
        first=first,
    )
    index = plan.annotator if plan.annotator is not None else place.index
    return _refused(row, plan, index, parts)


def _graded(row: Row, plan: Plan, model: str) -> bool:
    """Whether the row holds a verdict on the model's answer. Then an empty cell is an answer
    without text that a person graded, not a missing one."""
    return any(
        place.model in ("", model) and value_of_cell(_cell(row, place.index)) is not None
        for place in plan.verdicts
    )


def value_of_cell(cell: Any) -> str | int | float | None:
    """A mark as people write it: a number (with a decimal comma too), else the label; None where
    there is none."""
    text = cell_text(cell).strip()
    if not text:
        return None
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        return text
    return (int(number) if number.is_integer() else number) if math.isfinite(number) else text


def _question(row: Row, plan: Plan, key: str, text: str, later: dict[int, Any]) -> Question:
    cells = {
        role: [later.get(i, _cell(row, i)) for i in indexes] for role, indexes in plan.about.items()
    }

    def one(role: str) -> str:
        return cell_text(cells[role][0]).strip() if role in cells else ""

    def many(role: str, parse: Callable[[Any], tuple[str, ...]] = parse_texts) -> tuple[str, ...]:
        return tuple(part for cell in cells.get(role, []) for part in parse(cell))

    metadata = _extras(row, plan) if not plan.long or not plan.answers else {}
    kind = task_type(one("task_type"))
    if kind is None:
        metadata["task_type"] = one("task_type")
    return Question(
        id=key,
        text=text,
        category=one("category"),
        task_type=cast(TaskType, kind or "unknown"),
        language=language_code(one("language")),
        detail=one("detail"),
        references=many("reference"),
        context=tuple(clean_lines(part) for part in many("context")),
        facts=many("facts", parse_entries),
        must_have=many("must_have", parse_entries),
        metadata=metadata,
    )


def _extras(row: Row, plan: Plan) -> JSON:
    """Cells of further columns under their headers; empty ones are left out."""
    return {
        plan.headers[i]: _cell(row, i) for i in plan.metadata if cell_text(_cell(row, i)).strip()
    }


def _answer(
    row: Row, plan: Plan, place: Answers, key: str, state: _State
) -> Answer | BadRow | None:
    text = clean_lines(cell_text(_cell(row, place.text)))
    model = place.model or plan.stem
    if plan.model is not None:
        model = cell_text(_cell(row, plan.model)).strip()
        if not model:
            return _refused(row, plan, plan.model, row_parts("importers.rows.no_model"))
    if not text.strip():
        if not _graded(row, plan, model):
            if not plan.long:
                return None
            return _refused(row, plan, place.text, row_parts("importers.rows.no_answer"))
        if plan.repeats and (key, model) in state.answers:
            return None  # the row says only what a person thinks of the answer above
    # where every row is a question of its own, no answer comes again
    first, said = (
        state.answers.setdefault((key, model), (row.number, text_hash(text)))
        if plan.repeats
        else (row.number, "")
    )
    if first != row.number:
        same = said == text_hash(text)
        if plan.verdicts and same:
            return None  # another person's verdicts on the same answer
        names = {"model": quoted(model), "question": quoted(key), "first": first}
        parts = (
            row_parts("importers.rows.answer_again", remedy=unread(plan), **names)
            if same and plan.metadata
            else row_parts("importers.rows.second_answer", **names)
        )
        return _refused(row, plan, place.text, parts)
    figures = _figures(row, plan, place)
    if isinstance(figures, BadRow):
        return figures
    metadata = _extras(row, plan) if plan.long else {}
    return Answer(question_id=key, model=model, text=text, metadata=metadata, **figures)


def _figures(row: Row, plan: Plan, place: Answers) -> JSON | BadRow:
    """What the row states of an answer: seconds, tokens, cost, and why it ended."""
    values: JSON = {}
    for role, (index, parts) in place.figures.items():
        cell = _cell(row, index)
        if role == "finish_reason":
            values[role] = cell_text(cell).strip()
            continue
        whole = role in _WHOLE
        try:
            number = parse_number(cell, whole=whole)
        except ValueError:
            kind = "whole" if whole else "any"
            bad_parts = row_parts(f"importers.rows.no_number.{kind}", value=quoted(cell))
            return _refused(row, plan, index, bad_parts)
        values[role] = number if whole or number is None else number / parts
    return values
