"""What the page shows of a rubric: which one is open, its draft, the form that its text fills."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graders.core.hashing import text_hash
from graders.core.rubric import ELEMENTS, LISTS, REFERENCE, REVIEW, TASKS
from graders.core.words import say
from graders.web.kit import Asked, View, drawn
from graders.workflows.rubrics.edit import LONGEST, Look
from graders.workflows.rubrics.form import NAMED, known_graders
from graders.workflows.rubrics.form_change import SCALES
from graders.workflows.rubrics.rubric_list import RubricList, RubricRow
from graders.workflows.scope import offered_judges

#: Drafts by what they are a draft of; the browser keeps them.
Drafts = dict[str, str]
#: The most drafts that a browser keeps; of more the oldest go.
MOST = 20


@dataclass(frozen=True, slots=True)
class Open:
    """The rubric that is open: its `name` ("" for one of the gallery), the name of its draft, the
    hash of the text that was in force when it was opened; `source` and `row` where it is drawn."""

    name: str
    key: str
    hash: str
    source: str = ""
    row: RubricRow | None = None

    @classmethod
    def of(cls, said: Any) -> Open:
        """The one that the page says is open."""
        try:
            found = json.loads(str(said or ""))
        except ValueError:
            found = None
        given = found if isinstance(found, dict) else {}
        name, key, text = (str(given.get(name) or "") for name in ("name", "key", "hash"))
        return cls(name, key, text)

    def said(self) -> str:
        """What the page keeps of it."""
        return json.dumps({"name": self.name, "key": self.key, "hash": self.hash})

    def holds(self, source: str) -> bool:
        """Whether a text is the one that it began with."""
        return text_hash(source) == self.hash


def draft_of(given: Any) -> Drafts:
    """The drafts that a browser says it keeps."""
    some = given.items() if isinstance(given, dict) else ()
    return {str(key): text for key, text in some if isinstance(text, str) and len(text) <= LONGEST}


def opened(found: RubricList, view: View) -> Open | None:
    """The rubric that an address names, else the first one; None where there is none."""
    wanted = view.one("gallery")
    fresh = next((one for one in found.gallery if one.file == wanted), None)
    if fresh:
        key = f"{view.one('project')}/new {fresh.file}"
        return Open("", key, text_hash(fresh.source), fresh.source)
    name = view.one("rubric") or view.one("criterion").partition("/")[0]
    row = next((one for one in found.rubrics if one.name == name), None)
    row = row or next(iter(found.rubrics), None)
    if row is None:
        return None
    return Open(row.name, f"{view.one('project')}/{row.name}", row.hash, row.source, row)


def looked_at(asked: Asked, looked: Look, refused: Mapping[str, Any] | None) -> str:
    """The form of a text. `refused`: a change that was not made, with the sentence (`text`)."""
    form = looked.form
    wrong = {}
    for criterion in form.criteria if form else ():
        where = say("scope.graders_of", rubric=looked.name, criterion=criterion.name)
        texts = [error.text for error in looked.errors if error.where == where]
        if texts:
            wrong[criterion.name] = texts[0]
    judges = offered_judges.offered(asked.scope, asked.project)
    return drawn(
        "rubrics/form.html",
        form=form,
        known=known_graders(),
        judges=[one.name for one in judges],
        wrong=wrong,
        refused=refused or {},
        at=asked.view.one("criterion").rpartition("/")[2],
        scales=SCALES,
        tasks=TASKS,
        choices={"review": REVIEW, "reference": REFERENCE},
        parts=("", NAMED, *ELEMENTS),
        lists=("", *LISTS),
    )
