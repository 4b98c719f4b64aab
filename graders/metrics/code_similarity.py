"""How much generated code is like the expected code, without running either."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from graders.core.contracts import Encoder, Metric
from graders.core.records import MetricValue, Subject
from graders.metrics.texts.code import Code, code_of, code_tokens
from graders.metrics.texts.overlap import Score, best, f1
from graders.metrics.texts.pairs import groups, unscored, value_version
from graders.metrics.texts.python import LIMIT, Parsed, is_telling, names, parse, shape

Similarity = Callable[[Sequence[str], Sequence[str]], float]


class Prepared(NamedTuple):
    """One side of a comparison. `parsed` is None for code in another language than Python."""

    tokens: Sequence[str] | None
    parsed: Parsed | None
    names: frozenset[str] = frozenset()
    shape: Sequence[str] = ()


@dataclass(frozen=True)
class CodeSimilarity(Metric):
    """Four views of the code in an answer beside the code in a reference, each from 0 to 1; nothing
    is executed.

    * ``code_syntax``: 1 where the code parses as Python, else 0 with the error and its line as
      reason.
    * ``code_names``: F1 of the names of functions, methods and classes that both define.
    * ``code_ast``: 2 x LCS / (nodes + nodes), LCS being the longest common subsequence of the node
      types of both syntax trees in pre-order; names, values, comments and docstrings do not count,
      the type of a constant does.
    * ``code_tokens``: the same ratio of identifiers, numbers, operators and whole strings, for any
      language.

    Code is the first fenced block of a text (the first in the reference's language where that is
    named), else the whole text. Its language is that of the fence, else that of the reference's
    fence; without either it is Python where the reference parses as such and is more than bare
    words. Of several references the best counts.

    Limits: says nothing about what the code does; functions in another order cost similarity; the
    first three know Python only, by the grammar of the version that runs.
    """

    version: ClassVar[str] = "1"
    about: ClassVar[str] = (
        "Code beside the expected code: parses, shares names, has the same structure, "
        "has the same tokens; never executed"
    )
    outputs: ClassVar[tuple[str, ...]] = ("code_syntax", "code_names", "code_ast", "code_tokens")

    def compute(
        self,
        subjects: Sequence[Subject],
        references: Sequence[Sequence[str]],
        encoder: Encoder | None = None,
    ) -> list[list[MetricValue]]:
        """Four values per subject; ``code_syntax`` needs no reference.

        Unscored: ``no_reference``, ``empty``, ``language`` (not Python), ``syntax_error`` and
        ``reference_syntax_error`` (no tree to compare), ``no_names`` (the reference defines none),
        ``too_long``, ``too_deep``.
        """
        from rapidfuzz.distance import LCSseq

        def similarity(given: Sequence[str], wanted: Sequence[str]) -> float:
            return f1(LCSseq.similarity(given, wanted), len(given), len(wanted))

        name = f"{value_version(self)};python{sys.version_info.major}.{sys.version_info.minor}"
        out: list[list[MetricValue]] = [[] for _ in subjects]
        for group in groups(subjects, references):
            kept = [number for number, text in enumerate(group.references) if text.strip()]
            pieces = [code_of(group.references[number]) for number in kept]
            language = _expected(pieces)
            wanted = [_prepare(piece, language) for piece in pieces]
            for position, text in zip(group.positions, group.answers, strict=True):
                code = code_of(text, language)
                if not code.text.strip():
                    out[position] = unscored(self, "empty", name)
                    continue
                own = language or ("python" if not pieces and is_telling(parse(code.text)) else "")
                out[position] = _values(_prepare(code, own), wanted, kept, similarity, name)
        return out


def _expected(pieces: Sequence[Code]) -> str:
    """The language of the references: as the first fence says, else Python where one surely is."""
    named = next((piece.language for piece in pieces if piece.language), "")
    return named or ("python" if any(is_telling(parse(piece.text)) for piece in pieces) else "")


def _prepare(code: Code, language: str) -> Prepared:
    """What is compared of `code`; `language` serves where its fence names none."""
    known = code._replace(language=code.language or language)
    found = code_tokens(known) if len(known.text) <= LIMIT else None
    if known.language != "python":
        return Prepared(found, None)
    parsed = parse(known.text)
    return (
        Prepared(found, parsed)
        if parsed.tree is None
        else Prepared(found, parsed, names(parsed.tree), shape(parsed.tree))
    )


def _values(
    given: Prepared,
    wanted: Sequence[Prepared],
    positions: Sequence[int],
    similarity: Similarity,
    version: str,
) -> list[MetricValue]:
    columns: list[tuple[str, list[Score]]] = [
        ("code_names", [_tree_problem(given, one) or _names(given, one) for one in wanted]),
        (
            "code_ast",
            [_tree_problem(given, one) or _shape(given, one, similarity) for one in wanted],
        ),
        ("code_tokens", [_tokens(given, one, similarity) for one in wanted]),
    ]
    return [
        _syntax(given.parsed, version),
        *(
            best(output, scores or ["no_reference"], positions, version)
            for output, scores in columns
        ),
    ]


def _syntax(parsed: Parsed | None, version: str) -> MetricValue:
    if parsed is not None and (
        parsed.tree is not None or parsed.problem.startswith("syntax_error")
    ):
        return MetricValue(
            metric="code_syntax",
            value=float(parsed.tree is not None),
            reason=parsed.problem,
            version=version,
        )
    reason = "language" if parsed is None else parsed.problem
    return MetricValue(metric="code_syntax", status="unscored", reason=reason, version=version)


def _tree_problem(given: Prepared, wanted: Prepared) -> str:
    """Why the two have no trees to compare, or ""."""
    if given.parsed is None or wanted.parsed is None:
        return "language"
    if given.parsed.problem:
        return given.parsed.problem.split(":")[0]
    return f"reference_{wanted.parsed.problem.split(':')[0]}" if wanted.parsed.problem else ""


def _names(given: Prepared, wanted: Prepared) -> Score:
    return (
        f1(len(given.names & wanted.names), len(given.names), len(wanted.names))
        if wanted.names
        else "no_names"
    )


def _shape(given: Prepared, wanted: Prepared, similarity: Similarity) -> Score:
    return similarity(given.shape, wanted.shape) if wanted.shape else "no_reference"


def _tokens(given: Prepared, wanted: Prepared, similarity: Similarity) -> Score:
    if given.tokens is None or wanted.tokens is None:
        return "too_long"
    return similarity(given.tokens, wanted.tokens) if wanted.tokens else "no_reference"
