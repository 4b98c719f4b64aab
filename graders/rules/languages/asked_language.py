"""Which languages a question allows its answer to be in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from graders.core.text import language_of

#: Code -> pattern of the language's name in English, Russian, Chinese and Japanese questions.
LANGUAGES = {
    "en": "(?<!old )(?<!middle )english|английск|英文|英検|英语|英語|英単語|英会話|英訳|英作文",
    "ru": "russian|русск|俄语|俄文|俄語|ロシア語",
    "zh": "chinese|mandarin|китайск|中文|汉语|漢語|中国語|中國語|普通话",
    "ja": "japanese|японск|日语|日文|日語|日語|日本語|和訳",
    "de": "german|немецк|德语|德文|德語|ドイツ語",
    "fr": "french|французск|法语|法文|法語|フランス語",
    "es": "spanish|испанск|西班牙语|西班牙文|西语|スペイン語",
    "it": "italian|итальянск|意大利语|イタリア語",
    "pt": "portuguese|португальск|葡萄牙语|ポルトガル語",
    "ko": "korean|корейск|韩语|韩文|韓文|韓国語|ハングル|朝鲜语",
    "uk": "ukrainian|украинск|乌克兰语|ウクライナ語",
    "la": r"latin\b|латинск|латын|拉丁语|ラテン語",
    "nl": "dutch|голландск|нидерландск|荷兰语|オランダ語",
    "pl": "polish|польск|波兰语|ポーランド語",
    "tr": "turkish|турецк|土耳其语|トルコ語",
    "ar": "arabic|арабск|阿拉伯语|アラビア語",
    "hi": "hindi|хинди|印地语|ヒンディー語",
    "el": "greek|греческ|希腊语|ギリシャ語",
    "he": "hebrew|иврит|希伯来语|ヘブライ語",
    "fi": r"finnish|финск|芬兰语|フィンランド語",
    "hu": "hungarian|венгерск|匈牙利语|ハンガリー語",
    "sv": "swedish|шведск|瑞典语|スウェーデン語",
    "da": r"danish\b(?! pastr)|датск|丹麦语|デンマーク語",
    "no": "norwegian|норвежск|挪威语|ノルウェー語",
    "cs": "czech|чешск|捷克语|チェコ語",
    "sk": "slovak|словацк|斯洛伐克语|スロバキア語",
    "bg": "bulgarian|болгарск|保加利亚语|ブルガリア語",
    "sr": "serbian|сербск|塞尔维亚语|セルビア語",
    "hr": "croatian|хорватск|克罗地亚语|クロアチア語",
    "ro": "romanian|румынск|罗马尼亚语|ルーマニア語",
    "th": r"thai\b|(?<!ки)тайск|泰语|泰文|タイ語",
    "vi": "vietnamese|вьетнамск|越南语|越南文|ベトナム語",
    "id": "indonesian|индонезийск|印尼语|印度尼西亚语|インドネシア語",
    "fa": r"persian\b(?! (?:cat|rug|carpet))|farsi|персидск|波斯语|ペルシア語|ペルシャ語",
    "cy": "welsh|валлийск|威尔士语|ウェールズ語",
    "ga": r"irish (?:gaelic|language)|gaelic|in irish\b|ирландск|爱尔兰语|アイルランド語",
    "ka": "georgian|грузинск|格鲁吉亚语|ジョージア語|グルジア語",
    "hy": "armenian|армянск|亚美尼亚语|アルメニア語",
    "kk": "kazakh|казахск|哈萨克语|カザフ語",
    "uz": "uzbek|узбекск|乌兹别克语|ウズベク語",
    "sw": "swahili|суахили|斯瓦希里语|スワヒリ語",
    "tt": r"\btatar\b|татарск|鞑靼语|タタール語",
    "tl": r"tagalog|filipino\b|тагальск|他加禄语|菲律宾语|タガログ語|フィリピン語",
    "ms": r"\bmalay\b|малайск|马来语|マレー語",
    "bn": r"bengali|бенгальск|孟加拉语|ベンガル語",
    "ur": r"\burdu\b|урду(?!\w)|乌尔都语|ウルドゥー語",
    "ne": r"nepali\b|непальск|непали|尼泊尔语|ネパール語",
    "my": r"burmese|бирманск|缅甸语|ミャンマー語|ビルマ語",
    "km": r"khmer|кхмерск|高棉语|柬埔寨语|クメール語",
    "et": r"estonian|эстонск|爱沙尼亚语|エストニア語",
    "lv": r"latvian|латышск|拉脱维亚语|ラトビア語",
    "lt": r"lithuanian|литовск|立陶宛语|リトアニア語",
    "is": r"icelandic|исландск|冰岛语|アイスランド語",
    "be": r"belarusian|белорусск|白俄罗斯语|ベラルーシ語",
    "sl": r"slovenian|slovene\b|словенск|斯洛文尼亚语|スロベニア語",
    "sq": r"albanian|албанск|阿尔巴尼亚语|アルバニア語",
    "ca": r"\bcatalan\b|каталанск|加泰罗尼亚语|カタルーニャ語|カタロニア語",
    "eu": r"\bbasque\b|баскск|巴斯克语|バスク語",
    "az": r"azerbaijani|азербайджанск|阿塞拜疆语|アゼルバイジャン語",
    "ky": r"kyrgyz|киргизск|кыргызск|吉尔吉斯语|キルギス語",
    "ba": r"\bbashkir\b|башкирск|バシキール語",
    "mi": r"\bm[aā]ori\b|毛利语|マオリ語",
    "mn": "mongolian|монгольск|蒙古语|モンゴル語",
    "eo": "esperanto|эсперанто|世界语|エスペラント",
}
_NAMES = "|".join(LANGUAGES.values())
_EN_THINGS = (
    "words?|phrases?|idioms?|proverbs?|sayings?|verbs?|nouns?|adjectives?|sentences?|"
    "translations?|version|names?|greetings?|lyrics|"
    "alphabet|letters?|poems?|songs?|slang|text|tongue|vocabulary|expressions?|pronouns?|dialogue"
)
_RU_THINGS = (
    "слов|фраз|идиом|послов|поговор|глагол|предложен|выражен|перевод|текст|имен|язык|алфавит|"
    "букв|стих|песн|сленг|скороговор"
)
#: Words that name a language as a language; Chinese and Japanese names (英语, 英語) always do.
_MENTIONED = re.compile(
    rf"\b(?:in|into|to|from|of)\s+(?:\w+\s+)?(?P<en>{_NAMES})|"
    rf"(?P<en2>{_NAMES})(?:\s+\w+)?\s+(?:{_EN_THINGS})\b|"
    rf"\b(?:на|с|со|из|в|во)\s+(?:\w+\s+)?(?P<ru>{_NAMES})|\bпо-(?P<ru2>{_NAMES})|"
    rf"(?P<ru3>{_NAMES})\w*\s+(?:\w+\s+)?(?:{_RU_THINGS})|"
    # Who says what he or she learns wants it in the answer.
    r"\b(?:learn|learning|study|studying|practi[sc]e|practi[sc]ing|teach(?:\s+(?:me|"
    rf"us))?)\s+(?:(?:some|basic|more|my)\s+)?(?P<en3>{_NAMES})\b|"
    r"\b(?:(?:вы|на)?уч(?:у|им|ить|ит|ат|ил|ила|или)|изуча\w+|"
    rf"практику\w+)\s+(?:\w+\s+)?(?P<ru4>{_NAMES})|"
    rf"(?P<east>{'|'.join(re.findall('[㐀-鿿ァ-ヿー]+', _NAMES))})",
    re.I,
)
_DIRECTED = re.compile(
    # "How do you write cat in Japanese?" is no order.
    r"(?<!do you )(?<!do i )(?<!do they )(?<!how to )(?<!can i )(?<!should i )(?<!hard to "
    r")(?<!easy to )(?<!learn to )(?<!want to "
    r")\b(?:answer|respond|reply|write|speak)\b"
    rf"(?:(?!\bhow\b|\bsay\b)[^.?!,:]){{0,60}}\bin\s+(?P<en>{_NAMES})|"
    r"\b(?:ответь|отвечай|ответьте|отвечайте|напиши|напишите|пиши|пишите|"
    rf"сочини)(?:(?!\bкак\b)[^.?!,:]){{0,60}}"
    rf"(?:\bна\s+|\bпо-)(?P<ru>{_NAMES})|"
    rf"用(?P<zh>{_NAMES})(?:(?!怎|如何)[^。？,，]){{0,6}}(?:回答|写|回复|说明|解释|介绍)|"
    rf"(?P<ja>{_NAMES})で[^。？,、]{{0,30}}(?:書いて|答えて|回答|説明して|紹介して)",
    re.I,
)
_ORIGINAL = re.compile(
    r"\boriginal\b|\bоригинал|原文|原语|原語|原名|原题|原題|原作名|外语|外国語|\bforeign "
    r"language|иностранн\w* язык",
    re.I,
)
#: Orders and question words of English alone, for questions too short to tell their language.
_ENGLISH = re.compile(
    (
        r"^\W*(?:please\s+)?(?:explain|describe|summari[sz]e|discuss|outline|suggest|write|"
        r"translate|recommend|what|why|who|how|when|where)\b[\x00-\x7f]*$"
    ),
    re.I,
)
_PARTS = re.compile(r"[:：\n\"“”«»„「」『』《》]|(?<!\w)'|'(?!\w)")


#: Questions about language: whatever language one of them names may stand in its answer.
_ABOUT_WORDS = re.compile(
    r"\b(?:learn|practi[sc]|beginner|translat|bilingual|parallel|phrase|sentence|dialogue|"
    r"conversation|text|"
    r"stor(?:y|ies)|letter|e-?mail|message|notice|greet|poem|speak|write|call(?:ed)?\b|word|"
    r"lesson|exam|characters?|"
    r"level|flash ?card|vocab|grammar|toast|subtitl|menu|label|sign\b|caption|lyrics|motto)|"
    r"\b(?:уч|изуч|перевод|перевед|перевести|фраз|предложени|диалог|разговор|письм|текст|рассказ|"
    r"сказ|слов|"
    r"напиш|поздрав|сообщени|надпис|как будет|по-|урок|экзамен|уровн|грамматик|отзыв|открытк)|"
    r"[语語文](?:的|で|の|里|中|版)?|译|訳|学|练|勉強|習",
    re.I,
)
_BALKAN = re.compile("[ѓќѕјљњџђћ]", re.I)
_NAMED_RE = re.compile(_NAMES, re.I)
_NEAR = {
    "no": ("da", "sv"), "da": ("no",), "sv": ("no", "da"), "cs": ("sk",), "sk": ("cs",),
    "hr": ("sr", "sl", "bs"), "sr": ("hr", "mk", "bg"), "id": ("ms",), "uk": ("be",), "bg": ("mk",),
    "fa": ("ar", "ur"), "hi": ("mr", "ne"), "uz": ("tr",), "kk": ("ky",),
}  # fmt: skip
_LISTED = re.compile(
    rf"(?:(?<=, )|(?<=and )|(?<=or )|(?<=и )|(?<=или )|(?<=[、和或与と]))(?:{_NAMES})", re.I
)
#: A language that is used beside the question's own.
_BOTH = re.compile(
    r"bilingual|parallel|side by side|with (?:an? )?(?:\w+ )?translation|both (?:languages|in)|"
    r"двуязычн|с переводом|"
    r"параллельн|双语|对照|中英|英汉|バイリンガル|対訳|併記|二か国語|両方",
    re.I,
)


#: What is eaten and drunk.
_DISHES = re.compile(
    r"\b(?:dish(?:es)?|foods?|cuisine|meals?|menu|restaurant|snacks?|desserts?|cheeses?|"
    r"wines?|breads?|pastr(?:y|ies)|soups?|dumplings?|noodles|"
    r"recipes?|eat|drink)\b|блюд|кухн|десерт|ресторан|поесть|попробовать|закуск|\bсыр|"
    r"\bвин[аоы]?\b|пирог|выпечк|"
    r"菜|吃|美食|小吃|点心|點心|甜品|餐|料理|食べ|グルメ|菓子|名物",
    re.I,
)


#: Exams that are of one language.
_EXAMS = {
    "ja": r"JLPT|日本語能力試験|日语能力",
    "zh": r"HSK",
    "ko": r"TOPIK",
    "es": r"(?-i:DELE|SIELE)",
    "fr": r"DELF|DALF",
    "de": r"TestDaF|Goethe-Zertifikat",
    "ru": r"TORFL|ТРКИ",
    "en": r"TOEFL|IELTS|TOEIC|(?:past|present|future) (?:simple|perfect|continuous|progressive)|"
    "phrasal verbs?|雅思|托福|英検|[四六]级考试",
}
_EXAM = {
    code: re.compile(rf"(?<![A-Za-z])(?:{pattern})(?![A-Za-z])", re.I)
    for code, pattern in _EXAMS.items()
}


@dataclass(frozen=True, slots=True)
class Allowed:
    """`own` is the question's language, `languages` all that an answer may use; `directed` is one
    that it must use.

    `languages` is None where the question leaves the language open (a quote in the original);
    `dishes` says that food is asked about, whose names stay in their own language; `near` are the
    languages that those named are taken for, and those whose people or dishes are spoken of.
    """

    own: str
    languages: frozenset[str] | None
    directed: str = ""
    dishes: bool = False
    near: frozenset[str] = frozenset()


def exams_named(question: str, own: str) -> frozenset[str]:
    """The languages whose exams a question names: HSK, JLPT."""
    question = question[:4_000]
    return frozenset(code for code, pattern in _EXAM.items() if pattern.search(question)) - {own}


def code_of(label: str) -> str:
    """Two-letter code of a language as tables write it: ``en``, ``en-US``, ``English``,
    ``русский``; "" if unknown."""
    label = label.strip().casefold()
    if re.fullmatch(r"[a-z]{2}(?:[-_].*)?", label):
        return label[:2]
    return _code(label) if label else ""


@lru_cache(maxsize=256)
def allowed_languages(question: str, label: str = "", context: tuple[str, ...] = ()) -> Allowed:
    """What `question`, whose language a table may state as `label`, lets its answer be in.

    Languages that `context` (an earlier turn, a document) names are allowed too.
    """
    question = question[:20_000]
    own = code_of(label) or language_of(question) or ("en" if _ENGLISH.match(question) else "")
    if (own in ("mk", "sr") and not _BALKAN.search(question)) or (
        own in ("uk", "be") and not re.search("[їєґіў]", question, re.I)
    ):
        # Short Russian sentences are taken for these, which have letters of their own.
        own = "ru"
    if _ORIGINAL.search(question):
        return Allowed(own, None)
    named = {_code(next(filter(None, match.groups()))) for match in _MENTIONED.finditer(question)}
    spoken_of = {_code(match.group()) for match in _NAMED_RE.finditer(question)}
    if _ABOUT_WORDS.search(question):
        named |= spoken_of
    if named - {own, ""}:
        # "in Swahili, Turkish and Vietnamese".
        named |= {_code(match.group()) for match in _LISTED.finditer(question)}
    named |= exams_named(question, own)
    # Whoever names a language or its people may be answered in its words.
    near = frozenset(close for code in named for close in _NEAR.get(code, ())) | spoken_of
    quoted = {language_of(part) for part in _PARTS.split(question)[:50]}
    directed = {
        _code(next(filter(None, match.groups()))) for match in _DIRECTED.finditer(question)
    } - {""}
    only = directed.pop() if len(directed) == 1 and len(named) == 1 else ""
    if only and _BOTH.search(question):
        only = ""
    earlier = {
        _code(next(filter(None, m.groups())))
        for text in context
        for m in _MENTIONED.finditer(text[:5000])
    }
    dishes = _DISHES.search(question) is not None
    return Allowed(
        own,
        frozenset({own, *named, *quoted, *earlier} - {""}),
        "" if only == own else only,
        dishes,
        near,
    )


def _code(name: str) -> str:
    return next((code for code, pattern in LANGUAGES.items() if re.match(pattern, name, re.I)), "")
