"""There and back: an export into an empty workspace gives the same files, byte for byte, and the
same figures."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from graders.store import projects
from graders.store.desk import assignments, own_screens, repeats, reveals
from graders.store.workspace import Workspace, open_workspace
from graders.workflows.adjudication import adjudicate
from graders.workflows.agreement.agree import agreement
from graders.workflows.importing import stage as importing_stage
from graders.workflows.importing.stage import Report
from graders.workflows.leaderboard import draw_pairs
from graders.workflows.projects import settings as projects_settings
from graders.workflows.promise.promise_tests import tries_of
from graders.workflows.report.export import export
from graders.workflows.results import answer as results_answer
from graders.workflows.results import grid as results_grid
from graders.workflows.review import gold, grading
from graders.workflows.routing import review_order
from graders.workflows.routing.route import route
from graders.workflows.scope.permissions import Scope
from tests.store import small
from tests.support import worked
from tests.support.imported import everything, need
from tests.support.routed import grade, routed


def round_trip(place: Path, scope: Scope) -> Report:
    """Export, import into an empty workspace, export again: all files equal, byte for byte."""
    there = export(scope, "study", "jsonl", place / "there")
    other = small.scope_of(small.workspace(place, "other", clock=small.Clock(1_900_000_000.0)))
    report = importing_stage.stage(other, "study", there)
    assert report.bad_rows == ()
    importing_stage.finish(other, report.import_id)
    back = export(other, "study", "jsonl", place / "back")
    names = sorted(str(p.relative_to(there)) for p in there.rglob("*") if p.is_file())
    assert names == sorted(str(p.relative_to(back)) for p in back.rglob("*") if p.is_file())
    for name in names:
        assert (back / name).read_bytes() == (there / name).read_bytes(), name
    assert results_grid.grid(other, "study") == results_grid.grid(scope, "study")
    assert small.recount(other.ws) == small.tallied(other.ws)
    assert other.ws.check() == []
    return report


def first_questions(folder: Path, count: int, place: Path) -> Path:
    """A copy of a folder with the rows of its first questions."""
    place.mkdir()
    keys = {
        json.loads(line)["id"]
        for line in (folder / "questions.jsonl").read_text("utf-8").splitlines()[:count]
    }
    for file in folder.glob("*.jsonl"):
        rows = []
        for line in file.read_text("utf-8").splitlines(keepends=True):
            row = json.loads(line)
            if row.get("question_id", row.get("id")) in keys:
                rows.append(line)
        (place / file.name).write_text("".join(rows), "utf-8")
    return place


@pytest.mark.parametrize("name", ["nq301", "alttest_mtbench", "summeval"])
def test_public_data_go_there_and_back(
    tmp_path: Path, ws: Workspace, scope: Scope, name: str
) -> None:
    folder = need(name)
    if name == "summeval":  # 86,199 verdicts: a tenth of them has every kind of row
        folder = first_questions(folder, 10, tmp_path / "first")
    small.bring(scope, folder, rubric=None)
    route(scope, "study")
    round_trip(tmp_path, scope)
    other = small.scope_of(open_workspace(tmp_path / "other.db"))
    there, here = agreement(other, "study"), agreement(scope, "study")
    # the file and the time of the import are its own
    imports = [
        replace(one, source=was.source, at=was.at)
        for one, was in zip(there.choice.imports, here.choice.imports, strict=True)
    ]
    assert replace(there, choice=replace(there.choice, imports=imports)) == here


def test_work_of_people_goes_there_and_back(tmp_path: Path) -> None:
    """Saves, amended and undone ones, skips, flags, faults, not applicable, overlap, draws, two
    rubrics, metrics, a new version."""
    ws = small.workspace(tmp_path)
    lead = worked.at_work(tmp_path, ws)
    kinds = {row[0] for row in ws.db.execute("SELECT kind FROM verdict")}
    assert kinds == {"given", "amends", "retracts"}
    round_trip(tmp_path, lead)
    other = open_workspace(tmp_path / "other.db")
    flags, shown = (
        "SELECT person_id, count(*) FROM flag GROUP BY 1 ORDER BY 1",
        "SELECT DISTINCT person_id FROM seen ORDER BY 1",
    )
    # whoever saw marks on finished screens gives no blind verdict on them elsewhere
    for sql in (
        flags,
        shown,
    ):
        assert (
            [tuple(row) for row in other.db.execute(sql)]
            == [tuple(row) for row in ws.db.execute(sql)]
            != []
        )
    assert set(small.standing(ws).values()) == set(small.opinions(other).values()), (
        "the same verdicts stand"
    )
    again = route(small.scope_of(other), "study")
    assert again.routes == route(lead, "study").routes
    drawn = [len(projects.events(w, projects.get_project(w, "study"), "draw")) for w in (ws, other)]
    assert drawn[0] == drawn[1], "what was drawn is not drawn again"


def test_what_keeps_the_sample_of_people_honest_goes_there_and_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The order in force, screens that looked hard, second looks, gold questions, whose marks were
    seen, what was revealed."""
    monkeypatch.setattr(own_screens, "GAP", 5)
    scope = routed(tmp_path, 40, calibration=0.3, blind=0.5, repeat=0.6, gold=0.2)
    grade(
        scope,
        "mira",
        lambda criterion, question: "relevant" if criterion == "small/relevance" else 4,
        screens=24,
    )
    jon = small.scope_of(scope.ws, "jon")
    abandoned = next(
        s.id
        for s in grading.next_screens(jon, "study", 24)
        if assignments.find(scope.ws.db, s.id, "jon").adaptive
    )
    grading.release(jon, "study", [abandoned])
    vera = small.scope_of(scope.ws, "vera")
    (cell,) = scope.ws.db.execute(
        "SELECT cell_id FROM opinion WHERE design = 'calibration' AND value = '4' LIMIT 1"
    ).fetchone()
    adjudicate.settle(
        vera,
        "study",
        cell,
        {"value": 4, "reason": "All is there.", "save_id": "settled-1", "before": ""},
    )
    gold.mark(vera, "study", cell, "practice")
    results_answer.answer(small.scope_of(scope.ws, "iris"), "study", "q1", "Ash")
    reveals.log(scope.ws, scope.project("study"), "mira", reveals.SHOWN, "", "2030", 10)

    round_trip(tmp_path, scope)
    other = small.scope_of(open_workspace(tmp_path / "other.db"))
    assert review_order.order_in_force(other, "study") == review_order.order_in_force(
        scope, "study"
    )
    assert gold.listed(other, "study").cells[0].why == "All is there."
    for one in (scope, other):
        twice = [
            said
            for c in projects.criteria(one.ws, one.project("study"))
            for said in repeats.said_twice(one.ws.db, one.project("study"), c)
        ]
        assert len(twice) == 4, "two screens of two cells"
        assert (
            one.ws.db.execute("SELECT count(*) FROM seen WHERE person_id = 'iris'").fetchone()[0]
            == 1
            and reveals.latest(one.ws.db, one.project("study"), "mira").open
        )
        review_order.arrange(one.ws, one.project("study"))
        given = [
            assignments.find(one.ws.db, s.id, "ada")
            for s in grading.next_screens(small.scope_of(one.ws, "ada"), "study", 60)
        ]
        assert {a.adaptive for a in given if a.design == "ordinary"} == {True}, (
            "what is left looks easy: it is no sample"
        )


PAIRED = (
    small.RUBRIC
    + "  better: {question: Which?, scale: {labels: [A, B, tie], ordered: false}, graders: [judge], review: people}\n"
)


def populations(scope: Scope) -> list[set[tuple[Any, ...]]]:
    """Of each draw the answers and pairs that it was made from."""
    sql = (
        "SELECT q.key, a.model, a.version, b.model FROM subject s JOIN question q ON q.id = s.question_id JOIN answer a ON a.id = s.answer_id "
        "LEFT JOIN answer b ON b.id = s.other_id WHERE s.id <= ?"
    )
    draws = projects.events(scope.ws, scope.project("study"), "draw")[::-1]
    return [
        {tuple(row) for row in scope.ws.db.execute(sql, (draw.body["upto"],))} for draw in draws
    ]


def test_draws_between_imports_and_pairs_keep_their_populations(
    tmp_path: Path, ws: Workspace
) -> None:
    lead = small.study(tmp_path, ws, count=3, models=["Ash", "Oak"])
    small.sample(ws, calibration=0.5)
    projects_settings.change_rubric(lead, "study", "small", PAIRED)
    # pairs of what is there, drawn; then further answers, drawn; then their pairs, drawn
    for count in (
        5,
        8,
        8,
    ):
        draw_pairs.draw(lead, "study", "all")
        route(lead, "study")
        more = small.folder(
            tmp_path,
            f"more-{count}",
            questions=small.questions(count),
            answers=small.answers(count, ["Ash", "Oak"]),
        )
        small.bring(lead, more, rubric=None)
        route(lead, "study")
    made = "subject s JOIN answer a ON a.id = s.answer_id JOIN question q ON q.id = s.question_id WHERE s.other_id > 0 ORDER BY s.id"
    sides = dict(map(tuple, ws.db.execute(f"SELECT q.key, a.model FROM {made}")))
    # what is said of pairs is read before the rest of them
    last = next(question for question in reversed(sides) if sides[question] == "Ash")
    said = small.human(last, "Ash vs Oak", "better", "mira", "A", model_a="Ash", model_b="Oak")
    small.bring(
        lead,
        small.folder(tmp_path, "votes", questions=small.questions(1), human=[said]),
        rubric=None,
    )
    expected = populations(lead)
    assert len(expected) == 5 and [sum(row[3] is not None for row in one) for one in expected] == [
        3,
        3,
        5,
        5,
        8,
    ]

    round_trip(tmp_path, lead)
    other = small.scope_of(open_workspace(tmp_path / "other.db"))
    assert populations(other) == expected
    assert [
        tried.ranges != () for tried in tries_of(other.ws, other.project("study")).values()
    ] == [True, True, True]
    route(other, "study")
    assert len(populations(other)) == 5, "nothing is left to draw"


def test_an_old_export_does_not_undo_newer_work(tmp_path: Path, ws: Workspace) -> None:
    lead = small.study(tmp_path, ws, count=2, models=["Ash"])
    old = export(lead, "study", "jsonl", tmp_path / "old")
    scope = small.scope_of(ws, "mira")
    (screen,) = grading.next_screens(scope, "study", 1)
    small.save(scope, screen, "save-mira")
    before = everything(lead)
    report = small.bring(lead, old, rubric=None)
    assert (report.answers, report.verdicts, report.bad) == (0, 0, 0)
    assert everything(lead) == before
