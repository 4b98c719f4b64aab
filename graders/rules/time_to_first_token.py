"""Too slow to begin."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from graders.core.contracts import Finding, Rule
from graders.core.errors import InputError
from graders.core.examples import FaultExample
from graders.core.records import Mark, Subject
from graders.core.rubric import Criterion
from graders.core.scale import YES_NO, Scale
from graders.core.words import carried, error_parts
from graders.rules.writing.marks import best, worst

say = carried(
    "time_to_first_token",
    {
        "limit.expected": "seconds above 0",
        "limit.found": "{limit}",
        "limit.remedy": "Correct the option in the rubric.",
        "limit.where": "rule time_to_first_token, option limit_seconds",
        "pair": "The rule looks at one answer, not at a pair of them.",
        "time": "First token after {time} s, limit {limit:g} s.",
        "unmeasured": "The time to the first token was not measured.",
    },
)


@dataclass(frozen=True)
class TimeToFirstToken(Rule):
    """Decides whether the first token came within `limit_seconds`.

    The limit itself is in time. A time that was not measured gives no value. It is the same in
    every language.
    """

    version: ClassVar[str] = "1"
    about: ClassVar[str] = "The first token came within the limit of seconds."
    default_scale: ClassVar[Scale] = YES_NO
    fault: ClassVar[str] = "slow_first_token"
    fault_title: ClassVar[str] = "Slow to begin"
    fault_about: ClassVar[str] = (
        "The first token of the answer came later than the limit of seconds allows."
    )
    severity: ClassVar[str] = "minor"
    speaks_to: ClassVar[str] = "speed"
    why: ClassVar[str] = (
        "A reader who sees nothing for seconds thinks that nothing happens, and leaves."
    )
    misses: ClassVar[str] = (
        "An answer that begins at once and then crawls; a time that was measured on a busy machine."
    )
    present: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "What is the capital of Peru?", "Lima.", "5.2 s, where the limit is 5 s.", seconds=5.2
        ),
    )
    absent: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample("What is the capital of Peru?", "Lima.", "Exactly 5 s.", seconds=5.0),
        FaultExample("秘鲁的首都是哪里？", "利马。", "不到半秒。", seconds=0.4),
    )
    missed: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "Why do we sleep?",
            (
                "Sleep does more than rest the body: the brain goes through the day once more "
                "and keeps what it will need."
            ),
            "Overlooked: the first word came at once, the last one after a minute.",
            seconds=0.4,
        ),
    )
    finding: ClassVar[Finding] = Finding.MEASURED
    unseen: ClassVar[bool] = True

    limit_seconds: float = 5.0

    def __post_init__(self) -> None:
        if not (math.isfinite(self.limit_seconds) and self.limit_seconds > 0):
            raise InputError(
                **error_parts("time_to_first_token.limit", limit=str(self.limit_seconds))
            )

    def grade(self, subject: Subject, criterion: Criterion) -> Mark:
        if subject.other is not None:
            return Mark.unscored("pair", say("pair"))
        seconds = subject.answer.time_to_first_token
        if seconds is None or not math.isfinite(seconds) or seconds < 0:
            return Mark.unscored("not_measured", say("unmeasured"))
        # Rounding must not hide on which side of the limit a time lies.
        digits = 2 if f"{seconds:.1f}" == f"{self.limit_seconds:.1f}" else 1
        shown = f"{seconds:.{digits}f}" if seconds != self.limit_seconds else f"{seconds:g}"
        rationale = say("time", time=shown, limit=self.limit_seconds)
        return (
            best(criterion, rationale)
            if seconds <= self.limit_seconds
            else worst(criterion, rationale)
        )
