"""Choices about a table in words, as a command line gives them: columns by header or number,
layout, separator by name."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from graders.core.contracts import OF_ONE_MODEL, ROLES, Column, Look
from graders.core.errors import InputError, UsageError
from graders.core.words import error_parts, say
from graders.importers.tables.words import ANNOTATORS, fold

LAYOUTS = ("wide", "long")
SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "\\t": "\t", "bar": "|"}
#: Columns that an error message names.
NAMED = 20


def separator_of(word: str) -> str:
    """The sign that a word names; a sign stands for itself."""
    return SEPARATORS.get(word.strip().lower(), word)


def with_columns(look: Look, columns: Sequence[str], layout: str = "") -> Look:
    """`look` with changed columns, each as ``NAME=ROLE`` or ``NAME=ROLE:MODEL``, and a changed
    layout.

    NAME is a header or the number of the column, from 1. Without `layout` the columns tell: an
    answer column per model is wide, where an answer column that got no model has its header for it.
    InputError says what is not there, UsageError what does not fit.
    """
    if layout and layout not in LAYOUTS:
        raise UsageError(**error_parts("importing.option.layout", layout=repr(layout)))
    if not columns and not layout:
        return look
    if not look.columns or look.layout not in LAYOUTS:
        raise InputError(
            **error_parts(
                "importing.option.no_table",
                option="--column" if columns else "--layout",
                layout=look.layout or "unknown",
            )
        )
    changed, chosen = list(look.columns), set[int]()
    for words in columns:
        place, role, model = _read(look, words)
        if changed[place].index in chosen and (role, model) != (
            changed[place].role,
            changed[place].model,
        ):
            raise UsageError(
                **error_parts(
                    "importing.option.second_role", number=place + 1, words=repr(words[:80])
                )
            )
        changed[place] = replace(changed[place], role=role, model=model)
        chosen.add(changed[place].index)
    changed = list(with_annotator(changed, chosen))
    layout = layout or _layout(look, changed)
    if layout == "wide":
        changed = [
            replace(c, model=c.model or c.header or say("importing.column", number=c.index + 1))
            if c.role == "answer"
            else c
            for c in changed
        ]
    return replace(look, columns=tuple(changed), chosen=tuple(sorted(chosen)), layout=layout)


def with_annotator(columns: Sequence[Column], chosen: Collection[int]) -> tuple[Column, ...]:
    """The columns, where one holds verdicts and none says whose with the only one whose header says
    so: else all would be one person's.

    The indexes `chosen` are those of columns whose role a person chose: such a role stays.
    """
    roles = {column.role for column in columns}
    may = [
        c
        for c in columns
        if c.role == "metadata" and c.index not in chosen and fold(c.header) in ANNOTATORS
    ]
    if "verdict" not in roles or "annotator" in roles or len(may) != 1:
        return tuple(columns)
    return tuple(replace(c, role="annotator") if c is may[0] else c for c in columns)


def _layout(look: Look, columns: Sequence[Column]) -> str:
    answers = [column for column in columns if column.role == "answer"]
    if any(column.role == "model" for column in columns):
        return "long"
    return (
        "wide"
        if look.layout == "wide" or len(answers) > 1 or any(column.model for column in answers)
        else "long"
    )


def _read(look: Look, words: str) -> tuple[int, str, str]:
    """Place, role and model; names and models may hold ``=`` and ``:`` themselves."""
    for sign in reversed([found.start() for found in re.finditer("=", words)]):
        role, _, model = words[sign + 1 :].partition(":")
        role = role.strip().lower().replace("-", "_")
        if words[:sign].strip() and role in ROLES and (role in OF_ONE_MODEL or not model):
            return _place(look, words[:sign].strip()), role, model.strip()
    roles, with_model = ", ".join(ROLES), ", ".join(OF_ONE_MODEL)
    raise UsageError(
        **error_parts(
            "importing.option.column", words=repr(words[:80]), roles=roles, with_model=with_model
        )
    )


def _place(look: Look, name: str) -> int:
    """The place of a column in the look, by its header, else by its number."""
    same = [place for place, column in enumerate(look.columns) if column.header == name]
    same = same or [
        place
        for place, column in enumerate(look.columns)
        if column.header.strip().casefold() == name.casefold()
    ]
    if len(same) > 1:
        numbers = ", ".join(str(place + 1) for place in same)
        raise InputError(
            **error_parts(
                "importing.option.same_name", n=len(same), name=repr(name[:60]), numbers=numbers
            )
        )
    if same:
        return same[0]
    if name.isdecimal() and 1 <= int(name) <= len(look.columns):
        return int(name) - 1
    columns, called = len(look.columns), repr(name[:60])
    known = ", ".join(
        [repr(column.header[:40]) for column in look.columns if column.header][:NAMED]
    )
    if known:
        raise InputError(
            **error_parts("importing.option.no_name", name=called, n=columns, known=known)
        )
    raise InputError(**error_parts("importing.option.no_number", name=called, n=columns))
