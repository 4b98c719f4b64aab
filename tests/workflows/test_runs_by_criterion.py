"""A run asks each criterion in its own way: claims against documents, own prompts in plain text, checkers, all under one name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graders.core.rubric import Rubric, read_rubric
from graders.store import content
from graders.workflows import imports, judge_setup, judging, runs
from graders.workflows.imports import read_named_rubric
from graders.workflows.permissions import Scope
from tests.store import small
from tests.support.stub import StubProvider

OWN = """
rubric: own
criteria:
  fit: {question: Does it fit?, scale: ["no", "yes"], template: "Does this fit? {answer} Say yes or no.", graders: [judge]}
  tone: {question: Is it kind?, scale: {from: 1, to: 5}, graders: [judge]}
"""
DOCUMENT = "The pool opens at 8 on weekdays and is closed in August."
ANSWERS = {"Ash": "The pool opens at 8. In August it is closed.", "Oak": "It never closes."}


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "nobody")


def study(place: Path, rubric: Rubric) -> Scope:
    """One question with a document, one without; two answers each."""
    folder = place / "files"
    folder.mkdir()
    questions = [{"id": "q1", "text": "When can I swim?", "context": [DOCUMENT]}, {"id": "q2", "text": "When can I skate?"}]
    answers = [{"question_id": q, "model": m, "text": text} for q in ("q1", "q2") for m, text in ANSWERS.items()]
    for name, rows in (("questions", questions), ("answers", answers)):
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    scope = small.scope_of(small.workspace(place))
    imports.finish(scope, imports.stage(scope, "study", folder, rubric=rubric).import_id)
    return scope


def graded(scope: Scope, judge: str, **options: Any) -> dict[tuple[str, str, str, str], tuple[Any, str]]:
    """Run a judge; (question, model, criterion, part) -> (value, reason)."""
    run = runs.start(scope, "study", {"judges": [judge], **options})["run"]
    assert runs.execute(scope.ws, run) == "done"
    rows = scope.ws.db.execute(
        "SELECT q.key, a.model, k.key, c.part, v.value, v.reason FROM verdict v JOIN cell c ON c.id = v.cell_id JOIN criterion k "
        "ON k.id = c.criterion_id JOIN subject s ON s.id = c.subject_id JOIN answer a ON a.id = s.answer_id JOIN question q ON q.id = c.question_id "
        "JOIN author w ON w.id = v.author_id WHERE w.kind = 'judge'"
    )
    return {(r[0], r[1], r[2].split("/")[1], r[3]): (r[4] and json.loads(r[4]), r[5]) for r in rows}


def test_a_checker_is_asked_about_each_claim_with_a_document(tmp_path: Path, stub: StubProvider) -> None:
    scope = study(tmp_path, read_named_rubric("grounded"))
    stub.configure(say="Yes", faults={})
    assert runs.plan(scope, "study", {"judges": ["ollama:bespoke-minicheck"], "base_url": stub.root})["judges"][0]["calls"] == 3
    found = graded(scope, "ollama:bespoke-minicheck", base_url=stub.root)
    supported = {place: said for place, said in found.items() if place[2] == "supported"}
    assert supported == {
        ("q1", "Ash", "supported", "The pool opens at 8."): ("yes", ""),
        ("q1", "Ash", "supported", "In August it is closed."): ("yes", ""),
        ("q1", "Oak", "supported", "It never closes."): ("yes", ""),
        ("q2", "Ash", "supported", "The pool opens at 8."): (None, "no_context"),
        ("q2", "Ash", "supported", "In August it is closed."): (None, "no_context"),
        ("q2", "Oak", "supported", "It never closes."): (None, "no_context"),
    }
    assert {said for place, said in found.items() if place[2] == "relevancy"} == {(None, "not_applicable")}
    assert stub.stats()["requests"] == 3
    assert graded(scope, "ollama:bespoke-minicheck", base_url=stub.root) == found and stub.stats()["requests"] == 3


def test_claims_and_relevancy_are_one_call_of_a_chat_model(tmp_path: Path, stub: StubProvider) -> None:
    scope = study(tmp_path, read_named_rubric("grounded"))
    stub.configure(faults={}, say=None)
    found = graded(scope, "openai:stub", base_url=stub.base_url)
    assert stub.stats()["requests"] == 4  # one an answer; without a document relevancy alone is asked
    assert found[("q2", "Oak", "supported", "It never closes.")] == (None, "no_context")
    assert len(found) == 10 and found[("q1", "Ash", "relevancy", "")][0] in ("no", "yes")


def test_a_prompt_of_ones_own_goes_in_plain_text_beside_structured_ones(tmp_path: Path, stub: StubProvider) -> None:
    scope = study(tmp_path, read_rubric(OWN))
    setup = judge_setup.make_judge("openai:stub", secret="s", criteria=read_rubric(OWN).criteria)
    assert {judge.name for judge, _ in setup.judge.judges} == {"bare", "llm"}
    project = scope.project("study")
    asked = [task.request for task in judging.tasks(scope.ws, project, setup, content.subject_ids(scope.ws.db, project))]
    assert (
        sorted((request.criteria, request.schema is None) for request in asked) == [(("own/fit",), True)] * 4 + [(("own/tone",), False)] * 4
    )
    assert {text for request in asked if request.schema is None for _, text in request.messages} == {
        f"Does this fit? {text} Say yes or no." for text in ANSWERS.values()
    }
