"""The bars for a public Space: 2,000 visitors in ten minutes, 500 of them at once, 200 of whom save
three screens.

A real server with the demo, and the visitors in a process of their own, each with an address of its
own that a configured proxy tells. They come evenly during ten minutes and stay 150 s each, so that
500 are there at once. Each opens two pages with all that a browser with an empty cache fetches for
them, as Chromium did before (document, styles, modules, data; six requests at a time): the first
page, and Results or, who saves, the desk. Savers say a name there, take three screens and save
them. A visitor waits who is refused, or whom any response takes over two seconds. Memory is that of
the server and all it started.

``python -m tests.benchmarks.bench_visitors short`` sends a tenth of them in a minute, 50 at once.
Needs Chromium.
"""

from __future__ import annotations

import asyncio
import json
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import quantiles
from typing import Any

import psutil
from playwright.sync_api import sync_playwright

from tests.store import small
from tests.support.chromium import ARGUMENTS, HOW, find
from tests.support.server import ROOT, Server, serve
from tests.web.client import Client, over

VISITORS, SECONDS, AT_ONCE, SAVERS, SCREENS = 2_000, 600.0, 500, 200, 3
LONG, TOO_LONG, SHARE, MEMORY = 2.0, 30.0, 0.05, 1_000.0
PROJECT = "autumn-study"
PAGES = ("/", "/results", "/review")
HTML = {
    "accept": "text/html,application/xhtml+xml",
    "sec-fetch-mode": "navigate",
    "sec-fetch-dest": "document",
}
#: Milliseconds after which a page has asked for all that it needs.
SETTLED = 3_000


@dataclass
class Told:
    """What the visitors met: seconds of every response, the longest one of each visitor, what was
    refused, screens saved."""

    seconds: list[float] = field(default_factory=list)
    longest: list[float] = field(default_factory=list)
    opened: list[float] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    unlucky: int = 0
    saved: int = 0
    most: int = 0


class Visitor:
    """One browser: its cookie, its address and what it waited for."""

    def __init__(self, number: int, url: str, told: Told) -> None:
        import aiohttp

        self.url, self.told, self.longest, self.lucky = url, told, 0.0, True
        headers = {
            "x-forwarded-for": f"11.{number >> 16}.{number >> 8 & 255}.{number & 255}",
            "x-forwarded-proto": "https",
            "accept-encoding": "gzip",
        }
        self.http = aiohttp.ClientSession(
            headers=headers,
            connector=aiohttp.TCPConnector(
                limit=6, keepalive_timeout=3
            ),  # the server ends idle ones after 5 s
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(120),
        )

    async def ask(
        self, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> bytes:
        """One request; its time counts until the last byte is here."""
        began = time.perf_counter()
        method = "GET" if body is None else "POST"
        async with self.http.request(method, self.url + path, json=body, headers=headers) as reply:
            text = await reply.read()
            if "set-cookie" in reply.headers:  # it is for https
                self.http.headers["cookie"] = reply.headers["set-cookie"].split(";")[0]
        took = time.perf_counter() - began
        self.told.seconds.append(took)
        self.longest = max(self.longest, took)
        if reply.status != 200:
            self.lucky = False
            self.told.refused.append(
                f"{path}: {reply.status} {text[:200].decode('utf-8', 'replace')}"
            )
        return text

    async def open(self, path: str, parts: Iterable[str]) -> None:
        """Open a page with all that it needs."""
        began = time.perf_counter()
        await self.ask(path, headers=HTML)
        await asyncio.gather(*(self.ask(part) for part in parts))
        self.told.opened.append(time.perf_counter() - began)

    async def save(self, name: str, pause: float) -> None:
        """Say a name, take screens and save them; the desk counts those that it has."""
        await self.ask("/api/me", {"name": name})
        for number in range(SCREENS):
            found = json.loads(await self.ask(f"/api/next?project={PROJECT}&n=1"))
            screen = found["screens"][0]
            await asyncio.sleep(pause)
            body = {
                "project": PROJECT,
                "save_id": f"{name}-{number}-save",
                "screen": screen["id"],
                "order": [answer["id"] for answer in screen["answers"]],
                "verdicts": small.marks_sent(screen, {"relevance": "relevant", "completeness": 4}),
            }
            await self.ask("/api/save", body)
        desk = json.loads(await self.ask(f"/api/desk?project={PROJECT}"))
        self.told.saved += desk["counts"]["done"]


def parts_of(url: str, chromium: str) -> dict[str, list[str]]:
    """What Chromium fetches of the server for each page, beside the document."""
    found = {}
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=list(ARGUMENTS))
        for path in PAGES:
            page = browser.new_context().new_page()
            asked: list[str] = []
            page.on("request", lambda request, asked=asked: asked.append(request.url))
            page.goto(url + path)
            page.wait_for_timeout(SETTLED)
            paths = dict.fromkeys(
                one.removeprefix(url) for one in asked[1:] if one.startswith(f"{url}/")
            )
            found[path] = list(paths)
        browser.close()
    return found


async def come(url: str, scale: float, parts: dict[str, list[str]]) -> Told:
    """Let `scale` of all visitors come and go, who fetch these parts of the pages."""
    told, chance = Told(), random.Random(4)
    count, over = round(VISITORS * scale), SECONDS * scale
    stay = over * AT_ONCE / VISITORS
    savers = set(chance.sample(range(count), round(SAVERS * scale)))
    here = 0

    async def visit(number: int, at: float) -> None:
        nonlocal here
        await asyncio.sleep(max(0.0, at))
        here += 1
        told.most = max(told.most, here)
        visitor, left = Visitor(number, url, told), time.perf_counter() + stay
        try:
            second = "/review" if number in savers else "/results"
            await visitor.open("/", parts["/"])
            await asyncio.sleep(stay / 4 * chance.uniform(0.5, 1.5))
            await visitor.open(
                second,
                [
                    part
                    for part in parts[second]
                    if part not in parts["/"] or part.startswith("/api/")
                ],
            )
            if number in savers:
                await visitor.save(f"Visitor {number}", stay / 20)
            await asyncio.sleep(max(0.0, left - time.perf_counter()))
        except (TimeoutError, OSError, ValueError, LookupError) as error:
            visitor.lucky = False
            told.refused.append(f"visitor {number}: {type(error).__name__} {error}")
        finally:
            here -= 1
            told.longest.append(visitor.longest)
            told.unlucky += not visitor.lucky or visitor.longest > LONG
            await visitor.http.close()

    await asyncio.gather(*(visit(n, n * over / count + chance.uniform(0, 1)) for n in range(count)))
    return told


class Memory:
    """The most memory that a server and what it started had, in MB, while it is watched."""

    def __init__(self, server: Server) -> None:
        self.process, self.most, self.own = psutil.Process(server.process.pid), 0.0, 0.0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def now(self) -> float:
        """All of them now, without what they share."""
        self.own = self.process.memory_info().rss / 1e6
        total = self.own
        for child in self.process.children(recursive=True):
            try:
                total += child.memory_info().rss / 1e6
            except psutil.Error:
                continue
        return total

    def _watch(self) -> None:
        while not self._over.wait(0.5):
            self.most = max(self.most, self.now())

    def end(self) -> None:
        """Watch no longer."""
        self._over.set()
        self._thread.join()


def prepared(folder: Path) -> None:
    """The demo with its first run done, as a Space has it."""
    (folder / "made").mkdir()
    (folder / "data").mkdir()
    with serve(folder / "made") as server:
        over(Client(server.url), PROJECT)
    for made in (folder / "made").glob("app.db*"):
        shutil.move(made, folder / "data" / made.name.replace("app.db", "demo.db"))


def measure(scale: float, chromium: str) -> tuple[Told, dict[str, float]]:
    """What visitors met, and figures of the server."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepared(folder)
        with serve(
            folder, SPACE_ID="team/cograde", COGRADE_HOST="127.0.0.1", COGRADE_PROXIES="127.0.0.1"
        ) as server:
            memory = Memory(server)
            before = memory.now()
            busy = sum(memory.process.cpu_times()[:4])
            parts = json.dumps(parts_of(server.url, chromium))
            words = [
                sys.executable,
                "-m",
                "tests.benchmarks.bench_visitors",
                "come",
                server.url,
                str(scale),
            ]
            said = subprocess.run(
                words, cwd=ROOT, input=parts, stdout=subprocess.PIPE, text=True, check=True
            ).stdout
            time.sleep(5)
            memory.end()
            after = memory.now()
            busy = (
                sum(memory.process.cpu_times()[:4]) - busy
            )  # with what it started and that has ended
            files = [file.path for file in memory.process.open_files()]
            copies = len(list((folder / "data" / "visitors").glob("*.db")))
    held = sum("/visitors/" in path for path in files)
    grown = {
        "most": memory.most - before,
        "after": after - before,
        "files": held,
        "copies": copies,
        "busy": busy,
    }
    return Told(**json.loads(said)), grown


def rows(told: Told, grown: dict[str, float], scale: float) -> list[dict[str, Any]]:
    """A row per bar."""
    count = len(told.longest)
    who = f"visitors, {count:,} in {SECONDS * scale / 60:g} min, {told.most} at once"
    made = [
        (f"{who}: share that waits over {LONG:g} s or is refused", told.unlucky / count, SHARE),
        ("visitors: longest response, s", max(told.longest), TOO_LONG),
        (
            "visitors: memory of the server and what it starts, most above the start, MB",
            grown["most"],
            MEMORY,
        ),
        (
            f"visitors: screens not saved, of {round(SAVERS * scale) * SCREENS}",
            round(SAVERS * scale) * SCREENS - told.saved,
            0,
        ),
        ("visitors: copies beside those of savers", grown["copies"] - round(SAVERS * scale), 0),
        ("visitors: files of copies still open after", grown["files"], 0),
    ]
    return [
        {
            "name": n,
            "figure": round(f, 3),
            "bar": b,
            "ratio": round(f / b, 3) if b else None,
            "met": f <= b,
        }
        for n, f, b in made
    ]


def main(scale: float = 1.0) -> list[dict[str, Any]]:
    """Measure; one row per bar: name, figure, bar, ratio (figure / bar), met."""
    path = find()
    if not path:
        print(HOW)
        return []
    told, grown = measure(scale, path)
    tail = quantiles(told.seconds, n=100)
    print(
        f"{len(told.seconds):,} responses, p50 {tail[49] * 1e3:.0f} ms, p95 {tail[94] * 1e3:.0f} ms, p99 {tail[98] * 1e3:.0f} ms; "
        f"a page with all its parts p50 {quantiles(told.opened, n=20)[9]:.2f} s, p95 {quantiles(told.opened, n=20)[18]:.2f} s; "
        f"the server's processor {grown['busy']:.0f} s; memory afterwards {grown['after']:+.0f} MB; refused {len(told.refused)}: {'; '.join(told.refused[:3])}"
    )
    return rows(told, grown, scale)


if __name__ == "__main__":
    if sys.argv[1:2] == ["come"]:
        print(
            json.dumps(
                asdict(asyncio.run(come(sys.argv[2], float(sys.argv[3]), json.load(sys.stdin))))
            )
        )
    else:
        for row in main(0.1 if sys.argv[1:] == ["short"] else 1.0):
            print(
                f"{'MET   ' if row['met'] else 'MISSED'} {row['name']}: {row['figure']} (bar {row['bar']}, ratio {row['ratio']})"
            )
