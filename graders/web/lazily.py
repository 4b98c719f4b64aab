"""A page's Gradio application is made when its page is asked for first: some eighty routes each,
most of what a start would cost. Its labels are set as it is made, so there is one for each language
that is read."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from fastapi import FastAPI
from starlette.types import ASGIApp, Receive, Scope, Send

from graders.core.words import language

#: Held while an application is made: Gradio notes in one place for all threads what it is making.
_MAKING = threading.Lock()


class Lazily:
    """Answers at `path` with the application that `make` gives, which holds the page at that very
    path, in the language that is spoken. Several are made one by one."""

    def __init__(self, path: str, make: Callable[[], FastAPI]) -> None:
        self.path, self._make = path, make
        self._making = asyncio.Lock()
        self._over = asyncio.Event()
        #: By their language.
        self._apps: dict[str, ASGIApp] = {}
        self._living: list[asyncio.Task[None]] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = self._apps.get(language()) or await self._begun(language())
        # The application mounts the page itself: it is to see the address as it came.
        await app(
            {**scope, "root_path": scope.get("root_path", "").removesuffix(self.path)},
            receive,
            send,
        )

    async def _begun(self, spoken: str) -> ASGIApp:
        async with self._making:
            if spoken not in self._apps:
                made = await asyncio.to_thread(self._made)
                ready = asyncio.get_running_loop().create_future()
                living = asyncio.create_task(self._live(made, ready))
                await ready
                self._living.append(living)
                self._apps[spoken] = made
            return self._apps[spoken]

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
        await asyncio.gather(*self._living)


def closing(pages: Sequence[Lazily]) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    """The lifespan of the application around `pages`: they end with it."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        for page in pages:
            await page.close()

    return lifespan
