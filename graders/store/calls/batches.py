"""Batches of calls at a provider: noted before they are handed in, forgotten when all their replies
are stored."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from graders.core.records import BATCH_GONE, IN_FLIGHT, Reply, Request
from graders.store.answers.content import chunks, marks
from graders.store.calls.ledger import UNNAMED, SqlLedger
from graders.store.calls.runs import is_alive
from graders.store.projects import Project
from graders.store.workspace import Workspace, dumps

#: Providers keep the results of a batch about so many seconds (29 days): an older one can bring
#: nothing any more.
KEPT_SECONDS = 29 * 86_400.0
#: Causes of a resend in a batch whose earlier send may have been charged.
_PERHAPS = (IN_FLIGHT, BATCH_GONE)


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch that is under way: `mark` is our name for it, `handle` the provider's, empty while it
    is not known; `at` in seconds since the epoch."""

    mark: str
    handle: str
    keys: tuple[str, ...]
    at: float


class BatchLedger(SqlLedger):
    """The ledger of a run whose calls travel in batches to `provider` at `address`. What is in a
    batch counts as sent and still awaits its reply."""

    def __init__(
        self,
        ws: Workspace,
        project: Project,
        run_id: int,
        provider: str,
        address: str,
        judge: str = "",
    ) -> None:
        super().__init__(ws, project, run_id, judge)
        self.provider, self.address = provider, address
        self.under_way: set[str] = set()
        #: Calls whose batch is gone, until they are handed in again.
        self.lost: set[str] = set()
        for batch in self.batches():
            left = without_reply(ws, batch.keys)
            if not left:  # a process ended when all was stored, before it could forget the batch
                self.ended(batch, {})
            elif batch.handle and len(left) < len(
                batch.keys
            ):  # or when part of it was: those replies are counted
                with ws.write() as db:
                    db.execute(
                        "UPDATE batch SET keys = ? WHERE mark = ?", (dumps(left), batch.mark)
                    )
            self.under_way |= set(left)

    def batches(self) -> list[Batch]:
        """The batches that are under way, oldest first. Those of another living run are left to
        it."""
        rows = self.ws.db.execute(
            (
                "SELECT mark, handle, keys, at, run_id FROM batch WHERE project_id = ? "
                "AND provider = ? AND address = ? ORDER BY at, mark"
            ),
            (self.project.id, self.provider, self.address),
        ).fetchall()
        return [
            Batch(row["mark"], row["handle"], tuple(json.loads(row["keys"])), row["at"])
            for row in rows
            if row["run_id"] == self.run_id or not is_alive(self.ws, self.ws.db, row["run_id"])
        ]

    def reserve(
        self, key: str, request: Request, payload: str
    ) -> Literal["bought", "reserved", "elsewhere"]:
        """Take a key; one that is in a batch is ours and still awaits its reply."""
        if key not in self.under_way:
            return super().reserve(key, request, payload)
        state = self.db.execute("SELECT state FROM call WHERE key = ?", (key,)).fetchone()
        if state is not None and state[0] == "stored":
            return "bought"
        self.db.execute(
            "UPDATE call SET run_id = ?, judge = ? WHERE key = ?", (self.run_id, self.judge, key)
        )
        return "reserved"

    def sent(self, key: str, attempt: int, cause: str) -> str:
        """Nothing is sent before its batch is handed in: `begin` notes that, and why it is a
        repeat."""
        return cause or ("" if key in self.under_way else self.unnamed(key))

    def stored(self, key: str, reply: Reply, money: float | None, usable: bool, cause: str) -> None:
        """A reply came, or word that the batch is gone."""
        super().stored(
            key,
            reply,
            money,
            usable,
            BATCH_GONE if reply.cause == "connection" and key in self.lost else cause,
        )

    def begin(self, keys: Sequence[str]) -> Batch:
        """About to hand in these calls: all noted at once, durably."""
        mark, at = secrets.token_hex(16), self.ws.clock()
        with self.ws.write() as db:
            db.execute(
                (
                    "INSERT INTO batch (mark, project_id, provider, address, keys, run_id, at) "
                    "VALUES (?,?,?,?,?,?,?)"
                ),
                (
                    mark,
                    self.project.id,
                    self.provider,
                    self.address,
                    dumps(list(keys)),
                    self.run_id,
                    at,
                ),
            )
            for some in chunks(keys):
                db.execute(
                    "UPDATE call SET state = 'sent', sends = sends + 1, "
                    f"perhaps_paid = perhaps_paid + ({UNNAMED} AND "
                    "cause IN (?, ?)), causes = CASE "
                    f"WHEN {UNNAMED} THEN json_insert(causes, '$[#]', cause) "
                    f"ELSE causes END WHERE key IN ({marks(len(some))})",
                    (*_PERHAPS, *some),
                )
        self.under_way |= set(keys)
        self.lost -= set(keys)
        return Batch(mark, "", tuple(keys), at)

    def named(self, mark: str, handle: str) -> None:
        """The provider took the batch under `handle`."""
        with self.ws.write() as db:
            db.execute(
                "UPDATE batch SET handle = ?, run_id = ? WHERE mark = ?",
                (handle, self.run_id, mark),
            )

    def refused(self, batch: Batch) -> None:
        """The batch was never taken: its calls were not sent, nor sent again for any cause."""
        with self.ws.write() as db:
            db.execute("DELETE FROM batch WHERE mark = ?", (batch.mark,))
            for some in chunks(batch.keys):
                db.execute(
                    "UPDATE call SET state = 'released', sends = sends - 1, "
                    "causes = iif(sends > 1, json_remove(causes, '$[#-1]'), causes), "
                    "perhaps_paid = max(0, perhaps_paid - coalesce(json_extract(causes, "
                    "'$[#-1]') IN (?, ?), 0)) "
                    f"WHERE state = 'sent' AND key IN ({marks(len(some))})",
                    (*_PERHAPS, *some),
                )
        self.under_way -= set(batch.keys)

    def gone(self, batch: Batch) -> None:
        """The provider does not know the batch any more: its calls may be sent again, and then were
        perhaps paid."""
        with self.ws.write() as db:
            db.execute("DELETE FROM batch WHERE mark = ?", (batch.mark,))
            for some in chunks(batch.keys):
                db.execute(
                    (
                        "UPDATE call SET state = 'released', cause = ? WHERE state = 'sent' "
                        f"AND key IN ({marks(len(some))})"
                    ),
                    (BATCH_GONE, *some),
                )
        self.lost |= set(batch.keys)
        self.under_way -= set(batch.keys)

    def awaited(self, keys: Sequence[str]) -> int:
        """How many of these calls have no note of a reply yet."""
        return len(without_reply(self.ws, keys))

    def age(self, batch: Batch) -> float:
        """Seconds since a batch was about to be handed in."""
        return self.ws.clock() - batch.at

    def ended(self, batch: Batch, others: Mapping[str, tuple[Reply, float | None]]) -> None:
        """The batch is over, and its replies are stored; `others` are replies with their money that
        are no longer asked for: they are kept all the same, where none was noted before."""
        with self.ws.write() as db:
            # this one may be at work in another thread
            beside = SqlLedger(self.ws, self.project, self.run_id, self.judge)
            beside.db = db
            for key in without_reply(self.ws, list(others)):
                reply, money = others[key]
                beside.stored(key, reply, money, not reply.cause, reply.cause)
            db.execute("DELETE FROM batch WHERE mark = ?", (batch.mark,))
        self.under_way -= set(batch.keys)


def without_reply(ws: Workspace, keys: Sequence[str]) -> list[str]:
    """Those of these calls that were sent and have no note of a reply yet, in their order."""
    found: set[str] = set()
    for some in chunks(keys):
        found.update(
            row[0]
            for row in ws.db.execute(
                f"SELECT key FROM call WHERE state = 'sent' AND key IN ({marks(len(some))})", some
            )
        )
    return [key for key in keys if key in found]


def calls_in_batches(ws: Workspace, project: Project, provider: str = "", address: str = "") -> int:
    """How many calls of a project are in batches whose replies `provider` at `address` (any
    provider without them) may still hold."""
    rows = ws.db.execute(
        (
            "SELECT keys FROM batch WHERE project_id = ? AND (? = '' OR (provider = ? "
            "AND address = ?)) AND at > ?"
        ),
        (project.id, provider, provider, address, ws.clock() - KEPT_SECONDS),
    ).fetchall()
    return sum(len(without_reply(ws, json.loads(row["keys"]))) for row in rows)
