"""The LLM judge for claims: all claims of an answer in one call, each with the passage of the
source text that it rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from graders.core.hashing import digest
from graders.core.quotes import quotes_words, stands_in
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
from graders.core.text import find_quote
from graders.core.words import carried
from graders.judges.asking.corrections import Correction
from graders.judges.asking.model import ModelJudge
from graders.judges.asking.reading import cited
from graders.judges.llm import LLMJudge

say = carried(
    "grounded",
    {
        "no_document": "A claim is held against a document, and there is none.",
    },
)


_ASKS = (
    "For {names}, evidence is not copied from the answer but from the source text: "
    "the words that support the entry, or absent. "
    "An entry is supported if somebody who knows nothing but the source text would accept it "
    "as said there."
)


@dataclass(frozen=True)
class Grounded(ModelJudge):
    """Asks as the LLM judge does, but wants the evidence for claims from the documents, and looks
    for it there.

    A quote from a document has no place in the answer: its `start` and `end` are None.
    """

    version: ClassVar[str] = "1"
    about: ClassVar[str] = (
        "A language model that holds all claims of an answer against documents in one call, "
        "quoting them."
    )

    persona: str = ""
    corrections: tuple[Correction, ...] = ()

    def requests(
        self, subjects: Sequence[Subject], rubric: Rubric, criteria: Sequence[Criterion]
    ) -> list[Request]:
        """One request per answer (more for long lists); claims without a document are not asked
        about (see `cannot`)."""
        made: list[Request] = []
        for subject in subjects:
            asked = [c for c in criteria if self.cannot(subject, rubric, c, "") is None]
            made += [
                self._asking(request, rubric)
                for request in self._judge.requests([subject], rubric, asked)
            ]
        return made

    def cannot(
        self, subject: Subject, rubric: Rubric, criterion: Criterion, part: str
    ) -> Mark | None:
        """Why no call is made for a cell; None where one is."""
        if criterion.elements == "claims" and not subject.question.context:
            return Mark.unscored("no_context", say("no_document"))
        return super().cannot(subject, rubric, criterion, part)

    def read(
        self, request: Request, reply: Reply, subjects: Mapping[SubjectKey, Subject], rubric: Rubric
    ) -> list[Verdict | Problem]:
        """A verdict per cell; quotes for claims are looked for in the documents."""
        recipe = self.recipe_hash(rubric)
        made: list[Verdict | Problem] = []
        for item in self._judge.read(request, reply, subjects, rubric):
            if isinstance(item, Verdict):
                item = replace(item, recipe_hash=recipe, grader_version=self.version)
                if rubric.criterion(item.criterion).elements == "claims":
                    documents = subjects[item.subject].question.context
                    mark = replace(
                        item.mark, evidence=tuple(_in(e, documents) for e in item.mark.evidence)
                    )
                    item = replace(item, mark=cited(mark, rubric.criterion(item.criterion)))
            made.append(item)
        return made

    def recipe_hash(self, rubric: Rubric) -> str:
        """Names the LLM judge's recipe and what is asked beyond it."""
        return digest(self.version, _ASKS, self._judge.recipe_hash(rubric))

    @property
    def _judge(self) -> LLMJudge:
        made: LLMJudge | None = self.__dict__.get("_made")
        if made is None:
            made = self.__dict__["_made"] = LLMJudge(
                **self.options(), secret=self.secret, known_window=self.known_window
            )
        return made

    def _asking(self, request: Request, rubric: Rubric) -> Request:
        names = [c.name for c in map(rubric.criterion, request.criteria) if c.elements == "claims"]
        if not names:
            return request
        (role, text), *others = request.messages
        return replace(
            request, messages=((role, f"{text}\n\n{_ASKS.format(names=', '.join(names))}"), *others)
        )


def _in(evidence: Evidence, documents: Sequence[str]) -> Evidence:
    """The quote as it stands in a document; ``found`` is False where it stands in none."""
    if evidence.absent or not evidence.quote:
        return evidence
    for document in documents:
        if place := find_quote(evidence.quote, document):
            return Evidence(quote=document[place[0] : place[1]], found=True)
    return Evidence(
        quote=evidence.quote,
        found=quotes_words(evidence.quote) and stands_in(evidence.quote, documents),
    )
