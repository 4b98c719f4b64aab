"""The policy that goes with every answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from graders.web.policies import policy
from tests.support.server import Server, serve


@pytest.fixture(scope="module")
def server(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve(tmp_path_factory.mktemp("policy"), demo) as running:
        yield running


def parts(found: str) -> dict[str, list[str]]:
    return {name: words for name, *words in (part.split() for part in found.split(";"))}


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/review/",
        "/nope",
        "/call/",
        "/call/gradio_api/info",
        "/api/frame",
        "/api/nope",
        "/api/report?project=autumn-study",
    ],
)
def test_every_answer_has_the_policy(server: Server, path: str) -> None:
    reply = httpx.get(server.url + path, headers={"accept": "text/html"}, trust_env=False)
    found = parts(reply.headers["content-security-policy"])
    assert (
        found["default-src"] == ["'self'"]
        and found["object-src"] == ["'none'"]
        and found["base-uri"] == ["'self'"]
    )
    assert found["frame-ancestors"] == ["'self'"] and "'unsafe-inline'" not in found["script-src"]
    assert not re.search(r"https?:|\*", reply.headers["content-security-policy"])


def test_each_page_has_a_nonce_of_its_own_on_every_script(server: Server) -> None:
    nonces = set()
    for _ in range(2):
        reply = httpx.get(f"{server.url}/", trust_env=False)
        (nonce,) = re.findall(r"'nonce-([\w-]+)'", reply.headers["content-security-policy"])
        opened = re.findall(r"<script[^>]*>", reply.text)
        assert len(opened) > 3 and all(f'nonce="{nonce}"' in tag for tag in opened)
        assert int(reply.headers["content-length"]) == len(reply.content)
        nonces.add(nonce)
    assert len(nonces) == 2


def test_a_space_may_be_framed_by_the_hub_and_by_no_other_space() -> None:
    found = parts(policy("x", space=True))["frame-ancestors"]
    assert found == ["'self'", "https://huggingface.co", "https://hf.co"]


def test_a_report_carries_its_own_policy_as_a_file(server: Server) -> None:
    text = httpx.get(
        f"{server.url}/api/report",
        params={"project": "autumn-study", "format": "html"},
        trust_env=False,
    ).text
    (found,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]+)">', text)
    assert parts(found)["default-src"] == ["'none'"] and "script-src" not in found
    assert text.index(found) < text.index("<style")
