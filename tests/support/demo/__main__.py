"""Writes what the demo's people did into data/demo and data/pairs: their verdicts, screens,
assignments, and the draws before them."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from graders.workflows.projects.demo import DEMO, PAIRS
from tests.support.demo.story import Rows, paired, study


def _write(folder: Path, rows: Rows) -> None:
    for name, found in rows.items():
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in found)
        (folder / f"{name}.jsonl").write_text(text, "utf-8")
        print(
            f"{folder.name}/{name}.jsonl: {len(found):,} rows, {len(text.encode()) // 1024:,} KB",
            file=sys.stderr,
        )


def main() -> None:
    """Tell both stories in workspaces that are thrown away, and keep their rows."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        told = {DEMO: study(folder, DEMO), PAIRS: paired(folder, DEMO, PAIRS)}
    for place, rows in told.items():
        _write(place, rows)


if __name__ == "__main__":
    main()
