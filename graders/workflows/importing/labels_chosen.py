"""How the answers were chosen that imports brought labels of: what a lead states, and states
otherwise later."""

from __future__ import annotations

from collections.abc import Sequence

from graders.core.contracts import Chosen
from graders.core.errors import InputError, NotFound
from graders.core.words import error_parts
from graders.store import projects
from graders.store.transfer import labels
from graders.store.transfer.labels import LabelImport
from graders.workflows.scope.permissions import Scope, needs

#: What is logged where a statement is changed: {import, source, before, after}.
CHOSEN = "labels_chosen"


@needs("look")
def label_imports(scope: Scope, project_name: str) -> Sequence[LabelImport]:
    """The imports of a project that brought people's labels, oldest first."""
    return labels.with_labels(scope.ws.db, scope.project(project_name))


@needs("import")
def state_chosen(
    scope: Scope, project_name: str, chosen: str, import_id: int = 0
) -> Sequence[LabelImport]:
    """State how the labelled answers of an import were chosen (all, random or unknown), or of all
    imports where none is named; returns `label_imports`. Each change is logged."""
    project = scope.project(project_name)
    if chosen not in tuple(Chosen):
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
    for one in wanted:
        if one.chosen != chosen:
            labels.set_chosen(scope.ws, one.id, Chosen(chosen))
            body = {"import": one.id, "source": one.source, "before": one.chosen, "after": chosen}
            projects.log_event(scope.ws, project, scope.actor.person_id, CHOSEN, body)
    return label_imports(scope, project_name)
