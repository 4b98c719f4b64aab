"""Our own exchange format: everything that brings a project back, in an empty workspace, with the
same figures."""

from __future__ import annotations

import json
import math
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, ClassVar

from graders.core.contracts import Exporter, Snapshot
from graders.core.errors import InputError
from graders.core.words import carried, error_parts
from graders.exporters.sheets.files import finished

#: Tables that follow from the others, or are worked out anew where the project is imported.
DERIVED = ("cells", "elected", "measured", "ceilings")
#: Rows per write: one call per row would be slow, one per table would hold it twice.
BATCH = 2000


say = carried(
    "jsonl",
    {
        "file_name.where": "name {name!r}",
        "file_name.found": "a name that cannot be a file's",
        "file_name.expected": "a name without slashes and colons",
        "file_name.remedy": "Choose another name.",
    },
)


@dataclass(frozen=True)
class Jsonl(Exporter):
    """A folder, or a zip where the target ends in .zip: project.json, rubrics/*.yaml, one JSONL
    file per table.

    Equal snapshots give equal bytes: rows and keys keep their order, fields that are None are left
    out, lines end in a line feed, members of a zip are sorted and carry a fixed date.
    """

    version: ClassVar[str] = "1"
    about: ClassVar[str] = (
        "Exchange format: a folder or zip of JSON lines that can be imported again"
    )
    title: ClassVar[str] = "Exchange format (all of it)"
    suffix: ClassVar[str] = ".zip"

    def write(self, snapshot: Snapshot, target: Path) -> None:
        members = dict(sorted(_members(snapshot), key=lambda member: member[0]))
        with finished(target) as temporary:
            if target.suffix.lower() == ".zip":
                _write_zip(members, temporary)
            else:
                _write_folder(members, temporary)


def _members(snapshot: Snapshot) -> Iterator[tuple[str, Iterable[bytes]]]:
    """Names within the folder, and their content in pieces."""
    yield "project.json", [_encoded(_json(dict(snapshot.project), indent=2))]
    for name, text in snapshot.rubrics.items():
        yield f"rubrics/{_safe(name.removesuffix('.yaml'))}.yaml", [_encoded(text)]
    for name, rows in snapshot.tables.items():
        if name not in DERIVED:
            yield f"{_safe(name)}.jsonl", _lines(rows)


def _lines(rows: Iterable[Mapping[str, Any]]) -> Iterator[bytes]:
    batch: list[str] = []
    for row in rows:
        kept = {key: value for key, value in row.items() if value is not None}
        batch.append(_json(kept))
        if len(batch) == BATCH:
            yield _encoded("".join(batch))
            batch.clear()
    yield _encoded("".join(batch))


def _json(value: Any, indent: int | None = None) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False) + "\n"
    except ValueError:
        # NaN and infinity are not JSON; they can only come from a file's metadata, and are absent
        # values.
        return json.dumps(_without_nan(value), ensure_ascii=False, indent=indent) + "\n"


def _without_nan(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _without_nan(item) for key, item in value.items()}
    return [_without_nan(item) for item in value] if isinstance(value, list | tuple) else value


def _encoded(text: str) -> bytes:
    """UTF-8; half of a surrogate pair, which UTF-8 cannot hold, becomes the replacement
    character."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def _safe(name: str) -> str:
    if not name or name in (".", "..") or set(name) & set("/\\:\0"):
        raise InputError(**error_parts("jsonl.file_name", name=name))
    return name


def _write_folder(members: Mapping[str, Iterable[bytes]], folder: Path) -> None:
    for name, pieces in members.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as out:
            _pour(pieces, out)


def _write_zip(members: Mapping[str, Iterable[bytes]], path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name, pieces in members.items():
            member = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            member.compress_type = zipfile.ZIP_DEFLATED
            member.external_attr = 0o644 << 16
            # A fixed system, so that the same project gives the same bytes on Windows and
            # elsewhere.
            member.create_system = 3
            with archive.open(member, "w", force_zip64=True) as out:
                _pour(pieces, out)


def _pour(pieces: Iterable[bytes], out: IO[bytes]) -> None:
    for piece in pieces:
        out.write(piece)
