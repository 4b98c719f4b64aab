"""The workbook, read back by another library."""

from __future__ import annotations

import zipfile
from dataclasses import replace

import pytest
from python_calamine import CalamineWorkbook

from graders.core.errors import InputError
from graders.exporters import xlsx
from graders.exporters.sheets.cells import MAX_TEXT, clean
from graders.exporters.xlsx import Xlsx
from tests.exporters.snapshots import cell, snapshot


def sheets(tmp_path, found):
    target = tmp_path / "out.xlsx"
    Xlsx().write(found, target)
    book = CalamineWorkbook.from_path(str(target))
    return {name: book.get_sheet_by_name(name).to_python() for name in book.sheet_names}


def records(rows):
    return [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]


def parts(tmp_path):
    with zipfile.ZipFile(tmp_path / "out.xlsx") as archive:
        return {
            name: archive.read(name).decode()
            for name in archive.namelist()
            if name.endswith(".xml")
        }


def test_the_four_sheets(tmp_path):
    assert list(sheets(tmp_path, snapshot())) == ["Results", "Cells", "Verdicts", "About"]


def test_results_have_a_row_per_question_and_model_and_a_column_per_criterion(tmp_path):
    rows = records(sheets(tmp_path, snapshot())["Results"])
    assert [
        (r["question_id"], r["model"], r["clarity"], r["relevance"], r["clarity: mistakes"])
        for r in rows
    ] == [
        ("q1", "Alder", 4.0, "relevant", ""),
        ("q1", "Birch", "pending", "not_applicable", ""),
        ("q2", "Alder", 2.5, "", -1.0),
    ]


def test_a_checklist_has_the_share_that_is_present_before_its_entries(tmp_path):
    rubric = "rubric: quality\ncriteria:\n  elements: {question: Is it there?, scale: ['no', 'yes'], parts: must_have}\n"
    listed = {"criterion": "quality/elements"}
    cells = [
        cell(**listed, part="a date", final="yes"),
        cell(**listed, part="a place", final="no"),
        cell(
            **listed,
            part="a name",
            final=None,
            final_source="people",
            final_reason="not_applicable",
        ),
        cell(**listed, part="a date", model="Birch", final="yes"),
        cell(**listed, part="a place", model="Birch", final=None, final_source="pending"),
    ]
    found = sheets(tmp_path, replace(snapshot(tuple(cells)), rubrics={"quality": rubric}))
    rows = records(found["Results"])
    # one of two that apply; one is open
    assert [row["quality/elements: share present"] for row in rows] == [
        0.5,
        "pending",
    ]
    assert found["Results"][0][-4:] == [
        f"quality/elements: {name}" for name in ("share present", "a date", "a place", "a name")
    ]


def test_two_versions_of_an_answer_are_two_rows(tmp_path):
    found = sheets(
        tmp_path, snapshot((cell(final=1), cell(answer_version=2, answer="new", final=5)))
    )
    assert [(r["answer_version"], r["clarity"]) for r in records(found["Results"])] == [
        (1, 1),
        (2, 5),
    ]


def test_cells_say_pending_and_keep_their_answers(tmp_path):
    rows = records(sheets(tmp_path, snapshot())["Cells"])
    assert [r["final"] for r in rows] == [4, "relevant", "pending", "not_applicable", 2.5, -1]
    assert rows[2]["answer"] == 'line one\nline two, "quoted"'
    assert rows[4]["question"] == "Почему небо голубое?"


def test_verdicts_of_people_and_judges_stand_in_one_sheet(tmp_path):
    rows = records(
        sheets(tmp_path, snapshot(people=[{"id": "Ann", "name": "Ann Lee"}]))["Verdicts"]
    )
    assert [
        (r["author"], r["author_name"], r["author_kind"], r["value"], r["status"], r["arm"])
        for r in rows
    ] == [
        ("Ann", "Ann Lee", "person", 4.0, "", "blind"),
        ("j", "j", "judge", "", "unscored", ""),
    ]


def test_about_says_what_when_and_what_the_words_mean(tmp_path):
    rows = dict(row[:2] for row in sheets(tmp_path, snapshot())["About"])
    assert (rows["name"], rows["exported_at"], rows["rows of cells"]) == ("Небо", "2030-01-02", 6)
    assert (
        rows["pending"]
        == "No final value yet: people have still to decide. Pending is not zero, and no mean includes it."
    )


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "{=1+1}",
        "http://x.example",
        "mailto:a@b.example",
        "007",
        "_x0041_",
        "<b>&amp;</b>",
        "  lead",
        "true",
    ],
)
def test_texts_stay_texts(tmp_path, text):
    rows = records(
        sheets(tmp_path, snapshot((cell(answer=text, model=text, criterion=text),)))["Cells"]
    )
    assert (rows[0]["answer"], rows[0]["model"]) == (text, text)
    found = parts(tmp_path)
    assert not any("<f>" in content or "<hyperlink" in content for content in found.values())


def test_control_characters_and_broken_pairs_are_removed(tmp_path):
    rows = records(
        sheets(tmp_path, snapshot((cell(answer="a\0b\x1b[31m\ud83d\uffff \tc\nd"),)))["Cells"]
    )
    assert rows[0]["answer"] == "ab[31m \tc\nd"


@pytest.mark.parametrize("text", ["x" * 40_000, "😀" * 20_000], ids=["letters", "two units each"])
def test_a_long_text_is_cut_with_a_mark(tmp_path, text):
    answer = records(sheets(tmp_path, snapshot((cell(answer=text),)))["Cells"])[0]["answer"]
    assert answer.endswith("[…cut: longer than a spreadsheet cell can hold]")
    assert MAX_TEXT - 1 <= len(answer.encode("utf-16-le")) // 2 <= MAX_TEXT
    assert text.startswith(answer.split(" […")[0])


@pytest.mark.parametrize("text", ["x" * MAX_TEXT, "😀" * (MAX_TEXT // 2)])
def test_a_text_that_just_fits_is_not_cut(text):
    assert clean(text) == text


def test_a_long_whole_number_keeps_its_digits(tmp_path):
    rows = records(sheets(tmp_path, snapshot((cell(final=12345678901234567),)))["Cells"])
    assert rows[0]["final"] == "12345678901234567"


def test_headers_are_frozen_and_can_be_filtered(tmp_path):
    sheets(tmp_path, snapshot())
    sheet = parts(tmp_path)["xl/worksheets/sheet2.xml"]
    assert 'state="frozen"' in sheet and 'ySplit="1"' in sheet
    assert '<autoFilter ref="A1:S7"/>' in sheet  # 19 columns, header and 6 rows
    assert '<col min="8" max="8" width="70.7109375"' in sheet  # the answer


def test_an_empty_project_gives_empty_sheets(tmp_path):
    found = sheets(tmp_path, snapshot((), human=[], judge=[]))
    assert len(found["Cells"]) == len(found["Results"]) == len(found["Verdicts"]) == 1


def test_too_many_rows_are_refused_before_anything_is_written(tmp_path, monkeypatch):
    monkeypatch.setattr(xlsx, "MAX_ROWS", 6)
    with pytest.raises(InputError) as found:
        Xlsx().write(snapshot(), tmp_path / "out.xlsx")
    assert (
        str(found.value)
        == "sheet Cells: found 6 rows, expected fewer than 6. Export as CSV or exchange format."
    )
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_to(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="expected a place that can be written to"):
        Xlsx().write(snapshot(), tmp_path / "file/out.xlsx")
    (tmp_path / "out.xlsx").mkdir()
    (tmp_path / "out.xlsx/mine").write_text("")
    with pytest.raises(InputError, match="found a folder with files in it"):
        Xlsx().write(snapshot(), tmp_path / "out.xlsx")
