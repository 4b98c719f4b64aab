"""Screens are formed: which answers stand together, how many people are to see them, and what share
is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from graders.core.hashing import seeded
from graders.store.desk import queued_screens
from graders.store.desk.queued_screens import AUDITS, NewScreen
from graders.store.figures import placed, reading
from graders.store.opinions import kept_labels
from graders.store.projects import Project
from graders.store.workspace import Workspace
from graders.workflows.promise.placed_draws import held
from graders.workflows.routing import review_order
from graders.workflows.scope.sampling import Sampling


def form_screens(ws: Workspace, project: Project, sampling: Sampling) -> None:
    """A seeded partition of the answers that have open cells and are not drawn, and that no placed
    draw may still ask about, nor a label waits for its test.

    Screens that somebody was given stay as they are, and so do untouched ones that the partition
    still holds: the queue is never empty meanwhile.
    """
    drawn = queued_screens.screened(ws.db, project, ("calibration", "audit")) | held(ws, project)
    drawn |= kept_labels.closed_subjects(ws.db, project)
    busy = drawn | reading.busy_subjects(ws.db, project)
    waiting = [s for s in reading.subjects_waiting(ws.db, project) if s not in busy]
    formed = partition(ws, project, sampling, "ordinary", waiting, 1.0)
    wanted = {(screen.needed, *sorted(screen.subjects)): screen for screen in formed}
    there = queued_screens.untouched(ws.db, project, "ordinary")
    ws.background(
        [row for key, row in there.items() if key not in wanted], queued_screens.drop_screens
    )
    kept, busy = (
        queued_screens.untouched(ws.db, project, "ordinary"),
        reading.busy_subjects(ws.db, project),
    )
    missing = [
        screen
        for key, screen in wanted.items()
        if key not in kept and busy.isdisjoint(screen.subjects)
    ]
    ws.background(missing, lambda db, batch: queued_screens.add_screens(db, ws, project, batch))
    ws.background(queued_screens.begun(ws.db, project), queued_screens.set_places)
    review_order.arrange(ws, project)


def without_drawn(
    ws: Workspace, project: Project, sampling: Sampling, chosen: Sequence[int]
) -> None:
    """Take answers that were drawn just now off the ordinary screens that nobody was given yet, in
    the caller's transaction: nobody is to meet them with marks before they were graded blind. Their
    neighbours stay together."""
    there = queued_screens.untouched_with(ws.db, project, "ordinary", chosen)
    drawn, rest = (
        frozenset(chosen),
        [subject for subjects in there.values() for subject in subjects],
    )
    queued_screens.drop_screens(ws.db, list(there))
    queued_screens.add_screens(
        ws.db,
        ws,
        project,
        partition(ws, project, sampling, "ordinary", [s for s in rest if s not in drawn], 1.0),
    )


def partition(
    ws: Workspace,
    project: Project,
    sampling: Sampling,
    design: str,
    subjects: Iterable[int],
    probability: float,
) -> list[NewScreen]:
    """Screens of up to so many answers of one question each; answers with the same text stand
    together.

    Overlap holds for the drawn sample too: two blind verdicts on the same cells, of known
    probability, say how far people agree. An audit only watches for drift of what the machine
    decides, and a placed label says nothing of how far people agree: one person is enough for
    these, and a second would double the price.
    """
    needed = 1 if design in ("audit", placed.PLACED) else sampling.overlap
    screens = []
    rows = reading.screen_rows(ws.db, list(subjects))
    for place, (question_id, groups) in enumerate(rows.items()):
        ordered = sorted(
            groups, key=lambda group: seeded(project.seed, "screen", question_id, group)
        )
        for start in range(0, len(ordered), max(1, sampling.answers_per_screen)):
            members = tuple(
                s
                for group in ordered[start : start + max(1, sampling.answers_per_screen)]
                for s in group
            )
            priority = float(question_id) + start / 10_000 + place / 10**9
            if design == "audit":
                priority = AUDITS[0] + seeded(project.seed, "audit place", *members) / 10
            screens.append(NewScreen(question_id, design, members, probability, priority, needed))
    return screens
