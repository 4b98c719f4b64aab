"""Strict reading of plain replies: yes or no in several languages, and bare values such as
``accuracy: 0.6``, ``**accuracy: 0.6**`` or ``{"accuracy": 0.6}``.

A reply that leaves a doubt is a Problem, never a silent no.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from graders.core.errors import ScaleError
from graders.core.number_words import number_in_words
from graders.core.records import Problem
from graders.core.rubric import Criterion
from graders.core.scale import Scale, Value
from graders.core.text import fold
from graders.core.words import say
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
#: Words that, right behind a word for no, leave the question without an answer, by language.
NO_ANSWER: dict[str, str] = {
    "en": "idea clue opinion comment answer doubt information info data context preference "
    "question problem judgement judgment verdict response",
    "ru": "ответа данных информации сомнений идей контекста понятия мнения",
    "es": "sé lo hay",
    "pt": "sei",
}
_NO_ANSWER = frozenset(word for words in NO_ANSWER.values() for word in words.split())
_BEFORE = " \"'“”„«»‘’「」『』([*_`"
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)?\s*%?")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}\b")
_FENCE = re.compile(r"```[\w-]*\s*\n?(?P<body>.*?)\n?\s*```", re.S)
_MARKS = re.compile(r"\*\*|__|`")
_ITEM = re.compile(r"^(?:[*•·]\s*|[-–—]\s*(?=[^\W\d_])|[-–—]\s+(?=\d))")
_NAMED = re.compile(r"(?P<name>[^:=\n]{1,80}?)\s*[:=]\s*(?P<value>.+)")


def read_yes_no(text: str) -> bool | Problem:
    """True for a reply that begins with a word for yes, False for no; Problem ``off_scale`` for all
    else.

    What follows the word is no matter ("YES because ..."), unless it is the opposite word ("yes or
    no") or makes the reply no answer at all ("no idea").
    """
    body = unicodedata.normalize("NFKC", text).casefold().strip()
    first = _WORD.match(body.lstrip(_BEFORE))
    if first is None or first.group() not in _YES | _NO:
        return Problem(cause="off_scale", detail=say("judges.reply.neither", said=shown(body)))
    rest = body.lstrip(_BEFORE)[first.end() :]
    following = _WORD.findall(rest)[:2]
    if first.group() in _NO and following and following[0] in _NO_ANSWER and rest[0] == " ":
        return Problem(cause="off_scale", detail=say("judges.reply.neither", said=shown(body)))
    if following and following[0] in _OR:
        following = following[1:]
    yes = first.group() in _YES
    if (
        following
        and following[0] in (_NO if yes else _YES)
        and following[0] not in (_YES if yes else _NO)
    ):
        return Problem(cause="off_scale", detail=say("judges.reply.both", said=shown(body)))
    return yes


def yes_no_label(scale: Scale, yes: bool) -> Value | None:
    """The label of a yes/no scale that means `yes`; None if the scale is another."""
    labels = {label.casefold(): label for label in scale.labels}
    return labels["yes" if yes else "no"] if set(labels) == {"yes", "no"} else None


def read_bare(
    text: str, criterion: Criterion, names: Sequence[str], reasoning: bool, prompt: str = ""
) -> tuple[Value, str] | Problem:
    """(value, rationale) of a reply that is a value, bare or behind the criterion's name
    (``accuracy: 0.6``), also with Markdown's marks, in a fence, or as a JSON object.

    `names` are what the criterion may be called; a name that a user's own `prompt` uses counts too.
    With `reasoning` the value stands in the last line, behind the name, and what comes before it is
    the rationale; else the reply is that one line. Thoughts between marks are neither.
    """
    text = without_thoughts(text)
    called = _Names(frozenset(fold(name, case=True) for name in names), fold(prompt, case=True))
    if (fenced := _FENCE.fullmatch(text.strip())) is not None:
        text = fenced["body"]
    if text.strip().startswith("{"):
        read = _json_value(text, criterion, called)
    else:
        read = _line_value(text, criterion, called, reasoning)
    if isinstance(read, Problem):
        return read
    value = read_value(read[0], criterion.scale)
    if isinstance(value, Problem):
        return Problem(cause=value.cause, detail=f"{criterion.name}: {value.detail}")
    return value, read[1]


@dataclass(frozen=True, slots=True)
class _Names:
    """What a criterion may be called in a reply: its `names`, and words of a user's own `prompt`,
    all folded."""

    names: frozenset[str]
    prompt: str

    def in_line(self, name: str | None) -> bool:
        """Whether a line's name is the criterion's, or stands before a colon in the prompt."""
        if name is None or name in self.names:
            return name is not None
        asked = rf"(?<!\w){re.escape(name)}\W{{0,3}}[:=]"
        return bool(self.prompt) and re.search(asked, self.prompt) is not None

    def in_object(self, key: str) -> bool:
        """Whether a key of a JSON object is the criterion's, or stands in quotes in the prompt."""
        return key in self.names or f'"{key}":' in self.prompt.replace(" :", ":")


def _line_value(
    text: str, criterion: Criterion, names: _Names, reasoning: bool
) -> tuple[str, str] | Problem:
    """(the value's text, rationale) of a reply in lines."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        return Problem(cause="empty", detail=say("judges.reply.empty"))
    if len(lines) > 1 and not reasoning:
        return Problem(
            cause="malformed",
            detail=say("judges.reply.lines", n=len(lines), said=shown(text.strip())),
        )
    name, value = _named(lines[-1])
    if (name is not None and not names.in_line(name)) or (name is None and len(lines) > 1):
        return Problem(
            cause="malformed",
            detail=say("judges.reply.last_line", criterion=criterion.name, said=shown(lines[-1])),
        )
    if any(names.in_line(_named(line)[0]) for line in lines[:-1]):
        return Problem(
            cause="malformed",
            detail=say("judges.reply.twice", criterion=criterion.name, said=shown(text.strip())),
        )
    return value, whole("\n".join(lines[:-1]))


def _json_value(text: str, criterion: Criterion, names: _Names) -> tuple[str, str] | Problem:
    """(the value's text, rationale) of a reply that is one JSON object; other texts in it are the
    rationale."""
    malformed = Problem(
        cause="malformed",
        detail=say("judges.reply.no_value", criterion=criterion.name, said=shown(text.strip())),
    )
    try:
        pairs: list[tuple[str, Any]] = json.loads(text, object_pairs_hook=list)
    except (ValueError, RecursionError):
        return malformed
    named = [value for key, value in pairs if names.in_object(fold(key, case=True))]
    if len(named) != 1 or not isinstance(named[0], str | int | float) or named[0] is True:
        return malformed
    others = [value for key, value in pairs if isinstance(value, str) and value is not named[0]]
    return str(named[0]), whole("\n".join(others))


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
                else Problem(cause="off_scale", detail=say("judges.reply.yes_no", said=shown(text)))
            )
            return (
                yes if isinstance(yes, Problem) else yes_no_label(scale, yes) or scale.parse(body)
            )
        labels = {label.casefold(): label for label in scale.labels}
        found = labels.get(body.casefold())
        return (
            found
            if found is not None
            else Problem(
                cause="off_scale",
                detail=say("judges.reply.off_scale", said=shown(text), scale=scale.describe()),
            )
        )
    body = body.removesuffix("。")
    body = body[:-1] if body.endswith(".") else body
    if (number_word := number_in_words(body)) is not None:
        body = f"{number_word:g}"
    if not _NUMBER.fullmatch(body) or _THOUSANDS.match(body):
        return Problem(cause="malformed", detail=say("judges.reply.number", said=shown(text)))
    percent = body.endswith("%")
    number = float(body.rstrip("% ").replace(",", "."))
    if percent and (scale.low, scale.high) not in ((0.0, 1.0), (0.0, 100.0)):
        return Problem(
            cause="off_scale",
            detail=say("judges.reply.percent", said=shown(text), scale=scale.describe()),
        )
    try:
        return scale.parse(round(number / 100, 12) if percent and scale.high == 1.0 else number)
    except ScaleError:
        return Problem(
            cause="off_scale",
            detail=say("judges.reply.off_scale", said=shown(text), scale=scale.describe()),
        )


def _named(line: str) -> tuple[str | None, str]:
    """(the name, folded, or None; the value) of a line, without Markdown's marks."""
    line = _ITEM.sub("", _MARKS.sub("", fold(line)))
    match = _NAMED.fullmatch(line)
    return (match["name"].strip().casefold(), match["value"]) if match else (None, line)
