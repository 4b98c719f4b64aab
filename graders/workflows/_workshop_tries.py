"""The tries of a judge as the workshop shows them: the labelled answers that they are asked about, what they change, their figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from graders.core.rubric import Criterion
from graders.statistics.resampling import Array
from graders.store import content
from graders.store import opinions as opinion_store
from graders.store.projects import Project
from graders.workflows import _held_out, judges, judging
from graders.workflows._agreement_ground import Ground
from graders.workflows._held_out import is_held_out
from graders.workflows._opinions import Opinions
from graders.workflows._workshop_figures import Said, criterion_figures, said
from graders.workflows.permissions import Scope
from graders.workflows.run_options import Options

#: Answers that a try asks about unless another number is named.
ANSWERS = 100
LOST = "No reply to it is kept: ask it again to see figures."


@dataclass(frozen=True, slots=True)
class Part:
    """The answers (subject rows) that a try asks about, and counts of them: those that people graded blind, at most so many, by whole
    questions in the order that the seed draws."""

    only: list[int]
    counts: dict[str, int]

    @classmethod
    def none(cls) -> Part:
        """No answer."""
        return cls([], dict.fromkeys(("labelled", "answers", "questions", "held_out_questions", "held_out_answers"), 0))

    @classmethod
    def of(cls, scope: Scope, project: Project, found: Ground, size: int) -> Part:
        """The part of about `size` answers; one question is always in it."""
        asked = {criterion.key for criterion in judging.judged_criteria(scope.ws, project)}
        cells = {
            int(cell)
            for row, opinions in zip(found.criteria, found.loaded, strict=True)
            if row.key in asked
            for cell in opinions.cells[np.unique(opinions.at[found.used(opinions)])]
        }
        graded = opinion_store.subjects_behind(scope.ws.db, sorted(cells))
        names = {row: question.id for row, question in content.questions_by_row(scope.ws.db, set(graded.values())).items()}
        by_question: dict[str, list[int]] = {}
        for subject, question in graded.items():
            by_question.setdefault(names[question], []).append(subject)
        only: list[int] = []
        chosen: list[str] = []
        for key in _held_out.in_turn(project, by_question):
            if only and len(only) + len(by_question[key]) > size:
                break
            only += by_question[key]
            chosen.append(key)
        held = [key for key in chosen if is_held_out(project, key)]
        counts = {
            "labelled": len(graded),
            "answers": len(only),
            "questions": len(chosen),
            "held_out_questions": len(held),
            "held_out_answers": sum(len(by_question[key]) for key in held),
        }
        return cls(sorted(only), counts)


def rows(scope: Scope, project: Project, found: Ground, name: str, tries: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Each try of a judge with its figures, oldest first."""
    criteria = judging.judged_criteria(scope.ws, project)
    keys = {criterion.key for criterion in criteria}
    compared = [(row, o, _masks(scope, project, o)) for row, o in zip(found.criteria, found.loaded, strict=True) if row.key in keys]
    parts: dict[int, Part] = {}
    read: dict[str, Said] = {}
    made = []
    for one in tries:
        size = int(one["answers"])
        if size not in parts:
            parts[size] = Part.of(scope, project, found, size)
        sides = []
        for called, card in ((name, one["before"]), (label(name, one["number"]), one["card"])):
            mark = repr((card, one["base_url"], size))
            if mark not in read:
                read[mark] = _said(scope, project, called, card, one["base_url"], parts[size], criteria, [row for row, _, _ in compared])
            sides.append(read[mark])
        figures = [criterion_figures(found, row, o, sides[0], sides[1], masks, len(tries)) for row, o, masks in compared]
        made.append(
            {
                **{field: one[field] for field in ("number", "state", "note", "at", "answers")},
                "of": len(tries),
                "changed": changes(one["before"], one["card"]),
                "asked": [{"calls": side.calls, "known": side.known} for side in sides],
                "lost": LOST if not all(side.known for side in sides) else "",
                "criteria": [figure for figure in figures if figure is not None],
            }
        )
    return made


def _said(
    scope: Scope,
    project: Project,
    called: str,
    card: Mapping[str, Any],
    address: str,
    part: Part,
    criteria: Sequence[Criterion],
    compared: Sequence[Any],
) -> Said:
    options = Options.of({"judges": [called], "cards": {called: card}, "base_url": address, "workshop": True})
    (setup,) = options.setups(scope.ws, criteria=criteria)
    return said(scope.ws, project, setup, part.only, compared)


def _masks(scope: Scope, project: Project, opinions: Opinions) -> dict[str, Array]:
    """Which cells lie in either part, bool[n]."""
    keys = {row: question.id for row, question in content.questions_by_row(scope.ws.db, opinions.names.tolist()).items()}
    held = np.array([is_held_out(project, keys[row]) for row in opinions.names.tolist()], bool)
    cells = held[opinions.question] if len(held) else np.zeros(0, bool)
    return {"looked_at": ~cells, "held_out": cells}


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """What a try changes, in words."""
    one, two = shown(before), shown(after)
    words = [f"model {one['judge']} → {two['judge']}"] if one["judge"] != two["judge"] else []
    for field in (*judges.FIELDS, *judges.BESIDE):
        was, now = one["fields"].get(field), two["fields"].get(field)
        if was != now:
            words.append(f"{field.replace('_', ' ')}: {_word(was)} → {_word(now)}")
    if before.get("examples") != after.get("examples"):
        words.append(f"examples from corrections: {one['examples']} → {two['examples']}")
    return words


def _word(value: Any) -> str:
    return "none" if value in (None, "") else "yes" if value is True else "no" if value is False else str(value)


def shown(card: Mapping[str, Any]) -> dict[str, Any]:
    """A judge's fields and how many examples it has."""
    fields = {**card.get("options", {}), **{field: card[field] for field in judges.BESIDE if field in card}}
    return {"judge": card["judge"], "fields": fields, "examples": len(card.get("examples") or ())}


def title(name: str, made: Sequence[Mapping[str, Any]], labelled: bool) -> str:
    """The finding: what the latest try came to on the questions that were held out, of how many tries."""
    if not name:
        return "No judge is set up that could be changed."
    if not labelled:
        return "A try needs answers that people graded blind."
    if not made:
        return f"No change of {name} has been tried yet."
    latest = made[-1]
    head = f"Try {latest['number']} of {latest['of']} of {name}"
    words: dict[str, list[str]] = {}
    for figure in latest["criteria"]:
        words.setdefault(figure["parts"]["held_out"]["word"], []).append(figure["title"])
    told = [f"{word} on {' and '.join(words[word])}" for word in ("better", "worse") if word in words]
    if told:
        return f"{head} is {' and '.join(told)}, on questions that were held out."
    if not words:
        return f"{head} has no figures yet."
    if set(words) == {"INCONCLUSIVE"}:
        return f"The labels do not suffice to say what {head[0].lower() + head[1:]} changed."
    return f"{head} shows no difference on questions that were held out."


def label(name: str, number: int) -> str:
    """What a try is called in a run; a judge's own name has no space, so that none can be taken for it."""
    return f"{name} try {number}"
