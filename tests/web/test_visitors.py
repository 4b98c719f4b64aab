"""Visitors of a public Space: who gets a copy of the demo, when, and what is given back."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from graders.core import discovery
from graders.store.copies import Copies
from graders.store.workspace import open_workspace
from graders.web.called import calls
from graders.web.visitors import sweep
from tests.support.server import serve
from tests.web.bringing import brought, opened
from tests.web.client import called
from tests.web.space import DAY, PAGE, Browser, Space, done, enter, save


def test_a_program_reads_the_shared_demo_and_gets_no_copy(make: Callable[..., Space]) -> None:
    space = make()
    program = space.visitor(page=False)
    for path in ("/", "/review", "/api/frame", "/api/desk", "/judges?project=study"):
        assert program.get(path).status_code == 200, path
    fetched = program.get("/review", headers={**PAGE, "sec-fetch-mode": "cors"})
    assert fetched.status_code == 200 and not program.cookies, "a fetch is no visit"
    for ask in (
        lambda: enter(program),
        lambda: program.post("/api/upload", content=b"a,b\n", headers={"x-file-name": "a.csv"}),
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
    assert called(ann, "plan", project="study").json()["data"][0]["cells"] > 0
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
    looked += [page.path for page in space.app.state.pages]
    assert len(looked) > 25
    for path in looked:
        reply = client.get(path, params={"project": "autumn-study"})
        assert reply.status_code in (200, 401, 404, 422), (
            path,
            reply.status_code,
            reply.text[:200],
        )
    for name in sorted({*calls()} - {"grade", "import", "stop"}):
        given = {} if name == "projects" else {"project": "autumn-study"}
        reply = called(client, name, **given)
        assert "data" in reply.json(), (name, reply.text[:200])
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
    assert client.get("/api/next", params={"project": "study"}).status_code == 401, (
        "no name was entered"
    )
    assert not path.exists() and not list(path.parent.glob(f"{path.name}*"))
    assert enter(client).status_code == 200 and done(client) == 0


def test_a_copy_goes_after_its_day_though_nobody_comes(make: Callable[..., Space]) -> None:
    space = make()
    enter(space.visitor())
    (early,) = space.copies()
    space.later = 0.9 * DAY
    enter(space.visitor(), "Ben")
    (late,) = {*space.copies()} - {early}
    copies, over = space.resolver.copies, threading.Event()
    assert copies is not None
    for file in late.parent.glob(f"{late.name}*"):  # what the disk noted is the real time
        os.utime(file, (copies.clock(), copies.clock()))
    sweep(copies, over, 0.01)
    space.later = DAY + 60
    deadline = time.monotonic() + 10
    while early.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    over.set()
    assert space.copies() == [late]


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


def test_a_visitor_imports_into_the_copy(make: Callable[..., Space]) -> None:
    """Reading the file goes on in a thread of its own after the request has ended and its
    connections were closed."""
    space = make()
    client = space.visitor()
    text = "id,question,model,answer\n1,One?,Ash,It is one.\n2,Two?,Ash,It is two.\n"
    number, project = brought(client, "own.csv", text, "Rain")
    assert project == "rain" and "2 answers" in opened(client, f"?staged={number}&project=rain")
    assert client.get("/api/desk", params={"project": "rain"}).status_code == 200
    assert space.visitor().get("/api/desk", params={"project": "rain"}).status_code == 404
