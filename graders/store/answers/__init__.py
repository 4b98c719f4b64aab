"""Questions, answers and what stands beside them.

Comes in: records under an import.
Goes out: rows read as records.
Stands on: no other room.
"""

__all__ = [
    "anchors",
    "author_texts",
    "claims",
    "content",
    "details",
    "drafts",
    "elections",
    "figures",
    "metric_values",
    "task_types",
]
