"""What rules share about the writing of a text: prose, endings, marks, broken encodings."""

__all__ = ["endings", "keyboard", "leftovers", "marks", "pointers", "prose", "unreadable"]
