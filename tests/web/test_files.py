"""Files that never change are sent from memory: the same bytes and headers as from the application, and nothing else is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient

from graders.store.workspace import open_workspace
from graders.web.files import LARGEST, Files, gradio_files
from tests.store import small
from tests.support.server import Server, serve


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("files")
    ws = open_workspace(folder / "app.db")
    small.study(folder, ws, count=2)
    ws.close()
    with serve(folder) as running:
        yield running


def test_what_a_page_names_comes_whole_and_may_be_kept(server: Server) -> None:
    page = httpx.get(f"{server.url}/review", headers={"accept": "text/html"}, trust_env=False).text
    named = {path.lstrip(".") for path in re.findall(r'"(\.?/assets/[\w./-]+\.(?:js|css))"', page)}
    assert any(path.count("/") == 2 for path in named), "Gradio's"
    for path in [*sorted(named), "/assets/" + next(iter(sorted(gradio_names())))]:
        whole = httpx.get(server.url + path, trust_env=False)
        head = httpx.head(server.url + path, trust_env=False)  # which the application answers
        part = httpx.get(server.url + path, headers={"range": "bytes=0-9"}, trust_env=False)
        assert whole.status_code == 200, path
        assert whole.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert (
            whole.headers["x-content-type-options"] == "nosniff"
            and "content-security-policy" in whole.headers
        )
        if head.status_code == 200:
            assert (
                whole.headers["content-type"].split(";")[0]
                == head.headers["content-type"].split(";")[0]
            )
            assert len(whole.content) == int(head.headers["content-length"])
        assert part.content in (whole.content[:10], whole.content)


def gradio_names() -> list[str]:
    import gradio as gr

    return [Path(path).name for path in gradio_files(Path(gr.__file__).parent)]


def test_nothing_else_is_sent(tmp_path: Path) -> None:
    folder = tmp_path / "templates" / "frontend" / "assets"
    folder.mkdir(parents=True)
    (folder / "index-AbCd1234.js").write_text("1")
    (folder / "plain.js").write_text("its name tells nothing of what is in it")
    (folder / "large-AbCd1234.js").write_bytes(b" " * (LARGEST + 1))
    (tmp_path / "secret-AbCd1234.js").write_text("outside")
    client = TestClient(Files(PlainTextResponse("the application"), gradio_files(tmp_path)))
    assert client.get("/assets/index-AbCd1234.js").text == "1"
    assert client.post("/assets/index-AbCd1234.js").text == "the application"
    for path in (
        "plain.js",
        "large-AbCd1234.js",
        "../../secret-AbCd1234.js",
        "%2e%2e/secret-AbCd1234.js",
        "",
        "x-AbCd1234.js",
    ):
        assert client.get(f"/assets/{path}").text == "the application", path
    assert gradio_files(tmp_path / "elsewhere") == {}
