"""Counts of a run are those of the whole run: after pause and resume, and after a kill."""

from __future__ import annotations

import signal
import time
from pathlib import Path
from typing import Any

import pytest

from graders.core.errors import InputError
from graders.store import projects
from graders.store.calls import runs as run_store
from graders.store.workspace import Workspace, open_workspace
from graders.workflows.collecting import collect_run
from graders.workflows.runs import judges, run_control, runs
from graders.workflows.runs.progress import JudgeCounts, Progress
from tests.store import small
from tests.support import forked, studies
from tests.support.stub import StubProvider, provider_stub

pytestmark = pytest.mark.usefixtures("key")

ROOT = Path(__file__).parents[3]
#: One call an answer.
QUESTIONS, MODELS = 10, ("Ash", "Oak", "Elm")
CALLS = QUESTIONS * len(MODELS)
TONE = "rubric: small\ncriteria:\n  tone: {question: Is it kind?, scale: {from: 1, to: 5}, graders: [judge]}\n"
#: US dollars per million tokens.
PRICE = 100.0


def study(place: Path) -> Workspace:
    ws = open_workspace(place / "work.db")
    small.study(place, ws, count=QUESTIONS, models=MODELS)
    return ws


def begun(ws: Workspace, stub: StubProvider, **more: Any) -> int:
    options = {
        "judges": ["openai:stub"],
        "base_url": stub.base_url,
        "input_price": PRICE,
        "output_price": PRICE,
        **more,
    }
    return int(runs.start(small.scope_of(ws), "study", options).run)


def paused_after(ws: Workspace, run: int, done: int) -> dict[str, Any]:
    """Work on a run, and wish for a pause once so many replies are read."""

    def listen(progress: Progress) -> None:
        if progress.judges["openai:stub"].done >= done:
            run_store.wish(ws, run, "pause")

    assert runs.execute(ws, run, listen=listen) == "paused"
    return dict(run_store.get_run(ws, run).progress)


def ledger(ws: Workspace, judge: str = "%") -> dict[str, Any]:
    """What the ledger holds, over all calls or those of a judge."""
    row = ws.db.execute(
        "SELECT count(*) AS keys, sum(sends) AS calls, sum(money) AS money, sum(perhaps_paid) AS perhaps, sum(state = 'stored') AS stored FROM call "
        "WHERE judge LIKE ?",
        (judge,),
    ).fetchone()
    causes = ws.db.execute(
        "SELECT j.value, count(*) FROM call c, json_each(c.causes) j WHERE judge LIKE ? GROUP BY 1",
        (judge,),
    ).fetchall()
    return {**dict(row), "resends": dict(map(tuple, causes))}


def test_pause_and_resume_count_on(tmp_path: Path) -> None:
    ws = study(tmp_path)
    with provider_stub(
        latency=0.3, faults={"rate_limited": 0.15, "malformed": 0.1}, seed=3, retry_after=0.01
    ) as stub:
        run = begun(ws, stub, concurrency=2)
        first = paused_after(ws, run, 4)
        before = first["judges"][0]
        assert 4 <= before["done"] < CALLS and before["total"] == CALLS
        runs.wish(small.scope_of(ws), "study", run, "run")
        seen: list[int] = []
        state = runs.execute(
            ws, run, listen=lambda progress: seen.append(progress.judges["openai:stub"].done)
        )
        sent = stub.stats()
    assert state == "done"
    assert min(seen) >= before["done"], "the count goes on, and never starts again"
    progress = run_store.get_run(ws, run).progress
    judge, kept = progress["judges"][0], ledger(ws)
    assert (judge["done"], judge["total"], judge["known"], judge["unreadable"]) == (
        CALLS,
        CALLS,
        0,
        0,
    )
    assert progress["calls"] == judge["calls"] == kept["calls"] == sent["requests"]
    assert judge["resends"] == kept["resends"] and sum(judge["resends"].values()) > 0
    assert judge["waits"] == kept["resends"]["rate_limited"]
    assert (
        progress["money"] == pytest.approx(kept["money"]) and progress["money"] > first["money"] > 0
    )
    assert progress["without_verdict"] == 0
    assert progress["stages"][0]["took_seconds"] > 0  # from its beginning, not from its first batch


def test_what_failed_before_the_pause_is_asked_again_and_counted_once(tmp_path: Path) -> None:
    ws = study(tmp_path)
    with provider_stub(faults={"refusal": 0.3}, seed=5, latency=0.1) as stub:
        run = begun(ws, stub, concurrency=2)
        first = paused_after(ws, run, 10)
        refused = first["judges"][0]["unreadable"]
        assert refused > 0 and first["without_verdict"] == 3 * refused  # three criteria a call
        stub.configure(faults={})
        runs.wish(small.scope_of(ws), "study", run, "run")
        assert runs.execute(ws, run) == "done"
        again = run_store.get_run(ws, run).progress
    judge = again["judges"][0]
    assert (judge["done"], judge["total"], judge["unreadable"], again["without_verdict"]) == (
        CALLS,
        CALLS,
        0,
        0,
    )
    assert judge["calls"] == CALLS + refused


def test_a_budget_in_calls_holds_over_a_pause(tmp_path: Path) -> None:
    ws = study(tmp_path)
    with provider_stub(latency=0.2) as stub:
        run = begun(ws, stub, concurrency=2, budget_calls=20)
        paused_after(ws, run, 4)
        runs.wish(small.scope_of(ws), "study", run, "run")
        assert runs.execute(ws, run) == "stopped"
        assert stub.stats()["requests"] == 20
    assert run_store.get_run(ws, run).progress["calls"] == 20


def test_a_limit_in_money_is_raised_to_what_is_said_to_be_enough(tmp_path: Path) -> None:
    ws = study(tmp_path)
    scope = small.scope_of(ws)
    with provider_stub() as stub:
        run = begun(ws, stub, concurrency=1, budget_money=0.5)
        assert runs.execute(ws, run) == "stopped"
        assert runs.status(scope, "study").progress["calls"] < CALLS
        (limit,) = runs.status(scope, "study").reached
        assert (limit.name, limit.option, limit.limit) == ("budget_money", "--budget", 0.5)
        assert 0 < limit.spent <= 0.5 < limit.enough
        with pytest.raises(InputError, match="expected one of budget_money, budget_calls"):
            run_control.resume(scope, "study", run, {"judges": ["openai:other"]})
        run_control.resume(scope, "study", run, {"budget_money": limit.enough})
        assert runs.status(scope, "study").reached == []
        assert runs.execute(ws, run) == "done"
    assert limit.spent < run_store.get_run(ws, run).progress["money"] <= limit.enough


def test_a_kill_costs_no_count(tmp_path: Path) -> None:
    """Two judges ask the same model, each in its own way; the kill hits the second while the first
    is through."""
    ws = study(tmp_path)
    judges.set_up(small.scope_of(ws), "study", "warm", "openai:stub", {"temperature": 1})
    with provider_stub(
        latency=0.05, faults={"rate_limited": 0.1}, seed=3, retry_after=0.01, hold=CALLS * 3 // 2
    ) as stub:
        run = begun(ws, stub, concurrency=4, judges=["openai:stub", "warm"])
        worker = forked.start(["-m", "tests.faults.driver", "run", ws.path, run])
        while stub.stats()["requests"] <= CALLS * 3 // 2:  # some are on the way and stay there
            time.sleep(0.01)
        worker.send_signal(signal.SIGKILL)
        worker.wait()
        stub.release()
        bought, in_flight = (
            ledger(ws),
            ws.db.execute("SELECT count(*) FROM call WHERE state = 'sent'").fetchone()[0],
        )
        assert run_store.get_run(ws, run).state == "running", "nobody had time to say goodbye"
        seen: list[list[JudgeCounts]] = []
        assert (
            runs.execute(
                ws,
                run,
                listen=lambda progress: seen.append(
                    [judge.copy() for judge in progress.judges.values()]
                ),
            )
            == "done"
        )
        sent = stub.stats()
    first = {name: sum(getattr(judge, name) for judge in seen[1]) for name in ("calls", "money")}
    assert first["calls"] >= bought["calls"] and first["money"] >= bought["money"] - 1e-9, (
        "from the first look at both on"
    )
    progress = run_store.get_run(ws, run).progress
    for judge in progress["judges"]:
        assert (judge["done"], judge["total"], judge["known"]) == (CALLS, CALLS, 0), (
            "its own replies are not known from elsewhere"
        )
        kept = ledger(ws, judge["name"])
        assert (kept["stored"], judge["calls"]) == (CALLS, kept["calls"])
        assert judge["money"] == pytest.approx(kept["money"])
        assert judge["waits"] == kept["resends"]["rate_limited"]
    assert [judge["perhaps_paid"] for judge in progress["judges"]] == [0, in_flight], (
        "what was in flight at the kill is counted"
    )
    assert progress["calls"] == ledger(ws)["calls"] >= sent["requests"] and in_flight > 0


def test_a_kill_hides_no_paid_reply_and_no_resend(tmp_path: Path) -> None:
    """The model has no known price, and many calls are sent more than once: each paid reply is
    told, none is $0, each resend has a cause."""
    ws = study(tmp_path)
    with provider_stub(
        latency=0.05, faults={"rate_limited": 0.15, "malformed": 0.2}, seed=3, retry_after=0.3
    ) as stub:
        run = begun(ws, stub, concurrency=8, input_price=None, output_price=None)
        worker = forked.start(["-m", "tests.faults.driver", "run", ws.path, run])
        while stub.stats()["requests"] < CALLS // 2:
            time.sleep(0.005)
        worker.send_signal(signal.SIGKILL)
        worker.wait()
        assert runs.execute(ws, run) == "done"
    paid, unpriced, calls, known = ws.db.execute(
        "SELECT sum(certainly_paid), sum(money IS NULL), count(*), sum(json_array_length(causes) > 0) FROM call"
    ).fetchone()
    assert paid > unpriced == calls == CALLS and known > 0
    progress = run_store.get_run(ws, run).progress
    assert (progress["unpriced"], progress["money"]) == (paid, None)
    assert (
        ws.db.execute(
            "SELECT count(*) FROM call WHERE json_array_length(causes) <> sends - 1"
        ).fetchone()[0]
        == 0
    )
    assert progress["judges"][0]["resends"] == ledger(ws)["resends"]


def test_replies_known_from_an_earlier_run_are_counted_apart(tmp_path: Path) -> None:
    ws = study(tmp_path)
    project = projects.get_project(ws, "study")
    with provider_stub() as stub:
        assert runs.execute(ws, begun(ws, stub)) == "done"
        with ws.write() as db:  # the verdicts are gone, the ledger is not
            db.execute(
                "DELETE FROM opinion WHERE author_id IN (SELECT id FROM author WHERE kind = 'judge' AND project_id = ?)",
                (project.id,),
            )
        run = begun(ws, stub)
        assert runs.execute(ws, run) == "done"
        assert stub.stats()["requests"] == CALLS
    progress = run_store.get_run(ws, run).progress
    judge = progress["judges"][0]
    assert (judge["done"], judge["total"], judge["known"], judge["calls"], progress["money"]) == (
        CALLS,
        CALLS,
        CALLS,
        0,
        0.0,
    )


def test_a_plan_says_what_will_be_bought(tmp_path: Path) -> None:
    """Two answers of one text to a question are one purchase, the same text to another question is
    another one."""
    scope = studies.scope_at(tmp_path)
    questions = [{"id": "q1", "text": "What?"}, {"id": "q2", "text": "Why?"}]
    said = [
        ("q1", "Ash", "Rain."),
        ("q1", "Oak", "Rain."),
        ("q1", "Elm", "Snow and hail."),
        ("q2", "Ash", "Rain."),
        ("q2", "Oak", "Rain."),
    ]
    answers = [{"question_id": q, "model": model, "text": text} for q, model, text in said]
    studies.bring(scope, tmp_path, rubric=TONE, questions=questions, answers=answers)
    judges.set_up(scope, "study", "thrice", "openai:stub", {"temperature": 0.5, "samples": 3})
    judges.set_up(scope, "study", "once", "openai:stub", {"temperature": 0.5})
    with provider_stub() as stub:
        options = {
            "judges": ["thrice", "once"],
            "base_url": stub.base_url,
            "concurrency": 1,
            "input_price": PRICE,
            "output_price": PRICE,
        }
        thrice, once = (plan := runs.plan(scope, "study", options)).judges
        assert [(judge.calls, judge.known) for judge in (thrice, once)] == [(9, 0), (3, 3)], (
            "a sample of the first is what the second asks"
        )
        assert plan.money == thrice.money > 0 == once.money == once.input_tokens == once.seconds
        run = runs.start(scope, "study", options).run
        assert (runs.execute(scope.ws, run), stub.stats()["requests"]) == ("done", 9)
        counted = [
            [judge[name] for name in ("done", "total", "known", "calls")]
            for judge in run_store.get_run(scope.ws, run).progress["judges"]
        ]
        assert counted == [[9, 9, 0, 9], [3, 3, 3, 0]], "a run counts as its plan did"
        assert [(j.calls, j.known) for j in runs.plan(scope, "study", options).judges] == [
            (0, 0),
            (0, 0),
        ], "every cell has its verdict"


def test_each_rubric_of_a_project_has_calls_of_its_own_and_the_plan_says_so(tmp_path: Path) -> None:
    """Two rubrics, two calls an answer; what was bought before the second came is never bought
    again."""
    scope = studies.scope_at(tmp_path)
    answers = [
        {"question_id": "q1", "model": model, "text": f"{model} says rain."}
        for model in ("Ash", "Oak")
    ]
    tables = {"questions": [{"id": "q1", "text": "What?"}], "answers": answers}
    studies.bring(scope, tmp_path, rubric=TONE, **tables)
    with provider_stub() as stub:
        options = {"judges": ["openai:stub"], "base_url": stub.base_url}
        assert runs.execute(scope.ws, runs.start(scope, "study", options).run) == "done"
        assert stub.stats()["requests"] == len(answers)
        studies.bring(
            scope,
            tmp_path,
            rubric=TONE.replace("small", "manners").replace("kind", "polite"),
            **tables,
        )
        (left,) = runs.plan(scope, "study", options).judges
        assert (left.calls, left.known, left.notes) == (2, 0, []), "the second rubric alone is left"
        (afresh,) = runs.plan(scope, "study", {**options, "workshop": True}).judges
        assert (afresh.calls, afresh.known) == (2 * len(answers), len(answers))
        assert afresh.notes == [
            "No call asks about two rubrics: manners and small have calls of their own."
        ]
        assert runs.execute(scope.ws, runs.start(scope, "study", options).run) == "done"
        assert stub.stats()["requests"] == 2 * len(answers)


def test_a_plan_counts_chinese_by_what_it_takes_and_not_by_its_characters(tmp_path: Path) -> None:
    scope = studies.scope_at(tmp_path)
    # of 3 bytes each: a token takes about 4 bytes, so that this makes 3,000 tokens, where 4 letters
    # a token made 1,000
    length = 4_000
    text = "长江发源于青藏高原。" * (length // 10)
    studies.bring(
        scope,
        tmp_path,
        rubric=TONE,
        questions=[{"id": "q1", "text": text}],
        answers=[{"question_id": "q1", "model": "Ash", "text": "好。"}],
    )
    planned = runs.plan(scope, "study", {"judges": ["openai:stub"]}).judges[0].input_tokens
    asked = collect_run.plan(scope, "study", {"models": ["gpt=openai:gpt"]}).models[0].input_tokens
    assert asked == 3 * length // 4 and asked < planned < asked + 1_000
