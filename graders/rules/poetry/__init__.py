"""What rules share about verse: forms, rhyme, syllables."""

__all__ = ["authors", "forms", "rhyme", "syllables", "verse", "verse_asked"]
