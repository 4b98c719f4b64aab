"""`cograde rubric`: the how-to as it stands, and what is refused."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from graders.store.workspace import open_workspace
from graders.workflows.scope.permissions import Actor, Scope
from tests.commands.runner import Line
from tests.store import small
from tests.support.studies import bring, given

TEXT = (Path(__file__).parents[2] / "docs" / "rubrics.md").read_text("utf-8")
#: (line, what it prints)
STEPS = [
    (line, said)
    for block in re.findall(r"```console\n(.*?)```", TEXT, flags=re.S)
    for line, said in re.findall(r"^\$ (.*)\n((?:[^$].*\n)*)", block, flags=re.M)
]
SOURCE = "rubric: small\ncriteria:\n  relevance: {question: Does it do what was asked?, scale: [irrelevant, relevant], graders: [judge]}\n"


def test_the_how_to_and_what_is_refused(cograde: Line, tmp_path: Path) -> None:
    scope = Scope(Actor(), open_workspace(cograde.workspace, small.Clock(1_767_312_000.0)))
    human = [given(q, "Ash", "relevance", "mira", "relevant") for q in ("q1", "q2")]
    judge = [
        {
            "question_id": q,
            "model": "Ash",
            "criterion": "small/relevance",
            "judge": "openai:stub",
            "value": "relevant",
        }
        for q in ("q1", "q2")
    ]
    (tmp_path / "files").mkdir()
    bring(
        scope,
        tmp_path / "files",
        SOURCE,
        questions=small.questions(2),
        answers=small.answers(2, ["Ash"]),
        human=human,
        judge=judge,
    )
    scope.ws.close()
    changed = tmp_path / "small.yaml"
    changed.write_text(SOURCE.replace("do what", "do all that"), "utf-8")
    assert [line.split()[2] for line, _ in STEPS] == ["show", "diff", "put"]
    at = ("--workspace", cograde.workspace)
    for line, expected in STEPS:
        done = cograde.bare(
            *(str(changed) if word == "small.yaml" else word for word in shlex.split(line)[1:]), *at
        )
        assert (done.code, done.out.replace(f" --workspace {cograde.workspace}", "")) == (
            0,
            expected,
        ), done.err
    assert cograde.bare("rubric", "show", "small", "--version", 1, *at).out == SOURCE
    since = cograde.bare("rubric", "diff", "--name", "small", "--version", 1, "--json", *at).json
    assert since["said"] and since["source"] == SOURCE
    broken = tmp_path / "broken.yaml"
    broken.write_text(SOURCE.replace("scale", "scales"), "utf-8")
    for words in (("diff", broken), ("put", broken)):
        refused = cograde.bare("rubric", *words, "--json", *at)
        assert refused.code == 1 and "line 3, criterion relevance" in refused.json["error"]["where"]
    assert (
        cograde.bare("rubric", "show", "none", *at).err
        == "rubric 'none': found no such rubric in this project, expected one of small.\n"
    )
    assert (
        cograde.bare("rubric", "diff", *at).code == 1
        and cograde.bare("rubric", "put", tmp_path / "no.yaml", *at).code == 1
    )
