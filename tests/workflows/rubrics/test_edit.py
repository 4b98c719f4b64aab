"""Rubrics that live: checked while typed, versions and what they change, stale verdicts counted,
only those graded again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graders.core.errors import Conflict, InputError, NotFound, RubricError
from graders.store import projects
from graders.store.copies import copy_workspace
from graders.store.workspace import open_workspace
from graders.workflows.calling import tried_answers
from graders.workflows.importing import stage as importing_stage
from graders.workflows.results import answer as results_answer
from graders.workflows.rubrics import edit as rubrics_edit
from graders.workflows.rubrics import try_rubric
from graders.workflows.rubrics.edit import RegradePlan
from graders.workflows.rubrics.rubric_list import CriterionRow, VerdictCounts, rubric_list
from graders.workflows.runs import runs
from graders.workflows.scope.permissions import Actor, Scope
from tests.store import small
from tests.support.stub import StubProvider
from tests.support.studies import bring, given, scope_at

SOURCE = """\
# Ours, see the handbook.
rubric: small
criteria:
  relevance: {question: Does it do what was asked?, scale: [irrelevant, relevant], graders: [judge]}   # first
  brevity: {question: Short enough?, scale: [too long, fitting], graders: [{length: {short: 5, detailed: 6}}]}
"""
CHANGED = SOURCE.replace("Does it do what was asked?", "Does it do all that was asked?")


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Scope:
    """Two questions, Ash and Oak; Mira and a judge graded relevance of all four answers."""
    place = tmp_path_factory.mktemp("begun")
    scope = scope_at(place, "vera")
    cells = [(f"q{q}", m) for q in (1, 2) for m in ("Ash", "Oak")]
    human = [given(q, m, "relevance", "mira", "relevant") for q, m in cells]
    judge = [
        {
            "question_id": q,
            "model": m,
            "criterion": "small/relevance",
            "judge": "openai:stub",
            "value": "relevant",
        }
        for q, m in cells
    ]
    bring(
        scope,
        place,
        SOURCE,
        questions=small.questions(2),
        answers=small.answers(2, ["Ash", "Oak"]),
        human=human,
        judge=judge,
    )
    return scope


@pytest.fixture
def room(begun: Scope, tmp_path: Path) -> Scope:
    """A copy of it."""
    copy_workspace(begun.ws, tmp_path / "copy.db")
    return Scope(begun.actor, open_workspace(tmp_path / "copy.db"))


def test_a_text_is_checked_while_it_is_typed_and_nothing_is_kept(room: Scope) -> None:
    bad = rubrics_edit.look(
        room, "study", SOURCE.replace("scale: [irrelevant", "scales: [irrelevant"), "small"
    )
    assert bad.form is None and bad.errors[0].line == 4
    assert bad.errors[0].text.startswith(
        "rubric small, line 4, criterion relevance: found the key 'scales'"
    )
    unknown = rubrics_edit.look(room, "study", SOURCE.replace("[judge]", "[judg]"), "small")
    assert unknown.form is not None and "the grader 'judg'" in unknown.errors[0].text
    good = rubrics_edit.look(room, "study", CHANGED, "small")
    assert good.errors == [] and good.stale == {
        "relevance": VerdictCounts(people=4, judges=4, rules=0)
    }
    assert good.said == [
        "relevance, question: “Does it do what was asked?” becomes “Does it do all that was asked?”."
    ]
    assert [line.sign for line in good.lines].count("+") == 1
    other = rubrics_edit.look(
        room, "study", SOURCE.replace("rubric: small", "rubric: tiny"), "small"
    )
    assert "expected the same name, 'small'" in other.errors[0].text
    assert rubric_list(room, "study").rubrics[0].source == SOURCE


def test_a_text_in_force_keeps_the_earlier_ones_and_peoples_verdicts(
    room: Scope, tmp_path: Path
) -> None:
    before = rubric_list(room, "study").rubrics[0].hash
    made = rubrics_edit.put(room, "study", CHANGED, "small", before)
    assert made.stale["relevance"].people == 4
    row = rubric_list(room, "study")
    assert row.title == "2 criteria in 1 rubric; 4 verdicts of judges are under an earlier wording."
    [small_one] = row.rubrics
    assert [(v.active, v.by) for v in small_one.versions] == [(True, "Vera"), (False, "")]
    # neither text names a version: the second is told from the first, and stays what it is when it
    # is put once more
    assert (made.version, made.raised, [v.version for v in small_one.versions]) == (
        "2",
        True,
        ["2", "1"],
    )
    assert rubrics_edit.put(room, "study", CHANGED, "small", small_one.hash).version == "2"
    assert [v.version for v in rubric_list(room, "study").rubrics[0].versions] == [
        "2",
        "1",
    ]
    projects.add_person(room.ws, "Vera", group="crowd")
    assert rubric_list(room, "study").rubrics[0].versions[0].by.startswith("Vera ("), (
        "two of one name are told apart"
    )
    assert small_one.criteria[0] == CriterionRow(
        "relevance", "Relevance", now=0, people=4, judges=4, rules=0
    )
    old = rubrics_edit.version(room, "study", "small", small_one.versions[1].id)
    assert old.source == SOURCE and old.said == made.said
    card = results_answer.answer(room, "study", "q1", "Ash").cells[0]
    assert [(v.author, v.stale) for v in card.verdicts] == [
        ("mira", True),
        ("openai:stub", True),
    ]
    # the earlier wording again: its verdicts count again
    assert not rubrics_edit.put(room, "study", SOURCE, "small").raised
    assert rubric_list(room, "study").rubrics[0].criteria[0].now == 8
    # a label that is no number
    labels = [
        rubrics_edit.put(room, "study", f"version: draft\n{text}", "small").version
        for text in (SOURCE, CHANGED)
    ]
    assert labels == ["draft", "draft-2"]
    rubrics_edit.put(room, "study", SOURCE, "small")
    # two of eight are about a text that has changed since; what comes with a file that nobody has
    # finished does not count yet
    bring(
        room,
        tmp_path,
        SOURCE,
        questions=small.questions(1),
        answers=[{"question_id": "q1", "model": "Ash", "text": "Another reply."}],
    )
    waiting = {
        "questions": small.questions(3)[2],
        "answers": {"question_id": "q3", "model": "Ash", "text": "A third."},
    }
    waiting["human"] = given("q3", "Ash", "relevance", "noor", "irrelevant")
    (tmp_path / "waiting").mkdir()
    for table, row in waiting.items():
        (tmp_path / "waiting" / f"{table}.jsonl").write_text(json.dumps(row), "utf-8")
    importing_stage.stage(room, "study", tmp_path / "waiting")
    assert room.ws.db.execute("SELECT count(*) FROM opinion").fetchone()[0] == 9
    assert rubric_list(room, "study").rubrics[0].criteria[0].now == 6
    with pytest.raises(Conflict, match="another text in force"):
        rubrics_edit.put(room, "study", CHANGED, "small", "somebody else's")


def test_only_what_became_stale_is_graded_again_and_its_price_comes_first(
    room: Scope, stub: StubProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "nobody")
    monkeypatch.setenv("OPENAI_BASE_URL", stub.base_url)
    assert rubrics_edit.regrade_plan(room, "study", "small") == RegradePlan(
        0, ["openai:stub"], None
    )
    with pytest.raises(InputError, match="nothing to grade again"):
        rubrics_edit.regrade(room, "study", "small")
    rubrics_edit.put(room, "study", CHANGED, "small")
    plan = rubrics_edit.regrade_plan(room, "study", "small")
    assert (plan.answers, plan.plan.judges[0].calls) == (4, 4)
    started = rubrics_edit.regrade(room, "study", "small")
    options = runs.status(room, "study")
    assert started.run == options.id and started.plan.judges[0].calls == 4
    assert stub.stats()["requests"] == 0


def test_a_rubric_of_the_gallery_beside_the_others(room: Scope) -> None:
    found = rubric_list(room, "study")
    chosen = next(one for one in found.gallery if one.file == "correctness")
    assert not chosen.here and chosen.criteria
    look = rubrics_edit.look(room, "study", chosen.source)
    assert look.said and look.stale == {}
    rubrics_edit.put(room, "study", chosen.source, before="")
    assert [row.name for row in rubric_list(room, "study").rubrics] == [
        "small",
        "correctness",
    ]


def test_a_text_is_tried_on_an_answer_rules_at_once_a_judge_when_asked(
    room: Scope, stub: StubProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "nobody")
    monkeypatch.setenv("OPENAI_BASE_URL", stub.base_url)
    subject = tried_answers.draw(room.ws, room.project("study"), 1)[0]
    said = room.ws.db.execute("SELECT count(*) FROM verdict").fetchone()[0]
    found = try_rubric.try_rubric(room, "study", SOURCE, subject)
    # 11 characters, 5 allowed
    assert [(r.criterion, r.grader, r.word) for r in found.rows] == [
        ("Brevity", "length", "too long")
    ]
    roomy = try_rubric.try_rubric(
        room, "study", SOURCE.replace("short: 5, detailed: 6", "short: 50, detailed: 60"), subject
    )
    assert roomy.rows[0].word == "fitting"
    judged = try_rubric.try_rubric(room, "study", CHANGED, subject, "openai:stub")
    assert [r.kind for r in judged.rows] == ["rule", "judge"] and judged.rows[1].word in (
        "irrelevant",
        "relevant",
    )
    assert room.ws.db.execute("SELECT count(*) FROM verdict").fetchone()[0] == said
    with pytest.raises(RubricError):
        try_rubric.try_rubric(room, "study", "rubric: x", subject)
    with pytest.raises(NotFound):
        try_rubric.try_rubric(room, "study", SOURCE, 999)
    with pytest.raises(Exception, match="no key of your own"):
        try_rubric.try_rubric(
            Scope(Actor(role="visitor", own_key_only=True), room.ws),
            "study",
            SOURCE,
            subject,
            "openai:stub",
        )
