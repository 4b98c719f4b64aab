"""Templates of prompts: Jinja2 in a sandbox, so that a template can format but never run code."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from graders.core.errors import RubricError
from graders.core.rubric import Criterion
from graders.core.scale import Scale
from graders.core.words import error_parts

if TYPE_CHECKING:
    from jinja2 import Template, TemplateSyntaxError

#: What a template may use; anything else is an error that names template and placeholder.
PLACEHOLDERS = {
    "system.j2": frozenset({"persona", "criteria", "examples"}),
    "elements.j2": frozenset({"question", "references", "code"}),
    "faults.j2": frozenset({"persona", "faults", "absent", "present"}),
    "answer.j2": frozenset({"question", "context", "references", "lists", "answer", "code"}),
    "system_question.j2": frozenset({"persona", "criteria", "examples"}),
    "answers.j2": frozenset({"question", "context", "references", "lists", "answers"}),
    "system_pair.j2": frozenset({"persona", "criteria"}),
    "pair.j2": frozenset({"question", "context", "references", "answers"}),
    "sentence.j2": frozenset({"title", "question", "guide", "scale", "cases"}),
}


def render(name: str, **values: Any) -> str:
    """The text of template `name` with `values`; blank lines at the ends removed."""
    return compiled(name).render(values).strip()


@cache
def source(name: str) -> str:
    """The text of a template file."""
    return files("graders.judges").joinpath("prompts", name).read_text("utf-8")


@cache
def compiled(name: str) -> Template:
    """The template, checked and ready. RubricError names a placeholder that does not exist."""
    return compile_template(source(name), name, PLACEHOLDERS[name])


def compile_template(text: str, where: str, known: frozenset[str]) -> Template:
    """`text` as a sandboxed template; RubricError names `where` and each placeholder that is not
    `known`."""
    from jinja2 import StrictUndefined, TemplateSyntaxError, meta
    from jinja2.sandbox import SandboxedEnvironment

    room = SandboxedEnvironment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
    )
    try:
        unknown = meta.find_undeclared_variables(room.parse(text)) - known
        if unknown:
            raise RubricError(
                **error_parts(
                    "judges.error.placeholder",
                    place=where,
                    found=", ".join(sorted(unknown)),
                    known=", ".join(sorted(known)),
                )
            )
        return room.from_string(text)
    except TemplateSyntaxError as error:
        raise no_template(where, error) from error


def no_template(where: str, error: TemplateSyntaxError) -> RubricError:
    """What to say of a text that Jinja2 cannot read."""
    return RubricError(
        **error_parts(
            "judges.error.no_template", place=where, line=error.lineno, message=error.message
        )
    )


def fence(secret: str, text: str) -> str:
    """A code that `text` cannot contain, since it is made from the text and a secret; the same text
    always gets the same."""
    return hmac.new(secret.encode(), text.encode(), hashlib.sha256).hexdigest()[:16]


def part_words(criterion: Criterion) -> str:
    """What each part of a criterion is, as a prompt states it; empty for one without parts."""
    if criterion.elements:
        return f"numbered entry of the list {criterion.name} below"
    return ", ".join(
        f"{part} ({guide})" if (guide := criterion.part_guides.get(part)) else part
        for part in criterion.parts
    )


def shown_in(criterion: Criterion, words: Mapping[str, Any]) -> dict[str, str]:
    """Question and guide of a criterion in a rubric's translation, its own where that lacks
    them."""
    return {
        name: str(words.get(name) or getattr(criterion, name)) for name in ("question", "guide")
    }


def value_words(value: Any) -> str:
    """The value of an example as a prompt states it; of a criterion with parts, each part's."""
    return (
        ", ".join(f"{part} {one}" for part, one in value.items())
        if isinstance(value, Mapping)
        else str(value)
    )


def scale_words(scale: Scale) -> str:
    """The scale as a prompt states it: labels worst first, or a range with its anchors."""
    if scale.kind in ("ordered", "nominal"):
        return " | ".join(scale.labels)
    span = f"{scale.low:g} to {scale.high:g}"
    return "; ".join([span, *(f"{number} = {words}" for number, words in scale.anchors)])
