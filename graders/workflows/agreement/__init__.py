"""How far judges and people agree, and where they differ.

Comes in: opinions of a project, a view with filters.
Goes out: figures with intervals beside the ceiling, disagreements, people side by side.
Stands on: cells, measuring, opinions, results, scope.
"""

__all__ = [
    "agree",
    "assisted",
    "by_wording",
    "criterion_report",
    "details",
    "disagreements",
    "ground",
    "labels_asked",
    "matrix",
    "mend",
    "people",
    "records",
    "without_figures",
    "words",
    "work_left",
]
