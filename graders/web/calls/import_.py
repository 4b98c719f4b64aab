"""Bring questions, answers and verdicts in."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from graders.core.contracts import Chosen
from graders.core.errors import InputError
from graders.core.records import BadRow
from graders.core.rubric import Rubric, read_rubric
from graders.core.words import error_parts
from graders.web.caller import Caller
from graders.web.uploads import file_name, too_large
from graders.workflows.importing import look as import_look
from graders.workflows.importing import look_choices, named_criteria, stage
from graders.workflows.importing.stage import Staging
from graders.workflows.scope.named_rubrics import bundled_rubrics, read_named_rubric
from graders.workflows.scope.permissions import Scope, allowed

#: The most bytes of a file; larger ones come in on the page or by ``cograde import``.
MOST_BYTES = 10 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Imported:
    """What a file brought: counts of records, and the rows that could not be used."""

    project: Annotated[str, "the project's name"]
    questions: Annotated[int, "new questions"]
    answers: Annotated[int, "new answers"]
    new_versions: Annotated[int, "answers whose text changed"]
    verdicts: Annotated[int, "new verdicts"]
    unchanged: Annotated[int, "records that were there already"]
    bad: Annotated[int, "rows that could not be used"]
    bad_rows: Annotated[list[BadRow], "the first of them"]
    notes: Annotated[list[str], "what else is to be said of the file"]


def call(
    caller: Caller,
    project: str,
    text: str,
    file: str = "answers.csv",
    rubric: str = "",
    columns: dict[str, str] | None = None,
    assisted: bool = False,
    labels_chosen: str = "",
) -> Imported:
    """Bring questions, answers and verdicts into a project, which is made if there is none of that
    name. What is there already stays; rows that cannot be used are listed, the others come in.

    Args:
        project: the project's name
        text: what stands in the file, at most 10 MB
        file: its name, whose ending says what it is: .csv, .tsv, .json or .jsonl
        rubric: the name of a rubric that comes with Cograde, or the text of one; for a new project
            answer-quality unless told otherwise
        columns: roles of columns that are not recognised by their names, such as {"bot": "model",
            "Cedar": "answer:Cedar"}
        assisted: people's verdicts in the file were given with suggestions in sight
        labels_chosen: how the answers were chosen that people labelled: all, random or unknown
    """
    scope = caller.writing()
    allowed(scope, "import")
    written = text.encode()
    most = min(MOST_BYTES, caller.served.resolver.most_upload())
    if len(written) > most:
        raise too_large(file, most)
    caller.served.resolver.find_room(len(written))
    if labels_chosen and labels_chosen not in tuple(Chosen):
        choices = ", ".join(Chosen)
        parts = error_parts("importing.chosen", value=repr(labels_chosen)[:60], choices=choices)
        raise InputError(**parts)
    with tempfile.TemporaryDirectory(prefix="cograde-call-") as folder:
        path = Path(folder) / file_name(file)
        path.write_bytes(written)
        given = [f"{name}={role}" for name, role in (columns or {}).items()]
        chosen = Chosen(labels_chosen) if labels_chosen else None
        report = _staged(scope, project, path, given, _rubric(rubric), not assisted, chosen)
        stage.finish(scope, report.import_id)
    return Imported(
        project=report.project,
        bad_rows=list(report.bad_rows),
        notes=list(report.notes),
        **{name: getattr(report, name) for name in stage.COUNTED},
    )


def _staged(
    scope: Scope,
    project: str,
    path: Path,
    columns: list[str],
    rubric: Rubric | None,
    blind: bool,
    chosen: Chosen | None,
) -> stage.Report:
    """The rows of a file, written unseen. InputError where none can be used."""
    _, look = import_look.look_at(scope, path)
    look = look_choices.with_columns(look, columns)
    look = named_criteria.with_criteria(scope, project, path, look, rubric)
    staging = Staging(chosen=chosen)
    return stage.stage(scope, project, path, look, blind=blind, rubric=rubric, staging=staging)


def _rubric(given: str) -> Rubric | None:
    """A rubric by name, never by a path on the server, or from its text; None where none is
    given."""
    if not given:
        return None
    if "\n" in given:
        return read_rubric(given, where="rubric")
    known = bundled_rubrics()
    if given not in known:
        names = ", ".join(known)
        raise InputError(**error_parts("web.call.rubric", name=given[:60], names=names))
    return read_named_rubric(given)
