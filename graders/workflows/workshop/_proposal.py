"""A try as it is proposed: the judge with other fields, another model or other examples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graders.core.errors import InputError
from graders.core.words import say
from graders.store.projects import Project
from graders.workflows.runs import corrections, judges
from graders.workflows.scope.permissions import Scope
from graders.workflows.workshop.held_out import LookedAt
from graders.workflows.workshop.kept import Try, tries_of
from graders.workflows.workshop.tries import ANSWERS

#: The most answers that a try asks about.
MOST_ANSWERS = 2_000
#: Ways to name a try's examples, beside cells.
SAME, SUGGESTED, NONE = "same", "suggested", "none"


def proposed(scope: Scope, project: Project, name: str, change: Mapping[str, Any]) -> Try:
    """A try that is not begun: the judge before it, its own card, the note, how many answers."""
    before = corrections.card_of(project, name)
    fields = change.get("fields")
    given = (
        {**before.get("options", {}), **{f: before[f] for f in judges.BESIDE if f in before}}
        if fields is None
        else dict(fields)
    )
    card = judges.card_of(
        scope, project, name, str(change.get("judge") or before["judge"]).strip(), given
    )
    if examples := _examples(scope, project, name, before, change.get("examples") or SAME):
        card["examples"] = examples
    same = next(
        (
            one.number
            for one in tries_of(project, name)
            if one.card == card and one.before == before
        ),
        0,
    )
    if card == before or same:
        raise InputError(
            say("workshop.error.new_try", name=name),
            found=say("workshop.error.unchanged.found")
            if card == before
            else say("workshop.error.repeated.found", number=same),
            expected=say("workshop.error.change.expected"),
            remedy=say("workshop.error.unchanged.remedy")
            if card == before
            else say("workshop.error.repeated.remedy", number=same),
        )
    note = str(change.get("note") or "").strip()[:200]
    return Try(0, dict(before), card, note, _size(change))


def _size(change: Mapping[str, Any]) -> int:
    given = change.get("answers") or ANSWERS
    try:
        size = int(given)
    except (TypeError, ValueError):
        size = 0
    if not 1 <= size <= MOST_ANSWERS:
        raise InputError(
            say("workshop.error.answers"),
            found=repr(given)[:40],
            expected=say("workshop.error.answers.expected", most=MOST_ANSWERS),
            remedy=say("workshop.error.answers.remedy"),
        )
    return size


def _examples(
    scope: Scope, project: Project, name: str, before: Mapping[str, Any], wanted: Any
) -> list[Mapping[str, Any]]:
    """The examples of a try: suggested and chosen ones of no question that is held out; those that
    the judge has as they are, because questions that gave an example are left out of the
    comparison."""
    if wanted == SAME:
        return list(before.get("examples") or ())
    if wanted == NONE:
        return []
    if wanted != SUGGESTED and not (
        isinstance(wanted, list) and all(isinstance(cell, int) for cell in wanted)
    ):
        raise InputError(
            say("workshop.error.examples"),
            found=repr(wanted)[:60],
            expected=say(
                "workshop.error.examples.expected", names=", ".join((SAME, SUGGESTED, NONE))
            ),
        )
    cells = None if wanted == SUGGESTED else wanted
    found: list[Mapping[str, Any]] = [
        *corrections.examples_for(scope.ws, project, name, before, cells, LookedAt(project))
    ]
    if wanted == SUGGESTED and not found:
        raise InputError(
            say("workshop.error.new_try_examples", name=name),
            found=say("workshop.error.no_correction.found"),
            expected=say("workshop.error.no_correction.expected"),
            remedy=say("workshop.error.no_correction.remedy"),
        )
    return found
