"""A dialogue and its translation do not pair up."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from graders.core.contracts import Rule
from graders.core.records import Mark, Subject
from graders.core.rubric import Criterion
from graders.core.scale import YES_NO, Scale
from graders.rules._asked_language import allowed_languages, code_of
from graders.rules._learning import language_of_reader
from graders.rules._marks import refusal, span, worst
from graders.rules._turns import mismatch, other_language, turns

_DIALOGUE = re.compile(r"dialog|conversation|диалог|разговор|беседа|对话|会话|對話|会話|ダイアログ|対話", re.I)


@dataclass(frozen=True)
class DialogueOutOfStep(Rule):
    """Decides that a dialogue and its translation differ in the number of turns, or in who speaks.

    Why it hurts: the reader matches a line with the wrong translation and learns it wrongly.
    Has it: "A: Привет! B: Привет! A: Hi!". Has it not: each turn followed by its translation, or two blocks alike.
    Turns have a speaker and a colon, or a dash; the translation stands in a block of its own, under each turn, in
    brackets or in the next cell. Names may change (Анна, Anna), labels that stay must stay with their turns. Works for
    English, Russian, Chinese and Japanese readers; two languages of Latin letters as far as their words tell them apart.
    Known misses: a translation that pairs up and is wrong, narrated dialogues, a turn missing in both.
    """

    version: ClassVar[str] = "2"
    about: ClassVar[str] = "A dialogue and its translation pair up turn by turn."
    default_scale: ClassVar[Scale] = YES_NO
    fault: ClassVar[str] = "dialogue_out_of_step"
    fault_title: ClassVar[str] = "Dialogue and translation out of step"
    severity: ClassVar[str] = "major"
    speaks_to: ClassVar[str] = "mistakes"

    def grade(self, subject: Subject, criterion: Criterion) -> Mark:
        if refused := refusal(subject):
            return refused
        question, text = subject.question, subject.answer.text
        if not _DIALOGUE.search(question.text[:4000]):
            return Mark.unscored("not_decisive", "The question does not ask for a dialogue.")
        own = language_of_reader(question.text, code_of(question.language))
        allowed = allowed_languages(question.text, question.language)
        other = other_language(text, own, allowed.languages or frozenset()) if own else ""
        if not other:
            return Mark.unscored("not_decisive", "The answer is in one language.")
        found = mismatch(turns(text, own, other), own, other)
        if found is None:
            return Mark.unscored("not_decisive", "No dialogue with a translation that is out of step.")
        return worst(criterion, f"The dialogue and its translation do not pair up: {found.what}.", [span(text, found.start, found.end)])
