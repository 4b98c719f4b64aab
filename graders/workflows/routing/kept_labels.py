"""The test half of imported labels is opened: terms are logged and orders fixed first, then its
labels count, and the test is made.

The half is a draw of its own, with one look and the whole of delta, like every further draw: its
labels are fresh, since no figure has seen them. The promise is about the answers that its labels
were chosen from: those that came with the file where it labels no others, else all that were there
then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graders.core.errors import Conflict, NotFound
from graders.core.shapes import as_dict
from graders.core.words import error_parts
from graders.metrics.models.encoders import Encoders
from graders.store import projects
from graders.store.answers import author_texts, content
from graders.store.calls import runs as run_store
from graders.store.desk import queue, queued_screens
from graders.store.figures import confidence_orders as orders
from graders.store.opinions import kept_labels as store
from graders.store.opinions.verdicts import CellVerdict
from graders.store.projects import CriterionRow, Project
from graders.store.transfer.labels import LabelImport
from graders.workflows.promise.counted_cells import is_left
from graders.workflows.promise.kept_halves import has_draw, waiting_imports
from graders.workflows.promise.kinds import Kind
from graders.workflows.promise.promise_tests import AS_LOGGED, GIVEN_BACK, NewTerms, Terms, tries_of
from graders.workflows.promise.risk import kinds_of, risk, stake
from graders.workflows.routing.form_screens import form_screens
from graders.workflows.routing.route import decide
from graders.workflows.routing.sorting import Doing, fix_orders
from graders.workflows.routing.terms import log_terms, two_at_once
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.sampling import Sampling


@dataclass(frozen=True, slots=True)
class OpenedTest(Terms):
    """The test half of an import (`id`, its file `source`) was opened under these terms: so many
    `labels` on so many `answers`; so many drawn answers that nobody had begun were given back
    (`returned`), since these labels take their place. `title`: what is proven now, `stake`: the
    proofs that ended with it, as sentences, the latter empty for none; `screens` wait for people
    now."""

    id: int
    source: str
    labels: int
    answers: int
    returned: int
    title: str
    stake: str
    screens: int


@needs("route")
def open_kept_half(
    scope: Scope,
    project_name: str,
    import_id: int = 0,
    *,
    new: NewTerms = AS_LOGGED,
    encoder: Encoders | None = None,
    doing: Doing | None = None,
) -> OpenedTest:
    """Open the labels that an import has kept for a test (0: the only one that has some).

    Terms (those that are logged, or `new` ones) and orders are fixed before a label is read; then
    the test is made, and what it proves is automatic at once. Conflict where no machine has a value
    to test yet, or placed labels of one of these criteria are under way.
    """
    project = scope.project(project_name)
    if not project.settings.get("routed"):
        raise Conflict(**error_parts("routing.never_routed", project=project.name))
    one = _one(scope, project, import_id)
    if not store.counted(scope.ws.db, project, one.id).suggested:
        raise Conflict(**error_parts("routing.test_half_early", id=one.id))
    with run_store.alone(scope.ws, f"route {project.id}"):
        kinds = kinds_of(scope, project)
        criteria = {row.id: row for row in projects.criteria(scope.ws, project)}
        rows = store.closed(scope.ws.db, project, one.id, criteria)
        tasks = store.tasks(scope.ws.db, project, one.id)
        for kind in kinds:
            if kind.under_way and kind.task in tasks:
                raise two_at_once(kind)
        if encoder is None:
            _wait_for_orders(scope, project, criteria, tasks)
        returned = _give_back(scope, project, tasks)
        terms, begun = _begin(scope, project, tasks, kinds, new)
        fix_orders(scope, project, encoder, doing)
        _open(scope, project, one, rows, tasks, terms)
        decide(scope, project)
        form_screens(scope.ws, project, Sampling.of(project.settings))
    first = terms[tasks[0]]
    return OpenedTest(
        first.alpha,
        first.delta,
        first.within,
        one.id,
        one.source,
        len(rows),
        store.counted(scope.ws.db, project, one.id, opened=True).answers,
        returned,
        risk(scope, project_name).title,
        stake(kinds, begun),
        queue.open_screens(scope.ws.db, project),
    )


def _one(scope: Scope, project: Project, import_id: int) -> LabelImport:
    waiting = waiting_imports(scope.ws, project)
    wanted = [one for one in waiting if import_id in (0, one.id)]
    if not waiting:
        raise NotFound(**error_parts("routing.no_test_half", project=project.name))
    if len(wanted) != 1:
        known = ", ".join(str(one.id) for one in waiting)
        raise NotFound(**error_parts("routing.which_test_half", known=known))
    return wanted[0]


def _give_back(scope: Scope, project: Project, tasks: Sequence[str]) -> int:
    """Give back the drawn answers of task types of which nobody was given one: the opened labels
    are the sample in their place. Returns how many."""
    ws = scope.ws
    with ws.write():
        tries = tries_of(ws, project)
        untouched = queued_screens.untouched(ws.db, project, "calibration")
        waiting = {subject for _, *subjects in untouched for subject in subjects}
        free = [t for t in tasks if tries[t].drawn and not tries[t].given]
        free = [t for t in free if not tries[t].opened and tries[t].drawn <= waiting]
        gone = sorted(subject for task in free for subject in tries[task].drawn)
        if not gone:
            return 0
        queued_screens.take_off(ws.db, project, "calibration", gone)
        body = {
            "design": GIVEN_BACK,
            "seed": project.seed,
            "drawn": len(gone),
            "population": len(gone),
            "kept": dict.fromkeys(free, 0.0),
            "looks": [],
            "planned": [],
            "rule": "labels from a file take the place of answers that no person was given",
        }
        projects.log_event(ws, project, scope.actor.person_id, "draw", body)
    return len(gone)


def _begin(
    scope: Scope,
    project: Project,
    tasks: Sequence[str],
    kinds: Sequence[Kind],
    new: NewTerms,
) -> tuple[dict[str, Terms], set[str]]:
    """Log the terms of the test; a try that has a draw of its own ends with it. Returns the terms
    by task type, and the task types whose try is a new one."""
    logged: dict[tuple[bool, Terms], list[str]] = {}
    with scope.ws.write():
        tries = tries_of(scope.ws, project)
        for task in tasks:
            logged.setdefault((has_draw(tries[task]), new.over(tries[task])), []).append(task)
        for (anew, same), those in logged.items():
            log_terms(scope, project, same, those, kinds, anew=anew)
    terms = {task: same for (_, same), those in logged.items() for task in those}
    return terms, {task for (anew, _), those in logged.items() if anew for task in those}


def _wait_for_orders(
    scope: Scope, project: Project, criteria: Mapping[int, CriterionRow], tasks: Sequence[str]
) -> None:
    """Conflict while the order of many cells is made beside the work."""
    for criterion in criteria.values():
        if is_left(scope.ws, project, criterion) and all(
            orders.in_force(scope.ws.db, criterion, task, "") is None for task in tasks
        ):
            title = criterion.criterion.title
            raise Conflict(**error_parts("routing.order_in_the_making", criterion=title))


def _open(
    scope: Scope,
    project: Project,
    one: LabelImport,
    rows: Sequence[CellVerdict],
    tasks: Sequence[str],
    terms: Mapping[str, Terms],
) -> None:
    """Log the draw and make its labels verdicts, both or neither."""
    ws = scope.ws
    span = store.span(ws.db, project, one.id)
    own = author_texts.control_subjects(ws.db, project)
    every = [
        subject
        for subject in content.subject_ids(ws.db, project)
        if span.after < subject <= span.upto and subject not in own
    ]
    answers = store.counted(ws.db, project, one.id).answers
    body = {
        "design": "calibration",
        "imported": True,
        "import": one.id,
        "source": one.source,
        "probability": answers / max(1, len(every)),
        "seed": project.seed,
        "population": len(every),
        "drawn": answers,
        "labels": len(rows),
        "after": span.after,
        "upto": span.upto,
        "further": True,
        "rule": (
            "blind labels of random answers from a file, of questions that a coin chose; "
            "hypergeometric test and test by questions, the weaker counts"
        ),
    }
    with ws.write() as db:
        store.open_as_test(db, project, rows, one.id, ws.now())
        for same in dict.fromkeys(terms.values()):
            those = [task for task in tasks if terms[task] == same]
            logged = {**body, "tasks": those, **as_dict(same)}
            projects.log_event(ws, project, scope.actor.person_id, "draw", logged)
