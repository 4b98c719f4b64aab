"""Examples of a named fault: answers that have it, that have it not, and that are taken wrongly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graders.core.errors import ContractError
from graders.core.shapes import JSON, without
from graders.core.words import error_parts


@dataclass(frozen=True, slots=True)
class FaultExample:
    """A question and an answer with the fault, or without it. `quote` are words of the answer, none
    where a thing is missing.

    `seconds` are those to the first token, where the fault is a matter of them.
    """

    question: str
    answer: str
    why: str
    quote: str = ""
    seconds: float | None = None

    def to_json(self) -> JSON:
        """As plain data, without the seconds where they do not matter."""
        return without(self, "seconds")


def check_examples(
    where: str,
    present: Sequence[FaultExample],
    absent: Sequence[FaultExample],
    missed: Sequence[FaultExample],
) -> None:
    """Raises ContractError unless there are examples with the fault and without, and quotes are
    words of their answers."""
    if not (present and absent):
        missing = "absent" if present else "present"
        raise ContractError(**error_parts(f"core.examples.{missing}", where=where))
    for example in (*present, *absent, *missed):
        if example.quote not in example.answer:
            raise ContractError(
                **error_parts("core.examples.quote", where=where, quote=example.quote)
            )
