"""Blank answers in a table with a column per model: they are no answers, and whoever looks at an import is told how many there are."""

from __future__ import annotations

from collections import Counter

from graders.core.contracts import Placed
from graders.core.records import Answer, BadRow, Question

#: As many rows and models are named.
NAMED = 5


class Blanks:
    """Counts, row by row, whose answers are there. Rows with something bad are told elsewhere and left out."""

    def __init__(self) -> None:
        self.rows = 0
        self.without: list[int] = []
        self.said: Counter[str] = Counter()
        self._place = ("", 0)
        self._models: list[str] | None = None

    def take(self, item: Placed | BadRow) -> None:
        """What was read, in the order of the rows: a row's question comes before its answers."""
        if (item.file, item.row) != self._place:
            self.finish()
            self._place = (item.file, item.row)
        if isinstance(item, BadRow):
            self._models = None
        elif isinstance(item.record, Question):
            self._models = []
        elif isinstance(item.record, Answer) and self._models is not None:
            self._models.append(item.record.model)

    def finish(self) -> None:
        """The row is at its end."""
        if self._models is not None:
            self.rows += 1
            self.said.update(self._models)
            if not self._models:
                self.without.append(self._place[1])
        self._models = None

    def notes(self) -> list[str]:
        """How many rows have no answer at all, and how many lack that of a model; nothing where all is there."""
        found = []
        if bare := len(self.without):
            named = ", ".join(map(str, self.without[:NAMED])) + (", ..." if bare > NAMED else "")
            have, rows = ("has", "row") if bare == 1 else ("have", "rows")
            found.append(f"{bare:,} of {self.rows:,} rows {have} no answer: {rows} {named}.")
        lacking = [(model, self.rows - said) for model, said in self.said.items() if self.rows - said > bare]
        if lacking:
            named = ", ".join(f"{model} {count:,}" for model, count in lacking[:NAMED])
            more = f" and {len(lacking) - NAMED:,} more models" if len(lacking) > NAMED else ""
            found.append(f"Blank answers, which do not count: {named}{more}.")
        return found
