"""How long a command takes that only tells something: the median of several fresh processes."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from graders.store.workspace import open_workspace

ROOT = Path(__file__).parents[2]
TURNS = 7
#: Words -> seconds.
BARS = {"--help": 0.4, "status": 0.6}


def seconds_of(*words: str) -> float:
    """Seconds of one fresh process."""
    began = time.perf_counter()
    subprocess.run([sys.executable, *words], capture_output=True, cwd=ROOT, check=True)
    return time.perf_counter() - began


def main() -> list[dict[str, Any]]:
    """Measure in turns; one row per bar: name, figure, bar, ratio (figure / bar), met."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "work.db"
        open_workspace(path).close()
        lines = {
            "--help": ("-m", "graders", "--help"),
            "status": ("-m", "graders", "status", "--workspace", str(path)),
        }
        found: dict[str, list[float]] = {word: [] for word in lines}
        empty = []
        for _ in range(TURNS):
            empty.append(seconds_of("-c", "pass"))
            for word, line in lines.items():
                found[word].append(seconds_of(*line))
    print(f"terminal: an empty Python takes {statistics.median(empty):.3f} s here.")
    rows = []
    for word, bar in BARS.items():
        figure = statistics.median(found[word])
        rows.append(
            {
                "name": f"terminal: cograde {word}, s",
                "figure": round(figure, 3),
                "bar": bar,
                "ratio": round(figure / bar, 2),
                "met": figure <= bar,
            }
        )
    return rows
