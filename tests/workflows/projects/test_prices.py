"""What a model costs at an address of one's own is said once, and kept for all later plans."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from graders.core.errors import InputError
from graders.workflows.calling.run_options import Options
from graders.workflows.projects import prices
from graders.workflows.runs import run_plan
from graders.workflows.runs.run_plan import RunPlan
from graders.workflows.scope.permissions import Scope
from tests.store import small

ADDRESS = "http://127.0.0.1:9/v1"


def planned(scope: Scope, address: str = ADDRESS, **more: Any) -> RunPlan:
    return run_plan.plan(scope, "study", {"judges": ["openai:own"], "base_url": address, **more})


def test_a_price_is_kept_for_a_model_at_an_address(tmp_path: Path) -> None:
    scope = small.study(tmp_path, small.workspace(tmp_path))
    (judge,) = planned(scope).judges
    assert (judge.money, judge.price_name) == (None, f"openai:own@{ADDRESS}")
    prices.keep_price(scope, "study", judge.price_name, "0,5", "$2")
    (priced,) = planned(scope).judges
    told = (priced.input_tokens * 0.5 + priced.output_tokens * 2) / 1e6
    assert priced.money == pytest.approx(told) and planned(scope).money == pytest.approx(told)
    # a slash more is the same address; at another one, or told for this run, it is not that price
    assert planned(scope, ADDRESS + "/").money == pytest.approx(told)
    assert planned(scope, "http://127.0.0.1:8/v1").money is None
    assert planned(scope, input_price=0.0, output_price=0.0).money == 0
    prices.keep_price(scope, "study", judge.price_name, "", "")
    assert planned(scope).money is None


def test_a_run_keeps_the_prices_that_it_was_planned_with(tmp_path: Path) -> None:
    scope = small.study(tmp_path, small.workspace(tmp_path))
    prices.keep_price(scope, "study", f"openai:own@{ADDRESS}", "1", "3")
    chosen = run_plan.settled(
        scope.ws, scope.project("study"), {"judges": ["openai:own"], "base_url": ADDRESS}
    )
    again = Options.of(chosen.to_json())
    (setup,) = again.setups(scope.ws, again.stand_ins())
    assert setup.provider.price("own", 1_000_000, 0, 1_000_000) == 4


@pytest.mark.parametrize("typed", ["-1", "dear", "nan", "1e9", ""])
def test_what_is_no_price_is_refused(tmp_path: Path, typed: str) -> None:
    scope = small.study(tmp_path, small.workspace(tmp_path))
    with pytest.raises(InputError, match="price of openai:own"):
        prices.keep_price(scope, "study", "openai:own", "1", typed)
    assert not scope.project("study").settings.get(prices.SETTING)
