"""Which addresses the visitors of a public Space may name: through them nobody may reach the
Space's own network.

Elsewhere (SPACE_ID is not set) the person who types an address also runs the program, so any
address is allowed.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from ipaddress import IPv6Network, ip_address
from typing import Any
from urllib.parse import urlsplit

from graders.core.errors import InputError
from graders.core.words import error_parts, say

#: Hosts and ports besides port 443, as the owner of a Space lists them: ``llm.example.org:8443,
#: other.example.org:444``.
ALLOWED = "COGRADE_ALLOWED_HOSTS"
#: Public by their number, yet answered by the cloud that the machine runs in: Azure's and Oracle's
#: services for it.
_METADATA = ("168.63.129.16", "192.0.0.192")
#: IPv6 addresses that carry an IPv4 address to which a gateway may lead.
_TRANSLATED = (
    IPv6Network("64:ff9b::/96"),
    IPv6Network("64:ff9b:1::/48"),
    IPv6Network("2002::/16"),
    IPv6Network("2001::/32"),
)

#: Addresses of servers that the owner's keys may go to, with commas between them.
OWNERS = "COGRADE_ADDRESSES"

Resolve = Callable[..., Iterable[tuple[Any, ...]]]


class Forbidden(OSError):
    """A connection that is not made, because of where it leads: what was `found`, and what would be
    `expected`. Reads as a part of a sentence."""

    def __init__(self, found: str, expected: str) -> None:
        super().__init__(say("providers.forbidden", found=found, expected=expected))
        self.found, self.expected = found, expected

    @classmethod
    def of(cls, key: str, **places: object) -> Forbidden:
        """As the catalogue says it under `key`."""
        return cls(
            say(f"providers.forbidden.{key}.found", **places),
            say(f"providers.forbidden.{key}.expected", **places),
        )


def is_public(address: str) -> bool:
    """Whether an IP address belongs to the public internet and to one machine: not loopback,
    private, link-local, metadata, multicast, reserved, nor such an IPv4 address written as IPv6."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if found.version == 6 and (
        found.ipv4_mapped is not None or any(found in network for network in _TRANSLATED)
    ):
        return False
    return (
        found.is_global
        and not found.is_multicast
        and not found.is_reserved
        and str(found) not in _METADATA
    )


@dataclass(frozen=True, slots=True)
class Fence:
    """What may be asked from a Space: https, public addresses, port 443 or a listed (host,
    port)."""

    listed: frozenset[tuple[str, int]] = frozenset()

    def check_url(self, scheme: str, host: str, port: int | None) -> None:
        """Raise Forbidden for what shows in the address itself."""
        if scheme != "https":
            raise Forbidden.of("scheme" if scheme else "no_scheme", scheme=scheme)
        if not host:
            raise Forbidden.of("no_host")
        if (port or 443) != 443 and (host.lower(), port) not in self.listed:
            raise Forbidden.of("port", port=port)
        if (host.replace(".", "").isdigit() or ":" in host) and not is_public(host):
            raise Forbidden.of("private", host=host)

    def check_addresses(self, host: str, addresses: Iterable[str]) -> None:
        """Raise Forbidden if any address that `host` leads to is not public."""
        for address in addresses:
            if not is_public(address):
                raise Forbidden.of("leads", host=host, address=address)


def fence_of(environment: Mapping[str, str]) -> Fence | None:
    """The fence of a Space, None anywhere else. InputError for a list of hosts that cannot be
    read."""
    if not environment.get("SPACE_ID"):
        return None
    listed = []
    for item in environment.get(ALLOWED, "").replace(",", " ").split():
        host, _, port = item.rpartition(":")
        if not host or not port.isdigit() or not 0 < int(port) < 65536:
            raise InputError(
                **error_parts("providers.setting_hosts", found=repr(item), setting=ALLOWED)
            )
        listed.append((host.lower(), int(port)))
    return Fence(frozenset(listed))


def check_typed(
    base_url: Any, environment: Mapping[str, str] = os.environ, resolve: Resolve | None = None
) -> None:
    """Refuse an address that may not be asked from here: InputError says what was found. An empty
    one is the installation's own.

    The client that connects looks again at what the name leads to by then.
    """
    if not isinstance(base_url, str):
        raise InputError(**error_parts("providers.address_form", found=repr(base_url)[:60]))
    fence = fence_of(environment)
    if fence is None or not base_url:
        return
    try:
        parts = urlsplit(base_url)
        host, port = parts.hostname or "", parts.port
        if "@" in parts.netloc:
            raise Forbidden.of("person")
        fence.check_url(parts.scheme, host, port)
        there = (resolve or socket.getaddrinfo)(host, port or 443, type=socket.SOCK_STREAM)
        fence.check_addresses(host, [str(place[4][0]) for place in there])
    except Forbidden as error:
        raise _refused(base_url, error) from None
    except (ValueError, UnicodeError):
        raise _refused(base_url, Forbidden.of("no_server")) from None
    except OSError:
        raise _refused(base_url, Forbidden.of("unknown_host", host=host)) from None


def owners_addresses(environment: Mapping[str, str] = os.environ) -> list[str]:
    """Addresses beside the providers' usual ones that the owner's keys may go to."""
    return environment.get(OWNERS, "").replace(",", " ").split()


def same_server(address: str, other: str) -> bool:
    """Whether two addresses lead to one server: scheme, host and port are the same. False for what
    is no address."""
    try:
        one, two = urlsplit(address.strip()), urlsplit(other.strip())
        ports = [part.port or {"http": 80, "https": 443}.get(part.scheme) for part in (one, two)]
    except ValueError:
        return False
    return bool(one.hostname) and (one.scheme, one.hostname, ports[0]) == (
        two.scheme,
        two.hostname,
        ports[1],
    )


def check_form(base_url: str) -> None:
    """InputError for what can be no address of a server, before anything is sent to it."""
    try:
        parts = urlsplit(base_url.strip())
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        good = False
    if base_url and not good:
        raise InputError(**error_parts("providers.no_server", address=base_url[:120]))


def _refused(base_url: str, why: Forbidden) -> InputError:
    return InputError(
        **error_parts(
            "providers.not_from_space",
            address=base_url[:120],
            found=why.found,
            expected=why.expected,
            setting=ALLOWED,
        )
    )
