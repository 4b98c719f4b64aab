"""The queue: screens are handed out under leases that expire, in a long queue without waiting for
the write lock, because a few more are leased than were asked for."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from graders.store.desk import own_screens, seeded
from graders.store.desk.assignments import Assignment, Wanted, find_all, held, ready
from graders.store.desk.queued_screens import CALIBRATION, count_places
from graders.store.projects import Project
from graders.store.workspace import Workspace

#: Gives, for (screen, its design, whether the person has seen marks on it), the arm, its
#: probability and the order seed. It is asked before anything is sent.
Draw = Callable[[int, str, bool], tuple[str, float, int]]
#: How long a screen stays with a person who does not come back, in seconds.
LEASE_SECONDS = 30 * 60.0

#: Screens leased ahead for each person, in a queue with at least so many open screens.
AHEAD, LONG_QUEUE = 3, 1_000
#: A screen is given without a new lease while this much of its lease is left, in seconds.
FRESH_SECONDS = LEASE_SECONDS / 2
#: Screens that a person is never refused for a colleague's sake: the one that is read, and the
#: next, so that saving waits for nothing.
AT_HAND = 2


_FIT = (
    "q.project_id = :project AND q.free > 0 AND NOT EXISTS (SELECT 1 FROM assignment a "
    "WHERE a.screen_id = q.screen_id AND a.person_id = :person "
    "AND a.state NOT IN ('expired', 'released', 'undone')) AND ((SELECT s.design "
    "FROM screen s WHERE s.id = q.screen_id) = 'ordinary' OR NOT EXISTS "
    "(SELECT 1 FROM screen_subject x JOIN seen ON seen.subject_id = x.subject_id "
    "AND seen.person_id = :person WHERE x.screen_id = q.screen_id))"
)
_TAKE = (
    "UPDATE queue SET free = free - 1 WHERE screen_id = (SELECT q.screen_id FROM queue q "
    f"WHERE {_FIT} ORDER BY q.priority, q.screen_id LIMIT 1) RETURNING screen_id"
)
_TAKE_QUESTION = (
    "UPDATE queue SET free = free - 1 WHERE screen_id = (SELECT q.screen_id FROM queue q "
    f"WHERE {_FIT} AND q.screen_id IN "
    "(SELECT id FROM screen WHERE question_id = :question) ORDER BY q.priority, q.screen_id "
    "LIMIT 1) RETURNING screen_id"
)
_TAKE_ORDINARY = (
    "UPDATE queue SET free = free - 1 WHERE screen_id = (SELECT q.screen_id FROM queue q "
    f"WHERE {_FIT} AND (SELECT s.design FROM screen s "
    "WHERE s.id = q.screen_id) = 'ordinary' ORDER BY q.priority, q.screen_id LIMIT 1) "
    "RETURNING screen_id"
)


def _take_only(field: str) -> str:
    """The statement that takes the next screen whose question has ``:only`` in `field` (one of
    NARROWED_BY)."""
    return (
        "UPDATE queue SET free = free - 1 WHERE screen_id = (SELECT q.screen_id "
        f"FROM queue q WHERE {_FIT} AND EXISTS (SELECT 1 FROM screen s "
        "JOIN question z ON z.id = s.question_id WHERE s.id = q.screen_id "
        f"AND z.{field} = :only) ORDER BY q.priority, q.screen_id LIMIT 1) "
        "RETURNING screen_id"
    )


def take(ws: Workspace, project: Project, wanted: Wanted, draw: Draw) -> list[Assignment]:
    """The next screens of a person: first those already leased and not in hand, then the next open
    ones.

    A person is given what is leased already, by reading alone; a thread beside leases the following
    ones and prolongs the leases. In a short queue nothing is held back: each screen is leased when
    it is asked for.
    """
    chosen, free = ready(ws.db, project, wanted, ws.clock() + FRESH_SECONDS)
    if len(chosen) < wanted.count:
        chosen = find_all(ws.db, lease(ws, project, wanted, draw), wanted.person_id)
    free = free_screens(ws.db, project) if free is None else free
    if wanted.question_id is None and free >= LONG_QUEUE:
        following = replace(
            wanted, count=AHEAD, have=(*wanted.have, *(given.screen_id for given in chosen))
        )
        ws.soon((project.id, wanted.person_id), lambda: lease(ws, project, following, draw))
    return chosen


def lease(ws: Workspace, project: Project, wanted: Wanted, draw: Draw) -> list[int]:
    """Lease screens to a person: first those already leased and not in hand, then the next open
    ones. All leases begin anew."""
    taken: list[int] = []
    with ws.write(durable=False) as db:
        _expire(db, ws)
        until = ws.clock() + LEASE_SECONDS
        taken += [given.screen_id for given in held(db, project, wanted)]
        db.execute(
            (
                "UPDATE assignment SET lease_until = ? WHERE project_id = ? AND person_id = ? "
                "AND state = 'leased'"
            ),
            (until, project.id, wanted.person_id),
        )
        taken += _own(db, ws, project, wanted, draw, until, wanted.count - len(taken))
        while len(taken) < wanted.count and (screen := _next(db, project, wanted)) is not None:
            _lease(db, project, wanted.person_id, screen, draw, until)
            taken.append(screen)
        ws.touch(db)
    return taken


def _own(
    db: sqlite3.Connection,
    ws: Workspace,
    project: Project,
    wanted: Wanted,
    draw: Draw,
    until: float,
    count: int,
) -> list[int]:
    """Screens for this person alone that are due: practice and gold questions, then one that comes
    back, then a copy with a fault."""
    taken: list[int] = []
    if wanted.question_id is not None or wanted.only is not None:
        return taken
    person = wanted.person_id

    def give(
        subjects: Sequence[int],
        design: str,
        seed: int,
        again: int | None = None,
        question: int | None = None,
    ) -> None:
        own = own_screens.OwnLease(person, design, seed, until, again, question)
        taken.append(own_screens.give(db, ws, project, subjects, own))

    while len(taken) < count and (checks := own_screens.gold_due(db, project, person, wanted.gold)):
        design, subject = checks
        give([subject], design, draw(subject, design, False)[2])
    if len(taken) < count and wanted.again:
        back = own_screens.repeat_due(db, project, person, wanted.again)
        if back is not None:
            # the answers in another order
            seed = draw(back, own_screens.REPEAT, False)[2] ^ 1
            give(_subjects(db, back), own_screens.REPEAT, seed, again=back)
    if len(taken) < count and wanted.control:
        copy = seeded.due(db, project, person, wanted.control)
        if copy is not None:
            question, subject = copy
            seed = draw(subject, seeded.CONTROL, False)[2]
            give([subject], seeded.CONTROL, seed, question=question)
    return taken


def _subjects(db: sqlite3.Connection, screen: int) -> list[int]:
    sql = "SELECT subject_id FROM screen_subject WHERE screen_id = ? ORDER BY 1"
    return [row[0] for row in db.execute(sql, (screen,))]


def _next(db: sqlite3.Connection, project: Project, wanted: Wanted) -> int | None:
    """Take a place of the next open screen that fits."""
    only = wanted.only
    values = {
        "project": project.id,
        "person": wanted.person_id,
        "question": wanted.question_id,
        "only": only[1] if only else None,
    }
    row = None
    if wanted.question_id is not None:
        row = db.execute(_TAKE_QUESTION, values).fetchone()
    elif only is not None:
        row = db.execute(_take_only(only[0]), values).fetchone()
    else:
        if _wants_undrawn(db, project, wanted, values):
            row = db.execute(_TAKE_ORDINARY, values).fetchone()
        row = row or db.execute(_TAKE, values).fetchone()
    return None if row is None else int(row[0])


def _wants_undrawn(
    db: sqlite3.Connection, project: Project, wanted: Wanted, values: Mapping[str, object]
) -> bool:
    """Whether it is an ordinary screen's turn where a drawn one would come."""
    if not wanted.undrawn:
        return False
    sql = (
        "SELECT count(*) FROM assignment WHERE project_id = ? AND person_id = ? "
        "AND state IN ('done', 'partial', 'leased')"
    )
    given = int(db.execute(sql, (project.id, wanted.person_id)).fetchone()[0])
    if given < wanted.drawn_first or given % wanted.undrawn != wanted.undrawn - 1:
        return False
    following = f"SELECT q.priority FROM queue q WHERE {_FIT} ORDER BY q.priority LIMIT 1"
    row = db.execute(following, values).fetchone()
    return row is not None and CALIBRATION[0] <= row[0] < CALIBRATION[1]


def _lease(
    db: sqlite3.Connection,
    project: Project,
    person_id: str,
    screen: int,
    draw: Draw,
    until: float,
) -> None:
    design = db.execute("SELECT design FROM screen WHERE id = ?", (screen,)).fetchone()[0]
    earlier = db.execute(
        "SELECT arm, probability, order_seed FROM assignment WHERE screen_id = ? AND person_id = ?",
        (screen, person_id),
    ).fetchone()
    seen = has_seen(db, person_id, screen)
    if earlier is None or (earlier["arm"] == "blind" and seen and design == "ordinary"):
        arm, probability, order_seed = draw(screen, design, seen)
    else:
        arm, probability, order_seed = tuple(earlier)
    sorted_out = (
        "SELECT 1 FROM review_order WHERE project_id = ? AND kind = 'adaptive' UNION ALL "
        "SELECT 1 FROM queue WHERE screen_id = ? AND left_over = 1 "
        "UNION ALL SELECT 1 FROM assignment WHERE screen_id = ? AND adaptive = 1"
    )
    adaptive = (
        design == "ordinary"
        and db.execute(sorted_out, (project.id, screen, screen)).fetchone() is not None
    )
    db.execute(
        "INSERT INTO assignment (screen_id, project_id, person_id, arm, probability, "
        "order_seed, state, lease_until, adaptive) "
        "VALUES (?,?,?,?,?,?,'leased',?,?) ON CONFLICT (screen_id, person_id, "
        "occasion) DO UPDATE SET state = 'leased', arm = excluded.arm, "
        "probability = excluded.probability, lease_until = excluded.lease_until, "
        "adaptive = max(adaptive, excluded.adaptive), save_id = ''",
        (screen, project.id, person_id, arm, probability, order_seed, until, adaptive),
    )


def has_seen(db: sqlite3.Connection, person_id: str, screen_id: int) -> bool:
    """Whether a person was shown marks on an answer of a screen."""
    sql = (
        "SELECT 1 FROM screen_subject x JOIN seen ON seen.subject_id = x.subject_id "
        "WHERE x.screen_id = ? AND seen.person_id = ?"
    )
    return db.execute(sql, (screen_id, person_id)).fetchone() is not None


def _expire(db: sqlite3.Connection, ws: Workspace) -> None:
    """Give back the screens of people who did not come back."""
    rows = db.execute(
        (
            "UPDATE assignment SET state = 'expired' WHERE state = 'leased' AND lease_until < ? "
            "RETURNING screen_id"
        ),
        (ws.clock(),),
    ).fetchall()
    for row in rows:
        count_places(db, row[0])


def mark_seen(
    db: sqlite3.Connection, ws: Workspace, person_id: str, subjects: Iterable[int]
) -> None:
    """Remember that a person was shown what machines or colleagues think of these answers, and when
    last."""
    db.executemany(
        (
            "INSERT INTO seen VALUES (?, ?, ?) ON CONFLICT (person_id, subject_id) DO UPDATE "
            "SET at = excluded.at"
        ),
        [(person_id, subject, ws.now()) for subject in subjects],
    )


def release(ws: Workspace, project: Project, person_id: str, screens: Sequence[int]) -> None:
    """Give back leased screens that were not opened."""
    with ws.write(durable=False) as db:
        for screen in screens:
            changed = db.execute(
                (
                    "UPDATE assignment SET state = 'released' WHERE screen_id = ? "
                    "AND person_id = ? AND project_id = ? AND state = 'leased'"
                ),
                (screen, person_id, project.id),
            ).rowcount
            if changed:
                count_places(db, screen)


def any_at(db: sqlite3.Connection, project: Project, places: tuple[float, float]) -> bool:
    """Whether a screen at these places, priorities from the first to below the second, has a free
    one."""
    sql = (
        "SELECT 1 FROM queue WHERE project_id = ? AND free > 0 AND priority >= ? AND priority < ? "
        "LIMIT 1"
    )
    return db.execute(sql, (project.id, *places)).fetchone() is not None


def fair_share(
    ws: Workspace, project: Project, person_id: str, have: Sequence[int], sent: Sequence[int]
) -> int:
    """How many screens a person may be given now beside those in hand: what he or she holds
    already, and more up to half of what is left.

    The screen that is read and one ahead are always among them. Those that are `sent` are as good
    as done.
    """
    sql = (
        "SELECT screen_id FROM assignment WHERE project_id = ? AND person_id = ? "
        "AND state = 'leased' AND lease_until >= ?"
    )
    leased = {row[0] for row in ws.db.execute(sql, (project.id, person_id, ws.clock()))}.difference(
        sent
    )
    most = max(AT_HAND, (free_screens(ws.db, project) + len(leased)) // 2)
    return len(leased.difference(have)) + max(0, most - len(leased))


def free_screens(db: sqlite3.Connection, project: Project) -> int:
    """Screens with a free place."""
    row = db.execute(
        "SELECT count FROM open_screens WHERE project_id = ?", (project.id,)
    ).fetchone()
    return int(row[0]) if row else 0


def open_screens(db: sqlite3.Connection, project: Project) -> int:
    """Screens that still need a person: with a free place, or in the hands of somebody who has not
    saved yet. Drawn screens that two people get need a second one only once somebody else
    joined."""
    held = db.execute(
        "SELECT count(DISTINCT a.screen_id) FROM assignment a INDEXED BY assignment_leased "
        "JOIN queue q ON q.screen_id = a.screen_id "
        "JOIN screen s ON s.id = a.screen_id WHERE a.state = 'leased' AND a.project_id = ? "
        "AND q.free = 0 AND s.done < s.needed",
        (project.id,),
    ).fetchone()[0]
    return free_screens(db, project) + int(held) - _for_newcomers(db, project)


def _for_newcomers(db: sqlite3.Connection, project: Project) -> int:
    """Drawn screens that wait for a second person only because two people get them, while one
    person has joined; none where a lead asks for several people on every screen."""
    if (project.settings.get("sampling") or {}).get("overlap", 1) > 1:
        return 0
    joined = db.execute(
        "SELECT count(DISTINCT person_id) FROM assignment WHERE project_id = ? "
        "AND state IN ('done', 'partial', 'leased')",
        (project.id,),
    ).fetchone()[0]
    if joined != 1:
        return 0
    sql = (
        "SELECT count(*) FROM assignment a JOIN queue q ON q.screen_id = a.screen_id "
        "JOIN screen s ON s.id = a.screen_id WHERE a.project_id = ? AND a.state = 'done' "
        "AND q.free > 0 AND s.design = 'calibration'"
    )
    return int(db.execute(sql, (project.id,)).fetchone()[0])
