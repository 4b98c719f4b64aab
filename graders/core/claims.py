"""The claims that an answer makes: what can be held against a document, one by one."""

from __future__ import annotations

import re
from dataclasses import replace

from graders.core.records import Answer, Subject
from graders.core.text import sentences

_MARKER = re.compile(r"^(?:[-*+•·–—]|\(?\d{1,3}[.)、]|>)\s+")
_STRESS = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
_SAYS = re.compile(r"[^\W_]")


def split_claims(text: str, language: str = "") -> tuple[str, ...]:
    """The sentences of `text` that claim something; () for a text without any word.

    Left out are code blocks, headings, questions and lines that only introduce a list. Where nothing else is left, the
    whole text is one claim.
    """
    found: list[str] = []
    fenced = False
    for line in text.splitlines():
        line = line.strip()
        if line.startswith(("```", "~~~")):
            fenced = not fenced
        elif not fenced and not line.startswith("#"):
            found += [s for s in sentences(_STRESS.sub(r"\2", _MARKER.sub("", line)), language) if _claims(s)]
    return tuple(dict.fromkeys(found)) or ((" ".join(text.split()),) if _SAYS.search(text) else ())


def claims_of(answer: Answer, language: str = "") -> tuple[str, ...]:
    """The claims of an answer: those that somebody has split off (``metadata["claims"]``), else its sentences."""
    given = answer.metadata.get("claims")
    return tuple(str(claim) for claim in given) if isinstance(given, list | tuple) else split_claims(answer.text, language)


def with_claims(subject: Subject) -> Subject:
    """The subject as graders of claims see it: the answer's claims stand beside the question, as `Criterion.parts_of` reads them."""
    question = subject.question
    claims = claims_of(subject.answer, question.language)
    return replace(subject, question=replace(question, metadata={**question.metadata, "claims": claims}))


def _claims(sentence: str) -> bool:
    return bool(_SAYS.search(sentence)) and not sentence.endswith(("?", "？", ":", "："))
