"""Final values: the grid of models and criteria, questions, references, one answer.

Comes in: a project and filters.
Goes out: means with intervals, pages of answers, all that is known of one.
Stands on: calling, cells, measuring, opinions, scope.
"""

__all__ = [
    "answer",
    "answer_list",
    "answer_row",
    "cell_answers",
    "detail",
    "grid",
    "questions",
    "references",
    "said_of_cell",
    "score_means",
]
