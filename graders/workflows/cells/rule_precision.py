"""How often rules are right where they detect a fault, by language: counted in the first runs on
sets of cases whose writers had not seen the rules, and kept in ``graders/rules/precision.json``,
which `tests.benchmarks.bench_faults_unseen` writes.

Rules were mended after each of these runs, and half of the clean cases were written to look like a
fault, so the share is rather too low than too high.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from graders.core.contracts import Rule
from graders.core.records import Mark, Subject
from graders.core.text import language_of
from graders.core.words import say
from graders.workflows.cells.measured import measures

#: The kind of a confidence that is a rule's precision.
PRECISION = "precision"
#: What detects is never sure, in three digits neither.
_SUREST = 0.999


@dataclass(frozen=True, slots=True)
class Precision:
    """Of the `flagged` answers in a language those that have the fault are `right`."""

    language: str
    flagged: int
    right: int

    @property
    def confidence(self) -> float:
        """The chance that the next flag is right, by Laplace's rule of succession (the mean of a
        Beta prior of 1 and 1 after these flags): below 1 however many were right."""
        return min((self.right + 1) / (self.flagged + 2), _SUREST)

    def words(self) -> str:
        """Such as "en 24 of 24"."""
        return say("cells.precision", language=self.language, right=self.right, n=self.flagged)


@cache
def counted() -> Mapping[str, Mapping[str, Precision]]:
    """Precision by rule and language."""
    text = (files("graders.rules") / "precision.json").read_text("utf-8")
    return {
        rule: {
            language: Precision(language, flagged, right)
            for language, (flagged, right) in sorted(found.items())
        }
        for rule, found in json.loads(text).items()
    }


def with_precision(name: str, rule: Rule, mark: Mark, subject: Subject) -> Mark:
    """A mark that flags a fault with the rule's precision in the language of the question; as it is
    where the rule measures, and without a confidence where nobody counted."""
    if measures(name, mark.confidence):
        return mark
    question = subject.question
    language = question.language[:2].lower() or language_of(question.text)
    found = counted().get(name, {}).get(language)
    return Mark(
        value=mark.value,
        rationale=mark.rationale,
        evidence=mark.evidence,
        confidence=None if found is None else round(found.confidence, 3),
        confidence_kind="" if found is None else PRECISION,
    )
