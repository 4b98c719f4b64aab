"""Visitors of a public Space: who gets a copy of the demo, when, how many, and what is given
back."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from graders.core import discovery
from graders.core.errors import TooMany
from graders.core.settings import Settings
from graders.store.copies import Copies, Limits
from graders.store.workspace import open_workspace
from graders.web.app import make_app
from graders.web.rates import Rate, Rates
from graders.web.session import Resolver
from tests.store import small
from tests.support.server import serve

PAGE = {
    "accept": "text/html,application/xhtml+xml",
    "sec-fetch-mode": "navigate",
    "sec-fetch-dest": "document",
}
DAY = 24 * 3600.0


class Space:
    """An application for visitors in this process, with a clock that can be moved."""

    def __init__(
        self, folder: Path, limits: Limits | None = None, rates: Rates | None = None
    ) -> None:
        self.folder, self.later = folder, 0.0
        self.settings = Settings(space="team/cograde", data=folder, proxies=("203.0.113.0/24",))
        self.limits, self.rates = limits, rates
        self.start()

    def start(self) -> None:
        """Start the application, as after a restart of its process."""
        self.ws = open_workspace(self.folder / "demo.db")
        self.resolver = Resolver(
            self.ws,
            self.folder / "visitors",
            lambda: time.time() + self.later,
            self.limits,
            self.rates,
        )
        self.app: FastAPI = make_app(self.resolver, self.settings)

    def visitor(self, address: str = "198.51.100.1", page: bool = True) -> TestClient:
        """A browser with a cookie of its own, or with `page` False a program."""
        client = TestClient(
            self.app, "https://localhost", client=(address, 1), raise_server_exceptions=False
        )
        if page:
            assert client.get("/review", headers=PAGE).status_code == 200
        return client

    def copies(self) -> list[Path]:
        return sorted((self.folder / "visitors").glob("*.db"))


class Browser(httpx.Client):
    """A browser that opened a page over plain HTTP: the cookie is for https, so it is handed on
    here."""

    def __init__(self, url: str) -> None:
        super().__init__(base_url=url, trust_env=False, timeout=60)
        self.event_hooks["response"].append(self._keep)
        assert self.get("/review", headers=PAGE).status_code == 200

    def _keep(self, reply: httpx.Response) -> None:
        if "set-cookie" in reply.headers:
            self.headers["cookie"] = reply.headers["set-cookie"].split(";")[0]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., Space]]:
    ws = open_workspace(tmp_path / "demo.db")
    small.study(tmp_path, ws, count=4)
    ws.close()
    yield lambda **given: Space(tmp_path, **given)


def enter(client: httpx.Client, name: str = "Ann") -> Any:
    return client.post("/api/me", json={"name": name})


def save(client: httpx.Client, save_id: str = "visitor-save-1") -> httpx.Response:
    """Take the next screen and save it."""
    (screen,) = client.get("/api/next", params={"project": "study", "n": 1}).json()["screens"]
    body = {
        "save_id": save_id,
        "project": "study",
        "screen": screen["id"],
        "order": [answer["id"] for answer in screen["answers"]],
        "verdicts": small.marks(screen, small.VALUES),
    }
    return client.post("/api/save", json=body)


def done(client: httpx.Client) -> int:
    """How many screens a person has saved."""
    return int(client.get("/api/desk", params={"project": "study"}).json()["counts"]["done"])


def test_a_program_reads_the_shared_demo_and_gets_no_copy(make: Callable[..., Space]) -> None:
    space = make()
    program = space.visitor(page=False)
    for path in ("/", "/review", "/api/frame", "/api/desk", "/api/results?project=study"):
        assert program.get(path).status_code == 200, path
    fetched = program.get("/review", headers={**PAGE, "sec-fetch-mode": "cors"})
    assert fetched.status_code == 200 and not program.cookies, "a fetch is no visit"
    for ask in (
        lambda: enter(program),
        lambda: program.post(
            "/api/import/upload", content=b"a,b\n", headers={"x-file-name": "a.csv"}
        ),
    ):
        reply = ask()
        assert reply.status_code == 403
        assert reply.json()["error"] == (
            "This demo can be looked at, but a change needs a copy of your own, which is made for a browser that opened a "
            "page here and keeps its cookie. Open the page in a browser tab, or run Cograde on your own computer."
        )
    assert not program.cookies and not space.copies()
    assert space.ws.db.execute("SELECT count(*) FROM person").fetchone()[0] == 0


def test_a_copy_is_made_at_the_first_write_and_not_before(make: Callable[..., Space]) -> None:
    space = make()
    ann, ben = space.visitor(), space.visitor()
    assert ann.post("/api/run/plan", json={"project": "study", "options": {}}).status_code == 200
    assert ann.get("/api/next", params={"project": "study"}).status_code == 401
    assert not space.copies(), "looking and planning write nothing"
    assert enter(ann).status_code == 200 and len(space.copies()) == 1
    assert save(ann).status_code == 200 and done(ann) == 1
    assert ben.get("/api/desk", params={"project": "study"}).json()["counts"]["done"] == 0
    assert enter(ben, "Ben").status_code == 200 and done(ben) == 0
    assert len(space.copies()) == 2
    assert space.ws.db.execute("SELECT count(*) FROM person").fetchone()[0] == 0, (
        "the demo is as it was"
    )


def test_everything_can_be_looked_at_without_a_copy(demo: Path, tmp_path: Path) -> None:
    shutil.copy(demo, tmp_path / "demo.db")
    space = Space(tmp_path)
    client = space.visitor()
    modules, _ = discovery.load_modules("routes", "graders.web.routes", ("router",))
    routes = [route for module in modules.values() for route in module.router.routes]
    looked = sorted(
        route.path for route in routes if "GET" in route.methods and route.path.startswith("/api/")
    )
    assert len(looked) > 30
    for path in looked:
        reply = client.get(path, params={"project": "autumn-study"})
        assert reply.status_code in (200, 401, 404, 422), (
            path,
            reply.status_code,
            reply.text[:200],
        )
    assert not space.copies()


def test_requests_of_a_new_visitor_at_once_make_one_copy(
    make: Callable[..., Space], monkeypatch: pytest.MonkeyPatch
) -> None:
    space = make()
    client = space.visitor()
    made: list[object] = []
    place = Copies._place
    monkeypatch.setattr(
        Copies, "_place", lambda *given: (made.append(given), time.sleep(0.1), place(*given))[2]
    )
    with ThreadPoolExecutor(8) as threads:
        replies = list(threads.map(lambda n: enter(client, f"Ann {n}"), range(8)))
    assert [reply.status_code for reply in replies] == [200] * 8
    assert len(made) == len(space.copies()) == 1
    ws = open_workspace(space.copies()[0])
    assert ws.db.execute("SELECT count(*) FROM person").fetchone()[0] >= 1, "all wrote into it"
    ws.close()


@pytest.mark.parametrize(
    "limits, what", [({"copies": 2}, "All 2 places"), ({"total": 2_500_000}, "All space")]
)
def test_a_full_space_says_so_and_can_still_be_looked_at(
    make: Callable[..., Space], limits: dict[str, int], what: str
) -> None:
    space = make(limits=Limits(**limits))
    backup = space.folder / "visitors" / f"{'b' * 32}.2026-11-01.backup.db"
    backup.touch()  # of a copy that an older version made
    inside = []
    while (reply := enter(client := space.visitor())).status_code == 200:
        inside.append(client)
        assert len(inside) < 10
    assert reply.status_code == 503
    assert reply.json()["error"] == (
        f"{what} for visitors' own work in the demo {'are' if 'places' in what else 'is'} taken. A place is free again in about 24 hours. "
        "Until then you can look at everything here. Cograde on your own computer has no such limit."
    )
    assert DAY - 60 < int(reply.headers["retry-after"]) <= DAY
    assert client.get("/api/results", params={"project": "study"}).status_code == 200
    assert save(inside[0]).status_code == 200 and done(inside[0]) == 1, "who has a place works on"
    assert len(space.copies()) == len(inside) + 1
    space.later = DAY + 60
    assert enter(client).status_code == 200, "after a day places are free"
    assert not backup.exists()


def test_a_disk_that_is_nearly_full_takes_no_copy(
    make: Callable[..., Space], tmp_path: Path
) -> None:
    space = make(limits=Limits(spare=shutil.disk_usage(tmp_path).total))
    reply = enter(space.visitor())
    assert (
        reply.status_code == 503
        and "All space for visitors' own work in the demo is taken." in reply.json()["error"]
    )


def test_visitors_of_one_address_come_one_by_one(make: Callable[..., Space]) -> None:
    now = [1000.0]
    rates = Rates(("203.0.113.0/24",), lambda: now[0], Rate(3, 10.0), Rate(5, 1.0))
    space = make(rates=rates)
    for _ in range(3):
        assert enter(space.visitor("198.51.100.7")).status_code == 200
    late = space.visitor("198.51.100.7")
    reply = enter(late)
    assert reply.status_code == 429 and reply.headers["retry-after"] == "10"
    assert reply.json()["error"] == (
        "Many new visitors came from your network at the same time. Please try again in 10 seconds. "
        "Until then you can look at everything here."
    )
    assert late.get("/api/results", params={"project": "study"}).status_code == 200
    assert enter(space.visitor("198.51.100.8")).status_code == 200, (
        "another address is another household"
    )
    now[0] += 10
    assert enter(late).status_code == 200
    assert len(space.copies()) == 5


def test_addresses_that_many_share_are_not_locked() -> None:
    now = [0.0]

    def admitted(rates: Rates, *addresses: str) -> int:
        count = 0
        for address in addresses:
            with suppress(TooMany):
                rates.admit(address)
                count += 1
        return count

    def rates(*proxies: str) -> Rates:
        return Rates(proxies, lambda: now[0], Rate(3, 10.0), Rate(50, 1.0))

    assert admitted(rates("10.0.0.0/8"), *["10.1.2.3"] * 80) == 50, (
        "a proxy that did not say who asks"
    )
    assert admitted(rates(), *["52.1.2.3"] * 80) == 50, (
        "nobody said which proxies there are: it may be the Hub's"
    )
    assert admitted(rates("10.0.0.0/8"), *["52.1.2.3"] * 80) == 3
    assert admitted(rates("10.0.0.0/8"), *(f"2001:db8:1:2::{n:x}" for n in range(9))) == 3, (
        "one network of IPv6"
    )
    assert admitted(rates("10.0.0.0/8"), *(f"2001:db8:1:{n:x}::1" for n in range(9))) == 9
    hub, let_in = Rates((), lambda: now[0]), 0
    for _ in range(600):
        now[0] += 1
        let_in += admitted(hub, "10.1.2.3")
    assert let_in == 600, "200 visitors who save in ten minutes, three times over, from one address"


def test_a_copy_is_kept_for_a_day_after_its_last_use(make: Callable[..., Space]) -> None:
    space = make()
    client = space.visitor()
    enter(client), save(client)
    (path,) = space.copies()
    for _ in range(3):
        space.later += 0.9 * DAY
        assert done(client) == 1, "who comes back within a day finds it"
    space.later += DAY + 120
    desk = client.get("/api/desk", params={"project": "study"})
    assert desk.status_code == 200 and desk.json()["person"] is None, "the shared demo again"
    assert client.get("/api/next", params={"project": "study"}).status_code == 401, "who are you?"
    assert not path.exists() and not list(path.parent.glob(f"{path.name}*"))
    assert enter(client).status_code == 200 and done(client) == 0


def test_what_was_saved_outlives_a_restart(make: Callable[..., Space]) -> None:
    space = make()
    client = space.visitor()
    enter(client), save(client)
    (space.folder / "visitors" / "half.draft").write_text(
        "a copy that was being made when the process was killed"
    )
    space.later = 0.9 * DAY
    space.start()
    again = space.visitor(page=False)
    again.cookies.update(client.cookies)
    assert (
        done(again) == 1 and save(again, "visitor-save-2").status_code == 200 and done(again) == 2
    )
    assert len(space.copies()) == 1 and not list((space.folder / "visitors").glob("*.draft"))


def test_idle_visitors_hold_neither_files_nor_memory(
    make: Callable[..., Space], tmp_path: Path
) -> None:
    make().ws.close()
    (tmp_path / "data").mkdir()
    (tmp_path / "demo.db").rename(tmp_path / "data" / "demo.db")
    with serve(tmp_path, SPACE_ID="team/cograde", COGRADE_HOST="127.0.0.1") as server:
        process = psutil.Process(server.process.pid)

        def visit(number: int) -> Browser:
            client = Browser(server.url)
            assert enter(client).status_code == 200 and save(client).status_code == 200
            return client

        def held() -> list[str]:
            """What is still open of copies once the server has had a moment."""
            deadline = time.monotonic() + 10
            while found := [
                file.path for file in process.open_files() if "/visitors/" in file.path
            ]:
                if time.monotonic() > deadline:
                    break
                time.sleep(0.05)
            return found

        with ThreadPoolExecutor(4) as threads:
            first = list(threads.map(visit, range(10)))
            before = process.memory_info().rss
            more = list(threads.map(visit, range(30)))
        assert len(list((tmp_path / "data" / "visitors").glob("*.db"))) == 40
        assert held() == [], "three files a visitor before"
        assert process.memory_info().rss - before < 30 * 0.5e6, "2.5 MB a visitor before"
        server.kill()
        server.restart()
        assert [done(client) for client in (first[0], more[-1])] == [1, 1], (
            "opened again on demand, also after a crash"
        )


def test_a_copy_grows_to_a_limit(make: Callable[..., Space]) -> None:
    space = make(limits=Limits(each=1_300_000))
    client = space.visitor()
    assert enter(client).status_code == 200
    rows = "".join(f"{n},Question {n}?,Ash,{'A long answer. ' * 40}\n" for n in range(2_000))
    sent = client.post(
        "/api/import/upload",
        content=f"id,question,model,answer\n{rows}".encode(),
        headers={"x-file-name": "big.csv"},
    )
    assert sent.status_code == 200, sent.text
    token = sent.json()["token"]
    assert (
        client.post(
            "/api/import/stage", json={"token": token, "look": sent.json()["look"], "title": "Big"}
        ).status_code
        == 200
    )
    while (job := client.get("/api/import/progress", params={"token": token}).json())[
        "state"
    ] == "staging":
        time.sleep(0.02)
    assert (job["state"], job["error"]) == (
        "failed",
        "your copy of the demo: found more than 1 MB, expected at most 1 MB. Nothing of this was stored. "
        "Run Cograde on your own computer for more.",
    )
    assert save(client).status_code == 200, "what is small still fits"


def test_a_visitor_sends_no_more_than_fits(make: Callable[..., Space]) -> None:
    space = make(limits=Limits(each=2 << 20, total=6 << 20))
    client = space.visitor()
    assert enter(client).status_code == 200

    def sent(size: int) -> httpx.Response:
        chunks = (b"x" * 65536 for _ in range(size >> 16))
        return client.post("/api/import/upload", content=chunks, headers={"x-file-name": "big.csv"})

    reply = client.post(
        "/api/import/upload", content=b"x" * (3 << 20), headers={"x-file-name": "big.csv"}
    )
    assert (
        reply.status_code == 422
        and "found more than 2 MB, expected a file of at most 2 MB" in reply.json()["error"]
    )
    assert sent(3 << 20).json()["error"] == reply.json()["error"], (
        "also where the length was not said"
    )
    (space.folder / "visitors" / f"{'a' * 32}.db").write_bytes(b"x" * (5 << 20))
    full = client.post(
        "/api/import/upload", content=b"x" * (1 << 20), headers={"x-file-name": "big.csv"}
    )
    assert full.status_code == 503 and full.json()["error"].startswith(
        "All space for visitors' own work in the demo is taken."
    )


def test_a_visitor_imports_into_the_copy(make: Callable[..., Space]) -> None:
    """Reading the file goes on in a thread of its own after the request has ended and its
    connections were closed."""
    space = make()
    client = space.visitor()
    text = "id,question,model,answer\n1,One?,Ash,It is one.\n2,Two?,Ash,It is two.\n"
    seen = client.post(
        "/api/import/upload", content=text.encode(), headers={"x-file-name": "own.csv"}
    ).json()
    client.post(
        "/api/import/stage", json={"token": seen["token"], "look": seen["look"], "title": "Rain"}
    )
    while (job := client.get("/api/import/progress", params={"token": seen["token"]}).json())[
        "state"
    ] == "staging":
        time.sleep(0.02)
    assert job["state"] == "staged", job
    finished = client.post(
        "/api/import/finish", json={"import": job["import"], "token": seen["token"]}
    )
    assert finished.status_code == 200 and finished.json()["report"]["answers"] == 2
    assert client.get("/api/results", params={"project": "rain"}).status_code == 200
    assert space.visitor().get("/api/results", params={"project": "rain"}).status_code == 404
