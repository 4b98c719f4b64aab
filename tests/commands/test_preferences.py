"""`cograde preferences`: the how-to as it stands, and its exit code."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.commands.runner import Line
from tests.support.studies import bring, scope_at
from tests.workflows.leaderboard.test_preferences import PAIRS, RUBRIC, compared, drawn, vote

TEXT = (Path(__file__).parents[2] / "docs" / "preferences.md").read_text("utf-8")
#: (line, what it prints)
STEPS = [
    (line, printed)
    for block in re.findall(r"```console\n(.*?)```", TEXT, flags=re.S)
    for line, printed in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, flags=re.M)
]


def test_pairs_are_drawn_and_sent_to_the_desk(
    cograde: Line, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn(tmp_path).ws.close()
    draw, send, ask = (line for line, printed in STEPS if not printed)
    at = ("--workspace", tmp_path / "work.db")
    found = cograde.bare(*shlex.split(draw)[1:], *at)
    assert (
        found.code,
        found.out.startswith("12 pairs drawn, 0 were there. Send them to the desk: cograde route"),
    ) == (0, True)
    assert "screens wait for people" in cograde.bare(*shlex.split(send)[1:], *at).out
    beside = cograde.bare("compare", "Ash", "Beech", *at)
    assert (
        beside.out.splitlines()[0]
        == "Answers are graded in pairs only here: there are no values of single answers to compare."
    )
    assert len(beside.out.splitlines()) == 2
    monkeypatch.setenv("OPENAI_API_KEY", "nobody")
    plan = cograde.bare(*shlex.split(ask)[1:], "--plan", *at, "--json").json
    # both orders of each pair
    assert (plan["cells"], [judge["calls"] for judge in plan["judges"]]) == (
        12,
        [24],
    )
    again = cograde.bare(*shlex.split(draw)[1:], *at, "--json")
    assert (again.json["pairs"], again.json["there"]) == (0, 12)
    assert "expected one of Ash, Beech" in cograde.bare("pairs", "--design", "baseline", *at).err


def test_the_how_to_and_the_exit_code(cograde: Line, tmp_path: Path) -> None:
    compared(tmp_path).ws.close()
    shown = [(line, printed) for line, printed in STEPS if printed]
    assert len(shown) == 2
    for line, expected in shown:
        done = cograde.bare(*shlex.split(line)[1:], "--workspace", tmp_path / "work.db")
        assert (done.code, done.out) == (0, expected), done.err
    silent = Line(tmp_path / "work.db", cograde.capture)("preferences", "--by", "south", "--json")
    assert (silent.code, {row["figure"]["status"] for row in silent.json["models"]}) == (
        5,
        {"UNDEFINED"},
    )


def test_columns_stay_apart_where_notes_are_long(cograde: Line, tmp_path: Path) -> None:
    scope, line = scope_at(tmp_path), Line(tmp_path / "work.db", cograde.capture)
    said = [("A", "B", "tie")[i % 3] for i in range(6)]
    human = [
        {**vote(i, PAIRS[0], value, annotator="mira"), "model_b": "a-model-with-a-very-long-name"}
        for i, value in enumerate(said)
    ]
    questions = [{"id": f"q{i}", "text": "?"} for i in range(6)]
    answers = [
        {"question_id": one["id"], "model": m, "text": "."}
        for one in questions
        for m in ("Ash", "a-model-with-a-very-long-name")
    ]
    human = [{**row, "model": f"{row['model_a']} vs {row['model_b']}"} for row in human]
    bring(scope, tmp_path, RUBRIC, questions=questions, answers=answers, human=human)
    bring(scope, tmp_path, name="graded", questions=questions, answers=answers)
    rows = [
        re.split(r"  +", row)
        for row in line("preferences", "--project", "study").out.splitlines()[-3:]
    ]
    assert [(len(row), row[-1]) for row in rows[1:]] == [
        (5, "INCONCLUSIVE: fewer than 10 questions")
    ] * 2
    assert [row[3] for row in rows] == ["won tied lost", "2 2 2", "2 2 2"]
    none = line("preferences", "--project", "graded")
    assert none.err.startswith(
        "preferences: found no pairs of answers, expected pairs on a criterion with the scale [A, tie, B]."
    )
    assert "Import with --rubric preference" in line("pairs", "--project", "graded").err
