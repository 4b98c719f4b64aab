"""What a page shows as it is opened: it comes with its first drawing in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import unescape
from typing import Any


def config_of(page: str) -> Any:
    """What Gradio makes a page of, from its HTML."""
    return json.JSONDecoder().raw_decode(page.partition("window.gradio_config = ")[2])[0]


def texts_in(page: str) -> Iterator[str]:
    """All texts of a page, those of HTML with their signs."""
    waiting = [config_of(page)]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield unescape(one)
        else:
            waiting += (
                one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()
            )
