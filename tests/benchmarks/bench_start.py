"""The start: what importing the app costs beside importing Gradio, and how long until the desk is
painted.

The imports run in fresh processes, in turns: the app's module, and all that `python app.py` loads.
The desk's time runs from `python app.py` (a second start: the workspace is there) to the first
screen painted in a browser without any history.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from tests.benchmarks import STATES, skipped
from tests.support.chromium import ARGUMENTS, HOW, find
from tests.support.server import ROOT, serve
from tests.web.client import Client, over

TURNS = 5
IMPORTS = {
    "app": "import graders.web.app",
    # All that `python app.py` loads until it serves: every command is read to print the help of
    # one.
    "whole": "from graders.__main__ import main; main(['serve', '--help']); import graders.web.serve, graders.web.app as app; "
    "from graders.core import discovery; discovery.load_modules('routes', 'graders.web.routes', ('router',)); app.pages()",
    "gradio": "import gradio",
}
TIMED = "import time; started = time.perf_counter(); {}; print(time.perf_counter() - started)"
PAINTED = "() => new Promise((done) => requestAnimationFrame(() => { const c = new MessageChannel(); c.port1.onmessage = () => done(); c.port2.postMessage(0); }))"


def seconds_of(code: str) -> float:
    """Seconds that `code` takes in a fresh process."""
    environment = {**os.environ, "GRADIO_ANALYTICS_ENABLED": "False"}
    done = subprocess.run(
        [sys.executable, "-c", TIMED.format(code)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment,
        check=True,
        timeout=120,
    )
    return float(done.stdout.splitlines()[-1])


def imports() -> dict[str, float]:
    """The median seconds of each import."""
    found: dict[str, list[float]] = {name: [] for name in IMPORTS}
    for code in IMPORTS.values():
        seconds_of(code)  # compiled, and read from disk once
    for _ in range(TURNS):
        for name, code in IMPORTS.items():
            found[name].append(seconds_of(code))
    return {name: statistics.median(times) for name, times in found.items()}


def desk(path: str) -> float:
    """Seconds from the start of the program to the first screen, painted."""
    with tempfile.TemporaryDirectory() as name, sync_playwright() as play:
        folder = Path(name)
        # the first start brings in the demo project and computes its metrics
        with serve(folder) as server:
            over(Client(server.url), "autumn-study")
        browser = play.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
        started = time.perf_counter()
        with serve(folder) as server:
            page.request.post(f"{server.url}/api/me", data={"name": "Mira Holm"})
            page.goto(f"{server.url}/review")
            page.wait_for_selector("[data-ready='1'][data-screen]", timeout=60_000)
            page.evaluate(PAINTED)
            took = time.perf_counter() - started
        browser.close()
    return took


def main() -> list[dict[str, Any]]:
    """Measure; one row per bar: name, figure, bar, ratio (figure / bar), met."""
    times = imports()
    rows = [
        ("start: import of graders.web.app, seconds", times["app"], 1.2 * times["gradio"]),
        (
            "start: import of all that app.py loads before it serves, seconds",
            times["whole"],
            1.2 * times["gradio"],
        ),
    ]
    path = find()
    if path:
        rows.append(("start: python app.py to desk painted, seconds", desk(path), 5.0))
    measured = [
        {
            "name": n,
            "figure": round(f, 3),
            "bar": round(b, 3),
            "ratio": round(f / b, 3),
            "met": f <= b,
        }
        for n, f, b in rows
    ]
    return (
        measured if path else [*measured, skipped(f"start: python app.py to desk painted. {HOW}")]
    )


if __name__ == "__main__":
    for row in main():
        print(
            f"{STATES[row['met']]:<7} {row['name']}: {row['figure']} (bar {row['bar']}, ratio {row['ratio']})"
        )
