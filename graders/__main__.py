"""`python -m graders ...`, installed as `cograde`: reads the settings, makes what is needed, hands
it to the commands."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from graders.commands import run
from graders.core.errors import CogradeError
from graders.core.settings import Settings, read_settings

#: The niceness of all commands but `serve`: pages that people wait for come first.
BACKGROUND = 5
#: Seconds after which a thread of theirs lets another one run, of Python's usual 0.005.
TURN_SECONDS = 0.0005


def main(words: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code. Errors are one sentence on standard error, never a
    traceback.

    Without `words` the process is the command's own: its arguments are read, and it may step back
    for others.
    """
    if words is None and sys.argv[1:2] != ["serve"]:
        step_back()
    try:
        settings = read_settings(os.environ, Path.cwd())
        # workers are told of them by it
        os.environ["COGRADE_ADDRESSES"] = ",".join(settings.addresses)
    except CogradeError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return run(list(sys.argv[1:] if words is None else words), settings, serve)


def step_back() -> None:
    """Give way to the processes that people wait for.

    The thread that holds the workspace's lock must not stand behind another thread of its process
    that makes prompts: everybody waits for the lock.
    """
    if hasattr(os, "nice"):
        os.nice(BACKGROUND)
    sys.setswitchinterval(TURN_SECONDS)


def serve(settings: Settings, tell: Callable[[dict[str, str]], None]) -> None:
    """Serve the web app. Imported here, so that other commands start without it."""
    from graders.web.serve import serve as serve_web

    serve_web(settings, tell)


if __name__ == "__main__":
    sys.exit(main())
