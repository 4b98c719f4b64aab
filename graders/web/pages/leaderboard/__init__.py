"""Leaderboard: the models ranked, two of them beside each other, or what was preferred of two.

The address says which: ``?compare=1``, ``?preferences=1``, else the ranking. It says ``cpage``
because Gradio reads ``page`` as the name of one of its own pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from graders.core.words import say
from graders.store.opinions.filters import Filters
from graders.web.kit import Asked, Frame, Parts, View, drawn
from graders.web.kit.counted import Counted
from graders.web.kit.gradio import gr
from graders.web.kit.reading import PATIENCE, Reading
from graders.web.markdown import render
from graders.web.page import Page
from graders.web.pages.leaderboard import addresses
from graders.web.pages.leaderboard.drawing_pairs import DrawingPairs
from graders.web.pages.leaderboard.plot import plot_of
from graders.web.pages.leaderboard.ranks import SHOWN, ranks_of
from graders.web.pages.leaderboard.versus import versus_of
from graders.workflows.importing.labels_chosen import state_chosen
from graders.workflows.leaderboard import compare, preferences, ranking
from graders.workflows.leaderboard.board import Board, Preferences
from graders.workflows.leaderboard.comparison import Comparison
from graders.workflows.leaderboard.ground import WAYS, Wish
from graders.workflows.opinions.narrowing import criteria_under
from graders.workflows.scope.project_head import Waiting

RANKING, TWO, PREFERENCES = "ranking", "two", "preferences"
#: What only one of the three knows: a link to another takes it out.
OFF = dict.fromkeys(("compare", "cpage", "order", "preferences", "criterion", "by"), "")
#: Parameters that say which of the three is shown; an earlier wording may compare pairs alone.
MODES = ("compare", "preferences", "wording")
#: What may be stated of an import's labels.
CHOSEN = ("unknown", "random", "all")
#: Filters that no figure here has.
HIDDEN = ("blind", "population")


class Leaderboard:
    """The page under way: its parts, and how each of the three is drawn into them."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.reading = Reading(frame, lambda asked: self._found(asked, begun=True))
        self.modes = frame.part()
        #: Which switches are shown.
        self.state = gr.Textbox(visible=False)
        with gr.Row(elem_classes="k-filters"):
            self.show = gr.Radio([], label=say("leaderboard.page.show"), visible=False)
            lists = {
                name: gr.Dropdown([], label=say(f"leaderboard.page.{name}"), visible=False)
                for name in ("view", "judge", "criterion")
            }
            by = gr.Radio([], label=say("leaderboard.page.by"), visible=False)
        self.fields: dict[str, Any] = {"show": self.show, **lists, "by": by}
        self.counted = Counted(frame)
        with gr.Row(elem_classes="lbc"):
            with gr.Column(elem_classes="k-main"):
                self.main, self.below = frame.part(), frame.part()
            with gr.Column(elem_classes="lb-side") as self.column:
                self.side = frame.part()
                self.pairs = DrawingPairs(frame)
        parts = [self.main, self.below, self.side]
        outputs = [*self.reading.outputs, self.state, self.modes, self.column, *parts]
        frame.draws(
            self.counted.fields | self.fields,
            self.draw,
            [*outputs, *self.pairs.outputs, *self.counted.outputs],
            resets=("cpage",),
            inputs=[self.state],
        )
        frame.does(
            self.act,
            self.pairs.inputs,
            self.pairs.outputs,
            {"design": self.pairs.design},
            {"draw": self.pairs.button},
        )

    def draw(self, asked: Asked) -> Parts:
        """What the address asks for."""
        if not asked.project:
            title = say("leaderboard.page.empty")
            return {self.frame.top: drawn("empty.html", title=title), self.modes: ""}
        found = self._found(asked)
        if isinstance(found, Waiting):
            return self.reading.waiting(asked, found)
        if isinstance(found, Board):
            shown = self._ranking(asked, found)
        elif isinstance(found, Comparison):
            shown = self._two(asked, found)
        else:
            shown = self._preferences(asked, found)
        filters = self.counted.filled(
            asked.view, found.filter_choices, hidden=HIDDEN, before=asked.before
        )
        return self.reading.done() | filters | shown

    def _found(
        self, asked: Asked, begun: bool = False
    ) -> Board | Comparison | Preferences | Waiting:
        """The figures, or how far reading them is."""
        view, (scope, project) = asked.view, (asked.scope, asked.project)
        if "preferences" not in view:
            wish = self._wish(asked, begun)
            a, b = view.one("a"), view.one("b")
            if "compare" in view:
                order, at = view.one("order") or "worse", view.number("cpage")
                return compare.compare_so_far(scope, project, a, b, wish, order=order, page=at)
            rogan = "rogan" in view
            board = ranking.leaderboard_so_far(scope, project, wish, a=a, b=b, rogan_gladen=rogan)
            if isinstance(board, Waiting) or not only_pairs(board):
                return board
        filters = self.counted.of(view)["filters"]
        keys = self._keys(asked, filters)
        criterion = view.one("criterion") if keys is None or view.one("criterion") in keys else ""
        return preferences.preferences(
            scope, project, criterion, by=view.one("by"), filters=filters
        )

    def _wish(self, asked: Asked, begun: bool) -> Wish:
        view = asked.view
        weights = dict(addresses.weight_of(text) for text in view.one("weights").split(";") if text)
        leading, filters = view.one("view"), self.counted.of(view)["filters"]
        keys = self._keys(asked, filters)
        if keys is not None:
            leading = leading if leading in keys else ""
            weights = {key: weight for key, weight in weights.items() if key in keys}
        return Wish(
            view=leading,
            show=view.one("show"),
            judge=view.one("judge"),
            weights=weights,
            filters=filters,
            patience=PATIENCE,
            begun=begun,
        )

    def _keys(self, asked: Asked, filters: Filters) -> set[str] | None:
        """The criteria of an earlier version of a rubric, which may not have every criterion that
        the address names; None in the present one."""
        if not filters.wording:
            return None
        project = asked.scope.project(asked.project)
        return {c.key for c in criteria_under(asked.scope, project, filters.wording)}

    def _ranking(self, asked: Asked, found: Board) -> Parts:
        view = asked.view
        ranks = ranks_of(found, "all" in view)
        weighed = [one for one in found.criteria if one.cells]
        plain = View({}).with_(project=asked.project)
        return {
            **self._heading(
                found, asked, RANKING, (found.pair.a, found.pair.b) if found.pair else None
            ),
            self.main: drawn("leaderboard/ranks.html", ranks=ranks, view=view)
            if ranks
            else drawn("leaderboard/nothing.html", found=found, view=view, plain=plain),
            self.below: drawn(
                "leaderboard/below.html",
                found=found,
                weighed=weighed if found.view == "overall" and len(weighed) > 1 else [],
                models=found.models if "all" in view else found.models[:SHOWN],
                view=view,
            ),
            **self._beside(asked),
            self.side: drawn(
                "leaderboard/side.html",
                found=found,
                plot=plot_of(found, view.one("against")),
                stated=CHOSEN,
                view=view,
                plain=plain,
                names=[row.model for row in found.models if row.place is not None],
            ),
            **self._switches(found, asked, found.criteria),
        }

    def _two(self, asked: Asked, found: Comparison) -> Parts:
        view = asked.view
        plain = View({}).with_(project=asked.project)
        rows = found.cases.rows if found.cases else ()
        texts = [(Markup(render(row.a.text)), Markup(render(row.b.text))) for row in rows]
        there = found.a is not None
        return {
            **self._heading(found, asked, TWO),
            self.main: drawn(
                "leaderboard/versus.html", found=found, versus=versus_of(found), view=view
            )
            if there
            else drawn("leaderboard/nothing.html", found=found, view=view, plain=plain),
            self.below: drawn("leaderboard/cases.html", found=found, texts=texts, view=view)
            if there
            else "",
            **self._beside(asked, visible=False),
            self.side: "",
            **self._switches(found, asked, ()),
        }

    def _preferences(self, asked: Asked, found: Preferences) -> Parts:
        view = asked.view
        ranks = ranks_of(found, "all" in view)
        lists = {
            "criterion": [(one.title, one.key) for one in found.criteria],
            "by": [(say("leaderboard.page.people"), "people"), *((j, j) for j in found.judges)],
        }
        shown = {"criterion": found.view, "by": found.by}
        return {
            **self._heading(found, asked, PREFERENCES),
            self.main: drawn("leaderboard/ranks.html", ranks=ranks, view=view)
            if ranks
            else drawn("leaderboard/none.html"),
            self.below: "",
            **self._beside(asked),
            self.side: drawn("leaderboard/wins.html", found=found),
            **self.pairs.drawn(found.answering, fresh=asked.changed(*MODES)),
            **self._kept(asked, ("show", "view", "judge")),
            **{self.fields[n]: _choice(asked.view, n, shown[n], lists[n]) for n in lists},
        }

    def _heading(
        self,
        found: Board | Comparison | Preferences,
        asked: Asked,
        mode: str,
        pair: tuple[str, str] | None = None,
    ) -> Parts:
        """The finding, and links to the other two."""
        offered = [RANKING, TWO] if mode != PREFERENCES or "preferences" in asked.view else []
        if found.preferences:
            offered.append(PREFERENCES)
        choice = None if isinstance(found, Preferences) else found.choice
        rests = [found.rests_on, found.alone if isinstance(found, Board) else ""]
        return {
            self.frame.top: drawn(
                "leaderboard/top.html",
                found=found,
                notice=asked.scope.project(asked.project).notice,
                rests=" ".join(filter(None, rests)),
                choice=choice,
                ceiling=found.ceiling if isinstance(found, Board) else "",
            ),
            self.modes: drawn(
                "leaderboard/modes.html",
                offered=offered,
                present=mode,
                to={
                    RANKING: OFF,
                    TWO: {**OFF, "compare": "1", **dict(zip("ab", pair or (), strict=False))},
                    PREFERENCES: {**OFF, "preferences": "1"},
                },
                view=asked.view,
            ),
        }

    def _switches(self, found: Board | Comparison, asked: Asked, criteria: Sequence[Any]) -> Parts:
        """Whose values count, by which criterion, and which judge."""
        ranked = [
            (one.title, one.key)
            for one in criteria
            if one.weight is not None or found.view != "overall"
        ]
        overall = [(say("leaderboard.page.overall"), "overall"), *ranked] if criteria else []
        named = [found.judge] if found.judge not in found.judges else []
        judges = [(name or say("leaderboard.page.no_judge"), name) for name in named]
        judges += [(name, name) for name in found.judges]
        ways = [(say(f"leaderboard.page.show.{way}"), way) for way in WAYS]
        several = len(found.judges) > 1
        switches: Parts = {
            **self._kept(asked, ("criterion", "by")),
            self.show: _choice(
                asked.view,
                "show",
                found.show,
                ways,
                info=say(f"leaderboard.page.show.{found.show}.hint"),
            ),
            self.fields["view"]: _choice(asked.view, "view", found.view, overall)
            if criteria
            else self._left(asked, "view"),
            self.fields["judge"]: _choice(asked.view, "judge", found.judge, judges)
            if several
            else self._left(asked, "judge"),
        }
        told = repr(
            [switches[one] for one in (self.show, self.fields["view"], self.fields["judge"])]
        )
        if told in asked.values and not asked.changed(*MODES, *self.fields):
            return {}  # drawing them again takes the browser longer than all the rest
        return {**switches, self.state: told}

    def _kept(self, asked: Asked, names: Sequence[str]) -> Parts:
        """Fields that mean nothing here keep what the address says."""
        if not asked.changed(*MODES, *names):
            return {}
        return {self.fields[name]: self._left(asked, name) for name in names}

    def _beside(self, asked: Asked, visible: bool = True) -> Parts:
        """The column beside the table, without the card that only preferences have."""
        if not asked.changed(*MODES):
            return {}
        return {self.column: gr.update(visible=visible), **self.pairs.hidden()}

    def _left(self, asked: Asked, name: str) -> Any:
        value = asked.view.one(name)
        return gr.update(choices=[(value, value)], value=value, visible=False)

    def act(self, asked: Asked, *values: Any) -> Parts:
        """What is done on the page."""
        event = asked.event
        match event.get("do") or event.get("field"):
            case "design":
                return self.pairs.chosen(event.get("value"))
            case "draw":
                return self.pairs.draw(asked, *values)
            case "chosen":
                state_chosen(
                    asked.scope,
                    asked.project,
                    str(event.get("value")),
                    addresses.import_of(event.get("import")),
                )
                return {self.frame.acting: addresses.anew(asked)}
            case "weight":
                return {self.frame.acting: addresses.weighed(asked)}
            case "a" | "b" as side:
                return {self.frame.acting: addresses.paired(asked, side)}
        return {}


def only_pairs(found: Board) -> bool:
    """Whether answers are compared in pairs here and none is graded by itself."""
    return not found.criteria and bool(found.preferences)


def _choice(
    view: View, name: str, shown: str, choices: Sequence[tuple[str, str]], **more: Any
) -> Any:
    """A field that shows what is `shown`; where the address does not name it, it stands for
    nothing there, and goes on to do so. One without two things to choose is not shown."""
    unnamed = view.one(name) not in [key for _, key in choices]
    offered = [(text, "" if unnamed and key == shown else key) for text, key in choices]
    value = "" if unnamed else view.one(name)
    return gr.update(choices=offered, value=value, visible=len(choices) > 1, **more)


def build(frame: Frame) -> None:
    """Switches, filters, the table of ranks with what stands beside it, or two beside each
    other."""
    Leaderboard(frame)


page = Page(
    path="/leaderboard",
    title="Leaderboard",
    nav="Leaderboard",
    group="results",
    order=51,
    css=("lead/lead.css", "kit/kit.css", "leaderboard/leaderboard.css"),
    build=build,
)
