"""A judge that is asked about all answers to a question at once: bought once, and what a reply
loses is asked about alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graders.store.calls import runs as run_store
from graders.store.workspace import Workspace
from graders.workflows.calling.judge_setup import make_judge
from graders.workflows.runs import runs, try_judge, tryout
from tests.store import small
from tests.support.stub import StubProvider

MODELS = ("Ash", "Oak", "Yew")


@pytest.fixture
def study(tmp_path: Path, ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-the-run")
    small.study(tmp_path, ws, count=2, models=MODELS)
    return ws


def options(stub: StubProvider, **more: Any) -> dict[str, Any]:
    return {
        "judges": ["openai:stub"],
        "base_url": stub.base_url,
        "judge_options": {"per": "question"},
        **more,
    }


def ran(ws: Workspace, stub: StubProvider, **more: Any) -> dict[str, Any]:
    """The plan's and the run's counts of the judge."""
    started = runs.start(small.scope_of(ws), "study", options(stub, **more))
    runs.execute(ws, started.run)
    (judge,) = run_store.get_run(ws, started.run).progress["judges"]
    return {**judge, "planned": started.plan.judges[0].calls, "run": started.run}


def verdicts(ws: Workspace) -> list[dict[str, Any]]:
    sql = "SELECT v.status, v.reason, v.metadata, v.call_key, v.cell_id FROM verdict v JOIN author a ON a.id = v.author_id WHERE a.kind = 'judge' ORDER BY v.id"
    return [{**dict(row), **json.loads(row["metadata"])} for row in ws.db.execute(sql)]


def test_one_call_per_question_and_none_of_them_twice(study: Workspace, stub: StubProvider) -> None:
    stub.configure(latency=0.0)
    first = ran(study, stub)
    assert (first["planned"], first["done"], stub.stats()["requests"]) == (2, 2, 2)
    made = verdicts(study)
    assert len(made) == 2 * 3 * 3 and all(v["status"] == "ok" for v in made)
    assert sorted((v["position"], v["answers"]) for v in made) == sorted(
        (n, 3) for n in (1, 2, 3) for _ in range(6)
    )
    assert ran(study, stub)["planned"] == 0
    # Killed between reply and verdicts: the same calls are made again, and found.
    with study.write() as db:
        db.execute("DELETE FROM opinion")
    again = ran(study, stub)
    assert (again["planned"], again["known"], stub.stats()["requests"]) == (2, 2, 2)
    # Or with some of a reply's verdicts written: the others come out of the same reply.
    with study.write() as db:
        db.execute("DELETE FROM opinion WHERE cell_id = (SELECT min(cell_id) FROM opinion)")
    part = ran(study, stub)
    assert (part["planned"], part["known"], stub.stats()["requests"]) == (1, 1, 2)
    assert len(verdicts(study)) == 18 + 18 + 1, "only what was missing is written"


def test_what_a_reply_leaves_out_is_asked_about_alone_with_its_cause(
    study: Workspace, stub: StubProvider
) -> None:
    stub.configure(latency=0.0, faults={"forgetful": 1.0})
    found = ran(study, stub)
    assert (found["planned"], found["done"], found["without_verdict"]) == (2, 4, 0)
    assert stub.stats()["requests"] == 4 and found["resends"] == {"malformed": 2}
    made = verdicts(study)
    assert len(made) == 18 and all(v["status"] == "ok" for v in made)
    alone = [v for v in made if v.get("asked_again")]
    assert len(alone) == 6 and {(v["asked_again"], v["position"], v["answers"]) for v in alone} == {
        ("malformed", 1, 1)
    }
    assert ran(study, stub)["planned"] == 0


def test_where_nothing_of_a_reply_can_be_used_all_its_answers_are_asked_about_alone(
    study: Workspace, stub: StubProvider
) -> None:
    stub.configure(latency=0.0, faults={"refusal": 1.0}, sticky=True)
    found = ran(study, stub)
    # 2 questions refused, then each of their 3 answers: 3 criteria of 6 answers stay without a
    # verdict
    assert (stub.stats()["requests"], found["without_verdict"], found["resends"]) == (
        8,
        18,
        {"refusal": 6},
    )
    stub.configure(latency=0.0, faults={})
    again = ran(study, stub)
    assert (again["planned"], again["without_verdict"]) == (6, 0), (
        "together they were refused: so it goes on alone"
    )


def test_answers_that_come_later_are_asked_about_alone_and_a_try_takes_whole_questions(
    tmp_path: Path, study: Workspace, stub: StubProvider
) -> None:
    stub.configure(latency=0.0)
    tried = ran(study, stub, tries=1)
    assert (tried["planned"], stub.stats()["requests"]) == (1, 1)
    (answer,) = tryout.tried(small.scope_of(study), "study", tried["run"]).answers
    assert len(answer.judges[0].cells) == 3 and answer.judges[0].tokens > 0
    assert ran(study, stub)["planned"] == 1
    small.bring(
        small.scope_of(study),
        small.folder(tmp_path, "more", answers=small.answers(2, ["Fir"])),
        rubric=None,
    )
    late = ran(study, stub)
    assert (late["planned"], stub.stats()["requests"]) == (2, 4)
    assert [v["answers"] for v in verdicts(study)[-6:]] == [1] * 6
    # A look at what was asked alone shows the whole question: that call is made, and no verdict is
    # given twice.
    scope, count = small.scope_of(study), len(verdicts(study))
    row = try_judge.answer_row(scope, "study", "q1", "Fir")
    more = {name: value for name, value in options(stub).items() if name != "judges"}
    runs.execute(study, try_judge.start_try(scope, "study", "openai:stub", row, more).run)
    (call,) = try_judge.tried(scope, "study", "openai:stub", row, more).calls
    assert call.raw and (stub.stats()["requests"], len(verdicts(study))) == (5, count)


def test_samples_of_a_call_about_several_answers_stay_apart_by_answer(
    study: Workspace, stub: StubProvider
) -> None:
    stub.configure(latency=0.0)
    found = ran(study, stub, judge_options={"per": "question", "samples": 2, "temperature": 1.0})
    assert found["done"] == 4
    made = verdicts(study)
    assert len(made) == len({v["cell_id"] for v in made}) == 18 and all(
        len(v["samples"]) == 2 and v["answers"] == 3 for v in made
    )


def test_calls_about_questions_travel_in_batches(study: Workspace, stub: StubProvider) -> None:
    stub.configure(latency=0.0, faults={"forgetful": 1.0})
    found = ran(study, stub, batch=True)
    assert (found["done"], found["without_verdict"]) == (4, 0) and all(
        v["status"] == "ok" for v in verdicts(study)
    )


def test_a_judge_from_before_the_layout_was_a_field_is_asked_as_it_was_set_up() -> None:
    setup = make_judge("openai:stub", secret="s", options={"per_criterion": True})
    assert (
        setup.judge.per == "criterion"
        and make_judge("openai:stub", secret="s", options={"per_criterion": False}).judge.per
        == "answer"
    )
