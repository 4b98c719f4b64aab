"""A link to a page shows the product, not Gradio."""

from __future__ import annotations

import re

import httpx
import pytest

from tests.support.server import Server
from tests.web.test_app import server  # noqa: F401


@pytest.mark.parametrize("path", ["/", "/review", "/run"])
def test_name_sentence_and_picture_come_from_here(server: Server, path: str) -> None:  # noqa: F811
    reply = httpx.get(server.url + path, follow_redirects=True, trust_env=False)
    tags = re.findall(
        r'<meta (?:property|name)="((?:og|twitter):\w+)" content="([^"]*)"', reply.text
    )
    names = [name for name, _ in tags]
    assert len(names) == len(set(names)) and "radio" not in str(tags)
    found = dict(tags)
    assert found["og:title"].endswith("Cograde") and found["og:site_name"] == "Cograde"
    assert found["og:description"].startswith("Cograde lets people and AI judges grade")
    picture = httpx.get(found["og:image"], trust_env=False)
    assert picture.status_code == 200 and picture.headers["content-type"] == "image/png"
    assert (
        int(reply.headers["content-length"]) == len(reply.content)
        or "content-encoding" in reply.headers
    )
