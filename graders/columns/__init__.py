"""Columns of exported results beside those that every project has: one file each, which gives one
value per cell."""
