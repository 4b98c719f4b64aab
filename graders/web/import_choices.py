"""What a person chose about an upload, and what is in it under these choices.

Choices are kept as JSON: {look, project, title, blind, chosen, labels_blind, rubric: {kind, name,
text}}. A rubric is `advised`, `picked` from the gallery, or a `file`; what nobody could measure is
left out. Without a kind it is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from graders.core.contracts import ROLES, Chosen, Column, Look
from graders.core.errors import InputError
from graders.core.rubric import Rubric, read_rubric
from graders.core.shapes import JSON
from graders.core.words import error_parts
from graders.store.projects import present_name
from graders.web.uploads import Job, Uploads
from graders.workflows.home import overview
from graders.workflows.importing import advised_rubric, named_criteria
from graders.workflows.importing import look as importing_look
from graders.workflows.importing import stage as importing_stage
from graders.workflows.importing.advised_rubric import Advice, OfferedRubric
from graders.workflows.importing.look_choices import with_annotator
from graders.workflows.measuring.measure import encoder_for
from graders.workflows.scope import named_rubrics
from graders.workflows.scope.permissions import Scope, allowed

#: Columns that a table may have on the page; wider ones are read on the command line.
WIDEST = 4_000
#: How a rubric is chosen.
KINDS = ("advised", "picked", "file")
#: What of a look a person chooses.
CHOICES = (
    "layout",
    "encoding",
    "separator",
    "has_header",
    "skip",
    "header_rows",
    "sheet",
    "chosen",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What is in an upload: the name that it came with (`label`), its size, the importer that reads
    it and the look; the project that a file of bad rows comes from; the rubric that is recommended,
    and what the one does that is chosen (`offer`)."""

    label: str
    stem: str
    size: int
    importer: str
    look: Look
    project: str
    advice: Advice | None = None
    offer: OfferedRubric | None = None


def seen(scope: Scope, kept: Uploads, token: str, body: JSON) -> Seen:
    """What is in an upload under the choices `body`.

    Without a `look` among them all is guessed. Its `chosen` are the indexes of the columns whose
    role or model a person chose: what they mean for the others is guessed anew, and with the
    project and the rubric, which columns are ratings by their criteria.
    """
    path, label = kept.find(scope.ws, token)
    choices = look_of(body)
    if choices is not None:
        choices = replace(choices, columns=with_annotator(choices.columns, choices.chosen or ()))
    importer, look = importing_look.look_at(scope, path, choices)
    advice, rubric, offer = _graded_by(scope, body, path, look)
    if choices is None or choices.chosen is not None:  # else each role is a person's choice
        project = str(body.get("project") or "")
        look = named_criteria.with_criteria(scope, project, path, look, rubric)
    if len(look.columns) > WIDEST:
        n = len(look.columns)
        raise InputError(**error_parts("importing.page.wide", file=path.name, n=n, most=WIDEST))
    # whose bad rows they are
    mends = look.mended.project if look.mended is not None else ""
    return Seen(
        label=label,
        stem=path.stem,
        size=path.stat().st_size,
        importer=importer,
        look=look,
        project=present_name(scope.ws, mends),
        advice=advice,
        offer=offer,
    )


def _graded_by(
    scope: Scope, body: JSON, path: Path, look: Look
) -> tuple[Advice | None, Rubric | None, OfferedRubric | None]:
    """What is recommended; the rubric that is chosen, and what that does."""
    given, project = body.get("rubric") or {}, str(body.get("project") or "")
    if not project and look.mended is not None:
        project = look.mended.project
    advice = held = None
    if given.get("kind") in KINDS:
        held = advised_rubric.held_by(path, look)
        advice = advised_rubric.advice(scope, present_name(scope.ws, project), held)
    try:
        rubric = rubric_of(given, advice)
        if held is None or rubric is None:
            return advice, rubric, None
        offer = advised_rubric.offered(rubric, held)
    except InputError:  # staging says what is wrong with it
        return advice, None, None
    return advice, advised_rubric.measurable(rubric, held), offer


def look_json(look: Look) -> JSON:
    """What of a look is chosen or may be, as `look_of` takes it."""
    columns = [
        {"index": c.index, "header": c.header, "role": c.role, "model": c.model}
        for c in look.columns
    ]
    return {**{name: getattr(look, name) for name in CHOICES}, "columns": columns}


def stage(scope: Scope, kept: Uploads, token: str, body: JSON, models: Mapping[str, str]) -> Job:
    """Begin to write the rows of an upload unseen, in a thread; the scope's workspace is closed at
    the end."""
    allowed(scope, "import")
    path, _ = kept.find(scope.ws, token)
    choices = look_of(body)
    title = " ".join(str(body.get("title") or "").split())[:120]
    project = str(body.get("project") or "")
    if project:
        scope.project(project)
    else:
        project = overview.free_name(scope, title)
    rubric_of(body.get("rubric") or {})  # what is wrong with it is said now
    chosen = chosen_of(body.get("chosen"))

    def work(listener: importing_stage.Listener) -> int:
        _, look = importing_look.look_at(scope, path, choices)
        _, rubric, _ = _graded_by(scope, body, path, look)
        encoder = encoder_for(models, scope.ws)
        return importing_stage.stage(
            scope,
            project,
            path,
            look,
            blind=bool(body.get("blind", True)),
            rubric=rubric,
            staging=importing_stage.Staging(
                title=title,
                encoder=encoder,
                listener=listener,
                chosen=chosen,
                labels_blind=body.get("labels_blind") is True,
            ),
        ).import_id

    return kept.stage(token, work, scope.ws.close)


def look_of(body: JSON) -> Look | None:
    """The choices of a page as a look; only what may be chosen is taken over."""
    given = body.get("look")
    if given is None:
        return None
    try:
        columns = tuple(
            Column(
                index=int(c["index"]),
                header=str(c["header"]),
                role=str(c["role"]),
                model=str(c.get("model") or "")[:200],
            )
            for c in list(given.get("columns") or [])[:WIDEST]
        )
        layout, encoding, separator, sheet = (
            str(given.get(name) or "") for name in ("layout", "encoding", "separator", "sheet")
        )
        skip, header_rows = (
            None if given.get(name) is None else max(0, int(given[name]))
            for name in ("skip", "header_rows")
        )
        has_header = bool(given.get("has_header", True)) and header_rows != 0
        chosen = (
            None if given.get("chosen") is None else tuple(int(index) for index in given["chosen"])
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        parts = error_parts("importing.page.choices", error=type(error).__name__)
        raise InputError(**parts) from error
    wrong = next((c.role for c in columns if c.role not in ROLES), None)
    if wrong is not None:
        roles = ", ".join(ROLES)
        raise InputError(**error_parts("importing.page.role", role=repr(wrong[:40]), roles=roles))
    return Look(
        layout=layout,
        encoding=encoding,
        separator=separator,
        sheet=sheet,
        has_header=has_header,
        skip=skip,
        header_rows=header_rows,
        columns=columns,
        chosen=chosen,
    )


def chosen_of(given: object) -> Chosen | None:
    """How the labelled answers were chosen; None where the page does not say."""
    if not given:
        return None
    if given not in tuple(Chosen):
        choices = ", ".join(Chosen)
        raise InputError(**error_parts("importing.chosen", value=repr(given)[:60], choices=choices))
    return Chosen(str(given))


def rubric_of(given: JSON, advice: Advice | None = None) -> Rubric | None:
    """The rubric that a person chose, or the one of the `advice`; None where it is to be
    guessed."""
    kind = given.get("kind")
    if kind == "advised" and advice is not None and advice.name:
        return named_rubrics.read_named_rubric(advice.name)
    if kind == "picked":
        name = str(given.get("name") or "")
        if name not in named_rubrics.bundled_rubrics():
            known = ", ".join(named_rubrics.bundled_rubrics())
            raise InputError(
                **error_parts("importing.page.rubric", rubric=repr(name[:60]), rubrics=known)
            )
        return named_rubrics.read_named_rubric(name)
    if kind == "file":
        return read_rubric(
            str(given.get("text") or "")[:1_000_000],
            where=str(given.get("name") or "rubric file")[:120],
        )
    return None


def import_number(given: object) -> int:
    """The number of an import as a page sends it."""
    number = str(given)
    if not re.fullmatch("[0-9]{1,18}", number):
        raise InputError(**error_parts("importing.page.number"))
    return int(number)
