"""Strict reading of what a judge wrote: a value is taken only where there is no doubt about it.

A reply is one JSON object; a Markdown fence around it is tolerated, and the thoughts that reasoning
models put before it where their server does not take them out (``<think>...</think>``); anything
else beside it is not. Nothing is repaired or guessed: what cannot be read is a Problem with a
cause, so that it can be asked again.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from graders.core.errors import ScaleError
from graders.core.quotes import quotes_words, stands_in
from graders.core.records import Evidence, Mark, Problem, Reply
from graders.core.rubric import Criterion
from graders.core.text import find_quote
from graders.core.words import say

ABSENT = "absent"
_FENCED = re.compile(r"\A```[A-Za-z]*[ \t]*\r?\n(.*?)\r?\n?```\Z", re.DOTALL)
#: Up to the last closing mark: thoughts may quote an answer that writes such a mark and a verdict
#: of its own behind it.
_THOUGHTS = re.compile(r"\A.*</think(?:ing)?>", re.DOTALL)
_OPENING = ("<think>", "<thinking>")
_QUOTES = "\"'“”„«»‘’「」『』"
_SHOWN = 120


class _Refused(ValueError):
    """JSON that a strict reader does not take."""


def read_object(text: str) -> dict[str, Any] | Problem:
    """The one JSON object that `text` is; Problem ``malformed`` otherwise (NaN, doubled keys, text
    beside it)."""
    body = without_thoughts(text)
    fenced = _FENCED.match(body)
    try:
        found = json.loads(
            fenced[1] if fenced else body,
            parse_constant=_refuse_constant,
            object_pairs_hook=_unique,
        )
    except (ValueError, RecursionError) as error:
        # Where the very first character is wrong, a place within the text says nothing.
        first = isinstance(error, json.JSONDecodeError) and error.pos == 0
        detail = (
            say("judges.reply.no_json", said=shown(body))
            if first
            else say("judges.reply.broken_json", error=error, said=shown(body))
        )
        return Problem(cause="malformed", detail=detail)
    if not isinstance(found, dict):
        return Problem(cause="malformed", detail=say("judges.reply.no_object", said=shown(body)))
    return found


def without_thoughts(text: str) -> str:
    """`text` without the thoughts before it, stripped. Some servers write the opening mark into the
    prompt: then the closing one alone stands in the reply."""
    body = text.strip()
    thinks = body.startswith(_OPENING) or not (
        body.startswith(("{", "```")) or any(mark in body for mark in _OPENING)
    )
    return _THOUGHTS.sub("", body).strip() if thinks else body


def read_reply(reply: Reply) -> dict[str, Any] | Problem:
    """The object that a reply says; Problem where none came, by its cause, or none can be read."""
    return (
        Problem(cause=reply.cause, detail=reply.detail) if reply.cause else read_object(reply.text)
    )


def read_opinions(
    found: Mapping[str, Any], criterion: Criterion, parts: Sequence[str], text: str
) -> list[tuple[str, Mark | Problem]]:
    """(part, Mark or Problem) for each of `parts`, which is ("",) for a criterion without parts.

    Entries of a checklist stand under their numbers, from 1. `text` is the answer, in which quotes
    are looked for.
    """
    if criterion.name not in found:
        return [
            (
                part,
                Problem(
                    cause="malformed", detail=say("judges.reply.missing", criterion=criterion.name)
                ),
            )
            for part in parts
        ]
    entry = found[criterion.name]
    if tuple(parts) == ("",):
        return [("", read_opinion(entry, criterion, text, criterion.name))]
    entries = entry if isinstance(entry, dict) else {}
    names = [str(n) for n in range(1, len(parts) + 1)] if criterion.elements else parts
    return [
        (part, read_opinion(entries.get(name), criterion, text, f"{criterion.name}, {name}"))
        for part, name in zip(parts, names, strict=True)
    ]


def cited(mark: Mark, criterion: Criterion) -> Mark:
    """The mark, unscored where an entry of a list is said to be there and the passage that was
    quoted for it is not.

    A judge that is believed without its citation would decide what the citation is there to show. A
    full stop stands in every answer and shows nothing.
    """
    lost = [e for e in mark.evidence if not e.found or not any(map(str.isalnum, e.quote))]
    if mark.value is None or not lost or not criterion.score_of(mark.value):
        return mark
    reason = say(
        "judges.no_passage", value=repr(mark.value), quote=lost[0].quote or say("judges.absent")
    )
    return Mark(
        status="unscored", reason="citation_not_found", rationale=reason, evidence=mark.evidence
    )


def read_opinion(entry: Any, criterion: Criterion, text: str, where: str) -> Mark | Problem:
    """One opinion ``{evidence, rationale, value, confidence}`` as a Mark."""
    if not isinstance(entry, dict):
        return Problem(
            cause="malformed", detail=say("judges.reply.opinion", where=where, said=shown(entry))
        )
    missing = [name for name in ("evidence", "rationale", "value") if name not in entry]
    if missing:
        return Problem(
            cause="malformed",
            detail=say("judges.reply.fields", where=where, missing=", no ".join(missing)),
        )
    if not isinstance(entry["evidence"], str) or not isinstance(entry["rationale"], str):
        return Problem(cause="malformed", detail=say("judges.reply.texts", where=where))
    if isinstance(entry["value"], dict | list) or entry["value"] is None:
        return Problem(
            cause="malformed",
            detail=say("judges.reply.value", where=where, said=shown(entry["value"])),
        )
    try:
        value = criterion.scale.parse(entry["value"])
    except ScaleError:
        return Problem(
            cause="off_scale",
            detail=say(
                "judges.reply.opinion_off_scale",
                where=where,
                said=shown(entry["value"]),
                scale=criterion.scale.describe(),
            ),
        )
    confidence = read_confidence(entry.get("confidence"))
    return Mark(
        value=value,
        confidence=confidence,
        confidence_kind="" if confidence is None else "stated",
        rationale=whole(entry["rationale"]).strip(),
        evidence=(read_evidence(whole(entry["evidence"]), text),),
    )


def read_confidence(found: Any) -> float | None:
    """A number from 0 to 1, else None: a stated confidence that makes no sense is none, the value
    beside it stands."""
    if (
        isinstance(found, bool)
        or not isinstance(found, int | float)
        or not math.isfinite(found)
        or not 0 <= found <= 1
    ):
        return None
    return float(found)


def read_evidence(quote: str, text: str) -> Evidence:
    """The quote as it stands in `text`, with its place; ``found`` is False where it does not stand
    there. One that stands there apart from its Markdown, or with words left out, is found and has
    no place."""
    quote = quote.strip()
    if quote.strip(_QUOTES + " .").casefold() == ABSENT:
        return Evidence(absent=True)
    place = find_quote(quote, text)
    if place is not None:
        return Evidence(quote=text[place[0] : place[1]], found=True, start=place[0], end=place[1])
    return Evidence(quote=quote, found=quotes_words(quote) and stands_in(quote, [text]))


def whole(text: str) -> str:
    """`text` with lone surrogates replaced: JSON can write them, UTF-8 (databases, requests)
    cannot."""
    return (
        text
        if text.isascii()
        else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    )


def shown(found: Any) -> str:
    """The beginning of `found`, for messages."""
    words = found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)
    return whole(words if len(words) <= _SHOWN else words[:_SHOWN] + " ...")


def _refuse_constant(name: str) -> Any:
    raise _Refused(say("judges.reply.constant", name=name))


def _unique(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Refused(say("judges.reply.doubled"))
    return found
