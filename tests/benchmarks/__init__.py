"""What the benches share."""

from __future__ import annotations

from typing import Any

#: What is said of a row by its `met`; None where its bar could not be measured.
STATES = {True: "MET", False: "MISSED", None: "SKIPPED"}


def skipped(why: str) -> dict[str, Any]:
    """The row of bars that cannot be measured here, beside others that can."""
    return {"name": why, "figure": None, "bar": None, "ratio": None, "met": None}
