"""`cograde grade`: a missing key, and a judge tried on a few answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.store.workspace import open_workspace
from tests.commands.runner import Line
from tests.store import small
from tests.support.stub import provider_stub

MODELS = ("Ash", "Oak", "Elm")
#: Half of the stub's replies are tokens; its price is unknown.
JUDGE = ("--judge", "openai:stub", "--project", "study", "--yes")


@pytest.fixture
def study(cograde: Line, tmp_path: Path) -> Line:
    """Ten questions of two categories, three models; one call an answer."""
    small.study(tmp_path, open_workspace(cograde.workspace), count=10, models=MODELS)
    return cograde


def test_a_missing_key_is_said_before_anything_runs(study: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    done = study("grade", *JUDGE)
    assert done.code == 1
    assert done.err.strip().endswith(
        "judge openai:stub: found no key: the variable OPENAI_API_KEY is not set, and none was typed, expected a key that the provider "
        "accepts. Set the variable, or type the key on the Run page under “Another address, or a key of your own”."
    )
    assert study("status", "--json").json[0]["run"] is None


def test_five_answers_are_tried_then_the_plan_is_measured_and_nothing_is_bought_twice(study: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    with provider_stub(latency=0.2) as stub:
        monkeypatch.setenv("OPENAI_API_KEY", "nobody")
        monkeypatch.setenv("OPENAI_BASE_URL", stub.base_url)
        plan = study("grade", *JUDGE, "--plan", "--json").json["judges"][0]
        assert (plan["calls"], plan["measured"], plan["seconds"]) == (30, False, 3.0)  # 30 at once, 3 s assumed
        done = study("grade", *JUDGE, "--try", "5", "--json")
        assert (done.code, stub.stats()["requests"]) == (0, 5), done.err
        found = done.json["tried"]
        assert len(found["answers"]) == 5
        assert {answer["category"] for answer in found["answers"]} == {"factual things", "creative things"}
        assert {answer["model"] for answer in found["answers"]} == set(MODELS)
        assert len({answer["question_id"] for answer in found["answers"]}) == 5
        for answer in found["answers"]:
            (judge,) = answer["judges"]
            assert judge["seconds"] >= 0.2 and judge["tokens"] > 0 and judge["money"] is None
            assert [cell["criterion"] for cell in judge["cells"]] == ["small/relevance", "small/completeness", "small/tone"]
            assert all(cell["status"] == "ok" and cell["rationale"] and cell["evidence"] for cell in judge["cells"])
        plan = study("grade", *JUDGE, "--plan", "--json").json["judges"][0]
        assert (plan["calls"], plan["measured"]) == (25, True)  # 30 - 5 have their verdicts
        assert 0.2 <= plan["seconds"] < 1.0
        again = study("grade", *JUDGE, "--try", "5", "--json").json["tried"]
        assert again["answers"] == found["answers"] and stub.stats()["requests"] == 5, "the same five, asked once"
        assert study("grade", *JUDGE).code == 0
        assert stub.stats()["requests"] == 30
    text = study("grade", *JUDGE, "--try", "5").out
    assert "5 replies came back, each after" in text and "Plans go by these calls from now on." in text


def test_a_try_neither_measures_nor_routes(study: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    with provider_stub() as stub:
        monkeypatch.setenv("OPENAI_API_KEY", "nobody")
        monkeypatch.setenv("OPENAI_BASE_URL", stub.base_url)
        done = study("grade", *JUDGE, "--try", "2", "--json").json
    assert {stage["name"]: stage["state"] for stage in done["stages"]} == {"measure": "skipped", "judge": "done", "route": "skipped"}
    assert study("status", "--json").json[0]["cells"]["automatic"] == 0


def test_a_reply_that_cannot_be_used_is_shown_with_its_reason(study: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    with provider_stub(faults={"refusal": 1.0}) as stub:
        monkeypatch.setenv("OPENAI_API_KEY", "nobody")
        monkeypatch.setenv("OPENAI_BASE_URL", stub.base_url)
        done = study("grade", *JUDGE, "--try", "3")
    assert done.code == 3
    assert "Nothing usable came back." in done.out and "Relevance: no verdict (refusal)" in done.out


def test_a_try_needs_a_judge(study: Line) -> None:
    done = study("grade", "--try", "5", "--project", "study", "--yes")
    assert (done.code, done.err.strip()) == (
        1,
        "option judges: found none, expected a judge to try. Name a judge, such as openai:gpt-4o-mini.",
    )
