"""Nested JSON and chats, as test files; see `shapes`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.importers.shapes import Q1, Q2, Q3, SHAPES, STEM, A, B, Shape, both, lines, one


def said(role: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, **more}


def chat(question: str, answer: str) -> list[dict[str, Any]]:
    return [said("user", question), said("assistant", answer)]


lines(
    "a question as an object, responses as a list",
    [
        {
            "question": {"id": f"q{n}", "text": q, "category": "general"},
            "responses": [
                {"model": "GPT-4o", "text": A[n], "seconds": 1.5},
                {"model": "Claude 3.5", "text": B[n], "seconds": 2},
            ],
        }
        for n, q in enumerate((Q1, Q2, Q3))
    ],
    *both(),
    more={
        (Q1, "GPT-4o"): {"total_seconds": 1.5, "question_id": "q0"},
        (Q1,): {"id": "q0", "category": "general"},
    },
)
lines(
    "responses whose text is an object",
    [
        {
            "prompt": q,
            "responses": {
                "GPT-4o": {"content": [{"type": "text", "text": A[n]}]},
                "Claude 3.5": {"message": said("assistant", B[n])},
            },
        }
        for n, q in enumerate((Q1, Q2, Q3))
    ],
    *both(),
)
lines(
    "several texts per prompt",
    [{"prompt": q, "responses": [A[n], B[n]]} for n, q in enumerate((Q1, Q2, Q3))],
    *both("1", "2"),
)
lines(
    "inputs and outputs as objects",
    [
        {
            "inputs": {"question": q},
            "outputs": {"answer": A[n]},
            "reference_outputs": {"answer": "x"},
        }
        for n, q in enumerate((Q1, Q2, Q3))
    ],
    *one(),
)
lines(
    "a question as an object without a text",
    [{"question": {"id": 1, "lang": "en"}, "responses": {"a": "Yes.", "b": "No."}}],
    refused="text",
)
lines(
    "an answer as an object without a text",
    [
        {"question": Q1, "answer": {"score": 1, "ok": True}},
        {"question": Q2, "answer": {"score": 0}},
    ],
    refused="text",
)
lines(
    "one response, as an object with figures",
    [
        {"question": q, "response": {"text": A[n], "latency": 1.5, "model": "Alder"}}
        for n, q in enumerate((Q1, Q2, Q3))
    ],
    *one("Alder"),
    more={(Q1, "Alder"): {"total_seconds": 1.5}},
)

# Chats.
lines(
    "a chat a line",
    [{"messages": chat(q, A[n])} for n, q in enumerate((Q1, Q2, Q3))],
    *one(),
    more={(Q1,): {"context": ()}},
)
lines(
    "a chat of several turns with a system prompt",
    [
        {
            "id": "c1",
            "model": "Alder",
            "messages": [
                said("system", "Be brief."),
                *chat("Hello", "Hi there."),
                *chat(Q1, A[0]),
            ],
        },
        {"id": "c2", "model": "Birch", "messages": chat(Q2, A[1])},
    ],
    (Q1, "Alder", A[0]),
    (Q2, "Birch", A[1]),
    more={
        (Q1,): {
            "id": "c1",
            "context": ("system: Be brief.\n\nuser: Hello\n\nassistant: Hi there.",),
        }
    },
)
lines(
    "the same last question in two chats",
    [
        {"messages": [*chat(Q1, A[0]), *chat("Are you sure?", "Yes, quite.")]},
        {"messages": [*chat(Q2, A[1]), *chat("Are you sure?", "Yes, air does.")]},
    ],
    ("Are you sure?", STEM, "Yes, quite."),
    ("Are you sure?", STEM, "Yes, air does."),
)
lines(
    "a chat that ends with the user beside whole ones",
    [
        {"messages": chat(Q1, A[0])},
        {"messages": [*chat(Q2, A[1]), said("user", "Really?")]},
        {"messages": chat(Q3, A[2])},
    ],
    (Q1, STEM, A[0]),
    (Q3, STEM, A[2]),
    bad=1,
)
lines(
    "a chat that ends with the user, answers beside it",
    [
        {
            "messages": [said("system", "Be kind."), said("user", q)],
            "responses": [
                {"model": "GPT-4o", "response": A[n]},
                {"model": "Claude 3.5", "response": B[n]},
            ],
        }
        for n, q in enumerate((Q1, Q2, Q3))
    ],
    *both(),
    more={(Q1,): {"context": ("system: Be kind.",)}},
)
lines(
    "a prompt as a chat, chosen and rejected as chats",
    [
        {"prompt": q, "chosen": chat(q, A[n]), "rejected": chat(q, B[n])}
        for n, q in enumerate((Q1, Q2, Q3))
    ],
    *both("chosen", "rejected"),
)
lines(
    "chosen and rejected as chats without a prompt",
    [{"chosen": chat(q, A[n]), "rejected": chat(q, B[n])} for n, q in enumerate((Q1, Q2, Q3))],
    *both("chosen", "rejected"),
)
lines(
    "tool calls before the answer",
    [
        {
            "messages": [
                said("user", Q1),
                said("assistant", None, tool_calls=[{"function": {"name": "look_up"}}]),
                said("tool", "Paris: capital", tool_call_id="1"),
                said("assistant", A[0]),
            ]
        },
        {"messages": chat(Q2, A[1])},
    ],
    (Q1, STEM, A[0]),
    (Q2, STEM, A[1]),
    more={
        (Q1,): {
            "context": (
                'assistant: [tool_calls] [{"function": {"name": "look_up"}}]\n\n'
                "tool: Paris: capital",
            )
        }
    },
)
lines(
    "a chat that ends with a tool call",
    [
        {"messages": [said("user", Q1), said("assistant", None, tool_calls=[{"id": "1"}])]},
        {"messages": chat(Q2, A[1])},
    ],
    (Q2, STEM, A[1]),
    bad=1,
)
lines(
    "contents in parts, one of them a picture",
    [
        {
            "messages": [
                said(
                    "user",
                    [
                        {"type": "text", "text": "What is on the picture?"},
                        {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
                    ],
                ),
                said(
                    "assistant",
                    [{"type": "text", "text": "A cat"}, {"type": "text", "text": "asleep."}],
                ),
            ]
        },
        {"messages": chat(Q2, A[1])},
    ],
    ("What is on the picture?\n[image_url]", STEM, "A cat\nasleep."),
    (Q2, STEM, A[1]),
)
lines(
    "ShareGPT: conversations with from and value",
    [
        {
            "id": f"s{n}",
            "conversations": [{"from": "human", "value": q}, {"from": "gpt", "value": A[n]}],
        }
        for n, q in enumerate((Q1, Q2, Q3))
    ],
    *one(),
)
lines(
    "OpenAI's log: messages, model, one choice",
    [
        {
            "model": "Alder",
            "messages": [said("user", q)],
            "choices": [{"index": 0, "message": said("assistant", A[n]), "finish_reason": "stop"}],
        }
        for n, q in enumerate((Q1, Q2, Q3))
    ],
    *one("Alder"),
)
lines(
    "several choices per prompt",
    [
        {
            "messages": [said("user", q)],
            "choices": [{"message": said("assistant", text)} for text in (A[n], B[n])],
        }
        for n, q in enumerate((Q1, Q2, Q3))
    ],
    *both("1", "2"),
)
lines(
    "messages without roles",
    [{"messages": ["Hello", "Hi there."]}, {"messages": ["Why?", "Because."]}],
    refused="role",
)
lines(
    "a chat in which only the assistant speaks",
    [{"messages": [said("assistant", "Hi.")]}, {"messages": chat(Q2, A[1])}],
    (Q2, STEM, A[1]),
    bad=1,
)
lines(
    "a batch of replies without the questions",
    [
        {
            "custom_id": f"r{n}",
            "response": {"body": {"choices": [{"message": said("assistant", a)}]}},
        }
        for n, a in enumerate(A)
    ],
    refused="question",
)


def _whole(path: Path) -> None:
    rows = [
        {"messages": [said("developer", "Rhyme."), *chat(q, A[n])]} for n, q in enumerate((Q1, Q2))
    ]
    path.write_text(json.dumps({"version": 1, "conversations": rows}), "utf-8")


SHAPES["chats in a list inside one object"] = Shape(
    ".json",
    _whole,
    frozenset({(Q1, STEM, A[0]), (Q2, STEM, A[1])}),
    more={(Q2,): {"context": ("developer: Rhyme.",)}},
)
