"""Runs whose calls travel in batches, over HTTP: submit, leave, come back; nothing is bought twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.store import runs as run_store
from graders.store.workspace import Workspace
from graders.workflows import runs
from graders.workflows.permissions import Scope
from tests.store import small

ANSWERS = 6


@pytest.fixture
def study(tmp_path: Path, ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    for provider in ("OPENAI", "ANTHROPIC"):
        monkeypatch.setenv(f"{provider}_API_KEY", "key-of-the-run")
    small.study(tmp_path, ws, count=2)
    return ws


def started(ws: Workspace, base_url: str, judge: str = "openai:stub", **more: object) -> int:
    options = {"judges": [judge], "base_url": base_url, "batch": True, "input_price": 1.0, "output_price": 2.0, **more}
    return int(runs.start(small.scope_of(ws), "study", options)["run"])


def judged(ws: Workspace) -> int:
    sql = "SELECT count(*) FROM opinion o JOIN author a ON a.id = o.author_id WHERE a.kind = 'judge' AND o.status = 'ok'"
    return int(ws.db.execute(sql).fetchone()[0])


def again(ws: Workspace, run: int) -> str:
    runs.wish(small.scope_of(ws), "study", run, "run")
    return runs.execute(ws, run)


@pytest.mark.parametrize("judge", ["openai:stub", "anthropic:claude-stub"])
def test_a_run_hands_in_leaves_and_comes_back(study: Workspace, stub, judge: str) -> None:  # type: ignore[no-untyped-def]
    stub.configure(faults={}, latency=0.0, polls=2, expired=0)
    run = started(study, stub.base_url, judge, stay=False)
    assert runs.execute(study, run) == "paused"
    assert (
        run_store.get_run(study, run)["message"] == f"0 of {ANSWERS} calls in batches are done. Come back later: what is under way is kept."
    )
    assert judged(study) == 0 and stub.stats()["paid"] == ANSWERS
    assert again(study, run) == "paused"
    assert again(study, run) == "done"
    counts = run_store.get_run(study, run)["progress"]["judges"][0]
    assert judged(study) > 0 and (counts["calls"], counts["done"], counts["perhaps_paid"]) == (ANSWERS, ANSWERS, 0)
    used = study.db.execute("SELECT sum(input_tokens), sum(output_tokens), sum(money) FROM call").fetchone()
    assert used[2] == pytest.approx(0.5 * (used[0] + 2 * used[1]) / 1e6), "half the price"
    assert counts["money"] == pytest.approx(used[2])
    assert stub.stats()["paid"] == ANSWERS


def test_what_a_batch_answered_badly_or_not_at_all_is_handed_in_again(study: Workspace, stub) -> None:  # type: ignore[no-untyped-def]
    stub.configure(faults={"malformed": 0.2, "server_error": 0.2}, latency=0.0, polls=0, expired=0, seed=3)
    run = started(study, stub.base_url)
    assert runs.execute(study, run) == "done"
    counts, stats = run_store.get_run(study, run)["progress"]["judges"][0], stub.stats()
    assert judged(study) > 0 and counts["without_verdict"] == 0
    assert counts["resends"] == stats["faults"] != {}


@pytest.mark.parametrize(
    ("refuse", "found"), [("wrong_key", "status 401: Incorrect API key provided"), ("quota", "You exceeded your current quota")]
)
def test_a_batch_that_is_refused_ends_the_run_with_one_sentence_and_leaves_the_cells_open(  # type: ignore[no-untyped-def]
    study: Workspace, stub, refuse: str, found: str
) -> None:
    stub.configure(faults={}, latency=0.0, polls=0, expired=0, refuse=refuse)
    run = started(study, stub.base_url)
    assert runs.execute(study, run) == "failed"
    row = run_store.get_run(study, run)
    assert found in row["message"] and len(row["progress"]["problems"]) == 1
    assert judged(study) == 0 and row["progress"]["without_verdict"] == 0
    stub.configure(refuse="")
    assert again(study, run) == "done" and stub.stats()["paid"] == ANSWERS


def test_only_providers_with_batches_take_them(scope: Scope, tmp_path: Path) -> None:
    small.study(tmp_path, scope.ws, count=1)
    with pytest.raises(Exception, match="ollama, which takes no batches, expected one of openai_chat, anthropic_messages"):
        runs.plan(scope, "study", {"judges": ["ollama:llama3"], "batch": True})
