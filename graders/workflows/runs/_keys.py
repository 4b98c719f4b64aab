"""Which judges of a run have no key, so that the others need not wait for it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from graders.core.errors import InputError
from graders.core.words import error_parts, say
from graders.store.workspace import Workspace
from graders.workflows.calling.judge_setup import JudgeSetup
from graders.workflows.calling.run_options import Options
from graders.workflows.scope.phrases import listed


def need_keys(ws: Workspace, options: Options) -> None:
    """Raise where nobody can be asked: the model that splits lacks its key, or every judge does. A
    try asks all of its judges.

    A typed key comes with the worker.
    """
    typed = options.stand_ins()
    splitter, setups = options.splitter(ws, typed), options.setups(ws, typed)
    bare = [setup for setup in setups if _lacking(setup)]
    if len(bare) < len(setups) and not options.tries:
        bare = []
    for setup in [*([splitter] if splitter and _lacking(splitter) else []), *bare]:
        raise InputError(
            **error_parts("runs.error.no_key", name=setup.name, lacking=_lacking(setup))
        )


def first_asked(setups: Sequence[JudgeSetup]) -> JudgeSetup | None:
    """The first judge that can be asked."""
    return next((setup for setup in setups if not _lacking(setup)), setups[0] if setups else None)


def waiting(
    options: Options, setups: Sequence[JudgeSetup], untyped: Collection[str]
) -> dict[str, str]:
    """Judge -> why it waits for its key, while others of the run have theirs. `untyped`: those
    whose typed key is not there any more."""
    found = {
        setup.name: say("runs.keys.typed_gone")
        if setup.name in untyped
        else _lacking(setup).partition(": ")[2] or _lacking(setup)
        for setup in setups
        if setup.name in untyped or _lacking(setup)
    }
    return found if len(found) < len(setups) and not options.tries else {}


def words(waits: Mapping[str, str]) -> str:
    """Who waits for which key, and what to do."""
    who = listed([f"{name} ({why})" for name, why in waits.items()])
    return say("runs.keys.waiting", n=len(waits), judges=who)


def _lacking(setup: JudgeSetup) -> str:
    return str(getattr(setup.provider, "lacking", ""))
