"""A file of 100 MB: 50,000 questions with two answers of 1,000 characters each, brought in by the
command in a process of its own.

The bar for memory: rows go through in portions, so it fits beside the app on a machine with 1 GB.
The bar for time: 1,000 answers a second, so that whoever watches the rows counted up waits for
minutes at most.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
ROWS, TEXT = 50_000, "word " * 200
MOST_MB, MOST_SECONDS = 512.0, 100.0
#: Prints the seconds, the most memory in MB, and the exit code of an import.
PROGRAM = """
import resource, sys, time
from graders.commands._shell import run
from graders.core.settings import Settings
begun = time.perf_counter()
code = run(sys.argv[1:], Settings(encoder="", multilingual=""), lambda settings, tell: None)
print(time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, code)
"""


def main() -> list[dict[str, Any]]:
    """Measure; one row per bar: name, figure, bar, ratio (figure / bar), met."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "large.csv"
        with path.open("w", encoding="utf-8") as out:
            out.write("question,Ash,Oak\n")
            out.writelines(f"Question {n}?,{TEXT}{n},{TEXT}{n}\n" for n in range(ROWS))
        size = path.stat().st_size / 1e6
        words = [
            "import",
            path,
            "--rubric",
            "correctness",
            "--yes",
            "--workspace",
            Path(name) / "work.db",
        ]
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, *map(str, words)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        said = done.stdout.splitlines()
    assert f"{ROWS:,} questions, {2 * ROWS:,} answers" in done.stdout, done.stderr
    seconds, memory, _ = map(float, said[-1].split())
    return [
        row(f"import of {size:.0f} MB: most memory, MB", memory, MOST_MB),
        row(f"import of {size:.0f} MB: seconds", seconds, MOST_SECONDS),
    ]


def row(name: str, figure: float, bar: float) -> dict[str, Any]:
    """One line of the report."""
    return {
        "name": name,
        "figure": round(figure, 1),
        "bar": bar,
        "ratio": round(figure / bar, 3),
        "met": figure <= bar,
    }


if __name__ == "__main__":
    for line in main():
        print(line)
