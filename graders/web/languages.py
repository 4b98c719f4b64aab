"""The language that a person reads: chosen by their browser, or by themselves for the session."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from graders.core.words import ENGLISH, languages, speaking

#: Where a session keeps what a person chose.
CHOSEN = "language"


class Languages:
    """Each request is answered in the language of who asks. Stands inside of the session's own
    middleware. Plain ASGI: leaves streams alone."""

    def __init__(self, app: ASGIApp) -> None:
        self.app, self.known = app, languages()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or len(self.known) == 1:
            return await self.app(scope, receive, send)
        chosen = scope.get("session", {}).get(CHOSEN, "")
        accepted = Headers(scope=scope).get("accept-language", "")
        with speaking(chosen if chosen in self.known else wanted(accepted, self.known)):
            await self.app(scope, receive, send)


def wanted(accepted: str, known: tuple[str, ...]) -> str:
    """The language of `known` that an `Accept-Language` header asks for first, English for none.

    A region is passed over: "ru-RU" is "ru" where there is no "ru-RU" (RFC 4647, lookup).
    """
    by_code = {code.lower(): code for code in known}
    asked: list[tuple[float, str]] = []
    for part in accepted[:500].split(","):
        code, _, quality = part.partition(";")
        try:
            asked.append((float(quality.partition("=")[2] or 1), code.strip().lower()))
        except ValueError:
            continue
    for weight, code in sorted(asked, key=lambda one: -one[0]):
        while code and weight > 0:
            if code in by_code:
                return by_code[code]
            code = code.rpartition("-")[0]
    return ENGLISH
