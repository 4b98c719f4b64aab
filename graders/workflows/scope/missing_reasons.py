"""Why there is no value, in words, for pages and commands alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graders.core.language import language_name
from graders.core.records import Subject
from graders.core.text_languages import compared_language
from graders.core.words import catalogue, say


def cause_words(cause: str) -> str:
    """What happened to a call, in a few words; a cause that the catalogue does not know is told
    without its underscores."""
    return _text("call", cause) or cause.replace("_", " ")


def cause_counts(causes: Mapping[str, int]) -> str:
    """``rate-limited (429) 3, no reply in time 1``; empty where there are none."""
    return ", ".join(f"{cause_words(cause)} {count:,}" for cause, count in causes.items())


def reason_words(
    reason: str, rationale: str = "", *, metric: str = "", subject: Subject | None = None
) -> str:
    """The sentence of a reason, with the remedy where there is one; "" for no reason.

    `metric` names the output that lacks its value, `subject` what it was to measure. A reason that
    the catalogue does not know (a plug-in's) is told by its own `rationale`, else by the code
    without underscores. What stands after a colon in `reason` is the particular case and is kept.
    """
    code, _, case = reason.partition(":")
    if not code:
        return ""
    if metric and code == "language":
        return _no_model(metric, subject)
    # of a metric its own sentences come first
    known = (_text("metric", code) if metric else None) or _text("verdict", code)
    if known is None:
        return rationale or reason.replace("_", " ")
    return f"{known.rstrip('.')}: {case.strip()}" if case.strip() else known


def cut_words(metadata: Mapping[str, Any], short: bool = False) -> str:
    """What a verdict is marked with whose judge saw references cut to its model's window, in words;
    "" for all others.

    `short` gives the figures alone. What a file wrote there and is not ours says nothing.
    """
    found = metadata.get("reference_cut")
    sizes = [found.get(name) for name in ("kept", "of")] if isinstance(found, Mapping) else []
    kept, of = (
        sizes
        if len(sizes) == 2
        and all(isinstance(size, int) and not isinstance(size, bool) for size in sizes)
        else (0, 0)
    )
    if kept is None or of is None or not 0 <= kept < of:
        return ""
    figures = say("scope.cut_figures", kept=kept, of=of)
    return figures if short else say("scope.cut", figures=figures)


def misquote_words() -> str:
    """What is said beside a verdict whose quote stands nowhere."""
    return say("scope.misquotes")


def _text(kind: str, code: str) -> str | None:
    """What the catalogue says of a code: of a ``verdict`` without a value, of a ``metric`` without
    one, of a ``call`` without a usable reply in a few words; None where it says nothing."""
    return catalogue().text(f"scope.{kind}.{code}") if code else None


def note_words(metadata: Mapping[str, Any]) -> str:
    """What a page says beside a verdict of what it is marked with: a reference that was cut, the
    order of a pair."""
    return cut_words(metadata) or orders_words(metadata)


def orders_words(metadata: Mapping[str, Any]) -> str:
    """That a pair's verdict depends on the order of its answers, and what was said in each; "" for
    all others."""
    found = metadata.get("orders")
    said = (
        found
        if isinstance(found, list)
        and len(found) == 2
        and all(isinstance(one, str) and len(one) < 20 for one in found)
        else [""]
    )
    if len(set(said)) < 2:
        return ""
    return say("scope.both_orders", first=said[0], second=said[1])


def _no_model(metric: str, subject: Subject | None) -> str:
    """Why a metric says nothing about a text in this language, and the setting that changes it."""
    if metric.startswith("code_"):
        return say("scope.no_code_language")
    code = (
        compared_language(subject, subject.question.references)
        .replace("_", "-")
        .split("-")[0]
        .casefold()
        if subject is not None
        else ""
    )
    name = language_name(code) if code else say("scope.this_language")
    if metric.startswith("bertscore"):
        return say(
            "scope.no_bertscore",
            language=name,
            setting="encoder" if code == "en" else "bertscore_multilingual",
        )
    if metric.startswith("embedding"):
        return say(
            "scope.no_vectors", language=name, setting="encoder" if code == "en" else "multilingual"
        )
    return say("scope.no_language", language=name)
