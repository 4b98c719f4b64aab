"""What importers of tables share: cells, columns guessed from headers and contents, rows made
records."""

__all__ = [
    "cells",
    "contents",
    "encoding",
    "guessed_columns",
    "looks",
    "mended",
    "nested",
    "objects",
    "rows",
    "separated",
    "words",
]
