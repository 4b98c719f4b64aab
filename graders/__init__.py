"""Cograde: people and AI grade the answers of language models together.

Names are resolved when they are used, so that importing a part imports only that part.
"""

from __future__ import annotations

import importlib
from typing import Any

_HOMES = {
    "Question": "graders.core.records",
    "Answer": "graders.core.records",
    "Verdict": "graders.core.records",
    "Mark": "graders.core.records",
    "Rubric": "graders.core.rubric",
    "read_rubric": "graders.core.rubric",
    "load_rubric": "graders.core.rubric",
    "Scale": "graders.core.scale",
    "CogradeError": "graders.core.errors",
    "Judge": "graders.core.contracts",
    "Result": "graders.workflows.evaluate.evaluate",
    "evaluate": "graders.workflows.evaluate.evaluate",
    "aevaluate": "graders.workflows.evaluate.evaluate",
    "evaluate_many": "graders.workflows.evaluate.evaluate",
    "aevaluate_many": "graders.workflows.evaluate.evaluate",
    "open_workspace": "graders.notebook.workspace",
}
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'graders' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
