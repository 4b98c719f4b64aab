"""Answers and questions as HTML that cannot run anything: Markdown with HTML off, then an
allow-list."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from html import escape
from typing import Any

import nh3
from markdown_it import MarkdownIt

from graders.core.hidden_markup import HIDDEN, parser, reveal
from graders.web.unseen import boxed, drawn_token

#: Longer texts are shown as plain text: the worst of them would hold up the page for a second.
LONGEST_MARKDOWN = 100_000
_TAGS = {
    "p",
    "br",
    "em",
    "strong",
    "s",
    "code",
    "pre",
    "blockquote",
    "ul",
    "ol",
    "li",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "a",
    "span",
}
_ATTRIBUTES = {
    "a": {"href", "title"},
    "ol": {"start"},
    "th": {"align"},
    "td": {"align"},
    "span": {"class", "title"},
    "code": {"class"},
}
_LARGEST_HEADING = {"h1": "h3", "h2": "h4"}


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    made = parser()

    def image(self: object, tokens: list[Any], index: int, options: object, env: object) -> str:
        """A picture is shown as its words: nothing is loaded from elsewhere by itself."""
        token = tokens[index]
        words = nh3.clean_text(token.content or "")
        return (
            '<span class="cg-image" '
            f'title="{nh3.clean_text(str(token.attrs.get("src", "")))}">[{words or "image"}]</span>'
        )

    made.add_render_rule("image", image)
    made.add_render_rule(HIDDEN, drawn_token)
    return made


def _paragraphs(text: str) -> Iterator[str]:
    """A text that is no Markdown, paragraph by paragraph: its lines stay lines, and long ones
    wrap."""
    for paragraph in escape(text.replace("\x00", "\ufffd")).replace("\r\n", "\n").split("\n\n"):
        if paragraph.strip():
            yield paragraph.strip("\n").replace("\n", "<br>")


def render(text: str) -> str:
    """`text` as sanitised HTML: Markdown's structure, no scripts, no remote images, links that open
    elsewhere, hidden text in boxes."""
    if len(text) > LONGEST_MARKDOWN:
        told = (
            f'<p><span class="cg-note">This text has {len(text):,} characters: '
            "it is shown without its formatting.</span></p>"
        )
        return told + boxed("".join(f"<p>{paragraph}</p>" for paragraph in _paragraphs(text)))
    text = text.replace("\x00", "\ufffd")
    made = _parser()
    html = boxed(made.renderer.render(reveal(made.parse(text), text), made.options, {}))
    for tag, smaller in _LARGEST_HEADING.items():
        html = html.replace(f"<{tag}>", f"<{smaller}>").replace(f"</{tag}>", f"</{smaller}>")
    return nh3.clean(
        html,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
        set_tag_attribute_values={"a": {"target": "_blank"}},
    )
