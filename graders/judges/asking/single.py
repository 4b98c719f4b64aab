"""Shared by judges that ask about one cell per call and get a plain reply."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ClassVar

from graders.core.hashing import digest
from graders.core.records import Mark, Problem, Reply, Request, Subject, SubjectKey, Verdict
from graders.core.rubric import Criterion, Rubric
from graders.core.words import say
from graders.judges.asking.model import ModelJudge
from graders.judges.asking.prompts import compile_template, fence, scale_words, source
from graders.judges.asking.reading import whole
from graders.judges.asking.templates import (
    ENGLISH,
    EXAMPLE_LABELS,
    OwnTemplate,
    Texts,
    example_lines,
    lacking,
    own_template,
)
from graders.judges.asking.window import fitted, may_cut

#: What our own templates may use: texts come with the code of the fence that stands around them.
_OURS = frozenset(
    {
        "name",
        "criterion",
        "scale",
        "guide",
        "question",
        "context",
        "references",
        "part",
        "part_code",
        "answer",
        "code",
        "examples",
        "reasoning",
    }
)


@dataclass(frozen=True)
class SingleJudge(ModelJudge, abstract=True):
    """Asks a model about one cell (criterion or part of one) per call, in plain text.

    * ``template`` is a prompt for all criteria; a criterion's own ``template`` goes before it.
      Empty: our own prompts
    """

    templates: ClassVar[tuple[str, ...]]

    max_output_tokens: int = 1000
    template: str = ""

    def requests(
        self, subjects: Sequence[Subject], rubric: Rubric, criteria: Sequence[Criterion]
    ) -> list[Request]:
        """One request per subject, criterion and part; none for a cell that `cannot` names a reason
        for.

        RubricError for a template that cannot be used.
        """
        return [
            self._fitted(subject, rubric, criterion, part)
            for subject in map(self.seen, subjects)
            for criterion in criteria
            for part in criterion.parts_of(subject.question)
            if self.cannot(subject, rubric, criterion, part) is None
        ]

    def cannot(
        self, subject: Subject, rubric: Rubric, criterion: Criterion, part: str
    ) -> Mark | None:
        """Why this judge makes no call for a cell, as an unscored mark; None where it does."""
        if subject.other is not None:
            return Mark.unscored("pair", say("core.mark.pair"))
        own, subject = self._own(rubric, criterion), self.seen(subject)
        missing = (
            lacking(own.uses, self._values(subject, rubric, criterion, part, own.language))
            if own
            else ""
        )
        if own:  # it shows what it compares with
            return (
                Mark.unscored(f"no_{missing}", say(f"judges.shows_nothing.{missing}"))
                if missing
                else None
            )
        return super().cannot(subject, rubric, criterion, part)

    def read(
        self, request: Request, reply: Reply, subjects: Mapping[SubjectKey, Subject], rubric: Rubric
    ) -> list[Verdict | Problem]:
        """The verdict that a reply is, or a Problem."""
        if reply.cause:
            return [Problem(cause=reply.cause, detail=reply.detail)]
        (key,), (name,) = request.subjects, request.criteria
        criterion = rubric.criterion(name)
        (part,) = request.parts_of(criterion)
        mark = self.mark(reply.text, criterion, rubric)
        if isinstance(mark, Problem):
            return [mark]
        return [
            self.verdict(key, criterion, part, mark, self.recipe_hash(rubric), request.metadata)
        ]

    @abstractmethod
    def mark(self, text: str, criterion: Criterion, rubric: Rubric) -> Mark | Problem:
        """What the text of a reply says."""

    @abstractmethod
    def ours(self, criterion: Criterion) -> str:
        """The name of our own template for a criterion."""

    @property
    def language_of_ours(self) -> str:
        """The language of our own templates."""
        return ENGLISH

    @property
    def argues(self) -> bool:
        """Whether a reply holds reasoning before the value."""
        return False

    def shown(self, rubric: Rubric, criterion: Criterion) -> tuple[str, str]:
        """(question, guide) of a criterion as the prompt states them."""
        return criterion.question, criterion.guide

    def material(self, subject: Subject, rubric: Rubric) -> Sequence[Mapping[str, Any]]:
        """The examples for grading a subject."""
        return rubric.examples

    def marked(self, subject: Subject, criterion: Criterion) -> dict[str, Any]:
        """What verdicts on a subject under a criterion are marked with."""
        return {}

    def recipe_hash(self, rubric: Rubric) -> str:
        """Names templates, examples, model and settings."""
        own = [[c.key, c.template] for c in rubric.criteria if c.template]
        shown = [self.shown(rubric, c) for c in rubric.criteria]
        written = [self._own(rubric, c) for c in rubric.criteria]
        languages = {self.language_of_ours if one is None else one.language for one in written}
        labels = [EXAMPLE_LABELS[language] for language in sorted(languages - {ENGLISH})]
        return digest(
            self.version,
            [source(name) for name in self.templates],
            own,
            shown,
            [dict(e) for e in rubric.examples],
            self.options(),
            *labels,
        )

    def _own(self, rubric: Rubric, criterion: Criterion) -> OwnTemplate | None:
        if criterion.template:
            return own_template(
                criterion.template,
                say("judges.template.of_rubric", rubric=rubric.name, criterion=criterion.name),
            )
        return (
            own_template(self.template, say("judges.template.of_judge", judge=self.name))
            if self.template
            else None
        )

    def _values(
        self, subject: Subject, rubric: Rubric, criterion: Criterion, part: str, language: str
    ) -> dict[str, Any]:
        """What the placeholders of a user's template stand for, by meaning."""
        question = subject.question
        referenced = criterion.reference_for(question.task_type) in ("given", "elected")
        asked = " ".join(text for text in self.shown(rubric, criterion) if text)
        return {
            "question": whole(question.text),
            "answer": whole(subject.answer.text),
            "context": Texts(whole(text) for text in question.context),
            "reference": whole("\n".join(question.references)) if referenced else "",
            "claim": whole(part),
            "facts": Texts(
                (f"{n}. {whole(fact)}" for n, fact in enumerate(question.facts, 1)), "\n"
            ),
            "criteria": f"{criterion.name} [{scale_words(criterion.scale)}]: {asked}",
            "examples": example_lines(self.material(subject, rubric), criterion, language),
        }

    def _prompt(self, subject: Subject, rubric: Rubric, criterion: Criterion, part: str) -> str:
        if own := self._own(rubric, criterion):
            return own.fill(self._values(subject, rubric, criterion, part, own.language))
        question, answer = subject.question, whole(subject.answer.text)
        asked, guide = self.shown(rubric, criterion)
        referenced = criterion.reference_for(question.task_type) in ("given", "elected")
        name = self.ours(criterion)
        documents, part = [whole(text) for text in question.context], whole(part)
        text: str = _compiled(name).render(
            name=criterion.name,
            criterion=asked,
            guide=guide,
            scale=scale_words(criterion.scale),
            question=whole(question.text),
            context=[
                {"text": document, "code": fence(self.secret, document)} for document in documents
            ],
            references=[whole(reference) for reference in question.references]
            if referenced
            else [],
            part=part,
            part_code=fence(self.secret, part),
            answer=answer,
            code=fence(self.secret, answer),
            examples=list(
                example_lines(self.material(subject, rubric), criterion, self.language_of_ours)
            ),
            reasoning=self.argues,
        )
        return text.strip()

    def _fitted(self, subject: Subject, rubric: Rubric, criterion: Criterion, part: str) -> Request:
        question = subject.question

        def rebuilt(references: Sequence[str]) -> Request:
            shown = replace(subject, question=replace(question, references=tuple(references)))
            return self._request(shown, rubric, criterion, part)

        window = self.limit if may_cut([criterion], question.task_type) else 0
        return fitted(
            self._request(subject, rubric, criterion, part), question.references, window, rebuilt
        )

    def _request(
        self, subject: Subject, rubric: Rubric, criterion: Criterion, part: str
    ) -> Request:
        return Request(
            subjects=(subject.key,),
            provider=self.provider,
            model=self.model,
            messages=(("user", self._prompt(subject, rubric, criterion, part)),),
            settings=self.settings(),
            criteria=(criterion.key,),
            elements=((criterion.key, (part,)),) if part else (),
            metadata=self.marked(subject, criterion),
        )


@cache
def _compiled(name: str) -> Any:
    return compile_template(source(name), name, _OURS)
