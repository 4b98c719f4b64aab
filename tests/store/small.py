"""Small projects for tests, and counts made afresh from the rows, to hold the kept ones against."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from graders.core.rubric import read_rubric
from graders.store import projects
from graders.store.workspace import Workspace, open_workspace
from graders.workflows.importing import stage as importing_stage
from graders.workflows.importing.stage import Report
from graders.workflows.review import grading
from graders.workflows.review.save_replies import SaveReply
from graders.workflows.review.screen_records import Screen
from graders.workflows.review.screens import cells_of
from graders.workflows.routing import route
from graders.workflows.scope.permissions import Actor, Scope

RUBRIC = """
rubric: small
criteria:
  relevance: {question: Does it do what was asked?, scale: [irrelevant, relevant], graders: [judge], review: people}
  completeness: {question: Is all there?, scale: {from: 1, to: 5}, graders: [judge], review: {factual: automatic, creative: people}}
  tone: {question: Which tone?, scale: {labels: [warm, dry, stiff], ordered: false}, graders: [judge], review: people}
  brevity: {question: Short enough?, scale: [too long, fitting], graders: [{length: {short: 40, detailed: 80}}], review: automatic}
"""
Rows = Sequence[Mapping[str, Any]]


class Clock:
    """Seconds that only pass when told; each look takes a millisecond, so that times of rows
    differ."""

    def __init__(self, now: float = 1_800_000_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        self.now += 0.001
        return self.now


def scope_of(ws: Workspace, person: str = "") -> Scope:
    """Somebody at work in a workspace; the person is made if need be."""
    if person:
        projects.add_person(ws, person.title(), person_id=person)
    return Scope(Actor(person), ws)


def workspace(folder: Path, name: str = "work", clock: Any = None) -> Workspace:
    """A new workspace whose clock stands still unless moved."""
    return open_workspace(folder / f"{name}.db", clock or Clock())


def questions(count: int, **more: Any) -> list[dict[str, Any]]:
    """Questions q1, q2, ...: odd ones factual, even ones creative."""
    kinds = ("creative", "factual")
    return [
        {
            "id": f"q{i}",
            "text": f"Question {i}?",
            "category": kinds[i % 2] + " things",
            "task_type": kinds[i % 2],
            **more,
        }
        for i in range(1, count + 1)
    ]


def answers(
    count: int, models: Sequence[str], text: str = "{model} says {i}."
) -> list[dict[str, Any]]:
    """An answer of every model to q1, q2, ..."""
    return [
        {"question_id": f"q{i}", "model": m, "text": text.format(model=m, i=i)}
        for i in range(1, count + 1)
        for m in models
    ]


def human(
    question: str, model: str, criterion: str, annotator: str, value: Any, **more: Any
) -> dict[str, Any]:
    """A verdict by a person as a file states it."""
    return {
        "question_id": question,
        "model": model,
        "criterion": criterion,
        "annotator": annotator,
        "value": value,
        **more,
    }


def judge(
    question: str, model: str, criterion: str, name: str, value: Any, **more: Any
) -> dict[str, Any]:
    """A judge's verdict as a file states it."""
    return {
        "question_id": question,
        "model": model,
        "criterion": criterion,
        "judge": name,
        "value": value,
        **more,
    }


def folder(place: Path, name: str, **tables: Rows) -> Path:
    """A folder of the exchange format: one JSONL file per table."""
    made = place / name
    made.mkdir(parents=True, exist_ok=True)
    for table, rows in tables.items():
        (made / f"{table}.jsonl").write_text(
            "".join(json.dumps(row) + "\n" for row in rows), "utf-8"
        )
    return made


def bring(scope: Scope, path: Path, project: str = "study", rubric: str | None = RUBRIC) -> Report:
    """Import a file or folder and finish it; the rubric is added on the way."""
    report = importing_stage.stage(
        scope, project, path, rubric=read_rubric(rubric) if rubric else None
    )
    importing_stage.finish(scope, report.import_id)
    return report


def study(
    place: Path,
    ws: Workspace,
    count: int = 4,
    models: Sequence[str] = ("Ash", "Oak", "Elm"),
    **tables: Rows,
) -> Scope:
    """A project ``study`` of `count` questions and these models, routed. Sampling is off, so that
    all screens are ordinary."""
    scope = scope_of(ws)
    bring(
        scope,
        folder(
            place, "study", questions=questions(count), answers=answers(count, models), **tables
        ),
    )
    sample(ws, calibration=0.0, audit=0.0, blind=0.0)
    route.route(scope, "study")
    return scope


def sample(ws: Workspace, **shares: Any) -> None:
    """Set shares of sampling."""
    project = projects.get_project(ws, "study")
    projects.set_settings(
        ws, project, {"sampling": {**project.settings.get("sampling", {}), **shares}}
    )


def marks(screen: Screen, values: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A verdict on every cell of a screen, by criterion name."""
    return _marks([(cell.id, cell.criterion) for cell in cells_of(screen)], values)


def marks_sent(screen: Mapping[str, Any], values: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The same for a screen as a page has it."""
    parts = [part for answer in screen["answers"] for part in (answer, *answer["twins"])]
    cells = [(cell["id"], cell["criterion"]) for part in parts for cell in part["cells"]]
    return _marks(cells, values)


def _marks(cells: Sequence[tuple[int, str]], values: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {"cell": cell, "value": values[name], "action": "typed", "seconds": 3.0}
        for cell, criterion in cells
        if (name := criterion.rsplit("/", 1)[-1]) in values
    ]


#: The last save of screens that a page has in hand (by their identity, so that another tab's copy of
#: one knows of none), with the screens themselves.
_SAVED: dict[int, tuple[Screen, str]] = {}

VALUES = {"relevance": "relevant", "completeness": 4, "tone": "dry", "brevity": "fitting"}


def save(
    scope: Scope,
    screen: Screen,
    save_id: str,
    values: Mapping[str, Any] = VALUES,
    **more: Any,
) -> SaveReply:
    """Save a screen as the page does, which knows its last save of it."""
    order = [answer.id for answer in screen.answers]
    _, after = _SAVED.get(id(screen), (screen, screen.saved.save_id if screen.saved else ""))
    body = {
        "save_id": save_id,
        "screen": screen.id,
        "order": order,
        "verdicts": marks(screen, values),
        "seconds": 9.0,
        "after": after,
    }
    reply = grading.save(scope, "study", {**body, **more})
    if reply.stored:
        _SAVED[id(screen)] = (screen, save_id)
    return reply


def recount(ws: Workspace) -> dict[tuple[Any, ...], list[float]]:
    """What the tallies should hold, counted from cells and answers alone."""
    found: dict[tuple[Any, ...], list[float]] = {}
    done = {row[0] for row in ws.db.execute("SELECT id FROM import WHERE state = 'done'")}
    sql = (
        "SELECT c.*, a.model, a.current AS now1, coalesce(b.current, 1) AS now2, q.category, q.task_type, q.language FROM cell c JOIN subject s ON s.id = c.subject_id "
        "JOIN answer a ON a.id = s.answer_id LEFT JOIN answer b ON b.id = s.other_id JOIN question q ON q.id = c.question_id WHERE c.retired = 0"
    )
    for row in ws.db.execute(sql):
        if row["import_id"] not in done or row["now1"] != 1 or row["now2"] != 1:
            continue
        sums = found.setdefault(
            tuple(
                row[k]
                for k in (
                    "project_id",
                    "criterion_id",
                    "model",
                    "category",
                    "task_type",
                    "language",
                )
            ),
            [0.0] * 7,
        )
        by_people, number = (
            row["final_source"] in ("people", "adjudicated"),
            row["final_number"] or 0.0,
        )
        for place, value in enumerate(
            (
                1,
                by_people and row["route"] != "automatic",
                by_people and row["route"] == "automatic",
                row["final_source"] == "automatic",
                number,
                number * number,
                row["final_source"] == "closed",
            )
        ):
            sums[place] += value
    return found


def tallied(ws: Workspace) -> dict[tuple[Any, ...], list[float]]:
    """What the tallies hold, without rows that count nothing."""
    names = "project_id, criterion_id, model, category, task_type, language, cells, people, audit, automatic, total, squares, closed"
    rows = [tuple(row) for row in ws.db.execute(f"SELECT {names} FROM tally")]
    return {row[:6]: list(row[6:]) for row in rows if any(row[6:])}


def standing(ws: Workspace) -> dict[tuple[int, int], str]:
    """(cell, author) -> the verdict that counts: the latest that no later row retracts, of finished
    imports."""
    done = {row[0] for row in ws.db.execute("SELECT id FROM import WHERE state = 'done'")}
    found: dict[tuple[int, int], list[str]] = {}
    for row in ws.db.execute("SELECT * FROM verdict ORDER BY id"):
        if row["import_id"] in done:
            said = found.setdefault((row["cell_id"], row["author_id"]), [])
            if row["kind"] == "retracts":
                said[:] = [uid for uid in said if uid != row["amends"]]
            else:
                said.append(row["uid"])
    return {key: said[-1] for key, said in found.items() if said}


def opinions(ws: Workspace) -> dict[tuple[int, int], str]:
    """(cell, author) -> the verdict that the store says counts."""
    done = "(SELECT id FROM import WHERE state = 'done')"
    sql = f"SELECT o.cell_id, o.author_id, v.uid FROM opinion o JOIN verdict v ON v.id = o.verdict_id WHERE o.import_id IN {done}"
    return {(row[0], row[1]): row[2] for row in ws.db.execute(sql)}


def places(ws: Workspace) -> dict[int, int]:
    """Screen -> free places as they should be: needed, less done, less held."""
    sql = "SELECT s.id, max(0, s.needed - s.done - (SELECT count(*) FROM assignment a WHERE a.screen_id = s.id AND a.state = 'leased')) FROM screen s"
    return {row[0]: row[1] for row in ws.db.execute(sql)}


def free(ws: Workspace) -> dict[int, int]:
    """Screen -> free places as the queue has them."""
    return {row[0]: row[1] for row in ws.db.execute("SELECT screen_id, free FROM queue")}
