"""Agreement: judges beside people, one criterion under the other; a judge opens the matrix, a cell
of it the answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from graders.core.words import say
from graders.web.kit import Asked, Frame, Parts, drawn
from graders.web.kit.counted import Counted
from graders.web.kit.gradio import gr
from graders.web.page import Page
from graders.web.pages.agreement.answers import OPENED, Answers, differing
from graders.web.pages.agreement.chart import SIGNS, chart_of, people_line
from graders.workflows.agreement import agree, by_wording, people
from graders.workflows.agreement import details as agreement_details
from graders.workflows.agreement.disagreements import Option
from graders.workflows.agreement.records import Agreement, CriterionReport, PairKind, PairRow
from graders.workflows.agreement.work_left import progress
from graders.workflows.opinions import fast_work
from graders.workflows.opinions.narrowing import choices
from graders.workflows.routing.labels_missing import labels_missing

#: What the page shows, by the name in the address.
VIEWS = ("", "disagreements", "people", "versions")
#: Parameters that say which two authors' matrix is open, and which answers of it.
PAIR = ("criterion", "a", "b", "more")
CELL = ("value_a", "value_b", "p", *OPENED)


class AgreementPage:
    """The page under way: its parts, and how each view is drawn into them."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.later = frame.part(acts=True)
        self.views = frame.part()
        self.counted = Counted(frame)
        with gr.Row(elem_classes="k-fields"):
            self.narrowed = {
                "criterion": gr.Dropdown([], label=say("agreement.page.criterion"), visible=False),
                "a": gr.Dropdown([], label=say("agreement.page.judge"), visible=False),
            }
        with gr.Row(elem_classes="agc"):
            self.chart = frame.part(elem_classes="k-main")
            self.side = frame.part(elem_classes="k-side")
        self.body = frame.part(acts=True)
        self.answers = Answers(frame, self.counted)
        frame.draws(
            self.counted.fields | self.narrowed,
            self.draw,
            [
                *(self.later, self.views, self.chart, self.side, self.body, self.answers.part),
                *self.counted.outputs,
            ],
            resets=("value_a", "value_b", "p", "group"),
        )
        frame.acts(self.later.act, self.compute, [], [], redraws=True)
        frame.acts(self.answers.part.act, self.did, [], [self.answers.part])
        frame.acts(self.body.act, self.set_aside, [], [], redraws=True)

    def draw(self, asked: Asked) -> Parts:
        """The view that the address asks for."""
        if not asked.project:
            return {self.frame.top: drawn("empty.html", title=say("agreement.page.empty"))}
        view = asked.view.one("view")
        present = view if view in VIEWS else ""
        shown: Parts = {}
        if asked.changed("view"):
            shown = dict.fromkeys((self.later, self.chart, self.side, self.body), "")
            shown[self.answers.part] = ""
            shown |= self._narrowed({}, asked)
        shown[self.views] = drawn(
            "agreement/views.html", views=VIEWS, view=asked.view, present=present
        )
        match present:
            case "people":
                return shown | self._people(asked)
            case "versions":
                return shown | self._versions(asked)
            case "disagreements":
                return shown | self._disagreements(asked)
        return shown | self._judges(asked)

    def _judges(self, asked: Asked) -> Parts:
        found = self._report(asked)
        shown: Parts = {}
        criterion, ref = _chosen(found, asked)
        if asked.changed("view", "all", *self.counted.fields, *PAIR):
            shown |= {
                self.frame.top: drawn(
                    "agreement/top.html",
                    found=found,
                    notice=found.project.notice,
                    missing=labels_missing(asked.scope, asked.project),
                ),
                self.later: drawn("agreement/later.html", intervals=found.intervals),
                self.chart: drawn(
                    "agreement/chart.html",
                    chart=chart_of(found, "all" in asked.view),
                    chosen=(criterion.key if criterion else "", ref),
                    people_line=people_line,
                    view=asked.view,
                ),
                **self._filled(asked, found),
            }
        pairs = [pair for pair in found.pairs if criterion and pair.criterion == criterion.key]
        pair = _pair(pairs, asked, ref)
        if asked.changed("view", *self.counted.fields, *PAIR, "value_a", "value_b"):
            shown[self.side] = self._matrix(asked, criterion, pairs, pair)
        if asked.changed("view", *self.counted.fields, *PAIR, *CELL):
            shown[self.answers.part] = self.answers.of_pair(asked, pair, {})
        return shown

    def _report(self, asked: Asked) -> Agreement:
        """Figures as soon as they can be shown: intervals may come later."""
        return agree.agreement(
            asked.scope, asked.project, intervals=False, **self.counted.of(asked.view)
        )

    def compute(self, asked: Asked) -> Parts:
        """The intervals, so that the page that is drawn after it has them."""
        agree.agreement(asked.scope, asked.project, **self.counted.of(asked.view))
        return {}

    def _matrix(
        self,
        asked: Asked,
        criterion: CriterionReport | None,
        pairs: Sequence[PairRow],
        pair: PairRow | None,
    ) -> str:
        if criterion is None:
            return ""
        more = None
        if pair and "more" in asked.view and pair.a.startswith("judge:"):
            more = agreement_details.details(
                asked.scope, asked.project, criterion.key, pair.a, **self.counted.of(asked.view)
            )
        return drawn(
            "agreement/matrix.html",
            criterion=criterion,
            pair=pair,
            pairs=pairs,
            others=[one for one in pairs if pair and one.a == pair.a],
            total=max(1, sum(map(sum, pair.counts))) if pair else 1,
            more=more,
            view=asked.view,
        )

    def _disagreements(self, asked: Asked) -> Parts:
        found = differing(asked, self.counted)
        return {
            self.frame.top: drawn("agreement/differ.html", found=found, notice=self._notice(asked)),
            self.body: drawn(
                "agreement/disagreements.html",
                found=found,
                most=max([1, *(group.count for group in found.groups)]),
                view=asked.view,
            ),
            self.answers.part: self.answers.of_difference(asked, found, {}),
            **self._filled(asked, hidden=("blind", "wording")),
            **self._narrowed({"criterion": found.criteria, "a": found.judges}, asked),
        }

    def _people(self, asked: Asked) -> Parts:
        found = people.people_report(asked.scope, asked.project, **self.counted.of(asked.view))
        left = progress(asked.scope, asked.project)
        return {
            self.frame.top: drawn(
                "top.html", title=found.title, text=left.words, notice=self._notice(asked)
            ),
            self.body: drawn(
                "agreement/people.html",
                found=found,
                progress=left,
                fast_figures=fast_work.figures,
                fast_cells=fast_work.CELLS,
            ),
            **self._filled(asked, hidden=("blind",)),
        }

    def _versions(self, asked: Asked) -> Parts:
        options = self.counted.of(asked.view)
        options["filters"] = replace(options["filters"], wording=0)
        found = by_wording.versions(asked.scope, asked.project, **options)
        return {
            self.frame.top: drawn(
                "top.html", title=found.title, text=found.subtitle, notice=self._notice(asked)
            ),
            self.body: drawn("agreement/versions.html", found=found, signs=SIGNS),
            **self._filled(asked, hidden=("wording",)),
        }

    def _filled(
        self, asked: Asked, found: Agreement | None = None, hidden: Sequence[str] = ()
    ) -> Parts:
        """The filters; those `hidden` mean nothing in a view."""
        known = choices(asked.scope, asked.scope.project(asked.project))
        population, asks = (found.population if found else None), asked.view.one("population")
        # the one that counts where the address names none has no name in the list either
        draws = [
            (
                say("agreement.page.draw", words=one.words, n=one.verdicts),
                "" if not asks and population and one.name == population.name else one.name,
            )
            for one in (population.choices if population else ())
        ]
        return self.counted.filled(asked.view, known, draws, hidden)

    def _narrowed(self, offered: Mapping[str, Sequence[Option]], asked: Asked) -> Parts:
        """The fields that narrow disagreements down; elsewhere they keep what the address says."""
        parts: Parts = {}
        for name, field in self.narrowed.items():
            value = asked.view.one(name)
            some = [(say(f"agreement.page.{name}.all"), "")]
            some += [(o.words, o.value) for o in offered.get(name, ())]
            if all(value != known for _, known in some):
                some.append((value, value))
            parts[field] = gr.update(choices=some, value=value, visible=name in offered)
        return parts

    def _notice(self, asked: Asked) -> str:
        return asked.scope.project(asked.project).notice

    def did(self, asked: Asked) -> Parts:
        """What is done from an answer's row: the list says what became of it."""
        said = self.answers.did(asked)
        if asked.view.one("view") == "disagreements":
            list_ = self.answers.of_difference(asked, differing(asked, self.counted), said)
        else:
            found = self._report(asked)
            criterion, ref = _chosen(found, asked)
            pairs = [pair for pair in found.pairs if criterion and pair.criterion == criterion.key]
            list_ = self.answers.of_pair(asked, _pair(pairs, asked, ref), said)
        return {self.answers.part: list_}

    def set_aside(self, asked: Asked) -> Parts:
        """Leave a person's verdicts out, or let them in again."""
        person = str(asked.event.get("person") or "")
        people.set_aside(asked.scope, asked.project, person, asked.event.get("aside") is True)
        return {}


def _chosen(found: Agreement, asked: Asked) -> tuple[CriterionReport | None, str]:
    """The criterion and the judge of the address, else the best judge of the first criterion."""
    key = asked.view.one("criterion")
    criterion = next((one for one in found.criteria if one.key == key), None)
    criterion = criterion or (found.criteria[0] if found.criteria else None)
    best = criterion.judges[0].ref if criterion and criterion.judges else ""
    return criterion, asked.view.one("a") or best


def _pair(pairs: Sequence[PairRow], asked: Asked, ref: str) -> PairRow | None:
    """The pair of the address, else the judge against adjudicated values, else against the first
    person."""
    mine = [one for one in pairs if one.a == ref or (not ref and not one.a.startswith("judge:"))]
    other = asked.view.one("b")
    return next(
        (one for one in mine if one.b == other),
        next((one for one in mine if one.kind is PairKind.JUDGE_ADJUDICATED), None)
        or (mine[0] if mine else None),
    )


def build(frame: Frame) -> None:
    """Views, filters, the chart with the matrix beside it, and the answers below."""
    AgreementPage(frame)


page = Page(
    path="/agreement",
    title="Agreement",
    nav="Agreement",
    group="trust",
    order=40,
    css=("lead/lead.css", "kit/kit.css", "agreement/agreement.css"),
    build=build,
)
