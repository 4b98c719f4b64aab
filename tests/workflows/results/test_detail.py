"""How much detail a question asks for: whose word counts, what a judge is asked, and what a
person's word changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from graders.core.records import Reply
from graders.judges.asking.detail import read_detail
from graders.store import projects
from graders.store.answers import content
from graders.store.calls import ledger
from graders.store.workspace import Workspace
from graders.workflows.importing import stage as importing_stage
from graders.workflows.measuring import measure
from graders.workflows.results import detail
from graders.workflows.runs import runs
from graders.workflows.scope.permissions import Scope
from tests.store import small
from tests.support.stub import provider_stub

#: small.RUBRIC: 40 characters for a short answer, 80 for a detailed one. Long lies between them.
LONG, SHORT = "x" * 60, "x" * 20
QUESTIONS = [
    {"id": "said", "text": "Why?", "task_type": "factual", "detail": "detailed"},
    {"id": "words", "text": "Explain in detail why.", "task_type": "factual"},
    {"id": "open", "text": "Why does ice float?", "task_type": "factual"},
    {"id": "same", "text": "Why is snow white?", "task_type": "factual"},
]


def study(place: Path) -> Scope:
    """Every question with an answer of 60 characters; ``same`` with one of 20, whose length fits
    whatever was asked for."""
    scope = small.scope_of(small.workspace(place), "mira")
    answers = [
        {"question_id": q["id"], "model": "Ash", "text": SHORT if q["id"] == "same" else LONG}
        for q in QUESTIONS
    ]
    small.bring(scope, small.folder(place, "study", questions=QUESTIONS, answers=answers))
    return scope


def brevity(scope: Scope) -> dict[str, Any]:
    """Question -> the present suggestion on brevity."""
    sql = (
        "SELECT q.key, c.suggestion FROM cell c JOIN question q ON q.id = c.question_id JOIN criterion cr ON cr.id = c.criterion_id "
        "WHERE cr.key = 'small/brevity'"
    )
    return {row[0]: row[1] and row[1].strip('"') for row in scope.ws.db.execute(sql)}


def said(scope: Scope) -> dict[str, tuple[str, str]]:
    """Question -> (detail, whose word)."""
    found = content.questions(scope.ws.db, scope.project("study")).values()
    names = {p.id: p.name for p in projects.people(scope.ws).values()}
    return {q.id: (told.detail, told.by) for q in found if (told := detail.told(q, names))}


def calls(ws: Workspace) -> list[tuple[str, str]]:
    return [tuple(row) for row in ws.db.execute("SELECT state, model FROM call ORDER BY id")]


def test_column_then_words_then_a_judge_then_a_person(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "nobody")
    scope = study(tmp_path)
    ws, project = scope.ws, scope.project("study")
    measure.measure(ws, project, None)
    assert brevity(scope) == {
        "said": "fitting",
        "words": "fitting",
        "open": "too long",
        "same": "fitting",
    }
    with provider_stub() as stub:
        options = {
            "judges": ["openai:stub"],
            "base_url": stub.base_url,
            "input_price": 100.0,
            "output_price": 100.0,
        }
        plan = runs.plan(scope, "study", options).judges[0]
        assert plan.calls == 4 + 1, (
            "four answers, and the one question of which nothing tells: the length of ``same`` fits anyway"
        )
        assert any("1 call asks how much detail a question wants" in note for note in plan.notes)
        run = runs.start(scope, "study", options).run
        assert runs.execute(ws, run) == "done"
        assert stub.stats()["requests"] == 5
        told = said(scope)
        assert told["open"][1] == "judge" and told["same"] == ("short", "")
        assert brevity(scope)["open"] == (
            "fitting" if told["open"][0] == "detailed" else "too long"
        )
        judged = ledger.run_calls(ws.db, run)["stub"]
        assert judged.sends == 5 and judged.money > 0, (
            "the call stands in the ledger with its price"
        )
        assert runs.status(scope, "study").progress["calls"] == 5
        other = "short" if told["open"][0] == "detailed" else "detailed"
        made = detail.change(scope, "study", "open", other)
        assert (made.detail, made.by, made.who, made.changed) == (
            other,
            "person",
            "Mira",
            2,
        ), "the criterion, and the fault too_long"
        run = runs.start(scope, "study", options).run
        assert runs.execute(ws, run) == "done" and said(scope)["open"] == (other, "person"), (
            "no judge overrules a person"
        )
        assert stub.stats()["requests"] == 5
    assert detail.change(scope, "study", "open", "").by == "judge", (
        "taken back: the judge's word counts again"
    )


def test_a_person_changes_what_a_column_says_and_no_import_changes_it_back(tmp_path: Path) -> None:
    scope = study(tmp_path)
    measure.measure(scope.ws, scope.project("study"), None)
    assert detail.change(scope, "study", "said", "short").changed == 2
    assert brevity(scope)["said"] == "too long" and said(scope)["said"] == ("short", "person")
    again = [{**QUESTIONS[0], "text": "Why, then?"}]
    importing_stage.finish(
        scope,
        importing_stage.stage(
            scope, "study", small.folder(tmp_path, "again", questions=again)
        ).import_id,
    )
    [question] = content.questions(scope.ws.db, scope.project("study"), ["said"]).values()
    assert question.text == "Why, then?" and said(scope)["said"] == ("short", "person")
    assert (
        detail.change(scope, "study", "said", "").by == "column"
        and brevity(scope)["said"] == "fitting"
    )


@pytest.mark.parametrize("text", ['{"detail": "huge"}', "[]", "detailed", ""])
def test_a_reply_that_says_neither_is_a_problem(text: str) -> None:
    assert not isinstance(read_detail(Reply(text=text)), str)
