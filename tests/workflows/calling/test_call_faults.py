"""What a provider that fails does to a run: resends by cause, named ends, a judge that stops with
one sentence."""

import asyncio
import random
import socket
from collections import Counter
from dataclasses import replace

import pytest

from graders.core.records import Problem
from graders.workflows.calling.call import Delivery, call_all
from graders.workflows.calling.records import Job
from tests.support.caller import JUDGE, RUBRIC, Careless, Run, subjects
from tests.support.ledger import MemoryLedger


def test_mixed_faults_end_as_a_verdict_or_a_named_status_and_every_resend_has_its_cause(
    stub, monkeypatch
):
    """10 % 429, 5 % malformed, 5 % truncated, 5 % 500: five sends all fail once in 0.25**5 = 1 of
    1024 answers."""
    # Replies take 2 ms here, so that a machine which stalls for a second would look like a provider
    # that hangs.
    monkeypatch.setattr("graders.workflows.calling._limits.SHORTEST", 60.0)
    faults = {"rate_limited": 0.10, "malformed": 0.05, "truncated": 0.05, "server_error": 0.05}
    stub.configure(faults=faults, latency=0.002, seed=7, retry_after=0.05)
    run = Run(stub.base_url, 300)
    stats = stub.stats()
    assert len(run.outcomes) == 300 and len(run.verdicts) == 600
    assert all(
        v.mark.status == "ok"
        or v.mark.reason in ("rate_limited", "malformed", "truncated_body", "server_error")
        for v in run.verdicts
    )
    assert run.report.usable + run.report.unscored.total() == 300
    assert stats["requests"] == run.report.sends == 300 + run.report.resends.total()
    met = Counter(
        {
            "truncated_body" if fault == "truncated" else fault: count
            for fault, count in stats["faults"].items()
        }
    )
    # each fault that was met led to one resend, or was the last
    assert met == run.report.resends + run.report.unscored
    assert {cause for what, _, cause in run.ledger.notes if what == "sent"} == {
        "",
        *run.report.resends,
    }
    assert run.report.certainly_paid_again == run.report.resends["malformed"]
    assert run.report.perhaps_paid_again == run.report.resends["truncated_body"]


@pytest.mark.parametrize(
    "fault",
    [
        "server_error",
        "rate_limited",
        "malformed",
        "wrong",
        "off_scale",
        "truncated",
        "empty",
        "reset",
        "page",
    ],
)
def test_a_fault_that_always_comes_back_ends_as_unscored_after_five_sends(stub, fault):
    stub.configure(faults={fault: 1.0}, latency=0.0)
    run = Run(stub.base_url, 2)
    cause = {
        "wrong": "malformed",
        "truncated": "truncated_body",
        "reset": "connection",
        "page": "malformed",
    }.get(fault, fault)
    assert stub.stats()["requests"] == 10
    assert (
        run.report.unscored == {cause: 2}
        and run.report.resends == {cause: 8}
        and run.report.stopped == ""
    )
    assert {
        (v.mark.status, v.mark.reason, v.mark.value) for v in run.verdicts if v.mark.status != "ok"
    } == {("unscored", cause, None)}
    assert len(run.verdicts) == 4
    if fault in ("malformed", "wrong", "off_scale", "page", "server_error"):
        # kept for people to look at
        assert all(reply.raw for _, reply in run.ledger.given_up.values())


def test_a_verdict_that_is_cut_short_of_our_limit_is_asked_again_and_one_at_the_limit_is_not(stub):
    stub.configure(faults={"cut": 0.3}, latency=0.0)
    run = Run(stub.base_url, 40)
    assert (
        run.report.usable == 40
        and run.report.resends["length_stop"] == stub.stats()["faults"]["cut"] > 0
    )
    stub.configure(faults={"cut": 1.0}, latency=0.0)
    few = [
        replace(request, settings={**request.settings, "max_output_tokens": 10})
        for request in run.requests[:3]
    ]
    run = Run(stub.base_url, 3, requests=few)  # half a reply has more than 10 tokens
    assert stub.stats()["requests"] == 3 and run.report.unscored == {"length_stop": 3}


@pytest.mark.parametrize(
    ("fault", "cause"), [("refusal", "refusal"), ("bad_request", "bad_request")]
)
def test_what_would_not_change_is_not_asked_again(stub, fault, cause):
    stub.configure(faults={fault: 1.0}, latency=0.0)
    run = Run(stub.base_url, 3)
    assert stub.stats()["requests"] == 3
    assert run.report.unscored == {cause: 3} and run.report.stopped == "" and not run.report.resends


@pytest.mark.parametrize(
    ("fault", "cause", "sentence"),
    [
        (
            "wrong_key",
            "wrong_key",
            "found status 401: Incorrect API key provided: [key], expected a key that the provider accepts. Set the variable OPENAI_API_KEY",
        ),
        (
            "quota",
            "quota",
            "found status 429: You exceeded your current quota, expected money left in the provider's account. Top up",
        ),
        (
            "model_missing",
            "model_missing",
            "found status 404: The model does not exist, expected a model that the provider has. Correct",
        ),
    ],
)
def test_what_every_call_would_meet_stops_the_judge_with_one_sentence(stub, fault, cause, sentence):
    stub.configure(faults={fault: 1.0}, latency=0.0)
    run = Run(stub.base_url, 500)
    assert run.report.stopped == cause and run.report.error.cause == cause
    assert str(run.report.error).startswith(f"openai_chat stub at {stub.base_url}: {sentence}")
    assert stub.stats()["requests"] <= 16 + 1  # what was on the way
    assert run.outcomes == []  # no cell is called unscored for a key that will be corrected
    assert not run.ledger.held  # another run may take all of them at once


def test_a_provider_that_is_not_there_stops_the_judge():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{held.getsockname()[1]}/v1"
        run = Run(address, 40)
    assert run.report.stopped == "unreachable"
    assert "expected a provider that answers. Check the address (OPENAI_BASE_URL)" in str(
        run.report.error
    )


def test_a_hanging_provider_is_left_and_asked_again(stub):
    stub.configure(faults={"hang": 0.3}, latency=0.0, seed=2)
    run = Run(stub.base_url, 20, timeout=0.2)
    assert (
        run.report.usable + run.report.unscored["timeout"] == 20
        and run.report.resends["timeout"] > 0
    )
    assert run.report.perhaps_paid_again == run.report.resends["timeout"]


def test_a_fault_in_one_cell_keeps_the_good_value_beside_it(stub):
    half = '{"relevance": {"evidence": "Oak", "rationale": "So.", "value": "relevant", "confidence": 1}}'
    stub.configure(faults={}, say=half, latency=0.0)
    run = Run(stub.base_url, 1)
    stub.configure(say=None)
    assert [(v.criterion, v.mark.status, v.mark.value) for v in run.verdicts] == [
        ("r/relevance", "ok", "relevant"),
        ("r/clarity", "unscored", None),
    ]


def test_waiting_grows_and_honours_what_the_provider_asks(stub):
    stub.configure(faults={"server_error": 1.0}, latency=0.0)
    waits = Run(stub.base_url, 1).waits
    # 0.5, 1, 2, 4 seconds, each times a factor between a half and one
    assert [0.25 * 2**n <= wait <= 0.5 * 2**n for n, wait in enumerate(waits)] == [True] * 4
    stub.configure(faults={"rate_limited": 1.0}, retry_after=7.0)
    assert all(wait >= 7.0 for wait in Run(stub.base_url, 1).waits)
    stub.configure(faults={"rate_limited": 1.0}, retry_after=86_400)
    run = Run(stub.base_url, 1)
    assert run.waits == [] and run.report.unscored == {"rate_limited": 1}  # nobody waits a day
    stub.configure(faults={}, retry_after=0.05)


def test_a_provider_that_raises_costs_cells_and_not_the_run():
    outcomes = []
    requests = JUDGE.requests(subjects(3), RUBRIC, RUBRIC.criteria)
    report = asyncio.run(
        call_all(
            requests,
            Delivery(provider=Careless(), ledger=MemoryLedger()),
            read=lambda a, b: [Problem(cause="malformed")],
            on_outcomes=outcomes.extend,
        )
    )
    assert report.unscored == {"bad_request": 3}
    assert outcomes[0].detail == "the provider raised RuntimeError: oops"


def test_an_unreadable_reply_is_asked_again_at_once():
    job = Job("key", [], payload="", sends=3)
    assert job.pause("malformed", random.Random(1)) == 0.0
    # 0.5 * 2**2 = 2, times at least a half
    assert job.pause("server_error", random.Random(1)) >= 1.0
