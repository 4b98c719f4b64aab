"""The calling engine over the real SDK against a provider on loopback that fails on request."""

import asyncio
import random
import socket
import threading
from collections import Counter

import pytest

from graders.core.contracts import Provider
from graders.core.records import Answer, Problem, Question, Reply, Request, Subject, Verdict
from graders.core.rubric import read_rubric
from graders.judges.llm import LLMJudge
from graders.providers.openai_chat import OpenAIChat
from graders.workflows._calls import Budget, Job, Wallet, paid
from graders.workflows.call import call_all, call_key
from tests.support.ledger import MemoryLedger
from tests.support.stub import provider_stub

RUBRIC = read_rubric("""
rubric: r
criteria:
  relevance: {question: Does it do what is asked?, scale: [irrelevant, relevant]}
  clarity: {question: Is it clear?, scale: {from: 1, to: 5}}
""")
JUDGE = LLMJudge(model="stub", secret="s")
QUESTION = Question(id="q", text="Name a tree.")


@pytest.fixture(scope="module")
def stub():
    with provider_stub() as running:
        yield running


def subjects(count):
    return [Subject(QUESTION, Answer(question_id="q", model=f"m{i}", text=f"Oak number {i}.")) for i in range(count)]


class Run:
    """One `call_all` over `count` answers; keeps outcomes, ledger and report. Waits of seconds become milliseconds."""

    def __init__(self, base_url, count, ledger=None, prices=(None, None), requests=None, **options):
        self.subjects = {s.key: s for s in subjects(count)}
        self.requests = requests or JUDGE.requests(list(self.subjects.values()), RUBRIC, RUBRIC.criteria)
        self.ledger = ledger or MemoryLedger()
        self.outcomes, self.waits, self.threads = [], [], set()
        provider = OpenAIChat(base_url=base_url, api_key="key-of-the-run", connections=64, input_price=prices[0], output_price=prices[1])
        self.report = asyncio.run(self._run(provider, {"timeout": 10.0, "concurrency": 16, "rng": random.Random(1), **options}))

    async def _run(self, provider, options):
        async def sleep(seconds):
            self.waits.append(seconds)
            await asyncio.sleep(seconds / 1000)

        def keep(group):
            self.threads.add(threading.current_thread().name)
            for outcome in group:
                assert outcome.known or outcome.cause or outcome.key in self.ledger.usable, "used before it was stored"
            self.outcomes.extend(group)

        try:
            return await call_all(
                self.requests,
                provider=provider,
                ledger=self.ledger,
                read=lambda request, reply: JUDGE.read(request, reply, self.subjects, RUBRIC),
                on_outcomes=keep,
                address=provider.address,
                price=provider.price,
                **{"sleep": sleep, **options},
            )
        finally:
            await provider.aclose()

    @property
    def verdicts(self):
        """Verdicts of all outcomes; what is missing is filled as unscored, as a grading run does."""
        made = []
        for outcome in self.outcomes:
            good = [item for item in outcome.items if isinstance(item, Verdict)]
            made += good + (JUDGE.unscored(outcome.request, RUBRIC, outcome.cause, outcome.detail, good) if outcome.cause else [])
        return made


def test_every_answer_is_asked_once_and_used_after_it_is_stored(stub):
    stub.configure(faults={}, latency=0.01)
    run = Run(stub.base_url, 40)
    stats = stub.stats()
    assert (stats["requests"], stats["paid"], stats["peak"]) == (40, 40, 16)
    assert (run.report.usable, run.report.sends, run.report.known, run.report.peak, run.report.stopped) == (40, 40, 0, 16, "")
    assert len(run.verdicts) == 80 and all(v.mark.status == "ok" for v in run.verdicts)
    assert run.report.input_tokens == sum(outcome.reply.input_tokens for outcome in run.outcomes) > 0
    assert run.threads == {"outcomes_0"}


def test_the_ledger_is_told_before_a_send_and_after_a_reply(stub):
    stub.configure(faults={}, latency=0.0)
    notes = Run(stub.base_url, 5).ledger.notes
    for key in {key for _, key, _ in notes if key}:
        own = [what for what, k, _ in notes if k in (key, "")]
        reserve, sent, stored = own.index("reserve"), own.index("sent"), own.index("stored")
        assert reserve < own.index("commit", reserve) < sent < own.index("commit", sent) < stored < own.index("commit", stored)


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
    assert call_key(replace(request, criteria=("other",)), "http://a/v1/") == different[0]  # who asks does not matter


def test_mixed_faults_end_as_a_verdict_or_a_named_status_and_every_resend_has_its_cause(stub):
    """10 % 429, 5 % malformed, 5 % truncated, 5 % 500: five sends all fail once in 0.25**5 = 1 of 1024 answers."""
    faults = {"rate_limited": 0.10, "malformed": 0.05, "truncated": 0.05, "server_error": 0.05}
    stub.configure(faults=faults, latency=0.002, seed=7, retry_after=0.05)
    run = Run(stub.base_url, 300)
    stats = stub.stats()
    assert len(run.outcomes) == 300 and len(run.verdicts) == 600
    assert all(
        v.mark.status == "ok" or v.mark.reason in ("rate_limited", "malformed", "truncated_body", "server_error") for v in run.verdicts
    )
    assert run.report.usable + run.report.unscored.total() == 300
    assert stats["requests"] == run.report.sends == 300 + run.report.resends.total()
    met = Counter({"truncated_body": stats["faults"].get("truncated", 0), **{k: v for k, v in stats["faults"].items() if k != "truncated"}})
    assert met - run.report.resends == run.report.unscored  # each fault that was met led to one resend, or was the last
    assert {cause for what, _, cause in run.ledger.notes if what == "sent"} == {"", *run.report.resends}
    assert run.report.certainly_paid_again == run.report.resends["malformed"]
    assert run.report.perhaps_paid_again == run.report.resends["truncated_body"]


@pytest.mark.parametrize(
    "fault", ["server_error", "rate_limited", "malformed", "wrong", "off_scale", "truncated", "empty", "reset", "page"]
)
def test_a_fault_that_always_comes_back_ends_as_unscored_after_five_sends(stub, fault):
    stub.configure(faults={fault: 1.0}, latency=0.0)
    run = Run(stub.base_url, 2)
    cause = {"wrong": "malformed", "truncated": "truncated_body", "reset": "connection", "page": "malformed"}.get(fault, fault)
    assert stub.stats()["requests"] == 10
    assert run.report.unscored == {cause: 2} and run.report.resends == {cause: 8} and run.report.stopped == ""
    assert {(v.mark.status, v.mark.reason, v.mark.value) for v in run.verdicts if v.mark.status != "ok"} == {("unscored", cause, None)}
    assert len(run.verdicts) == 4
    if fault in ("malformed", "wrong", "off_scale", "page", "server_error"):
        assert all(reply.raw for _, reply in run.ledger.given_up.values())  # kept for people to look at


@pytest.mark.parametrize(("fault", "cause"), [("refusal", "refusal"), ("cut", "length_stop"), ("bad_request", "bad_request")])
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
            "found status 401: Incorrect API key provided: [key], expected a key that the provider accepts. Set OPENAI_API_KEY",
        ),
        ("quota", "quota", "found status 429: You exceeded your current quota, expected money left in the provider's account. Top up"),
        ("model_missing", "model_missing", "found status 404: The model does not exist, expected a model that the provider has. Correct"),
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
    assert "expected a provider that answers. Check the address (OPENAI_BASE_URL)" in str(run.report.error)


def test_a_hanging_provider_is_left_and_asked_again(stub):
    stub.configure(faults={"hang": 0.3}, latency=0.0, seed=2)
    run = Run(stub.base_url, 20, timeout=0.2)
    assert run.report.usable + run.report.unscored["timeout"] == 20 and run.report.resends["timeout"] > 0
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


class TestBudget:
    def test_calls(self, stub):
        stub.configure(faults={}, latency=0.0)
        run = Run(stub.base_url, 100, limit=Budget(calls=30))
        assert stub.stats()["requests"] == run.report.sends == 30
        assert (run.report.stopped, run.report.usable, len(run.outcomes), len(run.ledger.usable)) == ("budget", 30, 30, 30)
        assert not run.ledger.held

    def test_resends_count(self, stub):
        stub.configure(faults={"server_error": 0.5}, latency=0.0, seed=5)
        run = Run(stub.base_url, 100, limit=Budget(calls=30))
        assert stub.stats()["requests"] == 30 and run.report.usable < 30

    def test_money_is_never_overspent(self, stub):
        stub.configure(faults={}, latency=0.005)
        run = Run(stub.base_url, 200, prices=(100.0, 100.0), limit=Budget(money=1.0))
        per_call = run.report.money / run.report.usable
        assert run.report.stopped == "budget"
        assert 1.0 - 3 * per_call < run.report.money <= 1.0  # stops within the estimate (twice the dearest) of one call

    def test_too_little_for_one_call_sends_nothing(self, stub):
        stub.configure(faults={})
        run = Run(stub.base_url, 5, prices=(100.0, 100.0), limit=Budget(money=0.001))
        assert (stub.stats()["requests"], run.report.stopped) == (0, "budget")

    def test_an_unknown_price_is_refused_before_anything_is_sent(self, stub):
        stub.configure(faults={})
        run = Run(stub.base_url, 5, limit=Budget(money=10.0))
        assert (stub.stats()["requests"], run.report.stopped) == (0, "unknown_price")
        assert "found no known price, expected a price, to keep to a limit in money. Limit the number of calls" in str(run.report.error)

    def test_unknown_money_is_unknown_and_not_zero(self, stub):
        stub.configure(faults={}, latency=0.0)
        run = Run(stub.base_url, 3)
        assert run.report.unpriced == 3 and [outcome.money for outcome in run.outcomes] == [None] * 3
        assert run.ledger.money == [None] * 3

    def test_the_estimate_is_set_aside_until_a_reply_settles_it(self):
        request = Request(subjects=(), provider="p", model="m", messages=(("user", "x" * 299),), settings={"max_output_tokens": 100})
        wallet = Wallet(Budget(money=3.0), lambda model, given, cached, made: (given + made) / 100)
        # 299 characters and `null` for the schema: 303 // 3 + 1 = 102 tokens in, 100 out: 2.02
        assert wallet.take(request) == pytest.approx(2.02)
        assert wallet.take(request) == "wait"
        assert wallet.settle(2.02, request, Reply(text="x", input_tokens=90, output_tokens=10)) == pytest.approx(1.0)
        assert wallet.take(request) == pytest.approx(2.0)  # twice the dearest so far is less than the worst case
        assert wallet.spent == pytest.approx(1.0)


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

    with pytest.raises(ValueError, match="no room"):
        asyncio.run(
            call_all(
                JUDGE.requests(subjects(3), RUBRIC, RUBRIC.criteria),
                provider=OpenAIChat(base_url=stub.base_url, api_key="key-of-the-run"),
                ledger=MemoryLedger(),
                read=lambda request, reply: [],
                on_outcomes=broken,
            )
        )


class Careless(Provider):
    """A provider from outside that breaks its contract."""

    version = "1"
    about = "Raises."

    async def send(self, request, timeout):
        raise RuntimeError("oops")

    async def aclose(self):
        return None


def test_a_provider_that_raises_costs_cells_and_not_the_run():
    outcomes = []
    requests = JUDGE.requests(subjects(3), RUBRIC, RUBRIC.criteria)
    report = asyncio.run(
        call_all(
            requests,
            provider=Careless(),
            ledger=MemoryLedger(),
            read=lambda a, b: [Problem(cause="malformed")],
            on_outcomes=outcomes.extend,
        )
    )
    assert report.unscored == {"bad_request": 3}
    assert outcomes[0].detail == "the provider raised RuntimeError: oops"


def test_nothing_to_do_ends_at_once():
    report = asyncio.run(call_all([], provider=Careless(), ledger=MemoryLedger(), read=lambda a, b: [], on_outcomes=lambda group: None))
    assert (report.sends, report.usable, report.stopped) == (0, 0, "")


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (Reply(text="x", output_tokens=5), "certainly"),
        (Reply(cause="empty", output_tokens=0), "certainly"),
        (Reply(cause="timeout"), "perhaps"),
        (Reply(cause="truncated_body"), "perhaps"),
        (Reply(cause="connection"), "perhaps"),
        (Reply(cause="malformed"), "perhaps"),  # a page in place of a reply: who knows what stood behind it
        (Reply(cause="rate_limited"), "no"),
        (Reply(cause="unreachable"), "no"),
    ],
)
def test_whether_a_send_was_paid(reply, expected):
    assert paid(reply) == expected


def test_an_unreadable_reply_is_asked_again_at_once():
    job = Job("key", [], sends=3)
    assert job.pause("malformed", random.Random(1)) == 0.0
    assert job.pause("server_error", random.Random(1)) >= 1.0  # 0.5 * 2**2 = 2, times at least a half
