"""The report as Markdown. Texts from files and models are shown as texts, whatever they hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from graders.workflows.benchmarks.markdown import escaped
from graders.workflows.report._parts import FIGURE, TEXT


def markdown(report: Mapping[str, Any]) -> str:
    """The whole report; figures that charts show stand in its tables."""
    return "\n".join(_lines(report))


def _lines(report: Mapping[str, Any]) -> Iterator[str]:
    yield f"# {escaped(report['title'])}"
    yield ""
    if report["notice"]:
        yield (
            f"> {'**Illustrative.** ' if report['illustrative'] else ''}{escaped(report['notice'])}"
        )
        yield ""
    yield from (f"- {escaped(one['words'])}" for one in report["findings"])
    for section in report["sections"]:
        yield ""
        yield f"## {section['title']}"
        yield ""
        yield from (f"- {escaped(words)}" for words in section["words"])
        if section["quotes"]:
            yield "\n### Sentences to quote\n"
            yield from (f"- {escaped(words)}" for words in section["quotes"])
        for table in section["tables"]:
            yield ""
            yield from _table(table)
    yield ""
    yield "## Gates"
    yield ""
    yield from (
        f"- {gate['command']}: exit {gate['exit']}, {gate['words']}" for gate in report["gates"]
    )
    yield ""


def _table(table: Mapping[str, Any]) -> Iterator[str]:
    columns = table["columns"]
    yield f"### {escaped(table['title'])}"
    yield ""
    yield "| " + " | ".join(escaped(column["name"]) for column in columns) + " |"
    yield "|" + "|".join("---" if column["kind"] == TEXT else "---:" for column in columns) + "|"
    for row in table["rows"]:
        yield (
            "| "
            + " | ".join(
                _cell(cell, column["kind"]) for cell, column in zip(row, columns, strict=True)
            )
            + " |"
        )


def _cell(cell: Any, kind: str) -> str:
    if cell is None:
        return ""
    if kind == FIGURE:
        return escaped(cell["text"])
    return escaped(f"{cell:,}" if isinstance(cell, int) else str(cell))
