"""With `--json` a command prints one JSON document on standard output and nothing else there; what
it says to people is on standard error."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from graders.store.workspace import open_workspace
from tests.commands.runner import Line
from tests.store import small
from tests.support import forked
from tests.support.server import free_port
from tests.support.stub import provider_stub

TABLE = "id,question,model,answer,correctness,rater\n1,One?,Ash,It is one.,Yes,ann\n2,Two?,Ash,It is two.,No,ann\n3,,Ash,It is three.,,ann\n"


def test_six_commands_print_one_document_each(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "t.csv").write_text(TABLE, "utf-8")
    columns = ("--column", "correctness=verdict", "--column", "rater=annotator")
    said: dict[str, tuple[Any, str]] = {}
    with provider_stub() as stub:
        monkeypatch.setenv("OPENAI_API_KEY", "nobody")
        monkeypatch.setenv("OPENAI_BASE_URL", stub.base_url)
        cograde = Line(tmp_path / "work.db", capfd)  # type: ignore[arg-type]
        for command, *words in (
            ("import", tmp_path / "t.csv", "--yes", "--bad-rows", tmp_path / "bad.csv", *columns),
            ("grade", "--judge", "openai:stub", "--yes"),
            ("route",),
            ("status",),
            ("export", "--output", tmp_path / "out.zip"),
            ("agree",),
        ):
            done = cograde(command, *words, "--json")
            assert done.code in ((0, 4) if command == "agree" else (0,)), done.err
            assert not any(sign in done.out for sign in ("\x1b", "Next: ")), command
            said[command] = done.json, done.err  # of more than one document this raises
    found, told = said["import"]
    assert (found["project"], found["questions"], found["bad"]) == ("t", 2, 1)
    for words in (
        "Reading as csv",
        "t.csv, row 4, question: found an empty question",
        "1 bad row; it is in ",
    ):
        assert words in told
    assert said["grade"][0]["state"] == "done" and "Plan: " in said["grade"][1]
    assert said["status"][0][0]["project"] == "t"
    assert said["export"][0]["format"] == "jsonl"
    assert said["agree"][0] and said["route"][0]


def test_serve_prints_its_address_as_a_document_once_its_pages_answer(tmp_path: Path) -> None:
    # where something is there no demo is made
    small.study(tmp_path, small.workspace(tmp_path), count=1).ws.close()
    out, err, port = tmp_path / "out", tmp_path / "err", free_port()
    command = [
        "-m",
        "graders",
        "serve",
        "--json",
        "--port",
        port,
        "--workspace",
        tmp_path / "work.db",
        "--project",
        "study",
    ]
    process = forked.start(command, out=out, err=err, modules=forked.WEB)
    try:
        end = time.monotonic() + 60
        while not (text := out.read_text("utf-8") if out.exists() else "").endswith("}\n"):
            assert process.poll() is None and time.monotonic() < end, err.read_text("utf-8")
            time.sleep(0.05)
        where = json.loads(text)
        assert where == {
            "address": f"http://127.0.0.1:{port}/?project=study",
            "workspace": str(tmp_path / "work.db"),
            "project": "study",
        }
        assert httpx.get(where["address"], trust_env=False).status_code == 200
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(20)
    assert json.loads(out.read_text("utf-8")) == where, "nothing more came after it"


@pytest.mark.parametrize("words", [["status", "--json"], ["status"], ["--help"]])
def test_whoever_reads_only_the_beginning_sees_no_traceback(
    tmp_path: Path, words: list[str]
) -> None:
    """As `| head -c 1` does, which has gone before the command writes."""
    reading, writing = os.pipe()
    os.close(reading)
    open_workspace(tmp_path / "w.db").close()
    line = [
        sys.executable,
        "-m",
        "graders",
        *words,
        *([] if words == ["--help"] else ["--workspace", str(tmp_path / "w.db")]),
    ]
    done = subprocess.run(line, stdout=writing, stderr=subprocess.PIPE, text=True)
    os.close(writing)
    assert done.stderr == ""
