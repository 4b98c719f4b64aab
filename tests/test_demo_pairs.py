"""The demo's pairs: made at the desk, ranked on the Leaderboard, with some left for whoever comes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graders.store.workspace import open_workspace
from graders.workflows import people, preferences, review, run_page
from graders.workflows.demo import DEMO, PAIRS, PAIRS_NAME, ensure_pairs
from graders.workflows.permissions import Actor, Scope
from graders.workflows.routing import plan, routing
from tests.support.demo_pairs.story import paired

TABLES: dict[str, list[dict[str, Any]]] = {
    path.stem: [json.loads(line) for line in path.read_text("utf-8").splitlines()] for path in PAIRS.glob("*.jsonl")
}


@pytest.fixture(scope="module")
def scope(tmp_path_factory: pytest.TempPathFactory) -> Scope:
    ws = open_workspace(tmp_path_factory.mktemp("pairs") / "work.db")
    ensure_pairs(ws)
    return Scope(Actor(review.choose_name(Scope(Actor(), ws), "Lead").id), ws)


def test_the_files_are_what_people_did_at_the_desk(tmp_path: Path) -> None:
    for name, rows in paired(tmp_path, DEMO, PAIRS).items():
        assert TABLES[name] == rows
    readme = (PAIRS / "README.md").read_text("utf-8")
    assert all(f"| {name}.jsonl | {len(rows)} |" in readme for name, rows in TABLES.items())


def test_models_are_ranked_by_people_with_figures(scope: Scope) -> None:
    found = preferences.preferences(scope, PAIRS_NAME)
    assert [row["figure"]["status"] for row in found["models"]] == ["OK"] * 5
    assert (found["models"][-1]["model"], found["show"]) == ("Elm", "people")
    assert {row["value"] for row in TABLES["human"]} == {"A", "tie", "B"}
    assert "nobody real made them" in scope.project(PAIRS_NAME).notice


def test_pairs_are_called_pairs(scope: Scope) -> None:
    found = routing(scope, PAIRS_NAME)
    assert found["sentence"].startswith("People read 61 of 61 pairs (") and found["unit"]["many"] == "pairs"
    assert "Blind labels of drawn pairs: " in found["rows"][0]["sentence"]
    assert plan(scope, PAIRS_NAME, 2, 6)["words"].startswith("Every pair was drawn already")
    page = run_page.run_page(scope, PAIRS_NAME)
    assert page["title"] == "No grader has looked at these 61 pairs yet."
    assert page["subtitle"].endswith("A judge is asked about each pair once in each order of its answers.")


def test_pairs_wait_and_progress_says_when_they_will_be_done(scope: Scope) -> None:
    found = people.progress(scope, PAIRS_NAME)
    assert review.counts(scope, PAIRS_NAME)["waiting"] == found["left"] > 10
    assert found["a_day"] > 5 and found["until"] is not None
    assert {row["kind"] for row in found["minutes"] if row["minutes"]} == {"calibration", "overlap"}
    assert [row["pace"]["status"] for row in people.people_report(scope, PAIRS_NAME)["people"]] == ["OK"] * 3
