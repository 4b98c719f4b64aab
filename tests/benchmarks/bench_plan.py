"""The plan's seconds against the wall."""
