"""The list of functions for programs as docs/call.md has it, made from the functions.

``python -m tests.support.call_list`` writes it there.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

from graders.web.call_words import fields_of, told
from graders.web.called import calls
from graders.workflows.report.rows import RECORDS

DOCUMENT = Path(__file__).parents[2] / "docs/call.md"
HEADING = "## Functions\n"


def listed() -> str:
    """The list: a part for each function."""
    return "\n".join(line for name, call in calls().items() for line in _part(name, call))


def _part(name: str, call: Callable[..., Any]) -> Iterator[str]:
    text, about = told(call)
    signature = inspect.signature(call, eval_str=True)
    yield from (f"### {name}", "", text, "")
    arguments = list(signature.parameters.values())[1:]
    if arguments:
        yield from ("| Argument | Type | Default | What |", "| --- | --- | --- | --- |")
    for one in arguments:
        kind = inspect.formatannotation(one.annotation).replace("typing.", "").replace("|", "\\|")
        default = "" if one.default is inspect.Parameter.empty else f"`{one.default!r}`"
        yield f"| `{one.name}` | {kind} | {default} | {about[one.name]} |"
    if arguments:
        yield ""
    yield from _result(signature.return_annotation)


def _result(kind: Any) -> Iterator[str]:
    (record,) = get_args(kind)[:1] or (kind,)
    table = next((name for name, one in RECORDS.items() if one is record), "")
    if table:
        yield from (f"Gives a list of rows with the columns of [{table}](notebook.md#{table}).", "")
    elif record is str:
        yield from ("Gives the text.", "")
    elif about := fields_of(record):
        yield from ("| It gives | What |", "| --- | --- |")
        yield from (f"| `{name}` | {words} |" for name, words in about.items())
        yield ""
    else:
        names = ", ".join(f"`{name}`" for name in record.__dataclass_fields__)
        several = "a list of records" if record is not kind else "a record"
        said = re.sub(r"\s+", " ", inspect.getdoc(record) or "")
        yield from (f"Gives {several} with {names}. {said}", "")


if __name__ == "__main__":
    before = DOCUMENT.read_text("utf-8").split(HEADING)[0]
    DOCUMENT.write_text(f"{before}{HEADING}\n{listed()}", "utf-8")
