"""What all tests share: the demo's workspace; and the files that take longest begin first, so that
no worker is left alone with one."""

from __future__ import annotations

import gc
import itertools
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from graders.store import projects, workspace
from graders.workflows.importing import stage as importing_stage
from tests.support.imported import need
from tests.support.once import once, whole
from tests.support.server import serve
from tests.support.studies import scope_at
from tests.web.client import Client, over

SLOWEST = (
    "faults/test_killed.py",
    "workflows/leaderboard/test_one_source.py",
    "rules/test_all_rules.py",
    "web/test_owners_keys.py",
    "workflows/runs/test_once_more.py",
    "web/test_app.py",
    "workflows/calling/test_batch_carrier.py",
    "workflows/agreement/test_agree_public_data.py",
    "store/opinions/test_tallies.py",
    "web/test_visitors.py",
    "commands/test_study.py",
    "test_readme.py",
    "workflows/runs/test_runs_counts.py",
    "metrics/test_encoders.py",
    "web/test_malformed.py",
    "workflows/routing/test_place_labels.py",
    "commands/test_benchmark.py",
    "web/test_visitors_limits.py",
    "workflows/benchmarks/test_benchmark.py",
    "test_face.py",
    "rules/test_measured_faults.py",
    "workflows/agreement/test_labels_asked.py",
    "plugins/test_new_files.py",
    "web/test_key.py",
    "plugins/test_pages_and_commands.py",
    "browser/test_whole_job.py",
    "browser/test_run_page.py",
    "browser/test_lead_sizes.py",
    "browser/test_projects_page.py",
    "browser/test_keyboard_place.py",
    "browser/test_two_tabs.py",
    "browser/test_policies.py",
    "browser/test_lead_pages.py",
    "browser/test_desk_saving.py",
    "browser/test_frame.py",
    "browser/test_judges_page.py",
    "browser/test_agreement_figures.py",
    "browser/test_desk_page.py",
    "browser/test_import_by_keyboard.py",
    "browser/test_adjudicate_page.py",
    "browser/test_desk_looks.py",
    "browser/test_desk_states.py",
)
ROOT = Path(__file__).parent

# Threads of torch that wait for each other spin otherwise: a third of an encoder's work, taken from the tests beside it.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

MEMORY, ENOUGH = Path("/dev/shm"), 8_000_000_000


def _in_memory() -> bool:
    """Whether folders of tests may lie in memory, where no write waits for a disk: thousands of
    workspaces are written and thrown away."""
    if not MEMORY.is_dir() or not os.access(MEMORY, os.W_OK):
        return False
    if os.statvfs(MEMORY).f_flag & os.ST_NOEXEC:
        return False
    return min(psutil.disk_usage(str(MEMORY)).free, psutil.virtual_memory().available) >= ENOUGH


if _in_memory():
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """What lies in memory goes with the session, unless something failed: not earlier, since threads
    may still look at their workspace when its test has ended."""
    if exitstatus == 0 and "PYTEST_XDIST_WORKER" not in os.environ:
        made: Path = session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
        if made.is_relative_to(MEMORY):
            session.config.add_cleanup(lambda: shutil.rmtree(made, ignore_errors=True))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files in the order of SLOWEST, all others after them.

    Browser tests come after all others: Playwright keeps an event loop running in its process, in
    which no other test could start one. Workers take files in this order, so one that began with
    the browser's meets nothing else.
    """
    place = {ROOT / name: n for n, name in enumerate(SLOWEST)}
    items.sort(
        key=lambda item: (
            item.path.is_relative_to(ROOT / "browser"),
            place.get(item.path, len(SLOWEST)),
        )
    )


def pytest_collection_finish() -> None:
    """Seven thousand tests and their modules stay to the end: the collector of garbage need not
    walk through them again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _migrated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """New workspaces of this process are copies of one that was migrated: a third of the time, a
    thousand times."""
    path, migrate = tmp_path_factory.mktemp("migrated") / "new.db", workspace._migrate
    workspace.open_workspace(path).close()

    def quickly(ws: workspace.Workspace) -> None:
        if ws.db.execute("SELECT 1 FROM sqlite_master").fetchone():
            return migrate(ws)
        with closing(sqlite3.connect(path)) as made:
            made.backup(ws.db)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workspace, "_migrate", quickly)
        yield


@pytest.fixture(autouse=True)
def _seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    """New projects have the seeds 1, 2, ...: what a test says about a draw does not hang on
    luck."""
    numbers = itertools.count(1)
    monkeypatch.setattr(projects.secrets, "randbelow", lambda below: next(numbers))


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The workspace of an app that was started with nothing, its first run of rules and metrics
    done: for ``serve(folder, demo)``.

    Made by the app itself: bringing it in and measuring it takes 13 seconds of the processor.
    """

    def make(folder: Path) -> Path:
        with serve(folder) as server:
            run = over(Client(server.url), "autumn-study")
            assert run["state"] == "done", run
        return whole(folder / "app.db")

    return once(tmp_path_factory, "demo.db", make)


@pytest.fixture(scope="session")
def public(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with the public sets nq301 and summeval, a project each; 86,199 verdicts of one
    are ten seconds of the processor."""
    sources = {name: need(name) for name in ("nq301", "summeval")}

    def make(folder: Path) -> Path:
        scope = scope_at(folder)
        for name, source in sources.items():
            importing_stage.finish(scope, importing_stage.stage(scope, name, source).import_id)
        scope.ws.close()
        return whole(folder / "work.db")

    return once(tmp_path_factory, "public.db", make)
