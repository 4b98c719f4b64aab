"""Which names the server answers to, and whose word it takes for where a request came from.

A page on the web can let its own name point at this machine (DNS rebinding): the browser then lets
it read what is answered. Such a request carries the page's name as its `Host`, so only names that
the owner knows are answered. Forwarded headers say what a proxy saw; from anybody else they are
invented.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import unquote

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from graders.core.errors import InputError
from graders.core.settings import Settings
from graders.core.words import error_parts, say

Network = IPv4Network | IPv6Network
#: Answered to any host: it only says that the server is alive.
HEALTH = "/healthz"
#: Where a Space's own proxy stands: its container can be reached by nobody else, and its address
#: changes. Should a neighbour in the Hub's network reach it all the same, the limits on visitors
#: see another address, and nothing else changes: the names that it asks for are checked as
#: everybody's are.
SPACE_PROXIES = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7")
#: Headers in which proxies tell what they saw. Gradio builds the addresses of its page from some of
#: them.
_FORWARDED = (
    b"forwarded",
    b"x-real-ip",
    b"x-gradio-server",
    b"x-original-host",
    b"x-original-url",
    b"x-rewrite-url",
)
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+?)\.?(?::(\d{1,5}))?", re.ASCII)
_ABSOLUTE = re.compile(rb"https?://([^/]*)(/.*)?", re.IGNORECASE | re.DOTALL)
_WILDCARDS = ("0.0.0.0", "::", "")
_PLAIN = {"cache-control": "no-store", "x-content-type-options": "nosniff"}


class Hosts:
    """Outermost of all: refuses unknown hosts with 421, and drops forwarded headers from senders
    that are no proxy."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.allowed = frozenset(
            _set_name(name) for name in (*settings.hosts, settings.host) if name not in _WILDCARDS
        )
        self.space = bool(settings.space)
        self.proxies = networks(settings.proxies or (SPACE_PROXIES if settings.space else ()))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self.app(scope, receive, send)
        if scope["type"] == "http" and scope["path"] == HEALTH:
            return await PlainTextResponse("ok\n", headers=_PLAIN)(scope, receive, send)
        scope, hosts = self._seen(*_in_request_line(scope))
        if hosts and all(self.answers_to(host) or self._is_itself(host, scope) for host in hosts):
            return await self.app(scope, receive, send)
        if scope["type"] == "websocket" and "websocket.http.response" not in scope.get(
            "extensions", {}
        ):
            return await send({"type": "websocket.close", "code": 1008})
        await PlainTextResponse(say("web.hosts.refused") + "\n", 421, _PLAIN)(scope, receive, send)

    def answers_to(self, host: str) -> bool:
        """Whether a `Host` header names this server: a loopback name, or one that its owner set."""
        name = host_name(host)
        return bool(name) and (is_loopback(name) or name in self.allowed)

    def _is_itself(self, host: str, scope: Scope) -> bool:
        """Whether a Space is asked for by its container's address, as the Hub may look after it: no
        name can pass for an address."""
        server = (scope.get("server") or ("", 0))[0]
        return self.space and bool(server) and host_name(host) == _address(server)

    def _seen(self, scope: Scope, asked: list[str]) -> tuple[Scope, list[str]]:
        """The request as the last proxy that is trusted saw it, without forwarded headers; and all
        names that it asks for.

        Each of them must be one of ours. A page can write X-Forwarded-Host itself, and proxies pass
        it on, or put theirs behind it; others tell the page's own name there and ask for 127.0.0.1.
        None where the request says it in two ways or in none.
        """
        told = [(key, value) for key, value in scope["headers"] if _is_forwarded(key)]
        kept = [(key, value) for key, value in scope["headers"] if not _is_forwarded(key)]
        given = [value.decode("latin-1") for key, value in kept if key == b"host"]
        hosts = [*asked, *given] if len(given) == 1 else []
        peer = (scope.get("client") or ("", 0))[0]
        if told and self._is_proxy(peer):
            scheme = next(iter(_listed(told, b"x-forwarded-proto")), "").lower()
            if scheme in ("http", "https"):
                scope = {**scope, "scheme": _socket_scheme(scope, scheme)}
            hosts = [*_listed(told, b"x-forwarded-host"), *hosts] if hosts else []
            scope = {**scope, "client": (self._visitor(_listed(told, b"x-forwarded-for"), peer), 0)}
        elsewhere = [(key, value) for key, value in kept if key != b"host"]
        name = [(b"host", hosts[0].encode("latin-1"))] if hosts else []
        return {**scope, "headers": [*name, *elsewhere]}, hosts

    def _visitor(self, chain: Sequence[str], peer: str) -> str:
        """The last address of a chain of proxies that is none of them: what stands before it
        anybody may have written."""
        for told in reversed(chain):
            address = _address(told)
            if address is None:
                break
            if not self._is_proxy(address):
                return address
        return peer

    def _is_proxy(self, peer: str) -> bool:
        found = _address(peer)
        if found is None:
            return False
        address = ip_address(found)
        return any(
            address.version == network.version and address in network for network in self.proxies
        )


def client_address(scope: Scope) -> str:
    """Where a request came from: its peer's address, or what a configured proxy said; "" where
    there is none."""
    client = scope.get("client")
    return str(client[0]) if client else ""


def host_name(host: str) -> str:
    """The name in a `Host` header: lower case, without port, trailing dot and brackets; "" for what
    is no host."""
    bare = host.strip().lower()
    if bare.count(":") > 1 and not bare.startswith("["):
        bare = f"[{bare}]"  # an address as settings write it
    found = _HOST.fullmatch(bare)
    if found is None or int(found[2] or 1) not in range(1, 65536):
        return ""
    name = found[1]
    if name.startswith("["):
        return _address(name[1:-1]) or ""
    return name


def _set_name(told: str) -> str:
    """A host that the owner set, as browsers will send it. InputError for what is none."""
    import idna  # Python's own codec makes another name of one with ß

    try:
        name = host_name(told if told.isascii() else idna.encode(told, uts46=True).decode("ascii"))
    except UnicodeError:
        name = ""
    if not name:
        raise InputError(**error_parts("web.hosts.hosts", value=repr(told)[:80]))
    return name


def is_loopback(name: str) -> bool:
    """Whether a name from `host_name` is this machine's own, whatever a name server says."""
    found = _address(name)
    return name == "localhost" if found is None else ip_address(found).is_loopback


def networks(told: Sequence[str]) -> tuple[Network, ...]:
    """Addresses and networks as settings name them. InputError for what is none."""
    found = []
    for one in told:
        try:
            found.append(ip_network(one, strict=False))
        except ValueError as error:
            raise InputError(**error_parts("web.hosts.proxies", value=repr(one)[:80])) from error
    return tuple(found)


def _listed(headers: Sequence[tuple[bytes, bytes]], name: bytes) -> list[str]:
    """All values of a header, which may stand there several times."""
    whole = ",".join(value.decode("latin-1") for key, value in headers if key == name)
    return [part.strip() for part in whole.split(",") if part.strip()]


def _in_request_line(scope: Scope) -> tuple[Scope, list[str]]:
    """The scope with a path alone; and the host in a request line as proxies get it (``GET
    http://host/path``)."""
    if scope["path"].startswith("/") or scope["path"] == "*":
        return scope, []
    found = _ABSOLUTE.fullmatch(scope.get("raw_path") or scope["path"].encode())
    if found is None:
        return scope, [""]
    raw = found[2] or b"/"
    return {**scope, "path": unquote(raw.decode("latin-1")), "raw_path": raw}, [
        found[1].decode("latin-1")
    ]


def _is_forwarded(key: bytes) -> bool:
    return key.startswith((b"x-forwarded-", b"x_forwarded")) or key in _FORWARDED


def _socket_scheme(scope: Scope, scheme: str) -> str:
    return scheme if scope["type"] == "http" else {"http": "ws", "https": "wss"}[scheme]


def _address(text: str) -> str | None:
    """An address in its one spelling, IPv4 also where it is wrapped in IPv6; None for what is no
    address."""
    bare = text.strip()
    if bare.startswith("[") and "]" in bare:
        bare = bare[1 : bare.index("]")]
    elif bare.count(":") == 1:
        bare = bare.partition(":")[0]
    try:
        found = ip_address(bare)
    except ValueError:
        return None
    if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    return str(found)
