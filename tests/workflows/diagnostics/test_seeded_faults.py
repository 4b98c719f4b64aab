"""Seeded faults: copies in a project of their own, who notices them, and that nothing else ever
meets them."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from graders.core.errors import InputError
from graders.store import projects
from graders.workflows.agreement.agree import agreement
from graders.workflows.diagnostics import seeded_faults
from graders.workflows.home.frame import frame
from graders.workflows.leaderboard.ranking import leaderboard
from graders.workflows.report.export import export
from graders.workflows.results.grid import grid
from graders.workflows.scope.permissions import Scope
from tests.commands.runner import Line
from tests.support.studies import bring, given, scope_at

TEXT = (Path(__file__).parents[3] / "docs" / "seeded-faults.md").read_text("utf-8")
N = 24
ANSWER = "A whale breathes air and has 206 bones in its body. A whale is not a fish, and it feeds its calves with milk for months."


def study(tmp_path: Path) -> Scope:
    """One factual answer to each question, judged by north; the first three got the worst value
    from somebody."""
    scope = scope_at(tmp_path)
    questions = [
        {"id": f"q{i}", "text": f"Is a whale {i}?", "language": "en", "task_type": "factual"}
        for i in range(N)
    ]
    answers = [{"question_id": f"q{i}", "model": "Ash", "text": ANSWER} for i in range(N)]
    judge = [
        {
            "question_id": f"q{i}",
            "model": "Ash",
            "criterion": "small/completeness",
            "judge": "north",
            "value": 1 if i < 3 else 4,
        }
        for i in range(N)
    ]
    bring(
        scope,
        tmp_path,
        questions=questions,
        answers=answers,
        judge=judge,
        human=[given("q5", "Ash", "completeness", "mira", 4)],
    )
    return scope


def test_copies_are_found_by_who_gives_them_less_and_are_in_no_result(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scope = study(tmp_path)
    before = [grid(scope, "study"), leaderboard(scope, "study"), agreement(scope, "study")]
    empty = seeded_faults.detection(scope, "study")
    assert (empty.copies, empty.words) == (0, "No copy with a fault was made yet.")
    cograde = Line(scope.ws.path, capsys)
    for line, printed in re.findall(r"^\$ (.*)\n((?:(?!\$ |```).*\n)*)", TEXT, flags=re.M):
        done = cograde(*shlex.split(line)[1:])
        assert done.code == 0 and done.out.startswith(printed), done.out
    made = seeded_faults.seed(scope, "study", 1.0)
    counts = {fault.name: fault.copies for fault in made.faults}
    # of 24 answers three are left alone; no list and no foreign sentence is in any
    assert counts == {
        "tail_cut": 21,
        "dangling_note": 21,
        "number_changed": 21,
        "negation_flipped": 21,
        "item_dropped": 0,
        "translation_removed": 0,
    }
    assert made.made == 0 and made.silent == ["north"]  # the how-to made them
    assert seeded_faults.seed(scope, "study", 0.2).copies == 84

    # north notices every cut end, no other fault, and gives every changed number more
    copies = [f"{question} {model}".split(" ", 1) for question, model in scope.ws.db.execute(
        "SELECT q.key, a.model FROM answer a JOIN question q ON q.id = a.question_id JOIN project p ON p.id = a.project_id WHERE p.name = 'study-seeded'"
    )]  # fmt: skip
    value = {"tail_cut": 3, "number_changed": 5}
    judge = [
        {
            "question_id": question,
            "model": model,
            "criterion": "small/completeness",
            "judge": "north",
            "value": value.get(model.split(" · ")[1], 4),
        }
        for question, model in copies
    ]
    questions = [{"id": f"q{i}", "text": f"Is a whale {i}?"} for i in range(N)]
    bring(scope, tmp_path, name="study-seeded", questions=questions[3:], judge=judge)
    found = seeded_faults.detection(scope, "study")
    north = next(one for one in found.graders if one.name == "north")
    assert (north.all.noticed, north.all.copies, north.all.raised) == (21, 84, 21)
    # every question alike is not certainty
    assert north.all.value == 0.25 and north.all.low is None
    assert north.all.beyond.value == 0 and north.faults["tail_cut"].beyond.value == 1
    assert (north.faults["tail_cut"].value, north.faults["dangling_note"].value) == (
        1.0,
        0.0,
    )
    assert north.faults["tail_cut"].low > 0.8  # all of 21 is not certainty
    rules = next(one for one in found.graders if one.name == "rules together")
    assert rules.faults["tail_cut"].noticed == 21  # a cut-off end is a fault by name
    assert found.silent == [] and found.words.startswith(
        "Of the copies with one fault put in, north noticed 21 of 84 (raised 21: chance may do that) and the rules"
    )

    assert [grid(scope, "study"), leaderboard(scope, "study"), agreement(scope, "study")] == before
    assert [p.name for p in frame(scope).projects] == ["study"]
    assert frame(scope, "study-seeded").project == "study-seeded"
    target = tmp_path / "out"
    export(scope, "study", "jsonl", target)
    assert [
        path.name for path in target.rglob("*.jsonl") if "seeded" in path.read_text("utf-8")
    ] == ["copies.jsonl"]

    shown = cograde("controls", "detection")  # the only project, as anybody counts them
    assert shown.code == 0 and "End cut off" in shown.out and "21 of 21 noticed" in shown.out
    again = cograde("controls", "seed", "--share", "0.1")
    assert (
        again.code == 0 and "New copies: 0." in again.out and "--project study-seeded" in again.out
    )
    assert cograde("controls", "seed", "--share", "2").code == 2
    assert cograde("controls", "seed", "--project", "study-seeded").code == 1
    with pytest.raises(InputError, match="no answer that a fault can surely be put in"):
        bring(
            scope,
            tmp_path,
            name="short",
            questions=[{"id": "q", "text": "Yes?"}],
            answers=[{"question_id": "q", "model": "Ash", "text": "No"}],
        )
        seeded_faults.seed(scope, "short")


def test_a_changed_answer_leaves_its_copies_behind(tmp_path: Path) -> None:
    scope = study(tmp_path)
    seeded_faults.seed(scope, "study", 1.0)
    changed = [{"question_id": "q5", "model": "Ash", "text": "Quite another answer.", "version": 2}]
    bring(scope, tmp_path, questions=[{"id": "q5", "text": "Is a whale 5?"}], answers=changed)
    found = seeded_faults.detection(scope, "study")
    assert (found.copies, found.stale) == (80, 4)
    copies = projects.get_project(scope.ws, "study-seeded")
    assert json.loads(json.dumps(dict(copies.settings)))["seeded_of"] == "study"
