"""People: who is known in a workspace, and a new code for somebody who lost it."""

from __future__ import annotations

from typing import Annotated

import typer

from graders.commands._shell import JsonOption, WorkspaceOption, group, scope_for, show
from graders.core.shapes import as_dict
from graders.core.words import carried
from graders.workflows.scope import identity
from graders.workflows.scope.typed_names import person_for_lead

say = carried(
    "command_people",
    {
        "help": ("List people, or give somebody a new code.\n\nExample: cograde people code Mira"),
        "list.help": "List the people of a workspace.\n\nExample: cograde people list",
        "code.help": (
            "Give somebody a new code. The one before no longer works; browsers that know the "
            "person still do.\n\nExample: cograde people code Mira"
        ),
        "code.name.help": "A name or an id.",
        "coded": "The code of {name} is now {code}. Tell it to {name} alone.",
        "none": "No people yet.",
        "has": "has a code",
        "has_none": "no code",
    },
)

app = group(say("help"))


@app.command("list", help=say("list.help"))
def list_people(workspace: WorkspaceOption = None, as_json: JsonOption = False) -> None:
    """List the people of a workspace."""
    found = identity.listed(scope_for(workspace))
    show({"people": [as_dict(one) for one in found]}, as_json, lambda: _text(found))


@app.command("code", help=say("code.help"))
def new_code(
    name: Annotated[str, typer.Argument(help=say("code.name.help"))],
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Give somebody a new code."""
    scope = scope_for(workspace)
    made = identity.new_code(scope, person_for_lead(scope, name))
    show(
        {"id": made.person.id, "name": made.person.name, "code": made.code},
        as_json,
        lambda: say("coded", name=made.person.name, code=made.code),
    )


def _text(found: list[identity.Listed]) -> str:
    return "\n".join(
        f"{one.name}  {one.group}  {say('has' if one.code else 'has_none')}  ({one.id})"
        for one in found
    ) or say("none")
