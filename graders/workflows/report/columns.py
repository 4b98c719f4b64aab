"""The columns of a project's tables as Python and programs get them: what each holds, of which type
and in which unit.

The order of rows is that of the exchange format: the same state of a workspace gives the same rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from graders.core.words import say

Type = Literal["string", "category", "Int64", "float64", "boolean", "datetime64[ns, UTC]", "object"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its type in a frame, what it holds (`about`, of which `key` is the
    catalogue's) and in which unit. `of` is its name in the exchange format, where that is
    another."""

    dtype: Type
    key: str
    unit: str = ""
    of: str = ""

    @property
    def about(self) -> str:
        """What it holds, in words."""
        return say(f"notebook.column.{self.key}")


_QUESTION = Column("string", "question_id")
_MODEL = Column("string", "model_or_pair")
_VERSION = Column("Int64", "version")
_CRITERION = Column("category", "criterion")
_PART = Column("string", "part")
_INTERVAL = {
    "value": Column("float64", "value"),
    "low": Column("float64", "low"),
    "high": Column("float64", "high"),
    "status": Column("category", "status"),
    "reason": Column("string", "reason"),
    "cells": Column("Int64", "cells"),
    "questions": Column("Int64", "questions"),
    "method": Column("string", "method"),
}

#: Table -> its columns, in order.
TABLES: dict[str, dict[str, Column]] = {
    "questions": {
        "question_id": Column("string", "question_id", of="id"),
        "text": Column("string", "text"),
        "category": Column("category", "category"),
        "task_type": Column("category", "task_type"),
        "language": Column("category", "language"),
        "detail": Column("category", "detail"),
        "reference": Column("object", "reference"),
        "context": Column("object", "context"),
        "facts": Column("object", "facts"),
        "must_have": Column("object", "must_have"),
        "metadata": Column("object", "metadata"),
    },
    "answers": {
        "question_id": _QUESTION,
        "model": Column("string", "model"),
        "version": _VERSION,
        "text": Column("string", "answers_text"),
        "time_to_first_token": Column("float64", "time_to_first_token", "seconds"),
        "total_seconds": Column("float64", "time_to_first_token", "seconds"),
        "input_tokens": Column("Int64", "input_tokens", "tokens"),
        "output_tokens": Column("Int64", "output_tokens", "tokens"),
        "cost": Column("float64", "cost", "US dollars"),
        "finish_reason": Column("category", "finish_reason"),
        "metadata": Column("object", "metadata"),
    },
    "verdicts": {
        "verdict_id": Column("string", "verdict_id", of="id"),
        "question_id": _QUESTION,
        "model": _MODEL,
        "answer_version": _VERSION,
        "criterion": _CRITERION,
        "part": _PART,
        "author": Column("category", "author"),
        "author_kind": Column("category", "author_kind"),
        "value": Column("object", "verdicts_value"),
        "status": Column("category", "verdicts_status"),
        "reason": Column("string", "verdicts_reason"),
        "kind": Column("category", "kind"),
        "amends": Column("string", "amends"),
        "confidence": Column("float64", "confidence", "probability"),
        "confidence_kind": Column("category", "confidence_kind"),
        "rationale": Column("string", "rationale"),
        "evidence": Column("object", "evidence"),
        "arm": Column("category", "arm"),
        "design": Column("category", "design"),
        "probability": Column("float64", "probability", "probability"),
        "action": Column("category", "action"),
        "seconds": Column("float64", "seconds", "seconds"),
        "cost": Column("float64", "verdicts_cost", "US dollars"),
        "grader_version": Column("string", "grader_version"),
        "recipe_hash": Column("string", "recipe_hash"),
        "criterion_hash": Column("string", "criterion_hash"),
        "inputs": Column("string", "inputs"),
        "created_at": Column("datetime64[ns, UTC]", "created_at"),
    },
    "cells": {
        "question_id": _QUESTION,
        "category": Column("category", "cells_category"),
        "task_type": Column("category", "cells_category"),
        "language": Column("category", "cells_category"),
        "model": Column("string", "model"),
        "answer_version": _VERSION,
        "criterion": _CRITERION,
        "part": _PART,
        "final": Column("object", "final"),
        "final_source": Column("category", "final_source"),
        "final_reason": Column("string", "final_reason"),
        "suggestion": Column("object", "suggestion"),
        "suggestion_confidence": Column("float64", "confidence", "probability"),
        "suggestion_reason": Column("string", "suggestion_reason"),
    },
    "routes": {
        "question_id": _QUESTION,
        "model": _MODEL,
        "answer_version": _VERSION,
        "criterion": _CRITERION,
        "part": _PART,
        "route": Column("category", "route"),
        "reason": Column("string", "routes_reason"),
    },
    "agreement": {
        "criterion": _CRITERION,
        "judge": Column("category", "judge"),
        "figure": Column("category", "figure"),
        "against": Column("category", "against"),
        **_INTERVAL,
        "ceiling": Column("float64", "ceiling"),
        "ceiling_low": Column("float64", "low"),
        "ceiling_high": Column("float64", "high"),
        "ceiling_people": Column("Int64", "ceiling_people"),
        "ceiling_cells": Column("Int64", "ceiling_cells"),
        "ceiling_questions": Column("Int64", "ceiling_questions"),
        "raw": Column("float64", "raw", "share"),
        "assisted": Column("float64", "assisted"),
        "verdict": Column("category", "verdict"),
        "verdict_reason": Column("string", "verdict_reason"),
        "counted": Column("string", "counted"),
    },
    "leaderboard": {
        "model": Column("string", "model"),
        "criterion": Column("category", "leaderboard_criterion"),
        "unit": Column("category", "unit"),
        "rank_low": Column("Int64", "rank_low"),
        "rank_high": Column("Int64", "rank_high"),
        **_INTERVAL,
        "counted": Column("string", "counted"),
    },
    "report": {
        "section": Column("category", "section"),
        "table": Column("string", "table"),
        "row": Column("Int64", "row"),
        "column": Column("string", "column"),
        "value": Column("float64", "report_value"),
        "low": Column("float64", "low"),
        "high": Column("float64", "high"),
        "cells": Column("Int64", "cells"),
        "questions": Column("Int64", "questions"),
        "text": Column("string", "report_text"),
    },
    "bad_rows": {
        "file": Column("string", "file"),
        "row": Column("Int64", "bad_rows_row"),
        "column": Column("string", "bad_rows_column"),
        "found": Column("string", "found"),
        "expected": Column("string", "expected"),
        "remedy": Column("string", "remedy"),
    },
    "projects": {
        "name": Column("string", "name"),
        "title": Column("string", "title"),
        "notice": Column("string", "notice"),
    },
}
