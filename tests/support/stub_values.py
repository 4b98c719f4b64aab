"""What the stub provider says: values that a JSON schema allows, and what faults make of them."""

from __future__ import annotations

import json
import re
from typing import Any


def example(schema: Any, root: Any, seed: int, name: str = "") -> Any:
    """A value that a JSON schema allows, always the same for a seed."""
    if "$ref" in schema:
        target = root
        for step in schema["$ref"].removeprefix("#/").split("/"):
            target = target[step]
        return example(target, root, seed, name)
    if "enum" in schema:
        return schema["enum"][seed % len(schema["enum"])]
    kind = schema.get("type", "object")
    if kind == "object":
        parts = schema.get("properties", {})
        return {
            key: example(part, root, (seed >> 3) + 7 * place, key)
            for place, (key, part) in enumerate(parts.items())
        }
    if kind in ("integer", "number"):
        low, high = schema.get("minimum", 0), schema.get("maximum", 1)
        return (
            low + seed % (high - low + 1)
            if kind == "integer"
            else round(low + (high - low) * (seed % 101) / 100, 4)
        )
    if kind == "array":
        return [
            example(schema.get("items", {"type": "string"}), root, seed + place)
            for place in range(2)
        ]
    return (
        bool(seed & 1)
        if kind == "boolean"
        else "absent"
        if name == "evidence"
        else "The answer names the place that was asked for."
    )


def spoiled(value: Any, fault: str) -> str:
    """The text of a reply that carries `value`, or what `fault` makes of it."""
    text = json.dumps(value, separators=(",", ":"))
    match fault:
        case "malformed":
            return "I think the answer is fine. {score: four, " + text[:20]
        case "cut":
            return text[: len(text) // 2]
        case "wrong":
            return '{"colour": "green"}'
        case "off_scale":
            return re.sub(r'"value":("[^"]*"|[-\d.]+)', '"value":"splendid"', text)
        case "forgetful":  # of several answers, one is left out
            value.pop("answer_2", None)
            return json.dumps(value, separators=(",", ":"))
        case "refusal" | "empty":
            return ""
    return text
