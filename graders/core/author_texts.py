"""Authors as control: a real text of the named author among the models' answers, known by the name
``author: NAME``.

It is graded like an answer, and nobody is told whose it is; its marks are the ceiling that models
are held against. It is no model: no mean, rank, election or share counts it. The one place that
knows how such an answer is marked.
"""

from __future__ import annotations

import re
from functools import lru_cache

#: What the name of such an answer begins with, where a model's name would stand.
AUTHOR = "author: "
#: The same for SQLite's GLOB.
AUTHOR_GLOB = AUTHOR + "*"
#: What stands in the place of the author's name.
MASK = "[author]"

_WRITTEN = re.compile(r"\s*(?:author|автор|作者|著者)(?:\s*[:：]\s*|\s+[-–—]\s+)(?=\S)", re.I)
_SPACES = re.compile(r"[\s_]+")


def author_model(name: str) -> str:
    """The mark of a text by `name`."""
    return AUTHOR + _SPACES.sub(" ", name).strip()


def is_author(model: str) -> bool:
    """Whether an answer is an author's own text."""
    return model.startswith(AUTHOR)


def author_of(model: str) -> str:
    """The author's name; empty for a model."""
    return model[len(AUTHOR) :] if is_author(model) else ""


def marked(model: str) -> str:
    """A name as files write it, in the one form: ``Author: X``, ``автор: X``, ``作者：X`` and
    ``author
    - X`` are ``author: X``."""
    found = _WRITTEN.match(model)
    return author_model(model[found.end() :]) if found else model


def mask_author(text: str, name: str) -> str:
    """`text` with the author's name and surname replaced by MASK: initials and case do not
    matter."""
    pattern = _pattern(name)
    return pattern.sub(MASK, text) if pattern else text


@lru_cache(maxsize=64)
def _pattern(name: str) -> re.Pattern[str] | None:
    parts = [part for part in re.split(r"[\s.·・]+", name.strip()) if part]
    if not parts:
        return None
    last = re.escape(parts[-1]) if len(parts[-1]) > 1 else re.escape(name.strip())
    # Russian surnames decline: Пушкина, Пушкину. A further word of the name may stand before, whole
    # or as an initial.
    ending = r"(?:а|у|ым|ом|е|ой|ю|и)?" if re.search(r"[а-яё]", parts[-1], re.I) else r"(?:['’]s)?"
    before = "".join(
        rf"(?:(?:{re.escape(part)}|{re.escape(part[0])}\.?)[\s.·・]*)?" for part in parts[:-1]
    )
    edge = r"[^\W㐀-鿿ぁ-ヿ가-힣]"
    first = "" if re.match(r"[㐀-鿿ぁ-ヿ가-힣]", name.strip()) else rf"(?<!{edge})"
    whole = "" if re.match(r"[㐀-鿿ぁ-ヿ가-힣]", parts[-1][-1]) else rf"(?!{edge})"
    return re.compile(rf"{first}{before}{last}{ending}{whole}", re.I)
