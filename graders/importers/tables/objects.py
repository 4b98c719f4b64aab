"""JSON as rows: objects one per line or in a list, read as a stream."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

from graders.core.errors import InputError
from graders.core.records import BadRow
from graders.core.words import error_parts, say
from graders.importers.tables._oriented import rows_inside
from graders.importers.tables.cells import bad, quoted
from graders.importers.tables.looks import open_bytes, open_text

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
