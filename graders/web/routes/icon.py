"""The icon in the browser's tab."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter
from fastapi.responses import FileResponse

router = APIRouter()
ICON = Path(__file__).parents[1] / "assets" / "icon.svg"


@router.get("/favicon.ico")
def icon() -> FileResponse:
    """A small diamond."""
    return FileResponse(ICON, media_type="image/svg+xml")
