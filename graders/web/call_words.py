"""What programs are told of a function: its types, and what its docstring says of each argument and
of what comes back."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from graders.core.records import BadRow
from graders.core.words import say
from graders.workflows.report.columns import TABLES
from graders.workflows.report.rows import RECORDS

_EMPTY = inspect.Parameter.empty
_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}
#: Records that are rows of a table, whose columns the catalogue describes.
_TABLES = {kind: TABLES[name] for name, kind in {**RECORDS, "bad_rows": BadRow}.items()}


def told(call: Callable[..., Any]) -> tuple[str, dict[str, str]]:
    """What a docstring says of the function, and of each argument below ``Args:``."""
    text, _, arguments = (inspect.getdoc(call) or "").partition("\nArgs:\n")
    about: dict[str, str] = {}
    name = ""
    for line in inspect.cleandoc(arguments).splitlines():
        if begins := re.fullmatch(r"(\w+): (.+)", line):
            name = begins[1]
            about[name] = begins[2]
        elif name and line.strip():
            about[name] += f" {line.strip()}"
    return " ".join(text.split()), about


def docstring(call: Callable[..., Any]) -> str:
    """The docstring as Gradio reads one: an argument on a line."""
    text, about = told(call)
    lines = [text, "", "Args:", *(f"    {name}: {words}" for name, words in about.items())]
    return "\n".join(lines) if about else text


def lacking(call: Callable[..., Any], first: type) -> str:
    """What a function lacks to be called by programs; "" for nothing. `first`: what its first
    argument is."""
    signature = inspect.signature(call, eval_str=True)
    parameters = list(signature.parameters.values())
    text, about = told(call)
    if not parameters or parameters[0].annotation is not first:
        return say("web.call.lacks.caller")
    if not text:
        return say("web.call.lacks.docstring")
    for one in parameters[1:]:
        if one.annotation is _EMPTY or one.name not in about:
            return say("web.call.lacks.argument", name=one.name)
    return "" if signature.return_annotation is not _EMPTY else say("web.call.lacks.result")


def fields_of(record: Any) -> dict[str, str]:
    """What each field of a record holds, by name, where somebody says it: the table that it is a
    row of, or the field's own ``Annotated`` text."""
    if (columns := _TABLES.get(record)) is not None:
        return {
            name: column.about + (f" ({column.unit})" if column.unit else "")
            for name, column in columns.items()
        }
    hints = get_type_hints(record, include_extras=True)
    return {
        name: str(get_args(hint)[1])
        for name, hint in hints.items()
        if get_origin(hint) is Annotated
    }


def schema_of(kind: Any) -> dict[str, Any]:
    """The JSON schema of a type: of a record with what it is and what its fields hold."""
    origin, inside = get_origin(kind), get_args(kind)
    if is_dataclass(kind):
        return _object(kind)
    if kind in _PLAIN:
        return {"type": _PLAIN[kind]}
    if inspect.isclass(kind) and issubclass(kind, Enum):
        return {"enum": [one.value for one in kind]}
    if origin is Literal:
        return {"enum": list(inside)}
    if origin is Annotated:
        return {**schema_of(inside[0]), "description": str(inside[1])}
    if origin in (Union, UnionType):
        return {"anyOf": [schema_of(one) for one in inside]}
    if origin in (list, tuple, Sequence):
        items = schema_of(inside[0])
        return {"type": "array", "items": items, "description": items.get("description", "")}
    if origin in (dict, Mapping):
        return {"type": "object", "additionalProperties": schema_of(inside[1])}
    return {}


def _object(record: Any) -> dict[str, Any]:
    """The schema of a record."""
    about, hints = fields_of(record), get_type_hints(record)
    properties = {
        name.rstrip("_"): {
            **schema_of(hints[name]),
            **({"description": about[name]} if name in about else {}),
        }
        for name in (field.name for field in fields(record))
    }
    text = " ".join((inspect.getdoc(record) or "").split())
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "description": text,
    }
