"""What is better known before a judge is paid: kinship with the models that it grades, settings that its model does not take."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from graders.core.records import Request
from graders.providers._families import family
from graders.workflows.judge_setup import JudgeSetup

#: As many models are named; of more the number is told.
NAMED = 3
#: Four letters of English, two of Russian, a little more than one character of Chinese.
BYTES_PER_TOKEN = 4


def notes(setup: JudgeSetup, models: Iterable[str], requests: Sequence[Request], details: int = 0) -> list[str]:
    """Sentences about a judge that is to grade the answers of `models` by `requests`; most have none.

    `details` of its calls ask how much detail a question wants.
    """
    judge = str(setup.judge.model)
    kin = family(judge)
    others = sorted(models)
    same = [model for model in others if model.strip().casefold() == judge.strip().casefold()]
    alike = [model for model in others if kin and family(model) == kin and model not in same]
    found = []
    if same:
        found.append(f"It grades its own answers ({_named(same)}): judges are kinder to these. Take another, or let people check.")
    if alike:
        found.append(f"{_named(alike)} {'is' if len(alike) == 1 else 'are'} of its family ({kin}), to which judges are kinder.")
    if requests and (unsent := setup.provider.left_out(requests[0])):
        found.append(f"{judge} does not take {' and '.join(unsent)}: left out.")
    if too_long := _too_long(setup, requests):
        found.append(too_long)
    if details:
        asks = "1 call asks" if details == 1 else f"{details:,} calls ask"
        found.append(f"{asks} how much detail a question wants: neither its column nor its words say so.")
    return found


def _too_long(setup: JudgeSetup, requests: Sequence[Request]) -> str:
    """The sentence about calls that do not fit into the model's window; empty where all do, or where the window is not known."""
    find = getattr(setup.provider, "window", None)
    size = find(str(setup.judge.model)) if find is not None else None
    if size is None:
        return ""
    tokens = [_tokens(request) for request in requests]
    over = sum(count > size for count in tokens)
    if not over:
        return ""
    calls = "1 call is" if over == 1 else f"{over:,} calls are"
    return (
        f"{calls} longer than the window of {setup.judge.model} (the longest about {max(tokens):,} tokens of {size:,}): the provider will "
        "refuse or cut. Shorten the references and documents, or take a model with a larger window."
    )


def _tokens(request: Request) -> int:
    """About how many tokens a call has with the longest reply allowed."""
    written = sum(len(text.encode("utf-8", "replace")) for _, text in request.messages)
    return written // BYTES_PER_TOKEN + int(request.settings.get("max_output_tokens") or 0)


def _named(models: Sequence[str]) -> str:
    return f"{len(models)} models" if len(models) > NAMED else " and ".join(models)
