"""What rules read in the writing of a text: prose, endings, notes, refusals, broken encodings."""

__all__ = [
    "elsewhere",
    "endings",
    "keyboard",
    "known_words",
    "leftovers",
    "marks",
    "nonwords",
    "notes",
    "pointers",
    "prose",
    "refusing",
    "salad",
    "scrambled",
    "unreadable",
]
