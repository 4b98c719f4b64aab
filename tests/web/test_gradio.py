"""What the pages lean on of Gradio's insides: each test fails where a newer Gradio is otherwise."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from graders.web.kit import gradio as inside
from graders.web.kit.gradio import AsSent, gr

WEB = Path(inside.__file__).parents[1]
#: Names that only the one place may use: attributes with an underscore, of what is not `self`.
PRIVATE = re.compile(r"(?<!self)(?<!cls)(?<!super\(\))\.(_[a-z]\w+)")
#: Ours, or Python's own.
KNOWN = {"_replace", "_asdict", "_value2member_map_"}


def test_only_one_place_knows_gradios_insides() -> None:
    files = [one for one in WEB.rglob("*.py") if one != Path(inside.__file__)]
    found = [
        f"{path.relative_to(WEB)}: {name}"
        for path in files
        if "gradio import" in (text := path.read_text("utf-8"))
        for name in PRIVATE.findall(text)
        if name not in KNOWN
    ]
    others = [
        p.name for p in files if re.search(r"^\s*(import|from) gradio", p.read_text("utf-8"), re.M)
    ]
    assert found == [] and others == []


def made() -> tuple[AsSent, dict[str, Any]]:
    """Blocks with one event that answers a text, a list with its choices, and a part's HTML."""
    with inside.unserved(), AsSent() as blocks:
        ask, text = gr.HTML(js_on_load="trigger('go')"), gr.Textbox()
        choice, part, box = gr.Dropdown([]), gr.HTML(), gr.Column(visible=False)
        ask.go(str, [text], [text, choice, part, box], queue=False)
    return blocks, {"ask": ask, "text": text, "choice": choice, "part": part, "box": box}


def props(blocks: AsSent, component: Any) -> dict[str, Any]:
    return next(one["props"] for one in blocks.config["components"] if one["id"] == component._id)


def test_blocks_are_begun_without_an_application_of_their_own() -> None:
    blocks, _ = made()
    assert blocks.app is None  # Gradio would have one of some eighty routes here


def test_events_get_what_was_sent_as_it_was_sent() -> None:
    blocks, _ = made()
    sent = [{"path": "http://127.0.0.1:9/x", "meta": {"_type": "gradio.FileData"}}]
    assert asyncio.run(blocks.preprocess_data(blocks.newest_event, sent, None)) == sent
    assert asyncio.run(blocks.preprocess_data(blocks.newest_event, [], None)) == [None]


def test_a_page_is_sent_with_its_first_drawing_to_who_opens_it_alone() -> None:
    blocks, one = made()
    blocks.config = blocks.get_config_file()
    plain = blocks.config

    async def opened() -> list[dict[str, Any]]:
        parts = {
            one["text"]: "typed",
            one["choice"]: gr.update(choices=[("Sea", "sea")], value="sea", visible=True),
            one["part"]: "<b>drawn</b>",
            one["box"]: gr.update(visible=True),
        }
        await blocks.opened(blocks.newest_event, parts)
        return [props(blocks, one[name]) for name in ("text", "choice", "part", "box")]

    text, choice, part, box = asyncio.run(opened())
    assert text["value"] == "typed" and part["value"] == "<b>drawn</b>" and box["visible"] is True
    assert (choice["value"], [[*one] for one in choice["choices"]]) == ("sea", [["Sea", "sea"]])
    assert "__type__" not in choice
    assert blocks.config is plain and not props(blocks, one["part"]).get("value")


def test_what_an_event_carries_is_read_whole() -> None:
    assert inside.said_by(gr.EventData(None, {"do": "save", "n": 1})) == {"do": "save", "n": 1}
    assert inside.said_by(gr.EventData(None, None)) == {}


def test_who_called_is_known_by_the_scope_of_the_request() -> None:
    class Request:
        scope = {"session": {"person": "p"}}

    assert inside.asked_by(gr.Request(Request()))["session"] == {"person": "p"}  # type: ignore[arg-type]


def test_events_of_ones_own_and_gradios_are_heard_as_one() -> None:
    blocks, one = made()
    with blocks:
        inside.any_of([one["ask"].go, one["text"].submit])(None, None, None, js="() => {}")
    targets = blocks.newest_event.targets
    assert targets == [(one["ask"]._id, "go"), (one["text"]._id, "submit")]


def test_a_queue_that_stays_empty_is_looked_at_now_and_then() -> None:
    blocks, _ = made()
    before = (blocks._queue.sleep_when_free, blocks._queue.progress_update_sleep_when_free)
    assert max(before) < 1  # else there is nothing to mend any more
    inside.no_queue(blocks)
    assert blocks._queue.sleep_when_free == inside.QUEUE_SECONDS


def test_programs_are_told_the_type_that_was_said() -> None:
    def echo(name: str) -> str:
        return name

    with inside.unserved(), gr.Blocks() as blocks:
        gr.api(echo, api_name="echo", queue=False)  # type: ignore[attr-defined]
    [event] = blocks.fns.values()
    inside.typed_as(event.inputs[0], "name", {"type": "string", "description": "A name."})
    blocks.config = blocks.get_config_file()
    told = blocks.get_api_info()["named_endpoints"]["/echo"]["parameters"][0]  # type: ignore[index]
    assert told["label"] == "name"
    assert told["type"] == {"type": "string", "description": "A name."}


@pytest.mark.parametrize("name", ["Textbox", "Dropdown"])
def test_a_component_is_a_key_by_itself(name: str) -> None:
    one, other = (getattr(gr, name)(render=False) for _ in range(2))
    assert {one: 1, other: 2}[one] == 1
