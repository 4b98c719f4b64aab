"""The report as one HTML file that needs nothing beside it. All texts are escaped; it holds no script, and charts are inline SVG."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from graders.workflows._benchmark_cases import BUNDLED
from graders.workflows._report_parts import FIGURE, TEXT

_PLACE = Path(__file__).resolve().parents[2] / "data" / "report"


def html(report: Mapping[str, Any]) -> str:
    """The whole report as one page, light or dark as the reader's machine is set; it prints too."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_PLACE), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    # One look for all reports: what is said of pages of reports in general, then what is particular to this one.
    style = [(place / "page.css").read_text("utf-8") for place in (BUNDLED / "report", _PLACE)]
    return environment.get_template("page.html").render(report=report, style="".join(style), FIGURE=FIGURE, TEXT=TEXT)
