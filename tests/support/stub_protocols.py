"""The protocols that the stub provider speaks: how a request is read, a reply written, cut into a
stream, an error told."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

REFUSAL = "I cannot help with that."


def dumps(tree: Any) -> bytes:
    return json.dumps(tree, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


@dataclass(frozen=True)
class Asked:
    """What the stub needs to know of a request."""

    model: str
    prompt: str
    schema: Any
    stream: bool
    tree: dict[str, Any]


@dataclass(frozen=True)
class Said:
    """What the stub says: `fault` may be cut, refusal or empty; tokens are characters / 4."""

    text: str
    fault: str
    used: int
    made: int
    seed: int


class OpenAI:
    """/v1/chat/completions"""

    events = True

    def read(self, tree: dict[str, Any]) -> Asked:
        prompt = "".join(message["content"] for message in tree["messages"])
        schema = ((tree.get("response_format") or {}).get("json_schema") or {}).get("schema")
        return Asked(tree["model"], prompt, schema, bool(tree.get("stream")), tree)

    def write(self, asked: Asked, said: Said) -> dict[str, Any]:
        message = {
            "role": "assistant",
            "content": said.text or None,
            "refusal": REFUSAL if said.fault == "refusal" else None,
        }
        choice: dict[str, Any] = {
            "index": 0,
            "finish_reason": "length" if said.fault == "cut" else "stop",
            "message": message,
        }
        if asked.tree.get("logprobs"):
            choice["logprobs"] = {
                "content": [
                    {"token": t, "logprob": -0.25, "bytes": None, "top_logprobs": []}
                    for t in parts(said.text)
                ]
            }
        usage = {
            "prompt_tokens": said.used,
            "completion_tokens": said.made,
            "total_tokens": said.used + said.made,
            "prompt_tokens_details": {"cached_tokens": said.used // 2},
        }
        return {
            "id": f"chatcmpl-{said.seed:x}",
            "object": "chat.completion",
            "created": 1_790_000_000,
            "model": asked.model,
            "choices": [choice],
            "usage": usage,
        }

    def pieces(self, asked: Asked, reply: dict[str, Any]) -> list[bytes]:
        choice, message = reply["choices"][0], reply["choices"][0]["message"]
        frame = {
            **{k: reply[k] for k in ("id", "created", "model")},
            "object": "chat.completion.chunk",
        }
        deltas: list[dict[str, Any]] = [{"delta": {"role": "assistant", "content": ""}}]
        for text in parts(message["content"] or ""):
            entry: dict[str, Any] = {"delta": {"content": text}}
            if "logprobs" in choice:
                entry["logprobs"] = {"content": [{"token": text, "logprob": -0.25}]}
            deltas.append(entry)
        deltas += [{"delta": {"refusal": message["refusal"]}}] if message["refusal"] else []
        deltas.append({"delta": {}, "finish_reason": choice["finish_reason"]})
        chunks = [
            {**frame, "choices": [{"index": 0, "finish_reason": None, **delta}]} for delta in deltas
        ]
        if (asked.tree.get("stream_options") or {}).get("include_usage"):
            chunks.append({**frame, "choices": [], "usage": reply["usage"]})
        return [
            b": keep alive\n\n",
            *(b"data: " + dumps(chunk) + b"\n\n" for chunk in chunks),
            b"data: [DONE]\n\n",
        ]

    def broken_piece(self) -> bytes:
        return (
            b"data: "
            + dumps(
                {
                    "error": {
                        "message": "The server had an error",
                        "type": "server_error",
                        "code": None,
                    }
                }
            )
            + b"\n\n"
        )

    def error(self, kind: str, code: str | None, message: str) -> bytes:
        return dumps({"error": {"message": message, "type": kind, "param": None, "code": code}})


class Anthropic:
    """/v1/messages"""

    events = True
    #: Names of errors as this protocol writes them, by those of the first one.
    kinds = {
        "requests": "rate_limit_error",
        "insufficient_quota": "billing_error",
        "server_error": "api_error",
        "overloaded": "overloaded_error",
    }

    def read(self, tree: dict[str, Any]) -> Asked:
        for name in ("temperature", "top_p", "top_k"):
            if name in tree and "claude" in tree["model"]:
                raise ValueError(f"{name}: this version of the interface does not take it")
        if not isinstance(tree["max_tokens"], int):
            raise ValueError("max_tokens: a whole number is required")
        prompt = self._text(tree.get("system") or "") + "".join(
            self._text(message["content"]) for message in tree["messages"]
        )
        schema = ((tree.get("output_config") or {}).get("format") or {}).get("schema")
        return Asked(tree["model"], prompt, schema, bool(tree.get("stream")), tree)

    def _text(self, found: Any) -> str:
        return found if isinstance(found, str) else "".join(block["text"] for block in found)

    def write(self, asked: Asked, said: Said) -> dict[str, Any]:
        stop = {"cut": "max_tokens", "refusal": "refusal"}.get(said.fault, "end_turn")
        kept = said.used // 2 if b'"cache_control"' in dumps(asked.tree) else 0
        return {
            "id": f"msg_{said.seed:x}",
            "type": "message",
            "role": "assistant",
            "model": asked.model,
            "content": [{"type": "text", "text": said.text}] if said.text else [],
            "stop_reason": stop,
            "stop_sequence": None,
            "stop_details": {"type": "refusal", "category": None, "explanation": REFUSAL}
            if stop == "refusal"
            else None,
            "usage": {
                "input_tokens": said.used - kept,
                "cache_creation_input_tokens": 0,
                "cache_read_input_tokens": kept,
                "output_tokens": said.made,
            },
        }

    def pieces(self, asked: Asked, reply: dict[str, Any]) -> list[bytes]:
        start = {
            **reply,
            "content": [],
            "stop_reason": None,
            "stop_details": None,
            "usage": {**reply["usage"], "output_tokens": 1},
        }
        events: list[dict[str, Any]] = [
            {"type": "message_start", "message": start},
            {"type": "ping"},
        ]
        for index, block in enumerate(reply["content"]):
            events.append(
                {
                    "type": "content_block_start",
                    "index": index,
                    "content_block": {"type": "text", "text": ""},
                }
            )
            for text in parts(block["text"]):
                events.append(
                    {
                        "type": "content_block_delta",
                        "index": index,
                        "delta": {"type": "text_delta", "text": text},
                    }
                )
            events.append({"type": "content_block_stop", "index": index})
        ends = {key: reply[key] for key in ("stop_reason", "stop_sequence", "stop_details")}
        events += [
            {
                "type": "message_delta",
                "delta": ends,
                "usage": {"output_tokens": reply["usage"]["output_tokens"]},
            },
            {"type": "message_stop"},
        ]
        return [self._event(event) for event in events]

    def _event(self, event: dict[str, Any]) -> bytes:
        return f"event: {event['type']}\n".encode() + b"data: " + dumps(event) + b"\n\n"

    def broken_piece(self) -> bytes:
        return self._event(
            {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
        )

    def error(self, kind: str, code: str | None, message: str) -> bytes:
        return dumps(
            {
                "type": "error",
                "error": {"type": self.kinds.get(kind, kind), "message": message},
                "request_id": "req_1",
            }
        )


class Ollama:
    """/api/chat"""

    events = False

    def read(self, tree: dict[str, Any]) -> Asked:
        prompt = "".join(message["content"] for message in tree["messages"])
        schema = tree["format"] if isinstance(tree.get("format"), dict) else None
        return Asked(tree["model"], prompt, schema, tree.get("stream", True), tree)

    def write(self, asked: Asked, said: Said) -> dict[str, Any]:
        reply = {
            "model": asked.model,
            "created_at": "2026-01-01T00:00:00Z",
            "message": {"role": "assistant", "content": said.text},
            "done": True,
            "done_reason": "length" if said.fault == "cut" else "stop",
            "total_duration": 1,
            "prompt_eval_count": said.used,
            "eval_count": said.made,
        }
        if asked.tree.get("logprobs"):
            reply["logprobs"] = [{"token": token, "logprob": -0.25} for token in parts(said.text)]
        return reply

    def pieces(self, asked: Asked, reply: dict[str, Any]) -> list[bytes]:
        frame = {key: reply[key] for key in ("model", "created_at")}
        lines: list[dict[str, Any]] = []
        for text in parts(reply["message"]["content"]):
            line = {**frame, "message": {"role": "assistant", "content": text}, "done": False}
            lines.append(
                {**line, "logprobs": [{"token": text, "logprob": -0.25}]}
                if "logprobs" in reply
                else line
            )
        end = {key: value for key, value in reply.items() if key != "logprobs"}
        return [
            dumps(line) + b"\n"
            for line in [*lines, {**end, "message": {"role": "assistant", "content": ""}}]
        ]

    def broken_piece(self) -> bytes:
        return dumps({"error": "an error was encountered while running the model"}) + b"\n"

    def error(self, kind: str, code: str | None, message: str) -> bytes:
        words = (
            "model 'stub' not found, try pulling it first" if code == "model_not_found" else message
        )
        return dumps({"error": words})


Protocol = OpenAI | Anthropic | Ollama


def parts(text: str) -> list[str]:
    """`text` in pieces of eight characters, as a stream brings it."""
    return [text[start : start + 8] for start in range(0, len(text), 8)]


def protocol_of(path: str) -> Protocol:
    """The protocol of an address."""
    if path.startswith("/v1/messages"):
        return Anthropic()
    return Ollama() if path.startswith("/api/") else OpenAI()
