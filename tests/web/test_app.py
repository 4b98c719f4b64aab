"""The web application as a whole: pages, guard, session, visitors of a Space."""

from __future__ import annotations

import csv
import io
import re
import shutil
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from graders.store.calls import runs as run_store
from graders.store.copies import copy_workspace
from graders.store.workspace import open_workspace
from graders.workflows.home import overview
from graders.workflows.runs import runs
from graders.workflows.scope.permissions import Actor, Scope
from tests.store import small
from tests.support.server import Server, serve
from tests.web.bringing import finished, looked_at, opened, staged
from tests.web.client import Client, called

PROJECT = "autumn-study"


@pytest.fixture(scope="module")
def server(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve(tmp_path_factory.mktemp("app"), demo) as running:
        yield running


def test_pages_that_are_opened_at_the_same_moment_are_each_their_own(server: Server) -> None:
    paths = [page["path"] for page in Client(server.url).get("/api/frame")["pages"]]
    with ThreadPoolExecutor(len(paths)) as people:
        replies = list(
            people.map(
                lambda path: httpx.get(
                    server.url + path, follow_redirects=True, timeout=60, trust_env=False
                ),
                paths,
            )
        )
    titles = [
        re.search(r'<meta property="og:title" content="([\w ]+?)(?: · Cograde)?"', reply.text)
        for reply in replies
    ]
    assert len({title[1] for title in titles if title}) == len(paths) > 10


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/review",
        "/results",
        "/agreement",
        "/leaderboard",
        "/questions",
        "/run",
        "/review/",
        f"/results?project={PROJECT}",
    ],
)
def test_pages_answer(server: Server, path: str) -> None:
    reply = httpx.get(server.url + path, follow_redirects=True, trust_env=False)
    assert reply.status_code == 200
    assert re.search(r'<meta property="og:title" content="(\w+ · )?Cograde"', reply.text)


@pytest.mark.parametrize("path", ["/nope", "/review/nope", "/login", "/files/a b"])
def test_a_browser_sees_a_page_at_an_address_that_leads_nowhere(server: Server, path: str) -> None:
    reply = httpx.get(server.url + path, headers={"accept": "text/html,*/*;q=0.8"}, trust_env=False)
    assert (reply.status_code, reply.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "There is no page at this address." in reply.text
    data = httpx.get(server.url + path, headers={"accept": "application/json"}, trust_env=False)
    assert data.headers["content-type"] == "application/json"


def test_data_stay_json_and_projects_has_an_address(server: Server) -> None:
    browser = {"accept": "text/html,*/*;q=0.8"}
    for path in ("/api/nope", f"/api/desk?project={PROJECT}x"):
        reply = httpx.get(server.url + path, headers=browser, trust_env=False)
        assert (reply.status_code, reply.headers["content-type"]) == (404, "application/json")
    reply = httpx.get(server.url + "/projects/?project=a%20b", headers=browser, trust_env=False)
    assert (reply.status_code, reply.headers["location"]) == (307, "/?project=a%20b")


def test_an_app_at_rest_rests(server: Server) -> None:
    """Gradio looks into the queue of every page a thousand times a second, unless told that nothing
    comes."""
    app = psutil.Process(server.process.pid)
    before = app.num_ctx_switches().voluntary
    time.sleep(0.5)
    assert app.num_ctx_switches().voluntary - before < 100


def test_nobody_gets_a_screen_without_a_name(server: Server) -> None:
    reply = httpx.get(f"{server.url}/api/next", params={"project": PROJECT}, trust_env=False)
    assert reply.status_code == 401
    assert reply.json() == {
        "error": "annotator name: found none, expected a name. Enter your name first."
    }


def test_the_cookie_holds_an_id_and_no_name(server: Server) -> None:
    client = Client(server.url)
    person = client.enter("Mira Holm")
    assert re.fullmatch(r"[0-9a-f]{16}", person)
    assert client.get("/api/desk", project=PROJECT)["person"] == {"id": person, "name": "Mira Holm"}
    cookie = client.http.cookies["cograde"]
    assert "Mira" not in cookie
    client.http.cookies.set("cograde", cookie[:-3] + "xyz", domain="127.0.0.1")
    forged = httpx.get(
        f"{server.url}/api/desk",
        params={"project": PROJECT},
        cookies={"cograde": cookie[:-3] + "xyz"},
        trust_env=False,
    )
    assert forged.json()["person"] is None


def test_a_person_answers_screens_and_saves_once(server: Server) -> None:
    client = Client(server.url)
    client.enter("Jonas Vik")
    screen = client.get("/api/next", project=PROJECT, n=1)["screens"][0]
    cells = [cell for answer in screen["answers"] for cell in answer["cells"]]
    first = next(
        c
        for c in client.get("/api/desk", project=PROJECT)["criteria"]
        if c["key"] == cells[0]["criterion"]
    )
    body = {
        "save_id": "save-0001-abcdef",
        "project": PROJECT,
        "screen": screen["id"],
        "seconds": 3,
        "comment": "",
        "flagged": False,
        "skipped": None,
        "order": [a["id"] for a in screen["answers"]],
        "faults": [],
        "verdicts": [
            {
                "cell": cells[0]["id"],
                "value": first["scale"]["values"][0],
                "status": "ok",
                "action": "typed",
                "seconds": 1,
            }
        ],
    }
    assert client.post("/api/save", body)["stored"] is True
    assert client.post("/api/save", body)["stored"] is False
    work = client.get("/api/my-work", project=PROJECT)
    assert work["today"]["screens"] == 1 and len(work["rows"]) == 1
    back = client.post(
        "/api/undo", {"undo_id": "undo-0001", "project": PROJECT, "save_id": "save-0001-abcdef"}
    )
    assert back["screen"]["id"] == screen["id"]
    assert client.get("/api/my-work", project=PROJECT)["rows"] == []


@pytest.mark.parametrize(
    "body, sentence",
    [
        ({"save_id": "x"}, "save_id: found 'x', expected 8 to 80 characters, made by the page."),
        (
            {"save_id": "long-enough-1", "screen": 999_999},
            "screen: found 999999, expected a screen that was given to you. Reload the page.",
        ),
        ({"save_id": "long-enough-2", "screen": "one"}, "screen: found 'one', expected a number."),
    ],
)
def test_a_bad_save_is_refused_in_a_sentence(
    server: Server, body: dict[str, object], sentence: str
) -> None:
    client = Client(server.url)
    client.enter(f"Bad {body['save_id']}")
    reply = client.http.post("/api/save", json={"project": PROJECT, **body})
    assert (reply.status_code, reply.json()) == (422, {"error": sentence})


@pytest.mark.parametrize(
    "site, status", [("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)]
)
def test_other_sites_cannot_act_in_a_persons_name(server: Server, site: str, status: int) -> None:
    reply = httpx.post(
        f"{server.url}/api/me",
        json={"name": f"Eve {site}"},
        headers={"sec-fetch-site": site},
        trust_env=False,
    )
    assert reply.status_code == status


def test_no_origin_is_echoed(server: Server) -> None:
    reply = httpx.get(
        f"{server.url}/api/desk", headers={"origin": "https://evil.example"}, trust_env=False
    )
    assert "access-control-allow-origin" not in reply.headers
    assert (
        reply.headers["cache-control"] == "no-store"
        and reply.headers["x-content-type-options"] == "nosniff"
    )


def test_unknown_project_is_a_sentence(server: Server) -> None:
    reply = httpx.get(f"{server.url}/api/desk", params={"project": "nowhere"}, trust_env=False)
    assert reply.status_code == 404
    assert reply.json() == {
        "error": f"project 'nowhere': found no such project, expected one of {PROJECT}, autumn-pairs, autumn-verse."
    }
    client = Client(server.url)
    client.enter("Nora")
    reply = client.http.get("/api/next", params={"project": PROJECT, "question": "nope"})
    sentence = (
        "question 'nope': found no such question, expected the id of a question of this project."
    )
    assert (reply.status_code, reply.json()) == (404, {"error": sentence})


def test_the_sheet_to_grade_in_can_be_downloaded(server: Server) -> None:
    reply = httpx.get(
        f"{server.url}/api/export",
        params={"project": PROJECT, "format": "sheet"},
        trust_env=False,
        timeout=60,
    )
    assert reply.headers["content-disposition"] == f'attachment; filename="{PROJECT}.xlsx"'
    assert reply.content.startswith(b"PK")


@pytest.mark.parametrize(
    "format, begins", [("html", b"<!doctype html>"), ("md", b"# Autumn study"), ("xlsx", b"PK")]
)
def test_the_report_can_be_downloaded(server: Server, format: str, begins: bytes) -> None:
    reply = httpx.get(
        f"{server.url}/api/report",
        params={"project": PROJECT, "format": format},
        trust_env=False,
        timeout=60,
    )
    assert (
        reply.headers["content-disposition"] == f'attachment; filename="{PROJECT}-report.{format}"'
    )
    assert reply.content.startswith(begins)
    refused = httpx.get(
        f"{server.url}/api/report", params={"project": PROJECT, "format": "pdf"}, trust_env=False
    )
    assert (
        refused.status_code >= 400 and "expected one of html, md, xlsx" in refused.json()["error"]
    )


def test_every_visitor_of_a_space_has_an_own_copy(demo: Path, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    shutil.copy(demo, tmp_path / "data" / "demo.db")
    ws = open_workspace(tmp_path / "data" / "demo.db")
    with ws.write() as db:  # back to where it was before its run
        db.execute("UPDATE run SET state = 'queued', worker = ''")
    (queued,) = run_store.unfinished(ws)
    assert run_store.claim(ws, queued.id)  # this process is the demo's worker
    with serve(tmp_path, SPACE_ID="team/cograde", COGRADE_HOST="127.0.0.1") as space:
        began = time.monotonic()
        early = httpx.get(f"{space.url}/results/", trust_env=False)
        first = httpx.get(space.url, trust_env=False)
        data = httpx.get(f"{space.url}/api/desk", params={"project": PROJECT}, trust_env=False)
        assert time.monotonic() - began < 20, "answered at once"
        assert (early.status_code, data.status_code) == (200, 503)
        # three questions to try copy nothing, so they wait for nothing
        assert "Grade an answer yourself" in first.text
        assert "The demo is being prepared." in early.text and 'http-equiv="refresh"' in early.text
        assert data.json()["error"].startswith("The demo is being prepared: ")
        assert not list((tmp_path / "data" / "visitors").glob("*")), "no copy of an unfinished demo"
        run_store.end(ws, queued.id, "done", "", queued.progress)
        # a Space is reached over https: the cookie is Secure, so it is handed on by hand here
        one, two = (httpx.Client(base_url=space.url, trust_env=False) for _ in range(2))
        for client, name in ((one, "Ann"), (two, "Ben")):
            page = client.get("/review", headers={"accept": "text/html"})
            client.headers["cookie"] = page.headers["set-cookie"].split(";")[0]
            header = client.post("/api/me", json={"name": name}).headers["set-cookie"]
            assert "samesite=none" in header.lower() and "secure" in header.lower()
            client.headers["cookie"] = header.split(";")[0]
        run = called(one, "run", project=PROJECT).json()["data"][0]
        assert (run["at_work"], run["state"]) == (False, "done")
        waiting = one.get("/api/next", params={"project": PROJECT, "n": 2}).json()["screens"]
        screen = max(waiting, key=lambda screen: len(screen["answers"]))
        assert len(screen["answers"]) == 3, "the demo's desk soon has answers to compare"
        cell = screen["answers"][0]["cells"][0]
        done = one.post(
            "/api/save",
            json={
                "save_id": "visitor-save-1",
                "project": PROJECT,
                "screen": screen["id"],
                "verdicts": [{"cell": cell["id"], "value": None, "reason": "not_applicable"}],
            },
        )
        assert done.status_code == 200, done.text
        assert len(one.get("/api/my-work", params={"project": PROJECT}).json()["rows"]) == 1
        assert two.get("/api/desk", params={"project": PROJECT}).json()["counts"]["done"] == 0
        assert len(list((tmp_path / "data" / "visitors").glob("*.db"))) == 2
        refused = called(one, "grade", project=PROJECT, judge=["openai:gpt-4o-mini"])
        assert "key of your own" in refused.json()["error"]


def test_a_run_under_way_is_stopped_in_a_copy(tmp_path: Path) -> None:
    ws = open_workspace(tmp_path / "work.db")
    scope = small.study(tmp_path, ws, count=2)
    run = runs.start(scope, "study", {}).run
    assert run_store.claim(ws, run)
    copy_workspace(ws, tmp_path / "copy.db")
    copied = run_store.get_run(open_workspace(tmp_path / "copy.db"), run)
    assert (copied.state, copied.message) == (
        "stopped",
        "It was under way when this copy was made.",
    )
    assert run_store.get_run(ws, run).state == "running"


def test_an_upload_above_the_limit_is_refused_before_its_bytes_come(server: Server) -> None:
    host, port = server.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=10) as line:
        head = f"POST /api/upload HTTP/1.1\r\nHost: {host}:{port}\r\nOrigin: {server.url}\r\nx-file-name: big.csv\r\n"
        line.sendall(f"{head}Content-Length: {301 * 1024**2}\r\nConnection: close\r\n\r\n".encode())
        reply = line.makefile("rb").read().decode()
    assert reply.startswith("HTTP/1.1 422"), reply
    assert (
        "found more than 300 MB, expected a file of at most 300 MB. Import it on the command line: cograde import FILE."
        in reply
    )


BAD = "id,question,model,answer,seconds\n1,One?,Ash,It is one.,1\n2,,Ash,It is two.,2\n3,Three?,Ash,It is three.,soon\n"


def test_bad_rows_are_taken_away_mended_and_brought_back(server: Server) -> None:
    http = Client(server.url).http

    def came(number: int) -> Any:
        with closing(open_workspace(server.folder / "app.db")) as ws:
            return overview.import_report(Scope(Actor(), ws), number).report

    def there() -> int:
        return http.get("/api/desk", params={"project": "rain"}).status_code

    report, refused = staged(http, looked_at(http, "My rows.csv", BAD), "Rain")
    assert not refused and there() == 404, "a new project has no page before it is there"
    first, project = finished(http, report)
    assert (project, came(first)["bad"], there()) == ("rain", 2, 200)
    assert "Next: run the graders" in opened(http, f"?staged={first}&project=rain")
    text = http.get("/api/import/bad", params={"id": first}).content.decode("utf-8-sig")
    head, *rows = csv.reader(io.StringIO(text))
    assert [row[head.index("answer")] for row in rows] == ["It is two.", "It is three."]
    rows[0][head.index("question")], rows[1][head.index("seconds")] = "Two?", "3"
    out = io.StringIO()
    csv.writer(out).writerows([head, *rows])
    address = looked_at(http, "bad-rows-1.csv", out.getvalue())
    assert "These are bad rows of 'My rows'" in opened(http, address)
    report, refused = staged(http, address)
    assert not refused, refused
    second, project = finished(http, report)
    assert (came(second)["bad"], came(second)["answers"], project) == (0, 2, "rain")
