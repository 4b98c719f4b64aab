"""`cograde elements`: the how-to as it stands, and what a draft that fails says."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

from graders.store.workspace import open_workspace
from graders.workflows.importing import stage as importing_stage
from graders.workflows.scope.permissions import Actor, Scope
from tests.commands.runner import Line
from tests.support.stub import provider_stub

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "completeness.md").read_text("utf-8")
#: (line, what it prints)
STEPS = [
    (line, said)
    for block in re.findall(r"```console\n(.*?)```", TEXT, flags=re.S)
    for line, said in re.findall(r"^\$ (.*)\n((?:[^$].*\n)*)", block, flags=re.M)
]


def test_the_how_to_and_a_judge_that_cannot_be_asked(cograde: Line) -> None:
    scope = Scope(Actor(), open_workspace(cograde.workspace))
    importing_stage.finish(
        scope, importing_stage.stage(scope, "autumn-study", ROOT / "data/demo").import_id
    )
    scope.ws.close()
    assert [line.split()[2] for line, _ in STEPS] == ["data/demo", "show", "draft", "accept"]
    said = json.dumps({"elements": ["Chlorophyll breaks down", "carotenoids were there before"]})
    with provider_stub(say=said) as stub:
        for line, expected in STEPS[1:]:
            words = shlex.split(
                line.replace("openai:gpt-4o-mini", f"openai:gpt-4o-mini@{stub.base_url}")
            )[1:]
            done = cograde.bare(*words, "--workspace", cograde.workspace)
            # the local server has no price list
            assert (done.code, done.out) == (0, expected.replace("$0.0001", "an unknown price")), (
                done.err
            )
    at = ("--workspace", cograde.workspace)
    shown = cograde.bare("elements", "show", "--json", *at).json
    q02 = next(row for row in shown["questions"] if row["question_id"] == "q02")
    assert (
        q02["elements"] == ["chlorophyll breaks down", "carotenoids show"]
        and q02["origin"]["drafted_by"] == "openai:gpt-4o-mini"
    )
    gone = cograde.bare(
        "elements",
        "draft",
        "--judge",
        "openai:tiny@http://127.0.0.1:9/v1",
        "--question",
        "q05",
        *at,
    )
    assert gone.code == 3 and "Traceback" not in gone.err
    assert "q05: The provider could not be reached; check its address and grade again." in gone.err
    assert gone.err.endswith(
        "judge openai:tiny: found no draft for 1 of the questions, expected a draft for each. "
        "Correct the causes above and start again, or write these lists yourself.\n"
    )
    none = cograde.bare("elements", "dismiss", "q05", *at)
    assert (none.code, none.err) == (
        1,
        "question 'q05': found no draft, expected a draft that waits. Reload the page.\n",
    )
