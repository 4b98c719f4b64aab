"""Electing references: on factual questions without one, the best answer by relevance and clarity is what others are held against.

Among the answers with the highest sum of the criteria named in ELECTORS, a single one is the reference. Of several it is the
medoid: the highest mean BERTScore F1 (embedding cosine where the language has no BERTScore) to the others of that group, ties
to the shorter. A cell that has no final value disqualifies its answer: nothing is guessed. A person can appoint another answer.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from graders.core import discovery
from graders.core.control import is_author
from graders.core.errors import InputError, NotFound
from graders.core.hashing import digest
from graders.core.records import MetricValue, Question
from graders.core.rubric import Criterion
from graders.store import cells as cell_store
from graders.store import content, elections, metric_values, projects
from graders.store.content import StoredSubject, chunks
from graders.store.elections import Election
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows.permissions import Scope, needs

#: The criteria whose sum elects.
ELECTORS = ("relevance", "clarity")
#: Metrics by which the medoid is found: the first that has a value for every pair.
LIKENESS = (("bertscore", "bertscore_f1"), ("embedding", "embedding_cosine"))
#: Characters of an answer over those of the shortest among the best.
LENGTH_RATIO = "length_ratio"
QUESTIONS_AT_ONCE = 50


def waits(criterion: Criterion, question: Question) -> bool:
    """Whether a criterion is graded against an elected reference: a factual question that brings none of its own."""
    return question.task_type == "factual" and not question.references and criterion.reference_for("factual") == "elected"


def elected_references(subject: StoredSubject, election: Election | None) -> tuple[str, ...]:
    """The elected text for an answer; nothing for the elected answer itself, which is not compared with itself."""
    if election is None or election.subject_id in (None, subject.id):
        return ()
    return (election.text,)


def elect(ws: Workspace, project: Project, encoder: Any) -> int:
    """Elect where a criterion waits for it and numbers changed; returns how many questions have another reference than before."""
    criteria = projects.criteria(ws, project)
    waiting = [row for row in criteria if row.criterion.reference_for("factual") == "elected"]
    electors = [row for row in criteria if row.criterion.name in ELECTORS and row.scale.is_ordered]
    if not waiting or not electors:
        return 0
    before = elections.elections(ws.db, project)
    changed = 0
    asked = content.questions(ws.db, project)
    for ids in chunks([i for i, q in asked.items() if any(waits(row.criterion, q) for row in waiting)], QUESTIONS_AT_ONCE):
        by_question: dict[int, list[StoredSubject]] = {}
        for subject in content.subjects(ws.db, content.subjects_of(ws.db, ids)):
            if subject.subject.other is None and not is_author(subject.subject.answer.model):
                by_question.setdefault(subject.question_id, []).append(subject)
        rows: list[tuple[int, int | None, dict[str, Any]]] = []
        ratios: list[tuple[int, MetricValue, str]] = []
        for question, group in by_question.items():
            winner, numbers = _elect(ws, group, electors, encoder)
            old = before.get(question)
            ratios += _ratios(group, numbers)
            if old is None or (not old.by and (old.subject_id, old.numbers) != (winner, numbers)):
                rows.append((question, winner, numbers))
                changed += old is None or old.subject_id != winner
        ws.background(rows, lambda db, batch: _put(db, ws, project, batch))
        ws.background(ratios, lambda db, batch: metric_values.put_metrics(db, project, batch))
    return changed


@needs("settings")
def appoint(scope: Scope, project_name: str, question_key: str, model: str) -> dict[str, Any]:
    """Make a model's current answer the reference of a question; an empty `model` gives it back to the numbers."""
    ws, project = scope.ws, scope.project(project_name)
    question = content.question_ids(ws.db, project, [question_key]).get(question_key)
    if question is None:
        raise NotFound(f"question {question_key!r}", found="no such question", expected="the id of a question of this project")
    there = content.subjects(ws.db, content.subjects_of(ws.db, [question]))
    group = [s for s in there if s.subject.other is None and not is_author(s.subject.answer.model)]
    chosen = next((s for s in group if s.subject.answer.model == model), None)
    if model and chosen is None:
        raise InputError(
            f"model {model!r}",
            found="no answer to this question",
            expected="one of " + ", ".join(s.subject.answer.model for s in group),
            remedy="Choose one of these.",
        )
    with ws.write() as db:
        elections.put(db, ws, project, question, chosen.id if chosen else None, {}, by=scope.actor.person_id or "lead")
        projects.log_event(ws, project, scope.actor.person_id, "appoint", {"question": question_key, "model": model})
    return {"question": question_key, "model": model}


def _put(db: sqlite3.Connection, ws: Workspace, project: Project, rows: Sequence[tuple[int, int | None, Mapping[str, Any]]]) -> None:
    for question, winner, numbers in rows:
        elections.put(db, ws, project, question, winner, numbers)


def _elect(
    ws: Workspace, group: Sequence[StoredSubject], electors: Sequence[CriterionRow], encoder: Any
) -> tuple[int | None, dict[str, Any]]:
    """The subject that wins among the answers to one question, and the numbers that decided."""
    scores, out = _scores(ws, group, electors)
    if not scores:
        return None, {"disqualified": out}
    top = max(scores.values())
    best = [s for s in group if scores.get(s.id) == top]
    numbers: dict[str, Any] = {
        "by": [row.criterion.name for row in electors],
        "score": round(top, 6),
        "of": len(electors),
        "best": [s.subject.answer.model for s in best],
        "disqualified": out,
    }
    if len(best) == 1:
        return best[0].id, numbers
    measure, means = _likeness(best, encoder)
    numbers |= {"measure": measure, "means": {s.subject.answer.model: round(means[s.id], 6) for s in best} if means else {}}
    winner = min(best, key=lambda s: (-round(means.get(s.id, 0.0), 6), len(s.subject.answer.text), s.subject.answer.model))
    return winner.id, numbers


def _scores(ws: Workspace, group: Sequence[StoredSubject], electors: Sequence[CriterionRow]) -> tuple[dict[int, float], dict[str, str]]:
    """Sum of the electors' final values, each from 0 to 1, by subject; and why the other models' answers are out."""
    by_id = {row.id: row for row in electors}
    values: dict[int, dict[int, list[float]]] = {}
    out: dict[int, str] = {}
    for cell in cell_store.cells_of(ws.db, [s.id for s in group]):
        row = by_id.get(cell.criterion_id)
        if row is None:
            continue
        if cell.number is None:
            out[cell.subject_id] = f"{row.criterion.name}: {'unscored' if cell.state.final_source == 'closed' else 'pending'}"
        else:
            values.setdefault(cell.subject_id, {}).setdefault(row.id, []).append(_share(row, cell.number))
    names = {s.id: s.subject.answer.model for s in group}
    full = {s: found for s, found in values.items() if s not in out and len(found) == len(electors)}
    out |= {s: "no cell" for s in names if s not in full and s not in out}
    return (
        {s: round(sum(sum(v) / len(v) for v in found.values()), 9) for s, found in full.items()},
        {names[s]: why for s, why in sorted(out.items())},
    )


def _share(row: CriterionRow, number: float) -> float:
    """A value's place on its scale, from 0 to 1."""
    scale = row.scale
    low, high = (0.0, float(len(scale.values) - 1)) if scale.kind == "ordered" else (float(scale.low), float(scale.high))
    return (number - low) / (high - low) if high > low else 1.0


def _likeness(best: Sequence[StoredSubject], encoder: Any) -> tuple[str, dict[int, float]]:
    """Mean likeness of each answer to the others: (metric, by subject); ("", {}) where nothing measures it."""
    pairs = [(a, b) for a in best for b in best if a is not b]
    for name, output in LIKENESS:
        metric = discovery.make("metrics", name, {})
        found = metric.compute([a.subject for a, _ in pairs], [(b.subject.answer.text,) for _, b in pairs], encoder)
        values = [next((v.value for v in row if v.metric == output), None) for row in found]
        if all(value is not None for value in values):
            means: dict[int, list[float]] = {}
            for (a, _), value in zip(pairs, values, strict=True):
                means.setdefault(a.id, []).append(float(value or 0.0))
            return output, {subject: sum(found) / len(found) for subject, found in means.items()}
    return "", {}


def _ratios(group: Sequence[StoredSubject], numbers: Mapping[str, Any]) -> list[tuple[int, MetricValue, str]]:
    """How long each answer is beside the shortest among the best."""
    best = [len(s.subject.answer.text) for s in group if s.subject.answer.model in numbers.get("best", ()) and s.subject.answer.text]
    if not best:
        return []
    shortest = min(best)
    return [
        (s.id, MetricValue(metric=LENGTH_RATIO, value=round(len(s.subject.answer.text) / shortest, 4), version="1"), digest(s.id, shortest))
        for s in group
    ]
