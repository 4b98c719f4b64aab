"""Seeded faults: copies of answers with one known fault, in a project of their own, and who notices
them; without a label."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from graders.core import discovery
from graders.core.author_texts import is_author
from graders.core.errors import InputError
from graders.core.hashing import seeded as drawn
from graders.core.seeded import SeededFault
from graders.core.shapes import JSON, as_dict
from graders.core.words import error_parts, say
from graders.store import projects
from graders.store.answers import content, elections
from graders.store.answers.content import StoredSubject
from graders.store.desk import seeded as store
from graders.store.projects import Project
from graders.workflows.calling import asked_criteria
from graders.workflows.cells.state import FAULTS
from graders.workflows.diagnostics import _seeded_figures as figures
from graders.workflows.diagnostics._seeded_figures import (
    RULES,
    Copy,
    Grader,
    Kind,
    Noticed,
    Spans,
)
from graders.workflows.importing import seeded_copies
from graders.workflows.importing import stage as importing_stage
from graders.workflows.measuring import measure
from graders.workflows.opinions.participants import circle_of
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import listed
from graders.workflows.scope.sampling import Sampling

__all__ = [
    "SHARE",
    "Detection",
    "Grader",
    "Noticed",
    "Seeded",
    "detection",
    "known_faults",
    "project_of_copies",
    "seed",
]

#: What stands between a model's name and the fault in a copy's mark.
BETWEEN = " · "
#: Share of the answers that can have a fault which get a copy with it, and the most copies of one
#: fault.
SHARE, MOST = 0.2, 200
#: Settings that the copies share with their project: what judges are and how answers are read.
SHARED = ("judges", "panel", "languages", "scores")


@dataclass(frozen=True, slots=True)
class FaultShown:
    """A fault that can be put in, and how many copies have it."""

    name: str
    title: str
    about: str
    copies: int


@dataclass(frozen=True, slots=True)
class Detection:
    """Who notices the seeded faults of a project.

    `copies` counts those whose answer is still the present one, `stale` the others; `project` is
    where the copies are, empty for none, to be graded like any other; `silent` are judges of the
    project that have not graded them; `share` of the answers that is offered; `control`: the share
    of people's screens that are copies; `words`: the finding.
    """

    copies: int
    stale: int
    project: str
    graders: Sequence[Grader]
    silent: Sequence[str]
    share: float
    control: float
    faults: Sequence[FaultShown]
    words: str


@dataclass(frozen=True, slots=True)
class Seeded(Detection):
    """The same after copies were `made`: so many are new."""

    made: int


def known_faults() -> dict[str, SeededFault]:
    """The faults that can be put in, by name."""
    return {name: made() for name, made in discovery.load_all("seeded")[0].items()}


def project_of_copies(scope: Scope, project: Project) -> Project | None:
    """The project that holds the copies of a project's answers; None where none were made."""
    return store.project_of_copies(scope.ws.db, project)


@needs("import")
def seed(scope: Scope, project_name: str, share: float = SHARE) -> Seeded:
    """Make copies of a share of the answers that can have a fault, per fault, and run the rules on
    them. No judge is asked.

    The same share makes the same copies, a larger one adds to them. Answers that anyone gave a
    worst value, or a fault, are left alone, and so is the elected reference of a question, and an
    answer that no judge could be asked about.
    """
    project = scope.project(project_name)
    if not 0 < share <= 1:
        raise InputError(**error_parts("diagnostics.seeded.error.share", share=share))
    if project.settings.get(store.SEEDED_OF):
        raise InputError(**error_parts("diagnostics.seeded.error.copies", project=project.name))
    chosen, questions = _chosen(scope, project, share)
    if not chosen:
        raise InputError(**error_parts("diagnostics.seeded.error.none"))
    copies = _project(scope, project)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "copies"
        folder.mkdir()
        for name, rows in (("questions", list(questions.values())), ("answers", chosen)):
            (folder / f"{name}.jsonl").write_text(
                "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8"
            )
        report = importing_stage.stage(scope, copies.name, folder)
        importing_stage.finish(scope, report.import_id)
    measure.measure(scope.ws, projects.get_project(scope.ws, copies.name), None)
    projects.log_event(
        scope.ws, project, scope.actor.person_id, "seeded", {"share": share, "copies": len(chosen)}
    )
    made = report.answers + report.new_versions
    return Seeded(**as_dict(detection(scope, project_name)), made=made)


@needs("look")
def detection(scope: Scope, project_name: str) -> Detection:
    """Who notices the seeded faults of a project: per judge, for the rules together and each of
    them, and per person, by fault."""
    project = scope.project(project_name)
    faults = known_faults()
    here = project_of_copies(scope, project)
    if here is None:
        return _detection(project, None, faults, words=say("diagnostics.seeded.none"))
    copies = [
        Copy(copy.question, copy.model, to["model"], copy.version, to["fault"], to["where"])
        for copy in store.copies(scope.ws.db, here)
        if (to := copy.seeded)
    ]
    keys = sorted({copy.question for copy in copies})
    before = store.said(scope.ws.db, project, keys)
    present = _present(scope, project, keys)
    current = [
        copy
        for copy in copies
        if present.get((copy.question, copy.model)) == copy.version and copy.fault in faults
    ]
    circle = circle_of(scope, project)
    graders = figures.graders(
        current,
        store.said(scope.ws.db, here, keys),
        before,
        _spans(scope, project),
        list(faults),
        {name: circle.label(author) for author, name in circle.people.items()},
    )
    spoke = {grader.name for grader in graders if grader.kind == Kind.JUDGE}
    return _detection(
        project,
        here,
        faults,
        words=_words(len(current), graders),
        current=current,
        stale=len(copies) - len(current),
        graders=graders,
        silent=sorted({row.author for row in before if row.kind == Kind.JUDGE} - spoke),
    )


def _detection(
    project: Project,
    here: Project | None,
    faults: Mapping[str, SeededFault],
    *,
    words: str,
    current: Sequence[Copy] = (),
    stale: int = 0,
    graders: Sequence[Grader] = (),
    silent: Sequence[str] = (),
) -> Detection:
    return Detection(
        copies=len(current),
        stale=stale,
        project=here.name if here else "",
        graders=graders,
        silent=silent,
        share=SHARE,
        control=Sampling.of(project.settings).control,
        faults=[
            FaultShown(
                name,
                fault.said("title"),
                fault.said("about"),
                sum(copy.fault == name for copy in current),
            )
            for name, fault in faults.items()
        ],
        words=words,
    )


def _spans(scope: Scope, project: Project) -> Spans:
    """The lowest and highest number of each criterion with an order."""
    return {
        row.key: (row.scale.numbers[0], row.scale.numbers[-1])
        if row.scale.is_discrete
        else (row.scale.low, row.scale.high)
        for row in projects.criteria(scope.ws, project)
        if row.scale.is_ordered and row.rubric.name != FAULTS.name
    }


def _words(copies: int, graders: Sequence[Grader]) -> str:
    """The finding in a sentence."""
    if not copies:
        return say("diagnostics.seeded.stale")
    judges = [grader for grader in graders if grader.kind == Kind.JUDGE]
    rules = [grader for grader in graders if grader.name == RULES][:1]
    best = sorted(judges, key=lambda grader: -(grader.all.value or 0.0))[:2] + rules
    if not best:
        return say("diagnostics.seeded.waiting", n=copies)
    return say("diagnostics.seeded.heading", parts=listed([_part(grader) for grader in best]))


def _part(grader: Grader) -> str:
    """What one of them noticed; what a judge lowers is held against what it raises."""
    found, beyond = grader.all, grader.all.beyond
    if grader.kind != Kind.JUDGE:
        name = say("diagnostics.seeded.the_rules") if grader.name == RULES else grader.name
        return say("diagnostics.seeded.part", name=name, noticed=found.noticed, copies=found.copies)
    sure = beyond.low is not None and beyond.low > 0
    return say(
        "diagnostics.seeded.part_raised",
        name=grader.name,
        noticed=found.noticed,
        copies=found.copies,
        raised=found.raised,
        doubt="" if sure else say("diagnostics.seeded.doubt"),
    )


def _present(scope: Scope, project: Project, keys: list[str]) -> dict[tuple[str, str], int]:
    """(question, model) -> version of the present answers to some questions."""
    rows = content.question_ids(scope.ws.db, project, keys)
    found = content.subjects(scope.ws.db, content.subjects_of(scope.ws.db, rows.values()))
    return {
        (s.subject.question.id, s.subject.answer.model): s.subject.answer.version for s in found
    }


def _chosen(scope: Scope, project: Project, share: float) -> tuple[list[JSON], dict[int, JSON]]:
    """The copies to be made, and their questions by row id, as rows of the exchange format."""
    db = scope.ws.db
    doubted = store.doubted(db, projects.criteria(scope.ws, project))
    elected = elections.elections(db, project)
    able: dict[str, list[tuple[float, StoredSubject, JSON]]] = {}
    faults, judged = known_faults(), asked_criteria.judged_criteria(scope.ws, project)
    for batch in content.chunks(content.subject_ids(db, project)):
        for found in content.subjects(db, batch):
            election = elected.get(found.question_id)
            if (
                found.id in doubted
                or found.subject.other is not None
                or is_author(found.subject.answer.model)
            ):
                continue
            if election is not None and election.subject_id == found.id:
                continue
            if judged and not asked_criteria.reachable(found.subject, judged):
                continue
            for name, fault in faults.items():
                made = _copy(project, name, fault, found)
                if made is not None:
                    able.setdefault(name, []).append((*made[:1], found, made[1]))
    chosen: list[JSON] = []
    questions: dict[int, JSON] = {}
    for rows in able.values():
        rows.sort(key=lambda row: row[0])
        for _, found, answer in rows[: min(MOST, max(1, round(share * len(rows))))]:
            chosen.append(answer)
            if found.question_id not in questions:
                question = {**asdict(found.subject.question), "metadata": {}}
                election = elected.get(found.question_id)
                if (
                    not question["references"]
                    and election is not None
                    and election.subject_id is not None
                ):
                    question["references"] = [election.text]
                questions[found.question_id] = {
                    key: value for key, value in question.items() if value
                }
    return chosen, questions


def _copy(
    project: Project, name: str, fault: SeededFault, found: StoredSubject
) -> tuple[float, JSON] | None:
    """The rank of a copy in the draw, and its row; None where the fault cannot be put in surely."""
    question, answer = found.subject.question, found.subject.answer
    if not fault.may(question.language, question.task_type):
        return None
    key = (name, question.id, answer.model)
    made = fault.damage(
        question.text, answer.text, question.language, drawn(project.seed, "place", *key)
    )
    if made is None or made.text == answer.text or not made.text.strip():
        return None
    row = {**asdict(answer), "model": f"{answer.model}{BETWEEN}{name}", "text": made.text}
    row["metadata"] = {"seeded": {"fault": name, "model": answer.model, "where": made.where}}
    return drawn(project.seed, "seeded", *key), {
        key: value for key, value in row.items() if value not in (None, "")
    }


def _project(scope: Scope, project: Project) -> Project:
    """The project of copies, made if it is not there, with the rubrics and judges of its project as
    they are now."""
    name = seeded_copies.name_for(scope.ws, project)
    settings = {
        **{key: project.settings[key] for key in SHARED if key in project.settings},
        store.SEEDED_OF: project.name,
    }
    found = projects.find_project(scope.ws.db, name)
    if found is None:
        found = projects.add_project(
            scope.ws,
            name,
            say("diagnostics.seeded.title", project=project.title),
            settings=settings,
            notice=say("diagnostics.seeded.notice"),
            seed=project.seed,
        )
    projects.set_settings(scope.ws, found, settings)
    seeded_copies.carry(scope.ws, project)
    return found
