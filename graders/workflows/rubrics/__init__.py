"""Rubrics of a project: read, checked, compared, put in force.

Comes in: a rubric's text.
Goes out: a new version, and what became stale.
Stands on: agreement, calling, cells, collecting, evaluate, importing, results, runs,
scope, workshop.
"""

__all__ = ["edit", "element_lists", "form", "form_change", "rubric_list", "try_rubric", "wording"]
