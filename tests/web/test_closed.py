"""Gradio's routes on pages whose Blocks declare no event are not there; pages with events keep what
they need."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import gradio as gr
import httpx
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from graders.web import app as web_app
from graders.web import closed
from graders.web.closed import Closed, has_events, takes_files
from graders.web.kit.gradio import AsSent
from graders.web.page import shell
from tests.support.server import serve
from tests.web.test_malformed import BODIES, table

#: What Gradio answers with on a page that nobody calls.
OPEN = {"/", "", "/theme.css", "/static/{path:path}", "/assets/{path:path}"}


def uploaded(size: int = 10) -> dict[str, Any]:
    return {"files": {"files": ("a.txt", b"a" * size)}}


def test_nothing_is_written_and_nothing_runs_on_pages_without_events(
    demo: Path, tmp_path: Path
) -> None:
    with serve(tmp_path, demo) as server:
        for path in (page.path.rstrip("/") for page in web_app.pages() if page.build is None):
            with httpx.Client(base_url=server.url + path, trust_env=False) as client:
                assert client.get("/").status_code == 200
                replies = [
                    client.post("/gradio_api/upload", **uploaded(100_000)),
                    client.post("/gradio_api/upload/", **uploaded()),
                    client.post(
                        "/gradio_api/queue/join",
                        json={"data": [], "fn_index": 0, "session_hash": "x"},
                    ),
                    client.post("/gradio_api/run/predict", json={"data": []}),
                    client.post("/gradio_api/call/predict", json={"data": []}),
                    client.post(
                        "/gradio_api/component_server",
                        json={"session_hash": "x", "component_id": 1, "fn_name": "x"},
                    ),
                    client.get("/gradio_api/queue/data?session_hash=x"),
                    client.get("/gradio_api/heartbeat/x"),
                    client.get("/gradio_api/file=http://127.0.0.1/"),
                    client.get("/config"),
                ]
            assert {reply.status_code for reply in replies} == {404}, path
            assert replies[0].json() == {
                "error": "address: found nothing here, expected an address of a page of Cograde. Open the page again."
            }
        assert not [file for file in (tmp_path / "gradio").rglob("*") if file.is_file()]


def test_pages_with_events_take_no_files(demo: Path, tmp_path: Path) -> None:
    with serve(tmp_path, demo) as server:
        for path in (page.path.rstrip("/") for page in web_app.pages() if page.build is not None):
            for route in ("upload", "upload/", "process_recording"):
                address = f"{server.url}{path}/gradio_api/{route}"
                assert httpx.post(address, timeout=60, **uploaded()).status_code == 404, address
        assert not [file for file in (tmp_path / "gradio").rglob("*") if file.is_file()]


def test_what_stays_open_is_the_page_and_its_looks() -> None:
    """Of all that Gradio answers on a page without events, also in a version to come."""
    page = next(page for page in web_app.pages() if page.build is None)
    blocks = shell(page, "/assets/x")
    inner = FastAPI()
    gr.mount_gradio_app(inner, blocks, path=page.path)
    door = Closed(inner, "", blocks)
    found = {(method, path) for method, path in table(inner.routes)}
    assert len(found) > 60
    left = {path for method, path in found if door._open(method, path)}
    assert left <= OPEN and "/theme.css" in left
    assert {method for method, path in found if door._open(method, path)} <= {"GET", "HEAD"}


def echo(text: Any) -> Any:
    """An event's function."""
    return text


@contextmanager
def served(blocks: gr.Blocks, programs: bool = False) -> Iterator[TestClient]:
    """A page of these Blocks at /page, as the app makes it, or functions for programs."""
    app = FastAPI()
    app.add_middleware(Closed, path="/page", blocks=blocks, programs=programs)
    gr.mount_gradio_app(app, blocks, path="/page", ssr_mode=False, max_file_size="1kb")
    with TestClient(app, base_url="http://127.0.0.1") as client:
        yield client


@pytest.fixture
def texts() -> gr.Blocks:
    with gr.Blocks(analytics_enabled=False) as blocks:
        box = gr.Textbox()
        box.submit(echo, box, box, api_name="echo")
    return blocks


def test_a_page_with_an_event_runs_it_and_takes_no_files(texts: gr.Blocks) -> None:
    with served(texts) as client:
        assert client.get("/page/config?page=").status_code == 200
        assert client.post("/page/gradio_api/run/echo", json={"data": ["said"]}).json()["data"] == [
            "said"
        ]
        for path in ("upload", "upload/", "process_recording", "call/echo"):
            assert client.post(f"/page/gradio_api/{path}", **uploaded()).status_code == 404


def test_programs_call_by_name_and_bring_no_files(texts: gr.Blocks) -> None:
    with served(texts, programs=True) as client:
        called = client.post("/page/gradio_api/call/echo", json={"data": ["said"]}).json()
        told = client.get(f"/page/gradio_api/call/echo/{called['event_id']}").text
        assert '["said"]' in told
        for path in ("upload", "upload/", "process_recording"):
            assert client.post(f"/page/gradio_api/{path}", **uploaded()).status_code == 404


def test_a_page_whose_event_takes_a_file_gets_files_up_to_its_limit() -> None:
    with gr.Blocks(analytics_enabled=False) as blocks:
        file, box = gr.File(), gr.Textbox()
        file.upload(echo, file, box)
    assert takes_files(blocks)
    with served(blocks) as client:
        assert client.post("/page/gradio_api/upload", **uploaded()).status_code == 200
        assert client.post("/page/gradio_api/upload", **uploaded(5_000)).status_code == 413


def test_what_is_sent_is_neither_fetched_nor_logged(caplog: pytest.LogCaptureFixture) -> None:
    """Gradio itself downloads what a call names, and prints a call that lacks something."""
    with AsSent(analytics_enabled=False) as blocks:
        box, more = gr.Textbox(), gr.Textbox()
        box.submit(lambda text, other: [text, other], [box, more], [box, more], api_name="both")
    file = {"path": "https://files.invalid/a.txt", "meta": {"_type": "gradio.FileData"}}
    with served(blocks) as client:
        reply = client.post("/page/gradio_api/run/both", json={"data": [file]})
    assert reply.status_code == 200, reply.text
    assert "files.invalid" in reply.json()["data"][0] and reply.json()["data"][1] is None


def test_what_counts_as_an_event(texts: gr.Blocks) -> None:
    with gr.Blocks(analytics_enabled=False) as shown:
        gr.File()  # takes nothing in: no event reads it
        button = gr.Button()
        button.click(None, js="() => alert(1)")
    with gr.Blocks(analytics_enabled=False) as server:
        gr.HTML(server_functions=[echo], js_on_load="server.echo(1)")
    assert (has_events(texts), takes_files(texts)) == (True, False)
    assert (has_events(shown), takes_files(shown)) == (False, False)
    assert has_events(server)


def test_a_call_that_gradio_cannot_read_is_a_sentence(
    texts: gr.Blocks, caplog: pytest.LogCaptureFixture
) -> None:
    """Without a look at them Gradio takes some calls for what they should be, and fails."""
    with served(texts, programs=True) as client:
        for address in (
            "component_server",
            "call/v2/nope",
            "call/nope",
            "stream/x",
            "cancel",
            "reset",
        ):
            for kind, body in BODIES:
                reply = client.post(
                    f"/page/gradio_api/{address}",
                    content=body,
                    headers=[(b"content-type", kind.encode("latin-1"))],
                )
                assert reply.status_code < 500, (address, kind, body[:40])
        reply = client.get("/page/?page=nope")
    sentence = "call: found something that cannot be read, expected what the page itself sends. Reload the page."
    assert (reply.status_code, reply.json()) == (400, {"error": sentence})
    told = [record for record in caplog.records if record.name == closed.__name__]
    assert (
        told[-1].getMessage() == "Gradio could not read a call to '/page/' (KeyError)."
        and not told[-1].exc_info
    )
