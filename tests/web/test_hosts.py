"""The outermost door, over real sockets: names that the app goes by, and whose word counts on where a request came from."""

from __future__ import annotations

import asyncio
import json
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketDenialResponse

from graders.core.hosts import networks
from graders.core.settings import Settings
from graders.web.hosts import Hosts, client_address
from tests.support.server import Server, serve

PROJECT = "autumn-study"
EXPORT = f"/api/export?project={PROJECT}&format=csv"


@pytest.fixture(scope="module")
def server(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve(tmp_path_factory.mktemp("hosts"), demo, COGRADE_HOSTS="Study.Example.org, bücher.example") as running:
        yield running


@pytest.fixture(scope="module")
def behind(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A Space behind a proxy: this machine stands for the Hub."""
    folder = tmp_path_factory.mktemp("behind")
    space = {"SPACE_ID": "team/cograde", "SPACE_HOST": "team-cograde.hf.space,grading.example", "COGRADE_HOST": "127.0.0.1"}
    (folder / "data").mkdir()
    (folder / "data/demo.db").write_bytes(demo.read_bytes())
    with serve(folder, COGRADE_PROXIES="127.0.0.0/8", **space) as running:
        yield running


def ask(server: Server, lines: list[str], target: str = "/healthz", version: str = "1.1") -> tuple[int, str, str]:
    """Status, head and body of a GET with just these header lines."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as line:
        head = [f"GET {target} HTTP/{version}", *lines, "Connection: close", "", ""]
        line.sendall("\r\n".join(head).encode("latin-1"))
        reply = line.makefile("rb").read().decode("utf-8", "replace")
    head_text, _, body = reply.partition("\r\n\r\n")
    return int(head_text.split()[1]), head_text.lower(), body


def root(server: Server, *lines: str) -> str:
    """The address that Gradio takes for its own on the review page."""
    status, _, page = ask(server, list(lines), "/review/")
    assert status == 200, page[:300]
    found = re.search(r'"root":"([^"]*)"', page)
    assert found, page[:2000]
    return str(json.loads(f'"{found[1]}"'))


def test_a_rebound_name_reads_no_export(server: Server) -> None:
    status, head, body = ask(server, ["Host: rebound.example:7860"], EXPORT)
    assert (status, body) == (
        421,
        "host rebound.example: found a name that this Cograde does not go by, expected localhost, 127.0.0.1 or a name that was set."
        " Where the name is yours, start Cograde with COGRADE_HOSTS=rebound.example, or with hosts in cograde.toml.\n",
    )
    assert "content-type: text/plain" in head and "nosniff" in head and "set-cookie" not in head
    assert ask(server, ["Host: localhost"], EXPORT)[0] == 200


@pytest.mark.parametrize(
    "host",
    ["localhost", "LOCALHOST:1", "localhost.", "localhost.:7860", "127.0.0.1", "127.0.0.2:80", "[::1]", "[::1]:7860", "[0::1]:7860"]
    + ["study.example.org", "STUDY.example.org.:443", "xn--bcher-kva.example"],
)
def test_names_it_goes_by(server: Server, host: str) -> None:
    assert ask(server, [f"Host: {host}"], "/api/frame")[0] == 200


@pytest.mark.parametrize(
    "host",
    ["localhost.example", "x.localhost.example", "127.0.0.1.example", "a.study.example.org", "192.168.1.5", "[::2]", "0.0.0.0", "127.1"]
    + ["bücher.example", "localhost:port", "localhost@rebound.example", "rebound.example@localhost", "localhost rebound.example", "", ":80"]
    + ["localhost,rebound.example", "team-cograde.hf.space", "testserver", "localhost..", "[::1", "x" * 5000],
)
def test_names_it_does_not_go_by(server: Server, host: str) -> None:
    status, _, body = ask(server, [f"Host: {host}"], "/api/frame")
    assert status == 421 and "COGRADE_HOSTS" in body and len(body) < 500


def test_nothing_is_said_back_that_could_be_a_page(server: Server) -> None:
    status, head, body = ask(server, ["Host: <script>alert(1)</script>"])
    assert status == 200, "healthz answers whoever asks"
    status, head, body = ask(server, ["Host: <script>alert(1)</script>"], "/review/")
    assert status == 421 and "script" not in body and "text/plain" in head


def test_no_host_two_hosts_and_a_host_in_the_request_line(server: Server) -> None:
    assert ask(server, [], "/api/frame", "1.0")[0] == 421
    assert ask(server, [], "/api/frame")[0] == 400
    assert ask(server, ["Host: localhost", "Host: rebound.example"], "/api/frame")[0] == 400
    assert ask(server, ["Host: localhost"], "http://rebound.example/api/frame")[0] == 421
    assert ask(server, ["Host: rebound.example"], "http://localhost/api/frame")[0] == 421
    assert ask(server, ["Host: localhost"], "HTTP://localhost:7860/api/frame?project=" + PROJECT)[0] == 200
    assert ask(server, ["Host: localhost"], "ftp://localhost/api/frame")[0] == 421
    assert ask(server, ["Host: localhost"], "*")[0] == 404


@pytest.mark.parametrize("lines", [["Host: rebound.example"], ["Host: 10.1.2.3:7860"], ["Host: localhost"]])
def test_health_is_a_word_under_any_name(server: Server, lines: list[str]) -> None:
    status, head, body = ask(server, lines)
    assert (status, body) == (200, "ok\n") and "set-cookie" not in head
    assert ask(server, [], version="1.0")[0] == 200


@pytest.mark.parametrize(
    "line",
    ["X-Forwarded-Host: rebound.example", "X-Gradio-Server: http://rebound.example", "Forwarded: host=rebound.example;proto=https"]
    + ["X-Forwarded-Proto: https", "X-Forwarded-Server: rebound.example"],
)
def test_gradios_root_follows_no_forwarded_header(server: Server, line: str) -> None:
    assert root(server, "Host: localhost:7860", line) == "http://localhost:7860/review"


def test_the_hubs_proxy_is_believed(behind: Server) -> None:
    told = ["X-Forwarded-Proto: https,http", "X-Forwarded-For: 203.0.113.9"]
    assert root(behind, "Host: team-cograde.hf.space", *told) == "https://team-cograde.hf.space/review"
    assert root(behind, "Host: team-cograde.hf.space", "X-Forwarded-Host: grading.example", *told) == "https://grading.example/review"
    assert root(behind, "Host: grading.example", "X-Gradio-Server: http://rebound.example").startswith("http://grading.example")


def test_a_proxy_opens_no_door_to_other_names(behind: Server) -> None:
    """A page can set X-Forwarded-Host itself; a proxy then adds its own, or passes it on beside the real name."""
    for lines in (
        ["Host: rebound.example"],
        ["Host: rebound.example", "X-Forwarded-Host: localhost"],
        ["Host: localhost", "X-Forwarded-Host: rebound.example"],
        ["Host: localhost", "X-Forwarded-Host: localhost, rebound.example"],
        ["Host: localhost", "X-Forwarded-Host: localhost", "X-Forwarded-Host: rebound.example"],
    ):
        status, _, body = ask(behind, lines, "/api/frame")
        assert status == 421 and "rebound.example" in body, lines


class Inside:
    """What stands behind the door notes what it sees."""

    def __init__(self, **settings: Any) -> None:
        self.seen: dict[str, Any] = {}
        self.sent: list[Any] = []
        self.door = Hosts(self.app, Settings(**settings))

    async def app(self, scope: Any, receive: Any, send: Any) -> None:
        self.seen = scope

    def ask(self, peer: str = "127.0.0.1", server: str = "127.0.0.1", **headers: str) -> Inside:
        """One request of `peer` to the address `server`."""

        async def send(message: Any) -> None:
            self.sent.append(message)

        lines = [(name.replace("_", "-").encode(), value.encode("latin-1")) for name, value in ({"host": "localhost"} | headers).items()]
        scope = {"type": "http", "method": "GET", "path": "/", "raw_path": b"/", "query_string": b"", "headers": lines, "scheme": "http"}
        self.seen, self.sent = {}, []
        asyncio.run(self.door({**scope, "client": (peer, 5), "server": (server, 7860)}, None, send))  # type: ignore[arg-type]
        return self


@pytest.mark.parametrize(
    "forwarded, client",
    [
        ("203.0.113.9", "203.0.113.9"),
        ("198.51.100.1, 203.0.113.9", "203.0.113.9"),
        ("198.51.100.1, 203.0.113.9, 10.0.0.8", "203.0.113.9"),
        ("203.0.113.9:1234", "203.0.113.9"),
        ("2001:DB8:0::7", "2001:db8::7"),
        ("[2001:db8::7]:99", "2001:db8::7"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("203.0.113.9, unknown", "10.0.0.7"),
        ("203.0.113.9, unknown, 10.0.0.8", "10.0.0.8"),
        ("10.0.0.9, 10.0.0.8", "10.0.0.9"),
        ("", "10.0.0.7"),
        (", ,", "10.0.0.7"),
    ],
)
def test_the_client_is_the_last_one_before_the_proxies(forwarded: str, client: str) -> None:
    door = Inside(proxies=networks("proxies", "10.0.0.0/8"))
    assert client_address(door.ask("10.0.0.7", x_forwarded_for=forwarded).seen) == client
    assert client_address(door.ask("192.0.2.4", x_forwarded_for=forwarded).seen) == "192.0.2.4", "not a proxy"
    assert client_address(Inside().ask("10.0.0.7", x_forwarded_for=forwarded).seen) == "10.0.0.7", "none is configured"


def test_the_peers_own_address_has_one_spelling() -> None:
    assert client_address(Inside().ask("::ffff:10.0.0.7").seen) == "10.0.0.7"
    assert client_address({"client": None}) == ""


def test_no_forwarded_header_is_seen_inside() -> None:
    told = dict.fromkeys(
        ("x_forwarded_for", "x_forwarded_port", "x_forwarded_prefix", "forwarded", "x_real_ip", "x_gradio_server"), "203.0.113.9"
    )
    for door in (Inside(), Inside(proxies=networks("proxies", "127.0.0.1"))):
        assert [name for name, _ in door.ask(accept="*/*", **told).seen["headers"]] == [b"host", b"accept"]


def test_a_bound_address_is_a_name_and_everywhere_is_none() -> None:
    assert Inside(host="192.168.1.5").ask(host="192.168.1.5:7860").seen
    assert Inside(host="lab.example").ask(host="LAB.example.").seen
    for everywhere in ("0.0.0.0", "::"):
        refused = Inside(host=everywhere).ask(host="192.168.1.5", server="192.168.1.5")
        assert not refused.seen and refused.sent[0]["status"] == 421
        assert Inside(host=everywhere).ask(host="0.0.0.0").sent[0]["status"] == 421


def test_the_hub_may_look_after_a_space_by_its_address() -> None:
    assert Inside(host="0.0.0.0", space="a/b").ask(host="10.16.3.80:7860", server="10.16.3.80").seen
    assert Inside(host="0.0.0.0", space="a/b").ask(host="10.16.3.81:7860", server="10.16.3.80").sent[0]["status"] == 421


def test_two_hosts_are_refused_where_the_server_lets_them_through() -> None:
    door = Inside()
    scope = {"type": "http", "method": "GET", "path": "/", "headers": [(b"host", b"localhost"), (b"host", b"localhost")]}

    async def send(message: Any) -> None:
        door.sent.append(message)

    asyncio.run(door.door(scope, None, send))  # type: ignore[arg-type]
    assert door.sent[0]["status"] == 421


def test_websockets_pass_the_same_door() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.close"})

    client = TestClient(Hosts(app, Settings()), base_url="http://127.0.0.1")
    with client.websocket_connect("ws://localhost/x"):
        pass
    with pytest.raises(WebSocketDenialResponse) as refused, client.websocket_connect("ws://rebound.example/x"):
        pass
    assert refused.value.status_code == 421 and "rebound.example" in refused.value.text
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "websocket", "path": "/x", "headers": [(b"host", b"rebound.example")]}
    asyncio.run(Hosts(app, Settings())(scope, None, send))  # type: ignore[arg-type]
    assert [message["type"] for message in sent] == ["websocket.close"], "a server that can only close"
