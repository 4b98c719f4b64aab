"""Cannot be read at all."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from graders.core.contracts import Rule
from graders.core.examples import FaultExample
from graders.core.records import Mark, Subject
from graders.core.rubric import Criterion
from graders.core.scale import YES_NO, Scale
from graders.core.words import carried
from graders.rules.languages.asked_language import allowed_languages
from graders.rules.writing.marks import refusal, span, worst
from graders.rules.writing.unreadable import damages

say = carried(
    "unreadable",
    {
        "none": "The answer can be read.",
        "unreadable": "The answer cannot be read: {what}.",
    },
)

_SHOWN = 20
#: Questions whose answers may well show such text: keys, codes, slang, made-up words, old spelling.
_ABOUT_ODD = re.compile(
    r"keyboard|qwerty|typ(?:ing|e)\b|password|gibberish|random letters|\b(?:en|de)cod|cipher|"
    r"caesar|"
    r"rot-?13|morse|base-?64|\bhash|\bhex|binary|unicode|mojibake|garbled|\bl(?:ee|33)t|1337|"
    r"nonsense|jabberwock|made[- ]up|invent(?:ed)? (?:a |some )?(?:words?|languages?)|lorem|\bdada|"
    r"ascii|glitch|zalgo|anagram|palindrom|crossword|emoji|dialect|slang|accent|misspel|spelling|"
    r"scrambl|jumbl|backwards|revers|mirror|encrypt|regex|conlang|klingon|elvish|old english|"
    r"middle english|pig latin|mantra|sutra|spell\b|texting|abbreviation|tongue[- ]twister|"
    r"onomatop|without (?:vowels|"
    r"spaces)|smiles\b|sequence|"
    r"клавиатур|парол|набор\w* вслепую|абракадабр|кодир|шифр|морзе|падон[ко]|олбан|заум|бессмысл|"
    r"кракозябр|зеркал|палиндром|анаграмм|наоборот|глок|выдуман|жаргон|сленг|диалект|эмодзи|"
    r"транслит|хэш|двоичн|шестнадцатер|регулярн\w* выраж|скороговор|церковнослав|дореволюц|"
    r"древнерус|мантр|заклинан|без (?:гласных|пробелов)|сокращени|опечат|"
    r"键盘|密码|乱码|打字|编码|解码|加密|摩斯|摩尔斯|火星文|锟斤拷|生僻字|冷僻字|方言|粤语|文言|"
    r"古文|"
    r"胡言乱语|无意义|颜文字|倒着|反着|正则|字谜|二进制|十六进制|哈希|缩写|绕口令|回文|拆字|拟声|"
    r"叠词|咒|经文|"
    r"キーボード|パスワード|タイピング|でたらめ|文字化け|符号|暗号|モールス|造語|方言|弁で|"
    r"アナグラム|"
    r"逆から|逆さ|回文|絵文字|顔文字|古文|古語|いろは|ギャル文字|エンコード|ハッシュ|進数|"
    r"正規表現|略語|"
    r"早口言葉|擬音|オノマトペ|難読|旧字|呪文|真言|お?経|念仏",
    re.I,
)


@dataclass(frozen=True)
class Unreadable(Rule):
    """Decides that an answer cannot be read: a broken encoding, lost letters, symbols, languages
    mixed within sentences.

    A tenth of the text must be broken, or a third of it be symbols, letters that form no words, or
    mixed sentences; a single broken sign is a stray symbol. Code and formulas do not count. Works
    for English, Russian, Chinese and Japanese; other languages by broken encodings and lost letters
    only.
    With `unscored` the rule gives no value where the text cannot be read: nobody can say whether
    much or little is in it, so a criterion such as completeness has neither a low nor a high value,
    but none.
    """

    version: ClassVar[str] = "7"
    about: ClassVar[str] = "The answer can be read."
    default_scale: ClassVar[Scale] = YES_NO
    fault: ClassVar[str] = "unreadable"
    fault_title: ClassVar[str] = "Unreadable"
    fault_about: ClassVar[str] = (
        "The answer cannot be read: a broken encoding, lost letters, or languages mixed within "
        "words and sentences."
    )
    severity: ClassVar[str] = "critical"
    speaks_to: ClassVar[str] = "clarity"
    why: ClassVar[str] = (
        "Whatever the answer says, nobody can take it in; it is lost, not short or incomplete."
    )
    misses: ClassVar[str] = (
        "Real words in an order that breaks no rule of little words, short texts, a wrong encoding "
        "within one script that still gives usual letters, Chinese and Japanese of usual "
        "characters that make no words."
    )
    present: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "Как дела?",
            "РџСЂРёРІРµС‚! Р’СЃС‘ С…РѕСЂРѕС€Рѕ.",
            "Одна кодировка прочитана как другая.",
            "РџСЂРёРІРµС‚",
        ),
        FaultExample(
            "Why is the sky blue?",
            "Becaus? th? a?r sc?tt?rs bl?e l?ght m?re str?ngly th?n r?d l?ght.",
            "Letters are lost.",
            "th?",
        ),
    )
    absent: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "What???", "Really??? Are you sure??? I think so. 😀", "Surprise is no damage."
        ),
        FaultExample(
            "写一个正则表达式。", "`^[a-z]+$` 匹配一个或多个小写字母。", "代码里的符号有用。"
        ),
    )
    missed: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "Что такое ледник?",
            "кафи лорун вашту имело сгор пута немри ходук.",
            "Overlooked: keys struck all over the keyboard, with vowels among them.",
            "кафи лорун",
        ),
    )

    closes: ClassVar[str] = "unreadable"

    unscored: bool = False

    def grade(self, subject: Subject, criterion: Criterion) -> Mark:
        if refused := refusal(subject):
            return refused
        question, text = subject.question, subject.answer.text
        allowed = allowed_languages(question.text, question.language)
        found = damages(text, allowed.own, allowed.languages, question.text)
        if not found or (found[0].keys and _ABOUT_ODD.search(question.text[:20_000])):
            return Mark.unscored("not_decisive", say("none"))
        why, places = (
            say("unreadable", what=found[0].what),
            [span(text, one.start, one.end) for one in found[:_SHOWN]],
        )
        if self.unscored:
            return Mark(status="unscored", reason=self.fault, rationale=why, evidence=tuple(places))
        return worst(criterion, why, places)
