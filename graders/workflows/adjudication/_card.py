"""One cell as the adjudicator sees it: question, answer, what people said side by side; judges only
where they were asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graders.core.errors import CogradeError
from graders.core.records import Subject
from graders.core.scale import Scale, Value
from graders.store import projects
from graders.store.answers import content, controls
from graders.store.desk import adjudications, gold
from graders.store.desk.adjudications import Look
from graders.store.figures import reading, reports
from graders.store.opinions import verdicts
from graders.store.opinions.cells import Cell
from graders.store.opinions.verdicts import StoredVerdict
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows.cells import told as cells_told
from graders.workflows.cells.faults import fault_title
from graders.workflows.cells.quotes import quotable
from graders.workflows.cells.state import ADJUDICATED, FAULTS
from graders.workflows.opinions.frame import Circle
from graders.workflows.results.answer import DESIGNS
from graders.workflows.review.desk import criterion_json
from graders.workflows.review.screens import question_json
from graders.workflows.scope.missing_reasons import misquote_words
from graders.workflows.scope.people_names import called, names_of


def build(
    ws: Workspace,
    project: Project,
    cell: Cell,
    criterion: CriterionRow,
    circle: Circle,
    look: Look,
    me: str,
) -> dict[str, Any]:
    """The card as plain data. Marks of judges and rules are in it only where `look` says that they
    were asked for."""
    db = ws.db
    subject = content.subjects(db, [cell.subject_id])[0]
    people = names_of(ws)
    said = verdicts.verdicts_of(db, [cell.id]).get(cell.id, [])
    comments = reports.comments(db, cell.subject_id)
    machines = [v for v in said if v.author_kind != "person" and v.criterion_hash == criterion.hash]
    counted = {circle.people[author] for author in circle.people if circle.counts(author)}
    place = [c.id for c in projects.criteria(ws, project) if c.criterion.rubric != FAULTS.name]
    settled = adjudications.reasons(db, circle.adjudicated, [cell.id]).get(cell.id)
    wording = next(
        (v.criterion_hash for v in said if v.author == ADJUDICATED and v.author_kind == "person"),
        "",
    )
    return {
        "cell": cell.id,
        "subject": cell.subject_id,
        "criterion": criterion_json(
            criterion, place.index(criterion.id) % 5 if criterion.id in place else 0
        ),
        "part": cell.part,
        "part_title": part_title(criterion, cell.part),
        "question": question_json(subject.subject.question),
        **_texts(ws, project, subject),
        "people": [
            _person(v, criterion, people, comments, v.author in counted, me)
            for v in said
            if v.author_kind == "person" and v.author != ADJUDICATED
        ],
        "final": {
            "value": cell.state.final,
            "source": cell.state.final_source,
            "reason": cell.state.final_reason,
        },
        "settled": None
        if settled is None
        else {
            **settled,
            "by": called(people, settled["by"]),
            "word": word(criterion.scale, settled["value"]),
            "stale": wording != criterion.hash,
            "gold": gold.uses(db, [cell.id]).get(cell.id, ""),
        },
        "machines": len(machines),
        "looked": look.judges,
        "seen_before": look.seen_before,
        "judges": [_judge(v, criterion, subject.subject) for v in machines] if look.judges else [],
    }


def _judge(found: StoredVerdict, criterion: CriterionRow, subject: Subject) -> dict[str, Any]:
    """What a judge or rule says; `note` says what is to be known of it."""
    shown = cells_told.machine(
        found, quotable(subject, claims=criterion.criterion.elements == "claims")
    )
    note = " ".join(
        words for words in (misquote_words() if shown["misquotes"] else "", shown["note"]) if words
    )
    return {**shown, "note": note, "word": word(criterion.scale, found.mark.value)}


def part_title(criterion: CriterionRow, part: str) -> str:
    """The part of a cell in words: a fault by its title."""
    return fault_title(part) if part and criterion.criterion.rubric == FAULTS.name else part


def word(scale: Scale, value: Value | None) -> str:
    """A value in words. One that the scale no longer has, given under an earlier wording, is
    written as it was."""
    if value is None:
        return "not applicable"
    try:
        return scale.word(value)
    except (CogradeError, ValueError, TypeError):
        return str(value)


def _texts(ws: Workspace, project: Project, subject: content.StoredSubject) -> dict[str, Any]:
    """The answer, of a pair both, without names as at the desk; `model` only where the project
    shows names."""
    names = sorted(reading.models(ws.db, project), key=len, reverse=True)
    authors = controls.authors_of(ws.db, subject.question_id)
    show = bool(project.settings.get("show_models")) and not authors
    answers = [subject.subject.answer, *([subject.subject.other] if subject.subject.other else [])]
    return {
        "texts": [cells_told.masked(answer.text, show, names, authors) for answer in answers],
        "model": " / ".join(answer.model for answer in answers) if show else None,
    }


def _person(
    found: StoredVerdict,
    criterion: CriterionRow,
    people: Mapping[str, str],
    comments: Mapping[str, str],
    counts: bool,
    me: str,
) -> dict[str, Any]:
    """What one person said, and how. `stale`: under an earlier wording, so that it does not count;
    `counts`: of the group that decides."""
    mark, origin = found.mark, found.provenance or {}
    return {
        "id": found.author,
        "name": people.get(found.author, found.author),
        "mine": found.author == me,
        "value": mark.value,
        "word": word(criterion.scale, mark.value),
        "arm": origin.get("arm", ""),
        "design": DESIGNS.get(origin.get("design", ""), ""),
        "seconds": origin.get("seconds"),
        "comment": origin.get("comment") or mark.rationale or comments.get(found.author, ""),
        "fault_of": origin.get("fault_of", ""),
        "quotes": [e.quote for e in mark.evidence if e.quote],
        "stale": found.criterion_hash != criterion.hash,
        "counts": counts,
        "at": found.at,
    }
