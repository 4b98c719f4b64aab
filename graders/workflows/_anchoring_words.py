"""Figures of Anchoring as sentences that can stand alone: value, interval, how many, which verdicts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graders.workflows._phrases import several


def sentences(row: Mapping[str, Any], only: str = "") -> dict[str, str]:
    """Of a criterion's row: ``pull``, and ``rest`` with wrong suggestions, accuracy and time; `only`: the filters in words."""
    arms = row["arms"]
    ground = (
        f"Counted: {arms['blind']:,} blind and {arms['assisted']:,} assisted verdicts of {several(row['people'], 'person', 'people')} on "
        f"screens whose arm was drawn before they opened; for these people{f'; only {only}' if only else ''}."
    )
    pull = _figure(row["pull"], "of 100 verdicts", 100)
    wrong, time, right = row["wrong"], row["time"], row["accuracy"]
    parts = [f"time per cell, assisted to blind: {_figure(time, 'times', 1, '.2f')}"]
    if wrong["cells"]:
        parts.append(f"suggestions that adjudication found wrong, accepted more often: {_figure(wrong, 'of 100', 100)}")
    if right["cells"]:
        sides = (f"{side} {_share(right[side])} of {right['arms'][side]:,}" for side in ("blind", "assisted"))
        short = f", INCONCLUSIVE: {right['short']}" if right["short"] else ""
        parts.append(f"right by adjudication, {' and '.join(sides)} cells{short}")
    else:
        parts.append("no cell with an adjudicated value says which suggestions were wrong")
    return {
        "pull": f"{row['title']}, pull of the suggestion (says the same, assisted minus blind): {pull}. {ground}",
        "rest": f"{row['title']}, {'; '.join(parts)}. {ground}",
    }


def _figure(found: Mapping[str, Any], unit: str, times: int, form: str = "+.0f") -> str:
    if found["value"] is None:
        return f"no figure ({found['reason']})"
    text = f"{times * found['value']:{form}} {unit}"
    if found["low"] is not None:
        text += f" (95 % interval {times * found['low']:{form}} to {times * found['high']:{form}})"
    return text if found["status"] == "OK" else f"{text}, INCONCLUSIVE: {found['reason']}"


def _share(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.0%}"
