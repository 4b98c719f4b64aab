"""Seconds and text scores of each answer in tables, workbooks and study sheets."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from graders.core.contracts import Snapshot
from graders.exporters.csv import Csv
from graders.exporters.sheet import Sheet
from tests.exporters.snapshots import cell, snapshot
from tests.exporters.test_xlsx import records, sheets
from tests.support.sheets import rows


def answer(question: str, model: str, **more: Any) -> dict[str, Any]:
    return {"question_id": question, "model": model, "version": 1, "text": "x", **more}


def metric(question: str, model: str, name: str, value: float | None, **more: Any) -> Any:
    row = {"question_id": question, "model": model, "answer_version": 1, "metric": name}
    return {**row, "value": value, **more}


def measured(**more: Any) -> Snapshot:
    """Two answers to q1, the second without a reference for BLEU and without seconds."""
    cells = (cell(), cell(criterion="relevance"), cell(model="Birch"))
    answers = [
        answer("q1", "Alder", time_to_first_token=0.25, total_seconds=1.5),
        answer("q1", "Birch"),
    ]
    metrics = [
        metric("q1", "Alder", "bleu", 34.25),
        metric("q1", "Birch", "bleu", None, status="unscored", reason="no_reference"),
        metric("q1", "Alder", "token_f1", 0.123456),
        metric("q1", "Alder", "bleu", 99.0, model_b="Birch"),  # a pair is no answer
        metric("q1", "Alder", "bleu", 1.0, answer_version=7),
    ]
    return snapshot(cells, **{"answers": answers, "metrics": metrics, **more})


def table(tmp_path: Path, found: Snapshot) -> list[dict[str, str]]:
    Csv().write(found, tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(encoding="utf-8-sig", newline="") as lines:
        return list(csv.DictReader(lines))


def test_each_row_of_a_table_has_the_figures_of_its_answer(tmp_path: Path) -> None:
    found = table(tmp_path, measured())
    names = ("first_token_seconds", "total_seconds", "bleu", "token_f1")
    assert list(found[0])[-4:] == list(names)
    assert [tuple(row[name] for name in names) for row in found] == [
        ("0.25", "1.5", "34.25", "0.123456"),
        ("0.25", "1.5", "34.25", "0.123456"),
        ("", "", "", ""),
    ]


def test_results_have_the_figures_or_the_reason(tmp_path: Path) -> None:
    book = sheets(tmp_path, measured())
    names = ("first_token_seconds", "total_seconds", "bleu", "token_f1")
    assert [
        tuple(row[n] for n in ("model", "clarity", *names)) for row in records(book["Results"])
    ] == [
        ("Alder", 4.0, 0.25, 1.5, 34.25, 0.123456),
        ("Birch", 4.0, "", "", "no_reference", ""),
    ]
    about = dict(row[:2] for row in book["About"])
    assert about["seconds"].endswith("in seconds.")
    assert about["text scores"].startswith("bleu, token_f1: ")


def test_a_study_has_a_row_for_each_figure(tmp_path: Path) -> None:
    Sheet().write(measured(), tmp_path / "study.xlsx")
    assert rows(tmp_path / "study.xlsx")[3:] == [
        ["q1", "", "answer: first token seconds", 0.25, ""],
        ["q1", "", "answer: total seconds", 1.5, ""],
        ["q1", "", "score: bleu", 34.25, "no reference"],
        ["q1", "", "score: token f1", 0.1235, ""],
    ]


def test_a_figure_that_is_gone_leaves_an_updated_study(tmp_path: Path) -> None:
    path = tmp_path / "study.xlsx"
    Sheet().write(measured(), path)
    Sheet().write(measured(answers=[answer("q1", "Birch", total_seconds=3.0)]), path)
    values = {row[2]: row[3:] for row in rows(path)}
    assert values["answer: total seconds"] == ["", 3.0]


def test_an_answer_without_a_cell_has_a_row_with_its_figures(tmp_path: Path) -> None:
    answers = [
        answer("q2", "Alder", total_seconds=9.0),
        answer("q2", "Alder", version=2, total_seconds=2.0),
        answer("q2", "Birch"),  # nothing was measured
    ]
    found = measured(answers=answers, questions=[{"id": "q2", "text": "Why?"}])
    last = table(tmp_path, found)[-1]
    shown = ("question_id", "question", "model", "answer_version", "criterion", "total_seconds")
    assert [last[name] for name in shown] == ["q2", "Why?", "Alder", "2", "", "2.0"]
    assert [
        (row["question_id"], row["model"], row["total_seconds"], row["clarity"])
        for row in records(sheets(tmp_path, found)["Results"])
    ] == [("q1", "Alder", "", 4.0), ("q1", "Birch", "", 4.0), ("q2", "Alder", 2.0, "")]
    Sheet().write(found, tmp_path / "study.xlsx")
    assert rows(tmp_path / "study.xlsx")[-1][:4] == ["q2", "Why?", "answer: total seconds", 2.0]


def test_without_figures_nothing_is_added(tmp_path: Path) -> None:
    plain = measured(answers=[answer("q1", "Alder")], metrics=[])
    assert list(table(tmp_path, plain)[0])[-1] == "route_reason"
    book = sheets(tmp_path, plain)
    assert book["Results"][0][-1] == "relevance"
    assert not {"seconds", "text scores"} & {row[0] for row in book["About"]}
    Sheet().write(plain, tmp_path / "study.xlsx")
    assert [row[2] for row in rows(tmp_path / "study.xlsx")[1:]] == ["clarity", "relevance"]
