"""The learned judge on public data: how right its verdicts and chances are, by number of labels;
and how long a refit takes.

60 splits: 20 random thirds of the questions. In each, one third is judged (nq301: 100 questions) by
what was learned from 50 to 400 cells drawn from the rest, so that every question is judged equally
often and no split is lucky. Human values: nq301 the adjudicated one, summeval the median of three
experts. Everything goes through the judge itself; only the figures that it makes about its own
labels are left out, which nobody reads here.
"""

from __future__ import annotations

import json
import random
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from graders.core.derived_judges import LabelValues
from graders.core.records import Answer, KnownCell, Mark, Question, Subject, SubjectKey
from graders.core.rubric import Criterion
from graders.core.scale import YES_NO, Scale
from graders.core.text import characters
from graders.judges.learned import LearnedJudge
from graders.metrics.token_f1 import TokenF1
from graders.rules.exact_match import ExactMatch
from graders.statistics.calibration import brier, ece
from graders.statistics.learned import Learned, decide, learn, shortfall
from graders.statistics.multinomial import fit
from graders.store.workspace import open_workspace
from graders.workflows.learning.learn import learn_now
from tests.benchmarks import STATES, skipped
from tests.store import small

DATA = Path(__file__).resolve().parents[2] / "../shared/data"
BRIER = {50: 0.126, 100: 0.121, 200: 0.119, 400: 0.117}
BEST_JUDGE, WITHIN_BRIER, WITHIN_RIGHT = 0.848, 0.002, 0.005
BEM = "BEM (BERT matching, not an LLM)"
PANEL = (
    "gpt-4-0314/rts",
    "alttest/gpt-4o",
    "alttest/gemini_pro",
    "gpt-3.5-turbo-0301/rts",
    "alttest/gpt-4o-mini",
)
ONE_TO_FIVE = Scale.from_spec([1, 5])
Cells = list[KnownCell]


class Figures(NamedTuple):
    """Share of verdicts that are right, Brier score and calibration error of their confidence."""

    right: float
    brier: float
    ece: float


def main() -> list[dict[str, Any]]:
    """Measure; one row per bar: name, figure, bar, ratio (figure / bar), met."""
    rows = [refit(), refit_of_a_project()]
    if not (DATA / "nq301").is_dir() or not (DATA / "summeval").is_dir():
        return [
            *rows,
            skipped(
                f"learned: the data sets nq301 and summeval are not beside the checkout (looked in {DATA})."
            ),
        ]
    cells, criterion = nq301()
    plain = [
        replace(cell, judges={name: mark for name, mark in cell.judges.items() if name != BEM})
        for cell in cells
    ]
    for label, which in (("LLM verdicts + metrics", plain), ("the same + BEM", cells)):
        print(f"\nnq301, {label}: labels, right, Brier, ECE")
        for n, bar in BRIER.items():
            (found,), refused = splits(which, criterion, n)
            print(line(n, found, refused))
            if which is plain:
                rows.append(
                    at_most(f"learned: Brier on nq301, {n} labels", found.brier, bar + WITHIN_BRIER)
                )
                rows.append(
                    at_most(
                        f"learned: less often right than gpt-4, {n} labels",
                        BEST_JUDGE - found.right,
                        WITHIN_RIGHT,
                    )
                )
    rows += raw_bem(cells)
    for name in ("coherence", "consistency", "fluency", "relevance"):
        summeval_table(name)
    return rows


def splits(
    cells: Cells, criterion: Criterion, n: int, tolerances: Sequence[float] = (0.0,)
) -> tuple[list[Figures], int]:
    """Means over 60 splits, one per tolerance; and how many splits had too few labels that
    differ."""
    judge = LearnedJudge(learner=only_fit)
    numbers = np.array(criterion.scale.numbers)
    found: list[list[Figures]] = [[] for _ in tolerances]
    for seed, judged in enumerate(thirds(sorted({cell.question_id for cell in cells}))):
        rest = [cell for cell in cells if cell.question_id not in judged]
        drawn = np.random.default_rng(1000 + seed).choice(len(rest), n, replace=False)
        lesson = judge.study([rest[i] for i in drawn], criterion)
        if lesson.refused:
            continue
        test = [cell for cell in cells if cell.question_id in judged]
        said = [verdict.metadata["chances"] for verdict in judge.apply(lesson, test, criterion)]
        p = np.array(
            [[chances.get(str(value), 0.0) for value in criterion.scale.values] for chances in said]
        )
        truth = np.array([criterion.scale.number(cell.people) for cell in test])
        for at, tolerance in enumerate(tolerances):
            guess = decide(p, numbers, tolerance)
            hit = np.abs(numbers[guess.codes] - truth) <= tolerance
            found[at].append(
                Figures(
                    hit.mean(),
                    ((guess.confidence - hit) ** 2).mean(),
                    plain_ece(guess.confidence, hit),
                )
            )
    means = [
        Figures(*(float(x) for x in np.mean(each, axis=0)))
        if each
        else Figures(np.nan, np.nan, np.nan)
        for each in found
    ]
    return means, 60 - len(found[0])


def only_fit(X: Any, y: Any, g: Any, values: LabelValues, **unused: Any) -> Learned:
    """As `learn`, without the figures about the labels themselves."""
    refused = shortfall(y, g, values.words)
    model = None if refused else fit(X, y, ordered=values.ordered)
    return Learned(
        labels=len(y),
        questions=len(np.unique(g)),
        refused=refused,
        model=model,
        numbers=np.array(values.numbers, float),
    )


def thirds(questions: Sequence[str]) -> Iterator[set[str]]:
    """20 times three disjoint thirds."""
    size = len(questions) // 3
    for seed in range(20):
        order = np.random.default_rng(seed).permutation(len(questions))
        for at in range(3):
            yield {questions[i] for i in order[at * size : (at + 1) * size]}


def plain_ece(p: np.ndarray, hit: np.ndarray) -> float:
    parts = np.array_split(np.argsort(p, kind="stable"), 10)
    return float(sum(abs(p[part].sum() - hit[part].sum()) for part in parts) / len(p))


def nq301() -> tuple[Cells, Criterion]:
    """Cells that all three judges have judged, with token F1 and the exact match rule."""
    criterion = Criterion(rubric="nq301", name="correctness", scale=YES_NO)
    questions = {row["id"]: row for row in rows_of(DATA / "nq301/questions.jsonl")}
    texts = {
        (row["question_id"], row["model"]): row["text"]
        for row in rows_of(DATA / "nq301/answers.jsonl")
    }
    human = {
        (row["question_id"], row["model"]): row["value"]
        for row in rows_of(DATA / "nq301/human.jsonl")
        if row["annotator"] == "adjudicated" and row["value"]
    }
    judges: dict[tuple[str, str], dict[str, Mark]] = defaultdict(dict)
    for row in rows_of(DATA / "nq301/judge.jsonl"):
        if row["value"]:
            # BEM states P(Yes), a mark how sure it is of its own value.
            yes = row.get("confidence")
            sure = yes if yes is None or row["value"] == "Yes" else 1 - yes
            judges[row["question_id"], row["model"]][row["judge"]] = Mark(
                value=row["value"], confidence=sure
            )
    keys = [key for key in sorted(texts) if key in human and len(judges[key]) == 3]
    subjects = [
        Subject(
            Question(
                id=q,
                text=questions[q]["text"],
                language="en",
                references=tuple(questions[q]["reference"]),
            ),
            Answer(question_id=q, model=model, text=texts[q, model]),
        )
        for q, model in keys
    ]
    values = TokenF1().compute(subjects, [subject.question.references for subject in subjects])
    return [
        KnownCell(
            subject=subject.key,
            judges=judges[key],
            rules={"exact_match": ExactMatch().grade(subject, criterion)},
            metrics={
                "token_f1": next(value.value for value in found if value.metric == "token_f1")
            },
            answer_characters=characters(subject.answer.text),
            question_characters=characters(subject.question.text),
            people=human[key],
        )
        for key, subject, found in zip(keys, subjects, values, strict=True)
    ], criterion


def raw_bem(cells: Cells) -> list[dict[str, Any]]:
    """BEM's own probabilities on its 1,489 rows."""
    rows = [
        row for row in rows_of(DATA / "nq301/judge.jsonl") if row["judge"] == BEM and row["value"]
    ]
    human = {
        (row["question_id"], row["model"]): row["value"] == "Yes"
        for row in rows_of(DATA / "nq301/human.jsonl")
        if row["annotator"] == "adjudicated"
    }
    p = [row["confidence"] for row in rows]
    y = [human[row["question_id"], row["model"]] for row in rows]
    g = np.unique([row["question_id"] for row in rows], return_inverse=True)[1]
    found = []
    for name, (figure, floor), published in (
        ("Brier", brier(p, y, g), 0.162501),
        ("ECE", ece(p, y, g), 0.120882),
    ):
        print(
            f"nq301, raw BEM on {len(p)} rows: {name} {figure.value:.6f} ({figure.low:.3f} to {figure.high:.3f}), floor {floor:.3f}"
        )
        found.append(
            at_most(f"learned: raw BEM {name}, off by", abs((figure.value or 0) - published), 5e-7)
        )
    return found


def summeval_table(name: str) -> None:
    """The same table for one criterion of summeval, exact and within one, beside the best single
    judge and constant."""
    cells, criterion = summeval(name)
    truth = np.array([float(cell.people or 0) for cell in cells])
    learned = {n: splits(cells, criterion, n, (0.0, 1.0)) for n in BRIER}
    for at, tolerance in enumerate((0.0, 1.0)):
        print(f"\nsummeval {name}, within {tolerance:g}: labels, right, Brier, ECE")
        for n, (found, refused) in learned.items():
            print(line(n, found[at], refused))
        for judge in PANEL:
            right = float(
                (
                    np.abs(
                        np.array([float(cell.judges[judge].value or 0) for cell in cells]) - truth
                    )
                    <= tolerance
                ).mean()
            )
            print(f"        {right:.3f}  {1 - right:.4f}  {judge}")
        shares = {
            value: float((np.abs(value - truth) <= tolerance).mean()) for value in range(1, 6)
        }
        always = max(shares, key=lambda value: shares[value])
        print(
            f"        {shares[always]:.3f}  {shares[always] * (1 - shares[always]):.4f}  always {always}"
        )


def line(n: int, found: Figures, refused: int) -> str:
    """A row of a table."""
    said = (
        f"  {n:>4}  {found.right:.3f}  {found.brier:.4f}  {found.ece:.3f}"
        if refused < 60
        else f"  {n:>4}  -"
    )
    return said + (
        f"  ({refused} of 60 draws refused: too few labels that differ)" if refused else ""
    )


def summeval(name: str) -> tuple[Cells, Criterion]:
    """All cells of a criterion, with five judges."""
    people: dict[tuple[str, str], list[int]] = defaultdict(list)
    for row in rows_of(DATA / "summeval/human.jsonl"):
        if row["criterion"] == name and row["annotator"].startswith("expert"):
            people[row["question_id"], row["model"]].append(row["value"])
    judges: dict[tuple[str, str], dict[str, Mark]] = defaultdict(dict)
    for row in rows_of(DATA / "summeval/judge.jsonl"):
        if row["criterion"] == name and row["judge"] in PANEL and row["value"] is not None:
            value = min(max(int(np.floor(float(row["value"]) + 0.5)), 1), 5)
            judges[row["question_id"], row["model"]][row["judge"]] = Mark(value=value)
    lengths = {
        (row["question_id"], row["model"]): characters(row["text"])
        for row in rows_of(DATA / "summeval/answers.jsonl")
    }
    cells = [
        KnownCell(
            subject=SubjectKey(*key),
            judges=judges[key],
            answer_characters=lengths[key],
            people=int(np.median(people[key])),
        )
        for key in sorted(people)
        if len(judges[key]) == len(PANEL)
    ]
    return cells, Criterion(rubric="summeval", name=name, scale=ONE_TO_FIVE)


def refit() -> dict[str, Any]:
    """Seconds from 5,000 labelled cells of a scale of five values to verdicts on them, all figures
    included."""
    generator = np.random.default_rng(1)
    truth = generator.integers(1, 6, 5000)
    cells = [
        KnownCell(
            subject=SubjectKey(f"q{at // 5}", f"m{at % 5}"),
            judges={
                f"judge{j}": Mark(
                    value=int(np.clip(value + generator.integers(-1, 2), 1, 5)), confidence=0.8
                )
                for j in range(6)
            },
            metrics={f"metric{m}": float(value + generator.normal()) for m in range(8)},
            answer_characters=int(generator.integers(50, 3000)),
            question_characters=int(generator.integers(20, 200)),
            people=int(value),
        )
        for at, value in enumerate(truth)
    ]
    took = []
    for _ in range(3):
        started = time.perf_counter()
        LearnedJudge(learner=learn).derive(
            cells, Criterion(rubric="r", name="c", scale=ONE_TO_FIVE)
        )
        took.append(time.perf_counter() - started)
    return at_most("learned: seconds of a refit on 5,000 labels, best of 3", min(took), 5.0)


def refit_of_a_project() -> dict[str, Any]:
    """Seconds of the background refit of a project: 5,000 blind verdicts on a scale of five, two
    judges; reading, learning and writing."""
    generator = random.Random(1)
    with tempfile.TemporaryDirectory() as place:
        scope = small.scope_of(open_workspace(Path(place) / "bench.db"))
        models = ("Ash", "Oak", "Elm", "Fir", "Yew")
        true = {
            (f"q{q}", model): generator.randint(1, 5) for q in range(1, 1001) for model in models
        }
        human = [
            small.human(*key, "small/completeness", "mira", value) for key, value in true.items()
        ]
        judge = [
            small.judge(
                *key, "small/completeness", name, min(5, max(1, value + generator.randint(-1, 1)))
            )
            for key, value in true.items()
            for name in ("north", "south")
        ]
        tables = {
            "questions": small.questions(1000),
            "answers": small.answers(1000, models),
            "human": human,
            "judge": judge,
        }
        small.bring(scope, small.folder(Path(place), "study", **tables))
        started = time.perf_counter()
        learn_now(scope, "study", None)
        return at_most(
            "learned: seconds of a project's refit, 5,000 labels, store included",
            time.perf_counter() - started,
            5.0,
        )


def rows_of(path: Path) -> list[dict[str, Any]]:
    """The rows of a JSONL file."""
    return [json.loads(text) for text in path.read_text("utf-8").splitlines()]


def at_most(name: str, figure: float, bar: float) -> dict[str, Any]:
    return {
        "name": name,
        "figure": round(figure, 4),
        "bar": round(bar, 7),
        "ratio": round(figure / bar, 3),
        "met": figure <= bar,
    }


if __name__ == "__main__":
    for row in main():
        print(
            f"{STATES[row['met']]:<7} {row['name']}: {row['figure']} (bar {row['bar']}, ratio {row['ratio']})"
        )
