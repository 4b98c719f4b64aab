"""What an answer is compared with by metrics: given references, an elected one, the best answers,
or nothing, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graders.store.answers.content import StoredSubject
from graders.store.answers.elections import Election
from graders.store.projects import CriterionRow
from graders.store.workspace import Workspace
from graders.workflows.measuring.elect import candidates, elected_references, waits


def best_texts(
    ws: Workspace, subjects: Sequence[StoredSubject], elected: Mapping[int, Election]
) -> dict[int, tuple[str, ...]]:
    """By question row, the texts of the best answers of the latest count."""
    best = {
        s.question_id: elected[s.question_id].numbers.get("best", ())
        for s in subjects
        if s.question_id in elected
    }
    groups = candidates(ws, [question for question, models in best.items() if models])
    return {
        q: tuple(s.subject.answer.text for s in group if s.subject.answer.model in best[q])
        for q, group in groups.items()
    }


def references_of(
    subject: StoredSubject,
    criteria: Sequence[CriterionRow],
    metric: str,
    elected: Mapping[int, Election],
) -> tuple[str, ...]:
    """The texts an answer is compared with: none on creative questions, unless the rubric says
    otherwise.

    A question's own references come before an elected one. A metric that no criterion names,
    because it was chosen for the project, takes what there is: the question's own references, else
    the elected one.
    """
    if not any(row.criterion.grader(metric) for row in criteria):
        given = tuple(r for r in subject.subject.question.references if r.strip())
        late = any(waits(row.criterion, subject.subject.question) for row in criteria)
        return given or (
            elected_references(subject, elected.get(subject.question_id)) if late else ()
        )
    for row in criteria:
        if row.criterion.grader(metric) is None:
            continue
        kind = row.criterion.reference_for(subject.subject.question.task_type)
        given = tuple(r for r in subject.subject.question.references if r.strip())
        if kind == "given" or (kind == "elected" and given):
            return given
        if kind == "elected" and waits(row.criterion, subject.subject.question):
            return elected_references(subject, elected.get(subject.question_id))
        if kind == "context":
            return tuple(c for c in subject.subject.question.context if c.strip())
    return ()


def why_none(
    subject: StoredSubject,
    criteria: Sequence[CriterionRow],
    metric: str,
    elected: Mapping[int, Election],
) -> str:
    """Why an answer is compared with nothing though its question needs no reference of its own; ""
    where one could be given.

    The elected answer is not compared with itself, as if that were a score; before an election
    there is nothing to compare with.
    """
    question = subject.subject.question
    named = [row for row in criteria if row.criterion.grader(metric)]
    if any(waits(row.criterion, question) for row in named or criteria):
        election = elected.get(subject.question_id)
        if election is None or election.subject_id is None:
            return "not_elected"
        return "is_the_reference" if election.subject_id == subject.id else ""
    if named and all(row.criterion.reference_for(question.task_type) == "none" for row in named):
        return "none_wanted"
    return ""
