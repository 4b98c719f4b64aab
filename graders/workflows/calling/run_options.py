"""What a run may be told, checked; kept in the run's row. No key is ever part of it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from graders.core.errors import InputError, UsageError
from graders.core.rubric import Criterion
from graders.core.shapes import JSON
from graders.core.words import error_parts, say
from graders.judges.checker import checks_claims_only
from graders.judges.panel import METHODS
from graders.providers.http.addresses import check_typed
from graders.store.workspace import Workspace
from graders.workflows.calling import judge_setup
from graders.workflows.calling.judge_setup import JudgeSetup, Share
from graders.workflows.calling.key_routes import is_owners, key_words, refuse_variables
from graders.workflows.cells.derived_judges import NO_PANEL
from graders.workflows.measuring import text_scores
from graders.workflows.scope.header_lines import TYPED, headers_of, names_variable

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
#: Stands for a key at a judge's own address where none was named: no server gets the key of
#: another.
NO_KEY = "none"
PANELS = (*METHODS, NO_PANEL)

#: Keys by what they are for: a judge's name, a provider's prefix (``openai``), or "" for the one
#: provider that is asked.
Keys = Mapping[str, str]


@dataclass(frozen=True)
class Options:
    """What a run may be told.

    With `tries` the judges are asked about so many answers only, nothing is measured and nothing
    routed; `only` are their subjects (row ids), drawn when the run starts. With `faults` they are
    asked about named faults too, in one more call per answer.

    With `batch` calls are handed in as batches, answered within a day for half the price; without
    `stay` the run rests after that.

    `base_url` is the address of all judges; `base_urls` those of single ones, by a judge's name or
    a provider's prefix; `key_variables` likewise name environment variables, `headers` hold lines
    ``Name: value`` that go with every call ("" where one provider alone is asked), and `keyed` says
    whose keys, and which headers with a key in them, were typed. `cards` are the judges that the
    project set up, as they were when the run started.

    `panel` makes one verdict of the judges': median, majority, or none. `metrics` are text scores
    that the project has from now on beside those of its rubrics, or none; empty keeps those that it
    has.

    `split` names the model, as judges are named, that splits answers into claims before anything is
    graded; empty: sentences are claims.

    `workshop`: the judges are asked about `only` for a comparison. Their replies stay in the ledger
    and no verdict is recorded, so that nothing is suggested, routed or learned from a try; `cards`
    are then taken as they are given.

    `beside`: one judge is looked at on one answer. Once over, such a try is not the run that pages
    speak of. It is asked for what it has said already where its reply was deleted; the verdict that
    stands then stays.

    `from_page`: its addresses came in a request of a page, and get no key of the owner's
    (`key_routes`).

    `judge_criteria` holds, by a judge's name, the criteria (keys) that it grades, "" among them for
    all for which no judge is named; a judge that is not there grades the latter. `asked_as` are
    then the judges as they were given, those that rubrics name left out (`judge_shares`).

    `prices`: (US dollars per million tokens in, out) that the project keeps of judges, by
    `price_name`.

    With `anchors` a judge that changed grades the answers to anchor questions first, and once more
    (`_anchor_figures`).
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
    base_urls: Mapping[str, str] = field(default_factory=dict)
    key_variables: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    keyed: tuple[str, ...] = ()
    cards: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    panel: str = ""
    metrics: tuple[str, ...] = ()
    faults: bool = False
    batch: bool = False
    stay: bool = True
    split: str = ""
    workshop: bool = False
    beside: bool = False
    anchors: bool = True
    from_page: bool = False
    prices: Mapping[str, Sequence[float]] = field(default_factory=dict)
    judge_criteria: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    asked_as: tuple[str, ...] | None = None

    @classmethod
    def of(cls, found: Mapping[str, Any]) -> Options:
        """From plain data; UsageError names what is off."""
        known = {
            k: v
            for k, v in found.items()
            if k in cls.__dataclass_fields__ and v is not None and v != ""
        }
        known |= {
            name: bool(known.get(name, default))
            for name, default in (
                ("faults", False),
                ("batch", False),
                ("stay", True),
                ("workshop", False),
                ("beside", False),
                ("anchors", True),
                ("from_page", False),
            )
        }
        known["judges"] = tuple(str(j).strip() for j in known.get("judges") or () if str(j).strip())
        known["only"] = tuple(int(subject) for subject in known.get("only") or ())
        known["keyed"] = tuple(str(name) for name in known.get("keyed") or ())
        known["judge_criteria"] = {
            str(name): tuple(keys) for name, keys in (known.get("judge_criteria") or {}).items()
        }
        if known.get("asked_as") is not None:
            known["asked_as"] = tuple(known["asked_as"])
        known["split"] = str(known.get("split") or "").strip()
        known["metrics"] = text_scores.check(known.get("metrics") or ())
        _check_names(known)
        for name, kind in _NUMBERS.items():
            if name in known:
                try:
                    known[name] = kind(known[name])
                except (TypeError, ValueError):
                    raise UsageError(
                        **error_parts(
                            "calling.option.no_number", name=name, found=repr(known[name])
                        )
                    ) from None
                if known[name] < 0 or (
                    known[name] == 0 and name in ("concurrency", "timeout", "tries")
                ):
                    raise UsageError(
                        **error_parts(
                            "calling.option.not_above_zero", name=name, found=repr(known[name])
                        )
                    )
        if known.get("tries"):
            if not known["judges"]:
                raise UsageError(**error_parts("calling.option.no_judge"))
            known["tries"] = (
                known["tries"] if known["workshop"] else min(known["tries"], MOST_TRIES)
            )
        return cls(**known)

    @property
    def afresh(self) -> bool:
        """Whether the calls for cells with a verdict are made too, of which those with a stored
        reply cost nothing."""
        return self.workshop or self.beside

    def to_json(self) -> JSON:
        """As a run's row keeps them."""
        return {
            **{k: getattr(self, k) for k in self.__dataclass_fields__},
            "judges": list(self.judges),
            "only": list(self.only),
            "keyed": list(self.keyed),
            "metrics": list(self.metrics),
            **{
                name: dict(getattr(self, name))
                for name in (
                    "judge_options",
                    "models",
                    "base_urls",
                    "key_variables",
                    "headers",
                    "prices",
                )
            },
            "cards": {name: dict(card) for name, card in self.cards.items()},
            "judge_criteria": {name: list(keys) for name, keys in self.judge_criteria.items()},
            "asked_as": None if self.asked_as is None else list(self.asked_as),
        }

    def ways(self) -> dict[str, str]:
        """Judge, or the model that splits answers, -> the prefix of its provider, such as
        ``openai``."""
        asked = dict.fromkeys((*self.judges, *([self.split] if self.split else [])))
        return {
            name: str(self.cards.get(name, {}).get("judge") or name).partition(":")[0]
            for name in asked
        }

    def all_keys_typed(self) -> bool:
        """Whether a key was typed for every judge, so that none of the installation's is used."""
        if not self._keyed:
            return self.needs_key or not self.ways()
        return all(name in self.keyed or kind in self.keyed for name, kind in self.ways().items())

    def untyped(self, keys: Keys) -> frozenset[str]:
        """The judges, and the model that splits, for which a key or a header that holds one was
        typed that is not among `keys`."""
        ways, gone = self.ways(), [name for name in self.keyed if not keys.get(name)]
        if (
            self.needs_key
            and not self._keyed
            and not any(key for name, key in keys.items() if not name.startswith(TYPED))
        ):
            return frozenset(ways)
        owners = {
            name.removeprefix(TYPED).rpartition(":")[0] if name.startswith(TYPED) else name
            for name in gone
        }
        found = frozenset(name for name, kind in ways.items() if owners & {"", name, kind})
        return found or frozenset(ways if gone else ())

    @property
    def _keyed(self) -> list[str]:
        """Whose keys were typed, headers apart."""
        return [name for name in self.keyed if not name.startswith(TYPED)]

    def stand_ins(self) -> dict[str, str]:
        """Something in the place of all that was typed and is kept nowhere, to see what else the
        run lacks."""
        return {
            **dict.fromkeys(self.keyed, "typed"),
            **({} if self._keyed else {"": "typed" if self.needs_key else ""}),
        }

    def setups(
        self, ws: Workspace, keys: Keys | str = "", criteria: Sequence[Criterion] = ()
    ) -> list[JudgeSetup]:
        """The judges, ready to be asked about `criteria`. InputError for an address that may not be
        asked from here, and for one key where several providers are asked."""
        typed, ways = self._typed(keys), self.ways()
        return [
            replace(self._setup(ws, name, ways[name], typed, criteria), share=self._share(name))
            for name in self.judges
        ]

    def _share(self, name: str) -> Share:
        """The criteria that a judge grades."""
        taken = frozenset(key for keys in self.judge_criteria.values() for key in keys if key)
        mine = self.judge_criteria.get(name, ("",))
        return Share(frozenset(mine) - {""}, "" in mine, taken)

    def splitter(self, ws: Workspace, keys: Keys | str = "") -> JudgeSetup | None:
        """The model that splits answers into claims, ready to be asked; None where none is named.
        InputError as `setups`."""
        if not self.split:
            return None
        made = self._setup(ws, self.split, self.ways()[self.split], self._typed(keys), ())
        if checks_claims_only(made.judge.model):
            raise UsageError(**error_parts("calling.option.split_checks", model=self.split))
        return replace(made, name=self.split_name)

    @property
    def split_name(self) -> str:
        """Under which plan and progress count the calls that split answers."""
        return f"{self.split}, splitting answers"

    def _typed(self, keys: Keys | str) -> dict[str, str]:
        typed = {"": keys} if isinstance(keys, str) else dict(keys)
        if (
            any(key and (not name or name.startswith(f"{TYPED}:")) for name, key in typed.items())
            and len(set(self.ways().values())) > 1
        ):
            raise InputError(
                **error_parts(
                    "calling.option.one_key", names=" and ".join(sorted(set(self.ways().values())))
                )
            )
        return typed

    def _setup(
        self, ws: Workspace, name: str, kind: str, keys: Keys, criteria: Sequence[Criterion]
    ) -> JudgeSetup:
        card = self.cards.get(name, {})
        asked, own = judge_setup.split_address(str(card.get("judge") or name))
        own = str(card.get("base_url") or own)
        address, strange = self._address(name, kind, asked, own)
        check_typed(address)
        key, key_from = self._key(name, kind, keys, address if strange else "")
        if strange and any(names_variable(text) for text in self._header_texts(name, kind, card)):
            raise refuse_variables(f"judge {name}, headers", address)
        headers = self._headers(name, kind, card, keys)  # not every provider takes some
        kept = judge_setup.price_name(asked, address)
        prices = self.prices.get(kept) or (None, None)
        first, second = (
            prices if self.input_price is None else (self.input_price, self.output_price)
        )
        made = judge_setup.make_judge(
            asked,
            secret=ws.secret(),
            options={**self.judge_options, **options_of(card), **({"label": name} if card else {})},
            provider_options={
                "base_url": address,
                "connections": self.concurrency,
                "api_key": key or (NO_KEY if own or strange else ""),
                **({"headers": headers} if headers else {}),
                "input_price": card.get("input_price", first),
                "output_price": card.get("output_price", second),
            },
            criteria=criteria,
        )
        return replace(
            made,
            name=name,
            price_name=kept,
            key_words=key_words(
                made.provider, key_from, none=bool(own) or strange, strange=strange
            ),
        )

    def _address(self, name: str, kind: str, asked: str, own: str) -> tuple[str, bool]:
        """(address of a judge, whether it came in a request and the owner does not know it). `own`
        is the judge's own."""
        given = self.base_urls.get(name, "")
        address = given or own or self.base_urls.get(kind) or self.base_url
        by_card = bool(own) and not given and name in self.cards
        from_page = bool(self.cards[name].get("from_page")) if by_card else self.from_page
        return address, bool(address) and from_page and not is_owners(
            judge_setup.provider_of(asked), address
        )

    def _key(self, name: str, kind: str, keys: Keys, strange: str) -> tuple[str, str]:
        """(key, where it is from: ``typed``, a variable or ""); of the owner's none for the
        `strange` address."""
        if typed := keys.get(name) or keys.get(kind):
            return typed, "typed"
        for one in (name, kind):
            if found := self._from_environment(one):
                if strange:
                    raise refuse_variables(f"key of {name}", strange)
                return found, self.key_variables[one]
        return keys.get("") or "", "typed" if keys.get("") else ""

    def _header_texts(self, name: str, kind: str, card: Mapping[str, Any]) -> list[str]:
        """The header lines that go with a judge's calls, as they were written."""
        return [
            *(self.headers.get(one, "") for one in ("", kind, name)),
            str(card.get("headers") or ""),
        ]

    def _headers(self, name: str, kind: str, card: Mapping[str, Any], keys: Keys) -> dict[str, str]:
        """The headers of a judge's calls: its provider's, its own, and those of this run, the later
        before the earlier."""
        where, own = f"judge {name}", {"": str(card.get("headers") or "")}
        return {
            **headers_of(where, ["", kind], self.headers, keys),
            **headers_of(where, [""], own, {}),
            **headers_of(where, [name] if name != kind else [], self.headers, keys),
        }

    def takes_from_environment(self) -> bool:
        """Whether headers hold something of the installation's."""
        cards = (str(card.get("headers") or "") for card in self.cards.values())
        return any(names_variable(text) for text in (*self.headers.values(), *cards))

    def _from_environment(self, name: str) -> str:
        variable = self.key_variables.get(name, "")
        found = os.environ.get(variable, "").strip() if variable else ""
        if variable and not found:
            raise InputError(
                **error_parts("calling.option.no_variable", name=name, variable=variable)
            )
        return found


def options_of(card: Mapping[str, Any]) -> JSON:
    """The options of a judge that a project set up, with the corrections that are its examples."""
    examples = tuple(card.get("examples") or ())
    return {**dict(card.get("options") or {}), **({"corrections": examples} if examples else {})}


def _check_names(known: JSON) -> None:
    """Mappings by judge or provider: names of judges of this run, texts; and a panel that can
    be."""
    asked, cards = (
        [*known["judges"], *([known["split"]] if known["split"] else [])],
        known.get("cards") or {},
    )
    kinds = {str((cards.get(name) or {}).get("judge") or name).partition(":")[0] for name in asked}
    names = {*asked, *kinds}
    for option in ("base_urls", "key_variables", "headers"):
        given = known.get(option) or {}
        if not isinstance(given, Mapping) or not all(
            isinstance(one, str) for pair in given.items() for one in pair
        ):
            raise UsageError(
                **error_parts("calling.option.no_text", option=option, found=repr(given)[:60])
            )
        for name in given:
            if name not in names and (name or option != "headers" or len(kinds) > 1):
                raise UsageError(
                    **error_parts(
                        "calling.option.no_such_judge",
                        option=option,
                        name=name,
                        names=", ".join(sorted(names)) or say("calling.option.runs_judges"),
                    )
                )
        known[option] = {name: one.strip() for name, one in given.items() if one.strip()}
    panel = known.get("panel") or ""
    if panel not in ("", *PANELS):
        raise UsageError(
            **error_parts("calling.option.panel", found=repr(panel)[:60], names=", ".join(PANELS))
        )
    judges = known["judges"]
    if panel in METHODS and len(set(judges)) < 2:
        raise UsageError(**error_parts("calling.option.panel_of_one", n=len(set(judges))))
