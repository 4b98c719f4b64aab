"""Words that send the reader elsewhere: to a picture beside the text, an appendix, a section,
a page, a link, a file, an earlier answer. Each is looked for in the text itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

Found = tuple[int, int, str]

_EN_PICTURE = (
    r"(?:photos?|photographs?|pictures?|images?|figures?|diagrams?|charts?|graphs?|illustrations?|"
    r"drawings?|sketch(?:es)?|maps?|screenshots?|infographics?|clips?|videos?|tables?)"
)
_RU_PICTURE = (
    r"(?:фото(?:графи\w+)?|картинк\w+|рисун\w+|изображени\w+|схем\w+|диаграмм\w+|график\w+|"
    r"иллюстраци\w+|"
    r"чертеж\w+|чертёж\w*|скриншот\w+|карт\w+|видео|таблиц\w+|ролик\w*)"
)
_PICTURES = re.compile(
    rf"\b(?:the|this|that|my|these|accompanying|following|enclosed) (?:\w+ )?{_EN_PICTURE} (?:on|"
    rf"to|at) "
    rf"(?:the|your) (?:right|left|top|bottom|next page|side)\b|\(\s?(?:see|cf\.?|compare) (?:the )?"
    rf"(?:\w+ )?{_EN_PICTURE}[^)]{{0,30}}\)|\b(?:accompanying|enclosed) {_EN_PICTURE}\b|"
    rf"\b(?:as|like) (?:shown|seen|pictured|illustrated|marked) (?:here|on the (?:right|left))\b|"
    rf"\b{_EN_PICTURE} (?:on|to) the (?:right|left)\b|"
    rf"(?<!\w){_RU_PICTURE} (?:справа|слева|сбоку|рядом|внизу|вверху)(?!\w)|(?:справа|слева|"
    rf"внизу|вверху) "
    rf"(?:на )?{_RU_PICTURE}|\(\s?см\.? (?:на )?{_RU_PICTURE}[^)]{{0,20}}\)|как (?:показано|видно|"
    rf"изображено) (?:на|в|из) {_RU_PICTURE}|"
    r"[右左](?:侧|边|面|上|下)?的?(?:图|表|照片|图片|示意图)|(?:见|看|参考|参照)(?:右|左|配|附|插|示意|效果)图|"
    r"(?:如|见)(?:照片|图片|图中|图示|示意图)|(?:配|附|插)图(?:中|里|所)|"
    r"[右左横隣]の?(?:写真|図|表|イラスト|画像|グラフ)|(?:写真|イラスト|画像)(?:を(?:ご覧|参照)|の(?:通り|とおり|ように)|参照)",
    re.I,
)
_PICTURE_ASKED = re.compile(
    rf"\b{_EN_PICTURE}\b|{_RU_PICTURE}|图|照片|表格|视频|地图|写真|図|画像|イラスト|グラフ|動画|表を|表に",
    re.I,
)
_PICTURE_THERE = re.compile(r"!\[|<img|<svg|^[ \t]{0,6}(?:```|~~~)|[┌├│└]|^[ \t]{0,8}\|.+\|", re.M)
#: Characters that are read.
_MOST = 20_000
_LABEL = (
    r"(?P<{0}>(?-i:[A-ZА-Я])|\d{{1,2}}(?:\.\d{{1,2}})?|(?-i:[IVX]{{1,4}})|[一二三四五六七八九十])"
)
_APPENDIX = re.compile(
    rf"\b(?:appendix|appendices|annex|exhibit|attachment)\s+{_LABEL.format('a')}(?!\w)|"
    rf"(?<!\w)приложени[еияюй]\w{{0,2}}\s+(?:№\s?)?{_LABEL.format('b')}(?!\w)|"
    rf"(?:附录|附表|附件|附图)\s?{_LABEL.format('c')}|(?:付録|別表|別紙|別添|付表|巻末資料)\s?{_LABEL.format('d')}?"
    r"(?=[のにをはがで、。])",
    re.I,
)
_SEES = (
    r"(?:see|see also|cf\.?|refer (?:back )?to|as (?:described|explained|discussed|mentioned|"
    r"noted|shown|"
    r"outlined|listed|covered) in|described in|explained in|covered in|discussed in|detailed in|"
    r"more in|"
    r"details in|turn to|go to|continue (?:in|with))"
)
_SECTION = re.compile(
    rf"\b{_SEES} (?:the )?(?:section|chapter|part|paragraph|page|pages|pp?\.|item|point|box|"
    rf"sidebar|module|"
    rf"lesson|unit)\s+(?P<en>\d{{1,3}}(?:\.\d{{1,2}})?|[A-Z])\b(?!\s*(?:of|in|from)\b)|"
    r"\b(?:on|see) page (?P<page>\d{1,3})\b(?! (?:of|in)\b)|"
    r"(?:см\.?|смотри(?:те)?|описан\w*|указан\w*|рассмотрен\w*|изложен\w*|подробн\w+|говорилось|"
    r"разобран\w*) "
    r"(?:\w+ )?(?:в |на )?(?:раздел\w*|глав\w+|пункт\w*|п\.|параграф\w*|част\w+|страниц\w+|стр\.|"
    r"с\.|урок\w*)"
    r"\s*(?:№\s?)?(?P<ru>\d{1,3}(?:\.\d{1,2})?)(?!\s*(?:\w+\s)?(?:книг|учеб|закон|кодекс|стать|"
    r"договор|гост|"
    r"инструкц|руковод))|"
    r"(?:见|参见|详见|请看|参考|参阅|请参照)(?:本文|下文|上文|前文|后文)?第?\s?(?P<zh>\d{1,3}(?:\.\d{1,2})?|"
    r"[一二三四五六七八九十]{1,2})\s?(?:章|节|页|部分|小节|段)(?!的?《)|"
    r"第?(?P<ja>\d{1,3}(?:\.\d{1,2})?|[一二三四五六七八九十]{1,2})(?:章|節|ページ|頁|項)(?:を(?:ご?参照|ご覧|お読み)|で"
    r"(?:述べ|説明|解説|紹介|詳し)|に(?:記載|詳し|まとめ|示し)|参照)",
    re.I,
)
_LINKS = re.compile(
    r"\b(?:at|via|in|under|from|following|with|using) (?:this|the following|that) (?:link|url|"
    r"address|page)\b|"
    r"\b(?:link|url) (?:is |can be found )?(?:in (?:the|my) (?:description|comments?|bio|"
    r"profile)|here)\b|"
    r"\bdownload (?:it|the \w+(?: \w+)?) (?:here|below|from (?:this|the) (?:link|page))\b|"
    r"\bavailable (?:here|at this link)\b|\(\s?(?:source|link)\s?:?\s?(?:here|this link|link)\s?\)|"
    r"(?:по|на|через) (?:этой |данной |следующей |указанной )?ссылк[еу](?! на)|скача(?:ть|йте|й) "
    r"(?:\w+ )?"
    r"(?:здесь|тут|отсюда|по ссылке)|ссылк\w+ (?:в (?:описании|профиле|комментари\w+)|здесь|"
    r"прилагаю|даю ниже)|"
    r"(?:подробнее|источник|см\.)\s?:?\s?(?:здесь|тут)(?!\w)|"
    r"(?:这个|该|此|以下|上述|如下)(?:链接|网址|页面)|链接(?:在|如下|见|放在|已)|(?:点击|打开|访问)(?:该|此|这个|上面|"
    r"下面)?(?:链接|网址)|戳(?:这里|链接)|点(?:这里|此)(?:下载|查看)|"
    r"(?:この|こちらの|以下の|下の|次の|上の)(?:リンク|URL|アドレス|ページ|サイト|記事|動画)|リンク(?:先|はこちら|から)|"
    r"(?:こちら|ここ)(?:を(?:クリック|タップ|押)|から(?:ダウンロード|アクセス|申し込|確認|ご))",
    re.I,
)
_LINK_THERE = re.compile(
    r"https?://|www\.|\]\([^)\s]{4,}|<a\s|\b[\w-]{2,40}\.(?:com|org|net|gov|edu|io|ru|рф|cn|jp|de|"
    r"uk|eu|fr)\b",
    re.I,
)
_FILES = re.compile(
    r"\bi(?:'ve| have)? (?:also |just )?(?:attached|enclosed|uploaded|sent you|included) (?:an?|"
    r"the|my|your|"
    r"both|two|some) [^.!?\n]{0,30}\b(?:file|document|template|pdf|spreadsheet|sheet|form|copy|"
    r"checklist|"
    r"image|picture|photo|slides?|presentation)|\b(?:the )?attached (?:file|document|template|"
    r"pdf|spreadsheet|"
    r"sheet|form|checklist|image|picture|photo|zip)|\bdownload the attach(?:ed|ment)|"
    r"\b(?:open|in|see|use) the (?:attachment|enclosed)\b|"
    r"приложил\w* (?:к|файл|шаблон|документ|таблиц)|прикладываю|прикрепля(?:ю|ем)|прикрепил|"
    r"вложени[еияю]|"
    r"во вложении|(?:скача|откро)\w+ (?:\w+ )?(?:вложени|прикрепл|приложенн)|(?:файл|документ|"
    r"таблиц\w) "
    r"(?:\w+ )?(?:приложен[аоы]?(?!\w)|прикрепл|во влож)|отправил\w* (?:вам |тебе )?(?:файл|"
    r"документ|шаблон)|"
    r"(?:已|我)(?:为您|给您|给你|帮你)?(?:附上|上传|附了|添加了?附件)|(?:附件|随附)(?:中|里|是|为|的|已|文件|文档|表格|模板)|"
    r"(?:下载|打开|查收|查看)(?:附件|随附)|文件已(?:发送|上传|附)|"
    r"添付(?:の|した|しました|して|ファイル|いたし|資料|を|いたします)|ファイルをお送り",
    re.I,
)
_FILE_ASKED = re.compile(
    r"attach|e-?mail|\bmail\b|letter|message|cover|r[ée]sum[ée]|\bcv\b|upload|download|вложен|"
    r"прикреп|письм|"
    r"сообщени|скача|загруз|附件|邮件|信|函|通知|上传|下载|添付|メール|手紙|文面|ダウンロード",
    re.I,
)
_EARLIER = re.compile(
    r"\b(?:in|from) (?:my|our) (?:last|previous|earlier|first) (?:answer|message|reply|"
    r"conversation|chat|"
    r"response|session|discussion)\b|\bas (?:i|we) (?:said|wrote|discussed|mentioned|agreed|"
    r"explained) "
    r"(?:last time|yesterday|in (?:my|our) (?:last|previous|earlier))|\b(?:last time|earlier) "
    r"(?:we|you|i) "
    r"(?:talked|spoke|discussed|told|asked|mentioned)|"
    r"в (?:прошлом|предыдущем|последнем|моём прошлом) (?:сообщени|ответ|разговор|диалог|письм)\w*|"
    r"в прошл(?:ый|ом) раз|как мы (?:с вами |с тобой )?(?:договорились|обсуждали)|"
    r"上次(?:我|你|您|咱们|我们)?(?:说|聊|提|讨论|回答)|(?:之前|上一?[条次个])的?(?:回答|对话|消息|回复)(?:里|中|提)|"
    r"前回(?:の(?:回答|メッセージ|会話|ご質問|お話)|お(?:伝え|話し)|ご(?:説明|紹介))|先日(?:お伝え|ご案内|の回答)",
    re.I,
)
_QUOTED_TALK = re.compile(
    r"\b(?:story|dialogue|script|role|novel)\b|рассказ|диалог|故事|对话|小说|物語|会話|小説", re.I
)


def elsewhere(prose: str, text: str, question: str, letter: bool) -> Iterator[Found]:
    """Pointers to what is not in `text`, with the key of the words for it. Letters may speak of
    what is sent with them, and a question of what it has."""
    prose = prose[:_MOST]
    if not _PICTURE_ASKED.search(question) and not _PICTURE_THERE.search(text):
        for match in _PICTURES.finditer(prose):
            yield *match.span(), "figure"
    if letter or _QUOTED_TALK.search(question):
        return
    yield from _labelled(_APPENDIX, prose, text, question)
    yield from _labelled(_SECTION, prose, text, question)
    if not _LINK_THERE.search(text) and not _LINK_THERE.search(question):
        for match in _LINKS.finditer(prose):
            yield *match.span(), "link"
    if not _FILE_ASKED.search(question):
        for match in _FILES.finditer(prose):
            yield *match.span(), "attachment"
    for match in _EARLIER.finditer(prose):
        yield *match.span(), "earlier"


def _labelled(pattern: re.Pattern[str], prose: str, text: str, question: str) -> Iterator[Found]:
    """Appendices and sections that no line of the text begins with, and the question does not
    name."""
    for match in pattern.finditer(prose):
        label = next(filter(None, match.groups()), "")
        head = re.compile(
            rf"^[ \t>*_#|-]*(?:(?:appendix|annex|section|chapter|part|page|приложение|раздел|"
            rf"глава|часть|пункт|"
            rf"附录|附表|附件|付録|別表|別紙|別添|第)\s?(?:№\s?)?)?{re.escape(label)}(?:[\s.:：、)章节節部页ページ*—–-]|$)",
            re.M | re.I,
        )
        opens = not prose[prose.rfind("\n", 0, match.start()) + 1 : match.start()].strip(
            " \t>*_#|-"
        )
        if not opens and not (label and head.search(text)) and match.group() not in question:
            yield *match.span(), "list"
