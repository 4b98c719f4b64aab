"""Replies that are meant to be cut: a request for two tokens wants the first word, not an error
about the limit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from graders.core.contracts import Provider
from graders.core.records import Reply, Request

#: Limits of output tokens up to which a reply that reached them is whole.
MOST_TOKENS = 8


@dataclass(frozen=True)
class ShortReplies(Provider):
    """Another provider whose replies to requests for a few tokens are usable though they reached
    the limit."""

    version: ClassVar[str] = "1"
    about: ClassVar[str] = "Takes replies that were cut on purpose as whole."

    provider: Any

    async def send(self, request: Request, timeout: float) -> Reply:
        """One send of the provider's."""
        reply: Reply = await self.provider.send(request, timeout)
        limit = request.settings.get("max_output_tokens")
        wanted = limit is not None and limit <= MOST_TOKENS
        return (
            replace(reply, cause="", detail="")
            if wanted and reply.cause == "length_stop" and reply.text.strip()
            else reply
        )

    def left_out(self, request: Request) -> tuple[str, ...]:
        """Settings that the provider does not send."""
        return tuple(self.provider.left_out(request))

    def remedy(self, cause: str) -> str:
        """What the provider knows to do about a cause."""
        return str(self.provider.remedy(cause))

    async def aclose(self) -> None:
        """Close the provider's client."""
        await self.provider.aclose()
