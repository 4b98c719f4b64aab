"""The frame of a lead page: head with navigation, refusals, the address, and the one event that
draws the page for what the address says."""

from __future__ import annotations

import logging
from asyncio import to_thread
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from starlette.datastructures import Headers
from starlette.types import Scope as ASGIScope

from graders.core.errors import CogradeError, ReadOnly
from graders.core.words import language, languages, say
from graders.web.hosts import client_address
from graders.web.kit.drawing import drawn
from graders.web.kit.gradio import AsSent, any_of, asked_by, gr, said_by
from graders.web.kit.navigation import navigation
from graders.web.kit.site import Site
from graders.web.kit.view import View
from graders.web.session import code_of
from graders.workflows.home import frame as page_frame
from graders.workflows.scope.permissions import Scope

#: Component -> what it shows now.
Parts = dict[Any, Any]
#: In front of the view that is shown where something changed it since.
STALE = "!"
#: Marks what a drawing was refused for.
DRAWING = "data-drawing"
#: Fields of Gradio whose contents outlive a reload.
FIELDS = (gr.Textbox, gr.Dropdown, gr.Radio, gr.CheckboxGroup, gr.Checkbox, gr.Slider)
_LOG = logging.getLogger(__name__)
#: Events run at once and side by side, and no page of Gradio's own description names them.
_EVENT: dict[str, Any] = {
    "queue": False,
    "preprocess": False,
    "concurrency_limit": None,
    "trigger_mode": "always_last",
    "show_progress": "hidden",
    "api_visibility": "private",
}


@dataclass(frozen=True, slots=True)
class Asked:
    """What a page is asked for: by whom, in which workspace, which view; `before` is the view that
    is shown, None at first. `event`: what a part of the kit says of what was done on it. `values`:
    what the further inputs of a drawing hold; `accepted`: the header with the browser's languages.
    """

    scope: Scope
    view: View
    before: View | None = None
    event: Mapping[str, Any] = field(default_factory=dict)
    values: Sequence[Any] = ()
    accepted: str = ""

    @property
    def project(self) -> str:
        """The name of the project; empty where there is none."""
        return self.view.one("project")

    def changed(self, *names: str) -> bool:
        """Whether one of these parameters is another than what is shown, or nothing is shown."""
        names = (*names, "project")
        return self.before is None or any(self.view[n] != self.before[n] for n in names)


class Frame:
    """A page under way. What is made inside stands in its column, in that order."""

    def __init__(self, path: str, title: str, site: Site) -> None:
        self.path, self.site = path, site
        #: Part that acts -> its id in the page.
        self._forms: dict[Any, str] = {}
        #: Fields whose choices are kept elsewhere, and the event that draws the page.
        self._bound: set[Any] = set()
        self._drawing: Any = None
        self._named: dict[Any, str] = {}
        #: What is done on the page by `does`; its value is the address that an act goes to.
        self.acting: Any = None
        self.blocks: Any = AsSent(
            title=f"{title} · Cograde", fill_width=True, analytics_enabled=False
        )

    def __enter__(self) -> Frame:
        self.blocks.__enter__()
        self.head = self.part(elem_classes="k-head")
        self.address: Any = gr.HTML(
            html_template="<i hidden></i>",
            apply_default_css=False,
            js_on_load=f"import('{self.site.assets}/kit/kit.js').then((kit) => {{"
            "kit.start(element, props, () => trigger('go')); trigger('began') })",
        )
        self.shown = gr.HTML(
            html_template="<i hidden></i>",
            apply_default_css=False,
            js_on_load=f"const told = () => import('{self.site.assets}/kit/kit.js')"
            ".then((kit) => kit.drawn(element, props.value));"
            "watch('value', told); if (props.value) told()",
        )
        self.alert = self.part(elem_classes="k-alert")
        self.body: Any = gr.Column(elem_classes="k-page")
        self.body.__enter__()  # type: ignore[no-untyped-call]
        self.top = self.part()
        return self

    def __exit__(self, *error: Any) -> None:
        self.body.__exit__(*error)
        if error[0] is None:
            self._keep_typed()
        self.blocks.__exit__(*error)

    def part(self, *, acts: bool = False, **more: Any) -> Any:
        """A place for HTML of the kit (`drawn`).

        Where it `acts`, it has an event `act`: a button with ``data-act`` that is pressed, or a
        field with it that changes, sends the JSON that stands there, a field also its `value`; a
        form with it sends its fields. Among the inputs of an event the part is a dictionary of
        what stands in the fields of its forms.
        """
        script = f"import('{self.site.assets}/kit/kit.js').then((kit) => kit.acts(element, "
        if acts:
            more.setdefault("elem_id", f"k-part-{len(self._forms)}")
        made: Any = gr.HTML(
            js_on_load=script + "(data) => trigger('act', data)))" if acts else "",
            apply_default_css=False,
            **more,
        )
        if acts:
            self._forms[made] = more["elem_id"]
        return made

    def upload(
        self, label: str, accept: str, act: str = "", template: str = "upload.html", **words: Any
    ) -> Any:
        """A field for a file, which goes to the server as it is chosen; its event `sent` has the
        `token` and the `label` of the upload. `accept`: endings, with commas between them.

        With `act` it is done (`does`) instead. A `template` of its own may hold a place to drop
        the file on; `words` stand in it, and are none that a person gave.
        """
        told = f"kit.act({{do: {act!r}, ...data}})" if act else "trigger('sent', data)"
        return gr.HTML(
            html_template=drawn(template, label=label, accept=accept, **words),
            apply_default_css=False,
            js_on_load=f"import('{self.site.assets}/kit/kit.js')"
            f".then((kit) => kit.upload(element, (data) => {told}))",
        )

    def does(
        self,
        act: Callable[..., Parts],
        inputs: Sequence[Any],
        outputs: Sequence[Any],
        fields: Mapping[str, Any],
        buttons: Mapping[str, Any],
    ) -> None:
        """Do `act(asked, *values of inputs)` for all that is done on the page, one after the other.

        `asked.event` says what: the JSON of what has ``data-act`` in a part, a field with its
        `value`; ``{field, value}`` for one of `fields`; ``{do}`` for one of `buttons`, for Enter
        in a Textbox or a tick of a Timer among them. To go to an address of the page, with "=" in
        front to replace the present one, `act` returns it for `acting`; the page is drawn anew
        then. A Timer's act clears no refusal.
        """
        self.acting = gr.HTML(
            html_template="<i hidden></i>",
            apply_default_css=False,
            js_on_load=f"import('{self.site.assets}/kit/kit.js').then((kit) => {{"
            "watch('value', () => kit.acted(element, props.value));"
            "kit.turns(element, (data) => trigger('act', data)) })",
        )

        def called(request: gr.Request, event: gr.EventData, shown: Any, *values: Any) -> Any:
            said = said_by(event)
            view = View.of(shown)
            clear = {} if said.get("timer") else {self.alert: ""}
            parts = self._refusing(
                lambda: {**clear, **self._acted(request, act, view, said, values)}
            )
            to = parts.get(self.acting, "")
            moved = {self.shown: STALE + view.to()} if to else {}
            return {**parts, **moved, self.acting: f"{said.get('n')} {to}".strip()}

        every = [self.alert, self.shown, *outputs, self.acting]  # last: what follows finds all
        # the page asks for one at a time: none is left out, and none comes with another's data
        once_each = {**_EVENT, "trigger_mode": "multiple"}
        self.acting.act(called, [self.shown, *inputs], every, **once_each)
        send = "window.cograde.act"
        for name, one in fields.items():
            text = isinstance(one, gr.Textbox)
            if not text:
                self._bound.add(one)
            else:  # what is only passed asks for nothing
                self._named[one] = name
                one.focus(None, [one], None, js=f"(value) => {send}.held({name!r}, value)")
            for listen in (one.submit, one.blur) if text else (one.input,):
                js = f"(value) => {send}({{field: {name!r}, value}})"
                listen(None, [one], None, js=js)
        for name, some in buttons.items():
            for one in some if isinstance(some, tuple) else (some,):
                timer, text = isinstance(one, gr.Timer), isinstance(one, gr.Textbox)
                listen = one.tick if timer else one.submit if text else one.click
                js = f"() => {send}({{do: {name!r}, timer: {str(timer).lower()}}})"
                listen(None, None, None, js=js)

    def acts(
        self,
        listen: Callable[..., Any],
        act: Callable[..., Parts],
        inputs: Sequence[Any],
        outputs: Sequence[Any],
        redraws: bool | None = False,
        keys: bool = False,
        asks: bool = False,
        mode: str = "always_last",
    ) -> None:
        """Do `act(asked, *values of inputs)` when `listen`, the listener of an event, hears it.

        It returns what changes of `outputs`; a CogradeError that it raises is said on the page.
        Where it `redraws`, the page is drawn anew after it; with None the page is asked for again,
        as by a link to where it is. Keys that are typed come along only where `keys` says so. What
        only `asks` leaves standing what an act was refused for.
        `mode`: what Gradio does with an event that comes while one is under way.
        """

        def called(request: gr.Request, event: gr.EventData, shown: Any, *values: Any) -> Any:
            said = said_by(event)
            view = View.of(shown)

            def doing() -> Parts:
                done = self._acted(request, act, view, said, values)
                stale = {self.shown: STALE + view.to()} if redraws else {}
                return {self.alert: gr.skip() if asks else "", **stale, **done}

            return self._refusing(doing)

        every = [self.alert, self.shown, *outputs]
        ids = ["", *(self._forms.get(one, "") for one in inputs)]
        script = f"(...values) => window.cograde.given(values, {ids!r}, {str(keys).lower()})"
        more: dict[str, Any] = {"js": script} if any(ids) else {}
        done = listen(
            called, [self.shown, *inputs], every, **{**_EVENT, "trigger_mode": mode}, **more
        )
        if redraws is not False:  # unless it was refused
            js = f"(said) => said || window.cograde.again({str(redraws is None).lower()})"
            done.then(None, [self.alert], None, js=js)

    #: Several events as one: while it is under way the next one of any of them waits.
    any_of = staticmethod(any_of)

    def draws(
        self,
        fields: Mapping[str, Any],
        draw: Callable[[Asked], Parts],
        outputs: Sequence[Any],
        resets: Sequence[str] = (),
        inputs: Sequence[Any] = (),
    ) -> None:
        """Draw the page with `draw` when it is opened and whenever the address changes.

        `fields`: parameter of the address -> component that shows and sets it. `draw` returns what
        changes of `outputs` and of the fields; a CogradeError that it raises is said on the page.
        A field that changes takes the parameters `resets` out of the address. `draw` finds what
        `inputs` hold among what is asked.
        """

        def called(request: gr.Request, address: Any, shown: Any, said: Any, *values: Any) -> Any:
            # what an act was refused for stays while its page is looked at again
            same = shown and address == shown and said and DRAWING not in str(said)
            parts = self._drawn(asked_by(request), draw, address, shown, values)
            return {**parts, self.alert: said} if same and not parts[self.alert] else parts

        places = [self.address, self.shown, self.alert, *inputs]
        every = [self.head, self.shown, self.alert, self.body, self.top, *fields.values(), *outputs]
        self._drawing = self.address.go(called, places, every, **_EVENT)
        drawing = self.blocks.newest_event

        async def opened(asked: ASGIScope) -> None:
            address = "?" + asked["query_string"].decode("latin-1")
            values = [one.value for one in inputs]
            parts = await to_thread(self._drawn, asked, draw, address, "", values)
            await self.blocks.opened(drawing, parts)

        self.blocks.opening = opened
        self.sets(fields, resets)

    def sets(self, fields: Mapping[str, Any], resets: Sequence[str] = (), by: Any = ()) -> None:
        """Set parameters of the address to what `fields` hold, all of them when one is changed, or
        when a listener in `by` hears something, and take out the parameters `resets`."""
        texts = {one for one in fields.values() if isinstance(one, gr.Textbox)}
        self._bound |= set(fields.values()) - texts
        listens = [*by, *(one.submit if one in texts else one.input for one in fields.values())]
        js = f"(...values) => window.cograde.set({list(fields)!r}, values, {list(resets)!r})"
        for listen in listens:
            listen(None, list(fields.values()), None, js=js)

    def _keep_typed(self) -> None:
        """What is half typed in fields outlives a reload of the page, and the server."""
        kept: dict[str, Any] = {}
        for one in self.blocks.blocks.values():
            secret = getattr(one, "type", "") == "password" or "k-unkept" in (
                getattr(one, "elem_classes", None) or ()
            )
            if isinstance(one, FIELDS) and one not in self._bound and not secret:
                kept[self._named.get(one, f"{len(kept)} {one.label}")] = one
        ids: list[str] = []
        for name, one in kept.items():
            ids.append(f"k-typed-{len(ids)}" if isinstance(one, gr.Textbox) else "")
            if ids[-1]:
                one.elem_id = ids[-1]
            else:
                one.input(None, [one], None, js=f"(value) => window.cograde.typed({name!r}, value)")
        fields = list(kept.values())
        js = f"(...values) => window.cograde.restored({list(kept)!r}, {ids!r}, values)"
        if kept and self._drawing is not None:
            self.address.began(None, fields, fields, js=js)
            self._drawing.then(None, fields, fields, js=js)

    def _drawn(
        self,
        asked_by: ASGIScope,
        draw: Callable[[Asked], Parts],
        address: Any,
        shown: Any,
        values: Sequence[Any],
    ) -> Any:
        def doing() -> Parts:
            scope = self._scope(asked_by)
            view = View.of(address)
            head = page_frame.frame(scope, view.one("project"), self.site.settings.project)
            if head.project:
                view = view.with_(project=head.project)
            fresh = isinstance(shown, str) and shown and not shown.startswith(STALE)
            before = View.of(shown) if fresh else None
            accepted = Headers(scope=asked_by).get("accept-language", "")
            asked = Asked(scope, view, before, values=values, accepted=accepted)
            plain = view.only("project").to() if len(view) > 1 else ""
            parts = self._refusing(lambda: {self.alert: "", **draw(asked)}, True, plain)
            refused = bool(parts[self.alert]) and asked.before is None and self.top not in parts
            return {
                self.head: self._head(head, scope, view, code_of(asked_by["session"], scope)),
                self.shown: view.to(),
                self.body: gr.update(visible=not refused),
                **parts,
            }

        return self._refusing(doing, drawing=True)

    def _acted(
        self,
        request: gr.Request,
        act: Callable[..., Parts],
        view: View,
        said: Mapping[str, Any],
        values: Sequence[Any],
    ) -> Parts:
        """What `act` does. A visitor who writes for the first time gets a copy to write to."""
        asked = asked_by(request)
        try:
            return act(Asked(self._scope(asked), view, None, said), *values)
        except ReadOnly:
            return act(Asked(self._scope(asked, writes=True), view, None, said), *values)

    def _scope(self, asked: ASGIScope, writes: bool = False) -> Scope:
        return self.site.resolver.scope(asked["session"], client_address(asked), writes)

    def _refusing(
        self, doing: Callable[[], Parts], drawing: bool = False, plain: str = ""
    ) -> Parts:
        """What `doing` gives, or the sentence of its error; that of a `drawing` goes with the next
        one that is well, and leads to the `plain` page."""
        try:
            return doing()
        except CogradeError as error:
            text = str(error)
        except Exception:
            _LOG.exception("An event of a page failed: %s.", self.path)
            text = say("web.failed")
        return {
            self.alert: drawn("alert.html", text=text, mark=DRAWING if drawing else "", plain=plain)
        }

    def _head(self, head: page_frame.Frame, scope: Scope, view: View, code: str | None) -> str:
        step = page_frame.next_for(scope, head.project, self.path)
        return drawn(
            "head.html",
            head=head,
            code=code,
            damage=scope.ws.damage,
            nav=navigation(self.site, scope, head, self.path, step),
            path=self.path,
            view=view,
            language=language(),
            languages=languages(),
        )
