"""The language that a question asks for: to translate into, to write or answer in, to say something
in."""

from __future__ import annotations

import re

from graders.rules.languages.asked_broadly import asked_broadly
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
    rf"\bwhat (?:should|can|could|do|would|must|to)\s+(?:i |we |one |you )?(?:say|write|shout|call|"
    rf"answer|reply)\b[^?.!]{{0,50}}?\bin\s+(?P<i>{_NAMES}){_EN_ENDS}|"
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
    r"\bкак\s+(?:\w+\s)?(?:будет|сказать|пишется|называется|звучит|перевести|написать|поздравить|"
    r"поблагодарить|попросить|поздороваться|извиниться|пожелать|обратиться|представиться|"
    r"попрощаться|"
    rf"ответить|спросить|говорят)\b[^?]{{0,80}}?(?:\bна\s+|\bпо-)(?P<b>{_NAMES})|"
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
    rf"(?P<a>{_EAST_NAMES})で(?!書かれ)[^。？！\n]{{0,30}}?(?:書いて|作って|教えて|答えて|回答して|"
    r"説明して|紹介して|言って|考えて|何と|なんと|どう(?:言|い|書)|なんて)|"
    rf"(?P<b>{_EAST_NAMES})に(?:翻訳|訳)して|(?P<c>{_EAST_NAMES})では?(?:何|なん|どう)|"
    rf"(?P<d>{_EAST_NAMES})で何|"
    rf"(?P<f>{_EAST_NAMES})で?の?は?{_EAST_QUOTED}は[？?。]?$|"
    rf"{_EAST_QUOTED}[のをは](?P<g>{_EAST_NAMES})(?:は|で|では|に)?[？?。]?$|"
    rf"(?P<e>{_EAST_NAMES})の(?:[^。？！、\n]{{1,15}}の)?(?:例文|会話|フレーズ|短文)(?!の本|"
    rf"本|集|教室|アプリ|の授業)[^。？！\n]{{0,12}}?(?:書いて|作って|ください|お願い|ほしい|"
    r"欲しい)"
)


#: Wishes in other words, tried where the patterns above find nothing.
_EN_LOOSE = re.compile(
    r"(?:^|[.!?:;,\n]\s*|\b(?:please|kindly|now|and|then|you to|can you|could you|would you|i "
    r"need|i want|i'd like|"
    r"need|help me)\s+)(?:\w+ly )?(?:say|tell|show|translate|put|render|phrase|express|reply|"
    r"text|send|label|write|"
    r"compose|draft|give|make|create|prepare|wish|greet|ask|answer|respond|list|name|"
    r"summari[sz]e|rewrite|"
    r"an?|one|some|the|two|three|four|five|six|ten|\d+|i need|i want)\b[^.?!:\n]{0,90}?\b(?:in|"
    r"into|to)\s+(?:\w+\s+)?"
    rf"(?P<a>{_NAMES})(?=\s*(?:$|[.,!?;:)\"\n'‘“—–-]|(?:about|with|for|to|at|on|please|and|using|"
    rf"that|which|so|from|"
    rf"wishing|saying|telling|asking)\b))|"
    rf"\b(?:only )?(?:speaks?|reads?|understands?) (?:only )?(?P<b>{_NAMES})\b[^?]{{0,120}}(?:in|"
    rf"her|his|their|that) "
    r"(?:her |his |their )?language|"
    rf"\bwhat(?:'s|’s| is| are)\s+(?:the|a|some)\s+(?![^?]*\b(?:used|made|taken|about|"
    rf"like)\b)(?P<c>{_NAMES})\s+(?:words?|terms?|names?|phrases?|toast|"
    rf"greetings?|expressions?|translations?|equivalent|for)\b|\b(?:a|an|the|some|"
    rf"\w+)\s+(?P<d>{_NAMES})\s+"
    r"(?:translation|version|caption|motto|letter|e-?mail|message|dialogue|poem|toast|invitation|"
    r"(?:birthday |greeting |wedding )?card|note|slogan|speech)\b",
    re.I,
)
_RU_LOOSE = re.compile(
    r"(?:\b(?:\w{3,}(?:ите|йте|ьте)|переведи|напиши|составь|придумай|сочини|ответь|дай|скажи|"
    r"сделай|перескажи|"
    r"расскажи|объясни|опиши|назови|подпиши|поздравь|пожелай|попроси|перефразируй|изложи|"
    r"подготовь|перепиши|"
    r"запиши|нуж(?:ен|на|но|ны)|хочу|помоги|можешь|прошу|как)\b)(?:(?!книг|научи|выучи|учить|"
    r"литератур|\bкак\b|фильм|курс|сериал|говор|думать|читать|"
    r"общат|сайт|канал|ресурс|понима)[^.?!]){0,120}?(?:\bна\s+|\bпо-)"
    rf"(?P<a>{_NAMES})\w*(?=\s*(?:$|[.,!?;:)»\"\n«—–-]|язык|о\b|об\b|про\b|для\b|в\b|с\b|к\b|"
    rf"от\b|на\b|и\b|"
    r"письм|отзыв|текст|поздрав|сообщ|резюме|предлож|фраз|диалог))",
    re.I,
)
_ZH_NOUNS = (
    r"(?:求职信|自荐信|感谢信|邀请函|信|邮件|简历|介绍|文章|作文|短文|祝福|贺卡|贺词|标语|名字|"
    r"文案|口号|座右铭|格言|"
    r"通知|菜单|演讲|诗|歌词|台词|短信|留言|便条|明信片|例句|句子|几句|句|说法|翻译|版|标题|问候|"
    r"告示|对话|单词|谚语|"
    r"回复|评价|好评|简介|说明|签名|情书|自我介绍)"
)
_ZH_LOOSE = re.compile(
    rf"(?:写|给|编|造|想|来|要|教|拟|起草|做|翻译|整理|列|用|"
    rf"发)[^，。？！：\n]{{0,24}}?(?P<a>{_EAST_NAMES})的?[^，。？！：\n]"
    rf"{{0,8}}?{_ZH_NOUNS}(?!书|课|教材|集|练习|班|软件|怎么写好)|"
    rf"(?P<b>{_EAST_NAMES})的?[^，。？！：\n]{{0,10}}?{_ZH_NOUNS}[^，。？！：\n]{{0,6}}?(?:写|给|"
    rf"来|要|发|怎么|是什么|有)|"
    rf"(?<!被)(?:翻译|译|翻)(?:成|为)(?P<c>{_EAST_NAMES})(?!了|的|后|吗)|(?:用|"
    rf"以)(?P<d>{_EAST_NAMES})(?:怎么|如何|怎样|该|应|来?[写说讲答回])"
)
_JA_LOOSE = re.compile(
    rf"(?P<a>{_EAST_NAMES})で(?:(?!書かれ|翻訳され|話され|放送|有名|"
    rf"読[めむ])[^。？！\n]){{0,40}}?(?:書[きいこ]|作|教え|答え|回答|説明|紹介|頼|伝え|"
    r"言[いうっ]|挙げ|お願い|直し|まとめ|要約|訳し|話し|送|表現|名付け|考え|ください|下さい|くれ|"
    r"ほしい|欲しい|何|"
    r"なん|どう|メール|手紙|メッセージ|挨拶)|"
    rf"(?P<b>{_EAST_NAMES})(?:に|へ)(?:翻訳|訳|直|して(?:も|く|ほ|欲|下|い|、|。|$))(?!され)|"
    rf"(?P<c>{_EAST_NAMES})の(?:[^。？！、\n]{{1,15}}の)?(?:メール|手紙|メッセージ|挨拶|あいさつ|"
    rf"文章|例文|フレーズ|格言|標語|モットー|座右の銘|注意書き|張り紙|貼り紙|刻印|銘文|歌詞|台詞|"
    rf"セリフ|"
    r"ことわざ|名言|一言|カード|自己紹介|スピーチ|お礼状|看板|表示)(?:を|が|"
    r"文)?[^。？！\n]{0,14}?(?:書|作|くだ|下さ|お願い|"
    r"ほしい|欲しい|考え|教え|挙げ)"
)


#: "No Chinese translation needed".
_NOT_WANTED = re.compile(
    r"(?:不(?:需要|用|要|必)|无需|无须|没有|без|не (?:надо|нужно|нужен|нужна|нужны|на)|"
    r"\b(?:no|without|not|never|don'?t))\s?(?:\w+\s)?(?:附|带|写|翻译成|用|на\s|in\s|into\s|to\s|"
    r"any\s|"
    r"an?\s)?$",
    re.I,
)


def requested_language(question: str) -> str:
    """Two-letter code of the one language that `question` asks its answer, or the words that it
    wants, to be in; else ""."""
    question = question[:_MOST]
    eastern = re.search("[ぁ-ヿ]", question)
    for patterns in (
        (_EN, _RU, _JA if eastern else _ZH),
        (_EN_LOOSE, _RU_LOOSE, _JA_LOOSE if eastern else _ZH_LOOSE),
    ):
        found = set()
        for pattern in patterns:
            for match in pattern.finditer(question):
                group = match.lastgroup or "a"
                name = match[group]
                if _NOT_WANTED.search(
                    question[max(0, match.start(group) - 14) : match.start(group)]
                ):
                    continue
                found.add(
                    next(code for code, names in LANGUAGES.items() if re.match(names, name, re.I))
                )
        if found:
            return found.pop() if len(found) == 1 else ""
    return asked_broadly(question)
