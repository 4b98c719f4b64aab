"""The same again and again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from graders.core.contracts import Rule
from graders.core.examples import FaultExample
from graders.core.records import Mark, Subject
from graders.core.rubric import Criterion
from graders.core.scale import YES_NO, Scale
from graders.core.words import carried
from graders.rules.writing.marks import refusal, span, worst
from graders.rules.writing.prose import EASTERN, fences, without_code

say = carried(
    "repetition_loop",
    {
        "asked": "The question asks for something to be repeated.",
        "loop": "{shown!r} comes {copies} times in a row.",
        "none": "Nothing comes again and again.",
    },
)

_READ = 60_000
_LONGEST = 160
#: Songs and poems may repeat a line: so many copies in a row are a loop there too. Of a longer line
#: or a group of lines a poem needs fewer, and so does a song of a whole stanza: a refrain comes
#: back after other lines, not after itself.
_SUNG_COPIES, _VERSE_COPIES = 8, 4
_LONG_LINE, _STANZA_LINES = 16, 4
_BREAK = re.compile(r"(?<=[^\d\s][.!?])[ \t]+|(?<=[。！？])(?![」』”。！？])|\n+")
_ITEM = re.compile(r"^\s{0,8}(?:[-*+•]|\d{1,3}[.)、．]|[（(]\d{1,3}[)）])\s*")
_ASKED = re.compile(
    r"knock[ -]?knock|тук-тук|longest possible|\bdrill|抄写|机械|描红|ドリル|書き取り|прописи|"
    r"\brepeat|\b(?:\w{1,16}(?:teen|ty|ve)|three|four|six|seven|eight|nine|ten|hundred|thousand|"
    r"dozen|many|"
    r"several|\d{1,4}) times\b|over and over|again and again|\brefrain|\bchorus|\b(?:punishment|"
    r"lines)\b|"
    r"повтор|"
    r"(?:\d|\b\w{0,16}(?:надцать|дцать|сто|пять|шесть|семь|восемь|девять|десять|сорок)|много|раз "
    r"за)\s+раз|"
    r"重复|反复|多次|何度も|何回も|"
    r"[\d一二三四五六七八九十百两](?:遍|次)|繰り返|くり返|\d回",
    re.I,
)
_SONG = re.compile(r"\bsong|lyric|chant|mantra|песн|мантр|куплет|歌|咒|呪", re.I)
_POEM = re.compile(r"\bpoem|\bverse|стих|诗|詩", re.I)
#: Laughter and cries: letters that stand for sounds, not for words.
_SOUND = re.compile(
    r"[haeiouxlwхаеиоуэгыя哈呵嘿嘻呜啊哇咚ハはひふへほフヒ笑ー!！?？.,，、…~～\s]+", re.I
)
#: The number that a line of a list or of days begins with.
_COUNTER = re.compile(r"^(\W{0,4}(?:[^\W\d_]{1,8}\s?)?)(?:\d{1,4}|[一二三四五六七八九十]{1,3})")
_NUMBER = re.compile(r"\d[\d.,]*")
#: A table has no more rows than this; a group of sentences of this length is no refrain.
_MOST_OF_TABLE, _LONG_GROUP = 20, 90
_BOLD_ITEM = re.compile(
    r"^[ \t]*(?:[-*•]\s+|\d{1,3}[.)、]\s*)\*\*(?P<head>[^*\n]{3,60})\*\*[^\n]*", re.M
)
_LEAD = re.compile(r"^[^,，、:：]{1,24}[,，、:：]\s*")
_WORDS = re.compile(r"[㐀-鿿]|[ぁ-ヿ]|[^\W_]+")
_LEAST_COUNTED = 20


@dataclass(frozen=True)
class RepetitionLoop(Rule):
    """Decides that an answer is caught in a loop: a phrase, a sentence, a line or a group of them
    comes again at once, and again.

    A phrase counts from 6 copies (or 4 of 20 and more characters), a sentence or a line from 4
    copies in a row, a group of them from 3 and 8 lines or sentences in all. In songs and poems all
    this counts from 8 copies; from 4 a stanza of a song, and of a poem a longer line, a phrase of
    16 and more characters, or a group of lines. Read are the first 60,000 characters, without code,
    tables and laughter.
    """

    version: ClassVar[str] = "5"
    about: ClassVar[str] = "The answer does not say the same again and again."
    default_scale: ClassVar[Scale] = YES_NO
    fault: ClassVar[str] = "repetition_loop"
    fault_title: ClassVar[str] = "Repetition loop"
    fault_about: ClassVar[str] = (
        "The answer repeats the same words, lines or sentences again and again without purpose. "
        "A refrain or a list that begins alike is no fault."
    )
    severity: ClassVar[str] = "major"
    speaks_to: ClassVar[str] = "mistakes"
    why: ClassVar[str] = (
        "The reader scrolls through the same words and does not know where the answer ends, "
        "or whether it does."
    )
    misses: ClassVar[str] = (
        "Loops with small changes in each round, a sentence that comes again far away, "
        "repetition that the question asks for."
    )
    present: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "How does sleep help?",
            "It helps the brain. " + "It is important to sleep well. " * 5,
            "One sentence five times.",
            "It is important to sleep well.",
        ),
        FaultExample(
            "介绍北京", "北京是中国的首都" + "的首都" * 12, "“的首都”说了又说。", "的首都"
        ),
    )
    absent: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "List phrases.",
            (
                "- You can ask for water.\n- You can ask for bread.\n- You can ask for salt.\n- "
                "You can ask for tea."
            ),
            "The same beginning, not the same sentence.",
        ),
        FaultExample(
            "Посмейся!", "Ахахахахахаха! Хи-хи-хи-хи-хи! Очень, очень смешно.", "Смех не петля."
        ),
    )
    missed: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "How does sleep help?",
            (
                "Sleep is good, it is 1 thing. Sleep is good, it is 2 things. Sleep is good, "
                "it is 3 things. Sleep is good, it is 4 things."
            ),
            "Overlooked: each round changes a word.",
        ),
    )

    def grade(self, subject: Subject, criterion: Criterion) -> Mark:
        if refused := refusal(subject):
            return refused
        if _ASKED.search(subject.question.text[:20_000]):
            return Mark.unscored("not_decisive", say("asked"))
        text = subject.answer.text[:_READ]
        prose = without_code(text)
        asked = subject.question.text[:20_000]
        least = _of_song if _SONG.search(asked) else _of_poem if _POEM.search(asked) else _of_prose
        found = next(
            (
                one
                for look in (_circles, _counting, _tables, _items, _shuffled, _phrases, _stuck)
                for one in look(prose)
                if one[2] >= least(one[3]) and not re.search(r"_{3,}", one[3])
            ),
            None,
        )
        found = found or next(_code_circles(text), None) or next(_numbered(text), None)
        if found is None:
            return Mark.unscored("not_decisive", say("none"))
        start, end, copies, unit = found
        shown = " ".join(unit.split())
        shown = shown if len(shown) <= 60 else f"{shown[:60].rstrip()} …"
        return worst(criterion, say("loop", shown=shown, copies=copies), [span(text, start, end)])


def _of_prose(unit: str) -> int:
    """Copies of `unit` that are a loop in prose: as many as `_circles` and `phrases` ask for."""
    return 0


def _of_poem(unit: str) -> int:
    """Copies that are a loop in a poem."""
    return (
        _VERSE_COPIES
        if "\n" in unit.strip() or _weight(unit.strip()) >= _LONG_LINE
        else _SUNG_COPIES
    )


def _of_song(unit: str) -> int:
    """Copies that are a loop in a song."""
    return _VERSE_COPIES if len(unit.split("\n")) >= _STANZA_LINES else _SUNG_COPIES


def _circles(text: str) -> Iterator[tuple[int, int, int, str]]:
    """Runs of equal sentences or lines, and of groups of up to 12 of them: start, end, copies, the
    group."""
    pieces = [(start, end) for start, end in _pieces(text) if text[start:end].strip()]
    keys = [_key(text[start:end]) for start, end in pieces]
    yield from _runs(text, pieces, keys)


def _counting(text: str) -> Iterator[tuple[int, int, int, str]]:
    """Runs of lines that differ in nothing but the number that they begin with."""
    pieces = [(start, end) for start, end in _pieces(text) if text[start:end].strip()]
    keys = [_COUNTER.sub(r"\1#", _key(text[start:end]), count=1) for start, end in pieces]
    for found in _runs(text, pieces, keys):
        if found[2] >= 5 and _weight(found[3]) >= _LEAST_COUNTED:
            yield found


def _tables(text: str) -> Iterator[tuple[int, int, int, str]]:
    """Runs of sentences that differ in nothing but their numbers, on and on."""
    pieces = [(start, end) for start, end in _pieces(text) if text[start:end].strip()]
    keys = [_NUMBER.sub("#", _key(text[start:end])) for start, end in pieces]
    for found in _runs(text, pieces, keys):
        if found[2] >= _MOST_OF_TABLE and len(re.findall(r"[^\W\d_]{2,}", found[3])) >= 4:
            yield found


def _numbered(text: str) -> Iterator[tuple[int, int, int, str]]:
    """Runs of lines that count upwards and say nothing else new, in prose, cells or code."""
    lines = [(match.start(), match.group()) for match in re.finditer(r"[^\n]+", text)]
    start, last = 0, -1
    before: tuple[str, list[int]] = ("", [])
    for at, (_, line) in enumerate([*lines, (0, "")]):
        numbers = [int(one) for one in re.findall(r"\d{1,9}", line[:400])]
        now = (re.sub(r"\d{1,9}", "#", line[:400]).strip(), numbers)
        goes_on = (
            now[0] == before[0]
            and any(numbers)
            and all(0 <= new - old <= 1 for old, new in zip(before[1], numbers, strict=True))
            and any(new > old for old, new in zip(before[1], numbers, strict=True))
        )
        if not goes_on:
            count = last - start + 1
            shown = lines[start][1] if lines else ""
            if re.search(r"_{2,}|[:：]\s*$|\|\s*\|", shown):
                # A form to be filled in.
                count = 0
            if count >= _LEAST_COUNTING and len(re.findall(r"[^\W\d_]", shown)) >= 4:
                yield lines[start][0], lines[last][0] + len(lines[last][1]), count, shown
            start = at
        last, before = at, now


#: Lines that count upwards: a table or a list of so many has something to say.
_LEAST_COUNTING = 9


def _stuck(text: str) -> Iterator[tuple[int, int, int, str]]:
    """An end that goes round among a few sentences in no fixed order, or with a word changed."""
    places = [(start, end) for start, end in _pieces(text) if _WORDS.search(text[start:end])]
    places = places[-_LAST_PIECES:]
    words = [frozenset(_WORDS.findall(_key(text[start:end])[:400])) for start, end in places]
    first = len(places)
    while first and any(
        len(words[first - 1] & other) >= 0.75 * len(words[first - 1] | other)
        for other in words[first:] or words[first - 2 : first - 1]
    ):
        first -= 1
    run = words[first:]
    kinds: list[frozenset[str]] = []
    for one in run:
        if not any(len(one & kind) >= 0.75 * len(one | kind) for kind in kinds):
            kinds.append(one)
    long = sum(map(len, kinds)) >= 5 * len(kinds)
    if len(run) >= _LEAST_STUCK and kinds and 2.5 * len(kinds) <= len(run) and long:
        start, end = places[first]
        yield start, places[-1][1], len(run) // len(kinds), text[start:end]


#: Sentences at the end of an answer that are looked at, and how many go round.
_LAST_PIECES, _LEAST_STUCK = 60, 6


def _items(text: str) -> Iterator[tuple[int, int, int, str]]:
    """Items of a list that come round again under the same heads, in other words behind them."""
    items = list(_BOLD_ITEM.finditer(text))
    heads = Counter(item["head"].strip(" .:：").casefold() for item in items)
    again = [head for head, count in heads.items() if count >= 3]
    if (
        len(items) >= 9
        and len(again) >= 2
        and sum(heads[head] for head in again) >= 0.7 * len(items)
    ):
        yield (
            items[0].start(),
            items[-1].end(),
            min(heads[head] for head in again),
            items[0]["head"],
        )


def _shuffled(text: str) -> Iterator[tuple[int, int, int, str]]:
    """Runs of sentences of the same words in another order, behind another "in short, "."""
    pieces = [(start, end) for start, end in _pieces(text) if text[start:end].strip()]
    keys = []
    for start, end in pieces:
        words = _WORDS.findall(_LEAD.sub("", _key(text[start:end])))
        keys.append(" ".join(sorted(words)) if len(words) >= 5 else "")
    for found in _runs(text, pieces, keys):
        if _weight(found[3]) >= _LEAST_COUNTED:
            yield found


def _code_circles(text: str) -> Iterator[tuple[int, int, int, str]]:
    """Runs of lines, and of groups of them, within blocks of code: far more than a program has."""
    for begin, end in fences(text).blocks:
        lines = [
            (begin + match.start(), begin + match.end())
            for match in re.finditer(r"[^\n]+", text[begin:end])
        ]
        keys = [
            " ".join(text[a:b].split()) if re.search(r"\w{2}", text[a:b]) else "" for a, b in lines
        ]
        for found in _runs(text, lines, keys):
            if found[2] >= 6 and text.count("\n", found[0], found[1]) >= 7:
                yield found


def _runs(
    text: str, pieces: list[tuple[int, int]], keys: list[str]
) -> Iterator[tuple[int, int, int, str]]:
    for size in range(1, 13):
        run = 0
        for at in range(size, len(keys) + 1):
            if at < len(keys) and keys[at] == keys[at - size] and keys[at]:
                run += 1
                continue
            copies, first = run // size + 1, at - run - size
            group = " ".join(keys[first : first + size])
            enough = copies * size >= (4 if size == 1 else 8) or _weight(group) >= _LONG_GROUP
            # A list of answers such as "はい" may hold the same one four times.
            told = _weight(group) >= (8 if size == 1 else 6) and not _SOUND.fullmatch(group)
            if copies >= (4 if size == 1 else 3) and enough and told:
                yield (
                    pieces[first][0],
                    pieces[at - 1][1],
                    copies,
                    text[pieces[first][0] : pieces[first + size - 1][1]],
                )
            run = 0


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Sentences and lines as spans."""
    at = 0
    for match in _BREAK.finditer(text):
        yield at, match.start()
        at = match.end()
    yield at, len(text)


def _key(piece: str) -> str:
    """What makes two sentences or lines the same: the words, without number and bullet; "" for rows
    of a table and rules."""
    if piece.lstrip().startswith("|"):
        return ""
    key = (
        " ".join(re.sub(r"[*_\"'“”«»「」]", "", _ITEM.sub("", piece)).split())
        .strip(" .!?。！？,，、")
        .casefold()
    )
    return key if re.search(r"[^\W\d_]", key) else ""


def _phrases(text: str) -> Iterator[tuple[int, int, int, str]]:
    """Phrases that follow themselves at once: start, end, copies, the phrase.

    A phrase of length p that comes k times is a stretch of (k - 1) p places at which a character
    equals the one p places on.
    """
    import numpy as np

    flat = re.sub(r"(?m)^[ \t]*\|[^\n]*", lambda row: "\n" * len(row.group()), text)
    codes = np.frombuffer(
        re.sub(r"[ \t]", " ", flat).casefold().encode("utf-32-le", "surrogatepass"), dtype=np.uint32
    ).astype(np.int64)
    if len(codes) != len(text):
        codes = np.frombuffer(flat.encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(
            np.int64
        )
    lines = codes == ord("\n")
    codes[lines] = -1 - np.flatnonzero(lines)
    for period in range(2, min(_LONGEST, len(codes) // 4) + 1):
        differs = codes[:-period] != codes[period:]
        # Most periods end here: fewer equal places in all than one loop needs in a row.
        if len(differs) - np.count_nonzero(differs) < 3 * period:
            continue
        stops = np.flatnonzero(np.concatenate(([True], differs, [True])))
        lengths = np.diff(stops) - 1
        for at in np.flatnonzero(lengths >= 3 * period)[:20]:
            start, length = int(stops[at]), int(lengths[at])
            unit, copies = flat[start : start + period], length // period + 1
            if _is_loop(unit, copies):
                yield start, start + length + period, copies, unit


def _is_loop(unit: str, copies: int) -> bool:
    bare = unit.strip(" ,，、;；")
    letters = set(re.findall(r"[^\W\d_]", bare))
    if len(letters) < 2 or _SOUND.fullmatch(bare):
        return False
    return copies >= (4 if _weight(bare) >= 18 else 6) and copies * _weight(unit) >= 40


def _weight(text: str) -> int:
    """Length in letters, where a Chinese or Japanese character says as much as three."""
    return len(text) + 2 * len(EASTERN.findall(text))
