"""The route that takes in a file for a page, piece by piece."""

from __future__ import annotations

from urllib.parse import unquote

import anyio
from fastapi import APIRouter, Request

from graders.core.shapes import JSON
from graders.web.session import Resolver, scope_of
from graders.web.uploads import Uploads, too_large
from graders.workflows.scope.permissions import Scope, allowed

#: Bytes that are gathered before they are written.
BLOCK = 1 << 20

router = APIRouter()


@router.post("/api/upload")
async def upload(request: Request) -> JSON:
    """Keep a file, its bytes as the body, its name in the header x-file-name (percent-encoded);
    returns {token, label}: a page asks for it by its token."""
    kept: Uploads = request.app.state.uploads
    scope, token = await _received(request, kept)
    return {"token": token, "label": kept.find(scope.ws, token)[1]}


async def _received(request: Request, kept: Uploads) -> tuple[Scope, str]:
    """Keep the body of a request as an upload. Who asks, and the token."""
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
