"""How a text ends: signs that it was cut off, strong ones (nothing ends so) and weak ones (its
other sentences end otherwise)."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from graders.core.words import say
from graders.rules.writing.prose import EASTERN, blank, fences

_CLOSERS = "\"'”’»」』）)]】》〉*_`"
_TERMINAL = frozenset(".!?…。！？｡;；♪~～")
_ITEM = re.compile(r"^\s*(?:[-*+•・◦–]\s|\d{1,3}[.)、]\s?|[(（]?[一二三四五六七八九十]+[)）、])")
_EMPTY_ITEM = re.compile(r"^\s*(?:[-*+•・]|\d{1,3}[.)])\s*(?:\*\*)?\s*$")
#: An item that another one follows: "…;", "…, and".
_GOES_ON = re.compile(r"[;；,，]\s?(?:and|or|и|или)?\s*$", re.I)
#: The line of who signs.
_SIGNED = re.compile(
    r"^\W*(?:yours?|love|your \w+|kind regards|best|warmly|sincerely|with love|ваш\w?|твой|твоя|"
    r"твои|"
    r"с (?:уважением|любовью|наилучшими|теплом)|искренне|обнимаю|целую)\b[^.!?\n]{0,60}$",
    re.I,
)
#: The number of an item within a line: "1. a book, 2. the clock".
_NUMBER_WITHIN = re.compile(r"(?:^|[\s,;:：(*，；])\d{1,2}[.．]$")
_RULE = re.compile(r"^\s*([-*_=])(?:\s*\1){2,}\s*$")
_TABLE_RULE = re.compile(r"^\s*\|(?:\s*:?-+:?\s*\|)+\s*$")
#: Rows of a table that are looked at.
_ROWS = 60
_HEADING = re.compile(r"^ {0,3}#{1,6}\s+\S")
_CODE = re.compile(
    r"[{};]\s*$|^\s*(?:def|class|import|from|return|"
    r"SELECT|INSERT|UPDATE|#include|public|var|let|const|function)\b|"
    r"^\s*</?\w+[^>]*>\s*$|=>|\w\(\w*\)\s*[;{:]?$"
)
_FIELD = re.compile(r"^\W*[^:：]{1,40}[:：]\W*(?P<rest>.*)$")
_URL_END = re.compile(
    r"(?:https?://|www\.)\S+$|[^\s@]{1,64}@[^\s@]{1,64}\.\w{1,20}$|\b[\w-]{1,64}\.(?:com|org|"
    r"net|io|ru|cn|jp|dev|html?)(?:/\S{0,200})?$"
)
#: Words that no sentence ends with.
_LEADING = re.compile(
    r"(?:^|[\s(\"'“«—-])(?:the|an?|and|or|but|of|to|with|from|because|than|into|their|your|"
    r"which|whose|if|when|while|are|for|by|as|"
    r"и|а|но|или|в|во|на|с|со|к|ко|по|для|что|котор(?:ый|ая|ое|ые|ого|ую|ой|ых|ым)|чтобы|"
    r"если|из|от|до|при|без|под|над|о|об|не|ни|у|поскольку|потому|либо|чтоб)$",
    re.I,
)
#: A pronoun right after the word that opens its clause.
_OPENED = re.compile(
    r"(?:^|[\s,])(?:(?:so )?that|because|if|when|where|while)\s(?:you|we|they|he|she|it|i)$|"
    r"(?:^|[\s,])(?:чтобы|если|когда|куда|потому что|так "
    r"что)\s(?:вы|ты|мы|они|он|она|ваш|твой|ваша|твоя|ваши|твои)$",
    re.I,
)
_LEADING_EAST = re.compile(
    r"(?:[和或与及把被并且将让使从向对由]|可以用|可用|能够|应该|必须|可能|以及|因为|由于|包括以下|"
    r"还能|也能|就能|还会|也会|更加|从而|需要|"
    r"包括|但是|如果|例如|比如|[をはがとへやに]|および|または|しかし|例えば|そして)$"
)
#: What opens an example or a list.
_INTRODUCES = re.compile(
    r"\b(?:for example|for instance|such as|e\. ?g\.?|namely|including|in order to|as well as)$|"
    r"(?:^|\s)(?:например|такие как|в частности|в том числе|то есть|для того чтобы|а также)$",
    re.I,
)
#: A line to be filled in by hand; a wish that Japanese leaves without its verb.
_TO_FILL = re.compile(r"[_＿…]{3,}\W*$")
_WISH = re.compile(
    r"(?:(?:[良よ]い|素敵な|すてきな|楽しい|素晴らしい|幸せな)[^。、]{1,10}|(?<!\w)ご[^。、]{1,4}|"
    r"幸運|乾杯|祝福)を$"
)
_PRICE = re.compile(r"\$\d")
_MIN_WORDS = 3
#: From so many words on an item without a full stop is a sentence rather than a name.
_SENTENCE_WORDS = 5
#: Characters at the end of an answer, and of a line, that are looked at.
_TAIL, _WIDEST = 20_000, 4_000


@dataclass(frozen=True, slots=True)
class Sign:
    """Why a text seems cut off, and where its unfinished piece starts. `strong` signs count
    whatever else is known."""

    what: str
    start: int
    strong: bool


def sign_of_cut(text: str) -> Sign | None:
    """The first sign that `text` was cut off, or None."""
    code = fences(text)
    if code.open_at is not None:
        return Sign(say("rules.cut.code"), code.open_at, True)
    if code.blocks and not text[code.blocks[-1][1] :].strip():
        return None
    tail = max(0, len(text) - _TAIL)
    lines = [(tail + start, line) for start, line in _lines(blank(text, code.blocks)[tail:])]
    if not lines:
        return None
    start, last = lines[-1]
    before = [line for _, line in lines[:-1]]
    what = _broken_line(last, before)
    if what:
        return Sign(what, start, True)
    if not _may_be_prose(last):
        return None
    what = _strong(last, before)
    if what:
        return Sign(what, start, True)
    if _ended(last) or _last_word_tells_nothing(last) or _is_verse(before, last):
        return None
    return _weak(start, last, before)


#: So many lines that end with a dash are a habit.
_DASHES = 2


def _lines(text: str) -> list[tuple[int, str]]:
    """Offset and text of the lines with content; rules between parts are no lines."""
    found = []
    for match in re.finditer(r"[^\n]+", text):
        line = match.group().rstrip()
        if line and not _RULE.match(line[:80]):
            # Of a long line the end tells.
            found.append((match.start() + max(0, len(line) - _WIDEST), line[-_WIDEST:]))
    return found


def _broken_line(last: str, before: list[str]) -> str:
    """Signs in what is not prose: a heading or an item without content, a row of a table without an
    end."""
    if _HEADING.match(last):
        # Some answers are lists of headings; then an earlier heading has no text below it either.
        headings = [i for i, line in enumerate(before) if _HEADING.match(line)]
        same = [i for i in headings if _level(before[i]) == _level(last)]
        complete = all(i + 1 < len(before) and not _HEADING.match(before[i + 1]) for i in same)
        return say("rules.cut.heading") if same and complete else ""
    if _EMPTY_ITEM.match(last) and before:
        return say("rules.cut.item")
    if last.lstrip().startswith("|") and not last.endswith("|"):
        rows = [line for line in before if line.lstrip().startswith("|")]
        return say("rules.cut.row") if rows and all(row.endswith("|") for row in rows) else ""
    if last.lstrip().startswith("|") and any(_TABLE_RULE.match(line) for line in before[-_ROWS:]):
        rows = [line for line in before[-_ROWS:] if line.lstrip().startswith("|")]
        short = last.count("|") < min(row.count("|") for row in rows)
        return say("rules.cut.cells") if short else ""
    return ""


def _level(heading: str) -> int:
    return len(heading.lstrip()) - len(heading.lstrip().lstrip("#"))


def _may_be_prose(last: str) -> bool:
    return not (
        _HEADING.match(last)
        or last.lstrip().startswith(("|", "<"))
        or _URL_END.search(last.split()[-1][-2000:])
        or _CODE.search(last)
    )


def _strong(last: str, before: list[str]) -> str:
    """Signs that hold for a single line: its last character or word leads on to something."""
    body = last.rstrip("*_ ")
    if not body or _TO_FILL.search(last[-200:]) or _WISH.search(body[-40:]):
        return ""
    if _INTRODUCES.search(body) and len(body.split()) >= _MIN_WORDS:
        return say("rules.cut.word", word=body.split()[-1])
    formulas = [line for line in (*before, last) if "$" in line and not _PRICE.search(line)]
    if last.replace("$$", "").count("$") % 2 and last in formulas and len(formulas) > 1:
        return say("rules.cut.open", opener="$")
    if _ITEM.match(last) and not _ended(last) and len(body) >= 4:
        # Items that are one sentence: "1. …; 2. …, and", or the first of several with its end.
        items = [line for line in before[-_ROWS:] if _ITEM.match(line)]
        long = sum(map(_size, items)) >= _MIN_WORDS * len(items) + 1
        if items and long and all(_GOES_ON.search(one.rstrip("*_ ")) for one in items):
            return say("rules.cut.item")
    first = re.match(r"\s*1[.)、]\s?\S", last) is not None
    if first and before and before[-1].rstrip("*_ ").endswith((":", "：")) and not _ended(last):
        return say("rules.cut.item")
    if body[-1] in ",，、" or (body[-1] in "([（「“«" and len(body) > 1):
        # The line before a signature, left for the reader to sign.
        longest = 12 if EASTERN.search(body) else 25
        closing = (
            body[-1] in ",，"
            and len(body.split()) <= 3
            and len(body) <= longest
            and len(before) >= 2
            and not _ITEM.match(last)
        )
        return "" if closing else say("rules.cut.character", character=body[-1])
    if (
        body[-1] in ":："
        and not (before and before[-1].rstrip("*_ ").endswith((":", "：", "_")))
        and len(body) > 10 - 5 * bool(EASTERN.search(body))
    ):
        return say("rules.cut.colon")
    if body[-1] in "-—–" and len(body) > 1 and (body[-2].isalpha() or body[-2] == " "):
        # Verse may end its lines with dashes; then the last of them ends the poem.
        if sum(line.rstrip("*_ ").endswith(("—", "–")) for line in before) >= _DASHES:
            return ""
        # Beginnings of words, one beside the other: "pre-, post-".
        if len(re.findall(r"\w-(?=[/,;\s])", last[-2000:])) >= 2:
            return ""
        return say("rules.cut.character", character=body[-1])
    if body[-1] in _CLOSERS:
        return ""
    # A title ends with any word: "The Way You Are".
    titled = body.split()[-1][:1].isupper() and len(body.split()) > 1
    if (
        (_LEADING.search(body) or _OPENED.search(body))
        and len(body.split()) >= _MIN_WORDS
        and not titled
    ):
        return say("rules.cut.word", word=body.split()[-1])
    # What stands behind a colon in a list is no sentence, and a greeting ends with は.
    explained = _ITEM.match(last) is not None and re.search("[:：]", last) is not None
    if (
        _LEADING_EAST.search(body)
        and len(body) >= 8
        and not explained
        and not _is_verse(before, last)
    ):
        return say("rules.cut.character", character=body[-1])
    if body[-1].isalnum():
        for opener, closer in (
            ("(", ")"),
            ("（", "）"),
            ("「", "」"),
            ("“", "”"),
            ("«", "»"),
            ("**", "**"),
        ):
            if _open(last, opener, closer):
                return say("rules.cut.open", opener=opener)
    return ""


def _open(line: str, opener: str, closer: str) -> bool:
    if opener == closer:
        return line.count(opener) % 2 == 1
    at = line.rfind(opener)
    return at >= 0 and closer not in line[at:] and line[at + 1 : at + 2].isalnum()


def _ended(line: str) -> bool:
    """Whether a line ends as sentences do, or with a sign or an emoji, which people use instead."""
    body = line.rstrip().rstrip(_CLOSERS)
    return (
        not body
        or body != line.rstrip()
        or body[-1] in _TERMINAL
        or unicodedata.category(body[-1])[0] not in "LN"
    )


def _last_word_tells_nothing(line: str) -> bool:
    """Numbers and units end texts in many ways."""
    return any(char.isdigit() for char in re.split(r"[\s、，,]", line.rstrip())[-1][-8:])


def _is_verse(before: list[str], last: str) -> bool:
    """Short lines of which most do not end as sentences do: verse, addresses, signatures, lists
    without signs."""
    block = [*before[-7:], last]
    short = [line for line in block if len(line) <= (24 if EASTERN.search(line) else 60)]
    return (
        len(block) >= 3 and len(short) == len(block) and sum(map(_ended, block)) < 0.5 * len(block)
    )


def _size(text: str) -> int:
    """Words, where two Chinese or Japanese characters count as one."""
    return len(re.findall(r"[^\W_]+", EASTERN.sub(" ", text))) + len(EASTERN.findall(text)) // 2


def _weak(start: int, last: str, before: list[str]) -> Sign | None:
    """The last piece has no end, though the sentences around it have one."""
    cuts = [m.end() for m in re.finditer(r"[.!?…](?=[\s\"”»)])[\"”»)]*|[。！？][」』”）]*", last)]
    if _ITEM.match(last):
        cuts = [at for at in cuts if at > 4]
    cuts = [at for at in cuts if not _NUMBER_WITHIN.search(last[max(0, at - 6) : at])]
    rest = last[cuts[-1] :] if cuts else last
    size = _size(rest)
    peers = _peers(last, before)
    ended = sum(map(_ended, peers))
    # After items of whole sentences two words without an end are enough.
    least = (
        2
        if _ITEM.match(last) and peers and ended == len(peers) and not _labelled(last)
        else _MIN_WORDS
    )
    if (
        cuts
        and (
            size >= least or (size >= 1 and EASTERN.search(rest) and before and not _labelled(last))
        )
        and not _casual(rest)
    ):
        return Sign(say("rules.cut.sentence"), start + cuts[-1], False)
    if cuts:
        return None
    if (field := _FIELD.match(last)) and not _ITEM.match(last) and _size(field["rest"]) < 8:
        return None
    enough = _MIN_WORDS if _ITEM.match(last) else 6
    if _ITEM.match(last) and _LEADING_EAST.search(rest):
        enough = 1
    if len(peers) >= 2 and ended >= 0.8 * len(peers) and size >= enough and not _casual(rest):
        return Sign(say("rules.cut.others"), start, False)
    # Of two items one tells less: the other must be a sentence, and this one longer than a name.
    if (
        _ITEM.match(last)
        and len(peers) == ended == 1
        and size >= _SENTENCE_WORDS
        and not _casual(rest)
    ):
        return Sign(say("rules.cut.one_before"), start, False)
    return None


def _peers(last: str, before: list[str]) -> list[str]:
    """What the last line is compared with: an item with the other items, a paragraph with the other
    paragraphs."""
    like = [
        line
        for line in before
        if bool(_ITEM.match(line)) == bool(_ITEM.match(last)) and not _HEADING.match(line)
    ]
    least = 2 if _ITEM.match(last) else 3
    return [
        line
        for line in like
        if _size(_ITEM.sub("", line)) >= least and not line.rstrip().endswith((":", "："))
    ]


def _labelled(item: str) -> bool:
    """Whether an item begins with a label in bold that has the full stop: what follows it is no
    sentence."""
    return re.match(r"\*\*[^*]{1,60}[.。]\*\*", _ITEM.sub("", item)) is not None


def _casual(rest: str) -> bool:
    """Chat style: wishes, questions and Japanese or Chinese final particles without a sign at the
    end."""
    if _SIGNED.match(rest[:80]):
        return True
    if re.match(
        r"\s*(?:祝|希望|谢谢|感谢|(?:how|what|where|can|shall|do|как|а|что|чем|где)\b)", rest, re.I
    ):
        return True
    return bool(
        re.search(
            (
                r"(?:です|ます|ました|でした|だよ|だね|ください|くださいね|ね|よ|さい|ません|"
                r"[吧呢吗哦啊呀啦嘛])$"
            ),
            rest.rstrip(),
        )
    )
