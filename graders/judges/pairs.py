"""A language model that says which of two answers is better, asked in both orders of the two."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

from graders.core.contracts import lacks_reference
from graders.core.hashing import digest
from graders.core.preference import TURNED, turned
from graders.core.records import (
    Evidence,
    Mark,
    Problem,
    Reply,
    Request,
    Subject,
    SubjectKey,
    Verdict,
)
from graders.core.rubric import Criterion, Rubric
from graders.core.text import mask_names
from graders.core.words import carried
from graders.judges.asking.confidence import surer
from graders.judges.asking.model import ModelJudge
from graders.judges.asking.prompts import fence, part_words, render, scale_words, shown_in, source
from graders.judges.asking.reading import read_evidence, read_opinions, read_reply, whole
from graders.judges.asking.schema import SCHEMA_VERSION, reply_schema
from graders.judges.asking.window import fitted, may_cut

say = carried(
    "pairs",
    {
        "checklist": "A checklist is held against one answer, not against two.",
        "one_answer": "Two answers are compared here, and there is one.",
    },
)


TEMPLATES = ("system_pair.j2", "pair.j2")


@dataclass(frozen=True)
class Pairs(ModelJudge):
    """Asks about a pair twice, each answer standing first once; `read` names the answers as the
    pair does, whichever stood first.

    Criteria have the scale A, tie, B. Examples of a rubric are of single answers and stay out.

    * ``persona``, ``prompt_language`` and ``slot`` as of the judge of single answers
    * ``per`` ``criterion``: a call asks about one criterion; else about all
    """

    version: ClassVar[str] = "1"
    about: ClassVar[str] = (
        "A language model that says which of two answers is better, asked in both orders."
    )

    persona: str = ""
    per: str = "answer"
    prompt_language: str = ""
    slot: str = "system"

    def options(self) -> dict[str, Any]:
        """All options; ``per`` only where it changes a call."""
        found = super().options()
        if self.per != "criterion":
            del found["per"]
        return found

    def seen(self, subject: Subject) -> Subject:
        """A pair as this judge is shown it: neither text names one of the two models."""
        subject = super().seen(subject)
        if subject.other is None:
            return subject
        names = sorted({subject.answer.model, subject.other.model})
        first, second = (
            replace(answer, text=mask_names(answer.text, names))
            for answer in (subject.answer, subject.other)
        )
        return replace(subject, answer=first, other=second)

    def cannot(
        self, subject: Subject, rubric: Rubric, criterion: Criterion, part: str
    ) -> Mark | None:
        """Why no call is made: there is one answer only, a checklist, which is held against one, or
        no right answer to compare with."""
        if subject.other is None:
            return Mark.unscored("one_answer", say("one_answer"))
        if criterion.elements:
            return Mark.unscored("pair", say("checklist"))
        return lacks_reference(subject, criterion) if self.reference else None

    def requests(
        self, subjects: Sequence[Subject], rubric: Rubric, criteria: Sequence[Criterion]
    ) -> list[Request]:
        """Two requests per pair, one in each order (and per criterion, or for what is shown
        references and what is not)."""
        made: list[Request] = []
        for subject in map(self.seen, subjects):
            asked = [c for c in criteria if self.cannot(subject, rubric, c, "") is None]
            for group in self._calls(subject, asked):
                made += self._both(subject, rubric, group)
        return made

    def read(
        self, request: Request, reply: Reply, subjects: Mapping[SubjectKey, Subject], rubric: Rubric
    ) -> list[Verdict | Problem]:
        """What the reply says of the pair in its order, and a Problem for each that cannot be
        read."""
        found = read_reply(reply)
        if isinstance(found, Problem):
            return [found]
        (key,) = request.subjects
        subject, recipe = self.seen(subjects[key]), self.recipe_hash(rubric)
        made: list[Verdict | Problem] = []
        for criterion in map(rubric.criterion, request.criteria):
            for part, mark in read_opinions(
                found, criterion, request.parts_of(criterion), subject.answer.text
            ):
                if isinstance(mark, Problem):
                    made.append(mark)
                    continue
                if reply.logprobs and self.confidence == "logprobs":
                    mark = surer(mark, reply, [criterion.name, *([part] if part else [])])
                if request.occasion == TURNED and mark.value is not None:
                    mark = replace(mark, value=turned(criterion.scale, mark.value))
                mark = replace(
                    mark, evidence=tuple(_in_either(one, subject) for one in mark.evidence)
                )
                made.append(self.verdict(key, criterion, part, mark, recipe, request.metadata))
        return made

    def recipe_hash(self, rubric: Rubric) -> str:
        """Names templates, model, settings and schema version."""
        return digest(self.version, SCHEMA_VERSION, list(map(source, TEMPLATES)), self.options())

    def _calls(self, subject: Subject, criteria: Sequence[Criterion]) -> list[list[Criterion]]:
        """Criteria that go into one call: where there are references, those that see them never
        share one with those that do not."""
        if self.per == "criterion":
            return [[criterion] for criterion in criteria]
        seen = [c for c in criteria if subject.question.references and _sees(c, subject)]
        return [group for group in (seen, [c for c in criteria if c not in seen]) if group]

    def _both(
        self, subject: Subject, rubric: Rubric, criteria: Sequence[Criterion]
    ) -> Iterator[Request]:
        """The call in the pair's own order, and the one with its answers changed."""
        words = rubric.translations.get(self.prompt_language, {})
        told = [
            {
                "name": c.name,
                "scale": scale_words(c.scale),
                **shown_in(c, words.get(c.name, {})),
                "parts": part_words(c),
            }
            for c in criteria
        ]
        system, schema = (
            whole(render(TEMPLATES[0], persona=self.persona, criteria=told)),
            reply_schema(criteria),
        )
        references = subject.question.references if any(_sees(c, subject) for c in criteria) else ()
        window = self.limit if may_cut(criteria, subject.question.task_type) else 0
        for occasion in ("", TURNED):
            make = partial(self._request, subject, rubric, criteria, system, schema, occasion)
            yield fitted(make(references), references, window, make)

    def _request(
        self,
        subject: Subject,
        rubric: Rubric,
        criteria: Sequence[Criterion],
        system: str,
        schema: Mapping[str, Any],
        occasion: str,
        references: Sequence[str],
    ) -> Request:
        question, pair = subject.question, [subject.answer, subject.other or subject.answer]
        texts = [whole(answer.text) for answer in (reversed(pair) if occasion == TURNED else pair)]
        text = render(
            TEMPLATES[1],
            question=whole(question.text),
            context=[
                {"text": document, "code": fence(self.secret, document)}
                for document in map(whole, question.context)
            ],
            references=[whole(reference) for reference in references],
            answers=[
                {"name": name, "text": text, "code": fence(self.secret, text)}
                for name, text in zip("AB", texts, strict=True)
            ],
        )
        return Request(
            subjects=(subject.key,),
            provider=self.provider,
            model=self.model,
            messages=(("system", system), ("user", text))
            if self.slot == "system"
            else (("user", f"{system}\n\n{text}"),),
            schema=schema,
            settings=self.settings(),
            occasion=occasion,
            criteria=tuple(c.key for c in criteria),
            elements=tuple(
                (c.key, c.parts)
                for c in criteria
                if c.parts and c.parts != rubric.criterion(c.key).parts
            ),
        )


def _sees(criterion: Criterion, subject: Subject) -> bool:
    return criterion.reference_for(subject.question.task_type) in ("given", "elected")


def _in_either(evidence: Evidence, subject: Subject) -> Evidence:
    """A quote that does not stand in the first answer, as it stands in the second; there it has no
    place."""
    if evidence.found is not False or subject.other is None:
        return evidence
    there = read_evidence(evidence.quote, subject.other.text)
    return Evidence(quote=there.quote, found=True) if there.found else evidence
