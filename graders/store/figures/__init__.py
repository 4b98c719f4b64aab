"""What pages and statistics read; only orders and placed draws are written.

Comes in: a project, filters.
Goes out: columns and rows.
Stands on: answers, desk, opinions.
"""

__all__ = [
    "agreement",
    "anchoring",
    "answer_list",
    "confidence_orders",
    "diagnostics",
    "first_questions",
    "label_counts",
    "leaderboard",
    "one_answer",
    "overview",
    "placed",
    "reading",
    "results",
    "risk",
]
