"""What a run may be told, checked; kept in the run's row. The key is never part of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graders.core.errors import InputError
from graders.core.rubric import Criterion
from graders.providers._addresses import check_typed
from graders.store.workspace import Workspace
from graders.workflows import judging
from graders.workflows.judging import JudgeSetup

#: Number options -> their kind; all are above zero but budgets, which may be zero.
_NUMBERS: dict[str, type[int] | type[float]] = {
    "concurrency": int,
    "budget_money": float,
    "budget_calls": int,
    "timeout": float,
    "tries": int,
}
#: The most answers that a judge is tried on.
MOST_TRIES = 50


@dataclass(frozen=True)
class Options:
    """What a run may be told.

    With `tries` the judges are asked about so many answers only, nothing is measured and nothing routed; `only` are their
    subjects (row ids), drawn when the run starts. With `faults` they are asked about named faults too, in one more call per answer.
    """

    judges: tuple[str, ...] = ()
    concurrency: int = 64
    budget_money: float | None = None
    budget_calls: int | None = None
    timeout: float = 120.0
    base_url: str = ""
    input_price: float | None = None
    output_price: float | None = None
    judge_options: Mapping[str, Any] = field(default_factory=dict)
    models: Mapping[str, str] = field(default_factory=dict)
    tries: int | None = None
    only: tuple[int, ...] = ()
    needs_key: bool = False
    faults: bool = False

    @classmethod
    def of(cls, found: Mapping[str, Any]) -> Options:
        """From plain data; InputError names what is off."""
        known = {k: v for k, v in found.items() if k in cls.__dataclass_fields__ and v is not None and v != ""}
        known["faults"] = bool(known.get("faults", False))
        known["judges"] = tuple(str(j).strip() for j in known.get("judges") or () if str(j).strip())
        known["only"] = tuple(int(subject) for subject in known.get("only") or ())
        for name, kind in _NUMBERS.items():
            if name in known:
                try:
                    known[name] = kind(known[name])
                except (TypeError, ValueError):
                    raise InputError(f"option {name}", found=repr(known[name]), expected="a number", remedy="Write a number.") from None
                if known[name] < 0 or (known[name] == 0 and name in ("concurrency", "timeout", "tries")):
                    raise InputError(
                        f"option {name}", found=repr(known[name]), expected="a number above zero", remedy="Correct the number."
                    )
        if known.get("tries"):
            if not known["judges"]:
                raise InputError(
                    "option judges", found="none", expected="a judge to try", remedy="Name a judge, such as openai:gpt-4o-mini."
                )
            known["tries"] = min(known["tries"], MOST_TRIES)
        return cls(**known)

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            **{k: getattr(self, k) for k in self.__dataclass_fields__},
            "judges": list(self.judges),
            "only": list(self.only),
            "judge_options": dict(self.judge_options),
            "models": dict(self.models),
        }

    def setups(self, ws: Workspace, key: str = "", criteria: Sequence[Criterion] = ()) -> list[JudgeSetup]:
        """The judges, ready to be asked about `criteria`. InputError for an address that may not be asked from here."""
        check_typed(self.base_url)
        options = {
            "base_url": self.base_url,
            "connections": self.concurrency,
            "api_key": key,
            "input_price": self.input_price,
            "output_price": self.output_price,
        }
        return [
            judging.make_judge(name, secret=ws.secret(), options=dict(self.judge_options), provider_options=options, criteria=criteria)
            for name in self.judges
        ]
