"""Anthropic's message batches: many messages handed in at once, answered within a day for half the
price."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar
from urllib.parse import quote

from graders.core.contracts import BatchProvider
from graders.core.records import BatchState, Reply, Request
from graders.core.words import carried
from graders.providers.anthropic_messages import AnthropicMessages, read_message
from graders.providers.http.batches import (
    CALL_SECONDS,
    HALF,
    SKEW,
    check,
    check_size,
    failed,
    named_failures,
    unfinished,
    where_is,
)
from graders.providers.http.reading import encoded

MOST_REQUESTS, MOST_BYTES = 100_000, 256 * 2**20
say = carried(
    "anthropic_batch",
    {
        "unasked.canceled": "the batch was called off before this request was asked",
        "unasked.expired": "the batch ended before this request was asked",
    },
)

_UNASKED = ("expired", "canceled")


@dataclass(frozen=True)
class AnthropicBatch(AnthropicMessages, BatchProvider):
    """Hands in many messages as one batch (`submit`, `poll`, `fetch`); single sends go the ordinary
    way and cost the full price.

    The options are those of the Messages protocol. A batch holds up to 100,000 requests and 256 MB;
    its handle is the provider's own name for it. A stream and headers of single requests do not
    travel in a batch.
    """

    #: Its calls are calls of that protocol: what is in a batch must be known to runs that ask call
    #: by call.
    name: ClassVar[str] = "anthropic_messages"
    version: ClassVar[str] = "1"
    about: ClassVar[str] = (
        "Anthropic's message batches: many messages at once, answered within a day for half "
        "the price."
    )
    price_share: ClassVar[float] = HALF

    async def submit(self, requests: Mapping[str, Request], mark: str = "") -> str:
        """Hand in `requests` under their keys; the batch's handle."""
        check("Anthropic", requests, MOST_REQUESTS, one_model=False)
        rows = [
            {"custom_id": key, "params": self._tree(request, streamed=False)}
            for key, request in requests.items()
        ]
        content = encoded({"requests": rows})
        check_size("Anthropic", len(content), MOST_BYTES)
        async with named_failures(self, "submit"):
            options: Any = {"max_retries": 0, "timeout": CALL_SECONDS}
            response = await self._client.post(
                f"{self._path}/batches", cast_to=self._raw, content=content, options=options
            )
            return str(response.json()["id"])

    async def search(self, mark: str, count: int, since: float, known: Collection[str]) -> str:
        """The handle of a batch of as many requests, made since then, that is not `known`: no mark
        can be left on a batch.

        A mistake does no harm: replies are found by their own keys, and what the batch does not
        hold is asked again.
        """
        async with named_failures(self, "search"):
            async for found in self._client.messages.batches.list(limit=100, timeout=60.0):
                if found.created_at.timestamp() < since - SKEW:
                    break  # the newest come first
                counts = found.request_counts
                total = (
                    counts.succeeded
                    + counts.errored
                    + counts.canceled
                    + counts.expired
                    + counts.processing
                )
                if found.id not in known and total == count:
                    return str(found.id)
        return ""

    async def poll(self, handle: str) -> BatchState:
        """How far the batch is; the provider counts what is done only when all is."""
        found = await self._look(handle)
        counts = found.request_counts
        done = counts.succeeded + counts.errored + counts.canceled + counts.expired
        return BatchState(
            done=done, total=done + counts.processing, ended=found.processing_status == "ended"
        )

    async def fetch(self, handle: str) -> Mapping[str, Reply]:
        """The replies of a batch that has ended, by key."""
        found = await self._look(handle)
        if found.processing_status != "ended" or not found.results_url:
            raise unfinished(where_is(self, "look", handle), found.processing_status)
        async with named_failures(self, "fetch", handle):
            options: Any = {"max_retries": 0, "timeout": CALL_SECONDS}
            # Not the address that the batch names: the key goes to no other host than the one that
            # was set.
            path = f"{self._path}/batches/{quote(handle, safe='')}/results"
            response = await self._client.get(path, cast_to=self._raw, options=options)
        return read_results(response.content)

    async def _look(self, handle: str) -> Any:
        async with named_failures(self, "look", handle):
            return await self._client.messages.batches.retrieve(handle, timeout=60.0)

    @cached_property
    def _raw(self) -> Any:
        """The type that makes the SDK hand over the response as it came, so that its text is parsed
        once, here."""
        import httpx2

        return httpx2.Response


def read_results(content: bytes) -> dict[str, Reply]:
    """The lines of a file of results as replies by key; a line that cannot be read names no request
    and is left out."""
    replies: dict[str, Reply] = {}
    for line in content.split(b"\n"):
        try:
            row = json.loads(line)
            key, result = str(row["custom_id"]), row["result"]
            kind = result["type"]
            text = json.dumps(result.get("message"), ensure_ascii=False, separators=(",", ":"))
        except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
            continue
        if kind == "succeeded":
            replies[key] = read_message(text, None)
        elif kind in _UNASKED:
            replies[key] = Reply(cause="server_error", detail=say(f"unasked.{kind}"))
        else:
            replies[key] = failed(result.get("error"))
    return replies
