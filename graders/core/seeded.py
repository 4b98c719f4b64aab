"""Seeded faults: one known fault that code puts into a copy of an answer, to see without a label
who notices.

One file of ``graders/seeded`` is one fault. Where code cannot be sure that the copy is worse, it
puts in none.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, NamedTuple

from graders.core.errors import ContractError
from graders.core.part import Part
from graders.core.words import error_parts


class Damaged(NamedTuple):
    """The text with the fault, and what was done where, for people."""

    text: str
    where: str


class SeedExample(NamedTuple):
    """A question and an answer, and the text with the fault; `damaged` empty: none can be put in
    surely."""

    question: str
    answer: str
    language: str
    damaged: str = ""


class SeededFault(Part, abstract=True):
    """A fault that can be put into an answer surely.

    `title` says what is done to a copy, `languages` are those of questions in which it can be
    (empty: any), `factual` is true where only an answer to a factual question is the worse for it.
    `present` are examples with their damaged texts, `absent` are examples that stay whole: both are
    its tests. `damage` is pure: the same arguments, the same copy.
    """

    kind = "seeded fault"
    needs = ("version", "about", "title", "present", "absent", "damage")
    texts = ("about", "title")
    title: ClassVar[str]
    languages: ClassVar[tuple[str, ...]] = ()
    factual: ClassVar[bool] = False
    present: ClassVar[tuple[SeedExample, ...]]
    absent: ClassVar[tuple[SeedExample, ...]]

    def __init_subclass__(cls, abstract: bool = False, **more: object) -> None:
        super().__init_subclass__(abstract=abstract, **more)
        if not abstract and not (cls.present and cls.absent):
            missing = "absent" if cls.present else "present"
            raise ContractError(
                **error_parts(f"core.seeded.{missing}", name=cls.__name__, module=cls.__module__)
            )

    @abstractmethod
    def damage(self, question: str, answer: str, language: str, draw: float) -> Damaged | None:
        """The copy, or None where it cannot be made surely; `draw` in [0, 1) chooses among several
        places."""

    def may(self, language: str, task_type: str) -> bool:
        """Whether questions of that language and task type can have it."""
        return (not self.languages or language.partition("-")[0] in self.languages) and (
            not self.factual or task_type == "factual"
        )
