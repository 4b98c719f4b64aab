"""Every published figure of the statistics beside ours, as their tests compare them."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks import skipped
from tests.statistics.values import VALUES, Value

TESTS = Path(__file__).resolve().parents[1] / "statistics"


class Heard:
    """What pytest says of tests that gave no figures: why they were skipped, and which failed."""

    def __init__(self) -> None:
        self.skipped: list[str] = []
        self.failed: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped and isinstance(report.longrepr, tuple):
            self.skipped.append(f"values: {report.nodeid.rpartition('/')[2]}: {report.longrepr[2].removeprefix('Skipped: ')}")
        elif report.failed:
            self.failed.append(report.nodeid.rpartition("/")[2])


def main() -> list[dict[str, Any]]:
    """Run the tests; one row per figure, those whose data set is absent SKIPPED, and one of the tests that failed."""
    heard, said = Heard(), io.StringIO()
    VALUES.clear()
    with redirect_stdout(said):
        done = pytest.main([str(TESTS), "-s", "-p", "no:cacheprovider", "-p", "no:xdist"], plugins=[heard])
    failed = len(heard.failed) or int(done != pytest.ExitCode.OK)
    if failed:
        print(said.getvalue())
    last = {"name": "values: tests that fail", "figure": failed, "bar": 0, "ratio": None, "met": not failed}
    return [*(row(value) for value in sorted(VALUES, key=section)), *(skipped(why) for why in heard.skipped), last]


def section(value: Value) -> tuple[int, str]:
    """The section that a name begins with: 3b after 3, 10 after 9."""
    head = value.name.partition(" ")[0]
    return int(head.rstrip("b")), head


def row(value: Value) -> dict[str, Any]:
    """The figure with one digit more than is published."""
    digits = len(value.reference.partition(".")[2])
    figure = f"{value.ours:.{digits + 1 if digits else 0}f}"
    name = f"values: {value.name}, difference {value.difference:+.1e}"
    return {"name": name, "figure": figure, "bar": value.reference, "ratio": None, "met": value.met}


if __name__ == "__main__":
    for found in main():
        print(f"{found['met']!s:<5} {found['name']}: {found['figure']} (published {found['bar']})")
