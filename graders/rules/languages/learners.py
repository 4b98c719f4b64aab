"""Questions of people who learn a language: who says so, who only lets it be seen, and which
language it is."""

from __future__ import annotations

import re

from graders.core.text import language_of
from graders.rules.languages.asked_language import LANGUAGES, exams_named

_LEARNS = (
    r"\blearn|practi[sc]|beginner|\bteach me\b|\bstudy|\bstudent|example "
    r"sentences?|travell?er|tourist|\blevel\b|\b[ABC][12](?![A-Za-z0-9])|memori[sz]e|\bstart(?:s|"
    r"ed|ing)?\b|girlfriend|boyfriend|"
    r"\bgoing to\b|\bvisit|don'?t (?:speak|know)|"
    r"\bwith (?:an? |the |its )?(?:english |side-by-side )?translations?\b|с (?:русским "
    r")?переводом|"
    r"(?:附|带|配)(?:上|有)?(?:中文)?(?:翻译|译文)|(?:和訳|翻訳|日本語訳|訳)(?:付き|つき|"
    r"を付け|をつけ)|"
    r"\bучу(?:сь)?\b|начинаю|начал\w*\b|не знаю язык|(?:языка|\w+ского) (?:\w+ )?не знаю|для "
    r"отдыха|второй месяц|"
    r"\bучу\b|\bучим\b|изуча|\b(?:на|вы)учи|осваива|практик|начинающ|уровн|пример\w* "
    r"предложений|турист|"
    r"(?:给|让|要|想)我?学(?!生|校|期)|学一下|学了|学完|学过|入门|发音|精读|跟读|背诵|备考|"
    r"[ABC][12]级|(?:学|练)[^，。]{0,4}(?:半年|"
    r"[几一两二三四五六七八九十\d]+(?:年|个月|天|周))|"
    r"(?:語|日本語)を?(?:始め|はじめ|かじ)|(?:年|か月|ヶ月|カ月|ヵ月|週間)(?:目|です|たち|に入)|"
    r"覚えられ|言えるよう|話せるよう|"
    r"在学|自学|学[了着]?[^，。]{0,3}[语文]|第一次学|零基础|不会[^，。]{0,2}语|我去|学习|想学|"
    r"练习|初学|教我|例句|学生|勉強|練習|習って|習い|覚えたい|使いたい|話をしたい|話がしたい|"
    r"初心者|学ん|学び|学習|教えて|例文|"
    r"\bich (?:lerne|übe)\b|\bj'apprends\b|\b(?:estoy aprendiendo|aprendo)\b"
)
#: A class, an exam, a schoolbook, a journey, first steps: people who do not say that they learn.
_IMPLIED = (
    r"\b(?:class|lessons?|course|classroom|exams?|tests?|quiz|textbook|flash "
    r"?cards?|pupils?|graders?|grade|tutor|teacher|school)\b|"
    r"\bnew to\b|just started|moving to|\btrip\b|holiday|vacation|travell?ing|weeks in|days in|"
    r"\bурок|\bзаняти|\bкурс|экзамен|контрольн|учебник|учител|школ|класс|карточк|поездк|"
    r"отпуск|\bеду\b|переезжа|"
    r"课|考试|备考|要考|老师|教材|小学|中学|孩子|旅游|旅行|出差|刚开始|"
    r"授業|試験|テスト|教科書|先生|中学|小学|高校|旅行|出張|始めたばかり|引っ越"
)
#: Grammar, and what is easy or useful to say.
_ASKED_FOR = (
    r"grammar|subjunctive|genitive|dative|conjugat|\btense|particle|\bverbs?\b|(?:useful|"
    r"common|basic|key|some|few|which "
    r"\w+) phrases|"
    r"(?:useful|simple|easy) (?:\w+ "
    r")?(?:sentences?|dialogues?|texts?|stor(?:y|ies)|conversations?)|"
    r"грамматик|падеж|глагол|спряж|наклонени|залог|частиц|(?:полезн|нужн|просты|какие)\w* фраз|"
    r"прост\w* (?:\w+ )?(?:предложени|диалог|текст|рассказ|разговор)|"
    r"语法|动词|虚拟式|时态|助词|简单的?(?:\w{0,4})(?:句|对话|短文|文章|故事)|常用语|用语|"
    r"文法|動詞|助詞|接続法|時制|生格|フレーズ|(?:簡単|易し|やさし)\w{0,3}(?:文|会話|物語)|用語"
)
_LEARNER = re.compile(f"{_LEARNS}|{_IMPLIED}|{_ASKED_FOR}", re.I)
#: What a text is about says nothing of its reader: "a story about my school trip".
_TOPIC = re.compile(
    r"\babout (?:(?!(?:for|to|with|in|so)\b)\w+ ?){1,6}|\b(?:о|об|обо|про) (?!язык)\w+(?: \w+)?|"
    r"关于[^，。？！,的]{1,12}|[㐀-鿿ァ-ヺー]{1,10}について",
    re.I,
)
#: What nobody wants in a foreign language but to learn it, or to say it.
_PHRASES = re.compile(
    r"\b(?:phrases?|expressions?|sentences?|small talk|conversation starters?|chat|things (?:to|"
    r"i can) say|"
    r"what to say|how to (?:order|ask|say|greet|introduce|buy|haggle)|survival)\b|"
    r"фраз|предложени|выражени|реплик|что (?:сказать|говорить)|как (?:заказать|спросить|"
    r"поздороваться|"
    r"представиться|торговаться)|"
    r"例句|句子|句型|短语|常用语|日常语|几句|[\d一二三四五六七八九十两]+句|口语|怎么(?:点|问|"
    r"打招呼)|"
    r"例文|フレーズ|表現|文例|一言|(?:頼み|言い|聞き|尋ね)方",
    re.I,
)
_MATERIAL = re.compile(
    r"small talk|conversation starters?|things to say|model (?:text|essay)|sample|composition|"
    r"сочинени|образец|реплик|作文|手本|見本|模範|例文|独学|読解|"
    r"sentences?|phrases?|expressions?|reading|paragraph|passage|how to (?:order|ask|say|greet|"
    r"introduce|buy)|"
    r"как (?:заказать|спросить|поздороваться|представиться)|怎么(?:点|问|说|打招呼)|(?:頼み|言い|"
    r"聞き)方|"
    r"dialogue|conversation|\btexts?\b|\bstor(?:y|"
    r"ies)\b|\bexamples?\b|"
    r"предложени|фраз|выражени|истори[юяи]|сказк|диалог|текст|рассказ|пример|разговор|"
    r"やりとり|セリフ|せりふ|台詞|"
    r"短句|范文|阅读|口语|课文|日常语|几句|句型|例句|例子|句子|对话|会话|短文|文章|造句|"
    r"[几一二两三四五六七八九十\d]句|用语|故事|用語|"
    r"読み物|表現|文例|フレーズ集|テキスト|例文|会話|フレーズ|文章|文を|例を|物語|"
    r"\bS(?:a|ä)tze?\b|\bDialog\b|\bTextes?\b|\bfrases\b|\bdiálogo\b",
    re.I,
)
#: Other wishes: a translation into the language, or expressly none, a letter, or a text for readers
#: of that language.
_OTHERWISE = re.compile(
    r"\btranslate\b|\bwithout (?:a |any )?translation|\bno translation|translations? (?:is|are) "
    r"not|(?:don't|do not) need (?:a |any |the )?translation|not "
    r"translate|e-?mail|\bletter\b|\bpoem\b|haiku|\bsms\b|whatsapp|voicemail|"
    r"\b(?:birthday|thank[- ]you|sympathy|wedding|farewell|greeting)s? (?:text|message|note|card|"
    r"wish)|"
    r"\b(?:text|message|note|card|reply|post(?:card)?)\b[^.?!]{0,30}\bto\b (?:my|our|the|his|her|"
    r"a)\b|"
    r"\b(?:my|our|a|the) (?:novel|film|movie|book|website|web ?site|web "
    r"?shop|shop|thesis|paper|company|customers?|brochure|campaign)\b|"
    r"advert|slogan|product text|speech\b|"
    r"переведи|без перевода|перевод не (?:нуж|треб)|перевод мне не|не переводи|письмо|стих|"
    r"открытк|поздравлени|смс|сообщение (?:для|\w+[уеюи]\b)|для "
    r"(?:\w+ "
    r"){0,2}(?:сайта|романа|фильма|книги|рекламы|клиентов)|"
    r"объявлени|реклам|слоган|"
    r"翻译成|译成|不要翻译|不用翻译|无需翻译|不需要(?:翻译|译文|中文)|只要(?:英文|原文)|改(?:得|"
    r"成|一下)|批改|邮件|写信|短信|贺卡|祝福|留言|微信|明信片|诗|(?:我们|我司|本|贵|为|给)公司|"
    r"公司的?(?:网站|产品|宣传|介绍|官网)|网站|广告|产品|小说|"
    r"客户|"
    r"に訳して|翻訳して|訳は(?:いら|要ら|必要)|和訳(?:は|なし)|(?:英文|原文)だけ|訳は不要|訳なし|"
    r"訳さ|メール|手紙|メッセージカード|寄せ書き|年賀状|俳句|詩を|商品|広告|(?:弊社|当社|会社案内|"
    r"会社紹介|会社の(?:HP|サイト|紹介|パンフ))|"
    r"ホームページ|小説|お客",
    re.I,
)
_FOR_LETTERS = re.compile(
    r"\b(?:phrases?|expressions?|sentences?)\b[^.?!]{0,30}\b(?:for|in) (?:my |an? |writing |"
    r"business |"
    r"formal |work )*(?:e-?mails?|letters?)|(?:фраз|выражени|предложени)\w*[^.?!]{0,20}для "
    r"(?:\w+ )?"
    r"(?:писем|письма|переписки)|(?:邮件|信)[^，。]{0,6}(?:常用|句|短语)|(?:メール|手紙)[^。]{0,8}"
    r"(?:フレーズ|表現|例文)",
    re.I,
)
#: Expressly none, of some words only, or what the learner wrote is to be corrected.
_NO_TRANSLATION = re.compile(
    r"\b(?:only|just) (?:the )?(?:difficult|hard|new|unknown|rare) words|(?:words|vocabulary|"
    r"glossary) "
    r"only|\b(?:correct|check|proofread|fix|review) (?:my|this|the|these)\b|\bis (?:this|"
    r"my)\b[^?]{0,40}"
    r"\bcorrect|immersion|monolingual|already (?:speak|understand|know)|fluent|advanced learner|"
    r"\b(?:without|no|not|don't|do not|skip|leave out)\b[^.?!]{0,20}\b(?:translat|english)|"
    r"only in \w+|entirely in|in the target language|"
    r"только (?:для )?(?:\w+ )?(?:трудны|сложны|незнаком|новы)|(?:проверь|исправь|поправь|"
    r"проверьте|исправьте)|"
    r"без (?:\w+ )?перевод|перевод\w* (?:\w+ )?не\b|не (?:надо|нужно|нужен|"
    r"переводи)[^.?!]{0,12}перевод|"
    r"\brole-?play|\bpretend\b|\byou are (?:an? |the |my )|(?:speak|talk|reply|answer) only|"
    r"сыграй|ты (?:—|-) |"
    r"扮演|角色|只[说讲]|ロールプレイ|役を|だけで話|"
    r"без (?:ключ|ответ)|сам(?:и|ому?|остоятельн\w*) [^.?!]{0,16}(?:перев|перевед)|"
    r"(?:перев\w+ (?:их |это |всё )?сам)|(?:ученик\w*|класс|дети|студент\w*) (?:\w+ )?перев|"
    r"для (?:самостоятельного )?перевода|\b(?:no|without) (?:an? |the )?(?:answer )?key|"
    r"(?:students|pupils|class|they|kids) (?:to|will|can|must|should) translate|"
    r"translate (?:them|it) (?:myself|themselves)|"
    r"(?:自己|让?学生)[^，。]{0,6}(?:翻译|译成)|翻译练习|"
    r"自分で[^。、]{0,6}訳|生徒[^。、]{0,6}訳|訳させ|"
    r"свободно (?:владею|говорю|читаю)|только (?:на|по-)|"
    r"只(?:翻译|解释|要)[^，。]{0,4}(?:生词|难词|英文|原文)|(?:改|批改|检查|纠正|修改)(?:一下|我|"
    r"这)|"
    r"不(?:用|要|需要|必)[^，。]{0,4}(?:翻译|译|中文)|全(?:用|部用|英文|程)|"
    r"(?:難しい|知らない)(?:単語|言葉)だけ|添削|直して|チェックして|訳(?:は|を)?(?:不要|なし|いら|"
    r"要ら|付けず|つけず)|"
    r"(?:だけ|のみ)で(?:書|お願い|作)",
    re.I,
)
#: Names of languages in three more languages that learners ask in.
_NAMES_ELSEWHERE = {
    "en": r"\bEnglisch|\banglais|\binglés",
    "ru": r"\bRussisch|\brusse\b|\bruso\b",
    "zh": r"\bChinesisch|\bchinois|\bchino\b",
    "ja": r"\bJapanisch|\bjaponais|\bjaponés",
    "de": r"\ballemand|\balemán",
    "fr": r"\bFranzösisch|\bfrancés",
    "es": r"\bSpanisch|\bespagnol",
    "it": r"\bItalienisch|\bitalien\b|\bitaliano\b",
}
_SAYS_IN = {
    "de": r"\bich (?:lerne|übe)\b",
    "fr": r"\bj'apprends\b",
    "es": r"\b(?:estoy aprendiendo|aprendo)\b",
}
_EAST = re.compile(r"[㐀-鿿ぁ-ヿ]+")


def learned_language(question: str, own: str) -> str:
    """The language of which `question` (in `own`) wants sentences to learn from; "" where it wants
    none, or no translation."""
    question = question[:4_000]
    exams = set(exams_named(question, own))
    phrases = _PHRASES.search(question) is not None
    learns = exams or phrases or _LEARNER.search(_TOPIC.sub(" ", question))
    wanted = learns and (phrases or _MATERIAL.search(question))
    if not wanted or _NO_TRANSLATION.search(question):
        return ""
    # Phrases for letters are learned, a letter is sent.
    if _OTHERWISE.search(question) and not (phrases and _FOR_LETTERS.search(question)):
        return ""
    names = {
        code: f"{pattern}|{_NAMES_ELSEWHERE.get(code, pattern)}"
        for code, pattern in LANGUAGES.items()
    }
    named = (
        {code for code, pattern in names.items() if re.search(pattern, question, re.I)} - {own}
    ) or exams
    return named.pop() if len(named) == 1 else ""


def language_of_reader(question: str, label: str) -> str:
    """The language that a question is asked in, or the one that its table states."""
    prose = re.sub(r"[\"“«„「『][^\"”»“」』\n]{1,200}[\"”»“」』]", " ", question[:4_000])
    said = next((code for code, pattern in _SAYS_IN.items() if re.search(pattern, prose, re.I)), "")
    if label or said:
        return label or said
    # "What do は and が mean?": a word of the other language that is asked about.
    western = len(re.findall(r"[^\W\d_]", _EAST.sub("", prose))) > 3 * sum(
        map(len, _EAST.findall(prose))
    )
    return language_of(prose) or (language_of(_EAST.sub(" ", prose)) if western else "")
