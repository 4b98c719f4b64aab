"""Which judge asks about which criterion of an evaluation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graders.core import discovery
from graders.core.contracts import Judge
from graders.core.rubric import Criterion
from graders.judges.checker import checks_claims_only
from graders.workflows.judging import make_judge

#: Options that only replies in plain text know.
_PLAIN = ("template", "reasoning", "language")


@dataclass(frozen=True)
class Asker:
    """A judge with its provider, and the keys of the criteria that it is asked about."""

    judge: Judge
    provider: Any
    criteria: frozenset[str]


def judges_of(
    judge: str | Judge, criteria: Sequence[Criterion], secret: str, options: dict[str, Any], provider_options: Mapping[str, Any]
) -> list[Asker]:
    """The judges that `judge` means, all over one provider.

    ``PROVIDER:MODEL`` is a checker where the model is one for claims; else criteria with a template of the user's own are asked
    in plain text, all others with structured output. ``checker:MODEL``, ``bare:MODEL`` and other judges' names mean that judge.
    """
    keys = frozenset(c.key for c in criteria)
    if isinstance(judge, Judge):
        return [Asker(judge, discovery.make("providers", getattr(judge, "provider", "openai_chat"), provider_options), keys)]
    kind, _, model = judge.partition(":")
    fenced = {"secret": secret, **options}
    if kind in discovery.names("judges") and kind != "llm":
        setup = make_judge(judge, secret=secret, options=options, provider_options=dict(provider_options))
        return [Asker(setup.judge, setup.provider, keys)]
    setup = make_judge(judge, secret=secret, provider_options=dict(provider_options))
    common = {"model": setup.judge.model, "provider": setup.judge.provider, **fenced}
    if checks_claims_only(model):
        return [Asker(discovery.make("judges", "checker", common), setup.provider, keys)]
    plain = keys if set(options) & set(_PLAIN) else frozenset(c.key for c in criteria if c.template)
    askers = [("bare", plain), ("grounded", keys - plain)]
    return [Asker(discovery.make("judges", name, common), setup.provider, own) for name, own in askers if own]
