"""The answers that a judge is tried on."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from graders.core.author_texts import is_author
from graders.core.preference import compares
from graders.store.answers import content
from graders.store.answers.content import StoredSubject
from graders.store.opinions import pairs
from graders.store.projects import Project
from graders.store.workspace import Workspace
from graders.workflows.calling.asked_criteria import judged_criteria
from graders.workflows.calling.judge_setup import JudgeSetup
from graders.workflows.calling.judging import tasks

#: Answers among which those to try a judge on are chosen.
POOL = 200


def draw(
    ws: Workspace,
    project: Project,
    count: int,
    setups: Sequence[JudgeSetup] = (),
    faults: bool = False,
) -> tuple[int, ...]:
    """Subjects to try a judge on, the same for the same project and answers: spread over
    categories, then over models and questions.

    Single answers; pairs where a judge is asked about nothing else. Where `setups` are named, those
    come first that the most of these judges make a call for (of named faults too with `faults`):
    what a rule closes, or a judge has nothing to say on, shows nothing.
    """
    asked, twos = judged_criteria(ws, project), pairs.rows(ws.db, project)
    two = bool(asked) and all(compares(c.scale) for c in asked)
    ids = [row for row in content.subject_ids(ws.db, project) if (row in twos) == two]
    mixed = random.Random(f"try {project.seed}")
    pool = mixed.sample(ids, min(len(ids), POOL))
    reach = _reach(ws, project, setups, pool, faults)
    # few can be asked about: look through all
    if setups and len(reach) < min(count, len(ids)) and len(ids) > POOL:
        pool = mixed.sample(ids, len(ids))
        reach = _reach(ws, project, setups, pool, faults)
        pool = [row for row in pool if row in reach] or pool[:POOL]
    left = [s for s in content.subjects(ws.db, pool) if not is_author(s.subject.answer.model)]
    chosen: list[StoredSubject] = []
    used: Counter[tuple[str, str]] = Counter()
    while left and len(chosen) < count:
        best = min(left, key=lambda s: [-reach[s.id], *(used[mark] for mark in _marks(s))])
        left.remove(best)
        chosen.append(best)
        used.update(_marks(best))
    return tuple(s.id for s in chosen if reach[s.id]) or tuple(s.id for s in chosen)


def _reach(
    ws: Workspace, project: Project, setups: Sequence[JudgeSetup], rows: Sequence[int], faults: bool
) -> Counter[int]:
    """How many of the judges make a call for a subject, by row; those without any are left out."""
    return Counter(
        row for setup in setups for row in _asked_about(ws, project, setup, rows, faults)
    )


def _asked_about(
    ws: Workspace, project: Project, setup: JudgeSetup, rows: Sequence[int], faults: bool = False
) -> set[int]:
    """Those of the subjects that a judge makes a call for, whether or not it was made already."""
    return {
        row
        for task in tasks(ws, project, setup, rows, afresh=True, faults=faults)
        for row in task.rows
    } & set(rows)


def _marks(stored: StoredSubject) -> list[tuple[str, str]]:
    """What the chosen answers are spread over."""
    question, answer = stored.subject.question, stored.subject.answer
    return [("category", question.category), ("model", answer.model), ("question", question.id)]
