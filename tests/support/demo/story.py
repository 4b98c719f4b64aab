"""Two weeks of the demo's invented people at the real desk, by a clock that is set."""

from __future__ import annotations

import heapq
import json
import shutil
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from graders.core.hashing import seeded
from graders.store import projects
from graders.store.answers import content
from graders.store.opinions.cells import load_cells
from graders.store.transfer import snapshot
from graders.store.workspace import open_workspace
from graders.workflows.adjudication import adjudicate, cell_list
from graders.workflows.adjudication.adjudicate import CellQuery
from graders.workflows.importing import stage as importing_stage
from graders.workflows.leaderboard import draw_pairs
from graders.workflows.measuring import measure
from graders.workflows.projects.settings import change_settings
from graders.workflows.review import gold, grading
from graders.workflows.review.screen_records import CellShown, Screen
from graders.workflows.routing.route import route
from graders.workflows.routing.terms import fix_terms
from graders.workflows.scope import named_rubrics
from graders.workflows.scope.permissions import Actor, Scope
from tests.support.demo import minds, reasons
from tests.support.demo.minds import SEED

Rows = dict[str, list[dict[str, Any]]]
#: Day -> screens that each person does at most.
Plan = Mapping[str, Mapping[str, int]]
#: What people did, as tables of the exchange format; all others of the demo are as they were
#: written.
TABLES = ("human", "screens", "assignments", "seen", "review_order", "gold", "events")
#: Fields of verdicts that are left out: they are those of the rubrics as they stand.
LEFT_OUT = ("scale", "criterion_hash", "after_reveal")
#: First the drawn answers, then the others. Noor and Ravi begin a day later, and Ravi stops early.
DRAWN_FIRST: Plan = {
    "2026-10-13": {"mira": 20, "jonas": 20, "aiko": 18},
    "2026-10-14": {"mira": 20, "jonas": 18, "aiko": 20, "noor": 18, "ravi": 16},
    "2026-10-15": {"mira": 20, "jonas": 20, "aiko": 20, "noor": 18},
}
OTHERS: Plan = {
    "2026-10-16": {"ravi": 9},
    "2026-10-19": {"mira": 19, "jonas": 18, "aiko": 18, "noor": 17},
    "2026-10-20": {"mira": 18, "jonas": 18, "aiko": 17, "noor": 18},
    "2026-10-21": {"mira": 18, "jonas": 19, "aiko": 18, "noor": 18},
}
#: Last come the audits of what the machine decided by then.
AUDITED: Plan = {"2026-10-23": {"mira": 20, "jonas": 20, "noor": 20}}
PAIRED: Plan = {
    "2026-10-21": {"mira": 14, "jonas": 16},
    "2026-10-22": {"mira": 20, "jonas": 20, "noor": 36},
}
#: First people read whatever is not certain, later the machine decides what it is fairly sure of.
CAREFUL, LATER = {"low_confidence": 1.0}, {"low_confidence": 0.6}
#: These people know the tool: a coin decides each arm from their first screen on. One of them reads
#: what was drawn, two read some of it, by which the product says how far people agree.
BEGINNING = {"warm_up": 0, "overlap": 1}
#: Two of them grade what was not drawn, as far as they get; the rest is for whoever opens the demo.
OPENED = {"overlap": 2}
#: What the promise says: at most this share of the machine's cells differs from a person by more
#: than a step, sure to 1 - delta. It is fixed before anybody labels.
TERMS = {"alpha": 0.1, "delta": 0.1, "within": 1}
#: Cells that Aiko settles after each week; settled cells that check the others; pairs of each
#: question.
SETTLED, CHECKS, PAIRS = (14, 14), 6, 2


class Clock:
    """Seconds since the epoch, set by who acts."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def at(self, day: str, hour: float) -> None:
        self.now = datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp() + hour * 3600


class Story:
    """A workspace with the written part of a project, and what people do in it. `lead` is the
    person who leads."""

    def __init__(self, folder: Path, name: str, lead: str) -> None:
        self.clock = Clock()
        self.clock.at("2026-10-12", 9)
        self.name = name
        #: Screens that everybody leaves to others.
        self.waits: Callable[[Screen], bool] = lambda screen: False
        self.ws = open_workspace(folder / f"{name}.db", self.clock)
        self.lead = Scope(Actor(lead), self.ws)
        self.saves: Counter[str] = Counter()
        self.commented: set[tuple[str, str]] = set()

    def brought(self, written: Path, rubric: str) -> None:
        """The written part is imported and measured."""
        report = importing_stage.stage(
            self.lead, self.name, written, rubric=named_rubrics.read_named_rubric(rubric)
        )
        importing_stage.finish(self.lead, report.import_id)
        measure.measure(self.ws, self.lead.project(self.name), None)
        self.clock.at("2026-10-12", 15)

    def days(self, plan: Plan) -> None:
        """Everybody does the day's screens, side by side."""
        for day, wanted in plan.items():
            coming: list[tuple[float, str, int, dict[str, Any]]] = []
            for place, (person, count) in enumerate(wanted.items()):
                self.clock.at(day, 8.5 + 0.4 * place)
                coming.append((self.clock.now, person, count, {}))
            heapq.heapify(coming)
            while coming:
                at, person, left, body = heapq.heappop(coming)
                self.clock.now = at
                if body:
                    grading.save(Scope(Actor(person), self.ws), self.name, body)
                screen = self.next(person) if left else None
                if screen is not None:
                    body = self.graded(person, screen)
                    pause = 3 + 9 * seeded(SEED, "pause", body["save_id"])
                    heapq.heappush(coming, (at + body["seconds"] + pause, person, left - 1, body))

    def next(self, person: str) -> Screen | None:
        """The next screen of a person that is not left to others; those are given back."""
        mine = Scope(Actor(person), self.ws)
        found = grading.next_screens(mine, self.name, 1)
        if found and self.waits(found[0]):
            found = grading.next_screens(mine, self.name, 60)
            grading.release(mine, self.name, [one.id for one in found if self.waits(one)])
            found = [one for one in found if not self.waits(one)]
            grading.release(mine, self.name, [one.id for one in found[1:]])
        return found[0] if found else None

    def graded(self, person: str, screen: Screen) -> dict[str, Any]:
        """The save of a screen."""
        self.saves[person] += 1
        number = self.saves[person]
        verdicts: list[dict[str, Any]] = []
        comment = ""
        reading = 2 + 6 * seeded(SEED, "reading", person, number)
        for answer in screen.answers:
            for one in [answer, *answer.twins]:
                question, model, other = self.whose(one.id)
                if not other:
                    reading += minds.reading(person, f"{question} {model}", answer.length)
                for cell in (cell for cell in one.cells if cell.open):
                    key = (question, model, cell.criterion.split("/")[1], cell.part)
                    verdicts.append(self.said(person, key, other, cell, screen, answer.length))
                if (
                    not other
                    and (question, model) in minds.COMMENTS
                    and (question, model) not in self.commented
                ):
                    self.commented.add((question, model))
                    comment = minds.COMMENTS[question, model]
        return {
            "save_id": f"{self.name}-{person}-{number:03}",
            "screen": screen.id,
            "verdicts": verdicts,
            "order": [answer.id for answer in screen.answers],
            "comment": comment,
            "seconds": round(sum(one["seconds"] for one in verdicts) + reading, 1),
        }

    def said(
        self,
        person: str,
        key: minds.Key,
        other: str,
        cell: CellShown,
        screen: Screen,
        length: int,
    ) -> dict[str, Any]:
        """What a person says of a cell."""
        blind = screen.arm == "blind"
        if other:
            found = minds.Said(minds.prefers(person, key[0], key[1], other), "typed")
        elif blind:
            again = self.ws.db.execute(
                "SELECT again FROM screen WHERE id = ?", (screen.id,)
            ).fetchone()[0]
            found = minds.Said(minds.own(person, key, "again" if again else ""), "typed")
        else:
            suggested = cell.suggestion.value if cell.suggestion else None
            judged = [one.value for one in cell.judges if one.value is not None]
            found = minds.beside(person, key, suggested, judged, bool(screen.question.references))
        clock = minds.comparing if other else minds.seconds
        took = clock(person, key, blind, length)
        return {
            "cell": cell.id,
            "value": found.value,
            "action": found.action,
            "fault_of": found.fault_of,
            "seconds": took,
        }

    def whose(self, subject_id: int) -> tuple[str, str, str]:
        """(question, model, the other model of a pair)."""
        subject = content.subjects(self.ws.db, [subject_id])[0].subject
        return (
            subject.question.id,
            subject.answer.model,
            subject.other.model if subject.other else "",
        )

    def settle(self, day: str, count: int) -> list[int]:
        """The lead settles `count` cells on which people differ, spread over the list; returns
        them."""
        self.clock.at(day, 16)
        listed = cell_list.cells_to_settle(self.lead, self.name).rows
        chosen = listed[:: max(1, len(listed) // count)][:count]
        for number, row in enumerate(chosen):
            adjudicate.cell_card(self.lead, self.name, CellQuery(row.cell))
            took = round(35 + 60 * seeded(SEED, "settled", day, number), 1)
            self.clock.now += took
            question, model, _ = self.whose(row.subject)
            criterion, part = (
                row.criterion.split("/")[1],
                load_cells(self.ws.db, [row.cell])[row.cell].part,
            )
            value = minds.CAREFUL[question, model, criterion, part]
            reason = reasons.why(
                criterion, part, f"{question} {model}", value == minds.STEPS[criterion][-1]
            )
            body = {
                "value": value,
                "reason": reason,
                "save_id": f"{self.name}-settled-{day}-{number:02}",
                "before": "",
                "seconds": took,
            }
            adjudicate.settle(self.lead, self.name, row.cell, body)
        return [row.cell for row in chosen]

    def told(self) -> Rows:
        """What people did, as tables."""
        project = projects.get_project(self.ws, self.name)
        rows = {name: list(snapshot.rows(self.ws, project, name)) for name in TABLES}
        self.ws.close()
        return _named({name: found for name, found in rows.items() if found})


def study(folder: Path, written: Path) -> Rows:
    """What people did in the study."""
    base = _part(
        folder / "study",
        written,
        ("project.json", "questions.jsonl", "answers.jsonl", "judge.jsonl", "people.jsonl"),
    )
    project = json.loads((base / "project.json").read_text("utf-8"))
    project["settings"]["sampling"].update(BEGINNING)
    (base / "project.json").write_text(json.dumps(project), "utf-8")
    story = Story(folder, "autumn-study", "aiko")
    story.brought(base, "answer-quality")
    change_settings(story.lead, story.name, CAREFUL)
    route(story.lead, story.name)
    fix_terms(story.lead, story.name, **TERMS)
    story.waits = lambda screen: screen.design == "ordinary"
    story.days(DRAWN_FIRST)
    for cell in story.settle("2026-10-16", SETTLED[0])[:CHECKS]:
        gold.mark(story.lead, story.name, cell, "check")
    change_settings(story.lead, story.name, OPENED)
    route(story.lead, story.name)
    story.waits = lambda screen: False
    story.days(OTHERS)
    story.settle("2026-10-22", SETTLED[1])
    change_settings(story.lead, story.name, LATER)
    route(story.lead, story.name)
    story.waits = lambda screen: screen.design != "audit"
    story.days(AUDITED)
    return story.told()


def paired(folder: Path, written: Path) -> Rows:
    """What people did with pairs of the first answers."""
    names = ("project.json", "questions.jsonl", "answers.jsonl", "people.jsonl")
    base = _part(folder / "pairs", written, names)
    story = Story(folder, "autumn-pairs", "mira")
    story.brought(base, "preference")
    draw_pairs.draw(story.lead, story.name, "balanced", per_question=PAIRS)
    route(story.lead, story.name)
    story.days(PAIRED)
    return story.told()


def _named(rows: Rows) -> Rows:
    """The rows with verdicts named by their place, which are named by chance else; without what the
    demo's rubrics say already."""
    names = {row["id"]: f"demo-h-{place:04}" for place, row in enumerate(rows["human"], 1)}
    for row in rows["human"]:
        for field in LEFT_OUT:
            row.pop(field, None)
        row["id"] = names[row["id"]]
        if "amends" in row:
            row["amends"] = names[row["amends"]]
        if "settles" in row:
            row["settles"] = [names[one] for one in row["settles"]]
    # What was made for one person alone and given back unopened waits for nobody.
    rows["screens"] = [row for row in rows["screens"] if row["done"] or "free" in row]
    for row in rows["assignments"]:
        row["verdicts"] = [names[one] for one in row.get("verdicts") or []]
    return rows


def _part(folder: Path, written: Path, names: Sequence[str]) -> Path:
    folder.mkdir(exist_ok=True)
    for name in names:
        shutil.copy(written / name, folder / name)
    return folder
