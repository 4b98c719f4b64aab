"""Forms that a question may ask for, and how a text shows that it has them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from graders.core.words import say
from graders.rules.forms._prose_forms import (
    ABROAD,
    BARS,
    HABIT,
    NO_FRAME,
    has_dialogue,
    has_first_person,
    has_items,
    has_prose,
    has_questions,
    has_riddles,
    is_addressed,
)
from graders.rules.forms.verse import looks_like_verse

_EN_ASK = (
    r"\b(?:write|compose|create|make|give|draft|generate|prepare|produce|invent|need|want|want "
    r"you to write|pen|craft|put together|turn (?:it|this|that|these|them)[^.?!\n]{0,60}? into|"
    r"rewrite[^.?!\n]{0,60}? as|in the form of|in form of|"
    r"like|come up with)\b(?:\s+(?:me|us|up|down|out))?"
)
#: Words between the verb and the form: "write a short rhyming poem", but not "write an essay about
#: a poem".
_EN_BETWEEN = (
    r",?(?:\s+(?!about\b|on\b|of\b|for\b|that\b|which\b|from\b|to\b|in\b|how\b|why\b|what\b|"
    r"with\b|essay\b|story\b|"
    r"review\b)[\w'’-]+,?){0,6}?\s+"
)
_RU_ASK = (
    r"(?:напиши|сочини|составь|придумай|создай|сделай|набросай|подготовь|сгенерируй|покажи|сложи|"
    r"предложи|приведи|пришли|срифмуй|разыграй|выдай|нужн[оаы]?|"
    r"нужен|"
    r"хочу|дай|оформи|переделай|перепиши|изложи|в (?:форме|виде)|помоги (?:мне )?(?:написать|"
    r"составить|"
    r"сочинить)|пожалуйста|можешь (?:написать|сочинить|составить))(?:те)?"
)
_RU_BETWEEN = (
    r",?(?:\s+(?!о\b|об\b|про\b|для\b|в\b|к\b|из\b|по\b|на\b|рассказ\b|эссе\b)[\w-]+,?){0,5}?\s+"
)
_ZH_ASK = r"(?:写|作|创作|编|编写|拟|起草|来|出|设计|做|想|给我|生成|整理|改成|改写)"
_ZH_BETWEEN = r"(?:(?!关于.{0,12}的(?:文章|作文|故事))[^。？！\n]){0,25}?"
_JA_ASK = (
    r"(?:を|も|が)?、?(?:(?!教え|有名|紹介)[^。、？！\n]){0,12}(?:書い|作っ|作成|詠ん|創作|"
    r"つくっ|考え|一[句首つ]|"
    r"お願い|ください|くれ|ほしい|欲しい|出し|出題|まとめ|にし|お題|$)"
)


@dataclass(frozen=True, slots=True)
class Form:
    """One form: its key, how it is asked for, and whether a text has it."""

    key: str
    asked: re.Pattern[str]
    seen: Callable[[str], bool]

    @property
    def name(self) -> str:
        """``a table``."""
        return say(f"rules.form.{self.key}")


def forms_asked(question: str) -> list[Form]:
    """The forms that `question` clearly asks for; none where it asks how to do it, or leaves the
    choice."""
    text = question[:8000]
    found = []
    for form in FORMS:
        match = form.asked.search(text)
        if match is None:
            continue
        before, around = (
            text[max(0, match.start() - 40) : match.start()],
            text[max(0, match.start() - 20) : match.end() + 25],
        )
        if form.key in _WRITTEN and _EDITED.search(text):
            continue
        if form.key == "letter" and NO_FRAME.search(text):
            continue
        if form.key == "diary" and HABIT.search(text):
            continue
        if _HOW.search(before) or _CHOICE.search(around) or _PART.match(text, match.end()):
            continue
        found.append(form)
    return found


#: A text that is there and to be mended has its form.
_WRITTEN = {"essay", "diary"}
_EDITED = re.compile(
    r"\b(?:correct|proofread|edit|review|improve|fix|summari[sz]e|analy[sz]e|translate|outline|"
    r"plan|title|"
    r"topics?|ideas?)\b|исправ|провер|отредактир|улучш|перевед|кратк|план\b|тем[ыу]? (?:для|эссе)|"
    r"改(?:正|一下|得|地道|错)|批改|润色|检查|修改|提纲|大纲|翻译|题目|添削|直し|チェック|要約|"
    r"翻訳|構成|アイデア",
    re.I,
)
_HOW = re.compile(
    r"(?<!\w)(?:how (?:do|can|should|to|would)|why|what|when|did|who|don'?t|do not|never|instead "
    r"of|как|почему|зачем|не|кто|怎么|如何|怎样|"
    r"谁|不要|别|方法|どう)[^.!?。\n]{0,25}$",
    re.I,
)
_CHOICE = re.compile(r"\bor\b|\bили\b|或者?|または|もしくは|в прозе|\bprose\b|散文", re.I)
_PART = re.compile(
    r"'s\b|\s+(?:title|name|contest|collection|analysis|lamp|tennis|of "
    r"contents|manners|opener|subject|template for code)\b|"
    r"的(?:开头|结尾|标题|题目|主题|名字|意思|读后感)|"
    r"の(?:タイトル|題名|書き出し|件名|冒頭|意味|感想)",
    re.I,
)


def _form(key: str, en: str, ru: str, zh: str, ja: str, seen: Callable[[str], bool]) -> Form:
    return Form(key, re.compile("|".join(part for part in (en, ru, zh, ja) if part), re.I), seen)


def _named(
    key: str, en: str, ru: str, zh: str, ja: str, seen: Callable[[str], bool], more: str = ""
) -> Form:
    """A form that is asked for after a verb, or at the head of the question."""
    return _form(
        key,
        rf"{_EN_ASK}{_EN_BETWEEN}(?:{en})\b|^\W{{0,3}}(?:an? |one )?(?:[\w'-]+ "
        rf"){{0,2}}?(?:{en})\b(?= "
        r"(?:about|on|for|from|please)\b|[,.:]|$)",
        rf"{_RU_ASK}{_RU_BETWEEN}(?:{ru})|^\W{{0,3}}(?:[\w-]+ ){{0,2}}?(?:{ru})(?= (?:о|об|про|"
        rf"на тему|для|от)\b)",
        rf"{_ZH_ASK}{_ZH_BETWEEN}(?:{zh})",
        rf"(?:{ja})(?:\d{{1,2}}[つ個問本]|[一二三四五六七八九十]つ)?(?:{_JA_ASK})"
        + (f"|{more}" if more else ""),
        seen,
    )


def has_table(text: str) -> bool:
    """Rows with bars, tabs, columns drawn with spaces or signs, HTML, or lines of values with
    commas."""
    return (
        bool(_DRAWN.search(text)) or len(BARS.findall(text)) >= 2 or len(_VALUES.findall(text)) >= 3
    )


_DRAWN = re.compile(
    r"<table|[┌├│╔║]|^\S{1,30}[　]+\S{1,30}\n\S{1,30}[　]+\S|\\begin\{tabular|^\S[^\n\t]{0,80}\t\S|"
    r"^[^\n|]{0,80}\S[ ]{3,40}\S[^\n]{0,200}\n[^\n|]{0,80}\S[ ]{3,40}\S",
    re.M | re.I,
)
_VALUES = re.compile(r"^[^\n,;]{1,40}[,;][^\n,;]{1,40}(?:[,;][^\n,;]{1,40}){1,10}$", re.M)
_NUMBERED = re.compile(
    (
        r"(?:^|[\s*_#(（])\d{1,3}[.)）、．:：]|[①-⑳❶-❿]|\d️⃣|^[一二三四五六七八九十]、|"
        r"第[一二三\d]|^\s{0,4}[IVX]{1,4}[.)]"
    ),
    re.M,
)


def has_numbers(text: str) -> bool:
    """One item with a number in front, on its own line or within one."""
    return bool(_NUMBERED.search(text))


def has_braces(text: str) -> bool:
    """Anything that may be JSON: a brace or a bracket."""
    return "{" in text or "[" in text


def has_letter(text: str) -> bool:
    """A greeting, a subject or a closing at the beginning of a line."""
    return bool(_LETTER.search(text) or ABROAD.search(text)) or is_addressed(text)


_LETTER = re.compile(
    r"^[ \t>*_]{0,8}(?:dear\b|hi\b|hello\b|hey\b|good (?:morning|day|afternoon|evening)|to "
    r"whom|greetings|subject\s?:|re:|my dear|"
    r"(?:kind(?:est)?|best|warm(?:est)?|with) "
    r"|regards|sincerely|yours|respectfully|cheers|thanks|thank you|love,|take "
    r"care|cordially|"
    r"здравствуй|уважаем|дорог|привет|добр(?:ый|ое|ого)|тема\s?:|с уважением|с "
    r"наилучш|искренне|ваш[аи]?\b|твой|твоя|с любовью|"
    r"всего доброго|спасибо|милый|милая|"
    r"尊敬的|亲爱的|敬爱的|您好|你好|敬启|主题|此致|敬礼|祝|敬上|谨启|致[：: "
    r"]|(?![^\n]*(?:可以|如下|以下|处理|步骤|方法|建议|内容|注意|要点|这样|说明|"
    r"原因))[^\n，。、]{1,14}[：:]\s*$|拝啓|件名|敬具|草々|前略|"
    r"[^\n]{0,12}(?:様|さん|先生|へ)[、,，：: ]*$|お世話に|こんにちは|よろしく)|"
    r"様\n|さんへ|よろしくお願い(?:いた|致)?し?ます|(?:best|kind) regards|yours "
    r"(?:truly|sincerely|faithfully)|с уважением|此致|敬礼",
    re.I | re.M,
)


def has_code(text: str) -> bool:
    """A code block, code in a line, or a line that only a programme has."""
    return bool(
        re.search(
            r"```|~~~|`[^`\n]+`|^\s{0,40}(?:def |class \w|function\b|import |from \w+ "
            r"import|#include|select\b.{1,200}\bfrom\b|"
            r"public |const |let |var |fn |func |return\b|print\()|"
            r"[;{}]\s*$|=>|:=|\w\([^()\n]{0,80}\)\s*[:{;=]|^ "
            r"{4}\S|\w\.\w+\(|</?\w+>|\\d|\[\^?[\w-]+\][+*]",
            text,
            re.M | re.I,
        )
    )


_LANGUAGE = (
    r"(?:python|java(?:script)?|typescript|c\+\+|c#|rust|go(?:lang)?|php|ruby|kotlin|swift|"
    r"bash|shell|sql|html|css|perl|"
    r"scala|питон\w*|пайтон\w*)"
)
FORMS = (
    _form(
        "verse",
        (
            rf"{_EN_ASK}{_EN_BETWEEN}(?:poems?|haikus?|tankas?|limericks?|sonnets?|ballads?|"
            r"odes?|couplets?|quatrains?|verses?|(?:nursery )?rhymes?|song(?: lyrics)?|lyrics|"
            r"raps?|jingles?|lullaby)\b"
        ),
        rf"{_RU_ASK}{_RU_BETWEEN}(?:стихотворени[ея]|стих[иа]?|стишок|стишки|хокку|хайку|"
        r"танка|лимерик\w?|сонет\w?|оду|балладу|"
        rf"четверостишие|двустишие|частушк[иу]|песн[юяи]|песенк[уи]|текст песни|считалк[уи]|"
        rf"колыбельную|рэп|эпиграмму|поздравление в стихах)\b",
        (
            rf"{_ZH_ASK}{_ZH_BETWEEN}(?:诗(?![人歌集意]|中)|诗歌|绝句|律诗|[五七][绝律]|俳句|"
            r"打油诗|十四行诗|歌词|儿歌|顺口溜|对联|童谣|说唱)|"
            r"(?:以|用)(?:一首)?(?:\w{0,3})诗(?:歌)?(?:的)?(?:形式|体|来(?:写|介绍|描))"
        ),
        rf"(?:(?<!散文)詩|俳句|短歌|川柳|五行詩|ソネット|ポエム|歌詞|童謡|わらべ歌|"
        rf"ラップ)(?:{_JA_ASK})",
        looks_like_verse,
    ),
    _form(
        "dialogue",
        rf"{_EN_ASK}{_EN_BETWEEN}(?:dialogues?|dialogs?|conversation between|phone call between|"
        rf"script for a (?:phone|telephone|video) call|skits?|"
        rf"sketch(?:es)?\b(?= (?:between|for|about|in))|(?:short )?play (?:script|scene)|"
        rf"interview with)\b",
        rf"{_RU_ASK}{_RU_BETWEEN}(?:диалог(?:и|а|ов)?|сценк[уи]|скетч|интервью|пьеск?у)\b",
        rf"{_ZH_ASK}{_ZH_BETWEEN}(?:对话|小品|相声|剧本|对口)",
        rf"(?:会話|対話|ダイアログ|コント|漫才|寸劇|台本)(?:文|例)?(?:{_JA_ASK})",
        has_dialogue,
    ),
    _form(
        "table",
        rf"\b(?:in|as|with|into|using)\s+an?\s+(?:[\w-]+\s+){{0,2}}table\b(?! of "
        r"contents)|\btabular form|"
        rf"{_EN_ASK}\s+(?:an?\s+)?(?:\w+\s+){{0,2}}(?<!sql )(?<!html )(?<!database "
        r")table\b(?! of contents)",
        (
            r"(?:в виде|в форме)\s+(?:\w+\s+)?таблиц\w|табличн\w+ "
            rf"(?:виде|форме)|\bв таблице\b|\bтаблицей\b|(?:сравнительн|сводн)\w+ таблиц\w|"
            rf"{_RU_ASK}{_RU_BETWEEN}таблиц[уы]\b(?! умножения)"
        ),
        r"(?:用|以|按|通过|做成|列成|制作|画|整理成)(?:一个|一张|个|张)?(?:\w{0,6})?表格|"
        r"表格(?:的)?(?:形式|格式|方式)|"
        r"(?:列|做|画|制|弄|整理)(?:成|个|一个|张|一张|出)(?:对比|比较|对照|简单的?)?表(?!情|演|"
        r"达|示|现|态|白|面)|"
        r"(?:列|做|给|给我|给出|列出|生成)一[个张份](?:[^，。？\n]{0,14}的)?表格",
        (
            r"(?:比較|一覧|対照|対比|早見)表(?:を|が|も)[^。？！\n]{0,8}(?:作|つく|お願い|くだ|"
            r"書|ほしい|欲しい)|"
            r"(?<![年代発図時])表(?:形式|で(?:比較|まとめ|示|整理|書|作|出|教)|に(?:して|まとめ|"
            r"整理))|一覧表(?:で|に|を作)"
        ),
        has_table,
    ),
    _form(
        "numbered_list",
        (
            r"\b(?:as|in|give|make|write|with|create|provide)\b[^.?!\n]{0,30}\bnumbered "
            r"(?:list|steps|points|items)\b"
        ),
        r"(?<!не)(?:про)?нумерованн\w+ (?:список|списк\w+|перечень|перечня|шаг\w+|пункт\w+)",
        r"(?:编号|带编号的|有编号的|有序)(?:列表|清单|步骤)",
        r"番号(?:付き|つき|を(?:付け|つけ|振))(?:の)?(?:リスト|箇条書き|て)?",
        has_numbers,
    ),
    _form(
        "json",
        r"\b(?:return|output|respond|reply|answer|give|format|write|provide|print|"
        r"produce)\b[^.?!\n]{0,60}\b(?:in|as|valid|"
        r"is)?\s*\bJSON\b(?! (?:file|parser|schema|library))|"
        r"\bas (?:an? )?(?:valid )?JSON\b",
        r"в JSON\b|в (?:формате|виде) JSON\b|(?:верни|выведи|ответь|"
        r"напиши)(?:те)?[^.?!\n]{0,40}\bJSON\b",
        r"(?:以|用|返回|输出|按|整理成|转成|转换成|转为|写成|做成|变成|改成|"
        r"导出)[^。？！\n]{0,8}JSON(?:格式)?",
        r"JSON(?:形式|データ)?に(?:して|変換|まとめ|直|整|：|:|$)|JSON(?:形式)?で(?:出力|返|答|書|"
        r"示|回答|まとめ|お願い|教)",
        has_braces,
    ),
    _form(
        "letter",
        (
            rf"{_EN_ASK}{_EN_BETWEEN}(?:e-?mails?|letters?)\b(?!\s+(?:of the "
            r"alphabet|words?|combination|sequence|puzzle))"
        ),
        rf"{_RU_ASK}{_RU_BETWEEN}(?:электронное |деловое )?письм[оа]\b",
        (
            rf"{_ZH_ASK}{_ZH_BETWEEN}(?:封[^。？！，\n]{{0,12}}(?:信|邮件|电子邮件)|感谢信|"
            r"求职信|辞职信|道歉信|(?<!行)情书|邮件)"
        ),
        rf"(?:手紙|メール|お礼状|詫び状)(?:{_JA_ASK})",
        has_letter,
    ),
    _form(
        "code",
        rf"{_EN_ASK}\s+(?:an?\s+|the\s+)?(?:\w+\s+){{0,2}}?(?:function|script|program|class|query|"
        rf"method)\s+in\s+"
        rf"{_LANGUAGE}\b|{_EN_ASK}\s+(?:an?\s+|the\s+|"
        rf"some\s+)?(?:\w+\s+){{0,2}}?(?:{_LANGUAGE}\s+(?:\w+\s+)?(?:function|script|program|"
        r"code|"
        rf"class|query|snippet|method)|regex|regular expression|code)\b",
        rf"{_RU_ASK}\s+(?:\w+\s+){{0,2}}?(?:код|скрипт|функцию|программу)\s+на\s+{_LANGUAGE}|"
        rf"{_RU_ASK}\s+(?:\w+\s+){{0,2}}?{_LANGUAGE}[- ](?:код|скрипт|функцию|запрос)|"
        rf"{_RU_ASK}\s+на\s+{_LANGUAGE}\s+(?:\w+\s+){{0,2}}?(?:код|скрипт|функцию|программу)|"
        rf"{_RU_ASK}\s+(?:sql[- "
        r"]запрос|"
        rf"регулярное выражение)",
        (
            rf"用\s?{_LANGUAGE}\s?(?:来|帮我|给我)?(?:写|编|实现)[^。？！\n]{{0,20}}|"
            rf"(?:写|编写)[^。？！\n]{{0,8}}{_LANGUAGE}[^。？！\n]{{0,8}}(?:代码|函数|脚本|程序|"
            r"查询|语句)"
        ),
        rf"{_LANGUAGE}[^。？！\n]{{0,24}}(?:コード|関数|スクリプト|プログラム|クエリ)(?:{_JA_ASK})",
        has_code,
    ),
    _named(
        "quiz",
        r"quiz(?:zes)?|multiple[- ]choice (?:questions?|test)|(?:test|exam|trivia|comprehension) "
        r"questions",
        r"викторин\w|квиз|тест\b|тестов\w+ (?:вопрос|задани)\w*|вопрос\w* (?:для|с вариантами)",
        r"选择题|测验|小测|问答题|判断题|测试题|填空题|知识竞赛",
        r"クイズ|選択問題|小テスト|(?:四|三|二)択問題|練習問題|確認問題",
        has_questions,
    ),
    _named(
        "questions_answers",
        r"FAQs?|frequently asked questions|Q ?(?:&|and) ?A",
        r"FAQ|вопрос[- –—]+ответ|вопросы и ответы|част\w+ вопрос",
        r"FAQ|问答|常见问题|一问一答|Q&A",
        r"FAQ|よくある(?:ご)?質問|Q&A|Ｑ＆Ａ|一問一答|問答",
        has_questions,
    ),
    _named(
        "riddles",
        r"riddles?",
        r"(?:сборник )?загад(?:ок|к[уи])",
        r"谜语|灯谜|字谜|谜题",
        r"なぞなぞ|謎かけ|謎々",
        has_riddles,
    ),
    _named(
        "essay",
        r"essays?|(?:short |fairy |bedtime )?(?:story|tale)|fable|speech|op-ed|reflection paper",
        r"эссе|сочинени[ея]|рассказ|сказк[уа]|басн[юя]|речь|очерк|притч[уа]",
        r"作文|小论文|议论文|记叙文|散文|随笔|故事|童话|寓言|演讲稿|读后感|文章",
        r"小論文|作文|エッセイ|随筆|物語|童話|昔話|寓話|スピーチ|感想文|論説文|小説",
        has_prose,
    ),
    _named(
        "diary",
        r"diary(?: entry| entries| page)?|journal entr(?:y|ies)",
        r"(?:запись|страниц\w|запис\w) (?:\w+ )?(?:в |из )?дневник\w?|дневник\w*\b",
        r"日记",
        r"日記",
        has_first_person,
    ),
    _form(
        "list",
        r"\b(?:in|as|with|into|using|use)\s+(?:an?\s+)?(?:\w+\s+){0,2}(?:bullet(?:ed)?[- "
        r"](?:points?|list)|bullets)\b|"
        rf"{_EN_ASK}{_EN_BETWEEN}(?:check ?lists?|bullet(?:ed)?[- ](?:points?|list)|to-?do list|"
        rf"shopping list|"
        r"packing list|step-by-step list)\b|\bas an? (?:\w+ )?list\b",
        r"(?:в виде|в форме) (?:\w+ )?списка|\bсписком\b|по пунктам\b|маркированн\w+ спис\w+|"
        rf"{_RU_ASK}{_RU_BETWEEN}(?:чек-?лист|список (?:покупок|дел|вещей|продуктов|\w+))",
        r"(?:用|以|按)(?:列表|清单|要点|条目)(?:的)?(?:形式|方式|列|写|说|给|总结|回答)?|"
        r"分(?:要点|条目|点|条)(?!钟|钱|心)|"
        rf"{_ZH_ASK}{_ZH_BETWEEN}(?:清单|购物单|待办)",
        r"箇条書き(?:で|に)|(?:リスト|チェックリスト|一覧)(?:形式)?(?:で|に(?:して|まとめ))|"
        rf"(?:チェックリスト|持ち物リスト|買い物リスト)(?:{_JA_ASK})",
        has_items,
    ),
)
