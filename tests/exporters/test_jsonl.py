"""The exchange format, byte by byte."""

from __future__ import annotations

import json
import zipfile

import pytest

from graders.core.discovery import load_all
from graders.core.errors import InputError
from graders.exporters.jsonl import Jsonl
from tests.exporters.snapshots import RUBRIC, snapshot

FILES = [
    "answers.jsonl",
    "calls.jsonl",
    "human.jsonl",
    "judge.jsonl",
    "project.json",
    "questions.jsonl",
    "rubrics/quality.yaml",
]


def bytes_of(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def bytes_in(archive):
    with zipfile.ZipFile(archive) as found:
        assert found.testzip() is None
        return {name: found.read(name) for name in found.namelist()}


def test_all_exporters_of_the_folder_load():
    parts, failures = load_all("exporters")
    assert not failures
    assert {"jsonl": ".zip", "csv": ".csv", "xlsx": ".xlsx"}.items() <= {
        name: part.suffix for name, part in parts.items()
    }.items()


def test_a_folder_holds_all_tables_but_the_cells(tmp_path):
    Jsonl().write(snapshot(), tmp_path / "out")
    assert sorted(bytes_of(tmp_path / "out")) == FILES


def test_rows_keep_the_order_of_their_keys_and_lose_what_is_none(tmp_path):
    Jsonl().write(snapshot(), tmp_path / "out")
    found = bytes_of(tmp_path / "out")
    assert found["questions.jsonl"].decode() == (
        # context was None
        '{"id": "q1", "text": "Why is the sky blue?"}\n{"text": "Почему небо голубое?", "id": "q2"}\n'
    )
    # 0.0 is a value; the line separator U+2028 stays within its line
    assert (
        found["answers.jsonl"].decode()
        == '{"question_id": "q1", "model": "Alder", "text": "a\u2028b\\n", "cost": 0.0}\n'
    )
    assert found["calls.jsonl"] == b""
    assert found["rubrics/quality.yaml"].decode() == RUBRIC
    assert json.loads(found["project.json"]) == {
        "name": "Небо",
        "format": 1,
        "exported_at": "2030-01-02",
    }
    assert not any(b"\r" in content for content in found.values())


def test_folder_and_zip_hold_the_same_bytes(tmp_path):
    Jsonl().write(snapshot(), tmp_path / "out")
    Jsonl().write(snapshot(), tmp_path / "out.ZIP")
    assert bytes_in(tmp_path / "out.ZIP") == bytes_of(tmp_path / "out")


def test_the_same_snapshot_gives_the_same_zip(tmp_path):
    names = [tmp_path / "one.zip", tmp_path / "two.zip"]
    for name in names:
        Jsonl().write(snapshot(), name)
    assert names[0].read_bytes() == names[1].read_bytes()
    with zipfile.ZipFile(names[0]) as archive:
        assert archive.namelist() == FILES
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_many_rows_come_back_in_order(tmp_path):
    rows = [{"id": f"q{i}", "text": "x" * (i % 50)} for i in range(5001)]
    Jsonl().write(snapshot(questions=rows), tmp_path / "out.zip")
    lines = bytes_in(tmp_path / "out.zip")["questions.jsonl"].decode().splitlines()
    assert [json.loads(line) for line in lines] == rows


def test_what_utf8_and_json_cannot_hold(tmp_path):
    rows = [
        {"id": "q1", "text": "half \ud83d of a pair, NUL \0"},
        {"id": "q2", "metadata": {"score": float("nan"), "all": [float("inf"), 1]}},
    ]
    Jsonl().write(snapshot(questions=rows), tmp_path / "out")
    lines = (tmp_path / "out/questions.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[0])["text"] == "half \ufffd of a pair, NUL \0"
    assert json.loads(lines[1])["metadata"] == {"score": None, "all": [None, 1]}


def test_an_existing_file_is_replaced_and_nothing_is_left_beside_it(tmp_path):
    (tmp_path / "out.zip").write_bytes(b"old")
    Jsonl().write(snapshot(), tmp_path / "out.zip")
    assert list(bytes_in(tmp_path / "out.zip")) == FILES
    assert [path.name for path in tmp_path.iterdir()] == ["out.zip"]


def rows_that_fail():
    yield {"id": "q1"}
    raise RuntimeError("the disk went away")


@pytest.mark.parametrize("name", ["out.zip", "out"])
def test_a_failure_in_the_middle_leaves_no_half_export(tmp_path, name):
    with pytest.raises(RuntimeError):
        Jsonl().write(snapshot(questions=rows_that_fail()), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_failure_in_the_middle_leaves_the_old_file(tmp_path):
    (tmp_path / "out.zip").write_bytes(b"old")
    with pytest.raises(RuntimeError):
        Jsonl().write(snapshot(questions=rows_that_fail()), tmp_path / "out.zip")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("out.zip", b"old")]


def test_a_folder_with_files_is_not_overwritten(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out/mine.txt").write_text("keep")
    with pytest.raises(InputError) as found:
        Jsonl().write(snapshot(), tmp_path / "out")
    assert str(found.value) == (
        f"{tmp_path / 'out'}: found a folder with files in it, expected a new name or an empty folder. Name another target."
    )
    assert (tmp_path / "out/mine.txt").read_text() == "keep"


def test_an_empty_folder_is_filled(tmp_path):
    (tmp_path / "out").mkdir()
    Jsonl().write(snapshot(), tmp_path / "out")
    assert sorted(bytes_of(tmp_path / "out")) == FILES


def test_a_place_that_cannot_be_written_to(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="expected a place that can be written to"):
        Jsonl().write(snapshot(), tmp_path / "file/out.zip")


def test_a_rubric_cannot_leave_the_folder(tmp_path):
    found = snapshot()
    with pytest.raises(InputError, match="a name that cannot be a file's"):
        Jsonl().write(
            type(found)(project={}, rubrics={"../../evil": RUBRIC}, tables={}), tmp_path / "out"
        )
    assert list(tmp_path.iterdir()) == []
