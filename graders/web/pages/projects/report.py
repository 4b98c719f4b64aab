"""The report of an import: what would come in and what stays out, then what came in and what to do
next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graders.core.words import say
from graders.web import import_choices
from graders.web.kit import Asked, Frame, Parts, drawn
from graders.web.kit.gradio import gr
from graders.workflows.home import overview
from graders.workflows.home.cards import ImportReport
from graders.workflows.importing import stage
from graders.workflows.projects import task_types
from graders.workflows.scope.phrases import listed, several

#: Bad rows and categories listed at once.
ROWS = 25


class Report:
    """The page of an import that was read."""

    buttons = ("finish", "drop")

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        with gr.Column(visible=False, elem_classes="k-main") as self.box:
            self.body, self.types, self.next = frame.part(), frame.part(), frame.part()
            with gr.Row(elem_classes="k-bar") as self.bar:
                self.finish = gr.Button(variant="primary")
                drop = gr.Button(say("importing.page.discard"))
        self.pressed = {"finish": self.finish, "drop": drop}
        self.outputs = [self.box, self.body, self.types, self.next, self.bar, self.finish]

    def draw(self, asked: Asked) -> Parts:
        """A staged or finished import; what became of another is said."""
        number = import_choices.import_number(asked.view.one("staged"))
        found = overview.import_report(asked.scope, number)
        if found.state == "done":
            return self._done(asked, found)
        if found.state == "staged":
            return self._staged(asked, found)
        top = {"screen": "dropped", "title": say("home.page.lost"), "text": ""}
        return {
            self.frame.top: drawn("projects/top.html", **top, back=True),
            self.frame.alert: drawn("alert.html", text=say("importing.page.dropped")),
            self.box: gr.update(visible=False),
        }

    def act(self, asked: Asked, values: Mapping[Any, Any]) -> Parts:
        """The rows come in, the import is discarded, or a category gets its kind of task."""
        number = import_choices.import_number(asked.view.one("staged"))
        if "category" in asked.event:
            return self._typed(asked, overview.import_report(asked.scope, number))
        if asked.event.get("do") == "drop":
            stage.drop(asked.scope, number)
            to = asked.view.only("project")
        else:
            stage.finish(asked.scope, number)
            found = overview.import_report(asked.scope, number)
            name = found.project["name"] if found.project else ""
            to = asked.view.only("staged").with_(project=name)
        self.frame.site.uploads.drop(asked.view.one("import"))
        return {self.frame.acting: "=" + to.to()}

    def _staged(self, asked: Asked, found: ImportReport) -> Parts:
        r = found.report
        counts = listed_counts(r)
        title = (
            say("importing.page.some", n=r["bad"])
            if r["bad"]
            else say("importing.page.every", counts=counts)
        )
        text = say(
            "importing.page.source",
            source=found.source,
            counts=counts,
            versions=several(r["new_versions"], "new version"),
            unchanged=say("importing.page.unchanged", n=r["unchanged"]),
            rubrics=", ".join(r["rubrics"]) or say("importing.page.no_rubric"),
        )
        kinds = ("questions", "changed_questions", "answers", "verdicts")
        good = [say(f"importing.page.good.{kind}", n=r[kind]) for kind in kinds if r[kind]]
        pages = max(1, -(-len(r["bad_rows"]) // ROWS))
        page = min(asked.view.number("bad"), pages)
        bad = r["bad_rows"][(page - 1) * ROWS : page * ROWS]
        shown = {"rubric_changes": (), "labels_note": "", "slipped": (), **r}
        name = (
            say("importing.page.bring", what=listed(good))
            if good
            else say("importing.page.nothing")
        )
        return {
            self.frame.top: _top(f"staged {found.id}", title, text),
            self.body: drawn(
                "projects/report.html",
                id=found.id, r=shown, bad=bad, view=asked.view, page=page, pages=pages,
            ),
            self.types: "",
            self.next: "",
            self.bar: gr.update(visible=True),
            self.finish: gr.update(value=name),
            "step": 5,
        }  # fmt: skip

    def _done(self, asked: Asked, found: ImportReport) -> Parts:
        assert found.project is not None and found.next is not None
        title = say("importing.page.done", title=found.project["title"])
        text = say("importing.page.done.text", brought=found.brought)
        project = found.project["name"]
        return {
            self.frame.top: _top(f"done {found.id}", title, text),
            self.body: drawn("projects/done.html", id=found.id, r=found.report),
            self.types: _types(asked, found),
            self.next: drawn("projects/next.html", step=found.next, project=project),
            self.bar: gr.update(visible=False),
            "step": 6,
        }

    def _typed(self, asked: Asked, found: ImportReport) -> Parts:
        project = found.project["name"] if found.project else ""
        category, kind = str(asked.event["category"]), str(asked.event.get("value"))
        n = task_types.map_categories(asked.scope, project, {category: kind})
        name = category or say("projects.types.none")
        said = say(
            "projects.types.saved", category=name, kind=kind, questions=several(n, "question")
        )
        found = overview.import_report(asked.scope, found.id)
        return {self.types: _types(asked, found, said)}


def listed_counts(report: Mapping[str, Any]) -> str:
    """``5 questions, 10 answers, 0 verdicts``."""
    kinds = (("questions", "question"), ("answers", "answer"), ("verdicts", "verdict"))
    return ", ".join(several(report[name], noun) for name, noun in kinds)


def _types(asked: Asked, found: ImportReport, said: str = "") -> str:
    """The categories of which the file does not say what kind of task they are."""
    left = [c for c in found.categories if c.questions > c.stated]
    if not left:
        return ""
    pages = -(-len(left) // ROWS)
    page = min(asked.view.number("types"), pages)
    some = left[(page - 1) * ROWS : page * ROWS]
    more = {"view": asked.view, "page": page, "pages": pages, "said": said}
    return drawn("task_types.html", categories=some, **more)


def _top(screen: str, title: str, text: str) -> str:
    return drawn("projects/top.html", screen=screen, title=title, text=text, back=False)
