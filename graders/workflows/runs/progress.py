"""The progress of a run: counts, rates, time left and money, written to the run's row at most a few
times a second.

Counts are those of the whole run, however often it was paused, stopped or killed and started again.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from graders.core.errors import CogradeError
from graders.core.records import Verdict
from graders.core.run_state import RunState, Wish
from graders.core.shapes import JSON, as_dict
from graders.core.words import say
from graders.store.calls import runs as run_store
from graders.store.calls.ledger import ModelCalls
from graders.store.workspace import Workspace
from graders.workflows.calling.call import CallReport, Outcome
from graders.workflows.runs.stages import Stage, Stages
from graders.workflows.runs.summary import Summary

#: Seconds between two writes of the row, and between two looks at what people want.
EVERY = 0.4
#: Causes that mean little without what the provider said: the first such words are kept per judge.
IN_ITS_WORDS = ("bad_request", "server_error")


@dataclass(slots=True)
class JudgeCounts:
    """The counts of a judge in a run, which go on while it works.

    Calls that are `done` of `total`, of which a reply was `known`, and sends to the provider
    (`calls`); `waits` for a limit of its, calls that were `repaired` by sending them again and
    those left `unreadable`; `quotes_missing` from the answers. `money` in US dollars beside replies
    that are `unpriced` and sends that are `unsure` or `perhaps_paid`; `seconds`: the median of a
    call. `resends` and `reasons` count by code, and `said` is what the provider said of one.
    """

    name: str
    done: int = 0
    total: int = 0
    known: int = 0
    calls: int = 0
    waits: int = 0
    repaired: int = 0
    unreadable: int = 0
    quotes_missing: int = 0
    unpriced: int = 0
    unsure: int = 0
    perhaps_paid: int = 0
    without_verdict: int = 0
    seconds: float | None = None
    money: float = 0.0
    resends: dict[str, int] = field(default_factory=dict)
    reasons: dict[str, int] = field(default_factory=dict)
    said: str = ""

    @classmethod
    def of(cls, name: str, before: JSON, planned: int) -> JudgeCounts:
        """As an earlier start left them in the run's row, else zeros and the planned total."""
        known = {one.name: before[one.name] for one in fields(cls) if before.get(one.name)}
        counts = cls(**{**known, "name": name})
        counts.total = counts.total or planned
        return counts.copy()

    def copy(self) -> JudgeCounts:
        """The counts as they are now."""
        return replace(self, resends=dict(self.resends), reasons=dict(self.reasons))

    def to_json(self) -> JSON:
        """As the run's row keeps them: money is None where nothing has a known price."""
        return {**as_dict(self), "money": _known(self.money, self.unpriced + self.unsure)}


class Progress:
    """Counts of a run. Methods may be called from several threads.

    `before` is what the run's row holds from an earlier start, empty at the first; `planned` the
    calls of each judge as the plan counted them; `killed` says that the earlier start did not end
    by itself. `splitter` names the model that splits answers into claims, whose calls are counted
    beside the judges'.
    """

    def __init__(
        self,
        ws: Workspace,
        run_id: int,
        judges: Sequence[str],
        before: Mapping[str, Any],
        listen: Callable[[Progress], None],
        planned: Mapping[str, int] | None = None,
        killed: bool = False,
        splitter: str = "",
    ) -> None:
        self.ws, self.run_id, self.listen = ws, run_id, listen
        self.wanted: str = Wish.RUN
        self.again, self.killed = bool(before) or killed, killed
        self._splitter = splitter
        self._stages = Stages(len(judges), before.get("stages") or [], bool(splitter))
        judges = [*([splitter] if splitter else []), *judges]
        earlier = {judge["name"]: judge for judge in before.get("judges") or []}
        self.judges = {
            name: JudgeCounts.of(name, earlier.get(name) or {}, (planned or {}).get(name, 0))
            for name in judges
        }
        self._seconds: dict[str, list[float]] = {name: [] for name in judges}
        #: Judge -> the keys of calls that ended in this start: what several answers share is one
        #: call.
        self._ended: dict[str, set[str]] = {name: set() for name in judges}
        #: Judge -> its counts when this start began to ask it.
        self._base: dict[str, JudgeCounts] = {}
        self._told = 0.0
        #: What went wrong in this start, and at its end what the run brought (`summary`).
        self.problems: list[CogradeError] = []
        #: The limits that stopped this start, by name (`limits.at_limit`).
        self.reached: list[str] = []
        self.summary: Summary | None = None
        #: Judge -> why it waits for its key (`_judge_notes`).
        self.waits: dict[str, str] = {}
        self._lock = threading.Lock()
        self._stop = threading.Event()
        # Long batches must not look like a dead worker: a thread says every second that the process
        # lives.
        self._pulse = threading.Thread(target=self._beat, daemon=True)
        self._pulse.start()

    @property
    def stages(self) -> list[Stage]:
        """The stages as they are now."""
        return self._stages.rows

    @property
    def money(self) -> float:
        """US dollars, as far as prices are known."""
        return float(sum(judge.money for judge in self.judges.values()))

    @property
    def calls(self) -> int:
        """Sends to providers."""
        return sum(judge.calls for judge in self.judges.values())

    @property
    def unpriced(self) -> int:
        """Replies that were paid at an unknown price."""
        return sum(judge.unpriced for judge in self.judges.values())

    @property
    def without_verdict(self) -> int:
        """Cells that the judges were asked about and gave no verdict on."""
        return sum(judge.without_verdict for judge in self.judges.values())

    @property
    def reasons(self) -> Counter[str]:
        """Those cells by the reason that was named."""
        found: Counter[str] = Counter()
        for judge in self.judges.values():
            found.update(judge.reasons)
        return found

    def should_stop(self) -> bool:
        """Whether people want the run to pause or stop; looks at the row now and then."""
        self._tell()
        return self.wanted != Wish.RUN

    def measured(self, done: int, total: int) -> None:
        """Answers that rules and metrics are through with."""
        self._move("measure", done, total)

    def judging(self, name: str, left: int) -> None:
        """A judge starts, or goes on, with `left` calls that ask something of their own
        (`judging.distinct`).

        What an earlier start asked in vain is among them: it is no longer counted as done, nor as
        without a verdict.
        """
        judge = self.judges[name]
        judge.total = max(judge.total, left) if self.again else left
        judge.done, judge.unreadable, judge.without_verdict = judge.total - left, 0, 0
        judge.reasons, judge.said = {}, ""
        self._base[name] = judge.copy()
        self._asked(name)

    def goes_on(self) -> None:
        """Judges are asked once more for what they left at their provider: what was counted
        stays."""
        self.again = True

    def repeating(self, name: str, calls: int) -> None:
        """So many more calls of a judge: about what was lost in replies."""
        self.judges[name].total += calls

    def judged(self, name: str, outcomes: Sequence[Outcome], without: Mapping[str, int]) -> None:
        """Calls that ended, each told as often as it was asked for; `without` counts by reason the
        cells without a verdict after them."""
        judge = self.judges[name]
        judge.reasons = dict((Counter(judge.reasons) + Counter(without)).most_common())
        judge.without_verdict += sum(without.values())
        for outcome in outcomes:
            if outcome.key in self._ended[name]:
                continue
            self._ended[name].add(outcome.key)
            judge.done += 1
            judge.known += outcome.known
            judge.waits += outcome.resends.count("rate_limited")
            judge.repaired += bool(outcome.resends) and not outcome.cause
            judge.unreadable += bool(outcome.cause)
            if outcome.cause in IN_ITS_WORDS:
                judge.said = judge.said or outcome.detail
            judge.quotes_missing += sum(
                e.found is False
                for item in outcome.items
                if isinstance(item, Verdict)
                for e in item.mark.evidence
            )
            for cause in outcome.resends:
                judge.resends[cause] = judge.resends.get(cause, 0) + 1
            if not outcome.known:
                judge.calls += outcome.sends
                judge.unpriced += outcome.unpriced
                # perhaps paid, without a reply that says how much
                judge.unsure += outcome.money is None and not outcome.unpriced
                judge.money += outcome.money or 0.0
                if outcome.reply.seconds is not None:
                    self._seconds[name].append(outcome.reply.seconds)
        times = sorted(self._seconds[name][-500:])
        judge.seconds = times[len(times) // 2] if times else judge.seconds
        self._asked(name)

    def recovered(self, name: str, bought: ModelCalls, ended: bool = False) -> None:
        """Counts of a judge after a start that was killed, from what the ledger holds of this run
        (`run_calls`).

        The ledger knows what came in after the row was last written. A call that an earlier run had
        given up carries that run's money too, so that a hard limit is reached too early rather than
        too late.
        """
        judge = self.judges[name]
        judge.calls = max(judge.calls, bought.sends)
        judge.money = max(judge.money, bought.money or 0)
        judge.unpriced = max(judge.unpriced, bought.unpriced)
        judge.perhaps_paid = max(judge.perhaps_paid, bought.perhaps_paid)
        for cause, count in bought.resends.items():
            judge.resends[cause] = max(judge.resends.get(cause, 0), count)
        judge.waits = max(judge.waits, judge.resends.get("rate_limited", 0))
        self._base[name] = judge.copy()
        # replies that were stored and not yet used when the end came are this run's own, not known
        # before it
        if ended:
            judge.known = min(judge.known, max(0, judge.done - bought.usable - bought.unusable))
        self._tell(force=True)

    def called(self, name: str, report: CallReport) -> None:
        """A judge is through with one go, or rests: now the sends count too that came to no end,
        and what was perhaps paid twice."""
        judge, base = self.judges[name], self._base[name]
        judge.calls = base.calls + report.sends
        judge.money = base.money + report.money
        judge.unpriced = base.unpriced + report.unpriced
        judge.resends = dict(Counter(base.resends) + report.resends)
        judge.perhaps_paid = base.perhaps_paid + report.perhaps_paid_again
        judge.waits = judge.resends.get("rate_limited", 0)
        # a judge may be asked in several goes
        self._base[name] = judge.copy()
        if report.error is not None:
            self._stages.fail(self._stage_of(name))
        self._tell(force=True)

    def routing(self) -> None:
        """Routing starts."""
        self._stages.finish("measure", "judge")
        self._move("route", 0, 0)

    def sorting(self, what: str, done: int, total: int) -> None:
        """Routing sorts cells from sure to doubtful; `what` says so in words."""
        self._stages.begin("route", what)
        self._move("route", done, total)

    def routed(self, cells: int) -> None:
        """Routing is done."""
        self._stages.begin("route", say("runs.stage.route.detail"))
        self._move("route", cells, cells)
        self._stages.finish("route")

    def rest(self) -> tuple[RunState, str]:
        """The state of a run that people asked to pause or stop."""
        return (
            (RunState.PAUSED, say("runs.rest.paused"))
            if self.wanted == Wish.PAUSE
            else (RunState.STOPPED, say("runs.rest.stopped"))
        )

    def all_split(self) -> None:
        """No answer is left to be split."""
        self._stages.skip("split")

    def only_judging(self) -> None:
        """Nothing is measured and nothing routed."""
        self._stages.only("judge", "split")

    def leave(self, state: RunState) -> None:
        """The run ends or rests before its time; `state` is the run's: paused, stopped, failed."""
        self._stages.leave(state)

    def stop_judging(self, reached: Sequence[str], name: str = "") -> None:
        """The judges, or `name` among those that are asked, end before their time, at the limits of
        the names that are `reached`."""
        self.reached = list(reached)
        self._stages.stop(self._stage_of(name))

    def wait_for_keys(self, waits: Mapping[str, str]) -> None:
        """Judging has still to come for some judges: they have no key."""
        self.waits = dict(waits)
        self._stages.wait("judge")

    def finish_judging(self) -> None:
        """Judging was the last stage."""
        self._stages.finish("split", "judge")

    def end(self) -> None:
        """No more signs of life."""
        self._stop.set()
        self._pulse.join()

    def to_json(self) -> JSON:
        """As the run's row keeps it."""
        return {
            "stages": [as_dict(stage) for stage in self.stages],
            "judges": [judge.to_json() for judge in self.judges.values()],
            "money": _known(
                self.money, self.unpriced + sum(judge.unsure for judge in self.judges.values())
            ),
            "unpriced": self.unpriced,
            "calls": self.calls,
            "without_verdict": self.without_verdict,
            "reasons": dict(self.reasons.most_common()),
            "problems": [problem.to_json() for problem in self.problems],
            **({"reached": self.reached} if self.reached else {}),
            **({"summary": as_dict(self.summary)} if self.summary else {}),
            **({"waits": self.waits} if self.waits else {}),
        }

    def _stage_of(self, name: str) -> str:
        return "split" if name and name == self._splitter else "judge"

    def _asked(self, name: str) -> None:
        """A judge, or the model that splits, is so far: its stage is."""
        stage = self._stage_of(name)
        rows = [judge for other, judge in self.judges.items() if self._stage_of(other) == stage]
        self._move(stage, sum(judge.done for judge in rows), sum(judge.total for judge in rows))

    def _move(self, name: str, done: int, total: int) -> None:
        self._stages.move(name, done, total)
        if name in ("measure", "judge"):
            self._stages.finish(*(("split",) if name == "measure" else ("split", "measure")))
        self._tell(force=done >= total)

    def _tell(self, force: bool = False) -> None:
        now = time.monotonic()
        if not force and now - self._told < EVERY:
            return
        with self._lock:
            self._told = now
            self.wanted = run_store.report(self.ws, self.run_id, self.to_json())
        self.listen(self)

    def _beat(self) -> None:
        while not self._stop.wait(1.0):
            with self._lock:
                if not self._stop.is_set():
                    self.wanted = run_store.report(self.ws, self.run_id, self.to_json())
        self.ws.close()


def _known(money: float, unpriced: int) -> float | None:
    """US dollars, or None where nothing that was paid has a known price: unknown is not 0.
    `unpriced`: what has none."""
    return None if unpriced and not money else money
