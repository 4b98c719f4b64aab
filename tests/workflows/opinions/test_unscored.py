"""Cells without a verdict: the run's counts, the reasons and the rows of Results are one and the
same."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from graders.core.errors import NotFound
from graders.store.calls import runs as run_store
from graders.store.workspace import open_workspace
from graders.workflows.opinions.unscored import unscored
from graders.workflows.runs import runs
from tests.store import small
from tests.support.stub import provider_stub


def test_reasons_are_counted_in_cells_and_lead_to_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "nobody")
    ws = open_workspace(tmp_path / "work.db")
    scope = small.study(tmp_path, ws, count=10)
    assert unscored(scope, "study").total == 0
    with provider_stub(faults={"refusal": 0.2, "empty": 0.2}, sticky=True, seed=3) as stub:
        run = runs.start(scope, "study", {"judges": ["openai:stub"], "base_url": stub.base_url}).run
        assert runs.execute(ws, run) == "done"
        progress = run_store.get_run(ws, run).progress
        (judge,) = progress["judges"]
        assert set(progress["reasons"]) == {"refusal", "empty"}
        assert progress["reasons"] == judge["reasons"]
        # three criteria a call
        assert (
            progress["without_verdict"] == sum(judge["reasons"].values()) == 3 * judge["unreadable"]
        )
        found = unscored(scope, "study", "openai:stub")
        assert {row.reason: row.cells for row in found.reasons} == progress["reasons"]
        assert found.total == progress["without_verdict"] and len(found.rows) == min(
            50, found.total
        )
        refused = unscored(scope, "study", reason="refusal")
        assert refused.total == len(refused.rows) == progress["reasons"]["refusal"]
        assert Counter(row.criterion for row in refused.rows) == dict.fromkeys(
            ("Relevance", "Completeness", "Tone"), refused.total // 3
        )
        assert {(row.reason, row.judge) for row in refused.rows} == {("refusal", "openai:stub")}
        stub.configure(faults={})
        again = runs.start(
            scope, "study", {"judges": ["openai:stub"], "base_url": stub.base_url}
        ).run
        assert runs.execute(ws, again) == "done"
    assert unscored(scope, "study").total == 0, "asked again, and answered"
    with pytest.raises(NotFound, match="expected one of openai:stub"):
        unscored(scope, "study", "openai:other")
