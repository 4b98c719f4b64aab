"""TXT cases: prompt, separating line, expected answer; a folder is a category."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from graders.core.contracts import Look, Placed
from graders.core.errors import InputError
from graders.core.records import BadRow, Question
from graders.importers.txt_cases import TxtCases, read_case
from graders.store.answers import content
from graders.workflows.benchmarks.cases import BUNDLED
from graders.workflows.importing import look as importing_look
from graders.workflows.importing import stage as importing_stage
from graders.workflows.scope.permissions import Scope
from tests.store import small


def case(folder: Path, name: str, text: str | bytes) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(
    "line",
    [
        "=== separator ===",
        "=== разделитель ===",
        "===separator===",
        "  ==== Separator ====  ",
        "=== РАЗДЕЛИТЕЛЬ ===",
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_prompt_and_answer_stand_on_both_sides_of_the_line(
    tmp_path: Path, line: str, end: str
) -> None:
    found = read_case(
        case(
            tmp_path / "translation",
            "one",
            f"\ufeffSay hi.{end}Now.{end}{line}{end}Скажи привет.{end}",
        )
    )
    assert isinstance(found, Question)
    assert (found.id, found.category, found.text) == (
        "translation/one",
        "translation",
        "Say hi.\nNow.",
    )
    assert found.references == ("Скажи привет.",)


@pytest.mark.parametrize(
    ("folder", "prompt", "answer", "category", "language"),
    [
        (
            "translation",
            "Translate this sentence into Russian.",
            "Переведи это предложение.",
            "translation",
            "ru",
        ),
        (
            "translation",
            "Переведи это предложение.",
            "Translate this sentence for me.",
            "translation",
            "en",
        ),
        (
            "code",
            "Напиши функцию, которая складывает числа.",
            "def add(a, b): return a + b",
            "codegen",
            "ru",
        ),
        (
            "Summarisation",
            "Summarise the text about the bees.",
            "The bees find their way home.",
            "summarization",
            "en",
        ),
    ],
)
def test_the_folder_is_the_category_and_the_language_is_that_of_the_answer(
    tmp_path: Path, folder: str, prompt: str, answer: str, category: str, language: str
) -> None:
    found = read_case(case(tmp_path / folder, "a", f"{prompt}\n=== separator ===\n{answer}"))
    assert isinstance(found, Question)
    assert (found.category, found.language) == (category, language)


@pytest.mark.parametrize(
    ("text", "row", "found"),
    [
        ("Only a prompt\nof two lines", 2, "no separating line"),
        ("", 1, "no separating line"),
        ("a\n=== separator ===\nb\n=== separator ===\nc", 4, "2 separating lines"),
        ("\n=== separator ===\nb", 1, "nothing"),
        ("a\n\n=== separator ===\n  \n", 4, "nothing"),
        ("Текст\n=== separator ===\nb".encode("cp1251"), 1, "bytes that are no UTF-8"),
        (b"a\0\n=== separator ===\nb", 1, "a NUL character"),
        (b"x" * (1 << 20) + b"\n=== separator ===\nb", 1, "a file of more than 1 MB"),
    ],
)
def test_what_is_no_case_is_a_bad_row_with_its_line(
    tmp_path: Path, text: str | bytes, row: int, found: str
) -> None:
    problem = read_case(case(tmp_path / "translation", "bad", text))
    assert isinstance(problem, BadRow)
    assert (problem.file, problem.row, problem.found) == ("bad.txt", row, found)


def test_a_folder_of_folders_comes_in_with_its_bad_files_listed(
    scope: Scope, tmp_path: Path
) -> None:
    root = tmp_path / "set"
    case(root / "translation", "a", "Say hi.\n=== separator ===\nПривет.")
    case(root / "translation", "b", "no line")
    case(root / "code", "a", "Write f.\n=== separator ===\ndef f(): pass")
    case(root / "prompts", "translation", "Write a case.\n=== separator ===\nnever a case")
    name, look = importing_look.look_at(scope, root)
    assert (name, look.notes) == ("txt_cases", ("codegen: 1 files, translation: 2 files.",))
    report = importing_stage.stage(scope, "cases", root, look)
    importing_stage.finish(scope, report.import_id)
    assert (report.questions, report.bad) == (2, 1)
    assert [(row.file, row.found) for row in report.bad_rows] == [("b.txt", "no separating line")]


@pytest.mark.parametrize("around", ["", "set/"])
def test_a_zip_of_folders_comes_in_as_they_would(scope: Scope, tmp_path: Path, around: str) -> None:
    files = {
        "code/a.txt": "Write f.\n=== separator ===\ndef f(): pass",
        "FOUR/a.txt": "Say hi.\n=== separator ===\nПривет.",
        "FOUR/b.txt": "no line",
        "prompts/code.txt": "Write a case.\n=== separator ===\nnever a case",
        "__MACOSX/FOUR/._a.txt": "litter",
    }
    path = tmp_path / "set.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(around + name, text)
    # As the packers of macOS and Linux write names: UTF-8, and no sign that says so.
    path.write_bytes(path.read_bytes().replace(b"FOUR", "да".encode()))
    name, look = importing_look.look_at(scope, path)
    assert (name, look.notes, look.rows) == ("txt_cases", ("codegen: 1 files, да: 2 files.",), 3)
    report = importing_stage.stage(scope, "cases", path, look)
    importing_stage.finish(scope, report.import_id)
    assert (report.questions, [(row.file, row.found) for row in report.bad_rows]) == (
        2,
        [("b.txt", "no separating line")],
    )
    found = content.questions(scope.ws.db, scope.project("cases"))
    assert sorted((q.id, q.category, q.references) for q in found.values()) == [
        ("codegen/a", "codegen", ("def f(): pass",)),
        ("да/a", "да", ("Привет.",)),
    ]


def test_the_name_of_a_zip_is_the_category_of_what_lies_at_its_top(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "Translation.zip", "w") as archive:
        archive.writestr("a.txt", "Say hi.\n=== separator ===\nПривет.")
    (item,) = TxtCases().read(tmp_path / "Translation.zip", Look())
    assert isinstance(item, Placed) and isinstance(item.record, Question)
    assert (item.record.id, item.record.task_type) == ("translation/a", "factual")


@pytest.fixture
def scope(tmp_path: Path) -> Scope:
    return small.scope_of(small.workspace(tmp_path))


def test_other_texts_are_left_to_other_importers(tmp_path: Path) -> None:
    importer = TxtCases()
    assert importer.fits(case(tmp_path / "x", "table", "question\tanswer\na\tb")) == 0
    assert importer.fits(tmp_path / "x") == 0
    assert importer.fits(tmp_path / "missing") == 0
    assert importer.fits(case(tmp_path / "y", "case", "a\n=== separator ===\nb")) == 15
    assert importer.fits(tmp_path) == 15
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="found no text files"):
        importer.look(tmp_path / "empty")


def test_the_bundled_sets_have_ten_cases_and_more_in_two_languages() -> None:
    importer = TxtCases()
    found = list(importer.read(BUNDLED, Look()))
    cases = [
        item.record
        for item in found
        if isinstance(item, Placed) and isinstance(item.record, Question)
    ]
    assert len(cases) == len(found)
    for category in ("translation", "summarization", "codegen"):
        languages = [c.language for c in cases if c.category == category]
        assert len(languages) >= 10
        assert min(languages.count("en"), languages.count("ru")) >= 5
