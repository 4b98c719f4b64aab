"""Who decides a cell: routes, samples and the order of review.

Comes in: cells, terms of a promise, a project's settings.
Goes out: a route and a reason per cell, screens in the queue.
Stands on: cells, learning, opinions, promise, scope.
"""

__all__ = [
    "calibration",
    "consent",
    "draw_offers",
    "form_screens",
    "kept_labels",
    "labels_missing",
    "page",
    "place_labels",
    "plan",
    "review_order",
    "route",
    "share",
    "sorting",
    "terms",
]
