"""What rules share about the forms that are asked for: tables, letters, prose, verse, rhyme."""

__all__ = [
    "asked_forms",
    "edges",
    "rhyme",
    "syllables",
    "verse",
    "verse_asked",
]
