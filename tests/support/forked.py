"""Real processes without the cost of their start: each is a fork of one Python that has imported
the house already.

``forked(["-m", "graders", "status"], cwd=folder)`` runs what ``python -m graders status`` runs, in
a process of its own with its own folder, environment, output and signals. Only the imports come
before the fork, so what a start loads is not tested by it (tests/test_startup.py does); how-tos and
faults are. The processes end with the tests at the latest.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import gc
import importlib
import json
import os
import pkgutil
import runpy
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

ROOT = Path(__file__).parents[2]
#: What is imported before the first fork, of a package with a star all modules; those of the first
#: need no Gradio.
HOUSE = (
    "tests.faults.driver",
    "graders.__main__",
    "graders.commands.*",
    "graders.rules.*",
    "graders.importers.*",
    "graders.exporters.*",
    "graders.faults.*",
    "graders.metrics.*",
    "graders.providers.*",
    "graders.workflows.evaluate.evaluate",
    "babel.dates",
    "jinja2.sandbox",
    "rich.console",
    "scipy.optimize",
    "graders.judges.llm",
    "openai.resources.chat",
    "httpx2",
    "aiohttp",
    "sqlite_utils.db",
    "pytest",
)
WEB = (
    "graders.web.serve",
    "graders.__main__",
    "tests.browser.desk_server",
    "graders.commands.*",
    "graders.rules.*",
    "graders.importers.*",
    "graders.exporters.*",
    "graders.web.routes.*",
    "graders.web.pages.*",
    "babel.dates",
    "scipy.special",
    "uvicorn.lifespan.on",
    "uvicorn.loops.auto",
    "uvicorn.protocols.http.auto",
    "uvicorn.protocols.websockets.auto",
)
#: Between two looks whether a process has ended.
LOOK_SECONDS = 0.01


class Forked:
    """A process that was forked; the part of subprocess.Popen that tests use."""

    def __init__(self, nest: Nest, pid: int) -> None:
        self.nest, self.pid = nest, pid
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """The exit code, negative for a signal; None while it runs."""
        if self.returncode is None:
            self.returncode = self.nest.ask(wait=self.pid)
        return self.returncode

    def wait(self, timeout: float = 60.0) -> int:
        """The exit code once it has ended."""
        end = time.monotonic() + timeout
        while (code := self.poll()) is None:
            if time.monotonic() > end:
                raise subprocess.TimeoutExpired(str(self.pid), timeout)
            time.sleep(LOOK_SECONDS)
        return code

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended: the nest keeps its number from being given to another
        process until then."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class Nest:
    """The process that imports `modules` once and then forks."""

    def __init__(self, modules: Sequence[str]) -> None:
        words = [sys.executable, "-m", "tests.support.forked", *modules]
        self.process = subprocess.Popen(
            words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.lock = threading.Lock()
        atexit.register(self.close)

    def close(self) -> None:
        with contextlib.suppress(OSError):
            assert self.process.stdin is not None
            self.process.stdin.close()
        self.process.wait()

    def ask(self, **what: object) -> int | None:
        assert self.process.stdin is not None and self.process.stdout is not None
        with self.lock:
            print(json.dumps(what), file=self.process.stdin, flush=True)
            answer: int | None = json.loads(self.process.stdout.readline())
        return answer


nest = functools.cache(Nest)


def start(
    words: Sequence[object],
    *,
    cwd: Path = ROOT,
    env: Mapping[str, str] | None = None,
    out: Path | None = None,
    err: Path | None = None,
    modules: tuple[str, ...] = HOUSE,
) -> Forked:
    """Start ``python WORDS`` (``-m MODULE ...`` or a file); what it prints is appended to the files
    `out` and `err`."""
    home = nest(modules)
    files = [str(path) if path else os.devnull for path in (out, err)]
    pid = home.ask(
        words=[str(word) for word in words],
        cwd=str(cwd),
        env=dict(os.environ if env is None else env),
        files=files,
    )
    assert pid is not None
    return Forked(home, pid)


def run(
    words: Sequence[object],
    *,
    cwd: Path = ROOT,
    env: Mapping[str, str] | None = None,
    modules: tuple[str, ...] = HOUSE,
) -> subprocess.CompletedProcess[str]:
    """Run ``python WORDS`` to its end, within four minutes; returns its exit code and what it
    printed."""
    with tempfile.TemporaryDirectory() as folder:
        out, err = Path(folder) / "out", Path(folder) / "err"
        process = start(words, cwd=cwd, env=env, out=out, err=err, modules=modules)
        try:
            code = process.wait(240)
        finally:
            process.kill()
        said = [path.read_text("utf-8", "replace") for path in (out, err)]
    return subprocess.CompletedProcess([str(word) for word in words], code, *said)


def _become(words: list[str], cwd: str, env: dict[str, str], files: list[str]) -> None:
    """Take the place of a fresh Python: folder, environment, output and arguments, then run to the
    end."""
    for number, name in ((0, os.devnull), *zip((1, 2), files, strict=True)):
        handle = os.open(
            name, os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644
        )
        os.dup2(handle, number)
        os.close(handle)
    # which a shell may have switched off for us
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    if words[0] == "-m":
        sys.argv = words[1:]
        package = hasattr(sys.modules.get(words[1]), "__path__")
        # it runs under the name that a program has
        sys.modules.pop(f"{words[1]}.__main__" if package else words[1], None)
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = words
        runpy.run_path(words[0], run_name="__main__")


def _end(code: object) -> None:
    """End as Python does, without taking hundreds of modules apart one by one. A code that is a
    text is left to Python."""
    if code is not None and not isinstance(code, int):
        raise SystemExit(code)
    threading._shutdown()  # type: ignore[attr-defined]  # waits for threads, as an end does
    atexit._run_exitfuncs()
    sys.stdout.flush(), sys.stderr.flush()
    os._exit(code or 0)


def main(orders: IO[str], answers: IO[str]) -> None:
    """Fork and wait as told, a line each, until nothing more is said; then end what is left."""
    living: set[int] = set()
    for line in orders:
        order = json.loads(line)
        if "wait" in order:
            pid, status = os.waitpid(order["wait"], os.WNOHANG)
            living.discard(pid)
            answer = os.waitstatus_to_exitcode(status) if pid else None
        else:
            answer = os.fork()
            if answer == 0:
                orders.close(), answers.close()
                try:
                    _become(**order)
                except SystemExit as end:
                    _end(end.code)
                _end(0)
            living.add(answer)
        print(json.dumps(answer), file=answers, flush=True)
    for pid in living:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def bring(name: str) -> None:
    """Import a module, or all modules of a package whose name ends in a star."""
    package = importlib.import_module(name.removesuffix(".*"))
    for module in pkgutil.iter_modules(package.__path__) if name.endswith(".*") else ():
        importlib.import_module(f"{package.__name__}.{module.name}")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        bring(name)
    gc.freeze()  # a child's collector would copy all pages of what is imported
    # The orders come and go beside standard input and output, which belong to the processes.
    main(os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w"))
