"""What each judge cost under each criterion, from the verdicts and the ledger of a snapshot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any

from graders.core.contracts import Snapshot
from graders.core.scale import Value
from graders.exporters.sheets.places import Grid, fold

COLUMNS = (
    "Judge",
    "Criterion",
    "Verdicts",
    "Without a value",
    "Cost in US dollars",
    "Verdicts without a known price",
)
#: The row of a judge over all criteria, and the row for what calls cost that gave no verdict.
ALL, UNUSED = "all criteria", "calls without a verdict"
TOTAL = "all judges"


@dataclass(frozen=True, slots=True)
class Cost:
    """What a judge cost under a criterion: verdicts, those of them without a value, dollars, and
    verdicts without a known price. Counts are None for calls that gave no verdict."""

    judge: str
    criterion: str
    verdicts: int | None
    without: int | None
    dollars: float
    unknown: int | None


def costs(snapshot: Snapshot) -> list[Cost]:
    """The rows of COLUMNS: judges and criteria as they first came, a sum per judge and over all."""
    found = Costs()
    for row in snapshot.tables.get("judge", ()):
        found.verdict(row)
    for call in snapshot.tables.get("calls", ()):
        found.call(call)
    return found.rows()


class Costs:
    """What `costs` counts, for a caller that reads verdicts and calls one after the other.

    A call's price is shared evenly by the verdicts it gave. What the ledger holds beyond that
    (replies that could not be used) has a row of its own, so that the last row is all that was
    paid.
    """

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], list[float]] = {}
        self._paid = 0.0

    def verdict(self, row: Mapping[str, Any]) -> None:
        """Count a judge's verdict."""
        cost = row.get("cost")
        for key in (
            (str(row["judge"]), str(row["criterion"])),
            (str(row["judge"]), ALL),
            (TOTAL, ALL),
        ):
            sums = self._found.setdefault(key, [0, 0, 0.0, 0])
            sums[0] += 1
            sums[1] += row.get("status", "ok") != "ok"
            sums[2] += float(cost or 0.0)
            sums[3] += cost is None

    def call(self, row: Mapping[str, Any]) -> None:
        """Count a call of the ledger."""
        self._paid += float(row.get("money") or 0.0)

    def rows(self) -> list[Cost]:
        """The rows of COLUMNS."""
        found, paid = self._found, self._paid
        judges = list(dict.fromkeys(judge for judge, _ in found if judge != TOTAL))
        order = [
            key
            for judge in judges
            for key in sorted((k for k in found if k[0] == judge), key=lambda k: k[1] == ALL)
        ]
        rows = [_row(key, found[key]) for key in order]
        total = found.get((TOTAL, ALL), [0, 0, 0.0, 0])
        beyond = paid - total[2]
        if beyond > 1e-6:
            rows.append(Cost(UNUSED, "", None, None, round(beyond, 6), None))
        return (
            [*rows, _row((TOTAL, ALL), [*total[:2], max(paid, total[2]), total[3]])] if rows else []
        )


def _row(key: tuple[str, str], sums: list[float]) -> Cost:
    return Cost(*key, int(sums[0]), int(sums[1]), round(sums[2], 6), int(sums[3]))


def cost_cells(grid: Grid, rows: Sequence[Cost]) -> Mapping[tuple[int, int], Value]:
    """The cells to write for `costs`."""
    values = [tuple("" if value is None else value for value in astuple(row)) for row in rows]
    return table_cells(grid, COLUMNS, values)


def table_cells(
    grid: Grid, headings_of: Sequence[str], rows: Sequence[tuple[Value, ...]]
) -> Mapping[tuple[int, int], Value]:
    """The cells to write: rows found by their first two values, columns by heading, new ones below
    and to the right."""
    cells: dict[tuple[int, int], Value] = {}
    headings = {fold(value): column for (row, column), value in grid.items() if row == 0}
    width = max((column for _, column in grid), default=-1) + 1
    columns = []
    for name in headings_of:
        if fold(name) not in headings:
            headings[fold(name)] = width
            cells[0, width] = name
            width += 1
        columns.append(headings[fold(name)])
    height = max((row for row, _ in grid), default=0) + 1
    known = {
        (fold(grid.get((row, columns[0]), "")), fold(grid.get((row, columns[1]), ""))): row
        for row in range(1, height)
    }
    for values in rows:
        key = (fold(values[0]), fold(values[1]))
        if key not in known:
            known[key] = height
            height += 1
        cells |= {
            (known[key], column): value for column, value in zip(columns, values, strict=True)
        }
    return {at: value for at, value in cells.items() if grid.get(at, "") != value}
