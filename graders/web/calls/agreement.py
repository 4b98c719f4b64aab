"""How far judges agree with people."""

from __future__ import annotations

from graders.web.caller import Caller
from graders.workflows.agreement import agree
from graders.workflows.report import rows
from graders.workflows.report.rows import AgreementRow


def call(
    caller: Caller, project: str, criterion: str = "", blind_only: bool = True
) -> list[AgreementRow]:
    """How far each judge agrees with people, beside how far people agree: one row per criterion and
    judge.

    Args:
        project: the project's name
        criterion: one criterion, as RUBRIC/CRITERION; empty for all
        blind_only: leave verdicts out that people gave with suggestions in sight
    """
    found = rows.agreement(agree.agreement(caller.scope, project, blind_only=blind_only))
    return [row for row in found if criterion in ("", row.criterion)]
