"""The report as one HTML file that needs nothing beside it. All texts are escaped; it holds no
script."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graders.workflows.benchmarks._figures import MEAN_METHOD, PAIRED_METHOD
from graders.workflows.benchmarks.cases import BUNDLED
from graders.workflows.measuring.benchmark_scores import LEAD

_PLACE = BUNDLED / "report"


def html(report: Mapping[str, Any]) -> str:
    """The whole report as one page, light or dark as the reader's machine is set."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_PLACE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("page.html").render(
        report=report,
        style=(_PLACE / "page.css").read_text("utf-8"),
        lead=LEAD,
        mean_method=MEAN_METHOD,
        paired_method=PAIRED_METHOD,
        by_key={o["key"]: o for b in report["benchmarks"] for o in b["metrics"]},
        shown=_shown,
        place=_place,
    )


def _shown(value: float, output: Mapping[str, Any]) -> str:
    return f"{value:.1f}" if output["high"] > 1 else f"{value:.3f}"


def _place(value: float, output: Mapping[str, Any]) -> float:
    """Where a value stands on its range, in percent."""
    low, high = float(output["low"]), float(output["high"])
    return round(100 * (value - low) / (high - low), 2)
