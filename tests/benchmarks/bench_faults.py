"""Killed at fifty random moments: a judge's run, an import and two people at work in processes of
their own, all killed at once.

After each kill the workspace is opened as the app opens it, and searched for acknowledged saves
that are gone, for rows that point nowhere, and for counts that differ from a fresh count. At the
end a last run goes through: what was bought twice was on the way at a kill.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import IO, Any

from graders.store import projects
from graders.store.calls import runs as run_store
from graders.store.transfer import imports as import_store
from graders.store.workspace import Workspace, open_workspace
from graders.workflows.importing import stage as importing_stage
from graders.workflows.routing.route import route
from graders.workflows.runs.runs import Options, execute
from tests.store import small
from tests.support.stub import provider_stub

ROOT = Path(__file__).parents[2]
KILLS, AT_ONCE, SEED = 50, 8, 20_261
QUESTIONS, MORE, MODELS = 60, 15, ("Ash", "Oak", "Elm")


def start(out: IO[str], *arguments: object) -> subprocess.Popen[str]:
    """One actor; what it acknowledges goes to `out`."""
    command = [sys.executable, "-m", "tests.faults.driver", *map(str, arguments)]
    environment = {**os.environ, "OPENAI_API_KEY": "nobody"}
    return subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=out, stderr=subprocess.DEVNULL, text=True
    )


def complaints(ws: Workspace, safe: set[str]) -> list[str]:
    """What is wrong with a workspace in which these saves were acknowledged."""
    found = ws.check()
    # Three answers of four criteria each; an acknowledged save has all its verdicts.
    whole = {
        row[0]
        for row in ws.db.execute(
            "SELECT save_id FROM verdict WHERE save_id <> '' GROUP BY save_id HAVING count(*) = 12"
        )
    }
    found += [f"the acknowledged save {name} is not whole" for name in sorted(safe - whole)]
    halves = ws.db.execute(
        "SELECT count(*) FROM (SELECT 1 FROM verdict WHERE save_id <> '' GROUP BY save_id HAVING count(*) <> 12)"
    ).fetchone()[0]
    found += [f"{halves} saves are there in part"] if halves else []
    found += (
        ["tallies differ from a fresh count"]
        if not same(small.tallied(ws), small.recount(ws))
        else []
    )
    found += (
        ["opinions differ from the verdicts that stand"]
        if small.opinions(ws) != small.standing(ws)
        else []
    )
    found += ["free places differ from a fresh count"] if small.free(ws) != small.places(ws) else []
    return found


def same(one: dict[Any, list[float]], other: dict[Any, list[float]]) -> bool:
    """Whether two sets of sums are equal, but for rounding."""
    return set(one) == set(other) and all(
        abs(a - b) < 1e-6 for key in one for a, b in zip(one[key], other[key], strict=True)
    )


def next_file(place: Path, ws: Workspace) -> Path:
    """Some more questions than there are, with their answers, and another text for some of the old
    answers."""
    there = ws.db.execute(
        "SELECT count(*) FROM question WHERE import_id IN (SELECT id FROM import WHERE state = 'done')"
    ).fetchone()[0]
    asked, given = small.questions(there + MORE), small.answers(there + MORE, MODELS)
    changed = [{**answer, "text": f"{answer['text']} Now {there}."} for answer in given[:6]]
    return small.folder(
        place, "source", questions=asked[there:], answers=[*changed, *given[there * len(MODELS) :]]
    )


def one_kill(
    place: Path, ws: Workspace, run: int, dice: random.Random, turn: int, safe: set[str]
) -> list[str]:
    """Let all work for a while, kill them, look."""
    importing_stage.sweep_interrupted(ws)
    out = place / f"said-{turn}"
    with out.open("w") as stream:
        working = [
            start(stream, "person", ws.path, "mira"),
            start(stream, "person", ws.path, "jon"),
            start(stream, "run", ws.path, run),
            start(stream, "import", ws.path, next_file(place, ws)),
        ]
        while out.read_text().count("ready") < len(working) and all(
            process.poll() is None for process in working
        ):
            time.sleep(0.01)
        time.sleep(dice.random() * 0.8)
        for process in working:
            process.kill()
        for process in working:
            process.wait()
    safe.update(line for line in out.read_text().splitlines() if line.startswith(("mira-", "jon-")))
    with ws.write() as db:
        db.execute(
            "UPDATE import SET heartbeat = heartbeat - ? WHERE state = 'staging'",
            (import_store.STALE_SECONDS + 1,),
        )
    return complaints(ws, safe)


def asked_again(counts: dict[str, Any]) -> int:
    """Calls that were asked more than once until now."""
    return int(counts["requests"] - counts["paid_distinct"])


def main() -> list[dict[str, Any]]:
    """Figures: saves lost, complaints, calls asked again after a kill."""
    dice, safe, wrong, again = random.Random(SEED), set[str](), list[str](), [0]
    with tempfile.TemporaryDirectory() as folder, provider_stub(latency=0.03) as stub:
        place = Path(folder)
        ws = open_workspace(place / "work.db")
        small.study(place, ws, count=QUESTIONS, models=MODELS)
        project = projects.get_project(ws, "study")
        options = Options(judges=("openai:stub",), concurrency=AT_ONCE, base_url=stub.base_url)
        run = run_store.add_run(ws, project, options.to_json(), {}, "")
        for turn in range(KILLS):
            if run_store.get_run(ws, run).state == "done":
                run = run_store.add_run(ws, project, options.to_json(), {}, "")
            wrong += one_kill(place, ws, run, dice, turn, safe)
            again.append(asked_again(stub.stats()))
            route(small.scope_of(ws), "study")
        if run_store.get_run(ws, run).state == "done":
            run = run_store.add_run(ws, project, options.to_json(), {}, "")
        os.environ.setdefault("OPENAI_API_KEY", "nobody")
        execute(ws, run)
        wrong += complaints(ws, safe)
        counts = stub.stats()
        again.append(asked_again(counts))
        imported = ws.db.execute(
            "SELECT count(*) FROM import WHERE state = 'done' AND id > 1"
        ).fetchone()[0]
    worst = max(later - earlier for earlier, later in pairwise(again))
    for complaint in sorted(set(wrong))[:20]:
        print(complaint, file=sys.stderr)
    lost = sum("acknowledged" in complaint for complaint in wrong)
    return [
        row(f"{KILLS} kills: acknowledged saves lost, of {len(safe)}", lost, 0),
        row(
            f"{KILLS} kills, {imported} imports finished between: other complaints of integrity",
            len(wrong) - lost,
            0,
        ),
        row(
            f"{KILLS} kills: calls asked again after the worst of them, of {counts['paid_distinct']} in all",
            worst,
            AT_ONCE,
        ),
    ]


def row(name: str, figure: float, bar: float) -> dict[str, Any]:
    """One line of the report."""
    return {
        "name": name,
        "figure": round(figure, 2),
        "bar": bar,
        "ratio": round(figure / bar, 3) if bar else None,
        "met": figure <= bar,
    }


if __name__ == "__main__":
    for line in main():
        print(line)
