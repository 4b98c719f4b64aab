"""The one place that imports Gradio, and that knows its insides: ``from graders.web.kit.gradio
import gr``. What is patched, or leant on without being documented, stands here with its reason, and
`tests/web/test_gradio.py` tells when Gradio changes it.

Gradio brings a few hundred thousand objects that stay. Looking through them for garbage while they
come, and again at every full collection later, would cost a tenth of the start and a pause of 0.1 s
now and then in a request.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from types import SimpleNamespace
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

__all__ = [
    "FIRST",
    "AsSent",
    "any_of",
    "asked_by",
    "gr",
    "no_queue",
    "said_by",
    "typed_as",
    "unserved",
    "value_is_file",
]

#: Between two looks of Gradio's queue of a page, which stays empty.
QUEUE_SECONDS = 5.0
#: What a page begins with. What Gradio shows while a page comes goes on turning unseen, sixty times
#: a second for as long as the page is open: a tenth of a processor, and a telephone's battery. So
#: the frames that are asked for until our scripts begin are noted, and called off then. Who goes
#: back meanwhile has asked for another page than came: that is noted too.
FIRST = """<script>(() => {
const ask = window.requestAnimationFrame, asked = new Set();
window.requestAnimationFrame = (then) => {
  const frame = ask.call(window, then);
  asked.add(frame);
  return frame;
};
window.cogradeRest = () => {
  window.requestAnimationFrame = ask;
  asked.forEach((frame) => cancelAnimationFrame(frame));
  asked.clear();
};
})()</script>"""

#: What a page is sent as to who opens it just now; Gradio's own where nothing is.
_SENT: ContextVar[Any] = ContextVar("sent", default=None)


class AsSent(gr.Blocks):
    """Blocks whose events get what was sent, as it was sent; what is missing at the end is None.

    Gradio would download the file that an address in it names, whoever sent it, and log all that
    was sent where something is missing.
    """

    @property
    def config(self) -> Any:
        """What the browser makes the page of: while one is `opened`, with its first drawing."""
        return _SENT.get() or self._config

    @config.setter
    def config(self, made: Any) -> None:
        self._config = made

    @property
    def newest_event(self) -> Any:
        """The event that was set up last."""
        return list(self.fns.values())[-1]

    async def opened(self, drawing: Any, parts: Mapping[Any, Any]) -> None:
        """From now on in this context the page is sent with these `parts` in it, as if the event
        `drawing` had answered them: what Gradio would draw twice is drawn once."""
        values = await self.postprocess_data(drawing, dict(parts), None)
        shown = {
            block._id: value if _is_update(value) else {"value": value}
            for block, value in zip(drawing.outputs, values, strict=True)
        }
        components = [
            {**one, "props": {**one["props"], **_props(shown[one["id"]])}}
            if one["id"] in shown
            else one
            for one in self._config["components"]
        ]
        _SENT.set({**self._config, "components": components})

    async def preprocess_data(
        self, block_fn: Any, inputs: list[Any], state: Any, explicit_call: bool = False
    ) -> list[Any]:
        """What was sent."""
        return [*inputs, *[None] * (len(block_fn.inputs) - len(inputs))]


def _is_update(value: Any) -> bool:
    return isinstance(value, dict) and value.get("__type__") == "update"


def _props(update: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in update.items() if name != "__type__"}


def said_by(event: gr.EventData) -> dict[str, Any]:
    """What an event carries. `EventData` has it as attributes alone, each by a name that is known
    beforehand; what parts say is known to their page."""
    return event._data if isinstance(event._data, dict) else {}


def asked_by(request: gr.Request) -> Any:
    """The ASGI scope of who called an event, with the session. `gr.Request` hands on single
    attributes of the request that it stands for."""
    starlette: Any = request.request
    return starlette.scope


def any_of(listens: Sequence[Callable[..., Any]]) -> Callable[..., Any]:
    """The listener of several events, which are one: while it is under way the next one of any of
    them waits. Gradio's listener of an event of one's own is not bound to its component as others
    are, and `gr.on` looks for that."""
    events = [
        SimpleNamespace(**vars(one.func), __self__=one.args[0]) if isinstance(one, partial) else one
        for one in listens
    ]
    return partial(gr.on, events)


def no_queue(blocks: gr.Blocks, seconds: float = QUEUE_SECONDS) -> None:
    """Nothing is ever put into the queue of these Blocks: it is looked at every so many seconds.
    Gradio looks a thousand times a second, a tenth of a processor for as long as the app runs."""
    queue = blocks._queue
    queue.sleep_when_free = queue.progress_update_sleep_when_free = seconds


def typed_as(component: Any, label: str, schema: Mapping[str, Any]) -> None:
    """What Gradio says to programs of an argument, or of what comes back. It derives that from the
    component of a type, of which it knows a few; ours say more."""
    component.label, component._api_info = label, dict(schema)


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
