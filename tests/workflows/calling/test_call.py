"""The calling engine over the real SDK against a provider on loopback: one purchase an answer,
stored before it is used."""

import asyncio
import threading

import pytest

from graders.core.records import Reply
from graders.providers.openai_chat import OpenAIChat
from graders.workflows.calling.call import Delivery, call_all, call_key
from graders.workflows.calling.records import paid
from tests.support.caller import JUDGE, RUBRIC, Careless, Run, subjects
from tests.support.ledger import MemoryLedger


def test_every_answer_is_asked_once_and_used_after_it_is_stored(stub):
    stub.configure(faults={}, latency=0.01)
    run = Run(stub.base_url, 40)
    stats = stub.stats()
    assert (stats["requests"], stats["paid"], stats["peak"]) == (40, 40, 16)
    assert (
        run.report.usable,
        run.report.sends,
        run.report.known,
        run.report.peak,
        run.report.stopped,
    ) == (40, 40, 0, 16, "")
    assert len(run.verdicts) == 80 and all(v.mark.status == "ok" for v in run.verdicts)
    assert (
        run.report.input_tokens == sum(outcome.reply.input_tokens for outcome in run.outcomes) > 0
    )
    assert run.threads == {"outcomes_0"}


def test_the_ledger_is_told_before_a_send_and_after_a_reply(stub):
    stub.configure(faults={}, latency=0.0)
    notes = Run(stub.base_url, 5).ledger.notes
    for key in {key for _, key, _ in notes if key}:
        own = [what for what, k, _ in notes if k in (key, "")]
        reserve, sent, stored = own.index("reserve"), own.index("sent"), own.index("stored")
        assert (
            reserve
            < own.index("commit", reserve)
            < sent
            < own.index("commit", sent)
            < stored
            < own.index("commit", stored)
        )


def test_the_note_of_a_send_is_on_disk_long_before_its_reply(stub):
    stub.configure(faults={}, latency=0.5)
    notes = [what for what, _, _ in Run(stub.base_url, 1).ledger.notes]
    assert (
        notes.index("sent")
        < notes.index("flush")
        < notes.index("stored")
        < notes.index("flush", notes.index("stored"))
    )


def test_what_is_known_is_never_bought_again(stub):
    stub.configure(faults={}, latency=0.0)
    first = Run(stub.base_url, 30)
    again = Run(stub.base_url, 50, ledger=first.ledger)
    assert stub.stats()["requests"] == 50  # 30, then only the 20 new ones
    assert (again.report.known, again.report.sends, again.report.usable) == (30, 20, 50)
    assert len(again.verdicts) == 100


def test_equal_requests_are_one_purchase(stub):
    stub.configure(faults={}, latency=0.01)
    request = JUDGE.requests(subjects(1), RUBRIC, RUBRIC.criteria)[0]
    run = Run(stub.base_url, 1, requests=[request] * 5)
    assert (stub.stats()["requests"], run.report.usable, run.report.known) == (1, 5, 4)


def test_the_key_of_a_purchase():
    request = JUDGE.requests(subjects(1), RUBRIC, RUBRIC.criteria)[0]
    from dataclasses import replace

    different = [
        call_key(request, "http://a/v1"),
        call_key(request, "http://b/v1"),
        call_key(replace(request, sample=1), "http://a/v1"),
        call_key(replace(request, occasion="drift"), "http://a/v1"),
        call_key(replace(request, model="other"), "http://a/v1"),
        call_key(replace(request, settings={}), "http://a/v1"),
    ]
    assert len(set(different)) == len(different)
    # who asks does not matter
    assert call_key(replace(request, criteria=("other",)), "http://a/v1/") == different[0]


def test_a_wish_to_stop_lets_what_is_on_the_way_finish(stub):
    stub.configure(faults={}, latency=0.1)
    asked = iter([False, False, True])
    run = Run(stub.base_url, 500, should_stop=lambda: next(asked, True))
    stats = stub.stats()
    assert run.report.stopped == "wish" and 0 < stats["requests"] < 500
    assert len(run.outcomes) == run.report.usable == stats["paid"] == stats["requests"]
    assert not run.ledger.held


def test_a_wish_to_stop_does_not_wait_for_repeats(stub):
    stub.configure(faults={"rate_limited": 1.0}, latency=0.0, retry_after=300)
    asked = iter([False, False, True])
    run = Run(stub.base_url, 10, should_stop=lambda: next(asked, True), sleep=asyncio.sleep)
    assert run.report.stopped == "wish" and run.outcomes == [] and not run.ledger.held
    stub.configure(faults={}, retry_after=0.05)


def test_a_call_that_another_run_holds_is_awaited_and_not_bought(stub):
    stub.configure(faults={}, latency=0.0)
    ledger = MemoryLedger()
    requests = JUDGE.requests(subjects(3), RUBRIC, RUBRIC.criteria)
    key = call_key(requests[0], stub.base_url)
    bought = Run(stub.base_url, 1).ledger.usable[key]
    stub.reset()
    ledger.held_elsewhere.add(key)
    threading.Timer(0.5, lambda: ledger.usable.update({key: bought})).start()
    run = Run(stub.base_url, 3, ledger=ledger)
    assert (stub.stats()["requests"], run.report.usable, run.report.known) == (2, 3, 1)


def test_a_call_that_a_dead_run_held_is_taken_over(stub):
    stub.configure(faults={}, latency=0.0)
    ledger = MemoryLedger()
    key = call_key(JUDGE.requests(subjects(1), RUBRIC, RUBRIC.criteria)[0], stub.base_url)
    ledger.held_elsewhere.add(key)
    threading.Timer(0.5, lambda: ledger.held_elsewhere.discard(key)).start()
    run = Run(stub.base_url, 1, ledger=ledger)
    assert (run.report.usable, run.report.sends) == (1, 1)


def test_an_error_of_the_ledger_ends_the_run_and_is_raised(stub):
    class Full(MemoryLedger):
        def stored(self, *note):
            raise OSError("disk full")

    stub.configure(faults={}, latency=0.0)
    with pytest.raises(OSError, match="disk full"):
        Run(stub.base_url, 50, ledger=Full())
    assert stub.stats()["requests"] <= 16 * 2  # nobody goes on buying what cannot be kept


def test_an_error_of_the_reader_ends_the_run_and_is_raised(stub):
    stub.configure(faults={}, latency=0.0)

    def broken(group):
        raise ValueError("no room for verdicts")

    async def run():
        provider = OpenAIChat(base_url=stub.base_url, api_key="key-of-the-run")
        try:
            await call_all(
                JUDGE.requests(subjects(3), RUBRIC, RUBRIC.criteria),
                Delivery(provider=provider, ledger=MemoryLedger()),
                read=lambda request, reply: [],
                on_outcomes=broken,
            )
        finally:
            await provider.aclose()

    with pytest.raises(ValueError, match="no room"):
        asyncio.run(run())


def test_nothing_to_do_ends_at_once():
    report = asyncio.run(
        call_all(
            [],
            Delivery(provider=Careless(), ledger=MemoryLedger()),
            read=lambda a, b: [],
            on_outcomes=lambda group: None,
        )
    )
    assert (report.sends, report.usable, report.stopped) == (0, 0, "")


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (Reply(text="x", output_tokens=5), "certainly"),
        (Reply(cause="empty", output_tokens=0), "certainly"),
        (Reply(cause="timeout"), "perhaps"),
        (Reply(cause="truncated_body"), "perhaps"),
        (Reply(cause="connection"), "perhaps"),
        # a page in place of a reply: who knows what stood behind it
        (
            Reply(cause="malformed"),
            "perhaps",
        ),
        (Reply(cause="rate_limited"), "no"),
        (Reply(cause="unreachable"), "no"),
    ],
)
def test_whether_a_send_was_paid(reply, expected):
    assert paid(reply) == expected
