"""Words and signs that point to something elsewhere in a text, and what they may point to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from graders.core.words import say
from graders.rules.writing.elsewhere import elsewhere
from graders.rules.writing.notes import lists_at_end, marks, places

_EN_THING = (
    r"(?:figures?|fig\.|tables?|diagrams?|charts?|graphs?|images?|pictures?|illustrations?|"
    r"screenshots?|photos?|photographs?|infographics?|flow ?charts?|qr codes?|videos?)"
)
_RU_THING = (
    r"(?:рис\.|рисунк\w*|таблиц\w*|табл\.|схем\w*|диаграмм\w*|график\w*|изображени\w*|"
    r"скриншот\w*|иллюстраци\w*|фото(?:графи\w+)?|картинк\w*|видео|чертеж\w*|чертёж\w*)"
)
#: One of these words stands, in small letters, in everything that `_SENDS` finds.
_THING_WORDS = (
    *(
        "figure",
        "fig.",
        "table",
        "diagram",
        "chart",
        "graph",
        "image",
        "picture",
        "illustration",
        "screenshot",
    ),
    *(
        "рис",
        "табл",
        "схем",
        "диаграмм",
        "график",
        "изображени",
        "скриншот",
        "иллюстраци",
        "图",
        "表",
        "圖",
        "図",
        "グラフ",
        "画像",
        "写真",
        "照片",
        "视频",
        "photo",
        "infographic",
        "flowchart",
        "flow chart",
        "qr code",
        "video",
        "map",
        "фото",
        "картинк",
        "карт",
        "видео",
        "черт",
    ),
)
_NOT_ELSEWHERE = r"(?!\s+(?:\d{1,2}\s+)?(?:of|from|by|in)\b)"
#: Sentences that send the reader to a figure or table of this text. "Table 4 of the book" is
#: somewhere else.
_SENDS = re.compile(
    r"\b(?:as|is|are)\s+(?:(?:you can|we can|can be|it "
    r"is)\s+)?(?:shown|seen|see|depicted|illustrated|listed|given|summari[sz]ed)\s+"
    r"(?:in|on|by)\s+(?:the\s+)?(?P<en1>(?:following\s+|"
    rf"above\s+)?{_EN_THING})(?:\s+(?:\d{{1,2}}|above|below))?\b{_NOT_ELSEWHERE}|"
    rf"\bas\s+(?:the\s+)?(?P<en2>{_EN_THING})\s+(?:\d{{1,2}}|above|below)\s+(?:shows?|"
    r"illustrates?|depicts?|demonstrates?)\b|"
    r"\b(?:see|refer to|look "
    rf"at|consult)\s+(?:the\s+)?(?P<en3>{_EN_THING})\s+(?:\d{{1,2}}|above|below)\b{_NOT_ELSEWHERE}|"
    rf"\b(?:the|this)\s+(?P<en4>(?!figures){_EN_THING})\s+(?:above|below)\b(?!\s+(?:\d|the\b|"
    r"average))|"
    rf"\b(?:in|see|from)\s+the\s+(?:following|above)\s+(?P<en5>{_EN_THING})\b|"
    r"(?:\bсм\.|\bсмотрите|\bсмотри|показан\w*\s+[вн]а?|изображ\w+\s+на|\bвидно\s+(?:на|из|"
    r"по)|\bвидим\s+на|представлен\w*\s+[вн]а?|"
    r"привед[её]н\w*\s+[вн]а?|согласно|\bуказан\w*\s+[вн]а?)\s+(?:в\s+|"
    rf"на\s+)?(?P<ru1>{_RU_THING})(?:\s*(?:\d{{1,2}}|выше|ниже))(?!\s+[а-яё]{{4,}})|"
    rf"(?P<ru2>{_RU_THING})\s+(?:выше|ниже)(?!\s+\w+(?:го|ой|ых)\b)|(?:выше|"
    rf"ниже)?привед[её]нн\w+\s+(?:выше|ниже)\s+(?P<ru3>{_RU_THING})|"
    rf"\b(?:на|в|из|по)\s+(?P<ru4>{_RU_THING})\s*(?:№\s*)?\d{{1,2}}\b(?!\s+(?:прил|книг|учеб|"
    rf"стать|докум|глав|ГОСТ|закон|сборн|отч[её]т))|"
    rf"\b(?:на|в|из|по|к)\s+(?:следующ\w+|привед[её]нн\w+|прикладываем\w+|"
    rf"нижеследующ\w+)\s+(?P<ru5>{_RU_THING})|"
    rf"(?:ниже|далее|выше)\s+(?:\w+\s+)?(?:на|в|привед\w+|представлен\w*|"
    rf"показан\w*)\s+(?P<ru6>{_RU_THING})|"
    rf"\b(?:in|on|from)\s+(?P<en6>figures?|fig\.|tables?|diagrams?|charts?|"
    rf"graphs?)\s+\d{{1,2}}\b{_NOT_ELSEWHERE}|"
    r"(?<![以天如])(?:[上下附]|下面的?|下方的?|上面的?|上方的?|附的?)(?P<zh4>图|表|圖|表格|图片|"
    r"照片|示意图|流程图|视频)"
    r"(?![面层级书片班态达情现白格])|(?P<zh5>[图表圖])\s?[1-9一二三](?=[所中可显展给列]|[，。）)])|"
    r"(?:この|以下の|下記の|上記の|右の|左の|次の)?(?:この)?(?:(?<![ァ-ヺー㐀-鿿])[上下]の|"
    r"[上下]記の|以下の|"
    r"次の)(?:[㐀-鿿]{0,3})(?P<ja3>図|表|グラフ|画像|写真|動画|イラスト)"
    r"(?=[のにをはがでかとも、。]|参照)|(?P<ja4>図|表)\s?[1-9１-９](?=[のにをはがでかとも、。]|"
    r"参照)|"
    r"(?:如|见|參見|参见|请看|詳見|详见)(?:上|下)?(?P<zh1>图|表|圖)\s?(?:\d{1,2}|所示|所列|"
    r"所见|中|[）)])|(?<![以天如])(?:上|下)(?P<zh2>图|表|圖)(?:所示|显示|列出|中的|展示)|"
    r"(?<![ァ-ヺー㐀-鿿])(?:上|下|右|左|次)の(?P<ja1>図|表|グラフ|画像)(?:の|に|を|は|が|で|から)|"
    r"(?P<ja2>図|表|"
    r"グラフ)\s?\d{1,2}\s?(?:参照|を参照|に示|のとおり|の通り|のように|をご覧)",
    re.I,
)
_TABLES = re.compile(r"table|табл|表", re.I)
_ASKED_THING = re.compile(
    (
        rf"\b{_EN_THING}\b(?!\s+of\s+contents)|{_RU_THING}|\bрисунок|[图圖図表](?:\s?\d|格|片|像)|"
        r"[如上下这此该この]の?[图圖図表]|グラフ|画像"
    ),
    re.I,
)
_TABLE = re.compile(
    (
        r"^[ "
        r"\t]{0,8}\|.{0,2000}\||<table|^[^\n\t]{1,80}\t[^\n\t]{1,80}\t|^.{1,80}[┌├│]|^\S{1,40} "
        r"{2,40}\S|^.{1,200}\|[ \t]{0,4}:?-{2,}"
    ),
    re.M | re.I,
)
_PICTURE = re.compile(
    (
        r"!\[|<img|<svg|^[ "
        r"\t]{0,6}(?:```|~~~)|[┌├│└]|\[(?:image|figure|diagram|chart|изображение|рисунок|"
        r"схема|图|図)[^\]\n]{0,80}\]"
    ),
    re.M | re.I,
)
_CAPTION = re.compile(
    (
        r"^[ "
        r"\t>*_#]{0,8}(?:figure|fig\.|table|diagram|chart|рис\.|рисунок|таблица|схема|图|圖|"
        r"表|図)[ "
        r"\t]?(?:\d{1,2})?[ \t*_]{0,3}[.:：—–-]"
    ),
    re.M | re.I,
)

_BRACKET = re.compile(
    r"(?P<before>[^\s\[\]]?)(?P<space> "
    r"?)(?P<marks>(?:\[\d{1,3}(?:\s?[,–-]\s?\d{1,3}){0,8}\]){1,6})(?P<after>.?)"
)
_NO_NOTE_BEFORE = re.compile(
    r"(?:lists?|arrays?|intervals?|vectors?|matri\w+|tuples?|sets?|ranges?|index|indices|"
    r"elements?|output|outputs|returns?|gives?|prints?|row|column|"
    r"page|items?|numbers?|options?|press|type|enter|choose|key|нажмите|нажать|клавиш\w*|"
    r"кнопк\w+|按|键|score|step|exercise|problem|question|\w*спис\w*|массив\w*|интервал\w*|"
    r"вектор\w*|отрез\w+|элемент\w*|индекс\w*|множеств\w*|пример|вариант\w*|"
    r"数组|列表|区间|向量|元素|下标|リスト|配列|区間|ベクトル|要素)\W{0,3}$",
    re.I,
)
_NO_NOTE_BEHIND = re.compile(r"\s?(?:を押|ボタン|キー|键|鍵)")
#: Talk of programs and mathematics, where word[1] is an index.
_CODE = re.compile(
    r"`|\b(?:code|python|java|javascript|sql|rust|programming|variables?|loops?|strings?|"
    r"slic(?:es?|ing)|subscripts?|brackets|equations?|"
    r"pandas|numpy|matlab|arrays?|index|indexes|indices)\b|\b(?:код\w{0,2}|питон\w*|"
    r"программирован\w*|переменн\w*|скобк\w*|"
    r"массив\w*|индекс\w*)\b|代码|编程|变量|数组|下标|索引|コード|変数|配列|プログラム|添字",
    re.I,
)
_LEAST_WORD = 3
#: How some assistants mark the files that they searched; nobody else can open them.
_SEARCHED = re.compile(r"【(?P<number>\d{1,3})(?::\d{1,3})?†[^】\n]{0,80}】")
_SUPERSCRIPT = re.compile(
    r"(?:(?P<word>[^\W\d_]{1,30})|"
    r"(?P<end>[.,;:!?。，、；」”\"')）]))(?P<marks>[⁰¹²³⁴-⁹]{1,2}(?:[˒,][¹²³⁴-⁹]){0,4})(?![⁺⁻⁰-⁹"
    r"\w])"
)
_RAISED = re.compile("[⁰¹²³⁴-⁹]")
_MEASURES = re.compile(
    (
        r"(?:.*(?:met(?:er|re)s?|feet|foot|inch\w*|miles?|метр\w*|平方|立方|[米里尺]|メートル|"
        r"センチ|キロ)|[a-zа-я]{1,3}|sin|cos|tan|log)"
    ),
    re.I,
)
_LIST_OF_NOTES = re.compile(
    r"^[ "
    r"\t>*_#\d.]{0,10}(?:references?|sources?|bibliography|footnotes?|notes?|citations?|works "
    r"cited|further reading|источники?|"
    r"литература|список "
    r"литературы|примечани[яе]|сноски|ссылки|参考文献|参考资料|参考|来源|资料来源|注释|注|"
    r"脚注|出典|参照|"
    r"注記)[ \t*_]{0,4}(?:[:：]|$)",
    re.M | re.I,
)
_LETTER = re.compile(
    r"\W*(?:subject\b|dear\b|hi \w+,|hello \w+,|re:|тема:|уважаем|здравствуйте, [А-ЯЁ]|主题|"
    r"尊敬的|您好|"
    r"件名|拝啓|お世話に|\S{1,12}様)",
    re.I,
)
_FOOTNOTE = re.compile(r"\[\^([^\]\s]{1,30})\](?P<colon>:?)")


#: Answers to these show marks of notes.
_HOW_TO_CITE = re.compile(
    r"\bhow (?:do|should|to|can)\b[^?]{0,30}\b(?:cite|format|reference|footnote|superscript)|"
    r"citation "
    r"(?:style|format)|\b(?:APA|MLA|Chicago)\b|как (?:правильно )?(?:оформ|постав|ставить|"
    r"сдел)\w*[^?]{0,20}"
    r"(?:сноск|ссылк|литератур|источник)|(?:引用|文献|脚注|注释|上标)[^。？]{0,8}(?:怎么|如何|"
    r"格式|规范|符号|方法|标)|"
    r"(?:引用|文献|脚注|注)[^。？]{0,8}(?:書き方|表記|付け方|つけ方|書式|スタイル)",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Pointer:
    """A reference as a span, and what it looks for, in words."""

    start: int
    end: int
    what: str


def dangling(prose: str, text: str, question: str) -> Iterator[Pointer]:
    """References in `prose` (the answer without code and quotations) to which nothing in `text`
    answers."""
    yield from _footnotes(prose)
    notes = [] if re.search(r"\[\d{1,3}\]", question) else list(_brackets(prose, text, question))
    notes += [*_searched(prose), *_superscripts(prose)]
    if _HOW_TO_CITE.search(question):
        notes = []
    elif not _CODE.search(question):
        notes += [
            Pointer(start, end, say("rules.pointer.note", number=mark))
            for start, end, mark in marks(prose)
        ]
    listed = _LIST_OF_NOTES.search(text)
    # Notes that are numbered in their list are looked for there one by one.
    numbered = (
        {
            number
            for line in re.finditer(
                r"^[ \t>*-]{0,8}[\[【［(※]?(\d{1,3})[\]】］).:、．]?", text[listed.end() :], re.M
            )
            for number in line.groups()
        }
        if listed
        else set()
    )
    for note in notes:
        numbers = re.findall(r"\d+", prose[note.start : note.end])
        if not listed or (numbered and numbers and not numbered.issuperset(numbers)):
            yield note
    letter = _LETTER.match(text) is not None
    named = [*places(prose, text, question, letter), *elsewhere(prose, text, question, letter)]
    for start, end, what in named:
        yield Pointer(start, end, say(f"rules.pointer.{what}"))
    if not listed:
        for start, end, what in lists_at_end(prose):
            yield Pointer(start, end, say(f"rules.pointer.{what}"))
    # What is looked for first are words, since most texts have none of them and patterns are slow
    # on long ones.
    small = prose.casefold()
    if (
        any(word in small for word in _THING_WORDS)
        and not _ASKED_THING.search(question)
        and not _CAPTION.search(text)
    ):
        yield from _things(prose, text)


def _footnotes(prose: str) -> Iterator[Pointer]:
    found = list(_FOOTNOTE.finditer(prose))
    # A definition opens its line; "[^1]:" in the middle of a sentence is a reference before a
    # colon.
    notes = {
        m.group(1)
        for m in found
        if m["colon"] and not prose[prose.rfind("\n", 0, m.start()) + 1 : m.start()].strip()
    }
    for match in found:
        if match.group(1) not in notes:
            yield Pointer(
                match.start(), match.end(), say("rules.pointer.footnote", number=match.group(1))
            )


def _brackets(prose: str, text: str, question: str) -> Iterator[Pointer]:
    every = list(_BRACKET.finditer(prose)) if "[" in prose else []
    # Where some brackets hold an item of a list, a key or a zero, the others are no notes either.
    if any(
        re.search(r"\b0\b", m["marks"])
        or _NO_NOTE_BEFORE.search(prose[max(0, m.start("marks") - 30) : m.start("marks")])
        or _NO_NOTE_BEHIND.match(prose, m.end("marks"))
        for m in every
    ):
        return
    glued = (
        set() if not every or _CODE.search(text) or _CODE.search(question) else _glued(every, prose)
    )
    found = [match for match in every if match.start() in glued or _is_note(match)]
    defined = {
        number
        for line in re.finditer(r"^[ \t>*-]{0,8}\[(\d{1,3})\](?!\()", prose, re.M)
        for number in line.groups()
    }
    for match in found:
        numbers = re.findall(r"\d+", match["marks"])
        if not defined.issuperset(numbers):
            yield Pointer(
                match.start("marks"),
                match.end("marks"),
                say("rules.pointer.source", number=", ".join(numbers)),
            )


def _glued(every: list[re.Match[str]], prose: str) -> set[int]:
    """Starts of the brackets behind a word that are notes ("people[1]."): a word of letters,
    punctuation or a space after it.

    A word that stands before several numbers is a variable, and so are all.
    """
    starts: set[int] = set()
    words: dict[str, str] = {}
    for match in every:
        before = re.search(
            r"(?<![\w.])[^\W\d_]+$", prose[max(0, match.start("marks") - 40) : match.start("marks")]
        )
        if match["space"] or not before or len(before.group()) < _LEAST_WORD:
            continue
        if words.setdefault(before.group().casefold(), match["marks"]) != match["marks"]:
            return set()
        if re.match(
            r"[.,;!?)»]*(?:\s+(?![-+*/=<>])|$)", prose[match.end("marks") : match.end("marks") + 8]
        ):
            starts.add(match.start())
    return starts


def _searched(prose: str) -> Iterator[Pointer]:
    found = list(_SEARCHED.finditer(prose))
    notes = {
        m["number"]
        for m in found
        if not prose[prose.rfind("\n", 0, m.start()) + 1 : m.start()].strip(" -*>\t")
    }
    for match in found:
        if match["number"] not in notes:
            yield Pointer(
                match.start(), match.end(), say("rules.pointer.source", number=match["number"])
            )


def _is_note(match: re.Match[str]) -> bool:
    before, after = match["before"], match["after"]
    if not before or after in ("(", ":", "=", "["):
        return False
    # a[1] is an index; 年[1] and "года.[3]" are notes.
    if (
        not match["space"]
        and (before.isascii() or "а" <= before.lower() <= "я")
        and before not in ".,;:!?)\"'"
    ):
        return False
    return not (match["space"] and before in "=+*/<>:,([")


def _superscripts(prose: str) -> Iterator[Pointer]:
    if not _RAISED.search(prose):
        return
    defined = set(re.findall(r"^[ \t>*(]{0,6}([¹²³⁴-⁹]{1,2})", prose, re.M))
    for match in _SUPERSCRIPT.finditer(prose):
        word = match["word"]
        if word and (_MEASURES.fullmatch(word) or (word.isascii() and len(word) < 4)):
            continue
        if match["end"] in (")", "）") or match["marks"] in defined:
            continue
        yield Pointer(
            match.start("marks"),
            match.end("marks"),
            say("rules.pointer.note", number=match["marks"]),
        )


def _things(prose: str, text: str) -> Iterator[Pointer]:
    sent = list(_SENDS.finditer(prose))
    has_table, has_picture = (
        bool(sent and _TABLE.search(text)),
        bool(sent and _PICTURE.search(text)),
    )
    for match in sent:
        thing = next(filter(None, match.groups()))
        if has_table or (has_picture and not _TABLES.search(thing)):
            continue
        kind = "table" if _TABLES.search(thing) else "figure"
        yield Pointer(match.start(), match.end(), say(f"rules.pointer.{kind}"))
