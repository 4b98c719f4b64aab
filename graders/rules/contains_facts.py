"""All facts are literally there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from graders.core.contracts import Rule
from graders.core.records import Evidence, Mark, Subject
from graders.core.rubric import Criterion
from graders.core.scale import YES_NO, Scale
from graders.core.text import Folded, fold, folded
from graders.core.words import carried
from graders.rules.writing.marks import best, refusal, span

say = carried(
    "contains_facts",
    {
        "found": "{found} of {facts} facts literally in the answer.",
        "missing": "{found} of {facts} facts literally in the answer; not found: {missing}.",
        "nothing_to_find": "The question has neither facts nor required elements.",
    },
)

_LONG = 200_000
_PIECE = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
_CYRILLIC_STEM = re.compile(
    r"^(.{3,}?)(?:ого|его|ому|ему|ыми|ими|ами|ями|[аеёиоуыэюяйь]{1,3}|[аеёиоуыэюя]{1,2}[мхв])$"
)
_CYRILLIC_END = r"[аеёиоуыэюяйь]{0,3}(?:м|х|в|ми|го|му)?"


def _piece(word: str) -> str:
    """A pattern for one word of a fact: endings may differ in English and Russian, digits and other
    scripts may not."""
    if re.match("[а-яё]", word):
        match = _CYRILLIC_STEM.match(word) if len(word) > 3 else None
        stem = match.group(1) if match else word
        return re.sub("[её]", "[её]", re.escape(stem)) + (_CYRILLIC_END if len(word) > 3 else "")
    if re.match("[a-z]", word) and len(word) > 3:
        stem = re.sub(r"(?:(?<=[xz])es|(?<=[cs]h)es|(?<=ss)es|(?<=[^s])s)$", "", word)
        return re.escape(stem) + "(?:e?s|['’]s)?"
    return re.escape(word)


def fact_pattern(fact: str) -> re.Pattern[str] | None:
    """A pattern that finds `fact` in a folded text; None for a fact without letters and digits."""
    pieces = _PIECE.findall(fold(fact, case=True))
    if not pieces:
        return None
    # Scripts written without spaces have no borders of words.
    spaceless = re.search("[㐀-鿿ぁ-ヿ\u0e00-\u0e7f]", fact)
    body = (r"[\W_]{0,3}" if spaceless else r"[\W_]{1,3}").join(_piece(piece) for piece in pieces)
    before, after = (
        (r"(?<!\d)", r"(?!\d)") if spaceless else (r"(?<!\w)(?<!\d[.,])", r"(?!\w)(?![.,]\d)")
    )
    return re.compile(before + body + after, re.I)


@dataclass(frozen=True)
class ContainsFacts(Rule):
    """Decides that an answer is complete when every known fact and required element stands in it
    word for word.

    Why it matters: such an answer needs nobody to look for what is missing.
    Decides: facts "Paris", "2.1 million" in "Paris has 2.1 million people". Does not: "two million"
    for "2.1 million". Case, white space, punctuation between words and usual endings (Russian
    cases, English plurals) may differ. What is not literally there may be there in other words, so
    it is not decisive.
    Known misses: a fact that is denied ("not Paris"), fleeting vowels and other changes inside a
    stem.
    """

    version: ClassVar[str] = "1"
    about: ClassVar[str] = "All known facts and required elements stand in the answer literally."
    default_scale: ClassVar[Scale] = YES_NO

    def grade(self, subject: Subject, criterion: Criterion) -> Mark:
        if refused := refusal(subject):
            return refused
        question, text = subject.question, subject.answer.text
        facts = list(
            dict.fromkeys(
                fact.strip() for fact in (*question.facts, *question.must_have) if fact.strip()
            )
        )
        if not facts:
            return Mark.unscored("no_facts", say("nothing_to_find"))
        # The way back to the original is slow to build for very long texts; those get no places.
        hay = folded(text) if len(text) <= _LONG else fold(text)
        found = {fact: _locate(fact, hay, text) for fact in facts}
        missing = [fact for fact, evidence in found.items() if evidence is None]
        evidence = tuple(one for one in found.values() if one is not None)
        counts = {"found": len(evidence), "facts": len(facts)}
        if not missing:
            return best(criterion, say("found", **counts), evidence)
        rationale = say("missing", **counts, missing="; ".join(missing))
        return Mark(
            status="unscored", reason="not_decisive", rationale=rationale, evidence=evidence
        )


def _locate(fact: str, hay: Folded | str, text: str) -> Evidence | None:
    pattern = fact_pattern(fact)
    match = pattern.search(hay if isinstance(hay, str) else hay.text) if pattern else None
    if match is None:
        return None
    return (
        Evidence(quote=match.group(), found=True)
        if isinstance(hay, str)
        else span(text, *hay.original(*match.span()), limit=400)
    )
