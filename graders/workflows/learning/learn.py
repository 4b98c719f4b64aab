"""The learned judge at work: it learns from what people said blind, and tells of every suggestion
how likely it is right.

Per criterion, from verdicts of judges, rules, metric values, vectors and lengths; figures are
cross-fitted by question. Where it is clearly better than the best of its sources its own verdicts
are kept too, and make the suggestion where no other judge gives a value. Sections 1 and 8 of the
house's statistics.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from graders.core.derived_judges import LEARNED, STEPS
from graders.core.records import KnownCell, Mark, SubjectKey
from graders.core.scale import Scale, Value
from graders.core.shapes import JSON
from graders.core.words import say
from graders.judges.learned import LearnedJudge
from graders.judges.learned import Lesson as Taught
from graders.metrics.models.encoders import Encoders
from graders.statistics import learned
from graders.statistics.learned import MIN_LABELS, shortfall
from graders.store import projects
from graders.store.answers import content
from graders.store.answers.content import chunks
from graders.store.calls import runs as run_store
from graders.store.opinions import cells as cell_store
from graders.store.opinions import lessons, made_cells
from graders.store.opinions.lessons import Label, Lesson
from graders.store.opinions.verdicts import CellVerdict
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows.cells.measured import measured
from graders.workflows.cells.policy import people_centre
from graders.workflows.cells.state import ADJUDICATED, FAULTS, read_frame, record
from graders.workflows.learning.known_of_cells import gather
from graders.workflows.opinions.participants import POPULATIONS
from graders.workflows.scope.permissions import Scope, needs

#: A refit is due when the labels changed by this share, and by so many at least.
DUE_SHARE, DUE_LEAST = 0.05, 5
#: A chance that changed less is not worth a new verdict.
SAME = 0.02


@dataclass(frozen=True, slots=True)
class LessonReport:
    """What the learned judge knows on one criterion.

    `criterion` is its key; `verdicts` the blind verdicts that are there now, `labels` and
    `questions` those that it learned from. `refused` says why it learned nothing, empty where it
    did; `deployed`: it judges by itself; `rests_on` is a sentence; `sources` the judges, rules and
    metrics it reads; `brier`, `ece` and `right` (share of right suggestions) from 0 to 1, None
    where nothing was learned; `at` the time, empty where it was never; `measured`: a rule gives
    the values and nobody is asked.
    """

    criterion: str
    title: str
    verdicts: int
    measured: bool
    labels: int
    refused: str
    deployed: bool
    rests_on: str
    at: str
    sources: Sequence[str] = ()
    questions: int | None = None
    brier: float | None = None
    ece: float | None = None
    right: float | None = None


@needs("look")
def lesson_list(scope: Scope, project_name: str) -> list[LessonReport]:
    """Per criterion what the learned judge learned, with a sentence."""
    project = scope.project(project_name)
    criteria = _criteria(scope.ws, project)
    known, now = (
        lessons.lessons(scope.ws.db, criteria),
        lessons.blind_counts(scope.ws.db, project, criteria),
    )
    return [_told(row, known.get(row.id), now[row.id]) for row in criteria]


@needs("run")
def learn_now(scope: Scope, project_name: str, encoder: Encoders | None) -> list[LessonReport]:
    """Refit on all criteria now; returns `lesson_list`."""
    refit(scope.ws, scope.project(project_name), encoder, every=True)
    return lesson_list(scope, project_name)


def due(ws: Workspace, project: Project) -> list[CriterionRow]:
    """The criteria whose labels changed enough since they were learned from."""
    criteria = _criteria(ws, project)
    known, now = lessons.lessons(ws.db, criteria), lessons.blind_counts(ws.db, project, criteria)
    return [row for row in criteria if _is_due(row, known.get(row.id), now[row.id])]


def _is_due(row: CriterionRow, before: Lesson | None, count: int) -> bool:
    if before is None or before.hash != row.hash:
        return count >= MIN_LABELS or (before is not None and not before.body["refused"])
    if before.body["refused"]:
        return count > before.seen and count >= MIN_LABELS
    return abs(count - before.seen) >= max(DUE_LEAST, DUE_SHARE * before.seen)


def refit(
    ws: Workspace, project: Project, encoder: Encoders | None, *, every: bool = False
) -> list[str]:
    """Learn anew on the criteria that are due, or on `every` one; returns the keys of the criteria
    that something was learned on.

    Without an `encoder` vectors are left out. One refit of a project at a time, in whatever
    process.
    """
    with run_store.alone(ws, f"learn {project.id}"):
        rows = _criteria(ws, project) if every else due(ws, project)
        return [row.key for row in rows if _refit(ws, project, row, encoder)]


def _refit(ws: Workspace, project: Project, row: CriterionRow, encoder: Encoders | None) -> bool:
    judge, scale = (
        LearnedJudge(learner=learned.learn, tolerance=_tolerance(row.scale), label=LEARNED),
        row.scale,
    )
    given = lessons.labels(ws.db, project, row)
    values, weights, mixed = values_of(ws, project, scale, given)
    known = [
        KnownCell(subject=SubjectKey(str(question), ""), people=value)
        for question, value in values.values()
    ]
    if not _short(known, scale):  # no text is read for nothing
        known = [
            replace(cell, people=values[id_][1], weight=weights[id_])
            for some in gather(ws, row, _by_question(values), encoder)
            for id_, cell in some.known.items()
        ]
    taught = judge.study(known, row.criterion)
    everything = lessons.cells_by_question(ws.db, row)
    if taught.refused:
        lost = [cell for some in everything.values() for cell in some]
        ws.background(lost, lessons.forget_chances)
        _withdraw(ws, project, row, judge, taught)
    else:
        _apply(ws, project, row, judge, taught, everything, encoder)
    with ws.write() as db:
        lessons.put_lesson(
            db, Lesson(row.id, row.hash, len(given), _body(taught, len(values), mixed), ws.now())
        )
    return not taught.refused


def _short(known: Sequence[KnownCell], scale: Scale) -> bool:
    """Whether these labels do not suffice to learn from."""
    codes = {value: code for code, value in enumerate(dict.fromkeys(cell.people for cell in known))}
    groups = {
        question: group
        for group, question in enumerate(dict.fromkeys(cell.question_id for cell in known))
    }
    y, g = [codes[cell.people] for cell in known], [groups[cell.question_id] for cell in known]
    return bool(shortfall(y, g, [str(value) for value in codes] or [""]))


def values_of(
    ws: Workspace, project: Project, scale: Scale, given: Sequence[Label]
) -> tuple[dict[int, tuple[int, Value]], dict[int, float], bool]:
    """Cell -> (question row, the value to learn from): adjudicated, else the people's median or
    majority; a tie is no label.

    Beside it the weights, 1/probability where all labels speak for one population, else 1 (and
    True).
    """
    groups = {p.id: p.group for p in projects.people(ws).values()}
    reference = str(project.settings.get("reference_group") or "")
    said: dict[int, list[Label]] = {}
    for label in given:
        if not reference or groups.get(label.author) == reference or label.author == ADJUDICATED:
            said.setdefault(label.cell_id, []).append(label)
    mixed = (
        len(
            {
                name
                for label in given
                for name, p in POPULATIONS.items()
                if label.design in p.designs
            }
        )
        > 1
    )
    by_number = {scale.number(value): value for value in scale.values} if scale.is_discrete else {}
    found: dict[int, tuple[int, Value]] = {}
    weights: dict[int, float] = {}
    for cell, some in said.items():
        last = [label for label in some if label.author == ADJUDICATED] or some
        value = people_centre(scale, [by_number.get(label.number, label.number) for label in last])
        if value is not None:
            found[cell] = last[0].question_id, value
            weights[cell] = 1.0 if mixed else 1.0 / max(last[0].probability, 1e-6)
    return found, weights, mixed


def _by_question(values: Mapping[int, tuple[int, Value]]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for cell, (question, _) in values.items():
        found.setdefault(question, []).append(cell)
    return found


def _apply(
    ws: Workspace,
    project: Project,
    row: CriterionRow,
    judge: LearnedJudge,
    taught: Taught,
    everything: Mapping[int, Sequence[int]],
    encoder: Encoders | None,
) -> None:
    """The chances of all cells and, where it judges by itself, its verdicts."""
    before = lessons.learned_values(ws.db, row, LEARNED)
    frame = read_frame(ws, project)
    for some in gather(ws, row, everything, encoder):
        made = dict(
            zip(
                some.known,
                judge.apply(taught, list(some.known.values()), row.criterion),
                strict=True,
            )
        )
        ws.background(
            [(cell, v.metadata["chances"]) for cell, v in made.items()], lessons.put_chances
        )
        questions = {
            cell: question for question, ids in everything.items() for cell in ids if cell in made
        }
        news = [
            CellVerdict(cell, row, questions[cell], verdict)
            for cell, verdict in made.items()
            if (taught.deployed or before.get(cell, (None, None))[0] is not None)
            and not _same(before.get(cell), verdict.mark)
        ]
        record(ws, frame, news)


def _withdraw(
    ws: Workspace, project: Project, row: CriterionRow, judge: LearnedJudge, taught: Taught
) -> None:
    """Say of cells that it judged before that it no longer can."""
    spoke = [
        cell
        for cell, (value, _) in lessons.learned_values(ws.db, row, LEARNED).items()
        if value is not None
    ]
    for ids in chunks(spoke):
        found = list(cell_store.load_cells(ws.db, ids).values())
        subjects = {s.id: s for s in content.subjects(ws.db, [c.subject_id for c in found])}
        known = [KnownCell(subject=subjects[c.subject_id].subject.key, part=c.part) for c in found]
        made = judge.apply(taught, known, row.criterion)
        record(
            ws,
            read_frame(ws, project),
            [CellVerdict(c.id, row, c.question_id, v) for c, v in zip(found, made, strict=True)],
        )


def _same(before: tuple[Value | None, float | None] | None, mark: Mark) -> bool:
    if before is None or before[0] != mark.value:
        return False
    return mark.value is None or abs((before[1] or 0.0) - (mark.confidence or 0.0)) < SAME


def _body(taught: Taught, labels: int, mixed: bool) -> JSON:
    """A lesson as it is stored."""
    found = taught.learned
    note = f" {say('learning.mixed')}" if mixed and not taught.refused else ""
    return {
        "labels": labels,
        "questions": found.questions,
        "refused": taught.refused,
        "deployed": taught.deployed,
        "rests_on": found.why if taught.refused else f"{taught.rests_on}{note}",
        "sources": []
        if taught.refused
        else [*taught.columns.judges, *taught.columns.rules, *taught.columns.metrics],
        **{
            name: None if one is None else one.figure.value
            for name, one in (("brier", found.brier), ("ece", found.ece))
        },
        "right": None if found.right is None else found.right.value,
    }


def _told(row: CriterionRow, lesson: Lesson | None, now: int) -> LessonReport:
    apart = not now and measured(row.criterion) and (lesson is None or lesson.body["refused"])
    told = LessonReport(
        criterion=row.key,
        title=row.criterion.title,
        verdicts=now,
        measured=bool(apart),
        labels=0,
        refused="",
        deployed=False,
        rests_on="",
        at="",
    )
    if lesson is None or lesson.hash != row.hash:
        missing = MIN_LABELS - now
        words = say("learning.lacking", n=missing) if missing > 0 else say("learning.not_yet")
        if not now and measured(row.criterion):
            words = say("learning.measured")
        return replace(told, refused=words, rests_on=words)
    return replace(told, **lesson.body, at=lesson.at)


def learn(
    ws: Workspace, project: Project, encoder: Callable[[], Encoders | None], *, every: bool = False
) -> list[str]:
    """`refit` where it is due, or where `every` criterion has something new to learn from; the
    encoder is made only then."""
    criteria = _criteria(ws, project)
    if due(ws, project) or (
        every
        and any(lesson.seen >= MIN_LABELS for lesson in lessons.lessons(ws.db, criteria).values())
    ):
        return refit(ws, project, encoder(), every=every)
    return []


def _criteria(ws: Workspace, project: Project) -> list[CriterionRow]:
    """The criteria that can be learned: those of single answers, faults apart."""
    paired = made_cells.pair_criteria(ws.db, project)
    return [
        c
        for c in projects.criteria(ws, project)
        if c.criterion.rubric != FAULTS.name and c.id not in paired
    ]


def _tolerance(scale: Scale) -> float:
    """On a plain range a suggestion within a tenth of it is right."""
    return 0.0 if scale.is_discrete else (scale.high - scale.low) / STEPS
