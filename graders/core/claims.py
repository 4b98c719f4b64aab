"""The claims that an answer makes: what can be held against a document, one by one."""

from __future__ import annotations

import re
from dataclasses import replace

from graders.core.records import Answer, Subject
from graders.core.text import sentences

_MARKER = re.compile(r"^(?:[-*+•·–—]|\(?\d{1,3}[.)、])\s+")
_QUOTED = re.compile(r"^(?:>\s?)+")
_STRESS = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
_SAYS = re.compile(r"[^\W_]")
#: A line that an editor wrapped is about as long as this at least; it ends within a sentence.
_WRAPPED = 30
_ENDS = re.compile(r"[.!?。！？…:：;；|`][\"'”’»)）\]*_]*$")
#: Words that end no claim: what a capital letter or a number begins after them belongs to it.
_GOES_ON = re.compile(
    r"(?:,|\b(?:a|an|the|and|or|of|in|on|at|to|for|from|by|with|as|is|are|was|were|that|than|"
    r"и|или|в|во|на|с|со|к|по|из|от|до|у|о|об|для|не|что|за|при))$",
    re.I,
)


def split_claims(text: str, language: str = "") -> tuple[str, ...]:
    """The sentences of `text` that claim something; () for a text without any word.

    Left out are code blocks, headings, questions and lines that only introduce a list. A line that
    breaks off within a sentence is read with the next one. Where nothing else is left, the whole
    text is one claim.
    """
    found: list[str] = []
    for line in _lines(text):
        found += [
            s for s in sentences(_STRESS.sub(r"\2", _MARKER.sub("", line)), language) if _claims(s)
        ]
    return tuple(dict.fromkeys(found)) or ((" ".join(text.split()),) if _SAYS.search(text) else ())


def _lines(text: str) -> list[str]:
    """The lines of `text` without code and headings; those that an editor wrapped are one again."""
    out: list[str] = []
    fenced = wrapped = quoted = False
    for written in map(str.strip, text.splitlines()):
        line = _QUOTED.sub("", written)
        # A quotation goes on in a line without its sign; what is no quotation does not go on in
        # one.
        wrapped, quoted = wrapped and (quoted or line == written), line != written
        fence = line.startswith(("```", "~~~"))
        fenced ^= fence
        if fence or fenced or line.startswith("#"):
            wrapped = False
        elif wrapped and _continues(out[-1], line):
            out[-1] += f" {line}"
            wrapped = len(line) >= _WRAPPED
        else:
            out.append(line)
            wrapped = len(line) >= _WRAPPED
    return out


def _continues(before: str, line: str) -> bool:
    """Whether a sentence that `before` begins goes on in the next line."""
    if _ENDS.search(before) or _MARKER.match(line):
        return False
    return line[:1].islower() or (_GOES_ON.search(before) is not None and line[:1].isalnum())


def claims_of(answer: Answer, language: str = "") -> tuple[str, ...]:
    """The claims of an answer: those that a file or a model stated (``metadata["claims"]``), else
    its sentences."""
    given = answer.metadata.get("claims")
    return (
        tuple(str(claim) for claim in given)
        if isinstance(given, list | tuple)
        else split_claims(answer.text, language)
    )


def with_claims(subject: Subject) -> Subject:
    """The subject as graders of claims see it: the answer's claims stand beside the question, as
    `Criterion.parts_of` reads them."""
    question = subject.question
    claims = claims_of(subject.answer, question.language)
    return replace(
        subject, question=replace(question, metadata={**question.metadata, "claims": claims})
    )


def _claims(sentence: str) -> bool:
    return bool(_SAYS.search(sentence)) and not sentence.endswith(("?", "？", ":", "："))
