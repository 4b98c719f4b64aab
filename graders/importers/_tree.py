"""The files of a folder or zip by name, whatever they are; a zip is read where it lies and never
unpacked to disk."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from graders.core.errors import InputError
from graders.core.words import error_parts
from graders.importers._archive import DAMAGED, MOST_FILES, opened_zip, zip_names
from graders.importers.tables.looks import open_bytes

#: Files that programs leave beside those of people.
_LITTER = ("thumbs.db", "desktop.ini")
#: How deep below the top a file may lie.
_DEPTH = 5

#: A file's first bytes, at most as many as asked for.
Reader = Callable[[str, int], bytes]


@dataclass(frozen=True, slots=True)
class Tree:
    """The files below `path`: `names` maps a name such as ``q01/gpt.txt`` to where it is. Hidden
    files are left out.

    `links` are the names of what leads elsewhere; nothing is read through them.
    """

    path: Path
    names: dict[str, str]
    links: tuple[str, ...] = ()

    @contextmanager
    def opened(self) -> Iterator[Reader]:
        """A reader of the files. It raises InputError for a file that cannot be read."""
        if self.path.is_dir():

            def from_folder(name: str, limit: int) -> bytes:
                with open_bytes(self.path / self.names[name]) as stream:
                    return stream.read(limit)

            yield from_folder
            return
        with open_bytes(self.path) as stream, opened_zip(stream) as archive:

            def from_zip(name: str, limit: int) -> bytes:
                try:
                    with archive.open(self.names[name]) as member:
                        return member.read(limit)
                except (*DAMAGED, NotImplementedError) as error:
                    raise InputError(
                        **error_parts("importers.tree.broken", file=self.path.name, member=name)
                    ) from error

            yield from_zip


def tree_of(path: Path) -> Tree:
    """The files of a folder or zip. A folder around everything is taken off. InputError for a
    damaged zip or too many files."""
    links: list[str] = []
    found = _walk(path, links) if path.is_dir() else zip_names(path)
    names = {name.replace("\\", "/"): name for name in found}
    kept = {name: where for name, where in names.items() if not _hidden(name)}
    while (top := _around(list(kept))) is not None:
        kept = {name[len(top) :]: where for name, where in kept.items()}
    return Tree(
        path, dict(sorted(kept.items())), tuple(sorted(name for name in links if not _hidden(name)))
    )


def _hidden(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return (
        any(part.startswith((".", "__MACOSX")) for part in parts)
        or parts[-1].casefold() in _LITTER
        or parts[-1].startswith("~$")
    )


def _around(names: list[str]) -> str | None:
    """The one folder in which all files and further folders lie; None where there is no such
    folder."""
    tops = {name.partition("/")[0] for name in names}
    if (
        len(tops) != 1
        or any("/" not in name for name in names)
        or not any(name.count("/") > 1 for name in names)
    ):
        return None
    return f"{tops.pop()}/"


def _walk(path: Path, links: list[str]) -> list[str]:
    found: list[str] = []
    for where, folders, files in os.walk(path, followlinks=False):  # a link may lead anywhere
        place = Path(where).relative_to(path)
        folders[:] = (
            sorted(f for f in folders if not f.startswith(".")) if len(place.parts) < _DEPTH else []
        )
        linked = {name for name in (*folders, *files) if (Path(where) / name).is_symlink()}
        links += [(place / name).as_posix() for name in linked]
        found += [(place / name).as_posix() for name in sorted(files) if name not in linked]
        if len(found) > MOST_FILES:
            raise InputError(
                **error_parts("importers.tree.too_many", file=path.name, most=MOST_FILES)
            )
    return found
