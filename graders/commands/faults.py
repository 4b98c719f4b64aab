"""Show the named faults, or all that is said of one."""

from __future__ import annotations

from typing import Annotated

import typer

from graders.commands._shell import JsonOption, show
from graders.core.words import carried
from graders.workflows.cells import fault_list

say = carried(
    "command_faults",
    {
        "name.help": "A fault to explain; without one, the list.",
        "help": (
            "Explain named faults. Lists those that rules find and those that a judge is asked "
            "about (cograde grade --faults), or explains one.\n\n"
            "Example: cograde faults buried_answer"
        ),
        "fault": "{title} ({severity}; counts against {speaks_to}; found by a {by})",
        "finding": "{by}, {finding}",
        "why": "Why it matters: {why}",
        "misses": "Known misses: {misses}",
        "example.has": "Has it",
        "example.has_not": "Has it not",
        "example.hard": "Hard to tell",
        "shortened": "{beginning} … {characters:,} characters",
    },
)
ABOUT = say("help")


_LONG = 300


def command(
    name: Annotated[str, typer.Argument(help=say("name.help"))] = "",
    as_json: JsonOption = False,
) -> None:
    """List the faults that rules find and those that a judge is asked about (cograde grade
    --faults), or explain one."""
    if name:
        told = fault_list.explained(name)
        return show(told, as_json, lambda: _explained(told))
    result = list(fault_list.named_faults().values())
    show(result, as_json, lambda: _list(result))


def _list(found: list[fault_list.NamedFault]) -> str:
    wide = max(len(fault.name) for fault in found)
    return "\n".join(
        (
            f"{fault.name:<{wide}}  {_by(fault):<14}  {fault.severity:<8}  "
            f"{fault.speaks_to:<12}  {fault.title}"
        )
        for fault in found
    )


def _by(fault: fault_list.NamedFault) -> str:
    return say("finding", by=fault.by, finding=fault.finding) if fault.finding else fault.by


def _explained(fault: fault_list.ExplainedFault) -> str:
    lines = [
        (
            say(
                "fault",
                title=fault.title,
                severity=fault.severity,
                speaks_to=fault.speaks_to,
                by=fault.by,
            )
        ),
        fault.about,
        fault.found,
    ]
    lines += [say("why", why=fault.why)]
    lines += [say("misses", misses=fault.misses)] if fault.misses else []
    for words, examples in (
        (say("example.has"), fault.present),
        (say("example.has_not"), fault.absent),
        (say("example.hard"), fault.missed),
    ):
        lines += [f"{words}: {e.question} -> {_short(e.answer)} ({e.why})" for e in examples]
    return "\n".join(lines)


def _short(answer: str) -> str:
    """The answer on one line; of a long one its beginning and its length."""
    line = " / ".join(part for part in answer.split("\n") if part)
    return (
        line
        if len(line) <= _LONG
        else say("shortened", beginning=line[:_LONG].rsplit(" ", 1)[0], characters=len(answer))
    )
