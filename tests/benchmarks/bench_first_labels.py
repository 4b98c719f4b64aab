"""The first labels: how many of them count, and how many studies have a first answer, simulated
through the use cases that the desk calls; and whether early figures hold what they say.

Each study: a judge right on .8, two people right on .9, three yes/no criteria with balanced truth,
30 screens from each person. `FIRST_LABELS_SEEDS=30` simulates that many studies of each size,
`FIRST_LABELS_ORDERS=200` that many draws with ordinary screens earlier (the table in docs/routing.md), and
`FIRST_LABELS_RUNS=4000` that many samples.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from graders.core.scale import YES_NO
from graders.statistics import looks, pair_figures
from graders.statistics.resampling import Interval
from graders.statistics.risk_control import select
from graders.store import projects
from graders.store.transfer import exchange
from graders.workflows.agreement import agree
from graders.workflows.review import grading
from graders.workflows.review._mixing import DRAWN_FIRST, UNDRAWN
from graders.workflows.routing.calibration import answers_to_draw, people_at, planned_sizes
from graders.workflows.routing.labels_missing import Goal, labels_missing
from graders.workflows.routing.route import route
from graders.workflows.scope.permissions import Actor, Scope
from graders.workflows.scope.sampling import Sampling
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
#: The width of an interval that is told as "to within 0.3 on either side", and how often each of two
#: graders gives its second most frequent value before kappa's interval holds what it says
#: (docs/agreement.md).
WIDTH, LEAST_SECOND = 0.6, 6
#: After how many drawn screens of a person ordinary ones could come; the desk has the last.
ORDERS = (0, 15, 20, DRAWN_FIRST)
#: After how many screens of each person the bar is compared with Agreement.
TOLD_EVERY = 10


@dataclass(frozen=True, slots=True)
class Outcome:
    """A study after its first screens: the shares of verdicts that count and of drawn screens, and
    the widths of each criterion's kappa between the judge and people, and among people, and of the
    headline, which is alpha; and the share of moments at which the bar said that the first answer
    is there exactly where Agreement has a figure that is no early estimate (`told`)."""

    counting: float
    drawn: float
    judge: tuple[float, ...]
    people: tuple[float, ...]
    headline: tuple[float, ...]
    told: float


def main() -> list[dict[str, Any]]:
    """Measure; one row per bar: name, figure, bar, ratio (figure / bar), met."""
    rows = []
    for (questions, models), default in SIZES:
        seeds = int(os.environ.get("FIRST_LABELS_SEEDS", default))
        found = [_study(questions, models, seed) for seed in range(1, seeds + 1)]
        rows += list(_rows(f"{questions:,} x {models}, {seeds} studies", found))
        _print_orders(questions, models)
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
    answered = (widths <= WIDTH).mean(axis=0)
    print(
        f"first_labels: {size}: width of the judge's kappa {np.nanmean(widths):.2f} at the mean, "
        f"{widths.max():.2f} at most; people among themselves {np.nanmean(among):.2f}; "
        f"the judge's alpha {np.mean([one.headline for one in found]):.2f}"
    )
    yield _row(
        f"verdicts that count in Agreement, {size}", counting, COUNTING, counting >= COUNTING
    )
    yield _row(f"drawn screens, {size}", drawn, DRAWN, drawn >= DRAWN)
    told = float(np.mean([one.told for one in found]))
    yield _row(f"the bar says what Agreement has, {size}", told, 1.0, told >= 1.0)
    least = float(answered.min())
    yield _row(
        f"kappa no wider than {WIDTH} on each criterion, {size}",
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
        told = []
        for screen in range(1, SCREENS + 1):
            for person in PEOPLE:
                _grade(Scope(Actor(person), scope.ws), values, random)
            if screen % TOLD_EVERY == 0:
                told.append(_told(scope))
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
        float(np.mean(told)),
    )


def _told(scope: Scope) -> bool:
    """Whether the bar says of exactly those criteria that their first answer is there of which
    Agreement's figure is no early estimate."""
    said = {
        one.key
        for one in labels_missing(scope, "study").criteria
        if one.goal not in (Goal.FIRST, Goal.SHORT)
    }
    return said == {
        one.key
        for one in agree.agreement(scope, "study").criteria
        if any(judge.shown.status not in ("EARLY", "UNDEFINED") for judge in one.judges)
    }


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


def _print_orders(questions: int, models: int) -> None:
    """Print what it gives if every fifth screen is an ordinary one after so many drawn ones, with
    labels counted as they are drawn, without the desk."""
    seeds = range(int(os.environ.get("FIRST_LABELS_ORDERS", 20)))
    for first in ORDERS:
        # also where one person gave fewer labels than a figure of that pair alone needs
        with patch.object(pair_figures, "MIN_CELLS", 1):
            found = [_mixed(questions, models, first, seed) for seed in seeds]
        answered = np.mean([np.array(widths) <= WIDTH for _, widths in found])
        print(
            f"first_labels: {questions:,} x {models}, {len(seeds)} draws, ordinary screens from screen "
            f"{first + 1}: {np.mean([share for share, _ in found]):.2f} of the verdicts count, "
            f"kappa is no wider than {WIDTH} in {answered:.2f}"
        )


def _mixed(questions: int, models: int, first: int, seed: int) -> tuple[float, list[float]]:
    """The share of verdicts that count, and the widths of the judge's kappa, where a person's first
    screens are drawn ones and every fifth after them is not."""
    random, answers = np.random.default_rng(seed), questions * models
    chosen = random.permutation(answers)[: answers_to_draw(Sampling(), answers)]
    bounds = [0, *planned_sizes(len(chosen))]
    drawn = [s for a, b in pairwise(bounds) for s in _screens(chosen[a:b], models, random)]
    others = _screens(np.setdiff1d(np.arange(answers), chosen), models, random)
    free = [people_at(Sampling(), place, len(drawn)) for place in range(len(drawn))]
    met: list[list[int]] = [[] for _ in PEOPLE]
    apart = 0
    for screen in range(SCREENS):
        for mine in met:
            if screen >= first and screen % UNDRAWN == UNDRAWN - 1:
                apart += len(others.pop())
                continue
            place = next(p for p in range(len(drawn)) if free[p] and p not in mine)
            free[place] -= 1
            mine.append(place)
    cells = [np.concatenate([drawn[place] for place in mine]) for mine in met]
    truth = random.random((answers, len(CRITERIA))) < 0.5
    said = truth ^ (random.random(truth.shape) >= JUDGE)
    widths = []
    for c in range(len(CRITERIA)):
        people = [truth[of, c] ^ (random.random(len(of)) >= PERSON) for of in cells]
        parts = [
            pair_figures.pair(
                YES_NO, said[of, c] * 1.0, one * 1.0, of // models, questions, None
            ).part
            for of, one in zip(cells, people, strict=True)
        ]
        widths.append(_width(pair_figures.mean(parts)))
    counting = sum(map(len, cells))
    return counting / (counting + apart), widths


def _screens(answers: Any, models: int, random: Any) -> list[Any]:
    """Screens of up to three answers of one question, in a random order."""
    screens = [
        mine[start : start + 3]
        for question in np.unique(answers // models)
        for mine in [answers[answers // models == question]]
        for start in range(0, len(mine), 3)
    ]
    random.shuffle(screens)
    return screens


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
            if settled(interval, second):
                break
        ended[n] += 1
        held += (
            interval.low is not None
            and interval.high is not None
            and interval.low <= kappa <= interval.high
        )
    return held / samples, ended


def settled(interval: Interval, second: Sequence[float]) -> bool:
    """Whether a study may end at a figure: it is no wider than `WIDTH`, and each grader gave its
    second most frequent value (`second`: how often) at least `LEAST_SECOND` times."""
    return (
        interval.low is not None
        and interval.high is not None
        and interval.high - interval.low <= WIDTH
        and min(second, default=0) >= LEAST_SECOND
    )


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
