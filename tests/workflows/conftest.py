"""What most tests of use cases begin with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from graders.store.workspace import Workspace
from graders.workflows.permissions import Scope
from tests.store import small
from tests.support.stub import StubProvider, provider_stub


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    return small.workspace(tmp_path)


@pytest.fixture
def scope(ws: Workspace) -> Scope:
    return small.scope_of(ws)


@pytest.fixture(scope="module")
def stub() -> Iterator[StubProvider]:
    """A provider on loopback; `configure` it at the start of a test."""
    with provider_stub() as running:
        yield running
