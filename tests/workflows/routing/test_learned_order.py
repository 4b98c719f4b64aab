"""The order of cells from sure to doubtful where earlier blind labels say how likely each value is
right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graders.core.records import KnownCell, Mark, SubjectKey
from graders.core.rubric import read_rubric
from graders.judges.learned import LearnedJudge
from graders.statistics import learned
from graders.statistics.risk_control import select
from graders.store import projects
from graders.workflows.cells.policy import Voice, suggest
from graders.workflows.importing import stage as importing_stage
from graders.workflows.promise import counted_cells
from graders.workflows.promise.kind_rows import KindRow, OrderShown
from graders.workflows.promise.kinds import Kind
from graders.workflows.promise.risk import kinds_of, risk
from graders.workflows.report.export import export
from graders.workflows.routing import sorting
from graders.workflows.routing.page import routing
from graders.workflows.routing.route import route
from graders.workflows.routing.terms import draw_more, fix_terms
from graders.workflows.scope.permissions import Scope
from tests.statistics.routing_data import PANEL, summeval
from tests.support.routed import RUBRIC
from tests.support.studies import bring, scope_at
from tests.workflows.routing.test_sorting import drawn, rows_of_method

N = 500
STATED = "Sorted by the confidence that the machine states."
Key = tuple[str, str]
random = np.random.default_rng(5)
#: What people say; the judge is severe above 2, takes two steps off, and is the surer there.
TRUE = random.integers(1, 6, N)
SAID = np.where(TRUE > 2, TRUE - 2, TRUE)
#: Long answers are those on which it is severe.
TEXTS = [
    f"Reply {i}." + " And so on." * (12 if TRUE[i] > 2 else int(random.integers(0, 3)))
    for i in range(N)
]
HUMAN = {(f"q{i}", "Ash"): int(TRUE[i]) for i in range(N)}


def sentence(labels: int) -> str:
    return f"Sorted by how likely each value is right, learned from {labels} earlier blind labels; none of this draw's was read."


def study(
    folder: Path, *, calibration: float = 0.3, judges: Sequence[str] = ("north",), **tables: Any
) -> Scope:
    scope = scope_at(folder)
    keys = [{"question_id": f"q{i}", "model": "Ash"} for i in range(N)]
    made = {
        "questions": [
            {"id": f"q{i}", "text": f"Question {i}?", "task_type": "factual", "language": "en"}
            for i in range(N)
        ],
        "answers": [{**key, "text": text} for key, text in zip(keys, TEXTS, strict=True)],
        "judge": [
            {
                **key,
                "criterion": "small/completeness",
                "judge": name,
                "value": int(SAID[i]),
                "confidence": 0.9 if TRUE[i] > 2 else 0.6,
            }
            for i, key in enumerate(keys)
            for name in judges
        ],
    }
    bring(scope, folder, RUBRIC, **(made | tables))
    projects.set_settings(
        scope.ws,
        scope.project("study"),
        {"sampling": {"calibration": calibration, "audit": 0.0, "blind": 0.0}},
    )
    route(scope, "study")
    fix_terms(scope, "study", 0.1, 0.1, within=1)
    return scope


def label(
    scope: Scope, folder: Path, keys: Sequence[Key], annotator: str = "mira", **more: Any
) -> None:
    """Blind verdicts on drawn answers, as it is."""
    common = {
        "criterion": "small/completeness",
        "annotator": annotator,
        "design": "calibration",
        "probability": 0.3,
        **more,
    }
    wanted = {key for key, _ in keys}
    questions = [
        {"id": f"q{i}", "text": f"Question {i}?", "task_type": "factual", "language": "en"}
        for i in range(N)
        if f"q{i}" in wanted
    ]
    bring(
        scope,
        folder,
        RUBRIC,
        questions=questions,
        human=[{"question_id": q, "model": m, "value": HUMAN[q, m], **common} for q, m in keys],
    )


def kind_of(scope: Scope) -> Kind:
    return next(
        kind
        for kind in kinds_of(scope, scope.project("study"))
        if kind.criterion.key == "small/completeness"
    )


def row(scope: Scope) -> KindRow:
    return next(r for r in risk(scope, "study").rows if r.criterion == "small/completeness")


def kept(scope: Scope) -> int:
    return int(scope.ws.db.execute("SELECT count(*) FROM confidence_order").fetchone()[0])


def test_a_second_draw_is_sorted_by_what_the_first_one_taught(tmp_path: Path) -> None:
    scope = study(tmp_path)
    first = drawn(scope)
    label(scope, tmp_path, first)
    route(scope, "study")
    before = row(scope)
    # labels of a draw say nothing of the order in which it is tested: the first goes on by the
    # stated confidence, and fails
    assert (before.state, before.tested, before.order.words, kept(scope)) == (
        "UNPROVEN",
        True,
        STATED,
        0,
    )

    draw_more(scope, "study", 200, consent=True)
    told: list[tuple[str, int, int]] = []
    route(scope, "study", None, lambda *given: told.append(given))
    assert told == []  # what is made is not made again
    fixed = kind_of(scope).order
    assert fixed is not None and row(scope).order.words == sentence(150)
    learned = fixed.made_from["learned"]
    assert (learned["labels"], learned["designs"], learned["within"]) == (
        150,
        {"calibration": 150},
        1,
    ) and learned["digest"]
    assert "what was learned from earlier labels" in routing(scope, "study").basis
    second = [key for key in drawn(scope) if key not in first]
    label(scope, tmp_path, second)
    route(scope, "study")
    found = row(scope)
    assert (
        found.state == "PROVEN"
        and "by more than 1 step on at most 10%, sure to 90%; " in found.words
    ), found.words
    assert sentence(150) in found.words and "(the surest " in found.words, found.words
    kind = kind_of(scope)
    assert kind.automatic.sum() > 30 and kind.known.sum() == 200 and len(kind.tested) == N - 150
    stated = dict(map(tuple, scope.ws.db.execute("SELECT id, suggestion_confidence FROM cell")))
    by_it = select(
        [stated[cell] for cell in kind.tested.cell.tolist()],
        kind.known,
        kind.error,
        kind.tested.question,
        0.1,
        0.1,
    )
    # the same labels prove nothing of what the machine is surest of
    assert not by_it.automatic.any()

    # labels that come later change nothing
    rest = [key for key in HUMAN if key not in first and key not in second][:60]
    label(scope, tmp_path, rest, annotator="noor", design="ordinary", probability=1.0)
    route(scope, "study")
    fix = kind_of(scope)
    assert fix.order is not None and (fix.order.digest, kept(scope)) == (fixed.digest, 1)
    assert (row(scope).state, row(scope).threshold) == ("PROVEN", found.threshold)
    (how,) = [
        how
        for what, how in rows_of_method(scope)
        if what == "order of the cells of Completeness, factual"
    ]
    assert (
        how.startswith(sentence(150)[:-1])
        and f"150 labels of design calibration, name {learned['digest']}; 1 step may pass" in how
    )
    there = export(scope, "study", "jsonl", tmp_path / "there")
    other = scope_at(tmp_path / "there")
    importing_stage.finish(other, importing_stage.stage(other, "study", there).import_id)
    assert row(other) == row(scope)


def test_an_order_follows_earlier_labels_terms_and_machines_until_its_draw_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scope = study(tmp_path, calibration=0.2)
    first = drawn(scope)
    blind = [key for key in HUMAN if key not in first]
    # some lie in the draw that is to be tested
    label(scope, tmp_path, [*blind[:60], *first[:5]], "noor", design="ordinary", probability=1.0)
    # what takes long is left to whoever works beside the pages
    with monkeypatch.context() as patch:
        patch.setattr(counted_cells, "AT_ONCE", N - 1)
        route(scope, "study")
        assert kept(scope) == 0 and sorting.is_due(scope.ws, scope.project("study"))
    told: list[tuple[str, int, int]] = []
    route(scope, "study", None, lambda *given: told.append(given))
    assert told[0] == ("Learning from labels of Completeness", 0, 60) and told[-1] == (
        "Sorting the cells of Completeness",
        N,
        N,
    )
    one = kind_of(scope)
    assert one.order is not None and one.order.made_from["learned"]["labels"] == 60, (
        "answers of the draw are not learned from"
    )
    # whoever was labelled is tested by nothing that these labels taught
    assert int((one.cells.sure < 0).sum()) == 65 and int((one.cells.chance > 0).sum()) == N
    label(scope, tmp_path, blind[60:80], design="ordinary", probability=1.0)
    fix_terms(scope, "study", 0.1, 0.1, within=0)
    two = kind_of(scope).order
    assert two is not None and (
        two.made_from["learned"]["labels"],
        two.made_from["learned"]["within"],
    ) == (80, 0)
    assert two.chance.mean() < one.order.chance.mean() - 0.1  # fewer are right to the step
    label(scope, tmp_path, first)
    label(scope, tmp_path, blind[80:120], design="ordinary", probability=1.0)
    route(scope, "study")
    three = kind_of(scope)
    assert (
        three.order is not None
        and three.order.digest == two.digest
        and three.labels == len(first) - 5
    )

    # an answer that comes later is placed among the others by the labels that were there when the
    # order was fixed
    new = {"question_id": "new", "model": "Ash"}
    said = {
        **new,
        "criterion": "small/completeness",
        "judge": "north",
        "value": 1,
        "confidence": 0.6,
    }
    question = {"id": "new", "text": "Question?", "task_type": "factual", "language": "en"}
    bring(
        scope,
        tmp_path,
        RUBRIC,
        questions=[question],
        answers=[{**new, "text": "Reply."}],
        judge=[said],
    )
    route(scope, "study")
    four = kind_of(scope).order
    assert (
        four is not None and (four.id, len(four.cells)) == (two.id, N + 1) and 0 < four.sure[-1] < 1
    )
    assert (four.of(two.cells)[0] == two.sure).all()
    added = projects.events(scope.ws, scope.project("study"), "confidence_order", limit=1)[0].body
    assert (added["adds"], added["learned"]["labels"]) == (two.digest, 80)


def test_labels_on_most_answers_leave_too_little_to_be_tested(tmp_path: Path) -> None:
    scope = study(tmp_path, calibration=0.1)
    label(scope, tmp_path, list(HUMAN)[: N * 2 // 3], design="ordinary", probability=1.0)
    route(scope, "study")
    assert row(scope).order == OrderShown(words=STATED)


def test_values_that_were_learned_are_not_tested(tmp_path: Path) -> None:
    scope = study(tmp_path, judge=[])
    label(scope, tmp_path, drawn(scope))
    scope.ws.db.execute("UPDATE cell SET suggestion = '4', suggestion_reason = 'judge learned'")
    assert row(scope).words == (
        "The machine's values are the learned judge's own, and it learns from the very labels that would test them."
    )


def test_on_real_summaries_more_is_the_machines_than_by_the_share_of_votes() -> None:
    """summeval, relevance within a step: 200 labels teach the order, 200 others test it; the mean
    share over ten pairs of draws."""
    data = summeval("relevance")
    criterion = read_rubric(RUBRIC).criteria[1]
    judge, n = LearnedJudge(learner=learned.learn, tolerance=1.0), len(data.human)
    machine = [
        suggest(
            criterion.scale, (), [Voice(name, int(v)) for name, v in zip(PANEL, said, strict=True)]
        )
        for said in data.verdicts.T
    ]
    values = np.array([one.value for one in machine], int)
    votes = np.array([one.confidence for one in machine], float)
    error = np.abs(values - data.human) > 1
    cells = [
        KnownCell(
            subject=SubjectKey(str(data.g[i]), str(i)),
            judges={
                name: Mark(value=int(v)) for name, v in zip(PANEL, data.verdicts[:, i], strict=True)
            },
        )
        for i in range(n)
    ]
    shares = []
    for draw in range(10):
        order = np.random.default_rng(draw).permutation(n)
        taught, rest = order[:200], np.sort(order[200:])
        lesson = judge.study(
            [replace(cells[i], people=int(data.human[i])) for i in taught], criterion
        )
        sure = judge.chances(lesson, [cells[i] for i in rest], values[rest].tolist(), criterion)
        known = np.isin(rest, order[200:400])
        shares.append(
            [
                select(s, known, error[rest] & known, data.g[rest], 0.1, 0.1).share
                for s in (sure, votes[rest])
            ]
        )
    by_order, by_votes = np.mean(shares, axis=0)
    assert by_order > 0.1 + by_votes, (by_order, by_votes)
