"""Named faults that a reader must judge: what each is, with examples that hold and examples that do
not.

Faults that code can decide are rules (`graders.rules`). One file of ``graders/faults`` is one fault
that a judge is asked about, all of an answer in one call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import ClassVar

from graders.core.contracts import SEVERITIES, Part
from graders.core.errors import ContractError
from graders.core.examples import FaultExample, check_examples
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
class FaultList(Criterion):
    """The criterion of named faults with those that a judge is asked about as its parts.

    It keeps the hash of the criterion that it is made from, since a longer list asks nothing else
    about a fault.
    """

    base_hash: str = ""

    @classmethod
    def of(cls, criterion: Criterion, names: Sequence[str]) -> FaultList:
        """`criterion` with the faults `names` as parts."""
        kept = {item.name: getattr(criterion, item.name) for item in fields(Criterion)}
        return cls(**{**kept, "parts": tuple(names)}, base_hash=criterion.criterion_hash)

    @cached_property
    def criterion_hash(self) -> str:
        """The hash of the criterion without its list."""
        return self.base_hash


__all__ = ["FAULTS_RUBRIC", "Fault", "FaultExample", "FaultList"]
