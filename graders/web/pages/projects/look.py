"""An upload that is looked at: how it is read, what each column is, where it goes, and how far its
reading is. What a person chooses is kept beside the upload at once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from graders.core.contracts import OF_ONE_MODEL, ROLES, Chosen, Look
from graders.core.errors import CogradeError
from graders.core.shapes import JSON
from graders.core.words import say
from graders.store import projects
from graders.web import import_choices
from graders.web.import_choices import Seen
from graders.web.kit import Asked, Frame, Parts, drawn
from graders.web.kit.gradio import gr
from graders.web.uploads import Job, JobState
from graders.workflows.importing import advised_rubric
from graders.workflows.importing import look as importing_look
from graders.workflows.importing.look_choices import LAYOUTS, SEPARATORS
from graders.workflows.scope.memory import Memory
from graders.workflows.scope.permissions import Scope, allowed
from graders.workflows.scope.phrases import several

#: Columns of a table shown at once, and its rows.
COLUMNS, ROWS = 20, 6
#: Seconds between two looks at the reading of a file.
EVERY = 0.4
#: What is guessed again where the cells change.
ANEW: JSON = {"skip": None, "header_rows": None, "columns": []}
#: The rubric of an upload before a person chose another.
ADVISED: JSON = {"kind": "advised", "name": "", "text": ""}
#: Rows that a header has at most.
HEADERS = 4
#: What was seen last of an upload: turning a page of its columns reads nothing anew.
_SEEN = Memory(8)


class LookedAt:
    """The page of an upload on its way into a project."""

    buttons = ("read", "cancel", "own", "rubric")

    def __init__(self, frame: Frame, timer: Any) -> None:
        self.frame, self.timer = frame, timer
        with gr.Column(visible=False, elem_classes="k-main") as self.box:
            with gr.Column(elem_classes="k-card"):
                frame.part(
                    value=drawn("projects/head.html", title=say("importing.page.how"), text="")
                )
                with gr.Row(elem_classes="k-fields"):
                    self.reading: dict[str, Any] = {
                        name: gr.Dropdown([], label=say(f"importing.page.{name}"), visible=False)
                        for name in ("layout", "encoding", "separator", "sheet")
                    }
                    self.reading["skip"] = gr.Textbox(
                        label=say("importing.page.skip"), visible=False, max_lines=1
                    )
                    self.reading["header_rows"] = gr.Dropdown(
                        [], label=say("importing.page.header_rows"), visible=False
                    )
                self.notes = frame.part()
            self.columns = frame.part()
            with gr.Column(elem_classes="k-card"):
                frame.part(
                    value=drawn("projects/head.html", title=say("importing.page.goes"), text="")
                )
                with gr.Row(elem_classes="k-fields"):
                    self.target = {
                        "project": gr.Dropdown([], label=say("importing.page.project")),
                        "title": gr.Textbox(label=say("importing.page.title"), max_length=120),
                        "chosen": gr.Dropdown(
                            [], label=say("importing.page.chosen"), visible=False
                        ),
                    }
                self.ticked = {
                    name: gr.Checkbox(label=say(f"importing.page.{name}"), info=info, visible=False)
                    for name, info in (
                        ("blind", None),
                        ("labels_blind", say("importing.page.labels_blind.why")),
                    )
                }
            self.graded = frame.part()
            with gr.Column(visible=False, elem_classes="k-card") as self.own:
                frame.upload(say("importing.page.rubric_file"), ".yaml,.yml", act="own")
            with gr.Row(elem_classes="k-bar"):
                read = gr.Button(say("importing.page.read"), variant="primary")
                cancel = gr.Button(say("kit.cancel"))
        with gr.Column(visible=False, elem_classes="k-main") as self.wait:
            self.progress = frame.part()
        self.fields = {**self.reading, **self.target, **self.ticked}
        self.pressed = {"read": read, "cancel": cancel}
        self.inputs = [self.target["title"]]
        shown = [self.notes, self.columns, self.graded, self.own, self.progress]
        self.outputs = [self.box, self.wait, *shown, *self.fields.values()]

    def draw(self, asked: Asked) -> Parts:
        """The upload, wherever it is on its way."""
        token = asked.view.one("import")
        self.frame.site.uploads.find(asked.scope.ws, token)
        job = self.frame.site.uploads.job(token)
        if job is not None and job.state in (JobState.STAGING, JobState.STAGED):
            return self._waits(job)  # what was read meanwhile is met at the next look at the clock
        kept = _SEEN.peek(token, asked.scope.ws.path) if not asked.changed("import") else None
        if kept is not None:
            return {self.columns: self._table(asked, kept[1]), "step": 2}
        parts = self._shown(asked, *self._now(asked, token))
        if job is not None and job.error:
            parts[self.frame.alert] = drawn("alert.html", text=job.error)
        return {**parts, "step": 2}

    def act(self, asked: Asked, values: Mapping[Any, Any]) -> Parts:
        """A choice, or what one of the buttons does, or time has passed."""
        token, event = asked.view.one("import"), asked.event
        did = event.get("do")
        if did == "tick":
            return self._ticked(asked, token)
        if did == "cancel":
            allowed(asked.scope, "import")
            self.frame.site.uploads.drop(token)
            return {self.frame.acting: "=" + asked.view.only("project").to()}
        if did == "read":
            return self._read(asked, token, str(values[self.target["title"]] or ""))
        body, seen = self._now(asked, token)
        fresh = self._chosen(asked, body, event)
        if fresh == body:
            return {}
        uploads = self.frame.site.uploads
        uploads.forget_failure(token)
        if not any(fresh[name] != body[name] for name in ("look", "project", "rubric")):
            uploads.choose(asked.scope.ws, token, fresh)
            return {}
        refused = {}
        if fresh["look"]["chosen"] is None:  # nobody chose a column yet: all may be guessed anew
            fresh["look"] = {**fresh["look"], "chosen": []}
        try:
            seen = import_choices.seen(asked.scope, uploads, token, fresh)
            body = {**fresh, "look": import_choices.look_json(seen.look)}
            uploads.choose(asked.scope.ws, token, body)
        except CogradeError as error:
            refused = {self.frame.alert: drawn("alert.html", text=str(error))}
        return {**self._shown(asked, body, seen), **refused}

    def _now(self, asked: Asked, token: str) -> tuple[JSON, Seen]:
        """What is chosen about an upload so far, and what is in it."""
        scope, uploads = asked.scope, self.frame.site.uploads
        kept = {"rubric": ADVISED, **uploads.choices(scope.ws, token)}
        seen = import_choices.seen(scope, uploads, token, kept)
        named = {project.name for project in projects.begun_projects(scope.ws)}
        body: JSON = {
            # bad rows go where their file went
            "project": seen.project if seen.project in named else "",
            "title": re.sub("[_-]+", " ", seen.stem).strip(),
            "blind": True,
            "labels_blind": False,
            "chosen": "",
            **kept,
            "look": import_choices.look_json(seen.look),
        }
        return body, seen

    def _chosen(self, asked: Asked, body: JSON, event: Mapping[str, Any]) -> JSON:
        """The choices with the one that `event` tells."""
        value: Any = event.get("value")
        look = dict(body["look"])
        if event.get("do") == "own":
            return {**body, "rubric": self._own_rubric(asked, event)}
        if event.get("do") == "rubric":
            kind, name = str(event.get("kind") or ""), str(event.get("name") or "")
            return {**body, "rubric": {"kind": kind, "name": name, "text": ""}}
        if "column" in event:
            return {**body, "look": _with_column(look, event)}
        name = str(event.get("field"))
        if name in self.ticked:
            return {**body, name: value is True}
        if name in self.target:
            return {**body, name: str(value or "")}
        changes: JSON = {}
        if name == "layout":
            changes = {"layout": value}
        elif name in ("encoding", "separator", "sheet"):
            changes = {name: value, **ANEW}
        elif name == "skip":
            rows = int(value) if str(value).isdecimal() and len(str(value)) < 10 else 0
            changes = {"skip": rows, "header_rows": None, "columns": []}
        elif name == "header_rows":
            rows = int(value) if str(value).isdecimal() and len(str(value)) < 10 else 0
            changes = {"header_rows": rows, "has_header": rows > 0, "columns": []}
        if _same(self._values(body), name, value):
            return body
        return {**body, "look": {**look, **changes}}

    def _own_rubric(self, asked: Asked, event: Mapping[str, Any]) -> JSON:
        token, uploads = str(event.get("token") or ""), self.frame.site.uploads
        path, label = uploads.find(asked.scope.ws, token)
        text = path.read_text("utf-8", "replace")[:1_000_000]
        uploads.drop(token)
        return {"kind": "file", "name": label, "text": text}

    def _read(self, asked: Asked, token: str, title: str) -> Parts:
        body, _ = self._now(asked, token)
        body["title"] = title
        site = self.frame.site
        site.uploads.choose(asked.scope.ws, token, body)
        import_choices.stage(asked.scope, site.uploads, token, body, site.settings.models())
        return {self.frame.acting: "=" + asked.view.to()}

    def _ticked(self, asked: Asked, token: str) -> Parts:
        job = self.frame.site.uploads.job(token)
        if job is not None and job.state is JobState.STAGED:
            return self._staged(asked, job)
        if job is not None and job.state is JobState.STAGING:
            return {self.progress: _progress(job)}
        text = job.error if job is not None and job.error else say("importing.page.anew")
        back = {
            self.box: gr.update(visible=True),
            self.wait: gr.update(visible=False),
            self.timer: gr.update(active=False),
            self.frame.alert: drawn("alert.html", text=text),
        }
        return {**self._shown(asked, *self._now(asked, token)), **back}

    def _staged(self, asked: Asked, job: Job) -> Parts:
        return {self.frame.acting: "=" + asked.view.to(staged=job.import_)}

    def _waits(self, job: Job) -> Parts:
        top = {"screen": "reading", "title": say("importing.page.reading"), "text": ""}
        return {
            self.frame.top: drawn("projects/top.html", **top, back=False),
            self.box: gr.update(visible=False),
            self.wait: gr.update(visible=True),
            self.progress: _progress(job),
            self.timer: gr.update(value=EVERY, active=True),
            "step": 4,
        }

    def _shown(self, asked: Asked, body: JSON, seen: Seen) -> Parts:
        """All that is drawn of an upload."""
        _SEEN.keep(asked.view.one("import"), asked.scope.ws.path, (body, seen))
        look = seen.look
        rows = say("importing.page.seen.rows", rows=several(look.rows, "row")) if look.rows else ""
        importer = seen.importer or say("importing.page.seen.table")
        text = say("importing.page.seen", file=seen.label, importer=importer, rows=rows)
        top = {"screen": "look", "title": say("importing.page.check"), "text": text}
        return {
            self.frame.top: drawn("projects/top.html", **top, back=False),
            self.notes: drawn("projects/notes.html", notes=look.notes),
            self.columns: self._table(asked, seen),
            self.graded: drawn(
                "projects/graded.html",
                cells=advised_rubric.cells_words,
                advice=seen.advice,
                offer=seen.offer,
                kind=body["rubric"]["kind"],
                name=body["rubric"]["name"],
            ),
            **self._fields(asked, body, look),
        }

    def _table(self, asked: Asked, seen: Seen) -> str:
        look = seen.look
        pages = max(1, -(-len(look.columns) // COLUMNS))
        page = min(asked.view.number("columns"), pages)
        return drawn(
            "projects/columns.html",
            columns=look.columns[(page - 1) * COLUMNS : page * COLUMNS],
            rows=look.first_rows[:ROWS],
            wide=look.layout == "wide",
            roles=ROLES,
            of_one_model=OF_ONE_MODEL,
            view=asked.view,
            page=page,
            pages=pages,
        )

    def _values(self, body: JSON) -> JSON:
        """What stands in the fields."""
        look = body["look"]
        header = min(1 if look["header_rows"] is None else look["header_rows"], HEADERS)
        return {
            **{name: look[name] for name in ("layout", "encoding", "separator", "sheet")},
            "skip": str(look["skip"] or 0),
            "header_rows": str(header if look["has_header"] else 0),
            **{name: body[name] for name in ("project", "title", "chosen", *self.ticked)},
        }

    def _fields(self, asked: Asked, body: JSON, look: Look) -> Parts:
        choices = _choices(asked.scope, look)
        own = look.layout == "exchange"
        rated = own or any(c.role == "verdict" for c in look.columns)
        # the fields of JSON and Parquet have names of their own
        table = bool(look.columns and (look.separator or look.sheet))
        there = {
            "layout": True,
            "encoding": bool(look.encoding),
            "separator": bool(look.separator),
            "sheet": len(look.sheets) > 1,
            "skip": table,
            "header_rows": table,
            "title": not body["project"],
            "chosen": rated,
            "blind": own,
            "labels_blind": rated,
        }
        parts: Parts = {self.own: gr.update(visible=body["rubric"]["kind"] == "file")}
        for name, value in self._values(body).items():
            more: dict[str, Any] = {"choices": choices[name]} if name in choices else {}
            if name == "layout":
                more["interactive"] = look.layout in LAYOUTS
            update = gr.update(value=value, visible=there.get(name, True), **more)
            parts[self.fields[name]] = update
        return parts


def _choices(scope: Scope, look: Look) -> dict[str, list[tuple[str, str]]]:
    """What may be chosen in each field: words and value."""
    layout = {name: say(f"importing.page.layout.{name}") for name in LAYOUTS}
    if look.layout not in layout:
        unknown = look.layout or say("importing.page.layout.unknown")
        own = say("importing.page.layout.exchange")
        layout = {look.layout: own if look.layout == "exchange" else unknown}
    encodings = importing_look.encodings()
    if look.encoding not in encodings:
        encodings = [look.encoding, *encodings]
    signs = {
        sign: word
        for word, sign in SEPARATORS.items()
        if word in ("comma", "semicolon", "tab", "bar")
    }
    known = [(project.title, project.name) for project in projects.begun_projects(scope.ws)]
    return {
        "layout": [(words, value) for value, words in layout.items()],
        "encoding": [(one, one) for one in encodings],
        "separator": [(word, sign) for sign, word in signs.items()],
        "sheet": [(one, one) for one in look.sheets],
        "header_rows": [(say("importing.page.header", n=n), str(n)) for n in range(HEADERS + 1)],
        "project": [(say("importing.page.new_project"), ""), *known],
        "chosen": [
            (say("importing.page.chosen.none"), ""),
            *((say(f"importing.page.chosen.{one}"), str(one)) for one in Chosen),
        ],
    }


def _with_column(look: JSON, event: Mapping[str, Any]) -> JSON:
    """The look with a column as somebody chose it: no guess takes its place."""
    index, value = event["column"], str(event.get("value") or "")
    changes = {"model": value} if event.get("set") == "model" else {"role": value, "model": ""}
    before = next((c for c in look["columns"] if c["index"] == index), None)
    if before is None or all(before[name] == value for name, value in changes.items()):
        return look
    columns = [{**c, **changes} if c["index"] == index else c for c in look["columns"]]
    return {**look, "columns": columns, "chosen": sorted({*(look["chosen"] or ()), index})}


def _same(values: JSON, name: str, value: object) -> bool:
    """Whether a field holds that already: a list tells also that it was passed."""
    return name not in values or str(values[name]) == str(value)


def _progress(job: Job) -> str:
    """Rows while they are read, then what is done with them."""
    rows = several(job.rows, "row")
    if not job.doing:
        text = say("importing.page.so_far", rows=rows)
    else:
        part = say("importing.page.part", done=job.done, total=job.total) if job.total else ""
        text = say("importing.page.doing", rows=rows, doing=job.doing, part=part)
    return drawn("projects/progress.html", text=text, done=job.done, total=job.total)
