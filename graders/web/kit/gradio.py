"""The one place that imports Gradio: ``from graders.web.kit.gradio import gr``.

Gradio brings a few hundred thousand objects that stay. Looking through them for garbage while they
come, and again at every full collection later, would cost a tenth of the start and a pause of 0.1 s
now and then in a request.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# read when Gradio is imported: it asks hosts outside otherwise
os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")

gc.disable()
try:
    import gradio as gr
    from gradio import blocks
    from gradio_client.utils import value_is_file  # type: ignore[import-untyped]
finally:
    gc.freeze()
    gc.enable()

__all__ = ["AsSent", "gr", "unserved", "value_is_file"]


class AsSent(gr.Blocks):
    """Blocks whose events get what was sent, as it was sent; what is missing at the end is None.

    Gradio would download the file that an address in it names, whoever sent it, and log all that
    was sent where something is missing.
    """

    async def preprocess_data(
        self, block_fn: Any, inputs: list[Any], state: Any, explicit_call: bool = False
    ) -> list[Any]:
        """What was sent."""
        return [*inputs, *[None] * (len(block_fn.inputs) - len(inputs))]


class _Unserved:
    """Stands where Gradio would make an application."""

    @staticmethod
    def create_app(*_: object, **__: object) -> None:
        """Nothing: mounting makes the one that is served."""


@contextmanager
def unserved() -> Iterator[None]:
    """Blocks made meanwhile are to be mounted, not launched.

    Gradio makes an application of some eighty routes for each when it is begun, again when it is
    ended, and a third one that is served when it is mounted: the first two were a tenth of the
    start.
    """
    real = blocks.App  # type: ignore[attr-defined]
    blocks.App = _Unserved  # type: ignore[attr-defined, assignment]
    try:
        yield
    finally:
        blocks.App = real  # type: ignore[attr-defined]
