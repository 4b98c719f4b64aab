"""A model that replies with a bare value, such as ``accuracy: 0.6``, with or without its reasoning
before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from graders.core.records import Mark, Problem, Subject
from graders.core.rubric import Criterion, Rubric
from graders.core.words import carried
from graders.judges.asking.corrections import Correction, apart_from, as_examples, marked
from graders.judges.asking.plain import read_bare
from graders.judges.asking.single import SingleJudge
from graders.judges.asking.templates import shows_examples

say = carried(
    "bare",
    {
        "no_document": "The criterion compares with a document, and there is none.",
        "no_right_answer": "The criterion compares with a right answer, and there is none.",
    },
)


@dataclass(frozen=True)
class Bare(SingleJudge):
    """Asks for one value per call in plain text, for models without structured output and for
    prompts of the user's own.

    * ``reasoning``: the model argues first and gives the value in its last line, behind the
      criterion's name
    * ``corrections``: examples from people's corrections; those made on a question are not shown
      when it is graded
    * ``language``: the prompt uses the rubric's translation into it, where there is one
    """

    version: ClassVar[str] = "1"
    about: ClassVar[str] = "A language model that replies with one bare value, in plain text."
    templates: ClassVar[tuple[str, ...]] = ("bare.j2", "bare_zh.j2")

    reasoning: bool = False
    language: str = ""
    corrections: tuple[Correction, ...] = ()

    def cannot(
        self, subject: Subject, rubric: Rubric, criterion: Criterion, part: str
    ) -> Mark | None:
        """Why no call is made: no right answer or document where the criterion compares with
        one."""
        subject = self.seen(subject)
        wants = criterion.reference_for(subject.question.task_type) if criterion.reference else ""
        if not (criterion.template or self.template):
            if wants in ("given", "elected") and not subject.question.references:
                return Mark.unscored("no_reference", say("no_right_answer"))
            if wants == "context" and not subject.question.context:
                return Mark.unscored("no_context", say("no_document"))
        return super().cannot(subject, rubric, criterion, part)

    def mark(self, text: str, criterion: Criterion, rubric: Rubric) -> Mark | Problem:
        """The value that a reply is, on the criterion's scale."""
        words = (translated.get(criterion.name, {}) for translated in rubric.translations.values())
        names = [
            criterion.name,
            criterion.key,
            criterion.title,
            *(str(w["name"]) for w in words if w.get("name")),
        ]
        own = criterion.template or self.template
        found = read_bare(text, criterion, names, self.reasoning, prompt=own)
        return found if isinstance(found, Problem) else Mark(value=found[0], rationale=found[1])

    def material(self, subject: Subject, rubric: Rubric) -> Sequence[Mapping[str, Any]]:
        """The rubric's examples and people's corrections."""
        return [
            *rubric.examples,
            *as_examples(apart_from(self.corrections, subject.question), self.secret),
        ]

    def marked(self, subject: Subject, criterion: Criterion) -> dict[str, Any]:
        """How many corrections the prompt shows: those of its criterion, where it shows examples at
        all."""
        own = [
            one
            for one in self.corrections
            if not {criterion.name, criterion.key}.isdisjoint(one["verdicts"])
        ]
        own = own if shows_examples(criterion.template or self.template) else []
        return marked(apart_from(own, subject.question), own)

    def ours(self, criterion: Criterion) -> str:
        """The prompt in the language that is set, English for those without one."""
        return "bare_zh.j2" if self.language == "zh" else "bare.j2"

    @property
    def language_of_ours(self) -> str:
        """Chinese or English."""
        return "zh" if self.language == "zh" else super().language_of_ours

    @property
    def argues(self) -> bool:
        """Whether the model argues first, as the option says."""
        return self.reasoning

    def shown(self, rubric: Rubric, criterion: Criterion) -> tuple[str, str]:
        """Question and guide in the language that is set, where the rubric has them."""
        words = rubric.translations.get(self.language, {}).get(criterion.name, {})
        return str(words.get("question", criterion.question)), str(
            words.get("guide", criterion.guide)
        )
