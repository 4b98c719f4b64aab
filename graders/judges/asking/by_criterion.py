"""Several judges under one name, each asked about the criteria it is made for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from graders.core.contracts import Judge
from graders.core.hashing import digest
from graders.core.records import Mark, Problem, Reply, Request, Subject, SubjectKey, Verdict
from graders.core.rubric import Criterion, Rubric
from graders.judges.asking.model import ModelJudge


@dataclass(frozen=True)
class ByCriterion(Judge):
    """Passes each criterion to the judge that asks about it.

    * ``judges``: pairs of a judge and the keys of its criteria; all ask the same model over the
      same provider, under one name
    """

    version: ClassVar[str] = "1"
    about: ClassVar[str] = "Several ways of asking one model, chosen by criterion."

    judges: tuple[tuple[ModelJudge, frozenset[str]], ...]

    @property
    def author(self) -> str:
        """The name that all of them share."""
        return self.made_of[0].author

    @property
    def model(self) -> str:
        """The model that all of them ask."""
        return self.made_of[0].model

    @property
    def provider(self) -> str:
        """The provider over which all of them ask."""
        return self.made_of[0].provider

    @property
    def samples(self) -> int:
        """How often each of them asks."""
        return self.made_of[0].samples

    @property
    def asks_together(self) -> bool:
        """Whether one of them may ask about several answers in a call."""
        return any(judge.asks_together for judge in self.made_of)

    @property
    def limit(self) -> int:
        """Tokens that a call may have; 0 where nobody knows."""
        return self.made_of[0].limit

    @property
    def made_of(self) -> tuple[ModelJudge, ...]:
        """The judges."""
        return tuple(judge for judge, _ in self.judges)

    def options(self) -> dict[str, Any]:
        """The options of each judge, by its name."""
        return {judge.name: judge.options() for judge in self.made_of}

    def requests(
        self, subjects: Sequence[Subject], rubric: Rubric, criteria: Sequence[Criterion]
    ) -> list[Request]:
        """What each judge asks about its own criteria."""
        made: list[Request] = []
        for judge, keys in self.judges:
            if own := [c for c in criteria if c.key in keys]:
                made += judge.requests(subjects, rubric, own)
        return made

    def read(
        self, request: Request, reply: Reply, subjects: Mapping[SubjectKey, Subject], rubric: Rubric
    ) -> list[Verdict | Problem]:
        """The reply as its own judge reads it."""
        return self.judge_of(request.criteria[0]).read(request, reply, subjects, rubric)

    def unscored(
        self,
        request: Request,
        rubric: Rubric,
        cause: str,
        detail: str = "",
        given: Sequence[Any] = (),
    ) -> list[Verdict]:
        """Verdicts ``unscored`` of the judge that asked."""
        return self.judge_of(request.criteria[0]).unscored(request, rubric, cause, detail, given)

    def cannot(
        self, subject: Subject, rubric: Rubric, criterion: Criterion, part: str
    ) -> Mark | None:
        """Why the criterion's judge makes no call for a cell; None where it makes one."""
        return self.judge_of(criterion.key).cannot(subject, rubric, criterion, part)

    def inputs_hash(self, subject: Subject, criterion: Criterion) -> str:
        """What the criterion's judge rests on."""
        return self.judge_of(criterion.key).inputs_hash(subject, criterion)

    def recipe_hash(self, rubric: Rubric) -> str:
        """Names the recipes of all."""
        return digest(self.version, [judge.recipe_hash(rubric) for judge in self.made_of])

    def recipe_of(self, rubric: Rubric, criterion: Criterion) -> str:
        """The recipe of the criterion's judge."""
        return self.judge_of(criterion.key).recipe_hash(rubric)

    def recipe_of_part(self, rubric: Rubric, criterion: Criterion, part: str) -> str:
        """The recipe of the criterion's judge."""
        return self.judge_of(criterion.key).recipe_of_part(rubric, criterion, part)

    def judge_of(self, key: str) -> ModelJudge:
        """The judge that asks about a criterion."""
        return next(judge for judge, keys in self.judges if key in keys)
