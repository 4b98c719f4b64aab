"""What is evaluated, and what came of it: cases read from keywords, results made from verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from graders.core import discovery
from graders.core.claims import with_claims
from graders.core.errors import UsageError
from graders.core.records import TASK_TYPES, Answer, Evidence, Question, Subject, Verdict
from graders.core.rubric import Criterion, Rubric
from graders.core.scale import Value
from graders.core.words import error_parts, say
from graders.workflows.cells.policy import NOT_APPLICABLE, NOT_MEASURED
from graders.workflows.scope.rubric_check import unknown_grader

#: What a case may be told.
CASE_KEYS = (
    "question",
    "answer",
    "context",
    "reference",
    "facts",
    "must_have",
    "document",
    "claim",
    "task_type",
    "language",
)
_LISTS = ("context", "reference", "facts", "must_have")
#: Reasons for which a cell counts neither way: what does not apply, and a missing measurement, for
#: which no reading makes up.
OUTSIDE = (NOT_APPLICABLE, NOT_MEASURED)


@dataclass(frozen=True, slots=True)
class Quoted:
    """What a verdict quotes: `part` is empty where the criterion has none, `value` None where there
    is none; `found` says whether the quote stands in the text, None where nothing was quoted."""

    criterion: str
    part: str
    value: Value | None
    quote: str
    found: bool | None
    rationale: str


@dataclass(frozen=True, slots=True)
class Beside:
    """A value that was given on a cell and does not count there."""

    criterion: str
    part: str
    author: str
    value: Value | None


@dataclass(frozen=True, slots=True)
class Metadata:
    """How a case was graded.

    `cost` is in US dollars (None where a price is unknown, 0.0 for replies from the ledger);
    `seconds` that the model took; `cached` if nothing was sent; `beside` what was given and does
    not count; `claims_by` who split the answer into claims, "" where no criterion has claims;
    `scores` by criterion, None where one has none; `undecided` and `left_out` hold reasons by
    criterion, the latter of those that neither judge nor rule grades.
    """

    judge: str
    version: str
    cost: float | None
    seconds: float
    cached: bool
    calls: int
    beside: tuple[Beside, ...] = ()
    claims_by: str = ""
    scores: Mapping[str, float | None] = field(default_factory=dict)
    undecided: Mapping[str, str] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one case.

    * ``passed``: whether all that was graded is good enough; None if something that counts could
      not be graded, or if the rubric does not say which of its labels are good; ``undecided`` in
      the metadata says why, per criterion
    * ``score``: the mean of the criteria from 0 to 1; None likewise, and where no criterion has a
      score
    * ``feedback``: a line per criterion, in words
    * ``evidence``: per verdict its quotes, or one without a quote
    * ``verdicts``: the verdict that counts on each cell; where judge and rules grade a criterion,
      by the policy of suggestions
    * ``metadata``: who graded it, what that cost and what does not count
    """

    passed: bool | None
    score: float | None
    feedback: str
    evidence: tuple[Quoted, ...]
    verdicts: tuple[Verdict, ...]
    metadata: Metadata


def read_case(found: Mapping[str, Any], number: int) -> Subject:
    """The subject that a case describes; UsageError for keys that do not fit together."""
    where = f"evaluate, case {number + 1}"
    if unknown := sorted(set(found) - set(CASE_KEYS)):
        raise UsageError(
            **error_parts(
                "evaluate.error.key", where=where, found=unknown[0], keys=", ".join(CASE_KEYS)
            )
        )
    checks = "document" in found or "claim" in found
    if checks and not (found.get("document") and found.get("claim")):
        raise UsageError(**error_parts("evaluate.error.half_a_claim", where=where))
    if checks and "answer" in found:
        raise UsageError(**error_parts("evaluate.error.claim_and_answer", where=where))
    if not checks and "answer" not in found:
        raise UsageError(**error_parts("evaluate.error.no_answer", where=where))
    for key in ("question", "answer", "document", "claim", "task_type", "language"):
        if not isinstance(found.get(key, ""), str):
            raise UsageError(
                **error_parts(
                    "evaluate.error.no_text", where=where, field=key, type=type(found[key]).__name__
                )
            )
    if (task := found.get("task_type", "unknown")) not in TASK_TYPES:
        raise UsageError(
            **error_parts(
                "evaluate.error.task_type",
                where=where,
                found=repr(task),
                types=", ".join(TASK_TYPES),
            )
        )
    context, references, facts, must_have = (
        _texts(found.get(key), f"{where}, {key}") for key in _LISTS
    )
    name = f"case-{number + 1}"
    question = Question(
        id=name,
        text=found.get("question", ""),
        task_type=task,
        language=found.get("language", ""),
        context=(found["document"], *context) if checks else context,
        references=references,
        facts=facts,
        must_have=must_have,
    )
    metadata = {"claims": (found["claim"],)} if checks else {}
    text = found["claim"] if checks else found["answer"]
    return with_claims(
        Subject(question, Answer(question_id=name, model="", text=text, metadata=metadata))
    )


@dataclass(frozen=True)
class Shares:
    """Who grades what of a case: criteria that the judge is asked about, those that rules alone
    decide, and why others are left out."""

    judged: tuple[Criterion, ...]
    ruled: tuple[Criterion, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)


def shares(rubric: Rubric, found: Mapping[str, Any]) -> Shares:
    """Who grades what of a case, as in a run: the judge what names it, rules what names only them,
    nobody what people decide.

    A rubric that names no grader at all is the judge's, but for what its `review` gives to people.
    A bare claim is graded by the criteria about claims. UsageError where nothing is left to grade
    by.
    """
    criteria = [c for c in rubric.criteria if c.elements == "claims" or "claim" not in found]
    if not criteria:
        raise UsageError(**error_parts("evaluate.error.no_claims", name=rubric.name))
    named = any(c.graders for c in rubric.criteria)
    rules = set(discovery.names("rules"))
    judged, ruled, left_out = [], [], {}
    for criterion in criteria:
        if criterion.grader("judge") or (
            not named and not _peoples(criterion, found.get("task_type", "unknown"))
        ):
            judged.append(criterion)
            continue
        if error := unknown_grader(criterion):
            raise error
        if any(ref.name in rules for ref in criterion.graders):
            ruled.append(criterion)
        else:
            left_out[criterion.name] = (
                say("evaluate.left_out.metrics")
                if criterion.graders
                else say("evaluate.left_out.people")
            )
    if not judged and not ruled:
        raise UsageError(**error_parts("evaluate.error.no_grader", name=rubric.name))
    return Shares(tuple(judged), tuple(ruled), left_out)


def _peoples(criterion: Criterion, task_type: str) -> bool:
    """Whether the rubric says that people decide a criterion on a task type."""
    return (criterion.review.get(task_type) or criterion.review.get("default")) == "people"


def result_of(
    verdicts: Sequence[Verdict],
    criteria: Sequence[Criterion],
    threshold: float | None,
    metadata: Metadata,
    left_out: Mapping[str, str] | None = None,
) -> Result:
    """The result of a case from its verdicts, one per cell; `left_out` says of criteria that are
    not graded why."""
    lines, scores, states, undecided = [], {}, [], {}
    missing = False
    for criterion in criteria:
        own = [v for v in verdicts if v.criterion == criterion.key]
        counted = [v for v in own if v.mark.reason not in OUTSIDE]
        scored = bool(criterion.scores) or criterion.scale.is_ordered
        values = [
            None if v.mark.value is None else criterion.score_of(v.mark.value) for v in counted
        ]
        lines.append(_line(criterion, own))
        if not counted:
            continue
        lacking = [v.mark.reason for v in counted if v.mark.value is None]
        known = [value for value in values if value is not None]
        missing = missing or bool(lacking)
        if scored:
            scores[criterion.name] = sum(known) / len(values) if len(known) == len(values) else None
        state = _state(criterion, known, len(values), threshold) if scored else None
        states.append(state)
        if state is None:
            undecided[criterion.name] = (
                say("evaluate.not_graded", reason=lacking[0])
                if lacking
                else say("evaluate.no_scores")
            )
            if not lacking:
                lines[-1] += " " + say("evaluate.no_scores_sentence")
    lines += [f"{name}: left out, {why}." for name, why in (left_out or {}).items()]
    numbers = [score for score in scores.values() if score is not None]
    return Result(
        passed=False if False in states else None if None in states or not states else True,
        score=sum(numbers) / len(scores) if numbers and not missing else None,
        feedback="\n".join(lines),
        evidence=tuple(_evidence(v, e) for v in verdicts for e in (v.mark.evidence or (None,))),
        verdicts=tuple(verdicts),
        metadata=replace(
            metadata, scores=scores, undecided=undecided, left_out=dict(left_out or {})
        ),
    )


def _state(
    criterion: Criterion, known: Sequence[float], total: int, threshold: float | None
) -> bool | None:
    """Whether a criterion is good enough, as soon as that is certain whatever the cells without a
    value are."""
    if threshold is None:
        least = 1.0 if len(criterion.scale.labels) == 2 and not criterion.scores else 0.5
        if least == 1.0 and any(value < 1 for value in known):
            return False
    else:
        least = threshold
    # What has no value may still be anything from 0 to 1. A little is left for rounding.
    lowest, highest = sum(known) / total, (sum(known) + total - len(known)) / total
    return True if lowest >= least - 1e-9 else False if highest < least - 1e-9 else None


def _line(criterion: Criterion, verdicts: Sequence[Verdict]) -> str:
    """What was found on a criterion, in words; counts are counted here."""
    if not verdicts:
        return say("evaluate.nothing_to_grade", name=criterion.name)
    if not verdicts[0].part:
        return f"{criterion.name}: {_words(verdicts[0])}"
    rest = [
        "  " + f"{_said(v)}: {v.part} {v.mark.rationale}".rstrip()
        for v in verdicts
        if v.mark.value is None or criterion.score_of(v.mark.value) != 1
    ]
    # a reader takes "0 of 3" for yes and no
    best = "" if len(criterion.scale.labels) == 2 else say("evaluate.at_best")
    return "\n".join(
        [f"{criterion.name}: {len(verdicts) - len(rest)} of {len(verdicts)}{best}.", *rest]
    )


def _words(verdict: Verdict) -> str:
    return f"{_said(verdict)}. {verdict.mark.rationale}".rstrip()


def _said(verdict: Verdict) -> str:
    mark = verdict.mark
    return str(mark.value) if mark.value is not None else f"not graded ({mark.reason})"


def _evidence(verdict: Verdict, evidence: Evidence | None) -> Quoted:
    return Quoted(
        criterion=verdict.criterion.rpartition("/")[2],
        part=verdict.part,
        value=verdict.mark.value,
        quote=evidence.quote if evidence else "",
        found=evidence.found if evidence else None,
        rationale=verdict.mark.rationale,
    )


def _texts(found: Any, where: str) -> tuple[str, ...]:
    """One text or several; empty for none."""
    texts = () if found is None or found == "" else (found,) if isinstance(found, str) else found
    if not isinstance(texts, Sequence) or not all(isinstance(text, str) for text in texts):
        raise UsageError(
            **error_parts("evaluate.error.no_texts", where=where, type=type(found).__name__)
        )
    return tuple(texts)
