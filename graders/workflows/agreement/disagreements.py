"""Answers on which a judge and people differ: all of them, and in groups by the cause that people
named, by fault of the answer, by similarity of their texts."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from enum import StrEnum

from graders.core.errors import InputError, NotFound
from graders.core.shapes import as_dict
from graders.core.words import error_parts, say
from graders.statistics import opinions as opinion_arrays
from graders.statistics.means import mean_interval
from graders.statistics.opinions import Disagreement
from graders.statistics.resampling import Estimate, shown, undefined
from graders.statistics.text_groups import groups_of_texts
from graders.store.answers import content
from graders.store.figures import one_answer
from graders.store.opinions import stored_verdicts, uncounted
from graders.store.opinions.filters import EVERYTHING, Filters
from graders.store.projects import CriterionRow
from graders.workflows.agreement.ground import Ground, View, ground
from graders.workflows.agreement.records import CriterionName
from graders.workflows.agreement.words import share
from graders.workflows.cells.measured import measured
from graders.workflows.results import answer_row
from graders.workflows.results.answer_row import AnswerRow
from graders.workflows.scope.paging import page_of
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.seen import mark_seen, still_blind


class Grouping(StrEnum):
    """How disagreements may be grouped."""

    FAULT_OF = "fault_of"
    FAULT = "fault"
    TEXT = "text"


#: Causes of a disagreement, as the desk asks for them; which of them are mended in the rubric or
#: the reference.
FAULT_OF = ("judge wrong", "rubric unclear", "reference wrong", "matter of taste")
MENDED = ("rubric unclear", "reference wrong")
ANSWERS_A_PAGE = 20
#: At most so many texts are compared, evenly spread; so much of a text; so much of the text that
#: stands for a group names it.
MOST_TEXTS, TEXT_LENGTH, NAME = 1_000, 600, 70


@dataclass(frozen=True, slots=True)
class Differing:
    """A verdict of a person that differs from judges: on which criterion, by what it says, and the
    cause that the person named, empty for none."""

    criterion: CriterionRow
    verdict: Disagreement
    reason: str


@dataclass(frozen=True, slots=True)
class Mended:
    """The share of the disagreements with a reason that are the rubric's or the reference's, by
    questions: as a figure, in words, as a sentence; `named` of `of` have a reason."""

    figure: Estimate
    words: str
    sentence: str
    named: int
    of: int


@dataclass(frozen=True, slots=True)
class Option:
    """A value to choose, and what people read for it."""

    value: str
    words: str


@dataclass(frozen=True, slots=True)
class Group:
    """A group of disagreements, and how many they are."""

    key: str
    count: int


@dataclass(frozen=True, slots=True)
class DisagreementRow(AnswerRow):
    """An answer on which a person differs from judges, on a criterion, and the cause that the
    person named, empty for none."""

    reason: str
    criterion: CriterionName


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreements:
    """Where judges and people differ: the finding, what is `counted`, how much can be mended, the
    groups with the chosen one's page of answers. `compared`: texts that the groups rest on, None
    where it is not texts; `total`: disagreements of the chosen group, of `all`; so many of the page
    are of answers that the actor may still grade blind, and not in its `rows` (`hidden`)."""

    title: str
    counted: str
    mended: Mended
    grouping: Grouping
    groupings: Sequence[Option]
    groups: Sequence[Group]
    compared: int | None
    group: str
    criteria: Sequence[Option]
    judges: Sequence[Option]
    total: int
    all: int
    rows: Sequence[DisagreementRow]
    hidden: int
    page: int
    pages: int


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which disagreements are asked for: on a criterion (key, empty for all), with a judge (ref,
    empty for all), in which groups, of which group, empty for all, and which page of them."""

    criterion: str = ""
    judge: str = ""
    grouping: str = Grouping.FAULT_OF
    group: str = ""
    page: int = 1


#: All disagreements, by cause.
ALL = Wanted()


@needs("look")
def disagreements(
    scope: Scope,
    project_name: str,
    wanted: Wanted = ALL,
    *,
    filters: Filters = EVERYTHING,
    allowed: Container[str] | None = None,
) -> Disagreements:
    """Verdicts of people that differ from those of judges, in groups, a page at a time.

    All verdicts of people count here, blind and assisted: reasons are named where a suggestion is
    corrected. The person who looks has seen the marks. Where questions (ids) are `allowed`, the
    others are counted, and neither shown nor seen.
    """
    grouping = _grouping(wanted.grouping)
    basis = ground(scope, scope.project(project_name), View(blind_only=False, filters=filters))
    differing = _differing(scope, basis, wanted)
    members = _members(scope, differing, grouping)
    chosen = members.get(wanted.group, []) if wanted.group else list(range(len(differing)))
    listed = chosen if allowed is None else _about(scope, differing, chosen, allowed)
    page, pages, on_page = page_of(listed, wanted.page, ANSWERS_A_PAGE)
    circle = basis.circle
    rows = _rows(scope, basis, [differing[at] for at in on_page])
    return Disagreements(
        title=_title(len(differing), basis, wanted),
        counted=_counted(basis),
        mended=_mended(differing, basis),
        grouping=grouping,
        groupings=[Option(name, say(f"agreement.grouping.{name}")) for name in Grouping],
        groups=[
            Group(key, len(at))
            for key, at in sorted(members.items(), key=lambda item: (-len(item[1]), item[0]))
        ],
        compared=min(len(differing), MOST_TEXTS) if grouping == Grouping.TEXT else None,
        group=wanted.group,
        criteria=_criteria(basis, wanted.criterion),
        judges=[Option(circle.ref(judge), circle.label(judge)) for judge in circle.judges],
        total=len(chosen),
        all=len(differing),
        rows=rows,
        hidden=len(on_page) - len(rows),
        page=page,
        pages=pages,
    )


def _grouping(name: str) -> Grouping:
    if name not in tuple(Grouping):
        raise InputError(
            **error_parts("agreement.no_grouping", name=repr(name[:40]), names=", ".join(Grouping))
        )
    return Grouping(name)


def _criteria(basis: Ground, chosen: str) -> list[Option]:
    """The criteria on which people can differ from judges: of those that a rule alone measures, the
    ones that both a judge and people graded."""
    return [
        Option(row.key, row.criterion.title)
        for row, opinions in zip(basis.criteria, basis.loaded, strict=True)
        if not measured(row.criterion)
        or row.key == chosen
        or (opinions.judged and len(opinions.author))
    ]


def _differing(scope: Scope, basis: Ground, wanted: Wanted) -> list[Differing]:
    if wanted.criterion:
        basis.one(wanted.criterion)
    circle, people = basis.circle, basis.counting()
    judges = {judge for judge in circle.judges if wanted.judge in ("", circle.ref(judge))}
    if wanted.judge and not judges:
        ref, refs = repr(wanted.judge[:80]), ", ".join(map(circle.ref, circle.judges))
        if not refs:
            raise NotFound(**error_parts("agreement.none_judged", ref=ref))
        raise NotFound(**error_parts("agreement.no_judge", ref=ref, refs=refs))
    rows: list[Differing] = []
    for row, opinions in zip(basis.criteria, basis.loaded, strict=True):
        if wanted.criterion not in ("", row.key):
            continue
        apart = opinion_arrays.disagreements(opinions, judges, people)
        reasons = {
            (cell, author): reason
            for cell, author, reason in (
                uncounted.reasons(scope.ws.db, row, people) if apart else ()
            )
        }
        rows += [
            Differing(row, verdict, reasons.get((verdict.cell, verdict.author), ""))
            for verdict in apart
        ]
    return rows


def _members(
    scope: Scope, differing: Sequence[Differing], grouping: Grouping
) -> dict[str, list[int]]:
    """Group -> positions of its disagreements; an answer with two faults is in two groups."""
    if grouping == Grouping.TEXT:
        return _alike(scope, differing)
    members: dict[str, list[int]] = {}
    if grouping == Grouping.FAULT_OF:
        unsaid = say("agreement.group.no_reason")
        for at, one in enumerate(differing):
            members.setdefault(one.reason or unsaid, []).append(at)
        return members
    faults = uncounted.faults_of(scope.ws.db, sorted({one.verdict.cell for one in differing}))
    none = say("agreement.group.no_fault")
    for at, one in enumerate(differing):
        for fault in faults.get(one.verdict.cell) or [none]:
            members.setdefault(fault.replace("_", " "), []).append(at)
    return members


def _alike(scope: Scope, differing: Sequence[Differing]) -> dict[str, list[int]]:
    """Groups of answers whose texts are alike; each is named by the text nearest to its middle."""
    kept = range(0, len(differing), max(1, -(-len(differing) // MOST_TEXTS)))
    cells = [differing[at].verdict.cell for at in kept]
    parts = uncounted.texts_of(scope.ws.db, sorted(set(cells)), TEXT_LENGTH)
    texts = ["\n".join(parts.get(cell, ("", ""))) for cell in cells]
    members: dict[str, list[int]] = {}
    for group in groups_of_texts(texts):
        if group.middle is None:
            name = say("agreement.group.alone")
        else:
            text = " ".join(texts[group.middle].split())
            text = text[:NAME] + ("…" if len(text) > NAME else "")
            name = say("agreement.group.like", text=text)
        members.setdefault(name, []).extend(kept[place] for place in group.members)
    return members


def _about(
    scope: Scope, differing: Sequence[Differing], chosen: Sequence[int], allowed: Container[str]
) -> list[int]:
    """Those of the `chosen` places whose questions (ids) are allowed."""
    rows = {differing[at].verdict.question for at in chosen}
    questions = content.questions_by_row(scope.ws.db, rows)
    return [at for at in chosen if questions[differing[at].verdict.question].id in allowed]


def _mended(differing: Sequence[Differing], basis: Ground) -> Mended:
    """Questions are named by their rows in the store: one is the same under all criteria."""
    named = [one for one in differing if one.reason]
    mine = [float(one.reason in MENDED) for one in named]
    figure = shown(
        mean_interval(mine, [one.verdict.question for one in named], bounds=(0, 1))
        if named
        else undefined(say("agreement.no_reason_yet"))
    )
    words = (
        say("agreement.mended.nothing")
        if figure.value is None
        else say("agreement.mended.words", percent=100 * figure.value)
    )
    sentence = say(
        "agreement.mended.sentence", n=len(named), share=share(figure), counted=_counted(basis)
    )
    return Mended(figure, words, sentence, len(named), len(differing))


def _counted(basis: Ground) -> str:
    only = say("agreement.counted.only", only=basis.only) if basis.only else ""
    return say("agreement.all_verdicts") + only


def _title(count: int, basis: Ground, wanted: Wanted) -> str:
    circle = basis.circle
    who = next(
        (circle.label(judge) for judge in circle.judges if circle.ref(judge) == wanted.judge),
        say("agreement.differ.judges"),
    )
    where = ""
    if wanted.criterion:
        row, _ = basis.one(wanted.criterion)
        where = say("agreement.differ.where", criterion=row.criterion.title)
    if not count:
        return say("agreement.differ.nowhere", who=who, where=where)
    return say("agreement.differ", n=count, who=who, where=where)


def _rows(scope: Scope, basis: Ground, shown_rows: Sequence[Differing]) -> list[DisagreementRow]:
    circle, db = basis.circle, scope.ws.db
    cells = sorted({one.verdict.cell for one in shown_rows})
    by_cell = {row.cell_id: row for row in one_answer.cell_answers(db, cells)}
    said = stored_verdicts.verdicts_of(db, cells)
    hidden = still_blind(scope, (row.subject_id for row in by_cell.values()))
    by_cell = {cell: row for cell, row in by_cell.items() if row.subject_id not in hidden}
    mark_seen(scope, (row.subject_id for row in by_cell.values()))
    rows = []
    for one in shown_rows:
        cell, person = one.verdict.cell, one.verdict.author
        if cell not in by_cell:
            continue
        who = [
            *(("judge", circle.judges[j], circle.label(j)) for j in one.verdict.judges),
            ("person", circle.people[person], circle.label(person)),
        ]
        row = answer_row.answer_row(by_cell[cell], said.get(cell, []), who, one.criterion)
        name = CriterionName(one.criterion.key, one.criterion.criterion.title)
        rows.append(DisagreementRow(**as_dict(row), reason=one.reason, criterion=name))
    return rows
