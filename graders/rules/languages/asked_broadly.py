"""Wishes for words or a text in a language, in whatever order a question puts them: the one
language that it names, a thing that is said or written in it, and a wish for it.

Which language a question asks for by its usual words stands in `requested_language`; here nothing
is read from the order of words, so that what only speaks of a language must be told apart.
"""

from __future__ import annotations

import re

from graders.rules.languages.asked_language import LANGUAGES

#: What is said or written in a language.
_THING = re.compile(
    r"\b(?:phrases?|sentences?|words? for|greetings?|expressions?|examples?|text|letter|e-?mail|"
    r"message|"
    r"note|card|caption|slogan|speech|toast|poem|song|lyrics|dialogue|conversation|paragraph|"
    r"summary|"
    r"translation|version|reply|answer|response|invitation|sign|label|title|name for|tweet|post|"
    r"review|"
    r"bio|compliments?|wish(?:es)?|apolog(?:y|ies)|idioms?|proverbs?|sayings?|instructions?|menu|"
    r"story)\b|"
    r"фраз|предложени|приветстви|выражени|пример|текст|письм|сообщени|открытк|подпис|слоган|тост|"
    r"речь|"
    r"стих|песн|диалог|разговор|абзац|перевод|верси|ответ|приглашени|надпис|отзыв|комплимент|"
    r"пожелани|"
    r"поздравлени|извинени|послов|поговор|инструкци|рассказ|резюме|заметк|объявлени|слово для|"
    r"слова для|"
    r"句|短语|问候|表达|例|文章|作文|短文|信|邮件|消息|短信|贺卡|祝福|标语|演讲|诗|歌词|对话|会话|段|摘要|翻译|"
    r"译文|版|回复|回答|邀请|告示|标题|评论|评价|谚语|俗语|说明|菜单|故事|自我介绍|文案|怎么说|怎么写|怎么讲|"
    r"フレーズ|例文|文章|文を|挨拶|あいさつ|言葉|表現|メール|手紙|メッセージ|返事|返信|カード|スローガン|スピーチ|"
    r"詩|歌詞|会話|段落|要約|翻訳|訳|バージョン|回答|招待|看板|タイトル|レビュー|ことわざ|説明|メニュー|物語|"
    r"自己紹介|お礼|「[^」]{1,40}」",
    re.I,
)
_WISH = re.compile(
    r"^\s*(?:please |kindly |can you |could you |would you )?(?:give|write|say|tell|teach|show|"
    r"list|"
    r"answer|reply|respond|explain|describe|compose|create|draft|make|name|translate|put|express|"
    r"provide|send|help|prepare|summari[sz]e|use|do|rewrite)\b|\b(?:please|i need|i want|i'd "
    r"like|i would "
    r"like|need|want|can you|could you|would you|help me|should i know|do i need|give me|teach me|"
    r"tell me|show me|write)\b|\b(?:in|into) \w+[,.:]? please|"
    r"(?<!\w)(?:дай|приведи|напиши|составь|скажи|переведи|ответь|отвечай|расскажи|объясни|опиши|"
    r"научи|"
    r"подскажи|покажи|назови|перечисли|придумай|сочини|сделай|подготовь|помоги|хочу|нужн|надо|"
    r"можешь|"
    r"пожалуйста|прошу|какие|как (?:будет|сказать|написать|пишется))|"
    r"给我|帮我|请|写|说|用|来|教|翻译|列|举|想要|需要|怎么|告诉|整理|推荐几|回答|回复|"
    r"ください|下さい|お願い|教えて|書いて|作って|して[！!。]?|してほしい|欲しい|ほしい|ちょうだい|頼む|くれ|知りたい",
    re.I,
)
#: Questions about a language, and about what helps to learn it.
_SPEAKS_OF = re.compile(
    r"\b(?:why|how (?:many|long|hard|difficult|old|much)|history|origin|difference|differ|"
    r"compare|books?|"
    r"apps?|courses?|resources?|teachers?|schools?|films?|movies?|podcasts?|speakers?|spoken|"
    r"grammar rules?|"
    r"cases|alphabet|pronounc\w+|tones?|writing system|difficult|hard|easy to learn|best way|"
    r"tips|advice|"
    r"should i learn|how (?:do|can|should) i learn|improve|fluent|exam|certificate|level|"
    r"etymolog\w+|"
    r"mistakes|is it|are there|learn to|want to (?:learn|write|speak|read|understand)|"
    r"loan ?words?|borrowed|dialects?|related|sound)\b|"
    r"почему|сколько|истори|происхожд|отлича|разниц|сравни|книг|приложени|курс|учебник|учител|школ|"
    r"фильм|"
    r"носител|говорят|падеж|алфавит|произно|тон(?:ы|ов)|сложн|трудн|легко ли|как (?:вы|"
    r"на)?учить|совет|экзамен|"
    r"(?:на|вы)учит|с чего начать|ошиб|стоит ли|правда ли|есть ли|"
    r"заимств|диалект|родств|звуч|грамматик|правил|"
    r"为什么|多少|历史|起源|来源|区别|不同|比较|书|软件|课程|老师|学校|电影|人口|发音|声调|字母|难|容易|怎么学|"
    r"被(?:翻译|译)|有没有|哪些[^，。]{0,6}(?:小说|作品|国家)|小说|怎样学|"
    r"如何学|学习方法|建议|考试|等级|外来语|外来词|方言|语法|词源|"
    r"書かれ|の本|本は|本が|翻訳され|訳され|小説|作品|"
    r"なぜ|どうして|何人|歴史|起源|由来|違い|比較|本を|アプリ|講座|先生|学校|映画|人口|発音|声調|文字|難し|"
    r"簡単|学び方|勉強法|勉強方法|コツ|アドバイス|試験|検定|外来語|方言|文法|語源",
    re.I,
)
_ANSWER_IN = re.compile(
    r"\b(?:answer|reply|respond)\w*\b[^.!?]{0,30}\bin\b|\bin \w+,? (?:please|only)\b|"
    r"(?:ответь|отвечай|отвечайте)\w*[^.!?]{0,30}(?:на|по-)|用[^，。]{1,5}(?:回答|回复|答)|"
    r"[語文]で(?:返事|答え|回答|返信)|[語文](?:（[^）]{1,8}）)?で(?:作成|お願い)",
    re.I,
)


def asked_broadly(question: str) -> str:
    """Two-letter code of the language in which a question wants something, "" where it wants
    nothing, only speaks of a language, or names several."""
    question = question[:2_000]
    named = {code for code, pattern in LANGUAGES.items() if re.search(pattern, question, re.I)}
    if len(named) != 1 or not _WISH.search(question):
        return ""
    if _ANSWER_IN.search(question):
        return named.pop()
    if _THING.search(question) and not _SPEAKS_OF.search(question):
        return named.pop()
    return ""
