"""Where the judges of a try are asked: a reply is known by its address too, so a try is asked
again, and read, where it was asked first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graders.core.errors import Conflict, InputError
from graders.core.rubric import Criterion
from graders.core.shapes import JSON
from graders.core.words import say
from graders.store.workspace import Workspace
from graders.workflows.calling import judge_setup
from graders.workflows.calling.judge_setup import JudgeSetup
from graders.workflows.calling.run_options import Options
from graders.workflows.workshop.kept import Try


def addresses(ws: Workspace, asked: Mapping[str, Any]) -> list[str]:
    """The addresses that a try's run asks, the judge as it was first."""
    return [str(setup.provider.address) for setup in Options.of(asked).setups(ws)]


def typed(one: Try, options: Mapping[str, Any], where: str) -> str:
    """The address that was typed for a try. InputError where another is typed now: everything would
    be bought again there."""
    if not one.number:
        return str(options.get("base_url") or "")
    given = str(options.get("base_url") or one.base_url)
    if given != one.base_url:
        raise InputError(
            say("workshop.error.address", name=where),
            found=given[:120],
            expected=say("workshop.error.address.expected", address=one.base_url)
            if one.base_url
            else say("workshop.error.address.expected_own"),
            remedy=say("workshop.error.address.remedy"),
        )
    return given


def need_same(one: Try, now: Sequence[str], where: str) -> None:
    """Raise Conflict where a try that was asked would be asked elsewhere now."""
    then = one.addresses or now
    if list(now) != list(then):
        at = next(
            place for place, (was, is_) in enumerate(zip(then, now, strict=True)) if was != is_
        )
        raise Conflict(
            where,
            found=say("workshop.error.elsewhere.found", address=now[at]),
            expected=say("workshop.error.elsewhere.expected", address=then[at]),
            remedy=say("workshop.error.elsewhere.remedy"),
        )


def reader(
    ws: Workspace,
    one: Try,
    place: int,
    called: str,
    card: Mapping[str, Any],
    criteria: Sequence[Criterion],
) -> JudgeSetup:
    """A judge of a try (0: as it was, 1: changed), to read what it said where it was asked; nothing
    is sent through it."""
    options = Options.of(
        {"judges": [called], "cards": {called: card}, "base_url": one.base_url, "workshop": True}
    )
    (setup,) = options.setups(ws, criteria=criteria)
    then = (one.addresses or (setup.provider.address,) * 2)[place]
    return setup if setup.provider.address == then else judge_setup.at(setup, then)


def settled(ws: Workspace, one: Try, name: str) -> JSON:
    """The card of a try as a project keeps it: with the address where the try was asked, unless the
    judge is asked there anyway."""
    card = dict(one.card)
    alone = {"judges": [name], "cards": {name: card}}
    (usual,) = addresses(ws, alone)
    then = (
        one.addresses[1] if one.addresses else addresses(ws, {**alone, "base_url": one.base_url})[0]
    )
    strange = {"from_page": True} if one.from_page else {}
    return card if then == usual else {**card, "base_url": then, **strange}
