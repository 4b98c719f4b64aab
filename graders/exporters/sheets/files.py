"""Writing a file so that a half-written one never carries the name that was asked for."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from graders.core.errors import InputError
from graders.core.words import error_parts


@contextmanager
def finished(target: Path) -> Iterator[Path]:
    """A temporary name beside `target` to write a file or a folder to; renamed to `target` if
    nothing failed.

    An existing file is replaced. InputError where the place cannot be written to, or a folder is in
    the way.
    """
    if target.is_dir() and any(target.iterdir()):
        raise InputError(**error_parts("sheets.error.full_folder", target=str(target)))
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        yield temporary
        if target.is_dir():
            target.rmdir()
        temporary.replace(target)
    except OSError as error:
        raise InputError(
            **error_parts(
                "sheets.error.no_write", target=str(target), why=error.strerror or str(error)
            )
        ) from error
    finally:
        _remove(temporary)


def _remove(path: Path) -> None:
    """Remove what a failed write left; an error here must not hide why the write failed."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink(missing_ok=True)
