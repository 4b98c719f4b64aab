"""What visitors of a public Space may not reach through an address that they type; elsewhere any
address goes."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from graders.core import discovery
from graders.core.errors import InputError
from graders.core.records import Reply, Request
from graders.providers.http.addresses import Fence, Forbidden, check_typed, fence_of, is_public
from graders.providers.http.connected import Connected, keep_fenced
from graders.providers.openai_chat import OpenAIChat

SPACE = {"SPACE_ID": "somebody/cograde"}
PUBLIC = "93.184.215.14"


@pytest.mark.parametrize(
    "address",
    ["localhost:8000/v1", "ftp://x", "http://", "nonsense", "https://[::1/v1", "http://x:99999"],
)
def test_what_can_be_no_address_is_said_before_anything_is_sent(address: str) -> None:
    with pytest.raises(
        InputError,
        match="found no address of a server, expected http:// or https://, a host and a path",
    ):
        OpenAIChat(base_url=address)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.8.8.8", "0.0.0.0", "10.0.0.1", "172.16.3.4", "192.168.1.1", "100.64.0.1", "100.100.100.200", "169.254.169.254",
        "168.63.129.16", "192.0.0.192", "198.18.0.1", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255", "192.0.2.1",
        "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "ff02::1", "::ffff:93.184.215.14", "::ffff:127.0.0.1",
        "64:ff9b::7f00:1", "64:ff9b:1::a00:1", "2002:7f00:1::", "2001:0:1::1", "2001:db8::1", "nonsense", "",
    ],
)  # fmt: skip
def test_what_is_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", [PUBLIC, "1.1.1.1", "8.8.8.8", "2606:4700:4700::1111"])
def test_what_is_public(address: str) -> None:
    assert is_public(address)


def leads_to(*addresses: str) -> Any:
    """A resolver that knows one answer."""
    return lambda host, port, *rest, **more: [
        (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses
    ]


#: address typed | what its host leads to | found, expected in the sentence
REFUSED = [
    ("http://llm.example.com/v1", [PUBLIC], "found http, expected https"),
    ("file:///etc/passwd", [PUBLIC], "found file, expected https"),
    ("llm.example.com/v1", [PUBLIC], "found no scheme, expected https"),
    ("https:///v1", [PUBLIC], "found no host, expected https://HOST/PATH"),
    (
        "https://me:secret@llm.example.com/v1",
        [PUBLIC],
        "found a name or password, expected https://HOST/PATH",
    ),
    ("https://llm.example.com:8080/v1", [PUBLIC], "found port 8080, expected port 443"),
    (
        "https://llm.example.com:99999/v1",
        [PUBLIC],
        "found no address of a server, expected https://HOST/PATH",
    ),
    ("https://127.0.0.1/v1", ["127.0.0.1"], "found 127.0.0.1, expected a public address"),
    ("https://[::1]/v1", ["::1"], "found ::1, expected a public address"),
    (
        "https://[::ffff:10.0.0.1]/v1",
        ["::ffff:10.0.0.1"],
        "found ::ffff:10.0.0.1, expected a public address",
    ),
    ("https://2130706433/v1", ["127.0.0.1"], "found 2130706433, expected a public address"),
    (
        "https://localhost/v1",
        ["127.0.0.1"],
        "found localhost, which leads to 127.0.0.1, expected a public address",
    ),
    (
        "https://metadata.example/v1",
        ["169.254.169.254"],
        "found metadata.example, which leads to 169.254.169.254, expected a public",
    ),
    (
        "https://two.example/v1",
        [PUBLIC, "10.0.0.7"],
        "found two.example, which leads to 10.0.0.7, expected a public address",
    ),
]


@pytest.mark.parametrize(("typed", "leads", "said"), REFUSED)
def test_a_space_refuses_in_a_sentence(typed: str, leads: list[str], said: str) -> None:
    with pytest.raises(InputError) as error:
        check_typed(typed, SPACE, leads_to(*leads))
    assert str(error.value).startswith(f"address {typed}: {said}")
    assert str(error.value).endswith(
        "(this is a public Space). Use a provider's public https address; other ports are listed by the Space's owner in COGRADE_ALLOWED_HOSTS."
    )


@pytest.mark.parametrize(
    "typed",
    ["", "https://llm.example.com/v1", "https://llm.example.com:443/v1", f"https://{PUBLIC}/v1"],
)
def test_a_space_takes_what_is_public(typed: str) -> None:
    check_typed(typed, SPACE, leads_to(PUBLIC))


@pytest.mark.parametrize("typed", [typed for typed, _, _ in REFUSED])
def test_off_a_space_any_address_goes(typed: str) -> None:
    check_typed(typed, {"COGRADE_ALLOWED_HOSTS": "not read"}, leads_to("127.0.0.1"))


def test_an_owner_lists_other_ports() -> None:
    owner = {**SPACE, "COGRADE_ALLOWED_HOSTS": "LLM.example.com:8443, other.example:444"}
    assert fence_of(owner) == Fence(frozenset({("llm.example.com", 8443), ("other.example", 444)}))
    check_typed("https://llm.example.com:8443/v1", owner, leads_to(PUBLIC))
    with pytest.raises(InputError, match="found port 444, expected port 443"):
        check_typed("https://llm.example.com:444/v1", owner, leads_to(PUBLIC))
    with pytest.raises(InputError, match=r"leads to 10\.0\.0\.1"):  # a listed port is no way in
        check_typed("https://llm.example.com:8443/v1", owner, leads_to("10.0.0.1"))


@pytest.mark.parametrize(
    "listed",
    [
        "llm.example.com",
        "llm.example.com:",
        ":443",
        "llm.example.com:http",
        "llm.example.com:70000",
    ],
)
def test_a_list_that_cannot_be_read_is_said(listed: str) -> None:
    with pytest.raises(
        InputError, match=r"setting COGRADE_ALLOWED_HOSTS: found .*, expected HOST:PORT"
    ):
        fence_of({**SPACE, "COGRADE_ALLOWED_HOSTS": listed})


# -- at the moment of connecting


@contextmanager
def listener() -> Iterator[tuple[int, list[Any]]]:
    """A port on loopback, and who connected to it."""
    guests: list[Any] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(5)

        def wait() -> None:
            try:
                while True:
                    guests.append(server.accept())
            except OSError:
                return

        threading.Thread(target=wait, daemon=True).start()
        yield server.getsockname()[1], guests


def ask(provider: OpenAIChat) -> Reply:
    """One send."""

    async def send() -> Reply:
        try:
            return await provider.send(
                Request(
                    subjects=(), provider="openai_chat", model="stub", messages=(("user", "?"),)
                ),
                5.0,
            )
        finally:
            await provider.aclose()

    return asyncio.run(send())


@pytest.fixture
def space(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setenv("SPACE_ID", SPACE["SPACE_ID"])
    return monkeypatch


def test_a_name_that_changes_its_mind_gains_nothing(space: pytest.MonkeyPatch) -> None:
    """Rebinding: public while it is looked at, loopback when the client connects."""
    real, asked = socket.getaddrinfo, []

    def turning(host: str, port: Any, *rest: Any, **more: Any) -> Any:
        if host != "rebind.example":
            return real(host, port, *rest, **more)
        asked.append(host)
        return real(PUBLIC if len(asked) == 1 else "127.0.0.1", port, *rest, **more)

    space.setattr(socket, "getaddrinfo", turning)
    with listener() as (port, guests):
        space.setenv("COGRADE_ALLOWED_HOSTS", f"rebind.example:{port}")
        address = f"https://rebind.example:{port}/v1"
        check_typed(address)
        reply = ask(OpenAIChat(base_url=address, api_key="typed-by-a-visitor"))
        assert guests == []
    assert len(asked) == 2
    assert (reply.cause, reply.detail) == (
        "unreachable",
        f"{address}: rebind.example, which leads to 127.0.0.1, expected a public address",
    )


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("http://127.0.0.1:{port}/v1", "http, expected https"),
        ("https://127.0.0.1:{port}/v1", "127.0.0.1, expected a public address"),
    ],
)
def test_the_client_itself_refuses_what_was_never_looked_at(
    space: pytest.MonkeyPatch, address: str, said: str
) -> None:
    with listener() as (port, guests):
        space.setenv("COGRADE_ALLOWED_HOSTS", f"127.0.0.1:{port}")
        typed = address.format(port=port)
        reply = ask(OpenAIChat(base_url=typed, api_key="typed-by-a-visitor"))
        assert guests == []
    assert (reply.cause, reply.detail) == ("unreachable", f"{typed}: {said}")


def test_a_proxy_of_the_environment_is_not_asked(space: pytest.MonkeyPatch) -> None:
    with listener() as (port, guests):
        space.setenv("https_proxy", f"http://127.0.0.1:{port}")
        space.setattr(socket, "getaddrinfo", leads_to("127.0.0.1"))
        assert (
            ask(
                OpenAIChat(base_url="https://inside.example/v1", api_key="typed-by-a-visitor")
            ).cause
            == "unreachable"
        )
        assert guests == []


@pytest.mark.parametrize("name", sorted(discovery.names("providers")))
def test_no_provider_of_a_space_reaches_what_its_visitors_could_not(
    space: pytest.MonkeyPatch, name: str
) -> None:
    """By a typed address, or by the usual one: the owner's own machine and network are closed to
    all of them."""
    with listener() as (port, guests):
        space.setenv("COGRADE_ALLOWED_HOSTS", f"127.0.0.1:{port},localhost:{port}")
        inside = [
            f"{scheme}://{host}:{port}"
            for scheme in ("http", "https")
            for host in ("127.0.0.1", "localhost", "[::ffff:127.0.0.1]")
        ]
        for variable in ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "OLLAMA_HOST"):
            space.setenv(variable, inside[0])
        for address in ("", *inside, "http://2130706433:" + str(port)):
            provider = discovery.make(
                "providers", name, {"base_url": address, "api_key": "typed-by-a-visitor"}
            )
            assert keep_fenced(provider) is provider and provider._fence is not None
            if isinstance(provider, Connected):
                assert ask(provider).cause in ("unreachable", "bad_request"), address
        assert guests == []


def test_ollama_on_a_space_is_not_asked_on_the_spaces_own_machine(
    space: pytest.MonkeyPatch,
) -> None:
    with listener() as (port, guests):
        space.delenv("OLLAMA_HOST", raising=False)
        space.setattr("graders.providers.ollama.USUAL", f"http://127.0.0.1:{port}")
        reply = ask(discovery.make("providers", "ollama", {}))
        assert (reply.cause, guests) == ("unreachable", []) and "expected https" in reply.detail


def test_a_provider_that_fences_nothing_is_refused_on_a_space(space: pytest.MonkeyPatch) -> None:
    class Open:
        pass

    with pytest.raises(InputError, match="does not keep to public addresses"):
        keep_fenced(Open())
    space.delenv("SPACE_ID")
    assert isinstance(keep_fenced(Open()), Open)


def test_a_typed_server_is_not_told_the_installations_headers(space: pytest.MonkeyPatch) -> None:
    from graders.providers.http import client as http_client

    sent: list[dict[str, str]] = []

    class Session:
        def __init__(self, **options: Any) -> None:
            pass

        def request(
            self, method: str, url: str, *, headers: list[tuple[str, str]], **options: Any
        ) -> Any:
            sent.append({name.lower(): value for name, value in headers})
            raise Forbidden("seen", "unseen")

        async def close(self) -> None:
            pass

    space.setattr(http_client.aiohttp, "ClientSession", Session)
    for name, value in (
        ("OPENAI_ORG_ID", "org-own"),
        ("OPENAI_PROJECT_ID", "proj-own"),
        ("OPENAI_CUSTOM_HEADERS", "X-Inner: own"),
    ):
        space.setenv(name, value)
    ask(OpenAIChat(base_url="https://llm.example.com/v1", api_key="typed-by-a-visitor"))
    assert "own" not in str(sent) and sent[0]["authorization"] == "Bearer typed-by-a-visitor"


def test_a_redirect_is_not_followed() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, listener() as (port, guests):

        def turn_away() -> None:
            guest, _ = server.accept()
            with guest:
                guest.recv(65536)
                guest.sendall(
                    f"HTTP/1.1 307 Elsewhere\r\nlocation: http://127.0.0.1:{port}/v1\r\ncontent-length: 0\r\n\r\n".encode()
                )

        threading.Thread(target=turn_away, daemon=True).start()
        reply = ask(
            OpenAIChat(base_url=f"http://127.0.0.1:{server.getsockname()[1]}/v1", api_key="mine")
        )
        assert guests == []
    assert (reply.cause, reply.detail) == ("bad_request", "status 307: no words")


def test_a_missing_key_is_said_in_our_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    reply = ask(OpenAIChat())
    assert (reply.cause, reply.detail) == (
        "wrong_key",
        "no key: the variable OPENAI_API_KEY is not set, and none was typed",
    )
