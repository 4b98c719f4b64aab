"""Metric values, and the vectors that they are made from."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from graders.core.author_texts import AUTHOR_GLOB
from graders.core.records import MetricValue
from graders.store.answers.content import DONE, chunks, marks
from graders.store.projects import Project


def put_metrics(
    db: sqlite3.Connection, project: Project, rows: Sequence[tuple[int, MetricValue, str]]
) -> None:
    """Set metric values: rows of (subject row, value, hash of what it was computed from)."""
    db.executemany(
        "INSERT OR REPLACE INTO metric_value (subject_id, metric, project_id, value, status, "
        "reason, reference, version, inputs) "
        f"VALUES ({marks(9)})",
        [
            (
                subject,
                m.metric,
                project.id,
                m.value,
                m.status,
                m.reason,
                m.reference,
                m.version,
                inputs,
            )
            for subject, m, inputs in rows
        ],
    )


def metrics_of(db: sqlite3.Connection, subject_ids: Iterable[int]) -> dict[int, list[MetricValue]]:
    """Metric values by subject row."""
    found: dict[int, list[MetricValue]] = {}
    for batch in chunks(subject_ids):
        for row in db.execute(
            (
                f"SELECT * FROM metric_value WHERE subject_id IN ({marks(len(batch))}) "
                "ORDER BY subject_id, metric"
            ),
            batch,
        ):
            found.setdefault(row["subject_id"], []).append(
                MetricValue(
                    metric=row["metric"],
                    value=row["value"],
                    status=row["status"],
                    reason=row["reason"],
                    reference=row["reference"],
                    version=row["version"],
                )
            )
    return found


def known_metrics(
    db: sqlite3.Connection, project: Project, metric: str
) -> dict[int, tuple[str, str]]:
    """Subject row -> (version, hash of inputs) of the stored values of a metric."""
    return {
        row[0]: (row[1], row[2])
        for row in db.execute(
            (
                "SELECT subject_id, version, inputs FROM metric_value WHERE project_id = ? "
                "AND metric = ?"
            ),
            (project.id, metric),
        )
    }


@dataclass(frozen=True, slots=True)
class MetricSums:
    """A metric of a model's answers: so many `answers` with a value or a reason, `n` values, their
    `total`, the sum of their `squares`, and for which `reasons` (code -> answers, the most frequent
    first) values are missing."""

    model: str
    metric: str
    answers: int
    n: int
    total: float
    squares: float
    reasons: Mapping[str, int]


def sums(
    db: sqlite3.Connection, project: Project, metrics: Sequence[str], filters: Mapping[str, str]
) -> list[MetricSums]:
    """Sums by model and metric, over current answers. Authors' own texts are no model's. `filters`:
    category, task_type, language."""
    names = [name for name in ("category", "task_type", "language") if filters.get(name)]
    clauses = "".join(f" AND q.{name} = ?" for name in names)
    sql = (
        "SELECT a.model, m.metric, coalesce(m.reason, '') AS reason, count(*) AS answers, "
        "count(m.value) AS n, total(m.value) AS total, "
        "total(m.value * m.value) AS squares FROM metric_value m "
        "JOIN subject s ON s.id = m.subject_id AND s.other_id IS NULL "
        "JOIN answer a ON a.id = s.answer_id JOIN question q ON q.id = a.question_id "
        f"WHERE m.project_id = ? AND m.metric IN ({marks(len(metrics))}) AND a.current = 1 "
        f"AND a.import_id {DONE} AND a.model NOT GLOB ?{clauses} "
        "GROUP BY a.model, m.metric, coalesce(m.reason, '') ORDER BY a.model, answers DESC, reason"
    )
    values = (project.id, *metrics, AUTHOR_GLOB, *(filters[name] for name in names))
    by_name: dict[tuple[str, str], MetricSums] = {}
    for model, metric, reason, answers, n, total, squares in (
        db.execute(sql, values) if metrics else ()
    ):
        before = by_name.get((model, metric)) or MetricSums(model, metric, 0, 0, 0.0, 0.0, {})
        missing = {reason: answers - n} if reason and answers > n else {}
        by_name[(model, metric)] = MetricSums(
            model,
            metric,
            before.answers + answers,
            before.n + n,
            before.total + total,
            before.squares + squares,
            {**before.reasons, **missing},
        )
    return list(by_name.values())


def lowest_tenth(
    db: sqlite3.Connection, project: Project, metric: str, share: float = 0.1
) -> float | None:
    """The highest value of the lowest `share` of a project's values of `metric`; whatever equals it
    belongs to them.

    None below 20 values, and where half of them are as low: what most answers have is no sign of a
    bad one.
    """
    values = "FROM metric_value WHERE project_id = ? AND metric = ? AND value IS NOT NULL"
    count = db.execute(f"SELECT count(*) {values}", (project.id, metric)).fetchone()[0]
    if count < 20:
        return None
    low, middle = (
        float(
            db.execute(
                f"SELECT value {values} ORDER BY value LIMIT 1 OFFSET ?",
                (project.id, metric, place),
            ).fetchone()[0]
        )
        for place in (int(count * share) - 1, count // 2)
    )
    return low if low < middle else None


def get_vectors(db: sqlite3.Connection, keys: Sequence[str]) -> dict[str, bytes]:
    """Stored vectors by key."""
    found: dict[str, bytes] = {}
    for batch in chunks(keys):
        found.update(
            (row[0], row[1])
            for row in db.execute(
                f"SELECT key, data FROM vector WHERE key IN ({marks(len(batch))})", batch
            )
        )
    return found


def put_vectors(db: sqlite3.Connection, items: Mapping[str, bytes]) -> None:
    """Keep vectors."""
    db.executemany("INSERT OR REPLACE INTO vector VALUES (?, ?)", list(items.items()))
