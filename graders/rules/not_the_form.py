"""Not the form that was asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from graders.core.contracts import Rule
from graders.core.examples import FaultExample
from graders.core.records import Evidence, Mark, Question, Subject
from graders.core.rubric import Criterion
from graders.core.scale import YES_NO, Scale
from graders.core.words import carried
from graders.rules.forms.asked_forms import forms_asked
from graders.rules.forms.verse import width
from graders.rules.writing.marks import refusal, worst
from graders.rules.writing.prose import without_quotes

say = carried(
    "not_the_form",
    {
        "found": "Found: {names}.",
        "missing": "Asked for: {names}; not found in the answer.",
        "no_form": "The question asks for no form that code can see.",
        "short": "Too short to tell.",
    },
)

_READ = 60_000
#: Shorter answers may be a question back, or nothing but the thing itself.
_LEAST = 25


@dataclass(frozen=True)
class NotTheForm(Rule):
    """Decides that the form which the question asks for is not there at all.

    Seen are verse (short lines), dialogue (turns or speech), tables, numbered lists, JSON, letters
    and e-mails, code, asked for in English, Russian, Chinese or Japanese. That the form is there
    says nothing about how good it is. Read are the first 60,000 characters.
    """

    version: ClassVar[str] = "5"
    about: ClassVar[str] = "The answer has the form that the question asks for."
    default_scale: ClassVar[Scale] = YES_NO
    fault: ClassVar[str] = "not_the_form"
    fault_title: ClassVar[str] = "Not the form asked for"
    fault_about: ClassVar[str] = (
        "The question asks for a form, such as a poem, a dialogue, a table, a list, a letter or "
        "code, and the answer is in another form. A form that is there but badly made is no "
        "fault, nor is one form inside another."
    )
    severity: ClassVar[str] = "critical"
    speaks_to: ClassVar[str] = "relevance"
    why: ClassVar[str] = (
        "Who asks for a poem and gets an essay must ask again, however good the essay is."
    )
    misses: ClassVar[str] = (
        "A form that is there but badly made, forms that code cannot see (essay, report, "
        "fable), a choice of forms, answers of a few words."
    )
    present: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "Compare tea and coffee in a table.",
            "Tea has less caffeine than coffee. It also costs less. Coffee is stronger.",
            "A paragraph is no table.",
        ),
        FaultExample(
            "Сочини хокку о дожде.",
            (
                "Дождь стучит по крыше старого дома, внутри у печки спит кошка, "
                "а дети читают книги и ждут вечера."
            ),
            "Это проза.",
        ),
    )
    absent: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "How do I write a good e-mail?",
            "Keep it short. Say what you need in the first line.",
            "Advice was asked for, not an e-mail.",
        ),
        FaultExample(
            "写一首五言绝句",
            "春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。",
            "一行里的诗也是诗。",
        ),
    )
    missed: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "Write a fable about a fox.",
            "Foxes live in most of Europe. They eat mice, berries and beetles.",
            "Overlooked: code does not see what a fable is.",
        ),
    )

    @classmethod
    def can_have(cls, question: Question) -> bool:
        """A form is asked for."""
        return bool(forms_asked(without_quotes(question.text[:8000])))

    def grade(self, subject: Subject, criterion: Criterion) -> Mark:
        if refused := refusal(subject):
            return refused
        asked = forms_asked(without_quotes(subject.question.text[:8000]))
        if not asked:
            return Mark.unscored("not_decisive", say("no_form"))
        text = subject.answer.text[:_READ]
        missing = [form.name for form in asked if not form.seen(text)]
        if not missing or width(text.strip()) < _LEAST:
            return Mark.unscored(
                "not_decisive",
                say("short") if missing else say("found", names=", ".join(f.name for f in asked)),
            )
        return worst(
            criterion,
            say("missing", names=", ".join(missing)),
            [Evidence(absent=True)],
        )
