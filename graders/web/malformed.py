"""Calls that no page of ours makes are refused in a sentence before a route reads them: numbers
that no database holds, half characters, nests without an end, bodies that are no JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, get_args

from fastapi import Request
from fastapi.exception_handlers import http_exception_handler
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from graders.core.errors import InputError, NotFound
from graders.core.words import error_parts, say

#: Whole numbers from here on have no place in the database.
BEYOND = 2**63
#: Lists in lists that a body may hold.
DEEPEST = 64
#: The key of what is expected, by the beginning of the kind of error.
EXPECTED = (
    ("missing", "value"),
    ("int", "whole"),
    ("float", "number"),
    ("finite", "number"),
    ("bool", "yes_or_no"),
    ("string", "text"),
    ("json", "json"),
    ("dict", "names"),
)


async def sound(request: Request) -> None:
    """A dependency of every own route. InputError where no page of ours can have sent what the call
    holds."""
    route = request.scope.get("route")
    if not isinstance(route, APIRoute):
        return
    for field in route.dependant.query_params:
        kind = field.field_info.annotation
        if kind is int or int in get_args(kind):
            for text in request.query_params.getlist(field.alias):
                if _too_large(text):
                    raise _wrong(
                        field.alias, say("web.malformed.too_large"), say("web.malformed.smaller")
                    )
    if route.body_field is not None:
        try:
            body = await request.json()
        except ValueError:
            # sent as something else than JSON: refused where the route's own fields are read
            return
        check(body)


def check(body: Any) -> None:
    """InputError where JSON holds numbers, texts or nests that nothing here can keep."""
    layer: Sequence[tuple[str, Any]] = [("call", body)]
    for _ in range(DEEPEST):
        layer = [part for name, value in layer for part in _parts(name, value)]
        if not layer:
            return
    raise _wrong("call", say("web.malformed.too_deep", most=DEEPEST), say("web.malformed.fewer"))


def _parts(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """What stands in a value, each part with the name to which it belongs; the value itself is
    checked."""
    if isinstance(value, str):
        if not _whole(value):
            raise _wrong(
                name,
                say("web.malformed.half"),
                say("web.malformed.as_text"),
                say("web.malformed.write_again"),
            )
    elif isinstance(value, int | float):
        if not abs(value) < BEYOND:  # nor is what is no number at all smaller
            raise _wrong(name, say("web.malformed.no_number"), say("web.malformed.smaller"))
    elif isinstance(value, list):
        yield from ((name, part) for part in value)
    elif isinstance(value, dict):
        for key, part in value.items():
            if not _whole(key):
                raise _wrong(
                    "call", say("web.malformed.half_character"), say("web.malformed.as_text")
                )
            yield key, part


def _whole(text: str) -> bool:
    """Whether a text can be written: JSON may hold halves of the pairs in which it writes rare
    characters."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _too_large(text: str) -> bool:
    try:
        return abs(float(text)) >= BEYOND
    except ValueError:
        return False  # what is no number at all is refused by its own sentence


def _wrong(where: str, found: str, expected: str, remedy: str = "") -> InputError:
    shown = ascii(where[:60])[1:-1] if where else say("web.malformed.empty_name")
    return InputError(
        shown, found=found, expected=expected, remedy=remedy or say("web.malformed.reload")
    )


def unreadable(request: Request, error: Exception) -> Response:
    """What is said of a call whose parts have not the form that its route reads."""
    first = error.errors()[0] if isinstance(error, RequestValidationError) else {}
    place = [str(part) for part in first.get("loc", ())[1:]]
    kind = str(first.get("type", ""))
    where = place[0] if place and kind != "json_invalid" else "call"
    expected = next(
        (say(f"web.malformed.kind.{key}") for begins, key in EXPECTED if kind.startswith(begins)),
        say("web.malformed.as_page"),
    )
    found = (
        say("web.malformed.nothing")
        if kind == "missing" or first.get("input") is None
        else ascii(first["input"])[:60]
    )
    if kind == "json_invalid":
        found = say("web.malformed.no_text")
    return JSONResponse({"error": str(_wrong(where, found, expected))}, 422)


async def unparsed(request: Request, error: Exception) -> Response:
    """What is said of a body that Gradio could not read; its own clients know its other answers."""
    assert isinstance(error, HTTPException)
    if error.status_code == 400:
        return refused(request, error)
    return await http_exception_handler(request, error)


def refused(request: Request, error: Exception) -> Response:
    """What is said where an address does not answer, or not to this kind of call."""
    assert isinstance(error, HTTPException)
    if error.status_code == 404:
        said = str(NotFound(**error_parts("web.no_address")))
    elif error.status_code == 405:
        said = str(InputError(**error_parts("web.no_method", method=request.method[:10])))
    else:
        said = str(InputError(**error_parts("web.no_json")))
    return JSONResponse({"error": said}, error.status_code, headers=error.headers)
