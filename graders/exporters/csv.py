"""The cells as a table for any spreadsheet or script."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from graders.core.contracts import Exporter, Snapshot
from graders.exporters.sheets.cells import columns_of, defused, plain
from graders.exporters.sheets.files import finished
from graders.exporters.sheets.scores import Scores


@dataclass(frozen=True)
class Csv(Exporter):
    """One row per cell, UTF-8 with a byte order mark (without it Excel reads other scripts
    wrongly).

    A text that a spreadsheet would run as a formula gets a leading apostrophe; numbers stay
    numbers; an absent value is an empty field, and `final_source` says ``pending``. Each row of an
    answer has its seconds and text scores.
    """

    version: ClassVar[str] = "1"
    about: ClassVar[str] = (
        "CSV: one row per question, model and criterion, with final value, suggestion, route, and "
        "the answer's seconds and text scores"
    )
    title: ClassVar[str] = "CSV, a row per cell"
    suffix: ClassVar[str] = ".csv"

    def write(self, snapshot: Snapshot, target: Path) -> None:
        rows: Sequence[Mapping[str, Any]] = snapshot.tables.get("cells", ())
        scores = Scores(snapshot)
        columns = [*columns_of(rows), *scores.columns]
        with (
            finished(target) as temporary,
            temporary.open("w", encoding="utf-8-sig", errors="replace", newline="") as out,
        ):
            writer = csv.writer(out)
            writer.writerow([defused(name) for name in columns])
            for row in scores.rows(snapshot):
                known = {**scores.values(row), **row}
                writer.writerow([_field(known.get(name)) for name in columns])


def _field(value: Any) -> str | int | float:
    found = plain(value)
    # NUL ends the text in many readers, so that what stands behind it would be lost silently.
    return defused(found.replace("\0", "")) if isinstance(found, str) else found
