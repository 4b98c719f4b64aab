"""JSON's nested objects as one level of cells: questions, answers and chats laid out as columns."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from graders.core.contracts import FIGURES, Column, Look
from graders.importers.tables._chats import (
    ANSWER,
    CONTEXT,
    ID,
    QUESTION,
    SIGN,
    TEXTS,
    chat_cells,
    is_chat,
    looks_like_chat,
    text_in,
)
from graders.importers.tables._plan import OF_QUESTIONS
from graders.importers.tables.words import role_of

_ANSWERS = (
    "answers",
    "responses",
    "outputs",
    "completions",
    "models",
    "replies",
    "predictions",
    "choices",
    "generations",
    "candidates",
)
_NAMES = ("model", "model_name", "model_id", "name", "system", "generator", "llm")
#: Names of what stands before a chat.
_SYSTEM = ("system", "system_prompt", "instructions")
#: Names of answers of which people prefer one.
_PREFERRED = ("chosen", "rejected")
#: Names of a question's text in an object.
_ASKED = ("text", "question", "prompt", "query", "input", "instruction", "content", "value", "body")


def flat(value: dict[str, Any]) -> dict[str, Any]:
    """An object as one level of cells: nested answers get a cell per model, ``answers / gpt``, or
    where they name none per number; other things stay whole.

    Answers may be nested as ``{model: text}``, ``{model: {text, seconds, ...}}``, ``[{model, text,
    ...}]`` or ``[text, ...]``, an answer or a question as ``{text, ...}``. Chats: see `_chats`.
    """
    system = next((key for key in value if key.casefold() in _SYSTEM), "")
    prompt = value[system] if system else None
    # a name without blanks is that of a model
    with_prompt = isinstance(prompt, str) and " " in prompt.strip()
    cells: dict[str, Any] = {}
    for key, inner in value.items():
        said = _read(inner)
        if is_chat(said) and with_prompt:
            said = [{"role": "system", "content": prompt}, *said]
        cells.update(_cells(key, said))
    if with_prompt and any(key + ID in cells for key in value):
        del cells[system]
    return cells


def _read(inner: Any) -> Any:
    """A chat that stands in a text as JSON; anything else as it is."""
    if not looks_like_chat(inner):
        return inner
    try:
        return json.loads(inner)
    except (ValueError, RecursionError):
        return inner


def _cells(key: str, inner: Any) -> Mapping[str, Any]:
    role = _role(key)
    several = key.casefold() in _ANSWERS
    preferred = key.casefold() in _PREFERRED
    if is_chat(inner):
        return chat_cells(key, inner, answers=several or preferred or role == "answer")
    if several and isinstance(inner, list):
        return _listed(key, inner)
    if isinstance(inner, dict):
        if several and not _is_one(inner):
            found: dict[str, Any] = {}
            for model, answer in inner.items():
                found.update(_answer(key, model, answer))
            return found
        if several or preferred or role in ("answer", "reference"):
            return _object(key, inner, TEXTS)
        if role == "question":
            return _object(key, inner, _ASKED)
    return {key: inner}


def _listed(key: str, answers: list[Any]) -> dict[str, Any]:
    """Answers in a list, each under its model's name, or under its number where not all have one; a
    second one of a model has its number behind the name."""
    if not all(isinstance(one, str | dict) for one in answers):
        return {key: answers}
    named = all(isinstance(one, dict) and _name(one) for one in answers)
    found: dict[str, Any] = {}
    seen: dict[str, int] = {}
    for number, one in enumerate(answers, 1):
        model = _name(one) if named else str(number)
        seen[model] = seen.get(model, 0) + 1
        if seen[model] > 1:
            model = f"{model} ({seen[model]})"
        rest = {k: v for k, v in one.items() if k not in _NAMES} if named else one
        found.update(_answer(key, model, rest))
    return found


def _name(answer: dict[str, Any]) -> str:
    return next((str(answer[name]) for name in _NAMES if answer.get(name)), "")


def _is_one(answer: dict[str, Any]) -> bool:
    """Whether an object is one answer rather than one for each model."""
    names = [name.casefold() for name in answer]
    return any(name in (*TEXTS, "message") for name in names) and not any(
        isinstance(inner, dict) and name not in (*TEXTS, "message")
        for name, inner in zip(names, answer.values(), strict=True)
    )


def _answer(key: str, model: str, answer: Any) -> dict[str, Any]:
    head = f"{key}{SIGN}{model}"
    return _object(head, answer, TEXTS) if isinstance(answer, dict) else {head: answer}


def _object(head: str, inner: dict[str, Any], texts: Sequence[str]) -> dict[str, Any]:
    """An object with a text as the cell `head`, the rest of it as cells beside it; one without a
    text as it is."""
    name = next((name for name in texts if isinstance(inner.get(name), str)), None)
    if name is not None:
        text: str | None = inner[name]
    else:
        text = text_in(inner)
        name = next((n for n, one in inner.items() if text and text_in(one) == text), None)
    if text is None:
        return {head: inner}
    return {head: text, **{f"{head}{SIGN}{k}": one for k, one in inner.items() if k != name}}


def _role(header: str) -> str:
    found = role_of(header)
    return found[0] if found else ""


def nested(columns: Sequence[Column]) -> tuple[Column, ...]:
    """Columns that come from nested objects get what their names say: answers their model, figures
    the answer that they belong to, chats question, answer and context."""
    headers = {column.header for column in columns}
    models = {
        header: names[1]
        for header, names in ((header, header.split(SIGN)) for header in headers)
        if len(names) == 2 and names[0].casefold() in _ANSWERS and names[0] not in headers
    }
    given = [
        replace(column, role="answer", model=models[column.header])
        if column.header in models
        else _inside(column, headers, models)
        for column in columns
    ]
    if list(models.values()) == ["1"] and any(c.role == "model" for c in given):
        given = [replace(c, model="") if c.model == "1" else c for c in given]
    if len([c for c in given if c.role == "answer"]) == 1:
        # a lone answer beside parts of it is no model's that is called response
        given = [
            replace(c, model="") if c.model == c.header and _role(c.header) == "answer" else c
            for c in given
        ]
    return tuple(_with_chats(given, headers))


def _inside(column: Column, headers: set[str], models: Mapping[str, str]) -> Column:
    """A column of what an object holds beside its text: a figure or the model of an answer, what is
    known of a question."""
    of, _, what = column.header.rpartition(SIGN)
    if not of:
        return column
    key, role = of.partition(SIGN)[0], _role(what)
    if key.casefold() in _ANSWERS and of not in headers:
        return replace(column, role="metadata", model="")
    if key.casefold() in _ANSWERS or (of in headers and _role(of) == "answer"):
        figure = role if role in FIGURES and (of in models or of in headers) else ""
        if of not in models and what.casefold() in _NAMES[:3]:
            figure = "model"
        return replace(
            column, role=figure or "metadata", model=models.get(of, "") if figure else ""
        )
    if of in headers and _role(of) == "question":
        known = role if role in (*OF_QUESTIONS, "question_id") else "metadata"
        return replace(column, role=known, model="")
    return column


def _with_chats(columns: Sequence[Column], headers: set[str]) -> list[Column]:
    """The columns with the roles of those that come from chats: a question, id or context only
    where no other column is that, or an earlier chat's."""
    chats = [c.header for c in columns if {c.header + ID, c.header + CONTEXT} <= headers]
    if not chats:
        return list(columns)
    own = {key + end for key in chats for end in ("", QUESTION, ANSWER, CONTEXT, ID)}
    answers = [k if k + QUESTION in headers else k + ANSWER for k in chats]
    answers = [header for header in answers if header in headers]
    others = [
        c
        if c.role != "answer" or not answers or c.model != c.header or _role(c.header) == "answer"
        else replace(c, role="metadata", model="")
        for c in columns
        if c.header not in own
    ]
    taken = {c.role for c in others}
    several = len(answers) > 1 or any(c.role == "answer" for c in others)
    roles: dict[str, tuple[str, str]] = {}
    for key in chats:
        asked = key + QUESTION if key + QUESTION in headers else key
        if asked in (key, *answers):
            roles[key] = ("metadata", "")
        for header, role in (
            (asked, "question"),
            (key + ID, "question_id"),
            (key + CONTEXT, "context"),
        ):
            roles[header] = ("ignore" if role in taken else role, "")
            taken.add(role)
    for header in answers:
        model = header.removesuffix(ANSWER) if several and "model" not in taken else ""
        roles[header] = ("answer", model)
    kept = {c.header: c for c in others}
    return [
        kept[c.header]
        if c.header in kept
        else replace(c, role=roles[c.header][0], model=roles[c.header][1])
        for c in columns
    ]


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
