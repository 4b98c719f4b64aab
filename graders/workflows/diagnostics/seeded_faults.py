"""Seeded faults: copies of answers with one known fault, in a project of their own, and who notices
them; without a label."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from graders.core import discovery
from graders.core.control import is_author
from graders.core.errors import InputError
from graders.core.hashing import seeded as drawn
from graders.core.seeded import SeededFault
from graders.store import projects
from graders.store.answers import content, elections
from graders.store.answers.content import StoredSubject
from graders.store.desk import seeded as store
from graders.store.projects import Project
from graders.workflows.calling import judging
from graders.workflows.cells.state import FAULTS
from graders.workflows.diagnostics import _seeded_figures as figures
from graders.workflows.diagnostics._seeded_figures import RULES, Copy
from graders.workflows.importing import seeded_copies
from graders.workflows.importing import stage as importing_stage
from graders.workflows.measuring import measure
from graders.workflows.opinions.participants import circle_of
from graders.workflows.routing.form_screens import Sampling
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import listed

#: What stands between a model's name and the fault in a copy's mark.
BETWEEN = " · "
#: Share of the answers that can have a fault which get a copy with it, and the most copies of one
#: fault.
SHARE, MOST = 0.2, 200
#: Settings that the copies share with their project: what judges are and how answers are read.
SHARED = ("judges", "panel", "languages", "scores")
NOTICE = (
    "Copies of answers with one fault put in by code. They are in no result or ranking of the "
    "answers that they are made from."
)


def known_faults() -> dict[str, SeededFault]:
    """The faults that can be put in, by name."""
    return {name: made() for name, made in discovery.load_all("seeded")[0].items()}


def project_of_copies(scope: Scope, project: Project) -> Project | None:
    """The project that holds the copies of a project's answers; None where none were made."""
    return store.project_of_copies(scope.ws.db, project)


@needs("import")
def seed(scope: Scope, project_name: str, share: float = SHARE) -> dict[str, Any]:
    """Make copies of a share of the answers that can have a fault, per fault, and run the rules on
    them. No judge is asked.

    The same share makes the same copies, a larger one adds to them. Answers that somebody gave a
    worst value, or a fault, are left alone, and so is the elected reference of a question, and an
    answer that no judge could be asked about. Returns what `detection` does, with `made`: how many
    copies are new.
    """
    project = scope.project(project_name)
    if not 0 < share <= 1:
        raise InputError(
            "share of answers",
            found=f"{share:g}",
            expected="above 0, at most 1",
            remedy="Give 0.2 for every fifth answer.",
        )
    if project.settings.get(store.SEEDED_OF):
        raise InputError(
            f"project {project.name!r}",
            found="copies",
            expected="a project of models' answers",
            remedy="Name that one.",
        )
    chosen, questions = _chosen(scope, project, share)
    if not chosen:
        found = "no answer that can have one surely"
        remedy = "Import more answers in English, Russian, Chinese or Japanese."
        raise InputError(
            "seeded faults", found=found, expected="answers of a few sentences", remedy=remedy
        )
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
    return {**detection(scope, project_name), "made": report.answers + report.new_versions}


@needs("look")
def detection(scope: Scope, project_name: str) -> dict[str, Any]:
    """Who notices the seeded faults of a project: per judge, for the rules together and each of
    them, and per person, by fault.

    `copies` counts those whose answer is still the present one, `stale` the others; `project` is
    where the copies are, to be graded like any other; `silent` are judges of the project that have
    not graded them; `control` is the share of people's screens that are copies.
    """
    project = scope.project(project_name)
    faults = known_faults()
    here = project_of_copies(scope, project)
    report: dict[str, Any] = {
        "copies": 0,
        "stale": 0,
        "project": here.name if here else "",
        "graders": [],
        "silent": [],
        "share": SHARE,
        "control": Sampling.of(project.settings).control,
        "faults": [
            {"name": name, "title": fault.title, "about": fault.about, "copies": 0}
            for name, fault in faults.items()
        ],
        "words": "No copy with a fault was made yet.",
    }
    if here is None:
        return report
    rows = [
        (row, json.loads(row["metadata"]).get("seeded")) for row in store.copies(scope.ws.db, here)
    ]
    known = [
        Copy(
            row["question_id"], row["model"], to["model"], row["version"], to["fault"], to["where"]
        )
        for row, to in rows
        if to
    ]
    keys = sorted({copy.question for copy in known})
    before = store.said(scope.ws.db, project, keys)
    present = _present(scope, project, keys)
    current = [
        copy
        for copy in known
        if present.get((copy.question, copy.model)) == copy.version and copy.fault in faults
    ]
    criteria = projects.criteria(scope.ws, project)
    spans = {
        row.key: (row.scale.numbers[0], row.scale.numbers[-1])
        if row.scale.is_discrete
        else (row.scale.low, row.scale.high)
        for row in criteria
        if row.scale.is_ordered and row.rubric.name != FAULTS.name
    }
    circle = circle_of(scope, project)
    names = {name: circle.label(author) for author, name in circle.people.items()}
    graders = figures.graders(
        current, store.said(scope.ws.db, here, keys), before, spans, list(faults), names
    )
    for fault in report["faults"]:
        fault["copies"] = sum(copy.fault == fault["name"] for copy in current)
    spoke = {one["name"] for one in graders if one["kind"] == "judge"}
    judges = sorted({one.author for one in before if one.kind == "judge"} - spoke)
    report |= {
        "copies": len(current),
        "stale": len(known) - len(current),
        "graders": graders,
        "silent": judges,
    }
    return {**report, "words": _words(report)}


def _words(report: Mapping[str, Any]) -> str:
    """The finding in a sentence."""
    if not report["copies"]:
        return "All copies are of answers that have changed since: make them again."
    judges = [one for one in report["graders"] if one["kind"] == "judge"]
    rules = next((one for one in report["graders"] if one["name"] == RULES), None)
    shown = sorted(judges, key=lambda one: -(one["all"]["value"] or 0.0))[:2] + (
        [rules] if rules else []
    )
    if not shown:
        return f"{report['copies']} copies wait to be graded."
    parts = [_part(one, "the rules" if one is rules else one["name"]) for one in shown]
    return f"Of the copies with one fault put in, {listed(parts)}."


def _part(one: Mapping[str, Any], name: str) -> str:
    """What one of them noticed; what a judge lowers is held against what it raises."""
    found, beyond = one["all"], one["all"]["beyond"]
    text = f"{name} noticed {found['noticed']} of {found['copies']}"
    if one["kind"] != "judge":
        return text
    sure = beyond["low"] is not None and beyond["low"] > 0
    return f"{text} (raised {found['raised']}{'' if sure else ': chance may do that'})"


def _present(scope: Scope, project: Project, keys: list[str]) -> dict[tuple[str, str], int]:
    """(question, model) -> version of the present answers to some questions."""
    rows = content.question_ids(scope.ws.db, project, keys)
    found = content.subjects(scope.ws.db, content.subjects_of(scope.ws.db, rows.values()))
    return {
        (s.subject.question.id, s.subject.answer.model): s.subject.answer.version for s in found
    }


def _chosen(
    scope: Scope, project: Project, share: float
) -> tuple[list[dict[str, Any]], dict[int, dict[str, Any]]]:
    """The copies to be made, and their questions by row id, as rows of the exchange format."""
    db = scope.ws.db
    doubted = store.doubted(db, projects.criteria(scope.ws, project))
    elected = elections.elections(db, project)
    able: dict[str, list[tuple[float, StoredSubject, dict[str, Any]]]] = {}
    faults, judged = known_faults(), judging.judged_criteria(scope.ws, project)
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
            if judged and not judging.reachable(found.subject, judged):
                continue
            for name, fault in faults.items():
                made = _copy(project, name, fault, found)
                if made is not None:
                    able.setdefault(name, []).append((*made[:1], found, made[1]))
    chosen: list[dict[str, Any]] = []
    questions: dict[int, dict[str, Any]] = {}
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
) -> tuple[float, dict[str, Any]] | None:
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
        title = f"{project.title}: seeded faults"
        found = projects.add_project(
            scope.ws, name, title, settings=settings, notice=NOTICE, seed=project.seed
        )
    projects.set_settings(scope.ws, found, settings)
    seeded_copies.carry(scope.ws, project)
    return found
