"""Agreement split by the wording of each criterion: the present one beside earlier ones, each with
its own verdicts, never mixed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from graders.store import projects
from graders.store.opinions import filters as filter_store
from graders.store.opinions.filters import EVERYTHING, Filters
from graders.store.projects import Project
from graders.workflows.agreement.agree import agreement
from graders.workflows.cells.state import FAULTS
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import listed

#: Earlier wordings of a criterion that are shown, the latest ones.
EARLIER = 5
#: Of a wording under which no two have graded the same answers.
NOTHING = "no verdict that counts under this wording meets a judge's or a colleague's"


@needs("look")
def versions(
    scope: Scope,
    project_name: str,
    *,
    blind_only: bool = True,
    population: str = "",
    filters: Filters = EVERYTHING,
) -> dict[str, Any]:
    """Per criterion that was worded otherwise before: its wordings, the present one first, with
    figures as `agreement` has them.

    Per wording: version of the rubric and since when, whether it is the `present` one, question and
    guide, cells, questions, the ceiling and each judge's figure; `words` says what there is no
    figure of. Verdicts count under the wording that they were given under; what was said again
    since is under both. A change of other things than the wording (graders, review) makes no new
    one.
    """
    project = scope.project(project_name)
    made: list[dict[str, Any]] = []
    for key, wordings in _wordings(scope, project).items():
        if len(wordings) < 2:
            continue
        rows = []
        for place, wording in enumerate(wordings[: EARLIER + 1]):
            view = replace(filters, wording=0 if wording["present"] else wording["id"])
            found = agreement(
                scope, project_name, blind_only=blind_only, population=population, filters=view
            )
            rows.append(
                _row(
                    wording,
                    next((one for one in found["criteria"] if one["key"] == key), None),
                    earlier=place > 0,
                )
            )
        made.append(
            {
                "key": key,
                "title": wordings[0]["title"],
                "wordings": rows,
                "left_out": max(0, len(wordings) - EARLIER - 1),
            }
        )
    return {
        "title": _title(made),
        "subtitle": (
            "Each row counts the verdicts that were given under its wording, and no others."
        ),
        "criteria": made,
    }


def _wordings(scope: Scope, project: Project) -> dict[str, list[dict[str, Any]]]:
    """Criterion in force -> its wordings, newest first, each under the first version of the rubric
    that had it."""
    rows = [row for row in filter_store.wordings(scope.ws.db, project) if row.name != FAULTS.name]
    present = {row.key: row.hash for row in projects.criteria(scope.ws, project)}
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for row in rows:  # newest first: the first version that had a wording comes last, and stays
        for criterion in projects.known_rubric(row.source, row.name).criteria:
            if criterion.key in present:
                said = {
                    "question": criterion.question,
                    "guide": criterion.guide or "",
                    "title": criterion.title,
                }
                version = {"id": row.id, "version": str(row.version), "since": row.at[:10]}
                found.setdefault(criterion.key, {})[criterion.criterion_hash] = {
                    **said,
                    **version,
                    "present": criterion.criterion_hash == present[criterion.key],
                }
    return {
        key: sorted(of.values(), key=lambda one: (not one["present"], -one["id"]))
        for key, of in found.items()
    }


def _row(
    wording: Mapping[str, Any], report: Mapping[str, Any] | None, *, earlier: bool
) -> dict[str, Any]:
    base = {
        name: wording[name] for name in ("id", "version", "since", "present", "question", "guide")
    }
    if report is None:
        return {
            **base,
            "cells": 0,
            "questions": 0,
            "figure": "",
            "people": None,
            "judges": [],
            "words": NOTHING,
        }
    return {
        **base,
        "cells": report["cells"],
        "questions": report["questions"],
        "figure": report["figure"],
        "people": report["people"]["ceiling"],
        "judges": [
            {
                **{name: judge[name] for name in ("ref", "name", "shown", "verdict", "cells")},
                "sentence": _sentence(judge, base),
            }
            for judge in report["judges"]
        ],
        "words": ""
        if report["judges"]
        else "only people are compared"
        + (": no judge was asked under this wording" if earlier else ""),
    }


def _sentence(judge: Mapping[str, Any], wording: Mapping[str, Any]) -> str:
    """A judge's figure as a sentence that names its wording."""
    force = "in force" if wording["present"] else "no longer in force"
    return (
        f"{judge['sentence']} Wording: version {wording['version']}, since {wording['since']}, "
        f"{force}."
    )


def _title(made: list[dict[str, Any]]) -> str:
    if not made:
        return "No criterion was worded otherwise before."
    names = [one["title"] for one in made]
    many = sum(len(one["wordings"]) for one in made)
    return (
        f"{listed(names)} {'was' if len(names) == 1 else 'were'} worded otherwise before: "
        f"{many} wordings side by side."
    )
