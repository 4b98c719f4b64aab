"""The files of an exchange folder or zip, by name, opened one after another and never unpacked to
disk."""

from __future__ import annotations

import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from graders.core.errors import InputError
from graders.core.words import error_parts, say
from graders.importers.tables.looks import open_bytes

#: Limits of a zip: 4 GB unpacked, 10,000 files, and no file that shrank to less than a thousandth.
LARGEST = 4 * 1024**3
MOST_FILES = 10_000
HIGHEST_RATIO = 1_000

#: What zipfile raises for archives that are damaged, or made so that it cannot read them.
DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
    LookupError,
)

#: What makes a folder or zip one of ours.
TELLING = ("questions.jsonl", "answers.jsonl", "project.json")


@dataclass(frozen=True, slots=True)
class Members:
    """The files of one exchange set: `files` maps ``answers.jsonl``, ``rubrics/one.yaml`` to where
    they are."""

    path: Path
    files: dict[str, str]
    left_out: tuple[str, ...]

    @contextmanager
    def open(self, name: str) -> Iterator[IO[bytes]]:
        """A file by its name, as bytes; InputError where the zip is damaged."""
        if self.path.is_dir():
            with open_bytes(self.path / self.files[name]) as stream:
                yield stream
            return
        try:
            with (
                open_bytes(self.path) as raw,
                opened_zip(raw) as archive,
                archive.open(self.files[name]) as stream,
            ):
                yield stream
        except (
            zipfile.BadZipFile,
            zlib.error,
            lzma.LZMAError,
            EOFError,
            OSError,
            NotImplementedError,
        ) as error:
            raise _damaged(self.path, say("importers.archive.damaged_member", name=name)) from error


def members(path: Path) -> Members:
    """The files of `path`. InputError for a zip that is damaged, too large, or has paths that leave
    it, and for what holds no `TELLING` file at its top or in its only folder."""
    names = _folder(path) if path.is_dir() else zip_names(path)
    top = _top(names)
    found = {name[len(top) :]: name for name in names if name.startswith(top)}
    if not any(name in found for name in TELLING):
        some = ", ".join(sorted(names)[:3]) or say("importers.archive.nothing")
        key = "folder" if path.is_dir() else "zip"
        raise InputError(
            **error_parts(f"importers.archive.no_set.{key}", file=path.name, some=some)
        )
    files = {name: where for name, where in found.items() if _is_ours(name)}
    left = tuple(sorted(set(found) - set(files)))
    return Members(path, files, left)


def _is_ours(name: str) -> bool:
    place = PurePosixPath(name)
    if len(place.parts) == 1:
        return name == "project.json" or place.suffix == ".jsonl"
    return (
        len(place.parts) == 2 and place.parts[0] == "rubrics" and place.suffix in (".yaml", ".yml")
    )


def _top(names: list[str]) -> str:
    """``""``, or the one folder in which everything lies (programs that pack a folder put it into
    the zip)."""
    if any(name in TELLING for name in names):
        return ""
    return next(
        (
            name[: name.rfind("/") + 1]
            for name in names
            if name.count("/") == 1 and name.rsplit("/", 1)[1] in TELLING
        ),
        "",
    )


def _folder(path: Path) -> list[str]:
    # a link may lead anywhere, so it is not followed
    depth = [*path.glob("*"), *path.glob("rubrics/*")]
    return sorted(
        p.relative_to(path).as_posix() for p in depth if p.is_file() and not p.is_symlink()
    )


def opened_zip(stream: IO[bytes]) -> zipfile.ZipFile:
    """The archive, its names read as UTF-8 wherever they are that: many programs write so and set
    no sign for it."""
    try:
        return zipfile.ZipFile(stream, metadata_encoding="utf-8")
    except UnicodeDecodeError:
        return zipfile.ZipFile(stream)


def zip_names(path: Path) -> list[str]:
    """The names of the files in a zip. InputError for one that is damaged, too large, locked, or
    has paths that leave it."""
    try:
        with open_bytes(path) as stream, opened_zip(stream) as archive:
            infos = [info for info in archive.infolist() if info.filename and not info.is_dir()]
    except DAMAGED as error:
        raise _damaged(path, say("importers.archive.no_zip")) from error
    total = sum(info.file_size for info in infos)
    if total > LARGEST or len(infos) > MOST_FILES:
        raise InputError(
            **error_parts(
                "importers.archive.too_large",
                file=path.name,
                n=len(infos),
                size=total / 1e6,
                most=MOST_FILES,
                largest=LARGEST / 1e6,
            )
        )
    names: list[str] = []
    for info in infos:
        name = info.filename.replace("\\", "/")
        parts = PurePosixPath(name).parts
        if name.startswith("/") or ".." in parts or (parts and parts[0].endswith(":")):
            raise InputError(
                **error_parts("importers.archive.path", file=path.name, member=repr(info.filename))
            )
        if info.flag_bits & 1:
            raise InputError(**error_parts("importers.archive.password", file=path.name))
        if info.file_size > 10_000_000 and info.file_size > HIGHEST_RATIO * max(
            info.compress_size, 1
        ):
            raise InputError(
                **error_parts(
                    "importers.archive.shrinks",
                    file=path.name,
                    member=repr(info.filename),
                    packed=info.compress_size,
                    unpacked=info.file_size,
                )
            )
        if not name.startswith("__MACOSX/"):
            names.append(info.filename)
    if len(set(names)) < len(names):
        raise InputError(**error_parts("importers.archive.same_name", file=path.name))
    return names


def _damaged(path: Path, found: str) -> InputError:
    return InputError(**error_parts("importers.archive.broken", file=path.name, found=found))
