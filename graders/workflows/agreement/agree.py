"""Agreement: how far judges and people agree on each criterion, beside how far people agree among
themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace

from graders.core.derived_judges import LEARNED
from graders.core.errors import NotFound
from graders.core.words import error_parts, say
from graders.store.calls import runs
from graders.store.figures.agreement import DESIGNS
from graders.store.opinions import uncounted, verdicts
from graders.store.opinions.filters import EVERYTHING, Filters
from graders.store.projects import Project
from graders.workflows.agreement import criterion_report, ground, words
from graders.workflows.agreement.ground import Ground, View
from graders.workflows.agreement.records import (
    Agreement,
    CriterionReport,
    LeftOut,
    PairRow,
    Word,
)
from graders.workflows.opinions.label_choice import choice
from graders.workflows.opinions.narrowing import choices
from graders.workflows.opinions.participants import NO_SAMPLE, aside_words, watermark
from graders.workflows.scope.memory import Memory
from graders.workflows.scope.missing_reasons import cause_counts
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.project_head import ProjectHead

#: Computed reports that are kept in memory.
KEPT_REPORTS = 32
#: Exit codes of judges that may not stand in for a person, or not yet.
NOT_TRUSTED, INCONCLUSIVE = 4, 5
#: With fewer opinions of people than this, intervals are there as soon as counts.
FEW_OPINIONS = 10_000
#: No verdict is left out.
NOTHING = LeftOut(0, 0, 0, 0, 0)

_kept = Memory(KEPT_REPORTS)


@needs("look")
def agreement(
    scope: Scope,
    project_name: str,
    *,
    blind_only: bool = True,
    population: str = "",
    filters: Filters = EVERYTHING,
    intervals: bool = True,
    everyone: bool = False,
) -> Agreement:
    """Per criterion: each judge beside the ceiling and against `adjudicated`, people among
    themselves, and every pair with its matrix.

    Figures are kappa (quadratic weights on ordered scales; rank correlation on plain ranges) with
    the jackknife interval by questions, raw agreement and Gwet's AC. Only present opinions under
    the present wording on current answers count. `blind_only` False adds verdicts that were given
    with suggestions in view. `population` is all, people or audit: which draw's blind verdicts
    count, the widest there is unless named; each verdict weighs 1/probability. `filters` narrow the
    verdicts of people down. `intervals` False asks for the figures soon, if need be without
    intervals and what hangs on them; `intervals` of the report says whether it has them. `everyone`
    counts also people who are set aside.
    """
    view = View(blind_only, population, filters, everyone)
    project = scope.project(project_name)
    key = (str(scope.ws.path.resolve()), project.id, view)
    idle = judges_without_figures(scope, project)
    mark = (*watermark(scope, project), idle)
    kept: Agreement | None = _kept.peek((*key, True), mark) or (
        None if intervals else _kept.peek((*key, False), mark)
    )
    if kept is not None:
        return kept
    basis = ground.ground(scope, project, view)
    few = sum(len(opinions.author) for opinions in basis.loaded) < FEW_OPINIONS
    report = replace(_report(scope, basis, intervals=intervals or few), idle=idle)
    _kept.keep((*key, report.intervals), mark, report)
    # another request may have computed the intervals meanwhile
    full: Agreement | None = _kept.peek((*key, True), mark)
    return full or report


def gate(report: Agreement, criterion_key: str = "") -> int:
    """The exit code of a report for scripts: 0 where on each criterion (or the one named) a judge
    is as good as a person, 4 where on one of them every judge is worse, 5 where labels do not
    suffice to say."""
    rows = [row for row in report.criteria if criterion_key in ("", row.key)]
    if criterion_key and not rows:
        keys = ", ".join(row.key for row in report.criteria) or say("agreement.no_figures.none")
        raise NotFound(**error_parts("agreement.no_figures", key=repr(criterion_key), keys=keys))
    verdicts_on = [{judge.verdict.word for judge in row.judges} for row in rows]
    good = [any(word.is_good for word in of) for of in verdicts_on]
    unsure = [
        not of or (Word.INCONCLUSIVE in of and not well)
        for of, well in zip(verdicts_on, good, strict=True)
    ]
    if not rows or any(unsure):
        return NOT_TRUSTED if any(of == {Word.WORSE} for of in verdicts_on) else INCONCLUSIVE
    return 0 if all(good) else NOT_TRUSTED


def forget() -> None:
    """Drop the reports that are kept in memory."""
    _kept.forget()
    ground.forget()


def _report(scope: Scope, basis: Ground, *, intervals: bool) -> Agreement:
    project, view = basis.project, basis.view
    left: list[LeftOut] = []
    shown: list[CriterionReport] = []
    pairs: list[PairRow] = []
    without: list[str] = []
    chosen = 0
    anybody = basis.of_people()  # without a person nothing is compared, and nothing left out
    for place, (criterion, opinions) in enumerate(zip(basis.criteria, basis.loaded, strict=True)):
        counts = _left_out(scope, basis, place) if anybody else NOTHING
        settled = _chosen_cells(basis, place)
        left.append(counts)
        chosen += settled
        figures = (
            criterion_report.figures_of(basis, place, intervals=intervals)
            if len(opinions.author)
            else None
        )
        if figures is None or not (figures.pairs or figures.assisted):
            without.append(criterion.criterion.title)
            continue
        report = criterion_report.report_of(scope, basis, place, figures, counts, settled)
        shown.append(report)
        pairs += criterion_report.pairs_of(basis, figures, report)
    total = _total(left, view.blind_only)
    title, subtitle = words.title(
        shown,
        len(basis.circle.judges),
        total,
        view.blind_only,
        chosen=chosen,
        intervals=intervals,
    )
    return Agreement(
        project=ProjectHead.of(project),
        title=title,
        subtitle=f"{subtitle}{aside_words(basis.circle)}".strip(),
        choice=choice(scope, project),
        blind_only=view.blind_only,
        intervals=intervals,
        population=words.population_shown(
            basis.population, basis.loaded, view.blind_only, basis.only
        ),
        filters=view.filters.chosen,
        choices=choices(scope, project),
        reference_group=basis.circle.reference,
        left_out=total,
        criteria=shown,
        without=without,
        pairs=pairs,
    )


def _left_out(scope: Scope, basis: Ground, place: int) -> LeftOut:
    """How many verdicts on the criterion at a `place` of the ground do not count."""
    opinions = basis.loaded[place]
    mine = opinions.by(basis.counting())
    others = opinions.by_design(opinions.blind & ~basis.used(opinions) & mine)
    no_sample = {name: others.get(DESIGNS.index(name), 0) for name in NO_SAMPLE}
    return LeftOut(
        assisted=sum(opinions.by_design(~opinions.blind & mine).values()),
        other_draws=sum(others.values()),
        adaptive=no_sample["adaptive"],
        placed=no_sample["placed"],
        earlier_wording=uncounted.other_wordings(
            scope.ws.db, basis.criteria[place], basis.of_people(), basis.view.filters
        ),
    )


def _chosen_cells(basis: Ground, place: int) -> int:
    """How many adjudicated values are of cells that were settled here because people differ on
    them; imported ones may be of any. 0 where blind verdicts alone count."""
    final, opinions = basis.circle.adjudicated, basis.loaded[place]
    if final is None or basis.view.blind_only:
        return 0
    return opinions.by_design(opinions.by([final])).get(-1, 0)


def _total(left: Sequence[LeftOut], blind_only: bool) -> LeftOut:
    """What is left out of all criteria; assisted verdicts are not where all count."""
    total = LeftOut(
        **{field.name: sum(getattr(one, field.name) for one in left) for field in fields(LeftOut)}
    )
    return total if blind_only else replace(total, assisted=0)


def judges_without_figures(scope: Scope, project: Project) -> str:
    """The judges that are set up, or were asked in the latest run, and have not one verdict, with
    the reason; empty where there is none."""
    last = runs.latest_run(scope.ws, project)
    asked = (
        {str(judge["name"]): judge for judge in (last.progress.get("judges") or [])} if last else {}
    )
    heard = {
        name for kind, name in verdicts.authors(scope.ws.db, project).values() if kind == "judge"
    }
    names = []
    for name in dict.fromkeys([*(project.settings.get("judges") or {}), *asked]):
        # verdicts are signed without the address that a run names
        if {name, name.partition("@")[0]} & heard or name == LEARNED:
            continue
        causes = asked.get(name, {}).get("reasons") or {}
        names.append(
            say("agreement.idle.failed", name=name, causes=cause_counts(causes))
            if causes
            else say("agreement.idle.never_run", name=name)
        )
    return say("agreement.idle", names=", ".join(names)) if names else ""
