"""Two days of the demo's invented people at the real desk, by a clock that is set."""

from __future__ import annotations

import heapq
import shutil
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from graders.core.hashing import seeded
from graders.store import content, snapshot
from graders.store.workspace import open_workspace
from graders.workflows import imports, named_rubrics, pairs, review
from graders.workflows.demo import PAIRS_NAME as NAME
from graders.workflows.permissions import Actor, Scope
from graders.workflows.route import route
from tests.support.demo_pairs import minds
from tests.support.demo_pairs.minds import SEED

Rows = dict[str, list[dict[str, Any]]]
#: What people did, as tables of the exchange format; all others are as they were written.
TABLES = ("human", "screens", "assignments", "review_order", "events")
#: Fields of verdicts that are left out: they are those of the rubric as it stands.
LEFT_OUT = ("scale", "criterion_hash", "after_reveal")
#: Day -> screens that each person does at most.
DAYS = {"2026-10-21": {"mira": 14, "jonas": 16}, "2026-10-22": {"mira": 20, "jonas": 20, "noor": 36}}


class Clock:
    """Seconds since the epoch, set by who acts."""

    now = 0.0

    def __call__(self) -> float:
        return self.now

    def at(self, day: str, hour: float) -> float:
        self.now = datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp() + hour * 3600
        return self.now


def paired(folder: Path, answers: Path, own: Path) -> Rows:
    """What people said of pairs of the `answers`: `own` has the project and its people."""
    base = folder / "pairs"
    base.mkdir()
    for file in (answers / "questions.jsonl", answers / "answers.jsonl", own / "project.json", own / "people.jsonl"):
        shutil.copy(file, base)
    clock = Clock()
    clock.at("2026-10-20", 9)
    scope = Scope(Actor("mira"), open_workspace(folder / "story.db", clock))
    report = imports.stage(scope, NAME, base, rubric=named_rubrics.read_named_rubric("preference"))
    imports.finish(scope, report.import_id)
    pairs.draw(scope, NAME, "balanced", per_question=2)
    route(scope, NAME)
    work(scope, clock)
    project = scope.project(NAME)
    rows = {name: list(snapshot.rows(scope.ws, project, name)) for name in TABLES}
    scope.ws.close()
    return named(rows)


def work(scope: Scope, clock: Clock) -> None:
    """Everybody does the day's screens, side by side."""
    done: Counter[str] = Counter()
    for day, wanted in DAYS.items():
        coming = [(clock.at(day, 8.5 + 0.4 * place), person, count, {}) for place, (person, count) in enumerate(wanted.items())]
        heapq.heapify(coming)
        while coming:
            at, person, left, body = heapq.heappop(coming)
            clock.now, mine = at, Scope(Actor(person), scope.ws)
            if body:
                review.save(mine, NAME, body)
            for screen in review.next_screens(mine, NAME, 1) if left else []:
                done[person] += 1
                body = compared(scope, person, done[person], screen)
                pause = 3 + 9 * seeded(SEED, "pause", body["save_id"])
                heapq.heappush(coming, (at + body["seconds"] + pause, person, left - 1, body))


def compared(scope: Scope, person: str, number: int, screen: dict[str, Any]) -> dict[str, Any]:
    """The save of a screen."""
    verdicts = []
    for one in screen["answers"]:
        pair = content.subjects(scope.ws.db, [one["id"]])[0].subject
        assert pair.other is not None
        value = minds.prefers(person, pair.question.id, pair.answer.model, pair.other.model)
        took = minds.seconds(person, pair.question.id, one["length"])
        verdicts += [{"cell": cell["id"], "value": value, "action": "typed", "seconds": took} for cell in one["cells"]]
    return {
        "save_id": f"{NAME}-{person}-{number:03}",
        "screen": screen["id"],
        "verdicts": verdicts,
        "order": [one["id"] for one in screen["answers"]],
        "seconds": round(sum(one["seconds"] for one in verdicts) + 2 + 6 * seeded(SEED, "reading", person, number), 1),
    }


def named(rows: Rows) -> Rows:
    """The rows with verdicts named by their place, which are named by chance else; without what the rubric says already."""
    names = {row["id"]: f"demo-p-{place:03}" for place, row in enumerate(rows["human"], 1)}
    for row in rows["human"]:
        for field in LEFT_OUT:
            row.pop(field, None)
        row["id"] = names[row["id"]]
    for row in rows["assignments"]:
        row["verdicts"] = [names[one] for one in row["verdicts"]]
    return rows
