"""The table of cells as a spreadsheet reads it."""

from __future__ import annotations

import csv

import pytest

from graders.exporters.csv import Csv
from tests.exporters.snapshots import cell, snapshot

HEADER = [
    *(
        "question_id",
        "question",
        "category",
        "task_type",
        "language",
        "model",
        "answer_version",
        "answer",
        "criterion",
        "part",
    ),
    *(
        "final",
        "final_word",
        "final_source",
        "final_reason",
        "suggestion",
        "suggestion_confidence",
        "suggestion_reason",
    ),
    *("route", "route_reason"),
]


def written(tmp_path, *cells):
    target = tmp_path / "cells.csv"
    Csv().write(snapshot(cells) if cells else snapshot(), target)
    with target.open(encoding="utf-8-sig", newline="") as lines:
        return list(csv.DictReader(lines))


def test_the_file_starts_with_a_byte_order_mark_and_the_header(tmp_path):
    written(tmp_path)
    assert (
        (tmp_path / "cells.csv")
        .read_bytes()
        .startswith(b"\xef\xbb\xbf" + ",".join(HEADER).encode() + b"\r\n")
    )


def test_cells_come_back_with_line_breaks_quotes_and_all_scripts(tmp_path):
    rows = written(tmp_path)
    assert len(rows) == 6
    assert rows[2]["answer"] == 'line one\nline two, "quoted"'
    assert rows[4]["answer"] == "Из-за рассеяния — 空は青い。"
    assert [row["final"] for row in rows] == ["4", "relevant", "", "", "2.5", "-1"]
    assert rows[2]["final_source"] == "pending"
    assert rows[4]["suggestion"] == ""


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ('=HYPERLINK("http://x","y")', '\'=HYPERLINK("http://x","y")'),
        ("+1", "'+1"),
        ("-2+3", "'-2+3"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t=1"),
        ("\ttext", "'\ttext"),
        ("\r=1", "'\r=1"),
        ("   =1", "'   =1"),
        ("\n =1", "'\n =1"),
        ("\u00a0\u3000=1", "'\u00a0\u3000=1"),
        ("\ufeff=1", "'\ufeff=1"),
        ("\0=1", "'=1"),  # NUL is dropped: many readers end there
        ("＝1", "'＝1"),
        ("- a list", "'- a list"),
        ("a = b", "a = b"),
        ("  text", "  text"),
        ("1-2", "1-2"),
        ("", ""),
    ],
)
def test_texts_that_would_run_are_defused(tmp_path, text, field):
    assert written(tmp_path, cell(answer=text))[0]["answer"] == field


def test_every_column_of_text_is_defused_and_numbers_stay_numbers(tmp_path):
    texts = {name: "=1+1" for name in HEADER if isinstance(cell()[name], str)}
    row = written(tmp_path, cell(**texts, final=-4, suggestion=-0.5))[0]
    assert {row[name] for name in texts} == {"'=1+1"}
    assert (row["final"], row["suggestion"]) == ("-4", "-0.5")


def test_a_column_that_only_some_rows_have_is_kept(tmp_path):
    rows = written(tmp_path, cell(), cell(flag=True), cell(**{"=evil": [1, None]}))
    assert [row["flag"] for row in rows] == ["", "true", ""]
    assert rows[2]["'=evil"] == "[1, null]"


def test_half_of_a_surrogate_pair_does_not_stop_the_export(tmp_path):
    assert written(tmp_path, cell(answer="a\ud83db"))[0]["answer"] == "a?b"


def test_a_project_without_cells_gives_the_header(tmp_path):
    Csv().write(snapshot(()), tmp_path / "cells.csv")
    assert (tmp_path / "cells.csv").read_text(encoding="utf-8-sig").strip().split(",") == HEADER
