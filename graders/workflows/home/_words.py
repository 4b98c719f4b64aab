"""The sentences of the page of projects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graders.core.money import dollars
from graders.workflows.scope.phrases import listed, several

_NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")
_LANGUAGES = {
    "ar": "Arabic",
    "de": "German",
    "en": "English",
    "es": "Spanish",
    "fr": "French",
    "hi": "Hindi",
    "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean",
    "pl": "Polish",
    "pt": "Portuguese",
    "ru": "Russian",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "zh": "Chinese",
}
_ENDS = {
    "done": "is done",
    "stopped": "was stopped",
    "failed": "failed",
    "paused": "is paused",
    "waiting_for_key": "waits for its key",
}


def heading(cards: Sequence[Mapping[str, Any]], imports: int = 0) -> tuple[str, str]:
    """The finding of the page and the line below it; `imports` wait for somebody's word."""
    below = "Cells: one answer under one criterion. The bar says who decided them."
    if imports and not any(card["next"]["waits"] for card in cards):
        return (
            "An import waits" if imports == 1 else f"{_number(imports)} imports wait"
        ) + " for your word.", below if cards else ""
    if not cards:
        return "There is no project yet.", "Drop a file with questions and answers to make one."
    waits = [card["next"] for card in cards if card["next"]["waits"]]
    running = [
        card for card in cards if card["next"]["kind"] == "run" and not card["next"]["waits"]
    ]
    if waits:
        head = f"{_number(len(waits))} project{' waits' if len(waits) == 1 else 's wait'} for you"
        minutes = [step["minutes"] for step in waits]
        known = [m for m in minutes if m is not None]
        return head + (
            f", about {span(sum(known))}{' in all' if len(known) > 1 else ''}."
            if len(known) == len(minutes)
            else "."
        ), below
    if running:
        return f"Graders are at work on {running[0]['title']}; nothing waits for you.", below
    return "Nothing waits for you.", below


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else f"{count:,}"


def waiting(found: Mapping[str, Any]) -> dict[str, Any]:
    """An import that is not finished as the page shows it: {id, state, title, text}, such as ``An
    import waits: huge.csv, 3 bad rows``."""
    if found["state"] == "staging":
        return {
            "id": found["id"],
            "state": "staging",
            "title": f"A file is being read: {found['source']}",
            "text": f"for {found['title']}",
        }
    bad = f", {several(found['bad'], 'bad row')}" if found["bad"] else ""
    text = f"for {found['title']}; nobody sees its rows yet"
    return {
        "id": found["id"],
        "state": "staged",
        "title": f"An import waits: {found['source']}{bad}",
        "text": text,
    }


def span(minutes: float) -> str:
    """``3 minutes``, ``2 hours``, to about a tenth."""
    if minutes < 1.5:
        return "a minute"
    if minutes < 90:
        return f"{round(minutes) if minutes < 20 else round(minutes / 5) * 5} minutes"
    return f"{round(minutes / 60)} hours"


def lines(facts: Mapping[str, Any]) -> list[str]:
    """The two lines below a project's title."""
    codes = facts["languages"]
    languages = (
        ", ".join(_LANGUAGES.get(code, code) for code in codes)
        if len(codes) <= 2
        else f"{len(codes)} languages"
    )
    first = [several(facts["questions"], "question"), several(facts["models"], "model"), languages]
    second = [
        several(facts["criteria"], "criterion"),
        several(facts["judges"], "judge") if facts["judges"] else "no judge yet",
    ]
    return [" · ".join(part for part in first if part), ", ".join(second)]


def run_step(run: Mapping[str, Any]) -> tuple[str, str, bool]:
    """Label, reason, and whether somebody must act, for a project with a run under way."""
    state = run["state"]
    if state == "waiting_for_key":
        return "Type the key", "the run waits for it", True
    if state == "paused":
        return "Go on with the run", "it is paused", True
    if state == "running" and not run["alive"]:
        return "Go on with the run", "its worker is gone", True
    stages = run["progress"].get("stages") or []
    now = next((stage for stage in stages if stage["state"] == "working"), None)
    parts = (
        [f"{now['title'].lower()}: {now['done']:,} of {now['total']:,}"]
        if now and now["total"]
        else ["it begins"]
    )
    if run["progress"].get("money"):
        parts.append(f"{dollars(run['progress']['money'])} so far")
    return "Watch the run", " · ".join(parts), False


def review_step(facts: Mapping[str, Any]) -> tuple[str, str]:
    """Label and reason for a project with open screens."""
    parts = [
        f"~{span(facts['minutes'])}"
        if facts["minutes"] is not None
        else several(facts["totals"]["pending"], "cell is open")
    ]
    if facts["flagged"]:
        parts.append(f"{facts['flagged']:,} flagged")
    return f"Review {several(facts['screens'], 'screen')}", " · ".join(parts)


def brought(report: Mapping[str, Any]) -> str:
    """What an import brought and left out: ``3 questions and 9 answers came in; 2 rows were left
    out``."""
    came = [
        several(report[kind], kind[:-1])
        for kind in ("questions", "answers", "verdicts")
        if report.get(kind)
    ]
    left = f"; {several(report['bad'], 'row was')} left out" if report.get("bad") else ""
    return f"{listed(came) if came else 'Nothing new'} came in{left}"


def event(found: Mapping[str, Any]) -> str:
    """An event in words; empty for kinds that nobody wants to read about."""
    body = found["body"]
    match found["kind"]:
        case "import":
            brought = [
                several(body[kind], kind[:-1])
                for kind in ("questions", "answers", "verdicts")
                if body.get(kind)
            ]
            refused = f", {several(body['bad'], 'row')} refused" if body.get("bad") else ""
            return (
                ", ".join(brought) + " imported"
                if brought
                else "a file imported that changed nothing"
            ) + refused
        case "route":
            cells = {
                route: sum(reasons.values()) for route, reasons in body.get("cells", {}).items()
            }
            return (
                f"routed: {several(cells.get('people', 0), 'cell')} to people, "
                f"{cells.get('automatic', 0):,} to the machine"
            )
        case "draw" if body.get("design") == "placed":
            return _placed(body)
        case "draw":
            return (
                f"{body.get('design', 'sample')} drawn: {body.get('drawn', 0):,} of "
                f"{several(body.get('population', 0), 'answer')}"
            )
        case "terms":
            return (
                f"terms fixed: at most {body.get('alpha', 0):.0%} off, sure to "
                f"{1 - body.get('delta', 0):.0%}"
            )
        case "alarm":
            return (
                f"audit alarm: {body.get('criterion', '')}, {body.get('task', '')}, "
                "goes back to people"
            )
        case "rulings":
            return (
                f"no longer proven or refuted: {', '.join(body['void'])}"
                if body.get("void")
                else ""
            )
        case "task_types":
            return f"task types set for {several(len(body), 'category')}"
        case "questions_moved":
            return (
                f"task type or category changed on {several(body.get('questions', 0), 'question')}"
            )
        case "settings":
            return "settings changed: " + ", ".join(
                f"{name} {change[0]} → {change[1]}" for name, change in body.items()
            )
        case "reveal":
            return (
                "judges' values shown to a reviewer on "
                f"{several(body.get('screens', 0), 'blind screen')}"
            )
        case "rubric":
            return f"rubric {body.get('name', '')} changed"
    return ""


def reviewed(person: Mapping[str, Any]) -> str:
    """What a person did here."""
    return f"{person['name']} reviewed {several(person['screens'], 'screen')}"


def ran(run: Mapping[str, Any]) -> str:
    """How the latest run stands."""
    return f"run {run['id']} {_ENDS[run['state']]}" if run["state"] in _ENDS else ""


def ago(then: str, now: str) -> str:
    """``6 min ago`` for two times in ISO 8601."""
    seconds = (datetime.fromisoformat(now) - datetime.fromisoformat(then)).total_seconds()
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f"{int(seconds // size)} {unit} ago"
    return "just now"


def _placed(body: Mapping[str, Any]) -> str:
    """A placed draw begins, asks for more, or is over."""
    where = f"{body.get('criterion', '')}, {body.get('task', '')}"
    if "over" in body:
        if body["over"] == "done":
            return f"placed labels are all there: {where}"
        return f"no more placed labels are asked for: {where}"
    more = f", {body['budget']:,} at most" if "budget" in body else ", further out"
    return f"{several(body.get('drawn', 0), 'label')} placed: {where}{more}"
