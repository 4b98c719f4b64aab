"""The values that a criterion may take."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from graders.core.errors import ScaleError
from graders.core.text import fold
from graders.core.words import error_parts

Value = str | int | float
Kind = Literal["ordered", "nominal", "integer", "numeric"]


@dataclass(frozen=True, slots=True)
class Scale:
    """One of four kinds of scale.

    * ``ordered``: labels, worst first (``["irrelevant", "relevant"]``)
    * ``nominal``: labels without order
    * ``integer``: whole numbers from `low` to `high`, some with a text in `anchors`
    * ``numeric``: any number from `low` to `high`
    """

    kind: Kind
    labels: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 0.0
    anchors: tuple[tuple[int, str], ...] = ()

    def __post_init__(self) -> None:
        if self.kind in ("ordered", "nominal"):
            if len(self.labels) < 2 or len(set(self.labels)) != len(self.labels):
                raise ScaleError(**error_parts("core.scale.labels", labels=list(self.labels)))
        elif not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise ScaleError(**error_parts("core.scale.range", low=self.low, high=self.high))

    @property
    def is_ordered(self) -> bool:
        """Whether a larger value means more: true for all kinds but ``nominal``."""
        return self.kind != "nominal"

    @property
    def is_discrete(self) -> bool:
        """Whether the values can be listed."""
        return self.kind != "numeric"

    @property
    def values(self) -> tuple[Value, ...]:
        """All values, worst first; empty for a ``numeric`` scale."""
        if self.kind == "integer":
            return tuple(range(int(self.low), int(self.high) + 1))
        return self.labels

    @property
    def numbers(self) -> tuple[float, ...]:
        """The numbers that stand for `values` in means and weights: positions from 0 for labels."""
        if self.kind == "integer":
            return tuple(float(v) for v in range(int(self.low), int(self.high) + 1))
        return tuple(float(i) for i in range(len(self.labels)))

    def parse(self, found: Any) -> Value:
        """`found` as a value of this scale.

        Accepts a label in any case and width, a number as number or text (decimal comma too), and
        0/1 or true/false for a two-label scale written No/Yes. Raises ScaleError, never guesses.
        """
        if isinstance(found, bool):
            found = "yes" if found else "no"
        if self.kind in ("ordered", "nominal"):
            text = _label_text(found)
            for label in self.labels:
                if label == text:
                    return label
            folded = [label for label in self.labels if label.casefold() == text.casefold()]
            folded = folded or [
                label for label in self.labels if fold(label, case=True) == fold(text, case=True)
            ]
            if len(folded) == 1:
                return folded[0]
            alias = {"1": "yes", "0": "no", "true": "yes", "false": "no"}.get(text.casefold())
            lowered = {label.casefold(): label for label in self.labels}
            if alias and {"yes", "no"} == set(lowered):
                return lowered[alias]
            raise ScaleError(
                **error_parts("core.scale.value", value=repr(found), scale=self.describe())
            )
        number = _number(found)
        if (
            number is None
            or not self.low <= number <= self.high
            or (self.kind == "integer" and number != int(number))
        ):
            raise ScaleError(
                **error_parts("core.scale.value", value=repr(found), scale=self.describe())
            )
        return int(number) if self.kind == "integer" else number

    def number(self, value: Value) -> float:
        """The number that stands for `value`: its position for labels, itself otherwise."""
        if isinstance(value, str):
            return float(self.labels.index(value))
        return float(value)

    def spoiled(self, by_half: bool) -> Value | None:
        """What a fault leaves of a value: the worst; where it takes `by_half` only, the middle of a
        scale that has one. None on labels without order."""
        if not self.is_ordered:
            return None
        if not self.is_discrete:
            return (self.low + self.high) / 2 if by_half else self.low
        return self.values[(len(self.values) - 1) // 2 if by_half and len(self.values) > 2 else 0]

    def code(self, value: Value) -> int:
        """The position of `value` in `values` (discrete scales only)."""
        return self.values.index(value)

    def word(self, value: Value) -> str:
        """The label or anchor of `value`, else the number as text."""
        if isinstance(value, str):
            return value
        return (
            dict(self.anchors).get(int(value), f"{value:g}")
            if self.kind == "integer"
            else f"{value:g}"
        )

    def full(self, value: Value) -> str:
        """The value with its label or anchor, where that says more: ``5 everything``."""
        word = self.word(value)
        return word if word == str(value) else f"{value} {word}"

    def describe(self) -> str:
        """The scale in words, for messages and prompts."""
        if self.kind in ("ordered", "nominal"):
            return "one of " + ", ".join(self.labels)
        what = "a whole number" if self.kind == "integer" else "a number"
        return f"{what} from {self.low:g} to {self.high:g}"

    def to_spec(self) -> Any:
        """The scale as rubric files and the exchange format write it; `from_spec` reads it back."""
        if self.kind == "ordered":
            return list(self.labels)
        if self.kind == "nominal":
            return {"labels": list(self.labels), "ordered": False}
        low, high = (
            (int(self.low), int(self.high)) if self.kind == "integer" else (self.low, self.high)
        )
        spec: dict[str, Any] = {"from": low, "to": high}
        if self.kind == "numeric":
            spec["whole"] = False
        if self.anchors:
            spec["anchors"] = {str(k): v for k, v in self.anchors}
        return spec

    @classmethod
    def from_spec(cls, spec: Any) -> Scale:
        """Read a scale: a list of labels, ``{labels, ordered}``, ``{from, to, whole, anchors}`` or
        ``[low, high]``."""
        if isinstance(spec, Mapping):
            return cls._from_mapping(spec)
        if isinstance(spec, Sequence) and not isinstance(spec, str):
            items = list(spec)
            if len(items) == 2 and all(
                isinstance(x, int | float) and not isinstance(x, bool) for x in items
            ):
                whole = all(float(x).is_integer() and not isinstance(x, float) for x in items)
                return cls(
                    "integer" if whole else "numeric", low=float(items[0]), high=float(items[1])
                )
            return cls("ordered", labels=tuple(_label_text(x) for x in items))
        raise ScaleError(**error_parts("core.scale.spec", spec=repr(spec)))

    @classmethod
    def _from_mapping(cls, spec: Mapping[str, Any]) -> Scale:
        known = {"labels", "ordered"} if "labels" in spec else {"from", "to", "whole", "anchors"}
        unknown = set(spec) - known
        if unknown:
            raise ScaleError(
                **error_parts(
                    "core.scale.key", key_name=sorted(unknown)[0], keys=", ".join(sorted(known))
                )
            )
        if "labels" in spec:
            kind: Kind = "ordered" if spec.get("ordered", True) else "nominal"
            return cls(kind, labels=tuple(_label_text(x) for x in spec["labels"]))
        if "from" not in spec or "to" not in spec:
            raise ScaleError(**error_parts("core.scale.ends", spec=repr(dict(spec))))
        low, high = _number(spec["from"]), _number(spec["to"])
        if low is None or high is None:
            raise ScaleError(**error_parts("core.scale.numbers", spec=repr(dict(spec))))
        # 0.0 to 1.0 is as plain a wish for numbers between as it is in a list; anchors are texts of
        # whole numbers.
        written_whole = bool(spec.get("anchors")) or not (
            isinstance(spec["from"], float) or isinstance(spec["to"], float)
        )
        if not spec.get("whole", low.is_integer() and high.is_integer() and written_whole):
            return cls("numeric", low=low, high=high)
        anchors = tuple(
            sorted((int(k), str(v)) for k, v in dict(spec.get("anchors") or {}).items())
        )
        return cls("integer", low=low, high=high, anchors=anchors)


YES_NO = Scale("ordered", labels=("No", "Yes"))


def _label_text(found: Any) -> str:
    """A label as text: YAML reads a bare yes/no as a boolean."""
    if isinstance(found, bool):
        return "Yes" if found else "No"
    return str(found).strip()


def _number(found: Any) -> float | None:
    if isinstance(found, int | float):
        return float(found) if math.isfinite(found) else None
    try:
        number = float(str(found).strip().replace(",", "."))
    except ValueError:
        return None
    return number if math.isfinite(number) else None
