"""The demo makes its point: what a visitor should see on its pages, asserted from the use cases that
the pages are drawn from."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from graders.core.settings import Settings
from graders.store.workspace import open_workspace
from graders.web.app import make_app
from graders.web.serve import resolver_of
from graders.workflows.adjudication import cell_list
from graders.workflows.agreement import agree
from graders.workflows.diagnostics import anchoring, diagnose
from graders.workflows.leaderboard import ranking
from graders.workflows.projects.demo import DEMO, NAME
from graders.workflows.promise.kinds import PROVEN
from graders.workflows.review.grading import counts
from graders.workflows.routing import page as routing_page
from graders.workflows.runs import judges
from graders.workflows.scope.identity import enter
from graders.workflows.scope.permissions import Actor, Scope
from graders.workflows.workshop import workshop
from tests.support.opened import texts_in

#: The share of people's minutes that routing saves on factual answers, and what judge and labels are
#: worth beside labels alone, at least.
SAVES, WORTH = 0.4, 1.5
#: Without a value a figure says why.
REASONS = ("reason", "words", "short")


@pytest.fixture(scope="module")
def scope(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Scope:
    """The demo's workspace, and somebody who has just come."""
    file = shutil.copy(demo, tmp_path_factory.mktemp("point") / "work.db")
    ws = open_workspace(file)
    return Scope(Actor(enter(Scope(Actor(), ws), "Lead").person.id), ws)


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DEMO / name).read_text("utf-8").splitlines()]


def test_120_questions_in_four_languages_half_of_them_creative_five_models() -> None:
    questions, answers = rows("questions.jsonl"), rows("answers.jsonl")
    assert len(questions) >= 120 and len({row["text"] for row in questions}) == len(questions)
    assert Counter(row["language"] for row in questions) == dict.fromkeys(
        ("en", "ru", "zh", "ja"), 30
    )
    kinds = Counter(row["task_type"] for row in questions)
    assert kinds["factual"] == kinds["creative"]
    assert Counter(Counter(row["model"] for row in answers).values()) == {len(questions): 5}


def test_the_demo_stays_small() -> None:
    assert sum(file.stat().st_size for file in DEMO.iterdir()) < 4e6


def test_routing_saves_two_fifths_of_the_minutes_for_factual_answers_and_its_promise_is_proven(
    scope: Scope,
) -> None:
    """Said on the page. Calibration counts with the seconds that it took, twice where two people
    read an answer."""
    project = scope.project(NAME)
    found = routing_page.routing(scope, NAME)
    assert found.terms is not None and (found.alpha, found.delta) == (0.1, 0.1)
    factual = [row for row in found.rows if row.task_type == "factual"]
    assert len(factual) == 3 and {row.state for row in factual} == {PROVEN}
    assert all(row.upper is not None and row.upper <= found.alpha for row in factual)
    (saving,) = [one for one in found.savings if one.task_type == "factual"]
    (calibration,) = scope.ws.db.execute(
        "SELECT sum(a.seconds) FROM assignment a JOIN screen s ON s.id = a.screen_id "
        "JOIN question q ON q.id = s.question_id WHERE s.project_id = ? "
        "AND s.design = 'calibration' AND a.state = 'done' AND q.task_type = 'factual'",
        (project.id,),
    ).fetchone()
    assert found.effort is not None and found.effort.screens > 300
    assert saving.routed >= saving.sampled >= calibration > 0
    assert 1 - saving.routed / saving.alone >= SAVES
    settings = Settings(workspace=scope.ws.path)
    app = make_app(resolver_of(scope.ws, settings), settings)
    told = texts_in(
        TestClient(app, base_url="http://localhost").get(f"/routing?project={NAME}").text
    )
    assert any(saving.words in text for text in told)


def test_judge_and_labels_are_worth_half_as_many_labels_again(scope: Scope) -> None:
    board = ranking.leaderboard(scope, NAME)
    assert board.worth is not None and board.worth.gain >= WORTH
    assert f"worth {board.worth.questions} more labelled questions" in board.subtitle
    assert {row.figure.status for row in board.models} == {"OK"}


def test_anchoring_is_conclusive_on_one_criterion(scope: Scope) -> None:
    found = anchoring.anchoring(scope, NAME)
    real = {row.title: row for row in found.rows if row.real}
    assert [*real] == ["Completeness"] and found.title == "Suggestions pull people on Completeness."
    assert real["Completeness"].pull.status == "OK" and real["Completeness"].wrong.cells > 0
    assert min(real["Completeness"].arms.blind, real["Completeness"].arms.assisted) >= 100


@pytest.fixture(scope="module")
def figures(scope: Scope) -> dict[tuple[str, str, str], Any]:
    """Diagnostics: (judge, criterion, name of the figure) -> figure."""
    return {
        (judge.name, criterion.title, str(name)): figure
        for judge in diagnose.diagnostics(scope, NAME).judges
        for criterion in judge.criteria
        for name, figure in criterion.figures.items()
    }


def test_diagnostics_finds_that_south_likes_length_and_north_does_not(
    figures: dict[tuple[str, str, str], Any],
) -> None:
    south = figures["judge-south", "Completeness", "length"]
    assert south.status == "OK" and south.low > 0 and "Not significant" not in south.words
    assert "Not significant" in figures["judge-north", "Completeness", "length"].words


def test_diagnostics_finds_that_south_became_stricter(
    figures: dict[tuple[str, str, str], Any],
) -> None:
    drift = figures["judge-south", "Completeness", "drift"]
    assert drift.status == "OK" and drift.high < 0


def test_the_judges_are_of_different_quality(scope: Scope) -> None:
    (complete,) = [
        one for one in agree.agreement(scope, NAME).criteria if one.title == "Completeness"
    ]
    better, worse = (
        next(judge for judge in complete.judges if judge.name == name)
        for name in ("judge-north", "judge-south")
    )
    assert better.shown.value > worse.shown.value


def test_people_overlap_on_timed_screens_and_settled_cells_have_reasons(scope: Scope) -> None:
    human = rows("human.jsonl")
    read: dict[tuple[str, str], set[str]] = {}
    for row in human:
        if row["annotator"] != "adjudicated":
            read.setdefault((row["question_id"], row["model"]), set()).add(row["annotator"])
    assert len(set().union(*read.values())) >= 3
    assert sum(len(people) > 1 for people in read.values()) >= 50
    assert all(row["seconds"] > 0 for row in rows("assignments.jsonl"))
    settled = cell_list.cells_to_settle(scope, NAME, "settled")
    assert settled.settled >= 15 and all(row.settled.reason for row in settled.rows)
    assert cell_list.cells_to_settle(scope, NAME).left > 0


def test_what_judges_cost_is_known_and_one_is_set_up_for_the_workshop(scope: Scope) -> None:
    costs = [row["cost"] for row in rows("judge.jsonl")]
    assert min(costs) > 0
    spent = [
        row for row in judges.figures(scope, NAME) if row.judge in ("judge-north", "judge-south")
    ]
    assert len(spent) == 8 and all(row.money and not row.unpriced for row in spent)
    listed = judges.judge_list(scope, NAME)
    assert [one.name for one in listed.judges if one.set_up] == ["strict"]
    assert workshop.workshop(scope, NAME).judges


def test_screens_wait_for_whoever_opens_the_demo(scope: Scope) -> None:
    assert counts(scope, NAME).waiting >= 20


def test_no_figure_is_missing_without_a_reason(scope: Scope) -> None:
    reports: dict[str, Any] = {
        "agreement": agree.agreement(scope, NAME),
        "anchoring": anchoring.anchoring(scope, NAME),
        "diagnostics": diagnose.diagnostics(scope, NAME),
        "leaderboard": ranking.leaderboard(scope, NAME),
        "routing": routing_page.routing(scope, NAME),
    }
    bare = [
        f"{name}: {path}"
        for name, report in reports.items()
        for path, figure in _figures(report, "")
        if figure.value is None and not any(getattr(figure, one, "") for one in REASONS)
    ]
    assert not bare


def _figures(part: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Every figure in a report: what has a value and a status."""
    if hasattr(part, "value") and hasattr(part, "status"):
        yield path, part
    if hasattr(part, "__dataclass_fields__"):
        for name in part.__dataclass_fields__:
            yield from _figures(getattr(part, name), f"{path}.{name}")
    elif isinstance(part, dict):
        for name, one in part.items():
            yield from _figures(one, f"{path}[{name}]")
    elif isinstance(part, list | tuple):
        for place, one in enumerate(part):
            yield from _figures(one, f"{path}[{place}]")
