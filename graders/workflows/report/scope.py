"""What a report is narrowed down to: the filters and switches of Agreement and Leaderboard, in
words and as options of its command."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field

from graders.core.shapes import JSON
from graders.core.words import say
from graders.store.opinions.filters import EVERYTHING, Filters
from graders.workflows.leaderboard.ground import BOARD, Wish
from graders.workflows.opinions.narrowing import some


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which verdicts count in Agreement (`blind_only`, `population`, `filters`); how Leaderboard is
    made (`show`, `judge`, `weights`)."""

    blind_only: bool = True
    population: str = ""
    filters: Filters = EVERYTHING
    show: str = ""
    judge: str = ""
    weights: Mapping[str, float] = field(default_factory=dict)

    @property
    def agreement(self) -> JSON:
        """What `agree.agreement` is told."""
        return {
            "blind_only": self.blind_only,
            "population": self.population,
            "filters": self.filters,
        }

    @property
    def leaderboard(self) -> Wish:
        """What `leaderboard.leaderboard` is told."""
        return Wish(
            show=self.show,
            judge=self.judge,
            weights=self.weights,
            filters=some(self.filters, BOARD),
        )

    @property
    def options(self) -> str:
        """The options of ``cograde report`` that ask for the same, each with a space in front."""
        words = [
            ("--only", f"{name}={value}")
            for name, values in self._chosen().items()
            for value in values
        ]
        words += [("--population", self.population)] if self.population else []
        words += [("--show", self.show)] if self.show else []
        words += [("--judge", self.judge)] if self.judge else []
        words += [("--weight", f"{name}={weight:g}") for name, weight in self.weights.items()]
        flags = "" if self.blind_only else " --all"
        return flags + "".join(f" {option} {shlex.quote(value)}" for option, value in words)

    @property
    def words(self) -> dict[str, str]:
        """What is said at the sections: section -> sentence; nothing where nothing is narrowed."""
        chosen = self._chosen()
        if not chosen:
            return {}
        told = {
            name: f"{name.replace('_', ' ')} {say('report.narrowed.or').join(values)}"
            for name, values in chosen.items()
        }
        board = ", ".join(words for name, words in told.items() if name in BOARD)
        rest = ", ".join(words for name, words in told.items() if name not in BOARD)
        sentences = [say("report.narrowed.board", filters=board)] if board else []
        sentences += [say("report.narrowed.not_board", filters=rest)] if rest else []
        return {
            "agreement": say("report.narrowed.agreement", filters=", ".join(told.values())),
            "leaderboard": " ".join(sentences),
        }

    def _chosen(self) -> dict[str, tuple[str, ...]]:
        return {
            name: value if isinstance(value, tuple) else (str(value),)
            for name, value in self.filters.chosen.items()
        }
