"""The demo as a visitor meets it: every page has something to show, made of verdicts that the
product itself took in."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from graders.core.shapes import as_dict
from graders.store.workspace import open_workspace
from graders.workflows.adjudication import cell_list
from graders.workflows.agreement import agree, disagreements, people
from graders.workflows.agreement import work_left as progress_use
from graders.workflows.diagnostics import anchoring, diagnose
from graders.workflows.leaderboard import preferences, ranking
from graders.workflows.projects.demo import DEMO, NAME, PAIRS, PAIRS_NAME
from graders.workflows.review.grading import counts
from graders.workflows.routing import page as routing_page
from graders.workflows.routing import plan as routing_plan
from graders.workflows.runs import judges, run_page
from graders.workflows.scope.identity import enter
from graders.workflows.scope.permissions import Actor, Scope
from tests.support.demo.story import paired


@pytest.fixture(scope="module")
def scope(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Scope:
    """The demo's workspace, and somebody who has just come."""
    file = shutil.copy(demo, tmp_path_factory.mktemp("alive") / "work.db")
    ws = open_workspace(file)
    return Scope(Actor(enter(Scope(Actor(), ws), "Lead").person.id), ws)


def ok(figures: list[dict[str, Any]]) -> int:
    return sum(as_dict(figure)["status"] == "OK" for figure in figures)


def test_each_agreement_view_has_figures(scope: Scope) -> None:
    found = agree.agreement(scope, NAME)
    assert ok([judge.shown for criterion in found.criteria for judge in criterion.judges]) >= 4
    words = {judge.verdict.word for criterion in found.criteria for judge in criterion.judges}
    assert words == {"as good", "worse", "INCONCLUSIVE"}
    apart = disagreements.disagreements(scope, NAME)
    assert {"judge wrong", "rubric unclear", "matter of taste", "reference wrong"} <= {
        group.key for group in apart.groups
    }
    assert apart.mended.figure.status == "OK"


def test_people_have_a_pace_and_progress_says_when_it_will_be_done(scope: Scope) -> None:
    paces = [row.pace for row in people.people_report(scope, NAME).people]
    assert len(paces) == 5 and ok(paces) >= 4
    found = progress_use.progress(scope, NAME)
    assert (
        found.left >= 5 and found.until is not None and "Ravi" in [one.name for one in found.idle]
    )
    spent = {row.kind for row in found.minutes if row.minutes > 0}
    assert spent >= {
        "review",
        "blind_arm",
        "calibration",
        "overlap",
        "audit",
        "gold",
        "adjudication",
    }


def test_the_learned_judge_is_not_held_to_what_rules_measure(scope: Scope) -> None:
    assert judges.judge_list(scope, NAME).title.endswith(" of 4 criteria, rules measure 2 more.")


def test_anchoring_has_times_and_wrong_suggestions(scope: Scope) -> None:
    rows = {row.title: row for row in anchoring.anchoring(scope, NAME).rows}
    complete = rows["Completeness"]
    assert complete.real and complete.time.status == "OK" and complete.time.high < 1
    assert complete.wrong.cells > 0


def test_routing_has_hours_and_kinds_of_cells_that_are_proven_or_not(scope: Scope) -> None:
    found = routing_page.routing(scope, NAME)
    assert " hours)" in found.sentence and found.effort.screens > 100
    assert {row.state for row in found.rows} == {"UNPROVEN", "PROVEN"}
    assert any(row.audit.audits for row in found.rows)


def test_there_are_cells_to_settle_and_settled_ones_with_reasons(scope: Scope) -> None:
    left, settled = (cell_list.cells_to_settle(scope, NAME, show) for show in ("left", "settled"))
    assert left.left >= 20 and settled.settled >= 15
    assert all(row.settled.reason for row in settled.rows)


def test_models_are_ranked_and_judges_measured(scope: Scope) -> None:
    found = ranking.leaderboard(scope, NAME)
    assert ok([row.figure for row in found.models]) == 5
    assert (found.models[0].model, found.models[-1].model) == ("Cedar", "Elm")
    assert found.title == "Cedar leads; the next two cannot be told apart."
    assert (
        diagnose.diagnostics(scope, NAME).title == "judge-north is overconfident on Completeness."
    )


def test_pairs_are_ranked_and_others_wait(scope: Scope) -> None:
    found = preferences.preferences(scope, PAIRS_NAME)
    assert ok([row.figure for row in found.models]) == 5 and "ties" in found.subtitle
    assert (found.models[-1].model, found.show) == ("Elm", "people")
    progress = progress_use.progress(scope, PAIRS_NAME)
    # a new pair of each question, where it has one
    assert counts(scope, PAIRS_NAME).waiting == progress.left > 10
    assert progress.until is not None and {row.kind for row in progress.minutes if row.minutes} == {
        "calibration",
        "overlap",
    }
    assert [row.pace.status for row in people.people_report(scope, PAIRS_NAME).people] == ["OK"] * 3


def test_pairs_are_called_pairs(scope: Scope) -> None:
    found = routing_page.routing(scope, PAIRS_NAME)
    assert found.sentence.startswith("People read 61 of 61 pairs (") and found.unit.many == "pairs"
    assert "Blind labels of drawn pairs: " in found.rows[0].sentence
    assert routing_plan.plan(scope, PAIRS_NAME, 2, 6).words.startswith(
        "Every pair was drawn already"
    )
    page = run_page.run_page(scope, PAIRS_NAME)
    assert page.title == "No grader has looked at these 61 pairs yet."
    assert page.subtitle.endswith(
        "A judge is asked about each pair once in each order of its answers."
    )


def test_both_projects_say_that_they_are_illustrative_and_nothing_in_them_names_a_place(
    scope: Scope,
) -> None:
    assert all("written for the demo" in scope.project(name).notice for name in (NAME, PAIRS_NAME))
    for file in (*DEMO.iterdir(), *PAIRS.iterdir()):
        assert not any(place in file.read_text("utf-8") for place in ("/home/", "/tmp/", "/work/"))


def test_the_files_of_pairs_are_what_people_did_at_the_desk(tmp_path: Path) -> None:
    """The study's files are made in the same way (`python -m tests.support.demo`), which takes
    longer."""
    readme = (PAIRS / "README.md").read_text("utf-8")
    for name, rows in paired(tmp_path, PAIRS).items():
        assert [
            json.loads(line) for line in (PAIRS / f"{name}.jsonl").read_text("utf-8").splitlines()
        ] == rows
        assert f"| {name}.jsonl | {len(rows)} |" in readme
