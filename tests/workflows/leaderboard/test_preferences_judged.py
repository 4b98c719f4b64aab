"""Judges are asked about pairs in both orders: planned, bought once, counted in diagnostics,
preferences and agreement, never shown blind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graders.core.preference import outcome
from graders.core.shapes import writable
from graders.store import projects
from graders.workflows.agreement.agree import agreement
from graders.workflows.diagnostics.diagnose import diagnostics
from graders.workflows.leaderboard import draw_pairs
from graders.workflows.leaderboard.preferences import preferences
from graders.workflows.review import grading
from graders.workflows.routing import route
from graders.workflows.runs import runs, try_judge, tryout
from graders.workflows.scope.missing_reasons import note_words
from graders.workflows.scope.permissions import Scope
from tests.support.stub import StubProvider
from tests.support.studies import bring, scope_at

pytestmark = pytest.mark.usefixtures("key")

MODELS = ("Ash", "Beech", "Cedar")
N = 5
RUBRIC = """
rubric: small
criteria:
  better: {question: Which is better?, scale: {labels: [A, tie, B], ordered: false}, graders: [judge], review: people}
  kind: {question: Is it kind?, scale: ["no", "yes"], graders: [judge], review: automatic}
"""
ALWAYS_FIRST = {name: {"evidence": "absent", "rationale": "", "value": value, "confidence": 1} for name, value in (("better", "A"), ("kind", "yes"))}  # fmt: skip


def study(folder: Path, questions: int = N, rubric: str = RUBRIC) -> Scope:
    """Each two models on every question."""
    scope = scope_at(folder, "mira")
    asked = [{"id": f"q{i}", "text": f"Question {i}?"} for i in range(questions)]
    # Texts differ without the models' names, which a judge of pairs does not see: equal calls are
    # bought once.
    answers = [
        {"question_id": f"q{i}", "model": m, "text": f"Way {m[0]} of {i}."}
        for i in range(questions)
        for m in MODELS
    ]
    bring(scope, folder, rubric, questions=asked, answers=answers)
    shares = {"calibration": 0.0, "audit": 0.0, "blind": 0.5}
    projects.set_settings(scope.ws, scope.project("study"), {"sampling": shares})
    draw_pairs.draw(scope, "study", "all")
    return scope


def run(scope: Scope, stub: StubProvider, **more: Any) -> str:
    options = {"judges": ["openai:stub"], "base_url": stub.base_url, "concurrency": 4, **more}
    return runs.execute(scope.ws, runs.start(scope, "study", options).run)


def said(scope: Scope) -> dict[int, tuple[Any, str, Any, str]]:
    """Subject of a pair -> value, reason, what was said in each order, status."""
    sql = (
        "SELECT c.subject_id, v.value, v.reason, v.metadata, v.status FROM opinion o JOIN verdict v ON v.id = o.verdict_id JOIN cell c ON c.id = o.cell_id "
        "JOIN subject s ON s.id = c.subject_id JOIN author w ON w.id = o.author_id AND w.kind = 'judge' WHERE s.other_id IS NOT NULL"
    )
    return {
        r[0]: (r[1] and json.loads(r[1]), r[2], json.loads(r[3]).get("orders"), r[4])
        for r in scope.ws.db.execute(sql)
    }


def test_a_run_goes_on_where_it_was_stopped_and_every_page_counts_what_it_brought(
    tmp_path: Path, stub: StubProvider
) -> None:
    scope = study(tmp_path)
    stub.configure(faults={}, say=None)
    options = {"judges": ["openai:stub"], "base_url": stub.base_url}
    plan = runs.plan(scope, "study", options)
    # 15 answers in a call each, 15 pairs in two; a cell each
    assert (plan.judges[0].calls, plan.cells) == (15 + 2 * 15, 30)
    assert plan.judges[0].notes == [
        "30 calls ask about 15 pairs, in both orders of the answers.",
        "About 2 more calls where it quotes what is not in the answer and is asked once more (assumed: 5%).",
    ]
    assert run(scope, stub, budget_calls=25) == "stopped"
    half = said(scope)
    # none of one order alone
    assert 0 < len(half) < 15 and all(orders for _, _, orders, _ in half.values())
    assert run(scope, stub) == "done"
    found = said(scope)
    assert (len(found), stub.stats()["requests"]) == (15, 45)
    for value, reason, (one, two), _ in found.values():
        assert (value, reason) == ((one, "") if one == two else ("tie", "position_dependent"))
    changed = [one != two for _, _, (one, two), _ in found.values()]
    assert 0 < sum(changed) < 15
    done = runs.plan(scope, "study", options).judges[0]
    assert (done.calls, done.done) == (0, 30)

    (judge,) = diagnostics(scope, "study").judges
    figures = next(row.figures for row in judge.criteria if row.key == "small/better")
    first = [outcome(one) - outcome(two) for _, _, (one, two), _ in found.values()]
    assert figures["changed"].value == pytest.approx(sum(changed) / 15)
    assert figures["first"].value == pytest.approx(sum(first) / 15)
    ranked = preferences(scope, "study")
    assert (ranked.show, ranked.by) == ("judge", "openai:stub")
    assert ranked.rests_on == (
        "Counted: the judge's verdicts as they are, uncorrected. Each pair was asked about in both orders: "
        f"{sum(changed)} ties in place of a verdict that changed with the order."
    )
    assert sum(row.tied for row in ranked.models) == 2 * sum(
        value == "tie" for value, *_ in found.values()
    )
    _people(scope, found)


def _people(scope: Scope, found: dict[int, tuple[Any, str, Any, str]]) -> None:
    """Blind screens say nothing of the judge, assisted ones suggest its value and say where the
    order decided; blind verdicts are compared."""
    route.route(scope, "study")
    arms: set[str] = set()
    number = 0
    while screens := grading.next_screens(scope, "study", 1):
        (screen,) = screens
        compared = [answer for answer in screen.answers if answer.other]
        for answer in compared:
            value, _, (one, two), _ = found[answer.id]
            (cell,) = answer.cells
            arms.add(screen.arm)
            if screen.arm == "blind":
                assert (
                    "stub" not in json.dumps(screen, default=writable) and cell.suggestion is None
                )
            else:
                assert cell.suggestion.value == value
                note = f"Counts as a tie, because it changes with the order: {one} with A shown first, {two} with B shown first."
                assert cell.judges[0].note == (note if one != two else "")
        number += 1
        verdicts = [
            {"cell": answer.cells[0].id, "value": "A" if answer in compared else "yes"}
            for answer in screen.answers
        ]
        grading.save(
            scope,
            "study",
            {"save_id": f"a-save-{number}", "screen": screen.id, "verdicts": verdicts},
        )
    assert arms == {"blind", "assisted"}
    # the queue puts what a judge is unsure of first
    report = agreement(scope, "study", population="adaptive", intervals=False)
    (row,) = (one for one in report.criteria if one.key == "small/better")
    assert [judge.name for judge in row.judges] == ["openai:stub"] and row.ranges == [
        "A",
        "tie",
        "B",
    ]
    by_people = preferences(scope, "study")
    assert (by_people.show, by_people.judges) == ("people", ["openai:stub"])


def test_a_judge_that_takes_the_first_answer_decides_nothing(
    tmp_path: Path, stub: StubProvider
) -> None:
    scope = study(tmp_path, 2)
    stub.configure(faults={}, say=json.dumps(ALWAYS_FIRST))
    # pairs are asked about one by one
    assert run(scope, stub, judge_options={"per": "question"}) == "done"
    assert set(map(str, said(scope).values())) == {
        str(("tie", "position_dependent", ["A", "B"], "ok"))
    }
    (judge,) = diagnostics(scope, "study").judges
    figures = next(row.figures for row in judge.criteria if row.key == "small/better")
    assert (figures["first"].value, figures["changed"].value) == (1.0, 1.0)
    assert {row.figure.value for row in preferences(scope, "study").models} == {50.0}


def test_a_pair_has_no_verdict_until_both_orders_have(tmp_path: Path, stub: StubProvider) -> None:
    scope = study(tmp_path, 4)
    stub.configure(faults={"refusal": 0.4}, seed=3, say=None)
    run(scope, stub, concurrency=1)
    refused = stub.stats()["faults"]["refusal"]
    states = [(status, reason) for _, reason, _, status in said(scope).values()]
    assert ("unscored", "refusal") in states and any(status == "ok" for status, _ in states)
    stub.configure(faults={}, say=None)
    assert run(scope, stub) == "done"
    assert stub.stats()["requests"] == refused  # the order that had a reply is not bought again
    assert {status for *_, status in said(scope).values()} == {"ok"}


def test_where_judges_are_asked_about_pairs_alone_a_try_is_on_pairs(
    tmp_path: Path, stub: StubProvider
) -> None:
    scope = study(tmp_path, 1, RUBRIC.rsplit("  kind:", 1)[0])
    stub.configure(faults={}, say=json.dumps(ALWAYS_FIRST))
    options = {"base_url": stub.base_url}
    assert run(scope, stub, tries=2) == "done"
    found = tryout.tried(scope, "study")
    assert [len(answer.model.split(" / ")) for answer in found.answers] == [2, 2]
    assert [
        (judge.tokens > 0, judge.cells[0].value)
        for answer in found.answers
        for judge in answer.judges
    ] == [(True, "tie")] * 2
    one = try_judge.tried(
        scope, "study", "openai:stub,openai:stub-2", next(iter(said(scope))), options
    )
    read = [call.read and (call.read[0].word, call.read[0].note) for call in one.calls]
    assert read == [("A", ""), ("B", "The second answer stood first here: its A is B."), [], []]
    assert note_words({"turned": True}) == "", (
        "what a file wrote of a verdict says nothing of the order"
    )
    assert [row.word for row in one.together] == ["tie"]


def test_a_pair_whose_quote_is_in_neither_answer_is_asked_once_more_in_both_orders(
    tmp_path: Path, stub: StubProvider
) -> None:
    scope = study(tmp_path, questions=1)
    lost, there = (
        {**ALWAYS_FIRST, "better": {**ALWAYS_FIRST["better"], "evidence": words}}
        for words in ("Way Z of 0", "“way” ... OF 0.")
    )
    stub.configure(faults={}, say=json.dumps(lost), say_again=json.dumps(there))
    assert run(scope, stub) == "done"
    assert stub.stats()["requests"] == stub.stats()["paid_distinct"] == 3 + 2 * 3 + 2 * 3
    assert all(
        orders == ["A", "B"] and status == "ok" for _, _, orders, status in said(scope).values()
    )
    flags = "SELECT DISTINCT o.misquoted FROM opinion o JOIN author w ON w.id = o.author_id WHERE w.kind = 'judge'"
    assert [row[0] for row in scope.ws.db.execute(flags)] == [0]
    stub.configure(say=None, say_again=None)
