"""`make bench`: runs every bench_*.py of this folder, or those named (`python -m tests.benchmarks
judge desk`), and prints one table.

A bench's `main()` returns a row per bar: name, figure, bar, ratio (figure / bar), met. One whose
data or browser is absent returns nothing and is SKIPPED, with what it said as the reason; where it
can measure other bars, a row whose `met` is None stands for those that it cannot, with the reason
as its name. A figure that misses its bar does not fail the command.
"""

from __future__ import annotations

import importlib
import io
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from tests.benchmarks import STATES

HEAD = ("", "bar", "figure", "limit", "ratio")


def found(names: list[str]) -> list[str]:
    """The benches of this folder, or those named."""
    every = sorted(
        path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py")
    )
    unknown = [name for name in names if name not in every]
    if unknown:
        raise SystemExit(
            f"bench {unknown[0]!r}: found no such bench, expected one of {', '.join(every)}."
        )
    return names or every


def measured(name: str) -> list[tuple[str, ...]]:
    """The lines of one bench."""
    said = io.StringIO()
    started = time.monotonic()
    print(f"{name} ...", end=" ", file=sys.stderr, flush=True)
    try:
        with redirect_stdout(said):
            rows: list[dict[str, Any]] = importlib.import_module(
                f"tests.benchmarks.bench_{name}"
            ).main()
    except Exception as error:  # one broken bench must not hide the figures of the others
        traceback.print_exc()
        return [("MISSED", f"{name}: {type(error).__name__}, see above", "-", "-", "-")]
    finally:
        print(f"{time.monotonic() - started:.0f} s", file=sys.stderr)
    words = " ".join(said.getvalue().split())
    if not rows:
        return [("SKIPPED", words or f"{name}: it gave no reason", "-", "-", "-")]
    if words:
        print(words, file=sys.stderr)
    return [
        (STATES[row["met"]], row["name"], *(number(row[key]) for key in ("figure", "bar", "ratio")))
        for row in rows
    ]


def number(value: float | str | None) -> str:
    """As short as it stays exact enough; as it is where the bench wrote it."""
    if value is None or isinstance(value, str):
        return value or "-"
    return f"{value:,.3f}".rstrip("0").rstrip(".")


def table(lines: list[tuple[str, ...]]) -> Iterator[str]:
    """Columns as wide as they need; numbers to the right."""
    widths = [
        max(len(line[place]) for line in lines if line[0] != "SKIPPED" or place == 0)
        for place in range(len(HEAD))
    ]
    for line in lines:
        if line[0] == "SKIPPED":
            yield f"{line[0]:<{widths[0]}}  {line[1]}"
        else:
            yield f"{line[0]:<{widths[0]}}  {line[1]:<{widths[1]}}  " + "  ".join(
                f"{cell:>{width}}" for cell, width in zip(line[2:], widths[2:], strict=True)
            )


if __name__ == "__main__":
    lines = [line for name in found(sys.argv[1:]) for line in measured(name)]
    print("\n".join(table([HEAD, *lines])))
