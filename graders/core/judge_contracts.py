"""What a judge must be: one that asks a model, or one that is derived from what is known."""

from __future__ import annotations

import abc
from collections.abc import Mapping, Sequence
from typing import Any

from graders.core.hashing import digest
from graders.core.part import Part
from graders.core.records import (
    KnownCell,
    Mark,
    Problem,
    Reply,
    Request,
    Subject,
    SubjectKey,
    Verdict,
)
from graders.core.rubric import Criterion, Rubric
from graders.core.words import say


def inputs_hash(subject: Subject, criterion: Criterion) -> str:
    """Names what of its question a judge sees of a subject under a criterion, where the judge says
    nothing else."""
    question = subject.question
    shown = (
        question.references
        if criterion.reference_for(question.task_type) in ("given", "elected")
        else ()
    )
    return digest(question.text, list(shown), list(question.context))


def lacks_reference(subject: Subject, criterion: Criterion) -> Mark | None:
    """Unscored where a criterion says that it compares with a given right answer, and the question
    brings none; else None.

    A criterion whose `reference` names other task types only says nothing of this one. Elements are
    their own right answers.
    """
    task = subject.question.task_type
    stated = task in criterion.reference or "default" in criterion.reference
    if (
        not stated
        or criterion.elements
        or criterion.reference_for(task) != "given"
        or subject.question.references
    ):
        return None
    return Mark.unscored("no_reference", say("core.mark.no_reference"))


class AnyJudge(Part, abstract=True):
    """An AI that gives verdicts: one that is asked (`Judge`), or one that is derived from what is
    known (`DerivedJudge`)."""

    kind = "judge"


class Judge(AnyJudge, abstract=True):
    """An AI that gives verdicts, as two pure methods: what to ask, and how to read the reply."""

    needs = ("version", "about", "author", "requests", "read", "recipe_hash")

    @property
    @abc.abstractmethod
    def author(self) -> str:
        """The name under which verdicts are stored, such as ``openai:gpt-4o``."""

    @property
    def asks_together(self) -> bool:
        """Whether a call may ask about several answers to a question."""
        return False

    @abc.abstractmethod
    def requests(
        self, subjects: Sequence[Subject], rubric: Rubric, criteria: Sequence[Criterion]
    ) -> list[Request]:
        """The calls that grade all `criteria` of all `subjects`."""

    @abc.abstractmethod
    def read(
        self, request: Request, reply: Reply, subjects: Mapping[SubjectKey, Subject], rubric: Rubric
    ) -> list[Verdict | Problem]:
        """Verdicts of a reply; a Problem where it cannot be used. Never raises for what a model
        wrote."""

    @abc.abstractmethod
    def recipe_hash(self, rubric: Rubric) -> str:
        """Names template, examples, model, settings and schema version."""

    def recipe_of(self, rubric: Rubric, criterion: Criterion) -> str:
        """The recipe that a verdict on `criterion` names."""
        return self.recipe_hash(rubric)

    def recipe_of_part(self, rubric: Rubric, criterion: Criterion, part: str) -> str:
        """The recipe that a verdict on a part of `criterion` names."""
        return self.recipe_of(rubric, criterion)

    def cannot(
        self, subject: Subject, rubric: Rubric, criterion: Criterion, part: str
    ) -> Mark | None:
        """Why no call is made for a cell, as an unscored mark; None where one is. Whoever asks for
        requests leaves such cells out.

        Unless a judge says otherwise here it looks at single answers.
        """
        if subject.other is not None:
            return Mark.unscored("pair", say("core.mark.pair"))
        return lacks_reference(subject, criterion)

    def inputs_hash(self, subject: Subject, criterion: Criterion) -> str:
        """Names what of the question a verdict on `criterion` rests on: a mended reference makes
        exactly its verdicts stale."""
        return inputs_hash(subject, criterion)

    def unscored(
        self,
        request: Request,
        rubric: Rubric,
        cause: str,
        detail: str = "",
        given: Sequence[Any] = (),
    ) -> list[Verdict]:
        """Verdicts ``unscored`` for those cells of a request that `given` (what `read` made) has no
        verdict for."""
        done = {(v.subject, v.criterion, v.part) for v in given if isinstance(v, Verdict)}
        criteria = [rubric.criterion(name) for name in request.criteria]
        return [
            Verdict(
                subject=key,
                criterion=c.key,
                part=part,
                author=self.author,
                author_kind="judge",
                mark=Mark.unscored(cause, detail),
                criterion_hash=c.criterion_hash,
                recipe_hash=self.recipe_hash(rubric),
                grader_version=self.version,
            )
            for key in request.subjects
            for c in criteria
            for part in request.parts_of(c)
            if (key, c.key, part) not in done
        ]


class DerivedJudge(AnyJudge, abstract=True):
    """Makes verdicts from verdicts and values that are already known: a panel of judges, a judge
    learned from people."""

    needs = ("version", "about", "author", "derive", "recipe_hash")

    @property
    @abc.abstractmethod
    def author(self) -> str:
        """The name under which verdicts are stored, such as ``panel``."""

    @abc.abstractmethod
    def derive(self, cells: Sequence[KnownCell], criterion: Criterion) -> list[Verdict]:
        """One verdict per cell, in order; unscored with a named reason where it cannot tell. No
        input or output."""

    @abc.abstractmethod
    def recipe_hash(self) -> str:
        """Names version and options; what the verdicts were made from is not part of it."""

    def verdicts(
        self,
        cells: Sequence[KnownCell],
        criterion: Criterion,
        marks: Sequence[Mark],
        metadata: Sequence[Mapping[str, Any]] = (),
    ) -> list[Verdict]:
        """This judge's verdicts from one mark per cell; `metadata` is empty or has one entry per
        cell."""
        author, recipe = self.author, self.recipe_hash()
        return [
            Verdict(
                subject=cell.subject,
                criterion=criterion.key,
                part=cell.part,
                author=author,
                author_kind="judge",
                mark=mark,
                criterion_hash=criterion.criterion_hash,
                recipe_hash=recipe,
                grader_version=self.version,
                cost=0.0,  # what it is made of was paid for as others' verdicts
                metadata=facts,
            )
            for cell, mark, facts in zip(cells, marks, metadata or [{}] * len(cells), strict=True)
        ]
