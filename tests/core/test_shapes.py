"""Records become JSON objects at the edges, by name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

import pytest

from graders.core.shapes import as_dict, without, writable


class State(StrEnum):
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Cell:
    n: int
    state: State
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Grid:
    cells: Mapping[str, Cell]
    made: date


def test_a_record_is_written_as_an_object_at_every_depth() -> None:
    grid = Grid({"a": Cell(1, State.OPEN)}, date(2026, 1, 2))
    assert json.loads(json.dumps({"grid": grid}, default=writable)) == {
        "grid": {"cells": {"a": {"n": 1, "state": "open", "note": None}}, "made": "2026-01-02"}
    }


def test_only_named_fields_that_are_none_are_left_out() -> None:
    assert without(Cell(1, State.OPEN), "note") == {"n": 1, "state": "open"}
    assert without(Cell(1, State.OPEN, ""), "note") == {"n": 1, "state": "open", "note": ""}
    assert without(Cell(1, State.OPEN))["note"] is None


def test_what_has_no_fields_is_refused() -> None:
    assert as_dict({"a": 1}) == {"a": 1}
    with pytest.raises(TypeError):
        as_dict(3)
