"""A study as people read it: a block of rows per question, one row per criterion, one value per
model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from graders.core.author_texts import is_author
from graders.core.contracts import Snapshot
from graders.core.rubric import Criterion, Rubric, read_rubric
from graders.core.scale import Value
from graders.exporters.sheets.scores import SECONDS, Scores

PENDING = "pending"
#: Marks the answer that is the reference of a question.
STAR = "★"
REFERENCE = "reference"
#: What a row holds: values that people may change, figures made from other rows, the mark of the
#: reference, what was measured.
VERDICT, COMPUTED, MARK, MEASURED = "verdict", "computed", "reference", "measured"
#: What rows of text scores and of seconds begin with: no criterion is called so.
SCORE, ANSWER = "score", "answer"
#: The rubric of named faults, which have their own place.
FAULTS = "faults/"


class Place(NamedTuple):
    """The name of a row: which question, criterion and part (of MEASURED the metric); `kind` is
    VERDICT, COMPUTED, MARK or MEASURED."""

    question_id: str
    criterion: str
    part: str = ""
    kind: str = VERDICT


@dataclass(frozen=True, slots=True)
class Line:
    """One row. `names` are what may stand in the criterion's column, the one that is written first;
    values by model."""

    place: Place
    names: tuple[str, ...]
    values: Mapping[str, Value]
    versions: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Study:
    """All rows in order, with the texts of questions by id and criterion hashes by key."""

    questions: Mapping[str, str]
    models: tuple[str, ...]
    lines: tuple[Line, ...]
    hashes: Mapping[str, str]


@dataclass(slots=True)
class _Answers:
    """What is known of one question: answers' versions by model, cells by criterion, part and
    model, measures by criterion, metric and model, scores by column and model."""

    text: str
    versions: dict[str, int] = field(default_factory=dict)
    cells: dict[str, dict[str, dict[str, Mapping[str, Any]]]] = field(default_factory=dict)
    measured: dict[str, dict[str, dict[str, Value]]] = field(default_factory=dict)
    scores: dict[str, dict[str, Value]] = field(default_factory=dict)


def study_of(snapshot: Snapshot) -> Study:
    """The rows of a snapshot; faults are left out, and claims, which differ from answer to answer,
    count as a share."""
    asked: dict[str, _Answers] = {}
    models: dict[str, None] = {}
    order: dict[str, None] = {}
    scores = Scores(snapshot)
    for cell in scores.rows(snapshot):
        key, model = str(cell.get("criterion", "")), str(cell["model"])
        if key.startswith(FAULTS):
            continue
        models.setdefault(model)
        found = asked.setdefault(
            str(cell["question_id"]), _Answers(str(cell.get("question") or ""))
        )
        found.versions[model] = int(cell.get("answer_version") or 1)
        if not key:
            continue
        order.setdefault(key)
        found.cells.setdefault(key, {}).setdefault(str(cell.get("part") or ""), {})[model] = cell
    for row in snapshot.tables.get("measured", ()):
        question = asked.get(str(row["question_id"]))
        if question is not None and question.versions.get(str(row["model"])) == int(
            row.get("answer_version") or 1
        ):
            of = question.measured.setdefault(str(row["criterion"]), {}).setdefault(
                str(row["metric"]), {}
            )
            of[str(row["model"])] = round(float(row["value"]), 4)
    _add_scores(snapshot, scores, asked)
    rubrics = {name: read_rubric(text, f"rubric {name}") for name, text in snapshot.rubrics.items()}
    criteria = {c.key: c for rubric in rubrics.values() for c in rubric.criteria}
    # The first questions need not have every criterion; one that is in no rubric any more comes
    # last.
    order = {key: None for key in criteria if key in order} | order
    references = {
        str(row["question_id"]): row
        for row in snapshot.tables.get("elected", ())
        if row.get("model")
    }
    titles = _titles(list(order))
    lines = [
        line
        for question, found in asked.items()
        for line in _unmistakable(
            list(
                _lines(question, found, order, titles, criteria, rubrics, references.get(question))
            )
        )
    ]
    hashes = {key: criteria[key].criterion_hash for key in order if key in criteria}
    # An author's own text stands apart from the models, in a column behind theirs.
    columns = sorted(models, key=is_author)
    return Study(
        {question: found.text for question, found in asked.items()},
        tuple(columns),
        tuple(lines),
        hashes,
    )


def _add_scores(snapshot: Snapshot, scores: Scores, asked: Mapping[str, _Answers]) -> None:
    """Give the questions what was measured of their answers; what stands beside a criterion is not
    said twice."""
    beside = {str(row["metric"]) for row in snapshot.tables.get("measured", ())}
    columns = [name for name in scores.valued() if name not in beside]
    for question, found in asked.items():
        for model, version in found.versions.items():
            row = {"question_id": question, "model": model, "answer_version": version}
            values = scores.shown(row)
            for name in columns:
                if name in values:
                    # an answer without it has an empty cell, which takes away an earlier value
                    empty: dict[str, Value] = dict.fromkeys(found.versions, "")
                    found.scores.setdefault(name, empty)[model] = _score(values[name])


def _score(value: float | str) -> Value:
    return value.replace("_", " ") if isinstance(value, str) else round(float(value), 4)


def shown(cell: Mapping[str, Any]) -> Value:
    """The final value of a cell; ``pending``, or the reason why there is none."""
    if cell.get("final_source") == PENDING:
        return PENDING
    value: Value | None = cell.get("final")
    return (
        value
        if value is not None
        else str(cell.get("final_reason") or "no value").replace("_", " ")
    )


def _titles(keys: Sequence[str]) -> dict[str, str]:
    """Bare names of criteria where only one has it, else their keys."""
    bare = {key: key.partition("/")[2] or key for key in keys}
    count = Counter(bare.values())
    return {key: name if count[name] == 1 else key for key, name in bare.items()}


def _lines(
    question: str,
    found: _Answers,
    order: Mapping[str, None],
    titles: Mapping[str, str],
    criteria: Mapping[str, Criterion],
    rubrics: Mapping[str, Rubric],
    reference: Mapping[str, Any] | None,
) -> Iterator[Line]:
    if reference is not None:
        marks: dict[str, Value] = {
            model: _mark(reference) if model == reference["model"] else ""
            for model in found.versions
        }
        yield Line(Place(question, "", "", MARK), (REFERENCE,), marks, found.versions)
    for key in order:
        parts = found.cells.get(key)
        if not parts:
            continue
        criterion = criteria.get(key)
        names = _names(key, titles[key], criterion, rubrics.get(key.partition("/")[0]))
        if "" not in parts:
            values = {
                m: mean_of_parts([cells[m] for cells in parts.values() if m in cells], criterion)
                for m in found.versions
            }
            made = {m: value for m, value in values.items() if value is not None}
            yield Line(Place(question, key, "", COMPUTED), names, made, found.versions)
        if criterion is None or criterion.elements != "claims":
            for part, cells in parts.items():
                named = tuple(f"{name}: {part}" for name in names) if part else names
                yield Line(
                    Place(question, key, part),
                    named,
                    {m: shown(cell) for m, cell in cells.items()},
                    found.versions,
                )
        for metric, of in found.measured.get(key, {}).items():
            yield Line(
                Place(question, key, metric, MEASURED),
                (f"{names[0]}: {metric.replace('_', ' ')}",),
                of,
                found.versions,
            )
    for name, of in found.scores.items():
        yield Line(
            Place(question, "", name, MEASURED),
            (f"{ANSWER if name in SECONDS else SCORE}: {name.replace('_', ' ')}",),
            of,
            found.versions,
        )


def _names(
    key: str, title: str, criterion: Criterion | None, rubric: Rubric | None
) -> tuple[str, ...]:
    """What a criterion is called: as it is written, its key, its title, its titles in other
    languages."""
    words = [title, key, criterion.title if criterion is not None else ""]
    for texts in (rubric.translations if rubric is not None else {}).values():
        found = texts.get(key.partition("/")[2])
        words.append(str(found.get("name") or "") if isinstance(found, Mapping) else "")
    return tuple(dict.fromkeys(word for word in words if word))


def _unmistakable(lines: Sequence[Line]) -> list[Line]:
    """The lines of one question without those other names that two of them share."""
    count = Counter(
        name.casefold() for line in lines for name in {n.casefold() for n in line.names}
    )
    return [
        replace(
            line,
            names=tuple(n for i, n in enumerate(line.names) if i == 0 or count[n.casefold()] == 1),
        )
        for line in lines
    ]


def mean_of_parts(cells: Sequence[Mapping[str, Any]], criterion: Criterion | None) -> Value | None:
    """The mean of the parts of one answer, each from 0 to 1, of a checklist the share that is
    present.

    ``pending`` while one is; None where no part has a score.
    """
    if any(cell.get("final_source") == PENDING for cell in cells):
        return PENDING
    values = [cell["final"] for cell in cells if cell.get("final") is not None]
    scores = [
        score
        for value in values
        if criterion is not None and (score := criterion.score_of(value)) is not None
    ]
    return round(sum(scores) / len(scores), 4) if scores else None


def _mark(reference: Mapping[str, Any]) -> str:
    """``★ elected: relevance + clarity 2 of 2``, or who appointed it."""
    if reference.get("by"):
        return f"{STAR} appointed by {reference['by']}"
    numbers = reference.get("numbers") or {}
    if "score" not in numbers:
        return f"{STAR} elected"
    return (
        f"{STAR} elected: {' + '.join(map(str, numbers.get('by', ())))} {numbers['score']:g} of "
        f"{numbers.get('of', 0):g}"
    )
