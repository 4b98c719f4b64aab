"""A person in a process of his or her own: takes screens until none is left, saves some, and prints
the numbers of those taken."""

from __future__ import annotations

import sys
from pathlib import Path

from graders.store.workspace import open_workspace
from graders.workflows.review import grading
from tests.store import small


def main(path: str, person: str) -> None:
    """Take screens in threes."""
    scope = small.scope_of(open_workspace(Path(path)), person)
    print("ready", flush=True)
    sys.stdin.readline()
    held: list[int] = []
    while found := grading.next_screens(scope, "study", 3, have=held):
        held += [screen.id for screen in found]
    print(*held)


if __name__ == "__main__":
    main(*sys.argv[1:])
