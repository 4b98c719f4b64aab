"""Folders and zips of the exchange format that are damaged, hostile or something else."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from graders.core.contracts import Look
from graders.core.errors import InputError
from graders.importers.exchange import Exchange

EXCHANGE = {
    "questions.jsonl": b'{"id": "q", "text": "One?"}\n',
    "answers.jsonl": b'{"question_id": "q", "model": "m", "text": "a"}\n',
}


def pack(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, raw in files.items():
            archive.writestr(name, raw)
    return path


@pytest.mark.parametrize(
    "name",
    ["../outside.jsonl", "/etc/passwd", "rubrics/../../x.yaml", "C:\\x.jsonl", "..\\x.jsonl"],
)
def test_a_zip_with_paths_that_leave_it_is_refused(name: str, tmp_path: Path) -> None:
    path = pack(tmp_path / "set.zip", {**EXCHANGE, name: b"x"})
    with pytest.raises(InputError, match="expected files inside the archive"):
        Exchange().look(path)
    with pytest.raises(InputError, match="expected files inside the archive"):
        list(Exchange().read(path, Look()))


def test_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = pack(tmp_path / "set.zip", {**EXCHANGE, "human.jsonl": b"\n" * 50_000_000})
    assert path.stat().st_size < 100_000
    with pytest.raises(
        InputError,
        match=r"'human.jsonl', [\d,]+ bytes that unpack to 50,000,000, expected text, which shrinks far less",
    ):
        Exchange().look(path)


def test_a_zip_of_something_else_is_refused(tmp_path: Path) -> None:
    path = pack(tmp_path / "set.zip", {"word/document.xml": b"<x/>", "inner.zip": b"PK"})
    with pytest.raises(InputError) as error:
        Exchange().look(path)
    assert str(error.value) == (
        "set.zip: found a zip with inner.zip, word/document.xml, expected an index of the questions and a folder per question with a "
        "text file per model (a study), or questions.jsonl and answers.jsonl (the exchange format). "
        "Add index.csv, or question.txt to each folder; import tables one by one."
    )
    assert Exchange().fits(path) == 1


def test_a_damaged_zip_is_a_sentence(tmp_path: Path) -> None:
    path = pack(
        tmp_path / "set.zip", {**EXCHANGE, "answers.jsonl": EXCHANGE["answers.jsonl"] * 500}
    )
    raw = bytearray(path.read_bytes())
    place = raw.index(b"answers.jsonl") + 20
    raw[place : place + 20] = b"\xff" * 20
    path.write_bytes(raw)
    with pytest.raises(InputError, match=r"answers\.jsonl cannot be unpacked"):
        list(Exchange().read(path, Look()))
