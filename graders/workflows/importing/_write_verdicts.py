"""Verdicts as a file states them, read onto the project's criteria and written on their cells."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Container, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any, get_args

from graders.core.contracts import ImportedVerdict, Placed
from graders.core.errors import ScaleError
from graders.core.hashing import digest
from graders.core.records import Design, Evidence, Mark, Provenance, SubjectKey, Verdict
from graders.core.times import before, in_utc
from graders.core.words import row_parts, say
from graders.store.answers import content
from graders.store.answers.anchors import ANCHOR
from graders.store.desk.own_screens import REPEAT
from graders.store.opinions import kept_labels, made_cells, stored_verdicts, verdicts
from graders.store.opinions.stored_verdicts import Known
from graders.store.opinions.verdicts import CellVerdict
from graders.store.projects import CriterionRow
from graders.store.transfer import imports
from graders.workflows.cells.state import ADJUDICATED
from graders.workflows.importing._write_rows import RowWriter
from graders.workflows.promise.label_halves import can_test, in_test_half

#: What a file may state of a verdict and a field of ours holds; everything else is kept as
#: metadata.
_FIELDS = (
    "id",
    "question_id",
    "model",
    "answer_version",
    "criterion",
    "part",
    "annotator",
    "judge",
    "rule",
    "value",
    "status",
    "reason",
    "kind",
    "amends",
    "scale",
    "rationale",
    "fault_of",
    "arm",
    "design",
    "probability",
    "action",
    "seconds",
    "judges_seen",
    "shown_beside",
    "order",
    "criterion_hash",
    "recipe_hash",
    "inputs",
    "grader_version",
    "confidence",
    "confidence_kind",
    "evidence",
    "cost",
    "created_at",
    "comment",
    "after_reveal",
)
#: What the ids begin with that rows without one are given.
MADE = "i-"
#: What stands before the name of a file's own field that has the name of one of ours and cannot be
#: it.
OWN = "file_"
#: Where the file's own time stands, if it is no time, or later than the file came in.
OWN_TIME = OWN + "created_at"


class VerdictWriter:
    """Writes the verdicts of an import on the questions and answers that `rows` has written."""

    def __init__(self, rows: RowWriter, *, blind: bool, coin: bool = False) -> None:
        self.rows, self.blind, self.coin = rows, blind, coin
        self.ws, self.project, self.tallied = rows.ws, rows.project, rows.tallied
        self.import_id = rows.import_id
        self.known_versions: dict[tuple[int, str], set[int]] = {}
        #: when the file came in, and verdicts that it dates later, or by what is no time
        self.came = imports.get_import(rows.ws, rows.import_id).started_at
        self.untimely = 0
        #: people's blind verdicts on answers that no draw of ours chose
        self.blind_labels = 0
        #: verdicts that were there under an earlier wording of their criterion
        self.reworded = 0
        #: labels that were kept for a test, and their questions
        self.kept = 0
        self.kept_questions: set[str] = set()

    def opinions(self, batch: Sequence[Placed], criteria: Mapping[str, CriterionRow]) -> None:
        """Write verdicts. Those on cells of this import take effect with it; those on visible cells
        at the end."""
        placed = [(p, p.record) for p in batch if isinstance(p.record, ImportedVerdict)]
        self.rows.beat()

        def work(db: sqlite3.Connection, placed: Sequence[tuple[Placed, ImportedVerdict]]) -> None:
            missing = {v.question_id for _, v in placed} - set(self.rows.question_rows)
            self.rows.question_rows.update(content.question_ids(db, self.project, missing))
            rows = {
                self.rows.question_rows[v.question_id]
                for _, v in placed
                if v.question_id in self.rows.question_rows
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
            homes = made_cells.homes(
                db,
                self.project,
                [(subject, row.id, verdict.part) for verdict, subject, row in fresh.values()],
                self.import_id,
            )
            own: dict[bool, list[CellVerdict]] = {True: [], False: []}
            apart: list[CellVerdict] = []
            single = {row for key, row in subjects.items() if not key[3]}
            for verdict, subject, row in fresh.values():
                cell, question, home = homes[(subject, row.id, verdict.part)]
                made = CellVerdict(cell, row, question, verdict)
                tests = subject in single and self._tests(made)
                (apart if tests else own[home == self.import_id]).append(made)
            now = self.ws.now()
            for here, some in own.items():
                verdicts.append(
                    db,
                    self.project,
                    some,
                    now=now,
                    import_id=self.import_id,
                    opinions=here,
                )
            kept_labels.keep(db, self.project, self.import_id, apart)
            self.kept += len(apart)
            self.kept_questions |= {one.verdict.subject.question_id for one in apart}
            self.tallied.verdicts += len(fresh)
            self.blind_labels += sum(_is_label(verdict) for verdict, _, _ in fresh.values())
            self.untimely += sum(OWN_TIME in verdict.metadata for verdict, _, _ in fresh.values())

        self.ws.background(placed, work)

    def _tests(self, row: CellVerdict) -> bool:
        """Whether a verdict is kept for a test: the coin falls by question."""
        verdict = row.verdict
        return (
            self.coin
            and (_is_label(verdict) or verdict.kind == "retracts")
            and verdict.author_kind == "person"
            and verdict.author != ADJUDICATED
            and can_test(row.criterion.criterion)
            and in_test_half(self.project, verdict.subject.question_id)
        )

    def _known(self, db: sqlite3.Connection, uids: Sequence[str]) -> dict[str, Known]:
        """Those of these verdict ids that the project has, closed ones too."""
        there = stored_verdicts.known_uids(db, self.project, uids)
        return there | kept_labels.known(db, self.project, uids)

    def _named(
        self,
        db: sqlite3.Connection,
        ready: list[tuple[Verdict, int, CriterionRow]],
        versions: Mapping[int, int],
    ) -> tuple[list[tuple[Verdict, int, CriterionRow]], Container[str]]:
        """The verdicts, and the ids that are known. What a row without an id says of a new text, or
        of a criterion in a new wording, is no repetition of the same words about the earlier one:
        such a verdict is named for the version, for the wording too."""
        known = self._known(db, [verdict.id for verdict, _, _ in ready])

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
            known = self._known(db, [verdict.id for verdict, _, _ in ready])
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
        if criterion is None:
            parts = row_parts("importing.no_criterion", criterion=repr(v.criterion))
            self.tallied.refuse_field(placed, "criterion", parts)
            return None
        subject = self._subject(db, v, subjects)
        if subject is None:
            answer = repr(f"{v.question_id} / {v.model}")
            parts = row_parts("importing.no_answer", answer=answer)
            self.tallied.refuse_field(placed, "model", parts)
            return None
        try:
            return verdict_of(v, criterion, blind=self.blind, came=self.came), subject, criterion
        except ScaleError as error:
            parts = row_parts("importing.off_scale", value=repr(v.value), expected=error.expected)
        except (ValueError, TypeError) as error:
            parts = row_parts("importing.bad_field", value=repr(v.value), expected=error)
        self.tallied.refuse_field(placed, "value", parts)
        return None

    def _subject(
        self,
        db: sqlite3.Connection,
        v: ImportedVerdict,
        subjects: dict[tuple[int, str, int, str], int],
    ) -> int | None:
        row = self.rows.question_rows.get(v.question_id)
        if row is None:
            return None
        first, second = v.fields.get("model_a"), v.fields.get("model_b")
        if first and second:
            return content.add_pair(db, self.project, row, str(first), str(second), self.import_id)
        stated = v.fields.get("answer_version")
        version = self.rows.versions.get((v.question_id, v.model, int(stated or 1)))
        if version is None:
            # A file of verdicts alone: without a version they are about the text that is shown now.
            version = (
                int(stated)
                if stated
                else max(self.known_versions.get((row, v.model), ()), default=1)
            )
        return subjects.get((row, v.model, version, ""))


def verdict_of(v: ImportedVerdict, criterion: CriterionRow, *, blind: bool, came: str) -> Verdict:
    """The verdict that a row states. `blind`: the arm of people's verdicts that state none; `came`:
    when the file came in.

    ScaleError for a value that is not on the criterion's scale; ValueError or TypeError, with what
    was expected, for any other field that cannot be read.
    """
    f = v.fields
    opines = v.author_kind == "person" and f.get("kind") != "retracts"
    stated = str(f.get("created_at") or "")
    told = in_utc(stated)
    at = before(told, came)
    own = _own_fields(v) | ({"created_at"} if at != told or (stated and not told) else set())
    return Verdict(
        subject=SubjectKey(v.question_id, v.model),
        criterion=criterion.key,
        part=str(f.get("part") or ""),
        author=v.author,
        author_kind=v.author_kind,
        mark=_mark(v, criterion),
        kind=f.get("kind") or "given",
        amends=str(f.get("amends") or ""),
        criterion_hash=str(f.get("criterion_hash") or ""),
        recipe_hash=str(f.get("recipe_hash") or ""),
        inputs=str(f.get("inputs") or ""),
        grader_version=str(f.get("grader_version") or ""),
        cost=_float(f.get("cost")),
        provenance=_provenance(v, blind, own) if opines else None,
        id=str(f.get("id") or _uid(v)),
        created_at=at,
        metadata={
            OWN + k if k in own else k: x
            for k, x in f.items()
            if (k not in _FIELDS or k in own) and x is not None
        },
    )


def _is_label(verdict: Verdict) -> bool:
    given = verdict.provenance
    return given is not None and given.design == "imported" and given.arm == "blind"


def _own_fields(v: ImportedVerdict) -> set[str]:
    """Fields that are the file's own though named like ours: a verdict that they would make a
    second look may be an author's only word.

    Where Cograde wrote the file a judge's repeat names its recipe, a person's second look its arm.
    """
    f = v.fields
    repeat = v.author_kind == "judge" and f.get(ANCHOR) is True and f.get("recipe_hash")
    design, order = f.get("design") or "", f.get("order")
    stands = design in ("", *get_args(Design)) and (design != REPEAT or f.get("arm") == "blind")
    return {
        name
        for name, ours in (
            (ANCHOR, repeat),
            ("design", stands),
            ("order", order is None or type(order) is int),
        )
        if not ours and (name == ANCHOR or v.author_kind == "person")
    }


def _mark(v: ImportedVerdict, criterion: CriterionRow) -> Mark:
    f = v.fields
    evidence = tuple(_evidence(item) for item in f.get("evidence") or ())
    silent = v.value is None or v.value == ""
    reason = str(f.get("reason") or "")
    return Mark(
        value=None if silent else criterion.rubric.value_of(criterion.criterion, v.value),
        status="ok" if not silent else "error" if f.get("status") == "error" else "unscored",
        reason=reason or "no_verdict" if silent else reason,
        confidence=_float(f.get("confidence")),
        confidence_kind=str(f.get("confidence_kind") or ""),
        rationale=str(f.get("rationale") or ""),
        evidence=evidence,
    )


def _evidence(item: Any) -> Evidence:
    if isinstance(item, str):
        return Evidence(quote=item)
    return Evidence(
        **{k: x for k, x in dict(item).items() if k in ("quote", "absent", "found", "start", "end")}
    )


def _float(value: Any) -> float | None:
    return None if value is None or value == "" else float(value)


def _provenance(v: ImportedVerdict, blind: bool, own: Set[str]) -> Provenance:
    f = v.fields
    arm = f.get("arm") or ("blind" if blind else "assisted")
    if arm not in ("blind", "assisted"):
        raise ValueError(say("importing.arm"))
    return Provenance(
        arm="blind" if arm == "blind" else "assisted",
        design="imported" if "design" in own else f.get("design") or "imported",
        probability=float(f.get("probability") or 1.0),
        action=str(f.get("action") or "typed"),
        seconds=_float(f.get("seconds")),
        judges_seen=tuple(map(str, f.get("judges_seen") or ())),
        shown_beside=tuple(map(str, f.get("shown_beside") or ())),
        order=None if "order" in own else f.get("order"),
        fault_of=str(f.get("fault_of") or ""),
        comment=str(f.get("comment") or ""),
        after_reveal=bool(f.get("after_reveal")),
    )


def _uid(v: ImportedVerdict) -> str:
    """A name for a verdict without id: the same row gives the same name, so importing it twice
    changes nothing."""
    return MADE + digest(
        v.author_kind,
        v.author,
        v.question_id,
        v.model,
        v.criterion,
        v.value,
        {
            k: str(x)
            for k, x in v.fields.items()
            if k in ("part", "answer_version", "rationale", "kind", "amends", "order")
        },
        length=20,
    )
