"""Imported labels that are blind and of random answers: a coin keeps half of the questions for a
test that no figure sees before terms and order are fixed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graders.core.contracts import Chosen
from graders.core.errors import Conflict, InputError, NotFound
from graders.store import projects
from graders.store.desk import queued_screens
from graders.store.figures import confidence_orders
from graders.store.figures import risk as store
from graders.store.opinions import kept_labels, recount
from graders.workflows.agreement.agree import agreement
from graders.workflows.importing import stage as importing_stage
from graders.workflows.importing import take_back
from graders.workflows.importing.labels_chosen import label_imports, state_chosen
from graders.workflows.leaderboard.ranking import leaderboard
from graders.workflows.promise.kept_halves import KeptHalf
from graders.workflows.promise.kinds import PROVEN
from graders.workflows.promise.label_halves import in_test_half
from graders.workflows.promise.promise_tests import NewTerms, tries_of
from graders.workflows.promise.risk import kinds_of, risk, terms_in_force
from graders.workflows.report.export import export
from graders.workflows.review import grading
from graders.workflows.routing.kept_labels import open_kept_half
from graders.workflows.routing.page import routing
from graders.workflows.routing.route import route
from graders.workflows.routing.terms import draw_more, fix_terms
from graders.workflows.scope.permissions import Actor, Scope
from tests.commands.runner import Line
from tests.support.kept import MODELS, RUBRIC, labels, study
from tests.support.studies import bring
from tests.workflows.routing.test_page import follow


def errors(n: int = 200, models: int = 2, rate: float = 0.03, seed: int = 3) -> Any:
    return np.random.default_rng(seed).random((n, models)) < rate


def some(wrong: Any, count: int, seed: int = 5) -> list[tuple[int, int]]:
    n, m = wrong.shape
    chosen = np.random.default_rng(seed).permutation(n * m)[:count]
    return [(int(at) // m, int(at) % m) for at in chosen]


def half_of(scope: Scope, labelled: list[tuple[int, int]]) -> list[tuple[int, int]]:
    project = scope.project("study")
    return [(i, k) for i, k in labelled if in_test_half(project, f"q{i}")]


def kept_halves(scope: Scope, name: str) -> list[KeptHalf]:
    return list(routing(scope, name).kept)


def verdicts(scope: Scope) -> int:
    sql = (
        "SELECT count(*) FROM verdict v JOIN author a ON a.id = v.author_id "
        "WHERE a.kind = 'person' AND a.project_id = ?"
    )
    return int(scope.ws.db.execute(sql, (scope.project("study").id,)).fetchone()[0])


def automatic(scope: Scope) -> int:
    sql = "SELECT count(*) FROM cell WHERE route = 'automatic'"
    return int(scope.ws.db.execute(sql).fetchone()[0])


def test_a_coin_for_each_question_keeps_half_where_nothing_sees_it(tmp_path: Path) -> None:
    wrong = errors()
    labelled = some(wrong, 160)
    scope = study(tmp_path, wrong, labelled)
    half = half_of(scope, labelled)
    assert 55 < len(half) < 105
    (found,) = label_imports(scope, "study")
    assert (found.kept, found.labels, found.tested) == (len(half), 160 - len(half), 0)
    assert found.stated_blind
    # the coin knows the question alone: both of its answers, or none
    closed = kept_labels.closed_subjects(scope.ws.db, scope.project("study"))
    sql = "SELECT count(DISTINCT question_id) FROM subject WHERE id IN ({})"
    marks = ",".join(map(str, closed))
    questions = scope.ws.db.execute(sql.format(marks)).fetchone()[0]
    assert questions == len({i for i, _ in half}) == kept_halves(scope, "study")[0].questions
    # no verdict, so no figure: Agreement and Leaderboard see the other half alone
    assert verdicts(scope) == 160 - len(half)
    assert agreement(scope, "study").criteria[0].labels == 160 - len(half)
    assert leaderboard(scope, "study").counts.labels == 160 - len(half)
    # nobody is asked about them meanwhile, and routing drew nothing beside them
    asked = queued_screens.screened(scope.ws.db, scope.project("study"))
    assert asked and not asked & closed
    assert queued_screens.count_of(scope.ws.db, scope.project("study"), "calibration") == 0
    (row,) = risk(scope, "study").rows
    assert (row.state, row.labels) == ("BY YOUR RULE", 0)
    assert scope.ws.check() == []


def test_terms_and_order_are_logged_before_the_half_opens_and_then_it_tests(
    tmp_path: Path,
) -> None:
    wrong = errors()
    labelled = some(wrong, 160)
    scope = study(tmp_path, wrong, labelled)
    half, project = half_of(scope, labelled), scope.project("study")
    assert automatic(scope) == 0
    fix_terms(scope, "study", 0.12, 0.2)
    done = open_kept_half(scope, "study")
    assert (done.labels, done.answers) == (len(half), len(half))
    assert (done.alpha, done.delta) == (0.12, 0.2)
    (kind,) = kinds_of(scope, project)
    assert kind.state == PROVEN and kind.tried.design == "either" and kind.tried.number == 1
    assert int(kind.known.sum()) == len(half)
    assert int(kind.error.sum()) == sum(wrong[i, k] for i, k in half)
    opened = min(one.at for one in kept_labels.tested(scope.ws.db, project))
    assert kind.order is not None and kind.order.at < opened
    (terms, *_) = projects.events(scope.ws, project, "terms")
    assert terms.at < opened and terms.body["alpha"] == 0.12
    assert kind.opened == opened > store.machine_changed(scope.ws.db, kind.criterion)
    # automation is there without a screen that Cograde drew
    assert automatic(scope) == 400
    assert queued_screens.count_of(scope.ws.db, project, "calibration") == 0
    shown = terms_in_force(scope, project, tries_of(scope.ws, project))
    assert shown is not None and shown.earlier == 0, "no answer of an earlier draw is left out"
    # all labels count in figures from now on
    assert verdicts(scope) == 160 == leaderboard(scope, "study").counts.labels
    assert scope.ws.check() == [] and not recount.wrong_opinions(scope.ws.db)
    assert kept_halves(scope, "study") == []
    with pytest.raises(NotFound, match="no labels that wait for a test"):
        open_kept_half(scope, "study")


def test_a_bad_judge_is_not_proven_and_a_further_draw_tests_on_other_answers(
    tmp_path: Path,
) -> None:
    wrong = errors(rate=0.4)
    labelled = some(wrong, 160)
    scope = study(tmp_path, wrong, labelled)
    open_kept_half(scope, "study")
    (row,) = risk(scope, "study").rows
    assert row.state == "UNPROVEN" and automatic(scope) == 0
    project = scope.project("study")
    tested = {one.subject for one in kept_labels.tested(scope.ws.db, project)}
    draw_more(scope, "study", 60)
    one = tries_of(scope.ws, project)["factual"]
    assert one.number == 2 and one.given == () and tested <= one.before
    assert len(one.drawn) == 60 and not one.drawn & tested


def test_unknown_all_or_not_blind_keep_nothing_and_lose_nothing(tmp_path: Path) -> None:
    wrong = errors(60)
    for name, chosen, blind in (("a", "unknown", True), ("b", "all", True), ("c", "random", False)):
        (tmp_path / name).mkdir()
        scope = study(tmp_path / name, wrong, some(wrong, 40), chosen=chosen, blind=blind)
        (found,) = label_imports(scope, "study")
        assert (found.labels, found.kept, found.chosen) == (40, 0, chosen)
        assert kept_halves(scope, "study") == []
        drawn = queued_screens.count_of(scope.ws.db, scope.project("study"), "calibration")
        assert drawn > 0  # routing draws as ever
    with pytest.raises(Conflict, match="labels that figures have shown"):
        state_chosen(scope, "study", "random", blind=True)


def test_the_statement_taken_back_lets_go_of_what_was_kept_for_good(tmp_path: Path) -> None:
    wrong = errors()
    scope = study(tmp_path, wrong, some(wrong, 160))
    (found,) = state_chosen(scope, "study", blind=False)
    assert (found.labels, found.kept, found.stated_blind, found.chosen) == (160, 0, False, "random")
    assert verdicts(scope) == 160 == leaderboard(scope, "study").counts.labels
    said = projects.events(scope.ws, scope.project("study"), "labels_not_blind")
    assert [one.body["released"] > 0 for one in said] == [True]
    with pytest.raises(Conflict):  # what was seen never tests
        state_chosen(scope, "study", blind=True)
    with pytest.raises(NotFound):
        open_kept_half(scope, "study")
    assert scope.ws.check() == []


def test_a_statement_taken_back_after_the_test_ends_its_proof(tmp_path: Path) -> None:
    wrong = errors()
    scope = study(tmp_path, wrong, some(wrong, 160))
    open_kept_half(scope, "study")
    assert automatic(scope) == 400
    (found,) = state_chosen(scope, "study", "unknown")
    assert (found.labels, found.tested, found.stated_blind) == (160, found.tested, False)
    (row,) = risk(scope, "study").rows
    assert row.state == "UNPROVEN" and "not stated to be blind" in row.words
    assert automatic(scope) == 0 and verdicts(scope) == 160


def test_it_is_refused_while_there_is_nothing_to_test(tmp_path: Path) -> None:
    wrong = errors(60)
    scope = study(tmp_path, wrong, [])
    with pytest.raises(NotFound, match="labels that wait"):
        open_kept_half(scope, "study")
    human = labels(wrong, some(wrong, 40))
    table = tmp_path / "rated.csv"
    table.write_text("question,answer\nWhy?,So.\n", "utf-8")
    with pytest.raises(InputError, match="stated to be given blind, and with suggestions"):
        staging = importing_stage.Staging(labels_blind=True)
        importing_stage.stage(scope, "study", table, blind=False, staging=staging)
    scope.ws.db.execute("UPDATE cell SET suggestion = NULL")
    bring(scope, tmp_path, RUBRIC, labels_blind=True, questions=[], human=human)
    assert not kept_halves(scope, "study")[0].ready
    with pytest.raises(Conflict, match="no suggestion on an answer"):
        open_kept_half(scope, "study")


def test_the_same_file_again_brings_no_kept_label_into_sight(tmp_path: Path) -> None:
    wrong = errors(60)
    labelled = some(wrong, 40)
    scope = study(tmp_path, wrong, labelled)
    before = verdicts(scope)
    again = bring(scope, tmp_path, RUBRIC, questions=[], human=labels(wrong, labelled))
    assert (again.verdicts, again.unchanged) == (0, 40) and verdicts(scope) == before


def test_where_answers_were_drawn_before_opening_begins_a_test_of_its_own(tmp_path: Path) -> None:
    wrong = errors()
    labelled = some(wrong, 160)
    scope = study(tmp_path, wrong, [])
    drawn = tries_of(scope.ws, scope.project("study"))["factual"].drawn
    assert len(drawn) == 120
    human = labels(wrong, labelled)
    bring(scope, tmp_path, RUBRIC, labels_blind=True, questions=[], human=human)
    route(scope, "study")
    person = Scope(Actor("ann"), scope.ws)
    projects.add_person(scope.ws, "Ann", person_id="ann")
    assert grading.next_screens(person, "study", 1)  # one of them is in work
    assert open_kept_half(scope, "study", new=NewTerms(0.15)).returned == 0
    one = tries_of(scope.ws, scope.project("study"))["factual"]
    assert (one.number, one.alpha, one.before) == (2, 0.15, drawn)
    assert len(one.drawn) == len(half_of(scope, labelled))


def test_drawn_answers_that_nobody_began_are_given_back_for_the_opened_labels(
    tmp_path: Path,
) -> None:
    wrong = errors()
    labelled = some(wrong, 160)
    scope = study(tmp_path, wrong, [])
    human = labels(wrong, labelled)
    bring(scope, tmp_path, RUBRIC, labels_blind=True, questions=[], human=human)
    assert open_kept_half(scope, "study").returned == 120
    (kind,) = kinds_of(scope, scope.project("study"))
    assert (kind.tried.number, kind.tried.before, kind.state) == (1, frozenset(), PROVEN)
    assert len(kind.tested) == 400 and int(kind.known.sum()) == len(half_of(scope, labelled))
    assert queued_screens.count_of(scope.ws.db, scope.project("study"), "calibration") == 0
    assert automatic(scope) == 400 and scope.ws.check() == []


def test_labels_of_the_files_own_answers_speak_of_these_alone(tmp_path: Path) -> None:
    wrong = errors(120)
    scope = study(tmp_path, wrong, [], calibration=0.0)
    questions = [{"id": f"n{i}", "text": f"New {i}?", "task_type": "factual"} for i in range(120)]
    answers = [
        {"question_id": f"n{i}", "model": MODELS[0], "text": f"New reply {i}."} for i in range(120)
    ]
    said = {"model": MODELS[0], "criterion": "small/relevance", "value": "relevant"}
    judge = [
        {**said, "question_id": f"n{i}", "judge": "north", "confidence": 0.9} for i in range(120)
    ]
    human = [{**said, "question_id": f"n{i}", "annotator": "mira"} for i in range(0, 120, 2)]
    bring(
        scope,
        tmp_path,
        RUBRIC,
        labels_blind=True,
        questions=questions,
        answers=answers,
        judge=judge,
        human=human,
    )
    route(scope, "study")
    open_kept_half(scope, "study")
    (kind,) = kinds_of(scope, scope.project("study"))
    assert len(kind.tested) == 120 and kind.tried.after > 0
    assert set(kind.tested.subject.tolist()) == set(kind.cells.subject.tolist()[-120:])
    # answers that were there before are not the promise's
    before = "SELECT count(*) FROM cell WHERE route = 'automatic' AND subject_id <= ?"
    assert scope.ws.db.execute(before, (kind.tried.after,)).fetchone()[0] == 0


def test_new_answers_are_drawn_at_the_halfs_own_share(tmp_path: Path) -> None:
    wrong = errors()
    scope = study(tmp_path, wrong, some(wrong, 160))
    done = open_kept_half(scope, "study")
    answers = [
        {"question_id": f"q{i}", "model": MODELS[2], "text": f"Oak says {i}."} for i in range(100)
    ]
    bring(scope, tmp_path, RUBRIC, questions=[], answers=answers)
    route(scope, "study")
    one = tries_of(scope.ws, scope.project("study"))["factual"]
    assert one.doubt == ""
    new = len(one.drawn) - done.answers
    assert new == round(100 * done.answers / 400)


def test_an_export_carries_the_half_closed_and_opened(tmp_path: Path) -> None:
    wrong = errors()
    scope = study(tmp_path, wrong, some(wrong, 160))
    (kept,) = label_imports(scope, "study")

    def carried(name: str) -> Scope:
        target = export(scope, "study", "jsonl", tmp_path / f"{name}.zip")
        report = importing_stage.stage(scope, name, target)
        assert report.bad_rows == ()
        importing_stage.finish(scope, report.import_id)
        return scope

    carried("closed")
    (found,) = label_imports(scope, "closed")
    assert (found.kept, found.labels, found.stated_blind) == (kept.kept, kept.labels, True)
    route(scope, "closed")
    assert open_kept_half(scope, "closed").labels == kept.kept
    open_kept_half(scope, "study")
    carried("opened")
    (there,) = label_imports(scope, "opened")
    assert (there.kept, there.tested, there.labels) == (0, kept.kept, 160)
    for name in ("study", "closed", "opened"):
        (kind,) = kinds_of(scope, scope.project(name))
        assert kind.state == PROVEN and int(kind.known.sum()) == kept.kept, name
    assert scope.ws.check() == []


def test_taking_the_import_back_takes_what_it_kept(tmp_path: Path) -> None:
    wrong = errors(60)
    scope = study(tmp_path, wrong, some(wrong, 40))
    (found,) = label_imports(scope, "study")
    first, *_ = [one for one in take_back.listed_imports(scope, "study") if one.id != found.id]
    assert not first.can_take_back  # the other one's labels, also closed ones, are on its answers
    take_back.take_back(scope, found.id)
    assert scope.ws.db.execute("SELECT count(*) FROM test_label").fetchone()[0] == 0
    assert verdicts(scope) == 0 and kept_halves(scope, "study") == []


def test_labels_that_were_shown_or_opened_are_not_brought_again_to_test(tmp_path: Path) -> None:
    wrong = errors()
    labelled = some(wrong, 160)
    scope = study(tmp_path, wrong, labelled, blind=False)
    (first,) = label_imports(scope, "study")
    take_back.take_back(scope, first.id)  # all of its labels were in figures
    rated = tmp_path / "rated"

    def again() -> importing_stage.Report:
        staging = importing_stage.Staging(chosen=Chosen.RANDOM, labels_blind=True)
        report = importing_stage.stage(scope, "study", rated, staging=staging)
        return importing_stage.finish(scope, report.import_id)

    report = again()
    assert (report.labels_kept, report.labels_blind, report.verdicts) == (0, False, 160)
    assert "figures have shown its labels" in report.labels_note
    (tmp_path / "other").mkdir()
    other = study(tmp_path / "other", wrong, labelled)
    open_kept_half(other, "study")
    (opened,) = label_imports(other, "study")
    with pytest.raises(Conflict, match="which were opened for a test"):
        take_back.take_back(other, opened.id)


def test_each_criterion_is_tested_on_its_own_labels(tmp_path: Path) -> None:
    """A criterion that fewer answers are labelled on waits for no others."""
    wrong = errors()
    labelled = some(wrong, 240)
    scope = study(tmp_path, wrong, [])
    rubric = RUBRIC + "  clarity: {question: Is it clear?, scale: [murky, clear], review: people}\n"
    said = {"criterion": "small/clarity", "value": "clear"}
    where = [{"question_id": f"q{i}", "model": MODELS[k]} for i, k in labelled[:160]]
    cells = [
        {"question_id": f"q{i}", "model": MODELS[k], **said, "judge": "north", "confidence": 0.9}
        for i in range(200)
        for k in range(2)
    ]
    bring(scope, tmp_path, rubric, questions=[], judge=cells)
    human = labels(wrong, labelled) + [{**one, **said, "annotator": "mira"} for one in where]
    bring(scope, tmp_path, rubric, labels_blind=True, questions=[], human=human)
    route(scope, "study")
    open_kept_half(scope, "study")
    relevance, clarity = kinds_of(scope, scope.project("study"))
    assert (relevance.state, clarity.state) == (PROVEN, PROVEN)
    assert int(relevance.known.sum()) == len(half_of(scope, labelled))
    assert int(clarity.known.sum()) == len(half_of(scope, labelled[:160]))


def test_learned_from_one_half_whole_questions_are_set_apart(tmp_path: Path) -> None:
    """A judge that speaks alone is sorted by what is learned, from the learning half alone; answers
    to its questions are in no test."""
    wrong = errors(400, 1, rate=0.2)
    labelled = some(wrong, 240)
    scope = study(tmp_path, wrong, labelled)
    half, project = half_of(scope, labelled), scope.project("study")
    open_kept_half(scope, "study")
    (kind,) = kinds_of(scope, project)
    assert kind.order is not None and kind.order.made_from["learned"]["labels"] == 240 - len(half)
    assert int(kind.known.sum()) == len(half)
    assert len(kind.tested) == 400 - (240 - len(half))
    assert confidence_orders.by_row(scope.ws.db, kind.order.id) is not None


def test_the_how_to_opens_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = errors()
    scope = study(tmp_path, wrong, some(wrong, 160))
    scope.ws.close()
    follow(Line(tmp_path / "work.db", capsys), 2)
