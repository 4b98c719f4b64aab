"""A judge that quotes what is not in the answer: asked once more over HTTP, never automatic,
nothing bought twice."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from graders.core.records import BATCH_GONE, IN_FLIGHT, MISQUOTED, Request
from graders.store import projects
from graders.store.calls import runs as run_store
from graders.store.calls.batches import BatchLedger
from graders.store.calls.ledger import SqlLedger
from graders.store.workspace import Workspace, open_workspace
from graders.workflows.cells.policy import Suggestion, Voice, heard, suggest
from graders.workflows.cells.routes import RouteSettings, RouteSigns, Ruling, route_cell
from graders.workflows.results import answer as results_answer
from graders.workflows.review import grading
from graders.workflows.routing import route
from graders.workflows.runs import runs
from tests.store import small
from tests.support import forked
from tests.support.stub import StubProvider

#: Answers to one factual question: whether all is there is left to the machine.
ANSWERS = 3
LOST, FOUND = "words that nobody wrote", "says 1"


def said(quote: str, value: int = 4) -> str:
    """A reply whose verdict on completeness rests on a quote."""
    values: dict[str, Any] = {"relevance": "relevant", "completeness": value, "tone": "warm"}
    return json.dumps(
        {
            name: {
                "evidence": quote if name == "completeness" else "absent",
                "rationale": "So it is.",
                "value": given,
                "confidence": 0.9,
            }
            for name, given in values.items()
        }
    )


@pytest.fixture
def study(tmp_path: Path, ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-the-run")
    small.study(tmp_path, ws, count=1)
    return ws


@pytest.fixture(autouse=True)
def plain(stub: StubProvider) -> Any:
    yield
    stub.configure(say=None, say_again=None, hold=0, polls=0, faults={})


def started(ws: Workspace, stub: StubProvider, **more: Any) -> int:
    options = {
        "judges": ["openai:stub"],
        "base_url": stub.base_url,
        "input_price": 1.0,
        "output_price": 2.0,
        **more,
    }
    return int(runs.start(small.scope_of(ws), "study", options).run)


def ran(ws: Workspace, stub: StubProvider, **more: Any) -> dict[str, Any]:
    """The row of a run that went through."""
    run = started(ws, stub, **more)
    assert runs.execute(ws, run) == "done", run_store.get_run(ws, run).message
    return run_store.get_run(ws, run)


def again(ws: Workspace, run: int) -> str:
    runs.wish(small.scope_of(ws), "study", run, "run")
    return runs.execute(ws, run)


def cells(ws: Workspace, criterion: str = "small/completeness") -> list[tuple[str, str, str]]:
    """(route, reason, where the final value comes from) of a criterion's cells."""
    sql = (
        "SELECT c.route, c.route_reason, c.final_source FROM cell c JOIN criterion k ON k.id = c.criterion_id WHERE k.key = ? "
        "AND c.tally_id IS NOT NULL"
    )
    return [tuple(row) for row in ws.db.execute(sql, (criterion,))]


def kept(ws: Workspace, criterion: str = "small/completeness") -> list[tuple[str, str, str]]:
    """(value, quote, why it was asked again) of judges' verdicts on a criterion, oldest first."""
    sql = (
        "SELECT v.value, coalesce(json_extract(v.evidence, '$[0].quote'), ''), coalesce(json_extract(v.metadata, '$.asked_again'), '') "
        "FROM verdict v JOIN author a ON a.id = v.author_id AND a.kind = 'judge' JOIN cell c ON c.id = v.cell_id "
        "JOIN criterion k ON k.id = c.criterion_id WHERE k.key = ? ORDER BY v.id"
    )
    return [tuple(row) for row in ws.db.execute(sql, (criterion,))]


def calls(ws: Workspace) -> list[list[str]]:
    """The causes of the sends of each stored call."""
    return sorted(
        json.loads(row[0])
        for row in ws.db.execute("SELECT causes FROM call WHERE state = 'stored'")
    )


def test_a_judge_that_misquotes_is_asked_once_more_and_its_second_reply_counts(
    study: Workspace, stub: StubProvider
) -> None:
    stub.configure(say=said(LOST), say_again=said("“SAYS\n**1**”", 5), latency=0.0)
    row = ran(study, stub)
    assert stub.stats()["paid"] == stub.stats()["paid_distinct"] == 2 * ANSWERS
    assert calls(study) == [[]] * ANSWERS + [[MISQUOTED]] * ANSWERS, (
        "the first reply stays, and the further call names its cause"
    )
    assert row.progress["judges"][0]["resends"] == {MISQUOTED: ANSWERS}
    assert (
        kept(study) == [("4", LOST, "")] * ANSWERS + [("5", "“SAYS\n**1**”", MISQUOTED)] * ANSWERS
    )
    assert {one[0] for one in cells(study)} == {"automatic"}
    assert len(kept(study, "small/tone")) == ANSWERS, (
        "what was not quoted wrongly is not said again"
    )
    money = study.db.execute("SELECT sum(money) FROM call").fetchone()[0]
    assert (
        row.progress["money"] == pytest.approx(money)
        and row.progress["judges"][0]["done"] == 2 * ANSWERS
    )


def test_one_that_misquotes_again_goes_to_people_with_that_reason_and_is_not_asked_a_third_time(
    study: Workspace, stub: StubProvider
) -> None:
    stub.configure(say=said(LOST), say_again=said("other words that nobody wrote"), latency=0.0)
    ran(study, stub)
    assert cells(study) == [("people", MISQUOTED, "pending")] * ANSWERS
    ran(study, stub)
    assert stub.stats()["paid"] == 2 * ANSWERS, "neither this run nor a later one buys it again"
    assert len(kept(study)) == 2 * ANSWERS


def test_a_verdict_without_a_quote_or_with_a_true_one_is_automatic_and_asked_once(
    study: Workspace, stub: StubProvider
) -> None:
    for quote in ("absent", "", "says ... 1", FOUND):
        stub.configure(say=said(quote), latency=0.0)
        ran(study, stub, afresh=True, judge_options={"persona": f"somebody who says {quote}"})
        assert stub.stats()["paid"] == ANSWERS
        assert {one[0] for one in cells(study)} == {"automatic"}, quote


def test_where_the_second_call_fails_the_first_verdict_stands_and_a_later_run_asks(
    study: Workspace, stub: StubProvider
) -> None:
    stub.configure(say=said(LOST), say_again="no JSON at all", latency=0.0)
    row = ran(study, stub)
    assert [one[:2] for one in kept(study)] == [("4", LOST)] * ANSWERS and cells(study) == [
        ("people", MISQUOTED, "pending")
    ] * ANSWERS
    assert row.progress["without_verdict"] == 0
    stub.configure(say_again=said(FOUND))
    ran(study, stub)
    assert stub.stats()["paid"] == ANSWERS, "only the further calls"
    assert {one[0] for one in cells(study)} == {"automatic"} and len(kept(study)) == 2 * ANSWERS


@pytest.mark.parametrize("judge", ["openai:stub", "anthropic:claude-stub"])
def test_in_batches_it_is_handed_in_once_more(
    study: Workspace, stub: StubProvider, monkeypatch: pytest.MonkeyPatch, judge: str
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "key-of-the-run")
    stub.configure(say=said(LOST), say_again=said(FOUND), latency=0.0, polls=1)
    run = started(study, stub, judges=[judge], batch=True, stay=False)
    states = [runs.execute(study, run)]
    while states[-1] == "paused" and len(states) < 6:
        states.append(again(study, run))
    assert states[-1] == "done" and states.count("paused") >= 2, (
        "it leaves while each batch is under way"
    )
    assert stub.stats()["paid"] == stub.stats()["paid_distinct"] == 2 * ANSWERS
    assert calls(study) == [[]] * ANSWERS + [[MISQUOTED]] * ANSWERS
    counts = run_store.get_run(study, run).progress["judges"][0]
    assert (
        counts["resends"] == {MISQUOTED: ANSWERS}
        and counts["calls"] == 2 * ANSWERS
        and counts["perhaps_paid"] == 0
    )
    assert {one[0] for one in cells(study)} == {"automatic"}


@pytest.mark.parametrize("batched", [False, True])
def test_the_ledger_names_each_further_send_of_a_further_call(
    study: Workspace, batched: bool
) -> None:
    """Sent, lost with its process, sent again: the first send has its cause from the start."""
    project = projects.get_project(study, "study")
    run = run_store.add_run(study, project, {}, {}, "test")
    ledger = (
        BatchLedger(study, project, run, "openai_batch", "here")
        if batched
        else SqlLedger(study, project, run)
    )
    request = Request(
        subjects=(), provider="p", model="m", messages=(("user", "?"),), again=MISQUOTED
    )

    def send() -> None:
        with ledger.batch():
            assert ledger.reserve("k", request, "{}") == "reserved"
            ledger.sent("k", 1, "")
        if isinstance(ledger, BatchLedger):
            ledger.begin(["k"])

    def noted() -> tuple[int, list[str], int]:
        row = study.db.execute("SELECT sends, causes, perhaps_paid FROM call").fetchone()
        return row[0], json.loads(row[1]), row[2]

    send()
    assert noted() == (1, [MISQUOTED], 0)
    if isinstance(ledger, BatchLedger):
        ledger.refused(ledger.batches()[0])
        assert noted() == (0, [MISQUOTED], 0), "it was never sent"
        send()
        assert noted() == (1, [MISQUOTED], 0)
        ledger.gone(ledger.batches()[0])
        send()
        assert noted() == (2, [MISQUOTED, BATCH_GONE], 1)
    else:
        send()
        assert noted() == (2, [MISQUOTED, IN_FLIGHT], 1)


@pytest.mark.parametrize(
    ("point", "count", "twice"),
    [
        ("stored", 2, 2),
        ("verdict", 2, 0),
        ("sent", 4, 0),
        ("send", 4, 1),
        ("replied", 5, 2),
        ("stored", 5, 2),
    ],
)
def test_killed_while_it_is_asked_once_more_and_resumed(
    tmp_path: Path,
    stub: StubProvider,
    monkeypatch: pytest.MonkeyPatch,
    point: str,
    count: int,
    twice: int,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-the-run")
    ws = open_workspace(tmp_path / "work.db")
    small.study(tmp_path, ws, count=1)
    stub.configure(say=said(LOST), say_again=said(FOUND), latency=0.0)
    run = started(ws, stub, concurrency=2)
    driver = ["-m", "tests.faults.driver", "run", ws.path, run]
    done = forked.run([*driver, point, count], env=dict(os.environ))
    assert done.returncode == -signal.SIGKILL, done.stderr
    ended = forked.run(driver, env=dict(os.environ))
    assert ended.returncode == 0 and ended.stdout.split()[-1] == "done", ended.stderr
    stats = stub.stats()
    assert stats["paid_distinct"] == 2 * ANSWERS and stats["paid"] - stats["paid_distinct"] <= twice
    causes = calls(ws)
    assert sum(MISQUOTED in one for one in causes) == ANSWERS and all(
        one[0] == MISQUOTED for one in causes if MISQUOTED in one
    )
    assert sum(one.count(IN_FLIGHT) for one in causes) <= 2
    named = f"json_array_length(causes) = sends - 1 + (coalesce(json_extract(causes, '$[0]'), '') = '{MISQUOTED}')"
    assert ws.db.execute(f"SELECT count(*) FROM call WHERE NOT ({named})").fetchone()[0] == 0, (
        "each send again has one cause"
    )
    assert {one[0] for one in cells(ws)} == {"automatic"} and ws.check() == []
    assert len(kept(ws)) == 2 * ANSWERS, "neither reply is written down twice"
    ws.close()


def test_of_a_call_about_several_answers_each_is_asked_about_alone(
    study: Workspace, stub: StubProvider
) -> None:
    whole = json.loads(said(LOST))
    stub.configure(
        say=json.dumps({f"answer_{n}": whole for n in range(1, ANSWERS + 1)}), latency=0.0
    )
    row = ran(study, stub, judge_options={"per": "question"})
    assert stub.stats()["paid"] == 1 + ANSWERS and calls(study) == [[]] + [[MISQUOTED]] * ANSWERS
    assert row.progress["judges"][0]["resends"] == {MISQUOTED: ANSWERS}
    assert cells(study) == [("people", MISQUOTED, "pending")] * ANSWERS
    ran(study, stub, judge_options={"per": "question"})
    assert stub.stats()["paid"] == 1 + ANSWERS


def test_samples_of_a_call_are_asked_once_more_where_none_of_them_quotes_what_is_there(
    study: Workspace, stub: StubProvider
) -> None:
    stub.configure(say=said(LOST), say_again=said(FOUND), latency=0.0)
    ran(study, stub, judge_options={"samples": 3, "temperature": 1.0})
    assert stub.stats()["paid"] == 2 * 3 * ANSWERS and {one[0] for one in cells(study)} == {
        "automatic"
    }


def test_a_try_shows_what_is_quoted_and_buys_no_more(study: Workspace, stub: StubProvider) -> None:
    stub.configure(say=said(LOST), say_again=said(FOUND), latency=0.0)
    ran(study, stub, tries=2)
    assert stub.stats()["paid"] == 2
    plan = runs.plan(
        small.scope_of(study), "study", {"judges": ["openai:stub"], "base_url": stub.base_url}
    ).judges[0]
    assert plan.calls - plan.known == ANSWERS - 2 + 2, (
        "what is stored and misquotes is asked once more by the next run"
    )
    ran(study, stub)
    assert stub.stats()["paid"] == 2 + 2 + 2


def test_the_plan_prices_what_it_expects(
    tmp_path: Path, ws: Workspace, stub: StubProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-the-run")
    small.study(tmp_path, ws, count=16)
    scope, options = (
        small.scope_of(ws),
        {
            "judges": ["openai:stub"],
            "base_url": stub.base_url,
            "input_price": 1.0,
            "output_price": 2.0,
        },
    )
    plan = runs.plan(scope, "study", options).judges[0]
    assert plan.once_more == pytest.approx(0.05 * 48)
    assert (
        "About 2 more calls where it quotes what is not in the answer and is asked once more (assumed: 5%)."
        in plan.notes
    )
    tried = runs.plan(scope, "study", {**options, "tries": 48}).judges[0]
    assert tried.once_more == 0 and plan.money == pytest.approx(1.05 * tried.money, rel=1e-3)
    stub.configure(say=said(LOST), say_again=said(FOUND), latency=0.0)
    subjects = [row[0] for row in ws.db.execute("SELECT id FROM subject ORDER BY id LIMIT 24")]
    ran(ws, stub, only=subjects)
    measured = runs.plan(scope, "study", options).judges[0]
    assert measured.once_more == 24 and measured.calls - measured.known == 24, (
        "every call was asked once more so far"
    )
    assert any(
        "About 24 more calls" in note and "as often as so far" in note for note in measured.notes
    )


def judged(quote: Any, found: Any = None, name: str = "north", **more: Any) -> dict[str, Any]:
    evidence = {"quote": quote, **({} if found is None else {"found": found})}
    return small.judge(
        "q1", "Ash", "small/completeness", name, 4, confidence=0.99, evidence=[evidence], **more
    )


@pytest.mark.parametrize("found", [None, False])
def test_stored_verdicts_are_looked_up_at_routing(
    tmp_path: Path, ws: Workspace, found: Any
) -> None:
    """As files bring them, and as earlier versions stored them, which looked more strictly or not
    at all."""
    said_of = {"Ash": LOST, "Oak": "says **1**.", "Elm": ""}
    rows = [
        {**judged(quote, found if quote else None), "model": model}
        for model, quote in said_of.items()
    ]
    small.bring(
        small.scope_of(ws),
        small.folder(
            tmp_path,
            "study",
            questions=small.questions(1),
            answers=small.answers(1, [*said_of]),
            judge=rows,
        ),
    )
    scope = small.scope_of(ws)
    route.route(scope, "study")
    sql = (
        "SELECT a.model, c.route, c.route_reason FROM cell c JOIN subject s ON s.id = c.subject_id JOIN answer a ON a.id = s.answer_id "
        "JOIN criterion k ON k.id = c.criterion_id WHERE k.key = 'small/completeness'"
    )
    where = {row[0]: (row[1], row[2]) for row in ws.db.execute(sql)}
    assert where == {
        "Ash": ("people", MISQUOTED),
        "Oak": ("automatic", "judge north"),
        "Elm": ("automatic", "judge north"),
    }
    assert (
        ws.db.execute("SELECT count(*) FROM opinion WHERE misquoted IS NULL").fetchone()[0] == 0
    ), "and not again at the next"


def test_a_workspace_of_before_is_looked_up_when_it_is_routed(
    study: Workspace, stub: StubProvider
) -> None:
    """All 122 of 122 such verdicts were automatic once. What a stricter comparison missed stays
    automatic."""
    stub.configure(say=said(LOST), latency=0.0)
    ran(study, stub, tries=ANSWERS)
    plain = json.dumps([{"quote": "**SAYS** 1", "found": False}])
    first = "SELECT v.id FROM verdict v JOIN cell c ON c.id = v.cell_id JOIN criterion k ON k.id = c.criterion_id WHERE k.key LIKE '%completeness' LIMIT 1"
    study.db.execute(f"UPDATE verdict SET evidence = ? WHERE id = ({first})", (plain,))
    for sql in (
        "DROP TABLE unsought",
        "DROP INDEX opinion_unsought",
        "DROP INDEX opinion_due",
        "ALTER TABLE opinion DROP COLUMN misquoted",
    ):
        study.db.execute(sql)
    study.db.execute("DELETE FROM _sqlite_migrations WHERE name = 'm028_misquoted'")
    study.db.execute("PRAGMA user_version = 0")
    study.close()
    ws = open_workspace(study.path, small.Clock(1_900_000_000.0))
    assert (
        ws.db.execute(
            "SELECT count(*) FROM opinion WHERE misquoted IS NULL OR misquoted > 0"
        ).fetchone()[0]
        == 0
    )
    scope = small.scope_of(ws)
    for _ in range(2):
        route.route(scope, "study")
        assert sorted(one[:2] for one in cells(ws)) == [
            ("automatic", "judge openai:stub"),
            *[("people", MISQUOTED)] * (ANSWERS - 1),
        ]
    ran(ws, stub)
    assert stub.stats()["paid"] == ANSWERS, (
        "what was stored before is not asked once more of itself"
    )
    ws.close()


def test_pages_say_so_beside_the_verdict(tmp_path: Path, ws: Workspace) -> None:
    rows = [
        {**judged(quote), "model": model}
        for model, quote in {"Ash": LOST, "Oak": "Oak … 1"}.items()
    ]
    texts = small.answers(1, ["Ash", "Oak"])
    small.bring(
        small.scope_of(ws),
        small.folder(tmp_path, "study", questions=small.questions(1), answers=texts, judge=rows),
    )
    small.sample(ws, calibration=0.0, audit=0.0, blind=0.0)
    scope = small.scope_of(ws, "mira")
    route.route(scope, "study")
    screen = grading.next_screens(scope, "study", 1)[0]
    shown = {a.id: cell for a in screen.answers for cell in a.cells if cell.judges}
    by_model = dict(
        ws.db.execute(
            "SELECT s.id, a.model FROM subject s JOIN answer a ON a.id = s.answer_id"
        ).fetchall()
    )
    told = {
        by_model[row]: (cell.judges[0].misquotes, cell.route_reason) for row, cell in shown.items()
    }
    assert told == {"Ash": (True, MISQUOTED), "Oak": (False, "judge north")}
    for model in by_model.values():
        drawer = results_answer.answer(scope, "study", "q1", model)
        [verdict] = [v for cell in drawer.cells for v in cell.verdicts if v.kind == "judge"]
        assert verdict.note == (
            "The judge quoted words that are not in the answer." if model == "Ash" else ""
        )
        assert verdict.evidence[0].found == (model != "Ash")


def test_no_promise_rule_or_threshold_makes_it_automatic(ws: Workspace, tmp_path: Path) -> None:
    small.study(tmp_path, ws, count=1)
    row = next(
        c
        for c in projects.criteria(ws, projects.get_project(ws, "study"))
        if c.key == "small/completeness"
    )
    settings = RouteSettings(
        low_confidence=0.0, judge_against_metric=False, review={"factual": "automatic"}
    )
    proven = Ruling("proven", "proven: at most 10% off", 0.0, 10**9)
    for ruling in (None, proven):
        for voices in (
            [Voice("north", 4, 1.0, misquoted=True)],
            [Voice("north", 4, 1.0, misquoted=True), Voice("south", 4, 1.0), Voice("west", 4, 1.0)],
            heard(
                [Voice("north", 4, 1.0, misquoted=True), Voice("panel(north)", 4, 1.0)],
                "panel(north)",
                ["north"],
            ),
        ):
            found = route_cell(
                row.criterion,
                "factual",
                suggest(row.scale, [], voices),
                RouteSigns(judged=1, ruling=ruling),
                settings,
            )
            assert (found.route, found.reason) == ("people", MISQUOTED)
    fine = route_cell(
        row.criterion,
        "factual",
        Suggestion(4, 1.0, "judge north"),
        RouteSigns(judged=1, ruling=proven),
        settings,
    )
    assert fine.route == "automatic"
    rule = suggest(
        row.scale, [Voice("length", 5, measured=True)], [Voice("north", 4, 1.0, misquoted=True)]
    )
    assert not rule.misquoted, "what a rule decides rests on no quote"
