"""Parquet: tables as data sets have them, where pyarrow is there; one clear sentence where it is
not.

pyarrow is no part of the tests' requirements: pandas would take it up and work otherwise than in
the app.
"""

from __future__ import annotations

import datetime
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from graders.core.contracts import Look, Placed
from graders.core.errors import InputError
from graders.core.records import Answer, BadRow, Question
from graders.importers.parquet import Parquet
from graders.workflows.importing import look as importing_look
from graders.workflows.importing import stage as importing_stage
from tests.store import small


def written(path: Path, rows: list[dict[str, Any]], **types: Any) -> Path:
    """A Parquet file of rows, in small row groups; `types` names the types of columns that are not
    to be guessed."""
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    names = list(rows[0])
    arrays = [pa.array([row.get(name) for row in rows], type=types.get(name)) for name in names]
    parquet.write_table(pa.table(arrays, names=names), path, row_group_size=2)
    return path


def read(path: Path) -> tuple[list[Question], list[Answer], list[BadRow]]:
    """Questions, answers and bad rows."""
    found = list(Parquet().read(path, Parquet().look(path)))
    records = [item.record for item in found if isinstance(item, Placed)]
    bad = [item for item in found if isinstance(item, BadRow)]
    return (
        [r for r in records if isinstance(r, Question)],
        [r for r in records if isinstance(r, Answer)],
        bad,
    )


def test_without_pyarrow_one_sentence_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    path = tmp_path / "answers.parquet"
    path.write_bytes(b"PAR1" + bytes(20) + b"PAR1")
    scope = small.scope_of(small.workspace(tmp_path))
    with pytest.raises(InputError) as error:
        importing_look.look_at(scope, path)
    assert str(error.value) == (
        "answers.parquet: found a Parquet file, and no pyarrow to read it, expected pyarrow installed. "
        "Install the optional extra: pip install 'cograde[parquet]'; or save the table as CSV or JSONL."
    )


def test_a_long_table_with_figures(tmp_path: Path) -> None:
    rows = [
        {
            "id": n // 2,
            "question": f"What is {n // 2}?",
            "category": "maths",
            "model": f"m{n % 2}",
            "answer": f"It is {n}.",
            "seconds": n / 2,
        }
        for n in range(8)
    ]
    rows[3]["answer"] = None
    questions, answers, bad = read(written(tmp_path / "a.parquet", rows))
    assert [(q.id, q.text, q.category) for q in questions] == [
        (str(n), f"What is {n}?", "maths") for n in range(4)
    ]
    assert len(answers) == 7
    assert (
        answers[2].question_id,
        answers[2].model,
        answers[2].text,
        answers[2].total_seconds,
    ) == ("1", "m0", "It is 2.", 1.0)
    assert [(b.row, b.column, b.found) for b in bad] == [(4, "answer", "an empty answer")]


def test_nested_answers_lists_and_other_types(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    rows = [
        {
            "question": f"What is {n}?",
            "reference": ["one", "uno"] if n == 1 else [],
            "asked": datetime.date(2026, 1, 2),
            "price": Decimal("1.50"),
            "answers": [("gpt", "One."), *([("late", "Ich.")] if n == 249 else [])],
        }
        for n in range(250)
    ]
    path = written(tmp_path / "a.pq", rows, answers=pa.map_(pa.string(), pa.string()))
    questions, answers, bad = read(path)
    assert (len(questions), bad) == (250, [])
    assert questions[1].references == ("one", "uno")
    assert questions[0].metadata == {"asked": "2026-01-02", "price": 1.5}
    # a model that the first rows lack
    assert [(a.model, a.text) for a in answers[-2:]] == [
        ("gpt", "One."),
        ("late", "Ich."),
    ]


def test_a_wide_table_by_the_workflow(tmp_path: Path) -> None:
    path = written(
        tmp_path / "wide.parquet",
        [{"question": f"What is {n}?", "gpt-4": f"{n}", "llama-3": f"{n}!"} for n in range(3)],
    )
    scope = small.scope_of(small.workspace(tmp_path))
    name, look = importing_look.look_at(scope, path)
    assert (name, look.layout, look.rows) == ("parquet", "wide", 3)
    report = importing_stage.stage(scope, "p", path)
    assert (report.questions, report.answers, report.bad) == (3, 6, 0)


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"question,answer\n", "found no Parquet file"),
        (b"PAR1" + bytes(40), "found a file that cannot be read"),
        (b"", "found no Parquet file"),
    ],
)
def test_what_is_no_parquet_is_one_sentence(tmp_path: Path, raw: bytes, said: str) -> None:
    pytest.importorskip("pyarrow")
    path = tmp_path / "a.parquet"
    path.write_bytes(raw)
    with pytest.raises(InputError, match=said):
        Parquet().look(path)
    assert Parquet().fits(path) == (10 if raw.startswith(b"PAR1") else 1)


def test_a_table_without_rows_is_said(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    parquet.write_table(
        pa.table({"question": pa.array([], pa.string()), "answer": pa.array([], pa.string())}),
        tmp_path / "a.parquet",
    )
    look = Parquet().look(tmp_path / "a.parquet")
    assert (look.rows, list(Parquet().read(tmp_path / "a.parquet", look))) == (0, [])
    assert Parquet().look(tmp_path / "a.parquet", Look()).rows == 0
