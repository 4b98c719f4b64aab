"""A style is asked for, or none is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from graders.core.contracts import Rule
from graders.core.records import Mark, Subject
from graders.core.rubric import Criterion
from graders.core.scale import YES_NO, Scale
from graders.core.words import carried
from graders.rules.poetry.authors import may_name
from graders.rules.writing.marks import refusal

say = carried(
    "named_style",
    {
        "maybe": "The question may name an author, a work or a school.",
        "no_name": "The question names no author, work or school.",
    },
)

_READ = 8_000
#: Words with which the style of an author, a work or a school is asked for.
_STYLE = re.compile(
    r"\bstyle|\bstylis|\bmanner\b|\bspirit of\b|\bvein of\b|\bvoice "
    r"of\b|\bimitat|\bpastiche|\bparod|\bà la\b|\ba la\b|\bhomage|\btribute|"
    r"\w{3,}(?:esque|ist)\b|\b(?:gothic|baroque|romantic|noir|beat|metaphysical|symbol\w+|"
    r"classical|modern\w*|folk|fairy)\b|"
    r"\bas if\b.{0,40}\b(?:wrote|written)\b|\bwould (?:have )?(?:writ|tell|told|say|said|put)\w*|"
    r"\blike (?:a |an |the )?(?!this\b|that\b|it\b)\w+ (?:did|does|wrote|writes)\b|"
    r"стил|манер|(?<!\w)дух[еу](?!\w)|подража|пароди|стилиз|а-ля|по мотивам|(?<!\w)как "
    r"у\b|(?<!\w)под [А-ЯЁ]|\w+(?:изм|ист)\w{0,3}(?!\w)|"
    r"голос(?:ом|е)|сказк|былин|народн|частушк|сказ(?!\w)|"
    r"风格|風格|风|風|体(?!育|重|验|会|温)|體|仿|模仿|学习?[^。，]{0,6}的(?:写法|笔)|口吻|"
    r"口气|笔调|笔法|手法|流派|派|味道?|腔|像[^。，]{0,12}(?:一样|那样)|致敬|恶搞|戏仿|"
    r"スタイル|作風|文体|風に|風の|ふう|流(?:に|の|で)|らし[くい]|のように|みたいに|"
    r"になりきっ|真似|まね|模し|調(?:に|の|で)|口調|パロディ|派",
    re.I,
)
#: A capital inside a sentence may be the name of an author, a work or a school; these are none.
_CAPITAL = re.compile(r"(?<![.!?:\n\"“«(] )(?<![.!?:\n\"“«(—–-])(?<!^)\b[A-ZА-ЯЁÀ-Þ][\w’'-]+")
_NO_NAME = re.compile(
    r"(?:I|I'[a-z]+|English|Russian|Chinese|Japanese|German|French|Spanish|Italian|Korean|"
    r"Latin|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|"
    r"Sunday|January|February|March|April|May|June|July|August|September|October|November|"
    r"December|Christmas|Easter|New|Year|AABB|ABAB|ABBA|"
    r"[A-GА-Г]{2,14})"
)
#: "Dickens's life", at the beginning of a sentence too; none are "What's" and "Grandma's".
_OWNER = re.compile(
    r"\b(?!(?:What|It|That|This|There|Here|Let|Who|How|Where|When|Why|Today|Tomorrow|"
    r"Yesterday|Tonight|He|She|One|Everyone|Somebody|Nobody|"
    r"Everybody|Someone|Mom|Mum|Dad|Mother|Father|Grandma|Grandpa|Children|Women|Men|Teacher|"
    r"Valentine|New|Monday|Sunday|Winter|Summer)['’])"
    r"[A-Z][a-zà-ÿ]{2,}['’]s\b"
)
_TITLE = re.compile(r"[《『][^》』\n]{1,60}[》』]|[ァ-ヿ]{2,}[・=＝][ァ-ヿ]{2,}")


@dataclass(frozen=True)
class NamedStyle(Rule):
    """Decides that a question names no author, work or school, so that whose style an answer has is
    not asked.

    Why it matters: nobody need grade the style of a plain birthday poem, and no mean counts it.
    Decides: "Write a haiku about a railway station." Does not: the same with "in the style of
    Bashō", "как у Чехова", "仿李白". Where a word of style, a title, a capital within a sentence,
    or a Chinese or Japanese name that is known or stands beside a trade, a life or works may name
    one, it leaves the question open, as it does where a required element of the question has such a
    word. Known misses: an author whom few know, named in Chinese or Japanese with nothing that
    tells of a person (left to nobody: state it as a required element), a name at the beginning of a
    sentence that owns nothing there.
    """

    version: ClassVar[str] = "2"
    about: ClassVar[str] = "The question names an author, a work or a school."
    default_scale: ClassVar[Scale] = YES_NO
    closes: ClassVar[str] = "not_applicable"

    def grade(self, subject: Subject, criterion: Criterion) -> Mark:
        if refused := refusal(subject):
            return refused
        asked = "\n".join(
            (
                subject.question.text[:_READ],
                *(element[:300] for element in subject.question.must_have[:50]),
            )
        )
        names = [
            found.group()
            for found in _CAPITAL.finditer(asked)
            if not _NO_NAME.fullmatch(found.group())
        ]
        if (
            _STYLE.search(asked)
            or _TITLE.search(asked)
            or names
            or _OWNER.search(asked)
            or may_name(asked)
        ):
            return Mark.unscored("not_decisive", say("maybe"))
        return Mark.unscored("not_applicable", say("no_name"))
