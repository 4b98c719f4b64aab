"""Show the named faults, or all that is said of one."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from graders.commands._shell import JsonOption, show
from graders.workflows.cells import faults

_LONG = 300


def command(
    name: Annotated[
        str, typer.Argument(help="A fault, to be told all about it; none: the list.")
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """List the faults that rules find and those that a judge is asked about (cograde grade
    --faults), or explain one.

    Example: cograde faults buried_answer
    """
    if name:
        told = faults.explained(name)
        return show(told, as_json, lambda: _explained(told))
    result = [fault.to_json() for fault in faults.named_faults().values()]
    show(result, as_json, lambda: _list(result))


def _list(found: list[dict[str, Any]]) -> str:
    wide = max(len(fault["name"]) for fault in found)
    return "\n".join(
        (
            f"{fault['name']:<{wide}}  {fault['by']:<5}  {fault['severity']:<8}  "
            f"{fault['speaks_to']:<12}  {fault['title']}"
        )
        for fault in found
    )


def _explained(fault: dict[str, Any]) -> str:
    lines = [
        (
            f"{fault['title']} ({fault['severity']}; counts against {fault['speaks_to']}; "
            f"found by a {fault['by']})"
        ),
        fault["about"],
    ]
    lines += [f"Why it hurts: {fault['why']}"]
    lines += [f"Known misses: {fault['misses']}"] if fault["misses"] else []
    for words, key in (("Has it", "present"), ("Has it not", "absent"), ("Hard to tell", "missed")):
        lines += [
            f"{words}: {e['question']} -> {_short(e['answer'])} ({e['why']})" for e in fault[key]
        ]
    return "\n".join(lines)


def _short(answer: str) -> str:
    """The answer on one line; of a long one its beginning and its length."""
    line = " / ".join(part for part in answer.split("\n") if part)
    return (
        line
        if len(line) <= _LONG
        else f"{line[:_LONG].rsplit(' ', 1)[0]} … {len(answer):,} characters"
    )
