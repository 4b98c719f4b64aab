"""Seeded fault: one sentence of a factual answer says the contrary."""

from __future__ import annotations

import re
from typing import ClassVar

from graders.core.seeded import Damaged, SeededFault, SeedExample
from graders.core.sentences import sentences
from graders.core.words import carried

say = carried(
    "negation_flipped",
    {
        "became": "{before!r} became {after!r}",
    },
)

#: By language: what is looked for and what takes its place, and sentences that are left alone since
#: another part of them turns the sense.
FLIPS: dict[str, tuple[tuple[str, str], ...]] = {
    "en": (
        (r"\b(is|are|was|were|has|have|can|will|does|do|did|should|must) not (?!only\b)", r"\1 "),
        (r"\bcannot\b", "can"),
        (
            (
                r"\b(is|are|was|were|can|will|must|should) "
                r"(?!not\b|n't)(?=(?:a|an|the|be|made|found|used|called|caused)\b)"
            ),
            r"\1 not ",
        ),
    ),
    "ru": (
        (
            (
                r"(?<!\w)не "
                r"(?=(?:является|являются|может|могут|содержит|имеет|бывает|нужно|следует)\b)"
            ),
            "",
        ),
        (r"(?<!\w)нельзя\b", "можно"),
        (r"(?<!\w)(?=(?:является|являются|может|могут|содержит)\b)(?<!не )", "не "),
    ),
    "zh": (
        (r"不是", "是"),
        (r"不能", "能"),
        (r"不会", "会"),
        (r"没有", "有"),
        (r"(?<![不也就还但可若总老只正而于都要])是(?!否|不|非|因)", "不是"),
    ),
    "ja": (
        (r"ではありません", "です"),
        (r"できません", "できます"),
        (r"ありません", "あります"),
        (r"(?<=[㐀-鿿ァ-ヶー])です(?=。|$)", "ではありません"),
    ),
}
_ALONE = re.compile(
    r"not only|but also|neither|nor\b|no longer|whether|\bif\b|\?|не "
    r"только|ни\b|если|ли\b|не\b.*,\s*а\b"
    r"|？|不是.*(?:而是|就是)|是否|不仅|不但|如果|想象|没有.*[的就]|だけで|かどうか|もし|"
    r"なければ|ません.*(?:が|けど)",
    re.I,
)


class NegationFlipped(SeededFault):
    version: ClassVar[str] = "1"
    title: ClassVar[str] = "Sense turned round"
    about: ClassVar[str] = (
        "In one sentence of a factual answer a negation is taken out, "
        "or put in where there was none."
    )
    languages: ClassVar[tuple[str, ...]] = tuple(FLIPS)
    factual: ClassVar[bool] = True
    present: ClassVar = (
        SeedExample("Is a whale a fish?", "A whale is not a fish.", "en", "A whale is a fish."),
        SeedExample("What is a whale?", "A whale is a mammal.", "en", "A whale is not a mammal."),
        SeedExample("Кит - рыба?", "Кит не является рыбой.", "ru", "Кит является рыбой."),
        SeedExample("鲸是鱼吗？", "鲸不是鱼。", "zh", "鲸是鱼。"),
        SeedExample("クジラは魚ですか。", "クジラは魚ではありません。", "ja", "クジラは魚です。"),
    )
    absent: ClassVar = (
        SeedExample(
            "Is a whale a fish?",
            "It looks like one, but whales are not only large but also warm.",
            "en",
        ),
        SeedExample("鲸是鱼吗？", "鲸不是鱼，而是哺乳动物。", "zh"),
        SeedExample("What do whales eat?", "Krill, mostly.", "en"),
    )

    def damage(self, question: str, answer: str, language: str, draw: float) -> Damaged | None:
        """The first sentence that can be negated: it carries most of the answer."""
        for sentence in sentences(answer, language):
            if _ALONE.search(sentence) or answer.count(sentence) != 1:
                continue
            for wanted, instead in FLIPS.get(language.partition("-")[0], ()):
                turned, count = re.subn(wanted, instead, sentence, count=1, flags=re.I)
                if count and turned != sentence:
                    return Damaged(
                        answer.replace(sentence, turned),
                        say("became", before=sentence[:60], after=turned[:60]),
                    )
        return None
