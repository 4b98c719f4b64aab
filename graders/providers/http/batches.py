"""What the batch interfaces of providers have in common: what may go into one, and failures as
errors with a cause."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from graders.core.errors import BatchGone, CogradeError, InputError, ProviderError
from graders.core.records import Reply, Request
from graders.providers.http.connected import Connected
from graders.providers.http.failures import broken, refused, refused_inside
from graders.providers.http.headers import EXTRA

#: What a batch costs as a share of single sends: both providers give half off.
HALF = 0.5
#: Seconds for one call about a batch; it may carry a hundred megabytes.
CALL_SECONDS = 600.0
#: Seconds by which a provider's clock may be behind ours.
SKEW = 300.0


def check(name: str, requests: Mapping[str, Request], most: int, one_model: bool) -> None:
    """InputError for what no batch of this provider can hold."""
    if not requests:
        raise InputError(f"batch for {name}", found="no requests", expected="at least one")
    if len(requests) > most:
        raise InputError(
            f"batch for {name}",
            found=f"{len(requests)} requests",
            expected=f"at most {most}",
            remedy="Hand them in as several batches.",
        )
    models = sorted({request.model for request in requests.values()})
    if one_model and len(models) > 1:
        raise InputError(
            f"batch for {name}",
            found="the models " + ", ".join(models),
            expected="one model",
            remedy="Hand in one batch for each model.",
        )


def check_size(name: str, size: int, most: int) -> None:
    """InputError for more bytes than the provider takes."""
    if size > most:
        found, expected = f"{size / 2**20:.0f} MB", f"at most {most / 2**20:.0f} MB"
        raise InputError(
            f"batch for {name}",
            found=found,
            expected=expected,
            remedy="Hand the requests in as several batches.",
        )


@asynccontextmanager
async def named_failures(provider: Connected, what: str, handle: str = "") -> AsyncIterator[None]:
    """Every failure of SDK, network or provider inside becomes a ProviderError with its cause;
    BatchGone where the batch of that `handle` is not known there."""
    where = f"{what} at {provider.address}"
    if provider.lacking:
        raise ProviderError(
            where, cause="wrong_key", found=provider.lacking, remedy=provider.remedy("wrong_key")
        )
    EXTRA.set(provider._extra(None))
    try:
        yield
    except CogradeError:
        raise
    except Exception as error:
        answer = getattr(error, "response", None)
        cause, detail = (
            broken(error, provider.address)
            if answer is None
            else refused(answer.status_code, answer.text, {})[:2]
        )
        found = provider._clean(detail)
        if cause == "model_missing" and handle:
            remedy = (
                "Check the handle: batches are kept for some weeks only, and for the account "
                "that handed them in."
            )
            raise BatchGone(where, cause="bad_request", found=found, remedy=remedy) from error
        if cause == "model_missing":
            raise ProviderError(
                where,
                cause="bad_request",
                found=found,
                remedy="Check the address: it may take no batches.",
            ) from error
        raise ProviderError(
            where, cause=cause, found=found, remedy=provider.remedy(cause)
        ) from error


def unfinished(where: str, state: Any) -> InputError:
    """The error for fetching from a batch that has not ended."""
    return InputError(
        where, found=f"it is {state}", expected="a batch that has ended", remedy="Come back later."
    )


def failed(error: Any) -> Reply:
    """The Reply of a request that was not answered, from the provider's error (type or code, and
    message).

    One that was not reached in time, or called off, was not charged: the cause is one after which
    it is asked again.
    """
    error = error if isinstance(error, Mapping) else {}
    inner = error["error"] if isinstance(error.get("error"), Mapping) else error
    kind = str(inner.get("code") or inner.get("type") or "")
    words = str(inner.get("message") or kind or "no words")
    cause, detail = refused_inside(kind, words)
    return Reply(cause=cause, detail=detail)
