"""Cut off before its end."""

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
from graders.rules.writing.endings import sign_of_cut
from graders.rules.writing.marks import refusal, span, worst

say = carried(
    "truncated",
    {
        "at_limit": "The provider ended the answer at its limit (finish reason {reason!r}).",
        "breaks_off": "The answer breaks off: {what}.",
        "none": "Nothing says that the answer was cut off.",
    },
)

#: How providers say that the limit of tokens ended the answer, and that the model ended it by
#: itself.
_LENGTH = frozenset(
    {
        "length",
        "max_tokens",
        "max_output_tokens",
        "max_length",
        "model_length",
        "model_context_window_exceeded",
    }
)
#: Questions that want an end left open, a beginning to go on from, or old verse behind the prose.
_LEFT_OPEN = re.compile(
    r"\b(?:leave|left|keep|ends?|ending)\b[^.?!]{0,24}\b(?:open|hanging|unfinished)|unfinished|"
    r"cliff-?hanger|(?:first|opening) (?:lines?|sentences?|words)\b|story starter|"
    r"\b(?:i|we|they)(?:'ll| will| want to| can)? (?:continue|finish|complete)\b|mid-?sentence|"
    r"(?:перв\w+ (?:строк|фраз|предложени)|начал[оа] (?:рассказ|истори|фраз|сказк))|"
    r"(?:продолж|законч|допиш)\w* (?:я )?сам|сам\w? (?:продолж|законч|допиш)|неоконч|незаконч|"
    r"оборв|на полуслове|"
    r"开头|第一句|首句|未完|留白|悬念|续写|我来(?:续|接)|补全|填空|"
    r"書き出し|余韻|続きは|続きを(?:書|考)|途中で|未完|古文|和歌|短歌|平安",
    re.I,
)
_BY_ITSELF = frozenset({"stop", "end_turn", "eos", "eos_token", "stop_sequence", "completed"})


@dataclass(frozen=True)
class Truncated(Rule):
    """Decides that an answer stops before its end: the provider says so, or the text breaks off.

    Signs in the text: an open code block, a last line that ends with a comma, a colon or a word
    such as "and", an empty last item or heading, a last sentence without an end where the others
    have one. The last sign does not count where the provider says that the model stopped by itself.
    """

    version: ClassVar[str] = "6"
    about: ClassVar[str] = "The answer does not stop before its end."
    default_scale: ClassVar[Scale] = YES_NO
    fault: ClassVar[str] = "cut_off"
    fault_title: ClassVar[str] = "Cut off"
    fault_about: ClassVar[str] = (
        "The answer stops before its end: within a sentence, a word, a list or a block of code."
    )
    severity: ClassVar[str] = "major"
    speaks_to: ClassVar[str] = "completeness"
    why: ClassVar[str] = (
        "The reader waits for a point that never comes, often the last step or the conclusion."
    )
    misses: ClassVar[str] = (
        "A cut exactly after a sentence, in verse, or after a number; "
        "in a list without full stops, after a word that may end an item; "
        "data without a code block."
    )
    present: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "What do I need for a hike?",
            "Wear good shoes. Take water. Tell somebody where you",
            "The sentence breaks off.",
            "Tell somebody where you",
        ),
        FaultExample(
            "睡眠有什么好处？",
            "睡眠有三个好处。第一是恢复体力，第二是保存记忆，第三是",
            "第三点没有说完。",
            "第三是",
        ),
    )
    absent: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "What do I need from the shop?",
            "1. Milk\n2. Bread\n3. Eggs",
            "A list needs no full stop.",
        ),
        FaultExample(
            "Напиши двустишие.",
            "Снег на крыше, снег в саду,\nя иду, иду, иду",
            "Стихи кончаются без точки.",
        ),
    )
    missed: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "Name the three steps.",
            "First, open the box. Second, take out the lamp.",
            "Overlooked: the cut falls after a sentence.",
        ),
    )

    def grade(self, subject: Subject, criterion: Criterion) -> Mark:
        text = subject.answer.text
        reason = subject.answer.finish_reason.strip().lower()
        if subject.other is None and reason in _LENGTH:
            tail = [span(text, max(0, len(text.rstrip()) - 60), len(text))] if text.strip() else []
            return worst(
                criterion,
                say("at_limit", reason=reason),
                tail,
            )
        if refused := refusal(subject):
            return refused
        sign = None if _LEFT_OPEN.search(subject.question.text[:4_000]) else sign_of_cut(text)
        if sign is None or (reason in _BY_ITSELF and not sign.strong):
            return Mark.unscored("not_decisive", say("none"))
        start = max(sign.start, len(text.rstrip()) - 120)
        return worst(criterion, say("breaks_off", what=sign.what), [span(text, start, len(text))])
