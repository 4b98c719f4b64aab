"""What pages and statistics read; only orders and placed draws are written.

Comes in: a project, filters.
Goes out: columns and rows.
Stands on: answers, desk, opinions.
"""

__all__ = [
    "anchoring",
    "confidence_orders",
    "diagnostics",
    "label_counts",
    "leaderboard",
    "overview",
    "placed",
    "reading",
    "reports",
    "risk",
]
