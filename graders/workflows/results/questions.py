"""The questions of a project: where the reference of each comes from, and how much detail it asks
for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graders.core.errors import InputError
from graders.core.shapes import as_dict
from graders.core.words import error_parts, say
from graders.store.answers import content
from graders.workflows.results import detail, references
from graders.workflows.results.detail import Told
from graders.workflows.results.references import (
    APPOINTED,
    ELECTED,
    GIVEN,
    NOBODY,
    NONE,
    Reference,
)
from graders.workflows.scope.paging import page_of
from graders.workflows.scope.people_names import names_of
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import several
from graders.workflows.scope.seen import mark_seen

QUESTIONS_A_PAGE = 50
KINDS = (ELECTED, APPOINTED, NOBODY, GIVEN, NONE)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionRow(Reference):
    """A question with where its reference comes from, and the detail that is asked for."""

    detail: Told


@dataclass(frozen=True, slots=True)
class Questions:
    """A page of questions; `kinds` counts all by kind of reference; `matters`: a rule looks at the
    detail that is asked for."""

    title: str
    subtitle: str
    kinds: Mapping[str, int]
    matters: bool
    rows: Sequence[QuestionRow]
    page: int
    pages: int


@needs("look")
def listing(scope: Scope, project_name: str, kind: str = "", page: int = 1) -> Questions:
    """One page of questions, of one `kind` of reference if it is named.

    A person who sees which answer was elected has seen something of what others think of these
    answers.
    """
    ws, project = scope.ws, scope.project(project_name)
    if kind and kind not in KINDS:
        raise InputError(
            **error_parts("results.error.kind", found=repr(kind), kinds=", ".join(KINDS))
        )
    rows = references.shown(scope, project_name)
    counts = Counter(row.kind for row in rows)
    page, pages, some = page_of(
        [row for row in rows if kind in ("", row.kind)], page, QUESTIONS_A_PAGE
    )
    asked = {
        q.id: (row, q)
        for row, q in content.questions(ws.db, project, [row.question for row in some]).items()
    }
    people = names_of(ws)
    mark_seen(
        scope,
        content.subjects_of(ws.db, [asked[row.question][0] for row in some if row.model]),
    )
    return Questions(
        title=_title(counts),
        subtitle=_subtitle(counts),
        kinds={name: counts[name] for name in KINDS if counts[name]},
        matters=detail.matters(ws, project),
        rows=[
            QuestionRow(**as_dict(row), detail=detail.told(asked[row.question][1], people))
            for row in some
        ],
        page=page,
        pages=pages,
    )


def _title(counts: Counter[str]) -> str:
    elects = counts[ELECTED] + counts[APPOINTED] + counts[NOBODY]
    if not elects:
        return say("results.questions.none_elects")
    if counts[NOBODY]:
        of = several(elects, "question that elects")
        return say("results.questions.without", n=counts[NOBODY], of=of)
    by = say("results.questions.appointed", count=counts[APPOINTED]) if counts[APPOINTED] else ""
    if elects == 2:
        return say("results.questions.both_have", by=by)
    return say("results.questions.all_have", n=elects, by=by)


def _subtitle(counts: Counter[str]) -> str:
    parts = [say("results.questions.count", count=sum(counts.values()))]
    if counts[GIVEN]:
        parts.append(say("results.questions.given", count=counts[GIVEN]))
    if counts[NONE]:
        parts.append(say("results.questions.no_reference", count=counts[NONE]))
    return "; ".join(parts) + "."
