"""A cell's present state: suggestion, route and final value from what rules, judges and people
said, and the list of named faults.

Comes in: verdicts, metric values and a project's rubrics.
Goes out: cells brought up to date, and the policy that decides them.
Stands on: scope.
"""

__all__ = [
    "criteria",
    "derived_judges",
    "earlier_rulings",
    "fault_list",
    "match_scales",
    "measured",
    "outputs",
    "people_faults",
    "policy",
    "quotes",
    "routes",
    "rule_precision",
    "rule_values",
    "state",
    "told",
]
