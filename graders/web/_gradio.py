"""The one place that imports Gradio: ``from graders.web._gradio import gr``.

Gradio brings a few hundred thousand objects that stay. Looking through them for garbage while they come, and again at
every full collection later, would cost a tenth of the start and a pause of 0.1 s now and then in a request.
"""

from __future__ import annotations

import gc
import os

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")  # read when Gradio is imported: it asks hosts outside otherwise

gc.disable()
try:
    import gradio as gr
finally:
    gc.freeze()
    gc.enable()

__all__ = ["gr"]
