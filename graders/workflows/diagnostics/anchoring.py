"""Anchoring: by how much a suggestion in view pulls people, how often a wrong one is accepted, and
how much time it saves."""

from __future__ import annotations

import json
import time
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from operator import eq

from graders.core.shapes import as_dict
from graders.core.words import say
from graders.statistics.anchoring import ArmShares, Verdicts, cells_needed, effect
from graders.statistics.resampling import Estimate, Interval, shown
from graders.store.desk import queued_screens
from graders.store.figures import anchoring as store
from graders.store.opinions.filters import EVERYTHING, Filters
from graders.store.projects import CriterionRow, Project
from graders.workflows.opinions import narrowing
from graders.workflows.opinions.narrowing import Choice, Chosen
from graders.workflows.opinions.participants import aside_words, circle_of, watermark
from graders.workflows.promise.risk import criteria_tested
from graders.workflows.scope.memory import Memory
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.project_head import ProjectHead, Reading, Waiting

#: Reports that are kept in memory.
KEPT = 16
#: Criteria that are, each under its filters.
KEPT_CRITERIA = 128
#: The pull that a criterion should have cells enough to see.
WORTH_SEEING = 0.1
#: The filters of these figures; both arms are narrowed down alike. Not how a verdict was given:
#: whether a suggestion was accepted is what is measured. Not blind ones alone, nor one draw: it
#: takes both arms. Not another wording: what was suggested under it is not kept.
PULLED = ("category", "task_type", "language", "model", "annotator", "neighbours", "since", "until")

#: Names what is kept: workspace, project and filters.
Key = tuple[str, int, Filters]

_kept = Memory(KEPT)
_rows = Memory(KEPT_CRITERIA)


@dataclass(frozen=True, slots=True)
class Arms:
    """Cells of each arm."""

    blind: int
    assisted: int


#: The ends of a 95 % interval, clustered by question.
Between = tuple[float, float]


@dataclass(frozen=True, slots=True)
class ByArm:
    """A share in each arm with its interval, None in one without cells."""

    blind: float | None
    assisted: float | None
    blind_between: Between | None
    assisted_between: Between | None


@dataclass(frozen=True, slots=True)
class Shares:
    """Each arm's share with its interval and what it rests on, and in `short` why that is too
    little to decide anything, empty where it suffices."""

    cells: int
    arms: Arms
    questions: int
    short: str
    blind: float | None
    assisted: float | None
    blind_between: Between | None
    assisted_between: Between | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pull(Estimate):
    """The pull with its p-value by permutation, None where there is no permutation."""

    p: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongAccepted(Estimate):
    """The pull of wrong suggestions, and each arm's share that was accepted, as in `Shares`."""

    cells: int
    arms: Arms
    questions: int
    short: str
    blind: float | None
    assisted: float | None
    blind_between: Between | None
    assisted_between: Between | None


@dataclass(frozen=True, slots=True)
class Sentences:
    """Figures as sentences that can stand alone: of the `pull`, and of the `rest`: wrong
    suggestions, accuracy and time."""

    pull: str = ""
    rest: str = ""


@dataclass(frozen=True, slots=True)
class AnchoringRow:
    """A criterion: how far a suggestion in view pulls people.

    Its `criterion` is the key; `cells` graded by so many `people`, so many of them `adaptive`:
    reviewed because they looked hard. `distance`: how much closer to the suggestion values are,
    None where they have no order; `equal`: shares that say what the suggestion says; `accuracy`:
    right by adjudication; `time` assisted to blind. `real`: the pull is significant. `needed`:
    cells that each arm would need to show a pull of WORTH_SEEING, None where cells are not what is
    missing.
    """

    criterion: str
    title: str
    cells: int
    people: int
    adaptive: int
    arms: Arms
    pull: Pull
    distance: Estimate | None
    equal: ByArm
    wrong: WrongAccepted
    accuracy: Shares
    time: Estimate
    real: bool
    needed: int | None
    words: str
    sentences: Sentences = Sentences()


@dataclass(frozen=True, slots=True)
class Anchoring:
    """By how much suggestions pull people: a row per criterion with screens of both arms, the
    titles of those `without`; `only`: the filters that are set, in words."""

    project: ProjectHead
    title: str
    subtitle: str
    filters: Mapping[str, Chosen]
    only: str
    choices: Mapping[str, Sequence[Choice]]
    rows: Sequence[AnchoringRow]
    without: Sequence[str]


@needs("look")
def anchoring(scope: Scope, project_name: str, filters: Filters = EVERYTHING) -> Anchoring:
    """Per criterion: pull, acceptance of wrong suggestions and time saved, from screens whose arm
    was drawn; with 95 % intervals.

    Pull is the share of cells where the person says what the machine suggests, assisted minus
    blind, as a mean over people. A suggestion is wrong where an adjudicated value says so.
    `filters`, of PULLED, narrow down which verdicts count, of both arms alike.
    """
    report = anchoring_so_far(scope, project_name, filters, patience=None)
    assert isinstance(report, Anchoring)  # there is no end to this patience
    return report


@needs("look")
def anchoring_so_far(
    scope: Scope, project_name: str, filters: Filters = EVERYTHING, *, patience: float | None
) -> Anchoring | Waiting:
    """The same, or after `patience` seconds how far reading is; asked again, it goes on where it
    stopped. One criterion is read at least."""
    project = scope.project(project_name)
    narrowing.meant(filters, PULLED)
    key, mark = (str(scope.ws.path.resolve()), project.id, filters), watermark(scope, project)
    report: Anchoring | None = _kept.peek(key, mark)
    if report is None:
        narrowing.there(scope, project, filters)
        only = narrowing.words_of(scope, project, filters, circle_of(scope, project))
        rows = _read(scope, project, key, mark, only, patience)
        if isinstance(rows, Reading):
            return Waiting(rows, ProjectHead.of(project))
        report = _report(scope, project, filters, rows, only)
        _kept.keep(key, mark, report)
    return report


def _read(
    scope: Scope, project: Project, key: Key, mark: Hashable, only: str, patience: float | None
) -> list[AnchoringRow] | Reading:
    """The rows of all criteria, or how far reading is when patience ends."""
    filters = key[2]
    circle = narrowing.narrowed(circle_of(scope, project), filters)
    people = list(circle.people) if filters.annotator else None
    criteria, began, fresh = criteria_tested(scope, project), time.monotonic(), 0
    rows = list[AnchoringRow]()
    for criterion in criteria:
        row: AnchoringRow | None = _rows.peek((*key, criterion.id), mark)
        if row is None:
            if fresh and patience is not None and time.monotonic() - began > patience:
                return Reading(len(rows), len(criteria))
            verdicts = store.drawn_arms(scope.ws.db, criterion, filters, people)
            row = _row(criterion, verdicts, only)
            _rows.keep((*key, criterion.id), mark, row)
            fresh += 1
        rows.append(row)
    return rows


def _report(
    scope: Scope, project: Project, filters: Filters, rows: Sequence[AnchoringRow], only: str
) -> Anchoring:
    with_cells = [row for row in rows if row.cells]
    aside = (
        aside_words(narrowing.narrowed(circle_of(scope, project), filters), counted=True)
        if with_cells
        else ""
    )
    return Anchoring(
        project=ProjectHead.of(project),
        title=title(rows, only),
        subtitle=_subtitle(rows, only, assisted=_any_assisted(scope, project)) + aside,
        filters=filters.chosen,
        only=only,
        choices=narrowing.choices(scope, project, PULLED),
        rows=with_cells,
        without=[row.title for row in rows if not row.cells],
    )


def forget() -> None:
    """Drop what is kept in memory."""
    _kept.forget()
    _rows.forget()


def title(rows: Sequence[AnchoringRow], only: str = "") -> str:
    """The finding as a sentence; `only`: the filters in words."""
    if not any(row.cells for row in rows):
        if only:
            return say("diagnostics.anchoring.heading.filtered")
        return say("diagnostics.anchoring.heading.nothing")
    real = [row.title for row in rows if row.real]
    if real:
        return say("diagnostics.anchoring.heading.real", criteria=", ".join(real))
    if any(row.pull.status == "OK" for row in rows):
        return say("diagnostics.anchoring.heading.none")
    return say("diagnostics.anchoring.heading.few")


def _any_assisted(scope: Scope, project: Project) -> bool:
    """Whether people get screens with suggestions in view: drawn ones are blind, and of a routed
    project only answers that go to people are on others."""
    return not project.settings.get("routed") or (
        queued_screens.count_of(scope.ws.db, project, "ordinary") > 0
    )


def _subtitle(rows: Sequence[AnchoringRow], only: str, *, assisted: bool) -> str:
    cells = sum(row.cells for row in rows)
    parts = [say("diagnostics.anchoring.below.only", only=only)] if only else []
    if not cells:
        why = "nothing" if assisted else "automatic"
        return parts[0] if only else say(f"diagnostics.anchoring.below.{why}")
    people = say("diagnostics.anchoring.people", n=max(row.people for row in rows))
    parts.append(say("diagnostics.anchoring.below.counted", n=cells, people=people))
    hard = sum(row.adaptive for row in rows)
    if hard:
        parts.append(say("diagnostics.anchoring.below.hard", hard=hard))
    return " ".join(parts)


def _row(criterion: CriterionRow, verdicts: Sequence[store.DrawnArm], only: str) -> AnchoringRow:
    of = _columns(criterion, verdicts)
    found = effect(of)
    pull, harm, equal = found.pull.interval, found.harm, found.equal
    real = pull.status == "OK" and pull.low is not None and pull.low > 0
    row = AnchoringRow(
        criterion=criterion.key,
        title=criterion.criterion.title,
        cells=len(verdicts),
        people=len(set(of.person)),
        adaptive=sum(row.adaptive for row in verdicts),
        arms=Arms(equal.blind_cells, equal.assisted_cells),
        pull=Pull(**as_dict(shown(pull)), p=found.pull.p),
        distance=None if found.distance is None else shown(found.distance),
        equal=ByArm(equal.blind, equal.assisted, equal.blind_between, equal.assisted_between),
        wrong=WrongAccepted(**as_dict(shown(harm)), **as_dict(_shares(found.wrong))),
        accuracy=_shares(found.accuracy),
        time=shown(found.time),
        real=real,
        needed=cells_needed(equal, pull, WORTH_SEEING),
        words=_words(pull, harm, real, bool(any(of.wrong))),
    )
    return replace(row, sentences=sentences(row, only))


def _columns(criterion: CriterionRow, verdicts: Sequence[store.DrawnArm]) -> Verdicts:
    value_of = cache(json.loads)  # a hundred thousand verdicts have a handful of values
    values, suggested = (
        list(map(value_of, texts))
        for texts in ([row.value for row in verdicts], [row.suggestion for row in verdicts])
    )
    settled = [row.settled is not None for row in verdicts]
    truth = [None if row.settled is None else value_of(row.settled) for row in verdicts]
    away = None
    if criterion.scale.is_ordered:
        number_of = cache(lambda text: criterion.scale.number(value_of(text)))
        away = [row.number - number_of(row.suggestion) for row in verdicts]
    return Verdicts(
        person=[row.person for row in verdicts],
        question=[row.question for row in verdicts],
        arm=[1 - row.blind for row in verdicts],
        equal=list(map(eq, values, suggested)),
        settled=settled,
        right=list(map(eq, truth, values)),
        wrong=[
            is_settled and true != machine
            for is_settled, true, machine in zip(settled, truth, suggested, strict=True)
        ],
        seconds=[row.seconds for row in verdicts],
        away=away,
    )


def _shares(found: ArmShares) -> Shares:
    return Shares(
        cells=found.blind_cells + found.assisted_cells,
        arms=Arms(found.blind_cells, found.assisted_cells),
        questions=found.questions,
        short=found.short,
        blind=found.blind,
        assisted=found.assisted,
        blind_between=found.blind_between,
        assisted_between=found.assisted_between,
    )


def _words(pull: Interval, harm: Interval, real: bool, any_wrong: bool) -> str:
    if pull.value is None:
        return f"{pull.reason[:1].upper()}{pull.reason[1:]}."
    if pull.status != "OK":
        return say("diagnostics.words.inconclusive", reason=pull.reason)
    if not real:
        return say("diagnostics.anchoring.words.none")
    words = say("diagnostics.anchoring.words.pull", percent=100 * pull.value)
    if harm.value is not None and harm.status == "OK" and any_wrong:
        words += " " + say("diagnostics.anchoring.words.wrong", percent=100 * harm.value)
    return words


# -- figures of Anchoring as sentences that can stand alone: value, interval, how many, which
# verdicts


def sentences(row: AnchoringRow, only: str = "") -> Sentences:
    """Of a criterion's row; `only`: the filters in words."""
    ground = say(
        "diagnostics.anchoring.ground",
        blind=row.arms.blind,
        assisted=row.arms.assisted,
        people=say("diagnostics.anchoring.people", n=row.people),
        only=say("diagnostics.anchoring.ground_only", only=only) if only else "",
    )
    pull = _figure_words(row.pull, "verdicts")
    parts = [say("diagnostics.anchoring.rest.time", figure=_figure_words(row.time, "times"))]
    if row.wrong.cells:
        figure = _figure_words(row.wrong, "hundred")
        parts.append(say("diagnostics.anchoring.rest.wrong", figure=figure))
    right = row.accuracy
    if right.cells:
        sides = {
            "blind_share": share_words(right.blind, right.blind_between),
            "blind": right.arms.blind,
            "assisted_share": share_words(right.assisted, right.assisted_between),
            "assisted": right.arms.assisted,
        }
        text = say("diagnostics.anchoring.rest.accuracy", **sides)
        parts.append(f"{text}{_doubt(right.short)}")
    else:
        parts.append(say("diagnostics.anchoring.rest.unsettled"))
    return Sentences(
        say("diagnostics.anchoring.sentence.pull", criterion=row.title, figure=pull, ground=ground),
        say(
            "diagnostics.anchoring.sentence.rest",
            criterion=row.title,
            parts="; ".join(parts),
            ground=ground,
        ),
    )


def _figure_words(found: Estimate, unit: str) -> str:
    """A figure of 100 `verdicts`, of a `hundred`, or of `times`, with its interval."""
    if found.value is None:
        return say("diagnostics.anchoring.figure.none", reason=found.reason)
    by = 1 if unit == "times" else 100
    text = say(f"diagnostics.anchoring.figure.{unit}", value=by * found.value)
    if found.low is not None and found.high is not None:
        low, high = by * found.low, by * found.high
        text += " " + say(f"diagnostics.anchoring.interval.{unit}", low=low, high=high)
    return text + _doubt("" if found.status == "OK" else found.reason)


def _doubt(reason: str) -> str:
    return say("diagnostics.anchoring.figure.doubt", reason=reason) if reason else ""


def share_words(value: float | None, between: Between | None) -> str:
    """A share of cells with its interval, in words."""
    if value is None or between is None:
        return say("diagnostics.anchoring.unknown")
    low, high = between
    return say("diagnostics.anchoring.share", share=value, low=low, high=high)
