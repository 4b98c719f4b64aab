"""A large language model as judge: one call per answer for all criteria, evidence before the value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from graders.core.errors import InputError, UsageError
from graders.core.hashing import canonical, digest
from graders.core.records import Mark, Problem, Reply, Request, Subject, SubjectKey, Verdict
from graders.core.rubric import Criterion, Rubric
from graders.judges._confidence import value_probability
from graders.judges._model import ModelJudge
from graders.judges._prompts import fence, part_words, render, scale_words, source, value_words
from graders.judges._reading import read_object, read_opinions, whole
from graders.judges._schema import SCHEMA_VERSION, reply_schema

#: Where the instructions go.
SLOTS = ("system", "user")
#: Entries of a checklist that one call asks about: longer lists are asked in several.
ENTRIES_AT_ONCE = 20


@dataclass(frozen=True)
class LLMJudge(ModelJudge):
    """Asks a model for evidence, a short rationale, a value and a confidence on every criterion of an answer.

    * ``persona`` completes "You are ..."
    * ``prompt_language`` shows questions and guides of the criteria in that language, where the rubric has them in it
    * ``slot`` ``system`` gives the instructions as system message, ``user`` at the head of the one message that there is
    * ``per_criterion`` asks every criterion in a call of its own, so that they do not see each other
    """

    version: ClassVar[str] = "1"
    about: ClassVar[str] = "A language model that grades an answer on all criteria in one call, quoting what it rests on."

    persona: str = ""
    per_criterion: bool = False
    prompt_language: str = ""
    slot: str = "system"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.slot not in SLOTS:
            raise InputError("judge llm, slot", found=repr(self.slot), expected="one of " + ", ".join(SLOTS), remedy="Choose one of these.")

    def requests(self, subjects: Sequence[Subject], rubric: Rubric, criteria: Sequence[Criterion]) -> list[Request]:
        """One request per answer (or per answer and criterion).

        A criterion whose `reference` is ``none`` for the question's task type never shares a call with one that
        names a reference for it; all other criteria of an answer go into one call. Raises UsageError for a pair.
        """
        made: list[Request] = []
        shared: dict[tuple[Any, ...], tuple[str, dict[str, Any]]] = {}
        for subject in subjects:
            if subject.other is not None:
                raise UsageError("judge llm", found=f"a pair of answers to {subject.question.id}", expected="single answers")
            asked = [c for c in criteria if c.parts_of(subject.question)]
            for group, referenced in self._calls(subject, asked):
                for some, lists in _checklists(subject, group):
                    names = tuple(c.key for c in some)
                    counts = {key: len(entries) for key, entries in lists.items()}
                    kind = (names, *counts.items())
                    if kind not in shared:
                        shared[kind] = self._instructions(rubric, some), reply_schema(some, counts)
                    made.append(self._request(subject, names, referenced, lists, *shared[kind]))
        return made

    def read(self, request: Request, reply: Reply, subjects: Mapping[SubjectKey, Subject], rubric: Rubric) -> list[Verdict | Problem]:
        """A verdict per cell, and a Problem for each that cannot be read. A reply with a cause is one Problem."""
        if reply.cause:
            return [Problem(cause=reply.cause, detail=reply.detail)]
        found = read_object(reply.text)
        if isinstance(found, Problem):
            return [found]
        (key,) = request.subjects
        text = subjects[key].answer.text
        made: list[Verdict | Problem] = []
        recipe = self.recipe_hash(rubric)
        for name in request.criteria:
            criterion = rubric.criterion(name)
            for part, mark in read_opinions(found, criterion, request.parts_of(criterion), text):
                if isinstance(mark, Mark) and reply.logprobs and self.confidence == "logprobs":
                    mark = self._surer(mark, reply, criterion, part, request)
                made.append(mark if isinstance(mark, Problem) else self.verdict(key, criterion, part, mark, recipe))
        return made

    def _surer(self, mark: Mark, reply: Reply, criterion: Criterion, part: str, request: Request) -> Mark:
        """The mark with the probability of its value's tokens as confidence, where that can be told."""
        parts = request.parts_of(criterion)
        names = [criterion.name, *([str(parts.index(part) + 1) if criterion.elements else part] if part else [])]
        found = value_probability(reply.text, names, reply.logprobs)
        return mark if found is None else replace(mark, confidence=found, confidence_kind="logprobs")

    def recipe_hash(self, rubric: Rubric) -> str:
        """Names templates, examples, model, settings and schema version."""
        # A rubric is read once and graded thousands of times: the hash is kept beside it.
        kept: dict[str, str] = self.__dict__.setdefault("_recipes", {})
        examples = canonical([dict(example) for example in rubric.examples])
        if examples not in kept:
            templates = source("system.j2"), source("answer.j2")
            kept[examples] = digest(self.version, SCHEMA_VERSION, templates, examples, self.options())
        return kept[examples]

    def _calls(self, subject: Subject, criteria: Sequence[Criterion]) -> list[tuple[list[Criterion], bool]]:
        """Criteria that go into one call, and whether references are shown in it."""
        task = subject.question.task_type
        if self.per_criterion:
            return [([criterion], criterion.reference_for(task) in ("given", "elected")) for criterion in criteria]
        stated = {c.key: c.reference_for(task) for c in criteria if task in c.reference or "default" in c.reference}
        shown = [c for c in criteria if stated.get(c.key) in ("given", "elected")]
        hidden = [c for c in criteria if stated.get(c.key) in ("none", "context")]
        if not (shown and hidden and subject.question.references):
            return [(list(criteria), not hidden)] if criteria else []
        return [([c for c in criteria if c not in hidden], True), (hidden, False)]

    def _instructions(self, rubric: Rubric, criteria: Sequence[Criterion]) -> str:
        names = {name: c.name for c in criteria for name in (c.name, c.key)}
        examples = [
            {**example, "verdicts": [(names[n], value_words(v)) for n, v in example["verdicts"].items() if n in names]}
            for example in rubric.examples
        ]
        words = rubric.translations.get(self.prompt_language, {})
        return whole(
            render(
                "system.j2",
                persona=self.persona,
                criteria=[
                    {"name": c.name, "scale": scale_words(c.scale), **shown_in(c, words.get(c.name, {})), "parts": part_words(c)}
                    for c in criteria
                ],
                examples=[{"why": "", **example} for example in examples if example["verdicts"]],
            )
        )

    def _request(
        self,
        subject: Subject,
        criteria: tuple[str, ...],
        referenced: bool,
        lists: Mapping[str, tuple[str, ...]],
        system: str,
        schema: dict[str, Any],
    ) -> Request:
        question, answer = subject.question, whole(subject.answer.text)
        context = [whole(document) for document in question.context]
        text = render(
            "answer.j2",
            question=whole(question.text),
            context=[{"text": document, "code": fence(self.secret, document)} for document in context],
            references=[whole(reference) for reference in question.references] if referenced else [],
            lists=[{"name": key.rpartition("/")[2], "entries": [whole(entry) for entry in entries]} for key, entries in lists.items()],
            answer=answer,
            code=fence(self.secret, answer),
        )
        return Request(
            subjects=(subject.key,),
            provider=self.provider,
            model=self.model,
            messages=(("system", system), ("user", text)) if self.slot == "system" else (("user", f"{system}\n\n{text}"),),
            schema=schema,
            settings=self.settings(),
            criteria=criteria,
            elements=tuple(lists.items()),
        )


def shown_in(criterion: Criterion, words: Mapping[str, Any]) -> dict[str, str]:
    """Question and guide of a criterion in a rubric's translation, its own where that lacks them."""
    return {name: str(words.get(name) or getattr(criterion, name)) for name in ("question", "guide")}


def _checklists(subject: Subject, group: Sequence[Criterion]) -> Iterator[tuple[list[Criterion], dict[str, tuple[str, ...]]]]:
    """The criteria of one call with the entries of their checklists; what does not fit into it goes into further calls."""
    lists = {c.key: c.parts_of(subject.question) for c in group if c.elements}
    first = {key: entries[:ENTRIES_AT_ONCE] for key, entries in lists.items()}
    yield list(group), first
    for criterion in group:
        entries = lists.get(criterion.key, ())
        for start in range(ENTRIES_AT_ONCE, len(entries), ENTRIES_AT_ONCE):
            yield [criterion], {criterion.key: entries[start : start + ENTRIES_AT_ONCE]}
