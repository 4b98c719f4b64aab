"""How many sentences a question asks for, and how many a text has."""

from __future__ import annotations

import re

from graders.core.text import sentences
from graders.rules.writing.prose import without_code

_EN = "one two three four five six seven eight nine ten"
_RU = (
    "одн(?:о|ого|им|ом)",
    "дв(?:а|ух|умя)",
    "тр(?:и|[её]х|емя)",
    "четыр(?:е|[её]х|ьмя)",
    "пят(?:ь|и|ью)",
    "шест(?:ь|и|ью)",
    "сем(?:ь|и|ью)",
    "вос(?:емь|ьми|емью)",
    "девят(?:ь|и|ью)",
    "десят(?:ь|и|ью)",
)
_NUMBER = rf"\d{{1,2}}|{'|'.join(_EN.split())}|{'|'.join(_RU)}"
_ASKED = re.compile(
    rf"(?<![\w-])(?:in|into|with|exactly|write|give|of|say it in|just|only|using|to)\s+(?:just |"
    rf"only |exactly |"
    rf"the )*(?P<en>{_NUMBER})[\s-]+(?:(?:short|simple|complete|full|concise|brief|"
    rf"clear)\s)?sentences?\b|"
    rf"(?<!\w)(?P<ru>{_NUMBER})\s+(?:\w+(?:ых|их|ыми|ими|ом|ем)\s)?предложени(?:е|и|я|й|ем|ям|ями|"
    rf"ях)(?!\w)|"
    r"(?<![第\d十])(?P<zh>\d{1,2}|[一两三四五六七八九十])\s?(?:个)?(?:句话|个句子|句子)|"
    r"(?<![第\d十])(?P<ja>\d{1,2}|[一二三四五六七八九十])\s?(?:つの)?(?:文で(?!終|始|締|閉|おわ|はじ)|文に|文だけ|センテンス)",
    re.I,
)
_LOOSE = re.compile(
    r"at least|at most|up to|no more|less than|fewer|or so|about|around|[\d–-]\s?(?:to|or)\s?$|"
    r"\bor\b|"
    r"не (?:более|менее|больше|меньше)|до |около|примерно|пар[ау]|"
    r"至少|最多|不超过|以内|左右|大约|以上|以下|くらい|ほど|程度|前後",
    re.I,
)
#: Sentences to learn from, of each of several things, or beside other things.
_OTHERWISE = re.compile(
    r"dialogue|conversation|speaker|\bturns?\b|диалог|реплик|对话|会话|会話|"
    r"\beach\b|\bevery\b|\bper\b|example sentences|sentences (?:in|with|using|about my|that "
    r"use)|кажд|"
    r"пример\w* предложени|предложени\w* (?:на|с|со) |по (?:одному|два|три) предложени|по \d|"
    r"每|各|例句|造|用[^，。]{1,6}写|例文|ずつ",
    re.I,
)
_HAN = "一二三四五六七八九十"
_LISTED = re.compile(r"^[ \t]*(?:[-*+•]\s|#|\||\d{1,2}[.)、]\s|```)", re.M)
_OPENS = re.compile(
    r"(?:here|sure|of course|certainly|great|okay|вот|конечно|держите|以下|好的|当然|はい|承知|"
    r"こちら|もちろん)",
    re.I,
)
_CLOSES = re.compile(
    r"let me know|would you like|hope this|if you(?:'d)? (?:like|want|need)|если (?:хотите|"
    r"нужно)|надеюсь|"
    r"希望|需要我|如果[你您]?(?:想|需要)|ご希望|お気軽|いかが|[?？]\W*$",
    re.I,
)


def asked_sentences(question: str) -> int | None:
    """The number of sentences that a question wants its answer to have; None where it is not
    plain."""
    question = question[:2_000]
    found = list(_ASKED.finditer(question))
    if len(found) != 1 or _OTHERWISE.search(question):
        return None
    match = found[0]
    if _LOOSE.search(question[max(0, match.start() - 16) : match.end() + 6]):
        return None
    word = next(filter(None, match.groups())).casefold()
    if word.isdigit():
        return int(word)
    if word in _HAN or word == "两":
        return 2 if word == "两" else _HAN.index(word) + 1
    if word in _EN.split():
        return _EN.split().index(word) + 1
    return next(at for at, form in enumerate(_RU, 1) if re.fullmatch(form, word))


def sentences_given(answer: str) -> tuple[int, ...]:
    """How many sentences an answer may have, with and without what opens and closes it; none where
    it has lists or headings."""
    prose = without_code(answer[:10_000])
    if _LISTED.search(prose):
        return ()
    lines = [line.strip() for line in prose.splitlines() if re.search(r"\w", line)]
    sizes = [max(1, sum(bool(re.search(r"\w", one)) for one in sentences(line))) for line in lines]
    if not lines:
        return ()
    first = bool(_OPENS.match(lines[0]) or lines[0].endswith((":", "："))) * sizes[0]
    last = bool(_CLOSES.search(lines[-1])) * sizes[-1]
    whole = sum(sizes)
    # A sentence at the end of its line may close the answer, too.
    ends = 1 if _CLOSES.search(list(sentences(lines[-1]))[-1]) else 0
    opens = 1 if _OPENS.match(lines[0]) else 0
    counts = {whole - one - two for one in (0, first, opens) for two in (0, last, ends)}
    return tuple(sorted(count for count in counts if count > 0))
