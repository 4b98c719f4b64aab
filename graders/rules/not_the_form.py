"""Not the form that was asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from graders.core.contracts import Rule
from graders.core.records import Evidence, Mark, Subject
from graders.core.rubric import Criterion
from graders.core.scale import YES_NO, Scale
from graders.rules._forms import forms_asked
from graders.rules._marks import refusal, worst
from graders.rules._prose import without_quotes
from graders.rules._verse import width

_READ = 60_000
#: Shorter answers may be a question back, or nothing but the thing itself.
_LEAST = 25


@dataclass(frozen=True)
class NotTheForm(Rule):
    """Decides that the form which the question asks for is not there at all.

    Why it hurts: who asks for a poem and gets an essay must ask again, however good the essay is.
    Has it: prose for "Write a haiku", a paragraph for "Compare them in a table", no greeting and no closing in a letter.
    Has it not: a prose poem, "What is a sonnet?", "How do I write a good e-mail?", Chinese verse in one line.
    Seen are verse (short lines), dialogue (turns or speech), tables, numbered lists, JSON, letters and e-mails, code,
    asked for in English, Russian, Chinese or Japanese. That the form is there says nothing about how good it is.
    Known misses: a form that is there but badly made, forms that code cannot see (essay, report, fable), a choice of
    forms, answers of a few words, everything after the first 60,000 characters.
    """

    version: ClassVar[str] = "2"
    about: ClassVar[str] = "The answer has the form that the question asks for."
    default_scale: ClassVar[Scale] = YES_NO
    fault: ClassVar[str] = "not_the_form"
    fault_title: ClassVar[str] = "Not the form asked for"
    severity: ClassVar[str] = "critical"
    speaks_to: ClassVar[str] = "relevance"

    def grade(self, subject: Subject, criterion: Criterion) -> Mark:
        if refused := refusal(subject):
            return refused
        asked = forms_asked(without_quotes(subject.question.text[:8000]))
        if not asked:
            return Mark.unscored("not_decisive", "The question asks for no form that code can see.")
        text = subject.answer.text[:_READ]
        missing = [form.name for form in asked if not form.seen(text)]
        if not missing or width(text.strip()) < _LEAST:
            return Mark.unscored(
                "not_decisive", f"Found: {', '.join(form.name for form in asked)}." if not missing else "Too short to tell."
            )
        return worst(criterion, f"Asked for: {', '.join(missing)}; not found in the answer.", [Evidence(absent=True)])
