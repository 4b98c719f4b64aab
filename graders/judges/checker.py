"""Small checking models that say yes or no, such as Bespoke-MiniCheck over Ollama."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from graders.core.records import Mark, Problem, Subject
from graders.core.rubric import Criterion, Rubric
from graders.core.words import carried
from graders.judges.asking.plain import read_yes_no, yes_no_label
from graders.judges.asking.single import SingleJudge

say = carried(
    "checker",
    {
        "claims_only": "{model} holds claims against documents and answers no other question.",
        "no_document": "A claim is held against a document, and there is none.",
        "no_scale": "A yes/no check cannot give {scale}.",
        "not_yes_no": "{criterion} is no yes/no criterion",
    },
)


#: Models that were trained to hold one claim against one document, and can do nothing else.
_CLAIMS_ONLY = ("minicheck",)


@dataclass(frozen=True)
class Checker(SingleJudge):
    """Asks yes or no about one cell per call, and reads the first word of the reply.

    A model of the MiniCheck family gets document and claim in the bare form that it was trained on,
    without a fence, and is asked about claims only. Other models get our fenced prompts. The limit
    of two tokens leaves room for the word alone.
    """

    version: ClassVar[str] = "1"
    about: ClassVar[str] = (
        "A small checking model that says yes or no to one claim or question per call."
    )
    templates: ClassVar[tuple[str, ...]] = ("check_bare.j2", "check_claim.j2", "check.j2")

    provider: str = "ollama"
    max_output_tokens: int = 2

    def cannot(
        self, subject: Subject, rubric: Rubric, criterion: Criterion, part: str
    ) -> Mark | None:
        """Why no call is made: no yes/no scale, no document, or a question that a model for claims
        cannot answer."""
        if yes_no_label(criterion.scale, True) is None:
            return Mark.unscored(
                "not_applicable", say("no_scale", scale=criterion.scale.describe())
            )
        if not (criterion.template or self.template):
            if self._claims_only and criterion.elements != "claims":
                return Mark.unscored(
                    "not_applicable",
                    say("claims_only", model=self.model),
                )
            if criterion.elements == "claims" and not subject.question.context:
                return Mark.unscored("no_context", say("no_document"))
        return super().cannot(subject, rubric, criterion, part)

    def mark(self, text: str, criterion: Criterion, rubric: Rubric) -> Mark | Problem:
        """Yes or no as the first word says it."""
        found = read_yes_no(text)
        if isinstance(found, Problem):
            return found
        label = yes_no_label(criterion.scale, found)
        return (
            Mark(value=label)
            if label is not None
            else Problem(cause="off_scale", detail=say("not_yes_no", criterion=criterion.name))
        )

    def ours(self, criterion: Criterion) -> str:
        """The bare form for models that know no other, a fenced one else."""
        return (
            "check_bare.j2"
            if self._claims_only
            else "check_claim.j2"
            if criterion.elements == "claims"
            else "check.j2"
        )

    @property
    def _claims_only(self) -> bool:
        return checks_claims_only(self.model)


def checks_claims_only(model: str) -> bool:
    """Whether a model, by its name, can do nothing but check claims."""
    return any(word in model.lower() for word in _CLAIMS_ONLY)
