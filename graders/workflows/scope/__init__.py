"""Who acts, where, and what every use case needs first.

Comes in: an actor, a workspace, the name of a project.
Goes out: A `Scope` with its permissions, pages of long lists, plain phrases, rubrics by name.
Stands on: no other room.
"""

__all__ = [
    "broken_parts",
    "header_lines",
    "identity",
    "memory",
    "missing_reasons",
    "named_rubrics",
    "offered_judges",
    "paging",
    "people_names",
    "permissions",
    "phrases",
    "project_head",
    "rubric_check",
    "sampling",
    "seen",
    "typed_names",
    "units",
    "workbook",
]
