"""The records that travel through the house. Words as in docs/words.md.

Nothing here knows a database, a page or a provider. Absence has a name: a missing number is None
with a reason beside it, never 0 and never NaN.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from graders.core.hashing import SharedPart, canonical
from graders.core.scale import Value

TaskType = Literal["factual", "creative", "unknown"]
TASK_TYPES: tuple[TaskType, ...] = ("factual", "creative", "unknown")
Status = Literal["ok", "unscored", "error"]
VerdictKind = Literal["given", "amends", "retracts"]
AuthorKind = Literal["person", "judge", "rule"]
Arm = Literal["blind", "assisted"]
#: ``adaptive``: an ordinary screen that came early or late for what machines said of it, blind or
#: not; ``repeat``: a second look of the same person, which stands beside the first and never in its
#: place; ``gold``: a screen with an answer of which a lead knows the value; ``control``: a screen
#: with a copy of an answer that has a known fault, in no figure about the answers; ``placed``: a
#: screen that asks about cells of one criterion that were chosen for what their labels decide, no
#: sample of any others; ``imported_test``: a label from a file that was kept for a test.
Design = Literal[
    "calibration",
    "audit",
    "blind_arm",
    "ordinary",
    "adaptive",
    "placed",
    "repeat",
    "gold",
    "control",
    "practice",
    "imported",
    "imported_test",
    "adjudication",
    "asked",
]

#: Why a call to a provider did not give a usable reply. Every resend names one of these.
CAUSES = (
    "rate_limited",
    "server_error",
    "timeout",
    "connection",
    "truncated_body",
    "malformed",
    "off_scale",
    "length_stop",
    "empty",
    "refusal",
    "bad_request",
    "wrong_key",
    "quota",
    "model_missing",
    "unreachable",
)
#: Why a call is sent again that an earlier start of a run, or an earlier run, had sent: it ended
#: before the reply came, it had given the call up, what it was replied was deleted since, or the
#: provider lost the batch. A reply that it could not use names one of CAUSES.
IN_FLIGHT, GIVEN_UP, DELETED, BATCH_GONE = (
    "in flight when the run ended",
    "given up before",
    "reply deleted",
    "batch gone",
)
#: Why a judge is asked once more that gave a usable reply: what it quotes is not in the answer.
#: That reply stays, and the further one is a call of its own. The same words are the reason for
#: which such a cell goes to people.
MISQUOTED = "quote not in the answer"
#: Why people decide where a rule detects: a judge's value says otherwise, or there is none; and
#: where a person confirmed or added a fault that no judge's value shows.
AGAINST_JUDGE, RULE_ALONE = "rule and judge differ", "rule without a judge"
CONFIRMED = "fault confirmed"
IN_DOUBT = (AGAINST_JUDGE, RULE_ALONE, CONFIRMED)
#: Causes of a resend whose earlier send brought no reply, and may have been charged.
PERHAPS_PAID = ("timeout", "connection", "truncated_body", IN_FLIGHT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What the models were asked. `id` is unique within a project."""

    id: str
    text: str
    category: str = ""
    task_type: TaskType = "unknown"
    language: str = ""
    detail: str = ""
    references: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    must_have: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One model's reply to one question; a changed text is a new `version`. Seconds and money are
    floats."""

    question_id: str
    model: str
    text: str
    version: int = 1
    time_to_first_token: float | None = None
    total_seconds: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    finish_reason: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)


class SubjectKey(NamedTuple):
    """The name of what is graded: one answer version, or an ordered pair (then `other` names the
    second model)."""

    question_id: str
    model: str
    version: int = 1
    other: str = ""
    other_version: int = 0


@dataclass(frozen=True, slots=True)
class Subject:
    """What a grader looks at: a question with one answer, or with an ordered pair of answers."""

    question: Question
    answer: Answer
    other: Answer | None = None

    @property
    def key(self) -> SubjectKey:
        first, second = self.answer, self.other
        if second is None:
            return SubjectKey(first.question_id, first.model, first.version)
        return SubjectKey(
            first.question_id, first.model, first.version, second.model, second.version
        )


@dataclass(frozen=True, slots=True)
class Evidence:
    """A quote that a verdict rests on. `found` is None until it was looked for in the answer.

    `quote` empty and `absent` true means: the thing asked for is not there. `start`, `end` are
    character offsets into the answer's text.
    """

    quote: str = ""
    absent: bool = False
    found: bool | None = None
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """The content of a verdict, without its author: what a rule, a judge or a person thinks of one
    cell.

    `value` is None exactly when `status` is not ``ok``; then `reason` names why
    (``not_applicable``, ``not_decisive``, ``no_reference``, ``language``, a cause of a provider,
    ...).
    """

    value: Value | None = None
    status: Status = "ok"
    reason: str = ""
    confidence: float | None = None
    confidence_kind: str = ""
    rationale: str = ""
    evidence: tuple[Evidence, ...] = ()

    def __post_init__(self) -> None:
        if (self.value is None) == (self.status == "ok"):
            raise ValueError(
                f"a mark with status {self.status!r} and value {self.value!r}: "
                "a value belongs to ok, and only to ok"
            )

    @classmethod
    def unscored(cls, reason: str, rationale: str = "") -> Mark:
        """No value, for a named reason."""
        return cls(status="unscored", reason=reason, rationale=rationale)


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """How a person's verdict came about. `after_reveal`: judges' values on earlier blind screens
    had been shown to the person."""

    arm: Arm = "blind"
    design: Design = "imported"
    probability: float = 1.0
    action: str = "typed"
    seconds: float | None = None
    judges_seen: tuple[str, ...] = ()
    shown_beside: tuple[str, ...] = ()
    order: int | None = None
    fault_of: str = ""
    comment: str = ""
    after_reveal: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """One opinion about one cell. People and machines write the same record; rows are only ever
    appended."""

    subject: SubjectKey
    criterion: str
    author: str
    author_kind: AuthorKind
    mark: Mark
    part: str = ""
    kind: VerdictKind = "given"
    amends: str = ""
    criterion_hash: str = ""
    recipe_hash: str = ""
    inputs: str = ""
    grader_version: str = ""
    cost: float | None = None
    provenance: Provenance | None = None
    id: str = ""
    created_at: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricValue:
    """A number that a metric computed about an answer; no opinion.

    `reference` is the position of the best matching reference, None where the metric needs none.
    """

    metric: str
    value: float | None = None
    status: Status = "ok"
    reason: str = ""
    reference: int | None = None
    version: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownCell:
    """One cell of a criterion with all that is known about it, for judges that are derived rather
    than asked.

    `judges`: marks of the judges that were asked, by author; `rules`: marks of rules, by name;
    `metrics`: values, None where there is none; characters as people count them; `people`: the
    value to learn from (given blind), None without one; `weight`: 1/probability of that value's
    draw.
    """

    subject: SubjectKey
    part: str = ""
    judges: Mapping[str, Mark] = field(default_factory=dict)
    rules: Mapping[str, Mark] = field(default_factory=dict)
    metrics: Mapping[str, float | None] = field(default_factory=dict)
    answer_characters: int = 0
    question_characters: int = 0
    people: Value | None = None
    weight: float = 1.0

    @property
    def question_id(self) -> str:
        return self.subject.question_id


_PAYLOADS = SharedPart(canonical)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One call to a model, as data. Two equal requests (sample and occasion included) are the same
    purchase.

    `messages` are (role, text) pairs; `schema` is a JSON schema for the reply or None for free
    text. `elements` are the entries of a checklist that a criterion asks about, in the order of
    their numbers; `metadata` is what verdicts of its reply are marked with; `again` is why it is
    asked though its like was answered, which the ledger notes.
    """

    subjects: tuple[SubjectKey, ...]
    provider: str
    model: str
    messages: tuple[tuple[str, str], ...]
    schema: Mapping[str, Any] | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    sample: int = 0
    occasion: str = ""
    criteria: tuple[str, ...] = ()
    elements: tuple[tuple[str, tuple[str, ...]], ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    again: str = ""

    def parts_of(self, criterion: Any) -> tuple[str, ...]:
        """The parts of a criterion that the call asks about; ("",) for one without."""
        return dict(self.elements).get(criterion.key) or criterion.parts or ("",)

    def payload(self) -> str:
        """What decides the reply, everything but who asks for which cells, as canonical JSON."""
        tree = {
            "provider": self.provider,
            "model": self.model,
            "messages": [list(m) for m in self.messages],
            "schema": self.schema and SharedPart.PLACE,
            "settings": dict(self.settings),
            "sample": self.sample,
            "occasion": self.occasion,
        }
        return _PAYLOADS.text(tree, self.schema or None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What came back from a provider. `cause` is empty for a reply that carries a text, else one of
    CAUSES.

    `first_token_seconds`: when the first piece of a streamed text came; None without streaming.
    `logprobs`: (token, natural logarithm of its probability) for the tokens of the text, where they
    were asked for and the provider gives them.
    """

    text: str = ""
    cause: str = ""
    detail: str = ""
    raw: str = ""
    finish_reason: str = ""
    input_tokens: int | None = None
    cached_tokens: int | None = None
    output_tokens: int | None = None
    seconds: float | None = None
    retry_after: float | None = None
    model: str = ""
    first_token_seconds: float | None = None
    logprobs: tuple[tuple[str, float], ...] | None = None

    def __post_init__(self) -> None:
        if self.logprobs is not None:  # JSON, in which replies are stored, knows lists only
            object.__setattr__(
                self,
                "logprobs",
                tuple((str(token), float(value)) for token, value in self.logprobs),
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchState:
    """How far a batch of requests is: `done` of `total` (0 while the provider still counts), and
    whether it `ended`."""

    done: int
    total: int
    ended: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Why a judge could not read a reply: a cause of CAUSES and what was found."""

    cause: str
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BadRow:
    """A row that cannot be imported. `row` counts from 1: in tables as a spreadsheet shows the rows
    (header and empty ones included), in JSONL and text the line, in a JSON list the place in it, in
    Parquet the row. `line` is where it begins in the file, if that is another number (texts with
    line breaks in cells, lists), else 0.
    """

    file: str
    row: int
    column: str
    found: str
    expected: str
    remedy: str = ""
    line: int = 0

    @property
    def place(self) -> str:
        """``row 5``, with the line in which it begins where that is another number."""
        return f"row {self.row} (line {self.line})" if self.line else f"row {self.row}"
