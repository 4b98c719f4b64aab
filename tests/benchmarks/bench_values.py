"""Every published figure of the statistics beside ours, as their tests compare them; and those that
take longer than a test may."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graders.statistics.prediction_powered import ppi
from graders.statistics.promise import broken_at, clustered_p, hypergeometric_tail
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
            self.skipped.append(
                f"values: {report.nodeid.rpartition('/')[2]}: {report.longrepr[2].removeprefix('Skipped: ')}"
            )
        elif report.failed:
            self.failed.append(report.nodeid.rpartition("/")[2])


def main() -> list[dict[str, Any]]:
    """Run the tests, then compare the rest; one row per figure, those whose data set is absent
    SKIPPED, and one of failed tests."""
    heard, said = Heard(), io.StringIO()
    VALUES.clear()
    with redirect_stdout(said):
        done = pytest.main(
            [str(TESTS), "-s", "-p", "no:cacheprovider", "-p", "no:xdist"], plugins=[heard]
        )
    failed = len(heard.failed) or int(done != pytest.ExitCode.OK)
    if failed:
        print(said.getvalue())
    last = {
        "name": "values: tests that fail",
        "figure": failed,
        "bar": 0,
        "ratio": None,
        "met": not failed,
    }
    values = [*VALUES, *whole_questions()]
    if DATA.joinpath("nq301").is_dir():
        values += [*order(new_confidence()), *audits()]
    else:
        heard.skipped.append(
            f"values: 3b new s, 4 audits: the data set nq301 is not beside the checkout (looked in {DATA})"
        )
    return [
        *(row(value) for value in sorted(values, key=section)),
        *(skipped(why) for why in heard.skipped),
        last,
    ]


def order(made: Confidence) -> list[Value]:
    """Section 3b's new order of the cells, from the features as they are published.

    Not all of them are published in full (which words hedge, when numbers conflict): ranks and
    shares have a tolerance.
    """
    data, s, found = nq301(), made.published, []
    for at, (sibling, rank) in enumerate(
        zip((".6005", ".6437", ".8109", ".6638"), (".8001", ".2628", ".0215", ".0868"), strict=True)
    ):
        found.append(compared(f"3b sib, row {at + 1}", made.first[at], sibling))
        found.append(compared(f"3b new s, row {at + 1}", s[at], rank, WITHIN))
    error = data.error[np.argsort(-s, kind="stable")]
    for share, strictest in ((0.3, ".040"), (0.4, ".051"), (0.5, ".070"), (0.6, ".089")):
        found.append(
            compared(
                f"3b new s, error of the strictest {share}",
                error[: round(share * len(error))].mean(),
                strictest,
                WITHIN,
            )
        )
    for share, errors, p in ((0.45, "10", ".0637"), (0.5, "13", ".1343")):
        N = round(share * len(error))
        labels = error[:N:4]
        x, n = int(labels.sum()), len(labels)
        found.append(compared(f"3b new s at {share:.2f}, x", x, errors))
        found.append(
            compared(
                f"3b new s at {share:.2f}, p",
                hypergeometric_tail(x, N, broken_at(x, n, N, 0.1), n),
                p,
            )
        )
    return found


def whole_questions() -> list[Value]:
    """Section 3: how often the test by whole questions passes at a true error of .10 (its promise:
    at most .10) and of .04."""
    found = []
    for m, G, icc, promised, power in (
        (5, 40, 0.15, ".073", ".87"),
        (5, 40, 0.3, ".086", ".77"),
        (12, 20, 0.15, ".095", ".78"),
    ):
        for error, reference, published_runs, runs in (
            (0.1, promised, 1500, 6000),
            (0.04, power, 600, 3000),
        ):
            share = float(reference)
            # two standard errors of the difference
            apart = 2 * (share * (1 - share) * (1 / published_runs + 1 / runs)) ** 0.5
            name = f"3 whole questions, {m} cells in {G}, ICC {icc}, passing at {error:.2f}"
            found.append(compared(name, passing(m, G, icc, error, runs), reference, apart))
    return found


def passing(m: int, G: int, icc: float, error: float, runs: int) -> float:
    """Share of `runs` calibrations that pass at alpha = delta = .1: `m` cells in each of `G`
    questions, beta-binomial errors."""
    draw, g, sure = np.random.default_rng(1), np.repeat(np.arange(G), m), (1 - icc) / icc
    every, passed = np.arange(G * m), 0
    for _ in range(runs):
        wrong = draw.random((G, m)) < draw.beta(error * sure, (1 - error) * sure, G)[:, None]
        passed += clustered_p(every, every >= 0, wrong.ravel(), g, 0.1) <= 0.1
    return passed / runs


def audits(runs: int = 500) -> list[Value]:
    """Section 4: cells of nq301 labelled with chance .5 where gpt-4 differs from davinci or BEM,
    else .1; questions drawn anew."""
    data, draw = nq301(), np.random.default_rng(0)
    y, f = data.human.astype(float), data.verdicts[0].astype(float)
    pi = np.where((data.verdicts[1:] != data.verdicts[0]).any(axis=0), 0.5, 0.1)
    cells = [np.flatnonzero(data.g == question) for question in np.unique(data.g)]
    held, widths = 0, []
    for _ in range(runs):
        chosen = [cells[question] for question in draw.integers(0, len(cells), len(cells))]
        at, g = (
            np.concatenate(chosen),
            np.repeat(np.arange(len(chosen)), [len(each) for each in chosen]),
        )
        labelled, model = draw.random(len(at)) < pi[at], np.zeros(len(at), int)
        corrected, people = (
            ppi(y[at], labelled, f[at], pi[at], g, model, lam=lam).intervals[0]
            for lam in ("pooled", 0.0)
        )
        held += corrected.low <= y.mean() <= corrected.high
        widths.append((corrected.high - corrected.low, people.high - people.low))
    width, alone = np.mean(widths, axis=0)
    return [
        compared("4 audits, labels", pi.sum(), "258", 0.5),
        compared("4 audits, coverage", held / runs, ".952", WITHIN),
        compared("4 audits, width beside people only", width / alone, ".735", WITHIN),
    ]


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
