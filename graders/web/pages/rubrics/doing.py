"""What is done on the page: the text edited, put in force, its stale verdicts graded again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from graders.core.errors import CogradeError
from graders.core.words import say
from graders.web.kit import Asked, drawn
from graders.web.pages.rubrics.shown import MOST, Drafts, Open
from graders.web.worker import Supervisor
from graders.workflows.rubrics import edit
from graders.workflows.rubrics.form_change import FormChange
from graders.workflows.rubrics.rubric_list import rubric_list


@dataclass(frozen=True, slots=True)
class Given:
    """What the page holds when something is done: the rubric that is open, the drafts, the text in
    the editor, and the name for a criterion more."""

    asked: Asked
    open: Open
    drafts: Drafts
    text: str
    criterion: str

    @property
    def name(self) -> str:
        """The rubric that is open; "" for one that the project does not have yet."""
        return self.open.name

    def without(self) -> Drafts:
        """The drafts but for the one of this rubric."""
        return {key: text for key, text in self.drafts.items() if key != self.open.key}

    def kept(self, source: str) -> Drafts:
        """The drafts with this text of the rubric, where it differs from what it began with."""
        others = self.without()
        if self.open.holds(source) or not self.open.key:
            return others
        newest = list(others.items())[-(MOST - 1) :]
        return {**dict(newest), self.open.key: source}


@dataclass(frozen=True, slots=True)
class Done:
    """The text after a change, what it would mean, and the change where it was refused, with the
    sentence."""

    source: str
    looked: edit.Look
    refused: Mapping[str, Any] | None = None


def edited(given: Given) -> Done:
    """The text with the change that the form says; as it is typed where the form says none."""
    scope, project = given.asked.scope, given.asked.project
    change = _change(given)
    refused = None
    if change is not None:
        try:
            made = edit.edit(scope, project, given.text, change, given.name)
            return Done(made.source, made)
        except CogradeError as error:
            refused = {**asdict(change), "text": str(error)}
    return Done(given.text, edit.look(scope, project, given.text, given.name), refused)


def _change(given: Given) -> FormChange | None:
    said = given.asked.event
    if said.get("do") == "add":
        return FormChange(given.criterion, "add", "")
    field = str(said.get("set") or "")
    if not field:
        return None
    at = said.get("at")
    return FormChange(
        criterion=str(said.get("criterion") or ""),
        field=field,
        value=str(said.get("value") or ""),
        what=str(said.get("what") or ""),
        at=at if isinstance(at, int) else -1,
    )


def put(given: Given) -> tuple[Drafts, str, str]:
    """Put the text in force: the drafts without it, what is said of it, and the rubric's name."""
    asked = given.asked
    before = given.open.hash if given.name else ""
    made = edit.put(asked.scope, asked.project, given.text, given.name, before)
    said = say("rubrics.page.raised", version=made.version) if made.raised else ""
    return given.without(), said or say("rubrics.page.done"), made.name


def earlier(given: Given) -> str:
    """The earlier text whose number a button names."""
    number = given.asked.event.get("version")
    found = edit.version(
        given.asked.scope, given.asked.project, given.name, number if isinstance(number, int) else 0
    )
    return found.source


def with_sentence(given: Given) -> str:
    """The text with the sentence that the address brings in the guide of its criterion, where it is
    not there yet."""
    asked = given.asked
    sentence = asked.view.one("sentence").strip()
    criterion = asked.view.one("criterion").rpartition("/")[2]
    source = given.drafts.get(given.open.key, given.text)
    looked = edit.look(asked.scope, asked.project, source, given.name)
    some = looked.form.criteria if looked.form else ()
    guide = next((one.guide for one in some if one.name == criterion), None)
    if guide is None or sentence in guide:
        return source
    change = FormChange(criterion, "guide", " ".join(filter(None, (guide, sentence))))
    return edit.edit(asked.scope, asked.project, source, change, given.name).source


def again(given: Given, did: str, supervisor: Supervisor) -> str:
    """What it costs to grade again what became stale, or the run that does it."""
    asked, name = given.asked, given.name
    found = rubric_list(asked.scope, asked.project)
    row = next((one for one in found.rubrics if one.name == name), None)
    if did == "cost":
        plan = edit.regrade_plan(asked.scope, asked.project, name)
        return drawn("rubrics/again.html", row=row, plan=plan, started=False, view=asked.view)
    begun = edit.regrade(asked.scope, asked.project, name)
    supervisor.start(asked.scope.ws, begun.run, {})
    return drawn("rubrics/again.html", row=row, plan=None, started=True, view=asked.view)
