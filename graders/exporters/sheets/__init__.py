"""What exporters of tables and workbooks share: cells, places, files written whole or not at
all."""

__all__ = [
    "book",
    "book_new",
    "cells",
    "costs",
    "files",
    "google",
    "places",
    "scores",
    "study",
    "update",
]
