"""What tests of the web application share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from graders.store.workspace import open_workspace
from tests.store import small
from tests.web.space import Space


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., Space]]:
    """Makes Spaces with a small demo, or starts one anew; limits and rates may be given."""
    ws = open_workspace(tmp_path / "demo.db")
    small.study(tmp_path, ws, count=4)
    ws.close()
    yield lambda **given: Space(tmp_path, **given)
