"""Review: handing out screens, taking in verdicts by people, undo. Verdicts are appended, never
changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from graders.core.errors import InputError, NotFound
from graders.core.hashing import seeded
from graders.core.shapes import JSON
from graders.core.words import error_parts, say
from graders.store.answers import content
from graders.store.desk import (
    annotators,
    assignments,
    own_screens,
    queue,
    repeats,
    saves,
)
from graders.store.desk.assignments import NARROWED_BY, Assignment, Wanted
from graders.store.desk.queue import Draw
from graders.store.desk.saves import StoredSave
from graders.store.opinions import verdicts
from graders.store.projects import Project
from graders.workflows.cells.state import Frame, read_frame, refresh_said
from graders.workflows.opinions.fast_work import first_told, is_fast
from graders.workflows.review import practice, reveal, save_replies, screens
from graders.workflows.review._mixing import DRAWN_FIRST, Mixing, mixing_of
from graders.workflows.review._screen_cells import asked_of, home_of, left_open
from graders.workflows.review.check_save import number, verdict_rows
from graders.workflows.review.save_replies import SaveReply
from graders.workflows.review.screen_records import Screen
from graders.workflows.scope.permissions import Scope, named_actor, needs
from graders.workflows.scope.sampling import Sampling


@dataclass(frozen=True, slots=True)
class Held:
    """Screens that colleagues hold, and the seconds until the first of them comes back, None for
    none."""

    screens: int
    back_in: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """A person's progress, in screens. `waiting`: screens that still need a person, also those that
    are held.

    `total` counts what the person did and can still do, also where a colleague holds it meanwhile,
    so that it stays while others come and go; `held` is that part of it; `others` the waiting ones
    that only others can do. `minutes_left` is for what can be done now, None before a screen was
    timed. `to_reveal`: blind screens to save before the judges' values are shown, None where they
    never are. `routed`: whether cells were ever sent to people (before that there is nothing to
    do), None where that was not asked.
    """

    done: int
    total: int
    waiting: int
    held: Held
    others: int
    flagged: int
    minutes_left: int | None
    to_reveal: int | None
    routed: bool | None


@needs("review")
def next_screens(
    scope: Scope,
    project_name: str,
    count: int,
    have: Sequence[int] = (),
    question_key: str = "",
    narrow: str = "",
    sent: Sequence[int] | None = None,
) -> list[Screen]:
    """Lease the next screens to the actor; arms are drawn before anything is sent. `narrow` is a
    key of `desk.queues`.

    A page that fetches ahead names the screens that are `sent` and not yet saved: beside these it
    gets a fair share of what is left, so that a colleague finds something too.
    """
    project = scope.project(project_name)
    person = named_actor(scope)
    sampling = Sampling.of(project.settings)
    question_id = None
    if question_key:
        question_id = content.question_ids(scope.ws.db, project, [question_key]).get(question_key)
        if question_id is None:
            raise NotFound(**error_parts("review.no_question", question=repr(question_key)))
    if sent is not None:
        count = min(count, queue.fair_share(scope.ws, project, person, have, sent))
        if count < 1:
            return []
    mixing = mixing_of(scope.ws, project, sampling)
    wanted = Wanted(
        person,
        count,
        tuple(have),
        question_id,
        mixing.undrawn,
        _only(narrow),
        sampling.repeat,
        sampling.gold,
        sampling.control,
        DRAWN_FIRST,
    )
    given = queue.take(scope.ws, project, wanted, _drawing(project, person, mixing))
    return [_send(scope, project, assignment) for assignment in given]


def _drawing(project: Project, person: str, mixing: Mixing) -> Draw:
    """How arms are drawn for a person."""

    def draw(screen: int, design: str, seen: bool) -> tuple[str, float, int]:
        order_seed = int(seeded(project.seed, "order", person, screen) * 2**31)
        if design != "ordinary":
            return "blind", 1.0, order_seed
        if seen:
            return "assisted", 1.0, order_seed
        if seeded(project.seed, "arm", person, screen) < mixing.blind:
            return "blind", mixing.blind, order_seed
        return "assisted", 1 - mixing.blind, order_seed

    return draw


def _only(narrow: str) -> tuple[str, str] | None:
    """``task_type=creative`` as (field, value); InputError for any other field."""
    if not narrow:
        return None
    field, _, value = narrow.partition("=")
    if field not in NARROWED_BY:
        choices = ", ".join(f"{name}=..." for name in NARROWED_BY)
        raise InputError(**error_parts("review.queue", narrow=repr(narrow)[:80], choices=choices))
    return field, value


@needs("review")
def one_screen(scope: Scope, project_name: str, screen_id: int) -> Screen:
    """A screen that the actor has or had, with the actor's own marks."""
    project = scope.project(project_name)
    given = assignments.find(scope.ws.db, screen_id, named_actor(scope))
    if given is None:
        raise NotFound(**error_parts("review.not_yours", screen=screen_id))
    return _send(scope, project, given)


@needs("review")
def release(scope: Scope, project_name: str, screen_ids: Sequence[int]) -> None:
    """Give back screens that were not opened."""
    queue.release(scope.ws, scope.project(project_name), named_actor(scope), screen_ids)


@needs("review")
def save(scope: Scope, project_name: str, body: JSON) -> SaveReply:
    """Take in one screen's save. The same save id again changes nothing; what a colleague finished
    meanwhile is kept as extra, and what the same person saved meanwhile elsewhere stands (see
    `save_replies`).

    Where cells were left open all of it is kept, and the screen goes on waiting for another person.
    """
    project = scope.project(project_name)
    person = named_actor(scope)
    save_id = str(body.get("save_id") or "")
    if not 8 <= len(save_id) <= 80:
        raise InputError(**error_parts("review.save_id", value=repr(save_id)[:90]))
    earlier = saves.known_save(scope.ws.db, save_id)
    if earlier is not None:
        return _told_again(scope, project, person, earlier)
    given = assignments.find(scope.ws.db, number(body.get("screen"), "screen"), person)
    if given is None:
        raise InputError(**error_parts("review.not_given", screen=repr(body.get("screen"))))
    if given.design == own_screens.PRACTICE:
        return practice.save(scope, project, given, save_id, body)
    home = home_of(scope.ws, project, given)
    frame = read_frame(scope.ws, home)
    asked = asked_of(scope.ws, project, given)
    with scope.ws.write() as db:
        if saves.known_save(db, save_id) is not None:
            return SaveReply(save_id=save_id, stored=False)
        # as it stands now that nobody else writes
        given = assignments.find(db, given.screen_id, person) or given
        aside = save_replies.keep_aside(db, scope.ws, given, save_id, body)
        if aside is not None:
            return aside
        extra = _store(scope, project, given, asked, frame, save_id, body)
    message = say("review.extra") if extra else ""
    pace = first_told(scope.ws.db, project, person) if is_fast(body) else ""
    return SaveReply(save_id=save_id, stored=True, extra=extra, message=message, pace=pace)


def _told_again(scope: Scope, project: Project, person: str, earlier: StoredSave) -> SaveReply:
    """The reply to a save that was stored already."""
    if earlier.aside:
        given = assignments.find(scope.ws.db, earlier.screen_id, person)
        if given is not None:
            return save_replies.reply_aside(scope.ws.db, given, earlier.id, earlier.body)
    told = practice.explained(scope.ws, project, earlier.screen_id, person, earlier.body)
    return SaveReply(save_id=earlier.id, stored=False, extra=earlier.extra, explained=told)


def _store(
    scope: Scope,
    project: Project,
    given: Assignment,
    asked: Collection[int],
    frame: Frame,
    save_id: str,
    body: JSON,
) -> bool:
    """Write a save and its verdicts in the transaction that is open; returns whether it is an
    extra one. `asked`: the open cells of the screen; `frame`: that of the project that they belong
    to."""
    db, home, skipped = scope.ws.db, frame.project, bool(body.get("skipped"))
    late = given.arm == "blind" and reveal.was_given(db, project, given.person_id)
    if given.arm == "blind" and queue.has_seen(db, given.person_id, given.screen_id):
        # marks on these answers were seen elsewhere meanwhile
        given = replace(given, arm="assisted")
    rows = [] if skipped else verdict_rows(db, home, given, body, frame.criteria, save_id)
    if late:
        rows = [reveal.marked(row) for row in rows]
    left = _left(db, given, asked, {row.cell_id for row in rows})
    kept = {key: value for key, value in body.items() if key != "save_id"}
    state = "skipped" if skipped else "partial" if left else "done"
    extra = saves.store_save(db, scope.ws, given, save_id, kept, state=state)
    touched = verdicts.append(db, home, rows, now=scope.ws.now())
    saves.set_flags(db, scope.ws, home, given, bool(body.get("flagged")))
    refresh_said(scope.ws, home, frame, touched)
    return extra


@needs("review")
def undo(scope: Scope, project_name: str, undo_id: str, save_id: str) -> Screen:
    """Take back a save: retracting rows are appended, and the screen comes back to the actor."""
    project = scope.project(project_name)
    person = named_actor(scope)
    save = saves.known_save(scope.ws.db, save_id)
    if save is None or save.person_id != person:
        raise NotFound(**error_parts("review.no_save", save=repr(save_id)))
    given = assignments.find(scope.ws.db, save.screen_id, person)
    if given is None:
        raise NotFound(**error_parts("review.no_screen", save=repr(save_id)))
    home = home_of(scope.ws, project, given)
    frame = read_frame(scope.ws, home)
    with scope.ws.write() as db:
        given = assignments.find(db, save.screen_id, person) or given
        present = saves.known_save(db, save_id)
        if present is not None and not present.undone:  # as one that was kept aside is
            touched = verdicts.retract_save(
                db, home, save_id, frame.criteria, now=scope.ws.now(), undo_id=undo_id
            )
            left = _left(db, given, asked_of(scope.ws, project, given))
            saves.undo_save(db, scope.ws, given, save_id, open_left=bool(left))
            refresh_said(scope.ws, home, frame, touched)
    again = assignments.find(scope.ws.db, save.screen_id, person)
    assert again is not None
    return screens.put_back(_send(scope, project, again), save.body)


@needs("review")
def counts(scope: Scope, project_name: str) -> Counts:
    """The actor's own progress."""
    project, person, db = scope.project(project_name), named_actor(scope), scope.ws.db
    mine = annotators.my_counts(db, project, person)
    waiting, left = queue.open_screens(db, project), annotators.left_for(db, project, person)
    held, until = annotators.with_colleagues(db, project, person)
    waiting = max(waiting, left + held)  # who joins now finds screens that wait for a second person
    minutes = (
        None if mine.seconds is None else max(1, round(left * mine.seconds / 60)) if left else 0
    )
    return Counts(
        done=mine.done,
        total=mine.done + left + held,
        waiting=waiting,
        held=Held(held, None if until is None else round(max(0.0, until - scope.ws.clock()), 1)),
        others=max(0, waiting - left - held),
        flagged=mine.flagged,
        minutes_left=minutes,
        to_reveal=reveal.to_go(db, project, person),
        routed=bool(project.settings.get("routed")),
    )


@needs("review")
def held_of(scope: Scope, project_name: str, question_key: str) -> int:
    """How many screens of a question colleagues hold that would come to the actor if they were
    given back."""
    project = scope.project(project_name)
    question = content.question_ids(scope.ws.db, project, [question_key]).get(question_key)
    if question is None:
        return 0
    return annotators.with_colleagues(scope.ws.db, project, named_actor(scope), question)[0]


def _left(
    db: sqlite3.Connection, given: Assignment, asked: Collection[int], now: Collection[int] = ()
) -> set[int]:
    """The cells that stay open on a screen: on a second look those that were not looked at
    again."""
    if given.design == own_screens.REPEAT:
        return set(asked).difference(now, repeats.said_on(db, given.screen_id, given.person_id))
    return left_open(db, given.person_id, asked, now)


def _send(scope: Scope, project: Project, given: Assignment) -> Screen:
    """What goes to the browser; marks that are shown are remembered, so that a later blind verdict
    is refused."""
    screen, shown = screens.build(scope.ws, project, given)
    if shown:
        with scope.ws.write(durable=False) as db:
            queue.mark_seen(db, scope.ws, given.person_id, given.subjects)
    return screen
