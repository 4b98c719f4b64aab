"""The report on one criterion's agreement: which opinions count, judges against people, people
among themselves, every pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from graders.core.derived_judges import LEARNED, is_panel
from graders.core.words import say
from graders.statistics import ceiling, pair_figures, without_intervals
from graders.statistics.budget import more_labels
from graders.statistics.ceiling import Ceiling, Pairs, Planned
from graders.statistics.opinions import Opinions, couples
from graders.statistics.pair_figures import Pair
from graders.statistics.repeats import agreement_with_oneself
from graders.statistics.resampling import Array, Interval, shown, undefined
from graders.store.projects import CriterionRow
from graders.workflows.agreement.assisted import Guess, assisted_figures, told
from graders.workflows.agreement.ground import Ground, second_looks
from graders.workflows.agreement.labels_asked import Supply, There, needed, with_labels
from graders.workflows.agreement.records import (
    AdjudicatedFigures,
    Against,
    CriterionReport,
    GroupJudge,
    GroupRow,
    JudgeKind,
    JudgeRow,
    LeftOut,
    PairKind,
    PairRow,
    PeopleAmong,
    Verdict,
    Word,
)
from graders.workflows.agreement.without_figures import silent
from graders.workflows.agreement.words import (
    ceiling_sentence,
    counted_words,
    headline,
    pair_sentence,
)
from graders.workflows.opinions import author_ceilings
from graders.workflows.opinions.participants import POPULATIONS, Circle
from graders.workflows.scope.permissions import Scope

#: Below this number of people a figure speaks for these people only: cells are left out in turn,
#: people are not.
ANY_PEOPLE = 5
#: A judge counts as good as a person when, with 95 % confidence, it is at most this much below what
#: people reach.
MARGIN = 0.1


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a criterion: of pairs of authors (author rows), of people who were `planned`
    and `among` themselves in pairs, the ceiling without a judge and beside each of them. `called`:
    people who were called in on disagreements; `graders`: all people whose opinions count.
    `assisted`: of judges without a sure figure, from assisted verdicts."""

    criterion: CriterionRow
    opinions: Opinions
    used: Array
    planned: Planned
    called: Sequence[int]
    graders: Sequence[int]
    pairs: Mapping[tuple[int, int], Pair]
    among: Interval
    reached: Ceiling
    ceilings: Mapping[int, Ceiling]
    assisted: Mapping[int, Guess]

    @property
    def people(self) -> Sequence[int]:
        """The people who were planned."""
        return self.planned.people

    def of_people(self) -> list[Pair]:
        """The pairs of people who were planned."""
        return [self.pairs[pair] for pair in couples(self.people) if pair in self.pairs]


def figures_of(ground: Ground, place: int, *, intervals: bool) -> Figures:
    """The figures of the criterion at a `place` of the ground; without `intervals` a figure's low
    and high are None, and no judge has a word."""
    criterion, opinions = ground.criteria[place], ground.loaded[place]
    circle, weighted, scale = ground.circle, ground.view.blind_only, criterion.scale
    used = ground.used(opinions)
    graders = opinions.graders(used)
    everyone = [author for author in graders if author in circle.people]
    people, called = ground.planned(opinions)
    final = [author for author in graders if author == circle.adjudicated]
    wanted = (
        [(j, p) for j in opinions.judged for p in (*final, *everyone)]
        + [(p, a) for a in final for p in everyone]
        + couples(everyone)
    )
    make = pair_figures.pairs if intervals else without_intervals.pairs
    pairs = make(scale, opinions, used, wanted, weighted=weighted)
    planned = Planned.of(scale, opinions, used, people, weighted=weighted)
    of_two = Pairs(pairs, make)
    ceiling_of = partial(ceiling.ceiling, planned, of_two, intervals=intervals)
    ceilings = {judge: ceiling_of((judge, said)) for judge, said in opinions.judged.items()}
    early = [judge for judge, beside in ceilings.items() if beside.judge.status != "OK"]
    return Figures(
        criterion=criterion,
        opinions=opinions,
        used=used,
        planned=planned,
        called=sorted(called),
        graders=everyone,
        pairs=pairs,
        among=pair_figures.mean([pairs[pair].part for pair in couples(people) if pair in pairs])
        if len(people) > 1
        else _too_few_people(),
        reached=ceiling_of(None),
        ceilings=ceilings,
        assisted=assisted_figures(ground, place, early, intervals=intervals),
    )


def _too_few_people() -> Interval:
    return undefined(say("agreement.few_people"))


def report_of(
    scope: Scope, ground: Ground, place: int, figures: Figures, without: LeftOut, chosen: int
) -> CriterionReport:
    """The report on a criterion with its figures, in words. `without` is left out; `chosen`:
    adjudicated values of cells that were chosen because people differ."""
    criterion, opinions, circle = figures.criterion, figures.opinions, ground.circle
    cells, questions = opinions.size(figures.used & opinions.by(ground.counting()))
    labels = sum(opinions.by_design(figures.used & opinions.by(figures.people)).values())
    ranges = [words for words, _, _ in pair_figures.ranges(criterion.scale)]
    supply = Supply(len(figures.people), labels, cells)
    judges = _judges(scope, ground, figures, supply)
    report = CriterionReport(
        key=criterion.key,
        title=criterion.criterion.title,
        question=criterion.criterion.question,
        rubric=criterion.rubric.name,
        figure=figures.planned.figure,
        pair_figure=pair_figures.lead_name(criterion.scale),
        gaps=figures.planned.gaps,
        unit="cell" if criterion.criterion.parts or criterion.criterion.elements else "answer",
        ranges=ranges,
        words=[_anchored(criterion, words) for words in ranges],
        ordered=criterion.scale.is_ordered,
        cells=cells,
        questions=questions,
        labels=labels,
        people=_people(scope, ground, place, figures),
        judges=judges,
        groups=_groups(circle, figures),
        left_out=without,
        control=author_ceilings.opinions(scope.ws, ground.project, criterion),
        counted=counted_words(ground, opinions, figures.people),
        silent=silent(scope, circle, criterion, {judge.ref for judge in judges}),
    )
    return replace(
        report,
        people=replace(report.people, sentence=ceiling_sentence(report)),
        judges=[
            replace(judge, sentence=headline(report, judge, chosen)) for judge in report.judges
        ],
    )


def _people(scope: Scope, ground: Ground, place: int, figures: Figures) -> PeopleAmong:
    """People among themselves, without a sentence."""
    circle, count = ground.circle, len(figures.people)
    oneself = agreement_with_oneself(
        figures.criterion.scale,
        second_looks(scope, ground, place),
        ground.counting(),
        weighted=ground.view.blind_only,
    )
    lack, reached = figures.reached.lack, figures.reached.people
    lacking = ""
    if lack:
        there = There.of(scope, ground, figures.criterion, short=True)
        found = needed(scope, ground, figures.criterion, figures.planned, there, lack)
        lacking = found.words
        reached = replace(reached, reason=lacking)
    whom = "these" if count < ANY_PEOPLE else "like_these"
    return PeopleAmong(
        mean=shown(figures.among),
        ceiling=shown(reached),
        graders=figures.reached.graders,
        self=shown(oneself),
        lacking=lacking,
        population=say(f"agreement.population.people.{whom}", count=count),
        raw=pair_figures.mean_raw(figures.of_people()),
        names=[circle.label(author) for author in figures.people],
        called_in=[circle.label(author) for author in figures.called],
    )


def _judges(scope: Scope, ground: Ground, figures: Figures, supply: Supply) -> list[JudgeRow]:
    """Each judge that graded what people graded, best first, without a sentence."""
    rows = [
        (row, judge, figures.ceilings[judge].lack)
        for judge in ground.circle.judges
        if judge in figures.assisted or any(pair[0] == judge for pair in figures.pairs)
        if (row := _judge(scope, ground, figures, judge)) is not None
    ]
    return sorted(
        with_labels(scope, ground, figures.criterion, figures.planned, rows, supply),
        key=lambda row: (row.shown.value is None, -(row.shown.value or 0.0), row.name),
    )


def _judge(scope: Scope, ground: Ground, figures: Figures, judge: int) -> JudgeRow | None:
    """A judge beside the ceiling on the same targets, against each person, against adjudicated;
    None where it has no pair with a person who was planned, or with adjudicated."""
    circle, pairs = ground.circle, figures.pairs
    with_people = [pairs[judge, p] for p in figures.people if (judge, p) in pairs]
    final = None if circle.adjudicated is None else pairs.get((judge, circle.adjudicated))
    guess = figures.assisted.get(judge)
    if not with_people and final is None and guess is None:
        return None
    parts = [pair.part for pair in with_people]
    average = pair_figures.mean(parts) if parts else undefined(say("agreement.no_person"))
    beside = figures.ceilings[judge]
    against, lead, cells = Against.PEOPLE, beside.judge if parts else average, beside.judged
    if final is not None and (not parts or lead.value is None):
        against, lead, cells = Against.ADJUDICATED, final.lead, final.part.cells
    every = [*parts, *([final.part] if final else [])]
    return JudgeRow(
        ref=circle.ref(judge),
        name=circle.label(judge),
        kind=_kind(circle.judges[judge]),
        people=shown(average),
        ceiling=shown(beside.people),
        raw=pair_figures.mean_raw(with_people),
        adjudicated=AdjudicatedFigures(shown(final.lead), shown(final.raw)) if final else None,
        cells=cells,
        questions=lead.n_questions or max((part.questions for part in every), default=0),
        shown=shown(lead),
        shown_against=against,
        apart=shown(beside.apart),
        verdict=_verdict(ground, beside, one_value=figures.opinions.one_value(judge, figures.used)),
        assisted=told(scope, ground, figures.criterion, guess) if guess else None,
    )


def _verdict(ground: Ground, beside: Ceiling, *, one_value: bool) -> Verdict:
    """The verdict on a judge. Cells that were not drawn decide nothing; what says the same of every
    cell agrees by chance alone, whichever cells are drawn."""
    blind = ground.view.blind_only
    if blind and not POPULATIONS[ground.population].drawn:
        return Verdict(Word.INCONCLUSIVE, "?", say("agreement.undrawn"))
    if beside.lack:
        lack = beside.lack
        return Verdict(Word.INCONCLUSIVE, "?", lack.words, lack.missing, lack.short)
    found = verdict(beside.apart, blind=blind)
    if one_value and found.word == Word.WORSE:
        found = replace(found, reason=say("agreement.one_value"))
    return found


def verdict(apart: Interval, *, blind: bool = True) -> Verdict:
    """Whether a judge agrees with people as well as they do with each other, from the difference of
    the two means.

    Better: the interval lies above 0. Worse: below 0. As good: it holds 0 and no value below
    -MARGIN. Else INCONCLUSIVE, with the labels (`blind` ones where these alone count; two on each
    further cell) that decide it whatever they say: an interval no wider than MARGIN cannot reach
    below -MARGIN and above 0. COMPUTING where the interval was not asked for.
    """
    if apart.status == "OK" and apart.low is None:
        return Verdict(Word.COMPUTING, "", apart.reason)
    if apart.low is None or apart.high is None or apart.value is None or apart.status != "OK":
        return Verdict(Word.INCONCLUSIVE, "?", apart.reason)
    if apart.low > 0:
        return Verdict(Word.BETTER, "✓")
    if apart.high < 0:
        return Verdict(Word.WORSE, "▽")
    if apart.low >= -MARGIN:
        return Verdict(Word.AS_GOOD, "✓")
    reach = (apart.high - apart.low) / 2
    missing = 2 * more_labels(apart.n_cells, reach, MARGIN / 2)
    about = say(f"agreement.about_more.{'blind' if blind else 'any'}", n=missing)
    return Verdict(Word.INCONCLUSIVE, "?", about, missing)


def _kind(judge: str) -> JudgeKind:
    if judge == LEARNED:
        return JudgeKind.LEARNED
    return JudgeKind.PANEL if is_panel(judge) else JudgeKind.JUDGE


def _groups(circle: Circle, figures: Figures) -> list[GroupRow]:
    """The groups whose verdicts do not count, each with its own figures."""
    apart = [author for author in figures.graders if not circle.counts(author)]
    rows = []
    for name in sorted({circle.group(author) for author in apart}):
        members = [author for author in apart if circle.group(author) == name]
        between = [figures.pairs[p].part for p in couples(members) if p in figures.pairs]
        judges = []
        for judge in circle.judges:
            parts = [figures.pairs[judge, i].part for i in members if (judge, i) in figures.pairs]
            if parts:
                judges.append(GroupJudge(circle.label(judge), shown(pair_figures.mean(parts))))
        among = pair_figures.mean(between) if between else _too_few_people()
        rows.append(GroupRow(name or say("agreement.no_group"), len(members), shown(among), judges))
    return rows


def pairs_of(ground: Ground, figures: Figures, report: CriterionReport) -> list[PairRow]:
    """Every pair of authors on a criterion."""
    circle = ground.circle
    rows = []
    for (a, b), pair in figures.pairs.items():
        names, lead, raw = (circle.label(a), circle.label(b)), shown(pair.lead), shown(pair.raw)
        rows.append(
            PairRow(
                criterion=report.key,
                kind=_pair_kind(circle, a, b),
                a=circle.ref(a),
                b=circle.ref(b),
                a_name=names[0],
                b_name=names[1],
                groups=[circle.group(a), circle.group(b)],
                cells=pair.part.cells,
                questions=pair.part.questions,
                raw=raw,
                lead=lead,
                ac=pair.ac,
                counts=pair.counts,
                sentence=pair_sentence(report, names, lead, raw),
            )
        )
    return rows


def _pair_kind(circle: Circle, a: int, b: int) -> PairKind:
    final = b == circle.adjudicated
    if a in circle.judges:
        return PairKind.JUDGE_ADJUDICATED if final else PairKind.JUDGE_PERSON
    return PairKind.PERSON_ADJUDICATED if final else PairKind.PERSON_PERSON


def _anchored(criterion: CriterionRow, words: str) -> str:
    """A value with its anchor, where the scale gives one."""
    anchors = dict(criterion.scale.anchors)
    return f"{words} {anchors[int(words)]}" if words.isdigit() and int(words) in anchors else words
