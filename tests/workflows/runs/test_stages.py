"""The stages of a run: what failed does not look done, what rests does not look at work."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from graders.core.run_state import RunState
from graders.store.calls import runs as run_store
from graders.store.calls.runs import Run
from graders.store.workspace import Workspace, open_workspace
from graders.workflows.runs import runs, stages
from graders.workflows.runs.progress import Progress
from tests.store import small
from tests.support.stub import provider_stub
from tests.workflows.measuring import test_elect
from tests.workflows.routing.test_sorting import Study, routed


@pytest.fixture
def ws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setenv("OPENAI_API_KEY", "nobody")
    found = open_workspace(tmp_path / "work.db")
    small.study(tmp_path, found, count=4)
    return found


def states(ws: Workspace) -> list[str]:
    run = runs.status(small.scope_of(ws), "study")
    return [stage["state"] for stage in run.progress["stages"]]


def begun(ws: Workspace, address: str, **more: Any) -> int:
    options = {"judges": ["openai:stub"], "base_url": address, "concurrency": 2, **more}
    return int(runs.start(small.scope_of(ws), "study", options).run)


def test_a_judge_that_got_no_reply_is_a_failed_stage(ws: Workspace) -> None:
    with provider_stub(faults={"wrong_key": 1.0}) as stub:
        assert runs.execute(ws, begun(ws, stub.base_url)) == "failed"
    assert states(ws) == ["done", "failed", "done"]


def test_what_fails_before_and_after_an_election_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "nobody")
    ws = test_elect.bring(tmp_path, {"Ash": ("relevant", 5), "Oak": ("relevant", 3)}).ws
    with provider_stub(faults={"wrong_key": 1.0}) as stub:
        assert runs.execute(ws, begun(ws, stub.base_url)) == "failed"
        run = runs.status(small.scope_of(ws), "study")
    assert run.message.count("Incorrect API key") == 1
    assert len(run.progress["problems"]) == 1


def test_pause_stop_and_the_end(ws: Workspace) -> None:
    with provider_stub(latency=0.15) as stub:
        run = begun(ws, stub.base_url, concurrency=1)

        def after(more: int, want: str) -> Any:
            first: list[int] = []

            def listen(progress: Progress) -> None:
                done = progress.judges["openai:stub"].done
                first.append(done)
                if done >= first[0] + more:
                    run_store.wish(ws, run, want)

            return listen

        assert runs.execute(ws, run, listen=after(2, "pause")) == "paused"
        assert states(ws) == ["done", "waiting", "waiting"]
        runs.wish(small.scope_of(ws), "study", run, "stop")
        assert states(ws) == ["done", "stopped", "skipped"], "stopped while it rested"
        runs.wish(small.scope_of(ws), "study", run, "run")
        assert runs.execute(ws, run, listen=after(1, "stop")) == "stopped"
        assert states(ws) == ["done", "stopped", "skipped"]
        runs.wish(small.scope_of(ws), "study", run, "run")
        assert runs.execute(ws, run) == "done"
        assert states(ws) == ["done", "done", "done"]


def test_a_budget_stops_the_judge_and_routes_the_rest(ws: Workspace) -> None:
    with provider_stub() as stub:
        assert runs.execute(ws, begun(ws, stub.base_url, budget_calls=3)) == "stopped"
    assert states(ws) == ["done", "stopped", "done"]


def test_routing_says_that_it_sorts_and_how_far_it_is(tmp_path: Path) -> None:
    # sorted without vectors: a run looks at how near answers are, too
    scope = routed(tmp_path, Study(questions=8))
    told: list[tuple[str, int, int]] = []

    def listen(progress: Progress) -> None:
        route = progress.stages[-1]
        told.append((route.detail, route.done, route.total))

    run = int(runs.start(scope, "study", {}).run)
    models = {"english": "", "multilingual": "", "bertscore_multilingual": ""}
    assert runs.execute(scope.ws, run, models=models, listen=listen) == "done"
    assert ("Sorting the cells of Relevance", 32, 32) in told
    assert told[-1][0] == "every cell gets a reason"


@pytest.mark.parametrize(
    ("run_state", "alive", "expected"),
    [
        ("running", True, "working"),
        ("running", False, "stopped"),  # killed: nobody could say goodbye
        ("paused", False, "waiting"),
        ("failed", False, "failed"),
    ],
)
@pytest.mark.parametrize("word", ["working", "now"])
def test_a_stage_that_was_at_work_is_what_its_run_is(
    word: str, run_state: str, alive: bool, expected: str
) -> None:
    stage = {"name": "judge", "state": word, "done": 3}
    run = Run(
        id=1,
        project_id=1,
        project="study",
        state=RunState(run_state),
        want="run",
        settings={},
        plan={},
        progress={"stages": [stage]},
        message="",
        started_by="",
        worker="",
        heartbeat=0.0,
        created_at="",
        ended_at="",
        alive=alive,
    )
    assert stages.shown(run)[0].state == expected
