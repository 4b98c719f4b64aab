"""What most tests of use cases begin with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from graders.store.desk import own_screens
from graders.store.workspace import Workspace
from graders.workflows.evaluate import evaluate
from graders.workflows.evaluate._memory_ledger import MemoryLedger
from graders.workflows.scope.permissions import Scope
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


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key, which the providers of `stub` take."""
    monkeypatch.setenv("OPENAI_API_KEY", "nobody")


@pytest.fixture
def soon(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A screen comes again after the module's GAP others: fifty take their time."""
    assert own_screens.GAP == 50
    monkeypatch.setattr(own_screens, "GAP", request.module.GAP)


@pytest.fixture
def fresh_evaluate(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key, and a process that remembers nothing of what it evaluated."""
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-the-tests")
    monkeypatch.setattr(evaluate, "_shared_ledger", MemoryLedger())
