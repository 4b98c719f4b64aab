"""The words by which people name providers: ``openai`` of ``openai:gpt-4o``. Each provider says its
own."""

from __future__ import annotations

from dataclasses import dataclass

from graders.core import discovery
from graders.core.contracts import BatchProvider
from graders.core.errors import PluginError
from graders.core.words import text_of_part


@dataclass(frozen=True, slots=True)
class Named:
    """A provider as it is offered: its word, what it is, and what a batch costs there as a share of
    the price of single sends, None where it takes no batches; `batch_about`: what a batch is."""

    word: str
    about: str
    batch_share: float | None
    batch_about: str = ""


def provider_of(word: str) -> str:
    """The name of the provider that `word` means, whether or not there is one."""
    if word in discovery.names("providers"):
        return word
    parts, _ = discovery.load_all("providers")
    return next((name for name, part in parts.items() if _short(part) == word), word)


def word_of(provider: str) -> str:
    """The word for a provider; its name where it has no other, or does not load."""
    try:
        return _short(discovery.find("providers", provider)) or provider
    except PluginError:
        return provider


def offered() -> list[Named]:
    """All providers that load, in the order of their words; one that only hands in the batches of
    another is none of its own."""
    parts, _ = discovery.load_all("providers")
    carriers = batched_by()
    found = (
        Named(
            word=_short(part) or name,
            about=part.said("about"),
            batch_share=parts[carriers[name]].price_share if name in carriers else None,
            batch_about=_about_batches(carriers[name]) if name in carriers else "",
        )
        for name, part in parts.items()
        if part.name == name
    )
    return sorted(found, key=lambda named: named.word)


def batched_by() -> dict[str, str]:
    """Provider -> the one that hands in batches over the same protocol: it bears the name of the
    provider whose calls it makes."""
    parts, _ = discovery.load_all("providers")
    return {part.name: name for name, part in parts.items() if issubclass(part, BatchProvider)}


def _about_batches(carrier: str) -> str:
    # it bears another one's name: its texts stand under that of its file
    part = discovery.find("providers", carrier)
    return text_of_part("providers", carrier, "about", part.about)


def _short(part: type) -> str:
    # one that is inherited is another provider's
    return str(vars(part).get("short", ""))
