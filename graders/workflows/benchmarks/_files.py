"""Report files and the manifest that remembers which of them are ours, so that nothing else is ever
overwritten or deleted."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from graders.core.errors import InputError
from graders.core.words import error_parts, say
from graders.exporters.sheets.files import finished

MANIFEST = "benchmark-manifest.json"
#: The workspace that keeps the replies where no other is named.
REPLIES = "benchmark.db"


@dataclass(frozen=True, slots=True)
class Cleaned:
    """What `clean` did: names of deleted files, and of those that stay with the reason."""

    deleted: tuple[str, ...]
    kept: Mapping[str, str]


def refuse_foreign(output: Path, names: Iterable[str]) -> None:
    """InputError if writing `names` into `output` would overwrite a file that is not ours, or was
    changed since."""
    if output.exists() and not output.is_dir():
        raise InputError(**error_parts("benchmarks.error.output_is_file", output=output))
    ours = read_manifest(output)
    for name in names:
        place = output / name
        if (place.exists() or place.is_symlink()) and ours.get(name) != _hash(place):
            raise InputError(
                **error_parts(
                    "benchmarks.error.not_ours",
                    place=str(place),
                    what=say("benchmarks.error.file_changed")
                    if name in ours
                    else say("benchmarks.error.file_foreign"),
                )
            )


def note(output: Path, names: Iterable[str]) -> None:
    """Write down that these files of `output` are ours, beside those noted before."""
    noted = {**read_manifest(output), **{name: _hash(output / name) for name in names}}
    with finished(output / MANIFEST) as temporary:
        temporary.write_text(
            json.dumps({"files": dict(sorted(noted.items()))}, ensure_ascii=False, indent=2) + "\n",
            "utf-8",
        )


def read_manifest(output: Path) -> dict[str, str]:
    """Hash of each file that was written, by name; empty without a manifest. InputError for one
    that cannot be read."""
    place = output / MANIFEST
    if not place.is_file():
        return {}
    try:
        files = json.loads(place.read_text("utf-8"))["files"]
        return {str(name): str(found) for name, found in files.items()}
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(**error_parts("benchmarks.error.manifest", place=str(place))) from error


def clean(output: Path) -> Cleaned:
    """Delete the report files that the manifest names and that are unchanged; all else stays and is
    named with the reason."""
    if not output.is_dir():
        raise InputError(**error_parts("benchmarks.error.no_output", output=output))
    ours = read_manifest(output)
    deleted: list[str] = []
    kept: dict[str, str] = {}
    for place in sorted(output.iterdir()):
        name = place.name
        if name == MANIFEST:
            continue
        if name.startswith(REPLIES):
            kept[name] = say("benchmarks.kept.replies")
        elif name not in ours:
            kept[name] = say("benchmarks.kept.foreign")
        elif place.is_symlink() or _hash(place) != ours[name]:
            kept[name] = say("benchmarks.kept.changed")
        else:
            place.unlink()
            deleted.append(name)
    left = {name: found for name, found in ours.items() if name in kept}
    if (output / MANIFEST).is_file():
        (output / MANIFEST).unlink()
    if left:
        with finished(output / MANIFEST) as temporary:
            temporary.write_text(
                json.dumps({"files": left}, ensure_ascii=False, indent=2) + "\n", "utf-8"
            )
    elif not kept:
        output.rmdir()
    return Cleaned(tuple(deleted), kept)


def _hash(place: Path) -> str:
    """SHA-256 of a file; empty for what is no file of its own."""
    if place.is_symlink() or not place.is_file():
        return ""
    return hashlib.sha256(place.read_bytes()).hexdigest()
