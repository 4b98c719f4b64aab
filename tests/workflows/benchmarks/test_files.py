"""Report files: what is written, what is never overwritten or deleted, hostile texts in all three
forms."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from python_calamine import CalamineWorkbook

from graders.core.errors import InputError
from graders.workflows.benchmarks import benchmark
from graders.workflows.benchmarks._files import MANIFEST
from graders.workflows.benchmarks._records import BenchmarkReport
from graders.workflows.benchmarks.benchmark import Plan
from tests.support.ollama_answers import ollama
from tests.workflows.benchmarks.test_benchmark import QUICK, small_set

HOSTILE = "=HYPERLINK(1)</pre><script>alert(1)</script>\n````\n| a | b |\n# heading\n<img src=x onerror=alert(1)>"


def ran(tmp_path: Path, say: str = "hello there", model: str = "m") -> BenchmarkReport:
    with ollama(lambda name, prompt: say) as server:
        plan = Plan(
            models=(model,),
            url=server.url,
            folder=small_set(tmp_path / "set"),
            output=tmp_path / "out",
            metrics=QUICK,
        )
        return benchmark.run(plan, models={})


@pytest.fixture
def out(tmp_path: Path) -> Iterator[Path]:
    ran(tmp_path)
    yield tmp_path / "out"


class Tags(HTMLParser):
    """Names of all elements, and attributes that would load or run something."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.loads += [
            name for name, _ in attrs if name in ("src", "href") or name.startswith("on")
        ]


def test_texts_of_models_stay_texts_in_every_report(tmp_path: Path) -> None:
    ran(tmp_path, HOSTILE, model="=cmd|<b>x</b>")
    out = tmp_path / "out"
    tags = Tags((out / "report.html").read_text("utf-8"))
    assert not tags.names & {"script", "img", "a", "iframe"}
    assert tags.loads == []
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in (out / "report.html").read_text("utf-8")
    page = (out / "translation.md").read_text("utf-8")
    # the fence is longer than the four marks in the answer
    assert "`````text\n=HYPERLINK(1)" in page
    assert r"=cmd\|\<b\>x\</b\>" in page and "=cmd|" not in page
    book = CalamineWorkbook.from_path(out / "results.xlsx")
    rows = book.get_sheet_by_name("Cases").to_python()
    column = rows[0].index("answer")
    assert rows[1][column] == HOSTILE
    with zipfile.ZipFile(out / "results.xlsx") as archive:
        assert not any(
            b"<f>" in archive.read(name) or b"<hyperlink" in archive.read(name)
            for name in archive.namelist()
        )


def test_the_workbook_holds_the_figures_of_the_result(tmp_path: Path) -> None:
    report = ran(tmp_path)
    book = CalamineWorkbook.from_path(tmp_path / "out" / "results.xlsx")
    assert book.sheet_names == [
        "Means",
        "Side by side",
        "Differences",
        "Best and worst",
        "Cases",
        "Failures",
        "About",
    ]
    head, *rows = book.get_sheet_by_name("Means").to_python()
    found = {row[2]: row for row in rows}
    mean = report.benchmarks[0].models[0].metrics["token_f1_set"]
    assert found["token_f1_set"][head.index("mean")] == pytest.approx(mean.value)
    # "hello there" of "hello there friend N": 2 x 2 / (2 + 4)
    assert mean.value == pytest.approx(2 / 3)
    assert len(book.get_sheet_by_name("Cases").to_python()) == 11


def test_the_workbook_sets_models_side_by_side_and_names_best_and_worst_cases(
    tmp_path: Path,
) -> None:
    with ollama(
        lambda name, prompt: (
            "hello there" if name == "one" else f"hello there friend {len(prompt) % 3}"
        )
    ) as server:
        plan = Plan(
            models=("one", "two"),
            url=server.url,
            folder=small_set(tmp_path / "set"),
            output=tmp_path / "out",
            metrics=QUICK,
        )
        (benchmark_report,) = benchmark.run(plan, models={}).benchmarks
    book = CalamineWorkbook.from_path(tmp_path / "out" / "results.xlsx")
    head, *rows = book.get_sheet_by_name("Side by side").to_python()
    assert head == [
        *("benchmark", "metric", "one", "one, low", "one, high", "two", "two, low", "two, high"),
        *("one - two", "one - two, low", "one - two, high", "one - two, clear"),
    ]
    difference = next(d for d in benchmark_report.differences if d.metric == "token_f1_set")
    row = next(row for row in rows if row[1] == "token_f1_set")
    assert [row[2], row[5]] == [
        pytest.approx(m.metrics["token_f1_set"].value) for m in benchmark_report.models
    ]
    wanted = [
        getattr(difference, name) if getattr(difference, name) is not None else ""
        for name in ("value", "low", "high")
    ]
    assert row[8] == pytest.approx(row[2] - row[5]) and row[8:11] == [
        pytest.approx(x) if x != "" else "" for x in wanted
    ]
    assert row[11] == ("yes" if difference.clear else "no")
    head, *rows = book.get_sheet_by_name("Best and worst").to_python()
    for model in benchmark_report.models:
        for which in ("best", "worst"):
            named = [
                (row[3], pytest.approx(row[4])) for row in rows if row[1:3] == [model.model, which]
            ]
            assert [(case.case, case.score) for case in getattr(model, which)] == named and named
    assert all(
        row[head.index("answer")].startswith("hello there") and row[head.index("expected")]
        for row in rows
    )


def test_clean_deletes_what_was_written_and_nothing_else(out: Path) -> None:
    (out / "notes.txt").write_text("mine", "utf-8")
    (out / "summary.md").write_text("edited", "utf-8")
    cleaned = benchmark.clean(out)
    assert set(cleaned.deleted) == {"translation.md", "report.html", "results.xlsx"}
    assert cleaned.kept["notes.txt"] == "not written by a benchmark"
    assert cleaned.kept["summary.md"] == "changed since it was written"
    assert "replies" in cleaned.kept["benchmark.db"]
    assert (out / "summary.md").read_text("utf-8") == "edited"
    assert benchmark.clean(out).deleted == ()  # once more: nothing is left to delete
    assert sorted(
        path.name for path in out.iterdir() if not path.name.startswith("benchmark.db")
    ) == [MANIFEST, "notes.txt", "summary.md"]


def test_clean_follows_no_link_and_no_path_out_of_the_folder(out: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("mine", "utf-8")
    (out / "report.html").unlink()
    (out / "report.html").symlink_to(outside)
    listed = json.loads((out / MANIFEST).read_text("utf-8"))
    listed["files"]["../outside.md"] = listed["files"]["report.html"]
    (out / MANIFEST).write_text(json.dumps(listed), "utf-8")
    cleaned = benchmark.clean(out)
    assert "report.html" in cleaned.kept and outside.read_text("utf-8") == "mine"


def test_a_second_run_replaces_its_own_reports_only(out: Path, tmp_path: Path) -> None:
    plan = Plan(
        models=("m",), url="http://127.0.0.1:9", folder=tmp_path / "set", output=out, metrics=QUICK
    )
    with ollama(lambda name, prompt: "hello there") as server:
        benchmark.run(
            Plan(models=("m",), url=server.url, folder=plan.folder, output=out, metrics=QUICK),
            models={},
        )
    (out / "translation.md").write_text("my remarks", "utf-8")
    with pytest.raises(
        InputError,
        match=r"translation.md: found a file that was changed since, expected no file of that name",
    ):
        benchmark.run(plan, models={})
    (out / "translation.md").unlink()
    (out / MANIFEST).unlink()
    with pytest.raises(InputError, match=r"summary.md: found a file that no benchmark wrote"):
        benchmark.run(plan, models={})


@pytest.mark.parametrize("text", ["", "[]", '{"files": 3}', "not json"])
def test_a_damaged_list_of_files_is_said_in_a_sentence(out: Path, text: str) -> None:
    (out / MANIFEST).write_text(text, "utf-8")
    with pytest.raises(InputError, match="found a list of files that cannot be read"):
        benchmark.clean(out)
    assert (out / "summary.md").exists()
