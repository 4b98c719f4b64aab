"""What to type next in a project: the step that its card on the page of projects names, as a
command."""

from __future__ import annotations

from graders.commands._shell import hint
from graders.core.words import say
from graders.workflows.home import overview
from graders.workflows.scope.permissions import Scope

#: Kind of step -> the command that takes it.
COMMANDS = {
    "empty": "import FILE",
    "collect": "collect --model PROVIDER:MODEL",
    "plan": "grade",
    "fresh": "grade",
    "run": "grade --resume",
    "review": "serve",
    "settle": "serve",
    "pending": "serve",
    "done": "export --output results.zip",
}


def next_line(scope: Scope, project: str) -> str:
    """``Next: cograde grade --project study``, with what waits where that is not the next run."""
    step = overview.next_step(scope, project)
    words = "status" if step.kind == "run" and not step.waits else COMMANDS[step.kind]
    if step.kind == "plan" and step.resumes:
        words = "grade --resume"
    why = "" if step.kind in ("empty", "plan") else f"{step.label} ({step.why}): "
    return say("terminal.next", why=why, hint=hint(words, project))
