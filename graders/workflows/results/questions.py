"""The questions of a project: where the reference of each comes from, and how much detail it asks
for."""

from __future__ import annotations

from collections import Counter
from typing import Any

from graders.core.errors import InputError
from graders.store.answers import content
from graders.workflows.opinions.participants import names_of
from graders.workflows.results import detail, references
from graders.workflows.results.references import APPOINTED, ELECTED, GIVEN, NOBODY, NONE
from graders.workflows.scope.paging import page_of
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import several
from graders.workflows.scope.seen import mark_seen

QUESTIONS_A_PAGE = 50
KINDS = (ELECTED, APPOINTED, NOBODY, GIVEN, NONE)


@needs("look")
def listing(scope: Scope, project_name: str, kind: str = "", page: int = 1) -> dict[str, Any]:
    """One page of questions, of one `kind` of reference if it is named: {title, subtitle, kinds,
    matters, rows, page, pages}.

    `kinds` counts questions by kind; `matters` says whether a rule looks at the detail that is
    asked for. Whoever sees who was elected has seen something of what others think of these
    answers.
    """
    ws, project = scope.ws, scope.project(project_name)
    if kind and kind not in KINDS:
        raise InputError(
            "filter kind",
            found=repr(kind),
            expected="one of " + ", ".join(KINDS),
            remedy="Choose one of these.",
        )
    rows = references.shown(scope, project_name)
    counts = Counter(row["kind"] for row in rows)
    page, pages, some = page_of(
        [row for row in rows if kind in ("", row["kind"])], page, QUESTIONS_A_PAGE
    )
    asked = {
        q.id: (row, q)
        for row, q in content.questions(ws.db, project, [row["question"] for row in some]).items()
    }
    people = names_of(ws)
    mark_seen(
        scope,
        content.subjects_of(ws.db, [asked[row["question"]][0] for row in some if row["model"]]),
    )
    return {
        "title": _title(counts),
        "subtitle": _subtitle(counts),
        "kinds": {name: counts[name] for name in KINDS if counts[name]},
        "matters": detail.matters(ws, project),
        "rows": [{**row, "detail": detail.told(asked[row["question"]][1], people)} for row in some],
        "page": page,
        "pages": pages,
    }


def _title(counts: Counter[str]) -> str:
    elects = counts[ELECTED] + counts[APPOINTED] + counts[NOBODY]
    if not elects:
        return "No question elects its reference."
    if counts[NOBODY]:
        of = several(elects, "question that elects")
        return (
            f"{counts[NOBODY]:,} of {of} a reference {'has' if counts[NOBODY] == 1 else 'have'} "
            "none yet."
        )
    by = f", {counts[APPOINTED]:,} by appointment" if counts[APPOINTED] else ""
    return (
        (
            f"{'Both' if elects == 2 else f'All {elects:,}'} questions that elect a reference "
            f"have one{by}."
        )
        if elects > 1
        else f"The question that elects a reference has one{by}."
    )


def _subtitle(counts: Counter[str]) -> str:
    parts = [f"Questions: {sum(counts.values()):,}"]
    parts += [f"with references of their own: {counts[GIVEN]:,}"] if counts[GIVEN] else []
    parts += [f"with nothing to be held against: {counts[NONE]:,}"] if counts[NONE] else []
    return "; ".join(parts) + "."
