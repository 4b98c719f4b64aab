"""Limits on visitors of a public Space: how many copies, how large, how fast from one address, and
what they may upload."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from graders.core.errors import TooMany
from graders.store.copies import Limits
from graders.web.copy_rates import Rate, Rates
from tests.web import bringing
from tests.web.space import DAY, Space, done, enter, save


@pytest.mark.parametrize(
    "limits, what", [({"copies": 2}, "All 2 places"), ({"total": 2_500_000}, "All space")]
)
def test_a_full_space_says_so_and_can_still_be_looked_at(
    make: Callable[..., Space], limits: dict[str, int], what: str
) -> None:
    space = make(limits=Limits(**limits))
    backup = space.folder / "visitors" / f"{'b' * 32}.2026-11-01.backup.db"
    backup.touch()  # of a copy that an older version made
    inside = []
    while (reply := enter(client := space.visitor())).status_code == 200:
        inside.append(client)
        assert len(inside) < 10
    assert reply.status_code == 503
    assert reply.json()["error"] == (
        f"{what} for visitors' own work in the demo {'are' if 'places' in what else 'is'} taken. A place is free again in about 24 hours. "
        "Until then you can look at everything here. Cograde on your own computer has no such limit."
    )
    assert DAY - 60 < int(reply.headers["retry-after"]) <= DAY
    assert client.get("/judges", params={"project": "study"}).status_code == 200
    assert save(inside[0]).status_code == 200 and done(inside[0]) == 1, "who has a place works on"
    assert len(space.copies()) == len(inside) + 1
    space.later = DAY + 60
    assert enter(client).status_code == 200, "after a day places are free"
    assert not backup.exists()


def test_a_disk_that_is_nearly_full_takes_no_copy(
    make: Callable[..., Space], tmp_path: Path
) -> None:
    space = make(limits=Limits(spare=shutil.disk_usage(tmp_path).total))
    reply = enter(space.visitor())
    assert (
        reply.status_code == 503
        and "All space for visitors' own work in the demo is taken." in reply.json()["error"]
    )


def test_visitors_of_one_address_come_one_by_one(make: Callable[..., Space]) -> None:
    now = [1000.0]
    rates = Rates(("203.0.113.0/24",), lambda: now[0], Rate(3, 10.0), Rate(5, 1.0))
    space = make(rates=rates)
    for _ in range(3):
        assert enter(space.visitor("198.51.100.7")).status_code == 200
    late = space.visitor("198.51.100.7")
    reply = enter(late)
    assert reply.status_code == 429 and reply.headers["retry-after"] == "10"
    assert reply.json()["error"] == (
        "Many new visitors came from your network at the same time. Please try again in 10 seconds. "
        "Until then you can look at everything here."
    )
    assert late.get("/judges", params={"project": "study"}).status_code == 200
    assert enter(space.visitor("198.51.100.8")).status_code == 200, (
        "another address is another household"
    )
    now[0] += 10
    assert enter(late).status_code == 200
    assert len(space.copies()) == 5


def test_an_address_is_what_a_configured_proxy_saw(make: Callable[..., Space]) -> None:
    rates = Rates(("203.0.113.0/24",), lambda: 1000.0, Rate(2, 10.0), Rate(3, 1.0))
    space = make(rates=rates)

    def entered(peer: str, told: str) -> int:
        client = space.visitor(peer)
        reply = client.post("/api/me", json={"name": "Ann"}, headers={"x-forwarded-for": told})
        return int(reply.status_code)

    proxy, other = "203.0.113.9", "198.51.100.1"
    assert [entered(proxy, "192.0.2.1") for _ in range(3)] == [200, 200, 429]
    assert entered(proxy, "192.0.2.2") == 200, "the proxy saw another address"
    assert entered(proxy, "192.0.2.3, 192.0.2.1") == 429, (
        "what the browser wrote counts for nothing"
    )
    assert [entered(other, f"192.0.2.{n}") for n in range(11, 14)] == [200, 200, 429], "no proxy"
    assert len(space.copies()) == 5


def test_addresses_that_many_share_are_not_locked() -> None:
    now = [0.0]

    def admitted(rates: Rates, *addresses: str) -> int:
        count = 0
        for address in addresses:
            with suppress(TooMany):
                rates.admit(address)
                count += 1
        return count

    def rates(*proxies: str) -> Rates:
        return Rates(proxies, lambda: now[0], Rate(3, 10.0), Rate(50, 1.0))

    assert admitted(rates("10.0.0.0/8"), *["10.1.2.3"] * 80) == 50, (
        "a proxy that did not say who asks"
    )
    assert admitted(rates(), *["52.1.2.3"] * 80) == 50, (
        "nobody said which proxies there are: it may be the Hub's"
    )
    assert admitted(rates("10.0.0.0/8"), *["52.1.2.3"] * 80) == 3
    assert admitted(rates("10.0.0.0/8"), *(f"2001:db8:1:2::{n:x}" for n in range(9))) == 3, (
        "one network of IPv6"
    )
    assert admitted(rates("10.0.0.0/8"), *(f"2001:db8:1:{n:x}::1" for n in range(9))) == 9
    hub, let_in = Rates((), lambda: now[0]), 0
    for _ in range(600):
        now[0] += 1
        let_in += admitted(hub, "10.1.2.3")
    assert let_in == 600, "200 visitors who save in ten minutes, three times over, from one address"


def test_a_copy_grows_to_a_limit(make: Callable[..., Space]) -> None:
    space = make(limits=Limits(each=1_300_000))
    client = space.visitor()
    assert enter(client).status_code == 200
    rows = "".join(f"{n},Question {n}?,Ash,{'A long answer. ' * 40}\n" for n in range(2_000))
    address = bringing.looked_at(client, "big.csv", f"id,question,model,answer\n{rows}")
    report, refused = bringing.staged(client, address, "Big")
    assert (
        not report
        and (
            "your copy of the demo: found more than 1 MB, expected at most 1 MB. Nothing of this was stored. "
            "Run Cograde on your own computer for more."
        )
        in refused
    )
    assert save(client).status_code == 200, "what is small still fits"


def test_a_visitor_sends_no_more_than_fits(make: Callable[..., Space]) -> None:
    space = make(limits=Limits(each=2 << 20, total=6 << 20))
    client = space.visitor()
    assert enter(client).status_code == 200

    def sent(size: int) -> httpx.Response:
        chunks = (b"x" * 65536 for _ in range(size >> 16))
        return bringing.sent(client, "big.csv", chunks)

    reply = bringing.sent(client, "big.csv", b"x" * (3 << 20))
    assert (
        reply.status_code == 422
        and "found more than 2 MB, expected a file of at most 2 MB" in reply.json()["error"]
    )
    assert sent(3 << 20).json()["error"] == reply.json()["error"], (
        "also where the length was not said"
    )
    (space.folder / "visitors" / f"{'a' * 32}.db").write_bytes(b"x" * (5 << 20))
    full = bringing.sent(client, "big.csv", b"x" * (1 << 20))
    assert full.status_code == 503 and full.json()["error"].startswith(
        "All space for visitors' own work in the demo is taken."
    )


def upload(client: httpx.Client, size: int) -> httpx.Response:
    """Send a table of so many bytes, as a browser does, without saying its length."""
    row = b"1,One?,Ash," + b"It is one. " * 5_957
    chunks = (row + b"\n" for _ in range(size >> 16))
    head = [b"id,question,model,answer\n"]
    return bringing.sent(client, "own.csv", (chunk for part in (head, chunks) for chunk in part))


def test_uploads_of_a_visitor_take_the_place_of_older_ones(make: Callable[..., Space]) -> None:
    space = make(limits=Limits(each=3 << 20))
    client, other = space.visitor(), space.visitor()
    assert enter(client).status_code == enter(other, "Ben").status_code == 200
    kept = upload(other, 1 << 20).json()["token"]
    tokens = [upload(client, 1 << 20).json()["token"] for _ in range(5)]

    def known(client: httpx.Client, token: str) -> bool:
        return "Choose the file again." not in bringing.opened(client, f"?import={token}")

    assert [known(client, token) for token in tokens] == [False, False, False, True, True]
    assert known(other, kept), "what another visitor sent stays"
    _, refused = bringing.does(client, f"?import={tokens[0]}", do="read")
    assert "Choose the file again." in refused


def test_uploads_count_as_visitors_own_work(make: Callable[..., Space]) -> None:
    space = make(limits=Limits(total=6_400_000, each=6 << 20))
    first, second, third = (space.visitor() for _ in range(3))
    assert enter(first).status_code == enter(second, "Ben").status_code == 200
    assert upload(first, 3 << 20).status_code == 200
    full = upload(second, 5 << 20)
    assert full.status_code == 503, "also where the length was not said"
    assert full.json()["error"].startswith("All space for visitors' own work in the demo is taken.")
    assert upload(second, 2 << 20).status_code == 200, "of what was refused nothing is kept"
    assert enter(third, "Cem").status_code == 503, "no copy where uploads took the space"
    assert not list((space.folder / "uploads").glob("*"))
