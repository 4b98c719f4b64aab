"""What rules read in the writing of a text: prose, endings, notes, refusals, broken encodings."""

__all__ = [
    "endings",
    "keyboard",
    "leftovers",
    "marks",
    "nonwords",
    "notes",
    "pointers",
    "prose",
    "refusing",
    "unreadable",
]
