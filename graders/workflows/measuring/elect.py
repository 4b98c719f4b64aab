"""Electing references: on factual questions without one, the best answer by relevance and clarity
is what others are held against.

Among the answers with the highest sum of the criteria named in ELECTORS, a single one is the
reference. Of several it is the medoid: the highest mean BERTScore F1 (embedding cosine where the
language has no BERTScore) to the others of that group, ties to the shorter. A cell that has no
final value disqualifies its answer: nothing is guessed. A person can appoint another answer
(graders.workflows.results.references).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from graders.core import discovery
from graders.core.author_texts import is_author
from graders.core.records import Question
from graders.core.rubric import Criterion
from graders.core.shapes import JSON
from graders.store import projects
from graders.store.answers import content, elections
from graders.store.answers.content import StoredSubject, chunks
from graders.store.answers.elections import Election
from graders.store.opinions import cells as cell_store
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows.cells.outputs import best_outputs
from graders.workflows.cells.state import read_frame, refresh_all

#: The criteria whose sum elects.
ELECTORS = ("relevance", "clarity")
#: Metrics by which the medoid is found: the first that has a value for every pair.
LIKENESS = (("bertscore", "bertscore_f1"), ("embedding", "embedding_cosine"))
QUESTIONS_AT_ONCE = 50


def waits(criterion: Criterion, question: Question) -> bool:
    """Whether a criterion is graded against an elected reference: a factual question that brings
    none of its own."""
    return (
        question.task_type == "factual"
        and not question.references
        and criterion.reference_for("factual") == "elected"
    )


def elected_references(subject: StoredSubject, election: Election | None) -> tuple[str, ...]:
    """The elected text for an answer; nothing for the elected answer itself, which is not compared
    with itself."""
    if election is None or election.subject_id in (None, subject.id):
        return ()
    return (election.text,)


def holds_against_best(criteria: Sequence[CriterionRow]) -> bool:
    """Whether a metric of these criteria holds answers to factual questions against the best
    answers to the same question."""
    return any(
        row.criterion.reference_for("factual") == "elected" and bool(best_outputs(row.criterion))
        for row in criteria
    )


def elect(
    ws: Workspace,
    project: Project,
    encoder: Any,
    *,
    only: Sequence[int] | None = None,
    anew: bool = False,
) -> list[int]:
    """Count the votes where a criterion waits for them; the questions (row ids, of `only` if given)
    for which they came out otherwise.

    `anew` also routes the electors' cells afresh, so that a judge's verdicts of this very run
    count: the caller then routes all cells.
    """
    criteria = projects.criteria(ws, project)
    electors = [row for row in criteria if row.criterion.name in ELECTORS and row.scale.is_ordered]
    asked = {
        i: q for i, q in content.questions(ws.db, project).items() if only is None or i in set(only)
    }
    compared = holds_against_best(criteria)
    wanted = [
        i
        for i, q in asked.items()
        if any(waits(row.criterion, q) for row in criteria)
        or (compared and q.task_type == "factual")
    ]
    if not electors or not wanted:
        return []
    before, voting = elections.elections(ws.db, project), {row.id for row in electors}
    frame = read_frame(ws, project, route=True) if anew else None
    changed: list[int] = []
    for ids in chunks(wanted, QUESTIONS_AT_ONCE):
        rows: list[tuple[int, int | None, JSON]] = []
        groups = candidates(ws, ids)
        if frame is not None:
            cells = cell_store.cells_of(ws.db, [s.id for group in groups.values() for s in group])
            refresh_all(
                ws,
                project,
                [c.id for c in cells if c.criterion_id in voting],
                route=True,
                frame=frame,
            )
        for question, group in groups.items():
            winner, numbers = _elect(
                ws,
                group,
                electors,
                encoder,
                any(waits(row.criterion, asked[question]) for row in criteria),
            )
            old = before.get(question)
            if old is None or (old.counted, dict(old.numbers)) != (winner, numbers):
                rows.append((question, winner, numbers))
                changed.append(question)
        ws.background(rows, lambda db, batch: _put(db, ws, project, batch))
    return changed


def candidates(ws: Workspace, questions: Sequence[int]) -> dict[int, list[StoredSubject]]:
    """Models' present answers to questions (row ids); an author's own text is no candidate."""
    found: dict[int, list[StoredSubject]] = {}
    for subject in content.subjects(ws.db, content.subjects_of(ws.db, questions)):
        if subject.subject.other is None and not is_author(subject.subject.answer.model):
            found.setdefault(subject.question_id, []).append(subject)
    return found


def _put(
    db: sqlite3.Connection,
    ws: Workspace,
    project: Project,
    rows: Sequence[tuple[int, int | None, Mapping[str, Any]]],
) -> None:
    for question, winner, numbers in rows:
        elections.put(db, ws, project, question, winner, numbers)


def _elect(
    ws: Workspace,
    group: Sequence[StoredSubject],
    electors: Sequence[CriterionRow],
    encoder: Any,
    single: bool,
) -> tuple[int | None, JSON]:
    """The subject that wins among the answers to one question, and the numbers that decided.

    Without `single` only the best are asked for, and none wins.
    """
    votes, out = count(ws, group, electors)
    if not votes:
        return None, {"disqualified": out}
    sums = {subject: round(sum(found), 9) for subject, found in votes.items()}
    top = max(sums.values())
    best = [s for s in group if sums.get(s.id) == top]
    numbers: JSON = {
        "by": [row.criterion.name for row in electors],
        "score": round(top, 6),
        "of": len(electors),
        "values": {
            s.subject.answer.model: [round(value, 6) for value in votes[s.id]]
            for s in group
            if s.id in votes
        },
        "best": [s.subject.answer.model for s in best],
        "disqualified": out,
    }
    if not single:
        return None, numbers
    if len(best) == 1:
        return best[0].id, numbers
    measure, means = _likeness(best, encoder)
    numbers |= {
        "measure": measure,
        "means": {s.subject.answer.model: round(means[s.id], 6) for s in best} if means else {},
    }
    winner = min(
        best,
        key=lambda s: (
            -round(means.get(s.id, 0.0), 6),
            len(s.subject.answer.text),
            s.subject.answer.model,
        ),
    )
    return winner.id, numbers


def count(
    ws: Workspace, group: Sequence[StoredSubject], electors: Sequence[CriterionRow]
) -> tuple[dict[int, list[float]], dict[str, str]]:
    """The electors' final values as they stand, each from 0 to 1, by subject; and why the other
    models' answers are out."""
    by_id = {row.id: row for row in electors}
    values: dict[int, dict[int, list[float]]] = {}
    out: dict[int, str] = {}
    for cell in cell_store.cells_of(ws.db, [s.id for s in group]):
        row = by_id.get(cell.criterion_id)
        if row is None:
            continue
        if cell.number is None:
            out[cell.subject_id] = (
                f"{row.criterion.name}: "
                f"{'unscored' if cell.state.final_source == 'closed' else 'pending'}"
            )
        else:
            values.setdefault(cell.subject_id, {}).setdefault(row.id, []).append(
                _share(row, cell.number)
            )
    names = {s.id: s.subject.answer.model for s in group}
    full = {s: found for s, found in values.items() if s not in out and len(found) == len(electors)}
    out |= {s: "no cell" for s in names if s not in full and s not in out}
    means = {s: [sum(found[i]) / len(found[i]) for i in by_id] for s, found in full.items()}
    return means, {names[s]: why for s, why in sorted(out.items())}


def _share(row: CriterionRow, number: float) -> float:
    """A value's place on its scale, from 0 to 1."""
    scale = row.scale
    low, high = (
        (0.0, float(len(scale.values) - 1))
        if scale.kind == "ordered"
        else (float(scale.low), float(scale.high))
    )
    return (number - low) / (high - low) if high > low else 1.0


def _likeness(best: Sequence[StoredSubject], encoder: Any) -> tuple[str, dict[int, float]]:
    """Mean likeness of each answer to the others: (metric, by subject); ("", {}) where nothing
    measures it."""
    pairs = [(a, b) for a in best for b in best if a is not b]
    for name, output in LIKENESS:
        metric = discovery.make("metrics", name, {})
        found = metric.compute(
            [a.subject for a, _ in pairs], [(b.subject.answer.text,) for _, b in pairs], encoder
        )
        values = [next((v.value for v in row if v.metric == output), None) for row in found]
        if all(value is not None for value in values):
            means: dict[int, list[float]] = {}
            for (a, _), value in zip(pairs, values, strict=True):
                means.setdefault(a.id, []).append(float(value or 0.0))
            return output, {subject: sum(found) / len(found) for subject, found in means.items()}
    return "", {}
