"""The answers behind a cell of a matrix or a group of disagreements, and what is done from one."""

from __future__ import annotations

from typing import Any

from graders.core.errors import InputError
from graders.core.words import error_parts
from graders.web.kit import Asked, View, drawn
from graders.web.kit.counted import Counted
from graders.web.kit.frame import Frame
from graders.workflows.agreement import matrix, mend
from graders.workflows.agreement.disagreements import (
    Disagreements,
    Grouping,
    Wanted,
    disagreements,
)
from graders.workflows.agreement.records import MatrixCell, PairRow
from graders.workflows.measuring.measure import encoder_for
from graders.workflows.runs import corrections

#: Parameters that open something in an answer's row.
OPENED = ("mend", "example")


class Answers:
    """The list of answers of a page, and what is done from one; `said`: cell -> what became of
    it."""

    def __init__(self, frame: Frame, counted: Counted) -> None:
        self.frame, self.counted = frame, counted
        self.part = frame.part(acts=True, elem_classes="k-behind")
        self._paths = [place.path for place in frame.site.places]

    def of_pair(self, asked: Asked, pair: PairRow | None, said: dict[int, str]) -> str:
        """The answers behind the cell of the matrix that is open; empty where none is."""
        view = asked.view
        value_a, value_b = view.one("value_a"), view.one("value_b")
        if not (pair and value_a and value_b):
            return ""
        cell = MatrixCell(pair.criterion, pair.a, pair.b, value_a, value_b)
        found = matrix.matrix_cell(
            asked.scope, asked.project, cell, view.number("p"), **self.counted.of(view)
        )
        return self._drawn("agreement/answers.html", asked, said, found=found)

    def of_difference(self, asked: Asked, found: Disagreements, said: dict[int, str]) -> str:
        """The answers of the group that is open."""
        return self._drawn("agreement/differing.html", asked, said, found=found)

    def _drawn(self, template: str, asked: Asked, said: dict[int, str], **more: Any) -> str:
        view = asked.view.with_(mend="", example="") if said else asked.view
        return drawn(
            template,
            view=view,
            said=said,
            judges=self._judges(asked, view),
            places=self._paths,
            **more,
        )

    def _judges(self, asked: Asked, view: View) -> corrections.Offers | None:
        cell = view.number("example", 0)
        return corrections.offers(asked.scope, asked.project, cell) if cell else None

    def did(self, asked: Asked) -> dict[int, str]:
        """Do what was pressed in a row: cell -> what became of it. The use cases refuse what is no
        answer, judge or reference of theirs."""
        event, scope, project = asked.event, asked.scope, asked.project
        cell = _number(event, "cell")
        question = str(event.get("question") or "")
        match event.get("do"):
            case "review":
                model, version = str(event.get("model") or ""), _number(event, "version")
                words = mend.another_opinion(scope, project, question, model, version).words
            case "mend":
                texts = [str(text) for name, text in event.items() if name.startswith("reference")]
                encoder = encoder_for(self.frame.site.settings.models(), scope.ws)
                words = mend.mend_references(scope, project, question, texts, encoder).words
            case "example":
                judge = str(event.get("judge") or "")
                words = corrections.add(scope, project, judge, cell).message
            case other:
                raise InputError(**error_parts("web.act", name=repr(other)[:60]))
        return {cell: words}


def wanted_of(view: View) -> Wanted:
    """Which disagreements an address asks for."""
    return Wanted(
        view.one("criterion"),
        view.one("a"),
        view.one("grouping") or Grouping.FAULT_OF,
        view.one("group"),
        view.number("p"),
    )


def differing(asked: Asked, counted: Counted) -> Disagreements:
    """The disagreements that are asked for."""
    filters = counted.of(asked.view)["filters"]
    return disagreements(asked.scope, asked.project, wanted_of(asked.view), filters=filters)


def _number(event: Any, name: str) -> int:
    value = event.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
