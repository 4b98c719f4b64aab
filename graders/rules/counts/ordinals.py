"""Items in running text that count themselves: "Three ideas: first, bake bread. Second, read a
novel. Third, build a fort."

They are at least as many as there are ordinals. What an item joins by a comma or an "and", and what
it says in a further sentence, may be items too: all counts from the least to the most are
plausible, and only a number outside of them is wrong.
"""

from __future__ import annotations

import re

from graders.rules.counts.counted import Counted, How

_EN = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
)
_RU = (
    "во-первых",
    "во-вторых",
    "в-третьих",
    "в-четвёртых",
    "в-пятых",
    "в-шестых",
    "в-седьмых",
    "в-восьмых",
)
_HAN = "一二三四五六七八九"
_NUMBER = {word: number for row in (_EN, _RU, _HAN) for number, word in enumerate(row, 1)} | {
    str(n): n for n in range(1, 10)
}
_WORDS = "|".join(_EN)
_MARK = re.compile(
    rf"(?:^|(?<=[.!?。:;\n]))\s*(?:and\s+)?(?P<en>{_WORDS})(?:ly)?(?=\s*[,:])|"
    rf"(?<=[:;])\s*(?:and\s+)?(?P<joined>{_WORDS})(?=\s)|"
    rf"(?<![\w-])(?P<ru>{'|'.join(_RU).replace('ё', '[её]')})(?![\w-])|"
    rf"(?:^|(?<=[。！？；：:\n]))\s*第(?P<zh>[{_HAN}])(?:个|個|点|點|种|種|条|條)?(?=[，,、：:是])|"
    rf"(?:^|(?<=[。！？、：:\n]))\s*(?:(?P<ja>[{_HAN}1-9])つ目(?=[はの])|"
    rf"第(?P<dai>[{_HAN}])に(?=、))",
    re.I,
)
#: What may be an item of its own within one.
_JOINS = re.compile(
    r"[,;&/+，、；]|\b(?:and|or|with|both|plus|also|as well "
    r"as|another|finally|lastly|then|next|besides|furthermore|too|last)\b|"
    r"(?<!\w)(?:и|или|также|ещё|еще|кроме|наконец|затем|потом)(?!\w)|[和与與及或]|还|還|再|"
    r"最后|最後|や|また|さらに|そして",
    re.I,
)
_SENTENCE = re.compile(r"[^.!?。！？]*[^\s.!?。！？][^.!?。！？]*[.!?。！？]*")
#: A further sentence that begins so says more of the item.
_MORE_OF_IT = re.compile(
    r"\s*(?:it|its|this|that|these|they|you|your|he|she|there|i hope|good luck|enjoy|have "
    r"fun|let me know|"
    r"это|этот|эта|он|она|оно|они|так|там|вы|ты|надеюсь|удачи|这|這|它|他|她|您|你|希望|祝|"
    r"これ|それ|この|その|ぜひ)",
    re.I,
)
_LONGEST, _LEAD = 3_000, 120
_TOLD = re.compile(
    r"\b(?P<digits>\d{1,2})\b|\b(?P<word>two|three|four|five|six|seven|eight|nine|ten)\b", re.I
)
_TOLD_WORDS = {
    word: number
    for number, word in enumerate(
        ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), 2
    )
}


def ordinals_given(answer: str, asked: str) -> Counted | None:
    """The items that an answer counts by words, where it begins with them or says before that they
    are what was `asked` for.

    None where nothing is counted so; no counts where the ordinals may stand for something else.
    """
    marks = list(_MARK.finditer(answer[:_LONGEST]))
    numbers = [
        _NUMBER[
            next(word for word in mark.groups() if word).casefold().replace("четверт", "четвёрт")
        ]
        for mark in marks
    ]
    if len(marks) < 2 or numbers[:2] != [1, 2]:
        return None
    lead = answer[: marks[0].start()].strip()
    plain = (
        len(answer) <= _LONGEST
        and not re.search(r"[?？(（]", answer)
        and numbers == list(range(1, len(numbers) + 1))
    )
    if not plain or not _leads(lead, asked):
        return Counted()
    ends = [*(mark.start() for mark in marks[1:]), len(answer)]
    most = sum(_most(answer[mark.end() : end]) for mark, end in zip(marks, ends, strict=True))
    told = [
        int(m["digits"]) if m["digits"] else _TOLD_WORDS[m["word"].casefold()]
        for m in _TOLD.finditer(lead)
    ]
    counts = tuple(dict.fromkeys([*range(len(marks), most + 1), *told]))
    spans = tuple(
        (mark.end() - len(mark.group().lstrip()), end)
        for mark, end in zip(marks, ends, strict=True)
    )
    return Counted(counts, How.WORDS, True, spans)


def _leads(lead: str, asked: str) -> bool:
    """Whether what stands before the first ordinal is nothing, or says in a sentence what comes."""
    if not lead:
        return True
    if len(lead) > _LEAD or re.search(r"[.!?。！？].*\S", lead):
        return False
    words = [
        word[: max(3, len(word) - 2)] for word in re.findall(r"[^\W\d_]{4,}", asked.casefold())
    ]
    pairs = re.findall(r"(?=([㐀-鿿ァ-ヶ]{2}))", asked)
    return any(stem in lead.casefold() for stem in words) or any(pair in lead for pair in pairs)


def _most(item: str) -> int:
    """How many items the words behind an ordinal may be."""
    sentences = [found.group() for found in _SENTENCE.finditer(item.strip(" \t\n,:，、：は"))]
    further = sum(not _MORE_OF_IT.match(sentence) for sentence in sentences[1:])
    return (
        1
        + further
        + sum(len(_JOINS.findall(sentence.strip(" \t\n;；.。"))) for sentence in sentences)
    )
