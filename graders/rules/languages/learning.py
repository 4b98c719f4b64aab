"""Whether an answer translates the sentences of a foreign language that it gives to learn from."""

from __future__ import annotations

import re
from typing import NamedTuple

from graders.core.language import language_of
from graders.rules.languages.pieces import Piece, pieces, weight
from graders.rules.writing.prose import without_code

_MOST, _MOST_LINES, _WIDEST = 40_000, 300, 1_000
#: Weighted letters from which a piece is a sentence.
_SENTENCE = 12

_HEADING = re.compile(r"[:：]\W*$|^\s*#|^\s*\*\*[^*\n]*[^*\W]\*\*\s*$")
#: How an answer begins before its sentences: no translation of the first one.
_OPENING = re.compile(
    (
        r"^\W*(?:here (?:is|are)|here's|sure|of "
        r"course|certainly|вот|конечно|以下|这是|好的|はい|こちら)"
    ),
    re.I,
)
_SENTENCES = re.compile(r"[^\s.!?。！？…][.!?…]+(?=[\s\"»”)*_]|$)|[。！？]")
_ITEM = re.compile(r"^[ \t>]*(?:[-*+•·◦]|\(?\d{1,3}[.)、．]|\||[①-⑳])\s*")
#: What has fewer sentences than this share of the foreign ones is a remark.
_LEAST_OF_SENTENCES = 0.6
#: A remark about the line before it quotes a word of it, or speaks of how it is said.
_REMARK = re.compile(
    r"[«\"“「『*_`‘'](?P<word>[^»\"”」』*_`’'\n]{1,30})[»\"”」』*_`’']",
)
_SECTION = re.compile(r"^\s*(?:#{1,6}\s|\*\*[^*\n]{1,60}\*\*:?\s*$)|^[^\n]{1,40}[:：]\s*$")
#: A translation is no more than so many times as long as the text, counted in weighted letters.
_MOST_OF_LETTERS = 2.5
#: Notes on grammar, use and customs are no translation.
_NOTE = re.compile(
    r"^\W*(?:note|tip|hint|remember|notice|grammar|usage|pronunciation|in (?:italy|spain|france|"
    r"germany|"
    r"japan|china)|обратите внимание|примечание|совет|заметка|грамматика|запомните|注意|提示|"
    r"小贴士|语法|"
    r"备注|說明|ポイント|文法|注意|補足|コツ|メモ|発音)|"
    r"\b(?:verb|noun|adjective|tense|subjunctive|plural|singular|pronoun|article|preposition|"
    r"ending)s?\b|"
    r"глагол|существительн|прилагательн|падеж|окончани|наклонени|спряжени|дополнени|"
    r"动词|名词|助词|语法|时态|宾语|主语|句型|助詞|動詞|名詞|形容詞|文法|活用|語尾|時制|過去形|"
    r"単語",
    re.I,
)
#: What an answer says to its reader, most often at the end.
_CLOSING = re.compile(
    r"^\W*(?:i hope (?:this|these|it|you find)|hope (?:this|these|that|you)|let me know|feel free|"
    r"good luck|"
    r"happy (?:learning|studying|travel)|enjoy (?:your|the)|have (?:fun|a (?:great|good|nice|safe|"
    r"lovely))|"
    r"would you like (?:me|more|some|another|to (?:practi|see|learn|hear|have (?:more|an)))|"
    r"shall i|"
    r"do you want me|keep (?:practi|going|it up)|practi[sc]e (?:these|them|this|by|it|each|saying|"
    r"reading)|"
    r"try (?:to|using|saying|reading|these|them|it|writing|making)|read (?:them|it|each|this|the)|"
    r"these (?:sentences|phrases|lines|examples|expressions)|if you(?:'d| would)? (?:like|want|"
    r"need|have any)|"
    r"once you|don'?t worry|with a (?:little|bit)|repeat|say (?:them|each|it)|learn (?:them|these)|"
    r"надеюсь,? (?:это|эти|что|фраз|пример|поможет)|удачи|успехов|желаю|если (?:нужн|хотите|"
    r"хочешь|понадоб|что-то|будут)|"
    r"хотите|хочешь|могу (?:также|ещё|еще|составить|дать|добавить)|попробуй|повторяй|читай|выучи|"
    r"прочитай|тренируй|практикуй|не бой|эти (?:фраз|предложени|реплик)|приятного|хорошей|"
    r"счастливого|"
    r"希望(?:这|以上|对|能|你|您)|祝(?:你|您)|加油|如果(?:你|您|还|需要|有)|需要我|有(?:不懂|什么|"
    r"任何|问题)|"
    r"建议(?:你|您|先|每)|多(?:读|练|听|说)|可以(?:先|试|反复|每天|跟|把|用)|随时|先(?:读|听|跟)|"
    r"试着|"
    r"ぜひ|がんば|頑張|お気軽|声に出|何度も|繰り返|まずは|練習し|ご希望|ほかに|他にも|もし(?:よ|"
    r"他|ほか|さら)|"
    r"いかがでしょう|どれも|この(?:会話|文|表現|例文)|これらの)|"
    r"(?:お気軽に|覚えて(?:いき|み|くだ)|練習して(?:み|いき|くだ)|声に出して|頑張って|がんばって)",
    re.I,
)
#: Headings of what is no translation.
_ASIDE = re.compile(
    r"\b(?:tips?|notes?|advice|manners|etiquette|culture|grammar|vocab\w*|usage|pronunciation|why|"
    r"how to|practi\w+|"
    r"exercises?|study|learning|remember|next steps)\b|совет|культур|граммат|произношен|этикет|"
    r"обычаи|заметк|"
    r"примечани|лексик|упражнени|как учить|на что обратить|"
    r"建议|提示|贴士|文化|语法|发音|注意|要点|练习|学习|用法|礼仪|生词|词汇|"
    r"マナー|コツ|ポイント|文法|発音|文化|メモ|豆知識|練習|学習|使い方|単語|語彙|注意|習慣",
    re.I,
)
#: A column that tells something other than the meaning.
_NO_MEANING = re.compile(
    r"発音|コツ|場面|ポイント|文法|読み|使い方|解説|活用|語尾|"
    r"\b(?:verbs?|tense|notes?|usage|use|pronunciation|situation|scene|grammar|form|infinitive|"
    r"level)\b|"
    r"ситуац|произнош|глагол|граммат|врем|форма|примечан|инфинитив|"
    r"发音|读音|语法|场景|情景|备注|要点|动词|用法|时态|拼音|音标|原形",
    re.I,
)
_MEANING = re.compile(
    r"mean|english|transl|перевод|значени|по-русски|русск|意味|訳|日本語|意思|中文|译|翻译|含义|"
    r"释义",
    re.I,
)
#: A line translates its neighbour if it has at least this share of its letters.
_LEAST_SHARE = 0.3


class Sentence(NamedTuple):
    """A sentence of the learned language in the answer, and whether a translation stands beside
    it."""

    start: int
    end: int
    translated: bool


def sentences_to_learn(text: str, own: str, other: str) -> list[Sentence]:
    """The sentences of `other` in `text`, in order; all count as translated where a block of `own`
    follows that is as long."""
    prose = without_code(text[:_MOST])
    lines = [
        (match.start(), match.group()[:_WIDEST])
        for match in re.finditer(r"[^\n]+", prose)
        if not match.group().isspace()
    ][:_MOST_LINES]
    lines = _without_other_columns(lines)
    parts = _as_a_list(lines, [pieces(line, own, other) for _, line in lines], own, other)
    found: list[tuple[int, Sentence]] = []
    for number, (start, line) in enumerate(lines):
        foreign = [
            part
            for part in parts[number]
            if part.language == other and weight(line[part.start : part.end], other) >= _SENTENCE
        ]
        # A line of the reader's language stands for one sentence: the one before it, or after it.
        near = [
            place
            for place in (number - 1, number + 1)
            if 0 <= place < len(lines) and not (place == 0 and _OPENING.match(lines[0][1]))
        ]
        least = _LEAST_SHARE * sum(weight(line[part.start : part.end], other) for part in foreign)
        size = _size([line])
        beside = bool(foreign) and (
            _has_own(_unquoted(line, foreign), parts[number], own, _BESIDE * least)
            or any(
                _is_translation(lines[place][1], parts[place], own, other, least)
                and (size < 4 or _size([lines[place][1]]) >= _LEAST_OF_SENTENCES * size)
                and not (place == len(lines) - 1 and _alone(lines, parts, place, other))
                and not (_CLOSING.search(lines[place][1]) and not _ITEM.match(lines[place][1]))
                for place in near
            )
        )
        found += [
            (number, Sentence(start + part.start, start + part.end, beside)) for part in foreign
        ]
    blocks = _blocks(lines, parts, own, other)
    return [one._replace(translated=True) if blocks else one for _, one in found]


def _without_other_columns(lines: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """The lines, with spaces for the cells of columns that by their heads tell of sound, place or
    grammar."""
    rows = [place for place, (_, line) in enumerate(lines) if line.lstrip().startswith("|")]
    if len(rows) < 3:
        return lines
    heads = lines[rows[0]][1].split("|")
    aside = {
        at
        for at, head in enumerate(heads)
        if _NO_MEANING.search(head) and not _MEANING.search(head)
    }
    out = list(lines)
    for place in rows if aside else ():
        start, line = lines[place]
        cells = line.split("|")
        if len(cells) == len(heads):
            kept = [" " * len(cell) if at in aside else cell for at, cell in enumerate(cells)]
            out[place] = (start, "|".join(kept))
    return out


def _as_a_list(
    lines: list[tuple[int, str]], parts: list[list[Piece]], own: str, other: str
) -> list[list[Piece]]:
    """The pieces, where the items of a list that has nothing but `other` count as such: alone they
    are too short to tell two languages of one script apart."""
    single = [
        place
        for place, (_, line) in enumerate(lines)
        if _ITEM.match(line) and len(parts[place]) == 1 and "|" not in line
    ]
    if len(single) < 4:
        return parts
    for half in (single[::2], single[1::2]):
        said = " ".join(lines[at][1][parts[at][0].start : parts[at][0].end] for at in half)
        if language_of(said[:2_000], (own, other)) != other:
            return parts
    whole = set(single)
    return [
        [row[0]._replace(language=other)] if place in whole else row
        for place, row in enumerate(parts)
    ]


def _blocks(lines: list[tuple[int, str]], parts: list[list[Piece]], own: str, other: str) -> bool:
    """Whether the text has a part of `own` that may translate the foreign one as a whole: one run
    of lines, as rich in sentences and letters, and a list where that is a list."""
    foreign = [
        (line, row)
        for (_, line), row in zip(lines, parts, strict=True)
        if _mostly(row, line, other)
    ]
    listed = sum(_ITEM.match(line) is not None for line, _ in foreign) >= 3
    wanted = _size([line for line, _ in foreign])
    letters = sum(_weight_of(line, row, other) for line, row in foreign)
    run: list[str] = []
    run_letters = 0
    best = (0, 0)
    said = " ".join(line for line, _ in foreign).casefold()
    aside = False
    for (_, line), row in [*zip(lines, parts, strict=True), ((0, ""), [])]:
        if _HEADING.search(line):
            aside = _ASIDE.search(line) is not None
        note = (
            aside
            or _quotes(line, said)
            or _NOTE.search(line) is not None
            or _CLOSING.search(line) is not None
            or (len(row) > 0 and any(one.language == other for one in row))
        )
        if _mostly(row, line, own) and not _HEADING.search(line) and not note:
            if (
                listed
                and wanted >= 3
                and not _ITEM.match(line)
                and len(_SENTENCES.findall(line)) < max(0.6 * wanted, wanted - 1)
            ):
                continue
            run.append(line)
            run_letters += _weight_of(line, row, own)
        elif run and (not row or not _mostly(row, line, own) or note or _SECTION.match(line)):
            # A translation asks what the text asks; a remark asks the reader.
            asked, questions = _asks(run), _asks([line for line, _ in foreign])
            # Advice on grammar and learning is longer than what it speaks of.
            fits = run_letters <= _MOST_OF_LETTERS * letters or _size(run) <= wanted + 2
            if abs(asked - questions) <= max(1, questions // 2) and fits:
                best = max(best, (_size(run), run_letters))
            run, run_letters = [], 0
    # One sentence may be translated by any other one; many are not by a closing remark.
    return bool(foreign) and best[0] >= _LEAST_OF_SENTENCES * wanted and best[1] >= 0.5 * letters


def _quotes(line: str, said: str) -> bool:
    """Whether a line quotes words of the foreign text, to say something of them."""
    return any(
        len(part.strip()) >= 2 and part.strip().casefold() in said
        for match in _REMARK.finditer(line)
        for part in re.split(r"[…~〜.]+", match["word"])
    )


def _mostly(row: list[Piece], line: str, language: str) -> bool:
    weights = {
        code: sum(weight(line[one.start : one.end], code) for one in row if one.language == code)
        for code in {one.language for one in row if one.language}
    }
    return bool(weights) and max(weights, key=lambda code: weights[code]) == language


def _weight_of(line: str, row: list[Piece], language: str) -> int:
    return sum(
        weight(line[one.start : one.end], language) for one in row if one.language == language
    )


def _size(lines: list[str]) -> int:
    """Sentences in lines; a line has one at least."""
    return sum(max(1, len(_SENTENCES.findall(_ITEM.sub("", line)))) for line in lines)


def _asks(lines: list[str]) -> int:
    return sum(len(_ASKS.findall(line)) for line in lines)


#: Japanese questions need no sign.
_ASKS = re.compile(r"[?？]|か(?=[。\s]|$)|吗(?=[。\s]|$)")


#: In its own line a translation may be shorter than in one beside it.
_BESIDE = 0.9


#: A term in bold letters and what it means, before the sentence that shows its use.
_GLOSS = re.compile(
    r"\*\*[^*\n]{1,40}\*\*\s*(?P<gloss>[(（][^()（）\n]{1,60}[)）])\s*(?=[—–:：-]|\S)"
)


def _unquoted(line: str, foreign: list[Piece]) -> str:
    """The line with remarks that quote a word of its foreign pieces as spaces, and with the meaning
    of a term that stands before them."""
    if (term := _GLOSS.search(line)) and any(one.start >= term.end() for one in foreign):
        start, end = term.span("gloss")
        line = line[:start] + " " * (end - start) + line[end:]
    said = " ".join(line[one.start : one.end] for one in foreign).casefold()
    for match in _REMARK.finditer(line):
        inside = any(one.start <= match.start() < one.end for one in foreign)
        if not inside and match["word"].strip().casefold() in said:
            cell = line.find("|", match.end())
            start = line.rfind("|", 0, match.start()) + 1
            end = cell if cell >= 0 else len(line)
            line = line[:start] + " " * (end - start) + line[end:] if start else line
    return line


def _alone(lines: list[tuple[int, str]], parts: list[list[Piece]], place: int, other: str) -> bool:
    """Whether the line is the last one behind several foreign lines that have none between them: a
    closing remark."""
    before = [
        any(one.language == other for one in parts[number])
        for number in range(max(0, place - 3), place)
    ]
    return len(before) >= 2 and all(before[-2:])


def _has_own(line: str, row: list[Piece], own: str, least: float = 4) -> bool:
    return any(
        part.language == own and weight(line[part.start : part.end], own) >= max(4, least)
        for part in row
    )


def _is_translation(line: str, row: list[Piece], own: str, other: str, least: float) -> bool:
    return (
        _has_own(line, row, own, least)
        and not any(part.language == other for part in row)
        and not _HEADING.search(line)
    )
