"""Looking up quotes that nobody has looked for: verdicts that came in a file, or were stored by a
version that did not check them.

What judges reply in a run is looked up when it is read; see `graders.judges.asking.reading`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from graders.core.author_texts import author_of, mask_author
from graders.core.quotes import stands_in
from graders.core.records import Subject
from graders.core.text import mask_names
from graders.store import projects
from graders.store.answers import content
from graders.store.opinions import misquoted
from graders.store.opinions.misquoted import Unsought
from graders.store.projects import Project
from graders.store.workspace import Workspace


def look_up(ws: Workspace, project: Project) -> list[int]:
    """Note of judges' present verdicts whose quotes nobody has looked for whether they stand in the
    answer; the cells where one does not.

    In short commits, giving way to people; what was looked up once is not again.
    """
    criteria = {
        row.id: row.criterion.elements == "claims" for row in projects.criteria(ws, project)
    }
    astray: set[int] = set()

    def prepare(db: sqlite3.Connection, cells: Sequence[int]) -> list[tuple[Unsought, bool]]:
        found = misquoted.unsought_in(db, cells)
        subjects = {
            s.id: s.subject for s in content.subjects(db, sorted({one.subject for one in found}))
        }
        return [
            (one, _lost(one, subjects[one.subject], criteria.get(one.criterion, False)))
            for one in found
        ]

    def work(db: sqlite3.Connection, rows: Sequence[tuple[Unsought, bool]]) -> None:
        misquoted.set_flags(db, rows)
        astray.update(one.cell for one, lost in rows if lost)

    if (earlier := misquoted.unsought_before(ws.db, project)) is not None:
        ws.background(earlier, misquoted.begin)
        with ws.write() as db:
            misquoted.begun(db, project)
    ws.background(misquoted.unsought_cells(ws.db, project), work, prepare)
    return sorted(astray)


def _lost(one: Unsought, subject: Subject, claims: bool) -> bool:
    texts = quotable(subject, claims=claims)
    return any(not stands_in(quote, texts) for quote in one.quotes)


def quotable(subject: Subject, *, claims: bool) -> list[str]:
    """The texts in which a judge's quote may stand: the answer, or both of a pair, as they are and
    as judges see them, without names; of claims, which rest on documents, these too."""
    answers = [answer for answer in (subject.answer, subject.other) if answer is not None]
    texts = [answer.text for answer in answers]
    if subject.other is not None:
        texts += [mask_names(text, sorted({answer.model for answer in answers})) for text in texts]
    texts += [
        mask_author(answer.text, name) for answer in answers if (name := author_of(answer.model))
    ]
    return [*texts, *subject.question.context] if claims else texts
