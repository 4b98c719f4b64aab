"""What rules share about languages: asked for, present, foreign passages, romanised texts."""

__all__ = [
    "asked_broadly",
    "asked_language",
    "language_used",
    "latin_only",
    "latin_words",
    "layout",
    "learners",
    "learning",
    "passages",
    "pieces",
    "requested_language",
    "romanised",
    "segments",
    "turns",
]
