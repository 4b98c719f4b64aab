"""The language that a question asks for: to translate into, to write or answer in, to say something
in."""

from __future__ import annotations

import re

from graders.core.text import language_of
from graders.rules.languages.asked_language import LANGUAGES

_NAMES = "|".join(LANGUAGES.values())
_EAST_NAMES = "|".join(re.findall("[㐀-鿿ァ-ヿー]+", _NAMES))
_MOST = 4_000

_EN_START = (
    r"(?:^|[.!?:;\n]\s*|\b(?:please|kindly|now|and|then|you to)\s+|\b(?:can|could|would|will) "
    r"you\s+(?:please\s+)?)"
)
_QUOTED = r"(?:\"[^\"\n]{1,200}\"|“[^”\n]{1,200}”|«[^»\n]{1,200}»)"
_EAST_QUOTED = r"[「『“\"][^」』”\"\n]{1,40}[」』”\"]"
_EN_WRITE = r"write|compose|make up|create|give|answer|reply|respond|draft|prepare|say"
#: Wishes for a text: who wants a book in Spanish is not answered in it.
_EN_WANT = (
    r"(?:list|show|provide|i need|i want|i would like|i'd like|i’d like|can i have)\b"
    r"(?![^.?!]{0,60}\b(?:books?|course|apps?|films?|recommend|advice|tips)\b)[^.?!:]{0,30}\b"
    r"(?:sentences?|phrases?|dialogues?|conversation|greeting|message|caption|slogan|e-?mail|"
    r"letter|poem)"
)
#: What may follow a language that is named as one: "in Japanese cities" is a place.
_EN_ENDS = (
    r"(?=\s*(?:$|[.,!?;:)\"\n]|(?:about|with|for|to|at|on|please|and|using|that|which|so)\b))"
)
_EN = re.compile(
    rf"{_EN_START}(?:translate|put|turn|convert|render)\b(?:{_QUOTED}|"
    rf"[^.?!:]){{0,80}}?\b(?:in)?to\s+(?:\w+\s+)?(?P<a>{_NAMES})|"
    r"\bhow (?:do|does|would|can|could|should|to) (?:you |i |we |one "
    r")?(?:say|write|spell|ask|call|express)\b[^?]"
    rf"{{0,80}}?\bin\s+(?P<b>{_NAMES})|"
    rf"{_EN_START}what(?:'s|’s| is| are)\s+(?:the (?:word|term|name)s? "
    rf"for\s+)?{_QUOTED}\s+in\s+(?P<e>{_NAMES})|"
    rf"{_EN_START}what(?:'s|’s| is)\s+(?:the\s+)?(?P<g>{_NAMES})(?: "
    r"(?:word|term|translation|equivalent))?\s+for\s+"
    r"(?:(?!\b(?:used|made|about|taken)\b)[^?.!\n]){1,40}\?|"
    rf"^\s*{_QUOTED}\s+in\s+(?P<h>{_NAMES})\s*\?|"
    rf"{_EN_START}(?:{_EN_WRITE})\b[^.?!:]{{0,80}}?\bin\s+(?P<c>{_NAMES}){_EN_ENDS}|"
    rf"{_EN_START}(?:{_EN_WANT})\b[^.?!:]{{0,60}}?\bin\s+(?P<f>{_NAMES}){_EN_ENDS}|"
    rf"{_EN_START}(?:{_EN_WRITE}|"
    rf"{_EN_WANT})\b[^.?!:]{{0,40}}?\b(?P<d>{_NAMES})\s+(?:dialogues?|conversations?|"
    r"sentences?|phrases?|greetings)\b",
    re.I,
)
_RU_VERBS = (
    "переведи|напиши|составь|придумай|сочини|ответь|дай|приведи|скажи|создай|подготовь|отвечай|"
    "сформулируй|пиши|попробуй"
)
_RU_WANT = (
    r"(?:мне )?(?:нуж(?:ен|на|но|ны)|хочу|хотел(?:а|ось)? бы)\s(?:(?!\w+ть(?:ся)?\s)[\w-]+\s){0,3}?"
    r"(?:предложени|фраз|диалог|письм|стих|текст|поздравлени)\w*"
)
_RU = re.compile(
    rf"(?:^|[.!?:;,\n]\s*|пожалуйста,?\s+|\bи\s+)(?:(?:{_RU_VERBS})(?:те)?|"
    rf"{_RU_WANT})\b(?:(?!\bкак\b)[^.?!:«\"]){{0,80}}?(?:\bна\s+|\bпо-)(?P<a>{_NAMES})|"
    r"\bкак\s+(?:будет|сказать|пишется|называется|звучит|перевести|написать|"
    rf"говорят)\b[^?]{{0,80}}?(?:\bна\s+|\bпо-)(?P<b>{_NAMES})|"
    rf"\bкак\s+(?:это\s+)?(?:по-|на\s+(?=\w+\s+(?:{_QUOTED}|будет|языке)))(?P<c>{_NAMES})|"
    rf"^\s*{_QUOTED}\s+(?:по-|на\s+)(?P<d>{_NAMES})\w*\s*\??\s*$",
    re.I,
)
_ZH = re.compile(
    rf"用(?P<a>{_EAST_NAMES})(?:来|再)?[^，。？！：\n]{{0,4}}?(?:写|造|编|回答|回复|说|介绍|"
    r"翻译|作[一首]|创作|表达|讲|答|解释|描述|总结|生成|起个|列)(?!的|过|了)|"
    rf"(?<!被)(?:翻译|译|翻)(?:成|为)(?P<b>{_EAST_NAMES})(?!了|的|后|吗)|"
    rf"(?P<c>{_EAST_NAMES})(?:里|中)?[^，。？！：\n]{{0,12}}?(?:怎么说|怎么写|怎么讲|如何说|"
    r"怎样说|怎么表达)|"
    rf"(?:写|给|编|造|教|需要|想要|来)[^，。？！：\n]{{0,10}}?(?P<d>{_EAST_NAMES})(?:例句|"
    r"对话|句子|短文|会话|祝福语|贺词)(?!书|课|教材|集|练习|班)|"
    rf"{_EAST_QUOTED}(?:的|用)?(?P<e>{_EAST_NAMES})(?:是什么|是啥|是|怎么说)?[？?]?$|"
    rf"(?P<f>{_EAST_NAMES})的{_EAST_QUOTED}(?:是什么|怎么)"
)
_JA = re.compile(
    rf"(?P<a>{_EAST_NAMES})で[^。？！\n]{{0,30}}?(?:書いて|作って|教えて|答えて|回答して|"
    r"説明して|紹介して|言って|考えて|何と|なんと|どう(?:言|い|書)|なんて)|"
    rf"(?P<b>{_EAST_NAMES})に(?:翻訳|訳)して|(?P<c>{_EAST_NAMES})では?(?:何|なん|どう)|"
    rf"(?P<d>{_EAST_NAMES})で何|"
    rf"(?P<f>{_EAST_NAMES})で?の?は?{_EAST_QUOTED}は[？?。]?$|"
    rf"{_EAST_QUOTED}[のをは](?P<g>{_EAST_NAMES})(?:は|で|では|に)?[？?。]?$|"
    rf"(?P<e>{_EAST_NAMES})の(?:[^。？！、\n]{{1,15}}の)?(?:例文|会話|フレーズ|短文)(?!の本|"
    rf"本|集|教室|アプリ|の授業)[^。？！\n]{{0,12}}?(?:書いて|作って|ください|お願い|ほしい|"
    r"欲しい)"
)


def requested_language(question: str) -> str:
    """Two-letter code of the one language that `question` asks its answer, or the words that it
    wants, to be in; else ""."""
    question = question[:_MOST]
    found = set()
    for pattern in (_EN, _RU, _JA if re.search("[ぁ-ヿ]", question) else _ZH):
        for match in pattern.finditer(question):
            name = next(filter(None, match.groups()))
            found.add(
                next(code for code, names in LANGUAGES.items() if re.match(names, name, re.I))
            )
    return found.pop() if len(found) == 1 else ""


_SCRIPTS = {
    "zh": r"[㐀-鿿]",
    "ja": r"[ぁ-ヿ]",
    "ru": r"[Ѐ-ӿ]",
    "uk": r"[Ѐ-ӿ]",
    "ko": r"[가-힣]",
    "ar": r"[\u0600-\u06ff]",
    "he": r"[\u0590-\u05ff]",
    "hi": r"[\u0900-\u097f]",
    "el": r"[Ͱ-Ͽ]",
}
_PIECE = re.compile(r"[^\s,，.。、:：;；!！?？()（）\[\]「」『』“”\"«»|*–—=]+")
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]{2,}")
_MARKED = re.compile(r"[\"“«„「『*`](?!\s)[^\n]{1,200}?[\"”»“」』*`]|[:：–—=(（]\s*[^\W\d_]")


def used(text: str, language: str, own: str, question: str) -> bool:
    """Whether `text`, an answer to a question in `own`, may hold anything in `language`; in doubt
    it does."""
    text = text[:60_000]
    script = _SCRIPTS.get(language)
    if language == "zh" and own == "ja":
        pieces = [
            piece for piece in _PIECE.findall(text) if len(piece) >= 2 and piece not in question
        ]
        return any(re.fullmatch("[㐀-鿿]+", piece) for piece in pieces)
    if script and language != own:
        return re.search(script, text) is not None
    if script:
        return len(re.findall(script, text)) >= 0.3 * sum(map(str.isalpha, text))
    if own in _SCRIPTS:
        words = [
            word for word in _LATIN.findall(text) if word.casefold() not in question.casefold()
        ]
        return any(word[0].islower() for word in words) or len(words) >= 2
    # Both use Latin letters: only lines that are surely in the question's language, and no quoted
    # words, say that it is missing.
    lines = [line for line in text.splitlines() if line.strip()][:60]
    return bool(_MARKED.search(text)) or any(
        language_of(line[:1000]) not in (own, "") or len(line.split()) < 4 for line in lines
    )
