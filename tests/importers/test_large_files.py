"""Files of 100 MB: what is not worth reading is refused from its head, and one endless line costs
its own row and little memory."""

from __future__ import annotations

import time
import tracemalloc
from pathlib import Path

import pytest

from graders.core.errors import InputError
from graders.importers.csv import Csv
from graders.importers.tables import separated
from graders.workflows.importing.look import see
from tests.importers.test_bad_input import split

MB = 1_000_000
#: (name, how it begins, what is found); after its beginning a file is a hole of 100 MB.
HOLES = (
    ("empty.csv", b"", "an empty file"),
    ("empty.jsonl", b"", "an empty file"),
    ("cut.csv", b"question,answer\nWhy?,Because.\n", "binary data"),
    ("cut.json", b'[{"question": "Why?", "answer": "Because."},', "binary data"),
    ("cut.xlsx", b"PK\x03\x04", "no workbook that can be read"),
    ("cut.zip", b"PK\x03\x04", "no zip archive that can be read"),
    ("cut.pdf", b"%PDF", "a file of the type .pdf"),
)


@pytest.mark.parametrize(("name", "begin", "found"), HOLES, ids=[name for name, *_ in HOLES])
def test_a_hole_of_100_mb_is_refused_from_its_head(
    name: str, begin: bytes, found: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    with path.open("wb") as out:
        out.write(begin)
        out.truncate(100 * MB)
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match=f"{name}: found {found}"):
            see(path)
        assert tracemalloc.get_traced_memory()[1] < 20 * MB
    finally:
        tracemalloc.stop()


def test_a_line_without_end_costs_its_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(separated, "LONGEST_LINE", 1 * MB)
    path = tmp_path / "long.csv"
    with path.open("w") as out:
        out.write('question,answer\nOne?,first\nTwo?,"')
        out.writelines("word " * 2_000 for _ in range(1_000))
        out.write('"\nThree?,third\nFour?,"a quote\n')
        out.write("long " * MB)
    importer = Csv()
    look = importer.look(path)
    tracemalloc.start()
    try:
        answers, bad = split(importer.read(path, look))
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert answers == ["first", "third"]
    assert [(row.row, row.found) for row in bad] == [
        (
            3,
            "a line of more than 1,000,000 characters, 'Two?,\"word word word word word word word word word word word'",
        ),
        (5, "a quote that is never closed in 'Four?,\"a quote'"),
        (
            6,
            "a line of more than 1,000,000 characters, 'long long long long long long long long long long long long'",
        ),
    ]
    assert most < 8 * MB


@pytest.mark.parametrize(("columns", "most"), [(32_000, 1.0), (200_000, 3.0)])
def test_a_table_of_too_many_columns_is_refused_at_once(
    tmp_path: Path, columns: int, most: float
) -> None:
    path = tmp_path / "wide.csv"
    path.write_text(
        ",".join(f"c{i}" for i in range(columns)) + "\n" + ",".join("x" * columns) + "\n", "utf-8"
    )
    took = []
    for _ in range(2):
        began = time.perf_counter()
        with pytest.raises(
            InputError, match=rf"found {columns:,} columns in row 1, expected at most 1,000"
        ):
            Csv().look(path)
        took.append(time.perf_counter() - began)
    assert min(took) < most


def test_a_wide_table_that_people_have_is_read(tmp_path: Path) -> None:
    path = tmp_path / "models.csv"
    path.write_text(
        "question,"
        + ",".join(f"model {i}" for i in range(400))
        + "\nWhy?,"
        + ",".join("Because." for _ in range(400))
        + "\n",
        "utf-8",
    )
    assert len(Csv().look(path).columns) == 401
