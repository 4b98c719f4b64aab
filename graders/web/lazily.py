"""A page's Gradio application is made when its page is asked for first: some eighty routes each,
most of what a start would cost."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from fastapi import FastAPI
from starlette.types import ASGIApp, Receive, Scope, Send

#: Held while an application is made: Gradio notes in one place for all threads what it is making.
_MAKING = threading.Lock()


class Lazily:
    """Answers at `path` with the application that `make` gives, which holds the page at that very
    path. Several are made one by one."""

    def __init__(self, path: str, make: Callable[[], FastAPI]) -> None:
        self.path, self._make = path, make
        self._making = asyncio.Lock()
        self._over = asyncio.Event()
        self._app: ASGIApp | None = None
        self._living: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = self._app or await self._begun()
        # The application mounts the page itself: it is to see the address as it came.
        await app(
            {**scope, "root_path": scope.get("root_path", "").removesuffix(self.path)},
            receive,
            send,
        )

    async def _begun(self) -> ASGIApp:
        async with self._making:
            if self._app is None:
                made = await asyncio.to_thread(self._made)
                ready = asyncio.get_running_loop().create_future()
                self._living = asyncio.create_task(self._live(made, ready))
                await ready
                self._app = made
            return self._app

    def _made(self) -> FastAPI:
        with _MAKING:
            return self._make()

    async def _live(self, app: FastAPI, ready: asyncio.Future[None]) -> None:
        """The application's lifespan, begun and ended in one task."""
        try:
            async with app.router.lifespan_context(app):
                ready.set_result(None)
                await self._over.wait()
        except Exception as error:
            if ready.done():
                raise
            ready.set_exception(error)

    async def close(self) -> None:
        """End the application, where it was ever begun."""
        self._over.set()
        if self._living is not None:
            await self._living


def closing(pages: Sequence[Lazily]) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    """The lifespan of the application around `pages`: they end with it."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        for page in pages:
            await page.close()

    return lifespan
