"""Screens, the queue of open ones, and leases that expire."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from graders.store.answers.content import chunks, marks
from graders.store.desk import apart, gold, repeats, seeded
from graders.store.desk.assignments import Wanted, held
from graders.store.projects import Project
from graders.store.workspace import Workspace

#: Gives, for (screen, its design, whether the person has seen marks on it), the arm, its
#: probability and the order seed. It is asked before anything is sent.
Draw = Callable[[int, str, bool], tuple[str, float, int]]
#: How long a screen stays with a person who does not come back, in seconds.
LEASE_SECONDS = 30 * 60.0

#: Screens that a person is never refused for a colleague's sake: the one that is read, and the
#: next, so that saving waits for nothing.
AT_HAND = 2


@dataclass(frozen=True, slots=True)
class NewScreen:
    """A screen to be queued: smaller `priority` comes first, `needed` people see it; `cells`: the
    only ones that it asks about, where it does not ask about all; `look`: the planned look that its
    labels belong to, 0 for none."""

    question_id: int
    design: str
    subjects: tuple[int, ...]
    probability: float
    priority: float
    needed: int = 1
    cells: tuple[int, ...] = ()
    look: int = 0


def add_screens(
    db: sqlite3.Connection, ws: Workspace, project: Project, screens: Sequence[NewScreen]
) -> None:
    """Queue screens."""
    now = ws.now()
    for screen in screens:
        row_id = db.execute(
            (
                "INSERT INTO screen (project_id, question_id, design, probability, seed, needed, "
                "created_at, look) VALUES (?,?,?,?,?,?,?,?)"
            ),
            (
                project.id,
                screen.question_id,
                screen.design,
                screen.probability,
                project.seed,
                screen.needed,
                now,
                screen.look,
            ),
        ).lastrowid
        db.executemany(
            "INSERT INTO screen_subject VALUES (?, ?)",
            [(row_id, subject) for subject in screen.subjects],
        )
        db.executemany(
            "INSERT INTO screen_cell VALUES (?, ?)", [(row_id, cell) for cell in screen.cells]
        )
        db.execute(
            "INSERT INTO queue (screen_id, project_id, priority, free) VALUES (?, ?, ?, ?)",
            (row_id, project.id, screen.priority, screen.needed),
        )


#: Nobody was ever given the screen `s`.
UNTOUCHED = "NOT EXISTS (SELECT 1 FROM assignment a WHERE a.screen_id = s.id)"

#: Nobody holds the screen `s`, and nobody has saved it: it is untouched, or was given back.
_FREE = (
    "NOT EXISTS (SELECT 1 FROM assignment a WHERE a.screen_id = s.id "
    "AND a.state NOT IN ('expired', 'released'))"
)


def untouched(db: sqlite3.Connection, project: Project, design: str) -> dict[tuple[int, ...], int]:
    """Screens of a design that nobody has been given yet: (people needed, subjects in order of
    their rows) -> screen row."""
    found: dict[int, list[int]] = {}
    sql = (
        "SELECT x.screen_id, x.subject_id, s.needed FROM screen s "
        "JOIN screen_subject x ON x.screen_id = s.id "
        f"WHERE s.project_id = ? AND s.design = ? AND {UNTOUCHED} "
        "ORDER BY x.screen_id, x.subject_id"
    )
    for row in db.execute(sql, (project.id, design)):
        found.setdefault(row[0], [row[2]]).append(row[1])
    return {tuple(key): screen for screen, key in found.items()}


def untouched_with(
    db: sqlite3.Connection, project: Project, design: str, subjects: Sequence[int]
) -> dict[int, list[int]]:
    """Screens of a design that nobody has been given yet and that hold one of the subjects: screen
    row -> all its subjects."""
    found: dict[int, list[int]] = {}
    for ids in chunks(subjects):
        sql = (
            "SELECT x.screen_id, x.subject_id FROM screen_subject x "
            "WHERE x.screen_id IN (SELECT s.id FROM screen_subject y JOIN screen s "
            f"ON s.id = y.screen_id WHERE y.subject_id IN ({marks(len(ids))}) "
            f"AND s.project_id = ? AND s.design = ? AND {UNTOUCHED})"
        )
        for screen, subject in db.execute(sql, (*ids, project.id, design)):
            found.setdefault(screen, []).append(subject)
    return {screen: sorted(set(members)) for screen, members in found.items()}


def free_otherwise(
    db: sqlite3.Connection,
    project: Project,
    design: str,
    needed: int,
    places: tuple[float, float] = (-math.inf, math.inf),
) -> list[int]:
    """Screens of a design that nobody holds and nobody has saved, for which another number of
    people was asked; those with a priority from the first of `places` to below the second."""
    sql = (
        "SELECT s.id FROM screen s JOIN queue q ON q.screen_id = s.id WHERE s.project_id = ? "
        f"AND s.design = ? AND s.needed <> ? AND q.priority >= ? AND q.priority < ? AND {_FREE}"
    )
    return [row[0] for row in db.execute(sql, (project.id, design, needed, *places))]


def set_needed(db: sqlite3.Connection, screen_ids: Sequence[int], needed: int) -> None:
    """Ask for so many people on screens, except those that somebody was given meanwhile."""
    for screen in screen_ids:
        if db.execute(
            f"UPDATE screen AS s SET needed = ? WHERE id = ? AND {_FREE}", (needed, screen)
        ).rowcount:
            count_places(db, screen)


def drop_screens(db: sqlite3.Connection, screen_ids: Sequence[int]) -> None:
    """Remove screens, except those that somebody was given meanwhile."""
    for ids in chunks(screen_ids):
        still = [
            row[0]
            for row in db.execute(
                f"SELECT s.id FROM screen s WHERE s.id IN ({marks(len(ids))}) AND {UNTOUCHED}", ids
            )
        ]
        for table, column in (
            ("queue", "screen_id"),
            ("screen_subject", "screen_id"),
            ("screen_cell", "screen_id"),
            ("screen", "id"),
        ):
            db.execute(f"DELETE FROM {table} WHERE {column} IN ({marks(len(still))})", still)


def screened(db: sqlite3.Connection, project: Project, designs: Sequence[str] = ()) -> set[int]:
    """Subjects that stand on a screen (of the given designs)."""
    where = f"AND s.design IN ({marks(len(designs))})" if designs else ""
    sql = (
        "SELECT DISTINCT x.subject_id FROM screen_subject x JOIN screen s ON s.id = x.screen_id "
        f"WHERE s.project_id = ? {where}"
    )
    return {row[0] for row in db.execute(sql, (project.id, *designs))}


def count_places(db: sqlite3.Connection, screen_id: int) -> None:
    """Free places of a screen: what is needed, less those who are done and those who hold it.
    Counted, so it cannot drift."""
    db.execute(
        "UPDATE queue SET free = max(0, (SELECT s.needed - s.done FROM screen s "
        "WHERE s.id = queue.screen_id) - "
        "(SELECT count(*) FROM assignment a WHERE a.screen_id = queue.screen_id "
        "AND a.state = 'leased')) WHERE screen_id = ?",
        (screen_id,),
    )


def begun(db: sqlite3.Connection, project: Project) -> list[tuple[int, bool]]:
    """Ordinary screens that wait for a further person, and whether they have anything to ask: not
    where the machine decides all now."""
    asks = (
        "EXISTS (SELECT 1 FROM screen_subject x JOIN cell c ON c.subject_id = x.subject_id "
        "JOIN criterion cr ON cr.id = c.criterion_id "
        "AND cr.active = 1 AND cr.key NOT LIKE 'faults/%' WHERE x.screen_id = s.id "
        "AND c.route <> 'automatic')"
    )
    waits = f"s.project_id = ? AND s.design = 'ordinary' AND s.done < s.needed AND NOT {UNTOUCHED}"
    return [
        (row[0], bool(row[1]))
        for row in db.execute(f"SELECT s.id, {asks} FROM screen s WHERE {waits}", (project.id,))
    ]


def set_places(db: sqlite3.Connection, screens: Sequence[tuple[int, bool]]) -> None:
    """Open the further places of screens that have something to ask, and close those of the
    others."""
    for screen, asks in screens:
        count_places(db, screen)
        if not asks:
            db.execute("UPDATE queue SET free = 0 WHERE screen_id = ?", (screen,))


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
    while len(taken) < count and (due := gold.due(db, project, person, wanted.gold)) is not None:
        seed = draw(due[1], due[0], False)[2]
        taken.append(
            apart.give(
                db, ws, project, person, [due[1]], design=due[0], order_seed=seed, until=until
            )
        )
    if (
        len(taken) < count
        and wanted.again
        and (back := repeats.due(db, project, person, wanted.again)) is not None
    ):
        subjects = [
            row[0]
            for row in db.execute(
                "SELECT subject_id FROM screen_subject WHERE screen_id = ? ORDER BY 1", (back,)
            )
        ]
        seed = draw(back, repeats.REPEAT, False)[2] ^ 1  # the answers in another order
        taken.append(
            apart.give(
                db,
                ws,
                project,
                person,
                subjects,
                design=repeats.REPEAT,
                order_seed=seed,
                until=until,
                again=back,
            )
        )
    if (
        len(taken) < count
        and wanted.control
        and (copy := seeded.due(db, project, person, wanted.control)) is not None
    ):
        question, subject = copy
        seed = draw(subject, seeded.CONTROL, False)[2]
        taken.append(
            apart.give(
                db,
                ws,
                project,
                person,
                [subject],
                design=seeded.CONTROL,
                order_seed=seed,
                until=until,
                question=question,
            )
        )
    return taken


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
        if wanted.warm_up:
            given = db.execute(
                (
                    "SELECT count(*) FROM assignment WHERE project_id = ? AND person_id = ? "
                    "AND state IN ('done', 'partial', 'leased')"
                ),
                (project.id, wanted.person_id),
            ).fetchone()[0]
            row = db.execute(_TAKE_ORDINARY, values).fetchone() if given < wanted.warm_up else None
        row = row or db.execute(_TAKE, values).fetchone()
    return None if row is None else int(row[0])


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


def design_of(db: sqlite3.Connection, screen_id: int) -> str:
    """What a screen was made for; empty where there is none."""
    row = db.execute("SELECT design FROM screen WHERE id = ?", (screen_id,)).fetchone()
    return row[0] if row else ""


def open_screens(db: sqlite3.Connection, project: Project) -> int:
    """Screens that still need a person: with a free place, or in the hands of somebody who has not
    saved yet."""
    held = db.execute(
        "SELECT count(DISTINCT a.screen_id) FROM assignment a INDEXED BY assignment_leased "
        "JOIN queue q ON q.screen_id = a.screen_id "
        "JOIN screen s ON s.id = a.screen_id WHERE a.state = 'leased' AND a.project_id = ? "
        "AND q.free = 0 AND s.done < s.needed",
        (project.id,),
    ).fetchone()[0]
    return free_screens(db, project) + int(held)
