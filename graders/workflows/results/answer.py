"""One answer with all that is known of it: for the drawer of Results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graders.core.money import dollars
from graders.core.quotes import misquotes
from graders.core.records import Answer, Evidence, MetricValue, Subject
from graders.core.scale import Scale
from graders.store import projects
from graders.store.answers import metric_values
from graders.store.answers.content import StoredSubject
from graders.store.figures import reports
from graders.store.opinions import cells as cell_store
from graders.store.opinions import lessons, verdicts
from graders.store.opinions.cells import Cell
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows.cells.faults import fault_title, named_faults, worst_first
from graders.workflows.cells.quotes import quotable
from graders.workflows.cells.state import ADJUDICATED, FAULTS
from graders.workflows.cells.told import sought
from graders.workflows.learning.learn import chance_of
from graders.workflows.opinions.participants import labels_of
from graders.workflows.scope.missing_reasons import MISQUOTES, note_words, reason_words
from graders.workflows.scope.phrases import several

DESIGNS = {
    "calibration": "drawn for calibration",
    "audit": "drawn for audit",
    "blind_arm": "blind arm",
    "ordinary": "ordinary screen",
    "adaptive": "reviewed in adaptive order",
    "placed": "placed where labels decide",
    "repeat": "second look of the same person",
    "gold": "gold question",
    "control": "copy with a seeded fault",
    "practice": "practice",
    "imported": "imported",
    "adjudication": "adjudication",
    "asked": "another opinion was asked for",
}


def build(ws: Workspace, project: Project, subject: StoredSubject) -> dict[str, Any]:
    """The answer as plain data. `shows_marks` says whether it holds anything that a machine or a
    colleague thinks."""
    db = ws.db
    criteria = {c.id: c for c in projects.criteria(ws, project)}
    place = {row_id: at for at, row_id in enumerate(criteria)}
    cells = sorted(
        (c for c in cell_store.cells_of(db, [subject.id]) if c.criterion_id in criteria),
        key=lambda c: (
            place[c.criterion_id],
            criteria[c.criterion_id].criterion.place_of(c.part, subject.subject.question),
            c.id,
        ),
    )
    people = labels_of(list(projects.people(ws).values()))
    documents = {
        cell.id for cell in cells if criteria[cell.criterion_id].criterion.elements == "claims"
    }
    texts = {claims: quotable(subject.subject, claims=claims) for claims in (False, True)}
    said = {
        cell: [
            v
            if v["author_kind"] == "person"
            else {**v, "mark": sought(v["mark"], texts[cell in documents])}
            for v in found
        ]
        for cell, found in verdicts.verdicts_of(
            db, [cell.id for cell in cells], latest=False
        ).items()
    }
    latest = {
        v["id"]
        for found in verdicts.verdicts_of(db, [cell.id for cell in cells]).values()
        for v in found
    }
    comments = reports.comments(db, subject.id)
    shown = [c for c in cells if criteria[c.criterion_id].criterion.rubric != FAULTS.name]
    faults = [
        c
        for c in cells
        if criteria[c.criterion_id].criterion.rubric == FAULTS.name
        and any(v["mark"].value == "present" for v in said.get(c.id, []))
    ]
    faults.sort(key=lambda cell: worst_first(cell.part))
    history = [_drawn(row) for row in reports.draws(db, subject.id)]
    question, answer = subject.subject.question, subject.subject.answer
    metrics = metric_values.metrics_of(db, [subject.id]).get(subject.id, [])
    chances = lessons.chances_of(db, [cell.id for cell in shown])
    made = [
        {
            **_cell(
                cell,
                criteria[cell.criterion_id],
                place,
                said.get(cell.id, []),
                latest,
                people,
                comments,
                history,
            ),
            "chance": chance_of(
                chances.get(cell.id), cell.state.suggestion, criteria[cell.criterion_id].scale
            ),
        }
        for cell in shown
    ]
    return {
        "question": {
            "id": question.id,
            "text": question.text,
            "category": question.category,
            "task_type": question.task_type,
            "language": question.language,
            "references": list(question.references),
        },
        "model": answer.model,
        "version": answer.version,
        "text": answer.text,
        "cells": made,
        "faults": [
            _fault(cell, criteria[cell.criterion_id], said.get(cell.id, []), latest, people)
            for cell in faults
        ],
        "metrics": [_metric(value, subject.subject) for value in metrics],
        "facts": facts(answer),
        "shows_marks": any(v["id"] in latest for found in said.values() for v in found)
        or bool(metrics),
    }


def metric_of(names: Sequence[str], values: Sequence[MetricValue]) -> MetricValue | None:
    """The first of a criterion's metrics (`outputs_of` it) that an answer has a value of, or a
    reason why it has none."""
    by_name = {value.metric: value for value in values}
    return next((by_name[name] for name in names if name in by_name), None)


def why(source: str, final_reason: str, route_reason: str) -> str:
    """Why a cell stands as it does: who decided it, or what it waits for."""
    return final_reason or route_reason if source == "pending" else final_reason


def facts(answer: Answer) -> list[dict[str, str]]:
    """What was measured when the answer was made; what nobody measured is called unknown."""
    price = "unknown" if answer.cost is None else dollars(answer.cost, each=True)
    rows = [
        ("characters", f"{len(answer.text):,}"),
        ("first token", _seconds(answer.time_to_first_token)),
        ("in all", _seconds(answer.total_seconds)),
        ("tokens in", _number(answer.input_tokens)),
        ("tokens out", _number(answer.output_tokens)),
        ("price", price),
    ]
    if answer.finish_reason:
        rows.append(("ended with", answer.finish_reason))
    return [{"name": name, "value": value} for name, value in rows]


def _cell(
    cell: Cell,
    criterion: CriterionRow,
    place: Mapping[int, int],
    said: Sequence[Mapping[str, Any]],
    latest: set[str],
    people: Mapping[str, str],
    comments: Mapping[str, str],
    draws: Sequence[Mapping[str, str]],
) -> dict[str, Any]:
    state, scale = cell.state, criterion.scale
    return {
        "cell": cell.id,
        "criterion": criterion.key,
        "title": criterion.criterion.title,
        "hue": place[cell.criterion_id] % 5,
        "part": cell.part,
        "value": state.final,
        "word": "" if state.final is None else scale.word(state.final),
        "source": state.final_source,
        "reason": why(state.final_source, state.final_reason, state.route_reason),
        "route": state.route,
        "route_reason": state.route_reason,
        "suggestion": state.suggestion,
        "suggestion_word": "" if state.suggestion is None else scale.word(state.suggestion),
        "suggestion_reason": state.suggestion_reason,
        "verdicts": [_verdict(v, criterion, people, comments) for v in said if v["id"] in latest],
        "history": [*draws, *(_event(v, criterion, people) for v in said)],
    }


def _verdict(
    found: Mapping[str, Any],
    criterion: CriterionRow,
    people: Mapping[str, str],
    comments: Mapping[str, str],
) -> dict[str, Any]:
    mark, origin = found["mark"], found["provenance"] or {}
    person = found["author_kind"] == "person"
    astray = MISQUOTES if found["author_kind"] == "judge" and misquotes(mark) else ""
    return {
        "kind": found["author_kind"],
        "author": _name(found, people),
        "value": mark.value,
        "word": "" if mark.value is None else criterion.scale.word(mark.value),
        "status": mark.status,
        "reason": mark.reason,
        "why": reason_words(mark.reason, mark.rationale),
        "confidence": mark.confidence,
        "rationale": mark.rationale,
        "note": "" if person else " ".join(filter(None, (astray, note_words(found["metadata"])))),
        "evidence": [_quote(e) for e in mark.evidence],
        "arm": origin.get("arm", "") if person else "",
        "design": DESIGNS.get(origin.get("design", ""), "") if person else "",
        "action": origin.get("action", "") if person else "",
        "seconds": origin.get("seconds") if person else None,
        "comment": (origin.get("comment") or comments.get(found["author"], "")) if person else "",
        "stale": found["criterion_hash"] != criterion.hash,
        "at": found["at"],
    }


def _quote(item: Evidence) -> dict[str, Any]:
    return {"quote": item.quote, "absent": item.absent, "found": item.found}


def _event(
    found: Mapping[str, Any], criterion: CriterionRow, people: Mapping[str, str]
) -> dict[str, str]:
    """One row of a cell's history: who said what when, and how."""
    mark, origin = found["mark"], found["provenance"] or {}
    value = _said(criterion.scale, mark.value, reason_words(mark.reason, mark.rationale))
    if found["kind"] == "retracts":
        value = "took a verdict back"
    parts = [value]
    if found["author_kind"] == "person" and found["kind"] != "retracts":
        parts += [str(origin.get("arm") or "")]
        parts += [f"{origin['seconds']:.0f} s"] if origin.get("seconds") else []
    if found["kind"] == "amends":
        parts.append("amended")
    if found["criterion_hash"] != criterion.hash:
        parts.append("under an earlier wording of the criterion")
    return {
        "at": found["at"],
        "text": f"{_name(found, people)}: " + ", ".join(part for part in parts if part),
    }


def _drawn(row: Mapping[str, Any]) -> dict[str, str]:
    chance = f", chance {row['probability']:.0%}" if row["probability"] < 1 else ""
    return {
        "at": row["at"],
        "text": (
            f"{DESIGNS.get(row['design'], row['design'])}{chance}, {row['done']} of "
            f"{several(row['needed'], 'person')} done"
        ),
    }


def _fault(
    cell: Cell,
    criterion: CriterionRow,
    said: Sequence[Mapping[str, Any]],
    latest: set[str],
    people: Mapping[str, str],
) -> dict[str, Any]:
    """A named fault: confirmed, rejected or waiting, with who says so and the passage."""
    present = [v for v in said if v["id"] in latest and v["mark"].value == "present"]
    states = {"present": "confirmed", "absent": "rejected"}
    known = named_faults().get(cell.part)
    return {
        "name": cell.part,
        "title": fault_title(cell.part),
        "severity": known.severity if known else "",
        "why": known.why if known else "",
        "state": states.get(str(cell.state.final), "waits for a person"),
        "by": [_name(v, people) for v in present],
        "rationale": next((v["mark"].rationale for v in present if v["mark"].rationale), ""),
        "evidence": [_quote(e) for v in present for e in v["mark"].evidence],
    }


def _metric(value: MetricValue, subject: Subject) -> dict[str, Any]:
    """`reference` is the place of the best reference, counted from 1, where there are several."""
    many = value.reference is not None and len(subject.question.references) > 1
    return {
        "name": value.metric,
        "value": value.value,
        "status": value.status,
        "reason": value.reason,
        "why": reason_words(value.reason, metric=value.metric, subject=subject),
        "reference": (value.reference or 0) + 1 if many else None,
        "version": value.version,
    }


def _name(found: Mapping[str, Any], people: Mapping[str, str]) -> str:
    if found["author_kind"] == "person":
        if found["author"] != ADJUDICATED:
            return people.get(found["author"], found["author"])
        by = str(found["metadata"].get("adjudicator") or "")
        return f"{ADJUDICATED} by {people.get(by, by)}" if by else ADJUDICATED
    return str(found["author"])


def _said(scale: Scale, value: Any, why_not: str) -> str:
    if value is None:
        return f"no value ({why_not.rstrip('.')})" if why_not else "no value"
    word = scale.word(value)
    return word if str(value) == word else f"{value} {word}"


def _seconds(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.1f} s"


def _number(value: int | None) -> str:
    return "unknown" if value is None else f"{value:,}"
