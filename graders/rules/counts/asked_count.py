"""How many items a question asks for, in English, Russian, Chinese and Japanese."""

from __future__ import annotations

import re
from dataclasses import dataclass

from graders.core.text import fold
from graders.core.words import say
from graders.rules.counts.asked_loosely import eastern, tells_of, western

_EN = {
    word: number
    for number, word in enumerate(
        ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], 2
    )
}
_EN |= {"eleven": 11, "twelve": 12, "dozen": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15}
_EN |= {"sixteen": 16, "eighteen": 18, "twenty": 20, "thirty": 30}
_RU = {
    2: "два две двух двум двумя",
    3: "три трёх трех трём трем тремя",
    4: "четыре четырёх четырех четырём четырем четырьмя",
    5: "пять пяти пятью",
    6: "шесть шести шестью",
    7: "семь семи семью",
    8: "восемь восьми восемью",
    9: "девять девяти девятью",
    10: "десять десяти десятью десяток десятка",
    11: "одиннадцать одиннадцати",
    12: "двенадцать двенадцати дюжину дюжина",
    13: "тринадцать тринадцати",
    14: "четырнадцать четырнадцати",
    16: "шестнадцать шестнадцати",
    30: "тридцать тридцати",
    15: "пятнадцать пятнадцати",
    20: "двадцать двадцати",
}
_WORDS = {**_EN, **{word: number for number, forms in _RU.items() for word in forms.split()}}
_HAN = dict(zip("一二三四五六七八九", range(1, 10), strict=True)) | {"两": 2, "兩": 2}
_MOST = 60

_NUMBER = rf"(?:\d{{1,2}}|{'|'.join(sorted(_WORDS, key=len, reverse=True))})"
_RANGE = rf"(?P<a>{_NUMBER})(?:\s*(?:-|–|—|to|or|and|до|или|-или)\s*(?P<b>{_NUMBER}))?"
_EN_VERBS = (
    "give|list|name|write|suggest|propose|provide|share|tell|offer|create|come up "
    "with|generate|describe|explain|discuss|recommend|mention|"
    "show|think "
    "of|find|invent|make|draft|compose|pick|choose|identify|state|present|outline|brainstorm|"
    "cite|enumerate|what "
    "are|which|"
    "i need|i want|i'd like|i would like|we need|i'm looking for|i am looking for"
)
_EN_FILL = (
    "me|us|my|our|for|please|a|an|the|of|list|set|selection|series|short|quick|brief|"
    "numbered|bulleted|complete|just|only|exactly|precisely|"
    "at least|at most|no more than|no fewer than|no less than|up "
    "to|minimum|maximum|about|around|approximately|roughly|some|top|best|main|"
    f"between|from|another|any|your|and|{_EN_VERBS}"
)
_CLAUSE = r"(?:^|[.!?:;,\n]\s*|\b(?:please|you|you to|and|then|kindly|now|also)\s+)"
EN_BEFORE = re.compile(
    rf"{_CLAUSE}(?:{_EN_VERBS})\b(?:[\s,-]+(?:{_EN_FILL})\b)*[\s,-]*$|(?P<bare>^|"
    rf"[.!?:\n]\s*)(?:(?:{_EN_FILL})\b[\s-]*)*$"
)
_RU_VERBS = (
    "(?:напиши|назови|перечисли|придумай|предложи|приведи|дай|посоветуй|составь|подбери|"
    "порекомендуй|расскажи|опиши|укажи|сочини|сгенерируй|"
    "покажи|выпиши|подскажи|создай|сформулируй|загадай|объясни|выбери|найди|подготовь|"
    "накидай|изобрети)(?:те)?|"
    "(?:мне|нам)\\s+(?:нужн[ыо]|надо|требуется)|хочу|какие|каковы|нужн[ыо]"
)
_RU_FILL = (
    "мне|нам|меня|пожалуйста|список|перечень|подборку|из|ровно|только|лишь|хотя|бы|как|"
    "минимум|не|менее|меньше|более|больше|максимум|до|от|"
    "около|примерно|где-то|ещё|еще|по|самые|самых|главные|основные|топ|свои|краткий|"
    f"короткий|любые|и|{_RU_VERBS}"
)
RU_BEFORE = re.compile(
    rf"(?:\b(?:{_RU_VERBS})|(?P<bare>^|[.!?:\n]\s*))(?:[\s,-]*(?:{_RU_FILL})(?!\w))*[\s,-]*$"
)
_WEST = re.compile(rf"(?<![\w.,$€£₽#/])(?<!\d[-–]){_RANGE}(?![\w%°$€]|[.,/:]\d|-[^\W\d])")

_EN_UNITS = re.compile(
    r"^(?!\W*(?:\w+ )?(?:subject|tag|punch|head|opening|closing|pick-up)[ -]?lines)"
    r"(?:\W*[a-z'-]+){0,2}?\W*(?:words?|sentences?|characters?|letters?|paragraphs?|lines?|"
    r"pages?|minutes?|hours?|days?|weeks?|weekends?|"
    r"months?|years?|percent|dollars?|euros?|times|stanzas?|verses?|tokens?|km|kg|miles?|"
    r"meters?|metres?|syllables?|parts?|columns?|"
    r"rows?)\b|^\s*of (?:the|these|them|us|my)\b"
)
_RU_UNITS = re.compile(
    r"^(?:\s+\w+(?:ых|их|ые|ие))?\s*(?:слов|предложени|строк|строч|символ|знак|букв|минут|"
    r"час|дней|дня|день|лет\b|год|недел|месяц|абзац|страниц|"
    r"рубл|процент|человек|раз\b|раза\b|км|кг|грамм|метр|куплет|строф|част|столб|слог(?:ов|а)?\b)"
)
_ITEMS = re.compile(
    r"\b(?:headings?|headlines?|captions?|goals?|arguments?|rules|hacks|tricks|pros|cons|prompts|"
    r"puns|apps|"
    r"tools|resources|ingredients|snacks|meals|breakfasts|dinners|desserts|habits|hobbies|skills|"
    r"mistakes|"
    r"strategies|myths|signs|symptoms|causes|effects|differences|similarities|features|uses|"
    r"alternatives|"
    r"synonyms|antonyms|adjectives|verbs|nouns|tasks|problems|puzzles|scenarios|characters|"
    r"hashtags|"
    r"nicknames|taglines|mottos|wishes|greetings|toasts|compliments|metaphors|principles|lessons|"
    r"заголов|задани|задач|прилагательн|эпитет|глагол|синоним|антоним|цел[иь]|шаг|этап|пункт|"
    r"аргумент|тезис|"
    r"преимуществ|недостат|правил|сценари|подпис|отзыв|блюд|привыч|хобби|навык|ошиб|миф|признак|"
    r"симптом|"
    r"различи|сходств|функци|альтернатив|персонаж|хештег|девиз|тост|комплимент|метафор|принцип|"
    r"урок|"
    r"ideas?|tips?|reasons?|ways|facts|examples|names|questions|jokes|books|movies|"
    r"films|songs|things|places|recipes|slogans|quotes|gifts|"
    r"benefits|advantages|steps|topics|titles|riddles|games|exercises|activities|words of "
    r"advice|questions|"
    r"иде[йия]|совет|причин|способ|факт|пример|назван|имён|имен|вопрос|анекдот|шут|книг|"
    r"фильм|песен|песн|мест|рецепт|слоган|цитат|подарк|плюс|загад|"
    r"игр|упражнен|тем|вариант)"
)
#: A number that is taken several times; not "with a short text each".
_BY_EACH = re.compile(
    r"\b(?:for|in|per|on|of|to|from|at|by) (?:\w+ )?each\b|\beach (?:of|with|in|on)\b|\bevery\b|"
    r"\b(?:для|на|в|по|к|из|от|с|о|за|у) кажд|кажд\w+ (?:из|по)\b"
)
_MORE = re.compile(rf"(?:\band|\bplus|,|&|\bи|\bа также)\s+(?:also\s+|ещё\s+)?{_NUMBER}\s+[^\W\d]")

_HAN_NUMBER = r"(?:\d{1,2}|[二三四五六七八九]?十[一二三四五六七八九]?|[两兩二三四五六七八九])"
_HAN_RANGE = rf"(?P<a>{_HAN_NUMBER})(?:\s*(?:-|–|—|~|〜|到|至|から)\s*(?P<b>{_HAN_NUMBER}))?"
_ZH = re.compile(
    r"(?<![第\d.十百一二三四五六七八九午上])(?P<pre>至少|最少|不少于|不低于|最多|至多|"
    rf"不超过|大约|大概|约|)\s*{_HAN_RANGE}\s*(?P<open>多|几|来)?"
    r"(?:个|個|种|種|条|條|点|點|项|項|首|本|部|款|道|件|则|則|篇|家|位|名|座|类|類|样|樣|份|"
    r"例|处|處|句(?!话)|组)(?P<post>以上|以内|以下|左右|)"
    r"(?P<noun>(?!月|小时|小時|星期|礼拜|人(?![物名])|字|半|钟|年|季度|来回|了|多月|学期|"
    r"朋友|同[学事伴]|邻居|室友|角色|演员|陌生人|情侣|兄弟|姐妹|客人|老人|小孩|孩子|家长|司机|"
    r"网友|夫妻|"
    r"世纪)[^，。？！：；、\s\d]{1,20})"
)
_ZH_VERBS = (
    "给我|给出|给|列出|列举|罗列|举出|举|说出|说说|写出|写|推荐|提供|起|取|讲|想出|想|需要|"
    "提出|介绍|说明|总结|告诉我|创作|编|设计|生成|指出|建议|"
    "找出|选出"
)
_ZH_BEFORE = re.compile(
    rf"(?:{_ZH_VERBS})(?!了|过)(?:(?!关于|一个|一篇|一首|一则|用|以|从|把|"
    rf"为了)[^，。？！：\n]){{0,14}}$"
)
_ZH_ASKS = re.compile(r"(?:是什么|有哪些|是哪些|是啥|分别是)")
_ZH_ITEMS = re.compile(
    r"(?:点子|想法|建议|方法|理由|原因|例子|问题|名字|笑话|故事|技巧|好处|优点|创意|主意|"
    r"句子|标语|书|电影|谜语|成语|选择|方案)\W*$"
)
_SUMS = re.compile(
    r"还剩|一共|总共|多少|剩几|几个|いくつ(?:です|に|残)|残りは|how many|how much|сколько"
)
_JA = re.compile(
    r"(?<![第\d.十百一二三四五六七八九])(?P<pre>少なくとも|最低でも|最低|最大で|最大|"
    rf"多くても|約|およそ|だいたい|ちょうど|)\s*{_HAN_RANGE}\s*"
    r"(?:つ(?!目)|個(?!月)|種類|種|選|点|冊|曲|本|案|件|例|首|句|通り|項目|か所|ヶ所|カ所|"
    r"パターン)(?P<post>以上|以内|以下|まで|ほど|くらい|ぐらい|程度|だけ|)"
    r"(?P<tail>(?:の[^。、？！\n]{1,15}を|を|で|、)?[^。、て？！\n]{0,8}?"
    r"(?:挙げ|あげて|教え|書い|作っ|作成|提案|紹介|考え|出し|リストアップ|列挙|説明|述べ|"
    r"おすすめ|お願い|示し|ください|下さい|ほしい|欲しい|選ん|推薦|まとめ|つけて|付けて|答え|"
    r"生成|ピックアップ)|\W*$)"
)

AT_LEAST = re.compile(
    r"at least|minimum|no fewer than|no less than|не менее|не меньше|минимум|хотя "
    r"бы|至少|最少|不少于|不低于|少なくとも|最低|以上"
)
_AT_MOST = re.compile(
    r"at most|no more than|up to|maximum|не более|не "
    r"больше|максимум|(?<!\w)до\s*$|最多|至多|不超过|以内|以下|最大|多くても|まで"
)
_ABOUT = re.compile(
    r"about|around|approximately|roughly|около|примерно|где-то|大约|大概|约|左右|約|およそ|"
    r"だいたい|ほど|くらい|ぐらい|程度"
)


@dataclass(frozen=True, slots=True)
class Asked:
    """From `low` to `high` items (None: no upper limit); `words` are the question's own."""

    low: int
    high: int | None
    words: str

    def fits(self, count: int) -> bool:
        return self.low <= count and (self.high is None or count <= self.high)

    def describe(self) -> str:
        """ "5", "3 to 5", "at least 5" or "at most 5"."""
        if self.high is None:
            return say("rules.asked.at_least", low=self.low)
        if self.low == self.high:
            return str(self.low)
        return (
            say("rules.asked.at_most", high=self.high)
            if self.low <= 1
            else say("rules.asked.between", low=self.low, high=self.high)
        )


def asked_count(question: str) -> Asked | None:
    """The number of items that `question` asks for; None where it asks for none, for several kinds,
    or for a length."""
    text = fold_lines(question[:4000]).casefold()
    if _SUMS.search(text):
        return None
    found = counts_in(text) or _loosely(text)
    if (
        not found
        or len({(asked.low, asked.high) for asked in found}) > 1
        or re.search("各[^自]|每[个種种]|ずつ|それぞれ", text)
    ):
        return None
    return found[0]


#: So many of each kind.
_OF_EACH = re.compile(
    r"(?:各|每[个种種类样])[^，。？！]{0,6}(?:\d|[两二三四五六七八九十])\s?(?:个|条|种|点|项|首|"
    r"则|道|句(?!话))|"
    r"各(?!自|位|种|個|个|地|国|項|行|連|节)|ずつ|それぞれ"
)


def counts_in(text: str) -> list[Asked]:
    """Every number of items, two or more, in folded lower-case `text`."""
    return [*_western(text), *_chinese(text), *_japanese(text)]


def _loosely(text: str) -> list[Asked]:
    """The number of items where a question has one number, in other words than usual."""
    if re.search("[㐀-鿿ぁ-ヿ]", text):
        match = eastern(text)
        if match is None:
            return []
        around = (
            text[max(0, match.start() - 8) : match.start()] + text[match.end() : match.end() + 4]
        )
        number = _number(match["a"])
        if AT_LEAST.search(around) or _AT_MOST.search(around) or _ABOUT.search(around):
            return []
        return [Asked(number, number, match.group()[:60])] if 2 <= number <= _MOST else []
    found = []
    for match in _WEST.finditer(text):
        before, after = text[: match.start()], text[match.end() : match.end() + 80]
        if match["b"] or AT_LEAST.search(before[-30:]) or _ABOUT.search(before[-20:]):
            return []
        cyrillic = re.match(r"\W*[а-яё]", after) is not None
        number = _number(match["a"])
        if western(before[-200:], after, cyrillic) and 2 <= number <= _MOST:
            found.append(
                Asked(number, number, (match.group() + re.split(r"[.?!,;:\n]", after)[0])[:60])
            )
    # A second number makes it unsure what is counted.
    others = [m for m in _WEST.finditer(text) if not tells_of(text[m.end() : m.end() + 40])]
    return found if len(found) == 1 and len(others) == 1 else []


def fold_lines(text: str) -> str:
    """NFKC and plain spaces within lines; line breaks stay."""
    return "\n".join(fold(line) for line in text.splitlines())


def _western(text: str) -> list[Asked]:
    found = []
    for match in _WEST.finditer(text):
        before, after = (
            text[max(0, match.start() - 120) : match.start()],
            text[match.end() : match.end() + 80],
        )
        cyrillic = re.match(r"\W*[а-яё]", after) is not None
        context = (RU_BEFORE if cyrillic else EN_BEFORE).search(before)
        if (
            not context
            or not re.match(r"\s*[\"'«“]?[^\W\d_]", after)
            or (_RU_UNITS if cyrillic else _EN_UNITS).match(after)
        ):
            continue
        noun = re.split(r"[.?!,;:\n]", after)[0]
        bare = any(context.groupdict().get(name) is not None for name in ("bare", "bare2"))
        if bare and not _ITEMS.search(noun):
            continue
        sentence = (
            re.split(r"[.?!\n]", before)[-1]
            + re.split(r"[.?!\n]", text[match.end() : match.end() + 120])[0]
        )
        if _BY_EACH.search(sentence) or re.search(r"\beach\b|\bкажд", before[-60:]):
            return []
        behind = re.split(r"[.?!\n]", text[match.end() : match.end() + 120])[0]
        more = _MORE.search(behind)
        if more and not tells_of(behind[more.end() - 2 :]):
            return []
        if asked := _asked(match, context.group(), noun):
            found.append(asked)
    return found


def _chinese(text: str) -> list[Asked]:
    found = []
    matches = [m for m in _ZH.finditer(text) if not re.search("[ぁ-んァ-ヶ]", text)]
    for match in matches:
        sentence = re.split(r"[。？！\n]", text[match.start() : match.start() + 60])[0]
        before = text[max(0, match.start() - 40) : match.start()]
        titled = not before.strip() and _ZH_ITEMS.search(sentence)
        if _ZH_BEFORE.search(before) or _ZH_ASKS.search(sentence) or titled:
            if match["open"]:
                continue
            # 至少 may stand before the verb.
            if asked := _asked(match, before[-16:] + match["pre"] + match["post"], match["noun"]):
                found.append(asked)
    several = len(matches) > 1 or any(
        re.search(rf"[和及与、]\s*{_HAN_NUMBER}[个種种条點点项首本]", match["noun"])
        for match in matches
    )
    return [] if several else found


def _japanese(text: str) -> list[Asked]:
    matches = [m for m in _JA.finditer(text) if re.search("[ぁ-んァ-ヶ選]", text)]
    if len(matches) != 1 or re.search(
        rf"{_HAN_NUMBER}(?:つ|個|点)と[^。]{{1,20}}{_HAN_NUMBER}(?:つ|個|点)", text
    ):
        return []
    asked = _asked(matches[0], matches[0]["pre"] + matches[0]["post"], "")
    return [asked] if asked else []


def _asked(match: re.Match[str], around: str, noun: str) -> Asked | None:
    first = _number(match["a"])
    last = _number(match["b"]) if match["b"] else first
    words = (match.group() + noun).strip()[:60]
    if not 2 <= first <= last <= _MOST:
        return None
    if first == last and AT_LEAST.search(around):
        return Asked(first, None, words)
    if first == last and _AT_MOST.search(around):
        return Asked(1, first, words)
    if first == last and _ABOUT.search(around):
        return Asked(-(-first // 2), 2 * first, words)
    return Asked(first, last, words)


def _number(word: str) -> int:
    if word in _WORDS:
        return _WORDS[word]
    if word.isdigit():
        return int(word)
    tens, ten, ones = word.rpartition("十")
    return 10 * bool(ten) * (_HAN.get(tens, 1)) + _HAN.get(ones, 0)
