"""What pages offer because a part for it is installed: providers, kinds of files, downloads."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from fastapi import APIRouter, Request

from graders.core import provider_names
from graders.workflows.importing import look
from graders.workflows.report import export

router = APIRouter()


@router.get("/api/offered/providers")
def providers() -> list[dict[str, Any]]:
    """Providers that judges and models may name: {word, about, batch_share}; the share of the price
    that a batch costs is null where none are taken."""
    return [asdict(named) for named in provider_names.offered()]


@router.get("/api/offered/files")
def files(request: Request) -> dict[str, Any]:
    """Files that may be imported: {suffixes, most, encodings}, the most in bytes."""
    return {
        "suffixes": look.endings(),
        "most": request.app.state.resolver.most_upload(),
        "encodings": look.encodings(),
    }


@router.get("/api/offered/downloads")
def downloads() -> list[export.Format]:
    """Formats of results."""
    return export.formats()
