"""Everything that Cograde raises on purpose.

CogradeError                  where, found, expected, remedy: one sentence a person can act on
├── InputError                a file, row or value that was given to us                exit code 1
│   ├── RubricError           a rubric file: names file, line, criterion, key
│   └── ScaleError            a value that is not on its scale
├── UsageError                words of a command line that fit no project, such as     exit code 2
│                             a value that its option never takes
├── ContractError             a grader, importer, ... that lacks what its kind must have
├── PluginError               a plug-in that could not be loaded (others still work)
├── NotAllowed                the actor may not do this
│   └── ReadOnly              a change to a workspace that may only be read
├── NoRoom                    no place for one more visitor now; says when to try again
│   └── TooMany               too many came at once from one address
├── NotFound                  a project, question, run that does not exist
├── Conflict                  somebody else was faster (a lease, a finished screen)
├── StorageError              the disk is full, or the file may not be written now
├── StoppedEarly              budget reached or cells left                             exit code 3
└── ProviderError             a model provider said no; carries the named cause
    ├── BatchGone             a batch that the provider took is not known there any more
    └── BatchRefused          a batch was refused as a whole: none of its requests was asked
"""

from __future__ import annotations

import math
from typing import Any, Literal

#: What keeps a machine from storing something.
StorageKind = Literal["full", "read_only", "missing", "disk", "busy"]


class CogradeError(Exception):
    """An error with its place and its remedy.

    The text reads as: ``where: found X, expected Y. remedy``; empty parts are left out.
    """

    exit_code = 1

    def __init__(
        self, where: str, *, found: str = "", expected: str = "", remedy: str = ""
    ) -> None:
        self.where, self.found, self.expected, self.remedy = where, found, expected, remedy
        parts = [f"found {found}" if found else "", f"expected {expected}" if expected else ""]
        middle = ", ".join(part for part in parts if part)
        text = f"{where}: {middle}." if middle else f"{where}."
        super().__init__(f"{text} {remedy}".strip())

    def to_json(self) -> dict[str, Any]:
        """As plain data: the four parts of the sentence and the exit code."""
        return {
            "where": self.where,
            "found": self.found,
            "expected": self.expected,
            "remedy": self.remedy,
            "exit": self.exit_code,
        }


class InputError(CogradeError):
    """Something that was given to Cograde cannot be used."""


class RubricError(InputError):
    """A rubric file cannot be used."""


class ScaleError(InputError):
    """A value is not on the scale of its criterion."""


class UsageError(CogradeError):
    """A command line or call whose words do not fit."""

    exit_code = 2


class StorageError(CogradeError):
    """The machine refuses to store something.

    `kind`: ``full`` and ``read_only`` (the disk or the file), ``missing`` (the file cannot be
    opened), ``disk`` (it fails), ``busy`` (another program writes: for a moment only).
    """

    def __init__(
        self, where: str, *, found: str, expected: str, remedy: str, kind: StorageKind
    ) -> None:
        super().__init__(where, found=found, expected=expected, remedy=remedy)
        self.kind: StorageKind = kind


class ContractError(CogradeError):
    """A grader, importer, exporter or page lacks what its contract demands."""


class PluginError(CogradeError):
    """A plug-in could not be loaded."""


class NotAllowed(CogradeError):
    """The actor may not do this."""


class ReadOnly(NotAllowed):
    """A change to a workspace that is only read here."""


class NoRoom(CogradeError):
    """No place is free for one more visitor. ``seconds`` from now it is worth trying again."""

    def __init__(self, where: str, *, seconds: float, remedy: str) -> None:
        self.seconds = max(1, math.ceil(seconds))
        super().__init__(where, remedy=remedy)


class TooMany(NoRoom):
    """Too many visitors came from one address within a short time."""


class NotFound(CogradeError):
    """The thing that was named does not exist."""


class Conflict(CogradeError):
    """Somebody else changed the thing first; nothing was overwritten."""


class StoppedEarly(CogradeError):
    """A run ended before everything was graded: budget reached, or cells left."""

    exit_code = 3


class ProviderError(CogradeError):
    """A model provider refused or failed.

    ``cause`` is one of the named causes of `graders.core.records.CAUSES`.
    """

    def __init__(
        self, where: str, *, cause: str, found: str = "", expected: str = "", remedy: str = ""
    ) -> None:
        self.cause = cause
        super().__init__(where, found=found, expected=expected, remedy=remedy)


class BatchGone(ProviderError):
    """A provider no longer knows a batch that it took: what became of its requests cannot be
    told."""


class BatchRefused(ProviderError):
    """A provider took a batch and then refused it as a whole: it ended, none of its requests was
    asked, and nothing was charged."""
