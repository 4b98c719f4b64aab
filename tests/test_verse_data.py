"""The demo's verse: what its README promises, and what its pages say of it."""

from __future__ import annotations

import json

import pytest

from graders.core.author_texts import is_author
from graders.store.workspace import open_workspace
from graders.workflows.agreement import agree
from graders.workflows.leaderboard import ranking
from graders.workflows.leaderboard.ground import Wish
from graders.workflows.projects import demo
from graders.workflows.report import _board
from graders.workflows.results import grid as results_grid
from graders.workflows.review import desk, grading
from graders.workflows.scope.permissions import Actor, Scope
from tests.store import small

FOLDER = demo.VERSE
TABLES = {
    path.stem: [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    for path in FOLDER.glob("*.jsonl")
}


def test_the_files_hold_what_the_readme_says() -> None:
    readme = (FOLDER / "README.md").read_text("utf-8")
    for name, rows in TABLES.items():
        assert f"| {name}.jsonl | {len(rows)} |" in readme
    (question,) = TABLES["questions"]
    assert question["text"] in readme
    (hers,) = [row for row in TABLES["answers"] if is_author(row["model"])]
    assert (
        "1890; public domain" in hers["source"]
        and hers["text"].splitlines()[0].rstrip(",") in readme
    )
    texts = {row["model"]: row["text"] for row in TABLES["answers"]}
    for row in TABLES["judge"]:
        assert all(quote["quote"] in texts[row["model"]] for quote in row["evidence"])


@pytest.fixture(scope="module")
def verse(tmp_path_factory: pytest.TempPathFactory) -> Scope:
    ws = open_workspace(tmp_path_factory.mktemp("verse") / "work.db")
    demo.ensure_verse(ws)
    return Scope(Actor(), ws)


def test_results_say_how_near_the_models_come(verse: Scope) -> None:
    found = results_grid.grid(verse, demo.VERSE_NAME)
    assert [row.model for row in found.models] == [
        "Birch",
        "Cedar",
        "Alder",
        "Rowan",
        "Elm",
    ], "no sixth model"
    # Medians of three: Cedar 4, Alder 2, Rowan 2, Birch 4, Elm 1 on style; the author 5.
    style = found.ceilings["creative/style"]
    assert (style.models.value, style.author.value) == (2.6, 5.0)
    assert (
        "Style: the models reach 2.6, Emily Dickinson's own text 5.0; Mood: the models reach 3.0, Emily Dickinson's own text 5.0."
        in found.subtitle
    )
    elm = next(row for row in found.models if row.model == "Elm")
    assert elm.cells["creative/form"].value == 0
    # The rule counts Elm's lines: six in one stanza. It finds nothing with the others.
    assert {row.model: row.faults.open for row in found.models if row.faults.open} == {"Elm": 1}


def test_the_leaderboard_and_its_part_of_the_report_name_the_ceiling(verse: Scope) -> None:
    style = "By final values: Style: the models reach 2.6, Emily Dickinson's own text 5.0"
    board = ranking.leaderboard(verse, demo.VERSE_NAME)
    assert board.ceiling == f"{style}; Mood: the models reach 3.0, Emily Dickinson's own text 5.0."
    assert board.ceiling in str(_board.leaderboard(board).words)
    assert (
        ranking.leaderboard(verse, demo.VERSE_NAME, Wish(view="creative/style")).ceiling
        == f"{style}."
    )
    assert ranking.leaderboard(verse, demo.VERSE_NAME, Wish(view="creative/form")).ceiling == ""


def test_the_judge_takes_the_parody_for_the_style(verse: Scope) -> None:
    agree.forget()
    style = next(
        c for c in agree.agreement(verse, demo.VERSE_NAME).criteria if c.key == "creative/style"
    )
    assert [(one.by, one.shown) for one in style.control] == [
        ("people", "4.7"),
        ("judge-north", "3.0"),
    ]


def test_the_desk_shows_six_texts_and_no_name(verse: Scope) -> None:
    person = small.scope_of(verse.ws, "noor")
    assert {c.name for c in desk.open_desk(person, demo.VERSE_NAME).criteria} == {
        "form",
        "elements",
        "style",
        "mood",
        "effect",
    }
    screens = grading.next_screens(person, demo.VERSE_NAME, 9)
    texts = [answer for screen in screens for answer in screen.answers]
    assert len(texts) == 6 and {answer.model for answer in texts} == {None}
    assert sum("The morns are meeker" in answer.text for answer in texts) == 1 and not any(
        "Dickinson" in answer.text for answer in texts
    )
