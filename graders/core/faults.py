"""Named faults that a reader must judge: what each is, with examples that hold and examples that do
not.

Faults that code can decide are rules (`graders.rules`). One file of ``graders/faults`` is one fault
that a judge is asked about, all of an answer in one call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import ClassVar

from graders.core.contracts import SEVERITIES
from graders.core.errors import ContractError
from graders.core.examples import FaultExample, check_examples
from graders.core.part import Part
from graders.core.rubric import Criterion
from graders.core.words import error_parts

#: The name of the built-in rubric whose only criterion has a part for each named fault.
FAULTS_RUBRIC = "faults"


class Fault(Part, abstract=True):
    """A fault that only reading finds, as people and judges are told about it.

    `about` says when an answer has it, `why` what it costs a reader, `misses` what is known to be
    overlooked or taken for it. `present` and `absent` are examples with the fault and without,
    `missed` such as are easily taken wrongly; no prompt tells of those. `title` is its name in
    words, `severity` minor, major or critical, `speaks_to` the bare name of the criterion that it
    counts against.
    """

    kind = "fault"
    needs = (
        "version",
        "about",
        "title",
        "severity",
        "speaks_to",
        "why",
        "misses",
        "present",
        "absent",
    )
    texts = ("about", "title", "why", "misses")
    title: ClassVar[str]
    severity: ClassVar[str]
    speaks_to: ClassVar[str]
    why: ClassVar[str]
    misses: ClassVar[str]
    present: ClassVar[tuple[FaultExample, ...]]
    absent: ClassVar[tuple[FaultExample, ...]]
    missed: ClassVar[tuple[FaultExample, ...]] = ()

    def __init_subclass__(cls, abstract: bool = False, **more: object) -> None:
        super().__init_subclass__(abstract=abstract, **more)
        if abstract:
            return
        where = f"fault {cls.__name__} in {cls.__module__}"
        if cls.severity not in SEVERITIES:
            raise ContractError(
                **error_parts(
                    "core.faults.severity",
                    where=where,
                    severity=cls.severity,
                    severities=", ".join(SEVERITIES),
                )
            )
        check_examples(where, cls.present, cls.absent, cls.missed)


@dataclass(frozen=True)
class ToldFault:
    """What a judge is told of a fault that rules look for: the fields of a `Fault` that a prompt
    has, in English in every language of the pages, so that the prompt stays the same."""

    name: str
    title: str
    about: str
    why: str
    present: Sequence[FaultExample]
    absent: Sequence[FaultExample]
    misses: str = "What only looks like it at first sight."
    version: str = "1"


@dataclass(frozen=True)
class FaultList(Criterion):
    """The criterion of named faults with those that a judge is asked about as its parts.

    It keeps the hash of the criterion that it is made from, since a longer list asks nothing else
    about a fault. `lists` are the parts in groups: what a verdict says of a fault rests on its own
    group alone, so that replies about one stay good when another is asked about too.
    """

    base_hash: str = ""
    lists: tuple[tuple[str, ...], ...] = ()

    @classmethod
    def of(cls, criterion: Criterion, *lists: Sequence[str]) -> FaultList:
        """`criterion` with the faults of these `lists` as parts."""
        kept = {item.name: getattr(criterion, item.name) for item in fields(Criterion)}
        parts = tuple(name for names in lists for name in names)
        return cls(
            **{**kept, "parts": parts},
            base_hash=criterion.criterion_hash,
            lists=tuple(tuple(names) for names in lists if names),
        )

    def only(self, lists: Sequence[tuple[str, ...]]) -> FaultList:
        """The criterion with the parts of some of its lists."""
        return replace(self, parts=tuple(name for names in lists for name in names))

    @cached_property
    def criterion_hash(self) -> str:
        """The hash of the criterion without its list."""
        return self.base_hash


__all__ = ["FAULTS_RUBRIC", "Fault", "FaultExample", "FaultList", "ToldFault"]
