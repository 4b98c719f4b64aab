"""The first labels: how many of them count, and how many studies have a first answer, simulated
through the use cases that the desk calls; and whether early figures hold what they say.

Each study: a judge right on .8, two people right on .9, three yes/no criteria with balanced truth,
30 screens from each person. `FIRST_LABELS_SEEDS=30` simulates that many studies of each size, and
`FIRST_LABELS_RUNS=4000` that many samples.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from graders.core.scale import YES_NO
from graders.statistics import looks
from graders.statistics.risk_control import select
from graders.store import projects
from graders.store.transfer import exchange
from graders.workflows.agreement import agree
from graders.workflows.review import grading
from graders.workflows.routing.route import route
from graders.workflows.scope.permissions import Actor, Scope
from tests.support import two_graders
from tests.support.routed import save
from tests.support.studies import bring, scope_at

#: Questions and models, and how many studies are simulated by default.
SIZES = (((100, 2), 6), ((60, 4), 4), ((1000, 5), 1))
JUDGE, PERSON, SCREENS, PEOPLE = 0.8, 0.9, 30, ("mira", "jon")
CRITERIA = ("relevance", "completeness", "tone")
RUBRIC = "rubric: small\ncriteria:\n" + "".join(
    f"  {name}: {{question: Is it so?, scale: ['No', 'Yes'], review: people}}\n"
    for name in CRITERIA
)
COUNTING, DRAWN, ANSWERED, COVERED = 0.75, 0.80, 0.93, 0.93
ALPHA, DELTA, POPULATION, ABOVE = 0.1, 0.1, 600, 1.02


@dataclass(frozen=True, slots=True)
class Outcome:
    """A study after its first screens: the shares of verdicts that count and of drawn screens, and
    the widths of each criterion's kappa between the judge and people, and among people, and of the
    headline, which is alpha."""

    counting: float
    drawn: float
    judge: tuple[float, ...]
    people: tuple[float, ...]
    headline: tuple[float, ...]


def main() -> list[dict[str, Any]]:
    """Measure; one row per bar: name, figure, bar, ratio (figure / bar), met."""
    rows = []
    for (questions, models), default in SIZES:
        seeds = int(os.environ.get("FIRST_LABELS_SEEDS", default))
        found = [_study(questions, models, seed) for seed in range(1, seeds + 1)]
        rows += list(_rows(f"{questions:,} x {models}, {seeds} studies", found))
    samples = int(os.environ.get("FIRST_LABELS_RUNS", 400))
    for prevalence in (0.5, 0.7, 0.9):
        share, ended = coverage(prevalence, samples)
        name = f"kappa's interval holds the truth, {prevalence:.0%} yes, ended at the first settled look"
        print(f"first_labels: {name}: {share:.3f}; looks that ended it {ended}")
        rows.append(_row(name, share, COVERED, share >= COVERED))
    share = violations(samples)
    rows.append(
        _row(
            f"a promise tested at all looks fails, true error {ALPHA * ABOVE:.3f}",
            share,
            DELTA,
            share <= DELTA,
        )
    )
    return rows


def _rows(size: str, found: list[Outcome]) -> Iterator[dict[str, Any]]:
    counting = float(np.mean([one.counting for one in found]))
    drawn = float(np.mean([one.drawn for one in found]))
    widths = np.array([one.judge for one in found])
    among = np.array([one.people for one in found])
    answered = (widths <= looks.WIDTH).mean(axis=0)
    print(
        f"first_labels: {size}: width of the judge's kappa {np.nanmean(widths):.2f} at the mean, "
        f"{widths.max():.2f} at most; people among themselves {np.nanmean(among):.2f}; "
        f"the judge's alpha {np.mean([one.headline for one in found]):.2f}"
    )
    yield _row(
        f"verdicts that count in Agreement, {size}", counting, COUNTING, counting >= COUNTING
    )
    yield _row(f"drawn screens, {size}", drawn, DRAWN, drawn >= DRAWN)
    least = float(answered.min())
    yield _row(
        f"kappa no wider than {looks.WIDTH} on each criterion, {size}",
        least,
        ANSWERED,
        least >= ANSWERED,
    )


def _study(questions: int, models: int, seed: int) -> Outcome:
    """A study that is brought in, routed, and graded by two people in turn."""
    random = np.random.default_rng(seed)
    truth = random.random((questions, models, len(CRITERIA))) < 0.5
    said = truth ^ (random.random(truth.shape) >= JUDGE)
    names = [f"m{place}" for place in range(models)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        scope = scope_at(folder)
        bring(scope, folder, RUBRIC, **_tables(names, said))
        exchange.set_seed(scope.ws, scope.project("study"), seed)
        route(scope, "study")
        values = _by_text(truth, names)
        for person in PEOPLE:
            projects.add_person(scope.ws, person.title(), person_id=person)
        for _ in range(SCREENS):
            for person in PEOPLE:
                _grade(Scope(Actor(person), scope.ws), values, random)
        report = agree.agreement(scope, "study")
        designs = scope.ws.db.execute(
            "SELECT s.design FROM assignment a JOIN screen s ON s.id = a.screen_id "
            "WHERE a.state = 'done'"
        ).fetchall()
        verdicts = scope.ws.db.execute(
            "SELECT count(*) FROM opinion o JOIN author a ON a.id = o.author_id "
            "WHERE a.kind = 'person'"
        ).fetchone()[0]
        scope.ws.close()
    left = report.left_out
    by_key = {one.key.split("/")[-1]: one for one in report.criteria}
    return Outcome(
        1 - (left.assisted + left.other_draws + left.earlier_wording) / verdicts,
        sum(row[0] == "calibration" for row in designs) / len(designs),
        tuple(
            _width(by_key[key].judges[0].people) if key in by_key else np.inf for key in CRITERIA
        ),
        tuple(_width(by_key[key].people.mean) if key in by_key else np.inf for key in CRITERIA),
        tuple(_width(by_key[key].judges[0].shown) if key in by_key else np.inf for key in CRITERIA),
    )


def _tables(names: list[str], said: Any) -> dict[str, list[dict[str, Any]]]:
    questions = range(len(said))
    return {
        "questions": [
            {"id": f"q{i}", "text": f"Question {i}?", "task_type": "factual"} for i in questions
        ],
        "answers": [
            {"question_id": f"q{i}", "model": model, "text": f"Reply {i} by {model}."}
            for i in questions
            for model in names
        ],
        "judge": [
            {
                "question_id": f"q{i}",
                "model": model,
                "judge": "north",
                "criterion": f"small/{criterion}",
                "value": "Yes" if said[i, m, c] else "No",
            }
            for i in questions
            for m, model in enumerate(names)
            for c, criterion in enumerate(CRITERIA)
        ],
    }


def _by_text(truth: Any, names: list[str]) -> dict[tuple[str, str], bool]:
    """(text of an answer, criterion) -> what is true of it."""
    return {
        (f"Reply {i} by {model}.", f"small/{criterion}"): bool(truth[i, m, c])
        for i in range(len(truth))
        for m, model in enumerate(names)
        for c, criterion in enumerate(CRITERIA)
    }


def _grade(mine: Scope, values: dict[tuple[str, str], bool], random: Any) -> None:
    """A person saves the next screen."""
    for screen in grading.next_screens(mine, "study", 1):
        save(mine, screen, _Hand(screen, values, random))


class _Hand:
    """What a person says of a screen's open cells, one after the other."""

    def __init__(self, screen: Any, values: dict[tuple[str, str], bool], random: Any) -> None:
        cells = [(answer, cell) for answer in screen.answers for cell in answer.cells if cell.open]
        self.said = iter(
            values[answer.text, cell.criterion] ^ bool(random.random() >= PERSON)
            for answer, cell in cells
        )

    def __call__(self, criterion: str, question: str) -> str:
        return "Yes" if next(self.said) else "No"


def _width(shown: Any) -> float:
    return np.inf if shown.low is None or shown.high is None else float(shown.high - shown.low)


def coverage(prevalence: float, samples: int) -> tuple[float, dict[int, int]]:
    """How often kappa's interval holds the truth where a study ends at the first look that is
    settled, else at the last; and at how many labels they ended."""
    both = prevalence * JUDGE + (1 - prevalence) * (1 - JUDGE)
    person = prevalence * PERSON + (1 - prevalence) * (1 - PERSON)
    same = JUDGE * PERSON + (1 - JUDGE) * (1 - PERSON)
    chance = both * person + (1 - both) * (1 - person)
    kappa, planned = (same - chance) / (1 - chance), looks.planned(240, 1.0)
    held, ended = 0, dict.fromkeys((look.labels for look in planned), 0)
    for seed in range(samples):
        random = np.random.default_rng(seed)
        truth = random.random(planned[-1].labels) < prevalence
        a = (truth ^ (random.random(len(truth)) >= JUDGE)).astype(int)
        b = (truth ^ (random.random(len(truth)) >= PERSON)).astype(int)
        for look in planned:
            n = look.labels
            interval = two_graders.pair(a[:n], b[:n], np.arange(n), YES_NO).kappa
            second = [min(np.bincount(x[:n], minlength=2)) for x in (a, b)]
            if looks.settled(interval, second):
                break
        ended[n] += 1
        held += (
            interval.low is not None
            and interval.high is not None
            and interval.low <= kappa <= interval.high
        )
    return held / samples, ended


def violations(samples: int) -> float:
    """In which share of samples some planned look passes a region of which more than alpha of the
    cells without a label are wrong."""
    planned, failed = looks.planned(240, DELTA), 0
    for seed in range(samples):
        random = np.random.default_rng(seed)
        wrong = np.zeros(POPULATION, bool)
        wrong[: round(ALPHA * ABOVE * POPULATION)] = True
        random.shuffle(wrong)
        # how sure the machine is says nothing: all regions err just above alpha
        drawn, score = random.permutation(POPULATION), random.random(POPULATION)
        for look in planned:
            known = np.zeros(POPULATION, bool)
            known[drawn[: look.labels]] = True
            chosen = select(score, known, wrong, np.arange(POPULATION), ALPHA, look.delta)
            if chosen.automatic.any() and wrong[chosen.automatic].mean() > ALPHA:
                failed += 1
                break
    return failed / samples


def _row(name: str, figure: float, bar: float, met: bool) -> dict[str, Any]:
    return {
        "name": f"first labels: {name}",
        "figure": round(figure, 4),
        "bar": bar,
        "ratio": round(figure / bar, 3),
        "met": met,
    }


if __name__ == "__main__":
    for found in main():
        print(
            f"{'MET   ' if found['met'] else 'MISSED'} {found['name']}: {found['figure']} (bar {found['bar']})"
        )
