"""Shared by all judges that ask a language model: which model, how, and under what name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any

from graders.core.contracts import Judge
from graders.core.errors import InputError
from graders.core.provider_names import word_of
from graders.core.records import Mark, Subject, SubjectKey, Verdict
from graders.core.rubric import Criterion, Rubric
from graders.core.words import error_parts
from graders.judges.asking.confidence import KINDS

_NOTHING: Mapping[str, Any] = MappingProxyType({})
#: The most samples of one call.
MOST_SAMPLES = 25
#: Options that no recipe names where they have their default.
LATER = frozenset(
    {
        "top_p",
        "reasoning_effort",
        "prompt_language",
        "slot",
        "samples",
        "confidence",
        "order_seed",
        "corrections",
        "reference",
        "window",
    }
)
#: Fields that are no options.
HIDDEN = frozenset({"secret", "known_window"})


@dataclass(frozen=True)
class ModelJudge(Judge, abstract=True):
    """A judge that asks a model over a provider.

    * ``temperature`` None leaves the setting out, for models that refuse it; so do ``top_p`` None
      and no ``reasoning_effort``
    * ``samples`` asks each call so many times, which a temperature above 0 is needed for: the
      verdict is their median or majority
    * ``confidence`` ``logprobs`` takes it from the probabilities of the value's tokens where the
      provider gives them; ``stated`` is what the model says
    * without ``reference`` it is shown no reference, given or elected, and its verdicts do not rest
      on one
    * ``window`` states how many tokens a call to the model may have, the reply included; else what
      is known of it, `known_window`, counts
    * ``secret`` makes the fence around texts impossible to guess; it is no option and never shown
    * ``label`` names the author of the verdicts; else it is ``provider:model``
    """

    model: str
    provider: str = "openai_chat"
    temperature: float | None = 0.0
    max_output_tokens: int = 2000
    label: str = ""
    top_p: float | None = None
    reasoning_effort: str = ""
    samples: int = 1
    confidence: str = "stated"
    reference: bool = True
    window: int = 0
    secret: str = field(default="", repr=False)
    known_window: int = field(default=0, repr=False)

    def __post_init__(self) -> None:
        judge = self.label or self.model
        if not 1 <= self.samples <= MOST_SAMPLES:
            raise InputError(
                **error_parts(
                    "judges.error.samples", judge=judge, found=self.samples, most=MOST_SAMPLES
                )
            )
        if self.samples > 1 and self.temperature == 0:
            raise InputError(
                **error_parts("judges.error.temperature", judge=judge, found=self.samples)
            )
        if self.confidence not in KINDS:
            raise InputError(
                **error_parts(
                    "judges.error.confidence",
                    judge=judge,
                    found=repr(self.confidence),
                    kinds=", ".join(KINDS),
                )
            )

    @property
    def author(self) -> str:
        """The name under which verdicts are stored, such as ``openai:gpt-4o``."""
        return self.label or f"{word_of(self.provider)}:{self.model}"

    def options(self) -> dict[str, Any]:
        """All options; those that came later only where they are set, so that recipes from before
        them still hold."""
        later = {item.name: item.default for item in fields(self) if item.name in LATER}
        return {
            name: value
            for name, value in super().options().items()
            if name not in HIDDEN and not (name in later and value == later[name])
        }

    @property
    def limit(self) -> int:
        """Tokens that a call may have, the reply included; 0 where that is unknown."""
        return self.window or self.known_window

    def seen(self, subject: Subject) -> Subject:
        """A subject as this judge is shown it."""
        if self.reference or not subject.question.references:
            return subject
        return replace(subject, question=replace(subject.question, references=()))

    def cannot(
        self, subject: Subject, rubric: Rubric, criterion: Criterion, part: str
    ) -> Mark | None:
        """Why no call is made for a cell; one that is set up to see no reference grades without."""
        return (
            super().cannot(subject, rubric, criterion, part)
            if self.reference or subject.other is not None
            else None
        )

    def inputs_hash(self, subject: Subject, criterion: Criterion) -> str:
        """Names what of the question a verdict on `criterion` rests on."""
        return super().inputs_hash(self.seen(subject), criterion)

    def verdict(
        self,
        key: SubjectKey,
        criterion: Criterion,
        part: str,
        mark: Mark,
        recipe: str,
        metadata: Mapping[str, Any] = _NOTHING,
    ) -> Verdict:
        """This judge's verdict on one cell, made by the recipe of that hash."""
        return Verdict(
            subject=key,
            criterion=criterion.key,
            part=part,
            author=self.author,
            author_kind="judge",
            mark=mark,
            criterion_hash=criterion.criterion_hash,
            recipe_hash=recipe,
            grader_version=self.version,
            metadata=metadata,
        )

    def settings(self) -> dict[str, Any]:
        """What a request tells the provider."""
        settings: dict[str, Any] = {"max_output_tokens": self.max_output_tokens}
        if self.temperature is not None:
            settings["temperature"] = self.temperature
        if self.top_p is not None:
            settings["top_p"] = self.top_p
        if self.reasoning_effort:
            settings["reasoning_effort"] = self.reasoning_effort
        if self.confidence == "logprobs":
            settings["logprobs"] = True
        return settings
