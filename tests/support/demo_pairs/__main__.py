"""Writes what the demo's people said of pairs into data/pairs: their verdicts, screens, assignments, and the draw before them."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from graders.workflows.demo import DEMO, PAIRS
from tests.support.demo_pairs.story import paired


def main() -> None:
    """Tell the story in a workspace that is thrown away, and keep its rows."""
    with tempfile.TemporaryDirectory() as folder:
        told = paired(Path(folder), DEMO, PAIRS)
    for name, rows in told.items():
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (PAIRS / f"{name}.jsonl").write_text(text, "utf-8")
        print(f"{name}.jsonl: {len(rows):,} rows, {len(text.encode()) // 1024:,} KB", file=sys.stderr)


if __name__ == "__main__":
    main()
