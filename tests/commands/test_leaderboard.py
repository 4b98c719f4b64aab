"""`cograde leaderboard` gives the page's figures and answers with its exit code."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.commands._ranking import columns, padded, width
from graders.core.shapes import as_dict
from graders.store.workspace import open_workspace
from graders.workflows.leaderboard.ranking import leaderboard
from graders.workflows.scope.permissions import Actor, Scope
from tests.commands.runner import Line
from tests.support.ranked import study, values


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace where Ash is surely the best of three models, and two are tied."""
    place = tmp_path_factory.mktemp("ranked")
    study(place, *values(), 60)
    return place


@pytest.fixture
def ranked(cograde: Line, folder: Path) -> Line:
    return Line(folder / "work.db", cograde.capture)


def test_text_and_json_say_what_the_page_says(ranked: Line, folder: Path) -> None:
    found = ranked("leaderboard", "--json")
    assert found.code == 0
    other = leaderboard(Scope(Actor(), open_workspace(folder / "work.db")), "study")
    assert [row["figure"] for row in found.json["models"]] == [
        row.figure and as_dict(row.figure) for row in other.models
    ]
    text = ranked("leaderboard", "--show", "people").out
    assert text.startswith("Ash leads; the next two cannot be told apart.")
    assert "Cannot be told apart: " in text
    assert "chance that the order is wrong under 1 %" in text
    words = ("--only", "annotator=mira", "--only", "category=odd", "--category", "even")
    assert ranked("leaderboard", *words).out.splitlines()[1:3] == [
        other.subtitle.replace("120 questions", "Only category odd or even. 120 questions", 1),
        other.rests_on.replace("60 questions,", "60 questions, only annotator mira,").replace(
            "graded.",
            "graded, as far as it was left to chance which of the drawn answers these are.",
        ),
    ]


@pytest.mark.parametrize(
    ("better", "than", "code"), [("Ash", "Beech", 0), ("Beech", "Ash", 4), ("Beech", "Cedar", 5)]
)
def test_the_exit_code_answers_a_comparison(
    ranked: Line, better: str, than: str, code: int
) -> None:
    assert ranked("leaderboard", "--better", better, "--than", than).code == code


def test_without_a_figure_it_is_inconclusive(cograde: Line, tmp_path: Path) -> None:
    study(tmp_path, *values(20), 5)
    found = Line(tmp_path / "work.db", cograde.capture)("leaderboard")
    assert (found.code, "INCONCLUSIVE: fewer than 10 labelled questions" in found.out) == (5, True)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--better", "Ash"), 2, "expected both"),
        (
            ("--better", "Ash", "--than", "Oak"),
            1,
            "option --than: found no answer of 'Oak', expected one of Ash, ",
        ),
        (("--weight", "clarity"), 2, "expected CRITERION=NUMBER"),
        (
            ("--weight", "nope=3"),
            1,
            "weight of nope: found no such criterion in the mean, expected one of small/",
        ),
        (
            ("--better", "Ash", "--than", "Beech", "--judge", "nobody"),
            1,
            "judge 'nobody': found no such judge, expected one of north",
        ),
        (
            ("--only", "model=Ash"),
            2,
            "option --only: found one that these figures do not have (filter model), expected one of annotator, ",
        ),
        (("--language", "xx"), 1, "language 'xx': found no answer with a language, expected "),
    ],
)
def test_words_that_do_not_fit_are_refused(
    ranked: Line, words: tuple[str, ...], code: int, said: str
) -> None:
    found = ranked("leaderboard", *words)
    assert found.code == code
    assert said in found.err


def test_names_of_wide_letters_and_long_ones_stand_in_columns() -> None:
    names = ["通义", "é" * 3, "e\u0301", "a" * 40]
    wide = width(names)
    assert (wide, [columns(padded(name, wide)) for name in names]) == (42, [42] * 4)
