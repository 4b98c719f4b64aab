"""The JSON schema of a judge's reply, made from the scales of the criteria.

Criteria with the same scale share one entry under ``$defs``, so that a schema for five criteria is
hardly longer than for one. Strict structured output demands that every property is required and
that no other is allowed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graders.core.rubric import Criterion
from graders.core.scale import Scale
from graders.judges.asking.layout import answer_name

#: Part of every recipe hash: raise it when the shape of the schema changes.
SCHEMA_VERSION = "1"
#: In the order in which a model writes them: it looks first, then argues, then decides.
FIELDS = ("evidence", "rationale", "value", "confidence")
#: Longer whole-number ranges are given as bounds instead of a list.
LISTED_NUMBERS = 11


def reply_schema(
    criteria: Sequence[Criterion], counts: Mapping[str, int] | None = None
) -> dict[str, Any]:
    """Schema of an object with one entry per criterion, in their order; criteria with parts nest
    one entry per part.

    `counts` has the number of entries of each checklist, by the criterion's key: their names are
    numbers from 1.
    """
    names: dict[Scale, str] = {}
    for criterion in criteria:
        names.setdefault(criterion.scale, f"s{len(names)}")
    entries: dict[str, Any] = {}
    for criterion in criteria:
        entry = {"$ref": f"#/$defs/{names[criterion.scale]}"}
        names_of_parts = [str(n + 1) for n in range((counts or {}).get(criterion.key, 0))] or list(
            criterion.parts
        )
        entries[criterion.name] = (
            _closed(dict.fromkeys(names_of_parts, entry)) if names_of_parts else entry
        )
    return {
        **_closed(entries),
        "$defs": {name: opinion_schema(scale) for scale, name in names.items()},
    }


def answers_schema(
    criteria: Sequence[Criterion], counts: Mapping[str, int], answers: int
) -> dict[str, Any]:
    """Schema of an object with one entry per answer, each as `reply_schema` has it for one."""
    one = reply_schema(criteria, counts)
    definitions = one.pop("$defs")
    each = {answer_name(n): {"$ref": "#/$defs/answer"} for n in range(1, answers + 1)}
    return {**_closed(each), "$defs": {**definitions, "answer": one}}


def opinion_schema(scale: Scale) -> dict[str, Any]:
    """Schema of one opinion: evidence, rationale, value on `scale`, confidence."""
    text = {"type": "string"}
    return _closed(
        {
            "evidence": text,
            "rationale": text,
            "value": value_schema(scale),
            "confidence": {"type": "number"},
        }
    )


def value_schema(scale: Scale) -> dict[str, Any]:
    """Schema of a value of `scale`."""
    if scale.kind in ("ordered", "nominal"):
        return {"type": "string", "enum": list(scale.labels)}
    if scale.kind == "numeric":
        return {"type": "number", "minimum": scale.low, "maximum": scale.high}
    if len(scale.values) <= LISTED_NUMBERS:
        return {"type": "integer", "enum": list(scale.values)}
    return {"type": "integer", "minimum": int(scale.low), "maximum": int(scale.high)}


def _closed(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
