"""Preferences: models ranked by which of two answers was preferred, by people or by a judge."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graders.core.errors import InputError, NotFound
from graders.statistics.bradley_terry import bradley_terry
from graders.store import projects
from graders.store.desk import queue
from graders.store.opinions.filters import Filters
from graders.web.routes.review import rendered
from graders.workflows.importing import stage as importing_stage
from graders.workflows.leaderboard import draw_pairs
from graders.workflows.leaderboard.board import Unranked
from graders.workflows.leaderboard.compare import compare
from graders.workflows.leaderboard.preferences import gate, preferences
from graders.workflows.leaderboard.ranking import leaderboard
from graders.workflows.report.export import export
from graders.workflows.results import grid as results_grid
from graders.workflows.review import grading
from graders.workflows.routing import route
from graders.workflows.scope.permissions import Scope
from tests.commands.runner import Line
from tests.support.studies import bring, scope_at

MODELS = ("Ash", "Beech", "Cedar")
PAIRS = ((0, 1), (1, 2), (2, 0))
N = 30
RUBRIC = """
rubric: small
criteria:
  better: {question: Which is better?, scale: {labels: [A, B, tie], ordered: false}, graders: [judge], review: people}
"""
PUBLIC = Path(__file__).parents[4] / "shared" / "data" / "alttest_mtbench"


def vote(i: int, pair: tuple[int, int], value: str | None, **who: Any) -> dict[str, Any]:
    a, b = (MODELS[m] for m in pair)
    return {
        "question_id": f"q{i}",
        "model": f"{a} vs {b}",
        "model_a": a,
        "model_b": b,
        "criterion": "small/better",
        "value": value,
        **who,
    }


def outcomes(seed: int = 5) -> list[tuple[int, tuple[int, int], str]]:
    """Ash beats Beech mostly; Beech and Cedar are alike; Cedar loses to Ash."""
    draw = np.random.default_rng(seed)
    chances = {(0, 1): [0.7, 0.1, 0.2], (1, 2): [0.35, 0.35, 0.3], (2, 0): [0.15, 0.7, 0.15]}
    return [
        (i, pair, str(draw.choice(["A", "B", "tie"], p=chances[pair])))
        for i in range(N)
        for pair in PAIRS
    ]


def by_north(i: int, pair: tuple[int, int]) -> dict[str, Any]:
    """Cedar wins, the others tie; on every third question it took whichever of these stood
    first."""
    value = "A" if pair[0] == 2 else "B" if pair[1] == 2 else "tie"
    changed = (
        {"orders": ["A", "B"], "reason": "position_dependent"}
        if value == "tie" and i % 3 == 0
        else {"orders": [value, value]}
    )
    return vote(i, pair, value, judge="north", **changed)


def compared(folder: Path) -> Scope:
    scope = scope_at(folder)
    questions = [
        {"id": f"q{i}", "text": f"Question {i}?", "category": ("even", "odd")[i % 2]}
        for i in range(N)
    ]
    answers = [
        {"question_id": f"q{i}", "model": m, "text": f"{m} says {i}."}
        for i in range(N)
        for m in MODELS
    ]
    human = [vote(*one, annotator="mira") for one in outcomes()]
    human += [vote(0, PAIRS[0], "B", annotator="jonas", arm="assisted", design="ordinary")]
    judge = [by_north(i, pair) for i, pair, _ in outcomes()]
    # no list of two
    judge.append(
        vote(0, PAIRS[0], None, judge="south", status="unscored", reason="refusal", orders="A")
    )
    # the file's own
    judge.append(
        vote(
            1,
            PAIRS[0],
            None,
            judge="south",
            status="unscored",
            reason="refusal",
            metadata={"orders": ["A", "B"]},
        )
    )
    bring(scope, folder, RUBRIC, questions=questions, answers=answers, human=human, judge=judge)
    return scope


@pytest.fixture(scope="module")
def scope(tmp_path_factory: pytest.TempPathFactory) -> Scope:
    return compared(tmp_path_factory.mktemp("preferred"))


def test_figures_are_those_of_the_statistics(scope: Scope) -> None:
    found = preferences(scope, "study")
    rows = outcomes()
    won = [{"A": 1, "B": 0, "tie": 0.5}[value] for _, _, value in rows]
    expected = bradley_terry(
        [p[0] for _, p, _ in rows], [p[1] for _, p, _ in rows], won, [i for i, _, _ in rows], 3
    )
    for row in found.models:
        one = expected.intervals[MODELS.index(row.model)]
        assert row.strength == pytest.approx(one.value)
        assert [row.figure.value, row.figure.low, row.figure.high] == pytest.approx([100 / (1 + np.exp(-x)) for x in (one.value, one.low, one.high)])  # fmt: skip
    assert (found.title, found.models[0].ranks, found.ties) == (
        "Ash leads; the next two cannot be told apart.",
        (1, 1),
        [(1, 2)],
    )
    assert (
        sum(row.won for row in found.models)
        == sum(row.lost for row in found.models)
        == sum(x != 0.5 for x in won)
    )
    assert found.subtitle.startswith(f"{3 * N} comparisons by people, blind, on {N} questions; ")
    assert found.rests_on.endswith("Left out: 1 given with suggestions in view.")
    assert gate(found) == 0


def test_a_model_with_three_comparisons_does_not_lead(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scope = scope_at(tmp_path)
    new = [
        vote(i, PAIRS[0], "A", annotator="mira")
        | {"model": f"Dogwood vs {m}"}
        | {"model_a": "Dogwood", "model_b": m}
        for i, m in enumerate(MODELS)
    ]
    bring(
        scope,
        tmp_path,
        RUBRIC,
        questions=[{"id": f"q{i}", "text": f"Question {i}?"} for i in range(N)],
        answers=[
            {"question_id": f"q{i}", "model": m, "text": f"{m} says {i}."}
            for i in range(N)
            for m in (*MODELS, "Dogwood")
        ],
        human=[vote(*one, annotator="mira") for one in outcomes()] + new,
    )
    found = preferences(scope, "study")
    assert found.title == "Ash leads; the next two cannot be told apart."
    assert [(row.model, row.place) for row in found.models[::3]] == [("Ash", 1), ("Dogwood", None)]
    dogwood = found.models[-1]
    assert dogwood.figure.value > found.models[0].figure.value and dogwood.ranks is None
    assert [row.ranks for row in found.models[:3]] == [(1, 1), (2, 3), (2, 3)]
    printed = Line(scope.ws.path, capsys)("preferences").out
    assert "INCONCLUSIVE: linked to the others by fewer than 10 comparisons" in printed


def test_a_judge_ranks_for_itself_and_filters_hold(scope: Scope) -> None:
    found = preferences(scope, "study", by="north")
    assert (found.show, found.models[0].model) == ("judge", "Cedar")
    assert found.title.startswith("By north alone, Cedar leads")
    assert found.rests_on.endswith(
        "Each pair was asked about in both orders: 10 ties in place of a verdict that changed with the order."
    )
    assert found.judges == ["north", "south"]
    first = preferences(scope, "study").models[0]
    assert first.sentence.startswith(
        f"Ash, Better (% won): {first.figure.value:.0f} (95 % interval {first.figure.low:.0f} to {first.figure.high:.0f}); rank 1 of 3. "
        "90 comparisons by people, blind, on 30 questions"
    )
    few = preferences(scope, "study", filters=Filters(category=("even",)))
    assert few.subtitle.startswith(
        f"Only category even. {3 * N // 2} comparisons by people, blind, on {N // 2} questions"
    )
    none = preferences(scope, "study", filters=Filters(until="2000-01-01"), by="people")
    assert (
        none.title == "No blind label of people is left by these filters: no model can be ranked."
    )
    assert none.rests_on.startswith(
        "Counted: people's blind verdicts, only given until 2000-01-01, each as one comparison"
    )
    with pytest.raises(InputError, match="filter model"):
        preferences(scope, "study", filters=Filters(model=("Ash",)))
    silent = preferences(scope, "study", by="south")
    assert (silent.subtitle, gate(silent)) == (
        "No two of these answers were compared blind yet.",
        5,
    )
    with pytest.raises(
        NotFound, match="judge 'east': found no such judge, expected one of people, north, south"
    ):
        preferences(scope, "study", by="east")
    with pytest.raises(
        NotFound,
        match="criterion 'small/worse': found no preferences, expected one of small/better",
    ):
        preferences(scope, "study", "small/worse")


def test_the_other_views_say_where_preferences_are(scope: Scope) -> None:
    board = leaderboard(scope, "study")
    assert (board.preferences, board.without) == (
        ["small/better"],
        [Unranked("Better", "compares pairs of answers")],
    )
    assert compare(scope, "study", "Ash", "Beech").preferences == ["small/better"]
    grid = results_grid.grid(scope, "study")
    assert (grid.title, grid.criteria) == (
        "Answers are compared in pairs here: the Leaderboard ranks their models.",
        [],
    )
    assert grid.subtitle == "In pairs, and ranked on the Leaderboard under Preferences: Better."


def test_an_export_gives_back_every_figure(scope: Scope, tmp_path: Path) -> None:
    there = export(scope, "study", "jsonl", tmp_path / "there")
    other = scope_at(tmp_path)
    report = importing_stage.stage(other, "study", there)
    importing_stage.finish(other, report.import_id)
    for by in ("people", "north"):
        assert preferences(other, "study", by=by) == preferences(scope, "study", by=by)


def test_pairs_that_nobody_compared_yet_come_along_with_their_screens(tmp_path: Path) -> None:
    scope = drawn(tmp_path)
    draw_pairs.draw(scope, "study", per_question=2)
    route.route(scope, "study")
    there = export(scope, "study", "jsonl", tmp_path / "there")
    other = scope_at(tmp_path / "there")
    importing_stage.finish(other, importing_stage.stage(other, "study", there).import_id)
    assert sorted(stored(other)) == sorted(stored(scope))

    def waiting(where: Scope) -> list[tuple[str, str, str]]:
        sql = (
            "SELECT q.key, a.model, b.model FROM queue w JOIN screen_subject x ON x.screen_id = w.screen_id JOIN subject s ON s.id = x.subject_id "
            "JOIN question q ON q.id = s.question_id JOIN answer a ON a.id = s.answer_id JOIN answer b ON b.id = s.other_id ORDER BY 1, 2, 3"
        )
        return [tuple(row) for row in where.ws.db.execute(sql)]

    assert waiting(other) == waiting(scope) and waiting(other)
    route.route(other, "study")
    assert (waiting(other), len(stored(other))) == (waiting(scope), len(stored(scope)))
    again = export(other, "study", "jsonl", tmp_path / "again")
    assert (again / "pairs.jsonl").read_bytes() == (there / "pairs.jsonl").read_bytes()


def test_the_desk_shows_both_answers_and_what_is_said_there_counts(tmp_path: Path) -> None:
    scope = scope_at(tmp_path, "mira")
    answers = [
        {"question_id": f"q{i}", "model": m, "text": f"{m} says *so*."}
        for i in range(2)
        for m in MODELS
    ]
    judge = [vote(i, PAIRS[0], "A", judge="north") for i in range(2)]
    bring(
        scope,
        tmp_path,
        RUBRIC,
        questions=[{"id": f"q{i}", "text": "?"} for i in range(2)],
        answers=answers,
        judge=judge,
    )
    route.route(scope, "study")
    screens = grading.next_screens(scope, "study", 3)
    for n, screen in enumerate(screens):
        # answers that are graded in pairs only have no card of their own
        (answer,) = screen.answers
        assert (answer.text, answer.other, answer.model) == (
            "[model] says *so*.",
            "[model] says *so*.",
            None,
        )
        (shown,) = rendered(screen)["answers"]
        assert shown["pair"] and shown["html"].count("<em>so</em>") == 2
        cell = answer.cells[0].id
        grading.save(
            scope,
            "study",
            {
                "save_id": f"a-save-{n}",
                "screen": screen.id,
                "verdicts": [{"cell": cell, "value": "B"}],
            },
        )
    lost = {row.model: row.lost for row in preferences(scope, "study", by="people").models}
    assert len(screens) == 2
    assert (lost["Ash"], lost["Beech"]) == (sum(screen.arm == "blind" for screen in screens), 0)


def drawn(folder: Path, models: tuple[str, ...] = ("Ash", "Beech", "Cedar", "Elm")) -> Scope:
    """Twelve questions that four models answered, one of them only three; nothing was compared
    yet."""
    scope = scope_at(folder, "mira")
    questions = [{"id": f"q{i}", "text": f"Question {i}?"} for i in range(12)]
    answers = [
        {"question_id": f"q{i}", "model": m, "text": f"{m} says {i}."}
        for i in range(12)
        for m in models
        if (i, m) != (5, "Elm")
    ]
    bring(scope, folder, RUBRIC, questions=questions, answers=answers)
    return scope


def stored(scope: Scope) -> list[tuple[str, str, str]]:
    sql = "SELECT q.key, a.model, b.model FROM subject s JOIN question q ON q.id = s.question_id JOIN answer a ON a.id = s.answer_id JOIN answer b ON b.id = s.other_id"
    return [tuple(row) for row in scope.ws.db.execute(sql)]


def test_a_balanced_draw_compares_all_models_alike_and_turns_its_pairs(tmp_path: Path) -> None:
    scope = drawn(tmp_path)
    made = draw_pairs.draw(scope, "study", per_question=2)
    found = stored(scope)
    count = Counter(frozenset(pair) for _, *pair in found)
    # 24 places in rounds through 6 pairs: four of each, less those of the answer that is missing
    assert (made.probability, len(count)) == (pytest.approx(2 / 6), 6)
    assert made.pairs == len(found) >= 22 and set(count.values()) <= {2, 3, 4}
    # rounds run over the ends of questions: no pair loses its turn by standing there already
    for models, per in (
        (3, 2),
        (4, 5),
        (5, 3),
    ):
        every = list(combinations(map(str, range(models)), 2))
        places = list(
            draw_pairs._chosen(
                scope.project("study"), {question: {} for question in range(100)}, every, per
            )
        )
        often = Counter((a, b) for _, a, b in places)
        assert (
            len(places) == len(set(places)) == 100 * per
            and max(often.values()) - min(often.values()) <= 1
        )
    assert {tuple(sorted(pair)) == tuple(pair) for _, *pair in found} == {True, False}
    assert max(Counter(question for question, *_ in found).values()) == 2
    # the same again is nothing new
    assert (draw_pairs.draw(scope, "study", per_question=2).pairs, len(stored(scope))) == (
        0,
        len(found),
    )
    assert [
        event.body["seed"] for event in projects.events(scope.ws, scope.project("study"), "pairs")
    ] == [1, 1]
    empty = preferences(scope, "study")
    assert (empty.title, empty.answering) == (
        "People's blind labels are missing: no model can be ranked yet.",
        ["Ash", "Beech", "Cedar", "Elm"],
    )
    board = leaderboard(scope, "study")
    assert (board.title, board.rests_on) == (
        "Answers are compared in pairs here: Preferences rank the models.",
        "",
    )


def test_the_pairs_of_a_baseline_and_all_pairs_go_to_the_desk(tmp_path: Path) -> None:
    scope = drawn(tmp_path, ("Ash", "Beech", "Elm"))
    made = draw_pairs.draw(scope, "study", "baseline", baseline="Elm")
    assert (made.pairs, made.routed, grading.counts(scope, "study").routed) == (
        2 * 11,
        False,
        False,
    )
    route.route(scope, "study")
    waiting = queue.open_screens(scope.ws.db, scope.project("study"))
    made = draw_pairs.draw(scope, "study", "all")
    assert (made.pairs, made.there, made.probability, made.routed) == (
        12,
        22,
        1.0,
        True,
    )
    assert grading.counts(scope, "study").routed
    assert queue.open_screens(scope.ws.db, scope.project("study")) > waiting
    for screen in grading.next_screens(scope, "study", 2):
        assert all(answer.other for answer in screen.answers)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"design": "some"}, "design: found 'some'"),
        (
            {"design": "baseline", "baseline": "Oak"},
            "baseline: found 'Oak', expected one of Ash, Beech",
        ),
        ({"per_question": 0}, "pairs per question: found 0"),
    ],
)
def test_a_draw_that_cannot_be_is_refused(scope: Scope, words: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        draw_pairs.draw(scope, "study", **words)


def test_a_project_without_such_a_criterion_has_no_pairs_to_draw(tmp_path: Path) -> None:
    scope = scope_at(tmp_path)
    bring(
        scope,
        tmp_path,
        questions=[{"id": "q", "text": "?"}],
        answers=[{"question_id": "q", "model": m, "text": m} for m in "ab"],
    )
    with pytest.raises(InputError, match="expected one with the scale"):
        draw_pairs.draw(scope, "study")


def test_adjudicated_pairs_count_once(tmp_path: Path) -> None:
    scope = scope_at(tmp_path)
    questions = [{"id": f"q{i}", "text": "?"} for i in range(12)]
    answers = [{"question_id": f"q{i}", "model": m, "text": m} for i in range(12) for m in MODELS]
    human = [
        vote(i, PAIRS[0], "A", annotator=name) for i in range(12) for name in ("mira", "jonas")
    ]
    human += [vote(i, PAIRS[0], "B", annotator="adjudicated") for i in range(6)]
    bring(scope, tmp_path, RUBRIC, questions=questions, answers=answers, human=human)
    found = {row.model: row for row in preferences(scope, "study").models}
    # two people on six questions, one word on the other six
    assert (found["Ash"].won, found["Ash"].lost) == (
        12,
        6,
    )
    assert set(found) == {"Ash", "Beech"}


@pytest.mark.skipif(not PUBLIC.is_dir(), reason=f"the public data sets are not at {PUBLIC.parent}")
def test_public_votes_on_chat_answers_are_ranked(tmp_path: Path) -> None:
    scope = scope_at(tmp_path)
    report = importing_stage.stage(scope, "mtbench", PUBLIC)
    importing_stage.finish(scope, report.import_id)
    found = preferences(scope, "mtbench")
    assert found.subtitle.startswith(
        "246 comparisons by people, blind, on 84 questions; 31 % are ties."
    )
    assert [row.model for row in found.models][::5] == ["gpt-4", "llama-13b"]
