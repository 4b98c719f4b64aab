"""A large language model as judge: one call per answer (or per criterion, or per question),
evidence before the value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from graders.core.errors import InputError, UsageError
from graders.core.hashing import canonical, digest
from graders.core.records import Mark, Problem, Reply, Request, Subject, SubjectKey, Verdict
from graders.core.rubric import Criterion, Rubric
from graders.core.words import carried, error_parts
from graders.judges.asking.confidence import surer
from graders.judges.asking.corrections import Correction, apart_from, as_examples, marked
from graders.judges.asking.layout import PER, answer_name, roomier, sheets
from graders.judges.asking.model import ModelJudge
from graders.judges.asking.prompts import (
    fence,
    part_words,
    render,
    scale_words,
    shown_in,
    source,
    value_words,
)
from graders.judges.asking.reading import cited, read_opinions, read_reply, whole
from graders.judges.asking.schema import SCHEMA_VERSION, answers_schema, reply_schema
from graders.judges.asking.window import fitted, may_cut

say = carried(
    "llm",
    {
        "option.expected": "one of {names}",
        "option.found": "{value}",
        "option.remedy": "Choose one of these.",
        "option.where": "judge llm, {name}",
        "pair.expected": "single answers",
        "pair.found": "a pair of answers to {question}",
        "pair.where": "judge llm",
    },
)


#: Where the instructions go.
SLOTS = ("system", "user")
#: Entries of a checklist that one call asks about: longer lists are asked in several.
ENTRIES_AT_ONCE = 20
#: Checklists whose entries rest on words of the answer; claims rest on documents.
CITED = ("facts", "must_have")


@dataclass(frozen=True)
class LLMJudge(ModelJudge):
    """Asks a model for evidence, a short rationale, a value and a confidence on every criterion of
    an answer.

    * ``corrections`` are examples from people's corrections (`corrections`); those made on a
      question are not shown when it is graded
    * ``persona`` completes "You are ..."
    * ``prompt_language`` shows questions and guides of the criteria in that language, where the
      rubric has them in it
    * ``slot`` ``system`` gives the instructions as system message, ``user`` at the head of the one
      message that there is
    * ``per`` ``answer``: a call asks about an answer by all criteria of a rubric; ``criterion``:
      about one of them, so that they do not see each other; ``question``: about all answers to a
      question, in an order that ``order_seed`` shuffles. Each verdict then says at which
      ``position`` of how many ``answers`` its answer stood
    """

    version: ClassVar[str] = "1"
    about: ClassVar[str] = (
        "A language model that grades an answer on all criteria of a rubric in one call, "
        "quoting what it rests on."
    )

    persona: str = ""
    per: str = "answer"
    order_seed: int = 0
    prompt_language: str = ""
    slot: str = "system"
    corrections: tuple[Correction, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, known in (("slot", SLOTS), ("per", PER)):
            if (found := getattr(self, name)) not in known:
                raise InputError(
                    **error_parts(
                        "llm.option", name=name, value=repr(found)[:60], names=", ".join(known)
                    )
                )

    @property
    def asks_together(self) -> bool:
        """Whether a call may ask about several answers to a question."""
        return self.per == "question"

    def requests(
        self, subjects: Sequence[Subject], rubric: Rubric, criteria: Sequence[Criterion]
    ) -> list[Request]:
        """One request per answer (or per answer and criterion, or per question; claims, which each
        answer has of its own, are asked answer by answer).

        A criterion whose `reference` is ``none`` for the question's task type never shares a call
        with one that names a reference for it; all other criteria of an answer go into one call. Of
        a criterion that comes with fewer parts than the rubric gives it, those are asked. Raises
        UsageError for a pair.
        """
        shared: dict[tuple[Any, ...], tuple[str, dict[str, Any]]] = {}
        subjects = [self.seen(subject) for subject in subjects]
        for subject in subjects:
            if subject.other is not None:
                raise UsageError(**error_parts("llm.pair", question=subject.question.id))
        together = (
            sheets(subjects, criteria, self.order_seed)
            if self.asks_together
            else [[subject] for subject in subjects]
        )
        return [
            request
            for sheet in together
            for request in self._about(sheet, rubric, criteria, shared)
        ]

    def _about(
        self,
        sheet: Sequence[Subject],
        rubric: Rubric,
        criteria: Sequence[Criterion],
        shared: dict[tuple[Any, ...], tuple[str, dict[str, Any]]],
    ) -> Iterator[Request]:
        """The calls about one sheet; `shared` keeps instructions and schema of each kind of
        call."""
        question = sheet[0].question
        shown = apart_from(self.corrections, question)
        for group, referenced in self._calls(
            sheet[0], [c for c in criteria if c.parts_of(question)]
        ):
            for some, lists in _checklists(sheet[0], group):
                counts = {key: len(entries) for key, entries in lists.items()}
                kind = (
                    tuple((c.key, c.parts) for c in some),
                    *counts.items(),
                    len(sheet),
                    *map(id, shown),
                )
                if kind not in shared:
                    schema = (
                        answers_schema(some, counts, len(sheet))
                        if self.asks_together
                        else reply_schema(some, counts)
                    )
                    shared[kind] = self._instructions(rubric, some, shown), schema
                opinions = len(sheet) * sum(counts.get(c.key) or len(c.parts) or 1 for c in some)
                metadata = marked(shown, self.corrections)
                fewer = {
                    c.key: c.parts
                    for c in some
                    if c.parts and c.parts != rubric.criterion(c.key).parts
                }
                make = partial(
                    self._request, sheet, some, lists, fewer, shared[kind], opinions, metadata
                )
                references = question.references if referenced else ()
                yield fitted(
                    make(references),
                    references,
                    self.limit if may_cut(some, question.task_type) else 0,
                    make,
                )

    def read(
        self, request: Request, reply: Reply, subjects: Mapping[SubjectKey, Subject], rubric: Rubric
    ) -> list[Verdict | Problem]:
        """A verdict per cell, and a Problem for each that cannot be read. A reply with a cause is
        one Problem."""
        found = read_reply(reply)
        if isinstance(found, Problem):
            return [found]
        made: list[Verdict | Problem] = []
        recipe = self.recipe_hash(rubric)
        for position, key in enumerate(request.subjects, 1):
            entries, outer, facts = found, [], {}
            if self.asks_together:
                outer, facts = (
                    [answer_name(position)],
                    {"position": position, "answers": len(request.subjects)},
                )
                there = found.get(outer[0])
                entries = there if isinstance(there, dict) else {}
            for criterion in map(rubric.criterion, request.criteria):
                for part, mark in read_opinions(
                    entries, criterion, request.parts_of(criterion), subjects[key].answer.text
                ):
                    if isinstance(mark, Problem):
                        made.append(mark)
                        continue
                    if reply.logprobs and self.confidence == "logprobs":
                        mark = self._surer(mark, reply, criterion, part, request, outer)
                    if criterion.elements in CITED:
                        mark = cited(mark, criterion)
                    made.append(
                        self.verdict(
                            key, criterion, part, mark, recipe, {**request.metadata, **facts}
                        )
                    )
        return made

    def _surer(
        self,
        mark: Mark,
        reply: Reply,
        criterion: Criterion,
        part: str,
        request: Request,
        outer: Sequence[str],
    ) -> Mark:
        """The mark with the probability of its value's tokens as confidence, where that can be
        told. `outer` are the keys around it."""
        parts = request.parts_of(criterion)
        names = [
            *outer,
            criterion.name,
            *([str(parts.index(part) + 1) if criterion.elements else part] if part else []),
        ]
        return surer(mark, reply, names)

    def recipe_hash(self, rubric: Rubric) -> str:
        """Names templates, examples, model, settings and schema version."""
        # A rubric is read once and graded thousands of times: the hash is kept beside it.
        last: tuple[Any, str] | None = self.__dict__.get("_recipe")
        if last is None or last[0] is not rubric.examples:
            templates = tuple(map(source, self._templates))
            # Recipes from before `per` name a switch instead: what was bought by them still holds.
            options = {**self.options(), "per_criterion": self.per == "criterion"}
            if self.per != "question":
                del options["per"]
            examples = canonical([dict(example) for example in rubric.examples])
            last = self.__dict__["_recipe"] = (
                rubric.examples,
                digest(self.version, SCHEMA_VERSION, templates, examples, options),
            )
        return last[1]

    @property
    def _templates(self) -> tuple[str, str]:
        """Names of the templates for the instructions, and for what is graded."""
        return (
            ("system_question.j2", "answers.j2")
            if self.asks_together
            else ("system.j2", "answer.j2")
        )

    def _calls(
        self, subject: Subject, criteria: Sequence[Criterion]
    ) -> list[tuple[list[Criterion], bool]]:
        """Criteria that go into one call, and whether references are shown in it."""
        task = subject.question.task_type
        if self.per == "criterion":
            return [
                ([criterion], criterion.reference_for(task) in ("given", "elected"))
                for criterion in criteria
            ]
        stated = {
            c.key: c.reference_for(task)
            for c in criteria
            if task in c.reference or "default" in c.reference
        }
        shown = [c for c in criteria if stated.get(c.key) in ("given", "elected")]
        hidden = [c for c in criteria if stated.get(c.key) in ("none", "context")]
        if not (shown and hidden and subject.question.references):
            return [(list(criteria), not hidden)] if criteria else []
        return [([c for c in criteria if c not in hidden], True), (hidden, False)]

    def _instructions(
        self, rubric: Rubric, criteria: Sequence[Criterion], corrections: Sequence[Correction]
    ) -> str:
        names = {name: c.name for c in criteria for name in (c.name, c.key)}
        examples = [
            {
                **example,
                "verdicts": [
                    (names[n], value_words(v)) for n, v in example["verdicts"].items() if n in names
                ],
            }
            for example in [*rubric.examples, *as_examples(corrections, self.secret)]
        ]
        words = rubric.translations.get(self.prompt_language, {})
        return whole(
            render(
                self._templates[0],
                persona=self.persona,
                criteria=[
                    {
                        "name": c.name,
                        "scale": scale_words(c.scale),
                        **shown_in(c, words.get(c.name, {})),
                        "parts": part_words(c),
                    }
                    for c in criteria
                ],
                examples=[{"why": "", **example} for example in examples if example["verdicts"]],
            )
        )

    def _request(
        self,
        sheet: Sequence[Subject],
        criteria: Sequence[Criterion],
        lists: Mapping[str, tuple[str, ...]],
        fewer: Mapping[str, tuple[str, ...]],
        told: tuple[str, dict[str, Any]],
        opinions: int,
        metadata: Mapping[str, Any],
        references: Sequence[str],
    ) -> Request:
        question, texts = sheet[0].question, [whole(subject.answer.text) for subject in sheet]
        context, (system, schema) = [whole(document) for document in question.context], told
        answers = [{"text": text, "code": fence(self.secret, text)} for text in texts]
        own: dict[str, Any] = (
            {"answers": answers}
            if self.asks_together
            else {"answer": texts[0], "code": answers[0]["code"]}
        )
        text = render(
            self._templates[1],
            question=whole(question.text),
            context=[
                {"text": document, "code": fence(self.secret, document)} for document in context
            ],
            references=[whole(reference) for reference in references],
            lists=[
                {"name": key.rpartition("/")[2], "entries": [whole(entry) for entry in entries]}
                for key, entries in lists.items()
            ],
            **own,
        )
        request = Request(
            subjects=tuple(subject.key for subject in sheet),
            provider=self.provider,
            model=self.model,
            messages=(("system", system), ("user", text))
            if self.slot == "system"
            else (("user", f"{system}\n\n{text}"),),
            schema=schema,
            settings=self.settings(),
            criteria=tuple(c.key for c in criteria),
            elements=(*lists.items(), *fewer.items()),
            metadata=metadata,
        )
        return roomier(request, opinions) if self.asks_together else request


def _checklists(
    subject: Subject, group: Sequence[Criterion]
) -> Iterator[tuple[list[Criterion], dict[str, tuple[str, ...]]]]:
    """The criteria of one call with the entries of their checklists; what does not fit into it goes
    into further calls."""
    lists = {c.key: c.parts_of(subject.question) for c in group if c.elements}
    first = {key: entries[:ENTRIES_AT_ONCE] for key, entries in lists.items()}
    yield list(group), first
    for criterion in group:
        entries = lists.get(criterion.key, ())
        for start in range(ENTRIES_AT_ONCE, len(entries), ENTRIES_AT_ONCE):
            yield [criterion], {criterion.key: entries[start : start + ENTRIES_AT_ONCE]}
