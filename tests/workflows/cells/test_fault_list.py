"""Faults that only reading finds: one call per answer for all of them, their evidence checked,
confirmed and rejected by people."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from graders.core.faults import FaultList
from graders.judges.faults import FaultJudge
from graders.workflows.calling import asked_criteria, judge_setup, judging, run_options
from graders.workflows.cells import fault_list
from graders.workflows.cells.fault_list import (
    asked_faults,
    judged_faults,
    named_faults,
    ruled_faults,
)
from graders.workflows.cells.state import FAULTS
from graders.workflows.report import export
from graders.workflows.results import answer as results_answer
from graders.workflows.results import grid as results_grid
from graders.workflows.review import desk, grading
from graders.workflows.runs import runs
from graders.workflows.runs.run_plan import RunPlan
from graders.workflows.scope.permissions import Scope
from tests.store import small
from tests.support.plain import plain
from tests.support.stub import StubProvider

pytestmark = pytest.mark.usefixtures("key")

NAMES = asked_faults()
TEXTS = {
    "Ash": "With 36 and 1066 inhabitants the two villages are of similar size.",
    "Oak": "The first has 36 inhabitants, the second 1066.",
}
RUBRIC = "rubric: plain\ncriteria:\n  tone: {question: Is it kind?, scale: {from: 1, to: 3}}\n"


def study(place: Path) -> Scope:
    """One question with two answers, and a rubric that asks judges nothing."""
    scope = small.scope_of(small.workspace(place))
    question = {"id": "q", "text": "Compare the two villages.", "must_have": ["their names"]}
    answers = [{"question_id": "q", "model": model, "text": text} for model, text in TEXTS.items()]
    small.bring(
        scope, small.folder(place, "files", questions=[question], answers=answers), rubric=RUBRIC
    )
    small.sample(scope.ws, calibration=0.0, audit=0.0, blind=0.0)
    return scope


def reply(**found: str) -> str:
    """What a judge writes that finds these faults, each with its quote."""
    said = {
        name: {
            "evidence": found.get(name, ""),
            "rationale": "So it says." * (name in found),
            "value": ["absent", "present"][name in found],
            "confidence": 0.9,
        }
        for name in NAMES
    }
    return json.dumps({"fault": said})


def run(scope: Scope, stub: StubProvider, **options: Any) -> RunPlan:
    found = runs.start(
        scope,
        "study",
        {"judges": ["openai:stub"], "base_url": stub.base_url, "faults": True, **options},
    )
    assert runs.execute(scope.ws, found.run) == "done"
    return found.plan


def states(scope: Scope) -> dict[tuple[str, str], tuple[Any, Any, str]]:
    """(model, fault) -> suggestion, final value, who decided."""
    rows = scope.ws.db.execute(
        "SELECT a.model, c.part, c.suggestion, c.final, c.final_source FROM cell c JOIN criterion k ON k.id = c.criterion_id AND k.key = 'faults/fault' "
        "JOIN subject s ON s.id = c.subject_id JOIN answer a ON a.id = s.answer_id"
    )
    return {
        (r[0], r[1]): (r[2] and json.loads(r[2]), r[3] and json.loads(r[3]), r[4])
        for r in rows
        if r[1] in NAMES
    }


def test_all_faults_of_an_answer_are_one_call(tmp_path: Path, stub: StubProvider) -> None:
    scope = study(tmp_path)
    stub.configure(say=reply(false_number_claim="of similar size"), faults={})
    plan = runs.plan(scope, "study", {"judges": ["openai:stub"], "base_url": stub.base_url})
    assert plan.faults == [] and [judge.calls for judge in plan.judges] == [0], (
        "only where they are wanted"
    )
    plan = run(scope, stub)
    assert plan.faults == NAMES and [judge.calls for judge in plan.judges] == [2]
    assert stub.stats()["requests"] == 2 + 1, (
        "one answer has not the words that were quoted from it: that is asked once more"
    )
    asked = json.loads(stub.stats()["last_body"])["messages"]
    for fault in (*judged_faults(), *ruled_faults()):
        assert all(
            part in asked[0]["content"]
            for part in (
                fault.name,
                fault.about,
                fault.why,
                fault.misses,
                fault.present[0].answer,
                fault.absent[0].why,
            )
        )
    assert "their names" in asked[1]["content"], "required elements are main points"
    found = states(scope)
    assert len(found) == 2 * len(NAMES)
    assert found["Ash", "false_number_claim"] == ("present", None, "pending"), (
        "people confirm or reject it"
    )
    assert found["Ash", "faulty_grammar"] == ("absent", "absent", "automatic"), (
        "nothing is left to confirm"
    )
    tally = {row.model: row.faults for row in results_grid.grid(scope, "study").models}
    assert plain(tally) == {"Ash": {"found": 0, "open": 1}, "Oak": {"found": 0, "open": 1}}
    run(scope, stub)
    assert stub.stats()["requests"] == 2 + 1, "what is known is asked no more"


def test_evidence_is_looked_for_in_the_answer(tmp_path: Path, stub: StubProvider) -> None:
    scope = study(tmp_path)
    stub.configure(
        say=reply(
            false_number_claim="of similar size",
            no_advice="absent",
            faulty_grammar="These words nobody wrote",
        ),
        faults={},
    )
    run(scope, stub)
    shown = {f.name: f for f in results_answer.answer(scope, "study", "q", "Ash").faults}
    assert plain({name: fault.evidence for name, fault in shown.items()}) == {
        "false_number_claim": [{"quote": "of similar size", "absent": False, "found": True}],
        "no_advice": [{"quote": "", "absent": True, "found": None}],
        "faulty_grammar": [{"quote": "These words nobody wrote", "absent": False, "found": False}],
    }
    assert list(shown) == ["false_number_claim", "no_advice", "faulty_grammar"], (
        "the worst first, wherever the cells came from"
    )
    claim = shown["false_number_claim"]
    assert (claim.title, claim.severity, claim.by) == (
        "False claim about numbers",
        "critical",
        ["openai:stub"],
    )
    assert claim.why.startswith("Who reads the sentence")


def test_a_reply_that_cannot_be_used_leaves_no_open_fault(
    tmp_path: Path, stub: StubProvider
) -> None:
    scope = study(tmp_path)
    stub.configure(say="Looks fine to me!", faults={})
    run(scope, stub)
    assert states(scope) == {}
    assert runs.status(scope, "study").progress["without_verdict"] == 2 * len(NAMES), (
        "but the run says so"
    )
    stub.configure(say=reply(), faults={})
    run(scope, stub)
    assert set(states(scope).values()) == {("absent", "absent", "automatic")}


def test_people_confirm_reject_and_add_at_the_desk(tmp_path: Path, stub: StubProvider) -> None:
    scope = study(tmp_path)
    stub.configure(
        say=reply(false_number_claim="inhabitants", incomplete_main_points="absent"), faults={}
    )
    run(scope, stub)
    person = small.scope_of(scope.ws, "mira")
    told = {fault.name: fault for fault in desk.open_desk(person, "study").fault_names}
    assert (
        set(NAMES) < set(told)
        and told["not_the_style"].by == "judge"
        and told["romanised"].by == "rule"
    )
    (screen,) = grading.next_screens(person, "study", 1)
    assert screen.arm == "assisted"
    answer = next(a for a in screen.answers if "similar" in a.text)
    listed = {fault.name: fault for fault in answer.faults}
    assert set(listed) == {"false_number_claim", "incomplete_main_points"}, (
        "what is absent is no entry of the list"
    )
    assert (
        listed["false_number_claim"].evidence[0].quote == "inhabitants"
        and listed["false_number_claim"].severity == "critical"
    )
    given = [
        {
            "answer": answer.id,
            "name": "false_number_claim",
            "value": "present",
            "quote": "of similar size",
        },
        {"answer": answer.id, "name": "incomplete_main_points", "value": "absent"},
        {"answer": answer.id, "name": "buried_answer", "value": "present", "quote": "36"},
    ]
    small.save(person, screen, "save-0001", {"tone": 2}, faults=given)
    found = states(scope)
    assert found["Ash", "false_number_claim"] == ("present", "present", "people")
    assert found["Ash", "incomplete_main_points"] == ("present", "absent", "people")
    assert found["Ash", "buried_answer"] == ("absent", "present", "people"), (
        "a person's word stands against the judge's"
    )
    tally = {row.model: row.faults for row in results_grid.grid(scope, "study").models}
    assert plain(tally["Ash"]) == {
        "found": 2,
        "open": 0,
    }


def test_a_blind_screen_brings_none(tmp_path: Path, stub: StubProvider) -> None:
    scope = study(tmp_path)
    small.sample(scope.ws, blind=1.0)
    stub.configure(say=reply(false_number_claim="inhabitants"), faults={})
    run(scope, stub)
    (screen,) = grading.next_screens(small.scope_of(scope.ws, "mira"), "study", 1)
    assert screen.arm == "blind" and all(answer.faults == [] for answer in screen.answers)


def test_the_list_keeps_the_wording_of_the_criterion() -> None:
    """A fault added to the house must not make people's verdicts on other faults stale."""
    (criterion,) = FAULTS.criteria
    assert (
        FaultList.of(criterion, NAMES).criterion_hash
        == FaultList.of(criterion, NAMES[:2], NAMES[2:]).criterion_hash
        == criterion.criterion_hash
    )
    assert FaultJudge(model="m", faults=judged_faults()).recipe_hash(FAULTS) != FaultJudge(
        model="m", faults=judged_faults()[1:]
    ).recipe_hash(FAULTS)
    assert set(NAMES) <= set(named_faults())


#: What is sure to be seen: seconds and a number of characters are not.
UNSEEN = {"slow_first_token", "too_long"}


def test_a_judge_is_asked_about_all_faults_that_a_reader_can_see() -> None:
    assert set(NAMES) == set(named_faults()) - UNSEEN
    assert len(NAMES) == len(set(NAMES))


def before(monkeypatch: pytest.MonkeyPatch) -> None:
    """As it was when a judge was asked about its own faults alone."""
    for module in (fault_list, judge_setup):
        monkeypatch.setattr(module, "ruled_faults", lambda: ())


def test_what_was_asked_before_is_not_bought_again_and_the_plan_says_what_is(
    tmp_path: Path, stub: StubProvider
) -> None:
    scope = study(tmp_path)
    stub.configure(say=reply(), faults={})
    own = [fault.name for fault in judged_faults()]
    with pytest.MonkeyPatch.context() as patched:
        before(patched)
        run(scope, stub)
    assert stub.stats()["requests"] == 2
    earlier = states(scope)
    assert {name for _, name in earlier} == set(own)
    options = {"judges": ["openai:stub"], "base_url": stub.base_url, "faults": True}
    (judge,) = runs.plan(scope, "study", options).judges
    assert (judge.calls, judge.known) == (2, 0)
    further = len(NAMES) - len(own)
    assert [note for note in judge.notes if "named faults" in note] == [
        f"2 answers were asked about the other named faults before. Only {further} of {len(NAMES)} are asked."
    ]
    run(scope, stub)
    assert stub.stats()["requests"] == 4
    asked = json.loads(stub.stats()["last_body"])["messages"][0]["content"]
    assert "arithmetic_error:" in asked and "false_number_claim:" not in asked
    assert states(scope) == {
        (model, name): ("absent", "absent", "automatic") for model in TEXTS for name in NAMES
    }
    chosen = run_options.Options.of(options)
    project = scope.project("study")
    (setup,) = chosen.setups(
        scope.ws, criteria=asked_criteria.judged_criteria(scope.ws, project, True)
    )
    afresh = judging.tasks(scope.ws, project, setup, afresh=True, faults=True)
    bill = judging.bill(scope.ws, setup, [task.request for task in afresh])
    assert (bill.calls, bill.known) == (4, 4), "the replies that are there serve"


FALSE_SUM = {"Ash": "Two and two: 2 + 2 = 5.", "Oak": "Two and two: 2 + 2 = 4."}


def test_where_rule_and_judge_differ_is_said_everywhere(
    tmp_path: Path, stub: StubProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(globals(), "TEXTS", FALSE_SUM)
    scope = study(tmp_path)
    stub.configure(say=reply(cut_off="Two and two"), faults={})
    run(scope, stub)
    (ash, oak) = (
        results_answer.answer(scope, "study", "q", model).faults for model in ("Ash", "Oak")
    )
    assert {f.name: f.differs for f in ash} == {
        "arithmetic_error": "Rule and judge differ: the judge did not find it.",
        "cut_off": "Rule and judge differ: no rule found it.",
    }
    assert [f.name for f in oak] == ["cut_off"]
    (screen,) = grading.next_screens(small.scope_of(scope.ws, "mira"), "study", 1)
    shown = {f.name: f.differs for a in screen.answers if "= 5" in a.text for f in a.faults}
    assert shown == {f.name: f.differs for f in ash}
    target = tmp_path / "results.csv"
    export.export(scope, "study", "csv", target)
    rows = csv.DictReader(target.read_text("utf-8-sig").splitlines())
    differing = {
        (row["model"], row["part"])
        for row in rows
        if row["route_reason"] == "rule and judge differ"
    }
    assert differing == {("Ash", "arithmetic_error"), ("Ash", "cut_off"), ("Oak", "cut_off")}
