"""Which judge of a run grades which criteria: a judge that is named for a criterion, else the model
that the rubric names there, else every judge that is named for none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graders.core.errors import UsageError
from graders.core.shapes import JSON
from graders.core.words import error_parts, say
from graders.store import projects
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows.cells.fault_list import judged_list
from graders.workflows.scope.rubric_check import judge_models, wrong_judge

#: Stands among the criteria of a judge for all those for which no judge is named.
REST = ""


def assigned(ws: Workspace, project: Project, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The options of a run with its judges by name alone and, as `judge_criteria`, the criteria
    (keys) of each; `asked_as` keeps the judges as they were given.

    A judge is given as PROVIDER:MODEL or as CRITERION=PROVIDER:MODEL. A criterion's name without
    its rubric means the criterion of each rubric that has one of that name. Options in which
    nothing is named for a criterion are returned as they are, and so are those of a look at single
    judges. UsageError or RubricError for a criterion or a model that is not known.
    """
    if given.get("asked_as") is not None or given.get("workshop") or given.get("beside"):
        return given
    cards: Mapping[str, Any] = project.settings.get("judges") or {}
    rows = projects.criteria(ws, project)
    listed = judged_list(rows) if given.get("faults") else []
    judged = [row for row in rows if row.criterion.grader("judge") is not None]
    words = [str(word).strip() for word in given.get("judges") or () if str(word).strip()]
    shares: dict[str, list[str]] = {}
    for word in words:
        criterion, name = _parted(word, cards)
        keys = [REST] if criterion is None else _keys(word, criterion, [*judged, *listed])
        mine = shares.setdefault(name, [])
        mine += [key for key in keys if key not in mine]
    named = {key for keys in shares.values() for key in keys}
    for row in judged:
        for name in _models(row, cards) if row.key not in named else ():
            mine = shares.setdefault(name, [])
            mine += [row.key] if row.key not in mine else []
    if all(keys == [REST] for keys in shares.values()):
        return given
    if not any(REST in keys for keys in shares.values()):  # then all look for named faults
        for keys in shares.values():
            keys += [row.key for row in listed if row.key not in named]
    return {
        **given,
        **_by_provider(given, cards, [_parted(word, cards)[1] for word in words], list(shares)),
        "judges": list(shares),
        "judge_criteria": shares,
        "asked_as": words,
    }


def _parted(word: str, cards: Mapping[str, Any]) -> tuple[str | None, str]:
    """(criterion, judge) of a judge as it is given; the criterion is None where none is named."""
    criterion, sign, name = word.partition("=")
    if not sign or ":" in criterion or word in cards:
        return None, word
    return criterion.strip(), name.strip()


def _keys(word: str, name: str, rows: Sequence[CriterionRow]) -> list[str]:
    """The keys of the criteria that a name means."""
    found = [row.key for row in rows if name in (row.key, row.criterion.name)]
    if not found or not word.partition("=")[2].strip():
        part = "no_criterion" if not found else "no_judge"
        raise UsageError(
            **error_parts(
                f"calling.share.{part}",
                word=repr(word)[:80],
                name=repr(name)[:60],
                names=", ".join(row.key for row in rows) or say("calling.share.none"),
            )
        )
    return found


def _models(row: CriterionRow, cards: Mapping[str, Any]) -> list[str]:
    """The models that the rubric names for a criterion."""
    if error := wrong_judge(row.criterion):
        raise error
    models = judge_models(row.criterion)
    for model in models:
        if ":" not in model and model not in cards:
            raise UsageError(
                **error_parts(
                    "calling.share.no_model",
                    criterion=row.key,
                    name=row.criterion.name,
                    model=repr(model)[:60],
                    names=say("runs.judge_or_one_of", names=", ".join(cards))
                    if cards
                    else say("runs.judge_form"),
                )
            )
    return models


def _by_provider(
    given: Mapping[str, Any], cards: Mapping[str, Any], typed: Sequence[str], names: Sequence[str]
) -> JSON:
    """The address and headers that were given for the one provider of the judges that were typed,
    under its name: they are not for another provider that the rubric adds."""

    def kinds(judges: Sequence[str]) -> set[str]:
        asked = [str((cards.get(name) or {}).get("judge") or name) for name in judges]
        return {name.partition(":")[0] for name in asked}

    if len(kinds(typed)) != 1 or kinds(names) == kinds(typed):
        return {}
    (kind,), headers = kinds(typed), dict(given.get("headers") or {})
    found: JSON = {}
    if address := given.get("base_url"):
        found |= {"base_url": "", "base_urls": {kind: address, **(given.get("base_urls") or {})}}
    if REST in headers:
        found["headers"] = {kind: headers.pop(REST), **headers}
    return found
