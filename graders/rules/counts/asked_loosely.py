"""Numbers of items in questions that ask in other words than those of the usual requests, and of
paragraphs."""

from __future__ import annotations

import re

#: What is counted: a noun in the plural behind the number, none of time, length, people or money.
_EN_NO_ITEM = (
    r"(?:words?|lines?|sentences?|characters?|letters?|paragraphs?|pages?|minutes?|hours?|days?|"
    r"weeks?|"
    r"months?|years?|percent|dollars?|euros?|pounds?|times|stanzas?|verses?|tokens?|km|kg|miles?|"
    r"met(?:er|re)s?|syllables?|columns?|rows?|people|persons|friends|children|kids|guests|players|"
    r"students|adults|brothers|sisters|cats|dogs|servings?|portions?|cups?|grams?|degrees|inches|"
    r"feet|levels?|seconds?|parts?|members|employees|countries|apples|of)\b"
)
_EN_ASK = re.compile(
    r"\b(?:needs?|wants?|give|list|name|write|suggest|make|show|find|tell|create|draft|prepare|"
    r"recommend|provide|send|share|with|like|get|include|exactly|in the form of|as)\b"
    r"(?:(?!\bhow (?:many|much)\b|\bif\b|\bwhen\b)[^.?!,\n]){0,40}$",
    re.I,
)
#: A number behind one of these tells of what there is.
_TOLD_OF = re.compile(
    r"(?:\b(?:about|for|of|between|with|on|in|"
    r"to|from|by|at|after|than|into|have|has|had|my|our|the|"
    r"these|those|are)|"
    r"(?<!\w)(?:про|о|об|обо|из|для|на|с|со|у|к|в|от|до|по|за|эти|этих|мои|моих|есть))\s*$",
    re.I,
)
_EN_NOUN = re.compile(
    rf"\s+(?!{_EN_NO_ITEM})(?:[a-z'/-]+\s+){{0,3}}?(?!{_EN_NO_ITEM})[a-z-]{{2,}}s\b|"
    r"\s+(?:\w+ )?(?:subject|tag|punch|head|opening|closing|pick-up)[ -]?lines\b"
)
_RU_NO_ITEM = (
    r"(?:слов|предложени|строк|строч|символ|знак|букв|минут|час|дн|день|лет\b|год|недел|месяц|"
    r"абзац|страниц|рубл|процент|человек|раз\b|раза\b|км|кг|грамм|метр|куплет|строф|част|столб|"
    r"слог|дет|друз|порци|градус|комнат|этап|класс|тысяч|млн)"
)
_RU_ASK = re.compile(
    r"(?:\w{3,}(?:ите|йте|ьте|и|й|ь)|нуж\w+|хочу|надо|ровно|нам|мне|в виде|из)\b[^.?!,\n]{0,30}$"
)
_RU_NOUN = re.compile(
    rf"\s+(?!{_RU_NO_ITEM})(?:[\w-]+(?:ых|их|ые|ие)\s+){{0,2}}(?!{_RU_NO_ITEM})[\w-]{{3,}}"
)
_HAN = r"(?:\d{1,2}|[二三四五六七八九]?十[一二三四五六七八九]?|[两兩二三四五六七八九])"
_ZH = re.compile(
    rf"(?<![第\d.十百一二三四五六七八九午上每前后晚早晨到至~～〜—–-])(?P<a>{_HAN})\s*(?P<open>多|"
    rf"几|来)?"
    r"(?:个|個|种|種|条|條|点(?![吃起睡到开上下钟半前后多])|點|项|項|首|款|道|件|则|則|样|"
    r"句(?!话)|处|處|步|招|大(?=[^小学]))"
    r"(?P<noun>(?!月|小时|小時|星期|礼拜|人|字(?!谜)|半|钟|年|季度|来回|了|学期|世纪|段|孩子|"
    r"朋友|苹果|同[学事伴]|邻居|室友|角色|人物|演员|陌生人|情侣|兄弟|姐妹|客人|老人|小孩|家长|"
    r"司机|网友|夫妻|"
    r"学生|女儿|儿子|国家|房间)[^，。？！：；、\s\d]{1,20})"
)
_ZH_ASK = re.compile(
    r"(?:给|列|举|说|写|推荐|提供|起|取|讲|想|出|编|设计|生成|指出|建议|找|选|猜|来|要|分|教|"
    r"介绍|论述|"
    r"总结|准备|整理|做|需要)"
)
_JA = re.compile(
    rf"(?<![第\d.十百一二三四五六七八九毎])(?P<a>{_HAN})\s*(?:つ(?!目)|個(?!月|入)|種類|種(?!目)|"
    rf"選|点(?!満)|"
    r"案|例|首|句|通り|項目|か所|ヶ所|カ所|箇所|パターン|問|題(?!名)|品|ステップ|"
    r"本(?![のに日])|冊|曲|作品)"
    r"(?![以程ほぐくま]|\s*(?:使|持|食|買|あ[るっり]|入|残|飲|い[るま]))"
)
_JA_ASK = re.compile(
    r"挙げ|あげ|教え|書|作|提案|紹介|考え|出し|リスト|列挙|説明|述べ|おすすめ|お願い|示し|くださ|"
    r"下さ|"
    r"ほし|欲し|選|推薦|まとめ|付け|つけ|答え|生成|見せ|知りたい|(?:で|から|を|は)?[。！!🙏]?\s*$"
)
_PARAGRAPHS = re.compile(
    r"(?<![\w.-])(?P<en>\d{1,2}|two|three|four|five|six|seven|eight)[ -]paragraphs?\b(?! (?:of|"
    r"from|in) the)|"
    r"(?<!\w)(?P<ru>\d{1,2}|дв(?:а|ух)|тр(?:и|[её]х)|четыр(?:е|[её]х)|пят(?:ь|и)|шест(?:ь|"
    r"и))\s+абзац\w*|"
    rf"(?<![第\d])(?P<zh>{_HAN})\s*(?:个|個)?(?:自然)?段(?:落|文字|话|$|[，。,]|写|介绍|来)|"
    rf"(?<![第\d])(?P<ja>{_HAN})\s*段落"
)
_LOOSE = re.compile(
    r"\b(?:at least|at most|less than|fewer than|no more than|about|around|up to|or more|or so|or|"
    r"to)\b|"
    r"\b(?:не менее|не более|менее|более|не больше|около|примерно|до|или)\b|不到|少于|不超过|未満|"
    r"至少|最多|大约|约|左右|以上|以内|以下|くらい|ほど|程度"
)
_RU_COUNT = {"дв": 2, "тр": 3, "че": 4, "пя": 5, "ше": 6}
_EN_COUNT = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
}  # fmt: skip


#: "A test of four questions".
_SET_OF = re.compile(
    r"\b(?:quiz|list|set|series|test|collection|selection) (?:of|with)\s*$|"
    r"(?:тест|список|списка|подборк\w|набор|викторин\w|серию|опрос|план) (?:из|на)\s*$",
    re.I,
)
_EACH = re.compile(r"\b(?:each|every|per)\b|кажд", re.I)


def tells_of(after: str) -> bool:
    """Whether a number counts nothing that an answer lists: years, people, a school class."""
    return (
        re.match(rf"\s+(?:{_EN_NO_ITEM}|{_RU_NO_ITEM})|-?(?:year|day|week|[йяе]\b)", after)
        is not None
    )


def western(before: str, after: str, cyrillic: bool) -> bool:
    """Whether a number between `before` and `after` is a number of items that are asked for."""
    sentence = re.split(r"[.?!\n]", before)[-1]
    near = re.split(r"[.?!,;\n]", after)[0]
    if (_TOLD_OF.search(sentence) and not _SET_OF.search(sentence)) or _EACH.search(before + near):
        return False
    if cyrillic:
        return bool(_RU_ASK.search(sentence) and _RU_NOUN.match(after))
    return bool(_EN_ASK.search(sentence) and _EN_NOUN.match(after))


def eastern(text: str) -> re.Match[str] | None:
    """The one number of items in a Chinese or Japanese question; None for none or several."""
    kana = re.search("[ぁ-ヿ]", text)
    found = list((_JA if kana else _ZH).finditer(text))
    if len(found) != 1 or found[0].groupdict().get("open"):
        return None
    return found[0] if (_JA_ASK if kana else _ZH_ASK).search(text) else None


def asked_paragraphs(text: str) -> int | None:
    """How many paragraphs a question (in small letters) asks for; None where it is not plain."""
    found = list(_PARAGRAPHS.finditer(text))
    if len(found) != 1:
        return None
    match = found[0]
    near = text[max(0, match.start() - 16) : match.start()], text[match.end() : match.end() + 4]
    if _LOOSE.search(near[0]) or _LOOSE.search(near[1]):
        return None
    word = match.group(match.lastgroup or 0)
    if word.isdigit():
        return int(word)
    if match["en"]:
        return _EN_COUNT[word]
    if match["ru"]:
        return _RU_COUNT[word[:2]]
    return {"两": 2, "兩": 2}.get(word) or ("一二三四五六七八九十".find(word) + 1 or None)


def paragraphs_given(answer: str) -> tuple[int, ...]:
    """How many paragraphs an answer may have, with and without what opens and closes it: none where
    it has headings or lists."""
    blocks = [block.strip() for block in re.split(r"\n[ \t]*\n", answer[:60_000]) if block.strip()]
    # A title stands above.
    if (
        len(blocks) > 1
        and "\n" not in blocks[0]
        and len(blocks[0]) < 80
        and not re.search(r"[.!?。！？…:：]\W*$", blocks[0])
    ):
        blocks = blocks[1:]
    if any(
        re.match(r"(?:[-*+•]\s|#|\||\d{1,2}[.)、]|```|\*\*[^*\n]+\*\*$)", block) for block in blocks
    ):
        return ()
    if any("\n" in block for block in blocks):
        return ()
    counts = {len(blocks)}
    opens = len(blocks) > 1 and bool(re.search(r"[:：]\W*$", blocks[0]) or _OPENS.match(blocks[0]))
    closes = len(blocks) > 1 and bool(_CLOSES.search(blocks[-1]))
    counts |= {len(blocks) - opens, len(blocks) - closes, len(blocks) - opens - closes}
    return tuple(sorted(counts))


_OPENS = re.compile(
    r"(?:here|sure|of course|certainly|вот|конечно|держите|以下|好的|当然|はい|承知|こちら|"
    r"もちろん)",
    re.I,
)
_CLOSES = re.compile(
    r"let me know|would you like|hope this|if you(?:'d)? (?:like|want|need)|если (?:хотите|"
    r"нужно)|надеюсь|"
    r"希望|需要我|如果(?:你|您)?(?:想|需要)|ご希望|お知らせ|お気軽|いかが|[?？]\W*$|^(?:\[\d|---|"
    r"\*\*\*)",
    re.I,
)
