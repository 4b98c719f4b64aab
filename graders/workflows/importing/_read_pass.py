"""One import's way through its file, which is read once: questions and answers are written as they
come, the rest waits for them."""

from __future__ import annotations

import pickle
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Generic, TypeVar

from graders.core.author_texts import marked
from graders.core.contracts import Chosen, ImportedRow, ImportedVerdict, Importer, Look, Placed
from graders.core.errors import InputError
from graders.core.records import Answer, BadRow, Question
from graders.core.rubric import read_rubric
from graders.core.words import error_parts, say
from graders.store import projects
from graders.store.projects import CriterionRow, Project
from graders.store.transfer import staged
from graders.store.workspace import Workspace
from graders.workflows.cells.match_scales import Noticed, match_rubrics, notice_scale
from graders.workflows.cells.state import ADJUDICATED, FAULTS
from graders.workflows.importing import _planned, seeded_copies
from graders.workflows.importing._write_rows import PAIRS, RowWriter, Tallied
from graders.workflows.importing._write_verdicts import OWN_TIME, VerdictWriter
from graders.workflows.importing.look import records_of
from graders.workflows.importing.look_choices import LAYOUTS
from graders.workflows.importing.named_criteria import meant_criteria
from graders.workflows.scope.named_rubrics import bundled_rubrics, readable_rubrics
from graders.workflows.scope.rubric_check import problems

T = TypeVar("T")

#: Records that are written in one transaction.
BATCH = 500
#: As many rows and models are named in a note.
NAMED = 5


@dataclass(frozen=True, slots=True)
class Listener:
    """Who is told how far an import is: `progress` how many rows of the file were read, `doing`
    what comes after that (what, done, total; 0: not known)."""

    progress: Callable[[int], None] = lambda rows: None
    doing: Callable[[str, int, int], None] = lambda what, done, total: None


class Spool(Generic[T]):
    """A first-in, first-out list on disk: verdicts wait there until all answers are known. It is a
    temporary file of this process, which ends with it; `size` items go in and out at once."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.count = 0
        self._batch: list[T] = []
        # It lives as long as the list; `close` ends it.
        self._file = tempfile.TemporaryFile()  # noqa: SIM115

    def put(self, item: T) -> None:
        """Add an item."""
        self.count += 1
        self._batch.append(item)
        if len(self._batch) >= self.size:
            self._write()

    def batches(self) -> Iterator[list[T]]:
        """All items in the order they came, in lists of at most `size`."""
        self._write()
        self._file.seek(0)
        for _ in range(-(-self.count // self.size)):
            yield pickle.load(self._file)
        self._file.seek(0, 2)

    def close(self) -> None:
        """Give the file back."""
        self._file.close()

    def _write(self) -> None:
        if self._batch:
            pickle.dump(self._batch, self._file, pickle.HIGHEST_PROTOCOL)
            self._batch = []


class ImportPass:
    """Reads a file into an import. Call `content`, then `opinions`, then `others`; `close` in any
    case.

    `blind` says that people's verdicts without an arm were made without seeing suggestions, `fresh`
    that the project holds nothing yet: then the file's title, settings and seed become the
    project's.
    """

    def __init__(
        self,
        ws: Workspace,
        project: Project,
        import_id: int,
        tallied: Tallied,
        listener: Listener,
        *,
        blind: bool,
        fresh: bool,
    ) -> None:
        self.ws, self.project, self.import_id, self.tallied = ws, project, import_id, tallied
        self.progress, self.doing, self.blind, self.fresh = (
            listener.progress,
            listener.doing,
            blind,
            fresh,
        )
        self.writer = RowWriter(ws, project, import_id, tallied)
        self.verdicts: Spool[Placed] = Spool(BATCH)
        self.rows: Spool[ImportedRow] = Spool(BATCH)
        self.copies: Spool[ImportedRow] = Spool(BATCH)
        self.order: list[str] = []
        self.keys: dict[str, str] = {}
        self.rubric_rows: list[tuple[ImportedRow, str]] = []
        self.read = 0
        #: how the labelled answers were chosen, as the file says, and its blind labels of no draw
        self.chosen = Chosen.UNKNOWN
        self.blind_labels = 0
        #: what a lead states: how they were chosen, and that they were given blind; the labels that
        #: are kept for a test, and how many questions these are of
        self.stated: Chosen | None = None
        self.stated_blind = False
        self.kept, self.kept_questions = 0, 0
        self.strange: Counter[str] = Counter()
        self.blanks = Blanks()

    def content(self, importer: Importer, path: Path, look: Look) -> None:
        """Read the file: rubrics, people, questions and answers are kept with the import, scales
        are noticed."""
        batch: list[Placed] = []
        scales: dict[str, Noticed] = {}
        names: set[str] = set()
        row = ("", 0)
        for item in records_of(importer, path, look):
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
            self._match(scales, table=look.layout in LAYOUTS)
            self._people(names)

    def _tell(self, path: Path) -> None:
        """Note what people may not expect of the rows that came in. InputError where there are
        none."""
        brought, tallied = self.verdicts.count or self.rows.count or self.rubric_rows, self.tallied
        if not (self.read or brought):
            key = "table" if path.is_file() else "folder"
            raise InputError(**error_parts(f"importing.no_rows.{key}", file=path.name))
        if tallied.questions and not (
            tallied.answers or tallied.unchanged or tallied.new_figures or brought
        ):
            tallied.notes.append(say("importing.note.no_answers"))
        if tallied.answers or tallied.unchanged:
            tallied.notes += self.blanks.notes()
        if behind := len(self.writer.behind - self.writer.latest):
            tallied.notes.append(say("importing.note.behind", n=behind))
        if tallied.new_figures:
            tallied.notes.append(say("importing.note.new_figures", n=tallied.new_figures))
        if self.strange:
            words = ", ".join(
                f"{word[:40]!r} ({count:,})" for word, count in self.strange.most_common(5)
            )
            tallied.notes.append(say("importing.note.task_types", words=words))

    def opinions(self) -> None:
        """Write the verdicts, now that all criteria and answers are known."""
        if not self.verdicts.count:
            return
        by_name = _by_name(staged.planned_criteria(self.ws, self.project, self.import_id))
        by_name |= {name: by_name[key] for name, key in self.keys.items()}
        coin = self.stated_blind and (self.stated or self.chosen) == Chosen.RANDOM
        writer, written = VerdictWriter(self.writer, blind=self.blind, coin=coin), 0
        for batch in self.verdicts.batches():
            writer.opinions(batch, by_name)
            written += len(batch)
            self.doing(say("importing.doing.verdicts"), written, self.verdicts.count)
        self.blind_labels = writer.blind_labels
        self.kept, self.kept_questions = writer.kept, len(writer.kept_questions)
        if writer.untimely:
            self.tallied.notes.append(
                say("importing.note.untimely", n=writer.untimely, field=OWN_TIME)
            )
        if writer.reworded:
            self.tallied.notes.append(say("importing.note.reworded", n=writer.reworded))

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
        if row.table == PAIRS:
            if bad := self.writer.pairs.take(row):
                self.tallied.refuse(bad)
            return
        if row.table == "project":
            stated = str(row.fields.get("labels_chosen") or "")
            self.chosen = Chosen(stated) if stated in tuple(Chosen) else Chosen.UNKNOWN
            self.order = [str(name) for name in row.fields.get("rubrics") or []]
        _planned.before_verdicts(self.ws, self.project, self.import_id, row, fresh=self.fresh)
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
            if (note := _planned.add_rubric(self.ws, self.project, self.import_id, rubric))
        ]

    def _match(self, scales: dict[str, Noticed], *, table: bool) -> None:
        names = {name.rsplit("/", 1)[-1] for name in scales}
        bundled = readable_rubrics(bundled_rubrics().values(), names)
        rows = staged.planned_criteria(self.ws, self.project, self.import_id)
        meant: dict[str, str] = {}
        if table:
            meant, notes = meant_criteria(scales, [(row.rubric, row.criterion) for row in rows])
            self.tallied.notes += notes
        scales = {name: noticed for name, noticed in scales.items() if name not in meant}
        matched = match_rubrics(scales, [row.criterion for row in rows], bundled, self.project.name)
        for rubric in matched.rubrics:
            staged.stage_rubric(self.ws, self.project, self.import_id, rubric)
        self.tallied.notes += matched.notes
        self.keys = matched.keys | meant

    def _people(self, names: set[str]) -> None:
        """Keep the annotators. Names such as expert0 and crowd1 tell groups: the experts then
        decide final values."""
        groups = {name: group_of(name) for name in names}
        distinct = sorted({group for group in groups.values() if group})
        telling = len(distinct) > 1
        known = sorted(names - {ADJUDICATED})  # what was settled is no person's own opinion
        staged.stage_people(
            self.ws,
            self.import_id,
            [(name, name, groups[name] if telling else "") for name in known],
        )
        if (
            telling
            and "expert" in distinct
            and "reference_group" not in projects.get_project(self.ws, self.project.name).settings
        ):
            staged.stage_setting(self.ws, self.import_id, "reference_group", "expert")
            self.tallied.notes.append(say("importing.note.groups", groups=", ".join(distinct)))


def group_of(name: str) -> str:
    """The group that an annotator's name tells: ``expert0`` -> ``expert``; empty where it tells
    none."""
    match = re.fullmatch(r"([^\W\d]+)[ _-]?\d+", name)
    return match.group(1) if match else ""


def _named(item: Placed) -> Placed:
    """An author's own text gets its one mark, however the file writes it."""
    record = item.record
    return (
        replace(item, record=replace(record, model=marked(record.model)))
        if isinstance(record, Answer)
        else item
    )


def _by_name(rows: list[CriterionRow]) -> dict[str, CriterionRow]:
    """Criteria by key, and by their bare name where only one has it; those of faults by key
    alone."""
    bare: dict[str, list[CriterionRow]] = {}
    for row in rows:
        if row.criterion.rubric != FAULTS.name:
            bare.setdefault(row.criterion.name, []).append(row)
    return {row.key: row for row in rows} | {
        name: found[0] for name, found in bare.items() if len(found) == 1
    }


class Blanks:
    """Counts, row by row of a table with a column per model, whose answers are there: a blank one
    is no answer. Rows with something bad are left out, and told elsewhere."""

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
        notes = []
        if bare := len(self.without):
            named = ", ".join(map(str, self.without[:NAMED])) + (", ..." if bare > NAMED else "")
            notes.append(say("importing.note.blank_rows", n=bare, rows=self.rows, named=named))
        lacking = [
            (model, self.rows - said)
            for model, said in self.said.items()
            if self.rows - said > bare
        ]
        if lacking:
            named = ", ".join(f"{model} {count:,}" for model, count in lacking[:NAMED])
            if more := len(lacking) - NAMED:
                named += say("importing.note.more_models", n=more) if more > 0 else ""
            notes.append(say("importing.note.blank_answers", named=named))
        return notes
