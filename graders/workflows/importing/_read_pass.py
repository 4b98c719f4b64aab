"""One import's way through its file, which is read once: questions and answers are written as they
come, the rest waits for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from graders.core.contracts import ImportedRow, ImportedVerdict, Importer, Look, Placed
from graders.core.control import marked
from graders.core.errors import CogradeError, InputError
from graders.core.records import Answer, BadRow, Question
from graders.core.rubric import read_rubric
from graders.store import projects
from graders.store.projects import CriterionRow, Project
from graders.store.transfer import staged
from graders.store.workspace import Workspace
from graders.workflows.cells.match_scales import Noticed, match_rubrics, notice_scale
from graders.workflows.cells.state import ADJUDICATED, FAULTS
from graders.workflows.importing import _pairs, _restore, seeded_copies
from graders.workflows.importing._spool import Spool
from graders.workflows.importing._stated_verdicts import OWN_TIME, group_of
from graders.workflows.importing._write_rows import RowWriter, Tallied
from graders.workflows.scope.named_rubrics import readable_rubrics
from graders.workflows.scope.phrases import several
from graders.workflows.scope.rubric_check import problems

#: Records that are written in one transaction.
BATCH = 500


class ImportPass:
    """Reads a file into an import. Call `content`, then `opinions`, then `others`; `close` in any
    case.

    `fresh` says that the project holds nothing yet: then the file's title, settings and seed become
    the project's. `progress` is told how many rows of the file were read, `doing` what is done
    afterwards, with how much of how much (0: not known).
    """

    def __init__(
        self,
        ws: Workspace,
        project: Project,
        import_id: int,
        tallied: Tallied,
        *,
        blind: bool,
        fresh: bool,
        rubrics: Callable[[], list[Path]],
        progress: Callable[[int], None],
        doing: Callable[[str, int, int], None],
    ) -> None:
        self.ws, self.project, self.tallied, self.fresh, self.rubrics, self.progress = (
            ws,
            project,
            tallied,
            fresh,
            rubrics,
            progress,
        )
        self.doing, self.import_id = doing, import_id
        self.writer = RowWriter(ws, project, import_id, tallied, blind=blind)
        self.verdicts: Spool[Placed] = Spool(BATCH)
        self.rows: Spool[ImportedRow] = Spool(BATCH)
        self.copies: Spool[ImportedRow] = Spool(BATCH)
        self.order: list[str] = []
        self.keys: dict[str, str] = {}
        self.rubric_rows: list[tuple[ImportedRow, str]] = []
        self.read = 0
        self.strange: Counter[str] = Counter()
        self.blanks = Blanks()

    def content(self, importer: Importer, path: Path, look: Look) -> None:
        """Read the file: rubrics, people, questions and answers are kept with the import, scales
        are noticed."""
        batch: list[Placed] = []
        scales: dict[str, Noticed] = {}
        names: set[str] = set()
        row = ("", 0)
        for item in _records(importer, path, look):
            if (item.file, item.row) != row:  # a row may hold a question, its answers and verdicts
                row, self.read = (item.file, item.row), self.read + 1
                if self.read % BATCH == 0:
                    self.progress(self.read)
            if look.layout == "wide":
                self.blanks.take(item)
            if isinstance(item, BadRow):
                self.tallied.refuse(item)
            elif isinstance(item.record, Question | Answer):
                batch.append(_named(item))
                if (
                    isinstance(item.record, Question)
                    and item.record.task_type == "unknown"
                    and item.record.metadata.get("task_type")
                ):
                    self.strange[str(item.record.metadata["task_type"])] += 1
                if len(batch) >= BATCH:
                    self.writer.content(batch)
                    batch = []
            elif isinstance(item.record, ImportedVerdict):
                stated = replace(item.record, model=marked(item.record.model))
                notice_scale(scales, stated)
                if stated.author_kind == "person":
                    names.add(stated.author)
                self.verdicts.put(replace(item, record=stated))
            elif isinstance(item.record, ImportedRow):
                self._row(item.record, item.file)
        self.blanks.finish()
        self.writer.content(batch)
        self.writer.rest_of_pairs()
        self.progress(self.read)
        self._tell(path)
        self._save_rubrics()
        if scales:
            self._match(scales)
            self._people(names)

    def _tell(self, path: Path) -> None:
        """Note what came in and will not do what somebody may expect of it. InputError where
        nothing came in at all."""
        brought, tallied = self.verdicts.count or self.rows.count or self.rubric_rows, self.tallied
        if not (self.read or brought):
            raise InputError(
                path.name,
                found="a header and no rows" if path.is_file() else "no rows",
                expected="rows of questions and answers",
                remedy="Choose the file that holds the rows.",
            )
        if tallied.questions and not (
            tallied.answers or tallied.unchanged or tallied.new_figures or brought
        ):
            tallied.notes.append(
                "Questions came in and no answers. If columns hold answers, "
                "give them the role answer; else collect answers from models."
            )
        if tallied.answers or tallied.unchanged:
            tallied.notes += self.blanks.notes()
        if behind := len(self.writer.behind - self.writer.latest):
            tallied.notes.append(
                f"{several(behind, 'answer')} in an earlier text than the latest that came "
                "in: the latest stays the one that counts."
            )
        if tallied.new_figures:
            tallied.notes.append(
                f"{several(tallied.new_figures, 'answer')} with the same text as before: "
                "the file's seconds, tokens, cost and further "
                "columns take the place of the earlier ones. Grade again, "
                "so that rules look at them."
            )
        if self.strange:
            words = ", ".join(
                f"{word[:40]!r} ({count})" for word, count in self.strange.most_common(5)
            )
            tallied.notes.append(
                f"Not a task type: {words}. These questions count as unknown and go to "
                "people; set the task types of their categories, "
                "or write factual or creative in the file."
            )

    def opinions(self) -> None:
        """Write the verdicts, now that all criteria and answers are known."""
        known = _by_name(staged.planned_criteria(self.ws, self.project, self.import_id))
        known.update({name: known[key] for name, key in self.keys.items()})
        written = 0
        for batch in self.verdicts.batches():
            self.writer.opinions(batch, known)
            written += len(batch)
            self.doing("Writing verdicts", written, self.verdicts.count)
        if count := self.writer.untimely:
            self.tallied.notes.append(
                f"{several(count, 'verdict')} with a time that is still to come, "
                "or that is none: they count as given when this file "
                f"came in. What the file says is kept under {OWN_TIME}."
            )
        if again := self.writer.reworded:
            self.tallied.notes.append(
                f"{several(again, 'verdict')} that the project has under an earlier wording "
                "or scale of a criterion: what the file says "
                "again counts as given under the present one."
            )

    def others(self) -> Iterator[ImportedRow]:
        """The rows of all other tables."""
        for batch in self.rows.batches():
            yield from batch

    def close(self) -> None:
        """Give the temporary files back."""
        self.verdicts.close()
        self.rows.close()
        self.copies.close()

    def _row(self, row: ImportedRow, file: str) -> None:
        if row.table == "rubric":
            self.rubric_rows.append((row, file))
            return
        if row.table == seeded_copies.TABLE:
            self.copies.put(row)
            return
        if row.table == _pairs.TABLE:
            if bad := self.writer.pairs.take(row):
                self.tallied.refuse(bad)
            return
        if row.table == "project":
            self.order = [str(name) for name in row.fields.get("rubrics") or []]
        _restore.before_verdicts(self.ws, self.project, self.import_id, row, fresh=self.fresh)
        self.rows.put(row)

    def _save_rubrics(self) -> None:
        """Add the file's rubrics in the order that its project names, others after them."""
        read = [
            read_rubric(str(row.fields["text"]), where=str(row.fields.get("file") or file))
            for row, file in self.rubric_rows
        ]
        read.sort(
            key=lambda rubric: (
                self.order.index(rubric.name) if rubric.name in self.order else len(self.order)
            )
        )
        self.tallied.notes += [str(wrong) for rubric in read for wrong in problems(rubric)]
        self.tallied.notes += [
            note
            for rubric in read
            if (note := _restore.add_rubric(self.ws, self.project, self.import_id, rubric))
        ]

    def _match(self, scales: dict[str, Noticed]) -> None:
        names = {name.rsplit("/", 1)[-1] for name in scales}
        bundled = readable_rubrics(self.rubrics(), names)
        own = [c.criterion for c in staged.planned_criteria(self.ws, self.project, self.import_id)]
        made = match_rubrics(scales, own, bundled, self.project.name)
        for rubric in made.rubrics:
            staged.stage_rubric(self.ws, self.project, self.import_id, rubric)
        self.tallied.notes += made.notes
        self.keys = made.keys

    def _people(self, names: set[str]) -> None:
        """Keep the annotators. Names such as expert0 and crowd1 tell groups: the experts then
        decide final values."""
        groups = {name: group_of(name) for name in names}
        found = sorted({group for group in groups.values() if group})
        telling = len(found) > 1
        known = sorted(names - {ADJUDICATED})  # what was settled is nobody's own opinion
        staged.stage_people(
            self.ws,
            self.import_id,
            [(name, name, groups[name] if telling else "") for name in known],
        )
        if (
            telling
            and "expert" in found
            and "reference_group" not in projects.get_project(self.ws, self.project.name).settings
        ):
            staged.stage_setting(self.ws, self.import_id, "reference_group", "expert")
            self.tallied.notes.append(
                "The annotators' names tell groups ("
                + ", ".join(found)
                + "); experts decide final values."
            )


def _named(item: Placed) -> Placed:
    """An author's own text gets its one mark, however the file writes it."""
    record = item.record
    return (
        replace(item, record=replace(record, model=marked(record.model)))
        if isinstance(record, Answer)
        else item
    )


def _records(importer: Importer, path: Path, look: Look) -> Iterator[Placed | BadRow]:
    """What the importer reads; its own failures become one sentence."""
    try:
        for item in importer.read(path, look):
            yield (
                _rule_verdict(item)
                if isinstance(item, Placed) and isinstance(item.record, ImportedRow)
                else item
            )
    except CogradeError:
        raise
    except (
        Exception
    ) as error:  # an importer may come from a plug-in and fail in any way; nobody sees a traceback
        raise InputError(
            path.name,
            found=f"{type(error).__name__}: {error}",
            expected=f"a file that the importer {importer.name} can read",
            remedy="Choose another file, or save it anew in the program that wrote it.",
        ) from error


def _rule_verdict(placed: Placed) -> Placed:
    """Verdicts of rules travel in a table of their own; here they are verdicts like all others."""
    row = placed.record
    if not (isinstance(row, ImportedRow) and row.table == "rules"):
        return placed
    f = row.fields
    verdict = ImportedVerdict(
        author=str(f.get("rule") or "rule"),
        author_kind="rule",
        question_id=str(f.get("question_id")),
        model=str(f.get("model")),
        criterion=str(f.get("criterion")),
        value=f.get("value"),
        fields=f,
        file=placed.file,
        row=placed.row,
    )
    return replace(placed, record=verdict)


def _by_name(rows: list[CriterionRow]) -> dict[str, Any]:
    """Criteria by key, and by their bare name where only one has it; those of faults by key
    alone."""
    bare: dict[str, list[CriterionRow]] = {}
    for row in rows:
        if row.criterion.rubric != FAULTS.name:
            bare.setdefault(row.criterion.name, []).append(row)
    return {row.key: row for row in rows} | {
        name: found[0] for name, found in bare.items() if len(found) == 1
    }


# -- blank answers in a table with a column per model: they are no answers, and whoever looks at an
# import is told how many there are

#: As many rows and models are named.
NAMED = 5


class Blanks:
    """Counts, row by row, whose answers are there. Rows with something bad are told elsewhere and
    left out."""

    def __init__(self) -> None:
        self.rows = 0
        self.without: list[int] = []
        self.said: Counter[str] = Counter()
        self._place = ("", 0)
        self._models: list[str] | None = None

    def take(self, item: Placed | BadRow) -> None:
        """What was read, in the order of the rows: a row's question comes before its answers."""
        if (item.file, item.row) != self._place:
            self.finish()
            self._place = (item.file, item.row)
        if isinstance(item, BadRow):
            self._models = None
        elif isinstance(item.record, Question):
            self._models = []
        elif isinstance(item.record, Answer) and self._models is not None:
            self._models.append(item.record.model)

    def finish(self) -> None:
        """The row is at its end."""
        if self._models is not None:
            self.rows += 1
            self.said.update(self._models)
            if not self._models:
                self.without.append(self._place[1])
        self._models = None

    def notes(self) -> list[str]:
        """How many rows have no answer at all, and how many lack that of a model; nothing where all
        is there."""
        found = []
        if bare := len(self.without):
            named = ", ".join(map(str, self.without[:NAMED])) + (", ..." if bare > NAMED else "")
            have, rows = ("has", "row") if bare == 1 else ("have", "rows")
            found.append(f"{bare:,} of {self.rows:,} rows {have} no answer: {rows} {named}.")
        lacking = [
            (model, self.rows - said)
            for model, said in self.said.items()
            if self.rows - said > bare
        ]
        if lacking:
            named = ", ".join(f"{model} {count:,}" for model, count in lacking[:NAMED])
            more = f" and {len(lacking) - NAMED:,} more models" if len(lacking) > NAMED else ""
            found.append(f"Blank answers, which do not count: {named}{more}.")
        return found
