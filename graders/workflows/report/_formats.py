"""The report in its formats: HTML, Markdown, workbook. Texts from files and models stay texts,
whatever they hold."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from graders.core.words import say
from graders.workflows.benchmarks.cases import BUNDLED
from graders.workflows.benchmarks.markdown import escaped
from graders.workflows.report._parts import FIGURE, TEXT, Cell, Figure, Report, Section, Table
from graders.workflows.scope.workbook import Row, write_sheets

_PLACE = Path(__file__).resolve().parents[3] / "data" / "report"


def summary(report: Report) -> list[tuple[str, list[tuple[str, str]]]]:
    """What comes first in every format: title and sentences of what is known and of what is
    missing, each with the key of its section, empty for none."""
    known = [(one.section, one.words) for one in report.findings if one.known]
    lacking = [("", words) for words in report.missing] + [
        (one.section, one.words)
        for one in report.findings
        if not one.known and one.section != "progress"  # told among what is missing
    ]
    return [
        (title, sentences)
        for title, sentences in (
            (say("report.known"), known),
            (say("report.missing"), lacking or [("", say("report.missing.none"))]),
        )
        if sentences
    ]


# -- one HTML file that needs nothing beside it. All texts are escaped; it holds no script, and
# charts are inline SVG


def html(report: Report) -> str:
    """The whole report as one page, light or dark as the reader's machine is set; it prints too."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_PLACE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    # One look for all reports: what is said of pages of reports in general, then what is particular
    # to this one.
    style = [(place / "page.css").read_text("utf-8") for place in (BUNDLED / "report", _PLACE)]
    return environment.get_template("page.html").render(
        report=report,
        summary=summary(report),
        style="".join(style),
        FIGURE=FIGURE,
        TEXT=TEXT,
        say=say,
    )


# -- Markdown


def markdown(report: Report) -> str:
    """The whole report; figures that charts show stand in its tables."""
    return "\n".join(_lines(report))


def _lines(report: Report) -> Iterator[str]:
    yield f"# {escaped(report.title)}"
    yield ""
    if report.notice:
        mark = f"**{say('report.illustrative')}** " if report.illustrative else ""
        yield f"> {mark}{escaped(report.notice)}"
        yield ""
    for title, sentences in summary(report):
        yield f"**{title}**"
        yield ""
        yield from (f"- {escaped(words)}" for _, words in sentences)
        yield ""
    for section in report.sections:
        yield from _section_lines(section)
    yield ""
    yield f"## {say('report.gates')}"
    yield ""
    yield from (
        "- " + say("report.gate", command=gate.command, exit=gate.exit, words=gate.words)
        for gate in report.gates
    )
    yield ""


def _section_lines(section: Section) -> Iterator[str]:
    yield ""
    yield f"## {section.title}"
    yield ""
    yield from (f"- {escaped(words)}" for words in section.words)
    if section.quotes:
        yield f"\n### {say('report.quotes')}\n"
        yield from (f"- {escaped(words)}" for words in section.quotes)
    for table in section.tables:
        yield ""
        yield from _table_lines(table)


def _table_lines(table: Table) -> Iterator[str]:
    columns = table.columns
    yield f"### {escaped(table.title)}"
    yield ""
    yield "| " + " | ".join(escaped(column.name) for column in columns) + " |"
    yield "|" + "|".join("---" if column.kind == TEXT else "---:" for column in columns) + "|"
    for row in table.rows:
        yield "| " + " | ".join(map(_cell_text, row)) + " |"


def _cell_text(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, Figure):
        return escaped(cell.text)
    return escaped(f"{cell:,}" if isinstance(cell, int) else str(cell))


# -- a workbook: a sheet of findings, and a sheet per table with values, bounds and words in columns
# of their own


def write_workbook(report: Report, target: Path) -> None:
    """Findings first; then every table, under the name that it has in the other formats."""
    tables = [table for section in report.sections for table in section.tables]
    write_sheets(
        target,
        [
            (say("report.findings"), _findings(report)),
            *((table.title[:31], _rows(table)) for table in tables),
        ],
    )


def _findings(report: Report) -> Iterator[Row]:
    yield ("section", "words")
    yield (say("report.sheet.report"), report.title)
    if report.notice:
        illustrative, note = say("report.sheet.illustrative"), say("report.sheet.note")
        yield (illustrative if report.illustrative else note, report.notice)
    for title, sentences in summary(report):
        yield from ((title, sentence) for _, sentence in sentences)
    for section in report.sections:
        for sentence in section.words:
            yield (section.title, sentence)
        for sentence in section.quotes:
            yield (say("report.sheet.quote", section=section.title), sentence)
    for gate in report.gates:
        yield (
            say("report.sheet.gate", command=gate.command),
            say("report.sheet.exit", exit=gate.exit, words=gate.words),
        )


def _rows(table: Table) -> Iterator[Row]:
    heads: list[str] = []
    for column in table.columns:
        heads.append(column.name)
        if column.kind == FIGURE:
            heads += [
                say("report.sheet.low", column=column.name),
                say("report.sheet.high", column=column.name),
                say("report.sheet.words", column=column.name),
            ]
    yield heads
    for row in table.rows:
        values: list[str | float | None] = []
        for column, cell in zip(table.columns, row, strict=True):
            if isinstance(cell, Figure):
                values += [cell.value, cell.low, cell.high, cell.text]
            else:
                values += [None] * 4 if column.kind == FIGURE else [cell]
        yield values
