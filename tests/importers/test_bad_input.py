"""Damaged files and rows: a sentence with place, found, expected and remedy, and the good rows
beside it kept."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import pytest
import xlsxwriter

from graders.core.contracts import Imported, Importer, Look, Placed
from graders.core.errors import InputError
from graders.core.records import Answer, BadRow, Question
from graders.importers.csv import Csv
from graders.importers.exchange import Exchange
from graders.importers.json import Json
from graders.importers.xlsx import Xlsx


def imported(path: Path, importer: Importer | None = None) -> tuple[list[str], list[BadRow]]:
    """The texts of all answers, and the bad rows."""
    importer = importer or Csv()
    return split(importer.read(path, importer.look(path)))


def split(items: Iterable[Imported]) -> tuple[list[str], list[BadRow]]:
    found = list(items)
    answers = [
        item.record.text
        for item in found
        if isinstance(item, Placed) and isinstance(item.record, Answer)
    ]
    refused = [item for item in found if isinstance(item, BadRow)]
    assert all(row.remedy for row in refused), refused
    return answers, refused


WIDE = b"id,question,GPT-4,Llama\n"


LONG = b"id,question,model,answer,seconds,tokens\n"


#: name: file, answers that survive, and the bad rows as (row, column, found, expected)
ROWS: dict[str, tuple[bytes, list[str], list[tuple[int, str, str, str]]]] = {
    "a NUL byte": (
        WIDE + b"1,One?,a,b\n2,Two?,c\0c,d\n3,Three?,e,f\n",
        ["a", "b", "e", "f"],
        [(3, "GPT-4", "a NUL character in 'c\u2400c'", "readable text")],
    ),
    "broken UTF-8": (
        WIDE + "1,Où?,é,b\n".encode() + b"2,Two?,\xff\xfe,d\n" + "3,Où où?,ê,f\n".encode(),
        ["é", "b", "ê", "f"],
        [
            (
                3,
                "GPT-4",
                "bytes that are no characters in this encoding in '\ufffd\ufffd'",
                "readable text",
            )
        ],
    ),
    "too few columns": (
        WIDE + b"1,One?,a,b\n2,Two?,c\n3,Three?,e,f\n",
        ["a", "b", "e", "f"],
        [(3, "", "3 columns in '2,Two?,c'", "4 columns")],
    ),
    "too many columns": (
        WIDE + b"1,One?,a,b\n2,Two?,c,d,and more\n3,Three?,e,f\n",
        ["a", "b", "e", "f"],
        [(3, "", "5 columns in '2,Two?,c,d,and more'", "4 columns")],
    ),
    "empty cells too many are no fault": (
        WIDE + b"1,One?,a,b,,\n2,Two?,c,d\n",
        ["a", "b", "c", "d"],
        [],
    ),
    "an empty question": (
        WIDE + b"1,One?,a,b\n2, ,c,d\n",
        ["a", "b"],
        [(3, "question", "an empty question", "the text of the question")],
    ),
    "an empty answer in a wide table is no answer": (
        WIDE + b"1,One?,a,\n2,Two?,,d\n",
        ["a", "d"],
        [],
    ),
    "an empty answer in a long table": (
        LONG + b"1,One?,m,a,1,5\n1,One?,n,,1,5\n",
        ["a"],
        [(3, "answer", "an empty answer", "the text of the answer")],
    ),
    "an id twice": (
        WIDE + b"1,One?,a,b\n1,Two?,c,d\n2,Three?,e,f\n",
        ["a", "b", "e", "f"],
        [(3, "id", "the id '1' again, first in row 2", "an id of its own for each question")],
    ),
    "a question twice": (
        b"question;GPT-4;Llama\nOne?;a;b\nTwo?;c;d\nOne?;e;f\n",
        ["a", "b", "c", "d"],
        [(4, "question", "the question of row 2 again, 'One?'", "one row for each question")],
    ),
    "one id for two questions": (
        LONG + b"1,One?,m,a,1,5\n1,Two?,n,b,1,5\n2,Two?,n,c,1,5\n",
        ["a", "c"],
        [(3, "question", "'Two?'", "the text that '1' has in row 2")],
    ),
    "an answer twice": (
        LONG + b"1,One?,m,a,1,5\n1,One?,n,b,1,5\n1,One?,m,c,1,5\n",
        ["a", "b"],
        [
            (
                4,
                "answer",
                "a second answer of 'm' to question '1', first in row 2",
                "one answer per question and model",
            )
        ],
    ),
    "a bad number": (
        LONG
        + b"1,One?,m,a,1.5,5\n1,One?,n,b,soon,5\n1,One?,o,c,,5\n1,One?,p,d,-2,5\n1,One?,q,e,1,5.5\n",
        ["a", "c"],
        [
            (3, "seconds", "'soon'", "a number of 0 or more, or an empty cell"),
            (5, "seconds", "'-2'", "a number of 0 or more, or an empty cell"),
            (6, "tokens", "'5.5'", "a whole number of 0 or more, or an empty cell"),
        ],
    ),
    "no model": (
        LONG + b"1,One?,m,a,1,5\n1,One?,,b,1,5\n",
        ["a"],
        [(3, "model", "an empty cell", "the name of the model")],
    ),
    "a quote that is never closed": (
        WIDE + b'1,One?,a,b\n2,"Two?,c,d\n3,Three?,e,f\n4,Four?,g,h\n',
        ["a", "b", "e", "f", "g", "h"],
        [(3, "", "a quote that is never closed in '2,\"Two?,c,d'", 'a closing "')],
    ),
    "a quote that is closed by chance": (
        WIDE + b'1,One?,a,b\n2,"Two?,c,d\n3,Three?,e,f\n4,"Four?",g,h\n',
        ["a", "b", "e", "f", "g", "h"],
        [(3, "", "a quote that is closed rows later in '2,\"Two?,c,d'", "both quotes in one cell")],
    ),
}


@pytest.mark.parametrize("name", ROWS)
def test_a_bad_row_is_named_and_the_others_stay(name: str, tmp_path: Path) -> None:
    raw, answers, bad = ROWS[name]
    path = tmp_path / "table.csv"
    path.write_bytes(raw)
    found, rows = imported(path)
    assert found == answers
    assert [(row.row, row.column, row.found, row.expected) for row in rows] == bad
    assert all(row.file == "table.csv" and row.remedy for row in rows)


def test_a_column_that_is_ignored_spoils_no_row(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(b"question,answer,note\nOne?,a,fine\nTwo?,b,c\0d\nThree?,c,\n")
    look = Csv().look(path)
    assert len(split(Csv().read(path, look))[1]) == 1
    columns = tuple(replace(c, role="ignore") if c.header == "note" else c for c in look.columns)
    assert split(Csv().read(path, replace(look, columns=columns))) == (["a", "b", "c"], [])


PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\0\0\0\1\0\x08\6\0\0\0" + bytes(range(256)) * 4


#: name of the file, its bytes, the importer, and what the sentence says
FILES: list[tuple[str, bytes, Importer, str]] = [
    (
        "empty.csv",
        b"",
        Csv(),
        "empty.csv: found an empty file, expected rows of questions and answers. Choose the file that holds the rows.",
    ),
    (
        "blank.csv",
        b"\xef\xbb\xbf \r\n\r\n",
        Csv(),
        "blank.csv: found an empty file, expected rows of questions and answers. Choose the file that holds the rows.",
    ),
    (
        "commas.csv",
        b",,,\n,,,\n",
        Csv(),
        "commas.csv: found no filled rows, expected rows of questions and answers. Choose the file that holds the rows.",
    ),
    (
        *("picture.csv", PNG, Csv()),
        "picture.csv: found a PNG picture, expected text, as the ending .csv says. "
        "Choose another file, or give this one the ending that fits its contents.",
    ),
    (
        *("bytes.csv", bytes(range(1, 256)) * 8, Csv()),
        "bytes.csv: found binary data, expected text, as the ending .csv says. "
        "Choose another file, or give this one the ending that fits its contents.",
    ),
    (
        *("prose.txt", b"Once upon a time\nthere was a table\nwithout columns\n", Csv()),
        "prose.txt: found one column, expected columns with a comma, semicolon, tab or bar between them. "
        "Choose the separator and the encoding, or another file.",
    ),
    (
        "empty.xlsx",
        b"",
        Xlsx(),
        "empty.xlsx: found an empty file, expected a workbook. Choose the file that holds the rows.",
    ),
    (
        *("text.xlsx", b"question,answer\nOne?,a\n", Xlsx()),
        "text.xlsx: found no workbook that can be read, expected an XLSX file. "
        "Open it in a spreadsheet program and save it as .xlsx, or give it the ending that fits its contents.",
    ),
    (
        "empty.json",
        b"",
        Json(),
        "empty.json: found an empty file, expected rows of questions and answers. Choose the file that holds the rows.",
    ),
    (
        "number.json",
        b"42",
        Json(),
        "number.json: found text that begins with '4', expected JSON objects in a list, or one per line. Choose another file, or write one object per line.",
    ),
    (
        "numbers.json",
        b"[1, 2]",
        Json(),
        "numbers.json: found '1', expected JSON objects in a list, or one per line."
        ' Write objects with named fields, such as {"question": ..., "model": ..., "answer": ...}.',
    ),
    (
        *("broken.json", b'{"question": "One?",', Json()),
        "broken.json: found broken JSON (Expecting property name enclosed in double quotes at character 21), "
        "expected JSON objects in a list, or one per line. "
        "Mend the file there, or write one object per line, so that one fault costs one row only.",
    ),
    (
        *("text.zip", b"question,answer\n", Exchange()),
        "text.zip: found no zip archive that can be read, expected a zip in the exchange format. Get the file again, or give the folder.",
    ),
]


@pytest.mark.parametrize(
    ("name", "raw", "importer", "sentence"), FILES, ids=[case[0] for case in FILES]
)
def test_a_file_of_the_wrong_kind_is_refused_in_one_sentence(
    name: str, raw: bytes, importer: Importer, sentence: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(raw)
    with pytest.raises(InputError) as error:
        importer.look(path)
    assert str(error.value) == sentence
    assert importer.fits(path) == 1
    others = [
        other for other in (Csv(), Xlsx(), Json(), Exchange()) if type(other) is not type(importer)
    ]
    assert [other.fits(path) for other in others] == [0, 0, 0]


@pytest.mark.parametrize("importer", [Csv(), Xlsx(), Json()], ids=["csv", "xlsx", "json"])
def test_a_file_that_is_not_there(importer: Importer, tmp_path: Path) -> None:
    path = tmp_path / f"gone{importer.suffixes[0]}"
    with pytest.raises(InputError, match=r"gone.*cannot be opened.*expected a readable file"):
        importer.look(path)


def test_a_megabyte_in_one_answer_is_fine(tmp_path: Path) -> None:
    answer = "word, " * 180_000
    assert len(answer) > 1_000_000
    path = tmp_path / "large.csv"
    path.write_text(f'question,model,answer\nOne?,m,"{answer}"\nTwo?,m,short\n')
    assert imported(path) == ([answer, "short"], [])
    lines = tmp_path / "large.jsonl"
    lines.write_text(json.dumps({"question": "One?", "model": "m", "answer": answer}) + "\n")
    assert imported(lines, Json()) == ([answer], [])
    listed = tmp_path / "large.json"
    listed.write_text(
        json.dumps([{"question": f"{i}?", "model": "m", "answer": answer} for i in range(3)])
    )
    assert imported(listed, Json()) == ([answer] * 3, [])


def test_a_formula_error_is_a_bad_row(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet("Data")
        for row, cells in enumerate(
            [
                ("question", "model", "answer", "seconds"),
                ("One?", "m", "a", 1.5),
                ("Two?", "m", "b", None),
                ("Three?", "m", "c", 2),
            ]
        ):
            sheet.write_row(row + 2, 1, cells)
        sheet.write_formula(4, 4, "=1/0", None, "#DIV/0!")
        sheet.write_formula(3, 7, "=NA()", None, "#N/A")
    look = Xlsx().look(path)
    columns = tuple(c if c.index <= 4 else replace(c, role="ignore") for c in look.columns)
    answers, bad = split(Xlsx().read(path, replace(look, columns=columns)))
    assert answers == ["a", "c"]
    assert [(row.row, row.column, row.found, row.expected) for row in bad] == [
        (5, "seconds", "the formula error #DIV/0!", "a value")
    ]


def test_a_stray_cell_far_off_does_not_take_all_memory(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet("Data")
        sheet.write_row(0, 0, ("question", "answer"))
        sheet.write(1_048_575, 16_383, "x")
    assert path.stat().st_size < 10_000
    with pytest.raises(InputError) as error:
        Xlsx().look(path)
    assert str(error.value) == (
        "book.xlsx: found the sheet 'Data' of 1,048,576 rows and 16,384 columns, expected at most 20,000,000 cells. "
        "Remove stray cells far off, or save the sheet as CSV."
    )


def test_a_sheet_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    with xlsxwriter.Workbook(path) as book:
        book.add_worksheet("Data").write_row(0, 0, ("question", "answer"))
    with pytest.raises(InputError, match="no sheet 'Other', expected one of the sheets Data"):
        Xlsx().look(path, Look(sheet="Other"))


def test_columns_without_a_question_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(WIDE + b"1,One?,a,b\n")
    look = Csv().look(path)
    columns = tuple(
        replace(c, role="metadata", model="") if c.role in ("question", "question_id") else c
        for c in look.columns
    )
    with pytest.raises(
        InputError,
        match=r"table\.csv: found no column with the role question.*Choose the role question",
    ):
        list(Csv().read(path, replace(look, columns=columns)))


def test_two_columns_for_one_model_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(WIDE + b"1,One?,a,b\n")
    look = Csv().look(path)
    columns = tuple(replace(c, model="GPT-4") if c.role == "answer" else c for c in look.columns)
    with pytest.raises(InputError, match="two columns with the answers of 'GPT-4'"):
        list(Csv().read(path, replace(look, columns=columns)))


def test_an_unknown_encoding_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(WIDE + b"1,One?,a,b\n")
    with pytest.raises(InputError, match="encoding: found 'klingon', expected utf-8"):
        Csv().look(path, Look(encoding="klingon"))


def test_broken_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    good = '{"question": "One?", "model": "%s", "answer": "a"}\n'
    path.write_text(
        good % "m"
        + '{"question": \n'
        + '["list"]\n'
        + '{"question": "One?", "model": "x", "answer": NaN}\n'
        + good % "n"
    )
    answers, bad = imported(path, Json())
    assert answers == ["a", "a"]
    assert all(row.remedy for row in bad)
    assert [(row.row, row.found) for row in bad] == [
        (2, "broken JSON (Expecting value at character 13) in '{\"question\":'"),
        (3, "'[\"list\"]'"),
        (
            4,
            'broken JSON (NaN is no JSON) in \'{"question": "One?", "model": "x", "answer": NaN}\'',
        ),
    ]


def workbook(path: Path, rows: list[list[str]]) -> None:
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet("Data")
        for number, cells in enumerate(rows):
            sheet.write_row(number, 0, cells)


def objects(rows: list[list[str]]) -> list[dict[str, str]]:
    return [dict(zip(rows[0], cells, strict=True)) for cells in rows[1:] if any(cells)]


@pytest.mark.parametrize(
    ("name", "write", "importer", "places"),
    [
        # A row is what a spreadsheet shows as one, whatever lines its texts have, and an empty one
        # counts.
        ("t.csv", lambda p, rows: p.write_text("".join(",".join(f'"{c}"' if c else "" for c in r) + "\n" for r in rows)), Csv(), ["row 4 (line 6)", "row 5 (line 7)"]),
        ("t.xlsx", workbook, Xlsx(), ["row 4", "row 5"]),
        ("t.jsonl", lambda p, rows: p.write_text("".join(f"{json.dumps(o)}\n" for o in objects(rows))), Json(), ["row 2", "row 3"]),
        ("t.json", lambda p, rows: p.write_text(json.dumps(objects(rows), indent=1)), Json(), ["row 2 (line 8)", "row 3 (line 14)"]),
        ("t.json", lambda p, rows: p.write_text(json.dumps({"data": objects(rows)})), Json(), ["row 2", "row 3"]),
    ],
    ids=["csv", "xlsx", "jsonl", "json", "json inside an object"],
)  # fmt: skip
def test_rows_count_as_whoever_opens_the_file_sees_them(
    name: str,
    write: Callable[[Path, list[list[str]]], object],
    importer: Importer,
    places: list[str],
    tmp_path: Path,
) -> None:
    table = [
        ["id", "question", "GPT-4", "Llama"],
        ["1", "One\nmore\nlines?", "a", "b"],
        [""] * 4,
        ["2", "", "c", "d"],
        ["1", "Two?", "e", "f"],
    ]
    write(tmp_path / name, table)
    found, rows = imported(tmp_path / name, importer)
    assert (found, [row.place for row in rows]) == (["a", "b"], places)
    assert (
        rows[1].found == f"the id '1' again, first in row {2 if importer in (Csv(), Xlsx()) else 1}"
    )


def test_what_stands_before_a_break_in_a_json_list_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    path.write_text(
        '[\n{"question": "One?", "model": "m", "answer": "a"},\n{"question": "Two?", model}\n]'
    )
    answers, bad = imported(path, Json())
    assert answers == ["a"]
    assert [(row.place, row.remedy) for row in bad] == [
        ("row 2 (line 3)", "Mend the file here; what follows could not be read.")
    ]


def test_half_a_surrogate_pair_and_deep_nesting(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    good = '{"question": "One?", "model": "m", "answer": "a"}\n'
    path.write_text(
        good + '{"question": "Two?", "model": "m", "answer": "\\ud83d"}\n' + "[" * 100_000 + "\n"
    )
    answers, bad = imported(path, Json())
    assert answers == ["a"]
    assert [row.row for row in bad] == [2, 3]


def test_questions_come_before_their_answers(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(LONG + b"1,One?,m,a,1,5\n2,Two?,m,b,1,5\n1,One?,n,c,1,5\n")
    records = [
        item.record for item in Csv().read(path, Csv().look(path)) if isinstance(item, Placed)
    ]
    kinds = [
        ("Q", r.id) if isinstance(r, Question) else ("A", r.question_id)
        for r in records
        if isinstance(r, Question | Answer)
    ]
    assert kinds == [("Q", "1"), ("A", "1"), ("Q", "2"), ("A", "2"), ("A", "1")]


def test_a_bad_row_brings_no_question_of_its_own_but_what_it_says_of_one_that_comes(
    tmp_path: Path,
) -> None:
    path = tmp_path / "rows.jsonl"
    rows = [("One?", "a", "x"), ("Two?", None, "x"), ("Three?", None, "x"), ("Three?", "c", None)]
    path.write_text(
        "".join(
            json.dumps({"question": q, "model": "m", "answer": a, "category": c}) + "\n"
            for q, a, c in rows
        )
    )
    found = list(Json().read(path, Json().look(path)))
    questions = [
        (i.record.text, i.record.category)
        for i in found
        if isinstance(i, Placed) and isinstance(i.record, Question)
    ]
    assert questions == [("One?", "x"), ("Three?", "x")]
    assert [item.row for item in found if isinstance(item, BadRow)] == [2, 3]
