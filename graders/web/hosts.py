"""The outermost door: under which names the app may be asked for, and whose word counts on where a request came from.

A page of the web whose name is pointed at 127.0.0.1 while it is open ("rebound") talks to this app as to its own site: browsers then see
one origin, and none of their fences stands. What gives it away is the name in the Host header, which it cannot choose.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from graders.core.errors import InputError
from graders.core.hosts import Network, as_address, host_name, host_names, is_loopback
from graders.core.settings import Settings

#: Answers whoever asks whether the server is up, under any name: probes ask by address, and the word tells nothing.
HEALTH, ALIVE = "/healthz", "ok\n"
#: Headers in which proxies tell what they saw. Nothing behind this door reads them: what is believed stands in the scope.
#: Gradio builds the addresses of its pages from X-Forwarded-Host and -Proto, and from X-Gradio-Server, which only its own Node server,
#: not used here, has to send.
TOLD = (b"forwarded", b"x-real-ip", b"x-gradio-server")
TOLD_BEGINS = b"x-forwarded"
MISDIRECTED = 421
_ABSOLUTE = re.compile(rb"https?://([^/]*)(/.*)?", re.IGNORECASE | re.DOTALL)
#: How much of a name is said back.
SAID = 100


@dataclass(frozen=True, slots=True)
class _Told:
    """What a request says of itself: all names that it asks for, the first one first, and its scheme and client by a proxy's word."""

    names: tuple[str, ...]
    scheme: str = ""
    client: str = ""


class Hosts:
    """Refuses requests for names that are not ours (421), and drops forwarded headers unless a configured proxy sent them."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.proxies, self.space = app, settings.proxies, bool(settings.space)
        bound = host_names("host", settings.host)
        self.names = {*settings.hosts, *(name for name in bound if not _anywhere(name))}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self.app(scope, receive, send)
        if scope["path"] == HEALTH and scope.get("method") in ("GET", "HEAD"):
            headers = {"cache-control": "no-store", "x-content-type-options": "nosniff"}
            return await PlainTextResponse(ALIVE, headers=headers)(scope, receive, send)
        scope, target = _origin_form(scope)
        told = self._told(scope, target)
        stranger = next((name for name in told.names if not self._known(name, scope)), None)
        if stranger is not None or not told.names:
            return await _refuse(stranger or "", scope, receive, send)
        await self.app(_cleaned(scope, told), receive, send)

    def _told(self, scope: Scope, target: tuple[str, ...]) -> _Told:
        """What counts of a request's words. Every name must be known: a proxy may add its own behind one that the page chose."""
        own = _values(scope, b"host")
        names = (*target, *own) if len(own) == 1 else ()
        peer = _peer(scope)
        if not names or not self._proxy(peer):
            return _Told(names)
        forwarded = _listed(scope, b"x-forwarded-host")
        scheme = next(iter(_listed(scope, b"x-forwarded-proto")), "").lower()
        client = _client(_listed(scope, b"x-forwarded-for"), peer, self.proxies)
        return _Told((*forwarded, *names), scheme if scheme in ("http", "https") else "", client)

    def _known(self, asked: str, scope: Scope) -> bool:
        name = host_name(asked) if asked.isascii() else None
        if name is None:
            return False
        # The Hub may look after a Space by its container's address. No name can be rebound to look like an address.
        server = scope.get("server")
        own = self.space and bool(server) and name == server[0]
        return is_loopback(name) or name in self.names or own

    def _proxy(self, address: str) -> bool:
        return _among(address, self.proxies)


def client_address(scope: Scope) -> str:
    """The address that a request came from: the peer's, or what a configured proxy says it was; empty where there is none.

    To be asked behind `Hosts`, which puts it there.
    """
    return _peer(scope)


def _peer(scope: Scope) -> str:
    client = scope.get("client")
    if not client:
        return ""
    address = as_address(str(client[0]))
    return str(client[0]) if address is None else str(address)


def _client(forwarded: Sequence[str], peer: str, proxies: Sequence[Network]) -> str:
    """The last address before the configured proxies; `forwarded` is in the order in which they added to it.

    What stands further left is the client's own word. Behind something that is no address nothing is believed.
    """
    found = peer
    for part in reversed(forwarded):
        name = host_name(f"[{part}]" if part.count(":") > 1 and "]" not in part else part)
        if name is None or as_address(name) is None:
            break
        found = name
        if not _among(found, proxies):
            break
    return found


def _among(address: str, networks: Sequence[Network]) -> bool:
    found = as_address(address)
    return found is not None and any(found in network for network in networks)


def _anywhere(name: str) -> bool:
    """Whether a server that is bound to this answers at all addresses: then it is no name of its own."""
    address = as_address(name)
    return address is not None and address.is_unspecified


def _values(scope: Scope, wanted: bytes) -> list[str]:
    return [value.decode("latin-1") for name, value in scope["headers"] if name == wanted]


def _listed(scope: Scope, wanted: bytes) -> list[str]:
    return [part.strip() for part in ",".join(_values(scope, wanted)).split(",") if part.strip()]


def _origin_form(scope: Scope) -> tuple[Scope, tuple[str, ...]]:
    """The scope with a path alone, and the host that a request line as proxies get it (``GET http://name/path``) names."""
    if scope["path"].startswith("/") or scope["path"] == "*":
        return scope, ()
    found = _ABSOLUTE.fullmatch(scope.get("raw_path") or scope["path"].encode())
    if found is None:
        return scope, ("",)
    raw = found[2] or b"/"
    path = unquote(raw.decode("latin-1"))
    return {**scope, "path": path, "raw_path": raw}, (found[1].decode("latin-1"),)


def _cleaned(scope: Scope, told: _Told) -> Scope:
    """The scope as everything behind the door sees it: one name, one scheme, one client, no word of proxies."""
    kept = [(name, value) for name, value in scope["headers"] if name != b"host" and name not in TOLD and not name.startswith(TOLD_BEGINS)]
    cleaned = {**scope, "headers": [(b"host", told.names[0].encode("latin-1")), *kept]}
    if told.scheme:
        cleaned["scheme"] = told.scheme if scope["type"] == "http" else told.scheme.replace("http", "ws")
    if told.client:
        cleaned["client"] = (told.client, 0)
    return cleaned


async def _refuse(asked: str, scope: Scope, receive: Receive, send: Send) -> None:
    response = PlainTextResponse(
        refusal(asked) + "\n",
        MISDIRECTED,
        {"cache-control": "no-store", "x-content-type-options": "nosniff"},
    )
    if scope["type"] == "http" or "websocket.http.response" in scope.get("extensions", {}):
        return await response(scope, receive, send)
    closing: dict[str, Any] = {"type": "websocket.close", "code": 1008, "reason": "Unknown host."}
    await send(closing)


def refusal(asked: str) -> str:
    """What is said to a request for `asked`. Only what may stand in a name is said back, so that no page can be made of it."""
    name = host_name(asked) if asked.isascii() and len(asked) <= SAID else None
    return str(
        InputError(
            f"host {name}" if name else "host",
            found="a name that this Cograde does not go by" if name else "no name of a host",
            expected="localhost, 127.0.0.1 or a name that was set",
            remedy="Where the name is yours, start Cograde with "
            + (f"COGRADE_HOSTS={name}" if name else "COGRADE_HOSTS=NAME")
            + ", or with hosts in cograde.toml.",
        )
    )
