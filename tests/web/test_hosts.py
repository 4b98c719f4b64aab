"""Which names the server answers to: a page whose name was pointed at this machine reads nothing
and starts nothing."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketDenialResponse

from graders.core.errors import InputError
from graders.core.settings import Settings, read_settings
from graders.web import serve as web_serve
from graders.web.hosts import Hosts, client_address
from tests.support.server import Server, serve

PROJECT = "autumn-study"


@pytest.fixture(scope="module")
def server(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    allowed = {
        "COGRADE_HOSTS": "grading.example.org, Bücher.example, straße.example",
        "COGRADE_PROXIES": "203.0.113.9",
    }
    with serve(tmp_path_factory.mktemp("hosts"), demo, **allowed) as running:
        yield running


def ask(
    server: Server, path: str, *headers: str, method: str = "GET", body: str = ""
) -> tuple[int, str]:
    """(status, text) of a request with just these headers, as written."""
    head = "".join(
        f"{line}\r\n" for line in (*headers, "Connection: close", f"Content-Length: {len(body)}")
    )
    with socket.create_connection(("127.0.0.1", server.port), 30) as wire:
        wire.sendall(f"{method} {path} HTTP/1.1\r\n{head}\r\n{body}".encode())
        said = b"".join(iter(lambda: wire.recv(65536), b""))
    return int(said.split(b" ", 2)[1]), said.partition(b"\r\n\r\n")[2].decode("utf-8", "replace")


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1:{port}", "localhost:{port}", "LOCALHOST", "localhost.:{port}", "127.0.0.1", "127.5.4.3", "[::1]:{port}", "[::1]",
        "[::ffff:127.0.0.1]:80", "grading.example.org", "Grading.Example.org.:8443",
        "xn--bcher-kva.example", "xn--strae-oqa.example",
    ],
)  # fmt: skip
def test_names_of_the_owner_are_answered(server: Server, host: str) -> None:
    assert ask(server, "/api/frame", f"Host: {host.format(port=server.port)}")[0] == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example", "evil.example:{port}", "localhost.evil.example", "127.0.0.1.evil.example", "evil.example:127", "x@localhost",
        "localhost:0", "localhost:99999", "localhost:x", "localhost:{port}:1", "localhost,evil.example", "[::1", "[fe80::1]", "10.0.0.7",
        "0.0.0.0:{port}", "[::]", "2130706433", "0x7f000001", "127.1", "notgrading.example.org", "strasse.example", "grading.example.org..", "", " ",
        "<script>alert(1)</script>",
    ],
)  # fmt: skip
def test_all_others_are_refused(server: Server, host: str) -> None:
    for path in (
        "/",
        f"/api/export?project={PROJECT}&format=csv",
        "/assets/x",
        "/gradio_api/info",
        "/nope",
    ):
        status, said = ask(
            server, path, f"Host: {host.format(port=server.port)}", "Accept: text/html"
        )
        assert status == 421, path
        assert "COGRADE_HOSTS" in said and "script" not in said


def test_a_host_in_the_request_line_counts_as_well(server: Server) -> None:
    assert ask(server, "http://evil.example/api/frame", "Host: localhost")[0] == 421
    assert ask(server, "http://localhost/api/frame", "Host: evil.example")[0] == 421
    assert ask(server, "http://x@localhost/api/frame", "Host: localhost")[0] == 421
    assert ask(server, "ftp://localhost/api/frame", "Host: localhost")[0] == 421
    status, said = ask(
        server, f"HTTP://localhost:7860/api/frame?project={PROJECT}", "Host: localhost"
    )
    assert status == 200 and "pages" in json.loads(said)


def test_a_name_without_or_with_two_hosts_is_refused(server: Server) -> None:
    assert ask(server, "/", "Host: localhost", "Host: evil.example")[0] in (400, 421)
    assert ask(server, "/api/frame")[0] in (400, 421)


def test_a_strange_host_starts_no_run_and_changes_nothing(server: Server) -> None:
    body = json.dumps({"name": "Eve"})
    status, _ = ask(
        server,
        "/api/me",
        "Host: evil.example",
        "Content-Type: application/json",
        method="POST",
        body=body,
    )
    assert status == 421
    assert "Eve" not in ask(server, f"/api/frame?project={PROJECT}", "Host: localhost")[1]


def test_health_is_a_static_word_for_any_host(server: Server) -> None:
    for host in ("evil.example", "localhost", ""):
        assert ask(server, "/healthz", f"Host: {host}") == (200, "ok\n")
    assert ask(server, "/healthz/../api/frame", "Host: evil.example")[0] == 421


def test_forwarded_headers_of_whoever_is_no_proxy_are_forgotten(server: Server) -> None:
    told = (
        "X-Forwarded-Host: evil.example",
        "X-Forwarded-Proto: https",
        "X-Gradio-Server: http://evil.example",
        "Forwarded: host=evil.example",
    )
    for path in ("/", "/review/"):
        status, said = ask(server, path, f"Host: 127.0.0.1:{server.port}", *told)
        assert (
            status == 200
            and "evil.example" not in said
            and f"https://127.0.0.1:{server.port}" not in said
        )
    assert ask(server, "/", "Host: evil.example", "X-Forwarded-Host: localhost")[0] == 421


# -- behind a proxy


def seen(
    settings: Settings,
    peer: str,
    *headers: tuple[str, str],
    server: str = "127.0.0.1",
    type: str = "http",
) -> dict[str, object]:
    """What the application behind `Hosts` sees of a request to the address `server`; {} where it
    sees none."""
    found: dict[str, object] = {}

    async def app(scope: dict[str, object], receive: object, send: object) -> None:
        found.update(scope)

    async def quiet(*_: object) -> None:
        return None

    scope = {
        "type": type, "path": "/", "scheme": "http", "client": (peer, 4711), "server": (server, 7860),
        "headers": [(key.lower().encode(), value.encode()) for key, value in headers],
    }  # fmt: skip
    asyncio.run(Hosts(app, settings)(scope, quiet, quiet))
    return found


def test_a_proxy_that_the_owner_named_is_believed() -> None:
    settings = Settings(proxies=("10.1.0.0/16", "::1"), hosts=("study.example", "inner"))
    chain = ("X-Forwarded-For", "6.6.6.6, 198.51.100.4, 10.1.2.3")
    told = (
        ("Host", "inner:80"),
        ("X-Forwarded-Host", "study.example"),
        ("X-Forwarded-Proto", "https"),
        chain,
    )
    found = seen(settings, "10.1.0.9", *told)
    assert [key for key, _ in found["headers"]] == [b"host"]  # type: ignore[attr-defined]
    assert (found["scheme"], client_address(found)) == ("https", "198.51.100.4")
    assert dict(found["headers"])[b"host"] == b"study.example"  # type: ignore[call-overload]
    assert seen(settings, "10.2.0.9", *told)["headers"] == [(b"host", b"inner:80")], (
        "another peer says nothing of weight"
    )
    found = seen(
        settings, "10.2.0.9", ("Host", "study.example"), chain, ("X-Forwarded-Proto", "https")
    )
    assert (found["scheme"], client_address(found)) == ("http", "10.2.0.9")
    assert seen(settings, "::ffff:10.1.0.9", ("Host", "localhost"), chain)["client"] == (
        "198.51.100.4",
        0,
    )


@pytest.mark.parametrize(
    "told",
    [
        ("evil.example", "evil.example"),
        ("evil.example", "localhost"),  # the page wrote it, and the proxy passed it on
        ("localhost", "evil.example"),  # the proxy asks for its own name and tells the page's
        # the proxy put the page's name behind what the page wrote
        (
            "localhost",
            "localhost, evil.example",
        ),
        ("localhost", "localhost", "evil.example"),
        ("localhost", "<b>"),
    ],
)
def test_a_proxy_opens_no_door_to_names_that_nobody_allowed(told: tuple[str, ...]) -> None:
    settings = Settings(proxies=("10.1.0.9",))
    headers = [("Host", told[0]), *(("X-Forwarded-Host", name) for name in told[1:])]
    assert seen(settings, "10.1.0.9", *headers) == {}
    assert seen(settings, "10.1.0.9", ("Host", "localhost"), ("X-Forwarded-Host", "127.0.0.1:80"))


def test_the_root_behind_a_proxy_is_what_the_proxy_was_asked_for(
    demo: Path, tmp_path: Path
) -> None:
    names = {"COGRADE_HOSTS": "study.example", "COGRADE_PROXIES": "127.0.0.0/8"}
    with serve(tmp_path, demo, **names) as running:
        told = (
            "X-Forwarded-Host: study.example",
            "X-Forwarded-Proto: https",
            "X-Gradio-Server: http://evil.example",
        )
        status, said = ask(running, "/review/", "Host: localhost", *told)
        assert status == 200 and "https://study.example/review" in said
        assert "evil.example" not in said and "http://study.example" not in said


def test_a_space_answers_to_its_own_name(tmp_path: Path) -> None:
    settings = read_settings(
        {"SPACE_ID": "ann/study", "SPACE_HOST": "ann-study.hf.space"}, tmp_path
    )
    told = (
        ("Host", "ann-study.hf.space"),
        ("X-Forwarded-Proto", "https"),
        ("X-Forwarded-For", "198.51.100.4"),
    )
    found = seen(settings, "10.16.3.2", *told)
    assert (found["scheme"], client_address(found)) == ("https", "198.51.100.4")
    assert seen(settings, "10.16.3.2", ("Host", "eve-study.hf.space")) == {}


def test_the_hub_may_look_after_a_space_by_its_containers_address() -> None:
    settings = Settings(host="0.0.0.0", space="ann/study")
    assert seen(settings, "10.16.3.2", ("Host", "10.16.3.80:7860"), server="10.16.3.80")
    assert seen(settings, "10.16.3.2", ("Host", "10.16.3.81:7860"), server="10.16.3.80") == {}
    assert (
        seen(Settings(host="0.0.0.0"), "10.16.3.2", ("Host", "10.16.3.80"), server="10.16.3.80")
        == {}
    )


@pytest.mark.parametrize("chain", ["198.51.100.4, unknown", "10.1.2.3", "", ", ,"])
def test_a_chain_that_names_nobody_leaves_the_peer(chain: str) -> None:
    found = seen(
        Settings(proxies=("10.1.0.0/16",)),
        "10.1.0.9",
        ("Host", "localhost"),
        ("X-Forwarded-For", chain),
    )
    assert client_address(found) == "10.1.0.9"


def test_websockets_pass_the_same_door() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.close"})

    client = TestClient(Hosts(app, Settings()), base_url="http://127.0.0.1")
    with client.websocket_connect("ws://localhost/x"):
        pass
    with (
        pytest.raises(WebSocketDenialResponse) as refused,
        client.websocket_connect("ws://evil.example/x"),
    ):
        pass
    assert refused.value.status_code == 421
    assert seen(Settings(), "127.0.0.1", ("Host", "evil.example"), type="websocket") == {}, (
        "a server that can only close"
    )


def test_a_server_for_all_answers_to_names_that_are_set_alone() -> None:
    settings = Settings(host="0.0.0.0")
    assert seen(settings, "192.168.1.4", ("Host", "192.168.1.9:7860")) == {}
    assert seen(Settings(host="192.168.1.9"), "192.168.1.4", ("Host", "192.168.1.9:7860"))
    assert seen(
        Settings(host="0.0.0.0", hosts=("fe80::7",)), "192.168.1.4", ("Host", "[FE80::7]:7860")
    )


@pytest.mark.parametrize(
    "host, shown",
    [("0.0.0.0", "127.0.0.1"), ("::", "[::1]"), ("::1", "[::1]"), ("lab.example", "lab.example")],
)
def test_the_address_that_is_told_can_be_opened(host: str, shown: str) -> None:
    assert web_serve._shown(host) == shown


def test_an_ipv6_address_can_be_bound() -> None:
    with socket.socket(socket.AF_INET6) as probe:
        try:
            probe.bind(("::1", 0))
        except OSError:
            pytest.skip("this machine has no IPv6")
        port = int(probe.getsockname()[1])
    web_serve._free_port(Settings(host="::1", port=port))


def test_settings_name_hosts_and_proxies(tmp_path: Path) -> None:
    (tmp_path / "cograde.toml").write_text(
        'hosts = ["a.example", "b.example"]\nproxies = "10.0.0.0/8, ::1"\n', "utf-8"
    )
    found = read_settings({}, tmp_path)
    assert (found.hosts, found.proxies) == (("a.example", "b.example"), ("10.0.0.0/8", "::1"))
    assert read_settings({"COGRADE_HOSTS": "c.example"}, tmp_path).hosts == ("c.example",)
    with pytest.raises(InputError, match="proxies"):
        Hosts(lambda *_: None, Settings(proxies=("everybody",)))  # type: ignore[arg-type, return-value]
    with pytest.raises(InputError, match="hosts"):
        Hosts(lambda *_: None, Settings(hosts=("a b",)))  # type: ignore[arg-type, return-value]
    (tmp_path / "cograde.toml").write_text("hosts = 7\n", "utf-8")
    with pytest.raises(InputError, match="hosts"):
        read_settings({}, tmp_path)


@pytest.mark.parametrize(
    "line",
    ["host = 5", 'host = ""', "project = 3", "workspace = 5", 'data = ["x"]', "encoder = 5"],
)
def test_a_setting_that_is_no_text_is_refused(line: str, tmp_path: Path) -> None:
    (tmp_path / "cograde.toml").write_text(line, "utf-8")
    with pytest.raises(InputError, match=f"setting {line.split()[0]}: found .* text in quotation"):
        read_settings({}, tmp_path)


@pytest.mark.parametrize("port", ["true", "[1]", "80.5", '"web"'])
def test_a_port_that_is_no_number_is_refused(port: str, tmp_path: Path) -> None:
    (tmp_path / "cograde.toml").write_text(f"port = {port}", "utf-8")
    with pytest.raises(InputError, match="setting port"):
        read_settings({}, tmp_path)


@pytest.mark.parametrize("host", ["192.0.2.7", "fe80::1%nowhere", "a" * 64 + ".example"])
def test_a_host_that_is_not_this_machine_is_not_told_as_a_taken_port(host: str) -> None:
    with pytest.raises(InputError, match=r"setting host: found .* of this machine"):
        web_serve._free_port(Settings(host=host, port=9))


def test_a_port_that_is_taken_is_told_as_such() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(InputError, match="found it is taken, expected a free port"):
            web_serve._free_port(Settings(port=int(other.getsockname()[1])))
