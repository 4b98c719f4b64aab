"""A single thing in running text where several were asked for: "One idea is to bake bread.", or a
sentence that cannot hold more.

Items in running text are not counted. But an answer that names one thing as one, and goes on to no
other, gives one; and so does a single short sentence without a comma, an "and" or an "or".
"""

from __future__ import annotations

import re

from graders.rules.counts.counted import Counted, How
from graders.rules.writing.prose import EASTERN

#: Asked for so many things, a short sentence that joins nothing gives too few; two may hide in one
#: clause ("tea with milk").
_SEVERAL = 3
_LONGEST, _SHORT_WORDS, _SHORT_EASTERN = 1200, 5, 10
#: A sentence that joins things, asks back, refuses, points elsewhere or breaks off.
_JOINS = re.compile(
    r"[,;:&/、，；：—–(（+]|[?？]\s*$|\b(?:and|or|plus|with|not|sorry|cannot|both|these|"
    r"those|below|above|attached|following)\b|n't|n’t|"
    r"(?<!\w)(?:и|или|с|со|не|нет|извин\w*|прост\w*|да|ниже|выше|эти)(?!\w)|"
    r"[和与及或跟不没無无]|对不起|抱歉|以下|如下|と|や|ない|ません|も|か[。?？]?$",
    re.I,
)
#: One thing is named as one at the beginning; group `what` must be what was asked for.
_EN = re.compile(
    (
        r"\b(?:one|a "
        r"single)\s+(?:[a-z'-]+\s+){0,2}?(?P<what>[a-z'-]{3,})(?=\s+(?:is|would|could|might|"
        r"to|that)\b|\s*[:：—–-])"
    ),
    re.I,
)
_RU = re.compile(
    r"(?<!\w)(?:одн[ауо]|один)\s+(?:[а-яё-]+\s+){0,2}?(?P<what>[а-яё-]{3,})(?=\s*(?:[:—–-]|это\b))",
    re.I,
)
_ZH = re.compile(
    r"(?<![其另每同第十])一(?:个|個|条|條|种|種|点|"
    r"點)[^，。！？：\n一]{0,6}?(?P<what>[㐀-鿿]{2})(?=[是：:，。]|就是)"
)
_JA = re.compile(
    r"(?P<what>)(?:一つ|ひとつ|1つ|１つ)(?:だけ)?(?=紹介|ご紹介|提案|ご提案|挙げ|お伝え|"
    r"あります|です)"
)
#: After these other things follow.
_MORE = re.compile(
    r"\b(?:another|others?|second(?:ly)?|third(?:ly)?|two|also|alternatively|finally|lastly|"
    r"next|then|besides|further|furthermore|too|or)\b|"
    r"(?<!\w)(?:друг|втор|трет|ещё|еще|также|кроме|наконец|затем|потом|или|можно|вместо)|另|"
    r"还|還|其次|第二|再|最后|此外|也|其他|或|二|"
    r"二つ|もう|また|次|さらに|他|ほか|最後|それから|あるいは|でも",
    re.I,
)
_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]*")
#: From so many sentences on each may be a thing of its own.
_MANY_SENTENCES = 4


def one_given(answer: str, low: int, asked: str) -> Counted:
    """The one thing of an answer without a list, where at least `low` were asked for in the words
    `asked`; else no counts."""
    text = answer.strip()
    if not text or len(text) > _LONGEST or low <= 1:
        return Counted()
    start = answer.find(text)
    sentences = [match for match in _SENTENCE.finditer(text) if match.group().strip()]
    if low >= _SEVERAL and len(sentences) == 1 and _is_short(text) and not _JOINS.search(text):
        return Counted((1,), How.SENTENCE, True, ((start, start + len(text)),))
    named = next(
        (
            found
            for of in (_EN, _RU, _ZH, _JA)
            if (found := of.search(text[:120])) and _is_asked(found["what"], asked)
        ),
        None,
    )
    if (
        named is None
        or len(sentences) >= _MANY_SENTENCES
        or _MORE.search(text[: named.start()] + text[named.end() :])
    ):
        return Counted()
    return Counted((1,), How.NAMED, True, ((start + named.start(), start + named.end()),))


def _is_short(text: str) -> bool:
    return (
        len(text) <= _SHORT_EASTERN if EASTERN.search(text) else len(text.split()) <= _SHORT_WORDS
    )


def _is_asked(what: str, asked: str) -> bool:
    """Whether a singular is what was asked for in the plural: the same beginning; in Japanese it is
    not read."""
    what = what.casefold()
    stem = what if EASTERN.search(what) else what[: max(3, len(what) - 2)]
    return stem in asked.casefold()
