"""One project: its imports, which can be taken back; its title and name; its end, after its own
export."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graders.core.words import say
from graders.web import import_choices
from graders.web.kit import Asked, Frame, Parts, drawn
from graders.web.kit.gradio import gr
from graders.workflows.importing import take_back
from graders.workflows.projects import delete, rename
from graders.workflows.report.export import ZIP, file_stem
from graders.workflows.routing.route import route

#: A project is deleted once it is exported and its name is typed.
READY = (
    "(typed, state, name) => ({__type__: 'update', "
    "interactive: Boolean(state) && (typed ?? '').trim() === name})"
)


class Managed:
    """The page of one project to manage."""

    buttons = ("take_back", "rename", "exported", "delete")

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        with gr.Column(visible=False, elem_classes="k-main") as self.box:
            self.imports = frame.part()
            with gr.Column(elem_classes="k-card"):
                hint = say("projects.page.rename.hint")
                head = drawn("projects/head.html", title=say("projects.page.rename"), text=hint)
                frame.part(value=head)
                with gr.Row(elem_classes="k-fields"):
                    self.title = gr.Textbox(label=say("projects.page.title"), max_length=120)
                    self.name = gr.Textbox(label=say("projects.page.name"), max_length=120)
                    keep = gr.Button(say("projects.page.rename"))
            with gr.Column(elem_classes="k-card"):
                hint = say("projects.page.delete.hint")
                head = drawn("projects/head.html", title=say("projects.page.delete"), text=hint)
                frame.part(value=head)
                self.export = frame.part()
                with gr.Row(elem_classes="k-fields"):
                    self.typed = gr.Textbox(max_lines=1)
                    self.end = gr.Button(say("projects.page.delete.button"), interactive=False)
        self.gone = frame.part()
        self.state, self.known = gr.Textbox(visible=False), gr.Textbox(visible=False)
        self.typed.input(None, [self.typed, self.state, self.known], [self.end], js=READY)
        self.pressed = {"rename": (keep, self.title, self.name), "delete": (self.end, self.typed)}
        self.inputs = [self.title, self.name, self.typed, self.state]
        shown = [self.imports, self.export, self.end, self.known, self.gone]
        self.outputs = [self.box, *self.inputs, *shown]

    def draw(self, asked: Asked) -> Parts:
        """The project."""
        project = asked.scope.project(asked.view.one("manage"))
        title = say("projects.page.manage", title=project.title)
        top = {"screen": "manage", "title": title, "text": "", "back": True}
        return {
            self.frame.top: drawn("projects/top.html", **top),
            self.imports: self._imports(asked, project.name),
            self.title: project.title,
            self.name: project.name,
            self.typed: gr.update(
                value="", label=say("projects.page.delete.type", name=project.name)
            ),
            self.known: project.name,
            self.state: "",
            self.end: gr.update(interactive=False),
            self.export: self._export(project.name, ""),
            self.gone: "",
        }

    def act(self, asked: Asked, values: Mapping[Any, Any]) -> Parts:
        """An import is taken back; the project is renamed, exported or deleted."""
        did, name = asked.event.get("do"), asked.scope.project(asked.view.one("manage")).name
        if did == "take_back":
            number = import_choices.import_number(asked.event.get("import"))
            done = take_back.take_back(asked.scope, number)
            if done.unplaced:
                route(asked.scope, done.project)
                self.frame.site.supervisor.sort(asked.scope.ws, done.project)
            return {self.imports: self._imports(asked, name)}
        if did == "rename":
            title, wanted = (str(values[one] or "") for one in (self.title, self.name))
            new = rename.rename(asked.scope, name, title, wanted).name
            return {self.frame.acting: "=" + asked.view.to(manage=new, project=new)}
        typed, state = (str(values[one] or "") for one in (self.typed, self.state))
        if did == "exported":
            state = str(asked.event.get("state") or "")
            said = say("projects.page.exported", file=_file(name))
            ready = bool(state) and typed.strip() == name
            end = gr.update(interactive=ready)
            return {self.state: state, self.end: end, self.export: self._export(name, said)}
        gone = delete.delete(asked.scope, name, typed, state)
        title = say("projects.page.gone", title=gone.title)
        top = {"screen": "gone", "title": title, "text": "", "back": False}
        return {
            self.frame.top: drawn("projects/top.html", **top),
            self.box: gr.update(visible=False),
            self.gone: drawn("projects/gone.html", file=_file(name), free=gone.free_bytes),
        }

    def _imports(self, asked: Asked, name: str) -> str:
        imports = take_back.listed_imports(asked.scope, name)
        return drawn("projects/imports.html", imports=imports)

    def _export(self, name: str, said: str) -> str:
        return drawn("projects/export.html", project=name, file=_file(name), said=said)


def _file(name: str) -> str:
    return f"{file_stem(name)}{ZIP}"
