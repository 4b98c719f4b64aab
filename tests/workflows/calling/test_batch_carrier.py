"""Runs whose calls travel in batches, over HTTP: submit, leave, come back; nothing is bought
twice."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from graders.core.errors import InputError, ProviderError
from graders.core.records import Reply, Request
from graders.providers.openai_batch import OpenAIBatch
from graders.store import projects
from graders.store.calls import runs as run_store
from graders.store.calls.batches import BatchLedger
from graders.store.workspace import Workspace
from graders.workflows.calling.batch_carrier import BatchCarrier
from graders.workflows.runs import drift_anchors, run_page, runs
from graders.workflows.scope.permissions import Scope
from tests.store import small

ANSWERS = 6


@pytest.fixture
def study(tmp_path: Path, ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    for provider in ("OPENAI", "ANTHROPIC"):
        monkeypatch.setenv(f"{provider}_API_KEY", "key-of-the-run")
    small.study(tmp_path, ws, count=2)
    return ws


def started(ws: Workspace, base_url: str, judge: str = "openai:stub", **more: object) -> int:
    options = {
        "judges": [judge],
        "base_url": base_url,
        "batch": True,
        "input_price": 1.0,
        "output_price": 2.0,
        **more,
    }
    return int(runs.start(small.scope_of(ws), "study", options).run)


def judged(ws: Workspace) -> int:
    sql = "SELECT count(*) FROM opinion o JOIN author a ON a.id = o.author_id WHERE a.kind = 'judge' AND o.status = 'ok'"
    return int(ws.db.execute(sql).fetchone()[0])


def again(ws: Workspace, run: int) -> str:
    runs.wish(small.scope_of(ws), "study", run, "run")
    return runs.execute(ws, run)


@pytest.mark.parametrize("judge", ["openai:stub", "anthropic:claude-stub"])
def test_a_run_hands_in_leaves_and_comes_back(study: Workspace, stub, judge: str) -> None:  # type: ignore[no-untyped-def]
    stub.configure(faults={}, latency=0.0, polls=2, expired=0)
    run = started(study, stub.base_url, judge, stay=False)
    assert runs.execute(study, run) == "paused"
    assert (
        run_store.get_run(study, run).message
        == f"0 of {ANSWERS} calls in batches are done. Come back later: what is under way is kept."
    )
    assert judged(study) == 0 and stub.stats()["paid"] == ANSWERS
    assert again(study, run) == "paused"
    assert again(study, run) == "done"
    counts = run_store.get_run(study, run).progress["judges"][0]
    assert judged(study) > 0 and (counts["calls"], counts["done"], counts["perhaps_paid"]) == (
        ANSWERS,
        ANSWERS,
        0,
    )
    used = study.db.execute(
        "SELECT sum(input_tokens), sum(output_tokens), sum(money) FROM call"
    ).fetchone()
    assert used[2] == pytest.approx(0.5 * (used[0] + 2 * used[1]) / 1e6), "half the price"
    assert counts["money"] == pytest.approx(used[2])
    assert stub.stats()["paid"] == ANSWERS


def test_batches_of_several_judges_are_under_way_together(study: Workspace, stub) -> None:  # type: ignore[no-untyped-def]
    stub.configure(faults={}, latency=0.0, polls=2, expired=0)
    scope, priced = (
        small.scope_of(study),
        {"batch": True, "panel": "median", "input_price": 1.0, "output_price": 2.0},
    )
    priced |= {"judges": ["openai:stub", "openai:stub-2"], "base_url": stub.base_url}
    run = runs.start(scope, "study", priced).run
    handed: list[int] = []

    def listen(progress: Any) -> None:
        if any(judge.done for judge in progress.judges.values()):
            handed.append(stub.stats()["paid"])

    assert runs.execute(study, run, listen=listen) == "done"
    assert handed[0] == 2 * ANSWERS, "the first reply came when all judges had handed in"
    counts = run_store.get_run(study, run).progress["judges"]
    assert [
        (one["calls"], one["done"], one["total"], one["known"], one["without_verdict"])
        for one in counts
    ] == [(ANSWERS, ANSWERS, ANSWERS, 0, 0)] * 2
    paid = [
        row[0]
        for row in study.db.execute(
            "SELECT sum(money) FROM call WHERE run_id = ? GROUP BY judge", (run,)
        )
    ]
    assert sorted(one["money"] for one in counts) == pytest.approx(sorted(paid))
    left = runs.start(
        scope, "study", {**priced, "stay": False, "judge_options": {"persona": "a strict teacher"}}
    ).run
    assert runs.execute(study, left) == "paused"
    assert run_store.get_run(study, left).message.startswith(
        f"0 of {2 * ANSWERS} calls in batches are done. Come back later"
    )


def test_anchors_of_a_judge_that_changed_are_asked_twice_in_a_batch(study: Workspace, stub) -> None:  # type: ignore[no-untyped-def]
    stub.configure(faults={}, latency=0.0, polls=0, expired=0)
    scope = small.scope_of(study)
    anchor = study.db.execute("SELECT key FROM question ORDER BY id LIMIT 1").fetchone()[0]
    drift_anchors.name(scope, "study", [anchor])
    assert runs.execute(study, started(study, stub.base_url)) == "done"
    said = (
        "SELECT count(*) FROM verdict v JOIN author a ON a.id = v.author_id WHERE a.kind = 'judge'"
    )
    known, once = judged(study), study.db.execute(said).fetchone()[0]
    changed = started(study, stub.base_url, judge_options={"temperature": 0.3})
    assert runs.execute(study, changed) == "done"
    assert stub.stats()["paid"] == ANSWERS + ANSWERS + 3, (
        "each of the three answers to the anchor question once more"
    )
    repeats = f"{said} AND json_extract(v.metadata, '$.anchor') = 1"
    twice = study.db.execute(
        f"{repeats} AND v.cell_id IN (SELECT c.id FROM cell c JOIN question q ON q.id = c.question_id WHERE q.key = ?)",
        (anchor,),
    )
    assert twice.fetchone()[0] == study.db.execute(repeats).fetchone()[0] == once // 2, (
        "one of the two questions is an anchor"
    )
    assert judged(study) == known, "repeats are no present opinions"
    assert study.db.execute(said).fetchone()[0] == 2 * once + once // 2


def test_what_a_batch_answered_badly_or_not_at_all_is_handed_in_again(
    study: Workspace, stub
) -> None:  # type: ignore[no-untyped-def]
    stub.configure(
        faults={"malformed": 0.2, "server_error": 0.2}, latency=0.0, polls=0, expired=0, seed=3
    )
    run = started(study, stub.base_url)
    assert runs.execute(study, run) == "done"
    counts, stats = run_store.get_run(study, run).progress["judges"][0], stub.stats()
    assert judged(study) > 0 and counts["without_verdict"] == 0
    assert counts["resends"] == stats["faults"] != {}


@pytest.mark.parametrize(
    ("refuse", "found"),
    [
        ("wrong_key", "status 401: Incorrect API key provided"),
        ("quota", "You exceeded your current quota"),
    ],
)
def test_a_batch_that_is_refused_ends_the_run_with_one_sentence_and_leaves_the_cells_open(  # type: ignore[no-untyped-def]
    study: Workspace, stub, refuse: str, found: str
) -> None:
    stub.configure(faults={}, latency=0.0, polls=0, expired=0, refuse=refuse)
    run = started(study, stub.base_url)
    assert runs.execute(study, run) == "failed"
    row = run_store.get_run(study, run)
    assert found in row.message and len(row.progress["problems"]) == 1
    assert judged(study) == 0 and row.progress["without_verdict"] == 0
    stub.configure(refuse="")
    assert again(study, run) == "done" and stub.stats()["paid"] == ANSWERS


def test_an_error_of_the_store_ends_the_run_with_one_sentence(
    study: Workspace, stub, monkeypatch: pytest.MonkeyPatch
) -> None:  # type: ignore[no-untyped-def]
    def broken(*args: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    stub.configure(faults={}, latency=0.0, polls=0, expired=0)
    run = started(study, stub.base_url)
    with monkeypatch.context() as patch:
        patch.setattr(BatchLedger, "begin", broken)
        assert runs.execute(study, run) == "failed"
    assert "found OperationalError: disk I/O error" in run_store.get_run(study, run).message
    assert again(study, run) == "done" and stub.stats()["paid"] == ANSWERS


def test_a_batch_refused_as_a_whole_is_left_behind(study: Workspace, stub) -> None:  # type: ignore[no-untyped-def]
    stub.configure(faults={}, latency=0.0, polls=0, expired=0, whole=True)
    run = started(study, stub.base_url)
    assert runs.execute(study, run) == "failed"
    assert (
        "refused as a whole: Enqueued token limit reached" in run_store.get_run(study, run).message
    )
    found = study.db.execute(
        "SELECT sum(state = 'released'), sum(sends), (SELECT count(*) FROM batch) FROM call"
    ).fetchone()
    assert tuple(found) == (ANSWERS, 0, 0), "free again"
    stub.configure(whole=False)
    assert again(study, run) == "done" and stub.stats()["paid"] == ANSWERS


def test_a_call_that_comes_while_a_batch_is_handed_in_is_in_the_next_one(
    study: Workspace, stub, monkeypatch: pytest.MonkeyPatch
) -> None:  # type: ignore[no-untyped-def]
    stub.configure(faults={}, latency=0.0, polls=0, expired=0)
    provider = OpenAIBatch(base_url=stub.base_url, api_key="key-of-the-run")
    run = started(study, stub.base_url)
    ledger = BatchLedger(
        study, projects.get_project(study, "study"), run, provider.name, provider.address
    )
    submit = OpenAIBatch.submit

    async def both() -> list[Reply]:
        begun, go_on = asyncio.Event(), asyncio.Event()

        async def slow(self: OpenAIBatch, *args: Any) -> str:
            begun.set()
            await go_on.wait()
            return await submit(self, *args)

        monkeypatch.setattr(OpenAIBatch, "submit", slow)
        carrier = BatchCarrier(
            provider, ledger, provider.address, lambda *tokens: 0.0, lambda: False
        )
        async with carrier:
            first, second = (
                Request(
                    subjects=(), provider="openai_chat", model="stub", messages=(("user", name),)
                )
                for name in ("a", "b")
            )
            sent = [asyncio.create_task(carrier.send(first, 1.0))]
            await begun.wait()
            sent.append(asyncio.create_task(carrier.send(second, 1.0)))
            await asyncio.sleep(0)
            go_on.set()
            replies = await asyncio.wait_for(asyncio.gather(*sent), 20)
        await provider.aclose()
        return replies

    assert [reply.text for reply in asyncio.run(both())] == ['{"text":"Fine."}'] * 2
    assert stub.stats()["paid"] == 2


@pytest.mark.parametrize("arrives", [True, False])
def test_a_batch_whose_arrival_is_unsure_is_looked_for_before_its_calls_go_out_again(  # type: ignore[no-untyped-def]
    study: Workspace, stub, monkeypatch: pytest.MonkeyPatch, arrives: bool
) -> None:
    submit, search, looks = OpenAIBatch.submit, OpenAIBatch.search, []

    async def cut(self: OpenAIBatch, *args: Any) -> str:
        if arrives:
            await submit(self, *args)
        raise ProviderError("handing in a batch", cause="timeout", found="no reply")

    async def late(self: OpenAIBatch, *args: Any) -> str:
        looks.append(args)
        return "" if len(looks) == 1 else await search(self, *args)

    stub.configure(faults={}, latency=0.0, polls=0, expired=0)
    run = started(study, stub.base_url, stay=False)
    with monkeypatch.context() as patch:
        patch.setattr(OpenAIBatch, "submit", cut)
        patch.setattr(OpenAIBatch, "search", late)
        assert runs.execute(study, run) == "paused"
    assert f"0 of {ANSWERS} calls in batches are done" in run_store.get_run(study, run).message
    if not arrives:
        assert isinstance(study.clock, small.Clock)
        study.clock.now += 400.0
    assert again(study, run) == "done"
    assert tuple(study.db.execute("SELECT sum(sends), sum(perhaps_paid) FROM call").fetchone()) == (
        ANSWERS,
        0,
    )
    assert stub.stats()["paid"] == ANSWERS


def under_way(ws: Workspace, stub, run: int) -> tuple[BatchLedger, Mapping[str, Reply]]:  # type: ignore[no-untyped-def]
    """The ledger of a run that rests, and the replies of its batch."""
    address = ws.db.execute("SELECT address FROM batch").fetchone()[0]
    provider = OpenAIBatch(base_url=stub.base_url, api_key="key-of-the-run")
    ledger = BatchLedger(ws, projects.get_project(ws, "study"), run, provider.name, address)
    stub.configure(polls=0)

    async def fetched() -> Mapping[str, Reply]:
        found = await provider.fetch(ledger.batches()[0].handle)
        await provider.aclose()
        return found

    return ledger, asyncio.run(fetched())


def test_replies_that_were_stored_before_a_crash_are_counted_once(study: Workspace, stub) -> None:  # type: ignore[no-untyped-def]
    stub.configure(faults={}, latency=0.0, polls=1_000, expired=0)
    run = started(study, stub.base_url, stay=False)
    assert runs.execute(study, run) == "paused"
    ledger, replies = under_way(study, stub, run)
    usable, unusable, *_ = sorted(replies)
    with ledger.batch():
        ledger.stored(usable, replies[usable], 1.0, True, "")
        ledger.stored(unusable, replies[unusable], 1.0, False, "malformed")
    stub.configure(polls=0)  # and counts from here
    assert again(study, run) == "done"
    found = {
        row[0]: tuple(row[1:])
        for row in study.db.execute(
            "SELECT key, certainly_paid, sends, input_tokens, state FROM call"
        )
    }
    tokens = {key: reply.input_tokens or 0 for key, reply in replies.items()}
    assert found.pop(unusable) == (2, 2, 2 * tokens[unusable], "stored"), (
        "bought again, since it could not be read"
    )
    assert (
        found == {key: (1, 1, tokens[key], "stored") for key in found} and len(found) == ANSWERS - 1
    )
    assert stub.stats()["paid"] == 1 and judged(study) > 0


def test_what_nobody_asks_for_any_more_is_kept_where_no_reply_was(study: Workspace, stub) -> None:  # type: ignore[no-untyped-def]
    stub.configure(faults={}, latency=0.0, polls=1_000, expired=0)
    run = started(study, stub.base_url, stay=False)
    assert runs.execute(study, run) == "paused"
    ledger, replies = under_way(study, stub, run)
    with ledger.batch():
        ledger.stored(min(replies), replies[min(replies)], 1.0, True, "")
    ledger.ended(ledger.batches()[0], {key: (reply, 1.0) for key, reply in replies.items()})
    assert tuple(
        study.db.execute(
            "SELECT sum(state = 'stored'), sum(certainly_paid), sum(money) FROM call"
        ).fetchone()
    ) == (6, 6, 6.0)


def test_calls_in_a_batch_are_not_sent_one_by_one(study: Workspace, stub) -> None:  # type: ignore[no-untyped-def]
    # under way, however often a busy machine looks
    stub.configure(faults={}, latency=0.0, polls=1_000, expired=0)
    run = started(study, stub.base_url, stay=False)
    assert runs.execute(study, run) == "paused"
    handed_in = (
        f" {ANSWERS} calls handed in as a batch: the run fetches their replies when it goes on."
    )
    assert run_page.run_page(small.scope_of(study), "study").subtitle.endswith(handed_in)
    runs.wish(small.scope_of(study), "study", run, "stop")
    assert run_page.run_page(small.scope_of(study), "study").subtitle.endswith(handed_in)
    with pytest.raises(
        InputError,
        match=f"found {ANSWERS} calls are in a batch at .*Resume the run that handed it in",
    ):
        started(study, stub.base_url, batch=False)
    other = started(study, stub.base_url, "anthropic:claude-stub", batch=False)
    runs.wish(small.scope_of(study), "study", other, "stop")
    paid = stub.stats()["paid"]
    stub.configure(polls=0)
    run = started(study, stub.base_url)
    assert runs.execute(study, run) == "done" and paid + stub.stats()["paid"] == ANSWERS
    runs.wish(small.scope_of(study), "study", started(study, stub.base_url, batch=False), "stop")


@pytest.mark.parametrize("judge", ["openai:stub", "anthropic:claude-stub"])
def test_a_batch_that_the_provider_lost_is_named_and_asked_again_and_fails_no_later_run(
    study: Workspace, stub, judge: str
) -> None:  # type: ignore[no-untyped-def]
    stub.configure(faults={}, latency=0.0, polls=1_000, expired=0, whole=False)
    run = started(study, stub.base_url, judge, stay=False)
    assert runs.execute(study, run) == "paused"
    handle = study.db.execute("SELECT handle FROM batch").fetchone()[0]
    stub.configure(polls=0, gone=int(handle.rpartition("_")[2]))
    try:
        messages: list[str] = []
        # it may leave after a look
        while len(messages) < 3 and run_store.get_run(study, run).state != "done":
            again(study, run)
            messages.append(run_store.get_run(study, run).message)
        assert (
            f"no longer knows a batch of {ANSWERS} calls; they are asked again." in messages[0]
            and "No such batch" in messages[0]
        )
        row = run_store.get_run(study, run)
        assert row.state == "done" and judged(study) == 3 * ANSWERS
        calls = study.db.execute(
            "SELECT sum(perhaps_paid), sum(certainly_paid), sum(sends) FROM call"
        ).fetchone()
        assert tuple(calls) == (ANSWERS, ANSWERS, 2 * ANSWERS), "lost calls were perhaps paid"
        assert study.db.execute("SELECT count(*) FROM batch").fetchone()[0] == 0
        assert {row[0] for row in study.db.execute("SELECT causes FROM call")} == {
            '["batch gone"]'
        }, "one resend, one cause"
    finally:
        stub.configure(gone=0)


def test_an_older_run_that_asks_call_by_call_does_not_go_on_beside_a_batch(
    study: Workspace, stub
) -> None:  # type: ignore[no-untyped-def]
    stub.configure(faults={}, latency=0.0, polls=1_000, expired=0)
    plain = started(study, stub.base_url, batch=False)
    runs.wish(small.scope_of(study), "study", plain, "stop")
    assert runs.execute(study, plain) == "stopped"
    run = started(study, stub.base_url, stay=False)
    assert runs.execute(study, run) == "paused"
    runs.wish(small.scope_of(study), "study", run, "stop")
    with pytest.raises(InputError, match=f"found {ANSWERS} calls are in a batch"):
        runs.wish(small.scope_of(study), "study", plain, "run")
    # as a worker finds it that was started before the batch was handed in
    with study.write() as db:
        db.execute("UPDATE run SET state = 'queued', want = 'run' WHERE id = ?", (plain,))
    paid = stub.stats()["paid"]
    assert runs.execute(study, plain) == "paused" and stub.stats()["paid"] == paid
    assert "calls are in a batch" in run_store.get_run(study, plain).message


def test_only_providers_with_batches_take_them(scope: Scope, tmp_path: Path) -> None:
    small.study(tmp_path, scope.ws, count=1)
    with pytest.raises(
        Exception,
        match="ollama, which takes no batches, expected one of anthropic, openai",
    ):
        runs.plan(scope, "study", {"judges": ["ollama:llama3"], "batch": True})
