"""The judge of named faults: all that only reading finds, in one call per answer, each with the
words that show it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from graders.core.errors import UsageError
from graders.core.faults import Fault, ToldFault
from graders.core.hashing import digest
from graders.core.records import Mark, Problem, Reply, Request, Subject, SubjectKey, Verdict
from graders.core.rubric import Criterion, Rubric
from graders.core.words import carried, error_parts
from graders.judges.asking.model import ModelJudge
from graders.judges.asking.prompts import fence, render, source
from graders.judges.asking.reading import read_opinions, read_reply, whole
from graders.judges.asking.schema import SCHEMA_VERSION, reply_schema

say = carried(
    "faults",
    {
        "pair.expected": "single answers",
        "pair.found": "a pair of answers to {question}",
        "pair.where": "judge faults",
    },
)


@dataclass(frozen=True)
class FaultJudge(ModelJudge):
    """Asks a model which of the named faults an answer has; the criterion's parts are their names.

    * ``persona`` completes "You are ..."
    * ``faults`` and ``ruled`` are those that the prompt explains, the latter such as rules look for
      too; whoever makes the judge hands them in. A verdict's recipe names its own list alone.
    """

    version: ClassVar[str] = "1"
    about: ClassVar[str] = (
        "A language model that looks for all named faults of an answer in one call, quoting them."
    )

    persona: str = ""
    faults: tuple[Fault, ...] = ()
    ruled: tuple[ToldFault, ...] = ()

    def requests(
        self, subjects: Sequence[Subject], rubric: Rubric, criteria: Sequence[Criterion]
    ) -> list[Request]:
        """One request per answer and criterion. Raises UsageError for a pair."""
        made = []
        for criterion in criteria:
            system, schema = self._instructions(criterion), reply_schema([criterion])
            for subject in map(self.seen, subjects):
                if subject.other is not None:
                    raise UsageError(**error_parts("faults.pair", question=subject.question.id))
                made.append(self._request(subject, criterion, system, schema))
        return made

    def read(
        self, request: Request, reply: Reply, subjects: Mapping[SubjectKey, Subject], rubric: Rubric
    ) -> list[Verdict | Problem]:
        """A verdict per fault, and a Problem for each that cannot be read; a fault that is not
        there has no evidence."""
        found = read_reply(reply)
        if isinstance(found, Problem):
            return [found]
        (key,), (name,) = request.subjects, request.criteria
        criterion = rubric.criterion(name)
        return [
            mark
            if isinstance(mark, Problem)
            else self.verdict(
                key,
                criterion,
                part,
                _shown(mark, criterion),
                self.recipe_of_part(rubric, criterion, part),
            )
            for part, mark in read_opinions(
                found, criterion, request.parts_of(criterion), subjects[key].answer.text
            )
        ]

    def inputs_hash(self, subject: Subject, criterion: Criterion) -> str:
        """Names what of the question a verdict rests on."""
        question = self.seen(subject).question
        return digest(
            question.text,
            _references(self.seen(subject)),
            list(question.context),
            list(question.must_have),
        )

    def recipe_hash(self, rubric: Rubric) -> str:
        """Names templates, what is said of each fault that only reading finds, model, settings and
        schema version."""
        return self._recipe("faults")

    def recipe_of_part(self, rubric: Rubric, criterion: Criterion, part: str) -> str:
        """The same of the list in which the fault stands."""
        return self._recipe("ruled" if any(one.name == part for one in self.ruled) else "faults")

    def _recipe(self, which: str) -> str:
        kept: dict[str, str] = self.__dict__.setdefault("_recipes", {})
        if which not in kept:
            faults = getattr(self, which)
            kept[which] = digest(
                self.version,
                SCHEMA_VERSION,
                source("faults.j2"),
                source("answer.j2"),
                [_told(fault) for fault in faults],
                {**self.options(), "faults": [fault.name for fault in faults]},
            )
        return kept[which]

    def options(self) -> dict[str, Any]:
        """All options but the secret; faults by name."""
        given = {**super().options(), "faults": [fault.name for fault in self.faults]}
        del given["ruled"]
        return given

    def _instructions(self, criterion: Criterion) -> str:
        absent, present = criterion.scale.labels
        known: tuple[Fault | ToldFault, ...] = (*self.faults, *self.ruled)
        asked = [_told(fault) for fault in known if fault.name in criterion.parts]
        return whole(
            render("faults.j2", persona=self.persona, faults=asked, absent=absent, present=present)
        )

    def _request(
        self, subject: Subject, criterion: Criterion, system: str, schema: dict[str, Any]
    ) -> Request:
        question, answer = subject.question, whole(subject.answer.text)
        elements = [whole(element) for element in question.must_have]
        text = render(
            "answer.j2",
            question=whole(question.text),
            context=[
                {"text": document, "code": fence(self.secret, document)}
                for document in map(whole, question.context)
            ],
            references=[whole(reference) for reference in _references(subject)],
            lists=[{"name": "of required elements", "entries": elements}] if elements else [],
            answer=answer,
            code=fence(self.secret, answer),
        )
        return Request(
            subjects=(subject.key,),
            provider=self.provider,
            model=self.model,
            messages=(("system", system), ("user", text)),
            schema=schema,
            settings=self.settings(),
            criteria=(criterion.key,),
            elements=((criterion.key, criterion.parts),),
        )


def _references(subject: Subject) -> list[str]:
    """What an answer may be held against: nothing on creative tasks."""
    return [] if subject.question.task_type == "creative" else list(subject.question.references)


def _shown(mark: Mark, criterion: Criterion) -> Mark:
    """The mark without evidence where it finds nothing; a quote that was left out of a finding
    stands for a thing that is missing."""
    if mark.value == criterion.scale.values[0]:
        return replace(mark, evidence=())
    return replace(
        mark,
        evidence=tuple(
            e if e.quote else replace(e, absent=True, found=None) for e in mark.evidence
        ),
    )


def _told(fault: Fault | ToldFault) -> dict[str, Any]:
    """What the prompt says of a fault."""
    told: dict[str, Any] = {
        name: getattr(fault, name)
        for name in ("name", "version", "title", "about", "why", "misses")
    }
    examples = {
        name: [example.to_json() for example in getattr(fault, name)]
        for name in ("present", "absent")
    }
    return {**told, **examples}
