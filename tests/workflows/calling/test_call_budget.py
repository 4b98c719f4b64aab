"""A limit in calls or in money is kept, whatever prices are known."""

import pytest

from graders.core.records import Reply, Request
from graders.workflows.calling.records import Budget, Wallet
from tests.support.caller import Run


class TestBudget:
    def test_calls(self, stub):
        stub.configure(faults={}, latency=0.0)
        run = Run(stub.base_url, 100, limit=Budget(calls=30))
        assert stub.stats()["requests"] == run.report.sends == 30
        assert (
            run.report.stopped,
            run.report.usable,
            len(run.outcomes),
            len(run.ledger.usable),
        ) == ("budget", 30, 30, 30)
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
        # stops within the estimate (twice the dearest) of one call
        assert 1.0 - 3 * per_call < run.report.money <= 1.0

    def test_too_little_for_one_call_sends_nothing(self, stub):
        stub.configure(faults={})
        run = Run(stub.base_url, 5, prices=(100.0, 100.0), limit=Budget(money=0.001))
        assert (stub.stats()["requests"], run.report.stopped) == (0, "budget")

    def test_an_unknown_price_is_refused_before_anything_is_sent(self, stub):
        stub.configure(faults={})
        run = Run(stub.base_url, 5, limit=Budget(money=10.0))
        assert (stub.stats()["requests"], run.report.stopped) == (0, "unknown_price")
        assert (
            "found no known price, expected a price, to keep to a limit in money. Limit the number of calls"
            in str(run.report.error)
        )

    def test_unknown_money_is_unknown_and_not_zero(self, stub):
        stub.configure(faults={}, latency=0.0)
        run = Run(stub.base_url, 3)
        assert (
            run.report.unpriced == 3 and [outcome.money for outcome in run.outcomes] == [None] * 3
        )
        assert run.ledger.money == [None] * 3

    def test_the_estimate_is_set_aside_until_a_reply_settles_it(self):
        request = Request(
            subjects=(),
            provider="p",
            model="m",
            messages=(("user", "x" * 299),),
            settings={"max_output_tokens": 100},
        )
        wallet = Wallet(Budget(money=3.0), lambda model, given, cached, made: (given + made) / 100)
        # 299 characters and `null` for the schema: 303 // 3 + 1 = 102 tokens in, 100 out: 2.02
        assert wallet.take(request) == pytest.approx(2.02)
        assert wallet.take(request) == "wait"
        assert wallet.settle(
            2.02, request, Reply(text="x", input_tokens=90, output_tokens=10)
        ) == pytest.approx(1.0)
        # twice the dearest so far is less than the worst case
        assert wallet.take(request) == pytest.approx(2.0)
        assert wallet.spent == pytest.approx(1.0)


def test_a_free_model_costs_nothing_though_its_tokens_are_not_known() -> None:
    for price, money in ((0.0, 0.0), (2.0, None)):
        wallet = Wallet(
            Budget(), lambda model, given, cached, made, price=price: (given + made) * price
        )  # type: ignore[misc]
        assert (
            wallet.settle(
                0.0,
                Request(subjects=(), provider="p", model="m", messages=()),
                Reply(cause="malformed"),
            )
            == money
        )
