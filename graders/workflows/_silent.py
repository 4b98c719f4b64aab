"""Judges that Agreement has no figure of, each with the reason: no value, other answers or criteria only, failed calls, no run yet."""

from __future__ import annotations

from typing import Any

from graders.store import opinions as store
from graders.store import runs, verdicts
from graders.store.projects import CriterionRow, Project
from graders.workflows._agreement_ground import Ground
from graders.workflows._phrases import listed, several
from graders.workflows._reasons import cause_counts, reason_words
from graders.workflows.permissions import Scope
from graders.workflows.policy import LEARNED

#: So many judges of one reason are named.
NAMED = 3


def silent(scope: Scope, found: Ground, criterion: CriterionRow, report: dict[str, Any]) -> list[dict[str, Any]]:
    """{name, cells, words} of judges without a row on a criterion: `cells` that they graded, and why there is no figure."""
    circle, shown = found.circle, {judge["ref"] for judge in report["judges"]}
    without = [i for i, name in circle.judges.items() if circle.ref(i) not in shown and name != LEARNED]
    if not without:
        return []
    said = store.said_by(scope.ws.db, criterion, without)
    rows: list[dict[str, Any]] = []
    elsewhere: list[str] = []
    reworded: list[str] = []
    for judge in without:
        graded, valued, anew = said.get(judge, (0, 0, 0))
        name = circle.label(judge)
        if valued:
            words = f"{name} graded {several(graded, 'cell')}, and none of those that count here"
        elif graded:
            words = f"{name} gave no value on any of {several(graded, 'cell')}: {_reasons(scope, criterion, judge)}"
        else:
            (reworded if anew else elsewhere).append(name)
            continue
        rows.append({"name": name, "cells": graded, "words": words})
    for names, why in ((reworded, "under another wording only"), (elsewhere, "other criteria only")):
        if names:
            who = listed(sorted(names)) if len(names) <= NAMED else f"{len(names)} more judges"
            rows.append({"name": who, "cells": 0, "words": f"{who} graded {why}"})
    return rows


def idle(scope: Scope, project: Project) -> str:
    """The judges that are set up, or were asked in the latest run, and have not one verdict, with the reason; empty where there is none."""
    last = runs.latest_run(scope.ws, project)
    asked = {str(judge["name"]): judge for judge in (last["progress"].get("judges") or [])} if last else {}
    known = {name for kind, name in verdicts.authors(scope.ws.db, project).values() if kind == "judge"}
    told = []
    for name in dict.fromkeys([*(project.settings.get("judges") or {}), *asked]):
        if name in known or name == LEARNED:
            continue
        failed = asked.get(name, {}).get("reasons") or {}
        told.append(f"{name} ({f'all failed: {cause_counts(failed)}' if failed else 'nothing run yet'})")
    return f"Without a verdict: {', '.join(told)}." if told else ""


def _reasons(scope: Scope, criterion: CriterionRow, judge: int) -> str:
    """Why a judge gave no value; with counts where there are several reasons."""
    counts = store.reasons_without(scope.ws.db, criterion, judge)
    told = [reason_words(reason) or "no reason is known" for reason, _ in counts]
    if len(told) == 1:
        return told[0].rstrip(".")
    return " ".join(f"{count:,} times: {words}" for (_, count), words in zip(counts, told, strict=True)).rstrip(".")
