"""A judge that is asked several times: one verdict with its spread, every sample bought once, and
the policy's use of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graders.core.scale import Scale
from graders.store.calls import runs as run_store
from graders.store.workspace import Workspace
from graders.workflows.cells.policy import Voice, suggest
from graders.workflows.cells.routes import RouteSettings, RouteSigns, route_cell
from graders.workflows.runs import runs, try_judge
from tests.store import small
from tests.support import studies
from tests.support.caller import RUBRIC


def test_three_samples_make_one_verdict(
    tmp_path: Path, ws: Workspace, stub, monkeypatch: pytest.MonkeyPatch
) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-the-run")
    small.study(tmp_path, ws, count=1)
    stub.configure(faults={"refusal": 0.3}, latency=0.0, seed=5)
    options = {
        "judges": ["openai:stub"],
        "base_url": stub.base_url,
        "judge_options": {"samples": 3, "temperature": 1.0},
    }
    started = runs.start(small.scope_of(ws), "study", options)
    assert started.plan.judges[0].calls == 9, "three answers, three samples"
    assert runs.execute(ws, started.run) == "done"
    assert stub.stats()["requests"] == 9
    refused = stub.stats()["faults"]["refusal"]
    rows = ws.db.execute(
        "SELECT v.confidence, v.confidence_kind, v.status, v.metadata FROM verdict v JOIN author a ON a.id = v.author_id WHERE a.kind = 'judge'"
    ).fetchall()
    assert len(rows) == 9, "three answers, three criteria, one verdict each"
    samples = [json.loads(row["metadata"])["samples"] for row in rows if row["metadata"] != "{}"]
    assert (
        all(len(values) == 3 for values in samples)
        and sum(values.count(None) for values in samples) <= 3 * refused
    )
    for row in rows:
        if row["status"] == "ok":
            assert row["confidence_kind"] == "samples" and row["confidence"] in (
                pytest.approx(1 / 3),
                pytest.approx(2 / 3),
                1.0,
            )
    assert run_store.get_run(ws, started.run).progress["judges"][0]["done"] == 9


@pytest.mark.parametrize(("confidence", "route"), [(2 / 3, "automatic"), (1 / 3, "people")])
def test_the_policy_goes_by_the_share_of_samples_that_agree(confidence: float, route: str) -> None:
    criterion = RUBRIC.criterion("clarity")
    scale: Scale = criterion.scale
    suggestion = suggest(scale, [], [Voice("openai:stub", 4, confidence)])
    assert (suggestion.value, suggestion.confidence) == (4, confidence)
    found = route_cell(criterion, "factual", suggestion, RouteSigns(judged=1), RouteSettings())
    assert found.route == route


def test_samples_that_tie_say_so_and_are_not_asked_again(
    tmp_path: Path, stub, monkeypatch: pytest.MonkeyPatch
) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-the-run")
    scope = studies.scope_at(tmp_path)
    rubric = "rubric: small\ncriteria:\n  tone: {question: Is it kind?, scale: {from: 1, to: 5}, graders: [judge]}\n"
    answers = [{"question_id": "q", "model": "Ash", "text": "Rain."}]
    studies.bring(
        scope, tmp_path, rubric=rubric, questions=[{"id": "q", "text": "What?"}], answers=answers
    )
    options = {
        "judges": ["openai:stub"],
        "base_url": stub.base_url,
        "judge_options": {"samples": 2, "temperature": 1.0},
    }
    for value, limit, state in ((4, {"budget_calls": 1}, "stopped"), (5, {}, "done")):
        said = {"tone": {"evidence": "absent", "rationale": "", "value": value, "confidence": 1}}
        stub.configure(faults={}, latency=0.0, say=json.dumps(said))
        run = runs.start(scope, "study", {**options, **limit}).run
        assert (runs.execute(scope.ws, run), stub.stats()["requests"]) == (state, 1)
    summary = run_store.get_run(scope.ws, run).progress["summary"]
    assert (summary["with_verdict"], summary["reasons"]) == (0, {"samples_tie": 1})
    assert runs.plan(scope, "study", options).judges[0].calls == 0
    # A try of the judge makes of its samples what the run made, alone and in a panel.
    row = try_judge.answer_row(scope, "study")
    more = {name: value for name, value in options.items() if name != "judges"}
    (alone,) = try_judge.tried(scope, "study", "openai:stub", row, more).together
    assert (alone.word, alone.note) == ("", "Samples: 4, 5; spread 0.50.")
    (panel,) = try_judge.tried(scope, "study", "openai:stub,openai:stub-2", row, more).together
    assert panel.word == "", "the first sample alone is no verdict"
