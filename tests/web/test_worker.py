"""A run that is taken up again the moment it rests gets a worker, though the last one has not quite
left."""

from __future__ import annotations

import io
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from graders.commands._shell import run
from graders.core.settings import Settings
from graders.store.calls import runs as run_store
from graders.store.workspace import open_workspace
from graders.web.worker import Supervisor
from graders.workflows.promise import counted_cells
from graders.workflows.promise.kind_rows import UnsortedShown
from graders.workflows.promise.risk import risk
from graders.workflows.routing import sorting
from graders.workflows.routing.terms import fix_terms
from graders.workflows.runs import runs
from tests.store import small
from tests.workflows.learning.test_learn import chances, taught
from tests.workflows.routing.test_sorting import Study, drawn, in_force, label, routed


@pytest.mark.timeout(120)
@pytest.mark.parametrize(("wish", "state"), [("run", "done"), ("pause", "paused")])
def test_a_worker_on_its_way_out_is_waited_for(tmp_path: Path, wish: str, state: str) -> None:
    ws = open_workspace(tmp_path / "work.db")
    scope: Any = small.study(tmp_path, ws, count=2)
    run = runs.start(scope, "study", {}).run
    run_store.end(ws, run, "paused", "", {})
    supervisor = Supervisor({"english": "", "multilingual": "", "bertscore_multilingual": ""})
    leaving = subprocess.Popen(["cat"], stdin=subprocess.PIPE)
    supervisor._workers[str(ws.path.resolve()), run] = leaving
    runs.wish(scope, "study", run, wish)
    supervisor.start(ws, run)
    assert leaving.poll() is None, "nobody is held up by it"
    leaving.communicate()
    deadline = time.monotonic() + 60
    while (found := run_store.get_run(ws, run).state) != state and time.monotonic() < deadline:
        time.sleep(0.1)
    time.sleep(0.3)
    assert found == run_store.get_run(ws, run).state == state


@pytest.mark.timeout(120)
def test_a_run_whose_worker_only_seemed_to_live_is_taken_up(tmp_path: Path) -> None:
    ws = open_workspace(tmp_path / "work.db")
    scope: Any = small.study(tmp_path, ws, count=2)
    run = runs.start(scope, "study", {}).run
    assert run_store.claim(ws, run)
    dying = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    with ws.write() as db:
        db.execute(
            "UPDATE run SET worker = ?",
            (run_store.worker_name().rpartition(":")[0] + f":{dying.pid}",),
        )
    supervisor = Supervisor({"english": "", "multilingual": "", "bertscore_multilingual": ""})
    supervisor.resume(ws)
    assert not supervisor._workers, "it has a worker"
    dying.kill()
    dying.wait()
    deadline = time.monotonic() + 60
    while (found := run_store.get_run(ws, run).state) != "done" and time.monotonic() < deadline:
        time.sleep(0.1)
    assert found == "done"


@pytest.mark.timeout(120)
def test_what_people_say_is_learned_from_in_another_process(tmp_path: Path) -> None:
    scope = taught(tmp_path)
    supervisor = Supervisor({"english": "", "multilingual": "", "bertscore_multilingual": ""})
    begun = time.monotonic()
    supervisor.learn(scope.ws, "study")
    assert time.monotonic() - begun < 5 and not chances(scope), "nobody waits for it"
    deadline = time.monotonic() + 90
    while len(chances(scope)) < 120 and time.monotonic() < deadline:
        time.sleep(0.2)
    assert len(chances(scope)) == 120
    supervisor.learn(scope.ws, "study")  # a second look comes later


def test_cells_are_sorted_with_the_nearness_of_answers_beside_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scope = routed(tmp_path, Study(questions=8))
    first = in_force(scope)
    assert first is not None and not first.made_from["vectors"]
    started: list[list[str]] = []

    def here(command: list[str], *, input: bytes, **more: Any) -> None:
        """In this process, where the model's library is loaded already."""
        started.append(command)
        monkeypatch.setattr(sys, "stdin", io.StringIO(input.decode()))
        assert run(command[3:], Settings(), lambda settings, tell: None) == 0

    monkeypatch.setattr("graders.web.worker.subprocess.run", here)
    supervisor = Supervisor({"english": "", "multilingual": "", "bertscore_multilingual": ""})
    for _ in range(2):  # the second time nothing is left to do
        supervisor._do("sort", scope.ws, "study", sorting.is_due, ())
    assert [command[3] for command in started] == ["worker"]
    found = in_force(scope)
    assert found is not None and found.made_from["vectors"] and found.digest != first.digest

    # many cells are sorted there alone
    scope.ws.db.execute("DELETE FROM confidence_order")
    monkeypatch.setattr(counted_cells, "AT_ONCE", 31)
    fix_terms(scope, "study", 0.1, 0.1)
    (mine,) = [r.order for r in risk(scope, "study").rows if isinstance(r.order, UnsortedShown)]
    assert (
        in_force(scope) is None
        and mine.note.startswith(
            "The order in which these cells are to be tested does not stand yet: "
        )
        and mine.waits
    )
    supervisor._do("sort", scope.ws, "study", sorting.is_due, ())
    assert in_force(scope).digest == found.digest and not any(
        isinstance(r.order, UnsortedShown) for r in risk(scope, "study").rows
    )
    scope.ws.db.execute("DELETE FROM confidence_order")
    label(scope, tmp_path, Study(questions=8), drawn(scope)[:1])
    (mine,) = [r.order for r in risk(scope, "study").rows if isinstance(r.order, UnsortedShown)]
    assert (
        mine.note.startswith("Labels were opened before these cells were sorted") and not mine.waits
    )


def test_work_beside_is_done_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    supervisor, go, done = Supervisor({}), threading.Event(), []

    def do(self: Supervisor, work: str, *given: Any) -> None:
        go.wait(10)
        done.append(work)

    monkeypatch.setattr(Supervisor, "_do", do)
    ws = open_workspace(tmp_path / "work.db")
    for _ in range(3):
        supervisor.sort(ws, "study")
        time.sleep(0.05)  # the first is under way
    go.set()
    deadline = time.monotonic() + 10
    while supervisor._under_way and time.monotonic() < deadline:
        time.sleep(0.01)
    assert done == ["sort", "sort"], "what was asked for twice meanwhile is done once more"
