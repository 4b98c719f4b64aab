"""A workspace that is made beside its place: the file of its name appears whole, once there is
something in it, or never."""

from __future__ import annotations

import os
import secrets
import time
from contextlib import suppress
from pathlib import Path

from graders.core.errors import InputError
from graders.core.words import error_parts
from graders.store.workspace import Workspace, open_workspace

#: Files beside a place that are older than this, in seconds, were left by a program that was
#: killed.
LEFT_SECONDS = 24 * 3600.0


class Unplaced:
    """A new workspace for `path`, in a file of its own that no other program knows: only such a
    file may be taken away again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        name = f".{path.name}.new-"
        for left in [file for file in path.parent.iterdir() if file.name.startswith(name)]:
            with suppress(OSError):
                if time.time() - left.stat().st_mtime > LEFT_SECONDS:
                    left.unlink()
        self.ws: Workspace = open_workspace(path.with_name(name + secrets.token_hex(4)))

    def place(self) -> bool:
        """Give the file its name; False, and nothing is changed, where another program has made one
        of that name meanwhile.

        No thread may write into it at that time. It is opened anew afterwards, and what is left of
        the old name is to be dropped. InputError where it cannot have the name.
        """
        self.ws.settle()
        try:
            # unlike a renaming it never takes the place of another file
            os.link(self.ws.path, self.path)
        except FileExistsError:
            return False
        except OSError:  # a file system without links
            if self.path.exists():
                return False
            self._rename()
        return True

    def _rename(self) -> None:
        try:
            self.ws.path.rename(self.path)
        except OSError as error:
            raise InputError(
                **error_parts(
                    "store.unplaced.place", path=self.path, why=error.strerror or str(error)
                )
            ) from error

    def drop(self) -> None:
        """Take the file away, with its log. Closes this thread's connection."""
        self.ws.close()
        for ending in ("", "-wal", "-shm"):
            with suppress(OSError):
                Path(f"{self.ws.path}{ending}").unlink()
