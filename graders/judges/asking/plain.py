"""Strict reading of plain replies: yes or no in several languages, and bare values such as
``accuracy: 0.6``.

A reply that leaves a doubt is a Problem, never a silent no.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from graders.core.errors import ScaleError
from graders.core.records import Problem
from graders.core.rubric import Criterion
from graders.core.scale import Scale, Value
from graders.core.text import fold
from graders.judges.asking.reading import shown, whole, without_thoughts

#: Yes and no by language. Words that another of these languages uses for something else are left
#: out.
YES_NO: dict[str, tuple[str, str]] = {
    "en": ("yes", "no"),
    "ru": ("да", "нет"),
    "uk": ("так", "ні"),
    "zh": ("是 是的 对 對 对的 對的 正确 正確", "否 不 不是 不是的 不对 不對 没有 沒有"),
    "ja": ("はい", "いいえ"),
    "ko": ("예 네", "아니요 아니오"),
    "de": ("ja", "nein"),
    "fr": ("oui", "non"),
    "es": ("sí si", "no"),
    "it": ("sì si", "no"),
    "pt": ("sim", "não"),
    "nl": ("ja", "nee"),
    "pl": ("tak", "nie"),
    "tr": ("evet", "hayır"),
    "el": ("ναι", "όχι"),
}
_YES = frozenset(word for yes, _ in YES_NO.values() for word in yes.split())
_NO = frozenset(word for _, no in YES_NO.values() for word in no.split())
_OR = frozenset(("or", "and", "или", "и", "або", "或", "或者", "还是", "または", "oder", "ou", "o"))
_WORD = re.compile(r"[^\W\d_]+")
_BEFORE = " \"'“”„«»‘’「」『』([*_`"
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)?\s*%?")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}\b")
_NAMED = re.compile(r"(?P<name>[^:=\n]{1,80}?)\s*[:=]\s*(?P<value>.+)")


def read_yes_no(text: str) -> bool | Problem:
    """True for a reply that begins with a word for yes, False for no; Problem ``off_scale`` for all
    else.

    What follows the word is no matter ("YES because ..."), unless it is the opposite word ("yes or
    no").
    """
    body = unicodedata.normalize("NFKC", text).casefold().strip()
    first = _WORD.match(body.lstrip(_BEFORE))
    if first is None or first.group() not in _YES | _NO:
        return Problem(cause="off_scale", detail=f"neither yes nor no: {shown(body)}")
    following = _WORD.findall(body.lstrip(_BEFORE)[first.end() :])[:2]
    if following and following[0] in _OR:
        following = following[1:]
    yes = first.group() in _YES
    if (
        following
        and following[0] in (_NO if yes else _YES)
        and following[0] not in (_YES if yes else _NO)
    ):
        return Problem(cause="off_scale", detail=f"both yes and no: {shown(body)}")
    return yes


def yes_no_label(scale: Scale, yes: bool) -> Value | None:
    """The label of a yes/no scale that means `yes`; None if the scale is another."""
    labels = {label.casefold(): label for label in scale.labels}
    return labels["yes" if yes else "no"] if set(labels) == {"yes", "no"} else None


def read_bare(
    text: str, criterion: Criterion, names: Sequence[str], reasoning: bool
) -> tuple[Value, str] | Problem:
    """(value, rationale) of a reply that is a value, bare or behind the criterion's name
    (``accuracy: 0.6``).

    `names` are what the criterion may be called. With `reasoning` the value stands in the last
    line, behind the name, and what comes before it is the rationale; else the reply is that one
    line. Thoughts between marks are neither.
    """
    text = without_thoughts(text)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        return Problem(cause="empty", detail="the reply carries no text")
    known = {fold(name, case=True) for name in names}
    if len(lines) > 1 and not reasoning:
        return Problem(
            cause="malformed",
            detail=f"{len(lines)} lines in place of one value: {shown(text.strip())}",
        )
    name, value = _named(lines[-1])
    if (name is not None and name not in known) or (name is None and len(lines) > 1):
        return Problem(
            cause="malformed", detail=f"the last line is no {criterion.name}: {shown(lines[-1])}"
        )
    if any(_named(line)[0] in known for line in lines[:-1]):
        return Problem(
            cause="malformed", detail=f"{criterion.name} stands twice: {shown(text.strip())}"
        )
    found = read_value(value, criterion.scale)
    if isinstance(found, Problem):
        return Problem(cause=found.cause, detail=f"{criterion.name}: {found.detail}")
    return found, whole("\n".join(lines[:-1]))


def read_value(text: str, scale: Scale) -> Value | Problem:
    """A value as people write it: full-width digits, decimal comma, per cent where the scale goes
    from 0 to 1 or to 100."""
    body = fold(text)
    if scale.labels:
        body = body.rstrip("。")
        body = body[:-1] if body.endswith(".") else body
        if yes_no_label(scale, True) is not None:
            yes = (
                read_yes_no(body)
                if len(body.split()) == 1
                else Problem(cause="off_scale", detail=f"{shown(text)} is not yes or no")
            )
            return (
                yes if isinstance(yes, Problem) else yes_no_label(scale, yes) or scale.parse(body)
            )
        labels = {label.casefold(): label for label in scale.labels}
        found = labels.get(body.casefold())
        return (
            found
            if found is not None
            else Problem(cause="off_scale", detail=f"{shown(text)} is not {scale.describe()}")
        )
    body = body.removesuffix("。")
    body = body[:-1] if body.endswith(".") else body
    if not _NUMBER.fullmatch(body) or _THOUSANDS.match(body):
        return Problem(cause="malformed", detail=f"{shown(text)} is no number")
    percent = body.endswith("%")
    number = float(body.rstrip("% ").replace(",", "."))
    if percent and (scale.low, scale.high) not in ((0.0, 1.0), (0.0, 100.0)):
        return Problem(
            cause="off_scale", detail=f"{shown(text)}, per cent, is not {scale.describe()}"
        )
    try:
        return scale.parse(round(number / 100, 12) if percent and scale.high == 1.0 else number)
    except ScaleError:
        return Problem(cause="off_scale", detail=f"{shown(text)} is not {scale.describe()}")


def _named(line: str) -> tuple[str | None, str]:
    """(the name, folded, or None; the value) of a line."""
    match = _NAMED.fullmatch(fold(line))
    return (match["name"].casefold(), match["value"]) if match else (None, line)
