"""The rubric that is recommended for a file, the cells that it makes, and what it cannot measure."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.core.rubric import read_rubric
from graders.core.rubric_edit import without_criteria
from graders.workflows.importing import advised_rubric
from graders.workflows.importing import look as importing_look
from graders.workflows.importing import stage as importing_stage
from graders.workflows.importing.advised_rubric import Advice, Held
from graders.workflows.report import export
from graders.workflows.scope.named_rubrics import read_named_rubric
from tests.store import small

EXAMPLES = Path(__file__).parents[3] / "data/examples"
LONG = "The axis leans, so each half of the Earth gets more light for a part of the year. " * 4
REFERRED = "question,reference,Ash,Oak\n" + "".join(
    f"Why is it {n}?,Because of {n}.,{{answer}},{{answer}}\n" for n in range(4)
)


def held(path: Path) -> Held:
    return advised_rubric.held_by(path, importing_look.see(path)[1])


def advised(folder: Path, path: Path, project: str = "") -> Advice:
    scope = small.scope_of(small.workspace(folder))
    return advised_rubric.advice(scope, project, held(path))


def made(folder: Path, text: str) -> Path:
    path = folder / "made.csv"
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "rubric", "cells"),
    [
        ("answers.csv", "correctness", 18),
        ("graded.csv", "correctness", 48),
        ("translations.csv", "translation", 12),
        ("questions.csv", "answer-quality", None),
        ("study", "answer-quality", 30),
    ],
)
def test_examples(tmp_path: Path, name: str, rubric: str, cells: int | None) -> None:
    found = advised(tmp_path, EXAMPLES / name)
    assert (found.name, found.rubrics[0].cells) == (rubric, cells) and found.why


@pytest.mark.parametrize(
    ("text", "rubric", "why"),
    [
        (REFERRED.format(answer="Light."), "correctness", "4 of 4 questions have references"),
        (REFERRED.format(answer=f'"{LONG}"'), "accuracy", "answers are long"),
        (
            "question,context,Ash\nWhen does it open?,The pool opens at 8.,At 8.\n",
            "grounded",
            "1 of 1 questions has documents",
        ),
        (
            "question,Ash\nWrite a poem about rain.,Rain.\nНапиши стихотворение о снеге.,Снег.\n"
            "写一首关于月亮的诗。,月。\n",
            "creative",
            "3 of 3 questions ask for a poem",
        ),
        (
            "question,type,Ash\nA letter?,creative,Dear.\nA toast?,creative,Cheers.\n",
            "creative",
            "",
        ),
        ("question,Ash\nWhy is the sky blue?,Light.\n", "answer-quality", "serves all"),
    ],
)
def test_made_files(tmp_path: Path, text: str, rubric: str, why: str) -> None:
    found = advised(tmp_path, made(tmp_path, text))
    assert found.name == rubric and why in found.why
    assert found.rubrics[0].name == rubric and found.rubrics[0].about


def test_what_nobody_could_measure_is_off_and_comes_back_with_its_column(tmp_path: Path) -> None:
    whole = read_named_rubric("answer-quality")
    path = made(tmp_path, "question,model,answer\nWhy?,Ash,So.\n")
    without = advised_rubric.measurable(whole, held(path))
    assert {c.name for c in whole.criteria} - {c.name for c in without.criteria} == {"speed"}
    (off,) = [one for one in advised_rubric.offered(whole, held(path)).lacks if one.off]
    assert (off.title, off.text) == ("Speed", "The time to the first token was not measured.")
    path = made(tmp_path, "question,model,answer,time to first token\nWhy?,Ash,So.,0.4\n")
    assert advised_rubric.measurable(whole, held(path)) is whole


def test_cells_are_those_that_the_import_makes(tmp_path: Path) -> None:
    path = EXAMPLES / "answers.csv"
    scope = small.scope_of(small.workspace(tmp_path))
    for name in ("correctness", "answer-quality", "creative"):
        rubric = advised_rubric.measurable(read_named_rubric(name), held(path))
        report = importing_stage.stage(scope, name, path, rubric=rubric)
        importing_stage.finish(scope, report.import_id)
        (made,) = scope.ws.db.execute(
            "SELECT COUNT(*) FROM cell WHERE project_id = ?", (scope.project(name).id,)
        ).fetchone()
        assert advised_rubric.offered(rubric, held(path)).cells == made


def test_cells_of_a_long_file_are_counted_from_its_first_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = "".join(f"How many is {n}?,{n},It is {n}.,It is not {n}.\n" for n in range(400))
    path = made(tmp_path, f"question,reference,Ash,Oak\n{rows}")
    monkeypatch.setattr(advised_rubric, "RECORDS", 300)
    rubric = read_named_rubric("correctness")
    offer = advised_rubric.offered(rubric, held(path))
    assert advised_rubric.cells_words(offer) == "at least 200 cells"
    monkeypatch.setattr(advised_rubric, "RECORDS", 10_000)
    offer = advised_rubric.offered(rubric, held(path))
    assert advised_rubric.cells_words(offer) == "800 cells"


def test_what_a_rubric_cannot_measure_is_said(tmp_path: Path) -> None:
    found = advised(tmp_path, made(tmp_path, "question,Ash\nWhy?,So.\n"))
    said = {one.name: [lack.text for lack in one.lacks] for one in found.rubrics}
    assert "1 of 1 questions has no reference" in said["correctness"][0]
    assert "1 of 1 questions has no documents" in said["grounded"][0]
    assert "makes no cells yet" in said["facts"][0]
    assert "pairs of answers" in said["preference"][0]
    assert next(one.cells for one in found.rubrics if one.name == "facts") == 0


def test_a_project_and_an_export_keep_their_own_rubrics(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    scope = small.study(tmp_path, ws, count=1, models=("Ash",))
    found = advised_rubric.advice(scope, "study", held(EXAMPLES / "answers.csv"))
    assert (found.name, found.why) == ("", "The project keeps its rubric: small.")
    export.export(scope, "study", "jsonl", tmp_path / "out.zip")
    found = advised_rubric.advice(scope, "new", held(tmp_path / "out.zip"))
    assert (found.name, found.why) == ("", "The file brings its own rubric: small.")
    path = made(tmp_path, "question,reference\n")
    assert advised(tmp_path, path).name == ""  # nothing to advise on


def test_a_criterion_is_cut_out_of_the_text_with_its_translations() -> None:
    source = read_named_rubric("creative").source
    cut = read_rubric(without_criteria(source, ["style", "effect"]))
    assert [c.name for c in cut.criteria] == ["form", "elements", "mood"]
    assert all(not {"style", "effect"} & set(said) for said in cut.translations.values())
    assert len(cut.source.splitlines()) < len(source.splitlines())
