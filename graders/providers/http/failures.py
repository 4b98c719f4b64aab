"""Names for what can go wrong between us and a model, from status codes, bodies, headers and broken
connections."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from graders.core.words import say
from graders.providers.http.addresses import Forbidden

_SHOWN = 300
#: What providers write into the body when the money, not the rate, is used up.
_QUOTA_WORDS = (
    "insufficient_quota",
    "billing_hard_limit_reached",
    "credit balance",
    "insufficient balance",
    "billing_error",
    "spend_limit_reached",
)
#: Names of errors that come inside a stream or a batch, where there is no status.
_KINDS = {
    "rate_limit": "rate_limited",
    "overloaded": "server_error",
    "api_error": "server_error",
    "server_error": "server_error",
    "unavailable": "server_error",
    "authentication": "wrong_key",
    "invalid_api_key": "wrong_key",
    "permission": "wrong_key",
    "not_found": "model_missing",
    "timeout": "timeout",
    "invalid": "bad_request",
}


def refused(status: int, text: str, headers: Mapping[str, str]) -> tuple[str, str, float | None]:
    """(cause, detail, seconds to wait or None) of a response whose status is not 200."""
    detail = f"status {status}: {error_message(text)}"
    if status == 402 or (
        status in (400, 403, 429) and any(word in text.lower() for word in _QUOTA_WORDS)
    ):
        return "quota", detail, None
    if status in (401, 403):
        return "wrong_key", detail, None
    if status == 429:
        return "rate_limited", detail, retry_after(headers)
    if status == 404:
        return "model_missing", detail, None
    if status == 408:
        return "timeout", detail, retry_after(headers)
    if status == 409 or status >= 500:
        return "server_error", detail, retry_after(headers)
    return "bad_request", detail, None


def refused_inside(kind: str, words: str) -> tuple[str, str]:
    """(cause, detail) of an error that the provider names `kind` in a stream or a batch that it had
    accepted."""
    named = f"{kind} {words}".lower()
    if any(word in named for word in _QUOTA_WORDS):
        return "quota", words
    return next(
        (cause for part, cause in _KINDS.items() if part in kind.lower()), "server_error"
    ), words[:_SHOWN]


def broken(error: BaseException, address: str) -> tuple[str, str]:
    """(cause, detail) of a send that brought no response.

    The SDK wraps what the transport said, and the transport's own names mislead (a refused
    connection becomes a time-out), so the chain of causes is read down to the first error that says
    what happened.
    """
    import aiohttp

    chain: list[BaseException] = []
    link: BaseException | None = error
    while link is not None and link not in chain:
        chain.append(link)
        link = link.__cause__ or link.__context__
    fenced = next((found for found in chain if isinstance(found, Forbidden)), None)
    if fenced is not None:
        return "unreachable", f"{address}: {fenced}"
    for found in chain:
        if isinstance(found, aiohttp.ClientConnectorError):
            return "unreachable", say(
                "providers.no_connection", address=address, error=found.os_error or found
            )
        if isinstance(found, aiohttp.InvalidURL):
            return "unreachable", say("providers.not_an_address", address=address)
        if isinstance(found, aiohttp.ClientPayloadError | aiohttp.ClientResponseError):
            return "truncated_body", say("providers.cut_off")
        if isinstance(found, aiohttp.ServerTimeoutError):
            return "timeout", say("providers.timed_out")
        if isinstance(found, aiohttp.ClientConnectionError):
            return (
                "connection",
                say("providers.broke", address=address, error=found or type(found).__name__),
            )
    # Both SDKs use the same names; asking for their classes would load the one that is not in use.
    kinds = {kind.__name__ for kind in type(error).__mro__}
    if "APITimeoutError" in kinds:
        return "timeout", say("providers.timed_out")
    if "APIConnectionError" in kinds:
        return "connection", say("providers.broke", address=address, error=chain[-1])
    return "bad_request", f"{type(error).__name__}: {error}"[:_SHOWN]


def error_message(text: str) -> str:
    """The provider's own words in the body of an error, else the beginning of the body."""
    try:
        tree: Any = json.loads(text)
        said = tree.get("error", tree)
        said = said.get("message", said) if isinstance(said, dict) else said
        return str(said)[:_SHOWN]
    except (ValueError, AttributeError, RecursionError):
        return " ".join(text.split())[:_SHOWN] or "no words"


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the provider asks to wait (retry-after-ms, else retry-after as seconds or date);
    None if it does not say."""
    for name, scale in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        said = headers.get(name)
        if said is None:
            continue
        try:
            seconds = float(said) / scale
        except ValueError:
            try:
                seconds = (parsedate_to_datetime(said) - datetime.now(UTC)).total_seconds()
            except (ValueError, TypeError):
                continue
        if 0 <= seconds < float("inf"):
            return seconds
        if seconds < 0:
            return 0.0
    return None
