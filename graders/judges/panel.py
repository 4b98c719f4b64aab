"""Several judges as one: the median of what they say (the majority where values have no order), or
the majority everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from graders.core.contracts import DerivedJudge
from graders.core.errors import InputError
from graders.core.hashing import digest
from graders.core.records import KnownCell, Mark, Verdict
from graders.core.rubric import Criterion
from graders.core.scale import Scale, Value
from graders.core.words import carried, error_parts
from graders.judges.asking.centre import centre

say = carried(
    "panel",
    {
        "agree": "{alike} of {members} agree: {values}",
        "members.expected": "a list of different judges' names",
        "members.found": "{found}",
        "members.remedy": "Name each member once.",
        "members.where": "judge panel, members",
        "method.expected": "one of {methods}",
        "method.found": "{found}",
        "method.remedy": "Choose one of these.",
        "method.where": "judge panel, method",
        "near": "{alike} of {members} within {within:g} of it: {values}",
        "no_value": "None of {n} judges gave a value.",
        "not_applicable": "{away} of {n} judges say so: {names}.",
        "same_reason": "None of {n} judges gave a value, all for the same reason.",
        "silent": "{words}; no value: {names}.",
        "tie": "{values}.",
        "tie_away": "{values}; not applicable: {names}.",
    },
)


#: How the members' values become one.
METHODS = ("median", "majority")
#: On a plain range two values are called alike if they are at most this share of the range apart.
ALIKE = 0.1


@dataclass(frozen=True)
class Panel(DerivedJudge):
    """Median of the members on ordered scales and ranges, the most frequent value on labels without
    order.

    * ``members`` names the judges; empty stands for all that said anything about these cells
    * ``label`` names the author of the verdicts; else it is ``panel`` with its members
    * ``method`` ``majority`` takes the most frequent value on every scale but plain ranges, where
      hardly two are the same

    Confidence is the share of *all* members that agree with the verdict, so a member without a
    verdict lowers it. Unscored: ``tie`` (two values are equally good; on ordered scales, the middle
    falls between two), ``no_verdict``, and ``not_applicable`` where more members say so than give a
    value.
    """

    version: ClassVar[str] = "1"
    about: ClassVar[str] = "Several judges as one: the median or majority of their verdicts."

    members: tuple[str, ...] = ()
    label: str = ""
    method: str = "median"

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise InputError(
                **error_parts("panel.method", found=repr(self.method), methods=", ".join(METHODS))
            )
        given: Any = self.members
        if isinstance(given, str) or len(set(given)) != len(given):
            raise InputError(**error_parts("panel.members", found=repr(given)))
        # A rubric writes a list; a frozen part needs a value that can be hashed.
        object.__setattr__(self, "members", tuple(given))

    @property
    def author(self) -> str:
        """The name under which verdicts are stored, such as ``panel(gpt-4, claude)``."""
        if self.label:
            return self.label
        name = "panel" if self.method == "median" else f"panel by {self.method}"
        return f"{name}({', '.join(self.members)})" if self.members else name

    def derive(self, cells: Sequence[KnownCell], criterion: Criterion) -> list[Verdict]:
        """One verdict per cell, in order."""
        members = self.members or tuple(
            sorted({name for cell in cells for name in cell.judges if name != self.author})
        )
        return self.verdicts(
            cells, criterion, [self._mark(cell, criterion.scale, members) for cell in cells]
        )

    def recipe_hash(self) -> str:
        """Names version, members and, where it is not the median, the method."""
        return digest(
            "panel",
            self.version,
            sorted(self.members),
            *([] if self.method == "median" else [self.method]),
        )

    def _mark(self, cell: KnownCell, scale: Scale, members: Sequence[str]) -> Mark:
        said = {name: cell.judges[name] for name in members if name in cell.judges}
        spoke = {name: mark.value for name, mark in said.items() if mark.value is not None}
        away = [name for name, mark in said.items() if mark.reason == "not_applicable"]
        if len(away) > len(spoke):
            return Mark.unscored(
                "not_applicable",
                say("not_applicable", away=len(away), n=len(members), names=", ".join(away)),
            )
        if not spoke:
            reasons = {mark.reason for mark in said.values()}
            # what keeps all of them from it is what keeps the panel
            if len(said) == len(members) and len(reasons) == 1:
                return Mark.unscored(
                    reasons.pop(),
                    say("same_reason", n=len(members)),
                )
            return Mark.unscored("no_verdict", say("no_value", n=len(members)))
        value = centre(scale, list(spoke.values()), self.method)
        if value is None or len(away) == len(spoke):
            return Mark.unscored(
                "tie",
                say("tie_away", values=_words(spoke), names=", ".join(away))
                if away
                else say("tie", values=_words(spoke)),
            )
        alike = [name for name, other in spoke.items() if _alike(scale, value, other)]
        silent = [name for name in members if name not in spoke]
        return Mark(
            value=value,
            confidence=len(alike) / len(members),
            confidence_kind="agreement",
            rationale=_rationale(scale, spoke, alike, silent),
        )


def _alike(scale: Scale, value: Value, other: Value) -> bool:
    if scale.kind != "numeric":
        return value == other
    return abs(float(value) - float(other)) <= ALIKE * (scale.high - scale.low) + 1e-9


def _rationale(
    scale: Scale, spoke: dict[str, Value], alike: Sequence[str], silent: Sequence[str]
) -> str:
    counts = {"alike": len(alike), "members": len(spoke) + len(silent)}
    if scale.kind == "numeric":
        within = ALIKE * (scale.high - scale.low)
        words = say("near", within=within, values=_words(spoke), **counts)
    else:
        words = say("agree", values=_words(spoke), **counts)
    return say("silent", words=words, names=", ".join(silent)) if silent else f"{words}."


def _words(spoke: dict[str, Value]) -> str:
    return ", ".join(f"{name} {value}" for name, value in spoke.items())
