"""Chats, ``[{"role": ..., "content": ...}, ...]``, as cells: the last turn of the assistant is the
answer, what the user said before it the question, the turns around them its context."""

from __future__ import annotations

import json
import re
from typing import Any

from graders.core.hashing import text_hash
from graders.importers.tables.cells import clean_lines

SIGN = " / "
#: The cells beside that of a chat have its name before these. One whose own cell is the answer has
#: the question beside it.
QUESTION, ANSWER, CONTEXT, ID = (
    f"{SIGN}{name}" for name in ("question", "answer", "context", "id")
)
#: Names of a text in an object, and of what holds it.
TEXTS = ("text", "answer", "response", "output", "completion", "content", "reply")
_HOLDERS = ("message", "value", "body", "choices", "parts", "output_text", "generated_text")
_USER = frozenset({"user", "human", "prompter"})
_ASSISTANT = frozenset({"assistant", "gpt", "model", "bot", "chatgpt", "ai"})
_BEGINS = re.compile(r"""\s*\[\s*\{\s*["'](?:role|from)["']\s*:""")
_CALLS = ("tool_calls", "function_call")


def is_chat(value: Any) -> bool:
    """Whether `value` is a list of messages that say who speaks."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(one, dict) and isinstance(_speaker(one), str) for one in value)
        and any(_content(one) is not None for one in value)
    )


def looks_like_chat(cell: Any) -> bool:
    """Whether `cell` is a text that begins as a chat in JSON does."""
    return isinstance(cell, str) and bool(_BEGINS.match(cell))


def chat_cells(key: str, messages: list[dict[str, Any]], *, answers: bool) -> dict[str, Any]:
    """The cells of a chat called `key`; with `answers` its own is the answer, else the question."""
    speakers = [str(_speaker(one)).casefold() for one in messages]
    last = len(messages) - 1 if speakers[-1] in _ASSISTANT else len(messages)
    asked = [i for i, speaker in enumerate(speakers[:last]) if speaker in _USER]
    question = said_of(_content(messages[asked[-1]])) if asked else ""
    around = [i for i in range(len(messages)) if i != last and i not in asked[-1:]]
    context = "\n\n".join(_turn(messages[i]) for i in around)
    whole = "\n\n".join(part for part in (context, clean_lines(question).strip()) if part)
    cells = {
        key + CONTEXT: [context] if context else "",
        # the same words after other turns are another question
        key + ID: f"q-{text_hash(whole)[:10]}",
    }
    answer = _answer(messages[last]) if last < len(messages) else ""
    if answers:
        return {key: answer, key + QUESTION: question, **cells}
    return {key: question, **({key + ANSWER: answer} if last < len(messages) else {}), **cells}


def text_in(value: Any) -> str | None:
    """The one text in what a model gave back: of a message, of its parts, of the only choice; None
    where there is none, or several."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        if value and all(isinstance(part, dict) and _is_part(part) for part in value):
            return said_of(value)
        return text_in(value[0]) if len(value) == 1 else None
    if isinstance(value, dict):
        found = (text_in(value[name]) for name in (*TEXTS, *_HOLDERS) if value.get(name))
        return next((text for text in found if text is not None), None)
    return None


def said_of(content: Any) -> str:
    """The text of a message. What is no text in it is named in brackets: ``[image_url]``."""
    if content is None or isinstance(content, str):
        return content or ""
    if isinstance(content, list):
        return "\n".join(said_of(part) for part in content)
    if isinstance(content, dict):
        text = content.get("text", content.get("content"))
        if isinstance(text, str):
            return text
        return f"[{content.get('type') or next(iter(content), 'object')}]"
    return str(content)


def _is_part(part: dict[str, Any]) -> bool:
    return "type" in part and "message" not in part


def _speaker(message: dict[str, Any]) -> Any:
    return message.get("role", message.get("from"))


def _content(message: dict[str, Any]) -> Any:
    return next(
        (message[name] for name in ("content", "value", "parts", "text") if message.get(name)),
        None,
    )


def _answer(message: dict[str, Any]) -> str:
    """What an assistant said; nothing where it only called tools."""
    text = said_of(_content(message))
    return _turn_text(message) if text.strip() else ""


def _turn(message: dict[str, Any]) -> str:
    return f"{_speaker(message)}: {_turn_text(message)}"


def _turn_text(message: dict[str, Any]) -> str:
    calls = [
        f"[{name}] {json.dumps(message[name], ensure_ascii=False)}"
        for name in _CALLS
        if message.get(name)
    ]
    return "\n".join(part for part in (said_of(_content(message)), *calls) if part)
