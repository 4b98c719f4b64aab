"""One riddle, one joke, one name: requests for a single short thing, and answers that give several
of them.

"One" is an article as often as a number (one of, one day, 一个, один из), and a single thing may be
told in numbered steps or hints. So it counts only before a short kind of text that has no steps,
and only for an answer that is itself a numbering of such things. The article alone ("tell me a
joke", «загадай загадку», 讲个笑话) counts where a sentence asks for nothing else, and not before
names and titles, of which some to choose from are welcome.
"""

from __future__ import annotations

import re

from graders.rules.counts.asked_count import (
    AT_LEAST,
    EN_BEFORE,
    RU_BEFORE,
    Asked,
    counts_in,
    fold_lines,
)
from graders.rules.counts.counted import Counted, How

_EN_KINDS = (
    r"riddle|joke|pun|proverb|slogan|tagline|motto|quote|quotation|title|headline|name|"
    r"nickname|synonym|tongue[ "
    r"-]twister|"
    r"limerick|haiku|(?:fun )?fact|brain[ -]?teaser"
)
_RU_KINDS = (
    r"загадк[ауи]|шутк[ау]|анекдот|каламбур|пословиц[ау]|поговорк[ау]|скороговорк[ау]|слоган|"
    r"девиз|цитат[ау]|название|имя|"
    r"кличк[ау]|заголовок|синоним|факт|лимерик|хокку|тост|частушк[ау]|ребус"
)
_ZH_KINDS = (
    r"谜语|字谜|灯谜|冷?笑话|脑筋急转弯|谚语|成语|歇后语|绕口令|俗语|标语|口号|名字|标题|名言|"
    r"冷知识|谜|謎語|笑話"
)
_JA_KINDS = (
    r"なぞなぞ|謎々|ジョーク|ダジャレ|駄洒落|ことわざ|諺|四字熟語|名前|タイトル|キャッチコピー|"
    r"早口言葉|豆知識|笑い話|スローガン|小話|名言"
)
_EN = re.compile(
    r"(?<![\w.,$€£#/-])(?:one|1)\s+(?:(?!of\b|or\b|to\b|and\b|an?\b|"
    rf"the\b)[a-z'-]+\s+){{0,3}}?(?:{_EN_KINDS})(?![\w'’-])"
)
_RU = re.compile(
    r"(?<![\w.,#/-])(?:одн[уо]|один|1)\s+(?:(?!из\b|и\b|"
    rf"или\b)[а-яё-]+\s+){{0,3}}?(?:{_RU_KINDS})(?!\w)"
)
_ZH = re.compile(
    r"(?:给我|讲|说|出|来|写|想|猜|推荐|提供|告诉我|起|取|编|创作|"
    r"给出)[^，。？！\n一\d]{0,8}(?:一|(?<!\d)1)\s?(?:个|個|则|則|条|條|道|句|段)"
    rf"(?:[^，。？！：\n一二两三四五六七八九十\d]{{0,12}})?(?:{_ZH_KINDS})(?=[，。！？,.!?\s]|"
    r"吧|呗|给我|$)"
)
_JA_ONE = r"(?:一つ|ひとつ|1つ|1個|一個|1問|一問|1句|一句)"
_JA = re.compile(
    rf"(?:(?:{_JA_KINDS})(?:を|、)?\s?{_JA_ONE}|"
    rf"{_JA_ONE}の[^。、？！\n]{{0,10}}(?:{_JA_KINDS})を)(?!以上|ずつ|"
    rf"でも)(?:だけ)?[^。？！\n]{{0,6}}"
    r"(?:ください|下さい|教え|出し|言っ|考え|お願い|挙げ|あげ|作っ|書い|紹介|ほしい|欲しい|$)"
)
#: The article is enough: a sentence that begins with the request, and what is asked for ends it but
#: for its topic.
_EN_ARTICLE = re.compile(
    r"(?:^|[.!?:\n]\s*|,\s*)(?:(?:please|now|hey|hi|hello|ok|okay)[,!]?\s+)*(?:(?:can|could|"
    r"would|will)\s+you\s+(?:please\s+)?)?"
    r"(?:give|tell|write|make(?: up)?|think of|come up "
    r"with|invent|create|ask|share|show)\s+(?:(?:me|us|him|her|them)\s+)?"
    r"an?\s+(?:(?!of\b|or\b|and\b)[a-z'-]+\s+){0,2}?(?:riddle|joke|pun|proverb|tongue[ "
    r"-]?twister|brain[ -]?teaser|fun fact)"
    r"(?=\s*(?:[.,!?:;\n]|$)|\s+(?:about|on|for|with|that|which|in|to|from|please)\b)"
)
_RU_ARTICLE = re.compile(
    r"(?:^|[.!?:\n]\s*|,\s*)(?:пожалуйста,?\s+)?(?:загадай|придумай|расскажи|напиши|сочини|"
    r"дай|назови|приведи|предложи)(?:те)?,?\s+"
    r"(?:(?:мне|нам|ему|ей|детям)\s+)?(?:пожалуйста,?\s+)?(?:[а-яё-]+(?:ую|ый|ий|ой)\s+){0,2}"
    r"(?:загадку|шутку|анекдот|каламбур|пословицу|поговорку|скороговорку)"
    r"(?=\s*(?:[.,!?:;\n]|$)|\s+(?:про|об?|обо|для|на|с|со|из|от|которая|который|чтобы|"
    r"пожалуйста)(?!\w))"
)
_ZH_ARTICLE = re.compile(
    r"(?:讲|说|出|来|猜|编)(?:个|個|则|則)(?:谜语|字谜|灯谜|冷?笑话|脑筋急转弯|绕口令|謎語|"
    r"笑話)(?=[，。！？,.!?\s]|吧|呗|给我|$)"
)
#: More than one thing is wanted after all, or the one thing in parts.
_MORE = re.compile(
    r"\b(?:each|every|per|both|steps?|hints?|clues?|options?|choices|variations?|versions?|"
    r"translations?|a "
    r"(?:day|week|month))\b|"
    r"\b(?:and|plus|then|also)\s+(?:then\s+|also\s+)?(?:an?|one|another|some|explain|"
    r"describe|analy[sz]e|list|give|tell|write|show|say|why|how)\b|"
    r"\bкажд|\bподсказ|\bвариант|\b(?:и|а "
    r"также|затем|потом)\s+(?:ещё\s+|еще\s+|потом\s+|затем\s+)?(?:одн|объясн|разбер|опиши|"
    r"перечисл|дай|"
    r"назови|расскаж|напиши|почему)|各|每|提示|选项|解释|分析|说明|ずつ|それぞれ|ヒント|"
    r"選択肢|説明|解説"
)
_ONES = re.compile(
    rf"(?<![\w-])(?:one|одн[уо]|один)\s+[^\W\d]|一(?:个|個|则|則|条|條|道|句|段|首|篇)|{_JA_ONE}"
)

_PART = re.compile(
    r"^[\W\d_]*(?:(?:the\s+)?(?:answers?|hints?|clues?|explanation|solution|setup|punch "
    r"?line|meaning|why(?![^?\n]{0,120}\?))|"
    r"ответ|отгадк|подсказк|разгадк|объяснени|"
    r"значени|答案|谜底|謎底|谜面|提示|解释|答え|正解|ヒント|解説|意味)",
    re.I,
)
_OPENING = re.compile(
    r"^\W*(?:sure|here|of course|certainly|okay|ok\b|happy "
    r"to|absolutely|gladly|конечно|вот|держи|хорошо|с удовольствием|пожалуйста|"
    r"好的|好|当然|以下|这|はい|こちら|以下|では|もちろん)",
    re.I,
)
_NOT_OPENING = re.compile(
    r"[?？\"“«„「『]|\*\*|because|\bwhy\b|reason|\bhints?\b|\bclues?\b|meaning|explan|потому|"
    r"почему|причин|подсказ|значени|объясн|"
    r"因为|理由|原因|提示|含义|解释|ヒント|意味|解説|なぜ",
    re.I,
)
_OPENING_CHARACTERS = 100
_ITEM_WITHIN = 400
#: A riddle ends with its question: where it stands once, the numbers are its lines.
_WHAT_AM_I = re.compile(r"\b(?:what|who) am i\b|(?<!\w)(?:кто|что) я(?!\w)|我是(?:什么|谁)|打一")


def asked_one(question: str) -> Asked | None:
    """The request for a single riddle, joke, name or other short thing; None where nothing of that
    kind, or more, is asked for."""
    text = fold_lines(question[:4000]).casefold()
    found = [
        *_after(_EN, EN_BEFORE, text),
        *_after(_RU, RU_BEFORE, text),
        *(m.group() for p in (_ZH, _JA) for m in p.finditer(text)),
    ]
    found = found or [
        m.group().lstrip(" \n.,:!?")
        for p in (_EN_ARTICLE, _RU_ARTICLE, _ZH_ARTICLE)
        for m in p.finditer(text)
    ]
    if (
        len(found) != 1
        or len(_ONES.findall(text)) > 1
        or _MORE.search(text)
        or AT_LEAST.search(text)
        or counts_in(text)
    ):
        return None
    return Asked(1, 1, found[0][:60])


def _after(asks: re.Pattern[str], before: re.Pattern[str], text: str) -> list[str]:
    return [
        m.group()
        for m in asks.finditer(text)
        if before.search(text[max(0, m.start() - 120) : m.start()])
    ]


def several_of_one_kind(answer: str, counted: Counted) -> bool:
    """Whether the answer is a numbering of things of one kind: nothing but an opening line before
    it, no hints or answers as its items."""
    if counted.how is not How.NUMBERED or not counted.sure or len(counted.spans) < 2:
        return False
    if any(
        _PART.match(answer[start : min(end, start + _ITEM_WITHIN)]) for start, end in counted.spans
    ):
        return False
    if len(_WHAT_AM_I.findall(answer.casefold())) == 1:
        return False
    opening = answer[: counted.spans[0][0]].strip()
    if not opening:
        return True
    short = len(opening) <= _OPENING_CHARACTERS and "\n" not in opening
    return short and _OPENING.match(opening) is not None and _NOT_OPENING.search(opening) is None
