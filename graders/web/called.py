"""Functions for programs: each module of `graders/web/calls`, or of an outside package, is one, and
all of them are one Gradio Blocks without anything to see.

`gradio_client` calls them by name, and where MCP is on, models call them as tools. What a function
takes and returns is told by its types and its docstring.
"""

from __future__ import annotations

import inspect
import logging
import math
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from enum import Enum
from importlib.util import find_spec
from typing import Any

from pydantic import TypeAdapter, ValidationError

from graders.core import discovery
from graders.core.errors import CogradeError, ContractError, InputError
from graders.core.settings import Settings
from graders.core.shapes import as_dict
from graders.core.words import error_parts, say
from graders.store.copies import passing
from graders.web.bounded import REFUSED
from graders.web.call_words import docstring, lacking, schema_of, told
from graders.web.caller import Caller, Served
from graders.web.kit.gradio import AsSent, gr, no_queue, typed_as, unserved
from graders.web.malformed import check
from graders.web.storage import told_of

#: Where they are.
PATH = "/call"
#: The most bytes of one call.
MOST_BYTES = 12 * 1024 * 1024
#: So many calls of one function run at once; so many of all wait.
AT_ONCE, WAITING = 8, 100
#: Seconds between two looks for a call that waits, as long as the app has been called at all.
LOOK_SECONDS = 0.02
_LOG = logging.getLogger(__name__)
_EMPTY = inspect.Parameter.empty


class Refused(gr.Error):
    """What a caller is told. Gradio prints no trace of it. `title`: whether the call was refused,
    or the server failed."""

    def __init__(self, text: str, title: str = REFUSED) -> None:
        super().__init__(text, title=title, print_exception=False)

    def __str__(self) -> str:
        return str(self.message)


def need_mcp(settings: Settings) -> None:
    """InputError where functions are to be tools and the package for that is not installed."""
    if settings.mcp and find_spec("mcp") is None:
        raise InputError(**error_parts("web.call.mcp"))


def calls() -> dict[str, Callable[..., Any]]:
    """All functions by name, in alphabetical order. One that is no whole function is left out and
    noted among the broken parts."""
    modules, failures = discovery.load_modules("calls", "graders.web.calls", ("call",))
    found: dict[str, Callable[..., Any]] = {}
    for module_name, module in sorted(modules.items()):
        name = module_name.rstrip("_")
        if lacks := lacking(module.call, Caller):
            error = ContractError(**error_parts("web.call.no_function", name=name, what=lacks))
            failures.append(discovery.Failure("call", name, str(error)))
        else:
            found[name] = module.call
    discovery.note("calls", failures)
    return found


def blocks_of_calls(served: Served) -> gr.Blocks:
    """The Blocks of all functions, to be mounted."""
    made: AsSent
    found = calls()
    listed = "\n".join(f"- `/{name}` {told(call)[0]}" for name, call in found.items())
    with unserved(), AsSent(title=say("web.call.title"), analytics_enabled=False) as made:
        gr.Markdown(f"{say('web.call.about')}\n\n{listed}")
        for name, call in found.items():
            gr.api(  # type: ignore[attr-defined]
                _endpoint(name, call, served), api_name=name, concurrency_limit=AT_ONCE, queue=False
            )
            _describe(made.newest_event, call)
        made.queue(max_size=WAITING)
    no_queue(made, LOOK_SECONDS)
    return made


def _endpoint(name: str, call: Callable[..., Any], served: Served) -> Callable[..., Any]:
    """The function as Gradio calls it: the request in the caller's place."""
    signature = inspect.signature(call, eval_str=True)
    own = list(signature.parameters.values())[1:]

    def called(request: Any, *values: Any) -> Any:
        with passing() as opened:
            try:
                # Gradio wraps the request, but for a tool
                caller = Caller(served, getattr(request, "request", request))
                return plain(call(caller, *_arguments(own, values)))
            except CogradeError as error:
                raise Refused(str(error)) from None
            except Exception as error:
                trouble = told_of(served.resolver, error)
                if trouble is None:
                    _LOG.exception("A function failed: %s.", name)
                raise Refused(trouble or say("web.failed"), title="Error") from None
            finally:
                for connection in opened:
                    connection.close()

    first = inspect.Parameter(
        "request", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=gr.Request
    )
    whole = signature.replace(parameters=[first, *own])
    called.__name__, called.__doc__ = name, docstring(call)
    called.__annotations__ = {one.name: one.annotation for one in whole.parameters.values()}
    called.__signature__ = whole  # type: ignore[attr-defined]
    return called


def _arguments(wanted: list[inspect.Parameter], given: tuple[Any, ...]) -> list[Any]:
    """The arguments as their types say; InputError for one that is missing or of another type."""
    if len(given) > len(wanted):
        raise InputError(**error_parts("web.call.too_many", found=len(given), most=len(wanted)))
    found = []
    for one, value in zip(wanted, given, strict=True):
        if value is None and one.default is not None:  # not given
            if one.default is _EMPTY:
                raise InputError(**error_parts("web.call.missing", name=one.name))
            found.append(one.default)
            continue
        check({one.name: value})
        try:
            read = TypeAdapter(one.annotation).validate_python(value)
        except ValidationError:
            parts = error_parts(
                "web.call.type",
                name=one.name,
                value=ascii(value)[:60],
                type=inspect.formatannotation(one.annotation),
            )
            raise InputError(**parts) from None
        check({one.name: read})  # a number may have come as text
        found.append(read)
    return found


def plain(value: Any) -> Any:
    """What a function returns, as JSON has it: records become objects, what is no number None."""
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if is_dataclass(value) and not isinstance(value, type):
        value = as_dict(value)
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset) or hasattr(value, "__next__"):
        return [plain(one) for one in value]
    return str(value)


def _describe(endpoint: Any, call: Callable[..., Any]) -> None:
    """Let Gradio's description of a function say what each argument is, and what comes back."""
    _, about = told(call)
    signature = inspect.signature(call, eval_str=True)
    wanted = list(signature.parameters.values())[1:]
    for one, component in zip(wanted, endpoint.inputs, strict=True):
        text = about[one.name]
        said = {"description": text, "additional_description": text}
        typed_as(component, one.name, {**schema_of(one.annotation), **said})
    for component in endpoint.outputs:
        typed_as(component, "result", schema_of(signature.return_annotation))
