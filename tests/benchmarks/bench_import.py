"""Two imports by the command, each in a process of its own: a file of 100 MB, and one whose rows
are checked for slips.

A file of 100 MB: 50,000 questions with two answers of 1,000 characters each.

The bar for memory: rows go through in portions, so it fits beside the app on a machine with 1 GB.
The bar for time: 1,000 answers a second, so that whoever watches the rows counted up waits for
minutes at most.

2,000 questions with two answers of 300 to 800 characters, with the model that looks for answers
beside the wrong question: 6 s, its start included.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
ROWS, TEXT = 50_000, "word " * 200
MOST_MB, MOST_SECONDS = 512.0, 100.0
CHECKED_ROWS, MOST_CHECKED_SECONDS = 2_000, 6.0
#: Prints the seconds, the most memory in MB, and the exit code of an import; the first argument is
#: the name of the models.
PROGRAM = """
import resource, sys, time
from graders.commands._shell import run
from graders.core.settings import Settings
begun, models = time.perf_counter(), sys.argv[1]
code = run(sys.argv[2:], Settings(encoder=models, multilingual=models), lambda settings, tell: None)
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
        seconds, memory = _measured(path, "", ROWS)
        checked = Path(name) / "checked.csv"
        checked.write_text(_checked(), "utf-8")
        slips, _ = _measured(checked, "default", CHECKED_ROWS)
    return [
        row(f"import of {size:.0f} MB: most memory, MB", memory, MOST_MB),
        row(f"import of {size:.0f} MB: seconds", seconds, MOST_SECONDS),
        row(
            f"import of {CHECKED_ROWS:,} questions, checked for slips: seconds",
            slips,
            MOST_CHECKED_SECONDS,
        ),
    ]


def _checked() -> str:
    """A table of questions with two answers of 300 to 800 characters in words of the documents."""
    pages = sorted((ROOT / "docs").glob("*.md"))
    words = [word for page in pages for word in page.read_text("utf-8").split() if word.isalpha()]
    rng, lines = random.Random(5), ["question,Ash,Oak"]
    for number in range(CHECKED_ROWS):
        asked = " ".join(rng.choices(words, k=12))
        answers = [
            " ".join([asked, *rng.choices(words, k=200)])[: rng.randint(300, 800)]
            for _ in ("Ash", "Oak")
        ]
        lines.append(f"What does {asked} mean in case {number}?,{','.join(answers)}")
    return "\n".join(lines) + "\n"


def _measured(path: Path, models: str, questions: int) -> tuple[float, float]:
    """Seconds and most memory, in MB, of an import of `questions` with two answers each."""
    words = ["import", path, "--rubric", "correctness", "--yes"]
    words += ["--workspace", path.with_suffix(".db")]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, models, *map(str, words)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"{questions:,} questions, {2 * questions:,} answers" in done.stdout, done.stderr
    seconds, memory, _ = map(float, done.stdout.splitlines()[-1].split())
    return seconds, memory


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
