"""Calls are only so large: what is sent as JSON is held in memory as a whole."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from graders.core.errors import InputError
from graders.core.words import error_parts


class _TooLarge(Exception):
    pass


class Bounded:
    """Refuses requests whose body is larger than `most` bytes (413). Plain ASGI: leaves streams
    alone."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self.app, self.most = app, most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        told = Headers(scope=scope).get("content-length", "0")
        if not told.isdecimal() or int(told) > self.most:
            return await self._refused(scope, receive, send)
        size, refused = 0, False

        async def receiving() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > self.most:
                raise _TooLarge
            return message

        async def sending(message: Message) -> None:
            nonlocal refused
            if size <= self.most:
                await send(message)
            elif not refused:  # whoever reads the body may make an answer of the error
                refused = True
                await self._refused(scope, receive, send)

        try:
            await self.app(scope, receiving, sending)
        except _TooLarge:
            if not refused:
                await self._refused(scope, receive, send)

    async def _refused(self, scope: Scope, receive: Receive, send: Send) -> None:
        most = self.most // 1024**2
        error = InputError(**error_parts("web.call.too_large", most=most))
        await JSONResponse({"error": str(error)}, 413)(scope, receive, send)
