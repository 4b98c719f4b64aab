"""The report as a workbook: a sheet of findings, and a sheet per table with values, bounds and
words in columns of their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from graders.workflows.report._parts import FIGURE
from graders.workflows.scope.workbook import Row, write_sheets


def write_workbook(report: Mapping[str, Any], target: Path) -> None:
    """Findings first; then every table, under the name that it has in the other formats."""
    tables = [table for section in report["sections"] for table in section["tables"]]
    write_sheets(
        target,
        [
            ("Findings", _findings(report)),
            *((table["title"][:31], _rows(table)) for table in tables),
        ],
    )


def _findings(report: Mapping[str, Any]) -> Iterator[Row]:
    yield ("section", "words")
    yield ("report", report["title"])
    if report["notice"]:
        yield ("illustrative" if report["illustrative"] else "note", report["notice"])
    for section in report["sections"]:
        for sentence in section["words"]:
            yield (section["title"], sentence)
        for sentence in section["quotes"]:
            yield (f"{section['title']}, to quote", sentence)
    for gate in report["gates"]:
        yield (f"gate: {gate['command']}", f"exit {gate['exit']}, {gate['words']}")


def _rows(table: Mapping[str, Any]) -> Iterator[Row]:
    kinds = [column["kind"] for column in table["columns"]]
    yield [
        head
        for column in table["columns"]
        for head in (
            [
                column["name"],
                f"{column['name']}, low",
                f"{column['name']}, high",
                f"{column['name']}, in words",
            ]
            if column["kind"] == FIGURE
            else [column["name"]]
        )
    ]
    for row in table["rows"]:
        found: list[Any] = []
        for kind, cell in zip(kinds, row, strict=True):
            if kind == FIGURE:
                found += (
                    [None] * 4
                    if cell is None
                    else [cell["value"], cell["low"], cell["high"], cell["text"]]
                )
            else:
                found.append(cell)
        yield found
