"""`cograde pause`, `stop`, Ctrl-C and `grade --resume`: real processes, real signals, a provider
that counts."""

from __future__ import annotations

import os
import pty
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from graders.commands._progress import money, rate
from graders.store.workspace import open_workspace
from tests.commands.runner import Line
from tests.store import small
from tests.support import forked
from tests.support.stub import StubProvider, provider_stub

CALLS = 30


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Iterator[StubProvider]:
    with provider_stub(latency=0.25) as running:
        monkeypatch.setenv("OPENAI_API_KEY", "nobody")
        monkeypatch.setenv("OPENAI_BASE_URL", running.base_url)
        yield running


@pytest.fixture
def study(cograde: Line, tmp_path: Path, stub: StubProvider) -> Line:
    small.study(tmp_path, open_workspace(cograde.workspace), count=10)
    return cograde


@contextmanager
def grading(line: Line, *words: str) -> Iterator[tuple[forked.Forked, Callable[[], str]]]:
    """`cograde grade` in a process of its own whose messages go to a terminal; what it said so
    far."""
    ours, theirs = pty.openpty()
    os.set_blocking(ours, False)
    command = [
        "-m",
        "graders",
        "grade",
        "--workspace",
        line.workspace,
        "--project",
        "study",
        *words,
    ]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "160"}
    process = forked.start(command, env=environment, err=Path(os.ttyname(theirs)))
    text = b""

    def said() -> str:
        nonlocal text
        try:
            while chunk := os.read(ours, 65536):
                text += chunk
        except OSError:  # nothing more for now, or for ever
            pass
        return text.decode("utf-8", "replace")

    try:
        yield process, said
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        os.close(ours)
        os.close(theirs)


def until(what: Callable[[], Any], seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def run_of(line: Line) -> dict[str, Any]:
    return dict(line("status", "--json").json[0]["run"])


@pytest.mark.timeout(120)
def test_pause_and_stop_from_another_process(study: Line, stub: StubProvider) -> None:
    stub.configure(hold=2)
    with grading(study, "--judge", "openai:stub", "--concurrency", "1", "--yes") as (process, _):
        until(lambda: stub.stats()["requests"] == 3)
        assert run_of(study)["phase"] == "working"
        second = study("grade", "--resume", "--project", "study")
        assert second.code == 1
        assert second.err.strip() == (
            "run 1 is being worked on by another process. Look at it with: cograde status. Pause it with: cograde pause."
        )
        asked = study("pause", "--json")
        assert (asked.code, asked.json["run"], asked.json["words"]) == (0, 1, "pausing")
        stub.release()
        assert process.wait(30) == 3
    run, requests = run_of(study), stub.stats()["requests"]
    assert (run["phase"], run["progress"]["judges"][0]["done"]) == ("paused", requests), (
        "what was on its way is taken in"
    )
    assert "; run 1 paused" in study("status").out
    again = study("pause")
    assert (again.code, again.err.strip()) == (
        1,
        "project 'study': found run 1 (paused), expected a run to pause. Go on with it: cograde grade --resume. Or end it: cograde stop.",
    )
    stopped = study("stop")
    assert (stopped.code, stopped.out.strip()) == (
        0,
        "Run 1: stopped. Everything that was bought is kept.",
    )
    assert study("stop").code == 1 and run_of(study)["state"] == "stopped"
    assert stub.stats()["requests"] == requests < CALLS


@pytest.mark.timeout(120)
def test_control_c_pauses_and_twice_ends_at_once(study: Line, stub: StubProvider) -> None:
    with grading(study, "--judge", "openai:stub", "--concurrency", "2", "--yes") as (process, said):
        until(lambda: stub.stats()["requests"] >= 8)
        process.send_signal(signal.SIGINT)
        until(lambda: process.poll() is not None or said() is None)
        text = said()
    assert process.returncode == 3
    assert (
        "Pausing: replies to calls under way are still taken in. Ctrl-C again ends at once." in text
    )
    assert "Traceback" not in text
    assert "/s" in text and "price unknown" in text, "rate and money, though nobody knows the price"
    run, requests = run_of(study), stub.stats()["requests"]
    assert (run["state"], run["progress"]["judges"][0]["done"]) == ("paused", requests)
    stub.configure(latency=20.0)
    with grading(study, "--resume") as (process, said):
        until(lambda: stub.stats()["in_flight"] > 0)
        process.send_signal(signal.SIGINT)
        until(lambda: "Pausing" in said())
        process.send_signal(signal.SIGINT)
        assert process.wait(5) == 3
        assert "Ended at once; everything that was stored is kept." in said()
    assert "; run 1 interrupted: no process works on it" in study("status").out
    assert study("pause").code == 1
    assert study("stop", "--json").json["state"] == "stopped"


def test_nothing_to_pause(study: Line) -> None:
    done = study("pause", "--project", "study")
    assert (done.code, done.err.strip()) == (
        1,
        "project 'study': found no run, expected a run to pause. Start one with: cograde grade.",
    )


@pytest.mark.parametrize("command", ["pause", "stop"])
def test_help_has_an_example(cograde: Line, command: str) -> None:
    assert f"Example: cograde {command} --project" in cograde(command, "--help").out


def test_what_is_not_known_is_called_unknown() -> None:
    assert (rate(None), rate(12.34)) == ("rate unknown", "12.3/s")
    assert (money(0.0, 0), money(0.0, 3), money(0.5, 0)) == ("$0.00", "price unknown", "$0.50")
    assert money(0.5, 3) == "$0.50 and an unknown price"
