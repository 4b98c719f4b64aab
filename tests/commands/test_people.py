"""`cograde people`, and the code that goes with a name on the command line."""

from __future__ import annotations

from pathlib import Path

from graders.store.workspace import open_workspace
from graders.workflows.scope.identity import enter
from graders.workflows.scope.permissions import Actor, Scope
from tests.commands.runner import Line
from tests.store import small
from tests.support.studies import bring, given


def test_a_lead_gives_a_new_code_and_a_name_alone_does_nothing(
    cograde: Line, tmp_path: Path
) -> None:
    scope = Scope(Actor(), open_workspace(cograde.workspace))
    human = [
        given("q1", "Ash", "completeness", name, value, arm="blind")
        for name, value in (("mira", 2), ("jonas", 5))
    ]
    bring(
        scope,
        tmp_path,
        questions=small.questions(1),
        answers=small.answers(1, ["Ash"]),
        human=human,
        people=[{"id": name, "name": name.title()} for name in ("mira", "jonas")],
    )
    vera = enter(scope, "Vera")
    scope.ws.close()
    listed = cograde.bare("people", "list", "--json", "--workspace", cograde.workspace)
    assert {one["name"]: one["code"] for one in listed.json["people"]} == {
        "Jonas": False,
        "Mira": False,
        "Vera": True,
    }
    cell = cograde.bare("adjudicate", "list", "--json", "--workspace", cograde.workspace).json[
        "rows"
    ][0]["cell"]
    decide = ("adjudicate", "decide", cell, 3, "--reason", "Two of three.", "--person", "Vera")
    refused = cograde.bare(*decide, "--workspace", cograde.workspace)
    assert refused.code == 1 and "found a name in use" in refused.err
    wrong = cograde.bare(*decide, "--code", "AAA-AAA", "--workspace", cograde.workspace)
    assert wrong.code == 1 and "found another code" in wrong.err
    done = cograde.bare(*decide, "--code", vera.code, "--workspace", cograde.workspace)
    assert done.code == 0, done.err
    given_anew = cograde.bare("people", "code", "vera", "--json", "--workspace", cograde.workspace)
    assert given_anew.json["name"] == "Vera" and given_anew.json["code"] != vera.code
    undo = ("adjudicate", "undo", cell, "--person", "Vera", "--workspace", cograde.workspace)
    assert cograde.bare(*undo, "--code", vera.code).code == 1, "the code before is none any more"
    assert cograde.bare(*undo, "--code", given_anew.json["code"]).code == 0
    nobody = cograde.bare("people", "code", "Zoe", "--workspace", cograde.workspace)
    assert nobody.code == 1 and "Zoe" in nobody.err
    assert "Vera" in cograde.bare("people", "list", "--workspace", cograde.workspace).out
