"""The judges of a project in a list, with what may be done with each, and what is recorded."""

from __future__ import annotations

from time import monotonic_ns

from graders.core.words import say
from graders.web.kit import View, drawn
from graders.workflows.runs.judges import BESIDE, JudgeList, ListedJudge


def rows(found: JudgeList, view: View) -> str:
    """The list: a judge's settings in words, and links to change it."""
    shown = [(one, _what(one), _settings(one)) for one in found.judges]
    return drawn("judges/list.html", rows=shown, view=_plain(view))


def later() -> str:
    """Asks for the figures as soon as it is drawn, each time that it is."""
    return drawn("judges/later.html", at=monotonic_ns())


def recorded(found: JudgeList, view: View) -> str:
    """What is kept of the calls of each model, and the question before it is deleted."""
    kept = [row for row in found.recorded if row.kept]
    return drawn("judges/recorded.html", rows=kept, lost=found.lost, view=view)


def _plain(view: View) -> View:
    """One thing is open at a time."""
    return view.with_(change="", like="", examples="", forget="")


def _what(one: ListedJudge) -> str:
    """What a judge is made of; empty where its name says so."""
    if one.derived:
        return say("runs.judges.page.derived")
    return "" if one.judge == one.name else one.judge


def _settings(one: ListedJudge) -> str:
    """What is set of a judge, in words."""
    beside = {name: getattr(one, name) for name in BESIDE}
    given = {**one.options, **beside}
    return ", ".join(
        say("runs.judges.page.without", name=_word(name))
        if value is False
        else f"{_word(name)} {_short(value)}"
        for name, value in given.items()
        if value is not None and value != ""
    )


def _word(name: str) -> str:
    return name.replace("_", " ")


def _short(value: object) -> str:
    """Numbers without what says nothing; a switch that is on is said by its name."""
    if isinstance(value, float):
        return f"{value:g}"
    return "" if value is True else str(value)
