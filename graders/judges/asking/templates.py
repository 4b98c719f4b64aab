"""Prompts that users write themselves: placeholders in single or double braces, checked before
anything is sent.

What a placeholder stands for is inserted as it is: whether documents and answers are set apart from
the instructions is up to the author of the template.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from graders.core.errors import RubricError
from graders.core.language import language_of
from graders.core.rubric import Criterion, Rubric
from graders.core.words import error_parts, say
from graders.judges.asking.prompts import compile_template, no_template, value_words

#: What may stand in a template, and its other names.
PLACEHOLDERS: dict[str, tuple[str, ...]] = {
    "question": ("query",),
    "answer": ("response", "model_answer"),
    "context": ("document",),
    "reference": ("correct_answer", "expert_answer"),
    "claim": (),
    "facts": (),
    "criteria": (),
    "examples": (),
}
#: What stands before question, reference, answer and reason of an example, by the language of the
#: prompt.
EXAMPLE_LABELS: dict[str, tuple[str, str, str, str]] = {
    "en": ("Question: ", "Reference: ", "Answer: ", "Why: "),
    "ru": ("Вопрос: ", "Эталон: ", "Ответ: ", "Почему: "),
    "zh": ("问题：", "参考答案：", "回答：", "理由："),
    "ja": ("質問：", "参照：", "回答：", "理由："),
}
ENGLISH = "en"
_MEANS = {name: meaning for meaning, others in PLACEHOLDERS.items() for name in (meaning, *others)}
_KNOWN = frozenset(_MEANS)
#: One of these must stand in a template: without it all answers would get the same prompt.
_GRADED = ("answer", "claim")
#: What a template may be made of besides placeholders: nothing that computes, so that filling one
#: in always ends soon.
_PARTS = (
    "Template",
    "Output",
    "TemplateData",
    "Name",
    "For",
    "If",
    "And",
    "Or",
    "Not",
    "Test",
    "Filter",
    "Getattr",
    "Const",
)
_FILTERS = frozenset({"trim", "upper", "lower", "first", "last", "length", "join"})
_TESTS = frozenset({"defined", "undefined", "none"})
_LOOP = frozenset({"index", "index0", "first", "last", "length"})
#: Placeholders that hold several texts.
_LISTS = frozenset({"context", "document", "facts", "examples"})
#: Longest text that may stand in quotes, in characters.
_QUOTED = 200
_SINGLE = re.compile(r"(?<![{%#])\{[ \t]*([A-Za-z_]\w*)[ \t]*\}(?!\})")
_PLACEHOLDER = re.compile(r"\{[{%#].*?[}%#]\}", re.S)


class Texts(list[str]):
    """A list that a template may go through, and that reads as one text where it is inserted
    whole."""

    def __init__(self, texts: Iterable[str] = (), between: str = "\n\n") -> None:
        super().__init__(texts)
        self.between = between

    def __str__(self) -> str:
        return self.between.join(self)


@dataclass(frozen=True)
class OwnTemplate:
    """A template that was checked: `uses` are the meanings of its placeholders, `where` names it in
    messages, `language` is that of its text, where examples have labels in it."""

    compiled: Any
    uses: frozenset[str]
    where: str
    language: str = ENGLISH

    def fill(self, values: Mapping[str, Any]) -> str:
        """The prompt. `values` are by meaning. RubricError where it cannot be filled in."""
        try:
            return str(
                self.compiled.render(
                    {
                        name: values[meaning]
                        for name, meaning in _MEANS.items()
                        if meaning in self.uses
                    }
                )
            ).strip()
        except Exception as error:  # a template may fail in any way; its author gets one sentence
            raise _unusable(error, self.where) from error


@lru_cache(maxsize=256)
def own_template(text: str, where: str) -> OwnTemplate:
    """`text` checked and ready. RubricError names `where` and the placeholder that is unknown or
    missing."""
    from jinja2 import TemplateSyntaxError, meta
    from jinja2.sandbox import SandboxedEnvironment

    doubled = _SINGLE.sub(r"{{ \1 }}", text)
    try:
        tree = SandboxedEnvironment().parse(doubled)
    except TemplateSyntaxError as error:
        raise no_template(where, error) from error
    # before it is compiled: compiling works out what is constant, such as 9 ** 9 ** 9
    _check_parts(tree, where)
    compiled = compile_template(doubled, where, _KNOWN)
    found = meta.find_undeclared_variables(tree)
    language = language_of(_PLACEHOLDER.sub(" ", doubled), EXAMPLE_LABELS) or ENGLISH
    template = OwnTemplate(compiled, frozenset(_MEANS[name] for name in found), where, language)
    if not template.uses & set(_GRADED):
        raise RubricError(**error_parts("judges.error.nothing_graded", place=where))
    template.fill(
        {
            meaning: Texts(["sample"]) if meaning in ("context", "facts", "examples") else "sample"
            for meaning in PLACEHOLDERS
        }
    )
    return template


def _check_parts(tree: Any, where: str) -> None:
    """RubricError for anything in a template that computes, calls, or goes through more than one
    list at a time."""
    from jinja2 import nodes

    for node in tree.find_all(nodes.Node):
        kind = type(node).__name__
        told = ""
        if kind not in _PARTS:
            told = say("judges.template.kind", kind=kind, line=node.lineno)
        elif kind == "Filter" and node.name not in _FILTERS:
            told = say("judges.template.filter", name=node.name[:40], line=node.lineno)
        elif kind == "Test" and node.name not in _TESTS:
            told = say("judges.template.test", name=node.name[:40], line=node.lineno)
        elif kind == "Getattr" and not (
            isinstance(node.node, nodes.Name) and node.node.name == "loop" and node.attr in _LOOP
        ):
            told = say("judges.template.attribute", name=node.attr[:40], line=node.lineno)
        elif kind == "Const" and len(str(node.value)) > _QUOTED:
            told = say("judges.template.constant", n=len(str(node.value)), line=node.lineno)
        elif kind == "For" and not _is_plain(node):
            told = say("judges.template.loop", line=node.lineno)
        if told:
            raise RubricError(
                **error_parts(
                    "judges.error.template_part",
                    place=where,
                    found=told,
                    filters=", ".join(sorted(_FILTERS)),
                )
            )


def _is_plain(loop: Any) -> bool:
    """Whether a loop goes through one list, each text once: its prompt is then no longer than the
    texts allow."""
    from jinja2 import nodes

    inside = [
        node for part in (*loop.body, *loop.else_) for node in (part, *part.find_all(nodes.Node))
    ]
    again = any(
        isinstance(node, nodes.For) or (isinstance(node, nodes.Name) and node.name in _LISTS)
        for node in inside
    )
    return (
        isinstance(loop.iter, nodes.Name)
        and loop.iter.name in _LISTS
        and not loop.recursive
        and not again
    )


def check_templates(rubric: Rubric, where: str) -> None:
    """RubricError for the first template of `rubric` that cannot be used; `where` is its file."""
    for criterion in rubric.criteria:
        if criterion.template:
            template = own_template(
                criterion.template,
                say("judges.template.of_file", file=where, criterion=criterion.name),
            )
            if "claim" in template.uses and not criterion.elements and not criterion.parts:
                raise RubricError(**error_parts("judges.error.no_claims", place=template.where))


def shows_examples(template: str) -> bool:
    """Whether a prompt made by `template` holds examples; our own do, for which it is empty."""
    return not template or "examples" in own_template(template, "template").uses


def lacking(uses: frozenset[str], values: Mapping[str, Any]) -> str:
    """The first placeholder that has nothing to stand for; empty if all have."""
    return next(
        (
            meaning
            for meaning in PLACEHOLDERS
            if meaning in uses and not values.get(meaning) and meaning not in ("answer", "examples")
        ),
        "",
    )


def example_lines(
    examples: Sequence[Mapping[str, Any]], criterion: Criterion, language: str = ENGLISH
) -> Texts:
    """Examples of a rubric for one criterion, each as lines whose labels are in the prompt's
    language, English where that has none."""
    labels = EXAMPLE_LABELS.get(language, EXAMPLE_LABELS[ENGLISH])
    lines = Texts()
    for example in examples:
        value = example["verdicts"].get(criterion.name, example["verdicts"].get(criterion.key))
        if value is None:
            continue
        reference = example.get("reference", "")
        texts = (
            example["question"],
            "; ".join(reference) if isinstance(reference, list) else reference,
            example["answer"],
            example.get("why", ""),
        )
        texts_of = [f"{label}{text}" for label, text in zip(labels, texts, strict=True) if text]
        lines.append("\n".join([*texts_of, f"{criterion.name}: {value_words(value)}"]))
    return lines


def _unusable(error: Exception, where: str) -> RubricError:
    if isinstance(error, RubricError):
        return error
    return RubricError(
        **error_parts(
            "judges.error.not_filled", place=where, error=str(error) or type(error).__name__
        )
    )
