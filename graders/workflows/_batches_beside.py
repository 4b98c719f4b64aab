"""Runs that ask call by call beside batches that are under way: what is in a batch must not be sent, and paid, once more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graders.core.errors import InputError
from graders.store.batches import calls_in_batches
from graders.store.projects import Project
from graders.store.workspace import Workspace
from graders.workflows.judge_setup import JudgeSetup
from graders.workflows.run_options import Keys, Options


def need_no_batches(ws: Workspace, project: Project, setups: Sequence[JudgeSetup]) -> None:
    """InputError where judges that are to be asked call by call have calls in batches: those would be sent and paid again."""
    for setup in setups:
        address = setup.provider.address
        if count := calls_in_batches(ws, project, setup.provider.name, address):  # one that hands in batches has the same name
            raise InputError(
                f"judge {setup.name}",
                found=f"{count:,} {'call is' if count == 1 else 'calls are'} in a batch at {address}",
                expected="no batch under way",
                remedy="Resume the run that handed it in (--resume), or start one with batches (--batch): both take in its replies.",
            )


def batches_beside(ws: Workspace, project: Project, settings: Mapping[str, Any], keys: Keys | None = None) -> InputError | None:
    """Why a run with these settings may not go on: it asks call by call, and calls of its judges are in batches of another run."""
    if settings.get("batch") or settings.get("collect") or settings.get("asks"):
        return None
    try:
        need_no_batches(ws, project, Options.of(settings).setups(ws, keys or {}))
    except InputError as error:
        return error
    return None
