"""Finding the prose in an answer: code, quotes and addresses are blanked out, so that offsets stay
true."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_FENCE = re.compile(r"^ {0,6}(`{3,}|~{3,})[ \t]*([^\n`]*)$", re.M)
_INLINE_CODE = re.compile(r"`[^`\n]{1,400}`")
_ADDRESS = re.compile(
    r"(?:https?://|www\.)[^\s<>()（）。，、]{1,2000}|[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{2,64}"
)
_QUOTES = re.compile(
    r"“[^”\n]{1,300}”|«[^»\n]{1,300}»|„[^“”\n]{1,300}[“”]|「[^」\n]{1,300}」|"
    r"『[^』\n]{1,300}』|《[^》\n]{1,200}》|"
    r"\"[^\"\n]{1,300}\"|(?<!\w)'[^'\n]{2,200}'(?!\w)|(?<!\w)‘[^’\n]{2,200}’(?!\w)",
    re.M,
)
#: A sign of Chinese or Japanese, which stands for more than a letter does.
EASTERN = re.compile(r"[㐀-鿿ぁ-ヿ]")
_LINE = re.compile(r"[^\n]*\n?")
_QUOTED = re.compile(r"[ \t]*(?:>[ \t]?)+")
#: What begins a block of its own: a list, a heading, a table, a rule, code.
_BLOCK = re.compile(
    r"[ \t]{0,3}(?:[-*+•][ \t]|\d{1,3}[.)、][ \t]?|#{1,6}[ \t]|\||(?:[-*_][ \t]*){3,}$|`{3,}|~{3,})"
)


@dataclass(frozen=True, slots=True)
class Fences:
    """Code blocks of a text as spans, fences included; `open_at` is the offset of a block that
    never ends, else None."""

    blocks: tuple[tuple[int, int], ...]
    open_at: int | None = None


def fences(text: str) -> Fences:
    """The fenced code blocks of `text`: a block ends at a fence of the same sign, as long or
    longer, without a word behind it."""
    blocks: list[tuple[int, int]] = []
    opened: re.Match[str] | None = None
    for match in _FENCE.finditer(text):
        if opened is None:
            opened = match
        elif match.group(1).startswith(opened.group(1)) and not match.group(2).strip():
            blocks.append((opened.start(), match.end()))
            opened = None
    # A bare fence at the very end closes a block that quoted another one: nothing is missing there.
    if opened is not None and not opened.group(2).strip() and not text[opened.end() :].strip():
        opened = None
    if opened is not None:
        blocks.append((opened.start(), len(text)))
    return Fences(tuple(blocks), opened.start() if opened else None)


def without_code(text: str) -> str:
    """`text` with code blocks, code in a line and addresses as spaces; of the same length, with the
    same lines."""
    return without_marks(blank(text, fences(text).blocks))


def without_marks(text: str) -> str:
    """`text` with code in a line and addresses as spaces."""
    for pattern in (_INLINE_CODE, _ADDRESS):
        text = pattern.sub(_spaces, text)
    return text


def without_quotes(text: str) -> str:
    """`text` with quotations, titles in quotes and quoted lines as spaces; of the same length, with
    the same lines."""
    return _QUOTES.sub(_spaces, blank(text, block_quotes(text)))


def block_quotes(text: str) -> list[tuple[int, int]]:
    """The quoted lines of `text` as spans, with the lines that an editor wrapped and that go on
    without a further ``>``, as in Markdown.

    After a question nothing goes on: who quotes one answers it.
    """
    found: list[tuple[int, int]] = []
    goes_on = False
    for match in _LINE.finditer(text) if ">" in text else ():
        line = match.group().rstrip()
        quoted = _QUOTED.match(line)
        said = line[quoted.end() :] if quoted else line
        if quoted or (goes_on and said.strip() and not _BLOCK.match(said)):
            found.append(match.span())
            goes_on = _is_paragraph(said)
        else:
            goes_on = False
    return found


def _is_paragraph(line: str) -> bool:
    """Whether a paragraph, of a list too, stands in the line, so that the next one may belong to
    it."""
    block = _BLOCK.match(line)
    listed = block is None or block.group().lstrip()[0] in "-*+•0123456789"
    return (
        listed
        and bool(line[block.end() if block else 0 :].strip())
        and not line.endswith(("?", "？"))
    )


def blank(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """`text` with everything but line breaks as spaces inside `spans` (in order, not
    overlapping)."""
    out, at = [], 0
    for start, end in spans:
        out += [text[at:start], re.sub(r"[^\n]", " ", text[start:end])]
        at = end
    return "".join([*out, text[at:]])


def _spaces(match: re.Match[str]) -> str:
    return " " * len(match.group())
