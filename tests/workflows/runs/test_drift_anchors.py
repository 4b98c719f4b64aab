"""Anchor questions: a judge that changed grades their answers first and once more, planned and
priced, and nothing is bought twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from graders.core.errors import InputError
from graders.store.transfer import snapshot
from graders.workflows.diagnostics.diagnose import diagnostics
from graders.workflows.rubrics import edit as rubrics_edit
from graders.workflows.runs import drift_anchors, runs
from graders.workflows.runs.run_plan import JudgePlan
from graders.workflows.scope.permissions import Scope
from tests.commands.runner import Line
from tests.store import small
from tests.support.stub import StubProvider
from tests.support.studies import bring, scope_at

pytestmark = pytest.mark.usefixtures("key")

N = 6
RUBRIC = "rubric: small\ncriteria:\n  completeness: {question: Is all there?, scale: {from: 1, to: 5}, graders: [judge], review: automatic}\n"


def run(scope: Scope, stub: StubProvider, **more: Any) -> tuple[JudgePlan, int]:
    """The plan of the judge, and what was sent."""
    before = stub.stats()["requests"]
    started = runs.start(
        scope, "study", {"judges": ["openai:stub"], "base_url": stub.base_url, **more}
    )
    assert runs.execute(scope.ws, started.run) == "done"
    return started.plan.judges[0], stub.stats()["requests"] - before


def opinions(scope: Scope) -> list[tuple[Any, ...]]:
    sql = "SELECT q.key, o.value, o.verdict_id FROM opinion o JOIN question q ON q.id = o.question_id JOIN author w ON w.id = o.author_id AND w.kind = 'judge' ORDER BY 1"
    return [tuple(row) for row in scope.ws.db.execute(sql)]


def test_a_changed_judge_grades_anchors_first_and_twice(
    tmp_path: Path, stub: StubProvider, capsys: pytest.CaptureFixture[str]
) -> None:
    scope = scope_at(tmp_path)
    questions = [
        {"id": f"q{i}", "text": f"Question {i}?", "detail": "short", "task_type": "factual"}
        for i in range(N)
    ]
    bring(
        scope,
        tmp_path,
        RUBRIC,
        questions=questions,
        answers=[{"question_id": f"q{i}", "model": "Ash", "text": f"Reply {i}."} for i in range(N)],
    )
    cograde = Line(scope.ws.path, capsys)
    assert "No question is an anchor" in cograde("anchors", "list").out
    with pytest.raises(InputError, match="nowhere"):
        drift_anchors.name(scope, "study", ["q1", "nowhere"])
    drawn = [row.id for row in drift_anchors.draw(scope, "study", 3).questions]
    assert (
        len(drawn) == 3
        and [row.id for row in drift_anchors.draw(scope, "study", 3).questions] == drawn
    )
    with pytest.raises(InputError, match="nowhere"):
        drift_anchors.change(scope, "study", add=["nowhere"], remove=drawn)
    others = [key for key in ("q0", "q1", "q2", "q3", "q4", "q5") if key not in drawn]
    changed_twice = (
        drift_anchors.change(scope, "study", remove=drawn[:1]),
        drift_anchors.change(scope, "study", others[:1], drawn[1:2]),
    )[1]
    assert {row.id for row in changed_twice.questions} == {drawn[2], others[0]}, (
        "each change leaves what others did"
    )
    shown = cograde("anchors", "set", "q5", "q2").out
    assert shown.startswith(
        "2 of 6 questions are anchors. A figure of drift needs 20 anchor questions."
    )

    first, sent = run(scope, stub)
    assert (sent, first.calls) == (N, N) and not any("anchor" in note for note in first.notes), (
        "nothing changed yet"
    )
    before = opinions(scope)
    changed = {"judge_options": {"temperature": 0.3}}
    planned = runs.plan(
        scope, "study", {"judges": ["openai:stub"], "base_url": stub.base_url, **changed}
    ).judges[0]
    assert planned.calls == N + 2 and any(
        "2 answers to anchor questions: these come first, and 2 calls ask once more" in note
        for note in planned.notes
    )
    left_out = runs.plan(
        scope,
        "study",
        {"judges": ["openai:stub"], "base_url": stub.base_url, "anchors": False, **changed},
    )
    assert left_out.anchors is True, "whoever left them out can take them in again"
    left_out = left_out.judges[0]
    assert left_out.calls == N and not any("anchor" in note for note in left_out.notes)
    # a run that may send three calls spends them on the anchors: both once more, and the first of
    # them for good
    started = runs.start(
        scope,
        "study",
        {
            "judges": ["openai:stub"],
            "base_url": stub.base_url,
            "budget_calls": 3,
            "concurrency": 1,
            **changed,
        },
    )
    assert runs.execute(scope.ws, started.run) != "done"
    moved = [
        key
        for (key, _, old), (_, _, new) in zip(before, opinions(scope), strict=True)
        if old != new
    ]
    assert len(moved) == 1 and moved[0] in ("q2", "q5")
    _, sent = run(scope, stub, **changed)
    assert sent == N - 1 and {row[2] for row in before}.isdisjoint(
        row[2] for row in opinions(scope)
    ), "what is stored is not bought again"
    said = scope.ws.db.execute(
        "SELECT count(*) FROM verdict v JOIN author w ON w.id = v.author_id AND w.kind = 'judge'"
    ).fetchone()[0]
    assert said == 2 * N + 2

    # a judge that has done all of it is done, and going back to what it was costs nothing
    for back in (changed, {}, {}, changed):
        planned, sent = run(scope, stub, **back)
        assert (sent, planned.calls - planned.known) == (0, 0) and not any(
            "anchor" in note for note in planned.notes
        )
    figures = diagnostics(scope, "study").judges[0].criteria[0].figures
    assert figures["drift"].n_cells == N and figures["consistency"].n_cells == 2, (
        "what is said twice by one recipe is noise"
    )
    assert figures["drift"].noise is not None

    # a run about other answers takes anchors along once the wording changed; repeats travel and are
    # no opinions anywhere
    reworded = RUBRIC.replace("Is all there?", "Is all of it there?")
    rubrics_edit.put(scope, "study", reworded)
    other = scope.ws.db.execute(
        "SELECT s.id FROM subject s JOIN question q ON q.id = s.question_id WHERE q.key = 'q0'"
    ).fetchone()[0]
    _, sent = run(scope, stub, only=[other], **changed)
    assert sent == 1 + 2 + 2
    place = small.folder(tmp_path, "copy", **snapshot.tables(scope.ws, scope.project("study")))
    copy = small.scope_of(small.workspace(tmp_path, "other"))
    small.bring(copy, place, rubric=reworded)
    assert [row[:2] for row in opinions(copy)] == [row[:2] for row in opinions(scope)]


def test_a_repeat_that_is_lost_leaves_no_cell_without_a_verdict(
    tmp_path: Path, stub: StubProvider
) -> None:
    scope = scope_at(tmp_path)
    bring(
        scope,
        tmp_path,
        RUBRIC,
        questions=[{"id": "q", "text": "What?", "detail": "short", "task_type": "factual"}],
        answers=[{"question_id": "q", "model": "Ash", "text": "This."}],
    )
    drift_anchors.name(scope, "study", ["q"])
    run(scope, stub)
    changed = {"judge_options": {"temperature": 0.3}}
    run(scope, stub, anchors=False, **changed)
    stub.configure(faults={"malformed": 1.0})
    _, sent = run(scope, stub, **changed)
    found = runs.status(scope, "study").progress
    assert sent > 1 and found["judges"][0]["unreadable"] == 1
    assert (found["without_verdict"], found["reasons"]) == (0, {}), "the cell has its verdict"
