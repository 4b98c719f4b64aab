"""`cograde grade`: a missing key, and a judge tried on a few answers."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from rich.console import Console

from graders.commands import _progress, grade
from graders.core import discovery
from graders.core.contracts import Finding
from graders.core.words import say
from graders.providers.http import connected
from graders.store.calls import runs as run_store
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


def test_a_missing_key_is_said_before_anything_runs(
    study: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    done = study("grade", *JUDGE)
    assert done.code == 1
    assert done.err.strip().endswith(
        "judge openai:stub: found no key: the variable OPENAI_API_KEY is not set, and none was typed, expected a key that the provider "
        "accepts. Set that environment variable before the run, or type the key on the Run page under “Another address, or a key of your own”."
    )
    assert study("status", "--json").json[0]["run"] is None


def test_names_are_printed_as_they_are(study: Line) -> None:
    assert "a:new:[b]c" in study("grade", "--project", "a:new:[b]c").err, (
        "no picture stands for a word between colons"
    )


def test_five_answers_are_tried_then_the_plan_is_measured_and_nothing_is_bought_twice(
    study: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    with provider_stub(latency=0.2) as stub:
        monkeypatch.setenv("OPENAI_API_KEY", "nobody")
        monkeypatch.setenv("OPENAI_BASE_URL", stub.base_url)
        plan = study("grade", *JUDGE, "--plan", "--json").json["judges"][0]
        # 30 at once, 3 s assumed
        assert (plan["calls"], plan["measured"], plan["seconds"]) == (
            30,
            False,
            3.0,
        )
        done = study("grade", *JUDGE, "--try", "5", "--json")
        assert (done.code, stub.stats()["requests"]) == (0, 5), done.err
        found = done.json["tried"]
        assert len(found["answers"]) == 5
        assert {answer["category"] for answer in found["answers"]} == {
            "factual things",
            "creative things",
        }
        assert {answer["model"] for answer in found["answers"]} == set(MODELS)
        assert len({answer["question_id"] for answer in found["answers"]}) == 5
        for answer in found["answers"]:
            (judge,) = answer["judges"]
            assert judge["seconds"] >= 0.2 and judge["tokens"] > 0 and judge["money"] is None
            assert [cell["criterion"] for cell in judge["cells"]] == [
                "small/relevance",
                "small/completeness",
                "small/tone",
            ]
            assert all(
                cell["status"] == "ok" and cell["rationale"] and cell["evidence"]
                for cell in judge["cells"]
            )
        plan = study("grade", *JUDGE, "--plan", "--json").json["judges"][0]
        assert (plan["calls"], plan["measured"]) == (25, True)  # 30 - 5 have their verdicts
        assert 0.2 <= plan["seconds"] < 1.0
        again = study("grade", *JUDGE, "--try", "5", "--json").json["tried"]
        assert again["answers"] == found["answers"] and stub.stats()["requests"] == 5, (
            "the same five, asked once"
        )
        assert study("grade", *JUDGE).code == 0
        assert stub.stats()["requests"] == 30
    text = study("grade", *JUDGE, "--try", "5").out
    assert (
        "5 replies came back, each after" in text
        and "Further plans are estimated from these calls." in text
    )


def test_a_try_neither_measures_nor_routes(study: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    with provider_stub() as stub:
        monkeypatch.setenv("OPENAI_API_KEY", "nobody")
        monkeypatch.setenv("OPENAI_BASE_URL", stub.base_url)
        done = study("grade", *JUDGE, "--try", "2", "--json").json
        study("judges", "set", "apart", "--judge", "openai:stub", "--per", "criterion")
        asked = stub.stats()["requests"]
        text = study("grade", "--judge", "apart", "--yes", "--try", "2").out
        assert stub.stats()["requests"] - asked == 6, "two answers by three criteria"
    assert "6 of 6 calls" in text and "6 replies came back, each after" in text, (
        "one count of one thing"
    )
    assert {stage["name"]: stage["state"] for stage in done["stages"]} == {
        "measure": "skipped",
        "judge": "done",
        "route": "skipped",
    }
    assert study("status", "--json").json[0]["cells"]["automatic"] == 0


def test_a_reply_that_cannot_be_used_is_shown_with_its_reason(
    study: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    with provider_stub(faults={"refusal": 1.0}) as stub:
        monkeypatch.setenv("OPENAI_API_KEY", "nobody")
        monkeypatch.setenv("OPENAI_BASE_URL", stub.base_url)
        done = study("grade", *JUDGE, "--try", "3")
    assert done.code == 3
    assert (
        "Nothing usable came back." in done.out
        and "Relevance: no verdict: The judge refused to answer." in done.out
    )


#: A rule leaves what cannot be read without a value; where it measures, no judge is asked about it.
READ_BY_A_RULE = "rubric: small\ncriteria:\n  relevance: {question: Done?, scale: [no, yes], graders: [judge, {unreadable: {unscored: true}}]}"
BROKEN = "Becaus? th? a?r sc?tt?rs bl?e l?ght m?re str?ngly th?n r?d l?ght."


@pytest.mark.parametrize("readable", [2, 0])
def test_a_try_asks_about_answers_that_can_be_asked(
    readable: int, cograde: Line, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = [
        {**row, "text": row["text"] if at < readable else BROKEN}
        for at, row in enumerate(small.answers(8, ("Ash",)))
    ]
    scope = small.scope_of(open_workspace(cograde.workspace))
    small.bring(
        scope,
        small.folder(tmp_path, "study", questions=small.questions(8), answers=said),
        rubric=READ_BY_A_RULE,
    )
    monkeypatch.setattr(discovery.find("rules", "unreadable"), "finding", Finding.MEASURED)
    with provider_stub() as stub:
        monkeypatch.setenv("OPENAI_API_KEY", "nobody")
        monkeypatch.setenv("OPENAI_BASE_URL", stub.base_url)
        done = cograde("grade", *JUDGE, "--try", "2")
        assert stub.stats()["requests"] == readable, done.err
    assert "no usable reply" not in done.out
    if readable:
        assert "\n2 replies came back, each after" in done.out and "not asked" not in done.out
    else:
        assert (
            "\nNothing was asked: rules decide these answers" in done.out
            and done.out.count("openai:stub: not asked\n") == 2
        )


#: Why nobody answers: nothing listens on this port.
NOBODY_THERE = (
    "openai_chat stub at http://127.0.0.1:9/v1: found no connection to http://127.0.0.1:9/v1: [Errno 111] Connect call failed "
    "('127.0.0.1', 9), expected a provider that answers. Check the address (OPENAI_BASE_URL) and the network, then start again."
)


def test_a_provider_that_cannot_be_reached_is_said_once(
    study: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "nobody")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    done = study("grade", *JUDGE)
    assert done.code == 1
    assert (done.out.count("Connect call failed"), done.err.count("Connect call failed")) == (0, 1)
    assert done.err.strip().endswith(NOBODY_THERE)
    assert re.match(
        r"Run 1: failed after [\d.]+ s, \$0\S+\.\n  openai:stub: 0 of 30 calls, 0 known, 0 without a usable reply, ",
        done.out,
    )
    # 30 answers x 4 criteria, one of them a rule's
    assert (
        done.out.count("without") == 2
        and "  120 cells: 30 with a verdict, 90 without\n" in done.out
    )


# used up by what is sent at once, and by what is sent again
@pytest.mark.parametrize("limit", ["3", "10"])
def test_a_provider_that_cannot_be_reached_is_no_limit_that_is_reached(
    limit: str, study: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "nobody")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    done = study("grade", *JUDGE, "--max-calls", limit)
    assert done.code == 1 and done.err.strip().endswith(NOBODY_THERE)
    assert (
        done.out.startswith("Run 1: failed after ")
        and "budget" not in done.out
        and "Raise the limit" not in done.err
    )


@pytest.mark.parametrize("cause", ["wrong_key", "quota", "model_missing"])
def test_why_a_judge_was_stopped_is_said_once(
    cause: str, study: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    with provider_stub(faults={cause: 1.0}) as stub:
        monkeypatch.setenv("OPENAI_API_KEY", "nobody")
        monkeypatch.setenv("OPENAI_BASE_URL", stub.base_url)
        done = study("grade", *JUDGE)
        told = study("grade", *JUDGE, "--json")
    why, expected = done.err.strip().splitlines()[-1], say(f"calling.halting.{cause}.expected")
    assert done.code == 1 and f"expected {expected}. " in why
    assert (done.out.count(why), done.err.count(why)) == (0, 1)
    assert (
        "  120 cells: 30 with a verdict, 90 without\n" in done.out
        and "cells without" not in done.out
    )
    assert (told.code, told.json["state"], told.json["error"]["expected"]) == (
        1,
        "failed",
        expected,
    )
    assert told.json["message"] == why and told.json["problems"][0]["expected"] == expected


def test_a_run_ends_with_its_counts_its_unknown_price_and_the_next_step(
    study: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    """30 answers x 4 criteria; a judge for three of them, a rule for the fourth."""
    where = f"--project study --workspace {study.workspace}"
    with provider_stub() as stub:
        monkeypatch.setenv("OPENAI_API_KEY", "nobody")
        monkeypatch.setenv("OPENAI_BASE_URL", stub.base_url)
        stopped = study("grade", *JUDGE, "--max-calls", "5", "--concurrency", "1")
        assert stopped.code == 3
        assert (
            stopped.err.strip().splitlines()[-1]
            == "run 1: found stopped at its limit of 5 calls, expected a run to its end. "
            f"Raise the limit: cograde grade --resume --max-calls 30 {where}"
        )
        # 30 by the rule, 5 x 3 by the judge; nobody looked at the other 25 x 3
        assert (
            "  120 cells: 45 with a verdict, 75 without\n    75: No grader has looked at it.\n"
            in stopped.out
        )
        assert "5 replies of unknown price" in stopped.out
        planned = study("grade", *JUDGE, "--plan")
        assert "  openai:stub: 25 calls; 5 answers are done, about" in planned.out
        stub.configure(faults={"refusal": 1.0})
        refused = study("grade", *JUDGE, "--json")
        # the result and the error in one document
        assert (refused.code, refused.json["error"]["exit"]) == (
            3,
            3,
        )
        assert refused.json["summary"]["reasons"] == {"refusal": 75}
        assert f"This asks again: cograde grade --judge openai:stub {where}" in refused.err
        stub.configure(faults={"bad_request": 1.0})
        odd = study("grade", *JUDGE)
        assert (
            odd.code == 3
            and odd.out.count("    the provider said: status 400: Unknown parameter") == 1
        )
        stub.configure(faults={})
        done = study("grade", *JUDGE, "--json")
    found = done.json
    assert found["judges"][0]["said"] == ""
    assert (done.code, found["money"], found["unpriced"], found["judges"][0]["money"]) == (
        0,
        None,
        25,
        None,
    )
    assert {
        name: found["summary"][name] for name in ("cells", "with_verdict", "without", "suggestions")
    } == {
        "cells": 120,
        "with_verdict": 120,
        "without": 0,
        "suggestions": 120,
    }
    last = study("grade", "--project", "study", "--yes").out.splitlines()
    assert (
        last[-1]
        == f"Next: {found['summary']['screens']} screens wait for people: cograde serve {where}"
    )
    assert last[0].startswith("Run 5: done after") and last[0].endswith("s, $0.00.")


def test_a_run_that_reached_its_limit_goes_on_with_a_higher_one(
    study: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    with provider_stub() as stub:
        monkeypatch.setenv("OPENAI_API_KEY", "nobody")
        monkeypatch.setenv("OPENAI_BASE_URL", stub.base_url)
        study("grade", *JUDGE, "--max-calls", "5", "--concurrency", "1")
        for words in ((), ("--concurrency", "2")):
            same = study("grade", "--resume", *words)
            assert (
                same.code == 3
                and "Raise the limit: cograde grade --resume --max-calls 30 --workspace" in same.err
            )
        low = study("grade", "--resume", "--max-calls", "5")
        assert (low.code, low.err.strip()) == (
            1,
            "limit of run 1: found 5 calls, and the run has taken 5 calls, expected more than 5: a limit is for the whole run, what it "
            "took before included. Raise the limit.",
        )
        unpriced = study("grade", "--resume", "--budget", "5")
        assert unpriced.code == 1 and "found no known price" in unpriced.err
        other = study(
            "grade", "--resume", "--judge", "openai:other", "--try", "3", "--yes", "--json"
        )
        assert other.code == 2 and other.json["error"]["found"] == "--judge and --try beside it"
        assert (
            other.json["error"]["expected"]
            == "at most --budget, --max-calls, --concurrency, --wait"
        )
        assert stub.stats()["requests"] == 5, "nothing was sent so far"
        more = study("grade", "--resume", "--max-calls", "12", "--json")
        assert (more.code, stub.stats()["requests"]) == (3, 12)
        (limit,) = more.json["reached"]
        assert (limit["option"], limit["limit"], limit["spent"], limit["enough"]) == (
            "--max-calls",
            12,
            12,
            30,
        )
        done = study("grade", "--resume", *limit["option"].split(), limit["enough"])
        assert (done.code, stub.stats()["requests"], stub.stats()["paid_distinct"]) == (0, 30, 30)
        # one judge that cannot be reached, and one that is stopped by the limit: each is said, with
        # what to do
        two = (
            "--judge",
            "openai:gone",
            "--base-url",
            "openai:gone=http://127.0.0.1:9/v1",
            "--judge",
            "openai:other",
        )
        both = study("grade", *two, "--yes", "--max-calls", "12")
        assert (
            both.code == 1
            and ". A judge failed, and the budget ended the rest; everything that was bought is kept.\n"
            in both.out
        )
        limit, gone = both.err.strip().splitlines()[-2:]
        assert (
            limit.startswith("run 2: found stopped at its limit of 12 calls, ")
            and "Raise the limit: cograde grade --resume" in limit
        )
        assert gone == NOBODY_THERE.replace("openai_chat stub", "openai_chat gone")
        # what met nobody is no call
        again = study("grade", "--resume", "--max-calls", "31", "--json").json
        assert [(judge["name"], judge["calls"], judge["done"]) for judge in again["judges"]] == [
            ("openai:gone", 0, 0),
            ("openai:other", 30, 30),
        ]
        assert (again["state"], again["error"]["expected"]) == ("failed", "a provider that answers")
    ws = open_workspace(study.workspace)
    kept = run_store.get_run(ws, 1)
    assert [(change["from"], change["to"]) for change in kept.settings["renewed"]] == [
        ({"concurrency": 1}, {"concurrency": 2}),
        ({"budget_calls": 5}, {"budget_calls": 12}),
        ({"budget_calls": 12}, {"budget_calls": 30}),
    ]
    assert (
        kept.settings["budget_calls"],
        kept.plan["budget_calls"],
        kept.plan["concurrency"],
    ) == (30, 30, 2)
    ws.close()


def test_a_terminal_is_told_rate_time_left_and_money_so_far(
    study: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr(
        _progress,
        "messages",
        Console(file=terminal, force_terminal=True, width=140, _environ={"TERM": "xterm"}),
    )
    monkeypatch.setattr(connected, "money", lambda *call: 0.25)  # this machine has no price list
    with provider_stub(latency=0.15) as stub:
        monkeypatch.setenv("OPENAI_API_KEY", "nobody")
        monkeypatch.setenv("OPENAI_BASE_URL", stub.base_url)
        done = study("grade", *JUDGE, "--concurrency", "3", "--json")
    assert (done.code, done.json["judges"][0]["money"]) == (0, 7.5)  # 30 calls
    plain = re.sub(r"\x1b\[[^A-Za-z]*[A-Za-z]", "", terminal.getvalue())
    lines = re.findall(
        r"Judge[^\d\r\n]*(\d+)/(\d+) +(\S+(?: unknown)?) +(-:--:--|\d:\d\d:\d\d) +\$([\d.]+)", plain
    )
    assert lines and {total for _, total, *_ in lines} == {"30"}
    under_way = [line for line in lines if 0 < int(line[0]) < 30]
    # Ten rounds of 0.15 s; the bar is told a few times a second.
    assert any(
        re.fullmatch(r"\d+\.\d/s", rate) and left != "-:--:--" for _, _, rate, left, _ in under_way
    )
    assert all(0 < float(spent) < 7.5 for *_, spent in under_way)
    assert (lines[-1][0], lines[-1][3], lines[-1][4]) == ("30", "0:00:00", "7.50")


def test_a_command_that_fails_prints_one_document_too(study: Line) -> None:
    done = study("grade", "--project", "nowhere", "--json")
    assert (done.code, done.json) == (
        1,
        {
            "error": {
                "where": "project 'nowhere'",
                "found": "no such project",
                "expected": "one of study",
                "remedy": "",
                "exit": 1,
            }
        },
    )
    assert done.err.strip() == "project 'nowhere': found no such project, expected one of study."
    wrong = study("grade", "--no-such-option", "--json")
    assert (wrong.code, wrong.json["error"]["exit"]) == (2, 2) and "--no-such-option" in wrong.json[
        "error"
    ]["found"]


def test_a_try_needs_a_judge(study: Line) -> None:
    done = study("grade", "--try", "5", "--project", "study", "--yes")
    assert (done.code, done.err.strip()) == (
        2,
        "option --judge: found none, expected a judge to try. Name a judge, such as openai:gpt-4o-mini.",
    )


def test_what_is_asked_again_goes_into_a_batch_again() -> None:
    asked = {"judges": ["anthropic:a b"], "split": "", "faults": True, "batch": True}
    assert grade._judge_options(asked) == "--judge 'anthropic:a b' --faults --batch", (
        "call by call it would cost twice as much"
    )


def test_calls_are_handed_in_as_a_batch_and_fetched_later(
    study: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    with provider_stub(polls=1) as stub:
        monkeypatch.setenv("OPENAI_API_KEY", "nobody")
        monkeypatch.setenv("OPENAI_BASE_URL", stub.base_url)
        done = study("grade", *JUDGE, "--batch")
        assert (
            done.code == 3 and "0 of 30 calls in batches are done. Come back later" in done.out
        ), done
        assert (
            "cograde grade --resume" in done.err
            and "as a batch at half the price, within a day" in done.err
        )
        done = study("grade", "--resume", "--project", "study")
        assert done.code == 0, done
        assert (stub.stats()["paid"], stub.stats()["requests"]) == (30, 0), (
            "all in the batch, none by itself"
        )
