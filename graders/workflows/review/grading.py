"""Review: handing out screens, taking in verdicts by people, undo. Verdicts are appended, never
changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from graders.core.errors import InputError, NotFound
from graders.core.hashing import seeded
from graders.store import projects
from graders.store.answers import content
from graders.store.desk import (
    adjudications,
    ahead,
    annotators,
    apart,
    assignments,
    gold,
    queue,
    repeats,
    saves,
)
from graders.store.desk import seeded as seeded_store
from graders.store.desk.assignments import NARROWED_BY, Assignment, Wanted
from graders.store.opinions import verdicts
from graders.store.projects import Person, Project
from graders.workflows.cells.state import read_frame, refresh
from graders.workflows.opinions.participants import circle_of
from graders.workflows.review import _elsewhere, practice, reveal, screens
from graders.workflows.review._control_screens import home_of
from graders.workflows.review._open_cells import asked_of, left_open
from graders.workflows.review.check_save import number, verdict_rows
from graders.workflows.routing.form_screens import Sampling
from graders.workflows.scope.permissions import Scope, needs


@needs("review")
def choose_name(scope: Scope, name: str) -> Person:
    """Say who one is: the first time a person is made, later the name is changed."""
    name = " ".join(name.split())
    if not 1 <= len(name) <= 80:
        raise InputError(
            "name",
            found=f"{len(name)} characters",
            expected="1 to 80 characters",
            remedy="Type the name that colleagues know you by.",
        )
    if scope.actor.person_id:
        try:
            return projects.rename_person(scope.ws, scope.actor.person_id, name)
        except NotFound:
            return projects.add_person(scope.ws, name, person_id=scope.actor.person_id)
    return projects.add_person(scope.ws, name)


@needs("review")
def next_screens(
    scope: Scope,
    project_name: str,
    count: int,
    have: Sequence[int] = (),
    question_key: str = "",
    narrow: str = "",
    sent: Sequence[int] | None = None,
) -> list[dict[str, Any]]:
    """Lease the next screens to the actor; arms are drawn before anything is sent. `narrow` is a
    key of `desk.queues`.

    A page that fetches ahead names the screens that are `sent` and not yet saved: beside these it
    gets a fair share of what is left, so that a colleague finds something too.
    """
    project = scope.project(project_name)
    person = _person(scope)
    sampling = Sampling.of(project.settings)
    question_id = None
    if question_key:
        question_id = content.question_ids(scope.ws.db, project, [question_key]).get(question_key)
        if question_id is None:
            raise NotFound(
                f"question {question_key!r}",
                found="no such question",
                expected="the id of a question of this project",
            )

    def draw(screen: int, design: str, seen: bool) -> tuple[str, float, int]:
        order_seed = int(seeded(project.seed, "order", person, screen) * 2**31)
        if design != "ordinary":
            return "blind", 1.0, order_seed
        done = annotators.my_counts(scope.ws.db, project, person)
        if seen or done.done + done.leased < sampling.warm_up:
            return "assisted", 1.0, order_seed
        blind = seeded(project.seed, "arm", person, screen) < sampling.blind
        return (
            ("blind", sampling.blind, order_seed)
            if blind
            else ("assisted", 1 - sampling.blind, order_seed)
        )

    if (
        sent is not None
        and (count := min(count, queue.fair_share(scope.ws, project, person, have, sent))) < 1
    ):
        return []
    wanted = Wanted(
        person,
        count,
        tuple(have),
        question_id,
        sampling.warm_up,
        _only(narrow),
        sampling.repeat,
        sampling.gold,
        sampling.control,
    )
    given = ahead.take(scope.ws, project, wanted, draw)
    return [_send(scope, project, assignment) for assignment in given]


def _only(narrow: str) -> tuple[str, str] | None:
    """``task_type=creative`` as (field, value); InputError for any other field."""
    if not narrow:
        return None
    field, _, value = narrow.partition("=")
    if field not in NARROWED_BY:
        raise InputError(
            "queue",
            found=repr(narrow)[:80],
            expected="one of " + ", ".join(f"{name}=..." for name in NARROWED_BY),
        )
    return field, value


@needs("review")
def one_screen(scope: Scope, project_name: str, screen_id: int) -> dict[str, Any]:
    """A screen that the actor has or had, with the actor's own marks."""
    project = scope.project(project_name)
    found = assignments.find(scope.ws.db, screen_id, _person(scope))
    if found is None:
        raise NotFound(
            f"screen {screen_id}",
            found="a screen that was not given to you",
            expected="one of your screens",
        )
    return _send(scope, project, found)


@needs("review")
def release(scope: Scope, project_name: str, screen_ids: Sequence[int]) -> None:
    """Give back screens that were not opened."""
    queue.release(scope.ws, scope.project(project_name), _person(scope), screen_ids)


@needs("review")
def save(scope: Scope, project_name: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """Take in one screen's save. The same save id again changes nothing; what a colleague finished
    meanwhile is kept as extra, and what the same person saved meanwhile elsewhere stands (see
    `_elsewhere`).

    Where cells were left open all of it is kept, and the screen goes on waiting for somebody else.
    """
    project = scope.project(project_name)
    person = _person(scope)
    save_id = str(body.get("save_id") or "")
    if not 8 <= len(save_id) <= 80:
        raise InputError(
            "save_id", found=repr(save_id)[:90], expected="8 to 80 characters, made by the page"
        )
    known = saves.known_save(scope.ws.db, save_id)
    if (
        known is not None
        and known["aside"]
        and (given := assignments.find(scope.ws.db, known["screen_id"], person)) is not None
    ):
        return _elsewhere.told(scope.ws.db, given, save_id, known["body"])
    if known is not None:
        told = practice.explained(scope.ws, project, known["screen_id"], person, known["body"])
        return {
            "ok": True,
            "save_id": save_id,
            "stored": False,
            "extra": bool(known["extra"]),
            "message": "",
            **told,
        }
    given = assignments.find(scope.ws.db, number(body.get("screen"), "screen"), person)
    if given is None:
        raise InputError(
            "screen",
            found=repr(body.get("screen")),
            expected="a screen that was given to you",
            remedy="Reload the page.",
        )
    if given.design == gold.PRACTICE:
        return practice.save(scope, project, given, save_id, body)
    home = home_of(scope.ws, project, given)
    frame = read_frame(scope.ws, home)
    asked = asked_of(scope.ws, project, given)
    with scope.ws.write() as db:
        if saves.known_save(db, save_id) is not None:
            return {"ok": True, "save_id": save_id, "stored": False, "extra": False, "message": ""}
        # as it stands now that nobody else writes
        given = assignments.find(db, given.screen_id, person) or given
        if (aside := _elsewhere.keep_aside(db, scope.ws, given, save_id, body)) is not None:
            return aside
        late = given.arm == "blind" and reveal.was_given(db, project, person)
        if given.arm == "blind" and queue.has_seen(db, person, given.screen_id):
            # marks on these answers were seen elsewhere meanwhile
            given = replace(given, arm="assisted")
        rows = (
            []
            if body.get("skipped")
            else verdict_rows(db, scope, home, given, body, frame.criteria, save_id)
        )
        if late:
            rows = [reveal.marked(row) for row in rows]
        left = _left(db, given, asked, {row.cell_id for row in rows})
        extra = saves.store_save(
            db,
            scope.ws,
            given,
            save_id,
            {k: v for k, v in body.items() if k != "save_id"},
            state="skipped" if body.get("skipped") else "partial" if left else "done",
        )
        touched = verdicts.append(db, home, rows, now=scope.ws.now())
        saves.set_flags(db, scope.ws, home, given, bool(body.get("flagged")))
        refresh(db, frame, touched)
    message = (
        "A colleague finished this screen meanwhile; your verdicts are kept as extra ones."
        if extra
        else ""
    )
    return {"ok": True, "save_id": save_id, "stored": True, "extra": extra, "message": message}


@needs("review")
def undo(scope: Scope, project_name: str, undo_id: str, save_id: str) -> dict[str, Any]:
    """Take back a save: retracting rows are appended, and the screen comes back to the actor."""
    project = scope.project(project_name)
    person = _person(scope)
    known = saves.known_save(scope.ws.db, save_id)
    if known is None or known["person_id"] != person:
        raise NotFound(
            f"save {save_id!r}",
            found="no such save of yours",
            expected="the id of one of your saves",
        )
    given = assignments.find(scope.ws.db, known["screen_id"], person)
    if given is None:
        raise NotFound(f"save {save_id!r}", found="its screen is gone", expected="a screen")
    home = home_of(scope.ws, project, given)
    frame = read_frame(scope.ws, home)
    with scope.ws.write() as db:
        given, present = (
            assignments.find(db, known["screen_id"], person) or given,
            saves.known_save(db, save_id),
        )
        if present is not None and not present["undone"]:  # as one that was kept aside is
            touched = verdicts.retract_save(
                db, home, save_id, frame.criteria, now=scope.ws.now(), undo_id=undo_id
            )
            left = _left(db, given, asked_of(scope.ws, project, given))
            saves.undo_save(db, scope.ws, given, save_id, open_left=bool(left))
            refresh(db, frame, touched)
    found = assignments.find(scope.ws.db, known["screen_id"], person)
    assert found is not None
    screen = _send(scope, project, found)
    screens.put_back(screen, known["body"])
    return screen


@needs("review")
def counts(scope: Scope, project_name: str) -> dict[str, Any]:
    """The actor's own progress, in screens. `waiting`: screens that still need a person, whoever
    holds them.

    `total` counts what the actor did and can still do, also where a colleague holds it meanwhile,
    so that it stays while others come and go; `held` (screens, seconds until the first comes back
    or None) is that part of it; `others` the waiting ones that only others can do. `minutes_left`
    is for what can be done now. `to_reveal`: blind screens to save before the judges' values are
    shown, None where they never are. `routed`: whether cells were ever sent to people; before that
    nobody has anything to do.
    """
    project, person, db = scope.project(project_name), _person(scope), scope.ws.db
    mine = annotators.my_counts(db, project, person)
    waiting, left = queue.open_screens(db, project), annotators.left_for(db, project, person)
    held, until = annotators.with_colleagues(db, project, person)
    minutes = (
        None if mine.seconds is None else max(1, round(left * mine.seconds / 60)) if left else 0
    )
    return {
        "done": mine.done,
        "total": mine.done + left + held,
        "waiting": waiting,
        "held": {
            "screens": held,
            "back_in": None if until is None else round(max(0.0, until - scope.ws.clock()), 1),
        },
        "others": max(0, waiting - left - held),
        "flagged": mine.flagged,
        "minutes_left": minutes,
        "to_reveal": reveal.to_go(db, project, person),
        "routed": bool(project.settings.get("routed")),
    }


@needs("review")
def held_of(scope: Scope, project_name: str, question_key: str) -> int:
    """How many screens of a question colleagues hold that would come to the actor if they were
    given back."""
    project = scope.project(project_name)
    question_id = content.question_ids(scope.ws.db, project, [question_key]).get(question_key)
    return (
        0
        if question_id is None
        else annotators.with_colleagues(scope.ws.db, project, _person(scope), question_id)[0]
    )


@needs("review")
def my_work(scope: Scope, project_name: str, query: str = "") -> dict[str, Any]:
    """Today's count and pace, and a search in the actor's own verdicts."""
    project = scope.project(project_name)
    person = _person(scope)
    today = scope.ws.now()[:10]
    saves = annotators.my_saves(scope.ws.db, project, person, today)
    homes = [project]
    # a person's work is whole, or the gaps would tell of copies
    if apart.had(scope.ws.db, project, person, seeded_store.CONTROL):
        homes += filter(None, [seeded_store.project_of_copies(scope.ws.db, project)])
    criteria = {c.id: c for home in homes for c in projects.criteria(scope.ws, home)}
    rows = annotators.my_verdicts(scope.ws.db, homes, person, query.strip())
    settler = circle_of(scope, project).adjudicated
    why = {
        cell: found["reason"]
        for cell, found in adjudications.reasons(
            scope.ws.db, settler, [row["cell_id"] for row in rows]
        ).items()
    }
    return {
        "today": screens.pace(saves, sum(row["created_at"] >= today for row in rows)),
        "rows": [
            screens.my_row(row, criteria, why.get(row["cell_id"], ""))
            for row in rows
            if row["criterion_id"] in criteria
        ],
    }


def _left(
    db: sqlite3.Connection, given: Assignment, asked: Collection[int], now: Collection[int] = ()
) -> set[int]:
    """The cells that stay open on a screen: on a second look those that were not looked at
    again."""
    if given.design == repeats.REPEAT:
        return set(asked).difference(now, repeats.said_on(db, given.screen_id, given.person_id))
    return left_open(db, given.person_id, asked, now)


def _person(scope: Scope) -> str:
    # A cookie may name somebody of another workspace, or of a copy that is gone.
    if not scope.actor.person_id or scope.actor.person_id not in projects.people(scope.ws):
        raise InputError(
            "who are you", found="no name yet", expected="a name", remedy="Choose a name first."
        )
    return scope.actor.person_id


def _send(scope: Scope, project: Project, given: Assignment) -> dict[str, Any]:
    """What goes to the browser; marks that are shown are remembered, so that a later blind verdict
    is refused."""
    screen, shown = screens.build(scope.ws, project, given)
    if shown:
        with scope.ws.write(durable=False) as db:
            queue.mark_seen(db, scope.ws, given.person_id, given.subjects)
    return screen
