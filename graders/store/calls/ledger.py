"""The ledger of calls: noted before they are sent, kept before they are used. A stored usable reply
is never bought again."""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from typing import Literal

from graders.core.records import (
    DELETED,
    GIVEN_UP,
    IN_FLIGHT,
    MISQUOTED,
    PERHAPS_PAID,
    Reply,
    Request,
)
from graders.store.answers.content import chunks, marks
from graders.store.calls.runs import is_alive
from graders.store.projects import Project
from graders.store.workspace import HOLD_SECONDS, Workspace, dumps

#: State in which a call is taken up again -> why it is sent again, where that is not the cause of
#: its last reply.
_TAKEN_UP = {"sent": IN_FLIGHT, "unusable": GIVEN_UP, "forgotten": DELETED}


#: Whether the next send of a call is a repeat whose cause is not noted yet. A call that asks once
#: more has a cause for its first send.
UNNAMED = (
    f"sends > json_array_length(causes) - coalesce(json_extract(causes, '$[0]') = '{MISQUOTED}', 0)"
)


class SqlLedger:
    """The ledger of one run and, where it has several, of one judge. Used from one thread, inside
    `batch`; only `flush` may be called from another."""

    def __init__(self, ws: Workspace, project: Project, run_id: int, judge: str = "") -> None:
        self.ws, self.project, self.run_id, self.judge = ws, project, run_id, judge
        self.db: sqlite3.Connection = ws.db

    @contextmanager
    def batch(self) -> Iterator[object]:
        """One transaction; `flush` brings it to disk."""
        self.ws.breathe()
        with self.ws.write(durable=False) as db:
            self.db = db
            yield self

    def flush(self) -> None:
        """All that was committed is on disk."""
        self.ws.flush()

    def hold(self) -> float:
        """Seconds after which a batch is better ended."""
        return HOLD_SECONDS if self.ws.person_active() else math.inf

    def known(self, key: str) -> Reply | None:
        """The stored usable reply of a key."""
        row = self.db.execute(
            "SELECT reply FROM call WHERE key = ? AND state = 'stored'", (key,)
        ).fetchone()
        return None if row is None else Reply(**json.loads(row[0]))

    def reserve(
        self, key: str, request: Request, payload: str
    ) -> Literal["bought", "reserved", "elsewhere"]:
        """Take a key for this run; see `graders.workflows.calling.call`."""
        row = self.db.execute("SELECT state, run_id FROM call WHERE key = ?", (key,)).fetchone()
        if row is None:
            self.db.execute(
                (
                    "INSERT INTO call (key, project_id, run_id, judge, provider, model, state, "
                    "causes, at) VALUES (?,?,?,?,?,?,'reserved',?,?)"
                ),
                (
                    key,
                    self.project.id,
                    self.run_id,
                    self.judge,
                    request.provider,
                    request.model,
                    dumps([request.again] if request.again else []),
                    self.ws.now(),
                ),
            )
            self.db.execute("INSERT OR IGNORE INTO request VALUES (?, ?)", (key, payload))
            return "reserved"
        if row["state"] == "stored":
            return "bought"
        if (
            row["state"] in ("reserved", "sent")
            and row["run_id"] not in (None, self.run_id)
            and is_alive(self.ws, self.db, row["run_id"])
        ):
            return "elsewhere"
        if row["state"] == "forgotten":
            self.db.execute("INSERT OR REPLACE INTO request VALUES (?, ?)", (key, payload))
        self.db.execute(
            (
                "UPDATE call SET state = 'reserved', run_id = ?, judge = ?, cause = coalesce(?, "
                "cause) WHERE key = ?"
            ),
            (self.run_id, self.judge, _TAKEN_UP.get(row["state"]), key),
        )
        return "reserved"

    def sent(self, key: str, attempt: int, cause: str) -> str:
        """About to be sent; the cause of that where it is not the first send, also where an earlier
        start made that one."""
        named = cause or self.unnamed(key)
        self.db.execute(
            (
                "UPDATE call SET state = 'sent', perhaps_paid = perhaps_paid + ?, "
                "sends = sends + 1, causes = CASE WHEN ? = '' THEN causes "
                "ELSE json_insert(causes, '$[#]', ?) END WHERE key = ?"
            ),
            (int(named in PERHAPS_PAID), named, named, key),
        )
        return named

    def unnamed(self, key: str) -> str:
        """Why the next send of a call is a repeat; empty where it is none, or where that is
        noted."""
        row = self.db.execute(
            f"SELECT cause FROM call WHERE key = ? AND {UNNAMED}", (key,)
        ).fetchone()
        return "" if row is None else str(row[0])

    def stored(self, key: str, reply: Reply, money: float | None, usable: bool, cause: str) -> None:
        """A reply came: kept with its tokens, money and time. What cost nothing tells no price:
        beside an unknown one it stays unknown."""
        charged = int(reply.output_tokens is not None)
        self.db.execute(
            "UPDATE call SET state = ?, reply = ?, cause = ?, certainly_paid = "
            "certainly_paid + ?, input_tokens = coalesce(input_tokens, 0) + ?, "
            "cached_tokens = coalesce(cached_tokens, 0) + ?, output_tokens = "
            "coalesce(output_tokens, 0) + ?, "
            "money = CASE WHEN ? IS NULL THEN nullif(money, 0) WHEN ? "
            "OR cause = '' THEN coalesce(money, 0) + ? ELSE money + ? END, "
            "seconds = ? WHERE key = ?",
            (
                "stored" if usable else "answered",
                _said(reply),
                cause,
                charged,
                reply.input_tokens or 0,
                reply.cached_tokens or 0,
                reply.output_tokens or 0,
                money,
                charged,
                money,
                money,
                reply.seconds,
                key,
            ),
        )

    def give_up(self, key: str, cause: str, reply: Reply) -> None:
        """No further send in this run."""
        self.db.execute(
            "UPDATE call SET state = 'unusable', cause = ?, reply = ? WHERE key = ?",
            (cause, _said(reply), key),
        )

    def release(self, key: str) -> None:
        """Not sent: free for others."""
        self.db.execute(
            "UPDATE call SET state = 'released' WHERE key = ? AND state = 'reserved'", (key,)
        )


_FIELDS = tuple(item.name for item in fields(Reply))


def _said(reply: Reply) -> str:
    """A reply as JSON; all its fields are plain, so none needs to be copied."""
    return dumps({name: getattr(reply, name) for name in _FIELDS})


def stored_keys(db: sqlite3.Connection, keys: Sequence[str]) -> set[str]:
    """Those keys whose usable reply is stored."""
    found: set[str] = set()
    for batch in chunks(keys):
        found.update(
            row[0]
            for row in db.execute(
                f"SELECT key FROM call WHERE state = 'stored' AND key IN ({marks(len(batch))})",
                batch,
            )
        )
    return found


def useless_keys(db: sqlite3.Connection, keys: Sequence[str], causes: Sequence[str]) -> set[str]:
    """Those keys that were given up for one of `causes`."""
    found: set[str] = set()
    for batch in chunks(keys):
        sql = (
            f"SELECT key FROM call WHERE state = 'unusable' AND cause IN ({marks(len(causes))}) "
            f"AND key IN ({marks(len(batch))})"
        )
        found.update(row[0] for row in db.execute(sql, (*causes, *batch)))
    return found


@dataclass(frozen=True, slots=True)
class ModelCalls:
    """The calls of a model in a run, added up.

    `usable` and `unusable` calls, and all `sends` of them; US dollars as far as prices are known
    (`money`, None where none is) and paid replies without one (`unpriced`); tokens, None where none
    are known; sends that were `perhaps_paid`, and those certainly `paid_again`; the mean `seconds`
    of a call. `resends` counts the causes of repeats.
    """

    model: str
    calls: int = 0
    usable: int = 0
    unusable: int = 0
    sends: int = 0
    money: float | None = None
    unpriced: int = 0
    input_tokens: int | None = None
    cached_tokens: int | None = None
    output_tokens: int | None = None
    perhaps_paid: int = 0
    paid_again: int = 0
    seconds: float | None = None
    resends: dict[str, int] = field(default_factory=dict)


def run_calls(
    db: sqlite3.Connection, run_id: int, judge: str | None = None
) -> dict[str, ModelCalls]:
    """The calls of a run by model; with `judge` those of that judge only."""
    by_model: dict[str, ModelCalls] = {}
    only, values = ("", (run_id,)) if judge is None else (" AND judge = ?", (run_id, judge))
    sql = (
        "SELECT model, count(*) AS calls, sum(state = 'stored') AS usable, "
        "sum(state = 'unusable') AS unusable, sum(sends) AS sends, "
        "sum(money) AS money, sum(CASE WHEN money IS NULL THEN certainly_paid "
        "ELSE 0 END) AS unpriced, sum(input_tokens) AS input_tokens, "
        "sum(cached_tokens) AS cached_tokens, "
        "sum(output_tokens) AS output_tokens, sum(perhaps_paid) AS perhaps_paid, "
        "sum(max(certainly_paid - 1, 0)) AS paid_again, avg(seconds) AS seconds "
        f"FROM call WHERE run_id = ?{only} GROUP BY model"
    )
    for row in db.execute(sql, values):
        by_model[row["model"]] = ModelCalls(*row)
    for row in db.execute(
        (
            "SELECT model, j.value AS cause, count(*) AS n FROM call, json_each(call.causes) j "
            f"WHERE run_id = ?{only} AND sends > 0 GROUP BY 1, 2"
        ),
        values,
    ):
        by_model[row["model"]].resends[row["cause"]] = row["n"]
    return by_model


#: Whether a call splits an answer into claims, by the form that it asks for (the payload is
#: canonical JSON, in which no text has such signs).
_SPLITS = (
    "EXISTS (SELECT 1 FROM request r WHERE r.key = call.key "
    """AND instr(r.payload, '"claims":{"items":{"type":"string"}'))"""
)


@dataclass(frozen=True, slots=True)
class PastCalls:
    """Tokens and seconds of a call, as earlier ones took them."""

    input_tokens: float
    output_tokens: float
    seconds: float


def past_calls(db: sqlite3.Connection, project: Project, model: str) -> PastCalls | None:
    """What to expect of one more call of a model in a project, from its usable ones that split no
    answer; None below five.

    A row adds up all its sends: what one send took is multiplied by the sends that a call needs, as
    they were seen. Calls that a second run took up from the start tell nothing of that: an earlier
    run that failed as a whole must not make the next one look expensive.
    """
    row = db.execute(
        "SELECT count(*) AS calls, sum(input_tokens) * 1.0 / sum(paid) AS input_tokens, "
        "sum(output_tokens) * 1.0 / sum(paid) AS output_tokens, "
        "avg(seconds) AS seconds, coalesce(avg(CASE WHEN sends <= repeats + 1 "
        "AND NOT anew THEN paid END), 1.0) AS needed "
        "FROM (SELECT *, max(certainly_paid, 1) AS paid, json_array_length(causes) AS repeats, "
        "EXISTS (SELECT 1 FROM json_each(causes) j WHERE j.value IN (?, ?)) AS anew "
        "FROM call WHERE project_id = ? AND model = ? "
        f"AND state IN ('stored', 'forgotten') AND seconds IS NOT NULL AND NOT {_SPLITS} "
        "LIMIT 500)",
        (GIVEN_UP, DELETED, project.id, model),
    ).fetchone()
    if row["calls"] < 5:
        return None
    return PastCalls(
        *(
            (row[name] or 0.0) * row["needed"]
            for name in ("input_tokens", "output_tokens", "seconds")
        )
    )


def call_times(db: sqlite3.Connection, keys: Sequence[str]) -> dict[str, str]:
    """When calls were taken up that have these keys: ISO 8601 in UTC, by key."""
    found: dict[str, str] = {}
    for batch in chunks(keys):
        found.update(
            (row[0], row[1])
            for row in db.execute(
                f"SELECT key, at FROM call WHERE key IN ({marks(len(batch))})", batch
            )
        )
    return found


@dataclass(frozen=True, slots=True)
class StoredCall:
    """A call as the ledger holds it: its `state`, the `cause` that it ended with (empty for none),
    its last `reply` (None where none is kept), US dollars and seconds, None where not known."""

    state: str
    cause: str
    reply: Reply | None
    money: float | None
    seconds: float | None


def call_of(db: sqlite3.Connection, key: str) -> StoredCall | None:
    """The call of a key; None where there is none."""
    row = db.execute(
        "SELECT state, cause, reply, money, seconds FROM call WHERE key = ?", (key,)
    ).fetchone()
    if row is None:
        return None
    reply = None if row["reply"] is None else Reply(**json.loads(row["reply"]))
    return StoredCall(row["state"], row["cause"] or "", reply, row["money"], row["seconds"])


@dataclass(frozen=True, slots=True)
class ModelContent:
    """What is recorded of a model's calls in a project: so many `calls`, those whose content is
    `kept` and its `characters`, those whose content was deleted (`forgotten`), and US dollars, None
    where no price is known."""

    provider: str
    model: str
    calls: int
    kept: int
    characters: int
    money: float | None
    forgotten: int


def content_by_model(db: sqlite3.Connection, project: Project) -> list[ModelContent]:
    """What is recorded of calls, by provider and model in alphabetical order."""
    sql = (
        "SELECT provider, model, count(*) AS calls, sum(reply IS NOT NULL) AS kept, "
        "coalesce(sum(length(reply)), 0) AS characters, sum(money) AS money, "
        "sum(state = 'forgotten') AS forgotten FROM call WHERE project_id = ? GROUP BY 1, 2 "
        "ORDER BY 1, 2"
    )
    return [ModelContent(*row) for row in db.execute(sql, (project.id,))]


def forget_content(ws: Workspace, project: Project, model: str = "") -> int:
    """Delete what was asked and replied (of one model, or all); states, counts and money stay.
    Returns the number of calls.

    Calls that are under way are left alone.
    """
    clause, values = ("AND model = ?", [project.id, model]) if model else ("", [project.id])
    sql = (
        "SELECT key FROM call WHERE project_id = ? "
        f"AND state IN ('stored', 'answered', 'unusable', 'released') {clause}"
    )
    keys = [row[0] for row in ws.db.execute(sql, values)]

    def work(db: sqlite3.Connection, batch: Sequence[str]) -> None:
        for some in chunks(batch):
            db.execute(f"DELETE FROM request WHERE key IN ({marks(len(some))})", some)
            db.execute(
                (
                    "UPDATE call SET reply = NULL, state = 'forgotten' "
                    f"WHERE key IN ({marks(len(some))})"
                ),
                some,
            )

    ws.background(keys, work)
    return len(keys)
