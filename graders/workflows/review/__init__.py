"""The review desk: screens handed out, verdicts taken in, undo.

Comes in: a person and the queue.
Goes out: screens, saved verdicts, practice and gold.
Stands on: agreement, cells, opinions, routing, scope.
"""

__all__ = [
    "check_save",
    "desk",
    "gold",
    "grading",
    "my_work",
    "own_work",
    "practice",
    "reveal",
    "save_replies",
    "screen_records",
    "screens",
]
