"""Where keys go: the owner's own only to addresses that were set on this machine, and a plan says
which key goes where.

An address that came in a request of a page may be a stranger's: it gets the key that was typed with
it, or none.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from graders.core import discovery
from graders.core.errors import InputError
from graders.core.words import error_parts, say
from graders.providers.http.addresses import owners_addresses, same_server


def is_owners(provider: str, address: str) -> bool:
    """Whether `address` was set on this machine: the usual one of the provider, or one that its
    owner listed."""
    if not address:
        return True
    known = provider in discovery.names("providers")
    usual = str(getattr(discovery.make("providers", provider, {}), "address", "")) if known else ""
    return any(same_server(address, other) for other in (usual, *owners_addresses()))


def refuse_variables(where: str, address: str) -> InputError:
    """The error for a variable of the owner's that would go to an address from a page."""
    return InputError(**error_parts("calling.variable_astray", where=where, address=address[:120]))


def shown(address: str) -> str:
    """An address as it is shown and kept: without what may be secret in it."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def key_words(provider: Any, key_from: str, none: bool = False, strange: bool = False) -> str:
    """Which key goes where, as a sentence of a plan; "" where one is lacking, which is said
    elsewhere.

    `key_from`: ``typed`` or the variable that holds it, "" for the provider's own; `none`: no key
    is sent; `strange`: to an address from a page.
    """
    address = shown(str(getattr(provider, "address", "")))
    variable = str(getattr(provider, "key_variable", ""))
    if getattr(provider, "lacking", ""):
        return ""
    key_from = key_from or ("" if none else variable)
    if key_from == "typed":
        return say("calling.key.typed", address=address)
    if key_from:
        return say("calling.key.variable", variable=key_from, address=address)
    return say(f"calling.key.none{'_typed' if strange and variable else ''}", address=address)
