"""Writing the questions, answers and pairs of an import."""

from __future__ import annotations

import sqlite3
from bisect import bisect_right, insort
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from graders.core.contracts import ImportedRow, Placed
from graders.core.hashing import text_hash
from graders.core.records import Answer, BadRow, Question, TaskType
from graders.core.shapes import JSON
from graders.core.text import language_of
from graders.core.words import row_parts, say
from graders.store.answers import content, figures
from graders.store.answers.details import merged_detail
from graders.store.answers.drafts import merged_list
from graders.store.answers.task_types import chosen_types, merged_type, typed
from graders.store.projects import Project
from graders.store.transfer import imports, staged
from graders.store.workspace import Workspace

#: Keep at most this many bad rows for the list that people see; all are counted.
KEPT_BAD_ROWS = 2_000
#: The table of pairs, and its fields that every row has.
PAIRS, PAIR_FIELDS = "pairs", ("question_id", "model", "model_b")


@dataclass
class Tallied:
    """What an import did so far, for its report."""

    questions: int = 0
    changed_questions: int = 0
    answers: int = 0
    new_versions: int = 0
    verdicts: int = 0
    unchanged: int = 0
    new_figures: int = 0
    bad: int = 0
    bad_rows: list[BadRow] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def refuse(self, row: BadRow) -> None:
        """Count a bad row and keep it for the list, in the order of file, row and column; one
        without a remedy, as a plug-in's importer may give it, gets a general one."""
        self.bad += 1
        row = row if row.remedy else replace(row, remedy=say("importing.remedy"))
        insort(self.bad_rows, row, key=lambda bad: (bad.file, bad.row, bad.column))
        del self.bad_rows[KEPT_BAD_ROWS:]

    def refuse_field(self, placed: Placed, column: str, parts: Mapping[str, str]) -> None:
        """Refuse the row of `placed` for its field `column`, which is named as the file names it; a
        long `found` is cut."""
        self.refuse(
            BadRow(
                file=placed.file,
                row=placed.row,
                column=placed.headers.get(column, column),
                found=parts["found"][:120],
                expected=parts["expected"],
                remedy=parts["remedy"],
                line=placed.line,
            )
        )


class Pair(NamedTuple):
    """An ordered pair of two models' answers to a question."""

    question_id: str
    model: str
    model_b: str


class Pairs:
    """The pairs of a file, in the order in which they were made; each waits until as many lines of
    answers are read as stood before it, because a draw is from all that was there before."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[float, Pair]] = deque()

    def take(self, row: ImportedRow) -> BadRow | None:
        """Keep a row; what is wrong with it, None if nothing is."""
        missing = next(
            (name for name in PAIR_FIELDS if not isinstance(row.fields.get(name), str)), None
        )
        after = row.fields.get("after", float("inf"))
        if missing is None and isinstance(after, int | float) and not isinstance(after, bool):
            self._waiting.append((after, Pair(*(str(row.fields[name]) for name in PAIR_FIELDS))))
            return None
        parts = (
            row_parts("importing.pair.no_text")
            if missing
            else row_parts("importing.pair.after", after=repr(after)[:60])
        )
        return BadRow(file=row.file, row=row.row, column=missing or "after", line=0, **parts)

    def among(self, lines: Sequence[int]) -> Iterator[tuple[int, list[Pair]]]:
        """Of answers in these `lines` of their table: (how many of them stand before the next
        pairs, these pairs)."""
        while self._waiting and lines and self._waiting[0][0] <= lines[-1]:
            cut, pairs = bisect_right(lines, self._waiting[0][0]), []
            while (
                self._waiting
                and bisect_right(lines, self._waiting[0][0]) == cut
                and self._waiting[0][0] <= lines[-1]
            ):
                pairs.append(self._waiting.popleft()[1])
            yield cut, pairs

    def rest(self) -> list[Pair]:
        """Those that stand behind all answers."""
        pairs = [pair for _, pair in self._waiting]
        self._waiting.clear()
        return pairs


class RowWriter:
    """Writes questions, answers and pairs of one import."""

    def __init__(self, ws: Workspace, project: Project, import_id: int, tallied: Tallied) -> None:
        self.ws, self.project, self.import_id, self.tallied = ws, project, import_id, tallied
        self.chosen_types = chosen_types(project)
        self.pairs = Pairs()
        self.question_rows: dict[str, int] = {}
        self.seen_answers: set[tuple[str, str, int]] = set()
        #: (question, model, version in the file) -> version in the workspace
        self.versions: dict[tuple[str, str, int], int] = {}
        #: (question, model) of answers that the file has in an earlier text than the latest, and of
        #: those that it has in the latest
        self.behind: set[tuple[str, str]] = set()
        self.latest: set[tuple[str, str]] = set()

    def content(self, batch: Sequence[Placed]) -> None:
        """Write questions and answers."""
        questions = [p for p in batch if isinstance(p.record, Question)]
        answers = [p for p in batch if isinstance(p.record, Answer)]
        self.beat()
        self.ws.background(questions, self._questions, self._prepared)
        self.ws.background(answers, self._answers)

    def beat(self) -> None:
        """Say that the import is alive."""
        with self.ws.write(durable=False) as db:
            imports.beat(db, self.ws, self.import_id)

    def _prepared(self, db: sqlite3.Connection, placed: Sequence[Placed]) -> list[Placed]:
        """New questions with their language, because telling it takes long, and with the task type
        of their category."""
        records = [p.record for p in placed if isinstance(p.record, Question)]
        known = {
            *self.question_rows,
            *content.question_ids(db, self.project, [record.id for record in records]),
        }
        ready = [
            r if r.id in known else typed(_with_language(r), self.chosen_types) for r in records
        ]
        return [replace(p, record=record) for p, record in zip(placed, ready, strict=True)]

    def _questions(self, db: sqlite3.Connection, placed: Sequence[Placed]) -> None:
        records: dict[str, Question] = {}
        for p in placed:
            if isinstance(p.record, Question) and p.record.id not in self.question_rows:
                records.setdefault(p.record.id, p.record)
        existing = content.question_ids(db, self.project, records)
        new = [record for key, record in records.items() if key not in existing]
        content.insert_questions(db, self.project, self.import_id, new)
        self.tallied.questions += len(new)
        self.question_rows.update(content.question_ids(db, self.project, records))
        old = content.questions_by_row(db, existing.values())
        merged = {
            row: _merged(old[row], records[key], self.chosen_types) for key, row in existing.items()
        }
        changes = [(row, question) for row, question in merged.items() if question != old[row]]
        imports.stage_changes(db, self.import_id, changes)
        self.tallied.changed_questions += len(changes)
        self.tallied.unchanged += len(existing) - len(changes)

    def _answers(self, db: sqlite3.Connection, placed: Sequence[Placed]) -> None:
        wanted = {p.record.question_id for p in placed if isinstance(p.record, Answer)}
        self.question_rows.update(
            content.question_ids(db, self.project, wanted - set(self.question_rows))
        )
        known = content.answer_versions(
            db, [self.question_rows[key] for key in wanted if key in self.question_rows]
        )
        rows: list[tuple[int, Answer, int]] = []
        lines: list[int] = []
        there: dict[tuple[int, str, int], Answer] = {}
        for p in placed:
            answer = p.record
            if not isinstance(answer, Answer):
                continue
            if answer.question_id not in self.question_rows:
                parts = row_parts("importing.no_question", question=repr(answer.question_id))
                self.tallied.refuse_field(p, "question_id", parts)
                continue
            row = self.question_rows[answer.question_id]
            versions = known.setdefault((row, answer.model), {})
            name = text_hash(answer.text)
            key = (answer.question_id, answer.model, answer.version)
            if key in self.seen_answers:
                if versions.get(answer.version) != name:
                    parts = row_parts("importing.second_answer", model=repr(answer.model))
                    self.tallied.refuse_field(p, "answer", parts)
                continue
            self.seen_answers.add(key)
            top = max(versions, default=0)
            if versions.get(answer.version) == name or (versions and versions[top] == name):
                self.versions[key] = answer.version if versions.get(answer.version) == name else top
                there[(row, answer.model, self.versions[key])] = answer
                (self.latest if self.versions[key] == top else self.behind).add(key[:2])
                continue
            version = answer.version if answer.version > top else top + 1
            self.versions[key] = version
            self.tallied.new_versions += bool(versions)
            self.tallied.answers += 1
            rows.append((row, replace(answer, version=version), 2 if versions else 1))
            lines.append(p.row)
            versions[version] = name
        at = 0
        for cut, pairs in self.pairs.among(lines):
            content.insert_answers(db, self.project, self.import_id, rows[at:cut])
            self._pairs(db, pairs)
            at = cut
        content.insert_answers(db, self.project, self.import_id, rows[at:])
        self._figures(db, there)

    def rest_of_pairs(self) -> None:
        """Write the pairs that stand behind all answers."""
        self.ws.background(self.pairs.rest(), self._pairs)

    def _pairs(self, db: sqlite3.Connection, pairs: Sequence[Pair]) -> None:
        """Make the pairs whose answers are there."""
        self.question_rows.update(
            content.question_ids(
                db, self.project, {pair.question_id for pair in pairs} - set(self.question_rows)
            )
        )
        for pair in pairs:
            if row := self.question_rows.get(pair.question_id):
                content.add_pair(db, self.project, row, pair.model, pair.model_b, self.import_id)

    def _figures(
        self, db: sqlite3.Connection, there: Mapping[tuple[int, str, int], Answer]
    ) -> None:
        """Keep what the file states of answers whose text is there: seconds, tokens and the like
        may be known later than the text."""
        stated = {key: given for key, answer in there.items() if (given := _stated_figures(answer))}
        known = figures.answers_at(db, list(stated)) if stated else {}
        changes = [
            (row, new)
            for key, (row, old) in known.items()
            if (new := _changed_figures(old, stated[key]))
        ]
        if changes:
            staged.stage_figures(db, self.import_id, changes)
        self.tallied.new_figures += len(changes)
        self.tallied.unchanged += len(there) - len(changes)


def _stated_figures(answer: Answer) -> JSON:
    """The figures of an answer that a file states, as they are kept until the import is done."""
    values = {name: getattr(answer, name) for name in figures.FIGURES}
    return {
        name: value
        for name, value in values.items()
        if value is not None and value != "" and value != {}
    }


def _changed_figures(old: Answer, stated: JSON) -> JSON:
    """Those of the `stated` figures that are not the stored ones; what the file leaves empty is
    kept."""
    new = {
        name: {**old.metadata, **value} if name == "metadata" else value
        for name, value in stated.items()
    }
    return {name: value for name, value in new.items() if value != getattr(old, name)}


def _with_language(question: Question) -> Question:
    """The question with the language of its text, where the file names none and the text tells."""
    return question if question.language else replace(question, language=language_of(question.text))


def _merged(old: Question, new: Question, chosen: Mapping[str, TaskType]) -> Question:
    """The stored question with what the file states: a field that the file leaves empty is kept,
    and so is what people decided."""
    fields = (
        "text",
        "category",
        "language",
        "detail",
        "references",
        "context",
        "facts",
        "must_have",
    )
    changed = {name: getattr(new, name) for name in fields if getattr(new, name)}
    if new.task_type != "unknown":
        changed["task_type"] = new.task_type
    if new.metadata:
        changed["metadata"] = {**old.metadata, **new.metadata}
    merged = replace(old, **changed)
    return merged_list(old, merged_detail(old, merged_type(old, merged, new, chosen), new), new)
