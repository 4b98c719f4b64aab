"""Names of hosts and networks of proxies, as settings and requests write them."""

from __future__ import annotations

import ipaddress
import re

from graders.core.errors import InputError

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_AUTHORITY = re.compile(r"(?:\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<name>[^\[\]:/@\s]+))(?::(?P<port>[0-9]{0,5}))?")
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
#: How long a name may be in the net's own directory.
LONGEST_NAME = 253


def host_name(text: str) -> str | None:
    """The one spelling of the host in `text` (``Name.:7860``, ``[::1]:7860``), without its port; None where it names none.

    Lower case, no dot at the end, letters beyond ASCII as browsers send them (``xn--...``), addresses in their short form.
    """
    found = _AUTHORITY.fullmatch(text)
    if found is None or int(found["port"] or 0) > 65535:
        return None
    if found["six"] is not None:
        address = as_address(found["six"])
        return None if address is None else str(address)
    name = found["name"].lower().removesuffix(".")
    if (address := as_address(name)) is not None:
        return str(address)
    if not name.isascii():
        name = _as_browsers_send(name)
    labels = name.split(".")
    # A last label of digits is another spelling of an address (127.1), which browsers write out before they send it.
    whole = len(name) <= LONGEST_NAME and all(map(_LABEL.fullmatch, labels))
    return name if whole and not labels[-1].isdigit() else None


def _as_browsers_send(name: str) -> str:
    """A name with letters beyond ASCII in the form in which it is looked up; empty where there is none."""
    import idna  # most installations name no such host

    try:
        return idna.encode(name, uts46=True).decode("ascii")
    except UnicodeError:
        return ""


def as_address(text: str) -> Address | None:
    """The address that `text` is, an IPv4 one in IPv6 clothes as what it is; None for anything else."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def is_loopback(host: str) -> bool:
    """Whether a host, as `host_name` writes it, is this machine to itself."""
    address = as_address(host)
    return host == "localhost" if address is None else address.is_loopback


def host_names(setting: str, given: object) -> tuple[str, ...]:
    """The hosts of a setting: a list, or words with commas between them. InputError names one that is no host."""
    return tuple(_host(setting, part) for part in _parts(setting, given))


def _host(setting: str, part: str) -> str:
    plain = f"[{part}]" if part.count(":") > 1 and not part.startswith("[") else part
    name = host_name(plain)
    if name is None:
        raise _wrong(setting, part, "a name or address such as study.example.org or 192.168.1.5")
    return name


def networks(setting: str, given: object) -> tuple[Network, ...]:
    """The networks of a setting: addresses or networks, as a list or with commas. InputError names one that is neither."""
    found = []
    for part in _parts(setting, given):
        try:
            found.append(ipaddress.ip_network(part, strict=False))
        except ValueError:
            raise _wrong(setting, part, "an address or a network such as 10.0.0.7 or 10.0.0.0/8") from None
    return tuple(found)


def _parts(setting: str, given: object) -> list[str]:
    if isinstance(given, str):
        given = given.split(",")
    if not isinstance(given, list | tuple) or not all(isinstance(part, str) for part in given):
        raise _wrong(setting, given, "texts in a list")
    return [part.strip() for part in given if part.strip()]


def _wrong(setting: str, found: object, expected: str) -> InputError:
    return InputError(
        f"setting {setting}",
        found=repr(found)[:120],
        expected=expected,
        remedy=f"Correct COGRADE_{setting.upper()}, or {setting} in cograde.toml.",
    )
