"""Reading the fields of a rubric file: each gives what it means, or a RubricError with place,
found, expected and remedy."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

from graders.core.errors import RubricError
from graders.core.scale import Scale
from graders.core.text import fold
from graders.core.words import error_parts, say

#: Whose own text may be the ceiling of a criterion (see `graders.core.author_texts`).
CEILING = ("author",)
#: Lists whose entries may be the parts of a criterion: a question's, and the claims that an answer
#: makes (graders.core.claims).
ELEMENTS = ("facts", "must_have", "claims")
#: Lists of a question in whose presence a criterion may stand back for the one that grades the
#: list.
LISTS = ("facts", "must_have")
#: What a word may be said for: all questions, or those of one task type.
TASKS = ("default", "factual", "creative", "unknown")


def parts(spec: Any, where: str) -> tuple[tuple[str, ...], dict[str, str], str]:
    """Names of parts, their guides, and the list of the question that they are (facts or
    must_have)."""
    if isinstance(spec, str):
        if spec not in ELEMENTS:
            raise RubricError(
                **error_parts(
                    "core.rubric_fields.parts",
                    where=where,
                    spec=repr(spec),
                    lists=", ".join(ELEMENTS),
                )
            )
        return (), {}, spec
    named = isinstance(spec, Mapping)
    if spec is not None and not named and not isinstance(spec, Sequence):
        raise RubricError(
            **error_parts("core.rubric_fields.parts_map", where=where, spec=repr(spec))
        )
    for name in (
        (*spec, *(guide for guide in spec.values() if guide is not None)) if named else (spec or ())
    ):
        if not isinstance(name, str | int | float):
            raise RubricError(**error_parts("core.rubric_fields.nested_parts", where=where))
    names = tuple(str(name) for name in spec or ())
    if len(set(names)) < len(names) or "" in names:
        raise RubricError(**error_parts("core.rubric_fields.part_names", where=where))
    return (
        names,
        {str(name): str(guide).strip() for name, guide in spec.items() if guide is not None}
        if named
        else {},
        "",
    )


def unless(spec: Any, elements: str, where: str) -> str:
    """The list of the question in whose presence a criterion is not asked."""
    if spec is None:
        return ""
    if str(spec) not in LISTS or elements:
        found = f"{str(spec)!r} beside parts: {elements}" if elements else repr(spec)
        expected = (
            say("core.rubric_fields.unless_without_list")
            if elements
            else "one of " + ", ".join(LISTS)
        )
        raise RubricError(
            **error_parts("core.rubric_fields.unless", where=where, found=found, expected=expected)
        )
    return str(spec)


def scores(spec: Any, scale: Scale, where: str) -> dict[str, float]:
    """What each label counts for; every label needs a number from 0 to 1."""
    if spec is None:
        return {}
    found = (
        {str(label): number for label, number in spec.items()} if isinstance(spec, Mapping) else {}
    )
    if not scale.labels or set(found) != set(scale.labels):
        raise RubricError(
            **error_parts(
                "core.rubric_fields.numbers_of_labels",
                where=where,
                spec=repr(plain(spec)),
                labels=", ".join(scale.labels or ("none",)),
            )
        )
    for label, number in found.items():
        if isinstance(number, bool) or not isinstance(number, int | float) or not 0 <= number <= 1:
            raise RubricError(
                **error_parts("core.rubric_fields.share", where=where, number=number, label=label)
            )
    return {label: float(number) for label, number in found.items()}


def ceiling(spec: Any, where: str) -> str:
    """Whose marks are the ceiling for models; empty for none."""
    if spec is not None and str(spec) not in CEILING:
        raise RubricError(
            **error_parts(
                "core.rubric_fields.word",
                where=where,
                spec=repr(plain(spec)),
                words=", ".join(CEILING),
            )
        )
    return "" if spec is None else str(spec)


def switch(spec: Any, where: str) -> bool:
    """True or false; false where nothing is said."""
    if spec is not None and not isinstance(spec, bool):
        raise RubricError(
            **error_parts("core.rubric_fields.true_or_false", where=where, spec=repr(plain(spec)))
        )
    return bool(spec)


def by_task(spec: Any, allowed: Sequence[str], where: str) -> dict[str, str]:
    """`automatic` for all task types, or a map task type -> word."""
    if spec is None:
        return {}
    words = (
        {str(k): str(v) for k, v in spec.items()}
        if isinstance(spec, Mapping)
        else {"default": str(spec)}
    )
    for task, word in words.items():
        if task not in TASKS:
            raise RubricError(**error_parts("core.rubric_fields.task_type", where=where, task=task))
        if word not in allowed:
            raise RubricError(
                **error_parts(
                    "core.rubric_fields.one_of",
                    where=where,
                    word=repr(word),
                    words=", ".join(allowed),
                )
            )
    return words


def examples(tree: Mapping[str, Any], where: str) -> tuple[Mapping[str, Any], ...]:
    """The rubric's worked examples, each with question, answer and verdicts."""
    found = tree.get("examples") or []
    if not isinstance(found, Sequence) or isinstance(found, str):
        raise RubricError(
            **error_parts("core.rubric_fields.examples", where=where, value=repr(found))
        )
    made = []
    for number, item in enumerate(found, 1):
        if not isinstance(item, Mapping) or not {"question", "answer", "verdicts"} <= set(item):
            raise RubricError(
                **error_parts("core.rubric_fields.example_keys", where=where, number=number)
            )
        made.append(plain(item))
    return tuple(made)


def translated_labels(scale: Scale, texts: Sequence[Any]) -> dict[str, str]:
    """The labels of a scale by their folded translations, which `texts` write as labels or as
    anchors.

    A word that translates two labels is left out, because it is ambiguous.
    """
    meant: dict[str, set[str]] = {}
    for words in (
        said[name]
        for said in texts
        if isinstance(said, Mapping)
        for name in ("labels", "anchors")
        if name in said
    ):
        for label in scale.labels if isinstance(words, Mapping) else ():
            if label in words:
                meant.setdefault(fold(str(words[label]), case=True), set()).add(label)
    return {word: found.pop() for word, found in meant.items() if len(found) == 1}


def known_keys(spec: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    """Raise for a key that is not known, with its line and the word that was perhaps meant."""
    for key in spec:
        if str(key) not in known:
            line = f", line {line_of(spec, key)}" if "line" not in where else ""
            raise RubricError(
                **error_parts(
                    "core.rubric_fields.key",
                    where=where,
                    line=line,
                    name=str(key),
                    near=near(str(key), known),
                )
            )


def line_of(tree: Any, key: Any) -> int:
    """The line of a key, from 1."""
    marks = getattr(getattr(tree, "lc", None), "data", None) or {}
    return int(marks[key][0]) + 1 if key in marks else 1


def near(word: str, known: Sequence[str]) -> str:
    """The known word that was perhaps meant, else all of them."""
    close = difflib.get_close_matches(word, known, n=1)
    return f"{close[0]!r}, perhaps" if close else "one of " + ", ".join(known)


def plain(tree: Any) -> Any:
    """The YAML tree as ordinary dicts and lists."""
    if isinstance(tree, Mapping):
        return {str(k): plain(v) for k, v in tree.items()}
    if isinstance(tree, Sequence) and not isinstance(tree, str):
        return [plain(v) for v in tree]
    if isinstance(tree, bool) or tree is None:
        return tree
    # The reader keeps how a number or a text was written in types of its own.
    return next((kind(tree) for kind in (int, float, str) if isinstance(tree, kind)), str(tree))
