"""HTML of the kit's parts, made on the server: everything in it that is data is escaped, and signs
that nobody sees are shown.

Gradio runs what stands in a template of its own as a script; so HTML from here goes in as the value
of the default template alone, and scripts are constant.
"""

from __future__ import annotations

import math
import re
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from graders.core.money import dollars
from graders.core.words import language, say
from graders.statistics.resampling import Estimate
from graders.web.unseen import boxed

_KIT = Path(__file__).parent / "templates"
#: Templates of one page lie beside it.
_PAGES = Path(__file__).parents[1] / "pages"
#: How far the ticks of an axis may be apart.
_STEPS = (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)
_INTERVAL = re.compile(r"(\(?-?\d[\d.]*(?:–| to )-?\d[\d.]*\)?)")


def drawn(template: str, **data: Any) -> str:
    """The HTML of a template with `data`, ready to be the value of a part."""
    made = filled(template, **data)
    return f'<div class="cgl k" lang="{language()}">{made}</div>' if made else ""


def filled(template: str, **data: Any) -> Markup:
    """The HTML of a template with `data`, to stand in another."""
    return Markup(boxed(_environment().get_template(template).render(data)).strip())


@cache
def _environment() -> Environment:
    made = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        loader=FileSystemLoader([_KIT, _PAGES]),
    )
    made.globals["say"] = say
    filters = (
        number,
        place,
        between,
        short,
        initials,
        duration,
        dollars,
        day,
        native,
        unbroken,
        span,
        figure,
        whole,
    )
    made.filters.update({one.__name__: one for one in filters})
    return made


def number(value: float) -> str:
    """1425 as ``1,425``."""
    return f"{value:,}"


def steps(low: float, high: float) -> list[float]:
    """Round numbers between two ends, at most seven."""
    wide = next((one for one in _STEPS if (high - low) / one <= 6), (high - low) / 4)
    first = math.ceil(low / wide - 1e-9) * wide
    return [first + at * wide for at in range(math.floor((high - first) / wide + 1e-9) + 1)]


def place(value: float, low: float, high: float) -> str:
    """Where a value lies between two ends, as a length of CSS."""
    share = 100 * (value - low) / (high - low) if high > low else 0.0
    return f"{max(0.0, min(100.0, share)):.2f}%"


def between(low: float, high: float, digits: int) -> str:
    """Both ends of an interval, with "to" where a dash would look like a minus."""
    return f"{low:.{digits}f}{' to ' if low < 0 else '–'}{high:.{digits}f}"


def span(figure: Estimate) -> str:
    """The ends of an estimate's interval; empty where there is none."""
    if figure.low is None or figure.high is None:
        return ""
    return between(figure.low, figure.high, 2)


def figure(found: Estimate, digits: int) -> str:
    """An estimate with `digits` decimals, its interval in brackets."""
    if found.value is None:
        return say("kit.undefined")
    ends = span(found)
    return f"{found.value:.{digits}f}" + (f" ({ends})" if ends else "")


def whole(value: float, signed: bool = False) -> str:
    """A number without decimals; `signed`: with its sign, where it is not nought."""
    near = round(value)
    return f"{near:+d}" if signed and near > 0 else f"{near:d}"


def unbroken(text: str) -> Markup:
    """A text whose intervals are not broken over two lines."""
    pieces = _INTERVAL.split(text)
    return Markup("").join(
        Markup('<span class="nw">{}</span>').format(piece) if at % 2 else piece
        for at, piece in enumerate(pieces)
    )


def duration(seconds: float) -> str:
    """90 as ``2 min``."""
    if seconds < 1:
        return say("kit.under_second")
    if seconds < 90:
        return say("kit.seconds", n=round(seconds))
    if seconds < 5_400:
        return say("kit.minutes", n=round(seconds / 60))
    return say("kit.hours", n=seconds / 3_600)


def initials(name: str) -> str:
    """Up to two letters that stand for a name."""
    return "".join(word[0] for word in name.split()[:2]).upper()


def short(text: str, most: int) -> str:
    """The beginning of a text, cut after `most` characters."""
    return text if len(text) <= most else text[:most] + "…"


def day(at: str) -> str:
    """A time that is stored, to the minute: ``2026-11-28 09:30 UTC``."""
    return f"{at[:16].replace('T', ' ')} UTC"


def native(code: str) -> str:
    """A language as those call it who speak it: ``ru`` is ``русский``."""
    from babel import Locale

    try:
        return str(Locale.parse(code, sep="-").get_display_name() or code)
    except ValueError:
        return code
