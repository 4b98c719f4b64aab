"""From an answer: mending the reference makes exactly its cells stale, another opinion is the next
blind screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.core.contracts import inputs_hash
from graders.core.errors import InputError, NotFound
from graders.store import projects
from graders.store.answers import content
from graders.store.opinions import verdicts
from graders.workflows.agreement.agree import agreement
from graders.workflows.agreement.mend import AnotherOpinion, another_opinion, mend_references
from graders.workflows.results import references
from graders.workflows.review import grading
from graders.workflows.scope.permissions import Actor, Scope
from tests.support.agreeing import judged, said, study, words
from tests.support.studies import bring, given, scope_at

RUBRIC = """
rubric: small
criteria:
  correct: {question: Is it right?, scale: [wrong, right], reference: given, review: people}
  tone: {question: Which tone?, scale: {labels: [warm, dry], ordered: false}, reference: none, review: people}
"""


def test_a_mended_reference_makes_exactly_its_cells_stale(tmp_path: Path) -> None:
    scope = scope_at(tmp_path)
    questions = [{"id": f"q{i}", "text": f"Question {i}?", "references": ["old"]} for i in range(2)]
    answers = [
        {"question_id": f"q{i}", "model": m, "text": f"{m} {i}."}
        for i in range(2)
        for m in ("Ash", "Oak")
    ]
    bring(scope, tmp_path, RUBRIC, questions=questions, answers=answers)
    subjects = content.subjects(
        scope.ws.db, content.subject_ids(scope.ws.db, scope.project("study"))
    )
    criteria = {c.key: c for c in projects.criteria(scope.ws, scope.project("study"))}
    judge = [
        {
            "question_id": s.subject.question.id,
            "model": s.subject.answer.model,
            "criterion": key,
            "judge": "north",
            "value": value,
            "inputs": inputs_hash(s.subject, criteria[key].criterion),
        }
        for s in subjects
        for key, value in (("small/correct", "right"), ("small/tone", "dry"))
    ]
    human = [given("q0", "Ash", "correct", "mira", "wrong")]
    bring(scope, tmp_path, RUBRIC, questions=questions, human=human, judge=judge)
    count = scope.ws.db.execute("SELECT count(*) FROM verdict").fetchone()[0]
    done = mend_references(scope, "study", "q0", ["new", "", "new", " other "])
    # both answers to q0, under the one criterion that shows references
    assert done.stale == {"Correct": 2}
    assert "Judges are asked again about 2 cells of Correct" in done.words
    [question] = content.questions(scope.ws.db, scope.project("study"), ["q0"]).values()
    assert question.references == ("new", "other")
    assert references.one(scope, "study", "q0").texts == ["new", "other"]
    # nobody's verdict is touched
    assert scope.ws.db.execute("SELECT count(*) FROM verdict").fetchone()[0] == count
    [event] = projects.events(scope.ws, scope.project("study"), "references")
    assert (event.body["before"], event.body["after"]) == (["old"], ["new", "other"])
    assert not mend_references(scope, "study", "q0", ["new", "other"]).changed
    assert verdicts.authors(scope.ws.db, scope.project("study"))  # the judge is still there
    with pytest.raises(NotFound, match="question 'q9'"):
        mend_references(scope, "study", "q9", ["x"])
    with pytest.raises(InputError, match="references: found 51 of them, expected at most 50"):
        mend_references(scope, "study", "q0", [str(i) for i in range(51)])


def test_another_opinion_is_the_next_blind_screen_and_enters_no_estimate(tmp_path: Path) -> None:
    bits = words([0, 1] * 20)
    scope = study(
        tmp_path,
        human=said("ann", bits) + said("bob", bits),
        judge=judged("north", bits),
        person="kim",
    )
    before = agreement(scope, "study").criteria[0].judges[0].shown
    assert another_opinion(scope, "study", "q7", "Ash").made
    assert another_opinion(scope, "study", "q7", "Ash") == AnotherOpinion(
        made=False, words="Its screen waited already: it comes next."
    )
    kim = Scope(Actor("kim"), scope.ws)
    [screen] = grading.next_screens(kim, "study", 1)
    assert (screen.question.id, screen.arm, screen.design) == ("q7", "blind", "asked")
    cell = next(c for c in screen.answers[0].cells if c.criterion == "small/relevance")
    body = {"save_id": "asked-one", "screen": screen.id, "order": [screen.answers[0].id]}
    grading.save(
        kim,
        "study",
        {**body, "verdicts": [{"cell": cell.id, "value": "irrelevant", "action": "typed"}]},
    )
    assert (
        scope.ws.db.execute(
            "SELECT count(*) FROM opinion WHERE design = 'asked' AND blind = 1"
        ).fetchone()[0]
        == 1
    )
    assert agreement(scope, "study").criteria[0].judges[0].shown == before
    with pytest.raises(NotFound, match="no such answer"):
        another_opinion(scope, "study", "q7", "Elm")
