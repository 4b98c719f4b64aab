"""Code inside texts: where it stands, in which language, and its tokens. It is read as text and
never executed."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})([^`\n]*)$")
_LANGUAGE = re.compile(r"[\w+#]+")
_SAME = {
    **dict.fromkeys(("py", "python3", "py3", "python2", "ipython"), "python"),
    **dict.fromkeys(("js", "jsx", "node", "mjs"), "javascript"),
    **dict.fromkeys(("ts", "tsx"), "typescript"),
    **dict.fromkeys(("sh", "shell", "zsh", "console"), "bash"),
    **dict.fromkeys(("text", "txt", "plaintext", "output"), ""),
}
_SAME |= {
    "c++": "cpp",
    "cs": "csharp",
    "c#": "csharp",
    "golang": "go",
    "rs": "rust",
    "rb": "ruby",
    "kt": "kotlin",
    "yml": "yaml",
}
_HASH = frozenset(("python", "ruby", "bash", "perl", "r", "yaml", "julia", "elixir"))
_SLASH = frozenset(
    (
        "c",
        "cpp",
        "csharp",
        "java",
        "javascript",
        "typescript",
        "go",
        "rust",
        "kotlin",
        "swift",
        "scala",
        "php",
        "dart",
    )
)
_DASH = frozenset(("sql", "lua", "haskell"))

# Escapes are bounded, and what never closes runs to the end of the text: neither must take
# quadratic time.
_STRINGS = "|".join(
    rf"{q}[^{q}\\{end}]*+(?:\\.[^{q}\\{end}]*+){{0,100}}{q}"
    for q, end in (('"', r"\n"), ("'", r"\n"), ("`", ""))
)
_LONG_STRINGS = r'"""(?:[^\\]|\\.){0,2000}?"""|\'\'\'(?:[^\\]|\\.){0,2000}?\'\'\'|'
_REST = (
    r"[^\W\d]\w*|\d[\w.]*|(?:<<|>>|\*\*|//)=|[-+*/%&|^<>=!:]=|->|=>|&&|\|\||<<|>>|::|"
    r"\*\*|\+\+|--|[^\w\s]"
)


class Code(NamedTuple):
    """A piece of code and its language: lower case, one name per language, "" where nothing says
    it."""

    language: str
    text: str


def blocks(text: str) -> list[Code]:
    """The fenced blocks of a Markdown text; one that is not closed runs to the end."""
    found: list[Code] = []
    opened: re.Match[str] | None = None
    lines: list[str] = []
    for line in [*text.splitlines(), None]:
        if opened is None:
            opened = _FENCE.match(line or "")
            lines = []
        elif line is None or _closes(line, opened[1]):
            found.append(
                Code(language_name(opened[2]), textwrap.dedent("\n".join(lines)).strip("\n"))
            )
            opened = None
        else:
            lines.append(line)
    return found


def _closes(line: str, fence: str) -> bool:
    bare = line.strip()
    return len(bare) >= len(fence) and not bare.strip(fence[0])


def language_name(info: str) -> str:
    """The language that the line of an opening fence names: ``Python3 title=x`` is python."""
    match = _LANGUAGE.search(info)
    name = match.group().casefold() if match else ""
    return _SAME.get(name, name)


def code_of(text: str, wanted: str = "") -> Code:
    """The first fenced block that holds anything, else the whole text.

    Where a block in the `wanted` language is there, the first of those: an answer may begin with a
    line for the shell.
    """
    found = blocks(text)
    if not found:
        return Code("", textwrap.dedent(text).strip("\n"))
    filled = [code for code in found if code.text.strip()] or found[:1]
    return next((code for code in filled if wanted and code.language == wanted), filled[0])


def code_tokens(code: Code) -> Sequence[str]:
    """Identifiers, numbers, operators and whole strings in order, comments left out where the
    language is known."""
    return [
        _canonical(match.group())
        for match in _pattern(code.language).finditer(code.text)
        if match.lastgroup != "comment"
    ]


def _canonical(token: str) -> str:
    """Strings without their kind of quotes: 'a' is "a"."""
    if token[0] in "\"'`" and len(token) > 1:
        width = 3 if token[:3] in ('"""', "'''") and len(token) >= 6 else 1
        return f'"{token[width:-width]}"'
    return token


@cache
def _pattern(language: str) -> re.Pattern[str]:
    comments = {
        "hash": r"(?P<comment>#[^\n]*)|",
        "slash": r"(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))|",
        "dash": r"(?P<comment>--[^\n]*|/\*.*?(?:\*/|\Z))|",
    }
    kind = (
        "hash"
        if language in _HASH
        else "slash"
        if language in _SLASH
        else "dash"
        if language in _DASH
        else ""
    )
    return re.compile(
        comments.get(kind, "")
        + (_LONG_STRINGS if language == "python" else "")
        + f"{_STRINGS}|{_REST}",
        re.DOTALL,
    )
