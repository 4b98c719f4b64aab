"""Records and JSON: what is a frozen dataclass inside becomes an object where JSON is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

#: A document as JSON has it: text keys, and values that `json.dumps` can write.
JSON = dict[str, Any]


def as_dict(record: Any) -> JSON:
    """The fields of a dataclass by name, or a mapping as a dict; what is inside stays as it is.

    A field that ends in an underscore, because its name is a word of Python, is named without it.
    TypeError for anything else.
    """
    if isinstance(record, Mapping):
        return dict(record)
    return {field.name.rstrip("_"): getattr(record, field.name) for field in fields(record)}


def without(record: Any, *names: str) -> JSON:
    """`as_dict` without the fields of these names that are None."""
    return {
        name: value
        for name, value in as_dict(record).items()
        if value is not None or name not in names
    }


def writable(value: Any) -> Any:
    """For `json.dumps(..., default=writable)`: dataclasses become objects, all else its text."""
    return as_dict(value) if is_dataclass(value) and not isinstance(value, type) else str(value)
