"""`make bench` without its optional data: what cannot be measured is SKIPPED with its reason, and is no miss."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks import __main__ as bench
from tests.benchmarks import bench_encoder, bench_judge, bench_metrics, skipped


@pytest.mark.parametrize("module", [bench_encoder, bench_judge, bench_metrics], ids=lambda module: module.__name__.rpartition("bench_")[2])
def test_without_its_data(module: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "DATA", tmp_path / "gone")
    name = module.__name__.rpartition("bench_")[2]  # type: ignore[attr-defined]
    ((state, why, *_),) = bench.measured(name)
    assert state == "SKIPPED" and ("not there" in why or "no data in" in why)


def test_beside_others_that_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"name": "one", "figure": 2.0, "bar": 1.0, "ratio": 2.0, "met": False}, skipped("two: no Chromium")]
    monkeypatch.setattr(bench_encoder, "main", lambda: rows)
    lines = list(bench.table([bench.HEAD, *bench.measured("encoder")]))
    assert [line.split()[0] for line in lines[1:]] == ["MISSED", "SKIPPED"] and lines[2] == "SKIPPED  two: no Chromium"
