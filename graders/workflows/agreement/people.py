"""People side by side: how far each agrees with the others, how severe, how quick; whose verdicts
are set aside; what is left to do."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from graders.core.errors import NotFound
from graders.statistics.means import mean_interval
from graders.statistics.resampling import Array, Interval, undefined
from graders.store import projects
from graders.store.desk import gold, people_work, queue
from graders.store.desk.people_work import ScreenDone
from graders.store.opinions.filters import EVERYTHING, Filters
from graders.store.projects import Project
from graders.workflows.agreement import _repeats, ceiling, criterion_report, sentences
from graders.workflows.agreement.agree import agreement
from graders.workflows.agreement.ground import Ground, View, ground
from graders.workflows.cells.state import ADJUDICATED
from graders.workflows.opinions.frame import POPULATIONS
from graders.workflows.opinions.pair_figures import interval_json
from graders.workflows.opinions.participants import SET_ASIDE, circle_of
from graders.workflows.scope.people_names import called, names_of
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import listed, several

#: Figures that moved less than this did not move.
MOVED = 0.005
#: Somebody who saved nothing for so many days while screens wait is idle; the pace is that of so
#: many days.
IDLE_DAYS, PACE_DAYS = 3, 7
#: What people's minutes go into, in the order of the bar, in words.
KINDS = {
    "review": "review with suggestions",
    "blind_arm": "blind arm",
    "calibration": "calibration",
    "audit": "audit",
    "placed": "labels placed where they decide",
    "asked": "opinions asked for",
    "overlap": "overlap: a further person",
    "repeat": "second looks at own screens",
    "gold": "gold questions",
    "control": "copies with a seeded fault",
    "adjudication": "adjudication",
}


@needs("look")
def people_report(
    scope: Scope,
    project_name: str,
    *,
    blind_only: bool = True,
    population: str = "",
    filters: Filters = EVERYTHING,
) -> dict[str, Any]:
    """Everybody who graded: {person, name, group, aside, counts, verdicts, same, severity, pace,
    accepted}, each figure an interval.

    `same`: share of colleagues' verdicts on the same cells that are the same value; `self`: share
    of cells given the same value again when a screen came back; `gold`: share of gold cells given
    the right value; `severity`: mean distance above the others' mean, as a share of the scale
    (below 0 is severe); `pace`: seconds a screen; `accepted`: share of suggestions left unchanged.
    `moves`: what the verdicts that are set aside change in Agreement.
    """
    project = scope.project(project_name)
    found = ground(scope, project, View(blind_only, population, filters, everyone=True))
    aside = set(_aside(project))
    screens = people_work.screens_done(scope.ws.db, project)
    answered = people_work.answers_to_suggestions(scope.ws.db, project)
    beside = _beside(found)
    again = [_repeats.twice(scope.ws.db, found, place) for place in range(len(found.criteria))]
    right = gold.checked(scope.ws.db, project)
    rows: list[dict[str, Any]] = []
    for author, name in found.circle.people.items():
        count = sum(int((found.used(o) & (o.author == author)).sum()) for o in found.loaded)
        mine = beside.get(author, (np.zeros(0), np.zeros(0, int), np.zeros(0), np.zeros(0, int)))
        rows.append(
            {
                "person": name,
                "name": found.circle.label(author),
                "group": found.circle.group(author),
                "aside": name in aside,
                "verdicts": count,
                "same": interval_json(_mean(mine[0], mine[1], (0, 1))),
                "self": interval_json(_repeats.same(again, author)),
                "gold": interval_json(_right(right, author)),
                "severity": interval_json(_mean(mine[2], mine[3])),
                "pace": interval_json(_pace(screens, name)),
                "accepted": interval_json(_accepted(answered, name)),
            }
        )
    whose = (
        f"blind, of {POPULATIONS[found.population].words}" if blind_only else "blind and assisted"
    )
    for row in rows:
        row["sentence"] = sentences.person(
            row, f"{several(row['verdicts'], 'verdict')}, {whose}, unweighted"
        )
    without = listed(sorted(row["name"] for row in rows if row["aside"])) if aside else ""
    moves = [
        {**move, "sentence": sentences.move(move, without, whose)}
        for move in (_moves(scope, project_name, blind_only, population, filters) if aside else [])
    ]
    return {
        "people": sorted(rows, key=lambda row: (-row["verdicts"], row["name"])),
        "moves": moves,
        "title": _title(rows, aside),
    }


@needs("settings")
def set_aside(scope: Scope, project_name: str, person_id: str, aside: bool) -> dict[str, Any]:
    """Leave one person's verdicts out of the figures of Agreement, or let them in again; logged.
    The verdicts and final values stay."""
    project = scope.project(project_name)
    if person_id not in circle_of(scope, project).people.values():
        raise NotFound(
            f"person {person_id[:60]!r}",
            found="nobody of that id",
            expected="a person who gave verdicts in this project",
        )
    before = _aside(project)
    after = sorted({*before, person_id} if aside else set(before) - {person_id})
    if after != before:
        projects.set_settings(scope.ws, project, {SET_ASIDE: after})
        projects.log_event(
            scope.ws,
            project,
            scope.actor.person_id,
            "set_aside",
            {"person": person_id, "aside": aside},
        )
    return {"set_aside": after}


@needs("look")
def progress(scope: Scope, project_name: str) -> dict[str, Any]:
    """What is left, when it will be done at the pace of the last days, who is idle, and where
    people's minutes went."""
    project = scope.project(project_name)
    now = dt.datetime.fromisoformat(scope.ws.now())
    people = names_of(scope.ws)
    left = queue.open_screens(scope.ws.db, project)
    screens = people_work.screens_done(scope.ws.db, project)
    minutes = dict.fromkeys(KINDS, 0.0)
    last: dict[str, str] = {}
    for row in screens:
        minutes[_kind(row)] += row.seconds / 60
        last[row.person] = max(last.get(row.person, ""), row.saved_at)
    minutes["adjudication"] = (
        people_work.adjudication_seconds(scope.ws.db, project, ADJUDICATED) / 60
    )
    since = (now - dt.timedelta(days=PACE_DAYS)).isoformat()
    recent = sum(row.saved_at >= since[:19] for row in screens)
    days = left / (recent / PACE_DAYS) if recent else None
    idle_since = (now - dt.timedelta(days=IDLE_DAYS)).isoformat()[:19]
    idle = [
        {"name": called(people, person), "last": at}
        for person, at in sorted(last.items())
        if left and at < idle_since
    ]
    return {
        "left": left,
        "done": len(screens),
        "a_day": recent / PACE_DAYS,
        "days": days,
        "until": None if days is None else (now + dt.timedelta(days=days)).date().isoformat(),
        "words": _progress_words(left, recent, days, now),
        "idle": idle,
        "minutes": [
            {"kind": kind, "words": KINDS[kind], "minutes": round(spent, 1)}
            for kind, spent in minutes.items()
        ],
    }


def _aside(project: Project) -> list[str]:
    return sorted(str(person) for person in project.settings.get(SET_ASIDE) or ())


def _beside(found: Ground) -> dict[int, tuple[Array, Array, Array, Array]]:
    """Per person: share of colleagues with the same value, and distance to the others' mean as a
    share of the scale, each with questions.

    Questions of different criteria are the same questions: they are numbered by their cells' rows
    in the store.
    """
    made: dict[int, list[tuple[Array, Array, Array, Array]]] = {}
    for row, opinions in zip(found.criteria, found.loaded, strict=True):
        used = np.flatnonzero(found.used(opinions))
        planned, _ = criterion_report.planned_people(opinions, found.used(opinions), found.circle)
        used = used[np.isin(opinions.author[used], planned)]
        at, number, author = opinions.at[used], opinions.number[used], opinions.author[used]
        if not len(at):
            continue
        others = np.bincount(at)[at] - 1
        _, value = np.unique(number, return_inverse=True)
        pair = at * (value.max() + 1) + value
        same = (np.bincount(pair)[pair] - 1) / np.maximum(others, 1)
        span = (
            (row.scale.high - row.scale.low)
            if not row.scale.labels
            else max(1, len(row.scale.labels) - 1)
        )
        mean = ceiling.others_mean(at, number)
        question = opinions.names[opinions.question[at]]
        for person in np.unique(author):
            mine = (author == person) & (others > 0)
            leaning = mine if row.scale.is_ordered else np.zeros(len(mine), bool)
            made.setdefault(int(person), []).append(
                (
                    same[mine],
                    question[mine],
                    (number[leaning] - mean[leaning]) / span,
                    question[leaning],
                )
            )
    return {
        person: (
            np.concatenate([p[0] for p in parts]),
            np.concatenate([p[1] for p in parts]),
            np.concatenate([p[2] for p in parts]),
            np.concatenate([p[3] for p in parts]),
        )
        for person, parts in made.items()
    }


def _mean(values: Array, questions: Array, bounds: tuple[float, float] | None = None) -> Interval:
    return (
        mean_interval(values, questions, bounds=bounds)
        if len(values)
        else undefined("no cells that a colleague graded too")
    )


def _right(checked: Sequence[tuple[int, int, int, bool]], author: int) -> Interval:
    mine = [(float(right), question) for who, question, _, right in checked if who == author]
    if not mine:
        return undefined("no gold question was answered")
    return mean_interval(
        [value for value, _ in mine], [question for _, question in mine], bounds=(0, 1)
    )


def _pace(screens: Sequence[ScreenDone], person: str) -> Interval:
    mine = [
        (row.seconds, row.question_id)
        for row in screens
        if row.person == person and row.seconds > 0
    ]
    if not mine:
        return undefined("no screen with its time")
    return mean_interval(
        [seconds for seconds, _ in mine],
        [question for _, question in mine],
        bounds=(0.0, float("inf")),
    )


def _accepted(answered: Sequence[tuple[str, int, str]], person: str) -> Interval:
    mine = [
        (float(action == "accepted"), question)
        for who, question, action in answered
        if who == person
    ]
    if not mine:
        return undefined("no suggestion was answered")
    return mean_interval(
        [value for value, _ in mine], [question for _, question in mine], bounds=(0, 1)
    )


def _moves(
    scope: Scope, project_name: str, blind_only: bool, population: str, filters: Filters
) -> list[dict[str, Any]]:
    """Judges' figures with everybody and without those set aside, where they differ."""
    now = agreement(
        scope, project_name, blind_only=blind_only, population=population, filters=filters
    )
    whole = agreement(
        scope,
        project_name,
        blind_only=blind_only,
        population=population,
        filters=filters,
        everyone=True,
    )
    present = {(c["key"], j["ref"]): j for c in now["criteria"] for j in c["judges"]}
    rows: list[dict[str, Any]] = []
    for criterion in whole["criteria"]:
        for judge in criterion["judges"]:
            after = present.get((criterion["key"], judge["ref"]))
            one, two = judge["shown"]["value"], after["shown"]["value"] if after else None
            words = [judge["verdict"]["word"], after["verdict"]["word"] if after else "no figure"]
            moved = (one is None) != (two is None) or (
                one is not None and two is not None and abs(one - two) >= MOVED
            )
            if moved or words[0] != words[1]:
                figures = [judge["shown"], after["shown"] if after else None]
                named = {
                    "criterion": criterion["title"],
                    "judge": judge["name"],
                    "figure": criterion["figure"],
                }
                rows.append(
                    {**named, "with": one, "without": two, "words": words, "figures": figures}
                )
    return rows


def _title(rows: Sequence[Mapping[str, Any]], aside: set[str]) -> str:
    if not rows:
        return "Nobody has graded yet."
    away = f", the verdicts of {len(aside)} set aside" if aside else ""
    return f"{len(rows)} {'person has' if len(rows) == 1 else 'people have'} graded{away}."


def _kind(row: ScreenDone) -> str:
    if row.further:
        return "overlap"
    if row.design == "ordinary":
        return "blind_arm" if row.arm == "blind" else "review"
    return row.design if row.design in KINDS else "review"


def _progress_words(left: int, recent: int, days: float | None, now: dt.datetime) -> str:
    if not left:
        return "Nothing waits for people."
    screens = f"{left:,} screen{'s' * (left != 1)} wait{'s' * (left == 1)} for people"
    if days is None:
        return (
            f"{screens}; nobody saved one in the last {PACE_DAYS} days, so that no end can be told."
        )
    end = (now + dt.timedelta(days=days)).date().isoformat()
    return (
        f"{screens}: done about {end} at the pace of the last {PACE_DAYS} days ({recent:,} "
        "screens)."
    )
