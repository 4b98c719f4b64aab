"""The route that takes in a file for a page, and the one that forgets it."""

from __future__ import annotations

from fastapi import APIRouter, Request

from graders.core.shapes import JSON
from graders.web.routes._receiving import received, uploads

router = APIRouter()


@router.post("/api/upload")
async def upload(request: Request) -> JSON:
    """Keep a file, its bytes as the body, its name in the header x-file-name (percent-encoded);
    returns {token, label}: a page asks for it by its token."""
    kept = uploads(request)
    scope, token = await received(request, kept)
    return {"token": token, "label": kept.find(scope.ws, token)[1]}
