"""Rubrics that name graders nobody knows: refused at the door, told where they are in already."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graders.core.errors import RubricError
from graders.core.rubric import read_rubric
from graders.store import projects
from graders.store.workspace import open_workspace
from graders.workflows.projects import settings as projects_settings
from graders.workflows.scope.permissions import Actor, Scope
from tests.commands.runner import Line

RUBRIC = """
rubric: small
criteria:
  brevity: {question: Short enough?, scale: [too long, fitting], graders: [{length: {short: 40}}], review: automatic}
  tone: {question: Which tone?, scale: [dry, warm], graders: [GRADER], review: people}
"""


def files(folder: Path) -> tuple[Path, Path]:
    """One answer, and the place of a rubric."""
    answers = folder / "t.csv"
    answers.write_text("question,birch\nWhy?,Because.\n", "utf-8")
    return answers, folder / "small.yaml"


def test_a_rubric_that_names_an_unknown_grader_is_refused_with_its_place_and_the_known_names(
    cograde: Line, tmp_path: Path
) -> None:
    answers, rubric = files(tmp_path)
    for grader, found in (
        ("bert_score", "'bert_score'"),
        ("{length: {shrt: 4}}", "length with the options {'shrt': 4}"),
    ):
        rubric.write_text(RUBRIC.replace("GRADER", grader), "utf-8")
        refused = cograde("import", answers, "--project", "t", "--rubric", rubric)
        assert refused.code == 1
        assert (
            "rubric small, criterion tone, graders: found " in refused.err and found in refused.err
        )
        assert "bertscore" in refused.err or "short" in refused.err  # the known names
    assert "found no such file, expected a workspace" in cograde("status").err, (
        "nothing is left behind"
    )


@pytest.mark.parametrize(
    "template",
    [
        "Is it so? {{ answer.__class__ }}",
        "Is {moonlight} so? {answer}",
        "Say yes.",
        "{% for x in y %}",
    ],
)
def test_a_template_that_cannot_be_used_is_refused_when_the_rubric_comes_in(
    cograde: Line, tmp_path: Path, template: str
) -> None:
    answers, rubric = files(tmp_path)
    rubric.write_text(
        RUBRIC.replace("graders: [GRADER]", f"graders: [judge], template: {json.dumps(template)}"),
        "utf-8",
    )
    refused = cograde("import", answers, "--project", "t", "--rubric", rubric)
    assert (
        refused.code == 1
        and "rubric small, criterion tone, template" in refused.err
        and "Traceback" not in refused.err
    )


def test_a_project_whose_grader_is_gone_grades_the_rest_and_says_so(
    cograde: Line, tmp_path: Path
) -> None:
    answers, rubric = files(tmp_path)
    rubric.write_text(RUBRIC.replace("GRADER", "judge"), "utf-8")
    brought = cograde("import", answers, "--project", "t", "--rubric", rubric)
    assert (brought.code, brought.out.strip().split("Next: ")[1]) == (
        0,
        f"cograde grade --project t --workspace {cograde.workspace}",
    )
    ws = open_workspace(cograde.workspace)
    # a plug-in's, once
    projects.save_rubric(
        ws, projects.get_project(ws, "t"), read_rubric(RUBRIC.replace("GRADER", "moonlight"))
    )
    graded = cograde("grade", "--project", "t", "--yes", "--json")
    assert (graded.code, graded.json["state"], graded.json["summary"]["with_verdict"]) == (
        1,
        "done",
        1,
    )
    assert (
        graded.err.strip()
        .splitlines()[-1]
        .startswith("criterion small/tone: found the grader 'moonlight', expected judge or one of ")
    )
    with pytest.raises(
        RubricError, match="rubric small, criterion tone, graders: found the grader 'moonlight'"
    ):
        projects_settings.change_rubric(
            Scope(Actor(), ws), "t", "small", RUBRIC.replace("GRADER", "moonlight")
        )
    # What came out with it comes in with it, verdicts and all; the place is said.
    assert cograde("export", "--project", "t", "--output", tmp_path / "out.zip").code == 0
    back = cograde("import", tmp_path / "out.zip", "--project", "again")
    assert (
        back.code == 0
        and "rubric small, criterion tone, graders: found the grader 'moonlight'" in back.err
    )
