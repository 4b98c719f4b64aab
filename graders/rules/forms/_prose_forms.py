"""Forms of prose, and how a text shows that it has them: quizzes, riddles, essays and stories,
diaries, lists."""

from __future__ import annotations

import re

from graders.rules.forms.verse import width

_QUESTION = re.compile(r"[?？](?!\w)")
_RIDDLE = re.compile(
    r"[?？]|what am i|who am i|\banswers?\b\s*[:：(]|solution|отгадк\w*\s*[:：(—-]|"
    r"ответ\w*\s*[:：(]|кто это|что это|"
    r"谜底|答案?[:：]|谜面|打一|[(（][^()（）\n]{1,24}[)）]\W*$|"
    r"(?:——|—|–)\s?[^\W\d_]{1,12}$|(?:答|こた)え\s*[:：は）)]|なーんだ|なあに|何でしょう",
    re.I | re.M,
)
_ITEM = re.compile(
    r"^[ \t>]*(?:[-*+•・◦▪●○■□☐☑✅❌✔✗➤→※⚖️🔹🔸👉]|\[[ x]\]|\(?\d{1,3}[.)、．）]|[①-⑳]|\d️⃣|"
    r"[a-zа-я]\)|[一二三四五六七八九十]、|\||[\U0001f300-\U0001faff])\s*",
    re.I,
)
_SENTENCE_END = re.compile(r"[.!?…](?=\s|[\"”»]|$)|[。！？]")
#: Somebody speaks of himself, or dates his page.
_FIRST_PERSON = re.compile(
    r"\b(?:i|i'm|i've|i'd|me|my|mine|we|us|our)\b|(?<!\w)(?:я|меня|мне|мной|мо[йяиеёю]\w{0,2}|мы|"
    r"нас|нам|наш\w*)"
    r"(?!\w)|дорогой дневник|我(?!国|市|省|县|校|司)|咱|俺|朕|妾|(?:私|僕|ぼく|俺|おれ|わし|"
    r"あたし|わたし|拙者|我|吾輩|自分|うち)"
    r"(?:は|が|の|も|に|を|た|ら|、)|今日|今夜|今朝|昨日|明日|本日",
    re.I,
)
_DATED = re.compile(
    r"^\W{0,6}(?:\d{1,2}[./月]\s?\d{1,2}|\d{1,2}(?:st|nd|rd|th)?\s+[^\W\d_]{3,12}|"
    r"[^\W\d_]{3,12}\s+\d{1,2}\b|"
    r"dear diary|day \d|день \d|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|понедельник|вторник|сред[ау]|четверг|пятниц|"
    r"суббот|"
    r"воскресенье|星期|\d{4})",
    re.I | re.M,
)


def has_questions(text: str) -> bool:
    """Two questions, or choices with letters."""
    return (
        len(_QUESTION.findall(text)) >= 2
        or len(re.findall(r"(?:^|\s)[(（]?[A-DА-Гa-dа-гア-エ][.)）、．]", text, re.M)) >= 3
        or bool(re.search(r"^\W{0,6}(?:q|в|问|問)\s?\d{0,2}\s?[:：.．]", text, re.M | re.I))
        or len(re.findall(r"_{2,}|[(（]\s{1,10}[)）]|＿{2,}", text)) >= 2
    )


def has_riddles(text: str) -> bool:
    """A question, a solution, or lines as short as those of verse."""
    lines = [line for line in text.splitlines() if line.strip()]
    return bool(_RIDDLE.search(text)) or (
        len(lines) >= 3 and sum(width(line.strip()) <= 60 for line in lines) >= 0.6 * len(lines)
    )


def has_prose(text: str) -> bool:
    """Two sentences that go on from each other: not only items of a list."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    items = [line for line in lines if _ITEM.match(line)]
    if "|" in text and len(re.findall(r"^\s*\|", text, re.M)) >= 2:
        return True
    if len(items) < 3 or len(items) < 0.6 * len(lines):
        return True
    within = sum(len(_SENTENCE_END.findall(line)) >= 2 and width(line) > 160 for line in items)
    return within >= 0.5 * len(items) or any(
        width(line) > 250 and len(_SENTENCE_END.findall(line)) >= 2
        for line in lines
        if line not in items
    )


def has_first_person(text: str) -> bool:
    """Somebody speaks of himself, or a date stands above."""
    return bool(_FIRST_PERSON.search(text) or _DATED.search(text))


def has_items(text: str) -> bool:
    """Two items of a list, or three short lines."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return (
        sum(_ITEM.match(line) is not None for line in lines) >= 2
        or sum(width(line) <= 80 for line in lines) >= 3
        or bool(re.search(r"(?:^|\s)[(（]?1[.)）、].{1,400}\s[(（]?2[.)）、]", text, re.S))
        or len(re.findall(r"[①-⑳]|[;；]", text)) >= 2
    )


#: Greetings and closings of letters in languages that letters are asked for in.
ABROAD = re.compile(
    r"^[ \t>*_]{0,8}(?:sehr geehrt|liebe[rs]?\b|hallo\b|guten tag|betreff|mit freundlichen|"
    r"(?:viele|beste|"
    r"herzliche|liebe) grüße|"
    r"ch(?:er|ère)s?\b|bonjour|madame|monsieur|objet\s?:|cordialement|bien à|je vous prie|"
    r"estimad|querid|hola\b|asunto|atentamente|saludos|un abrazo|car[oaie]\b|gentil|egregi|"
    r"oggetto|cordiali|"
    r"distinti|prezad|car[oa]s?\b|ol[áa]\b|atenciosamente|szanown|drog[ai]|cześć|dzień dobry|z "
    r"poważaniem|"
    r"geachte|beste\b|met vriendelijke|sayın|merhaba|saygılar|kær|hej\b|bästa|med vänlig|шанов|"
    r"дорог|"
    r"скъп|уважаем|안녕|드림|올림|귀하|존경|친애|عزيز|السلام|שלום|αγαπητ|kính gửi|thân|chào)|"
    r"에게[,，]?\s*$|(?:드림|올림)\s*$",
    re.I | re.M,
)

_ADDRESSED = re.compile(r"[^.?。？\n\d]{1,16}[,，、:：!！]")
_ANNOUNCES = re.compile(
    r"可以|如下|以下|处理|步骤|方法|建议|内容|注意|要点|这样|说明|原因|\bhere\b|\bвот\b", re.I
)
_NAMED_HEAD = re.compile(r"[A-ZА-ЯЁ]\w+(?:\s+[A-ZА-ЯЁ]\w+)?\s*,|[^\W\d_]{1,8}[，、,：:]")
_NAMED_TAIL = re.compile(
    r"(?:\b(?:ваш\w?|твой|твоя|yours?|love|cheers|from|с уважением|с любовью)\b[^.!?\n]{0,50}|"
    r"(?:你的|您的|敬上|より|草々)[^。！？\n]{0,12})[.。!！]?$",
    re.I,
)
_SIGNED = re.compile(r"[—–-]{1,2}\s?[^.!?。！？\n]{1,30}")


def is_addressed(text: str) -> bool:
    """Somebody is spoken to above, or signs below."""
    lines = [line.strip(" \t>*_")[:60] for line in text.splitlines()]
    lines = [line for line in lines if re.search(r"\w", line)]
    whole = text.strip(" \t\n>*_")
    if _NAMED_HEAD.match(whole[:80]) and _NAMED_TAIL.search(whole[-80:]):
        # A short letter in one paragraph.
        return True
    return any(
        _ADDRESSED.fullmatch(line) and not _ANNOUNCES.search(line) for line in lines[:2]
    ) or (
        # One item of a list is no signature.
        sum(_SIGNED.fullmatch(line) is not None for line in lines) == 1
        and any(_SIGNED.fullmatch(line) for line in lines[-2:])
    )


#: A row of a table.
BARS = re.compile(r"^[^\n|]{0,200}\|[^\n]{0,400}$", re.M)


def has_dialogue(text: str) -> bool:
    """Two turns: names with a colon, dashes, or speech in quotation marks."""
    labels = [label.strip("* ").casefold() for label in _LABELS.findall(text)]
    outline = sum(_OUTLINE.match(label) is not None for label in labels)
    if outline >= 2 and len(set(labels)) == len(labels) and not re.search(r"[“\"«„「]", text):
        # Each label once: a plan of the dialogue.
        return False
    if len(re.findall(r"^[ \t]*[^\s　]{1,8}　+\S", text, re.M)) >= 2:
        return True
    marked = re.findall(
        r"^[ \t>*_]{0,8}(?:[^\s:：*][^:：\n]{0,30}[:：]|[—–-]\s?[^\W\d_])", text, re.M
    )
    speech = re.findall(r"[“\"«„「『][^”\"»“」』\n]{2,400}[”\"»“」』]", text)
    return (
        len(marked) + len(speech) >= 2
        or len(BARS.findall(text)) >= 3
        or bool(re.search(r"^\*\*[^*\n]{1,30}\*\*", text, re.M))
    )


_OUTLINE = re.compile(
    r"(?:idea|mood|characters?|ending|props|setting|plot|theme|topic|conflict|opening|tone|scene|"
    r"summary|"
    r"идея|настроение|персонаж|герои|конец|финал|реквизит|место|сюжет|тема|конфликт|завязка|"
    r"развязка|"
    r"人物|角色|场景|结局|主题|道具|情节|背景|开头|结尾|冲突|"
    r"登場人物|設定|あらすじ|結末|舞台|小道具|テーマ|雰囲気|展開|オチ)"
)
_LABELS = re.compile(r"^[ \t>*_-]{0,8}([^\s:：*][^:：\n]{0,30})[:：]", re.M)


#: A letter without what letters begin and end with.
NO_FRAME = re.compile(
    r"\b(?:no|without|skip|leave out|don'?t (?:need|include|add))\b[^.?!]{0,16}\b(?:greeting|"
    r"salutation|signature|"
    r"sign-?off)|(?:only|just) the body|без (?:приветстви|подпис|обращени)|только (?:тело|"
    r"текст) письма|"
    r"不(?:要|用|需要)[^，。]{0,6}(?:称呼|落款|署名|抬头)|只(?:要|写)正文|(?:宛名|署名|"
    r"挨拶)[^。]{0,8}(?:不要|いら|なし|省)|本文(?:だけ|"
    r"のみ)",
    re.I,
)
#: Who keeps a diary asks about it.
HABIT = re.compile(
    r"每天写日记|写日记(?:总|老|时|的时候|有|能|会|可以|对)|坚持写|怎么写|如何写|怎样写|"
    r"日記を(?:書く|つけ|続け)(?:の|と|て|る|習慣|コツ)|вести дневник|веду дневник|"
    r"keep(?:ing)? a (?:diary|journal)",
    re.I,
)
