"""What rules share about languages: asked for, present, foreign passages, romanised texts."""

__all__ = [
    "asked_language",
    "latin_only",
    "learners",
    "learning",
    "passages",
    "requested_language",
    "romanised",
    "segments",
    "turns",
]
