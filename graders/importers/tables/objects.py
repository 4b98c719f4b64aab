"""JSON as rows: objects one per line or in a list, read as a stream, nested answers laid out as
columns."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO, Any, NamedTuple

from graders.core.contracts import FIGURES, Column, Look
from graders.core.errors import InputError
from graders.core.records import BadRow
from graders.core.words import error_parts, say
from graders.importers.tables._oriented import rows_inside
from graders.importers.tables.cells import bad, quoted
from graders.importers.tables.looks import open_bytes, open_text
from graders.importers.tables.words import role_of

#: The longest line or object, in characters: 64 million.
LONGEST = 64 * 1024 * 1024
#: The largest file that is one object with the rows inside, in bytes: 256 MB (lists and lines may
#: be of any size).
LARGEST_OBJECT = 256 * 1024 * 1024
_CHUNK = 1 << 20
_LISTS = (
    "data",
    "rows",
    "questions",
    "items",
    "examples",
    "instances",
    "records",
    "samples",
    "results",
)
_ANSWERS = ("answers", "responses", "outputs", "completions", "models", "replies", "predictions")
_NAMES = ("model", "model_name", "model_id", "name", "system", "generator", "llm")
_TEXTS = ("text", "answer", "response", "output", "completion", "content", "reply")
SIGN = " / "
#: The cell beside a conversation, with its other messages: it has the conversation's name before
#: it.
OTHERS = f"{SIGN}other messages"


class Item(NamedTuple):
    """One JSON object, its number (the line where there is one a line, else its place in the list),
    and the line it begins in if that is another number."""

    number: int
    value: dict[str, Any]
    line: int = 0


def _refuse(name: str) -> Any:
    raise ValueError(say("importers.objects.no_json", name=name))


_decoder = json.JSONDecoder(parse_constant=_refuse)


def parse(text: str) -> Any:
    """`text` as JSON; ValueError with a reason for anything else, NaN and Infinity included."""
    try:
        return _decoder.decode(text)
    except RecursionError as error:
        raise ValueError(say("importers.objects.nested")) from error


def reason(error: ValueError) -> str:
    """What is wrong with a JSON text, in words."""
    return (
        say("importers.objects.broken_at", fault=error.msg, place=error.pos + 1)
        if isinstance(error, json.JSONDecodeError)
        else say("importers.objects.broken_json", error=error)
    )


def items(path: Path, encoding: str) -> Iterator[Item | BadRow]:
    """The objects of a file: one per line, in a list, or in a list inside one object. InputError if
    there is none."""
    with open_text(open_bytes(path), encoding) as stream:
        start = _first_text(stream)
        stream.seek(0)
        if start == "[":
            yield from _listed(stream, path.name)
            return
        if start != "{":
            raise InputError(**error_parts("importers.objects.begins", file=path.name, start=start))
        first = stream.readline(LONGEST)
        while first and not first.strip("\ufeff \t\r\n"):
            first = stream.readline(LONGEST)
        by_line = _is_object(first) and bool(path.suffix.lower() == ".jsonl" or _first_text(stream))
        stream.seek(0)
        if by_line or path.suffix.lower() in (".jsonl", ".ndjson"):
            yield from _lined(stream, path.name)
        else:
            yield from _wrapped(stream, path)


def _first_text(stream: IO[str]) -> str:
    for chunk in iter(lambda: stream.read(4096), ""):
        text = chunk.lstrip("\ufeff \t\r\n")
        if text:
            return text[0]
    return ""


def _is_object(line: str) -> bool:
    try:
        return isinstance(parse(line.strip("\ufeff \r\n")), dict)
    except ValueError:
        return False


def _lined(stream: IO[str], file: str) -> Iterator[Item | BadRow]:
    number = 0
    while line := stream.readline(LONGEST):
        number += 1
        if not line.endswith("\n") and len(line) >= LONGEST:
            while line and not line.endswith("\n"):
                line = stream.readline(LONGEST)
            yield bad(
                file,
                number,
                "",
                say("importers.objects.long_line", most=LONGEST),
                say("importers.objects.shorter_lines"),
                say("importers.objects.shorten"),
            )
            continue
        text = line.strip("\ufeff \t\r\n")
        if not text:
            continue
        try:
            value = parse(text)
        except ValueError as error:
            yield bad(
                file,
                number,
                "",
                say("importers.objects.in_text", fault=reason(error), text=quoted(text)),
                say("importers.objects.single"),
                say("importers.objects.mend_line"),
            )
            continue
        yield _item(number, value, file)


def _item(number: int, value: Any, file: str, line: int = 0) -> Item | BadRow:
    if isinstance(value, dict):
        return Item(number, value, line)
    return bad(
        file,
        number,
        "",
        f"{quoted(json.dumps(value, ensure_ascii=False))}",
        say("importers.objects.object"),
        say("importers.objects.mend_object"),
        line,
    )


def _listed(stream: IO[str], file: str) -> Iterator[Item | BadRow]:
    """The members of a JSON list, decoded one by one; what follows a broken one cannot be read."""
    text, place, number, line, step = "", 0, 1, 1, _CHUNK
    text = stream.read(step)
    place = text.index("[") + 1
    line += text.count("\n", 0, place)
    ended = False
    while True:
        while place < len(text) and text[place] in ", \t\r\n":
            line += text[place] == "\n"
            place += 1
        if place < len(text) and text[place] == "]":
            return
        try:
            value, after = _decoder.raw_decode(text, place)
            if after == len(text) and not ended:
                raise ValueError("cut")
        except (ValueError, RecursionError) as error:
            if not ended and len(text) - place < LONGEST:
                more = stream.read(step)
                ended = not more
                text, place, step = text[place:] + more, 0, min(2 * step, LONGEST)
                continue
            what = (
                reason(error)
                if isinstance(error, ValueError) and place < len(text)
                else say("importers.objects.endless")
            )
            remedy = say("importers.objects.mend_list")
            found = say(
                "importers.objects.in_text", fault=what, text=quoted(text[place : place + 200])
            )
            yield bad(
                file,
                number,
                "",
                found,
                say("importers.objects.objects_in_list"),
                remedy,
                line if line != number else 0,
            )
            return
        yield _item(number, value, file, line if line != number else 0)
        line, number = line + text.count("\n", place, after), number + 1
        place, step = after, _CHUNK


def _wrapped(stream: IO[str], path: Path) -> Iterator[Item | BadRow]:
    """The rows of a file that is one object: the members of a list in it, those of a table by
    columns, or the object itself."""
    size = path.stat().st_size
    if size > LARGEST_OBJECT:
        raise InputError(
            **error_parts(
                "importers.objects.too_large",
                file=path.name,
                size=size / 1e6,
                most=LARGEST_OBJECT / 1e6,
            )
        )
    try:
        whole = parse(stream.read().strip("\ufeff \t\r\n"))
    except ValueError as error:
        raise InputError(
            **error_parts("importers.objects.broken", file=path.name, reason=reason(error))
        ) from error
    lists = {
        key: value
        for key, value in whole.items()
        if isinstance(value, list) and value and isinstance(value[0], dict)
    }
    key = next(
        (name for name in _LISTS if name in lists),
        next(iter(lists), None) if "question" not in whole else None,
    )
    for number, value in enumerate(
        lists[key] if key is not None else rows_inside(whole) or [whole], 1
    ):
        yield _item(number, value, path.name)


def flat(value: dict[str, Any]) -> dict[str, Any]:
    """An object as one level of cells: nested answers get a cell per model, ``answers / gpt``;
    other things stay whole.

    Answers may be nested as ``{model: text}``, ``{model: {text, seconds, ...}}`` or ``[{model,
    text, ...}]``. Of a conversation, ``[{role, content}, ...]``, the cell is what the user said
    last; the other messages have a cell of their own.
    """
    cells: dict[str, Any] = {}
    for key, inner in value.items():
        if key.casefold() in _ANSWERS and isinstance(inner, dict):
            for model, answer in inner.items():
                cells.update(_answer(key, model, answer))
        elif (
            key.casefold() in _ANSWERS
            and isinstance(inner, list)
            and inner
            and all(isinstance(x, dict) and _name(x) for x in inner)
        ):
            for answer in inner:
                cells.update(
                    _answer(
                        key, _name(answer), {k: v for k, v in answer.items() if k not in _NAMES}
                    )
                )
        elif _is_conversation(inner):
            cells.update(_conversation(key, inner))
        else:
            cells[key] = inner
    return cells


def _is_conversation(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(one, dict) and "role" in one and "content" in one for one in value)
    )


def _conversation(key: str, messages: list[dict[str, Any]]) -> dict[str, Any]:
    """What the user said last, or where no user speaks the last message, and under `OTHERS` the
    messages around it."""
    spoken = [place for place, one in enumerate(messages) if one["role"] in ("user", "human")]
    last = spoken[-1] if spoken else len(messages) - 1
    others = [one for place, one in enumerate(messages) if place != last]
    return {key: _said(messages[last]["content"])} | ({key + OTHERS: others} if others else {})


def _said(content: Any) -> Any:
    """The text of a message, whose parts may be objects (``{"type": "text", "text": ...}``)."""
    if isinstance(content, list) and all(
        isinstance(part, dict) and isinstance(part.get("text"), str) for part in content
    ):
        return "\n".join(part["text"] for part in content)
    return content


def _name(answer: dict[str, Any]) -> str:
    return next((str(answer[name]) for name in _NAMES if answer.get(name)), "")


def _answer(key: str, model: str, answer: Any) -> dict[str, Any]:
    head = f"{key}{SIGN}{model}"
    if not isinstance(answer, dict):
        return {head: answer}
    text = next((name for name in _TEXTS if name in answer), None)
    return {
        head if name == text else f"{head}{SIGN}{name}": inner for name, inner in answer.items()
    }


def nested(columns: Sequence[Column]) -> tuple[Column, ...]:
    """Columns that come from nested answers get their model: its text, or one of its figures where
    its text is there too."""
    parts = ((column.header, column.header.split(SIGN)) for column in columns)
    answers = {
        header: names[1]
        for header, names in parts
        if len(names) == 2 and names[0].casefold() in _ANSWERS
    }
    given: list[Column] = []
    for column in columns:
        of, _, what = column.header.rpartition(SIGN)
        if column.header in answers:
            column = replace(column, role="answer", model=answers[column.header])
        elif of.partition(SIGN)[0].casefold() in _ANSWERS:
            found = role_of(what)
            figure = found[0] if found and found[0] in FIGURES and of in answers else ""
            column = replace(column, role=figure or "metadata", model=answers[of] if figure else "")
        elif column.header.endswith(OTHERS):
            column = replace(column, role="metadata", model="")
        given.append(column)
    return tuple(given)


def widened(look: Look, rows: Iterable[dict[str, Any]]) -> Look:
    """`look` with the columns that only later `rows` (their cells) have: a further model's answers
    and figures, else metadata."""
    headers = [column.header for column in look.columns]
    known, start = set(headers), len(headers)
    for cells in rows:
        new = [key for key in cells if key not in known]
        headers += new
        known.update(new)
    more = [
        Column(index=start + i, header=header, role="metadata")
        for i, header in enumerate(headers[start:])
    ]
    found = {column.header: column for column in look.columns}
    columns = list(look.columns)
    for column in nested([*look.columns, *more])[start:]:
        owner = found.get(column.header.rpartition(SIGN)[0])
        # whose role and model may have been changed
        if column.role in FIGURES and owner is not None:
            named = owner.role == "answer"
            column = replace(
                column,
                role=column.role if named else "metadata",
                model=owner.model if named else "",
            )
        columns.append(column)
    # what was measured once is no longer one model's
    if [c.role for c in columns].count("answer") > 1:
        left = [
            c.role in FIGURES and not c.model and c.index not in (look.chosen or ())
            for c in columns
        ]
        columns = [
            replace(c, role="metadata") if away else c
            for c, away in zip(columns, left, strict=True)
        ]
    return replace(look, columns=tuple(columns))
