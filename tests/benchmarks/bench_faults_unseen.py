"""How well rules find faults in cases whose writers saw neither rules nor earlier cases.

A set stays apart in `kept_cases` until its one first run, a figure on cases never tuned to. Then it
moves to `open_cases` with that figure, rules are tuned to it, and the next figure needs a new set:

    python -m tests.benchmarks.bench_faults_unseen --first-run

A first run also keeps what it flagged by fault and language. The precision that the product tells is
counted from these, all first runs together:

    python -m tests.benchmarks.bench_faults_unseen --write

A case counts as found when the rules name its fault in the answer; any fault named on a case without
one is a false flag, whichever rule names it. Then what rules name in 1,050 real answers.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from graders.core.contracts import Finding
from graders.core.discovery import find, module_names
from tests.benchmarks import skipped
from tests.rules import unseen

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests" / "rules"
#: Sets that rules were tuned to, in the order of their first runs, then the one that is kept apart.
SETS = {
    **{f"open {one.name}": one for one in sorted((CASES / "open_cases").iterdir())},
    "kept": CASES / "kept_cases",
}
FIRST_RUN = "first_run.json"
PRECISION = ROOT / "graders" / "rules" / "precision.json"
DATA = ROOT.parent / "shared" / "data"
#: Real answers: how many of each set, from its beginning.
REAL = {"alttest_mtbench": 204, "alttest_wax": 246, "nq301": 300, "summeval": 300}
LEAST_RECALL, LEAST_UPPER, MOST_CLEAN, MOST_LOOKALIKE = 0.9, 0.75, 0.02, 0.1


def main() -> list[dict[str, Any]]:
    """Prints a table per set; its figures by the bars, the kept set's first run beside today's."""
    rows: list[dict[str, Any]] = []
    for name, folder in SETS.items():
        if not any(folder.glob("*.jsonl")):
            rows.append(
                skipped(f"unseen faults, {name}: no cases in {folder.relative_to(ROOT)} yet")
            )
            continue
        counted = unseen.count(unseen.named(unseen.load(folder)))
        print("\n".join(table(name, counted)), file=sys.stderr)
        tuned = "" if name == "kept" else ", tuned to"
        rows += bars(f"{name}{tuned}", unseen.figures(counted))
        first = first_run(folder)
        if first:
            rows += bars(f"{name}, first run of {first['day']}", first)
        elif name == "kept":
            rows.append(skipped("unseen faults, kept: its first run has not been made"))
    return [*rows, real_answers()]


def bars(name: str, figures: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A row per bar: recall over all and by language, the fault found worst, false flags."""
    for language, shares in sorted(figures["languages"].items()):
        of = "" if language == "all" else f", {language}"
        yield row(f"{name}{of}: recall", shares["recall"], LEAST_RECALL)
        yield row(f"{name}{of}: false flags on clean", shares["clean"], MOST_CLEAN, most=True)
        yield row(
            f"{name}{of}: false flags on look-alikes",
            shares["lookalike"],
            MOST_LOOKALIKE,
            most=True,
        )
    fault, worst = min(figures["faults"].items(), key=lambda item: item[1]["upper"])
    yield row(
        f"{name}: upper 95 % bound of the fault found worst, {fault} ({worst['found']} of "
        f"{worst['of']})",
        worst["upper"],
        LEAST_UPPER,
    )


def row(name: str, figure: float, bar: float, most: bool = False) -> dict[str, Any]:
    return {
        "name": f"unseen faults, {name}",
        "figure": round(figure, 3),
        "bar": bar,
        "ratio": round(figure / bar, 3),
        "met": figure <= bar if most else figure >= bar,
    }


def table(name: str, counted: dict[tuple[str, str], unseen.Counted]) -> Iterator[str]:
    """Found of there are by fault and language, then false flags of each kind."""
    languages = sorted({language for _, language in counted} - {"all"})
    yield (
        f"\n{name:<24}"
        + "".join(f"{one:>8}" for one in [*languages, "all"])
        + "   upper   clean  alike"
    )
    for fault in [*sorted({fault for fault, _ in counted} - {"all"}), "all"]:
        cells = [counted[fault, one] for one in [*languages, "all"]]
        whole = cells[-1]
        yield (
            f"{fault:<24}"
            + "".join(f"{one.told['fault']:>4}/{one.cases['fault']:<3}" for one in cells)
            + f"   {whole.upper():5.3f}"
            + "".join(
                f"{whole.told[kind]:>4}/{whole.cases[kind]:<3}" for kind in ("clean", "lookalike")
            )
        )


def first_run(folder: Path) -> dict[str, Any] | None:
    """What the first run of the set as it is gave."""
    runs = _runs(folder)
    return next((run for run in runs if run["set"] == unseen.hash_of_set(folder)), None)


def run_first(folder: Path) -> dict[str, Any]:
    """Run a set for the first time and keep its figures; ValueError where that was done."""
    if not any(folder.glob("*.jsonl")):
        raise ValueError(f"{folder}: no cases there.")
    if first_run(folder):
        raise ValueError(
            f"{folder / FIRST_RUN}: the first run of this set is there. A second one is none; "
            "the next figure needs a new set."
        )
    cases = unseen.named(unseen.load(folder))
    made = {
        "day": datetime.now(UTC).date().isoformat(),
        "set": unseen.hash_of_set(folder),
        "rules": unseen.hash_of_rules(),
        **unseen.figures(unseen.count(cases)),
        "flags": unseen.flags(cases),
    }
    text = json.dumps([*_runs(folder), made], indent=1) + "\n"
    (folder / FIRST_RUN).write_text(text, "utf-8")
    return made


def _runs(folder: Path) -> list[dict[str, Any]]:
    path = folder / FIRST_RUN
    return json.loads(path.read_text("utf-8")) if path.exists() else []


def precision() -> dict[str, dict[str, list[int]]]:
    """What the product is told: by rule and language on how many answers the first runs of all sets
    flagged its fault, and on how many of these rightly."""
    runs = [run for folder in SETS.values() if (run := first_run(folder))]
    found: dict[str, dict[str, list[int]]] = {}
    for name in module_names("rules"):
        rule = find("rules", name)
        if not rule.fault or rule.finding is Finding.MEASURED:
            continue
        rows = [run["flags"].get(rule.fault, {}) for run in runs]
        pooled = {
            language: [sum(row.get(language, (0, 0))[at] for row in rows) for at in (0, 1)]
            for language in sorted({one for row in rows for one in row})
        }
        if pooled:
            found[name] = pooled
    return found


def written() -> str:
    """The text of the product's file: a line per rule."""
    lines = (f" {json.dumps(name)}: {json.dumps(row)}" for name, row in precision().items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def real_answers() -> dict[str, Any]:
    """The row of flags on real answers; which ones they are is printed."""
    if not all((DATA / name / "answers.jsonl").exists() for name in REAL):
        return skipped("unseen faults, real answers: no data in ../shared/data")
    flags = Counter[str]()
    for name, most in REAL.items():
        for question, answer, model in _real(name, most):
            for fault in sorted(_faults(question, answer)):
                flags[fault] += 1
                place = f"{name}/{question['id']}/{model}"
                print(f"{fault} in {place}: {' '.join(answer.split())[:100]}", file=sys.stderr)
    told = ", ".join(f"{fault} {n}" for fault, n in flags.most_common())
    count = sum(flags.values())
    return {
        "name": f"unseen faults, flags in {sum(REAL.values()):,} real answers ({told or 'none'})",
        "figure": count,
        "bar": MOST_FLAGS,
        "ratio": round(count / MOST_FLAGS, 3),
        "met": count <= MOST_FLAGS,
    }


def _faults(question: dict[str, Any], answer: str) -> set[str]:
    context = (question["context"],) if question["context"] else ()
    return unseen.faults_in(question["text"], answer, context=context)


def _real(name: str, most: int) -> Iterator[tuple[dict[str, Any], str, str]]:
    folder = DATA / name
    questions = {
        one["id"]: one
        for one in map(json.loads, (folder / "questions.jsonl").open(encoding="utf-8"))
    }
    for at, line in enumerate((folder / "answers.jsonl").open(encoding="utf-8")):
        if at == most:
            return
        answer = json.loads(line)
        yield questions[answer["question_id"]], answer["text"], answer["model"]


#: Flags in the real answers that were looked through by hand; more need a look.
MOST_FLAGS = 17


if __name__ == "__main__":
    if sys.argv[1:] == ["--first-run"]:
        try:
            print(json.dumps(run_first(SETS["kept"]), indent=1))
        except ValueError as error:
            raise SystemExit(str(error)) from None
    elif sys.argv[1:] == ["--write"]:
        PRECISION.write_text(written(), "utf-8")
    else:
        for line in main():
            print(line)
