"""Diagnostics: which way each judge leans, what its confidence is worth, how steady its replies
are; per criterion, with intervals."""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from graders.core.errors import NotFound
from graders.core.preference import is_preference, outcome
from graders.core.quotes import stands_in
from graders.core.scale import Scale
from graders.statistics import bias
from graders.statistics.resampling import Array, Interval, undefined
from graders.store.figures import diagnostics as store
from graders.store.figures import leaderboard as leaderboard_store
from graders.store.figures import reports
from graders.store.opinions import filters as filter_store
from graders.store.opinions import opinions as opinion_store
from graders.store.opinions.filters import EVERYTHING, Filters
from graders.store.projects import CriterionRow, Project
from graders.workflows.agreement import criterion_report
from graders.workflows.agreement import sentences as agreement_sentences
from graders.workflows.agreement import words as agreement_words
from graders.workflows.agreement.ground import Ground, View, ground
from graders.workflows.diagnostics import _judge_figures as figures
from graders.workflows.diagnostics import _words
from graders.workflows.diagnostics._judge_figures import UNMET, Beside, Steadiness
from graders.workflows.opinions.frame import Opinions
from graders.workflows.opinions.narrowing import choices, criteria_under
from graders.workflows.opinions.pair_orders import Orders, orders_of
from graders.workflows.opinions.participants import aside_words, watermark
from graders.workflows.opinions.standings import numbers
from graders.workflows.runs.judges import UNREADABLE
from graders.workflows.scope.memory import Memory
from graders.workflows.scope.permissions import Scope, needs

#: Reports that are kept in memory.
KEPT = 16
#: Criteria that are, each with the figures of all judges.
KEPT_CRITERIA = 128
#: With more cells than this to read, a page is told so before they are read.
MANY_CELLS = 200_000
#: Figures that may lean either way, in the order of the page; they are tested together.
TESTED = ("leniency", "length", "family", "position", "first", "over", "drift")

#: Names what is kept: workspace, project and view.
Key = tuple[str, int, View]

_kept = Memory(KEPT)
_criteria = Memory(KEPT_CRITERIA)


@needs("look")
def diagnostics(
    scope: Scope,
    project_name: str,
    *,
    blind_only: bool = True,
    population: str = "",
    filters: Filters = EVERYTHING,
    patience: float | None = None,
    begun: bool = True,
) -> dict[str, Any]:
    """Per judge and criterion: leniency, use of the scale, length, position and family beside
    people's verdicts, calibration of its confidence, self-consistency, quotes that are not in the
    answer and replies that could not be read.

    Verdicts of people count as on Agreement: blind ones of one population, weighted by
    1/probability, unless `blind_only` is False. Each figure is an interval by questions with `p`,
    `adjusted` (Holm over all that lean) and `real`, in words and as a sentence. `patience`: seconds
    after which ``{"progress": ...}`` is returned instead; asked again, it goes on where it stopped.
    `begun` False tells of much to read before reading it.
    """
    project = scope.project(project_name)
    view = View(blind_only, population, filters)
    key, mark = (str(scope.ws.path.resolve()), project.id, view), watermark(scope, project)
    report: dict[str, Any] | None = _kept.peek(key, mark)
    if report is None:
        criteria = criteria_under(scope, project, view.filters.wording)
        left = [c for c in criteria if _criteria.peek((*key, c.id), mark) is None]
        many = (
            patience is not None
            and not begun
            and sum(reports.criterion_cells(scope.ws.db, project, c.id) for c in left) > MANY_CELLS
        )
        read = (
            len(criteria) - len(left) if many else _read(scope, project, view, key, mark, patience)
        )
        if many or read < len(criteria):
            head = {"name": project.name, "title": project.title, "notice": project.notice}
            return {"project": head, "progress": {"done": read, "of": len(criteria)}}
        report = _report(scope, project, view, key, mark)
        _kept.keep(key, mark, report)
    return report


def _read(
    scope: Scope, project: Project, view: View, key: Key, mark: Hashable, patience: float | None
) -> int:
    """Make the rows of criteria that are not in memory until patience ends, of one at least; how
    many are there then."""
    found, begun, fresh = ground(scope, project, view), time.monotonic(), 0
    for place, (criterion, opinions) in enumerate(zip(found.criteria, found.loaded, strict=True)):
        if _criteria.peek((*key, criterion.id), mark) is not None:
            continue
        if fresh and patience is not None and time.monotonic() - begun > patience:
            return place
        _criteria.keep((*key, criterion.id), mark, _criterion(scope, found, criterion, opinions))
        fresh += 1
    return len(found.criteria)


def _report(scope: Scope, project: Project, view: View, key: Key, mark: Hashable) -> dict[str, Any]:
    found = ground(scope, project, view)
    judges: list[dict[str, Any]] = [
        {"ref": found.circle.ref(i), "name": found.circle.label(i), "author": i, "criteria": []}
        for i in found.circle.judges
    ]
    for criterion, opinions in zip(found.criteria, found.loaded, strict=True):
        rows = _criteria.peek((*key, criterion.id), mark) or _criterion(
            scope, found, criterion, opinions
        )
        for judge in judges:
            if judge["author"] in rows:
                # words and tests are written into it
                judge["criteria"].append(copy.deepcopy(rows[judge["author"]]))
    judges = [judge for judge in judges if judge.pop("author") and judge["criteria"]]
    every = [
        row["figures"][name]
        for judge in judges
        for row in judge["criteria"]
        for name in TESTED
        if name in row["figures"]
    ]
    tests = figures.tested(every)
    for judge in judges:
        for row in judge["criteria"]:
            _words.speak(judge["name"], row, tests)
            row["figures"] = figures.plain(row["figures"])
    title, subtitle = _words.title(
        judges, tests, (0, 0) if view.filters.wording else _reworded(scope, found)
    )
    return {
        "project": {"name": project.name, "title": project.title, "notice": project.notice},
        "title": title,
        "subtitle": f"{subtitle}{aside_words(found.circle)}",
        "blind_only": view.blind_only,
        "population": agreement_words.population_json(
            found.population, found.loaded, view.blind_only, found.only
        ),
        "filters": view.filters.chosen,
        "choices": choices(scope, project),
        "tests": tests,
        "judges": judges,
    }


def _reworded(scope: Scope, found: Ground) -> tuple[int, int]:
    """Verdicts under another wording of people, adjudicated ones among them, and of judges."""
    cells = Filters(**{name: getattr(found.view.filters, name) for name in filter_store.OF_CELL})

    def of(authors: Sequence[int], filters: Filters) -> int:
        return sum(
            opinion_store.other_wordings(scope.ws.db, criterion, authors, filters)
            for criterion in found.criteria
        )

    return of(found.of_people(), found.view.filters), of(list(found.circle.judges), cells)


def of_judge(report: dict[str, Any], name: str) -> dict[str, Any]:
    """The report on one judge, its own finding as the title; p-values stay corrected over all.
    NotFound lists the judges."""
    judges = [one for one in report["judges"] if one["name"] == name]
    if not judges:
        have = ", ".join(one["name"] for one in report["judges"]) or "none yet"
        raise NotFound(f"judge {name[:80]!r}", found="no verdicts by it", expected=f"one of {have}")
    tests = sum(
        figure.get("p") is not None
        for row in judges[0]["criteria"]
        for figure in row["figures"].values()
    )
    title, subtitle = _words.title(judges, tests)
    return {**report, "title": title, "subtitle": subtitle, "tests": tests, "judges": judges}


def _criterion(
    scope: Scope, found: Ground, criterion: CriterionRow, opinions: Opinions
) -> dict[int, dict[str, Any]]:
    """The row of a criterion for each judge that was asked about it."""
    circle, db, filters = found.circle, scope.ws.db, found.view.filters
    used = found.used(opinions)
    people = criterion_report.planned_people(opinions, used, circle)[0] or (
        [circle.adjudicated] if circle.adjudicated is not None else []
    )
    everyone = list(circle.judges)
    # Judges are asked whatever people did: these figures need no label, so that filters on people's
    # verdicts do not touch them.
    only = Filters(**{name: getattr(filters, name) for name in (*filter_store.OF_CELL, "wording")})
    replies = store.replies(db, criterion, everyone, UNREADABLE, only)
    astray = (
        _astray(store.unsought(db, criterion, everyone, only))
        if any(one.unsought for one in replies)
        else {}
    )
    repeats = store.repeats(db, criterion, everyone, only)
    changes = store.changes(db, criterion, everyone, only)
    confidence = {
        (judge, cell): (value, kind)
        for judge, cell, value, kind in store.confidences(db, criterion, everyone, people, only)
    }
    sizes = {
        cell: (characters, model)
        for cell, characters, model in store.answers(db, criterion, people, only)
    }
    counted = agreement_sentences.counted(found, opinions, people)
    rows: dict[int, dict[str, Any]] = {}
    for judge in everyone:
        mine = [one for one in replies if one.author == judge]
        if not mine:
            continue
        steady = Steadiness(
            questions=np.array([one.question for one in mine]),
            asked=np.array([one.asked for one in mine]),
            unread=np.array([one.unread for one in mine]),
            quoted=np.array([one.quoted for one in mine]),
            lost=np.array([one.lost + astray.get((one.author, one.question), 0) for one in mine]),
            repeats=[row[1:] for row in repeats if row[0] == judge],
            changes=[row[1:] for row in changes if row[0] == judge],
        )
        beside, kinds = _beside(
            judge, opinions, used, people, sizes, confidence, weighted=found.view.blind_only
        )
        row = _row(criterion, circle.label(judge), beside, kinds, steady, counted)
        if is_preference(criterion.scale):
            for name in ("leniency", "length", "family", "position"):
                del row["figures"][name]
            of_pairs = position(criterion.scale, beside, *_compared(scope, criterion, judge, only))
            row["figures"] |= {
                name: {"interval": figures.missing(interval)} for name, interval in of_pairs.items()
            }
            row["range"] = 1.0
        rows[judge] = row
    return rows


def _compared(
    scope: Scope, criterion: CriterionRow, author: int, only: Filters
) -> tuple[list[Compared], list[Asked]]:
    """What a judge said of pairs: of those that it was asked about in one order, and of those in
    both."""
    pairs = {
        cell: (question, a, b)
        for cell, question, a, b in leaderboard_store.pair_cells(scope.ws.db, criterion)
    }
    orders = orders_of(scope.ws.db, criterion, [author], only).get(author, {})
    cells, values = (
        numbers(text, float)
        for text in leaderboard_store.judged(scope.ws.db, criterion, author, only)
    )
    said = {
        cell: value
        for cell, value in zip(cells.astype(int).tolist(), values.tolist(), strict=True)
        if cell in pairs
    }
    one_order = [(*pairs[cell], value) for cell, value in said.items() if cell not in orders]
    return one_order, [(pairs[cell][0], orders[cell]) for cell in said if cell in orders]


def _astray(rows: Sequence[tuple[int, int, str, str]]) -> dict[tuple[int, int], int]:
    """(judge, question) -> verdicts with a quote that is not in the answer, of those that nobody
    had looked for."""
    found: dict[tuple[int, int], int] = {}
    for judge, question, evidence, text in rows:
        if any(
            item.get("quote") and not stands_in(item["quote"], [text])
            for item in json.loads(evidence)
        ):
            found[judge, question] = found.get((judge, question), 0) + 1
    return found


def _beside(
    judge: int,
    opinions: Opinions,
    used: Array,
    people: Sequence[int],
    sizes: dict[int, tuple[int, str]],
    confidence: dict[tuple[int, int], tuple[float, str]],
    *,
    weighted: bool,
) -> tuple[Beside, list[str]]:
    """The judge's values beside each verdict of `people` that counts, and the kinds of its
    confidence."""
    blank = np.full(len(opinions.cells), np.nan)
    mine = opinions.judged.get(judge, blank)
    rows = np.flatnonzero(used & np.isin(opinions.author, people))
    rows = rows[np.isfinite(mine[opinions.at[rows]])]
    at = opinions.at[rows]
    others = np.stack(
        [
            np.full(len(at), np.nan),
            *(values[at] for name, values in opinions.judged.items() if name != judge),
        ]
    )
    there = np.isfinite(others).sum(axis=0)
    rivals = np.where(there > 0, np.nansum(others, axis=0) / np.maximum(there, 1), np.nan)
    cells = opinions.cells[at].tolist()
    said = [confidence.get((judge, cell)) for cell in cells]
    models = sorted({sizes[cell][1] for cell in cells})
    place = {model: n for n, model in enumerate(models)}
    beside = Beside(
        f=mine[at],
        y=opinions.number[rows],
        g=opinions.question[at],
        w=1 / opinions.probability[rows] if weighted else np.ones(len(rows)),
        confidence=np.array(
            [np.nan if one is None or not 0 <= one[0] <= 1 else one[0] for one in said]
        ),
        characters=np.array([sizes[cell][0] for cell in cells], float),
        model=np.array([place[sizes[cell][1]] for cell in cells], int),
        models=models,
        rivals=rivals,
    )
    return beside, sorted({one[1] for one in said if one is not None and one[1]})


def _row(
    criterion: CriterionRow,
    judge: str,
    beside: Beside,
    kinds: Sequence[str],
    steady: Steadiness,
    counted: str,
) -> dict[str, Any]:
    """All figures of a judge on a criterion, intervals still as such; `figures` by name."""
    scale = criterion.scale
    made: dict[str, dict[str, Any]] = {}
    chances = figures.confidence(scale, beside)
    use = figures.use_of_scale(scale, beside) if len(beside.f) else None
    found = {**figures.leans(scale, beside, judge), **figures.replies(steady, steps=scale)}
    if use is not None:
        found["spread"] = use.pop("spread")
    if chances is not None:
        found |= {name: chances.pop(name) for name in ("over", "brier", "ece")}
    for name, interval in found.items():
        made[name] = {"interval": figures.missing(interval)}
    made["drift"] = figures.drift(steady, scale, found["consistency"])
    made["drift"]["interval"] = figures.missing(made["drift"]["interval"])
    contrast = figures.family_contrast(beside, judge)
    if contrast is not None:
        made["family"]["contrast"] = contrast
    return {
        "key": criterion.key,
        "title": criterion.criterion.title,
        "range": scale.high - scale.low if not scale.is_discrete else float(len(scale.values) - 1),
        "verdicts": len(beside.f),
        "asked": int(steady.asked.sum()),
        "counted": counted,
        "kin": figures.kin(judge),
        "kinds": list(kinds),
        "figures": made,
        "use": use,
        "confidence": None if chances is None else figures.plain(chances),
    }


def forget() -> None:
    """Drop what is kept in memory."""
    _kept.forget()
    _criteria.forget()


# -- position bias of a judge that says which of two answers is better

#: (question, first model, second model, number of the value)
Compared = tuple[int, str, str, float]
#: (question, what was said in each order)
Asked = tuple[int, Orders]
ONE_ORDER = "no pair was compared in both orders"


def position(
    scale: Scale, of: Beside, compared: Iterable[Compared], asked: Iterable[Asked] = ()
) -> dict[str, Interval]:
    """``first``: how much more the answer shown first wins; ``changed``: share of pairs whose
    winner changes with the order.

    From pairs that are there in both orders (`compared`) and those that the judge was `asked` about
    in both, which need no label; where there are none, ``first`` is what it wins more often than
    people say.
    """
    first, second, question = _both_orders(scale, compared, asked)
    if len(first):
        found = bias.position(first, second, question)
        return {"first": bias.severity(first, second, question), "changed": found.changed}
    changed = undefined(ONE_ORDER)
    if not len(of.f):
        return {"first": undefined(UNMET), "changed": changed}
    judged, human = (_outcomes(scale)[values.astype(int)] for values in (of.f, of.y))
    return {"first": bias.position_from_one_order(judged, human, of.g, w=of.w), "changed": changed}


def _outcomes(scale: Scale) -> Array:
    return np.array([outcome(label) for label in scale.labels])


def _both_orders(
    scale: Scale, compared: Iterable[Compared], asked: Iterable[Asked]
) -> tuple[Array, Array, Array]:
    """What one answer of each pair gets when it stands first, and when it stands second, and the
    question."""
    won = _outcomes(scale)
    known = {(question, a, b): won[int(number)] for question, a, b, number in compared}
    rows = [(*orders, question) for question, orders in asked]
    rows += [
        (value, 1 - known[question, b, a], question)
        for (question, a, b), value in known.items()
        if a < b and (question, b, a) in known
    ]
    one, two, question = np.array(rows, float).reshape(-1, 3).T
    return one, two, question
