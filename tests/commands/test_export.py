"""`cograde export` writes over nothing, and makes no folder, without a word."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from graders.store.workspace import open_workspace
from graders.workflows.report import export, report
from tests.commands.runner import Line
from tests.store import small


class Terminal(io.StringIO):
    """A standard output that somebody looks at."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def study(cograde: Line, tmp_path: Path) -> Line:
    small.study(tmp_path, open_workspace(cograde.workspace), count=1, models=("Ash",))
    return cograde


def test_a_file_that_is_there_stays_unless_forced(study: Line, tmp_path: Path) -> None:
    target = tmp_path / "mine.csv"
    target.write_text("mine", "utf-8")
    words = ("--project", "study", "--format", "csv", "--output", target)
    refused = study("export", *words)
    assert (refused.code, refused.err.strip()) == (
        1,
        f"output {target}: found a file of that name, expected a free name. Choose another name, or overwrite it with --force.",
    )
    assert target.read_text("utf-8") == "mine"
    assert study("export", *words, "--force").code == 0
    assert target.read_text("utf-8-sig").startswith("question")


def test_an_export_that_comes_in_again_goes_on_where_it_was(study: Line, tmp_path: Path) -> None:
    """Screens wait, then every cell has its value: what is to be done next is what the page of
    projects says."""
    given = {"relevance": "relevant", "completeness": 4, "tone": "dry", "brevity": "fitting"}
    for step, graded in enumerate([{}, given]):
        if graded:
            said = [small.human("q1", "Ash", name, "mira", value) for name, value in graded.items()]
            small.bring(
                small.scope_of(open_workspace(study.workspace)),
                small.folder(tmp_path, "more", questions=small.questions(1), human=said),
                rubric=None,
            )
            assert study("route").code == 0
        assert study("export", "--output", tmp_path / f"{step}.zip").code == 0
        where = f"--project study --workspace {tmp_path / f'{step}.db'}"
        done = study.bare(
            "import", tmp_path / f"{step}.zip", "--workspace", tmp_path / f"{step}.db"
        )
        told = "See the results (every cell has a final value): cograde export --output results.zip"
        told = told if graded else "Review 1 screen (4 cells are open): cograde serve"
        assert (done.code, done.out.strip().split("Next: ")[1]) == (0, f"{told} {where}")


def test_no_folder_is_made_and_none_with_files_is_mixed_up(study: Line, tmp_path: Path) -> None:
    lost = study("export", "--project", "study", "--output", tmp_path / "a" / "b" / "out.zip")
    assert lost.code == 1
    assert lost.err.strip().endswith(
        f"found no folder {tmp_path / 'a' / 'b'}, expected an existing folder. Create it first."
    )
    assert not (tmp_path / "a").exists()
    folder = tmp_path / "out"
    assert study("export", "--project", "study", "--output", folder).code == 0
    again = study("export", "--project", "study", "--output", folder)
    assert again.code == 1 and "found a folder with files in it" in again.err
    assert study("export", "--project", "study", "--output", folder, "--force").code == 1, (
        "nobody's folder is emptied"
    )


def test_the_ending_names_the_format_and_must_fit_it(study: Line, tmp_path: Path) -> None:
    assert study("export", "--output", tmp_path / "results.csv", "--json").json["format"] == "csv"
    assert (tmp_path / "results.csv").is_file()
    assert (
        study("export", "--output", tmp_path / "results.xlsm", "--json").json["format"] == "sheet"
    )
    named = {"r.XLSX": "xlsx", "r.xlsm": "sheet", "r.zip": "jsonl", "r": "jsonl", "r.pdf": "jsonl"}
    assert {
        name: export.format_of(Path(name), export.endings(), export.EXCHANGE) for name in named
    } == named
    told = {
        "r.html": "html",
        "r.HTM": "html",
        "r.md": "md",
        "r.markdown": "md",
        "r.xlsx": "xlsx",
        "r": "html",
    }
    assert {
        name: export.format_of(Path(name), report.ENDINGS, report.FORMATS[0]) for name in told
    } == told
    wrong = [("", name, ".zip, or the name of a folder") for name in ("e.jsonl", "r.pdf", "r.md")]
    for format, name, expected in [
        *wrong,
        ("xlsx", "r.txt", ".xlsx"),
        ("csv", "r.xlsx", ".csv"),
        ("sheet", "r.csv", ".xlsx or .xlsm"),
    ]:
        found = study(
            "export", "--output", tmp_path / name, *(("--format", format) if format else ())
        )
        assert (
            found.code,
            f"found the ending {Path(name).suffix}, expected {expected}. " in found.err,
        ) == (1, True), found.err
        assert not (tmp_path / name).exists()
    for format, name in [("jsonl", "study.v2"), ("csv", "plain")]:
        assert study("export", "--output", tmp_path / name, "--format", format).code == 0


def test_an_export_goes_on_to_the_next_command(study: Line, tmp_path: Path) -> None:
    plain, kept = study("export", "--output", "-"), tmp_path / "kept.csv"
    assert (plain.code, plain.err) == (0, "")
    assert study("export", "--output", kept).code == 0
    assert plain.out.splitlines() == kept.read_text("utf-8-sig").splitlines()
    assert not Path("-").exists()
    both = study("export", "--output", "-", "--json")
    assert both.code == 2
    assert both.json["error"]["found"] == "--output -, which prints the export itself"


def test_no_workbook_is_printed_on_a_terminal(
    study: Line, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graders.commands.export.sys.stdout", Terminal())
    for format, ending in (("xlsx", ".xlsx"), ("jsonl", ".zip")):
        done = study("export", "--output", "-", "--format", format)
        assert done.code == 1
        assert done.err.strip() == (
            f"output -: found a terminal, expected a file or another command, as {format} is no "
            f"text. Name a file, or add > study{ending}; --format csv prints a table."
        )


def test_a_report_names_its_file(study: Line) -> None:
    done = study("report", "--output", "-")
    assert done.code == 1
    assert done.err.strip().endswith(
        "found the standard output, expected the name of a file. Name a file."
    )
    assert not Path("-").exists()
