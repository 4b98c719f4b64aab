"""Marks of notes in the forms that answers use beside brackets, and places that are named in words:
a link, an attachment, a list at the end."""

from __future__ import annotations

import re
from collections.abc import Iterator

Found = tuple[int, int, str]

_NUMBERED = re.compile(
    r"(?P<kind>【|［|※|＊|〔|\(注|（注|注|†)\s?(?P<number>\d{1,3})(?P<close>】|］|〕|[)）]|"
    r"(?![\d年月日]))"
)
#: Before a mark that opens its note, its line has nothing but signs of a list.
_LINE_HEAD = re.compile(r"[ \t>*_#\\|-]*")
_ASIDE = re.compile(
    r"(?<![A-Za-zА-Яа-яЁё)»])\*{1,3}(?=[^\s*])[^*\n]{1,300}?(?<=[^\s*])\*{1,3}|^[ \t]*\*[ \t]", re.M
)
_ASTERISK = re.compile(
    r"(?<=[^\W\d_])(?:[)）」”»%])?(?P<marks>\\?\*{1,3}|[＊†‡※])(?=[\s.,;:!?。、，）)]|$)", re.M
)
_ASTERISK_NOTE = re.compile(
    r"^[ \t>_(（]*(?:\\\*|\*{1,3}(?=\S)(?![^*\n]{1,200}\*)|\*[ \t]|[＊†‡※]|\*\*\*?[ \t])", re.M
)
_CIRCLED = re.compile(r"(?<=[^\s，。、；：:,.;(（])[①-⑳](?=[\s，。、；,.;!?！？)）]|$)", re.M)
_CIRCLED_HEAD = re.compile(r"[①-⑳](?=[\s.、]?[^\W\d_])|^[ \t>*-]*[①-⑳]", re.M)
_BEHIND_SENTENCE = re.compile(
    r"(?<=[^\W\d_]{3}[.!?…»”\"])(?P<after>\d{1,2}(?:,\d{1,2}){0,4})(?=\s+[A-ZА-ЯЁ«“\"]|\s*\n|\s*$)|"
    r"(?<=[。！？」])(?P<east>\d{1,2})(?=\s|$|[」』）)])"
)
_BEHIND_WORD = re.compile(
    r"(?<![\w-])(?P<word>[a-zа-яё]{4,30})(?P<number>\d{1,2})(?=[.,;:!?)]?(?:\s|$))"
)
_LINK = re.compile(
    r"https?://|www\.|\]\([^)\s]{4,}|<a\s|\b[\w-]{2,40}\.(?:com|org|net|gov|edu|io|ru|рф|cn|jp|"
    r"de|uk|eu|fr)\b",
    re.I,
)
_EMPTY_LINK = re.compile(
    r"\[[^\]\n]{1,200}\]\((?:\s*|#|url|link|ссылка|链接|リンク|URL|\.\.\.|…|insert[^)\n]{0,40})\)",
    re.I,
)
_LINK_WORD = (
    r"(?:link|url|here|website link|ссылка|链接|連結|网址|网页链接|点此|点这里|リンク|URL|こちら)"
)
_NAMED_LINK = re.compile(
    rf"[(（\[【](?:(?:source|see|via|from|reference|read more|more|источник|см\.|ссылка|"
    rf"подробнее|来源|出处|"
    rf"资料来源|参见|详见|查看|出典|参照|参考|詳細|"
    rf"情報源)\s*[:：]?\s*)?{_LINK_WORD}\s*\d{{0,2}}[)）\]】](?!\()|"
    r"\b(?:click|tap|press) (?:on )?(?:here|this link|the link) ?(?:below|above)?\b|"
    r"\b(?:follow|"
    r"open|visit|use|through|via|at|behind|under) (?:this|the following) link\b|"
    r"\b(?:the )?links? (?:below|above)\b|"
    r"(?:по|пройдите по|перейдите по|открыв) (?:этой|следующей|данной) ссылк|(?:по )?ссылк\w+ "
    r"(?:ниже|выше|внизу)|"
    r"нажмите (?:здесь|сюда)\b|вот (?:по )?(?:здесь|сюда|ссылк)|"
    r"点击(?:这里|此处|下方|下面|以下)(?:的)?(?:链接|按钮)?|(?:下方|下面|以下|文末|"
    r"上方)的?(?:链接|网址|二维码)|"
    r"扫描(?:下方|下面|上方|文末)|"
    r"(?:下記|以下|次|こちら|上記|文末)の?(?:リンク|URL|サイト|ページ|QRコード)(?:から|を|で|に|"
    r"より)|"
    r"こちらを(?:クリック|タップ|ご覧)|こちらから(?:ご|お|ダウンロード)",
    re.I,
)
_ATTACHED = re.compile(
    r"\b(?:please )?find (?:[^.!?\n]{0,40} )?attached\b|\b(?:i've|i have|i) attached\b|\b(?:the|"
    r"this|my) attached "
    r"\w+|\battached (?:is|are|you|below|file|document|here)\b|\bin the attach(?:ment|ed)\b|\bsee "
    r"(?:the )?attach(?:ment|ed)\b|"
    r"во вложени|прикрепл[её]нн|прикрепил|прилага(?:ю|ем|ется|ются)\b|вложенн\w+ файл|в "
    r"прилож(?:ении|енном) "
    r"(?:файле|к (?:ответу|сообщению|письму))|"
    r"(?:见|请看|参见|查看|详见|下载|打开)(?:本|随附|下方|文末)?(?:的)?附件|附件(?:中|里|是|已|"
    r"的|为)|随附的|已附上|"
    r"添付(?:の|した|しました|ファイル|いたし|資料|を(?:ご覧|参照|ご確認))",
    re.I,
)
_ATTACH_ASKED = re.compile(
    r"attach|e-?mail|\bmail\b|letter|message|cover|résumé|resume|\bcv\b|template|вложен|прикреп|"
    r"письм|"
    r"сообщени|附件|邮件|信|函|通知|添付|メール|手紙|文面",
    re.I,
)
#: A list that is promised, at the end or as an appendix.
_AT_END = re.compile(
    r"(?:see|in|cf\.?|consult|check) (?:the )?(?:reference list|list of (?:references|sources)|"
    r"bibliography|"
    r"references|footnotes?|appendix(?: [a-z\d])?|annex(?: [a-z\d])?|notes)\b(?: (?:at|below|on|"
    r"in)\b[^.;)\n]{0,30})?|"
    r"\b(?:sources?|references?|footnotes?|notes?|appendix|glossary|details) (?:are |is "
    r")?(?:listed |given |"
    r"explained )?(?:at the (?:end|bottom)|below)\b|"
    r"(?:см\.?|смотри(?:те)?|указан\w*|привед\w+|перечислен\w*) (?:\w+ )?(?:в )?(?:список|"
    r"списк\w+) "
    r"(?:литературы|источников)|(?:список|источники|ссылки|литература) (?:\w+ ){0,2}(?:в конце|"
    r"внизу|ниже)|"
    r"(?:см\.?|смотри(?:те)?|подробн\w+) (?:в )?(?:сноск\w+|примечани\w+|приложени\w+)(?: \d+)?|"
    r"(?:见|参见|详见|请看|列(?:在|于))(?:文末|末尾|文后|附录|脚注|尾注|注释|参考文献)|(?:文末|"
    r"附录)(?:的|中的)?"
    r"(?:列表|清单|表格|参考|来源|说明)|"
    r"(?:文末|末尾|巻末|脚注|付録|別表|別紙|参考文献)(?:の[^。\n]{1,10})?(?:を(?:ご)?(?:参照|覧|"
    r"確認)|に(?:示|掲載|まとめ|記載)|"
    r"のとおり|をご)",
    re.I,
)


def marks(prose: str) -> Iterator[Found]:
    """Marks of notes that no note answers: ※1, 【1】, an asterisk, ①, a figure at an end."""
    yield from _numbered(prose)
    yield from _asterisks(prose)
    yield from _circled(prose)
    yield from _bare_digits(prose)


def _numbered(prose: str) -> Iterator[Found]:
    found = list(_NUMBERED.finditer(prose)) if re.search(r"[【［※＊〔注†]", prose) else []
    notes = {(m["kind"], m["number"]) for m in found if _opens_line(prose, m.start())}
    for match in found:
        if match["kind"] in ("【", "［", "〔") and match["close"] not in ("】", "］", "〕"):
            continue
        key = (match["kind"], match["number"])
        before = prose[match.start() - 1 : match.start()]
        if key in notes or not before.strip():
            continue
        if (
            match["kind"] in ("【", "［", "〔")
            and re.match(r"[^\W\d_]", prose[match.end() :])
            and before in "：:"
        ):
            continue
        yield *match.span(), match["number"]


def _opens_line(prose: str, at: int) -> bool:
    head = prose[prose.rfind("\n", 0, at) + 1 : at]
    return len(head) < 40 and _LINE_HEAD.fullmatch(head) is not None


def _asterisks(prose: str) -> Iterator[Found]:
    bare = _ASIDE.sub(lambda match: " " * len(match.group()), prose)
    found = list(_ASTERISK.finditer(bare))
    if not found or len(found) > 12 or _ASTERISK_NOTE.search(prose):
        return
    # An even number in one line is emphasis.
    for match in found:
        line = bare[bare.rfind("\n", 0, match.start()) + 1 :].split("\n", 1)[0]
        if (
            line.count("*") % 2 == 0
            and "*" in match["marks"]
            and match["marks"].strip("\\") != "**"
        ):
            continue
        yield match.start("marks"), match.end("marks"), match["marks"].strip("\\")


def _circled(prose: str) -> Iterator[Found]:
    if not re.search("[①-⑳]", prose) or _CIRCLED_HEAD.search(prose):
        return
    for match in _CIRCLED.finditer(prose):
        yield *match.span(), match.group()


def _bare_digits(prose: str) -> Iterator[Found]:
    ends = list(_BEHIND_SENTENCE.finditer(prose))
    words = list(_BEHIND_WORD.finditer(prose))
    if len({m["word"] for m in words}) < len(words):
        words = []
    for found in (ends, words):
        numbers = [int(re.findall(r"\d+", m.group())[0]) for m in found]
        # One may be anything; notes count on from 1.
        if len(found) < 2 or numbers != sorted(numbers) or numbers[0] > 3 or len(set(numbers)) < 2:
            continue
        noted = set(re.findall(r"^[ \t>*]{0,6}(\d{1,2})(?:[.)\]:]|\s)", prose, re.M))
        if all(str(number) in noted for number in numbers) and found is ends:
            continue
        for match in found:
            start = match.start("number") if "number" in match.re.groupindex else match.start()
            yield start, match.end(), re.findall(r"\d+", match.group())[0]


def places(prose: str, text: str, question: str, letter: bool) -> Iterator[tuple[int, int, str]]:
    """Links, attachments and lists that are named and not there, with the key of their words."""
    for match in _EMPTY_LINK.finditer(text):
        yield *match.span(), "link"
    if not _LINK.search(text) and not _LINK.search(question):
        for match in _NAMED_LINK.finditer(prose):
            yield *match.span(), "link"
    if not letter and not _ATTACH_ASKED.search(question.replace("template", "")):
        for match in _ATTACHED.finditer(prose):
            yield *match.span(), "attachment"


def lists_at_end(prose: str) -> Iterator[tuple[int, int, str]]:
    for match in _AT_END.finditer(prose):
        yield *match.span(), "list"
