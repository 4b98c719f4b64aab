"""`cograde adjudicate`: the how-to as it stands, and what is refused."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from graders.store.workspace import open_workspace
from graders.workflows.scope.permissions import Actor, Scope
from tests.commands.runner import Line
from tests.store import small
from tests.support.studies import bring, given

TEXT = (Path(__file__).parents[2] / "docs" / "adjudicate.md").read_text("utf-8")
#: (line, what it prints)
STEPS = [
    (line, said)
    for block in re.findall(r"```console\n(.*?)```", TEXT, flags=re.S)
    for line, said in re.findall(r"^\$ (.*)\n((?:[^$].*\n)*)", block, flags=re.M)
]


def test_the_how_to_and_what_is_refused(cograde: Line, tmp_path: Path) -> None:
    scope = Scope(Actor(), open_workspace(cograde.workspace))
    human = [
        given("q1", "Ash", "completeness", name, value, arm="blind")
        for name, value in (("mira", 2), ("jonas", 3), ("lena", 5))
    ]
    human += [
        given("q2", "Ash", "completeness", name, value, arm="blind")
        for name, value in (("mira", 4), ("jonas", 5))
    ]
    people = [{"id": name, "name": name.title()} for name in ("mira", "jonas", "lena")]
    bring(
        scope,
        tmp_path,
        questions=small.questions(2),
        answers=small.answers(2, ["Ash"]),
        human=human,
        people=people,
    )
    scope.ws.close()
    assert [line.split()[2] for line, _ in STEPS] == [
        "list",
        "show",
        "decide",
        "list",
        "mark",
        "list",
        "undo",
    ]
    at = ("--workspace", cograde.workspace)
    for line, expected in STEPS:
        done = cograde.bare(*shlex.split(line)[1:], *at)
        assert (done.code, done.out.replace(f" --workspace {cograde.workspace}", "")) == (
            0,
            expected,
        ), done.err
    cell = shlex.split(STEPS[1][0])[3]
    none = cograde.bare("adjudicate", "undo", cell, "--person", "Vera", *at)
    assert (none.code, none.err) == (
        1,
        f"cell {cell}: found no adjudicated verdict, expected one to take back.\n",
    )
    wrong = cograde.bare(
        "adjudicate", "decide", cell, "9", "--reason", "So.", "--person", "Vera", "--json", *at
    )
    assert wrong.code == 1 and wrong.json["error"]["where"] == "verdict on Completeness"
    made = cograde.bare(
        "adjudicate", "decide", cell, "n/a", "--reason", "So.", "--person", "Vera", "--json", *at
    ).json
    assert (made["value"], made["final"]["source"]) == (None, "closed")
    assert (
        cograde.bare("adjudicate", "list", "--settled", "--json", *at).json["rows"][0]["settled"][
            "by"
        ]
        == "Vera"
    )
