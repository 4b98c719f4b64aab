"""What each kind of part must be. A class that breaks its contract fails when it is defined, with a
sentence.

Parts are frozen dataclasses: their fields are the options that a rubric or a setting may set,
`version` says which revision of the code made a result, and one method does the work. What all of
them share is in `part`, judges are in `judge_contracts`; who writes a part finds both here.
"""

from __future__ import annotations

import abc
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, ClassVar, Protocol

from graders.core.errors import ContractError
from graders.core.examples import FaultExample, check_examples
from graders.core.imported import (
    FIGURES,
    OF_ONE_MODEL,
    ROLES,
    Chosen,
    Column,
    Imported,
    ImportedRow,
    ImportedVerdict,
    Look,
    Mended,
    Placed,
    Table,
)
from graders.core.judge_contracts import (
    AnyJudge,
    DerivedJudge,
    Judge,
    inputs_hash,
    lacks_reference,
)
from graders.core.part import Part
from graders.core.records import (
    BatchState,
    Mark,
    MetricValue,
    Question,
    Reply,
    Request,
    Subject,
)
from graders.core.rubric import Criterion
from graders.core.scale import Scale
from graders.core.words import error_parts

#: How bad a named fault is for a reader.
SEVERITIES = ("minor", "major", "critical")


class Finding(StrEnum):
    """What stands behind a rule's values.

    `MEASURED`: seconds, characters, equal texts; such a value decides. `DETECTED`: a pattern that
    mostly tells the truth; such a value points out, and a judge or a person decides. `EITHER`:
    measured where a mark states confidence 1, else detected.
    """

    MEASURED = "measured"
    DETECTED = "detected"
    EITHER = "either"


class Rule(Part, abstract=True):
    """A deterministic grader: code that measures or detects, or says that it cannot.

    `grade` gives a mark on the criterion's scale, or unscored (``not_decisive`` where a rule
    measures something that does not settle the criterion). `default_scale` serves where a rubric
    names none.

    A rule that finds a named fault, by giving the worst value, says which: `fault` (a stable name),
    `fault_title` (words), `severity` (minor, major or critical), `speaks_to` (the bare name of a
    criterion that the fault counts against), `why` (what it costs a reader) and `misses` (what it
    is known to overlook or to take for the fault). `present` and `absent` are examples with the
    fault and without, `missed` such as the rule takes wrongly: they are its tests.
    `fault_about` says when an answer has the fault, in words for a reader who is to look for it.
    `finding` says whether its values are measured, and so decide, or detected, and so only point
    out; a rule that states nothing detects. `closes` is a reason for which the rule says that there
    is nothing to grade: what cannot be read, what is not asked for; where it measures, that is
    final, and nobody need look. `unseen` is true where no reader can tell by looking (seconds, a
    number of characters): no judge and no blind screen asks about it.
    """

    kind = "rule"
    needs = ("version", "about", "default_scale", "grade")
    texts = ("about", "fault_title", "fault_about", "why", "misses")
    default_scale: ClassVar[Scale]
    fault: ClassVar[str] = ""
    fault_title: ClassVar[str] = ""
    severity: ClassVar[str] = ""
    speaks_to: ClassVar[str] = ""
    why: ClassVar[str] = ""
    misses: ClassVar[str] = ""
    present: ClassVar[tuple[FaultExample, ...]] = ()
    absent: ClassVar[tuple[FaultExample, ...]] = ()
    missed: ClassVar[tuple[FaultExample, ...]] = ()
    fault_about: ClassVar[str] = ""
    finding: ClassVar[Finding] = Finding.DETECTED
    unseen: ClassVar[bool] = False
    closes: ClassVar[str] = ""

    def __init_subclass__(cls, abstract: bool = False, **more: Any) -> None:
        super().__init_subclass__(abstract=abstract, **more)
        said = ("fault_title", "severity", "speaks_to", "why", "misses")
        missing = [name for name in said if cls.fault and not getattr(cls, name)]
        if missing or (cls.fault and cls.severity not in SEVERITIES):
            raise ContractError(
                **error_parts(
                    f"core.contracts.{'fault' if missing else 'severity'}",
                    name=cls.__name__,
                    module=cls.__module__,
                    fault=cls.fault,
                    severity=cls.severity,
                    missing=", no ".join(missing),
                    first=(missing or ["severity"])[0],
                    severities=", ".join(SEVERITIES),
                )
            )
        if not isinstance(cls.finding, Finding):
            raise ContractError(
                **error_parts(
                    "core.contracts.field",
                    kind=cls.kind,
                    name=cls.__name__,
                    module=cls.__module__,
                    found=f"finding = {cls.finding!r}"[:80],
                    expected=", ".join(f"Finding.{one.name}" for one in Finding),
                )
            )
        if cls.fault:
            check_examples(
                f"rule {cls.__name__} in {cls.__module__}", cls.present, cls.absent, cls.missed
            )

    @abc.abstractmethod
    def grade(self, subject: Subject, criterion: Criterion) -> Mark: ...

    @classmethod
    def can_have(cls, question: Question) -> bool:
        """Whether an answer to this question can have the fault at all: a rule that looks for what
        was asked says so by the question alone."""
        return True


class Encoder(Protocol):
    """Vectors of texts, computed once for all that ask. Arrays are numpy, float32, rows of unit
    length."""

    def prepare(self, texts: Sequence[str], languages: Sequence[str]) -> None:
        """Encode all `texts` that are not known yet, in one pass."""

    def sentence(self, text: str, language: str) -> Any:
        """Sentence vector of shape (d,), or None where no model fits the language."""

    def tokens(self, text: str, language: str) -> Any:
        """Token vectors of shape (n, d), or None where no model gives them for the language."""

    def version(self, language: str) -> str:
        """Model and dtype that serve the language; stored with every value."""


class Metric(Part, abstract=True):
    """A number about an answer; no opinion. `outputs` are the values that one computation gives;
    where there is room for one of them, `lead` is shown, or the first.

    `compute` takes one entry per subject and gives the values of all `outputs` for it. `references`
    are the texts to compare with (best match counts, its position is kept); empty means there is
    none.
    """

    kind = "metric"
    needs = ("version", "about", "outputs", "compute")
    texts = ("about",)
    lead: ClassVar[str] = ""
    #: What `references` are: the reference answers, or the texts of the best answers to the same
    #: question.
    against: ClassVar[str] = "reference"
    outputs: ClassVar[tuple[str, ...]]
    #: Whether `compute` needs an encoder: the workflow then prepares all texts in one pass.
    encodes: ClassVar[bool] = False
    #: Whether it counts what no screen of the desk shows (characters): a blind screen then does not
    #: ask people to guess it.
    unseen: ClassVar[bool] = False

    @abc.abstractmethod
    def compute(
        self,
        subjects: Sequence[Subject],
        references: Sequence[Sequence[str]],
        encoder: Encoder | None,
    ) -> list[list[MetricValue]]: ...


class Provider(Part, abstract=True):
    """Carries a request to a model and brings the reply, one send each. Failures are replies with a
    cause."""

    kind = "provider"
    needs: ClassVar[tuple[str, ...]] = ("version", "about", "send", "aclose")
    texts = ("about",)
    #: The word before a model's name, such as ``openai`` in ``openai:gpt-4o``; empty for the file's
    #: name. It is not inherited.
    short: ClassVar[str] = ""
    #: Calls at once where answers are collected and nobody says otherwise.
    at_once: ClassVar[int] = 8

    @abc.abstractmethod
    async def send(self, request: Request, timeout: float) -> Reply:
        """One send, no retries. Never raises for what the network or the provider did."""

    @abc.abstractmethod
    async def aclose(self) -> None:
        """Close the client."""

    def prepare(self) -> None:
        """Make what the first send would have to make, so that no call that is timed waits for it.
        Never raises, sends nothing."""

    def left_out(self, request: Request) -> tuple[str, ...]:
        """Names of the settings of `request` that are not sent, because its model is known not to
        take them."""
        return ()

    def remedy(self, cause: str) -> str:
        """What a person can do about `cause` with this provider, as one sentence; empty where
        nothing particular."""
        return ""


class BatchProvider(Provider, abstract=True):
    """A provider that also takes many requests at once, and answers within a day for less money.

    Nothing is kept in memory: the handle alone leads back to the batch, from any process. All three
    methods raise ProviderError with the cause where the provider cannot be reached or refuses,
    BatchGone where it does not know the handle; what became of one request is its Reply.
    """

    needs = (*Provider.needs, "price_share", "submit", "poll", "fetch")
    #: What a batch costs, as a share of the price of single sends.
    price_share: ClassVar[float]

    @abc.abstractmethod
    async def submit(self, requests: Mapping[str, Request], mark: str = "") -> str:
        """Hand in `requests` under their keys in the ledger; the batch's handle. InputError for
        what no batch can hold.

        `mark` is our own name for the batch, by which `search` finds it where the provider keeps
        such names.
        """

    async def search(self, mark: str, count: int, since: float, known: Collection[str]) -> str:
        """The handle of a batch of `count` requests that was handed in under `mark`, not before
        `since` (seconds since the epoch).

        Empty where there is none. `known` are handles of other batches. For the case that a process
        ended before it noted the handle.
        """
        return ""

    @abc.abstractmethod
    async def poll(self, handle: str) -> BatchState:
        """How far the batch is."""

    @abc.abstractmethod
    async def fetch(self, handle: str) -> Mapping[str, Reply]:
        """The replies of a batch that has ended, by key; its failures have a cause. A key that is
        absent was not answered.

        BatchRefused where the provider refused the batch as a whole.
        """


class Importer(Part, abstract=True):
    """Reads one format. `suffixes` are the endings it takes; `fits` decides where several take
    one."""

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

    def cells(self, path: Path, look: Look, rows: Collection[int]) -> Table | None:
        """The rows with these numbers as the file has them, to be mended in a table of their own;
        None where the file is no table."""
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """All of a project as plain rows, for exporters. `tables` maps a table's name to its rows in
    stable order.

    Tables: the exchange format's (questions, answers, human, judge, metrics, routes, screens,
    assignments, people, calls), `cells` (one row per cell with final value, source, suggestion and
    route), `elected` (which model's answer is the reference of a question: question_id, model, `by`
    who appointed it, numbers), `measured` (values by which an answer is held against the best ones,
    with their criterion) and `ceilings` (what authors' own texts reach under a criterion, and
    models on the same questions: criterion, author, models, questions, names).
    """

    project: Mapping[str, Any]
    rubrics: Mapping[str, str]
    tables: Mapping[str, Sequence[Mapping[str, Any]]]


class Exporter(Part, abstract=True):
    """Writes a snapshot to one file or folder. `suffix`: the ending of the file; `more_suffixes`:
    others that the file may have."""

    kind = "exporter"
    needs = ("version", "about", "suffix", "write")
    texts = ("about", "title")
    suffix: ClassVar[str]
    more_suffixes: ClassVar[tuple[str, ...]] = ()
    #: What pages call it, in a few words; empty for `about`.
    title: ClassVar[str] = ""

    @abc.abstractmethod
    def write(self, snapshot: Snapshot, target: Path) -> None: ...


class ResultColumn(Part, abstract=True):
    """A column of exported results, under its own name: tables and workbooks get it, one value per
    cell."""

    kind = "column"
    needs = ("version", "about", "value")

    @abc.abstractmethod
    def value(self, cell: Mapping[str, Any], criterion: Criterion | None) -> Any:
        """The value for a row of `cells` (see `Snapshot`), as text, number, list or map; None where
        there is none.

        `criterion` is the cell's; None where it is no longer in force.
        """


__all__ = [
    "FIGURES",
    "OF_ONE_MODEL",
    "ROLES",
    "AnyJudge",
    "BatchProvider",
    "Chosen",
    "Column",
    "DerivedJudge",
    "Encoder",
    "Exporter",
    "Imported",
    "ImportedRow",
    "ImportedVerdict",
    "Importer",
    "Judge",
    "Look",
    "Mended",
    "Metric",
    "Part",
    "Placed",
    "Provider",
    "ResultColumn",
    "Rule",
    "Snapshot",
    "Table",
    "inputs_hash",
    "lacks_reference",
]
