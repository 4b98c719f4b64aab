"""Dialogues and their translations: whose turns they are, and in which of the two languages."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from graders.core.text import language_of
from graders.core.words import say
from graders.rules.languages._roles import numbered
from graders.rules.languages.pieces import language_between, same_script, weight
from graders.rules.writing.prose import without_code

_MOST, _MOST_LINES, _WIDEST = 40_000, 400, 1_000
_LABELLED = re.compile(
    r"^\s*(?:[-*•>]\s+|\d{1,3}[.)]\s*)?\*{0,2}(?P<label>(?:(?:Mr|Mrs|Ms|Dr|Sr|Sra|Prof|M|Г-н|"
    r"Г-жа)\.\s?)?"
    r"[^\W\d_][^\n:：*|()（）.!?。！？]{0,24})\*{0,2}\s*[:：]\*{0,2}\s*(?P<text>\S[^\n]*)$"
)
_DASHED = re.compile(r"^\s*(?:[—–]{1,2}\s*|-\s+)(?P<text>\S[^\n]*)$")
_BARE = re.compile(r"^\s*(?P<text>[(（]?\S[^\n]*)$")
_BRACKET = re.compile(r"\s*[(（](?P<inner>[^()（）\n]{2,300})[)）]")
_TRAILING = re.compile(r"(?<=\S)\s*[*_]{0,2}[(（](?P<inner>[^()（）\n]{2,300})[)）]\W*$")
#: Headings of remarks, which look like speakers.
_NO_SPEAKER = re.compile(
    r"\W*(?:生词|词汇|单词|语法|注|提示|说明|解说|备注|补充|文化|温馨|"
    r"発音|補足|解説|произношени|культур|cultur|pronunciation|小知识|重点|翻译|译文|中文|vocab|"
    r"words?\b|notes?\b|"
    r"tips?\b|grammar|key |useful|"
    r"translation|formal|informal|слова|словар|грамматик|примечани|"
    r"перевод|лексик|совет|単語|語彙|文法|注意|"
    r"ポイント|訳|メモ|表現)",
    re.I,
)
_BETWEEN = re.compile(r"\s[—–=/-]{1,2}\s|(?<=[.!?。！？…])\s*[—–/=]{1,2}\s*(?=\S)")
_HEADING = re.compile(
    r"^\W*(?:\w{1,20} ){0,2}(?:translation|перевод\w*|\w{0,4}(?:译文|翻译|訳)|中文|english|"
    r"русский|英語|"
    r"日本語|英文|原文|original|оригинал|dialogue|диалог|对话|会話)(?: \w{1,20}){0,2}\W*$",
    re.I,
)
#: What stands below it is no dialogue.
_LIST_OF_WORDS = re.compile(
    r"^[\W_]*(?:\w{1,16} ){0,2}(?:vocabulary|glossary|words?|key (?:words|phrases)|notes?|useful "
    r"(?:words|"
    r"phrases|expressions)|grammar|слова|словар\w*|лексика|выражения|грамматика|примечани\w|"
    r"[\w]{0,4}(?:词汇|生词|单词|词语|词组|短语|语法|注释|知识点|表达)[\w]{0,4}|"
    r"[\w]{0,4}(?:単語|語彙|文法|表現|ポイント|語句|フレーズ)[\w]{0,4})(?: \w{1,16}){0,2}[\W_]*$",
    re.I,
)
#: A heading: another part of the answer begins.
_TITLE = re.compile(r"^\s*(?:#{1,6}\s+[^\n|]*|\*\*[^*\n:：]{2,60}\*\*\s*)$")
_INNER_LABEL = re.compile(r"^\W*(?P<label>[^\W\d_][^\n:：.!?。！？]{0,24})[:：]\s*(?=\S)")
_SCRIPTS = (
    ("ru", "[Ѐ-ӿ]"),
    ("ja", "[ぁ-ヿ]"),
    ("zh", "[㐀-鿿]"),
    ("ko", "[가-힣]"),
    ("ar", "[\u0600-\u06ff]"),
    ("he", "[\u0590-\u05ff]"),
)


class Turn(NamedTuple):
    """What somebody says; `speaker` is the label as written, "" for a dash or a translation
    below."""

    speaker: str
    language: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Why a dialogue and its translation do not pair up, and where."""

    what: str
    start: int
    end: int


def turns(text: str, own: str, other: str) -> list[Turn]:
    """The turns of `text` in `own` and `other`; a turn with its translation in brackets, or in the
    next cell, is two."""
    prose = without_code(text[:_MOST])
    found: list[Turn] = []
    for match in [*re.finditer(r"[^\n]+", prose)][:_MOST_LINES]:
        line = match.group()[:_WIDEST]
        if len(found) >= 4 and (
            _LIST_OF_WORDS.match(line)
            or (_TITLE.match(line) and not _HEADING.match(line) and _in_both(found, own, other))
        ):
            break
        if line.isspace() or _HEADING.match(line) or re.match(r"^[\s|:-]+$", line):
            continue
        if line.lstrip().startswith("|"):
            for cell in re.finditer(r"[^|]+", line):
                found += _in(cell.group(), match.start() + cell.start(), own, other, False)
        else:
            # A line without a speaker is the translation of the turn above it.
            follows = (bool(found) and line.strip()[:1] in "(（") or _below(found, line, own, other)
            found += _in(line, match.start(), own, other, follows)
    return _without_remarks(_resolved(found, own, other))


def _in_both(found: list[Turn], own: str, other: str) -> bool:
    return all(sum(turn.language == code for turn in found) >= 2 for code in (own, other))


def _resolved(found: list[Turn], own: str, other: str) -> list[Turn]:
    """The turns, where one whose language its words do not tell has the one that its neighbours
    lack; without those that remain open."""
    out: list[Turn] = []
    for place, turn in enumerate(found):
        if not turn.language:
            behind = out[-1].language if out else ""
            ahead = found[place + 1].language if place + 1 < len(found) else ""
            if not (behind or ahead) or {behind, ahead} == {own, other}:
                continue
            turn = turn._replace(language=other if (ahead or behind) == own else own)
        out.append(turn)
    return out


def _without_remarks(found: list[Turn]) -> list[Turn]:
    """Where people are named, a line without a name is a turn's translation if most turns have
    such a line below; else it is a heading, what somebody does, a closing remark."""
    named = [turn for turn in found if turn.speaker]
    if len(named) < 0.6 * len(found) or len(found) - len(named) >= 0.4 * len(named):
        return found
    return named


def gap_in_table(text: str, own: str, other: str) -> Turn | None:
    """The cell of a table whose neighbour in the column of the other language is empty."""
    rows = [
        [(match.start() + 1 + cell.start(), cell.group()) for cell in re.finditer(r"[^|]+", inner)]
        for match in [*re.finditer(r"^[ \t]*\|([^\n]*)\|[ \t]*$", text[:_MOST], re.M)][:_MOST_LINES]
        if (inner := match.group(1)) and not re.match(r"^[\s|:-]+$", inner)
    ]
    width = max(map(len, rows), default=0)
    body = [row for row in rows[1:] if len(row) == width]
    if len(body) < 3 or len(body) < len(rows) - 2:
        return None
    columns = []
    for place in range(width):
        cells = [row[place][1] for row in body]
        columns.append(
            {
                code: sum(weight(one, code) for one in cells if _spoken(one, own, other) == code)
                for code in (own, other)
            }
        )
    best = {
        code: max(range(width), key=lambda place: columns[place][code]) for code in (own, other)
    }
    if best[own] == best[other] or min(columns[best[code]][code] for code in best) < 20:
        return None
    for row in body:
        (start, mine), (begin, yours) = row[best[own]], row[best[other]]
        if bool(mine.strip()) != bool(yours.strip()):
            at, said = (start, mine) if mine.strip() else (begin, yours)
            return Turn("", own if mine.strip() else other, at, at + len(said))
    return None


def _below(found: list[Turn], line: str, own: str, other: str) -> bool:
    if not found or _LABELLED.match(line) or _DASHED.match(line) or not found[-1].speaker:
        return False
    return language_between(line, own, other) not in ("", found[-1].language)


def _in(line: str, at: int, own: str, other: str, follows: bool) -> list[Turn]:
    labelled = _LABELLED.match(line)
    if labelled and _NO_SPEAKER.match(labelled["label"]):
        return []
    match = labelled or _DASHED.match(line) or (_BARE.match(line) if follows else None)
    if match is None:
        return []
    speaker = labelled["label"].strip() if labelled else ""
    text, start = match["text"], at + match.start("text")
    out = []
    bracket = next(
        (
            one
            for one in _BRACKET.finditer(text)
            if one.start() > 0
            and language_between(one["inner"], own, other)
            not in ("", language_between(text[: one.start()], own, other))
        ),
        None,
    )
    # Of two short pieces in one script the words tell little: what stands in brackets translates.
    if not bracket and (said := _TRAILING.search(text)) and same_script(own, other):
        return [
            Turn(speaker, code, start + begin, start + end)
            for code, begin, end in (
                (other, 0, said.start()),
                (own, said.start("inner"), said.end("inner")),
            )
        ]
    body = text[: bracket.start()] if bracket else text
    inner, behind = (bracket["inner"], bracket.start("inner")) if bracket else ("", 0)
    if not bracket and (dash := _joined(text, own, other)):
        body, inner, behind = text[: dash.start()], text[dash.end() :], dash.end()
    for part, begin in ((body, start), (inner, start + behind)):
        language = _spoken(part, own, other)
        named = _INNER_LABEL.match(part) if begin != start and speaker else None
        who = named["label"].strip() if named else speaker
        if language or (labelled and re.search(r"\w", part)):
            out.append(Turn(who, language, begin, begin + len(part)))
    return out


def _joined(text: str, own: str, other: str) -> re.Match[str] | None:
    """The dash between what is said and its translation in the same line."""
    for dash in _BETWEEN.finditer(text):
        codes = {
            language_between(text[: dash.start()], own, other),
            language_between(text[dash.end() :], own, other),
        }
        if codes == {own, other}:
            return dash
    return None


def _spoken(part: str, own: str, other: str) -> str:
    found = language_between(part, own, other) if part.strip() else ""
    return found if found and weight(part, found) >= 2 else ""


def other_language(text: str, own: str, named: frozenset[str]) -> str:
    """The language beside `own` in which the dialogue is: one that the question names, else one
    whose script the text has."""
    candidates = named - {own}
    if len(candidates) == 1:
        return next(iter(candidates))
    seen = [
        code
        for code, script in _SCRIPTS
        if code != own and len(re.findall(script, text[:_MOST])) >= 6
    ]
    if own == "ja" and seen == ["zh"]:
        return ""
    if seen:
        return seen[0]
    return (
        "en"
        if own != "en"
        and language_of(" ".join(re.findall("[A-Za-z' ]{4,200}", text[:_MOST]))) == "en"
        else ""
    )


def mismatch(found: list[Turn], own: str, other: str) -> Mismatch | None:
    """How the turns in one language differ from those in the other; None where they pair up, or
    where one has no two turns."""
    ours, theirs = ([turn for turn in found if turn.language == code] for code in (own, other))
    ours, theirs = _without_afterword(ours, theirs), _without_afterword(theirs, ours)
    if len(ours) < 2 or len(theirs) < 2 or _both_languages_spoken(ours, theirs):
        return None
    if len(ours) != len(theirs):
        longer = max(ours, theirs, key=len)
        lonely = _lonely(found, longer[0].language) or longer[-1]
        return Mismatch(
            say("rules.turns.uneven", theirs=len(theirs), ours=len(ours)),
            lonely.start,
            lonely.end,
        )
    if not all(turn.speaker for turn in (*ours, *theirs)):
        return None
    same = {turn.speaker for turn in ours} == {turn.speaker for turn in theirs}
    orders = [
        [turn.speaker for turn in row] if same else (known or _order(row))
        for row, known in zip(
            (ours, theirs),
            numbered([[turn.speaker for turn in row] for row in (ours, theirs)]),
            strict=True,
        )
    ]
    for place, (one, another) in enumerate(zip(*orders, strict=True)):
        if one != another:
            turn = ours[place]
            return Mismatch(say("rules.turns.speaker", turn=place + 1), turn.start, turn.end)
    return None


def _without_afterword(row: list[Turn], beside: list[Turn]) -> list[Turn]:
    """The turns of one language without the last, where its label speaks nowhere else and the
    others speak again and again: a remark with a label."""
    if len(row) != len(beside) + 1 or not row[-1].speaker:
        return row
    said = Counter(turn.speaker for turn in (*row, *beside))
    others = [count for name, count in said.items() if name != row[-1].speaker]
    alone = said[row[-1].speaker] == 1 and len(others) >= 2 and min(others) >= 2
    return row[:-1] if alone else row


def _lonely(found: list[Turn], language: str) -> Turn | None:
    """The first turn of a language that another one of it follows, where the two languages take
    turns."""
    blocks = sum(one.language != two.language for one, two in pairwise(found))
    if blocks < 2:
        return None
    return next(
        (one for one, two in pairwise(found) if one.language == two.language == language), None
    )


def _order(row: list[Turn]) -> list[int]:
    """Speakers as numbers in the order in which they first speak: names change in a translation."""
    known: dict[str, int] = {}
    return [known.setdefault(turn.speaker, len(known)) for turn in row]


def _both_languages_spoken(ours: list[Turn], theirs: list[Turn]) -> bool:
    """Whether people of two languages talk with each other: each language has its own speakers, and
    they take turns."""
    mine, yours = {turn.speaker for turn in ours}, {turn.speaker for turn in theirs}
    if "" in mine | yours or mine & yours:
        return False
    interleaved = ours[0].start < theirs[-1].start and theirs[0].start < ours[-1].start
    return interleaved and (
        len(mine) == len(yours) == 1 or all(name.isascii() for name in mine | yours)
    )
