"""A small study to write as a sheet, and what people and spreadsheet programs do to the file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import xlsxwriter
from python_calamine import CalamineWorkbook

from graders.workflows.scope.permissions import Scope
from tests.support.studies import bring, scope_at

RUBRIC = """
rubric: study
criteria:
  relevance: {name: Relevance, question: Does it do what was asked?, scale: [irrelevant, relevant], review: people}
  depth: {question: How deep?, scale: {from: 0, to: 10, whole: false}, review: people}
  clarity: {question: Is it clear?, scale: {from: 1, to: 5}, parts: [language, order], review: people}
translations: {ru: {relevance: {name: Соответствие, labels: {irrelevant: не соответствует, relevant: соответствует}}}}
"""
MODELS = ("Ash", "Oak")
QUESTIONS = (
    {"id": "q1", "text": "Why is the sky blue?"},
    {"id": "q2", "text": "Why is grass green?"},
)

Rows = list[list[Any]]


def judged(question: str, model: str, criterion: str, value: Any, **more: Any) -> dict[str, Any]:
    """A judge's verdict, by default at a tenth of a cent."""
    row = {
        "question_id": question,
        "model": model,
        "criterion": f"study/{criterion}",
        "judge": "openai:gpt",
        "value": value,
    }
    return {**row, "cost": 0.001, **more}


def study(folder: Path, person: str = "", **more: Any) -> Scope:
    """Two questions and two models; a person has graded q1, nobody the rest."""
    scope = scope_at(folder, person)
    answers = [
        {"question_id": q["id"], "model": m, "text": f"{m} on {q['id']}."}
        for q in QUESTIONS
        for m in MODELS
    ]
    human = [
        {
            "question_id": "q1",
            "model": m,
            "criterion": f"study/{c}",
            "annotator": "kim",
            "value": v,
            **part,
        }
        for m, deep in (("Ash", 3.5), ("Oak", 7))
        for c, v, part in (
            ("relevance", "relevant", {}),
            ("depth", deep, {}),
            ("clarity", 5, {"part": "language"}),
            ("clarity", 3, {"part": "order"}),
        )
    ]
    tables = {"questions": list(QUESTIONS), "answers": answers, "human": human, **more}
    bring(scope, folder, RUBRIC, **tables)
    return scope


def rows(path: Path, sheet: str = "Study") -> Rows:
    """A sheet as another library reads it."""
    return (
        CalamineWorkbook.from_path(str(path))
        .get_sheet_by_name(sheet)
        .to_python(skip_empty_area=False)
    )


def values(path: Path, sheet: str = "Study") -> dict[tuple[str, str, str], Any]:
    """(question id, criterion, model) -> cell."""
    head, *lines = rows(path, sheet)
    return {
        (line[0], line[2], model): line[i]
        for line in lines
        for i, model in enumerate(head)
        if i > 2 and model
    }


def resaved(
    path: Path, change: Callable[[Rows], Any] = lambda rows: None, sheet: str = "Study"
) -> None:
    """What a spreadsheet program does: all sheets are written anew, one of them changed by a
    person."""
    book = CalamineWorkbook.from_path(str(path))
    hidden = {m.name for m in book.sheets_metadata if not str(m.visible).endswith(".Visible")}
    tables = {
        name: book.get_sheet_by_name(name).to_python(skip_empty_area=False)
        for name in book.sheet_names
    }
    change(tables[sheet])
    with xlsxwriter.Workbook(
        str(path), {"strings_to_formulas": False, "strings_to_urls": False}
    ) as made:
        for name, table in tables.items():
            page = made.add_worksheet(name)
            if name in hidden:
                page.hide()
            for r, row in enumerate(table):
                for c, value in enumerate(row):
                    if value != "":
                        page.write(r, c, value)


def typed(path: Path, *changes: tuple[str, str, str, Any], sheet: str = "Study") -> None:
    """A person types values: (question id, criterion, model, value)."""

    def change(table: Rows) -> None:
        for question, criterion, model, value in changes:
            line = next(row for row in table[1:] if row[0] == question and row[2] == criterion)
            line[table[0].index(model)] = value

    resaved(path, change, sheet)
