"""Too long for what was asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from graders.core.contracts import Finding, Rule
from graders.core.errors import InputError
from graders.core.examples import FaultExample
from graders.core.records import Mark, Subject
from graders.core.rubric import Criterion
from graders.core.scale import YES_NO, Scale
from graders.core.text import characters
from graders.core.words import carried, error_parts
from graders.rules.counts.asked_detail import detail_of
from graders.rules.writing.marks import best, refusal, worst

say = carried(
    "length",
    {
        "count.detailed": "{count:,} characters, limit {limit:,} for a detailed answer.",
        "count.short": "{count:,} characters, limit {limit:,} for a short answer.",
        "limit.expected": "a whole number above 0",
        "limit.found": "{limit}",
        "limit.remedy": "Correct the option in the rubric.",
        "limit.where": "rule length, option {name}",
    },
)

#: For the examples below, which must be long.
_PARAGRAPH = (
    "Sleep does more than rest the body: the brain goes through the day once more and keeps what "
    "it will need. "
)


@dataclass(frozen=True)
class Length(Rule):
    """Decides whether the answer keeps to a limit of characters: `detailed` for questions that ask
    for detail, else `short`.

    What a question asks for is stated beside it, else told by its words; else it is short. The
    fault has one name for both limits; which one was passed stands in the rationale. Counted are
    characters as people see them; a flag or an emoji family counts one, white space counts.
    """

    version: ClassVar[str] = "2"
    about: ClassVar[str] = (
        "The answer keeps to the limit of characters for the detail that was asked."
    )
    default_scale: ClassVar[Scale] = YES_NO
    fault: ClassVar[str] = "too_long"
    fault_title: ClassVar[str] = "Too long"
    fault_about: ClassVar[str] = (
        "The answer has more characters than the limit: one limit where the question asks for "
        "detail, a lower one where it does not."
    )
    severity: ClassVar[str] = "minor"
    speaks_to: ClassVar[str] = "brevity"
    why: ClassVar[str] = "A reader who asked for a short answer must search for it in a long one."
    misses: ClassVar[str] = (
        "A short text may still be wordy; code and tables count like prose; "
        "a wish for much that is put politely (tell me everything "
        "about) does not count as one for detail."
    )
    present: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "Why do we sleep?",
            _PARAGRAPH * 11,
            "1,100 characters are the limit where no detail is asked for.",
        ),
        FaultExample(
            "Explain in detail why we sleep.", _PARAGRAPH * 25, "2,500 are the limit where it is."
        ),
    )
    absent: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample("Why do we sleep?", _PARAGRAPH * 9, "Within 1,100 characters."),
        FaultExample("Explain in detail why we sleep.", _PARAGRAPH * 11, "Detail was asked for."),
    )
    missed: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "Tell me everything about sleep.",
            _PARAGRAPH * 11,
            "Taken for the fault: much was asked for, politely.",
        ),
        FaultExample(
            "Why do we sleep?", _PARAGRAPH * 3, "Overlooked: the same is said three times."
        ),
    )
    finding: ClassVar[Finding] = Finding.MEASURED
    unseen: ClassVar[bool] = True

    short: int = 1100
    detailed: int = 2500

    def __post_init__(self) -> None:
        for name, limit in (("short", self.short), ("detailed", self.detailed)):
            if limit < 1:
                raise InputError(**error_parts("length.limit", name=name, limit=str(limit)))

    def grade(self, subject: Subject, criterion: Criterion) -> Mark:
        if refused := refusal(subject):
            return refused
        detail, _ = detail_of(subject.question)
        limit = self.detailed if detail == "detailed" else self.short
        text = subject.answer.text
        count = characters(text)
        rationale = say(f"count.{detail}", count=count, limit=limit)
        return best(criterion, rationale) if count <= limit else worst(criterion, rationale)
