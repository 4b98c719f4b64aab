"""All figures of one judge on one criterion, behind the headline, each with a sentence that can be
copied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graders.core.errors import InputError, NotFound
from graders.core.scale import Scale
from graders.core.words import error_parts, say
from graders.statistics.alt_test import AltTest
from graders.statistics.judge_details import (
    Codes,
    Compared,
    ConstantBeside,
    FigureKey,
    alternative_tests,
    constants,
    figures_of,
    gwet_name,
)
from graders.statistics.opinions import Opinions
from graders.statistics.pairwise_alpha import Ratings, alpha_level, alphas
from graders.statistics.resampling import Estimate, Status, shown
from graders.store.opinions.filters import EVERYTHING, Filters
from graders.store.projects import CriterionRow
from graders.workflows.agreement.ground import Ground, View, ground
from graders.workflows.agreement.records import CriterionName
from graders.workflows.agreement.words import counted_words, figure, share
from graders.workflows.scope.permissions import Scope, needs


@dataclass(frozen=True, slots=True)
class JudgeName:
    """A judge: the name under which it is asked for, and what people read."""

    ref: str
    name: str


@dataclass(frozen=True, slots=True)
class FigureRow:
    """A figure of judge and people, and of people among themselves, None where it is not asked for;
    what it is `about`, and its `sentence`."""

    key: FigureKey
    name: str
    about: str
    judge: Estimate
    people: Estimate | None
    sentence: str


@dataclass(frozen=True, slots=True)
class AgainstPerson:
    """The judge against one person on so many `items`: the share on which it agrees with the others
    at least as well, the p-value, and whether it won (None: not tested)."""

    name: str
    items: int
    advantage: float
    p: float | None
    won: bool | None


@dataclass(frozen=True, slots=True)
class AltTestShown:
    """The alternative annotator test at the margin `epsilon`: the winning rate (`omega`; with
    questions as clusters: `omega_questions`), whether it is passed, the mean advantage `rho`, and
    the judge `against` each person. None where it says nothing."""

    epsilon: float
    omega: float | None
    omega_questions: float | None
    passed: bool | None
    rho: Estimate
    against: Sequence[AgainstPerson]
    status: Status
    reason: str


@dataclass(frozen=True, slots=True)
class ConstantShown:
    """The best constant answer (`value`, None without cells) and how often it is right within a
    `tolerance`, and how often the judge is."""

    tolerance: float
    value: str | None
    constant: Estimate
    judge: Estimate


@dataclass(frozen=True, slots=True)
class Details:
    """All figures of a judge on a criterion beside these `people`: which verdicts are `counted`;
    whether the scale is cut into steps (`stepped`); the alternative annotator test by the published
    margins; the best constant answers, exact and within a step where the scale has an order;
    `sentences` of the test and the constants."""

    criterion: CriterionName
    judge: JudgeName
    people: Sequence[str]
    counted: str
    stepped: bool
    figures: Sequence[FigureRow]
    alt_test: Mapping[str, AltTestShown]
    constant: Sequence[ConstantShown]
    sentences: Sequence[str]


@dataclass(frozen=True, slots=True)
class _About:
    """What every sentence of the details names."""

    judge: str
    criterion: str
    counted: str


@needs("look")
def details(
    scope: Scope,
    project_name: str,
    criterion_key: str,
    judge: str,
    *,
    blind_only: bool = True,
    population: str = "",
    filters: Filters = EVERYTHING,
) -> Details:
    """The figures of `judge` (``judge:NAME``) on a criterion, with what each means in a
    sentence."""
    basis = ground(scope, scope.project(project_name), View(blind_only, population, filters))
    criterion, opinions = basis.one(criterion_key)
    author = _judge(basis, opinions, judge)
    people, _ = basis.planned(opinions)
    if not people:
        raise InputError(**error_parts("agreement.no_people", criterion=criterion_key))
    scale, used, weighted = criterion.scale, basis.used(opinions), basis.view.blind_only
    codes = Codes.of(scale, opinions, used, author, people, weighted=weighted)
    ratings = Ratings.of(opinions, used, people, weighted=weighted)
    with_people = alphas(scale, opinions, ratings, opinions.judged[author])
    about = _About(
        judge=basis.circle.label(author),
        criterion=criterion.criterion.title,
        counted=counted_words(basis, opinions, people),
    )
    tests = {
        who: _test_shown(test, basis, people)
        for who, test in alternative_tests(scale, codes).items()
    }
    best = [_constant_shown(row, scale, codes) for row in constants(scale, codes)]
    return Details(
        criterion=CriterionName(criterion.key, criterion.criterion.title),
        judge=JudgeName(judge, about.judge),
        people=[basis.circle.label(person) for person in people],
        counted=about.counted,
        stepped=codes.stepped,
        figures=[
            _figure_row(row, criterion, codes, about)
            for row in figures_of(scale, codes, with_people)
        ],
        alt_test=tests,
        constant=best,
        sentences=[
            _test_sentence(tests["skilled"], about),
            *(_constant_sentence(row, about) for row in best),
        ],
    )


def _judge(basis: Ground, opinions: Opinions, ref: str) -> int:
    """The author row of a judge that graded what people graded; NotFound lists these."""
    circle = basis.circle
    author = next((judge for judge in circle.judges if circle.ref(judge) == ref), None)
    if author is None or author not in opinions.judged:
        refs = ", ".join(circle.ref(judge) for judge in opinions.judged)
        raise NotFound(
            **error_parts(
                "agreement.no_judged_value",
                ref=repr(ref[:80]),
                refs=say("agreement.no_judged_value.one_of", refs=refs)
                if refs
                else say("agreement.no_judged_value.none"),
            )
        )
    return author


def _figure_row(row: Compared, criterion: CriterionRow, codes: Codes, about: _About) -> FigureRow:
    scale = criterion.scale
    name = say(f"agreement.details.{row.key}.name", name=gwet_name(scale, codes))
    judge, people = shown(row.judge), None if row.people is None else shown(row.people)
    sides = [say("agreement.details.judge", judge=about.judge, figure=figure(judge))]
    if people is not None:
        sides.append(say("agreement.details.people", figure=figure(people)))
    sentence = say(
        "agreement.details.sentence",
        name=name[0].upper() + name[1:],
        criterion=about.criterion,
        sides="; ".join(sides),
        counted=about.counted,
    )
    what = say(f"agreement.details.{row.key}.about", level=alpha_level(scale))
    return FigureRow(row.key, name, what, judge, people, sentence)


def _test_shown(test: AltTest, basis: Ground, people: Sequence[int]) -> AltTestShown:
    return AltTestShown(
        epsilon=test.epsilon,
        omega=test.omega,
        omega_questions=test.omega_questions,
        passed=test.passed,
        rho=shown(test.rho),
        against=[
            AgainstPerson(
                basis.circle.label(people[each.person]),
                each.n_items,
                each.advantage,
                each.p,
                each.won,
            )
            for each in test.people
        ],
        status=test.status,
        reason=test.reason,
    )


def _test_sentence(test: AltTestShown, about: _About) -> str:
    places = {"judge": about.judge, "criterion": about.criterion, "counted": about.counted}
    if test.omega is None:
        return say("agreement.alt_test.nothing", reason=test.reason, **places)
    outcome = say(f"agreement.alt_test.{'passed' if test.passed else 'not_passed'}")
    doubt = say("agreement.alt_test.doubt", reason=test.reason) if test.reason else ""
    return say(
        "agreement.alt_test.sentence",
        epsilon=test.epsilon,
        omega=test.omega,
        outcome=outcome + doubt,
        advantage=figure(test.rho),
        **places,
    )


def _constant_shown(row: ConstantBeside, scale: Scale, codes: Codes) -> ConstantShown:
    value = None
    if row.code is not None:
        value = f"{codes.numbers[row.code]:g}" if codes.stepped else str(scale.values[row.code])
    return ConstantShown(row.tolerance, value, shown(row.constant), shown(row.judge))


def _constant_sentence(row: ConstantShown, about: _About) -> str:
    if row.constant.value is None:
        return say(
            "agreement.constant.none",
            judge=about.judge,
            criterion=about.criterion,
            reason=row.constant.reason,
        )
    near = (
        say("agreement.constant.within", tolerance=row.tolerance)
        if row.tolerance
        else say("agreement.constant.exact")
    )
    return say(
        "agreement.constant.sentence",
        criterion=about.criterion,
        value=row.value,
        near=near,
        share=share(row.constant),
        judge=about.judge,
        own=share(row.judge),
        counted=about.counted,
    )
