"""An import's rubrics: the project's own, a bundled one that fits, or one made from the scales that a file states or shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from graders.core.scale import Scale
from graders.store import projects
from graders.store.workspace import Workspace
from graders.workflows import imports
from graders.workflows.permissions import Scope
from tests.store import small
from tests.support.imported import TABLE, csv, values


@pytest.mark.parametrize(
    ("stated", "given", "scale"),
    [
        (["low", "mid", "high"], ["mid", "high"], Scale("ordered", labels=("low", "mid", "high"))),
        ({"labels": ["red", "blue"], "ordered": False}, ["red"], Scale("nominal", labels=("red", "blue"))),
        ([1, 5], [2, 3], Scale("integer", low=1, high=5)),
        ({"from": 0, "to": 10, "whole": False}, [2.5], Scale("numeric", low=0, high=10)),
        (["No", "Yes"], ["Yes"], Scale("ordered", labels=("No", "Yes"))),
        # nothing stated: what the values show
        (None, ["yes", "No", "YES"], Scale("ordered", labels=("No", "Yes"))),
        (None, ["red", "blue", "red"], Scale("nominal", labels=("red", "blue"))),
        (None, [2, 3, 5], Scale("integer", low=1, high=5)),
        (None, [0.2, 0.9], Scale("numeric", low=0, high=1)),
        (None, [0, 10], Scale("integer", low=0, high=10)),
        (None, [1.5, 7.25], Scale("numeric", low=1.5, high=7.25)),
    ],
)
def test_a_rubric_is_made_from_the_scale_that_a_file_states_or_shows(
    tmp_path: Path, ws: Workspace, scope: Scope, stated: Any, given: Sequence[Any], scale: Scale
) -> None:
    more = {} if stated is None else {"scale": stated}
    said = [small.human(f"q{i}", "Ash", "wit", "mira", value, **more) for i, value in enumerate(given, 1)]
    count = len(given)
    path = small.folder(tmp_path, "f", questions=small.questions(count), answers=small.answers(count, ["Ash"]), human=said)
    report = small.bring(scope, path, rubric=None)
    assert (report.verdicts, report.bad, report.rubrics) == (count, 0, ("study-imported",))
    made = next(c for c in projects.criteria(ws, projects.get_project(ws, "study")) if c.criterion.name == "wit")
    assert made.scale == scale
    assert report.notes[-1] == f"A rubric was made for wit ({scale.describe()}): please look at it."


@pytest.mark.parametrize(
    ("criteria", "given", "rubric"),
    [
        ({"correctness": ["No", "Yes"]}, "Yes", "correctness"),
        ({"correctness": None}, 1, "correctness"),
        ({"correctness": [1, 5]}, 3, "study-imported"),  # the name fits, the scale does not
        ({"coherence": [1, 5], "fluency": [1, 5]}, 4, "summary-quality"),
        ({"coherence": [1, 5], "wit": [1, 5]}, 4, "study-imported"),  # one of two is not in the bundled rubric
    ],
)
def test_a_bundled_rubric_is_taken_where_names_and_scales_fit(
    tmp_path: Path, scope: Scope, criteria: Mapping[str, Any], given: Any, rubric: str
) -> None:
    said = [small.human("q1", "Ash", name, "mira", given, **({"scale": scale} if scale else {})) for name, scale in criteria.items()]
    path = small.folder(tmp_path, "f", questions=small.questions(1), answers=small.answers(1, ["Ash"]), human=said)
    report = small.bring(scope, path, rubric=None)
    assert (report.rubrics, report.verdicts, report.bad) == ((rubric,), len(criteria), 0)


def test_a_project_without_verdicts_gets_the_general_rubric(tmp_path: Path, scope: Scope) -> None:
    assert small.bring(scope, csv(tmp_path, TABLE), rubric=None).rubrics == ("answer-quality",)


def test_criteria_of_a_rubric_that_is_not_in_the_file(tmp_path: Path, ws: Workspace, scope: Scope) -> None:
    """Keys of two rubrics with the same name in them: each gets its own criterion; a later file adds to them, and takes none away."""
    asked, given = small.questions(1), small.answers(1, ["Ash"])
    said = [small.human("q1", "Ash", key, "mira", value, scale=[1, 5]) for key, value in (("old/wit", 2), ("other/wit", 4))]
    first = small.bring(scope, small.folder(tmp_path, "a", questions=asked, answers=given, human=said), rubric=None)
    assert (first.verdicts, first.bad) == (2, 0)
    more = [small.human("q1", "Ash", "charm", "mira", 5, scale=[1, 5])]
    second = small.bring(scope, small.folder(tmp_path, "b", questions=asked, answers=given, human=more), rubric=None)
    assert (second.verdicts, second.bad) == (1, 0)
    keys = [c.key for c in projects.criteria(ws, projects.get_project(ws, "study")) if c.criterion.rubric != "faults"]
    assert keys == ["study-imported/wit", "study-imported/wit-2", "study-imported-2/charm"]
    assert values(ws, 1) == [("mira", 2), ("mira", 4), ("mira", 5)]


def test_a_files_rubric_never_replaces_the_projects_own(tmp_path: Path, ws: Workspace, scope: Scope) -> None:
    small.bring(scope, small.folder(tmp_path, "a", questions=small.questions(1), answers=small.answers(1, ["Ash"])))
    other = small.folder(tmp_path, "b", questions=small.questions(1))
    (other / "rubrics").mkdir()
    (other / "rubrics/small.yaml").write_text(small.RUBRIC.replace("to: 5", "to: 7"), "utf-8")
    report = imports.stage(scope, "study", other)
    assert "The file's rubric small differs from the project's, which is kept." in report.notes
    imports.drop(scope, report.import_id)
    kept = next(c for c in projects.criteria(ws, projects.get_project(ws, "study")) if c.criterion.name == "completeness")
    assert kept.scale.high == 5


def test_names_of_annotators_tell_groups_and_experts_decide(tmp_path: Path, ws: Workspace, scope: Scope) -> None:
    given = [small.human("q1", "Ash", "completeness", name, value) for name, value in (("expert0", 2), ("crowd0", 5), ("crowd1", 5))]
    report = small.bring(scope, small.folder(tmp_path, "f", questions=small.questions(1), answers=small.answers(1, ["Ash"]), human=given))
    assert report.notes[-1] == "The annotators' names tell groups (crowd, expert); experts decide final values."
    assert {p.name: p.group for p in projects.people(ws).values()} == {"crowd0": "crowd", "crowd1": "crowd", "expert0": "expert"}
    sql = "SELECT c.final, c.final_reason FROM cell c JOIN criterion k ON k.id = c.criterion_id WHERE k.key = 'small/completeness'"
    assert tuple(ws.db.execute(sql).fetchone()) == ("2", "one person"), "(2 + 5 + 5) has the median 5; the expert says 2"
