"""Nothing that a leaderboard keeps in memory passes from one test to the next."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graders.workflows.leaderboard import ranking as use


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    use.forget()
    yield
    use.forget()
