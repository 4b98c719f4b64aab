"""Bringing data in: look, stage, write, take back.

Comes in: files in any known format.
Goes out: questions, answers and verdicts that count all at once, and bad rows beside them.
Stands on: cells, measuring, promise, scope.
"""

__all__ = [
    "advised_rubric",
    "bad_rows",
    "labels_chosen",
    "look",
    "look_choices",
    "named_criteria",
    "replies_as_import",
    "seeded_copies",
    "stage",
    "take_back",
]
