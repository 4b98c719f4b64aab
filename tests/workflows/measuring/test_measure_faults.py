"""Faults are found in every answer, whatever the rubric names, and each is a cell of its own."""

from __future__ import annotations

from pathlib import Path

from graders.store import projects
from graders.workflows.importing import stage as importing_stage
from graders.workflows.runs import runs
from graders.workflows.scope.permissions import Scope
from tests.store import small

ANSWERS = {
    "Ash": "Two and two make four, of course: 2 + 2 = 5.",
    "Oak": "As an AI language model, I am unable to help with that request.",
    "Fir": "Put a lid on the pan. The steam stays in, and therefore the",
    "Elm": "Put a lid on the pan. The water boils sooner because the steam stays in.",
}


def faults_of(ws: small.Workspace) -> set[tuple[str, str, str]]:
    rows = ws.db.execute(
        "SELECT a.model, c.part, c.suggestion FROM cell c JOIN criterion cr ON cr.id = c.criterion_id AND cr.key = 'faults/fault' "
        "JOIN subject s ON s.id = c.subject_id JOIN answer a ON a.id = s.answer_id"
    )
    return {tuple(row) for row in rows}


def bring(place: Path) -> Scope:
    lead = small.scope_of(small.workspace(place))
    table = place / "answers.csv"
    rows = "\n".join(
        f'q,Why does the water boil sooner?,{model},"{text}"' for model, text in ANSWERS.items()
    )
    table.write_text(f"question_id,question,model,answer\n{rows}\n", "utf-8")
    importing_stage.finish(lead, importing_stage.stage(lead, "study", table).import_id)
    return lead


def run(lead: Scope) -> None:
    runs.execute(lead.ws, runs.start(lead, "study", {}).run)


def test_a_fault_that_no_criterion_names_is_found_with_its_evidence(tmp_path: Path) -> None:
    lead = bring(tmp_path)
    run(lead)
    assert {
        ("Ash", "arithmetic_error", '"present"'),
        ("Oak", "refusal_talk", '"present"'),
        ("Fir", "cut_off", '"present"'),
    } <= faults_of(lead.ws)
    assert not [fault for fault in faults_of(lead.ws) if fault[0] == "Elm"], (
        "a clean answer has none"
    )
    assert faults_of(lead.ws) == (run(lead), faults_of(lead.ws))[1], "a second run finds the same"


def test_a_lead_may_switch_them_off(tmp_path: Path) -> None:
    lead = bring(tmp_path)
    projects.set_settings(lead.ws, lead.project("study"), {"fault_rules": False})
    run(lead)
    assert "cut_off" not in {fault for _, fault, _ in faults_of(lead.ws)}, "no criterion names it"
