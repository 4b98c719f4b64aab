"""What Markdown hides from its reader: comments, definitions and titles of links, words behind a
code fence, cells outside a table.

`reveal` puts a token of the kind ``hidden`` where something is left out when Markdown is drawn, so
that whoever draws it can say so, and whoever only looks can count them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import unquote

from graders.core.hidden import unseen
from graders.core.words import say

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

#: The kind of token that `reveal` puts in: `content` are the words that nobody sees, `info` says
#: what they are.
HIDDEN = "hidden"
#: A browser follows these and shows where they lead; one without a scheme is a place of the same
#: site, and no sentence.
_FOLLOWED = re.compile(r"(?:https?:|mailto:|//)|[^\s:]*(?:\s[^\s:]*)?\Z", re.I)
#: Without one of these Markdown leaves nothing out: a definition, a link, a code fence, a table, a
#: tag.
_MAY_HIDE = re.compile(r"\]:|\]\(|\]\[|```|~~~|&|\||<[\w!]")
#: The characters of a text that are read.
LONGEST = 50_000
#: So many places are shown apart.
MOST_APART = 50
_LONGEST_LANGUAGE = 30
_HIDES = (
    r"\shidden(?=[\s=>/])|display\s*:\s*none|visibility\s*:\s*hidden|"
    r"font-size\s*:\s*0(?![.\d]*[1-9])|opacity\s*:\s*0(?![.\d]*[1-9])|"
    r"(?<![-\w])(?:max-)?height\s*:\s*0(?![.\d]*[1-9])|"
    r"(?<![-\w])color\s*[:=]\s*[\"']?(?:transparent|white\b|#f{3}(?:f{3})?\b|"
    r"rgba\([^)]{0,40},\s*0\s*\))|"
    r"(?:left|top|right|text-indent)\s*:\s*-\d{3,}"
)
_HTML = re.compile(
    rf"<!--.*?(?:--!?>|\Z)|<(\w+)\b[^<>]{{0,300}}?(?:{_HIDES})[^<>]{{0,300}}>.*?(?:</\1\s*>|\Z)",
    re.S | re.I,
)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """`words` of a text that are left out when it is drawn; `what` they are: link title, comment,
    ..."""

    what: str
    words: str


def parser() -> MarkdownIt:
    """The Markdown of all pages: no HTML, tables, every line break kept."""
    from markdown_it import MarkdownIt

    made = MarkdownIt(
        "commonmark",
        {
            "html": False,
            "breaks": True,
            "linkify": False,
            "store_labels": True,
            "inline_definitions": True,
        },
    )
    return made.enable(["table", "strikethrough"])


def reveal(tokens: Sequence[Token], source: str) -> list[Token]:
    """`tokens` of `source` with one of the kind HIDDEN behind all that is left out when they are
    drawn; their children change in place."""
    labels = _labels(tokens)
    found: list[Token] = []
    lines: list[str] | None = None
    columns, cells = 0, 0
    for token in tokens:
        if token.type == "definition":
            first = token.meta["id"] in labels
            # a second definition of the same label is used by no link
            labels.discard(token.meta["id"])
            if not first:
                lines = source.split("\n") if lines is None else lines
                found.append(
                    _hidden(
                        "Markdown comment",
                        "\n".join(lines[slice(*(token.map or (0, 0)))]),
                        block=True,
                    )
                )
            continue
        found.append(token)
        if token.type == "inline":
            token.children = list(_inline(token.children or []))
        elif token.type == "fence" and (more := _more_info(token.info)):
            found.append(_hidden(say("core.hidden.code_fence"), more, block=True))
        elif token.type == "tr_open":
            cells, row = 0, token.map
        elif token.type in ("th_open", "td_open"):
            cells += 1
        elif token.type == "thead_close":
            columns = cells
        elif token.type == "tr_close" and cells == columns and row is not None:
            lines = source.split("\n") if lines is None else lines
            if more := _more_cells(lines[row[0]], columns):
                found.insert(_place_in_row(found), _hidden(say("core.hidden.outside_table"), more))
    return _together(found)


def left_out(source: str) -> list[LeftOut]:
    """All that is left out when the first LONGEST characters of `source` are drawn as Markdown, or
    that HTML would hide, code apart."""
    source = source[:LONGEST]
    if not _MAY_HIDE.search(source):
        return []
    tokens = reveal(_parser().parse(source), source)
    flat = [one for token in tokens for one in (token, *(token.children or []))]
    found = [LeftOut(one.info, one.content) for one in flat if one.type == HIDDEN]
    prose = _prose(tokens)
    found += [LeftOut(say("core.hidden.html"), match.group()) for match in _HTML.finditer(prose)]
    # Signs that nobody sees and that are spelled out (&#8203;): a judge reads the spelling, a
    # person nothing.
    spelled = [] if unseen(source) else unseen(prose)
    return found + [LeftOut(say("core.hidden.entities"), one.words) for one in spelled]


def _together(tokens: list[Token]) -> list[Token]:
    """The same tokens, with all of the kind HIDDEN beyond the first MOST_APART in one behind the
    text: a page of boxes says no more."""
    hidden = [
        one for token in tokens for one in (token, *(token.children or [])) if one.type == HIDDEN
    ]
    if len(hidden) <= MOST_APART:
        return tokens
    rest = set(map(id, hidden[MOST_APART:]))
    for token in tokens:
        if token.children:
            token.children = [one for one in token.children if id(one) not in rest]
    words = "\n".join(one.content for one in hidden[MOST_APART:])
    return [
        *(one for one in tokens if id(one) not in rest),
        _hidden(say("core.hidden.more_places", n=len(rest)), words, block=True),
    ]


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    return parser()


def _hidden(what: str, words: str, block: bool = False) -> Token:
    from markdown_it.token import Token

    return Token(HIDDEN, "", 0, content=words.strip(), info=what, block=block)


def _labels(tokens: Sequence[Token]) -> set[str]:
    """The labels of definitions that a link or a picture uses."""
    return {
        one.meta["label"] for token in tokens for one in token.children or [] if "label" in one.meta
    }


def _inline(children: Sequence[Token]) -> Iterator[Token]:
    """The tokens of a line of text, with what its links and pictures do not show behind them."""
    opened: list[tuple[Token, bool]] = []
    for token in children:
        yield token
        if token.type == "link_open":
            opened.append((token, False))
        elif token.type == "link_close" and opened:
            link, seen = opened.pop()
            yield from _behind(
                link, str(link.attrs.get("href", "")), shown=seen or link.markup == "autolink"
            )
        elif token.type == "image":
            yield from _behind(token, str(token.attrs.get("src", "")), shown=True)
        if opened and (token.type == "image" or _is_seen(token.content)):
            opened = [(link, True) for link, _ in opened]


def _is_seen(words: str) -> bool:
    bare = words
    for run in reversed(unseen(words)):
        bare = bare[: run.start] + bare[run.end :]
    return bool(bare.strip())


def _behind(link: Token, address: str, shown: bool) -> Iterator[Token]:
    """The title of a link or picture, and its address where nothing shows it: no words to click on,
    or none that a browser follows."""
    if title := str(link.attrs.pop("title", "")).strip():
        yield _hidden("link title", title)
    plain = unquote(address)
    picture = plain.startswith("data:image/")
    if (
        link.markup != "autolink"
        and address
        and not picture
        and not (shown and _FOLLOWED.match(plain))
    ):
        yield _hidden("link address", plain)


def _more_info(info: str) -> str:
    """What stands behind a code fence beside the name of its language."""
    language, _, more = info.strip().partition(" ")
    return info.strip() if len(language) > _LONGEST_LANGUAGE else more


def _more_cells(line: str, columns: int) -> str:
    """The cells of a row beyond those that the table's head has."""
    from markdown_it.rules_block.table import escapedSplit

    cells = escapedSplit(re.sub(r"^[\s>]*", "", line).rstrip())
    cells = cells[1:] if cells and not cells[0].strip() else cells
    return " | ".join(filter(None, (cell.strip() for cell in cells[columns:])))


def _place_in_row(found: Sequence[Token]) -> int:
    """Where a token of the last cell goes: before the cell ends, since nothing stands between the
    cells of a table."""
    return len(found) - 2


def _prose(tokens: Sequence[Token]) -> str:
    """The text without code, its blocks apart."""
    parts = (
        "".join(_words(one) for one in token.children or [])
        for token in tokens
        if token.type == "inline"
    )
    return "\n\n".join(parts)


def _words(token: Token) -> str:
    return (
        "\n"
        if token.type in ("softbreak", "hardbreak")
        else ""
        if token.type in ("code_inline", HIDDEN)
        else token.content
    )
