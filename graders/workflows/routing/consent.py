"""More than half of a project is drawn only with the lead's consent: drawn answers get no
suggestion."""

from __future__ import annotations

from graders.core.errors import InputError
from graders.core.words import error_parts
from graders.workflows.routing.calibration import MOST_SHARE


class NeedsConsent(InputError):
    """More than half of a project would be drawn, and the lead has not agreed to that."""


def needs_consent(share: float, before: float) -> bool:
    """Whether a share of drawn answers, which is `before` now, asks for the lead's consent."""
    return share > max(MOST_SHARE, before)


def check(share: float, before: float, *, consent: bool) -> None:
    """Raise NeedsConsent where a share asks for the lead's consent and there is none."""
    if consent or not needs_consent(share, before):
        return
    key = "whole" if share >= 1 else "above_half"
    raise NeedsConsent(**error_parts(f"routing.consent.{key}", share=share, most=MOST_SHARE))
