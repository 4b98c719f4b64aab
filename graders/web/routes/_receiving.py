"""Taking in an uploaded file from a request, piece by piece."""

from __future__ import annotations

from urllib.parse import unquote

import anyio
from fastapi import Request

from graders.web.session import Resolver, scope_of
from graders.web.uploads import Uploads, too_large
from graders.workflows.scope.permissions import Scope, allowed

#: Bytes that are gathered before they are written.
BLOCK = 1 << 20


def uploads(request: Request) -> Uploads:
    """The uploads of this application."""
    known: Uploads = request.app.state.uploads
    return known


async def received(request: Request, kept: Uploads) -> tuple[Scope, str]:
    """Keep the body of a request as an upload; its name is in the header x-file-name
    (percent-encoded). Who asks, and the token."""
    scope = await anyio.to_thread.run_sync(scope_of, request, True)
    allowed(scope, "import")
    label = unquote(request.headers.get("x-file-name", ""), errors="replace")[:300] or "file"
    resolver: Resolver = request.app.state.resolver
    most, announced = resolver.most_upload(), int(request.headers.get("content-length") or 0)
    if announced > most:
        raise too_large(label, most)
    await anyio.to_thread.run_sync(resolver.find_room, announced)
    token, path = await anyio.to_thread.run_sync(kept.begin, scope.ws, label)
    try:
        size, block = 0, bytearray()
        async with await anyio.open_file(path, "wb") as out:
            async for chunk in request.stream():
                size += len(chunk)
                if size > most:
                    raise too_large(label, most)
                block += chunk
                if len(block) >= BLOCK:
                    # others may send at the same time
                    await anyio.to_thread.run_sync(resolver.find_room, len(block))
                    await out.write(bytes(block))
                    block.clear()
            await out.write(bytes(block))
        await anyio.to_thread.run_sync(kept.trim, scope.ws, resolver.most_bytes())
    except BaseException:
        kept.drop(token)
        raise
    return scope, token
