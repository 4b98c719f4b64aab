"""What a lead states of imported labels, and states otherwise later: how their answers were chosen,
and that they were given blind.

What was shown stays shown: labels that figures have seen never test. That they were given blind can
therefore be said at import alone, and whoever takes it back, or says that nobody knows how the
answers were chosen, lets go of the labels that are kept for a test. They come among the others, and
a test that was made with them proves nothing from then on.
"""

from __future__ import annotations

from collections.abc import Sequence

from graders.core.contracts import Chosen
from graders.core.errors import Conflict, InputError, NotFound
from graders.core.words import error_parts
from graders.store import projects
from graders.store.opinions import cells, kept_labels
from graders.store.projects import Project
from graders.store.transfer import labels
from graders.store.transfer.labels import LabelImport
from graders.workflows.cells.state import refresh_all
from graders.workflows.promise.rulings import settle
from graders.workflows.scope.permissions import Scope, needs

#: What is logged where a statement is changed: {import, source, before, after}.
CHOSEN = "labels_chosen"
#: What is logged where a lead takes back that labels were given blind: {import, source, released}.
NOT_BLIND = "labels_not_blind"


@needs("look")
def label_imports(scope: Scope, project_name: str) -> Sequence[LabelImport]:
    """The imports of a project that brought people's labels, oldest first."""
    return labels.with_labels(scope.ws.db, scope.project(project_name))


@needs("import")
def state_chosen(
    scope: Scope,
    project_name: str,
    chosen: str = "",
    import_id: int = 0,
    *,
    blind: bool | None = None,
) -> Sequence[LabelImport]:
    """State how the labelled answers of an import were chosen (all, random or unknown), and that
    its labels were not given `blind`, or those of all imports where none is named; returns
    `label_imports`. Each change is logged.

    Conflict for `blind` labels that were not stated to be so at import: figures have seen them.
    """
    project = scope.project(project_name)
    if chosen not in ("", *Chosen):
        choices = ", ".join(Chosen)
        raise InputError(
            **error_parts("importing.chosen", value=repr(chosen)[:60], choices=choices)
        )
    found = labels.with_labels(scope.ws.db, project)
    wanted = [one for one in found if import_id in (0, one.id)]
    if not found:
        raise NotFound(**error_parts("importing.no_labels_at_all", project=project.name))
    if not wanted:
        known = ", ".join(str(one.id) for one in found)
        raise NotFound(**error_parts("importing.no_labels", id=import_id, known=known))
    if blind and not all(one.stated_blind for one in wanted):
        raise Conflict(**error_parts("importing.blind_later", id=wanted[0].id))
    for one in wanted:
        if chosen and one.chosen != chosen:
            labels.set_chosen(scope.ws, one.id, Chosen(chosen))
            body = {"import": one.id, "source": one.source, "before": one.chosen, "after": chosen}
            projects.log_event(scope.ws, project, scope.actor.person_id, CHOSEN, body)
        lost = chosen not in ("", Chosen.RANDOM) and (one.kept or one.tested)
        if one.stated_blind and (blind is False or lost):
            _let_go(scope, project, one)
    return label_imports(scope, project_name)


def _let_go(scope: Scope, project: Project, one: LabelImport) -> None:
    """The labels of an import test nothing any more: those that are kept come among the others."""
    ws = scope.ws
    criteria = {row.id: row for row in projects.criteria(ws, project)}
    rows = kept_labels.closed(ws.db, project, one.id, criteria)
    labels.set_blind(ws, one.id, blind=False)
    with ws.write() as db:
        kept_labels.release(db, project, rows, one.id, ws.now())
    body = {"import": one.id, "source": one.source, "released": len(rows)}
    projects.log_event(ws, project, scope.actor.person_id, NOT_BLIND, body)
    touched = sorted({row.cell_id for row in rows})
    if one.tested:  # the proof ends, and with it what it decided
        settle(scope, project)
        touched = cells.cell_ids(ws.db, project)
    refresh_all(ws, project, touched, route=bool(project.settings.get("routed")))
