"""Too slow to begin."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from graders.core.contracts import Rule
from graders.core.errors import InputError
from graders.core.examples import FaultExample
from graders.core.records import Mark, Subject
from graders.core.rubric import Criterion
from graders.core.scale import YES_NO, Scale
from graders.rules.writing.marks import best, worst


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
    measures: ClassVar[bool] = True

    limit_seconds: float = 5.0

    def __post_init__(self) -> None:
        if not (math.isfinite(self.limit_seconds) and self.limit_seconds > 0):
            raise InputError(
                "rule time_to_first_token, option limit_seconds",
                found=str(self.limit_seconds),
                expected="seconds above 0",
                remedy="Correct the option in the rubric.",
            )

    def grade(self, subject: Subject, criterion: Criterion) -> Mark:
        if subject.other is not None:
            return Mark.unscored("pair", "The rule looks at one answer, not at a pair of them.")
        seconds = subject.answer.time_to_first_token
        if seconds is None or not math.isfinite(seconds) or seconds < 0:
            return Mark.unscored("not_measured", "The time to the first token was not measured.")
        # Rounding must not hide on which side of the limit a time lies.
        digits = 2 if f"{seconds:.1f}" == f"{self.limit_seconds:.1f}" else 1
        shown = f"{seconds:.{digits}f}" if seconds != self.limit_seconds else f"{seconds:g}"
        rationale = f"First token after {shown} s, limit {self.limit_seconds:g} s."
        return (
            best(criterion, rationale)
            if seconds <= self.limit_seconds
            else worst(criterion, rationale)
        )
