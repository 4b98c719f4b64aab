"""A dialogue and its translation do not pair up."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from graders.core.contracts import Rule
from graders.core.examples import FaultExample
from graders.core.records import Mark, Question, Subject
from graders.core.rubric import Criterion
from graders.core.scale import YES_NO, Scale
from graders.core.words import carried
from graders.core.words import say as say_shared
from graders.rules.languages.asked_language import allowed_languages, code_of
from graders.rules.languages.layout import laid
from graders.rules.languages.learners import language_of_reader
from graders.rules.languages.pieces import same_script
from graders.rules.languages.turns import (
    Mismatch,
    gap_in_table,
    mismatch,
    other_language,
    turns,
)
from graders.rules.writing.marks import refusal, span, worst

say = carried(
    "dialogue_out_of_step",
    {
        "apart": "The dialogue and its translation do not pair up: {what}.",
        "empty_cell": "A cell of the dialogue has no translation beside it.",
        "no_dialogue": "The question does not ask for a dialogue.",
        "none": "No dialogue with a translation that is out of step.",
        "one_language": "The answer is in one language.",
    },
)

_DIALOGUE = re.compile(
    r"dialog|conversation|\b(?:phone call|exchange|chat|talk|scene|interview) (?:between|with|at|"
    r"in)\b|"
    r"role-?play|ролев|интервью|\bskit\b|\bsketch\b|диалог|разговор|беседа|сценк|对话|会话|對話|"
    r"小剧|情景|"
    r"会話|ダイアログ|対話|やりとり|寸劇",
    re.I,
)
#: Not every turn is to be translated.
_SOME = re.compile(
    r"translat\w+ (?:only )?(?:for |of )?(?:only|the (?:hard|difficult))|only (?:translate|the "
    r"(?:hard|difficult))|"
    r"только (?:для )?(?:трудн|сложн|нов|непонят|ключев)|只(?:翻译|译|给)|难句|难的(?:句子)?|"
    r"だけ(?:に)?訳|難しい",
    re.I,
)


@dataclass(frozen=True)
class DialogueOutOfStep(Rule):
    """Decides that a dialogue and its translation differ in the number of turns, or in who speaks.

    Turns have a speaker and a colon, or a dash; the translation stands in a block of its own, under
    each turn, in brackets or in the next cell. Names may change (Анна, Anna), labels that stay must
    stay with their turns. Works for English, Russian, Chinese and Japanese readers; two languages
    of Latin letters as far as their words tell them apart.
    """

    version: ClassVar[str] = "5"
    about: ClassVar[str] = "A dialogue and its translation pair up turn by turn."
    default_scale: ClassVar[Scale] = YES_NO
    fault: ClassVar[str] = "dialogue_out_of_step"
    fault_title: ClassVar[str] = "Dialogue and translation out of step"
    fault_about: ClassVar[str] = (
        "A dialogue stands beside its translation, and turns of one are missing in the other or "
        "stand in another order."
    )
    severity: ClassVar[str] = "major"
    speaks_to: ClassVar[str] = "mistakes"
    why: ClassVar[str] = (
        "The reader matches a line with the wrong translation and learns it wrongly."
    )
    misses: ClassVar[str] = (
        "A translation that pairs up and is wrong, names that change and swap their places, "
        "narrated dialogues, a turn missing in both."
    )
    present: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "Write a dialogue in Russian with a translation.",
            "A: Привет!\nB: Как дела?\nA: Хорошо.\n\nA: Hi!\nB: How are you?",
            "The last turn has no translation.",
            "Хорошо.",
        ),
        FaultExample(
            "写一段英语对话，每句后面写中文。",
            (
                "Anna: Good morning.\n安娜：早上好。\nTom: Hello, Anna.\nAnna: Did you sleep "
                "well?\n安娜：你睡得好吗？"
            ),
            "有一句没有译文。",
            "Hello, Anna.",
        ),
    )
    absent: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "Write a dialogue in Russian with a translation.",
            "A: Привет!\nB: Как дела?\n\nA: Hi!\nB: How are you?",
            "Two blocks alike.",
        ),
        FaultExample(
            "Составь диалог на английском с переводом.",
            "— Hello! (Привет!)\n— Good morning, Tom. (Доброе утро, Том.)",
            "Перевод стоит за каждой репликой.",
        ),
    )
    missed: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "Write a dialogue in Japanese with the English.",
            (
                "健：宿題をしましたか。\n愛：いいえ。忘れました。\n\n"
                "Mary: No, I forgot it.\nTom: Did you do your homework?"
            ),
            "Overlooked: the turns are swapped, and so are names that change in the translation.",
            "Mary: No, I forgot it.",
        ),
    )

    @classmethod
    def can_have(cls, question: Question) -> bool:
        """A dialogue is asked for."""
        return bool(_DIALOGUE.search(question.text[:4000]))

    def grade(self, subject: Subject, criterion: Criterion) -> Mark:
        if refused := refusal(subject):
            return refused
        question, text = subject.question, subject.answer.text
        if not self.can_have(question):
            return Mark.unscored("not_decisive", say("no_dialogue"))
        own = language_of_reader(question.text, code_of(question.language))
        allowed = allowed_languages(question.text, question.language)
        other = other_language(text, own, allowed.languages or frozenset()) if own else ""
        if not other:
            return Mark.unscored("not_decisive", say("one_language"))
        if _SOME.search(question.text[:4000]):
            return Mark.unscored("not_decisive", say("none"))
        if cell := gap_in_table(text, own, other):
            return worst(criterion, say("empty_cell"), [span(text, cell.start, cell.end)])
        found = out_of_step(text, own, other)
        if found is None:
            return Mark.unscored("not_decisive", say("none"))
        return worst(
            criterion,
            say("apart", what=found.what),
            [span(text, found.start, found.end)],
        )


def out_of_step(text: str, own: str, other: str) -> Mismatch | None:
    """Where a dialogue and its translation part. In two languages of one script the layout tells
    first: short lines are seldom known by their words."""
    if same_script(own, other):
        signs = laid(text)
        if signs.gap is not None:
            what = (
                say_shared("rules.turns.speaker", turn=signs.at)
                if signs.at > 0
                else say_shared("rules.turns.uneven", theirs=signs.sides[1], ours=signs.sides[0])
            )
            return Mismatch(what, signs.gap.start, signs.gap.end)
        if signs.decides:
            return None
    return mismatch(turns(text, own, other), own, other)
