"""Rubrics: what is graded and how. The only place that reads or writes rubric YAML.

Reading keeps line numbers, so that every complaint names file, line and criterion. Two hashes are
made here: `Criterion.criterion_hash` covers what people and judges answer (question, guide, scale,
anchors); a judge's recipe hash (template, examples, model, settings) is the judge's own business.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from graders.core import _rubric_fields as fields
from graders.core._yaml import loop_in, need_bounds, yaml_problem
from graders.core.errors import RubricError, ScaleError
from graders.core.hashing import canonical, digest
from graders.core.records import Question
from graders.core.scale import YES_NO, Scale, Value
from graders.core.text import fold
from graders.core.words import error_parts, say

RUBRIC_KEYS = ("rubric", "version", "about", "criteria", "translations", "examples")
CRITERION_KEYS = (
    "name",
    "question",
    "guide",
    "scale",
    "graders",
    "review",
    "reference",
    "parts",
    "unless",
    "template",
    "scores",
    "ceiling",
    "cut_reference",
)
REVIEW = ("automatic", "people")
REFERENCE = ("given", "elected", "none", "context")
ELEMENTS, LISTS, TASKS = fields.ELEMENTS, fields.LISTS, fields.TASKS


@dataclass(frozen=True, slots=True)
class GraderRef:
    """A grader named by a criterion, with the options that the rubric sets."""

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Criterion:
    """One thing that is graded. `key` is ``rubric/criterion``, the name under which verdicts are
    stored.

    `parts` are graded each on the scale; where `elements` names a list (facts, must_have, claims),
    its entries are the parts, a checklist. A criterion is not asked about questions that have the
    list `unless` names: another criterion grades that list. `template` is a prompt of the user's
    own; `scores` gives labels the numbers from 0 to 1 that they count for. With a `ceiling`
    (author) the marks of the author's own text are what models can reach at most. Where
    `cut_reference` is true a judge may be shown the beginning of a reference that is longer than
    its model's window, if all criteria of the call that compare with it allow that.
    """

    rubric: str
    name: str
    scale: Scale
    title: str = ""
    question: str = ""
    guide: str = ""
    graders: tuple[GraderRef, ...] = ()
    review: Mapping[str, str] = field(default_factory=dict)
    reference: Mapping[str, str] = field(default_factory=dict)
    parts: tuple[str, ...] = ()
    part_guides: Mapping[str, str] = field(default_factory=dict)
    elements: str = ""
    unless: str = ""
    template: str = ""
    scores: Mapping[str, float] = field(default_factory=dict)
    ceiling: str = ""
    cut_reference: bool = False

    @cached_property
    def key(self) -> str:
        return f"{self.rubric}/{self.name}"

    @cached_property
    def criterion_hash(self) -> str:
        """Names what people and judges answer; changes make exactly this criterion's verdicts
        stale."""
        more = [dict(self.part_guides), self.elements] if self.part_guides or self.elements else []
        return digest(self.question, self.guide, self.scale.to_spec(), list(self.parts), *more)

    def parts_of(self, question: Question) -> tuple[str, ...]:
        """The parts in which an answer to `question` is graded: ("",) for a criterion without
        parts, () where it is not asked: an empty checklist, or the list that it is asked `unless`.

        Claims are found where `graders.core.claims.with_claims` has put those of one answer beside
        its question.
        """
        if self.elements:
            entries = (
                question.metadata.get("claims", ())
                if self.elements == "claims"
                else getattr(question, self.elements)
            )
            return tuple(dict.fromkeys(element.strip() for element in entries if element.strip()))
        if self.unless and any(entry.strip() for entry in getattr(question, self.unless)):
            return ()
        return self.parts or ("",)

    def place_of(self, part: str, question: Question) -> int:
        """Where a part stands among those in which answers to `question` are graded; behind all for
        one that is not among them."""
        parts = self.parts_of(question)
        return parts.index(part) if part in parts else len(parts)

    @property
    def by_question(self) -> bool:
        """Whether the question decides in which parts its answers are graded."""
        return bool(self.elements or self.unless)

    def score_of(self, value: Value) -> float | None:
        """What `value` counts for, from 0 to 1: by `scores`, else by its place on the scale; None
        for labels without order."""
        if self.scores:
            return self.scores.get(str(value))
        if not self.scale.is_ordered:
            return None
        low, high = (
            (self.scale.numbers[0], self.scale.numbers[-1])
            if self.scale.is_discrete
            else (self.scale.low, self.scale.high)
        )
        return (self.scale.number(value) - low) / (high - low)

    def reference_for(self, task_type: str) -> str:
        """Which reference graders may use for a question of this task type: given, elected, context
        or none."""
        return self.reference.get(task_type, self.reference.get("default", "given"))

    def grader(self, name: str) -> GraderRef | None:
        """The grader of that name, if this criterion uses it."""
        return next((ref for ref in self.graders if ref.name == name), None)


@dataclass(frozen=True)
class Rubric:
    """A set of criteria, as one YAML file writes it. `source` is the file's text, comments kept."""

    name: str
    criteria: tuple[Criterion, ...]
    version: str = "1"
    about: str = ""
    translations: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    examples: tuple[Mapping[str, Any], ...] = ()
    source: str = ""

    @cached_property
    def _named(self) -> Mapping[str, Criterion]:
        """The criteria by name and by key; the first of a name has it."""
        found: dict[str, Criterion] = {}
        for criterion in self.criteria:
            found.setdefault(criterion.name, criterion)
            found.setdefault(criterion.key, criterion)
        return found

    @cached_property
    def _translated(self) -> Mapping[str, Mapping[str, str]]:
        """By the criterion's name: its labels by what they are called in other languages."""
        said = self.translations.values()
        return {
            c.name: fields.translated_labels(c.scale, [texts.get(c.name) for texts in said])
            for c in self.criteria
        }

    def value_of(self, criterion: Criterion, found: Any) -> Value:
        """`found` as a value of the criterion's scale: as `Scale.parse` takes it, or a translation
        of one of its labels in any case and width. ScaleError for anything else."""
        try:
            return criterion.scale.parse(found)
        except ScaleError:
            label = self._translated.get(criterion.name, {}).get(fold(str(found), case=True))
            if label is None:
                raise
            return label

    def criterion(self, name: str) -> Criterion:
        """The criterion of that name; RubricError with near names otherwise."""
        if (found := self._named.get(name)) is not None:
            return found
        raise RubricError(
            **error_parts(
                "core.rubric.no_criterion",
                rubric=self.name,
                name=name,
                near=fields.near(name, [c.name for c in self.criteria]),
            )
        )


# Every import looks at the bundled ones, and reading YAML with its comments takes ten milliseconds
# a page.
@lru_cache(maxsize=64)
def read_rubric(text: str, where: str = "rubric") -> Rubric:
    """The rubric that `text` (YAML) writes. Raises RubricError naming `where`, line, found,
    expected, remedy."""
    need_bounds(text, where)
    try:
        if loop := loop_in(text):
            raise RubricError(
                **error_parts("core.rubric.alias_loop", where=where, line=loop[0], name=loop[1])
            )
        tree = YAML(typ="rt").load(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = f", line {mark.line + 1}" if mark else ""
        raise RubricError(
            **error_parts(
                "core.rubric.invalid_line",
                where=where,
                line=line,
                problem=yaml_problem(str(error.problem or error.context or "")),
            )
        ) from error
    except (YAMLError, ValueError) as error:  # such as a number of five thousand digits
        raise RubricError(
            **error_parts("core.rubric.invalid", where=where, error=str(error))
        ) from error
    if not isinstance(tree, Mapping):
        raise RubricError(
            **error_parts("core.rubric.no_keys", where=where, keys=", ".join(RUBRIC_KEYS[:4]))
        )
    fields.known_keys(tree, RUBRIC_KEYS, where)
    name = str(tree.get("rubric") or "").strip()
    if not name or "/" in name:
        raise RubricError(**error_parts("core.rubric.name", where=where, name=name))
    criteria = tree.get("criteria")
    if not isinstance(criteria, Mapping) or not criteria:
        raise RubricError(**error_parts("core.rubric.no_criteria", where=where))
    return Rubric(
        name=name,
        version=str(tree.get("version", "1")),
        about=str(tree.get("about") or "").strip(),
        criteria=tuple(
            _criterion(
                name,
                str(key),
                spec,
                f"{where}, line {fields.line_of(criteria, key)}, criterion {key}",
            )
            for key, spec in criteria.items()
        ),
        translations=fields.plain(tree.get("translations") or {}),
        examples=fields.examples(tree, where),
        source=text,
    )


def load_rubric(path: Path) -> Rubric:
    """The rubric in a file (UTF-8)."""
    try:
        return read_rubric(path.read_text("utf-8"), where=path.name)
    except UnicodeDecodeError as error:
        raise RubricError(
            **error_parts(
                "core.rubric.encoding",
                name=path.name,
                byte=error.object[error.start],
                start=error.start,
            )
        ) from error


def write_rubric(name: str, scales: Mapping[str, Scale], about: str = "") -> str:
    """YAML text of a new rubric with one criterion per scale, for a lead to look at and change."""
    tree = CommentedMap({"rubric": name, "version": 1, "about": about, "criteria": CommentedMap()})
    for criterion, scale in scales.items():
        tree["criteria"][criterion] = CommentedMap(
            {
                "question": f"{criterion.replace('_', ' ').capitalize()}?",
                "scale": scale.to_spec(),
                "graders": ["judge"],
            }
        )
    tree["criteria"].yaml_set_start_comment(say("core.rubric.made_from_verdicts"), indent=2)
    out = io.StringIO()
    YAML(typ="rt").dump(tree, out)
    return out.getvalue()


def _criterion(rubric: str, name: str, spec: Any, where: str) -> Criterion:
    if "/" in name:
        raise RubricError(**error_parts("core.rubric.slash", where=where, name=name))
    spec = {} if spec is None else spec
    if not isinstance(spec, Mapping):
        raise RubricError(**error_parts("core.rubric.criterion", where=where, spec=repr(spec)))
    fields.known_keys(spec, CRITERION_KEYS, where)
    try:
        parts, part_guides, elements = fields.parts(spec.get("parts"), f"{where}, parts")
        graders = _graders(spec.get("graders") or (), where)
        scale = Scale.from_spec(spec["scale"]) if "scale" in spec else _default_scale(parts)
    except ScaleError as error:
        raise RubricError(
            **error_parts(
                "core.rubric.inside",
                where=where,
                place=error.where,
                found=error.found,
                expected=error.expected,
                remedy=error.remedy,
            )
        ) from error
    return Criterion(
        rubric=rubric,
        name=name,
        scale=scale,
        title=str(spec.get("name") or name.replace("_", " ").capitalize()),
        question=str(spec.get("question") or "").strip(),
        guide=str(spec.get("guide") or "").strip(),
        graders=graders,
        parts=parts,
        part_guides=part_guides,
        elements=elements,
        unless=fields.unless(spec.get("unless"), elements, f"{where}, unless"),
        template=str(spec.get("template") or ""),
        scores=fields.scores(spec.get("scores"), scale, f"{where}, scores"),
        ceiling=fields.ceiling(spec.get("ceiling"), f"{where}, ceiling"),
        cut_reference=fields.switch(spec.get("cut_reference"), f"{where}, cut_reference"),
        review=fields.by_task(spec.get("review"), REVIEW, f"{where}, review"),
        reference=fields.by_task(spec.get("reference"), REFERENCE, f"{where}, reference"),
    )


def _default_scale(parts: tuple[str, ...]) -> Scale:
    return Scale("numeric", low=0.0, high=1.0) if parts else YES_NO


def _graders(given: Any, where: str) -> tuple[GraderRef, ...]:
    if isinstance(given, str) or not isinstance(given, Sequence | Mapping):
        raise RubricError(
            **error_parts("core.rubric.graders", where=where, graders=repr(fields.plain(given)))
        )
    return tuple(_grader(item, where) for item in given)


def _grader(item: Any, where: str) -> GraderRef:
    if isinstance(item, str):
        return GraderRef(item)
    if isinstance(item, Mapping) and len(item) == 1:
        ((name, options),) = item.items()
        if options is None or isinstance(options, Mapping):
            return GraderRef(str(name), fields.plain(options or {}))
    raise RubricError(
        **error_parts("core.rubric.grader", where=where, grader=repr(fields.plain(item)))
    )


def rubric_hash(rubric: Rubric) -> str:
    """Names the whole rubric: all that decides grading and routing."""
    return digest(
        [
            [
                c.key,
                c.criterion_hash,
                [[g.name, canonical(g.options)] for g in c.graders],
                dict(c.review),
                dict(c.reference),
            ]
            + ([c.template, dict(c.scores)] if c.template or c.scores else [])
            + ([{"unless": c.unless}] if c.unless else [])
            + ([c.ceiling] if c.ceiling else [])
            for c in rubric.criteria
        ]
    )
