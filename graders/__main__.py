"""`python -m graders ...`, installed as `cograde`: reads the settings, makes what is needed, hands it to the commands."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from graders.commands._shell import run
from graders.core.errors import CogradeError
from graders.core.settings import Settings, read_settings

#: How far all commands but `serve` step back for the pages that people wait for, as `nice` counts.
BACKGROUND = 5


def main(words: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code. Errors are one sentence on standard error, never a traceback.

    Without `words` the process is the command's own: its arguments are read, and it may step back for others.
    """
    if words is None and sys.argv[1:2] != ["serve"] and hasattr(os, "nice"):
        os.nice(BACKGROUND)
    try:
        settings = read_settings(os.environ, Path.cwd())
    except CogradeError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return run(list(sys.argv[1:] if words is None else words), settings, serve)


def serve(settings: Settings, tell: Callable[[dict[str, str]], None]) -> None:
    """Serve the web app. Imported here, so that other commands start without it."""
    from graders.web.serve import serve as serve_web

    serve_web(settings, tell)


if __name__ == "__main__":
    sys.exit(main())
