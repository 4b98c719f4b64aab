"""What rules share about the writing of a text: prose, endings, marks, broken encodings."""

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
