"""The exchange format, from a folder and from a zip, complete and with only the first fields."""

from __future__ import annotations

import json
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from graders.core.contracts import ImportedRow, ImportedVerdict, Look, Placed
from graders.core.errors import InputError
from graders.core.records import Answer, BadRow, Question
from graders.importers.exchange import Exchange

DATA = Path(__file__).parents[3] / "shared" / "data"

#: Lines of the files, as `wc -l` counts them: questions, answers, verdicts (human and judge).
SETS = {
    "nq301": (301, 1490, 4686 + 4470),
    "summeval": (100, 1200, 38400 + 48000),
    "alttest_mtbench": (84, 204, 246 + 720),
    "alttest_cebab": (1611, 1611, 6225 + 10314),
    "alttest_wax": (246, 246, 1380 + 1476),
}

WHOLE: dict[str, list[dict[str, Any]]] = {
    "calls": [{"id": "c1", "cost": 0.01}],
    "answers": [
        {
            "question_id": "q1",
            "model": "m",
            "text": "a",
            "version": 2,
            "total_seconds": 1.5,
            "output_tokens": 3,
            "systems": ["x"],
        }
    ],
    "notes": [{"any": "thing"}],
    "people": [{"id": "p1", "name": "Ann"}],
    "judge": [
        {
            "question_id": "q1",
            "model": "m",
            "criterion": "clarity",
            "judge": "j",
            "value": None,
            "confidence": 0.5,
        }
    ],
    "questions": [
        {
            "id": "q1",
            "text": "1?",
            "task_type": "sum",
            "reference": ["r", "s"],
            "context": "c",
            "metadata": {"k": 1},
            "source": 1,
        },
        {
            "id": "q2",
            "text": "Two?",
            "task_type": "creative",
            "reference": None,
            "context": None,
            "language": "ru-RU",
        },
    ],
    "human": [
        {
            "id": "v1",
            "question_id": "q1",
            "model": "m",
            "criterion": "clarity",
            "annotator": "p1",
            "value": 4,
            "scale": [1, 5],
        }
    ],
    "routes": [{"question_id": "q1", "route": "people"}],
    "metrics": [{"metric": "length", "value": 1}],
    "screens": [{"id": "s1"}],
    "assignments": [{"screen": "s1"}],
}


def lines(rows: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def write(folder: Path, tables: dict[str, list[dict[str, Any]]]) -> Path:
    (folder / "rubrics").mkdir(parents=True)
    for name, rows in tables.items():
        (folder / f"{name}.jsonl").write_bytes(lines(rows))
    (folder / "project.json").write_text('{"name": "Demo", "format": 1}')
    (folder / "rubrics" / "b.yaml").write_text("rubric: b\n")
    (folder / "rubrics" / "a.yaml").write_text("rubric: a\n")
    return folder


def read(path: Path) -> tuple[list[Any], list[BadRow]]:
    items = list(Exchange().read(path, Exchange().look(path)))
    refused = [item for item in items if isinstance(item, BadRow)]
    assert all(row.remedy for row in refused), refused
    return [item.record for item in items if isinstance(item, Placed)], refused


@pytest.mark.parametrize("name", SETS)
def test_the_public_sets_come_in_whole(name: str) -> None:
    if not (DATA / name).is_dir():
        pytest.skip(f"the public data sets are not at {DATA}")
    assert Exchange().fits(DATA / name) == 20
    records, bad = read(DATA / name)
    count = Counter(type(record).__name__ for record in records)
    assert (count["Question"], count["Answer"], count["ImportedVerdict"]) == SETS[name]
    assert bad == []


def test_a_pair_keeps_both_models() -> None:
    if not (DATA / "alttest_mtbench").is_dir():
        pytest.skip(f"the public data sets are not at {DATA}")
    records, _ = read(DATA / "alttest_mtbench")
    verdict = next(r for r in records if isinstance(r, ImportedVerdict))
    assert verdict.model == f"{verdict.fields['model_a']} vs {verdict.fields['model_b']}"
    assert verdict.value in ("A", "B", "tie")


def test_tables_come_in_an_order_in_which_what_is_named_is_there(tmp_path: Path) -> None:
    records, bad = read(write(tmp_path / "set", WHOLE))
    kinds = []
    for record in records:
        if isinstance(record, ImportedVerdict):
            kinds.append(record.author_kind)
        else:
            kinds.append(record.table if isinstance(record, ImportedRow) else type(record).__name__)
    assert kinds == [
        *(
            "project",
            "rubric",
            "rubric",
            "people",
            "Question",
            "Question",
            "Answer",
            "person",
            "judge",
        ),
        *("metrics", "routes", "screens", "assignments", "calls", "notes"),
    ]
    assert bad == []


def test_fields_find_their_place(tmp_path: Path) -> None:
    records, _ = read(write(tmp_path / "set", WHOLE))
    first, second = (r for r in records if isinstance(r, Question))
    assert first == Question(
        id="q1",
        text="1?",
        references=("r", "s"),
        context=("c",),
        metadata={"source": 1, "k": 1, "task_type": "sum"},
    )
    assert second == Question(id="q2", text="Two?", task_type="creative", language="ru")
    answer = next(r for r in records if isinstance(r, Answer))
    assert answer == Answer(
        question_id="q1",
        model="m",
        text="a",
        version=2,
        total_seconds=1.5,
        output_tokens=3,
        metadata={"systems": ["x"]},
    )
    person, judge = (r for r in records if isinstance(r, ImportedVerdict))
    assert (person.author, person.value, person.fields, person.file, person.row) == (
        "p1",
        4,
        {"id": "v1", "scale": [1, 5]},
        "human.jsonl",
        1,
    )
    assert (judge.author, judge.value, judge.fields) == ("j", None, {"confidence": 0.5})
    rubric = next(r for r in records if isinstance(r, ImportedRow) and r.table == "rubric")
    assert rubric.fields == {"file": "a.yaml", "text": "rubric: a\n"}


@pytest.mark.parametrize("inside", ["", "export-of-may/"])
def test_a_zip_is_as_good_as_its_folder(inside: str, tmp_path: Path) -> None:
    folder = write(tmp_path / "set", WHOLE)
    path = tmp_path / "set.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.rglob("*")):
            archive.write(file, inside + file.relative_to(folder).as_posix())
        archive.writestr(f"__MACOSX/{inside}._questions.jsonl", b"\0\1")
    assert Exchange().fits(path) == 20
    assert read(path) == read(folder)


def test_a_look_says_what_is_there(tmp_path: Path) -> None:
    folder = write(tmp_path / "set", WHOLE)
    (folder / "inner.zip").write_bytes(b"PK")
    (folder / "deep" / "er").mkdir(parents=True)
    (folder / "deep" / "er" / "answers.jsonl").write_bytes(b"{}")
    look = Exchange().look(folder)
    assert look.layout == "exchange"
    assert look.first_rows == (("q1", "1?"), ("q2", "Two?"))
    assert look.notes == (
        "Tables: people, questions, answers, human, judge, metrics, routes, screens, assignments, calls, notes.",
        "Rubrics: rubrics/a.yaml, rubrics/b.yaml.",
        "Not part of the format and left out: inner.zip.",
    )


#: table, line, and the bad row as (column, found, expected)
BAD: list[tuple[str, str, tuple[str, str, str]]] = [
    ("questions", '{"text": "x"}', ("id", "no id", "a text that is not empty")),
    ("questions", '{"id": "q3", "text": " "}', ("text", "''", "a text that is not empty")),
    (
        "questions",
        '{"id": "q1", "text": "Again?"}',
        ("id", "the id 'q1' again, first in row 1", "each once"),
    ),
    (
        "questions",
        '{"id": "q3", "text": "x", "reference": {"a": 1}}',
        ("reference", "'{\"a\": 1}'", "null, a text, or a list of texts"),
    ),
    (
        "questions",
        '{"id": "q3", "text": "a\\u0000b"}',
        ("text", "a NUL character", "readable text"),
    ),
    ("questions", '{"id": "q3", "text": "x", "metadata": 3}', ("metadata", "'3'", "an object")),
    (
        "answers",
        '{"question_id": "q1", "model": "n"}',
        ("text", "no text", "a text that is not empty"),
    ),
    (
        "answers",
        '{"question_id": "q1", "model": "n", "text": ""}',
        ("text", "''", "a text that is not empty"),
    ),
    (
        *("answers", '{"question_id": "q1", "model": "m", "text": "b", "version": 2}'),
        ("question_id", "an answer of 'm' to 'q1' again, first in row 1", "each once"),
    ),
    (
        "answers",
        '{"question_id": "q1", "model": "n", "text": "b", "cost": "much"}',
        ("cost", "'much'", "a number of 0 or more, or null"),
    ),
    (
        "human",
        '{"question_id": "q1", "model": "m", "criterion": "c", "value": 1}',
        ("annotator", "no annotator", "a text that is not empty"),
    ),
    (
        *("human", '{"question_id": "q1", "model": "m", "criterion": "c", "annotator": "p"}'),
        ("value", "no value", "a value of the criterion's scale, or null"),
    ),
    (
        *(
            "human",
            '{"id": "v1", "question_id": "q1", "model": "m", "criterion": "c", "annotator": "p", "value": 1}',
        ),
        ("id", "the id 'v1' again, first in row 1", "each once"),
    ),
    (
        *(
            "judge",
            '{"question_id": "q1", "model": "m", "criterion": "c", "judge": "j", "value": [1]}',
        ),
        ("value", "'[1]'", "a text, a number, or null"),
    ),
    ("judge", "[1, 2]", ("", "'[1, 2]'", "one JSON object with named fields")),
    (
        "judge",
        '{"value": Infinity}',
        ("", "broken JSON (Infinity is no JSON) in '{\"value\": Infinity}'", "one JSON object"),
    ),
    ("judge", "\udcff", ("", "bytes that are no UTF-8 at byte 1", "UTF-8")),
]


@pytest.mark.parametrize(("table", "line", "expected"), BAD)
def test_a_bad_line_is_named_and_the_others_stay(
    table: str, line: str, expected: tuple[str, str, str], tmp_path: Path
) -> None:
    folder = write(tmp_path / "set", WHOLE)
    good, _ = read(folder)
    with (folder / f"{table}.jsonl").open("ab") as stream:
        stream.write(line.encode("utf-8", "surrogateescape") + b"\n")
    records, bad = read(folder)
    assert records == good
    row = len(WHOLE[table]) + 1
    assert [(b.file, b.row, b.column, b.found, b.expected) for b in bad] == [
        (f"{table}.jsonl", row, *expected)
    ]


def test_a_broken_project_file_is_a_bad_row(tmp_path: Path) -> None:
    folder = write(tmp_path / "set", WHOLE)
    (folder / "project.json").write_text("{name: Demo}")
    _, bad = read(folder)
    assert [(b.file, b.row) for b in bad] == [("project.json", 1)]


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter.doc").write_bytes(b"x")
    with pytest.raises(
        InputError,
        match=r"found a folder with letter\.doc, expected .* questions\.jsonl and answers\.jsonl",
    ):
        Exchange().look(tmp_path)
    with pytest.raises(InputError, match="found a folder with nothing"):
        (tmp_path / "empty").mkdir()
        list(Exchange().read(tmp_path / "empty", Look()))


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret.jsonl"
    secret.write_bytes(lines([{"id": "s", "text": "secret"}]))
    folder = write(tmp_path / "set", WHOLE)
    (folder / "stolen.jsonl").symlink_to(secret)
    records, _ = read(folder)
    assert "stolen" not in {r.table for r in records if isinstance(r, ImportedRow)}
