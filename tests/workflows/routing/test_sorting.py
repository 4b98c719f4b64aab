"""The order of cells from sure to doubtful: fixed before labels are opened, by what all machines
say together, and kept with the draw."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graders.statistics.risk_control import select
from graders.store import projects
from graders.store.figures import confidence_orders as orders
from graders.store.figures.confidence_orders import Order, named
from graders.store.transfer import exchange
from graders.workflows.importing import stage as importing_stage
from graders.workflows.promise.counted_cells import Cells, by_voices
from graders.workflows.promise.kind_rows import KindRow, OrderShown
from graders.workflows.promise.promise_tests import TASK_TYPES
from graders.workflows.promise.risk import kinds_of, risk
from graders.workflows.report.export import export
from graders.workflows.report.report import report
from graders.workflows.routing import sorting
from graders.workflows.routing.page import routing
from graders.workflows.routing.route import route
from graders.workflows.routing.terms import draw_more, fix_terms
from graders.workflows.scope.permissions import Scope
from tests.support.imported import need
from tests.support.routed import RUBRIC, WORDS
from tests.support.studies import bring, scope_at

QUESTIONS, MODELS, JUDGES = 60, ("Ash", "Oak", "Elm", "Fir"), ("north", "south", "west")
SENTENCE = "Sorted by what all judges, metrics and the other answers to the question say together; no label of a person is read."


def cell(place: int) -> dict[str, Any]:
    return {"question_id": f"q{place // len(MODELS)}", "model": MODELS[place % len(MODELS)]}


class Study:
    """Four answers to each question, which are right or wrong together; where all three judges are
    deceived, siblings and a metric are not."""

    def __init__(self, questions: int = QUESTIONS) -> None:
        random, self.questions = np.random.default_rng(3), questions
        n = questions * len(MODELS)
        self.truth = np.repeat(random.random(questions) < 0.6, len(MODELS)) ^ (
            random.random(n) < 0.05
        )
        self.deceived = random.random(n) < 0.1
        self.votes = (
            np.where(random.random((len(JUDGES), n)) < 0.06, ~self.truth, self.truth)
            ^ self.deceived
        )
        self.metric = np.clip(self.truth * 0.6 + random.normal(0.2, 0.15, n), 0, 1)

    def said(self, judge: int, place: int) -> dict[str, Any]:
        return {
            **cell(place),
            "criterion": "small/relevance",
            "judge": JUDGES[judge],
            "value": WORDS[int(self.votes[judge, place])],
        }

    def tables(self) -> dict[str, list[dict[str, Any]]]:
        places = range(len(self.truth))
        return {
            "questions": [
                {"id": f"q{i}", "text": f"Question {i}?", "task_type": "factual", "language": "en"}
                for i in range(self.questions)
            ],
            "answers": [{**cell(i), "text": f"Reply {i}."} for i in places],
            "judge": [self.said(judge, i) for judge in range(len(JUDGES)) for i in places],
            "metrics": [
                {**cell(i), "metric": "token_f1", "value": float(self.metric[i]), "status": "ok"}
                for i in places
            ],
        }

    @property
    def values(self) -> dict[tuple[str, str], str]:
        """(question, model) -> what is true of the answer."""
        return {
            (cell(i)["question_id"], cell(i)["model"]): WORDS[int(true)]
            for i, true in enumerate(self.truth)
        }


def routed(folder: Path, study: Study, calibration: float = 0.4, **tables: Any) -> Scope:
    scope = scope_at(folder)
    bring(scope, folder, RUBRIC, **(study.tables() | tables))
    shares = {"calibration": calibration, "audit": 0.0, "blind": 0.0}
    projects.set_settings(scope.ws, scope.project("study"), {"sampling": shares})
    route(scope, "study")
    return scope


def in_force(scope: Scope, opened: str = "", task: str = "factual") -> Order | None:
    criterion = next(
        c for c in projects.criteria(scope.ws, scope.project("study")) if c.key == "small/relevance"
    )
    return orders.in_force(scope.ws.db, criterion, task, opened)


def row(scope: Scope, task: str = "factual", criterion: str = "small/relevance") -> KindRow:
    return next(
        r for r in risk(scope, "study").rows if (r.criterion, r.task_type) == (criterion, task)
    )


def drawn(scope: Scope) -> list[tuple[str, str]]:
    """(question, model) of the answers that were drawn."""
    sql = (
        "SELECT q.key, a.model FROM screen s JOIN screen_subject x ON x.screen_id = s.id JOIN subject u ON u.id = x.subject_id "
        "JOIN answer a ON a.id = u.answer_id JOIN question q ON q.id = u.question_id WHERE s.design = 'calibration' ORDER BY u.id"
    )
    return [tuple(row) for row in scope.ws.db.execute(sql)]


def label(scope: Scope, folder: Path, study: Study, answers: list[tuple[str, str]]) -> None:
    """Blind verdicts, as it is."""
    common = {
        "criterion": "small/relevance",
        "annotator": "mira",
        "design": "calibration",
        "probability": 0.4,
    }
    human = [
        {"question_id": q, "model": m, "value": study.values[q, m], **common} for q, m in answers
    ]
    bring(
        scope,
        folder,
        RUBRIC,
        questions=[
            q for q in study.tables()["questions"] if q["id"] in {id_ for id_, _ in answers}
        ],
        human=human,
    )


def wrong(truth: Mapping[tuple[str, str], str], scope: Scope, cells: Any) -> np.ndarray:
    """On which cells the machine's value is not the truth by (question, model)."""
    sql = "SELECT c.id, q.key, a.model, c.suggestion FROM cell c JOIN subject s ON s.id = c.subject_id JOIN answer a ON a.id = s.answer_id JOIN question q ON q.id = s.question_id"
    known = {
        r[0]: json.loads(r[3]) != truth.get((r[1], r[2]))
        for r in scope.ws.db.execute(sql)
        if r[3] is not None
    }
    return np.array([known[cell] for cell in cells])


def rows_of_method(scope: Scope) -> list[list[str]]:
    """How the report says that its figures were made."""
    method = next(one for one in report(scope, "study").sections if one.key == "method")
    return [
        list(map(str, row))
        for table in method.tables
        if table.title == "How figures are made"
        for row in table.rows
    ]


@pytest.fixture
def study() -> Study:
    return Study()


def test_an_order_is_fixed_with_the_draw_and_labels_do_not_change_it(
    tmp_path: Path, study: Study
) -> None:
    scope = routed(tmp_path, study)
    fixed = in_force(scope)
    assert (
        fixed is not None
        and len(fixed.cells) == 240
        and fixed.digest == named(fixed.sure, fixed.chance, fixed.made_from)
    )
    assert (fixed.made_from["judges"], fixed.made_from["metrics"]) == (sorted(JUDGES), ["token_f1"])
    logged = projects.events(scope.ws, scope.project("study"), "confidence_order", limit=5)
    assert [(e.body["criterion"], e.body["digest"]) for e in logged] == [
        ("small/relevance", fixed.digest)
    ]
    # judges that are deceived together agree; their share of votes calls such cells the surest, the
    # other answers do not
    mine = next(kind for kind in kinds_of(scope, scope.project("study")) if kind.order is not None)
    assert (mine.cells.sure == fixed.of(mine.cells.cell)[0]).all()
    error = wrong(study.values, scope, mine.cells.cell)
    half = np.argsort(-mine.cells.sure, kind="stable")[:120]
    unanimous = (study.votes == study.votes[0]).all(axis=0)
    assert error[half].mean() < 0.03 < 0.08 < error[unanimous].mean()
    assert row(scope).order.words == SENTENCE
    assert row(scope, criterion="small/completeness").order == OrderShown(
        words="Sorted by the confidence that the machine states."
    )
    # the forecast takes the same order: what it gives to the machine are the surest cells
    assert (
        "this is what the machine says of its own confidence or what machines say together"
        in routing(scope, "study").basis
    )

    answers = drawn(scope)
    fix_terms(scope, "study", 0.1, 0.1)
    label(scope, tmp_path, study, answers)
    route(scope, "study")
    after = in_force(scope, opened=max(e.at for e in logged))
    assert after is not None and (after.id, after.digest) == (fixed.id, fixed.digest)
    assert scope.ws.db.execute("SELECT count(*) FROM confidence_order").fetchone()[0] == 1
    found = row(scope)
    assert (
        found.state == "PROVEN" and found.words.endswith(SENTENCE) and "(the surest " in found.words
    ), found.words
    # the machine decides what the promise covers, and nothing else
    threshold = found.threshold
    routes = dict(
        scope.ws.db.execute(
            "SELECT id, route FROM cell WHERE criterion_id = ?", (mine.criterion.id,)
        )
    )
    assert {cell: routes[cell] for cell in fixed.cells.tolist()} == {
        cell: "automatic" if sure >= threshold else "people"
        for cell, sure in zip(fixed.cells.tolist(), fixed.sure.tolist(), strict=True)
    }
    with pytest.raises(sqlite3.IntegrityError, match="an order that was fixed is never changed"):
        scope.ws.db.execute("UPDATE confidence_order SET digest = ''")

    # the report names the order, and it goes along to wherever the project is imported
    (told,) = [
        how
        for what, how in rows_of_method(scope)
        if what == "order of the cells of Relevance, factual"
    ]
    assert told.startswith(SENTENCE[:-1]) and told.endswith(
        f"fixed {fixed.at[:19].replace('T', ' ')}, name {fixed.digest})"
    )
    there = export(scope, "study", "jsonl", tmp_path / "there")
    other = scope_at(tmp_path / "there")
    importing_stage.finish(other, importing_stage.stage(other, "study", there).import_id)
    carried = in_force(other)
    assert (
        carried is not None
        and carried.digest == fixed.digest
        and sorted(carried.sure) == sorted(fixed.sure)
    )
    assert row(other) == found
    assert (
        export(other, "study", "jsonl", tmp_path / "back") / "confidence_orders.jsonl"
    ).read_bytes() == (there / "confidence_orders.jsonl").read_bytes()

    # a further draw after a test begins anew, with an order of its own where machines said
    # something new
    bring(
        scope,
        tmp_path,
        RUBRIC,
        questions=study.tables()["questions"][:1],
        judge=[{**study.said(0, 0), "value": WORDS[0]}],
    )
    assert row(scope).words.startswith("The machine's verdicts are newer than the first label")
    draw_more(scope, "study", 30, consent=True)
    assert in_force(scope).id != fixed.id and row(scope).order.digest == in_force(scope).digest


def test_an_order_follows_the_machine_until_labels_are_opened(tmp_path: Path, study: Study) -> None:
    scope = routed(
        tmp_path, study, judge=[study.said(judge, i) for judge in (0, 1) for i in range(240)]
    )
    first = in_force(scope)
    assert first.made_from["judges"] == ["north", "south"]
    route(scope, "study")
    assert in_force(scope).id == first.id  # nothing new was said
    bring(
        scope,
        tmp_path,
        RUBRIC,
        questions=study.tables()["questions"],
        judge=[study.said(2, i) for i in range(240)],
    )
    fix_terms(scope, "study", 0.2, 0.2)
    second = in_force(scope)
    assert second.id != first.id and second.made_from["judges"] == sorted(JUDGES)
    label(scope, tmp_path, study, drawn(scope))
    assert row(scope).order.digest == second.digest

    # an answer that comes later is placed among the others, which stay where they are
    new = {"question_id": "q0", "model": "Yew"}
    bring(
        scope,
        tmp_path,
        RUBRIC,
        questions=study.tables()["questions"][:1],
        answers=[{**new, "text": "A new one."}],
        judge=[
            {
                **new,
                "criterion": "small/relevance",
                "judge": name,
                "value": WORDS[int(study.truth[0])],
            }
            for name in JUDGES
        ],
    )
    route(scope, "study")
    third = in_force(scope, opened=second.at)
    assert (third.id, len(third.cells)) == (second.id, 241) and 0 < third.sure[
        ~np.isin(third.cells, second.cells)
    ][0] < 1
    assert (third.of(second.cells)[0] == second.sure).all()


def test_an_order_that_comes_too_late_is_left_out(
    tmp_path: Path, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    scope = routed(
        tmp_path, study, judge=[study.said(judge, i) for judge in (0, 1) for i in range(240)]
    )
    first, place = in_force(scope), sorting.sure_of
    bring(
        scope,
        tmp_path,
        RUBRIC,
        questions=study.tables()["questions"],
        judge=[study.said(2, i) for i in range(240)],
    )

    def placed(*given: Any) -> Any:
        label(scope, tmp_path, study, drawn(scope)[:1])  # somebody is quicker
        return place(*given)

    monkeypatch.setattr(sorting, "sure_of", placed)
    route(scope, "study")
    assert row(scope).order.digest == in_force(scope).digest == first.digest


def test_draws_that_began_without_an_order_go_on_as_they_began(
    tmp_path: Path, study: Study
) -> None:
    scope = routed(tmp_path, study)
    scope.ws.db.execute("DELETE FROM confidence_order")
    label(scope, tmp_path, study, drawn(scope))
    before = row(scope)
    assert before.order.kind == "stated" and SENTENCE not in before.words and before.labels == 96
    route(scope, "study")
    assert in_force(scope) is None and row(scope).words == before.words
    stated = next(
        kind.cells.sure
        for kind in kinds_of(scope, scope.project("study"))
        if kind.criterion.key == "small/relevance"
    )
    assert sorted(set(stated.round(2))) == [0.67, 1.0]


def test_answers_to_creative_questions_are_compared_with_nobody(
    tmp_path: Path, study: Study
) -> None:
    tables = study.tables()
    questions = [
        {**q, "task_type": "creative" if i % 2 else "factual"}
        for i, q in enumerate(tables["questions"])
    ]
    scope = routed(
        tmp_path,
        study,
        questions=questions,
        judge=[study.said(judge, i) for judge in range(2) for i in range(240)],
    )
    assert (
        row(scope, "creative").order.words
        == "Sorted by what all judges and metrics say together; no label of a person is read."
    )
    assert row(scope).order.words == SENTENCE
    kinds = [
        kind
        for kind in kinds_of(scope, scope.project("study"))
        if kind.criterion.key == "small/relevance"
    ]
    cells = Cells.joined([kind.cells for kind in kinds])
    cells = cells.only(np.argsort(cells.cell))
    work = sorting._Work(scope, scope.project("study"), kinds[0].criterion, None, None)
    rows, _ = sorting._features(work, cells, sorting.Sources(("north", "south"), (), ()))
    # what is said of the other answers: no row of a creative one has it
    beside = ~np.isnan(rows.more[:, -4:-1]).any(axis=1)
    assert (beside == (cells.task == TASK_TYPES.index("factual"))).all() and beside.sum() == 120


def test_one_judge_sorts_cells_where_something_else_speaks_beside_it(
    tmp_path: Path, study: Study
) -> None:
    questions = [
        {**q, "task_type": "creative" if i % 2 else "factual"}
        for i, q in enumerate(study.tables()["questions"])
    ]
    one = {"questions": questions, "judge": [study.said(0, i) for i in range(240)]}
    for name in ("metric", "alone"):
        (tmp_path / name).mkdir()
    measured = routed(tmp_path / "metric", study, **one)
    assert [row(measured, task).order.words for task in ("factual", "creative")] == [
        "Sorted by what the judge, metrics and the other answers to the question say together; no label of a person is read.",
        "Sorted by what the judge and metrics say together; no label of a person is read.",
    ]
    # without a metric nothing speaks beside it of creative answers
    alone = routed(tmp_path / "alone", study, **one, metrics=[])
    assert [row(alone, task).order.kind for task in ("factual", "creative")] == ["fixed", "stated"]
    (kind,) = [
        kind
        for kind in kinds_of(alone, alone.project("study"))
        if (kind.criterion.key, kind.task) == ("small/relevance", "factual")
    ]
    assert by_voices(alone.ws, alone.project("study"), kind.criterion)
    # the judge says of no cell how sure it is, and yet its surest half errs far less than all
    error = wrong(study.values, alone, kind.cells.cell)
    half = np.argsort(-kind.cells.sure, kind="stable")[: len(error) // 2]
    assert error[half].mean() < 0.06 < 0.12 < error.mean()


def test_on_real_answers_more_is_the_machines_than_by_the_share_of_votes(
    tmp_path: Path, public: Path
) -> None:
    """nq301 as the product takes it: imported, routed, drawn, labelled by the people of the set,
    tested."""
    shutil.copy(public, tmp_path / "work.db")
    scope = scope_at(tmp_path)
    project = scope.project("nq301")
    exchange.set_seed(scope.ws, project, 7)
    projects.set_settings(
        scope.ws, project, {"sampling": {"calibration": 0.27, "audit": 0.0, "blind": 0.0}}
    )
    route(scope, "nq301")
    human = need("nq301") / "human.jsonl"
    truth = {
        (r["question_id"], r["model"]): r["value"]
        for r in map(json.loads, human.read_text("utf-8").splitlines())
        if r["annotator"] == "adjudicated"
    }
    common = {
        "criterion": "correctness",
        "annotator": "mira",
        "design": "calibration",
        "probability": 0.27,
    }
    first = (human.parent / "questions.jsonl").read_text("utf-8").splitlines()[:1]
    labels = tmp_path / "labels"
    labels.mkdir()
    (labels / "questions.jsonl").write_text(first[0] + "\n", "utf-8")
    said = [{"question_id": q, "model": m, "value": truth[q, m], **common} for q, m in drawn(scope)]
    (labels / "human.jsonl").write_text("".join(json.dumps(r) + "\n" for r in said), "utf-8")
    importing_stage.finish(scope, importing_stage.stage(scope, "nq301", labels).import_id)

    (kind,) = kinds_of(scope, scope.project("nq301"))
    votes, tested = share_of_votes(scope, kind.tested.cell), kind.tested
    assert kind.order is not None and len(said) == 402
    # proven at a planned look, whose share of delta is its own
    assert kind.share < 1 and kind.known.sum() in kind.tried.planned
    delta = 0.1 * kind.share
    by_votes = select(votes, kind.known, kind.error, tested.question, 0.1, delta)
    assert kind.state == "PROVEN", kind.selection
    assert kind.automatic.sum() >= by_votes.automatic.sum()
    # and on average over draws, with what people say of every answer
    error = wrong(truth, scope, tested.cell)
    shares = []
    for draw in range(40):
        known = np.zeros(len(error), bool)
        known[np.random.default_rng(draw).choice(len(error), 400, replace=False)] = True
        shares.append(
            [
                select(s, known, error & known, tested.question, 0.1, 0.1).share
                for s in (tested.sure, votes)
            ]
        )
    by_order, by_share = np.mean(shares, axis=0)
    assert by_order >= 0.35 > 0.05 + by_share, (by_order, by_share)


def share_of_votes(scope: Scope, cells: np.ndarray) -> np.ndarray:
    """The share of the judges that gave the machine's value."""
    sql = (
        "SELECT c.id, avg(o.value = c.suggestion) FROM cell c JOIN opinion o ON o.cell_id = c.id JOIN author a ON a.id = o.author_id "
        "WHERE a.kind = 'judge' GROUP BY c.id"
    )
    found = dict(map(tuple, scope.ws.db.execute(sql)))
    return np.array([found[cell] for cell in cells.tolist()])
