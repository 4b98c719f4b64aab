"""The study sheet: written anew, and brought up to date beside all that people put there. Read back
by another library."""

from __future__ import annotations

import re
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter
from python_calamine import CalamineWorkbook

from graders.core.contracts import Snapshot
from graders.core.errors import InputError
from graders.exporters.sheet import Sheet, open_file, write_into
from graders.exporters.sheets.update import MEMORY
from tests.exporters.snapshots import cell, snapshot
from tests.support.sheets import resaved, rows, typed, values


def depth(question: str, model: str, value: Any, **more: Any) -> dict[str, Any]:
    """A cell of the criterion clarity, pending where there is no value."""
    source = "pending" if value is None else "people"
    return cell(
        question_id=question,
        question=f"Text of {question}?",
        model=model,
        final=value,
        final_source=source,
        **more,
    )


def study(*cells: dict[str, Any], **more: Any) -> Snapshot:
    return snapshot(cells, **({"human": [], "judge": []} | more))


def written(target: Path, *cells: dict[str, Any], **more: Any) -> tuple[str, Any]:
    return write_into(open_file(target), study(*cells, **more))


def parts(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


ONE = (depth("q1", "Ash", 4), depth("q1", "Oak", None))
HOSTILE = '=HYPERLINK("http://x.example","y")'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "study.xlsx"


def test_it_is_an_exporter_that_also_updates(path: Path) -> None:
    Sheet().write(study(*ONE), path)
    Sheet().write(study(depth("q1", "Ash", 4), depth("q1", "Oak", 2.5)), path)
    assert values(path) == {("q1", "clarity", "Ash"): 4.0, ("q1", "clarity", "Oak"): 2.5}
    with pytest.raises(InputError, match=r"found the ending \.ods, expected \.xlsx"):
        Sheet().write(study(), path.with_suffix(".ods"))


def test_the_memory_is_hidden(path: Path) -> None:
    written(path, *ONE, judge=[{"judge": "a", "criterion": "r/x", "value": 1}])
    sheets = CalamineWorkbook.from_path(str(path)).sheets_metadata
    assert [(s.name, str(s.visible).rpartition(".")[2]) for s in sheets] == [
        ("Study", "Visible"),
        ("Costs", "Visible"),
        (MEMORY, "Hidden"),
    ]


def test_two_rubrics_with_a_criterion_of_the_same_name_are_told_apart(path: Path) -> None:
    written(
        path,
        depth("q1", "Ash", 1, criterion="a/clarity"),
        depth("q1", "Ash", 2, criterion="b/clarity"),
    )
    assert [row[2:] for row in rows(path)] == [
        ["Criterion", "Ash"],
        ["a/clarity", 1.0],
        ["b/clarity", 2.0],
    ]


def test_rows_stand_in_the_order_of_the_rubric_also_where_the_first_question_lacks_one(
    path: Path,
) -> None:
    rubric = "rubric: r\ncriteria: {relevance: {scale: [1, 5]}, completeness: {scale: [1, 5]}, speed: {scale: [1, 5]}}\n"
    asked = [
        ("q1", "relevance"),
        ("q1", "speed"),
        ("q1", "old"),
        ("q2", "relevance"),
        ("q2", "speed"),
        ("q2", "completeness"),
    ]
    cells = study(*(depth(question, "Ash", 3, criterion=f"r/{name}") for question, name in asked))
    write_into(open_file(path), replace(cells, rubrics={"r": rubric}))
    assert [row[2] for row in rows(path)[1:]] == [
        "relevance",
        "speed",
        "old",
        "relevance",
        "completeness",
        "speed",
    ]


@pytest.mark.parametrize("update", [False, True], ids=["new", "updated"])
@pytest.mark.parametrize(
    "text",
    [HOSTILE, "+1", "@SUM(A1)", "\t=1", "http://x.example", "_x0041_", "<b>&amp;</b>", "007"],
)
def test_texts_stay_texts_wherever_they_stand(path: Path, text: str, update: bool) -> None:
    if update:
        written(path, *ONE)
    costs = [
        {
            "question_id": "q",
            "model": text,
            "criterion": text,
            "judge": text,
            "value": 1,
            "cost": 0.5,
        }
    ]
    written(
        path,
        depth(text, text, text, criterion=f"r/{text}", part=text) | {"question": text},
        judge=costs,
    )
    first, second = (row for row in rows(path)[1:] if row[0] == text)
    assert first[:3] == [text, text, text] and (second[2], second[-1]) == (f"{text}: {text}", text)
    assert text in rows(path)[0] and rows(path, "Costs")[1][:2] == [text, text]
    for name, content in parts(path).items():
        assert b"<f>" not in content and b"<hyperlink" not in content, name


def annotated(path: Path) -> None:
    """A workbook as a team has it: its own sheet first, formats, a formula, a comment, a chart,
    notes beside and far below."""
    with xlsxwriter.Workbook(str(path)) as book:
        mine = book.add_worksheet("Mine")
        mine.write(0, 0, "keep me")
        page = book.add_worksheet("Оценки")
        bold = book.add_format({"bold": True, "bg_color": "#FFEE00"})
        table = [
            ["Вопрос", "Критерий", "oak", "note", "ASH"],
            ["Text of q1?", "Clarity", None, "hm", "3,5"],
            [None, "mood", "sad", None, "gay"],
        ]
        for r, row in enumerate([["Осень"], *table]):
            for c, value in enumerate(row):
                if value is not None:
                    page.write(r, c, value, bold)
        page.write_blank(2, 2, None, bold)
        page.write_formula(6, 2, "=COUNTA(C3:C4)")
        page.write_comment(3, 3, "a comment")
        chart = book.add_chart({"type": "column"})
        chart.add_series({"values": "='Оценки'!$C$3:$C$4"})
        page.insert_chart(8, 8, chart)


def test_a_sheet_of_the_teams_own_is_filled_where_it_is_empty_and_left_alone_elsewhere(
    path: Path,
) -> None:
    annotated(path)
    before = parts(path)
    page, made = written(
        path, depth("q1", "Ash", 4), depth("q1", "Oak", 2.5), depth("q2", "Oak", None)
    )
    assert page == "Оценки" and made.columns_added == 0 and made.rows_added == 1
    # a decimal comma is no 4
    assert [(k.row, k.column, k.found, k.known) for k in made.kept] == [(2, 4, "3,5", 4)]
    found = rows(path, "Оценки")
    assert found[2] == ["Text of q1?", "Clarity", 2.5, "hm", "3,5"]
    assert found[3] == ["", "mood", "sad", "", "gay"]  # no criterion of ours
    assert found[7] == ["Text of q2?", "clarity", "pending", "", ""]  # below all that is there
    after = parts(path)
    touched = {name for name in before if before[name] != after[name]}
    assert touched == {
        "xl/worksheets/sheet2.xml",
        "xl/workbook.xml",
        "xl/_rels/workbook.xml.rels",
        "[Content_Types].xml",
    }
    sheet = after["xl/worksheets/sheet2.xml"].decode()
    assert "<f>COUNTA(C3:C4)</f>" in sheet and "<drawing" in sheet and "<legacyDrawing" in sheet
    styles = dict(re.findall(r'<c r="(\w+)" s="(\d+)"', sheet))
    assert styles["C3"] == styles["D3"]  # the empty cell that was filled keeps its format
    assert 'fullCalcOnLoad="1"' in after["xl/workbook.xml"].decode()


def test_a_decimal_comma_that_says_the_same_is_no_change(path: Path) -> None:
    written(path, depth("q1", "Ash", 3.5))
    typed(path, ("q1", "clarity", "Ash", "3,50"))
    assert written(path, depth("q1", "Ash", 3.5))[1].kept == []
    assert values(path)["q1", "clarity", "Ash"] == "3,50"  # nothing to write
    written(path, depth("q1", "Ash", 4))
    assert values(path)["q1", "clarity", "Ash"] == 4.0


def test_changed_values_are_kept_until_they_came_back(path: Path) -> None:
    written(path, *ONE)
    typed(path, ("q1", "clarity", "Ash", 1), ("q1", "clarity", "Oak", 5))
    _, made = written(path, depth("q1", "Ash", 3), depth("q1", "Oak", 2))
    assert [(k.model, k.found, k.known) for k in made.kept] == [("Ash", 1, 3), ("Oak", 5, 2)]
    assert values(path) == {("q1", "clarity", "Ash"): 1.0, ("q1", "clarity", "Oak"): 5.0}
    sheet = rows(path, MEMORY)[0][1]
    came = {
        "question_id": "q1",
        "model": "Ash",
        "criterion": "clarity",
        "annotator": "kim",
        "value": 1,
        "sheet": sheet,
        "sheet_value": 1,
    }
    _, made = written(
        path,
        depth("q1", "Ash", 3),
        depth("q1", "Oak", 2),
        human=[came, {**came, "model": "Oak", "sheet": "another sheet"}],
    )
    assert [k.model for k in made.kept] == ["Oak"]
    assert values(path) == {("q1", "clarity", "Ash"): 3.0, ("q1", "clarity", "Oak"): 5.0}


def test_a_column_and_a_row_that_somebody_took_out_come_back_filled(path: Path) -> None:
    written(path, *ONE, depth("q2", "Ash", 1))

    def change(table: list[list[Any]]) -> None:
        del table[2]
        for row in table:
            del row[3]

    resaved(path, change)
    _, made = written(path, *ONE, depth("q2", "Ash", 1))
    assert (made.kept, made.rows_added, made.columns_added) == ([], 1, 1)
    assert (
        values(path)["q1", "clarity", "Ash"] == 4.0 and values(path)["q2", "clarity", "Ash"] == 1.0
    )


def test_a_formula_in_a_cell_is_kept(path: Path) -> None:
    written(path, *ONE)
    with xlsxwriter.Workbook(str(path.with_name("new.xlsx"))) as book:
        for name in ("Study", MEMORY):
            page = book.add_worksheet(name)
            for r, row in enumerate(rows(path, name)):
                page.write_row(r, 0, row)
        book.get_worksheet_by_name("Study").write_formula(1, 3, "=2+2", None, 4)
    _, made = written(path.with_name("new.xlsx"), depth("q1", "Ash", 2), depth("q1", "Oak", 2))
    assert [(k.model, k.found) for k in made.kept] == [("Ash", 4)]
    assert b"<f>2+2</f>" in parts(path.with_name("new.xlsx"))["xl/worksheets/sheet1.xml"]


def test_new_questions_and_models_go_below_and_to_the_right_of_what_people_added(
    path: Path,
) -> None:
    written(path, *ONE)

    def change(table: list[list[Any]]) -> None:
        table[0].append("my notes")
        table[1].append("good")
        table.append(["", "", "", "sum", 4])

    resaved(path, change)
    _, made = written(path, *ONE, depth("q1", "Elm", 5), depth("q2", "Elm", 1))
    assert (made.rows_added, made.columns_added) == (1, 1)
    assert rows(path) == [
        ["Question id", "Question", "Criterion", "Ash", "Oak", "my notes", "Elm"],
        ["q1", "Text of q1?", "clarity", 4.0, "pending", "good", 5.0],
        ["", "", "", "sum", 4.0, "", ""],
        ["q2", "Text of q2?", "clarity", "", "", "", 1.0],
    ]


def test_costs_stand_by_judge_and_criterion_and_add_up_to_the_ledger(path: Path) -> None:
    judges = [
        {
            "question_id": "q1",
            "model": "Ash",
            "judge": "a",
            "criterion": "r/x",
            "value": 1,
            "cost": 0.002,
        },
        {
            "question_id": "q1",
            "model": "Oak",
            "judge": "a",
            "criterion": "r/x",
            "status": "unscored",
            "cost": 0.001,
        },
        {
            "question_id": "q1",
            "model": "Ash",
            "judge": "a",
            "criterion": "r/y",
            "value": 1,
            "cost": 0.004,
        },
        {"question_id": "q1", "model": "Ash", "judge": "local", "criterion": "r/x", "value": 1},
    ]
    expected = [
        [
            "Judge",
            "Criterion",
            "Verdicts",
            "Without a value",
            "Cost in US dollars",
            "Verdicts without a known price",
        ],
        ["a", "r/x", 2, 1, 0.003, 0],
        ["a", "r/y", 1, 0, 0.004, 0],
        ["a", "all criteria", 3, 1, 0.007, 0],
        ["local", "r/x", 1, 0, 0.0, 1],
        ["local", "all criteria", 1, 0, 0.0, 1],
        # 0.009 in the ledger, 0.007 in verdicts
        [
            "calls without a verdict",
            "",
            "",
            "",
            0.002,
            "",
        ],
        ["all judges", "all criteria", 4, 1, 0.009, 1],
    ]
    calls = [{"key": "1", "money": 0.005}, {"key": "2", "money": 0.004}, {"key": "3"}]
    written(path, *ONE, judge=judges, calls=calls)
    assert rows(path, "Costs") == expected
    resaved(path, lambda table: [row.insert(1, "mine") for row in table], "Costs")
    written(path, *ONE, judge=[*judges, {**judges[0], "criterion": "r/z"}], calls=calls)
    found = {(row[0], row[2]): row[1:2] + row[3:] for row in rows(path, "Costs")}
    assert found["a", "all criteria"] == ["mine", 4, 1, 0.009, 0]  # 0.002 + 0.001 + 0.004 + 0.002
    assert found["a", "r/z"] == ["", 1, 0, 0.002, 0]  # a row below


def test_a_workbook_whose_xml_has_prefixes_and_rows_without_numbers(path: Path) -> None:
    """Some programs write every element with a prefix, and leave out the places of cells."""
    written(path, *ONE)
    found = parts(path)
    sheet = found["xl/worksheets/sheet1.xml"].decode()
    sheet = re.sub(r"<(/?)(\w+)", r"<\1x:\2", sheet).replace(
        "<x:worksheet xmlns=", "<x:worksheet xmlns:x="
    )
    found["xl/worksheets/sheet1.xml"] = re.sub(r'<x:(c|row) r="\w+"', r"<x:\1", sheet).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in found.items():
            archive.writestr(name, content)
    _, made = written(path, depth("q1", "Ash", 4), depth("q1", "Oak", 2), depth("q2", "Elm", 1))
    assert (made.rows_added, made.columns_added, made.kept) == (1, 1, [])
    assert rows(path)[1:] == [
        ["q1", "Text of q1?", "clarity", 4.0, 2.0, ""],
        ["q2", "Text of q2?", "clarity", "", "", 1.0],
    ]


def bomb(path: Path) -> None:
    written(path, *ONE)
    found = parts(path)
    found["xl/workbook.xml"] = found["xl/workbook.xml"].replace(
        b"<workbook", b'<!DOCTYPE x [<!ENTITY a "aaaa">]><workbook', 1
    )
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in found.items():
            archive.writestr(name, content)


@pytest.mark.parametrize(
    "spoil",
    [
        bomb,
        lambda path: path.write_bytes(b"no zip"),
        lambda path: zipfile.ZipFile(path, "w").close(),
    ],
)
def test_a_file_that_is_no_workbook_stays_as_it_is(path: Path, spoil: Any) -> None:
    spoil(path)
    before = path.read_bytes()
    with pytest.raises(
        InputError,
        match="found no workbook that can be read, expected an XLSX file without a password",
    ):
        written(path, *ONE)
    assert path.read_bytes() == before
