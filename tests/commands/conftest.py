"""A command line for the tests of commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands.runner import Line


@pytest.fixture
def cograde(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Line:
    return Line(tmp_path / "work.db", capsys)
