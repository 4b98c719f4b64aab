"""What the batch interfaces of providers have in common: what may go into one, and failures as
errors with a cause."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from graders.core.errors import BatchGone, CogradeError, InputError, ProviderError
from graders.core.records import Reply, Request
from graders.core.words import error_parts, say
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
        raise InputError(**error_parts("providers.batch_empty", name=name))
    if len(requests) > most:
        raise InputError(
            **error_parts("providers.batch_long", name=name, n=len(requests), most=most)
        )
    models = sorted({request.model for request in requests.values()})
    if one_model and len(models) > 1:
        raise InputError(
            **error_parts("providers.batch_models", name=name, models=", ".join(models))
        )


def check_size(name: str, size: int, most: int) -> None:
    """InputError for more bytes than the provider takes."""
    if size > most:
        raise InputError(
            **error_parts("providers.batch_large", name=name, size=size / 2**20, most=most / 2**20)
        )


def where_is(provider: Connected, doing: str, handle: str = "") -> str:
    """What is done with batches at the address of a provider: ``submit``, ``search``, ``fetch`` or
    ``look``; in words."""
    return say(f"providers.batch_{doing}", address=provider.address, batch=handle)


@asynccontextmanager
async def named_failures(provider: Connected, doing: str, handle: str = "") -> AsyncIterator[None]:
    """Every failure of SDK, network or provider inside becomes a ProviderError with its cause;
    BatchGone where the batch of that `handle` is not known there. `doing` as in `where_is`."""
    where = where_is(provider, doing, handle)
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
            remedy = say("providers.batch_handle")
            raise BatchGone(where, cause="bad_request", found=found, remedy=remedy) from error
        if cause == "model_missing":
            raise ProviderError(
                cause="bad_request",
                **error_parts("providers.no_batches_there", where=where, found=found),
            ) from error
        raise ProviderError(
            where, cause=cause, found=found, remedy=provider.remedy(cause)
        ) from error


def unfinished(where: str, state: Any) -> InputError:
    """The error for fetching from a batch that has not ended."""
    return InputError(**error_parts("providers.batch_unfinished", where=where, state=state))


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
