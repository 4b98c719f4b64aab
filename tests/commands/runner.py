"""A command line in this process: its exit code and what it printed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from graders.commands._shell import run
from graders.core.settings import Settings

WITHOUT_MODELS = Settings(encoder="", multilingual="")


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one document on standard output."""
        return json.loads(self.out)


class Line:
    """Runs commands on one workspace, by default without models that encode texts."""

    def __init__(
        self,
        workspace: Path,
        capture: pytest.CaptureFixture[str],
        settings: Settings = WITHOUT_MODELS,
    ) -> None:
        self.workspace, self.capture, self.settings = workspace, capture, settings

    def __call__(self, command: str, *words: object) -> Done:
        return self.bare(command, *words, "--workspace", self.workspace)

    def bare(self, *words: object) -> Done:
        """A command that takes no workspace."""
        self.capture.readouterr()
        code = run(
            [*map(str, words)],
            self.settings,
            lambda settings, tell: None,
        )
        return Done(code, *self.capture.readouterr())
