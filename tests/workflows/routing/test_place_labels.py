"""Labels of one criterion placed where they decide: what is asked, stage by stage, what it proves,
and what it is no sample of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graders.core.errors import CogradeError
from graders.statistics.placement import own_places, stage
from graders.store import projects
from graders.store.figures import confidence_orders as orders
from graders.store.figures import placed as store
from graders.store.figures import risk as risk_store
from graders.store.opinions import lessons
from graders.store.projects import CriterionRow
from graders.store.transfer import exchange
from graders.workflows.agreement.agree import agreement
from graders.workflows.home._words import event
from graders.workflows.importing import stage as importing_stage
from graders.workflows.promise import placed_draws
from graders.workflows.promise.kind_rows import KindRow
from graders.workflows.promise.kinds import Kind
from graders.workflows.promise.placed_draws import chances, draws_of
from graders.workflows.promise.promise_tests import NewTerms
from graders.workflows.promise.risk import kinds_of, risk
from graders.workflows.report.export import export
from graders.workflows.review import grading
from graders.workflows.routing import place_labels
from graders.workflows.routing.page import routing
from graders.workflows.routing.place_labels import Stopped, after_label, place, stop_placing
from graders.workflows.routing.route import route
from graders.workflows.routing.terms import draw_more
from graders.workflows.scope.permissions import Actor, Scope
from tests.commands.runner import Line
from tests.support.routed import RUBRIC
from tests.support.routed import grade as grade_all
from tests.support.routed import routed as stated
from tests.support.studies import bring, scope_at
from tests.workflows.routing.test_page import follow
from tests.workflows.routing.test_sorting import (
    Study,
    drawn,
    in_force,
    label,
    routed,
    rows_of_method,
    wrong,
)

RELEVANCE = "small/relevance"
SAME = "Sorted by what all judges, metrics and the other answers to the question say together; no label of a person is read."


class Easy(Study):
    """Like the other study, with judges that are hardly ever deceived together."""

    def __init__(self, questions: int = 60) -> None:
        super().__init__(questions)
        rare = np.random.default_rng(5).random(len(self.truth)) < 0.02
        self.votes = np.where(rare, ~self.truth, self.truth) ^ (
            np.random.default_rng(6).random(self.votes.shape) < 0.04
        )


def person(scope: Scope, name: str = "mira") -> Scope:
    projects.add_person(scope.ws, name.title(), person_id=name)
    return Scope(Actor(name), scope.ws)


def names_of(scope: Scope, what: str = "cell") -> dict[int, tuple[str, str]]:
    """Cell (or subject) -> (question, model)."""
    join = "cell c JOIN subject s ON s.id = c.subject_id" if what == "cell" else "subject s"
    sql = f"SELECT {what[0]}.id, q.key, a.model FROM {join} JOIN answer a ON a.id = s.answer_id JOIN question q ON q.id = a.question_id"
    return {found[0]: (found[1], found[2]) for found in scope.ws.db.execute(sql)}


def save(
    mine: Scope,
    screen: dict[str, Any],
    truth: dict[tuple[str, str], str],
    whose: dict[int, tuple[str, str]],
) -> list[int]:
    """Grade what a screen asks as it is true; returns the cells."""
    asked = {
        cell.id: truth[whose[answer.id]]
        for answer in screen.answers
        for cell in answer.cells
        if cell.open
    }
    verdicts = [{"cell": cell, "value": value, "action": "typed"} for cell, value in asked.items()]
    body = {
        "screen": screen.id,
        "save_id": f"{mine.actor.person_id}-save-{screen.id}",
        "verdicts": verdicts,
        "seconds": 20.0,
    }
    assert grading.save(mine, "study", body).stored
    after_label(mine, "study", screen.id)
    return list(asked)


def grade(scope: Scope, study: Study, name: str = "mira", limit: int = 10_000) -> list[int]:
    """A person grades placed screens, which come before all others, as long as there are some;
    returns their cells."""
    mine, whose, cells, done = person(scope, name), names_of(scope, "subject"), list[int](), 0
    while (
        done < limit
        and (found := grading.next_screens(mine, "study", 1))
        and found[0].design == "placed"
    ):
        cells += save(mine, found[0], study.values, whose)
        done += 1
    return cells


def row(scope: Scope) -> KindRow:
    return next(r for r in risk(scope, "study").rows if r.criterion == RELEVANCE)


def relevance(scope: Scope) -> CriterionRow:
    return next(
        c for c in projects.criteria(scope.ws, scope.project("study")) if c.key == RELEVANCE
    )


def kind_of(scope: Scope) -> Kind:
    return next(
        kind for kind in kinds_of(scope, scope.project("study")) if kind.criterion.key == RELEVANCE
    )


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[Scope, Easy, list[int]]:
    """A draw of 260 labels on 500 cells, all of them given by one person. What tests read of it
    here no other one changes."""
    folder, study = tmp_path_factory.mktemp("done"), Easy(125)
    scope = routed(folder, study, calibration=0.0)
    exchange.set_seed(scope.ws, scope.project("study"), 7)
    begun = place(scope, "study", "relevance", 260).tasks["factual"]
    assert (begun.labels, begun.first, begun.of) == (260, 220, 500)
    assert (
        row(scope).words
        == "220 of 220 placed labels are open: until all are there nothing is tested."
    )
    return scope, study, grade(scope, study)


def test_a_draw_asks_and_proves_as_the_same_stages_do_on_the_same_numbers(
    done: tuple[Scope, Easy, list[int]],
) -> None:
    scope, study, asked = done
    project, base = scope.project("study"), in_force(scope)
    assert base is not None
    sure = own_places(base.sure)
    u = chances(draws_of(scope.ws, project, relevance(scope))["factual"], sure, len(sure))
    error = wrong(study.values, scope, base.cells.tolist())
    labelled = np.zeros(len(sure), bool)
    while not (now := stage(sure, u, 260, labelled, error & labelled)).done:
        labelled[now.ask] = True
    assert sorted(asked) == base.cells[labelled].tolist() and now.selection is not None
    found, kind = row(scope), kind_of(scope)
    assert (found.state, found.labels, len(asked)) == ("PROVEN", 260, 260)
    assert kind.cells.cell[kind.automatic].tolist() == base.cells[now.selection.automatic].tolist()
    assert found.words == (
        "Among the 95 unlabelled cells that the machine may decide (the surest 70%) it differs from a person on at most 10%, sure to 90%; "
        f"0 of 255 labels differ. {SAME} Labels were placed where they decide, on cells of this criterion alone."
    )
    assert found.sentence.endswith("Placed blind labels: 260.")
    assert (found.draw.kind, found.draw.budget, found.draw.open) == (
        "placed",
        260,
        0,
    )
    method = dict(map(tuple, rows_of_method(scope)))["labels that test Relevance, factual"]
    assert method.startswith(
        "Up to 260 labels placed where they decide, on cells of this criterion alone (draw 1, logged "
    )


def test_terms_order_and_region_are_logged_before_anything_is_shown(
    done: tuple[Scope, Easy, list[int]],
) -> None:
    scope, _, _ = done
    logged = [
        e
        for e in projects.events(scope.ws, scope.project("study"), "draw", limit=100)[::-1]
        if e.body["design"] == "placed"
    ]
    first = logged[0].body
    expected = {
        "criterion": RELEVANCE,
        "task": "factual",
        "alpha": 0.1,
        "delta": 0.1,
        "budget": 260,
        "target": 0.6,
        "start": 0.3,
    }
    assert {name: first[name] for name in expected} == expected
    assert (first["population"], first["drawn"]) == (500, 220)
    order = orders.by_digest(scope.ws.db, relevance(scope), first["order"])
    assert order is not None and len(order.cells) == 500
    shown = scope.ws.db.execute(
        "SELECT min(created_at) FROM screen WHERE design = 'placed'"
    ).fetchone()[0]
    assert order.at <= logged[0].at <= shown
    # 220 inside the surest 60 %, then what lies in two further shells below the same number, then
    # the most doubtful ones
    assert [(e.body.get("drawn"), e.body.get("tested")) for e in logged[1:-1]] == [
        (13, True),
        (22, True),
        (5, False),
    ]
    assert logged[-1].body["over"] == "done"
    assert [event(e) for e in (logged[0], logged[1], logged[-1])] == [
        "220 labels actively sampled: small/relevance, factual, 260 at most",
        "13 labels actively sampled: small/relevance, factual, further out",
        "actively sampled labels are complete: small/relevance, factual",
    ]


def test_placed_labels_are_no_sample_of_anything_else(done: tuple[Scope, Easy, list[int]]) -> None:
    scope, _, asked = done
    found = agreement(scope, "study")
    assert {one.name for one in found.population.choices} == {"placed"}
    assert found.left_out.placed == len(asked)
    assert (
        "260 of them are on cells that were chosen because their labels decide most of a promise: no sample."
        in found.subtitle
    )
    project = scope.project("study")
    assert lessons.labels(scope.ws.db, project, relevance(scope)) == []
    assert risk_store.opened(scope.ws.db, project) == {}


def test_a_run_gives_the_machine_what_is_proven_and_people_the_rest(
    done: tuple[Scope, Easy, list[int]],
) -> None:
    scope, _, asked = done
    route(scope, "study")
    kind = kind_of(scope)
    cells = {
        r[0]: tuple(r)[1:]
        for r in scope.ws.db.execute("SELECT id, route, route_reason, final_source FROM cell")
    }
    promised = set(kind.cells.cell[kind.automatic].tolist())
    assert {cells[cell] for cell in promised} == {
        ("automatic", "proven: at most 10% off, sure to 90%", "automatic")
    }
    assert {cells[cell][:2] for cell in set(kind.cells.cell.tolist()) - promised - set(asked)} == {
        ("people", "outside the promise")
    }
    assert {cells[cell][2] for cell in asked} == {"people"}  # a label settles its cell


def test_a_screen_asks_about_the_placed_cells_alone(tmp_path: Path) -> None:
    scope = routed(tmp_path, Easy(), calibration=0.1)
    mine = person(scope)
    place(scope, "study", RELEVANCE, 60)
    (screen,) = grading.next_screens(mine, "study", 1)
    assert (screen.design, screen.arm) == ("placed", "blind")
    cells = [cell for answer in screen.answers for cell in answer.cells]
    assert {cell.criterion for cell in cells} == {RELEVANCE}
    assert all(
        cell.suggestion is None and not (cell.judges or cell.metrics or cell.rules)
        for cell in cells
    )
    sql = "SELECT id FROM cell WHERE subject_id = ? AND criterion_id <> ?"
    other = scope.ws.db.execute(sql, (screen.answers[0].id, relevance(scope).id)).fetchone()[0]
    body = {
        "screen": screen.id,
        "save_id": "mira-save-other",
        "verdicts": [{"cell": other, "value": 4}],
        "seconds": 1,
    }
    with pytest.raises(CogradeError, match="expected a cell of this screen"):
        grading.save(mine, "study", body)
    # Nobody meets with marks what may still be asked about.
    held = placed_draws.held(scope.ws, scope.project("study"))
    sql = "SELECT x.subject_id FROM screen s JOIN screen_subject x ON x.screen_id = s.id WHERE s.design = 'ordinary'"
    assert held and held.isdisjoint(r[0] for r in scope.ws.db.execute(sql))


def test_what_was_graded_or_drawn_is_no_part_of_a_draw(tmp_path: Path) -> None:
    study = Easy()
    scope = routed(tmp_path, study, calibration=0.2)
    label(scope, tmp_path, study, drawn(scope)[:10])
    assert place(scope, "study", RELEVANCE, 60).tasks["factual"].of == 240 - 48
    with pytest.raises(CogradeError) as said:
        place(scope, "study", RELEVANCE, 60)
    assert str(said.value) == (
        "labels of Relevance, factual: found 60 placed labels that people are still asked for, expected one draw at a time. "
        "Let people finish these, or stop placing labels."
    )
    # What would begin another test of it is refused; what goes on with the answers that were drawn
    # before is not.
    assert draw_more(scope, "study", 10).answers == 10
    with pytest.raises(
        CogradeError,
        match="labels of Relevance that are being placed: answers drawn anew would begin another test of it",
    ):
        draw_more(scope, "study", 10, new=NewTerms(alpha=0.2))
    graded = grade(scope, study, limit=8)
    assert stop_placing(scope, "study", RELEVANCE) == Stopped(RELEVANCE, ["factual"], 0)
    assert (row(scope).state, row(scope).words) == (
        "UNPROVEN",
        "The draw was stopped before all its labels were there.",
    )
    with pytest.raises(CogradeError, match="found none that are being placed"):
        stop_placing(scope, "study", RELEVANCE)
    # A second try begins on cells that nobody has labelled.
    again = place(scope, "study", RELEVANCE, 60).tasks["factual"]
    out = {*drawn(scope), *(names_of(scope)[cell] for cell in graded)}
    assert (again.draw, again.of) == (2, 240 - len(out)) and len(out) > 48 + 10


def test_a_machine_that_errs_proves_nothing_and_one_that_speaks_anew_voids(tmp_path: Path) -> None:
    study = Study()
    scope = routed(tmp_path, study, calibration=0.0)
    place(scope, "study", RELEVANCE, 60)
    study.truth = ~study.truth
    grade(scope, study)
    found = row(scope)
    assert (found.state, found.automatic, found.answers) == ("UNPROVEN", 0, None)
    assert "no number of labels will show at most 10%" in found.words
    bring(
        scope,
        tmp_path,
        RUBRIC,
        questions=study.tables()["questions"][:1],
        judge=[{**study.said(0, 0), "judge": "late"}],
    )
    assert (
        row(scope).words
        == "The machine's verdicts are newer than the first label: a confidence must be fixed before labels are read."
    )
    assert not row(scope).draw.open


def test_what_voids_a_proof_voids_this_one_too(tmp_path: Path) -> None:
    study = Easy()
    scope = routed(tmp_path, study, calibration=0.0)
    place(scope, "study", RELEVANCE, 60)
    grade(scope, study)
    promised, first = row(scope).automatic, study.tables()["questions"][0]
    assert (row(scope).state, promised) == ("PROVEN", 60)
    # Answers that come later are no part of it, and change nothing.
    later = {"question_id": "later", "model": "Ash"}
    said = [
        {**later, "criterion": RELEVANCE, "judge": judge, "value": "relevant"}
        for judge in ("north", "south", "west")
    ]
    new = {**first, "id": "later"}
    bring(
        scope, tmp_path, RUBRIC, questions=[new], answers=[{**later, "text": "Late."}], judge=said
    )
    assert (row(scope).state, row(scope).automatic, row(scope).cells) == (
        "PROVEN",
        promised,
        241,
    )
    bring(scope, tmp_path, RUBRIC, questions=[{**new, "task_type": "creative"}])
    assert row(scope).words == "After labels were opened 1 question changed task type or category."
    bring(
        scope, tmp_path, RUBRIC.replace("what was asked?", "what it was asked?"), questions=[first]
    )
    assert row(scope).words == "The wording of the criterion changed after labels were placed."
    assert row(scope).state == "UNPROVEN" and not row(scope).draw.open


def test_one_judge_that_says_how_sure_it_is_is_enough(tmp_path: Path) -> None:
    scope = stated(tmp_path, creative=False, calibration=0.0)
    place(scope, "study", RELEVANCE, 40)
    assert (
        routing(scope, "study").basis
        == "Forecast: no test was made yet, so this is what the machine says of its own confidence."
    )
    assert (
        grade_all(
            scope,
            "mira",
            lambda criterion, _: "relevant" if criterion == RELEVANCE else 4,
            screens=40,
        )
        == 40
    )
    found = row(scope)
    # 40 of the surest 60 are labelled: if more than 2 of the other 20 were off, all would be right
    # with a chance of 1 in 30
    assert (found.state, found.automatic, found.order.words) == (
        "PROVEN",
        20,
        "Sorted by the confidence that the machine states.",
    )


def test_what_a_crash_left_out_the_next_look_asks_for_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = Easy(90)
    scope = routed(tmp_path, study, calibration=0.0)
    place(scope, "study", RELEVANCE, 250)
    with monkeypatch.context() as patch:
        # killed right after the last save
        patch.setattr("tests.workflows.routing.test_place_labels.after_label", lambda *_: False)
        assert len(grade(scope, study)) == 216
    project, criterion = scope.project("study"), relevance(scope)
    assert row(scope).draw.open and not any(store.asked(scope.ws.db, project, criterion).values())
    assert place_labels.go_on(scope, project) and not place_labels.go_on(scope, project)
    waiting = [
        cell for cell, waits in store.asked(scope.ws.db, project, criterion).items() if waits
    ]
    assert len(waiting) == row(scope).draw.open


def test_a_draw_goes_on_where_its_export_is_brought_back(tmp_path: Path) -> None:
    study = Easy()
    scope = routed(tmp_path, study, calibration=0.1)
    place(scope, "study", RELEVANCE, 60)
    grade(scope, study, limit=9)
    there = export(scope, "study", "jsonl", tmp_path / "there")
    (tmp_path / "other").mkdir()
    other = scope_at(tmp_path / "other")
    importing_stage.finish(other, importing_stage.stage(other, "study", there).import_id)
    assert [r.words for r in risk(other, "study").rows] == [
        r.words for r in risk(scope, "study").rows
    ]
    assert "of 60 placed labels are open" in row(other).words
    here, brought = (
        {names_of(where)[cell] for cell in grade(where, study, name)}
        for where, name in ((scope, "mira"), (other, "jonas"))
    )
    assert here == brought and row(other).words == row(scope).words and row(other).state == "PROVEN"


def test_the_commands_do_as_the_how_to_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scope = routed(tmp_path, Easy(), calibration=0.0)
    cograde = Line(scope.ws.path, capsys)
    follow(cograde, 3)
    found = cograde("risk", "--project", "study")
    assert (
        "  Up to 60 labels placed where they decide, on cells of this criterion alone."
        in found.out.splitlines()
    )
    assert (
        "give either --labels or --hours"
        in cograde("promise", "place", "--criterion", "relevance", "--project", "study").err
    )
    hours = cograde(
        "promise", "place", "--criterion", "relevance", "--hours", "2", "--project", "study"
    )
    assert "Assumed: 36 seconds per answer, the pace of the demo project" in hours.out, hours


@pytest.fixture(scope="module")
def small_study(tmp_path_factory: pytest.TempPathFactory) -> Scope:
    return routed(tmp_path_factory.mktemp("small"), Easy(20), calibration=0.0)


@pytest.mark.parametrize(
    ("criterion", "labels", "said"),
    [
        (
            "completeness",
            60,
            "a scale with an order, or one for pairs, expected one with two values or without order: small/relevance.",
        ),
        (
            "wit",
            60,
            "criterion wit: found no such criterion, expected one with two values or without order: small/relevance.",
        ),
        (
            "relevance",
            10,
            "labels of Relevance, factual: found 10, expected at least 38, since fewer prove nothing.",
        ),
    ],
)
def test_what_cannot_be_placed_says_why(
    small_study: Scope, criterion: str, labels: int, said: str
) -> None:
    with pytest.raises(CogradeError) as refused:
        place(small_study, "study", criterion, labels)
    assert said in str(refused.value)


def test_what_everybody_has_seen_is_left_out_and_a_void_draw_lets_go(tmp_path: Path) -> None:
    study = Easy()
    scope = routed(tmp_path, study, calibration=0.0)
    mine = person(scope)
    # with marks: completeness waits
    seen = [
        answer.id for screen in grading.next_screens(mine, "study", 5) for answer in screen.answers
    ]
    assert place(scope, "study", RELEVANCE, 60).tasks["factual"].of == 240 - len(seen)
    project, criterion = scope.project("study"), relevance(scope)
    bring(
        scope,
        tmp_path,
        RUBRIC.replace("what was asked?", "what it was asked?"),
        questions=study.tables()["questions"][:1],
    )
    assert placed_draws.held(scope.ws, project)
    route(scope, "study")
    assert not placed_draws.held(scope.ws, project) and not store.asked(
        scope.ws.db, project, criterion
    )
    assert (
        event(projects.events(scope.ws, project, "draw", limit=1)[0])
        == "no more actively sampled labels: small/relevance, factual"
    )
