"""`cograde agree`: the how-to as it stands, the gate's exit codes, and what is refused."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from graders.store.workspace import open_workspace
from graders.workflows.scope.permissions import Actor, Scope
from tests.commands.runner import Line
from tests.support.agreeing import judged, said, words
from tests.support.studies import bring

TEXT = (Path(__file__).parents[2] / "docs" / "agreement.md").read_text("utf-8")
#: (line, what it prints)
STEPS = [
    (line, printed)
    for block in re.findall(r"```console\n(.*?)```", TEXT, flags=re.S)
    for line, printed in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, flags=re.M)
]
#: (line, its exit code)
GATES = re.findall(r"^\| `(cograde agree [^`]+)` \| (\d)", TEXT, flags=re.M)
N = 160


def flipped(bits: list[int], every: int, start: int = 0) -> list[int]:
    """The same opinions, but every so many-th."""
    return [1 - bit if (i + start) % every == 0 else bit for i, bit in enumerate(bits)]


def study(cograde: Line, folder: Path) -> None:
    """Two people agree on 9 of 10; north does as well as they do, south errs on every third answer;
    completeness has few labels."""
    scope = Scope(Actor(), open_workspace(cograde.workspace))
    truth = [int(i % 4 > 1) for i in range(N)]
    grades = [1 + i % 5 for i in range(N)]
    human = said("mira", words(flipped(truth, 20))) + said("jonas", words(flipped(truth, 20, 7)))
    human += said("mira", [*grades[:40]], "completeness") + said(
        "jonas", [*grades[:36], 1, 2, 3, 4], "completeness"
    )
    # what the machine decided, and Lena looked at afterwards
    human += said("lena", words(flipped(truth, 16)), design="audit", probability=0.5)
    judge = judged("north", words(flipped(truth, 20, 13))) + judged(
        "south", words(flipped(truth, 3))
    )
    judge += judged("south", [6 - grade for grade in grades], "completeness")
    questions = [
        {"id": f"q{i}", "text": f"Question {i}?", "category": ("chess", "verse")[i >= 140]}
        for i in range(N)
    ]
    answers = [{"question_id": f"q{i}", "model": "Ash", "text": f"Reply {i}."} for i in range(N)]
    people = [{"id": name, "name": name.title()} for name in ("mira", "jonas", "lena")]
    bring(
        scope, folder, questions=questions, answers=answers, human=human, judge=judge, people=people
    )
    scope.ws.close()


def test_the_how_to_the_gate_and_what_is_refused(cograde: Line, tmp_path: Path) -> None:
    study(cograde, tmp_path)
    at = ("--workspace", cograde.workspace)
    assert [line.split()[2] for line, _ in STEPS] == [
        "--project",
        "--only",
        "--versions",
        "--population",
    ]
    for line, expected in STEPS:
        done = cograde.bare(*shlex.split(line)[1:], *at)
        assert (done.code, done.out) == (0, expected), done.err
    gates = {line: cograde.bare(*shlex.split(line)[1:], *at).code for line, _ in GATES}
    assert gates == {line: int(code) for line, code in GATES}
    assert sorted(gates.values()) == [0, 4, 4, 5]
    one = cograde("agree", "--gate", "--criterion", "small/relevance", "--json")
    assert (one.code, one.json["criteria"][0]["judges"][0]["verdict"]["word"]) == (0, "as good")
    for words_, code, says in (
        (
            ("--gate", "--criterion", "small/tone"),
            1,
            "criterion 'small/tone': found no figures on it, expected one of small/relevance, ",
        ),
        (
            ("--population", "some"),
            2,
            "option --population: found 'some', expected one of all, people, audit",
        ),
        (("--only", "category"), 2, "option --only: found 'category', expected NAME=VALUE"),
        (
            ("--only", "colour=red"),
            2,
            "option --only: found no such filter (filter 'colour'), expected one of action, ",
        ),
    ):
        refused = cograde("agree", *words_)
        assert (refused.code, refused.err[: len(says)]) == (code, says)


def test_what_no_answer_has_and_a_judge_where_none_graded_are_named(
    cograde: Line, tmp_path: Path
) -> None:
    path = tmp_path / "answers.csv"
    path.write_text("question,answer,model\nWhy?,Because.,ash\n", "utf-8")
    assert cograde("import", path, "--rubric", "correctness", "--yes").code == 0
    for words_, says in (
        (
            ("--only", "category=verse"),
            "category 'verse': found no answer with a category, expected a filter by something that "
            "this project's answers have. Leave it out, or import the category of the questions.",
        ),
        (
            ("--judge", "north", "--criterion", "correctness/correctness"),
            "judge 'judge:north': found no value of that judge on these cells, expected a judge that "
            "graded what people graded, and there is none yet.",
        ),
    ):
        refused = cograde("agree", *words_)
        assert (refused.code, refused.err.strip()) == (1, says)
