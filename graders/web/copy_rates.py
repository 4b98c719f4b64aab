"""How fast new visitors may come from one address."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address

from graders.core.errors import TooMany
from graders.core.words import error_parts
from graders.web.hosts import Network, networks


@dataclass(frozen=True, slots=True)
class Rate:
    """So many at once, then one more every so many seconds."""

    at_once: int
    every: float


#: From an address that stands for one household, office or class.
EACH = Rate(30, 10.0)
#: From an address that may stand for everybody: behind a proxy that nobody named, as on the Hub,
#: all visitors have one. It slows a flood down, but lets more through than the Space has places for
#: in an hour.
SHARED = Rate(100, 1.0)
#: Addresses that are remembered.
REMEMBERED = 10_000


class Rates:
    """Counts new visitors by address. Addresses are told apart where the owner named the `proxies`
    that tell them."""

    def __init__(
        self,
        proxies: Sequence[str] = (),
        clock: Callable[[], float] = time.time,
        each: Rate = EACH,
        shared: Rate = SHARED,
    ) -> None:
        self.proxies, self.clock, self.each, self.shared = networks(proxies), clock, each, shared
        #: By address, when all its places would be free again.
        self._free: dict[str, float] = {}
        self._lock = threading.Lock()

    def admit(self, address: str) -> None:
        """Count one more visitor from `address`. TooMany where that is too fast."""
        rate = self._rate(address)
        key, now = _household(address), self.clock()
        with self._lock:
            if len(self._free) >= REMEMBERED:
                self._free = {one: free for one, free in self._free.items() if free > now}
            free = max(self._free.get(key, now), now) + rate.every
            wait = free - now - rate.at_once * rate.every
            if wait > 0:
                raise _refusal(wait)
            self._free[key] = free

    def _rate(self, address: str) -> Rate:
        found = _address(address)
        if not self.proxies or found is None or _within(found, self.proxies):
            return self.shared
        return self.each


def _refusal(wait: float) -> TooMany:
    return TooMany(seconds=wait, **error_parts("web.too_many", seconds=max(1, round(wait))))


def _within(address: object, proxies: Sequence[Network]) -> bool:
    return any(address in network for network in proxies)


def _address(text: str) -> object:
    try:
        return ip_address(text)
    except ValueError:
        return None


def _household(address: str) -> str:
    """What one subscriber has: an IPv4 address, or the 2^64 addresses of an IPv6 network."""
    found = _address(address)
    if isinstance(found, IPv6Address):
        return str(IPv6Address(int(found) >> 64 << 64))
    return address
