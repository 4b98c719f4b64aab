"""What one call asks about: an answer, one criterion of it, or all answers to a question in a
shuffled order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graders.core.hashing import digest, seeded
from graders.core.records import Request, Subject
from graders.core.rubric import Criterion

#: What a call may ask about.
PER = ("answer", "criterion", "question")
#: Opinions that one call asks for at most: with more, models begin to skip, and replies outgrow
#: what they may write.
MOST_OPINIONS = 100
#: Tokens of a reply that are enough for one opinion.
TOKENS_PER_OPINION = 150


def answer_name(position: int) -> str:
    """The key of the answer at `position` (from 1) in a reply about several."""
    return f"answer_{position}"


def sheets(
    subjects: Sequence[Subject], criteria: Sequence[Criterion], seed: int
) -> list[list[Subject]]:
    """Subjects that go into one call each: answers to one question that are held against the same
    references and documents.

    They stand in an order that is drawn by `seed` for each question. Answers with claims of their
    own stand alone, and a question with more opinions than fit into a call is asked in several.
    """
    groups: dict[str, list[Subject]] = {}
    for subject in sorted(subjects, key=lambda s: seeded(seed, *s.key)):
        question = subject.question
        alone = subject.key if any(c.elements == "claims" for c in criteria) else None
        groups.setdefault(
            digest(question.id, question.references, question.context, alone), []
        ).append(subject)
    made = []
    for group in groups.values():
        opinions = sum(len(c.parts_of(group[0].question)) for c in criteria)
        most = max(1, MOST_OPINIONS // max(1, opinions))
        made += [group[at : at + most] for at in range(0, len(group), most)]
    return made


def roomier(request: Request, opinions: int) -> Request:
    """The request with a limit of its reply that so many opinions fit into; what is set for one
    answer is the least."""
    least = int(request.settings["max_output_tokens"])
    return replace(
        request,
        settings={
            **request.settings,
            "max_output_tokens": max(least, opinions * TOKENS_PER_OPINION),
        },
    )
