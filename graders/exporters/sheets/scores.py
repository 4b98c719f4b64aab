"""What was measured of each answer, for the spreadsheets: its seconds, and its text scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from graders.core.contracts import Snapshot

#: Columns of an answer's seconds, and the fields of an answer that they hold.
SECONDS = {"first_token_seconds": "time_to_first_token", "total_seconds": "total_seconds"}


class Scores:
    """Seconds and metric values by question, model and version of the answer. `columns`: seconds
    where an answer has some, then the stored metrics by name; values of pairs are no answer's."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._values: dict[tuple[Any, ...], dict[str, float]] = {}
        self._reasons: dict[tuple[Any, ...], dict[str, str]] = {}
        metrics: set[str] = set()
        timed: set[str] = set()
        for row in snapshot.tables.get("answers", ()):
            for column, name in SECONDS.items():
                if row.get(name) is not None:
                    timed.add(column)
                    self._values.setdefault(_key(row), {})[column] = row[name]
        for row in snapshot.tables.get("metrics", ()):
            if row.get("model_b"):
                continue
            name = str(row["metric"])
            metrics.add(name)
            if row.get("value") is not None:
                self._values.setdefault(_key(row), {})[name] = row["value"]
            else:
                reason = str(row.get("reason") or row.get("status") or "")
                self._reasons.setdefault(_key(row), {})[name] = reason
        self.metrics = tuple(sorted(metrics - SECONDS.keys()))
        self.columns = (*(name for name in SECONDS if name in timed), *self.metrics)

    def values(self, row: Mapping[str, Any]) -> Mapping[str, float]:
        """The numbers of the answer that a row of `cells` is about, by column."""
        return self._values.get(_key(row), {})

    def shown(self, row: Mapping[str, Any]) -> dict[str, float | str]:
        """The same, with the reason in the place of a metric's value that is missing."""
        return {**self._reasons.get(_key(row), {}), **self.values(row)}

    def valued(self) -> Iterator[str]:
        """The columns in which some answer has a number."""
        found = {name for values in self._values.values() for name in values}
        return (name for name in self.columns if name in found)

    def rows(self, snapshot: Snapshot) -> Iterator[Mapping[str, Any]]:
        """The rows of `cells`, then one, without a criterion, for each answer that has something
        measured and no cell, such as one that is only compared in pairs."""
        cells = snapshot.tables.get("cells", ())
        graded = {_key(row) for row in cells}
        newest = {
            (row["question_id"], row["model"]): row for row in snapshot.tables.get("answers", ())
        }
        left = [
            row
            for row in newest.values()
            if (key := _key(row)) not in graded and (key in self._values or key in self._reasons)
        ]
        asked = {row["id"]: row for row in snapshot.tables.get("questions", ())} if left else {}
        return chain(cells, (_bare(row, asked.get(row["question_id"], {})) for row in left))


def _bare(answer: Mapping[str, Any], question: Mapping[str, Any]) -> Mapping[str, Any]:
    return {
        "question_id": answer["question_id"],
        "question": question.get("text"),
        **{name: question.get(name) for name in ("category", "task_type", "language")},
        "model": answer["model"],
        "answer_version": _key(answer)[-1],
        "answer": answer.get("text"),
    }


def _key(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return (
        row["question_id"],
        row["model"],
        int(row.get("answer_version") or row.get("version") or 1),
    )
