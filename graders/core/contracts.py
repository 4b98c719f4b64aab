"""What each kind of part must be. A class that breaks its contract fails when it is defined, with a sentence.

Parts are frozen dataclasses: their fields are the options that a rubric or a setting may set, `version` says
which revision of the code made a result, and one method does the work.
"""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Protocol

from graders.core.errors import ContractError
from graders.core.records import (
    Answer,
    AuthorKind,
    BadRow,
    Mark,
    MetricValue,
    Problem,
    Question,
    Reply,
    Request,
    Subject,
    SubjectKey,
    Verdict,
)
from graders.core.rubric import Criterion, Rubric
from graders.core.scale import Scale


class Part(abc.ABC):
    """Base of all parts. `needs` names the class attributes and methods that a concrete class must define."""

    needs: ClassVar[tuple[str, ...]] = ("version", "about")
    kind: ClassVar[str] = "part"
    #: Set by discovery to the file name: the folder is the registry, the file name is the name.
    name: ClassVar[str] = ""
    version: ClassVar[str]
    about: ClassVar[str]

    def __init_subclass__(cls, abstract: bool = False, **more: Any) -> None:
        super().__init_subclass__(**more)
        if abstract:
            return
        missing = [need for need in cls.needs if not hasattr(cls, need) or getattr(getattr(cls, need), "__isabstractmethod__", False)]
        if missing:
            raise ContractError(
                f"{cls.kind} {cls.__name__} in {cls.__module__}",
                found=f"no {', no '.join(missing)}",
                expected=f"a {cls.kind} with {', '.join(cls.needs)}",
                remedy=f"Define {missing[0]} in the class.",
            )

    def options(self) -> dict[str, Any]:
        """The values of all fields, as a rubric would write them."""
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self)} if dataclasses.is_dataclass(self) else {}


class Rule(Part, abstract=True):
    """A deterministic grader: code that decides, or says that it cannot.

    `grade` gives a mark on the criterion's scale, or unscored (``not_decisive`` where a rule measures something
    that does not settle the criterion). `default_scale` serves where a rubric names none.
    """

    kind = "rule"
    needs = ("version", "about", "default_scale", "grade")
    default_scale: ClassVar[Scale]

    @abc.abstractmethod
    def grade(self, subject: Subject, criterion: Criterion) -> Mark: ...


class Encoder(Protocol):
    """Vectors of texts, computed once for all that ask. Arrays are numpy, float32, rows of unit length."""

    def prepare(self, texts: Sequence[str], languages: Sequence[str]) -> None:
        """Encode all `texts` that are not known yet, in one pass."""

    def sentence(self, text: str, language: str) -> Any:
        """Sentence vector of shape (d,), or None where no model fits the language."""

    def tokens(self, text: str, language: str) -> Any:
        """Token vectors of shape (n, d), or None where no model gives them for the language."""

    def version(self, language: str) -> str:
        """Model and dtype that serve the language; stored with every value."""


class Metric(Part, abstract=True):
    """A number about an answer; no opinion. `outputs` are the metrics that one computation gives.

    `compute` takes one entry per subject and gives the values of all `outputs` for it. `references` are the
    texts to compare with (best match counts, its position is kept); empty means there is none.
    """

    kind = "metric"
    needs = ("version", "about", "outputs", "compute")
    outputs: ClassVar[tuple[str, ...]]
    #: Whether `compute` needs an encoder: the workflow then prepares all texts in one pass.
    encodes: ClassVar[bool] = False

    @abc.abstractmethod
    def compute(
        self, subjects: Sequence[Subject], references: Sequence[Sequence[str]], encoder: Encoder | None
    ) -> list[list[MetricValue]]: ...


class Judge(Part, abstract=True):
    """An AI that gives verdicts, as two pure methods: what to ask, and how to read the reply."""

    kind = "judge"
    needs = ("version", "about", "author", "requests", "read", "recipe_hash")

    @property
    @abc.abstractmethod
    def author(self) -> str:
        """The name under which verdicts are stored, such as ``openai:gpt-4o``."""

    @abc.abstractmethod
    def requests(self, subjects: Sequence[Subject], rubric: Rubric, criteria: Sequence[Criterion]) -> list[Request]:
        """The calls that grade all `criteria` of all `subjects`."""

    @abc.abstractmethod
    def read(self, request: Request, reply: Reply, subjects: Mapping[SubjectKey, Subject], rubric: Rubric) -> list[Verdict | Problem]:
        """Verdicts of a reply; a Problem where it cannot be used. Never raises for what a model wrote."""

    @abc.abstractmethod
    def recipe_hash(self, rubric: Rubric) -> str:
        """Names template, examples, model, settings and schema version."""

    def unscored(self, request: Request, rubric: Rubric, cause: str, detail: str = "", given: Sequence[Any] = ()) -> list[Verdict]:
        """Verdicts ``unscored`` for those cells of a request that `given` (what `read` made) has no verdict for."""
        done = {(v.criterion, v.part) for v in given if isinstance(v, Verdict)}
        criteria = [rubric.criterion(name) for name in request.criteria]
        return [
            Verdict(
                subject=key,
                criterion=c.key,
                part=part,
                author=self.author,
                author_kind="judge",
                mark=Mark.unscored(cause, detail),
                criterion_hash=c.criterion_hash,
                recipe_hash=self.recipe_hash(rubric),
                grader_version=self.version,
            )
            for key in request.subjects
            for c in criteria
            for part in c.parts or ("",)
            if (c.key, part) not in done
        ]


class Provider(Part, abstract=True):
    """Carries a request to a model and brings the reply, one send each. Failures are replies with a cause."""

    kind = "provider"
    needs = ("version", "about", "send", "aclose")

    @abc.abstractmethod
    async def send(self, request: Request, timeout: float) -> Reply:
        """One send, no retries. Never raises for what the network or the provider did."""

    @abc.abstractmethod
    async def aclose(self) -> None:
        """Close the client."""


#: The roles a column of a table may have. `answer` columns carry one model's answers (wide) or all answers (long).
ROLES = (
    "ignore",
    "question",
    "answer",
    "question_id",
    "model",
    "category",
    "task_type",
    "language",
    "detail",
    "reference",
    "context",
    "facts",
    "must_have",
    "time_to_first_token",
    "total_seconds",
    "input_tokens",
    "output_tokens",
    "cost",
    "finish_reason",
    "metadata",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of a table: where it stands, its header, the role guessed or chosen, and for wide tables the model."""

    index: int
    header: str
    role: str = "ignore"
    model: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What an importer sees in a file before anything is written; every choice may be changed and given to `read`."""

    layout: str = ""  # wide | long | exchange
    encoding: str = ""
    separator: str = ""
    has_header: bool = True
    sheet: str = ""
    sheets: tuple[str, ...] = ()
    columns: tuple[Column, ...] = ()
    first_rows: tuple[tuple[str, ...], ...] = ()
    rows: int | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedVerdict:
    """A verdict as a file states it: names and values not yet matched to the project. `row`, `file` for messages."""

    author: str
    author_kind: AuthorKind
    question_id: str
    model: str
    criterion: str
    value: Any
    fields: Mapping[str, Any] = field(default_factory=dict)
    file: str = ""
    row: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedRow:
    """Any other row of the exchange format (metrics, routes, screens, ...), as found."""

    table: str
    fields: Mapping[str, Any]
    file: str = ""
    row: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A record with the place it came from, so that later checks can name file and row."""

    record: Question | Answer | ImportedVerdict | ImportedRow
    file: str
    row: int


Imported = Placed | BadRow


class Importer(Part, abstract=True):
    """Reads one format. `suffixes` are the endings it takes; `fits` decides where several take one."""

    kind = "importer"
    needs = ("version", "about", "suffixes", "fits", "look", "read")
    suffixes: ClassVar[tuple[str, ...]]

    @abc.abstractmethod
    def fits(self, path: Path) -> int:
        """0 if this importer cannot read `path`; else the higher the better it fits."""

    @abc.abstractmethod
    def look(self, path: Path, choices: Look | None = None) -> Look:
        """What is in the file; `choices` overrides guesses (encoding, separator, header, sheet)."""

    @abc.abstractmethod
    def read(self, path: Path, look: Look) -> Iterator[Imported]:
        """All records and all bad rows, in file order. Never raises for a bad row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """All of a project as plain rows, for exporters. `tables` maps a table's name to its rows in stable order.

    Tables: the exchange format's (questions, answers, human, judge, metrics, routes, screens, assignments, people,
    calls) and `cells` (one row per cell with final value, source, suggestion and route).
    """

    project: Mapping[str, Any]
    rubrics: Mapping[str, str]
    tables: Mapping[str, Sequence[Mapping[str, Any]]]


class Exporter(Part, abstract=True):
    """Writes a snapshot to one file (`suffix` of it) or folder."""

    kind = "exporter"
    needs = ("version", "about", "suffix", "write")
    suffix: ClassVar[str]

    @abc.abstractmethod
    def write(self, snapshot: Snapshot, target: Path) -> None: ...


__all__ = [
    "ROLES",
    "Answer",
    "Column",
    "Encoder",
    "Exporter",
    "Imported",
    "ImportedRow",
    "ImportedVerdict",
    "Importer",
    "Judge",
    "Look",
    "Metric",
    "Part",
    "Placed",
    "Provider",
    "Rule",
    "Snapshot",
]
