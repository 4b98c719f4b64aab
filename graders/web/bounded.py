"""Calls are only so large, since what is sent as JSON is held in memory as a whole; and a call that
is refused is no failure of the server."""

from __future__ import annotations

import json
from contextlib import suppress

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from graders.core.errors import InputError
from graders.core.words import error_parts

#: How an answer of Gradio's is marked that refuses a call: it gives all errors the status 500.
REFUSED = "Refused"


class _TooLarge(Exception):
    pass


class Bounded:
    """Refuses requests whose body is larger than `most` bytes (413), and gives answers that refuse
    a call the status 422. Plain ASGI: leaves streams alone."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self.app, self.most = app, most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        told = Headers(scope=scope).get("content-length", "0")
        if not told.isdecimal() or int(told) > self.most:
            return await self._too_large(scope, receive, send)
        size, answered = 0, False
        failed: Message | None = None

        async def receiving() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > self.most:
                raise _TooLarge
            return message

        async def sending(message: Message) -> None:
            nonlocal answered, failed
            if size > self.most:  # whoever reads the body may make an answer of the error
                if not answered:
                    answered = True
                    await self._too_large(scope, receive, send)
                return
            if message["type"] == "http.response.start" and message["status"] == 500:
                failed = message
                return
            if failed is not None:
                status = 422 if _is_refusal(message) else 500
                await send({**failed, "status": status})
                failed = None
            await send(message)

        try:
            await self.app(scope, receiving, sending)
        except _TooLarge:
            if not answered:
                await self._too_large(scope, receive, send)

    async def _too_large(self, scope: Scope, receive: Receive, send: Send) -> None:
        most = self.most // 1024**2
        error = InputError(**error_parts("web.call.too_large", most=most))
        await JSONResponse({"error": str(error)}, 413)(scope, receive, send)


def _is_refusal(message: Message) -> bool:
    """Whether a whole answer says that the call was refused."""
    with suppress(ValueError, AttributeError):
        return bool(json.loads(message.get("body", b"")).get("title") == REFUSED)
    return False
