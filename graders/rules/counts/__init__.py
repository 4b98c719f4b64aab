"""What rules share about how many things a question asks for and an answer gives."""

__all__ = [
    "asked_count",
    "asked_detail",
    "asked_loosely",
    "asked_one",
    "asked_sentences",
    "counted",
    "one_given",
    "ordinals",
]
