"""Writing the rows of an import: questions and answers first, then verdicts on their cells."""

from __future__ import annotations

import sqlite3
from bisect import insort
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from graders.core.contracts import ImportedVerdict, Placed
from graders.core.errors import ScaleError
from graders.core.hashing import digest, text_hash
from graders.core.records import Answer, BadRow, Question, TaskType, Verdict
from graders.core.text import language_of
from graders.store.answers import content, figures
from graders.store.answers.details import merged_detail
from graders.store.answers.drafts import merged_list
from graders.store.answers.task_types import chosen_types, merged_type, typed
from graders.store.opinions import cells, verdicts
from graders.store.opinions.verdicts import CellVerdict
from graders.store.projects import CriterionRow, Project
from graders.store.transfer import imports, staged
from graders.store.workspace import Workspace
from graders.workflows.importing._pairs import Pair, Pairs
from graders.workflows.importing._stated_verdicts import MADE, OWN_TIME, verdict_of

#: Keep at most this many bad rows for the list that people see; all are counted.
KEPT_BAD_ROWS = 2_000


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
        without a remedy gets a general one.

        The importer may be a plug-in's.
        """
        self.bad += 1
        row = (
            row
            if row.remedy
            else replace(row, remedy="Correct or remove this row, and import the file again.")
        )
        insort(self.bad_rows, row, key=lambda bad: (bad.file, bad.row, bad.column))
        del self.bad_rows[KEPT_BAD_ROWS:]


class RowWriter:
    """Writes placed records of one import. Questions and answers must come before the verdicts on
    them."""

    def __init__(
        self, ws: Workspace, project: Project, import_id: int, tallied: Tallied, *, blind: bool
    ) -> None:
        self.ws, self.project, self.import_id, self.tallied, self.blind = (
            ws,
            project,
            import_id,
            tallied,
            blind,
        )
        self.chosen_types = chosen_types(project)
        self.pairs = Pairs()
        self.question_rows: dict[str, int] = {}
        self.seen_answers: set[tuple[str, str, int]] = set()
        #: (question, model, version in the file) -> version in the workspace
        self.versions: dict[tuple[str, str, int], int] = {}
        self.known_versions: dict[tuple[int, str], set[int]] = {}
        #: (question, model) of answers that the file has in an earlier text than the latest, and of
        #: those that it has in the latest
        self.behind: set[tuple[str, str]] = set()
        self.latest: set[tuple[str, str]] = set()
        #: when the file came in, and verdicts that it dates later, or by what is no time
        self.came = str(imports.get_import(ws, import_id)["started_at"])
        self.untimely = 0
        #: verdicts that were there under an earlier wording of their criterion
        self.reworded = 0

    # -- questions and answers

    def content(self, batch: Sequence[Placed]) -> None:
        """Write questions and answers."""
        questions = [p for p in batch if isinstance(p.record, Question)]
        answers = [p for p in batch if isinstance(p.record, Answer)]
        self._beat()
        self.ws.background(questions, self._questions, self._prepared)
        self.ws.background(answers, self._answers)

    def _beat(self) -> None:
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

    def _refuse(self, placed: Placed, column: str, found: str, expected: str, remedy: str) -> None:
        """Refuse the row of `placed` for its field `column`, which is named as the file names it; a
        long `found` is cut."""
        column = placed.headers.get(column, column)
        bad = BadRow(
            file=placed.file,
            row=placed.row,
            column=column,
            found=found[:120],
            expected=expected,
            remedy=remedy,
            line=placed.line,
        )
        self.tallied.refuse(bad)

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
                expected = "the id of a question in this file or project"
                self._refuse(
                    p,
                    "question_id",
                    repr(answer.question_id),
                    expected,
                    "Add the question, or correct the id.",
                )
                continue
            row = self.question_rows[answer.question_id]
            versions = known.setdefault((row, answer.model), {})
            name = text_hash(answer.text)
            key = (answer.question_id, answer.model, answer.version)
            if key in self.seen_answers:
                if versions.get(answer.version) != name:
                    found = f"a second answer of {answer.model!r} to this question"
                    self._refuse(
                        p,
                        "answer",
                        found,
                        "one answer per question and model",
                        "Remove one, or name the models apart.",
                    )
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
        stated = {key: found for key, answer in there.items() if (found := _stated_figures(answer))}
        known = figures.answers_at(db, list(stated))
        changes = [
            (row, new)
            for key, (row, old) in known.items()
            if (new := _changed_figures(old, stated[key]))
        ]
        staged.stage_figures(db, self.import_id, changes)
        self.tallied.new_figures += len(changes)
        self.tallied.unchanged += len(there) - len(changes)

    # -- verdicts

    def opinions(self, batch: Sequence[Placed], criteria: Mapping[str, CriterionRow]) -> None:
        """Write verdicts. Those on cells of this import take effect with it; those on visible cells
        at the end."""
        placed = [(p, p.record) for p in batch if isinstance(p.record, ImportedVerdict)]
        self._beat()

        def work(db: sqlite3.Connection, placed: Sequence[tuple[Placed, ImportedVerdict]]) -> None:
            missing = {v.question_id for _, v in placed} - set(self.question_rows)
            self.question_rows.update(content.question_ids(db, self.project, missing))
            rows = {
                self.question_rows[v.question_id]
                for _, v in placed
                if v.question_id in self.question_rows
            }
            subjects = content.subject_rows(db, self.project, rows)
            self.known_versions = {}
            for question, model, version, other in subjects:
                if not other:
                    self.known_versions.setdefault((question, model), set()).add(version)
            ready = [
                found
                for p, v in placed
                if (found := self._verdict(db, p, v, criteria, subjects)) is not None
            ]
            ready, known = self._named(db, ready, {row: key[2] for key, row in subjects.items()})
            self.tallied.unchanged += sum(verdict.id in known for verdict, _, _ in ready)
            fresh = {
                verdict.id: (verdict, subject, row)
                for verdict, subject, row in ready
                if verdict.id not in known
            }
            homes = cells.homes(
                db,
                self.project,
                [(subject, row.id, verdict.part) for verdict, subject, row in fresh.values()],
                self.import_id,
            )
            own: dict[bool, list[CellVerdict]] = {True: [], False: []}
            for verdict, subject, row in fresh.values():
                cell, question, home = homes[(subject, row.id, verdict.part)]
                own[home == self.import_id].append(CellVerdict(cell, row, question, verdict))
            now = self.ws.now()
            for here, made in own.items():
                verdicts.append(
                    db, self.project, made, now=now, import_id=self.import_id, opinions=here
                )
            self.tallied.verdicts += len(fresh)
            self.untimely += sum(OWN_TIME in verdict.metadata for verdict, _, _ in fresh.values())

        self.ws.background(placed, work)

    def _named(
        self,
        db: sqlite3.Connection,
        ready: list[tuple[Verdict, int, CriterionRow]],
        versions: Mapping[int, int],
    ) -> tuple[list[tuple[Verdict, int, CriterionRow]], Container[str]]:
        """The verdicts, and the ids that are known. What a row without an id says of a new text, or
        of a criterion in a new wording, is no repetition of the same words about the earlier one:
        such a verdict is named for the version, for the wording too."""
        known = verdicts.known_uids(db, self.project, [verdict.id for verdict, _, _ in ready])

        def named(
            differs: Callable[[Verdict, int, CriterionRow], bool],
            about: Callable[[Verdict, int, CriterionRow], Any],
        ) -> int:
            nonlocal ready, known
            other = [
                v.id.startswith(MADE) and v.id in known and differs(v, subject, row)
                for v, subject, row in ready
            ]
            if not any(other):
                return 0
            ready = [
                (
                    replace(v, id=MADE + digest(v.id, about(v, subject, row), length=20))
                    if changed
                    else v,
                    subject,
                    row,
                )
                for changed, (v, subject, row) in zip(other, ready, strict=True)
            ]
            known = verdicts.known_uids(db, self.project, [verdict.id for verdict, _, _ in ready])
            return sum(
                changed and v.id not in known
                for changed, (v, _, _) in zip(other, ready, strict=True)
            )

        def wording(v: Verdict, subject: int, row: CriterionRow) -> str:
            return v.criterion_hash or row.hash

        named(
            lambda v, subject, row: known[v.id].subject != subject,
            lambda v, subject, row: versions[subject],
        )
        self.reworded += named(
            lambda v, subject, row: known[v.id].wording != wording(v, subject, row),
            lambda v, subject, row: [wording(v, subject, row), known[v.id].present],
        )
        return ready, known

    def _verdict(
        self,
        db: sqlite3.Connection,
        placed: Placed,
        v: ImportedVerdict,
        criteria: Mapping[str, CriterionRow],
        subjects: dict[tuple[int, str, int, str], int],
    ) -> tuple[Verdict, int, CriterionRow] | None:
        """The verdict with the subject and criterion of its cell; a bad row is refused."""
        criterion = criteria.get(v.criterion)
        subject = self._subject(db, v, subjects)
        if criterion is None or subject is None:
            column, found = (
                ("criterion", v.criterion)
                if criterion is None
                else ("model", f"{v.question_id} / {v.model}")
            )
            expected = (
                "a criterion of the project"
                if criterion is None
                else "a question and model with an answer"
            )
            remedy = (
                "Correct the name, or bring its rubric."
                if criterion is None
                else "Add the answer, or correct question and model."
            )
            self._refuse(placed, column, repr(found), expected, remedy)
            return None
        try:
            return verdict_of(v, criterion, blind=self.blind, came=self.came), subject, criterion
        except (ScaleError, ValueError, TypeError) as error:
            if isinstance(error, ScaleError):
                self._refuse(
                    placed,
                    "value",
                    repr(v.value),
                    error.expected,
                    "Give a value of the scale, or remove the row.",
                )
            else:
                self._refuse(
                    placed,
                    "value",
                    repr(v.value),
                    str(error),
                    "Correct this field of the row, or remove the row.",
                )
            return None

    def _subject(
        self,
        db: sqlite3.Connection,
        v: ImportedVerdict,
        subjects: dict[tuple[int, str, int, str], int],
    ) -> int | None:
        row = self.question_rows.get(v.question_id)
        if row is None:
            return None
        first, second = v.fields.get("model_a"), v.fields.get("model_b")
        if first and second:
            return content.add_pair(db, self.project, row, str(first), str(second), self.import_id)
        stated = v.fields.get("answer_version")
        version = self.versions.get((v.question_id, v.model, int(stated or 1)))
        if version is None:
            # A file of verdicts alone: without a version they are about the text that is shown now.
            version = (
                int(stated)
                if stated
                else max(self.known_versions.get((row, v.model), ()), default=1)
            )
        return subjects.get((row, v.model, version, ""))


def _stated_figures(answer: Answer) -> dict[str, Any]:
    """The figures of an answer that a file states."""
    found = {name: getattr(answer, name) for name in figures.FIGURES}
    return {
        name: value
        for name, value in found.items()
        if value is not None and value != "" and value != {}
    }


def _changed_figures(old: Answer, stated: Mapping[str, Any]) -> dict[str, Any]:
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
