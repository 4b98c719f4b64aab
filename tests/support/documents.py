"""README, CONTRIBUTING, CHANGELOG and docs/: what they say, their links, and their examples."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
#: Every document at the top level and in docs/, by its path from the top.
DOCUMENTS = tuple(
    path.relative_to(ROOT).as_posix()
    for path in sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
)
#: The line above a Python example: what its judge replies, or that it asks none.
NO_JUDGE = "<!-- no judge -->"
#: The same of an example that calls the app.
ON_APP = "<!-- a running app -->"


def text(name: str) -> str:
    """What a document says."""
    return (ROOT / name).read_text("utf-8")


def blocks(name: str, language: str, above: str = "") -> list[str]:
    """The fenced blocks of a language, in order; `above` is the line that stands over each."""
    over = re.escape(f"{above}\n") if above else ""
    return re.findall(rf"^{over}```{language}\n(.*?)^```", text(name), flags=re.M | re.S)


def judged(name: str) -> list[tuple[str, str]]:
    """(what the judge replies, the code) of each Python example that asks a judge."""
    pattern = r"^<!-- says: ([^\n]*) -->\n```python\n(.*?)^```"
    return re.findall(pattern, text(name), flags=re.M | re.S)


def prose(name: str) -> str:
    """The document without its fenced blocks."""
    return re.sub(r"^```.*?^```$", "", text(name), flags=re.M | re.S)


def links(name: str) -> list[tuple[str, str]]:
    """(path, anchor) of each link and picture that stays in the repository."""
    found = re.findall(r"\]\(([^()\s]+)\)", prose(name))
    return [
        (target.partition("#")[0], target.partition("#")[2])
        for target in found
        if not re.match(r"[a-z]+:", target)
    ]


def anchors(name: str) -> set[str]:
    """What links may name within a document: its headings as GitHub writes them."""
    headings = re.findall(r"^#+ (.+)$", prose(name), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in headings}
