"""Whatever happens to a project, what is kept beside the verdicts equals a fresh count: tallies,
opinions, free places."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graders.core.errors import CogradeError
from graders.core.rubric import read_rubric
from graders.store import projects
from graders.store.calls import runs
from graders.store.opinions import cells
from graders.store.workspace import Workspace
from graders.workflows.cells.state import refresh_all
from graders.workflows.importing import stage as importing_stage
from graders.workflows.measuring import measure
from graders.workflows.projects import task_types
from graders.workflows.review import grading
from graders.workflows.routing import route as routing
from tests.store import small

MODELS = ("Ash", "Oak", "Elm")
PEOPLE = ("mira", "jon", "lee")
CATEGORIES = ("factual things", "creative things", "other things")
SCALES = {
    "relevance": ("irrelevant", "relevant"),
    "completeness": (1, 2, 3, 4, 5),
    "tone": ("warm", "dry", "stiff"),
}


class Walk:
    """A project to which anything may happen, in an order that the seed decides."""

    def __init__(self, place: Path, seed: int) -> None:
        self.dice, self.place, self.step = random.Random(seed), place, 0
        self.clock = small.Clock()
        self.ws: Workspace = small.workspace(place, clock=self.clock)
        self.lead = small.scope_of(self.ws)
        self.saves: list[tuple[str, str]] = []
        small.bring(
            self.lead,
            small.folder(
                place, "first", questions=small.questions(5), answers=small.answers(5, MODELS)
            ),
        )
        small.sample(self.ws, calibration=0.2, audit=0.2, blind=0.3, overlap=2)
        self.route()

    def one_step(self) -> str:
        """Do one thing; returns its name."""
        self.step += 1
        acts: list[Callable[[], None]] = [self.save] * 8 + [self.undo] * 3 + [self.import_file] * 4
        acts += [
            self.route,
            self.route,
            self.retype,
            self.rules,
            self.edit_rubric,
            self.wait,
            self.skip,
            self.release,
            self.flag_or_fault,
        ]
        act = self.dice.choice(acts)
        act()
        return f"step {self.step}: {act.__name__}"

    def value(self, criterion: str) -> Any:
        """A value of a criterion, sometimes not applicable."""
        return (
            None
            if self.dice.random() < 0.1
            else self.dice.choice(SCALES.get(criterion, ("too long", "fitting")))
        )

    def screen(self, person: str) -> dict[str, Any] | None:
        """A screen for a person, new or his or hers already."""
        found = grading.next_screens(
            small.scope_of(self.ws, person), "study", self.dice.choice((1, 2))
        )
        return self.dice.choice(found) if found else None

    def save(self, **more: Any) -> None:
        person = self.dice.choice(PEOPLE)
        screen = self.screen(person)
        if screen is None:
            return
        values = {
            name: self.value(name) for name in (*SCALES, "brevity") if self.dice.random() < 0.8
        }
        name = f"save-{self.step:05}"
        small.save(small.scope_of(self.ws, person), screen, name, values, **more)
        self.saves.append((person, name))
        if self.dice.random() < 0.2:  # saved again, with other values: amends
            again = {key: self.value(key) for key in values}
            small.save(small.scope_of(self.ws, person), screen, name + "-again", again)
            self.saves.append((person, name + "-again"))

    def skip(self) -> None:
        self.save(skipped="not my field")

    def flag_or_fault(self) -> None:
        person = self.dice.choice(PEOPLE)
        screen = self.screen(person)
        if screen is not None:
            fault = {
                "answer": screen.answers[0].id,
                "name": self.dice.choice(("rude", "made up")),
                "value": "present",
            }
            name = f"save-{self.step:05}"
            small.save(
                small.scope_of(self.ws, person),
                screen,
                name,
                flagged=self.dice.random() < 0.5,
                faults=[fault],
            )
            self.saves.append((person, name))

    def release(self) -> None:
        person = self.dice.choice(PEOPLE)
        screen = self.screen(person)
        if screen is not None:
            grading.release(small.scope_of(self.ws, person), "study", [screen.id])

    def undo(self) -> None:
        if self.saves:
            person, name = self.dice.choice(self.saves)
            grading.undo(small.scope_of(self.ws, person), "study", f"undo-{self.step:05}", name)

    def wait(self) -> None:
        self.clock.now += 1_900  # half an hour is a lease

    def route(self) -> None:
        routing.route(self.lead, "study")

    def retype(self) -> None:
        task = self.dice.choice(("factual", "creative", "unknown"))
        task_types.map_categories(self.lead, "study", {self.dice.choice(CATEGORIES): task})

    def rules(self) -> None:
        project = projects.get_project(self.ws, "study")
        measure.measure(
            self.ws, project, None, progress=lambda done, total: None, should_stop=lambda: False
        )

    def edit_rubric(self) -> None:
        """Another guide makes a criterion's verdicts stale; the same text later makes them fresh
        again."""
        project = projects.get_project(self.ws, "study")
        guide = self.dice.choice(("", "guide: Look twice.,", "guide: Look again.,"))
        projects.save_rubric(
            self.ws,
            project,
            read_rubric(small.RUBRIC.replace("completeness: {", f"completeness: {{{guide} ")),
        )
        refresh_all(self.ws, project, cells.cell_ids(self.ws.db, project))

    def import_file(self) -> None:
        """Some questions and answers, a few changed or new, verdicts on some; finished, dropped,
        left waiting or given up."""
        count = self.dice.randint(1, 7)
        asked = [
            {**q, "category": self.dice.choice(CATEGORIES)} if self.dice.random() < 0.3 else q
            for q in small.questions(count)
        ]
        texts = [
            {
                **a,
                "text": a["text"]
                + self.dice.choice(("", "", " Changed.", " Changed again, and quite long now.")),
            }
            for a in small.answers(count, MODELS)
        ]
        given = [
            small.human(
                a["question_id"],
                a["model"],
                name,
                self.dice.choice(PEOPLE),
                self.dice.choice(values),
            )
            for a in texts
            for name, values in SCALES.items()
            if self.dice.random() < 0.2
        ]
        said = [
            small.judge(
                a["question_id"],
                a["model"],
                name,
                f"judge{self.dice.randint(1, 3)}",
                self.dice.choice(values),
                confidence=0.8,
            )
            for a in texts
            for name, values in SCALES.items()
            if self.dice.random() < 0.3
        ]
        path = small.folder(
            self.place, f"file{self.step}", questions=asked, answers=texts, human=given, judge=said
        )
        report = importing_stage.stage(self.lead, "study", path)
        assert report.bad == 0, report.bad_rows
        end = self.dice.random()
        if end < 0.6:
            importing_stage.finish(self.lead, report.import_id)
        elif end < 0.8:
            importing_stage.drop(self.lead, report.import_id)


@pytest.mark.parametrize("seed", range(12))
def test_what_is_kept_equals_a_fresh_count(tmp_path: Path, seed: int) -> None:
    walk = Walk(tmp_path, seed)
    for _ in range(45):
        done = walk.one_step()
        expected, kept = small.recount(walk.ws), small.tallied(walk.ws)
        assert set(kept) == set(expected), done
        for key, sums in expected.items():
            assert kept[key] == pytest.approx(sums), (done, key)
        assert small.opinions(walk.ws) == small.standing(walk.ws), done
        assert small.free(walk.ws) == small.places(walk.ws), done
    assert walk.ws.check() == []


def test_a_recount_notices_a_tally_that_is_off_by_one(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    small.study(tmp_path, ws)
    assert small.tallied(ws) == small.recount(ws)
    with ws.write() as db:
        db.execute("UPDATE tally SET people = people + 1 WHERE id = (SELECT min(id) FROM tally)")
    assert small.tallied(ws) != small.recount(ws)


def test_a_waiting_import_gives_way_to_the_next_one(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    scope = small.study(tmp_path, ws, count=2)
    waiting = importing_stage.stage(
        scope,
        "study",
        small.folder(
            tmp_path, "a", questions=small.questions(3), answers=small.answers(3, ["New"])
        ),
    )
    report = importing_stage.stage(
        scope,
        "study",
        small.folder(
            tmp_path, "b", questions=small.questions(3), answers=small.answers(3, ["New"])
        ),
    )
    assert report.answers == 3, "the rows of the import that waited are gone, so these are new"
    with pytest.raises(CogradeError, match="found state swept"):
        importing_stage.finish(scope, waiting.import_id)
    importing_stage.finish(scope, report.import_id)
    assert ws.check() == []


def test_verdicts_on_cells_of_a_dropped_import_stay(tmp_path: Path) -> None:
    """A lead may add the rubric that a waiting import brings, and a run then meets a cell that it
    made on a visible answer: dropping the import must not take it along."""
    ws = small.workspace(tmp_path)
    scope = small.study(tmp_path, ws, count=2)
    project = projects.get_project(ws, "study")
    late = "rubric: late\ncriteria:\n  brief: {question: Brief?, scale: [too long, fitting], graders: [length]}\n"
    path = small.folder(
        tmp_path,
        "late",
        questions=small.questions(2),
        answers=small.answers(2, ["Ash"]),
        human=[small.human("q1", "Ash", "brief", "mira", "fitting")],
    )
    report = importing_stage.stage(scope, "study", path, rubric=read_rubric(late))
    projects.save_rubric(ws, project, read_rubric(late))
    measure.measure(ws, project, None, progress=lambda done, total: None, should_stop=lambda: False)
    assert small.standing(ws)
    importing_stage.drop(scope, report.import_id)
    assert ws.check() == []
    assert small.opinions(ws) == small.standing(ws)
    assert small.tallied(ws) == small.recount(ws)
    assert not runs.unfinished(ws)
