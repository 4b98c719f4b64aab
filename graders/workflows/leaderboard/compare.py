"""Compare: two models, or two versions of one, question by question: differences, a verdict, and
the answers that got worse."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from graders.core.errors import InputError, UsageError
from graders.core.shapes import as_dict
from graders.core.words import error_parts, say
from graders.statistics.standing import NOTHING, Sides, answered, apart, counted
from graders.store.answers import content
from graders.store.figures import leaderboard as stored
from graders.store.projects import CriterionRow
from graders.workflows.leaderboard import _compare_sides, _counts, _mean, compare_words
from graders.workflows.leaderboard import ground as leaderboard_ground
from graders.workflows.leaderboard import words as leaderboard_words
from graders.workflows.leaderboard._compare_sides import Compared, Named, Side
from graders.workflows.leaderboard._rows import Three
from graders.workflows.leaderboard.board import Axis, Only
from graders.workflows.leaderboard.comparison import (
    Case,
    Cases,
    CaseSide,
    CaseValues,
    Comparison,
    Difference,
    EarlierSide,
    Gate,
    LeftOut,
    SideName,
)
from graders.workflows.leaderboard.ground import BOARD, DEFAULT, OVERALL, Ground, Wish
from graders.workflows.leaderboard.ranking import INCONCLUSIVE, NOT_TRUSTED, axis_of, overall_axis
from graders.workflows.opinions import label_choice, narrowing, standings
from graders.workflows.opinions.participants import circle_of
from graders.workflows.opinions.standings import Field
from graders.workflows.scope.paging import page_of
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.project_head import ProjectHead, Reading, Waiting
from graders.workflows.scope.seen import mark_seen

ORDERS = ("worse", "better")
_RULE = re.compile(r"(not worse|better)(?: by (\d+(?:[.,]\d+)?))?")


@needs("look")
def compare(
    scope: Scope,
    project_name: str,
    a: str = "",
    b: str = "",
    wish: Wish = DEFAULT,
    *,
    order: str = "worse",
    page: int = 1,
) -> Comparison:
    """`a` minus `b` per criterion and overall, with intervals by questions, verdicts, and a page of
    the answers, the worst for `a` first.

    `a`, `b`: MODEL, or MODEL@VERSION for answers that later ones have taken the place of; else the
    first two there are. Only questions that both answered count. `wish` as on the leaderboard, but
    `view` is the criterion that leads, else the mean of all by the weights. `order`: worse or
    better first. Whoever is shown answers has seen their marks.
    """
    patient = replace(wish, patience=None)
    found = compare_so_far(scope, project_name, a, b, patient, order=order, page=page)
    assert isinstance(found, Comparison)  # there is no end to this patience
    return found


@needs("look")
def compare_so_far(
    scope: Scope,
    project_name: str,
    a: str = "",
    b: str = "",
    wish: Wish = DEFAULT,
    *,
    order: str = "worse",
    page: int = 1,
) -> Comparison | Waiting:
    """The same, or after `wish.patience` how far reading is."""
    project = scope.project(project_name)
    if order not in ORDERS:
        raise InputError(
            **error_parts(
                "leaderboard.error.choose",
                what="order",
                value=order[:40],
                choices=", ".join(ORDERS),
            )
        )
    earlier = {
        Side(model, version): count
        for model, version, count in stored.earlier_versions(scope.ws.db, project)
    }
    models = leaderboard_ground.current(scope, project).models
    sides = _sides(a, b, models, earlier)
    versions = tuple(sorted({(s.model, s.version) for s in sides if s.version}))
    view = wish.view
    keys = [c.key for c in narrowing.criteria_under(scope, project, wish.filters.wording)]
    if view not in ("", OVERALL, *keys):
        raise InputError(
            **error_parts(
                "leaderboard.error.choose",
                what="view",
                value=view[:80],
                choices=", ".join([OVERALL, *keys]),
            )
        )
    # every criterion is compared, whichever leads
    wish = replace(wish, view="", versions=versions)
    ground = leaderboard_ground.ground(scope, project, wish)
    if isinstance(ground, Reading):
        return leaderboard_ground.waiting(project, ground)
    wish, unconfirmed = leaderboard_ground.settled(ground, wish)
    choices = [Side(model).name for model in models] + [
        EarlierSide(**as_dict(side.name), answers=count) for side, count in earlier.items()
    ]
    head = replace(_head(scope, ground, wish, choices, order), unconfirmed=unconfirmed)
    if not ground.wanted and head.preferences:
        title, below = (
            say("leaderboard.compare.pairs_only"),
            say("leaderboard.compare.see_preferences"),
        )
        return replace(head, title=title, subtitle=below)
    if not models:
        return replace(head, title=say("leaderboard.compare.no_model"))
    if len(sides) < 2:
        return replace(head, title=say("leaderboard.compare.one_model"))
    return _report(scope, ground, wish, head, view, (sides[0], sides[1]), page)


def gate(row: Difference | None, rule: str, *, unconfirmed: bool = False) -> Gate:
    """Whether the difference that leads a comparison keeps `rule`: ``not worse [by X]``, ``better
    [by X]``, X in its units.

    The code is 0 where the whole 95 % interval keeps it, 4 where the whole interval breaks it, else
    5, also where no person has confirmed the judge's values (`unconfirmed`).
    """
    read = _RULE.fullmatch(" ".join(rule.lower().split()))
    if read is None:
        raise UsageError(**error_parts("leaderboard.error.gate", rule=rule[:60]))
    by = float((read[2] or "0").replace(",", "."))
    if row is None or row.low is None or row.high is None or row.why:
        why = row.why if row else say("leaderboard.gate.no_figure")
        return Gate(rule, INCONCLUSIVE, say("leaderboard.gate.untold", rule=rule, why=why))
    if unconfirmed:
        why = say("leaderboard.gate.unconfirmed")
        return Gate(rule, INCONCLUSIVE, say("leaderboard.gate.untold", rule=rule, why=why))
    limit = -by if read[1] == "not worse" else by
    kept = row.low >= limit if read[1] == "not worse" else row.low > limit
    broken = row.high < limit if read[1] == "not worse" else row.high <= limit
    code = 0 if kept else NOT_TRUSTED if broken else INCONCLUSIVE
    outcome = {0: "kept", NOT_TRUSTED: "broken", INCONCLUSIVE: "open"}[code]
    low, high = (compare_words.signed(end, row.decimals) for end in (row.low, row.high))
    words = say(
        "leaderboard.gate.said",
        rule=rule,
        said=say(f"leaderboard.gate.{outcome}"),
        criterion=row.title,
        words=row.words,
        low=low,
        high=high,
    )
    return Gate(rule, code, words)


def _sides(a: str, b: str, models: Sequence[str], earlier: Mapping[Side, int]) -> list[Side]:
    """The two that are asked for; what is not named is a model beside its own earlier version, or
    else the first two models."""
    named = [_compare_sides.side_of(ref, models, earlier) if ref else None for ref in (a, b)]
    if named[0] is not None and named[0] == named[1]:
        raise InputError(**error_parts("leaderboard.error.twice", side=named[0].label))
    latest = list(earlier)[-1:] if earlier else []
    spare = [
        *(Side(side.model) for side in latest if side.model in models),
        *latest,
        *(Side(model) for model in models),
        *earlier,
    ]
    made: list[Side] = []
    for side in named:
        chosen = side or next((one for one in spare if one not in made and one not in named), None)
        if chosen is not None:
            made.append(chosen)
    return made


def _head(
    scope: Scope, ground: Ground, wish: Wish, choices: Sequence[SideName], order: str
) -> Comparison:
    project = ground.project
    return Comparison(
        project=ProjectHead.of(project),
        show=wish.show,
        view=OVERALL,
        judges=standings.judges(circle_of(scope, project)),
        preferences=[c.key for c in standings.criteria_of_pairs(scope, project)],
        filters=ground.filters.chosen,
        only=ground.only,
        filter_choices=narrowing.choices(scope, project, BOARD),
        choices=choices,
        order=order,
        choice=label_choice.choice(scope, project, used=wish.show != "judge"),
    )


def _report(
    scope: Scope,
    ground: Ground,
    wish: Wish,
    head: Comparison,
    view: str,
    sides: tuple[Side, Side],
    page: int,
) -> Comparison:
    a, b = (_compare_sides.column(ground.answers, side) for side in sides)
    made = {key: _mean.three_of(ground, wish, key) for key in ground.loaded}
    compared = _weighed(
        [_compared(ground, wish, made, criterion, a, b) for criterion in ground.wanted], made, wish
    )
    judge = standings.common_judge([one.cells for one in compared if len(one.cells.f)])
    rows = [
        _said(replace(one.row, weight=one.weight), sides, wish.show, one.cells.judge, ground.only)
        for one in compared
    ]
    whole = _overall(ground, wish, made, compared, a, b)
    if whole is not None:
        rows.insert(0, _said(whole, sides, wish.show, judge, ground.only))
    figures = [row for row in rows if row.apart is not None]
    wanted = view or (OVERALL if whole is not None else figures[0].key if figures else OVERALL)
    lead = next((row for row in rows if row.key == wanted), None)
    included = [
        one
        for one in compared
        if (
            one.row.apart is not None and one.weight > 0
            if wanted == OVERALL
            else one.criterion.key == wanted
        )
    ]
    counts = _counts.counts_of([counted(one.cells.of_models([a, b])) for one in included])
    left = _left_out(scope, ground, a, b)
    return replace(
        head,
        title=compare_words.title(*sides, lead, rows, wish.show, judge),
        subtitle=(say("leaderboard.below.unconfirmed") + " " if head.unconfirmed else "")
        + compare_words.subtitle(counts, judge, left, wish.show, *sides, only=ground.only.cells),
        rests_on=leaderboard_words.rests_on(counts, ground.only.verdicts)
        if wish.show != "judge"
        else "",
        a=sides[0].name,
        b=sides[1].name,
        view=wanted,
        judge=judge,
        questions=left,
        rows=rows,
        cases=page_of_cases(scope, ground, included, sides, (a, b), wish.show, head.order, page),
    )


def _compared(
    ground: Ground,
    wish: Wish,
    made: Mapping[str, Three],
    criterion: CriterionRow,
    a: int,
    b: int,
) -> Compared:
    cells = ground.loaded[criterion.key].shared(a, b, wish.show)
    named = Named(criterion.key, criterion.criterion.title, criterion.criterion.question)
    pairs = _mean.pairs(ground, wish, made, {criterion.key: 1.0}, wish.show)
    return Compared(
        criterion, cells, _compare_sides.row(pairs, a, b, axis_of(criterion), named), weight=0.0
    )


def _weighed(compared: Sequence[Compared], made: Mapping[str, Three], wish: Wish) -> list[Compared]:
    """The criteria with their weights in the overall mean: those of the leaderboard, but where an
    earlier version is compared, which has no place there, all that have a figure."""
    weights = wish.weights or {}
    if wish.versions:
        return [
            replace(one, weight=leaderboard_ground.weight(weights, one.criterion.key))
            for one in compared
        ]
    shares = _mean.mean_of(made, wish).shares
    return [replace(one, weight=shares.get(one.criterion.key, 0.0)) for one in compared]


def _overall(
    ground: Ground,
    wish: Wish,
    made: Mapping[str, Three],
    compared: Sequence[Compared],
    a: int,
    b: int,
) -> Difference | None:
    """The weighted mean of the criteria that count in it; None where that is one, which then speaks
    for itself."""
    used = [
        one
        for one in compared
        if one.weight > 0 and (one.row.apart is not None or not wish.versions)
    ]
    if len(used) < 2:
        return None
    question = say("leaderboard.compare.mean_of", n=len(used))
    named = Named(OVERALL, say("leaderboard.compare.whole"), question)
    shares = {one.criterion.key: one.weight for one in used}
    pairs = _mean.pairs(ground, wish, made, shares, wish.show)
    row = _compare_sides.row(pairs, a, b, overall_axis(), named)
    if row.apart is None:
        return None
    doubtful = next((one for one in used if one.row.why and one.row.why == row.why), None)
    if doubtful is not None:
        title = doubtful.criterion.criterion.title
        row = replace(row, why=say("leaderboard.compare.part_doubt", criterion=title, why=row.why))
    return row


def _said(
    row: Difference, sides: tuple[Side, Side], show: str, judge: str, only: Only
) -> Difference:
    said = (only.cells, "" if show == "judge" else only.verdicts)
    words = ", ".join(part for part in said if part)
    return replace(
        row,
        sentence=compare_words.sentence(*sides, row, show, judge, words),
        seen=compare_words.seen(row, show),
    )


def _left_out(scope: Scope, ground: Ground, a: int, b: int) -> LeftOut:
    """Questions that both answered, and those that only one did, as the filters leave them."""
    answers = ground.answers
    kept = standings.kept_questions(scope, ground.project, answers, ground.filters)
    return LeftOut(*answered(answers.question, answers.model, a, b, kept))


# -- the questions on which one side of a comparison did worst, with both answers and what was said
# of them

CASES_A_PAGE = 10
#: So much of a text stands beside the other; the whole is one click away.
TEXT_LENGTH = 3_000


def page_of_cases(
    scope: Scope,
    ground: Ground,
    included: Sequence[Compared],
    sides: tuple[Side, Side],
    at: tuple[int, int],
    show: str,
    order: str,
    page: int,
) -> Cases:
    """A page of questions with both answers, those first where `a` lost most (or won most)."""
    differences = apart(
        [(one.cells, one.weight if len(included) > 1 else 1.0) for one in included],
        len(ground.answers.questions),
        *at,
        show,
    )
    page, pages, questions = page_of(
        differences.ordered(worst_first=order == "worse"), page, CASES_A_PAGE
    )
    subject_of = _subjects(ground.answers, at)
    subjects = {
        s.id: s.subject
        for s in content.subjects(
            scope.ws.db, [subject_of[question, side] for question in questions for side in at]
        )
    }
    mark_seen(scope, subjects)
    rows = []
    for question in questions:
        pair = [subjects[subject_of[question, side]] for side in at]
        values = [
            _values(one, found, question)
            for one, found in zip(included, differences.sides, strict=True)
        ]
        rows.append(
            Case(
                question_id=pair[0].question.id,
                question=pair[0].question.text[:400],
                apart=100 * float(differences.values[question]),
                values=[value for value in values if value is not None],
                a=_shown(sides[0], pair[0].answer.text),
                b=_shown(sides[1], pair[1].answer.text),
            )
        )
    worse, better, same = differences.counts()
    return Cases(worse=worse, better=better, same=same, rows=rows, page=page, pages=pages)


def _shown(side: Side, text: str) -> CaseSide:
    cut = len(text) > TEXT_LENGTH
    return CaseSide(**as_dict(side.name), text=text[:TEXT_LENGTH], cut=cut)


def _subjects(answers: Field, at: tuple[int, int]) -> dict[tuple[int, int], int]:
    """(question place, model) -> subject of both sides' answers."""
    return {
        (int(question), model): int(subject)
        for model in at
        for question, subject in zip(
            answers.question[answers.model == model],
            answers.subject[answers.model == model],
            strict=True,
        )
    }


def _values(one: Compared, found: Sides, question: int) -> CaseValues | None:
    """Both sides' values on one criterion in words, and who gave them; None where one side has
    none."""
    a, b = float(found.a[question]), float(found.b[question])
    if not (math.isfinite(a) and math.isfinite(b)):
        return None
    axis = axis_of(one.criterion)
    return CaseValues(
        key=one.criterion.key,
        title=one.criterion.criterion.title,
        a=_value(one.criterion, axis, a),
        b=_value(one.criterion, axis, b),
        apart=axis.by(a - b),
        by=say("leaderboard.compare.people") if found.people[question] else one.cells.judge,
    )


def _value(criterion: CriterionRow, axis: Axis, value: float) -> str:
    """A value on 0..1 as the label or number that it is, or as a mean of several."""
    scale = criterion.scale
    if (
        scale.labels
        and abs(value * (len(scale.labels) - 1) - round(value * (len(scale.labels) - 1))) < NOTHING
    ):
        return scale.labels[round(value * (len(scale.labels) - 1))]
    number = axis.at(value) or 0.0
    return (
        f"{number:.0f} %"
        if len(scale.labels) == 2
        else f"{number:.{axis.decimals}f}".rstrip("0").rstrip(".")
    )
