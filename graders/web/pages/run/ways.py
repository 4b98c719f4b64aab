"""How judges and models are reached: an address, headers and a key for each provider of a run."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graders.web.kit import Frame, drawn
from graders.web.kit.gradio import gr
from graders.workflows.runs.shown_run import ShownRun


@dataclass(frozen=True, slots=True)
class Reached:
    """How judges are reached: one address for all, or one by provider, and headers."""

    base_url: str
    base_urls: Mapping[str, str]
    headers: Mapping[str, str]


def section(frame: Frame, title: str) -> tuple[Any, Any]:
    """The fold and its fields, one set for each provider."""
    with gr.Accordion(title, open=False, elem_classes="k-fold") as fold:
        return fold, frame.part(acts=True)


def fields(
    judges: Sequence[str], kind: str, run: ShownRun | Reached | None, since: str = ""
) -> str:
    """The fields for the providers of some `judges`, filled with what a run was told. `kind` tells
    the fields of two forms apart; with another `since` what was typed is emptied."""
    names = providers(judges)
    return drawn(
        "run/ways.html",
        names=names if len(names) > 1 else [""],
        kind=kind,
        run=run,
        since=since,
    )


def providers(judges: Sequence[str]) -> list[str]:
    """The providers that judges name, such as openai; a judge that was set up stands for itself. A
    criterion may stand before a judge: ``relevance=openai:gpt-4o``."""
    names = (re.sub(r"^[^:=]*=", "", judge).split(":")[0] for judge in judges)
    return list(dict.fromkeys(names))


def of_fields(given: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """``{"key.openai": "k", "address.": "a"}`` as ``{"key": {"openai": "k"}, ...}``; what is empty
    is left out."""
    found: dict[str, dict[str, str]] = {}
    for name, value in given.items():
        what, dot, whose = str(name).partition(".")
        if dot and isinstance(value, str) and value.strip():
            found.setdefault(what, {})[whose] = value.strip()
    return found


def addresses(given: Any) -> dict[str, Any]:
    """The options of a run that say where judges are, from the fields."""
    typed = of_fields(given) if isinstance(given, dict) else {}
    where = typed.get("address", {})
    one = where.pop("", "")
    return {"base_url": one, "base_urls": where, "headers": typed.get("headers", {})}


def keys(given: Any) -> dict[str, str]:
    """The keys in the fields, by what they are for."""
    return of_fields(given).get("key", {}) if isinstance(given, dict) else {}


def named(typed: Any) -> list[str]:
    """Judges or models that were picked or typed, with commas between them; a space parts them
    too, but in the name of a model, where it is said to be odd."""
    some = typed if isinstance(typed, list) else [typed]
    parts = [part.strip() for text in some for part in str(text or "").split(",")]
    return [
        name
        for part in parts
        for name in (re.split(r"\s+(?=[^\s:]+:)", part) if ":" in part else part.split())
        if name
    ]
