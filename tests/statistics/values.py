"""Published figures beside ours: a test says `same` of each, and `make bench` prints all of them as
one table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Value(NamedTuple):
    """A figure, and the number as it is published."""

    name: str
    ours: float
    reference: str
    difference: float
    met: bool

    def __str__(self) -> str:
        return f"{self.name}: ours {self.ours:.8g}, published {self.reference}, difference {self.difference:+.1e}"


#: What was compared in this process, in the order of the tests.
VALUES: list[Value] = []


def compared(name: str, ours: float, reference: str, within: float | None = None) -> Value:
    """Met where `ours` rounds to the published number: half a unit of its last digit apart, or
    `within`; a whole number exactly.

    `name` begins with the section in which the number stands.
    """
    digits = len(reference.partition(".")[2])
    allowed = within if within is not None else 0.5 * 10**-digits if digits else 0.0
    difference = float(ours) - float(reference.replace(",", ""))
    return Value(name, float(ours), reference, difference, abs(difference) <= allowed + 1e-12)


def same(name: str, ours: float, reference: str, within: float | None = None) -> None:
    """Assert that the two are `compared` as equal, and keep them for the table."""
    found = compared(name, ours, reference, within)
    VALUES.append(found)
    assert found.met, str(found)


def same_row(
    name: str, columns: str, ours: Iterable[float], references: str, within: float | None = None
) -> None:
    """`same` for a row of a table: columns apart by commas, the published numbers by blanks."""
    for column, one, reference in zip(columns.split(", "), ours, references.split(), strict=True):
        same(f"{name}, {column}", one, reference, within)
