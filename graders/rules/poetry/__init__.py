"""What rules share about verse: forms, rhyme, syllables."""

__all__ = [
    "authors",
    "edges",
    "forms",
    "prose_forms",
    "rhyme",
    "syllables",
    "verse",
    "verse_asked",
]
