"""Every published figure of the statistics beside ours, as their tests compare them; and those that need vectors of texts."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graders.statistics.promise import broken_at, hypergeometric_tail
from tests.benchmarks import skipped
from tests.benchmarks.routing_features import Confidence, new_confidence
from tests.statistics.published import DATA
from tests.statistics.routing_data import nq301
from tests.statistics.values import VALUES, Value, compared

TESTS = Path(__file__).resolve().parents[1] / "statistics"
#: Tolerance on shares and ranks.
WITHIN = 0.02


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
    """Run the tests and compare an order of cells; one row per figure, those whose data set is absent SKIPPED, and one of failed tests."""
    heard, said = Heard(), io.StringIO()
    VALUES.clear()
    with redirect_stdout(said):
        done = pytest.main([str(TESTS), "-s", "-p", "no:cacheprovider", "-p", "no:xdist"], plugins=[heard])
    failed = len(heard.failed) or int(done != pytest.ExitCode.OK)
    if failed:
        print(said.getvalue())
    last = {"name": "values: tests that fail", "figure": failed, "bar": 0, "ratio": None, "met": not failed}
    if DATA.joinpath("nq301").is_dir():
        values = [*VALUES, *order(new_confidence())]
    else:
        values = VALUES
        heard.skipped.append(f"values: 3b new s: the data set nq301 is not beside the checkout (looked in {DATA})")
    return [*(row(value) for value in sorted(values, key=section)), *(skipped(why) for why in heard.skipped), last]


def order(made: Confidence) -> list[Value]:
    """Section 3b's new order of the cells, from the features as they are published.

    Not all of them are published in full (which words hedge, when numbers conflict): ranks and shares have a tolerance, and an
    error among the 168 or 186 labels may fall otherwise.
    """
    data, s, found = nq301(), made.published, []
    for at, (sibling, rank) in enumerate(zip((".6005", ".6437", ".8109", ".6638"), (".8001", ".2628", ".0215", ".0868"), strict=True)):
        found.append(compared(f"3b sib, row {at + 1}", made.first[at], sibling))
        found.append(compared(f"3b new s, row {at + 1}", s[at], rank, WITHIN))
    error = data.error[np.argsort(-s, kind="stable")]
    for share, strictest in ((0.3, ".040"), (0.4, ".051"), (0.5, ".070"), (0.6, ".089")):
        found.append(compared(f"3b new s, error of the strictest {share}", error[: round(share * len(error))].mean(), strictest, WITHIN))
    for share, errors, p in ((0.45, "10", ".0637"), (0.5, "13", ".1343")):
        N = round(share * len(error))
        labels = error[:N:4]
        x, n = int(labels.sum()), len(labels)
        found.append(compared(f"3b new s at {share:.2f}, x", x, errors))
        found.append(compared(f"3b new s at {share:.2f}, p", hypergeometric_tail(x, N, broken_at(x, n, N, 0.1), n), p))
    return found


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
