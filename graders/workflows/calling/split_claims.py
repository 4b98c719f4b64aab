"""Answers split into claims by a model that the lead names, before anything of a run is graded;
without one, sentences are claims.

An answer is split once: its claims become its parts, its cells and what verdicts hang on. So one
that has claims already, from a file or an earlier run, is not asked about again, and one whose
sentences people have graded keeps these.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Mapping, Sequence

from graders.core.author_texts import is_author
from graders.core.claims import claims_of
from graders.core.records import Request
from graders.core.text import BYTES_PER_TOKEN, bytes_of
from graders.core.words import say
from graders.judges.asking.claims import split_request
from graders.store import projects
from graders.store.answers import claims, content
from graders.store.opinions import made_cells
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows.calling import judging
from graders.workflows.calling.judge_setup import JudgeSetup
from graders.workflows.calling.records import JudgePlan
from graders.workflows.calling.run_options import Options

#: Seconds of a call, about.
ASSUMED_SECONDS = 3.0


def split_criteria(ws: Workspace, project: Project) -> list[CriterionRow]:
    """The criteria of a project whose parts are claims."""
    return [row for row in projects.criteria(ws, project) if row.criterion.elements == "claims"]


def requests(
    ws: Workspace, project: Project, setup: JudgeSetup, only: Sequence[int] | None
) -> dict[int, Request]:
    """The calls that split answers, by subject (row): of those in `only`, None for all, that make
    several claims."""
    rows = [row.id for row in split_criteria(ws, project)]
    found: dict[int, Request] = {}
    for ids in content.chunks(
        (content.subject_ids(ws.db, project) if only is None else only) if rows else ()
    ):
        kept = claims.read_by_people(ws.db, ids, rows)
        for stored in content.subjects(ws.db, ids):
            subject, answer = stored.subject, stored.subject.answer
            if (
                subject.other is not None
                or stored.id in kept
                or "claims" in answer.metadata
                or is_author(answer.model)
            ):
                continue
            if len(claims_of(answer, subject.question.language)) > 1:
                found[stored.id] = split_request(
                    subject, setup.provider.name, setup.judge.model, ws.secret()
                )
    return found


def plan(ws: Workspace, project: Project, setup: JudgeSetup, options: Options) -> JudgePlan:
    """What splitting will cost."""
    found = judging.bill(ws, setup, requests(ws, project, setup, options.only or None).values())
    tokens = round(
        bytes_of(text for r in found.left.values() for _, text in r.messages) / BYTES_PER_TOKEN
    )
    notes = [say("calling.claims_by_sentences")] if found.calls else []
    return JudgePlan(
        name=setup.name,
        author=setup.author,
        key=setup.key_words,
        calls=found.calls,
        done=0,
        known=found.known,
        input_tokens=tokens,
        output_tokens=tokens,  # a reply says the answer again
        money=setup.provider.price(setup.judge.model, tokens, 0, tokens),
        seconds=math.ceil(len(found.left) / options.concurrency) * ASSUMED_SECONDS,
        measured=False,
        notes=notes,
    )


def keep(ws: Workspace, project: Project, said: Mapping[int, Sequence[str]], author: str) -> None:
    """Keep the claims of answers (subject row -> claims) and make their cells; those of their
    sentences are retired."""
    answers = {
        s.id: s.answer_id for ids in content.chunks(said) for s in content.subjects(ws.db, ids)
    }
    rows = [
        (answers[subject], found, author) for subject, found in said.items() if subject in answers
    ]

    def work(db: sqlite3.Connection, batch: Sequence[tuple[int, Sequence[str], str]]) -> None:
        claims.set_claims(db, batch)

    if rows:
        ws.background(rows, work)
        made_cells.ensure_cells(ws, project, split_criteria(ws, project), list(answers))
