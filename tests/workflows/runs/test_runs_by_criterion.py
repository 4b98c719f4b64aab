"""A run asks each criterion in its own way: claims against documents, own prompts in plain text,
checkers, all under one name."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from graders.core import discovery
from graders.core.contracts import Finding, Rule
from graders.core.records import Answer, Mark, Question, Reply, Subject
from graders.core.rubric import Criterion, Rubric, read_rubric
from graders.core.scale import YES_NO
from graders.store.answers import content
from graders.workflows.calling import asked_criteria, judge_setup, judging
from graders.workflows.cells.measured import finding_of
from graders.workflows.cells.rule_values import open_parts
from graders.workflows.importing import stage as importing_stage
from graders.workflows.runs import judges, runs
from graders.workflows.scope.named_rubrics import read_named_rubric
from graders.workflows.scope.permissions import Scope
from tests.store import small
from tests.support import studies
from tests.support.stub import StubProvider

pytestmark = pytest.mark.usefixtures("key")

OWN = """
rubric: own
criteria:
  fit: {question: Does it fit?, scale: ["no", "yes"], template: "Does this fit? {answer} Say yes or no.", graders: [judge]}
  tone: {question: Is it kind?, scale: {from: 1, to: 5}, graders: [judge]}
"""
DOCUMENT = "The pool opens at 8 on weekdays and is closed in August."
ANSWERS = {"Ash": "The pool opens at 8. In August it is closed.", "Oak": "It never closes."}


def study(place: Path, rubric: Rubric) -> Scope:
    """One question with a document, one without; two answers each."""
    folder = place / "files"
    folder.mkdir()
    questions = [
        {"id": "q1", "text": "When can I swim?", "context": [DOCUMENT]},
        {"id": "q2", "text": "When can I skate?"},
    ]
    answers = [
        {"question_id": q, "model": m, "text": text}
        for q in ("q1", "q2")
        for m, text in ANSWERS.items()
    ]
    for name, rows in (("questions", questions), ("answers", answers)):
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    scope = small.scope_of(small.workspace(place))
    importing_stage.finish(
        scope, importing_stage.stage(scope, "study", folder, rubric=rubric).import_id
    )
    return scope


def graded(
    scope: Scope, judge: str, **options: Any
) -> dict[tuple[str, str, str, str], tuple[Any, str]]:
    """Run a judge; (question, model, criterion, part) -> (value, reason)."""
    run = runs.start(scope, "study", {"judges": [judge], **options}).run
    assert runs.execute(scope.ws, run) == "done"
    rows = scope.ws.db.execute(
        "SELECT q.key, a.model, k.key, c.part, v.value, v.reason FROM verdict v JOIN cell c ON c.id = v.cell_id JOIN criterion k "
        "ON k.id = c.criterion_id JOIN subject s ON s.id = c.subject_id JOIN answer a ON a.id = s.answer_id JOIN question q ON q.id = c.question_id "
        "JOIN author w ON w.id = v.author_id WHERE w.kind = 'judge'"
    )
    return {(r[0], r[1], r[2].split("/")[1], r[3]): (r[4] and json.loads(r[4]), r[5]) for r in rows}


def test_a_checker_is_asked_about_each_claim_with_a_document(
    tmp_path: Path, stub: StubProvider
) -> None:
    scope = study(tmp_path, read_named_rubric("grounded"))
    stub.configure(say="Yes", faults={})
    (plan,) = runs.plan(
        scope, "study", {"judges": ["ollama:bespoke-minicheck"], "base_url": stub.root}
    ).judges
    assert (plan.calls, plan.notes) == (
        3,
        [
            "relevancy: no call asks about 4 answers. bespoke-minicheck holds claims against documents and answers no other question.",
            "supported: no call asks about 2 answers. A claim is held against a document, and there is none.",
        ],
    )
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
    assert {said for place, said in found.items() if place[2] == "relevancy"} == {
        (None, "not_applicable")
    }
    assert {row.money for row in judges.figures(scope, "study")} == {0.0}, (
        "what needed no call costs nothing, as the calls did here"
    )
    assert stub.stats()["requests"] == 3
    assert (
        graded(scope, "ollama:bespoke-minicheck", base_url=stub.root) == found
        and stub.stats()["requests"] == 3
    )


def test_claims_and_relevancy_are_one_call_of_a_chat_model(
    tmp_path: Path, stub: StubProvider
) -> None:
    scope = study(tmp_path, read_named_rubric("grounded"))
    stub.configure(faults={}, say=None)
    found = graded(scope, "openai:stub", base_url=stub.base_url)
    # one an answer; without a document relevancy alone is asked
    assert stub.stats()["requests"] == 4
    assert found[("q2", "Oak", "supported", "It never closes.")] == (None, "no_context")
    assert len(found) == 10 and found[("q1", "Ash", "relevancy", "")][0] in ("no", "yes")


def test_a_prompt_of_ones_own_goes_in_plain_text_beside_structured_ones(
    tmp_path: Path, stub: StubProvider
) -> None:
    scope = study(tmp_path, read_rubric(OWN))
    setup = judge_setup.make_judge("openai:stub", secret="s", criteria=read_rubric(OWN).criteria)
    assert {judge.name for judge, _ in setup.judge.judges} == {"bare", "llm"}
    project = scope.project("study")
    asked = [
        task.request
        for task in judging.tasks(
            scope.ws, project, setup, content.subject_ids(scope.ws.db, project)
        )
    ]
    assert (
        sorted((request.criteria, request.schema is None) for request in asked)
        == [(("own/fit",), True)] * 4 + [(("own/tone",), False)] * 4
    )
    assert {
        text for request in asked if request.schema is None for _, text in request.messages
    } == {f"Does this fit? {text} Say yes or no." for text in ANSWERS.values()}


STYLED = """
rubric: styled
criteria:
  style: {question: Is it the style?, scale: {from: 1, to: 5}, reference: none, graders: [judge, named_style]}
  mood: {question: Does the mood hold?, scale: {from: 1, to: 5}, reference: none, graders: [judge]}
  pages: {question: Can it be read?, scale: {from: 1, to: 5}, reference: none, graders: [judge, {unreadable: {unscored: true}}]}
"""
GARBLED = "\ufffd\ufffd\ufffd\ufffd \ufffd\ufffd\ufffd \ufffd\ufffd\ufffd\ufffd\ufffd"


def poems(place: Path, rubric: str) -> Scope:
    """A question that names an author and one that names nobody; of its two answers one cannot be
    read."""
    folder = place / "files"
    folder.mkdir()
    asked = {
        "q1": "Write a poem about rain in the style of Dickinson.",
        "q2": "Write a poem about rain.",
    }
    answers = [
        ("q1", "Ash", "Rain is a visitor."),
        ("q2", "Ash", "Rain, rain on the roof."),
        ("q2", "Oak", GARBLED),
    ]
    for name, rows in (
        ("questions", [{"id": key, "text": text} for key, text in asked.items()]),
        (
            "answers",
            [{"question_id": key, "model": model, "text": text} for key, model, text in answers],
        ),
    ):
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    scope = small.scope_of(small.workspace(place))
    importing_stage.finish(
        scope, importing_stage.stage(scope, "study", folder, rubric=read_rubric(rubric)).import_id
    )
    return scope


def asked_about(
    scope: Scope, per: str = "answer", **more: Any
) -> set[tuple[tuple[str, ...], tuple[str, ...]]]:
    """(question and model of each answer, criteria) of the calls that a judge has to make."""
    project = scope.project("study")
    setup = judge_setup.make_judge(
        "openai:stub",
        secret="s",
        criteria=asked_criteria.judged_criteria(scope.ws, project),
        options={"per": per, **more},
    )
    found = [task.request for task in judging.tasks(scope.ws, project, setup)]
    return {
        (
            tuple(sorted(f"{s.question_id} {s.model}" for s in r.subjects)),
            tuple(c.split("/")[1] for c in r.criteria),
        )
        for r in found
    }


@pytest.fixture
def measuring(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if the rules that say that there is nothing to grade measured it."""
    for name in ("named_style", "unreadable"):
        monkeypatch.setattr(discovery.find("rules", name), "finding", Finding.MEASURED)
    finding_of.cache_clear()
    yield
    finding_of.cache_clear()


def test_what_a_rule_only_detects_is_asked_about_all_the_same(tmp_path: Path) -> None:
    all_three = ("style", "mood", "pages")
    assert asked_about(poems(tmp_path, STYLED)) == {
        ((answer,), all_three) for answer in ("q1 Ash", "q2 Ash", "q2 Oak")
    }


@pytest.mark.usefixtures("measuring")
def test_what_a_rule_closes_is_not_asked_about(tmp_path: Path, stub: StubProvider) -> None:
    scope = poems(tmp_path, STYLED)
    all_three, two, one = ("style", "mood", "pages"), ("mood", "pages"), ("mood",)
    apart = {(("q1 Ash",), all_three), (("q2 Ash",), two), (("q2 Oak",), one)}
    assert asked_about(scope) == asked_about(scope, "question") == apart
    stub.configure(faults={}, say=None)
    found = graded(scope, "openai:stub", base_url=stub.base_url)
    assert {(question, model, name) for question, model, name, _ in found} == {
        (*key.split(), n) for (key,), names in apart for n in names
    }
    assert asked_about(scope) == set()
    assert (
        runs.plan(scope, "study", {"judges": ["openai:stub"], "base_url": stub.base_url})
        .judges[0]
        .calls
        == 0
    )


@pytest.mark.usefixtures("measuring")
def test_a_call_with_nothing_left_is_not_made(tmp_path: Path) -> None:
    only_style = "\n".join(
        line for line in STYLED.splitlines() if "mood" not in line and "pages" not in line
    )
    assert asked_about(poems(tmp_path, only_style)) == {(("q1 Ash",), ("style",))}


COMPARED = """
rubric: compared
criteria:
  right: {question: Is it right?, scale: ["no", "yes"], reference: {factual: given}, graders: [judge]}
  tone: {question: Is it kind?, scale: {from: 1, to: 5}, graders: [judge]}
"""


def test_what_compares_with_a_reference_is_not_asked_without_one(
    tmp_path: Path, stub: StubProvider
) -> None:
    scope = studies.scope_at(tmp_path)
    questions = [
        {"id": "q1", "text": "Who?", "task_type": "factual", "references": ["Ann."]},
        {"id": "q2", "text": "Which?", "task_type": "factual"},
        {"id": "q3", "text": "What now?"},  # of this task type the rubric says nothing
    ]
    answers = [
        {"question_id": q["id"], "model": m, "text": f"{m} says {q['id']}."}
        for q in questions
        for m in ("Ash", "Oak")
    ]
    studies.bring(scope, tmp_path, rubric=COMPARED, questions=questions, answers=answers)
    both = {((f"{q} {m}",), ("right", "tone")) for q in ("q1", "q3") for m in ("Ash", "Oak")}
    assert asked_about(scope) == both | {((f"q2 {m}",), ("tone",)) for m in ("Ash", "Oak")}
    together = {
        ((f"{q} Ash", f"{q} Oak"), names)
        for q, names in (("q1", ("right", "tone")), ("q2", ("tone",)), ("q3", ("right", "tone")))
    }
    assert asked_about(scope, "question") == together
    assert {names for _, names in asked_about(scope, reference=False)} == {("right", "tone")}
    stub.configure(faults={}, say=None)
    (plan,) = runs.plan(
        scope, "study", {"judges": ["openai:stub"], "base_url": stub.base_url}
    ).judges
    assert (plan.calls, plan.notes) == (
        6,
        [
            "right: no call asks about 2 answers. The criterion compares with a right answer, and there is none."
        ],
    )
    found = graded(scope, "openai:stub", base_url=stub.base_url)
    assert {place[:3] for place, said in found.items() if said == (None, "no_reference")} == {
        ("q2", m, "right") for m in ("Ash", "Oak")
    }
    assert (len(found), stub.stats()["requests"], asked_about(scope)) == (12, 6, set())
    assert (
        plan.done == 0
        and runs.plan(scope, "study", {"judges": ["openai:stub"], "base_url": stub.base_url})
        .judges[0]
        .done
        == 4
    )
    assert graded(scope, "openai:stub", base_url=stub.base_url) == found
    assert (
        scope.ws.db.execute(
            "SELECT count(*) FROM verdict WHERE reason = 'no_reference'"
        ).fetchone()[0]
        == 2
    ), "said once"
    studies.bring(
        scope, tmp_path, rubric=COMPARED, questions=[{**questions[1], "references": ["This."]}]
    )
    # what was said of q2 rested on no reference
    assert {names for _, names in asked_about(scope)} == {("right", "tone")}


def test_of_a_criterion_with_parts_those_are_asked_that_are_open() -> None:
    class Shut(Rule):
        version, about, default_scale = "1", "No rhyme is asked for.", YES_NO
        closes, speaks_to = "not_applicable", "rhyme"

        def grade(self, subject: Subject, criterion: Criterion) -> Mark:
            return Mark.unscored("not_applicable")

    rubric = read_rubric(
        'rubric: verse\ncriteria:\n  form: {question: Is it kept?, scale: ["no", "yes"], parts: [metre, rhyme], graders: [judge]}\n'
    )
    (form,) = rubric.criteria
    subject = Subject(
        Question(id="q1", text="A poem."), Answer(question_id="q1", model="Ash", text="Rain.")
    )
    left = open_parts(subject, form, [("shut", Shut())])
    assert left == ("metre",)
    judge = judge_setup.make_judge("openai:stub", secret="s", criteria=rubric.criteria).judge
    (request,) = judge.requests([subject], rubric, [replace(form, parts=left)])
    assert list(request.schema["properties"]["form"]["properties"]) == ["metre"]
    said = {
        "form": {"metre": {"evidence": "absent", "rationale": "", "value": "yes", "confidence": 1}}
    }
    (verdict,) = judge.read(request, Reply(text=json.dumps(said)), {subject.key: subject}, rubric)
    assert (verdict.part, verdict.mark.value, verdict.criterion_hash) == (
        "metre",
        "yes",
        form.criterion_hash,
    )
