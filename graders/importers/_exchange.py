"""Lines of the exchange format -> records, and a BadRow for every line that cannot be one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, cast

from graders.core.contracts import ImportedRow, ImportedVerdict
from graders.core.records import Answer, BadRow, Question, TaskType
from graders.core.words import say
from graders.importers.tables.cells import bad, flaw_in, parse_number, quoted
from graders.importers.tables.words import language_code, task_type

Record = Question | Answer | ImportedVerdict | ImportedRow


class Line(NamedTuple):
    """One line: the file's name, the line's number, its fields; whether it is `escaped`, that is,
    writes a sign by its number: nothing else in JSON can stand for a sign that no text may hold."""

    file: str
    row: int
    fields: dict[str, Any]
    escaped: bool


class _Wrong(Exception):
    """A field that cannot be used; caught in `record_of`, which makes a BadRow of it."""

    def __init__(self, column: str, found: str, expected: str, remedy: str) -> None:
        super().__init__(column)
        self.column, self.found, self.expected, self.remedy = column, found, expected, remedy


Seen = dict[tuple[str, ...], int]


def record_of(table: str, line: Line, seen: Seen) -> Record | BadRow:
    """The record of a line of `table`; `seen` remembers the keys of the tables whose rows must
    differ."""
    try:
        for name, value in line.fields.items() if line.escaped else ():
            found = flaw_in([name, value])
            if found:
                raise _Wrong(name, found[0], say("importers.rows.readable"), found[1])
        return _MAKERS.get(table, _other)(table, line, seen)
    except _Wrong as wrong:
        return bad(line.file, line.row, wrong.column, wrong.found, wrong.expected, wrong.remedy)


def _needed(line: Line, name: str) -> str:
    value = line.fields.get(name)
    if (
        isinstance(value, bool)
        or not isinstance(value, str | int | float)
        or not str(value).strip()
    ):
        found = (
            quoted(value)
            if name in line.fields and value is not None
            else say("importers.exchange.none", name=name)
        )
        raise _Wrong(name, found, say("importers.exchange.text"), f"Fill in {name}.")
    return str(value)


def _text(line: Line, name: str) -> str:
    value = line.fields.get(name)
    if value is None:
        return ""
    if isinstance(value, str | int | float):
        return str(value)
    raise _Wrong(
        name,
        quoted(value),
        say("importers.exchange.plain_text"),
        say("importers.exchange.mend_text", name=name),
    )


def _texts(line: Line, name: str) -> tuple[str, ...]:
    """A field that may be null, one text or a list of texts."""
    value = line.fields.get(name)
    if value is None or value == "":
        return ()
    parts = value if isinstance(value, list) else [value]
    if not all(
        isinstance(part, str | int | float) and not isinstance(part, bool) for part in parts
    ):
        raise _Wrong(
            name,
            quoted(value),
            say("importers.exchange.texts"),
            say("importers.exchange.mend_texts", name=name),
        )
    return tuple(str(part) for part in parts if str(part).strip())


def _number(line: Line, name: str, *, whole: bool) -> Any:
    value = line.fields.get(name)
    try:
        return parse_number(value, whole=whole)
    except ValueError:
        key = "whole_number" if whole else "number"
        expected = say(f"importers.exchange.{key}")
        raise _Wrong(name, quoted(value), expected, say("importers.exchange.mend_number")) from None


def _once(seen: Seen, key: tuple[str, ...], line: Line, column: str, what: str) -> None:
    first = seen.setdefault(key, line.row)
    if first != line.row:
        raise _Wrong(
            column,
            say("importers.exchange.again", what=what, first=first),
            say("importers.exchange.once"),
            say("importers.exchange.mend_again"),
        )


def _metadata(line: Line, known: frozenset[str]) -> dict[str, Any]:
    """Unknown fields, with what the field metadata holds."""
    given = line.fields.get("metadata")
    if given is not None and not isinstance(given, Mapping):
        raise _Wrong(
            "metadata",
            quoted(given),
            say("importers.exchange.object"),
            say("importers.exchange.mend_metadata"),
        )
    return {
        **{name: value for name, value in line.fields.items() if name not in known},
        **(given or {}),
    }


_QUESTION = frozenset(
    (
        "id",
        "text",
        "category",
        "task_type",
        "language",
        "detail",
        "reference",
        "references",
        "context",
        "facts",
        "must_have",
        "metadata",
    )
)
_ANSWER = frozenset(
    (
        *(
            "question_id",
            "model",
            "version",
            "text",
            "time_to_first_token",
            "total_seconds",
            "input_tokens",
            "output_tokens",
        ),
        *("cost", "finish_reason", "metadata"),
    )
)


def _question(table: str, line: Line, seen: Seen) -> Record:
    key = _needed(line, "id")
    _once(seen, ("questions", key), line, "id", say("importers.exchange.the_id", id=quoted(key)))
    metadata = _metadata(line, _QUESTION)
    given = _text(line, "task_type")
    kind = task_type(given)
    if kind is None:
        metadata["task_type"] = given
    return Question(
        id=key,
        text=_needed(line, "text"),
        category=_text(line, "category"),
        task_type=cast(TaskType, kind or "unknown"),
        language=language_code(_text(line, "language")),
        detail=_text(line, "detail"),
        references=_texts(line, "reference") or _texts(line, "references"),
        context=_texts(line, "context"),
        facts=_texts(line, "facts"),
        must_have=_texts(line, "must_have"),
        metadata=metadata,
    )


def _answer(table: str, line: Line, seen: Seen) -> Record:
    question, model = _needed(line, "question_id"), _needed(line, "model")
    version = _number(line, "version", whole=True)
    if version == 0:
        raise _Wrong(
            "version",
            "'0'",
            say("importers.exchange.version"),
            say("importers.exchange.mend_version"),
        )
    what = say("importers.exchange.answer_of", model=quoted(model), question=quoted(question))
    _once(seen, ("answers", question, model, str(version or 1)), line, "question_id", what)
    return Answer(
        question_id=question,
        model=model,
        text=_needed(line, "text"),
        version=version or 1,
        time_to_first_token=_number(line, "time_to_first_token", whole=False),
        total_seconds=_number(line, "total_seconds", whole=False),
        input_tokens=_number(line, "input_tokens", whole=True),
        output_tokens=_number(line, "output_tokens", whole=True),
        cost=_number(line, "cost", whole=False),
        finish_reason=_text(line, "finish_reason"),
        metadata=_metadata(line, _ANSWER),
    )


def _verdict(table: str, line: Line, seen: Seen) -> Record:
    author_field = "annotator" if table == "human" else "judge"
    names = {
        name: _needed(line, name) for name in ("question_id", "model", "criterion", author_field)
    }
    value = line.fields.get("value")
    if (
        "value" not in line.fields
        and line.fields.get("status", "ok") == "ok"
        and line.fields.get("kind", "given") != "retracts"
    ):
        raise _Wrong(
            "value",
            say("importers.exchange.no_value"),
            say("importers.exchange.value"),
            say("importers.exchange.fill_value"),
        )
    if value is not None and not isinstance(value, str | int | float | bool):
        raise _Wrong(
            "value",
            quoted(value),
            say("importers.exchange.scalar"),
            say("importers.exchange.mend_value"),
        )
    if line.fields.get("id"):
        _once(
            seen,
            (table, str(line.fields["id"])),
            line,
            "id",
            say("importers.exchange.the_id", id=quoted(line.fields["id"])),
        )
    used = {*names, "value"}
    return ImportedVerdict(
        author=names[author_field],
        author_kind="person" if table == "human" else "judge",
        question_id=names["question_id"],
        model=names["model"],
        criterion=names["criterion"],
        value=value,
        fields={name: field for name, field in line.fields.items() if name not in used},
        file=line.file,
        row=line.row,
    )


def _other(table: str, line: Line, seen: Seen) -> Record:
    return ImportedRow(table=table, fields=line.fields, file=line.file, row=line.row)


_MAKERS: dict[str, Callable[[str, Line, Seen], Record]] = {
    "questions": _question,
    "answers": _answer,
    "human": _verdict,
    "judge": _verdict,
}
