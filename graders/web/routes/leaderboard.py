"""JSON route of the leaderboard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Request

from graders.core.errors import InputError
from graders.core.shapes import JSON, as_dict
from graders.core.words import error_parts
from graders.web.routes._viewing import filters_in
from graders.web.session import scope_of
from graders.workflows.leaderboard import ranking as use
from graders.workflows.leaderboard.ground import Wish

router = APIRouter()

#: Seconds after which a page is told how far reading is.
PATIENCE = 0.5


@dataclass
class Ranking:
    """What pages that rank or compare models ask with, beside the filters. `weights`:
    CRITERION:NUMBER, with a semicolon between them."""

    view: str = ""
    show: str = ""
    judge: str = ""
    weights: str = ""
    begun: int = 0

    def wish(self, request: Request) -> Wish:
        """As the workflows take it."""
        return Wish(
            view=self.view,
            show=self.show,
            judge=self.judge,
            weights=dict(_weight_of(text) for text in self.weights.split(";") if text),
            filters=filters_in(request),
            patience=PATIENCE,
            begun=bool(self.begun),
        )


@router.get("/api/leaderboard")
def leaderboard(
    request: Request,
    project: str,
    wanted: Annotated[Ranking, Depends()],
    a: str = "",
    b: str = "",
    rogan: int = 0,
) -> JSON:
    """The report, or ``{"progress": {"done", "of"}}`` while much is being read: then ask again with
    `begun`."""
    found = use.leaderboard_so_far(
        scope_of(request), project, wanted.wish(request), a=a, b=b, rogan_gladen=bool(rogan)
    )
    return as_dict(found)


def _weight_of(text: str) -> tuple[str, float]:
    """CRITERION:NUMBER, read."""
    key, _, number = text.rpartition(":")
    try:
        return key, float(number)
    except ValueError:
        raise InputError(**error_parts("leaderboard.error.typed_weight", typed=text)) from None
