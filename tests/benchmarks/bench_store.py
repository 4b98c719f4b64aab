"""A workspace of one million cells."""
