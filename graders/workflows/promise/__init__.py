"""Promises about what the machine may decide: draws, tests and audits.

Comes in: terms fixed before labels, drawn answers, blind labels.
Goes out: proofs per criterion and task type, rulings, forecasts and effort.
Stands on: cells, learning, scope.
"""

__all__ = [
    "counted_cells",
    "effort",
    "forecast",
    "kept_halves",
    "kind_rows",
    "kinds",
    "label_evidence",
    "label_halves",
    "machine_features",
    "placed_draws",
    "promise_tests",
    "proofs",
    "risk",
    "rulings",
    "savings",
    "words",
]
