"""The judges of a run, ready to be asked: which judge a name means, at which provider, and in which
way it is asked."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from graders.core import discovery, provider_names
from graders.core.errors import UsageError
from graders.core.faults import FaultList
from graders.core.preference import compares
from graders.core.rubric import Criterion
from graders.core.shapes import JSON
from graders.core.words import error_parts
from graders.judges.asking.by_criterion import ByCriterion
from graders.judges.asking.model import ModelJudge
from graders.judges.checker import checks_claims_only
from graders.providers.http.connected import keep_fenced
from graders.workflows.cells.fault_list import judged_faults, ruled_faults

#: Judges that a provider's name stands for.
MODEL_JUDGES = ("llm", "faults", "pairs")
#: Options that only replies in plain text know.
PLAIN = frozenset({"template", "reasoning", "language"})


@dataclass(frozen=True, slots=True)
class Share:
    """The criteria (keys) of a run that a judge grades: its `own` and, with `rest`, all that are
    `taken` by no judge."""

    own: frozenset[str] = frozenset()
    rest: bool = True
    taken: frozenset[str] = frozenset()

    def grades(self, criterion: str) -> bool:
        """Whether the judge grades the criterion of that key."""
        return criterion in self.own or (self.rest and criterion not in self.taken)


@dataclass(frozen=True)
class JudgeSetup:
    """A judge of a run with its provider, ready to be asked."""

    name: str
    judge: Any
    provider: Any
    #: Which key goes where, in words.
    key_words: str = ""
    share: Share = Share()
    #: Under which name a project keeps its price.
    price_name: str = ""

    @property
    def author(self) -> str:
        return str(self.judge.author)


def provider_of(name: str) -> str:
    """The module of the provider that a judge's name means, whether or not it is there."""
    kind = name.partition(":")[0]
    if kind in discovery.names("judges") and kind not in MODEL_JUDGES:
        return str(getattr(discovery.find("judges", kind), "provider", ""))
    return provider_names.provider_of(kind)


def price_name(judge: str, address: str) -> str:
    """Under which name a project keeps what a judge costs: the same model may cost something else
    at another address."""
    return f"{judge}@{address.rstrip('/')}" if address else judge


def split_address(model: str) -> tuple[str, str]:
    """``PROVIDER:MODEL@ADDRESS`` as (PROVIDER:MODEL, ADDRESS); the address is empty where none is
    named."""
    for sign in ("@http://", "@https://"):
        if sign in model:
            model, _, address = model.partition(sign)
            return model, sign[1:] + address
    return model, ""


def make_judge(
    name: str,
    *,
    secret: str,
    options: JSON | None = None,
    provider_options: JSON | None = None,
    criteria: Sequence[Criterion] = (),
) -> JudgeSetup:
    """The judge that ``openai:MODEL`` (or ``PLUGIN:MODEL``) means.

    ``per_criterion`` among the `options` is how judges were set up before there was ``per``.

    With the `criteria` that it will be asked about, those with a template of the user's own are
    asked in plain text, and rubrics with claims by the judge that quotes documents; a model that
    can only check claims is a checker.
    """
    options = dict(options or {})
    if options.pop("per_criterion", False):
        options.setdefault("per", "criterion")
    kind, _, model = name.partition(":")
    if not model:
        raise UsageError(**error_parts("calling.judge.no_model", name=name))
    if kind in discovery.names("judges") and kind not in MODEL_JUDGES:
        # a judge that puts fences around what it reads is given the secret for them
        fenced = {"secret": secret} if "secret" in _options_of(kind) else {}
        # one from outside is an author of its own, not another way of asking the same model
        own = kind in discovery.outside_names("judges") and "label" in _options_of(kind)
        named = {"label": name} if own else {}
        judge = discovery.make("judges", kind, {"model": model, **fenced, **named, **options})
        provider = _provider(judge.provider, options, provider_options)
        return JudgeSetup(name, _knowing(judge, provider), provider)
    provider_name = provider_names.provider_of(kind)
    if provider_name not in discovery.names("providers"):
        raise UsageError(
            **error_parts(
                "calling.judge.no_provider",
                name=name,
                kind=kind,
                names=", ".join(named.word for named in provider_names.offered()),
            )
        )
    provider = _provider(provider_name, options, provider_options)
    asked_in = ways(model, criteria, options)
    explained = {"faults": judged_faults(), "ruled": ruled_faults()}
    made = [
        (
            discovery.make(
                "judges",
                way,
                {
                    "model": model,
                    "provider": provider_name,
                    "secret": secret,
                    **own,
                    **(explained if way == "faults" else {}),
                },
            ),
            asked_in[way],
        )
        for way, own in _options_by_way(asked_in, options).items()
    ]
    made = [(_knowing(judge, provider), keys) for judge, keys in made]
    return JudgeSetup(name, made[0][0] if len(made) == 1 else ByCriterion(tuple(made)), provider)


def at(setup: JudgeSetup, address: str) -> JudgeSetup:
    """The same judge at another address of its provider; it asks what it would ask there."""
    provider, judge = replace(setup.provider, base_url=address), setup.judge
    if isinstance(judge, ByCriterion):
        return replace(
            setup,
            judge=replace(
                judge, judges=tuple((_knowing(one, provider), keys) for one, keys in judge.judges)
            ),
            provider=provider,
        )
    return replace(setup, judge=_knowing(judge, provider), provider=provider)


def _provider(name: str, options: Mapping[str, Any], own: Mapping[str, Any] | None) -> Any:
    """The provider; one that sets how much its server takes in a call sets what the judge
    states."""
    stated = options.get("window")
    sets = stated and any(
        field.name == "context" for field in fields(discovery.find("providers", name))
    )
    return keep_fenced(
        discovery.make("providers", name, {**({"context": stated} if sets else {}), **(own or {})})
    )


def _knowing(judge: Any, provider: Any) -> Any:
    """The judge, told how much its model takes in a call where that is known."""
    find = getattr(provider, "window", None)
    if find is None or not isinstance(judge, ModelJudge):
        return judge
    known = find(str(judge.model)) or 0
    return judge if known == judge.known_window else replace(judge, known_window=known)


def ways(
    model: str, criteria: Sequence[Criterion], options: Mapping[str, Any]
) -> dict[str, frozenset[str]]:
    """The judges by which a model is asked -> the keys of their criteria; all by ``llm`` where
    nothing particular is wanted."""
    listed = frozenset(c.key for c in criteria if isinstance(c, FaultList))
    criteria = [c for c in criteria if c.key not in listed]
    more = {"faults": listed} if listed else {}
    everything = frozenset(c.key for c in criteria)
    if checks_claims_only(model):
        return {"checker": everything | listed}
    if not PLAIN.isdisjoint(options):
        return {"bare": everything, **more}
    pairs = frozenset(c.key for c in criteria if compares(c.scale) and not c.template)
    # how single answers are asked about stays the first of the ways: its options are the judge's
    if pairs:
        more = {"pairs": pairs, **more}
    criteria = [c for c in criteria if c.key not in pairs]
    with_claims = {c.rubric for c in criteria if c.elements == "claims"}
    found: dict[str, set[str]] = {}
    for c in criteria:
        found.setdefault(
            "bare" if c.template else "grounded" if c.rubric in with_claims else "llm", set()
        ).add(c.key)
    if not found and (pairs or not listed):
        found["llm"] = set()
    return {way: frozenset(keys) for way, keys in found.items()} | more


def _options_of(judge: str) -> set[str]:
    return set(inspect.signature(discovery.find("judges", judge)).parameters)


def _options_by_way(ways: Iterable[str], options: JSON) -> dict[str, JSON]:
    """The options that each judge takes; one that none of several takes is left to all, so that it
    is refused by name."""
    known = {way: _options_of(way) for way in ways}
    everywhere = set(options) - set().union(*known.values())
    return {
        way: {name: value for name, value in options.items() if name in names | everywhere}
        for way, names in known.items()
    }
