"""What each page of the lead asks for first, timed on a large workspace: a part of the store's
bars."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from graders.workflows.agreement import agree, disagreements, people
from graders.workflows.diagnostics import diagnose
from graders.workflows.home import overview
from graders.workflows.results import questions
from graders.workflows.rubrics import element_lists, wording
from graders.workflows.rubrics.rubric_list import rubric_list
from graders.workflows.runs import drift_anchors, judges, run_page
from graders.workflows.scope.permissions import Scope
from graders.workflows.workshop import workshop

#: Milliseconds until a page shows its figures, or how far reading them is.
BAR = 1000.0


def seconds_by_page(scope: Scope, project: str) -> list[tuple[str, float, float]]:
    """(name, milliseconds, bar) of the pages that have no row of their own, nothing kept from
    before."""
    pages: dict[str, Callable[[], Any]] = {
        "Projects": partial(overview.all_projects, scope),
        "Run": partial(run_page.run_page, scope, project),
        "Agreement, disagreements": partial(disagreements.disagreements, scope, project),
        "Agreement, people": partial(people.people_report, scope, project),
        "Judges": partial(judges.judge_list, scope, project),
        "Workshop": partial(workshop.workshop, scope, project, ""),
        "Workshop, wording": partial(wording.unclear, scope, project),
        "Diagnostics, until progress shows": partial(
            diagnose.diagnostics_so_far, scope, project, patience=0.5, begun=False
        ),
        "Diagnostics, anchor questions": partial(drift_anchors.listed, scope, project),
        "Questions": partial(questions.listing, scope, project, "", 1),
        "Elements": partial(element_lists.lists, scope, project),
        "Rubrics": partial(rubric_list, scope, project),
    }
    found = []
    for name, ask in pages.items():
        agree.forget()
        diagnose.forget()
        begun = time.perf_counter()
        ask()
        found.append((f"store: {name}, ms", 1000 * (time.perf_counter() - begun), BAR))
    return found
