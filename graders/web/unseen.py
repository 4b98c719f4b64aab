"""Boxes that say what a program reads and a person would not see: a word about what it is, and the
words themselves."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from graders.core import hidden
from graders.core.hidden import unseen

#: The class of the boxes; lead.css, desk.css and the reports draw it.
BOX = "unseen"
#: Tags; what stands in a field to be changed is left as it is.
_TAG = re.compile(r"(<textarea\b.*?</textarea>|<[^>]*>)", re.S)
_LONGEST = 2_000
#: A line of JSON whose text is above 100 characters, and what a text of JSON is made of.
_LONG_LINE = re.compile(r'^( +)("\w+":) "((?:[^"\\]|\\.){100,})"(,?)$', re.M)
_SIGN = re.compile(r"\\u[0-9a-f]{4}|\\?.")
_WIDEST = 100


def box(label: str) -> str:
    """`label` (``Hidden text: words``) as a box in a line: plain words, read aloud like all
    others."""
    name, _, words = label.partition(": ")
    words = words if len(words) <= _LONGEST else words[:_LONGEST] + "…"
    return f'<span class="{BOX}"><strong>{escape(name)}:</strong> {escape(words)}</span>'


def boxed(html: str) -> str:
    """HTML (attributes without ``<`` and ``>``) with a box in the place of each run of signs in its
    texts that nobody sees."""
    if not unseen(html):
        return html
    return "".join(
        part if part.startswith("<") else "".join(_pieces(part, html)) for part in _TAG.split(html)
    )


def _pieces(text: str, html: str) -> Iterator[str]:
    at = 0
    for run in unseen(text, html):
        yield text[at : run.start]
        yield box(run.label)
        at = run.end
    yield text[at:]


def drawn_token(
    self: object, tokens: Sequence[Any], index: int, options: object, env: object
) -> str:
    """The box of what Markdown leaves out, for the renderer: a token of the kind HIDDEN."""
    token = tokens[index]
    made = box(f"Hidden text ({token.info}): {token.content}")
    return f"<p>{made}</p>\n" if token.block else f" {made}"


def signs() -> dict[str, Any]:
    """What assets/unseen.js must know of `graders.core.hidden`: patterns for RegExp, names by
    sign."""
    ranges = re.findall(r"(.)(?:-(.))?", hidden.INVISIBLE, re.S)
    every = (
        chr(code) for first, last in ranges for code in range(ord(first), ord(last or first) + 1)
    )
    named = {sign: hidden.name_of(sign) for sign in every}
    names = {
        sign: name
        for sign, name in named.items()
        if not name.startswith(("variation", "tag", "U+"))
    }
    quiet = [[hidden.DIRECTED, hidden.RIGHT_TO_LEFT], [hidden.BLANKS, hidden.BRAILLE]]
    most = {"most": hidden.MOST, "most_read": hidden.MOST_READ, "names_shown": hidden.MOST_NAMES}
    return {
        "invisible": hidden.INVISIBLE,
        "pattern": hidden.PATTERN,
        "quiet": quiet,
        "names": names,
        **most,
    }


def module() -> str:
    """The text of assets/unseen_signs.js: ``python -c "from graders.web.unseen import module;
    print(module(), end='')"`` writes it."""
    return (
        "// Made by graders/web/unseen.py from graders/core/hidden.py.\nexport const SIGNS = "
        + _LONG_LINE.sub(_in_pieces, json.dumps(signs(), indent=2))
        + ";\n"
    )


def _in_pieces(line: re.Match[str]) -> str:
    """A text that is too long for one line as the sum of shorter ones."""
    indent, name, text, comma = line.groups()
    pieces = [""]
    for sign in _SIGN.findall(text):
        if len(pieces[-1] + sign) > _WIDEST:
            pieces.append("")
        pieces[-1] += sign
    return (
        f"{indent}{name}\n{indent}  " + f" +\n{indent}  ".join(f'"{one}"' for one in pieces) + comma
    )
