"""The frames of a project: which columns each has, of which type and unit, and how rows become one.

The order of rows is that of the exchange format: the same state of a workspace gives the same
frame. Frames hold texts as they are; only exports guard what a spreadsheet would run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import pandas as pd

Type = Literal["string", "category", "Int64", "float64", "boolean", "datetime64[ns, UTC]", "object"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a frame: its type, what it holds and in which unit. `of` is its name in the
    exchange format, where that is another."""

    dtype: Type
    about: str
    unit: str = ""
    of: str = ""


_QUESTION = Column("string", "the question's id")
_MODEL = Column("string", "who answered; of a pair both: A vs B")
_VERSION = Column("Int64", "the version of the answer, from 1")
_CRITERION = Column("category", "RUBRIC/CRITERION")
_PART = Column("string", "the part of a criterion that has parts")
_VALUE = "a label or a number, as on the criterion's scale"
_INTERVAL = {
    "value": Column("float64", "the figure"),
    "low": Column("float64", "the lower end of its interval"),
    "high": Column("float64", "the upper end of its interval"),
    "status": Column("category", "OK, EARLY for an early estimate, INCONCLUSIVE or UNDEFINED"),
    "reason": Column("string", "the words for that"),
    "cells": Column("Int64", "cells that count"),
    "questions": Column("Int64", "questions that count"),
    "method": Column("string", "how the interval was made"),
}

#: Frame -> its columns, in order.
TABLES: dict[str, dict[str, Column]] = {
    "questions": {
        "question_id": Column("string", "the question's id", of="id"),
        "text": Column("string", "the question"),
        "category": Column("category", "as it was imported"),
        "task_type": Column("category", "factual or creative"),
        "language": Column("category", "two letters (ISO 639-1)"),
        "detail": Column("category", "how long an answer is wanted: short or detailed"),
        "reference": Column("object", "right answers, a list"),
        "context": Column("object", "texts that the answer must rest on, a list"),
        "facts": Column("object", "facts that the answer must hold, a list"),
        "must_have": Column("object", "required elements, a list"),
        "metadata": Column("object", "other columns of the file, a mapping"),
    },
    "answers": {
        "question_id": _QUESTION,
        "model": Column("string", "who answered"),
        "version": _VERSION,
        "text": Column("string", "the answer"),
        "time_to_first_token": Column("float64", "as it was imported or measured", "seconds"),
        "total_seconds": Column("float64", "as it was imported or measured", "seconds"),
        "input_tokens": Column("Int64", "tokens of the prompt", "tokens"),
        "output_tokens": Column("Int64", "tokens of the answer", "tokens"),
        "cost": Column("float64", "price of the answer", "US dollars"),
        "finish_reason": Column("category", "why the model stopped"),
        "metadata": Column("object", "other columns of the file, a mapping"),
    },
    "verdicts": {
        "verdict_id": Column("string", "the verdict's id, the same for ever", of="id"),
        "question_id": _QUESTION,
        "model": _MODEL,
        "answer_version": _VERSION,
        "criterion": _CRITERION,
        "part": _PART,
        "author": Column("category", "who gave it"),
        "author_kind": Column("category", "person, judge or rule"),
        "value": Column("object", _VALUE),
        "status": Column("category", "ok, not_applicable or unscored"),
        "reason": Column("string", "why there is no value"),
        "kind": Column("category", "given, amends or retracts"),
        "amends": Column("string", "the verdict that this one amends or retracts"),
        "confidence": Column("float64", "from 0 to 1", "probability"),
        "confidence_kind": Column("category", "stated, logprobs or samples"),
        "rationale": Column("string", "the words with it"),
        "evidence": Column("object", "quotes of the answer, a list"),
        "arm": Column("category", "blind, or assisted: with suggestions in view"),
        "design": Column("category", "why the answer was asked about: calibration, audit, ..."),
        "probability": Column("float64", "with which it was drawn for that", "probability"),
        "action": Column("category", "how a person gave it: typed, confirmed, ..."),
        "seconds": Column("float64", "time that it took", "seconds"),
        "cost": Column("float64", "price of the call", "US dollars"),
        "grader_version": Column("string", "the revision of the code that made it"),
        "recipe_hash": Column("string", "template, model and settings of the judge"),
        "criterion_hash": Column("string", "the wording of the criterion"),
        "inputs": Column("string", "a hash of the texts that were graded"),
        "created_at": Column("datetime64[ns, UTC]", "when it was given"),
    },
    "cells": {
        "question_id": _QUESTION,
        "category": Column("category", "of the question"),
        "task_type": Column("category", "of the question"),
        "language": Column("category", "of the question"),
        "model": Column("string", "who answered"),
        "answer_version": _VERSION,
        "criterion": _CRITERION,
        "part": _PART,
        "final": Column("object", "the final value: " + _VALUE),
        "final_source": Column("category", "who decided: people, automatic, pending, ..."),
        "final_reason": Column("string", "why that value"),
        "suggestion": Column("object", "what graders suggest: " + _VALUE),
        "suggestion_confidence": Column("float64", "from 0 to 1", "probability"),
        "suggestion_reason": Column("string", "who suggests it"),
    },
    "routes": {
        "question_id": _QUESTION,
        "model": _MODEL,
        "answer_version": _VERSION,
        "criterion": _CRITERION,
        "part": _PART,
        "route": Column("category", "who decides: people, automatic, audit, ..."),
        "reason": Column("string", "why"),
    },
    "agreement": {
        "criterion": _CRITERION,
        "judge": Column("category", "the judge"),
        "figure": Column("category", "kappa or, where not everybody graded every cell, alpha"),
        "against": Column("category", "what it is held against: people, or adjudicated values"),
        **_INTERVAL,
        "ceiling": Column("float64", "how far people agree, on the same cells"),
        "ceiling_low": Column("float64", "the lower end of its interval"),
        "ceiling_high": Column("float64", "the upper end of its interval"),
        "ceiling_people": Column("Int64", "people with a cell that another graded too"),
        "ceiling_cells": Column("Int64", "cells that two people and the judge graded"),
        "ceiling_questions": Column("Int64", "questions of these cells"),
        "raw": Column("float64", "share of equal verdicts", "share"),
        "assisted": Column("float64", "early estimate from assisted verdicts, which is optimistic"),
        "verdict": Column("category", "as good, worse or INCONCLUSIVE"),
        "verdict_reason": Column("string", "what it wants for"),
        "counted": Column("string", "which verdicts count"),
    },
    "leaderboard": {
        "model": Column("string", "who answered"),
        "criterion": Column("category", 'RUBRIC/CRITERION, or "overall"'),
        "unit": Column("category", "what the value is"),
        "rank_low": Column("Int64", "the best rank that the data allow, from 1"),
        "rank_high": Column("Int64", "the worst rank that the data allow"),
        **_INTERVAL,
        "counted": Column("string", "which verdicts count"),
    },
    "report": {
        "section": Column("category", "the section of the report"),
        "table": Column("string", "its table"),
        "row": Column("Int64", "the row of the table, from 1"),
        "column": Column("string", "the column of the table"),
        "value": Column("float64", "a number or a figure"),
        "low": Column("float64", "the lower end of its interval"),
        "high": Column("float64", "the upper end of its interval"),
        "cells": Column("Int64", "cells that count"),
        "questions": Column("Int64", "questions that count"),
        "text": Column("string", "what the report shows there"),
    },
    "bad_rows": {
        "file": Column("string", "the file"),
        "row": Column("Int64", "the row, from 1; headers count"),
        "column": Column("string", "the column"),
        "found": Column("string", "what stands there"),
        "expected": Column("string", "what may stand there"),
        "remedy": Column("string", "what to do"),
    },
    "projects": {
        "name": Column("string", "the project's name"),
        "title": Column("string", "its title"),
        "notice": Column("string", "what it says of its verdicts"),
    },
}


def frame(table: str, rows: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """A frame of a table: its columns with their types, also where no row has them."""
    columns = TABLES[table]
    found: dict[str, list[Any]] = {name: [] for name in columns}
    known: dict[str, str] = {}  # of a million rows most texts are the same few
    for row in rows:
        for name, column in columns.items():
            value = row.get(column.of or name)
            if type(value) is str:
                value = known.setdefault(value, value)
            found[name].append(value)
    return pd.DataFrame({name: _series(found.pop(name), columns[name].dtype) for name in columns})


def _series(values: list[Any], dtype: Type) -> Any:
    if dtype == "datetime64[ns, UTC]":
        return pd.to_datetime(pd.Series(values, dtype="string"), utc=True, format="ISO8601").astype(
            dtype
        )
    if dtype == "category":
        return pd.Categorical(values, categories=sorted({v for v in values if v is not None}))
    return pd.Series(values, dtype=dtype)
