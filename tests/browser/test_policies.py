"""What a browser refuses our pages, and other sites with our pages."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app import serve
from tests.browser.tabs import Tabs
from tests.support.server import Server
from tests.web.client import Client

#: What a page draws: our own script's, or the kit's column.
DRAWN = ".mount > *, .k-page"


@pytest.fixture(scope="module")
def app(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve(tmp_path_factory.mktemp("policies"), demo) as running:
        yield running


@contextmanager
def other_site(html: str) -> Iterator[str]:
    """The address of a site that shows `html`, by another name than the app's."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(html.encode())

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}/"
        server.shutdown()


def test_every_page_lives_with_its_policy(app: Server, tabs: Tabs) -> None:
    """No page asks for anything that the policy refuses, and none needs another origin."""
    for path in [page["path"] for page in Client(app.url).get("/api/frame")["pages"]] + ["/nope"]:
        with tabs.tab() as page:
            said: list[str] = []
            page.on(
                "console",
                lambda message, said=said: (
                    said.append(message.text) if message.type == "error" else None
                ),
            )  # type: ignore[misc]
            page.on(
                "request",
                lambda request, said=said: (
                    said.append(request.url)
                    if not request.url.startswith((app.url, "data:", "blob:"))
                    else None
                ),
            )  # type: ignore[misc]
            page.goto(app.url + path)
            page.locator(DRAWN).first.wait_for()
            page.wait_for_load_state("networkidle")
            page.wait_for_timeout(200)
            assert [text for text in said if "404" not in text or path != "/nope"] == [], path


def test_a_script_without_the_nonce_runs_nowhere(app: Server, page: Page) -> None:
    page.goto(f"{app.url}/results")
    page.locator(DRAWN).first.wait_for()
    ran = page.evaluate(
        """() => { window.ran = []; const put = (html) => { const box = document.createElement('div'); box.innerHTML = html; document.body.append(box) };
        put('<img src=x onerror="window.ran.push(1)">'); put('<a href="javascript:window.ran.push(2)" id=link>x</a>');
        const script = document.createElement('script'); script.textContent = 'window.ran.push(3)'; document.body.append(script);
        document.getElementById('link').click(); return new Promise((done) => setTimeout(() => done(window.ran), 300)) }"""
    )
    assert ran == []


@pytest.mark.parametrize("width", [1440, 390])
def test_a_page_of_another_site_cannot_frame_the_app(app: Server, tabs: Tabs, width: int) -> None:
    html = f"<iframe src='{app.url}/review' width=900 height=600></iframe>"
    with other_site(html) as address, tabs.tab(viewport={"width": width, "height": 844}) as page:
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.goto(address)
        page.wait_for_timeout(1000)
        assert any("frame-ancestors" in text for text in said)
        assert not any(frame.url.startswith(app.url) for frame in page.frames)


def test_its_own_site_may_frame_the_app(app: Server, page: Page) -> None:
    page.goto(f"{app.url}/healthz")
    page.set_content(f"<iframe src='{app.url}/results' width=900 height=600></iframe>")
    expect(page.frame_locator("iframe").locator(DRAWN).first).to_be_visible()
