"""The progress of a run: counts, rates, time left and money, written to the run's row at most a few times a second."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from graders.core.records import Verdict
from graders.store import runs as run_store
from graders.store.workspace import Workspace
from graders.workflows.call import CallReport, Outcome

#: Seconds between two writes of the row, and between two looks at what people want.
EVERY = 0.4


class Progress:
    """Counts of a run. Methods may be called from several threads."""

    def __init__(
        self, ws: Workspace, run_id: int, judges: Sequence[str], before: Mapping[str, Any], listen: Callable[[Progress], None]
    ) -> None:
        self.ws, self.run_id, self.listen = ws, run_id, listen
        self.wanted = "run"
        self.money = float(before.get("money") or 0.0)
        self.unpriced = int(before.get("unpriced") or 0)
        self.calls = int(before.get("calls") or 0)
        self.without_verdict = 0
        self.stages: list[dict[str, Any]] = [
            _stage("measure", "Measure", "rules and metrics"),
            _stage(
                "judge",
                "Judge",
                f"{len(judges)} judge{'s' * (len(judges) != 1)}" if judges else "no judge chosen",
                "waiting" if judges else "skipped",
            ),
            _stage("route", "Route", "every cell gets a reason"),
        ]
        self.judges: dict[str, dict[str, Any]] = {
            name: {
                "name": name,
                "done": 0,
                "total": 0,
                "known": 0,
                "waits": 0,
                "repaired": 0,
                "unreadable": 0,
                "quotes_missing": 0,
                "seconds": None,
                "money": 0.0,
                "resends": {},
                "perhaps_paid": 0,
            }
            for name in judges
        }
        self._seconds: dict[str, list[float]] = {name: [] for name in judges}
        self._begun: dict[str, tuple[float, int]] = {}
        self._told = 0.0
        self._lock = threading.Lock()
        self._stop = threading.Event()
        # Long batches must not look like a dead worker: a thread says every second that the process lives.
        self._pulse = threading.Thread(target=self._beat, daemon=True)
        self._pulse.start()

    def should_stop(self) -> bool:
        """Whether people want the run to pause or stop; looks at the row now and then."""
        self._tell()
        return self.wanted != "run"

    def measured(self, done: int, total: int) -> None:
        """Answers that rules and metrics are through with."""
        self._move("measure", done, total)

    def judging(self, name: str, total: int) -> None:
        """A judge starts."""
        self.judges[name]["total"] = total
        self._move("judge", self._judged(), sum(j["total"] for j in self.judges.values()))

    def judged(self, name: str, outcomes: Sequence[Outcome]) -> None:
        """Calls that ended."""
        judge = self.judges[name]
        for outcome in outcomes:
            judge["done"] += 1
            judge["known"] += outcome.known
            judge["waits"] += outcome.resends.count("rate_limited")
            judge["repaired"] += bool(outcome.resends) and not outcome.cause
            judge["unreadable"] += bool(outcome.cause)
            self.without_verdict += len(outcome.request.criteria) if outcome.cause else 0
            judge["quotes_missing"] += sum(
                e.found is False for item in outcome.items if isinstance(item, Verdict) for e in item.mark.evidence
            )
            for cause in outcome.resends:
                judge["resends"][cause] = judge["resends"].get(cause, 0) + 1
            if not outcome.known:
                self.calls += outcome.sends
                self.unpriced += outcome.money is None
                judge["unpriced"] = judge.get("unpriced", 0) + (outcome.money is None)
                judge["money"] += outcome.money or 0.0
                self.money += outcome.money or 0.0
                if outcome.reply.seconds is not None:
                    self._seconds[name].append(outcome.reply.seconds)
        times = sorted(self._seconds[name][-500:])
        judge["seconds"] = times[len(times) // 2] if times else None
        self._move("judge", self._judged(), sum(j["total"] for j in self.judges.values()))

    def called(self, name: str, report: CallReport) -> None:
        """A judge is through: what was perhaps paid twice."""
        self.judges[name]["perhaps_paid"] += report.perhaps_paid_again
        self._tell(force=True)

    def routing(self) -> None:
        """Routing starts."""
        self._finish("measure", "judge")
        self._move("route", 0, 0)

    def routed(self, cells: int) -> None:
        """Routing is done."""
        self._move("route", cells, cells)
        self._finish("route")

    def rest(self) -> tuple[str, str]:
        """The state of a run that people asked to pause or stop."""
        return ("paused", "Paused; everything is kept.") if self.wanted == "pause" else ("stopped", "Stopped; everything is kept.")

    def skip_rest(self) -> None:
        """The judges end before their time."""
        self._finish("measure")

    def end(self) -> None:
        """No more signs of life."""
        self._stop.set()
        self._pulse.join()

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "stages": self.stages,
            "judges": list(self.judges.values()),
            "money": self.money,
            "unpriced": self.unpriced,
            "calls": self.calls,
            "without_verdict": self.without_verdict,
        }

    def _judged(self) -> int:
        return sum(judge["done"] for judge in self.judges.values())

    def _move(self, name: str, done: int, total: int) -> None:
        now = time.monotonic()
        begun, first = self._begun.setdefault(name, (now, done))
        took = now - begun
        rate = (done - first) / took if took > 0.2 and done > first else None
        stage = next(s for s in self.stages if s["name"] == name)
        stage.update(
            state="now", done=done, total=total, rate=rate, took_seconds=took, left_seconds=(total - done) / rate if rate else None
        )
        if name == "judge":
            self._finish("measure")
        self._tell(force=done >= total)

    def _finish(self, *names: str) -> None:
        for stage in self.stages:
            if stage["name"] in names and stage["state"] == "now":
                stage.update(state="done", left_seconds=0.0)

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


def _stage(name: str, title: str, detail: str, state: str = "waiting") -> dict[str, Any]:
    return {
        "name": name,
        "title": title,
        "detail": detail,
        "state": state,
        "done": 0,
        "total": 0,
        "rate": None,
        "left_seconds": None,
        "took_seconds": None,
    }
