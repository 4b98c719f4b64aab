"""The desk's bars in Chromium against the real app: key to painted, save-and-next to painted.

Alone, with 20 people saving every 2 seconds from a process of their own, and with a round trip of
80 ms. A time starts at the key's own time stamp and ends just after the frame that follows it;
after a save that frame must show the next screen. Needs Chromium.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import quantiles
from typing import Any

from playwright.sync_api import CDPSession, Page, sync_playwright

from graders.store.workspace import open_workspace
from graders.workflows.routing.route import route
from graders.workflows.scope.permissions import Actor, Scope
from tests.browser.test_desk_saving import MEASURE
from tests.store import small
from tests.support.chromium import ARGUMENTS, HOW, find
from tests.support.server import ROOT, serve

QUESTIONS, SCREENS, PEOPLE, EVERY, ROUND_TRIP = 120, 36, 20, 2.0, 80
MODELS = ("Ash", "Oak", "Elm")
RUBRIC = """
rubric: small
criteria:
  relevance: {question: Does it do what was asked?, scale: [irrelevant, relevant], graders: [judge], review: people}
  completeness: {question: Is all there?, scale: {from: 1, to: 5}, graders: [judge], review: people}
  clarity: {question: Can it be read once and understood?, scale: {from: 1, to: 5}, graders: [judge], review: people}
  tone: {question: Which tone?, scale: {labels: [warm, dry, stiff], ordered: false}, graders: [judge], review: people}
  accuracy: {question: Is it right?, scale: {from: 1, to: 5}, graders: [judge], review: people}
"""
TEXT = (
    "**{model} says {i}.** Leaves hold several pigments at once; as days shorten, chlorophyll goes first and the others show.\n\n"
    * 6
)


def project(folder: Path) -> None:
    """Questions with three answers of real length and a judge's verdicts on five criteria; enough
    places for everybody."""
    judged = [
        small.judge(
            f"q{i}",
            model,
            f"small/{name}",
            "north",
            value,
            rationale="It says so.",
            evidence=[{"quote": "chlorophyll goes first"}],
        )
        for i in range(1, QUESTIONS + 1)
        for model in MODELS
        for name, value in (
            ("relevance", "relevant"),
            ("completeness", 4),
            ("clarity", 5),
            ("tone", "dry"),
            ("accuracy", 3),
        )
    ]
    ws = open_workspace(folder / "app.db")
    scope = Scope(Actor(), ws)
    files = small.folder(
        folder,
        "study",
        questions=small.questions(QUESTIONS),
        answers=small.answers(QUESTIONS, MODELS, TEXT),
        judge=judged,
    )
    small.bring(scope, files, rubric=RUBRIC)
    small.sample(ws, calibration=0.0, audit=0.0, blind=0.0, overlap=PEOPLE + 2)
    route(scope, "study")
    ws.close()


def work(page: Page) -> tuple[list[float], list[float]]:
    """Milliseconds of keys and of saves on some screens."""
    page.evaluate(MEASURE)
    keys: list[float] = []
    saves: list[float] = []
    for _ in range(SCREENS):
        for key in ("Enter", "2", "3", "ArrowUp"):
            page.keyboard.press(key)
            page.wait_for_timeout(15)
        page.keyboard.press("Control+Enter")  # points out the open cells
        page.wait_for_timeout(40)
        before = page.locator(".cg").get_attribute("data-screen")
        keys += page.evaluate("window.took.splice(0)")
        page.keyboard.press("Control+Enter")
        page.wait_for_function("window.took.length > 0")
        saves += page.evaluate("window.took.splice(0)")
        assert page.locator(".cg").get_attribute("data-screen") != before, (
            "the frame that was measured shows the next screen"
        )
        page.wait_for_timeout(250)  # a person needs longer
    return keys, saves


@contextmanager
def people(url: str) -> Iterator[None]:
    """Colleagues at work."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.benchmarks.bench_desk", url],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        yield
    finally:
        process.kill()
        process.communicate()


def save_for_ever(url: str) -> None:
    """20 people, each of whom takes a screen and saves it every two seconds."""
    import httpx

    gate = threading.Barrier(PEOPLE + 1)

    def person(number: int) -> None:
        with httpx.Client(base_url=url, timeout=60) as client:
            client.post("/api/me", json={"name": f"Person {number}"}).raise_for_status()
            gate.wait()
            time.sleep(EVERY * number / PEOPLE)
            while screens := client.get("/api/next", params={"project": "study", "n": 1}).json()[
                "screens"
            ]:
                screen = screens[0]
                body = {
                    "project": "study",
                    "save_id": f"bench-{number}-{screen['id']}",
                    "screen": screen["id"],
                    "order": [answer["id"] for answer in screen["answers"]],
                    "verdicts": small.marks_sent(
                        screen,
                        {
                            "relevance": "relevant",
                            "completeness": 3,
                            "clarity": 4,
                            "tone": "dry",
                            "accuracy": 2,
                        },
                    ),
                }
                client.post("/api/save", json=body).raise_for_status()
                time.sleep(EVERY)

    threads = [
        threading.Thread(target=person, args=(number,), daemon=True) for number in range(PEOPLE)
    ]
    for thread in threads:
        thread.start()
    gate.wait()
    print("ready", flush=True)
    for thread in threads:
        thread.join()


def slow_down(session: CDPSession, milliseconds: int) -> None:
    """Every request takes this much longer."""
    session.send("Network.enable")
    session.send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": milliseconds,
            "downloadThroughput": -1,
            "uploadThroughput": -1,
        },
    )


def measure(chromium: str) -> dict[str, tuple[list[float], list[float]]]:
    """Times of keys and saves under each condition."""
    found = {}
    with tempfile.TemporaryDirectory() as name, sync_playwright() as play:
        folder = Path(name)
        project(folder)
        with serve(folder) as server:
            browser = play.chromium.launch(executable_path=chromium, args=list(ARGUMENTS))
            page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
            page.request.post(f"{server.url}/api/me", data={"name": "Mira Holm"})

            def opened() -> Page:
                page.goto(f"{server.url}/review?project=study")
                page.wait_for_selector("[data-ready='1'][data-screen]", timeout=60_000)
                page.wait_for_timeout(1500)
                return page

            found["alone"] = work(opened())
            with people(server.url):
                found[f"{PEOPLE} people saving"] = work(opened())
            slow_down(page.context.new_cdp_session(page), ROUND_TRIP)
            found[f"{ROUND_TRIP} ms round trip"] = work(opened())
            browser.close()
    return found


def main() -> list[dict[str, Any]]:
    """Measure; one row per bar: name, figure, bar, ratio (figure / bar), met."""
    path = find()
    if not path:
        print(HOW)
        return []
    rows = []
    for condition, (keys, saves) in measure(path).items():
        rows.append((f"desk, {condition}: key to painted, p95 ms", quantiles(keys, n=20)[18], 50.0))
        rows.append(
            (
                f"desk, {condition}: save-and-next to painted, p95 ms",
                quantiles(saves, n=20)[18],
                100.0,
            )
        )
    return [
        {"name": n, "figure": round(f, 1), "bar": b, "ratio": round(f / b, 3), "met": f < b}
        for n, f, b in rows
    ]


if __name__ == "__main__":
    if len(sys.argv) == 2:
        save_for_ever(sys.argv[1])
    else:
        for row in main():
            print(
                f"{'MET   ' if row['met'] else 'MISSED'} {row['name']}: {row['figure']} (bar {row['bar']}, ratio {row['ratio']})"
            )
