"""What importers of tables share: cells, columns guessed from headers and contents, rows made
records."""

__all__ = [
    "cells",
    "contents",
    "encoding",
    "looks",
    "mended",
    "objects",
    "rows",
    "separated",
    "words",
]
