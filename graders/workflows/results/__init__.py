"""Final values: the grid of models and criteria, questions, references, one answer.

Comes in: a project and filters.
Goes out: means with intervals, pages of answers, all that is known of one.
Stands on: calling, cells, measuring, opinions, scope.
"""

__all__ = ["answer", "answer_row", "detail", "questions", "references", "score_means", "tables"]
