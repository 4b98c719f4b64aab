"""OpenAI's batches: a file of chat completions handed in at once, answered within a day for half
the price."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from graders.core.contracts import BatchProvider
from graders.core.errors import BatchRefused
from graders.core.records import BatchState, Reply, Request
from graders.core.words import carried
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
from graders.providers.http.failures import refused, refused_inside
from graders.providers.http.reading import encoded
from graders.providers.openai_chat import OpenAIChat, read_completion

say = carried(
    "openai_batch",
    {
        "no_reason": "the provider does not say why",
        "refused": "refused as a whole: {why}",
    },
)


ENDPOINT: Final = "/v1/chat/completions"
#: Under this name a batch bears our mark.
MARK: Final = "cograde"
MOST_REQUESTS, MOST_BYTES = 50_000, 200 * 2**20
ENDED = ("completed", "failed", "expired", "cancelled")


@dataclass(frozen=True)
class OpenAIBatch(OpenAIChat, BatchProvider):
    """Hands in many chat completions as one batch (`submit`, `poll`, `fetch`); single sends go the
    ordinary way and cost the full price.

    The options are those of the chat protocol. A batch holds up to 50,000 requests and 200 MB for
    one model; its handle is the provider's own name for it. A stream and headers of single requests
    do not travel in a batch.
    """

    #: Its calls are calls of that protocol: what is in a batch must be known to runs that ask call
    #: by call.
    name: ClassVar[str] = "openai_chat"
    version: ClassVar[str] = "1"
    about: ClassVar[str] = (
        "OpenAI's batches: many chat completions at once, answered within a day for half the price."
    )
    price_share: ClassVar[float] = HALF

    async def submit(self, requests: Mapping[str, Request], mark: str = "") -> str:
        """Hand in `requests` under their keys; the batch's handle."""
        check("OpenAI", requests, MOST_REQUESTS, one_model=True)
        rows = [
            encoded(
                {
                    "custom_id": key,
                    "method": "POST",
                    "url": ENDPOINT,
                    "body": self._tree(request, streamed=False),
                },
                request.schema,
            )
            for key, request in requests.items()
        ]
        content = b"\n".join(rows) + b"\n"
        check_size("OpenAI", len(content), MOST_BYTES)
        async with named_failures(self, "submit"):
            uploaded = await self._client.files.create(
                file=("cograde.jsonl", content, "application/jsonl"),
                purpose="batch",
                timeout=CALL_SECONDS,
            )
            made = await self._client.batches.create(
                input_file_id=uploaded.id,
                endpoint=ENDPOINT,
                completion_window="24h",
                metadata={MARK: mark} if mark else None,
                timeout=CALL_SECONDS,
            )
            return str(made.id)

    async def search(self, mark: str, count: int, since: float, known: Collection[str]) -> str:
        """The handle of the batch that bears `mark`."""
        async with named_failures(self, "search"):
            async for found in self._client.batches.list(limit=100, timeout=60.0):
                if (found.metadata or {}).get(MARK) == mark:
                    return str(found.id)
                if found.created_at < since - SKEW:
                    break  # the newest come first
        return ""

    async def poll(self, handle: str) -> BatchState:
        """How far the batch is."""
        found = await self._look(handle)
        counts = found.request_counts
        done, total = (counts.completed + counts.failed, counts.total) if counts else (0, 0)
        return BatchState(done=done, total=total, ended=found.status in ENDED)

    async def fetch(self, handle: str) -> Mapping[str, Reply]:
        """The replies of a batch that has ended, by key."""
        found = await self._look(handle)
        where = where_is(self, "look", handle)
        if found.status not in ENDED:
            raise unfinished(where, found.status)
        if found.status == "failed":
            first = next(iter((found.errors and found.errors.data) or ()), None)
            cause, words = refused_inside(
                (first and first.code) or "invalid",
                (first and first.message) or say("no_reason"),
            )
            raise BatchRefused(
                where, cause=cause, found=say("refused", why=words), remedy=self.remedy(cause)
            )
        replies: dict[str, Reply] = {}
        for file in (found.output_file_id, found.error_file_id):
            if file:
                async with named_failures(self, "fetch", handle):
                    content = (await self._client.files.content(file, timeout=CALL_SECONDS)).content
                replies |= read_results(content)
        return replies

    async def _look(self, handle: str) -> Any:
        async with named_failures(self, "look", handle):
            return await self._client.batches.retrieve(handle, timeout=60.0)


def read_results(content: bytes) -> dict[str, Reply]:
    """The lines of a file of results as replies by key; a line that cannot be read names no request
    and is left out."""
    replies: dict[str, Reply] = {}
    for line in content.split(b"\n"):
        try:
            row = json.loads(line)
            key, response = str(row["custom_id"]), row.get("response")
            if response is None:
                replies[key] = failed(row.get("error"))
                continue
            status, text = (
                int(response["status_code"]),
                json.dumps(response.get("body"), ensure_ascii=False, separators=(",", ":")),
            )
        except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
            continue
        cause, detail, _ = refused(status, text, {}) if status != 200 else ("", "", None)
        replies[key] = (
            Reply(cause=cause, detail=detail, raw=text) if cause else read_completion(text, None)
        )
    return replies
