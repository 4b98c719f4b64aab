"""Answers split into claims by a model: in plan, budget and ledger, once, and parts from then
on."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.core.errors import UsageError
from graders.store.answers import claims, content
from graders.store.calls import ledger
from graders.workflows.runs import runs
from graders.workflows.scope.named_rubrics import read_named_rubric
from graders.workflows.scope.permissions import Scope
from tests.store import small
from tests.support.stub import StubProvider

#: What the stub lists as claims of any text: twice the same, so one claim.
CLAIM = "The answer names the place that was asked for."
SENTENCES = ["In August it is closed.", "The pool opens at 8."]
DOCUMENT = "The pool opens at 8 on weekdays and is closed in August."
QUESTIONS = [
    {"id": "q1", "text": "When can I swim?", "context": [DOCUMENT]},
    {"id": "q2", "text": "When can I dive?", "context": [DOCUMENT]},
]
ANSWERS = [
    {"question_id": "q1", "model": "Ash", "text": "The pool opens at 8. In August it is closed."},
    {"question_id": "q1", "model": "Oak", "text": "It never closes."},
    {"question_id": "q2", "model": "Ash", "text": "In August it is closed. The pool opens at 8."},
    {"question_id": "q2", "model": "Oak", "text": "Not in August."},
]
#: Of four answers those by Ash have two sentences, those by Oak one, which is its claim whoever
#: splits.
LONG = 2


@pytest.fixture
def scope(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scope:
    monkeypatch.setenv("OPENAI_API_KEY", "nobody")
    files = small.folder(tmp_path, "files", questions=QUESTIONS, answers=ANSWERS)
    made = small.scope_of(small.workspace(tmp_path))
    small.bring(made, files, rubric=read_named_rubric("grounded").source)
    return made


def parts(scope: Scope, model: str = "Ash", question: str = "q1") -> list[str]:
    """The claims of an answer that are cells."""
    sql = (
        "SELECT c.part FROM cell c JOIN subject s ON s.id = c.subject_id JOIN answer a ON a.id = s.answer_id JOIN question q "
        "ON q.id = c.question_id WHERE c.part <> '' AND c.retired = 0 AND a.model = ? AND q.key = ? ORDER BY c.part"
    )
    return [row[0] for row in scope.ws.db.execute(sql, (model, question))]


def test_a_model_splits_once_and_its_claims_are_cells(scope: Scope, stub: StubProvider) -> None:
    stub.configure(faults={}, say=None)
    way = {"base_url": stub.base_url, "input_price": 100.0, "output_price": 100.0}
    options = {"judges": ["openai:stub"], "split": "openai:splitter", **way}
    assert parts(scope) == SENTENCES
    planned = runs.plan(scope, "study", options)
    assert [(j.name, j.calls, j.known) for j in planned.judges] == [
        ("openai:splitter, splitting answers", LONG, 0),
        ("openai:stub", 4, 0),
    ]
    assert planned.judges[0].money > 0 and planned.money == sum(j.money for j in planned.judges)
    run = runs.start(scope, "study", {**options, "budget_calls": 1}).run
    assert runs.execute(scope.ws, run) == "stopped" and stub.stats()["requests"] == 1, (
        "the budget is the whole run's"
    )
    run = runs.start(scope, "study", options).run
    assert runs.execute(scope.ws, run) == "done"
    assert stub.stats()["requests"] == LONG + 4
    assert parts(scope) == [CLAIM] and parts(scope, "Oak") == ["It never closes."]
    progress = runs.status(scope, "study").progress
    assert [(s["name"], s["state"]) for s in progress["stages"]] == [
        (n, "done") for n in ("split", "measure", "judge", "route")
    ]
    assert progress["judges"][0]["total"] == LONG - 1 and progress["calls"] == LONG - 1 + 4
    assert ledger.run_calls(scope.ws.db, run)["splitter"].money > 0
    judged = scope.ws.db.execute(
        "SELECT c.part FROM verdict v JOIN cell c ON c.id = v.cell_id WHERE c.part <> '' AND c.retired = 0"
    ).fetchall()
    assert {row[0] for row in judged} == {CLAIM, "It never closes.", "Not in August."}
    for other in (options, {**options, "split": "openai:another"}, {**options, "split": ""}):
        again = runs.plan(scope, "study", other).judges
        assert sum(j.calls for j in again) == 0, "what is split stays as it is"


def test_sentences_stay_where_people_graded_them_and_where_a_reply_is_of_no_use(
    scope: Scope, tmp_path: Path, stub: StubProvider
) -> None:
    said = small.human("q2", "Ash", "grounded/supported", "ann", "yes", part=SENTENCES[0])
    small.bring(
        scope,
        small.folder(tmp_path, "said", questions=QUESTIONS, answers=ANSWERS, human=[said]),
        rubric=None,
    )
    stub.configure(faults={}, say='{"claims": []}')
    options = {"split": "openai:splitter", "base_url": stub.base_url}
    assert runs.execute(scope.ws, runs.start(scope, "study", options).run) == "done"
    assert stub.stats()["requests"] == LONG - 1
    assert parts(scope) == parts(scope, question="q2") == SENTENCES
    assert runs.plan(scope, "study", options).judges[0].known == LONG - 1, (
        "the reply is there already"
    )


def test_a_model_that_cannot_split_is_refused_before_anything_is_bought(
    scope: Scope, stub: StubProvider
) -> None:
    with pytest.raises(UsageError, match="only checks claims"):
        runs.plan(scope, "study", {"split": "ollama:bespoke-minicheck"})
    stub.configure(faults={"wrong_key": 1.0}, say=None)
    options = {"judges": ["openai:stub"], "split": "openai:splitter", "base_url": stub.base_url}
    run = runs.start(scope, "study", options).run
    assert runs.execute(scope.ws, run) == "failed"
    assert not ledger.run_calls(scope.ws.db, run).get("stub"), (
        "no verdict on a sentence is bought that a claim would replace"
    )
    kept = content.subjects(scope.ws.db, content.subject_ids(scope.ws.db, scope.project("study")))
    assert not any(claims.MARK in s.subject.answer.metadata for s in kept)


def test_the_splitter_may_be_the_judge_and_both_count(scope: Scope, stub: StubProvider) -> None:
    stub.configure(faults={}, say=None)
    options = {
        "judges": ["openai:stub"],
        "split": "openai:stub",
        "base_url": stub.base_url,
        "concurrency": 1,
        "budget_calls": 3,
    }
    planned = runs.plan(scope, "study", options).judges
    assert [(j.name, j.calls) for j in planned] == [
        ("openai:stub, splitting answers", LONG),
        ("openai:stub", 4),
    ]
    run = runs.start(scope, "study", options).run
    assert runs.execute(scope.ws, run) == "stopped" and stub.stats()["requests"] == 3
    counts = {
        judge["name"]: judge["calls"] for judge in runs.status(scope, "study").progress["judges"]
    }
    assert counts == {"openai:stub, splitting answers": LONG, "openai:stub": 1}
    assert {
        name: ledger.run_calls(scope.ws.db, run, name)["stub"].sends for name in counts
    } == counts
