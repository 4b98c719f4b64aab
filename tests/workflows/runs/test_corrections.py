"""People's corrections as examples of a judge: suggested, picked, shown for other questions only,
and its verdicts asked for anew."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from graders.core.errors import InputError, NotFound
from graders.store import projects
from graders.store.calls import runs as run_store
from graders.store.workspace import Workspace
from graders.workflows.calling import asked_criteria, judging
from graders.workflows.runs import corrections, judges, runs
from graders.workflows.scope.permissions import Scope
from tests.store import small
from tests.support.stub import StubProvider

#: (question, model, what the judge said of completeness, what Ann said of it)
SAID = [("q1", "Ash", 5, 1), ("q1", "Oak", 4, 2), ("q2", "Ash", 2, 3), ("q3", "Ash", 3, 3)]


@pytest.fixture
def scope(tmp_path: Path, ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> Scope:
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-the-run")
    human = [small.human(q, m, "completeness", "ann", value) for q, m, _, value in SAID]
    said = [small.judge(q, m, "completeness", "openai:stub", value) for q, m, value, _ in SAID]
    human.append(small.human("q3", "Oak", "tone", "ann", "dry"))
    said.append(small.judge("q3", "Oak", "tone", "openai:stub", "warm"))
    scope = small.study(tmp_path, ws, count=3, models=("Ash", "Oak"), human=human, judge=said)
    judges.set_up(scope, "study", "strict", "openai:stub", {})
    return scope


def listed(scope: Scope) -> list[tuple[str, str, str, str, str, bool]]:
    names = ("question_id", "model", "criterion", "judge", "people", "suggested")
    return [
        tuple(getattr(row, name) for name in names)
        for row in corrections.corrections(scope, "study", "strict").corrections
    ]  # type: ignore[misc]


def prompts(scope: Scope) -> dict[str, str]:
    """Question -> the instructions that its answers are graded by."""
    project = scope.project("study")
    (setup,) = runs.settled(scope.ws, project, {"judges": ["strict"]}).setups(
        scope.ws, criteria=asked_criteria.judged_criteria(scope.ws, project)
    )
    return {
        t.request.subjects[0].question_id: t.request.messages[0][1]
        for t in judging.tasks(scope.ws, project, setup, afresh=True)
    }


def test_where_people_decided_otherwise_is_listed_and_far_differences_of_different_questions_are_suggested(
    scope: Scope,
) -> None:
    assert listed(scope) == [
        ("q1", "Ash", "Completeness", "5", "1", True),
        ("q3", "Oak", "Tone", "warm", "dry", True),
        ("q1", "Oak", "Completeness", "4", "2", False),  # its question is there already
        ("q2", "Ash", "Completeness", "2", "3", True),
    ]
    found = corrections.corrections(scope, "study", "strict")
    assert (
        found.title
        == "People decided otherwise than strict on 4 cells; it has 0 examples from that."
    )


def test_picked_ones_are_shown_for_other_questions_only(scope: Scope, stub: StubProvider) -> None:
    before = prompts(scope)
    done = corrections.pick(scope, "study", "strict", None)
    assert (done.examples, "about all answers anew" in done.message) == (3, True)
    after = prompts(scope)
    assert before["q1"] in after["q1"] and "Example\nQuestion: Question 1?" not in after["q1"]
    for question in ("q2", "q3"):
        code = after[question].split("Example\nQuestion: Question 1?\nAnswer: ")[1].splitlines()
        assert code[0] == code[2] and code[1] == "Ash says 1.", (
            "a model's words stand behind a fence"
        )
        assert code[3] == "completeness: 1"
    assert "tone: dry" in after["q1"] and "tone: dry" not in after["q3"]
    stub.configure(latency=0.0, faults={})
    run = runs.start(scope, "study", {"judges": ["strict"], "base_url": stub.base_url})
    assert runs.execute(scope.ws, run.run) == "done"
    rows = scope.ws.db.execute(
        "SELECT v.metadata FROM verdict v JOIN author a ON a.id = v.author_id WHERE a.name = 'strict'"
    )
    assert {row[0] for row in rows} == {
        json.dumps({"corrections_shown": 2, "corrections_left_out": 1}, separators=(",", ":"))
    }
    assert (
        runs.plan(scope, "study", {"judges": ["strict"], "base_url": stub.base_url}).judges[0].calls
        == 0
    )
    # Other examples, another judge: all is asked anew. A change of other fields keeps the examples.
    examples = projects.get_project(scope.ws, "study").settings["judges"]["strict"]["examples"]
    corrections.pick(
        scope,
        "study",
        "strict",
        [one["cell"] for one in examples if "small/completeness" in one["verdicts"]][:1],
    )
    assert (
        runs.plan(scope, "study", {"judges": ["strict"], "base_url": stub.base_url}).judges[0].calls
        == 6
    )
    assert (
        judges.set_up(scope, "study", "strict", "openai:stub", {"persona": "a teacher"}).examples
        == 1
    )
    kept: dict[str, Any] = projects.get_project(scope.ws, "study").settings["judges"]["strict"]
    assert [list(one["verdicts"]) for one in kept["examples"]] == [["small/completeness"]]
    assert (
        run_store.get_run(scope.ws, run.run).settings["cards"]["strict"]["examples"]
        != kept["examples"]
    ), "a run keeps its own"
    assert corrections.pick(scope, "study", "strict", []).message.startswith(
        "strict has 0 examples"
    )
    assert "examples" not in projects.get_project(scope.ws, "study").settings["judges"]["strict"]


def test_an_answer_of_a_page_is_one_more_example(scope: Scope) -> None:
    first, second = (
        row.cell for row in corrections.corrections(scope, "study", "strict").corrections[:2]
    )
    assert asdict(corrections.offers(scope, "study", second)) == {
        "judges": [{"judge": "strict", "picked": False}],
        "message": "",
    }
    for cell in (first, second, second):
        done = corrections.add(scope, "study", "strict", cell)
    assert done.message == "strict has 2 examples from corrections. Nothing has changed."
    assert corrections.offers(scope, "study", second).judges == [
        corrections.Offer("strict", picked=True)
    ]
    judged = "JOIN author a ON a.id = o.author_id AND a.kind = 'judge'"
    alike = scope.ws.db.execute(
        f"SELECT c.id FROM cell c JOIN opinion o ON o.cell_id = c.id AND o.value = c.final {judged}"
    ).fetchone()[0]
    assert corrections.offers(scope, "study", alike).message.startswith(
        "No judge that is set up under a name can learn from this"
    )
    with pytest.raises(NotFound, match="which people did not correct"):
        corrections.add(scope, "study", "strict", alike)


def test_a_bare_judge_is_shown_them_too(scope: Scope) -> None:
    judges.set_up(scope, "study", "strict", "bare:stub", {})
    with pytest.raises(NotFound, match="which people did not correct"):
        corrections.pick(scope, "study", "strict", [10_000])
    kept = projects.get_project(scope.ws, "study").settings["judges"]["strict"]
    example = {
        "cell": 1,
        "question_id": "q1",
        "question": "Question 1?",
        "answer": "Ash says 1.",
        "verdicts": {"small/completeness": 1},
        "why": "Half.",
    }
    projects.set_settings(
        scope.ws, scope.project("study"), {"judges": {"strict": {**kept, "examples": [example]}}}
    )
    project = scope.project("study")
    (setup,) = runs.settled(scope.ws, project, {"judges": ["strict"]}).setups(
        scope.ws, criteria=asked_criteria.judged_criteria(scope.ws, project)
    )
    tasks = [
        t.request
        for t in judging.tasks(scope.ws, project, setup, afresh=True)
        if t.request.criteria == ("small/completeness",)
    ]
    assert {r.subjects[0].question_id: "Why: Half." in r.messages[0][1] for r in tasks} == {
        "q1": False,
        "q2": True,
        "q3": True,
    }


def test_only_a_judge_that_is_set_up_has_examples_and_not_too_many(scope: Scope) -> None:
    with pytest.raises(NotFound, match="Set the judge up under a name first"):
        corrections.corrections(scope, "study", "openai:stub")
    with pytest.raises(InputError, match="at most 12"):
        corrections.pick(scope, "study", "strict", range(13))


def test_a_template_without_examples_shows_no_correction_and_its_verdicts_say_of_none(
    tmp_path: Path, ws: Workspace, stub: StubProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-the-run")
    rubric = "rubric: own\ncriteria:\n" + "".join(
        f'  {name}: {{scale: [rude, kind], graders: [judge], template: "{shown}How is {{answer}}?"}}\n'
        for name, shown in (("plain", ""), ("shown", "{examples} "))
    )
    cells = [(q, criterion) for q in ("q1", "q2") for criterion in ("own/plain", "own/shown")]
    scope = small.scope_of(ws)
    files = small.folder(
        tmp_path,
        "own",
        questions=small.questions(2),
        answers=small.answers(2, ["Ash"]),
        human=[small.human(q, "Ash", criterion, "ann", "rude") for q, criterion in cells],
        judge=[small.judge(q, "Ash", criterion, "openai:stub", "kind") for q, criterion in cells],
    )
    small.bring(scope, files, rubric=rubric)
    judges.set_up(scope, "study", "strict", "openai:stub", {})
    found = corrections.corrections(scope, "study", "strict")
    assert {row.criterion for row in found.corrections} == {"Shown"}
    assert found.title.endswith(
        "The template of Plain shows no examples: with {examples} in it corrections can be used there too."
    )
    corrections.pick(scope, "study", "strict", [row.cell for row in found.corrections])
    stub.configure(latency=0.0, faults={}, say="rude")
    assert (
        runs.execute(
            ws, runs.start(scope, "study", {"judges": ["strict"], "base_url": stub.base_url}).run
        )
        == "done"
    )
    rows = ws.db.execute(
        "SELECT k.key, v.metadata FROM verdict v JOIN author a ON a.id = v.author_id JOIN cell c ON c.id = v.cell_id "
        "JOIN criterion k ON k.id = c.criterion_id WHERE a.name = 'strict'"
    )
    assert {(key, tuple(json.loads(metadata).items())) for key, metadata in rows} == {
        ("own/plain", ()),
        ("own/shown", (("corrections_shown", 1), ("corrections_left_out", 1))),
    }
