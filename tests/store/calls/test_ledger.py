"""The ledger of calls: noted before they are sent, kept before they are used, never bought twice by
anybody."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from graders.core.records import Reply, Request, SubjectKey
from graders.store.calls import ledger as ledgers
from graders.store.calls import runs
from graders.store.calls.ledger import SqlLedger
from graders.store.projects import Project, add_project
from graders.store.workspace import Workspace
from tests.store import small

REQUEST = Request(
    subjects=(SubjectKey("q1", "Ash"),),
    provider="openai_chat",
    model="m",
    messages=(("user", "Grade this."),),
)
GOOD = Reply(
    text='{"value": 4}', raw="{}", input_tokens=100, cached_tokens=40, output_tokens=20, seconds=0.5
)
HUNG = Reply(cause="timeout")
LIMITED = Reply(cause="rate_limited", detail="429", retry_after=1.0)
CUT = Reply(
    text='{"val', raw="{", input_tokens=100, output_tokens=2, cause="truncated_body", seconds=0.1
)
ASKED = REQUEST.payload()


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    return small.workspace(tmp_path)


@pytest.fixture
def project(ws: Workspace) -> Project:
    return add_project(ws, "study", seed=1)


def run_of(ws: Workspace, project: Project) -> SqlLedger:
    """The ledger of a run that a living worker (this process) works on."""
    run = runs.add_run(ws, project, {}, {}, "mira")
    assert runs.claim(ws, run)
    return SqlLedger(ws, project, run)


def dies(ws: Workspace, ledger: SqlLedger) -> None:
    """The run's worker was a process that is gone."""
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    with ws.write() as db:
        db.execute(
            "UPDATE run SET worker = ? WHERE id = ?",
            (runs.worker_name().rpartition(":")[0] + f":{gone.pid}", ledger.run_id),
        )


def row(ws: Workspace, key: str = "k") -> dict[str, Any]:
    return dict(ws.db.execute("SELECT * FROM call WHERE key = ?", (key,)).fetchone())


def test_from_reserved_to_stored(ws: Workspace, project: Project) -> None:
    ledger = run_of(ws, project)
    with ledger.batch():
        assert (ledger.known("k"), ledger.reserve("k", REQUEST, ASKED)) == (None, "reserved")
    assert row(ws)["state"] == "reserved"
    assert json.loads(
        ws.db.execute("SELECT payload FROM request WHERE key = 'k'").fetchone()[0]
    ) == json.loads(ASKED), "what is asked can be read in the file"
    with ledger.batch():
        ledger.sent("k", 1, "")
    assert (row(ws)["state"], row(ws)["sends"]) == ("sent", 1)
    with ledger.batch():
        ledger.stored("k", GOOD, 0.002, True, "")
        assert ledger.known("k") == GOOD
        assert ledger.reserve("k", REQUEST, ASKED) == "bought"
    found = row(ws)
    assert (found["state"], found["certainly_paid"], found["perhaps_paid"]) == ("stored", 1, 0)
    assert (
        found["input_tokens"],
        found["cached_tokens"],
        found["output_tokens"],
        found["money"],
    ) == (100, 40, 20, 0.002)


def test_every_send_is_counted_with_its_cause_and_its_money(
    ws: Workspace, project: Project
) -> None:
    ledger = run_of(ws, project)
    with ledger.batch():
        ledger.reserve("k", REQUEST, ASKED)
        ledger.sent("k", 1, "")
        ledger.stored("k", LIMITED, 0.0, False, "rate_limited")
        ledger.sent("k", 2, "rate_limited")
        ledger.stored("k", CUT, 0.001, False, "truncated_body")
        ledger.sent("k", 3, "truncated_body")
        ledger.stored("k", GOOD, 0.002, True, "")
    found = row(ws)
    assert json.loads(found["causes"]) == ["rate_limited", "truncated_body"]
    assert (found["sends"], found["certainly_paid"]) == (3, 2), (
        "a reply with tokens was charged, a 429 was not"
    )
    assert (found["input_tokens"], found["output_tokens"], found["money"]) == (
        200,
        22,
        pytest.approx(0.003),
    )
    counts = ledgers.run_calls(ws.db, ledger.run_id)["m"]
    assert (counts.usable, counts.sends, counts.paid_again) == (1, 3, 1)
    assert counts.resends == {"rate_limited": 1, "truncated_body": 1}


def test_an_unknown_price_is_unknown_and_not_nought(ws: Workspace, project: Project) -> None:
    ledger = run_of(ws, project)
    with ledger.batch():
        ledger.reserve("k", REQUEST, ASKED)
        ledger.sent("k", 1, "")
        ledger.stored("k", GOOD, None, True, "")
    assert row(ws)["money"] is None
    counts = ledgers.run_calls(ws.db, ledger.run_id)["m"]
    assert (counts.money, counts.unpriced) == (None, 1)


@pytest.mark.parametrize(
    ("replies", "money", "unpriced"),
    [
        # reply and its money, in the order in which they came | the call's money | paid replies of
        # unknown price
        ([(LIMITED, 0.0), (GOOD, None)], None, 1),
        ([(GOOD, None), (LIMITED, 0.0), (GOOD, None)], None, 2),
        ([(LIMITED, 0.0), (GOOD, 0.002)], 0.002, 0),
        ([(GOOD, 0.002), (LIMITED, 0.0), (GOOD, 0.001)], 0.003, 0),
        ([(LIMITED, 0.0), (LIMITED, 0.0)], 0.0, 0),  # that is known: a refusal is free
        ([(GOOD, 0.0), (GOOD, 0.0)], 0.0, 0),  # a model on one's own machine
        ([(LIMITED, 0.0), (HUNG, None)], None, 0),  # perhaps paid, and nobody knows what
        ([(HUNG, None), (LIMITED, 0.0)], None, 0),
        ([(HUNG, None), (LIMITED, 0.0), (GOOD, 0.002)], 0.002, 0),
    ],
)
def test_what_is_free_does_not_make_an_unknown_price_nought(
    ws: Workspace,
    project: Project,
    replies: list[tuple[Reply, float | None]],
    money: float | None,
    unpriced: int,
) -> None:
    ledger = run_of(ws, project)
    with ledger.batch():
        ledger.reserve("k", REQUEST, ASKED)
        for number, (reply, cost) in enumerate(replies, 1):
            ledger.sent("k", number, "" if number == 1 else "malformed")
            ledger.stored("k", reply, cost, False, reply.cause or "malformed")
    assert row(ws)["money"] == (None if money is None else pytest.approx(money))
    assert ledgers.run_calls(ws.db, ledger.run_id)["m"].unpriced == unpriced


def begun(ledger: SqlLedger) -> None:
    ledger.reserve("k", REQUEST, ASKED)


def sent(ledger: SqlLedger) -> None:
    begun(ledger)
    ledger.sent("k", 1, "")


def answered(ledger: SqlLedger) -> None:
    sent(ledger)
    ledger.stored("k", LIMITED, 0.0, False, "rate_limited")


def given_up(ledger: SqlLedger) -> None:
    answered(ledger)
    ledger.give_up("k", "rate_limited", LIMITED)


def let_go(ledger: SqlLedger) -> None:
    begun(ledger)
    ledger.release("k")


def bought(ledger: SqlLedger) -> None:
    sent(ledger)
    ledger.stored("k", GOOD, 0.002, True, "")


@pytest.mark.parametrize(
    ("before", "alive", "dead", "causes"),
    [
        # what the first run did | a second one finds, the first alive | the first dead | why it
        # sends again
        (begun, "elsewhere", "reserved", []),
        (sent, "elsewhere", "reserved", ["in flight when the run ended"]),
        (answered, "reserved", "reserved", ["rate_limited"]),
        (given_up, "reserved", "reserved", ["given up before"]),
        (let_go, "reserved", "reserved", []),
        (bought, "bought", "bought", []),
    ],
)
def test_what_a_second_run_finds(
    ws: Workspace,
    project: Project,
    before: Callable[[SqlLedger], None],
    alive: str,
    dead: str,
    causes: list[str],
) -> None:
    first, second = run_of(ws, project), run_of(ws, project)
    with first.batch():
        before(first)
    if alive != "reserved":
        with second.batch():
            assert second.reserve("k", REQUEST, ASKED) == alive
        assert row(ws)["run_id"] == first.run_id
    dies(ws, first)
    with second.batch():
        assert second.reserve("k", REQUEST, ASKED) == dead
    assert (row(ws)["perhaps_paid"], row(ws)["causes"]) == (0, "[]"), "nothing was sent again yet"
    if dead == "reserved":
        dies(ws, second)  # before it sent anything: why it would have is kept
        third = run_of(ws, project)
        with third.batch():
            assert third.reserve("k", REQUEST, ASKED) == dead
            assert third.sent("k", 1, "") == "".join(causes)
    found = row(ws)
    assert json.loads(found["causes"]) == causes and found["sends"] == 1 + len(causes)
    assert found["perhaps_paid"] == causes.count("in flight when the run ended")


def test_a_run_that_is_over_holds_nothing(ws: Workspace, project: Project) -> None:
    first, second = run_of(ws, project), run_of(ws, project)
    with first.batch():
        sent(first)
    runs.end(ws, first.run_id, "stopped", "", {})
    with second.batch():
        assert second.reserve("k", REQUEST, ASKED) == "reserved"


def test_only_what_was_not_sent_can_be_let_go(ws: Workspace, project: Project) -> None:
    ledger = run_of(ws, project)
    with ledger.batch():
        sent(ledger)
        ledger.release("k")
    assert row(ws)["state"] == "sent", "it may have been charged, so it is not forgotten"


def test_a_group_of_notes_is_kept_whole_or_not_at_all(ws: Workspace, project: Project) -> None:
    ledger = run_of(ws, project)
    with pytest.raises(RuntimeError), ledger.batch():
        ledger.reserve("a", REQUEST, ASKED)
        ledger.reserve("b", REQUEST, ASKED)
        raise RuntimeError("the disk is full")
    assert ws.db.execute("SELECT count(*) FROM call").fetchone()[0] == 0


def test_past_calls_tell_tokens_and_seconds_from_five_on(ws: Workspace, project: Project) -> None:
    ledger = run_of(ws, project)
    for number in range(5):
        assert ledgers.past_calls(ws.db, project, "m") is None
        with ledger.batch():
            ledger.reserve(f"k{number}", REQUEST, ASKED)
            ledger.sent(f"k{number}", 1, "")
            ledger.stored(
                f"k{number}",
                replace(GOOD, input_tokens=100 + number, seconds=0.1 * number),
                0.0,
                True,
                "",
            )
    # (100 + 101 + 102 + 103 + 104) / 5 and (0 + .1 + .2 + .3 + .4) / 5
    assert ledgers.past_calls(ws.db, project, "m") == ledgers.PastCalls(
        102.0, 20.0, pytest.approx(0.2)
    )
    assert ledgers.stored_keys(ws.db, ["k0", "k4", "k9"]) == {"k0", "k4"}


def asked(ledger: SqlLedger, key: str, *causes: str, usable: bool = True) -> None:
    """One run's sends of a call, each of 100 + 20 tokens and a second: the first, and one more for
    each cause."""
    with ledger.batch():
        ledger.reserve(key, REQUEST, ASKED)
        for number, cause in enumerate(("", *causes), 1):
            last = usable and number == len(causes) + 1
            ledger.sent(key, number, cause)
            ledger.stored(
                key,
                replace(GOOD, input_tokens=100, output_tokens=20, seconds=1.0),
                0.0,
                last,
                "" if last else "off_scale",
            )
        if not usable:
            ledger.give_up(key, "off_scale", GOOD)


def test_what_a_failed_run_sent_is_not_expected_of_the_next(
    ws: Workspace, project: Project
) -> None:
    for usable in (False, True):
        ledger = run_of(ws, project)
        for number in range(5):
            asked(ledger, f"k{number}", *([] if usable else ["off_scale"] * 4), usable=usable)
    assert row(ws, "k0")["input_tokens"] == 600, "five sends in vain and one"
    assert ledgers.past_calls(ws.db, project, "m") == ledgers.PastCalls(100.0, 20.0, 1.0)


def test_resends_are_expected_at_the_rate_that_was_seen(ws: Workspace, project: Project) -> None:
    ledger = run_of(ws, project)
    for number in range(10):
        asked(ledger, f"k{number}", *(["off_scale"] * 2 if number < 2 else []))
    # 14 sends for 10 calls: 1.4 x 100, 1.4 x 20, 1.4 x 1 s
    past = ledgers.past_calls(ws.db, project, "m")
    assert past is not None
    assert (past.input_tokens, past.output_tokens, past.seconds) == pytest.approx(
        (140.0, 28.0, 1.4)
    )
