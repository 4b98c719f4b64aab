"""What a screen sends to the browser. A blind screen is built from questions and answers alone:
nothing that comes from a judge, metric, rule, fault or colleague is even read."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from graders.core.hashing import seeded
from graders.core.records import Answer, Question
from graders.store.answers import content, controls, metric_values
from graders.store.answers.content import StoredSubject
from graders.store.desk import gold, repeats, saves
from graders.store.desk.annotators import MySaves
from graders.store.desk.assignments import Assignment
from graders.store.desk.seeded import CONTROL
from graders.store.figures import reading
from graders.store.opinions import lessons, verdicts
from graders.store.opinions.cells import Cell
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows.cells import told as cells_told
from graders.workflows.cells.faults import worst_first
from graders.workflows.cells.quotes import quotable
from graders.workflows.cells.state import FAULTS
from graders.workflows.learning.learn import chance_of
from graders.workflows.review import _open_cells
from graders.workflows.review._control_screens import criteria_of, subjects_of

#: How a cell that nobody can know anything about is shown.
CLOSED = {"value": None, "source": "closed"}
#: Designs that nothing tells from ordinary screens.
UNSEEN = (repeats.REPEAT, gold.GOLD, CONTROL)


def build(ws: Workspace, project: Project, given: Assignment) -> tuple[dict[str, Any], bool]:
    """The screen of an assignment, and whether it shows anything that comes from machines."""
    db = ws.db
    subjects = subjects_of(ws, project, given)
    criteria = criteria_of(ws, project, given)
    cells = _open_cells.cells_of(db, given, criteria)
    blind = given.arm == "blind"
    mine = _mine(db, given, cells)
    if blind:
        cells = _open_cells.asked_blind(project, subjects, cells, criteria, mine)
    parts = (
        {s.id: _Shown() for s in subjects}
        if blind
        else _shown(db, project, subjects, cells, criteria, mine)
    )
    ordered = sorted(
        _open_cells.alike(subjects),
        key=lambda group: seeded(given.order_seed, "order", group[0].id),
    )
    names = sorted(reading.models(db, project), key=len, reverse=True)
    authors = controls.authors_of(db, subjects[0].question_id)
    # Beside an author's own text no name is shown: the one without a model's would be the author's.
    show = bool(project.settings.get("show_models")) and not authors
    answers = [
        _answer(group, cells, criteria, parts, mine, blind, show, names, authors)
        for group in ordered
    ]
    question = subjects[0].subject.question
    saved = (
        {"save_id": given.save_id, "comment": given.comment, "flagged": given.flagged}
        if given.save_id
        else None
    )
    screen = {
        "id": given.screen_id,
        "design": "ordinary" if given.design in UNSEEN else given.design,
        "arm": given.arm,
        "question": question_json(question),
        "answers": answers,
        "saved": saved,
    }
    if given.design == gold.PRACTICE:
        number, of = gold.practice_place(db, project, given.person_id, given.screen_id)
        screen["practice"] = {"number": number, "of": of}
    return screen, not blind


class _Shown:
    """What machines say about one answer, ready to be sent; empty for blind screens."""

    def __init__(self) -> None:
        self.verdicts: dict[int, list[dict[str, Any]]] = {}
        self.metrics: dict[str, dict[str, Any]] = {}
        self.faults: list[dict[str, Any]] = []
        self.chips: list[dict[str, str]] = []
        self.chances: dict[int, dict[str, float]] = {}


def question_json(question: Question) -> dict[str, Any]:
    """A question as pages show it."""
    return {
        "id": question.id,
        "text": question.text,
        "category": question.category,
        "task_type": question.task_type,
        "language": question.language,
        "references": list(question.references),
        "facts": list(question.facts),
        "must_have": list(question.must_have),
        "context": list(question.context),
    }


def _answer(
    group: Sequence[StoredSubject],
    cells: Mapping[int, Sequence[Cell]],
    criteria: Mapping[int, CriterionRow],
    parts: Mapping[int, _Shown],
    mine: Mapping[int, dict[str, Any]],
    blind: bool,
    show: bool,
    names: Sequence[str],
    authors: Sequence[str],
) -> dict[str, Any]:
    first = group[0]
    answer, other = first.subject.answer, first.subject.other
    shown = parts[first.id]
    sent = {
        "id": first.id,
        "model": cells_told.whose(first.subject) if show else None,
        "text": cells_told.masked(answer.text, show, names, authors),
        # Of a pair both: what is asked is which of them is better.
        "other": None if other is None else cells_told.masked(other.text, show, names, authors),
        "length": len(answer.text) + (len(other.text) if other else 0),
        "chips": shown.chips,
        "faults": shown.faults,
        "cells": [
            _cell(cell, criteria[cell.criterion_id], answer, shown, mine, blind)
            for cell in _ordered(cells.get(first.id, []), criteria, first.subject.question)
        ],
        "twins": [
            {
                "id": twin.id,
                "model": cells_told.whose(twin.subject) if show else None,
                "faults": parts[twin.id].faults,
                "cells": [
                    _cell(
                        c,
                        criteria[c.criterion_id],
                        twin.subject.answer,
                        parts[twin.id],
                        mine,
                        blind,
                    )
                    for c in _ordered(cells.get(twin.id, []), criteria, twin.subject.question)
                ],
            }
            for twin in group[1:]
        ],
    }
    return sent


def _ordered(
    cells: Sequence[Cell], criteria: Mapping[int, CriterionRow], question: Question
) -> list[Cell]:
    """Cells in the order of the rubric, entries of a list in the order of the list; faults are
    shown apart."""
    place = {c: i for i, c in enumerate(criteria)}
    return sorted(
        (c for c in cells if criteria[c.criterion_id].criterion.rubric != FAULTS.name),
        key=lambda c: (
            place[c.criterion_id],
            criteria[c.criterion_id].criterion.place_of(c.part, question),
            c.id,
        ),
    )


def _cell(
    cell: Cell,
    criterion: CriterionRow,
    answer: Answer,
    shown: _Shown,
    mine: Mapping[int, dict[str, Any]],
    blind: bool,
) -> dict[str, Any]:
    unmeasured = cell.id not in mine and _open_cells.unmeasured(answer, criterion)
    bare = {
        "id": cell.id,
        "criterion": criterion.key,
        "part": cell.part,
        "open": True,
        "route": None,
        "route_reason": "",
        "suggestion": None,
        "judges": [],
        "rules": [],
        "metrics": [],
        "mine": mine.get(cell.id),
        "final": None,
    }
    if blind:
        return (
            {**bare, "open": False, "route_reason": "not measured", "final": CLOSED}
            if unmeasured
            else bare
        )
    said = shown.verdicts.get(cell.id, [])
    state = cell.state
    suggestion = (
        None
        if state.suggestion is None
        else {
            "value": state.suggestion,
            "confidence": state.confidence,
            "reason": state.suggestion_reason,
            "chance": chance_of(shown.chances.get(cell.id), state.suggestion, criterion.scale),
        }
    )
    used = {ref.name for ref in criterion.criterion.graders}
    metrics = [
        value for name, value in shown.metrics.items() if name in used or name.split("_")[0] in used
    ]
    return {
        **bare,
        "open": state.route != "automatic" and not unmeasured,
        "route": state.route or None,
        "route_reason": state.route_reason,
        "suggestion": suggestion,
        "judges": [v for v in said if v["kind"] == "judge"],
        "rules": [v for v in said if v["kind"] == "rule"],
        "metrics": metrics,
        "final": CLOSED
        if unmeasured or (state.final_source == "closed" and state.route == "automatic")
        else {"value": state.final, "source": state.final_source}
        if state.final_source == "automatic"
        else None,
    }


def _mine(
    db: sqlite3.Connection, given: Assignment, cells: Mapping[int, Sequence[Cell]]
) -> dict[int, dict[str, Any]]:
    """The person's own present marks, by cell; on a second look those of this look alone."""
    found = {}
    if given.design == gold.PRACTICE:
        kept = saves.known_save(db, given.save_id) if given.save_id else None
        marks = kept["body"].get("verdicts") or [] if kept else []
        return {
            int(v["cell"]): {
                "value": v.get("value"),
                "status": v.get("status") or "ok",
                "reason": v.get("reason") or "",
            }
            for v in marks
        }
    if given.design == repeats.REPEAT:
        said = repeats.said_on(db, given.screen_id, given.person_id)
        return {
            cell: {**one, "reason": "" if one["status"] == "ok" else "not_applicable"}
            for cell, one in said.items()
        }
    for cell_id, opinions in verdicts.opinions_of(
        db, [c.id for group in cells.values() for c in group]
    ).items():
        for opinion in opinions:
            if opinion.author_kind == "person" and opinion.author == given.person_id:
                found[cell_id] = {
                    "value": opinion.value,
                    "status": opinion.status,
                    "reason": "" if opinion.status == "ok" else "not_applicable",
                }
    return found


def _shown(
    db: sqlite3.Connection,
    project: Project,
    subjects: Sequence[StoredSubject],
    cells: Mapping[int, Sequence[Cell]],
    criteria: Mapping[int, CriterionRow],
    mine: Mapping[int, dict[str, Any]],
) -> dict[int, _Shown]:
    """What machines say about the answers of an assisted screen."""
    ids = [s.id for s in subjects]
    said = verdicts.verdicts_of(db, [c.id for group in cells.values() for c in group])
    values = metric_values.metrics_of(db, ids)
    peers = reading.peer_values(db, subjects[0].question_id)
    chances = lessons.chances_of(db, said)
    found = {}
    for subject in subjects:
        shown = _Shown()
        shown.chances = chances
        creative = subject.subject.question.task_type == "creative"
        shown.chips = cells_told.chips(subject.subject.answer, criteria.values())
        for cell in cells.get(subject.id, []):
            texts = quotable(
                subject.subject, claims=criteria[cell.criterion_id].criterion.elements == "claims"
            )
            machines = [
                cells_told.machine(v, texts)
                for v in said.get(cell.id, [])
                if v.author_kind != "person"
                and v.criterion_hash == criteria[cell.criterion_id].hash
            ]
            if criteria[cell.criterion_id].criterion.rubric == FAULTS.name:
                shown.faults += [
                    {**one, "mine": mine.get(cell.id)}
                    for one in cells_told.fault(cell, machines, said.get(cell.id, []))
                ]
            else:
                shown.verdicts[cell.id] = machines
        shown.faults.sort(key=lambda one: worst_first(one["name"]))
        if not creative:
            shown.metrics = {
                v.metric: cells_told.metric(v, peers.get(v.metric, []), subject.subject)
                for v in values.get(subject.id, [])
            }
        found[subject.id] = shown
    return found


def subject_names(db: sqlite3.Connection, subject_ids: Sequence[int]) -> dict[int, str]:
    """Model names by subject row."""
    return {s.id: s.subject.answer.model for s in content.subjects(db, subject_ids)}


def put_back(screen: dict[str, Any], body: Mapping[str, Any]) -> None:
    """Lay the marks of a save that was taken back on its screen again, so that the person goes on
    from there."""
    marks = {int(v["cell"]): v for v in body.get("verdicts") or []}
    for answer in screen["answers"]:
        for cell in [*answer["cells"], *(c for twin in answer["twins"] for c in twin["cells"])]:
            if cell["id"] in marks:
                given = marks[cell["id"]]
                cell["mine"] = {
                    "value": given.get("value"),
                    "status": given.get("status") or "ok",
                    "reason": given.get("reason") or "",
                }
    screen["saved"] = {
        "save_id": "",
        "comment": body.get("comment") or "",
        "flagged": bool(body.get("flagged")),
    }


def pace(saves: MySaves, cells: int) -> dict[str, Any]:
    """Today's figures of a person."""
    minutes = saves.seconds / 60
    return {
        "screens": saves.screens,
        "cells": cells,
        "minutes": round(minutes, 1),
        "cells_per_hour": round(cells / minutes * 60) if minutes >= 1 else None,
    }


def my_row(
    row: Mapping[str, Any], criteria: Mapping[int, CriterionRow], why: str = ""
) -> dict[str, Any]:
    """One of a person's verdicts for the list of his or her work; `why` is the reason of an
    adjudicated verdict on its cell."""
    criterion = criteria[row["criterion_id"]]
    value = None if row["value"] is None else json.loads(row["value"])
    final = None if row["final"] is None else json.loads(row["final"])
    settled = (
        {"value": final, "why": why or row["final_reason"]}
        if row["final_source"] == "adjudicated" and final != value
        else None
    )
    return {
        "screen": row["screen_id"],
        "question_id": row["key"],
        "question": row["question"],
        "answer": row["answer"][:160],
        "criterion": criterion.criterion.title,
        "value": value,
        "word": "not applicable" if value is None else criterion.scale.word(value),
        "at": row["created_at"],
        "adjudicated": settled,
    }
