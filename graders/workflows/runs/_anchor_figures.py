"""Anchor questions in a run: a judge that changed grades their answers first, and each once more,
so that drift is told from noise."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graders.core.preference import compares
from graders.core.records import Request, Verdict
from graders.core.words import say
from graders.store import projects
from graders.store.answers import anchors, content
from graders.store.answers.anchors import ANCHOR, Graded
from graders.store.answers.content import StoredSubject
from graders.store.opinions import verdicts
from graders.store.projects import Project
from graders.store.workspace import Workspace
from graders.workflows.calling import judging
from graders.workflows.calling.call import Outcome
from graders.workflows.calling.judge_setup import JudgeSetup
from graders.workflows.calling.judging import Stage, Task
from graders.workflows.calling.record_verdicts import Recorder
from graders.workflows.calling.run_options import Options
from graders.workflows.calling.samples import samples_of

#: The setting that names anchor questions, by their ids.
SETTING = "anchors"


@dataclass(frozen=True)
class Due:
    """What a judge that changed has still to do with anchors that it graded under another recipe or
    wording: `subjects` (rows) to be graded under the present one, or once more, and the (subject,
    criterion) to be graded once more."""

    subjects: tuple[int, ...] = ()
    twice: frozenset[tuple[int, str]] = frozenset()

    def beside(self, only: Sequence[int]) -> list[int] | None:
        """The subjects that a run asks about: all (None), or `only` these and the anchors."""
        return (
            [*self.subjects, *(row for row in only if row not in self.subjects)] if only else None
        )

    def ahead(self, tasks: Sequence[Task]) -> list[Task]:
        """The tasks, those about anchors first."""
        there = set(self.subjects)
        return sorted(tasks, key=lambda task: there.isdisjoint(task.rows)) if there else list(tasks)


NONE_DUE = Due()


def due(ws: Workspace, project: Project, setup: JudgeSetup, options: Options) -> Due:
    """What a run has to ask a judge about anchors; nothing where it leaves them out, is a try, or
    the judge is as it was.

    A judge that goes back to a recipe or wording under which it graded an anchor before the change
    is asked nothing once more: what it said then is stored and costs nothing, a repeat would.
    """
    keys = [str(key) for key in project.settings.get(SETTING) or ()]
    if not keys or not options.anchors or options.tries or options.workshop:
        return NONE_DUE
    subjects = content.subjects_of(ws.db, content.question_ids(ws.db, project, keys).values())
    present = {
        row.key: (row.hash, setup.judge.recipe_of(row.rubric, row.criterion))
        for row in projects.criteria(ws, project)
        if row.criterion.grader("judge") is not None
        and not compares(row.scale)
        and setup.share.grades(row.key)
    }
    said: dict[tuple[int, str], list[Graded]] = {}
    for one in anchors.history(ws.db, project, setup.author, subjects):
        if one.criterion in present:
            said.setdefault((one.subject, one.criterion), []).append(one)
    left = {cell: _left(known, present[cell[1]]) for cell, known in said.items()}
    # samples of a judge say already how far it differs from itself
    twice = (
        {cell for cell, (_, repeat) in left.items() if repeat}
        if samples_of(setup.judge) == 1
        else set()
    )
    rows = {cell[0] for cell, (grade, _) in left.items() if grade or cell in twice}
    return Due(tuple(row for row in subjects if row in rows), frozenset(twice))


def _left(known: Sequence[Graded], present: tuple[str, str]) -> tuple[bool, bool]:
    """Whether a judge that said this of an answer has to grade it by the present (wording, recipe),
    and whether to grade it once more."""
    now = [one for one in known if (one.wording, one.recipe) == present]
    before = [one for one in known if one not in now]
    graded, earlier = ([one.last for one in some if not one.repeat] for some in (now, before))
    last = max((one.last for one in before), default=0)
    back = any(one.first < last for one in now)
    return max(graded, default=0) < max(earlier, default=0), bool(before) and not back and not any(
        one.repeat for one in now
    )


def repeats(
    ws: Workspace, project: Project, setup: JudgeSetup, found: Due, stage: Stage = "all"
) -> list[Task]:
    """The calls that ask about anchors once more."""
    if not found.twice:
        return []
    made = []
    for task in judging.tasks(
        ws, project, setup, sorted({row for row, _ in found.twice}), afresh=True, stage=stage
    ):
        wanted = frozenset(
            (key, name)
            for key, name in task.wanted
            if (task.subjects[key][0].id, name) in found.twice
        )
        if wanted:
            occasion = f"{ANCHOR}:{task.request.occasion}" if task.request.occasion else ANCHOR
            made.append(
                replace(task, request=replace(task.request, occasion=occasion), wanted=wanted)
            )
    return made


def note(
    found: Due, tasks: Sequence[Task], again: Sequence[Task], bought: Callable[[Task], bool]
) -> list[str]:
    """What a plan of `tasks`, and `again` of anchors, says of those that are `bought`."""
    asked, more = ([task for task in some if bought(task)] for some in (tasks, again))
    rows = {row for task in (*asked, *more) for row in task.rows}.intersection(found.subjects)
    if not rows:
        return []
    first = say("runs.note.anchors_first", n=len(rows))
    if not more:
        return [say("runs.note.anchors", first=first)]
    return [say("runs.note.anchors_twice", first=first, calls=say("runs.note.asks", n=len(more)))]


class Beside(Recorder):
    """Keeps what a judge says of an anchor for the second time: verdicts that are no present
    opinions.

    What a call lacks is neither kept nor counted: its cells have their verdicts.
    """

    def __init__(
        self,
        ws: Workspace,
        project: Project,
        setup: JudgeSetup,
        done: Callable[[Sequence[Outcome], Mapping[str, int]], None],
    ) -> None:
        super().__init__(ws, project, setup, lambda outcomes, without: done(outcomes, {}), {})

    def _write(self, rows: Sequence[tuple[StoredSubject, Verdict, str]]) -> None:
        said = [
            (stored, replace(v, metadata={**v.metadata, ANCHOR: True}), key)
            for stored, v, key in rows
            if v.mark.status == "ok"
        ]
        made = self._placed(said)
        self.ws.background(
            made,
            lambda db, batch: verdicts.append(
                db, self.project, batch, now=self.ws.now(), opinions=False
            ),
        )


class Both:
    """Two recorders of one stream of calls, which may go to a provider as one batch: `beside` keeps
    those of the tasks `again`."""

    def __init__(self, beside: Beside, recorder: Recorder, again: Sequence[Task]) -> None:
        self._beside, self._recorder = beside, recorder
        self._again = {id(task.request) for task in again}

    def follow(self, source: Iterator[Task]) -> Iterator[Request]:
        """The requests of tasks, as `Recorder.follow`."""
        for task in source:
            yield from self._of(task.request).follow(iter([task]))

    def read(self, request: Request, reply: Any) -> Any:
        """What a reply holds of use."""
        return self._of(request).read(request, reply)

    def take(self, outcomes: Sequence[Outcome]) -> None:
        """Write what outcomes bring."""
        for recorder in (self._beside, self._recorder):
            mine = [outcome for outcome in outcomes if self._of(outcome.request) is recorder]
            if mine:
                recorder.take(mine)

    def _of(self, request: Request) -> Recorder:
        return self._beside if id(request) in self._again else self._recorder
