"""`make bench` without its optional data: what cannot be measured is SKIPPED with its reason, and
is no miss."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks import __main__ as bench
from tests.benchmarks import bench_encoder, bench_judge, bench_metrics, bench_values, skipped
from tests.statistics import published, values


@pytest.mark.parametrize(
    "module",
    [bench_encoder, bench_judge, bench_metrics],
    ids=lambda module: module.__name__.rpartition("bench_")[2],
)
def test_without_its_data(module: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "DATA", tmp_path / "gone")
    name = module.__name__.rpartition("bench_")[2]  # type: ignore[attr-defined]
    ((state, why, *_),) = bench.measured(name)
    assert state == "SKIPPED" and ("not there" in why or "no data in" in why)


def test_beside_others_that_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        {"name": "one", "figure": 2.0, "bar": 1.0, "ratio": 2.0, "met": False},
        skipped("two: no Chromium"),
    ]
    monkeypatch.setattr(bench_encoder, "main", lambda: rows)
    lines = list(bench.table([bench.HEAD, *bench.measured("encoder")]))
    assert [line.split()[0] for line in lines[1:]] == ["MISSED", "SKIPPED"] and lines[
        2
    ] == "SKIPPED  two: no Chromium"


def test_published_figures_as_their_tests_compare_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "test_figures.py").write_text(
        "from tests.statistics import published, values\n"
        "def test_one(): values.same('1 a', 0.69512, '.6951')\n"
        "def test_two(): values.same('2 b', 0.69516, '.6951')\n"
        "def test_three(): published.load('nowhere')\n",
        "utf-8",
    )
    monkeypatch.setattr(bench_values, "TESTS", tmp_path)
    monkeypatch.setattr(published, "DATA", tmp_path)
    monkeypatch.setattr(bench_values, "DATA", tmp_path)
    monkeypatch.setattr(bench_values, "whole_questions", list)
    before = list(values.VALUES)
    lines = bench.measured("values")
    values.VALUES[:] = before
    assert lines[:2] == [
        ("MET", "values: 1 a, difference +2.0e-05", "0.69512", ".6951", "-"),
        ("MISSED", "values: 2 b, difference +6.0e-05", "0.69516", ".6951", "-"),
    ]
    assert lines[2][:2] == (
        "SKIPPED",
        f"values: test_figures.py::test_three: the data set nowhere is not beside the checkout (looked in {tmp_path / 'nowhere'})",
    )
    assert lines[3][0] == "SKIPPED" and "3b new s" in lines[3][1]
    assert lines[4] == ("MISSED", "values: tests that fail", "1", "0", "-")
