"""Screens, the queue, leases, saves and what people did.

Comes in: screens that were formed, verdicts that were saved.
Goes out: the next screens of a person, what was said on each.
Stands on: answers.
"""

__all__ = [
    "adjudications",
    "annotators",
    "assignments",
    "gold",
    "mending",
    "own_screens",
    "own_verdicts",
    "pending_labels",
    "people_work",
    "queue",
    "queued_screens",
    "repeats",
    "reveals",
    "review_order",
    "saves",
    "seeded",
]
