"""The Messages protocol of Anthropic, through the official SDK."""

from __future__ import annotations

import copy
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from graders.core.hashing import Remembered, SharedPart
from graders.core.records import Reply, Request
from graders.core.words import carried
from graders.providers.http.connected import Connected, settings_of
from graders.providers.http.one_address import one_address
from graders.providers.http.reading import as_list, at_length, count, encoded, no_text, plain_text
from graders.providers.http.stream import Refused

say = carried(
    "anthropic_messages",
    {
        "end_of_window": "the reply reached the end of the model's window",
        "no_message": "status 200, but no message",
        "safeguards": "stopped by the provider's safeguards",
    },
)


OFFICIAL = "https://api.anthropic.com"
#: The protocol demands a limit of output tokens; this one stands where a request names none.
MAX_TOKENS = 8192
#: A prefix of fewer tokens is not kept by any model, so a mark on it would say nothing.
CACHED_FROM = 1024
_BYTES_PER_TOKEN = 4
_MARK = {"type": "ephemeral"}
_WITHOUT_EFFORT = re.compile(
    r"claude-(1|2|3|instant|opus-4(-[01])?(-20\d{6}|-latest)?$|(sonnet|"
    r"haiku)-4(-[05])?(-20\d{6}|-latest)?$)"
)
_EFFORTS = ("low", "medium", "high", "xhigh", "max")


@dataclass(frozen=True)
class AnthropicMessages(Connected):
    """Sends a request as one message with structured output; no retries of its own.

    * ``base_url`` and ``api_key`` empty: ANTHROPIC_BASE_URL and ANTHROPIC_API_KEY hold
    * ``connections``: a limit of its own to what may be on the way at once; 0 leaves it to the
      caller
    * ``input_price``, ``output_price``: US dollars per million tokens, where the public list has
      none or is wrong

    All but the last message is taken to be the same in many requests: where it is long enough it is
    marked, so that the provider keeps it. What the keeping costs on top (a quarter of those tokens'
    price, once) is not in the price. Settings beyond the common ones (``thinking``,
    ``service_tier``) go into the body under the names they have.
    """

    version: ClassVar[str] = "1"
    about: ClassVar[str] = (
        "Anthropic's Messages protocol through the official SDK, with structured output and "
        "marks for its prompt cache."
    )
    short: ClassVar[str] = "anthropic"
    key_variable: ClassVar[str] = "ANTHROPIC_API_KEY"

    @property
    def address(self) -> str:
        """The base URL that calls go to. Part of every call's name in the ledger."""
        return self.base_url or os.environ.get("ANTHROPIC_BASE_URL", "").strip() or OFFICIAL

    def untaken(self, model: str, settings: Mapping[str, Any]) -> tuple[str, ...]:
        """What a model does not take:

        | models                                   | left out                                  |
        |------------------------------------------|-------------------------------------------|
        | claude, all: interface of October 2026   | temperature, top_p, top_k, seed, logprobs |
        | claude before 4.5, sonnet 4.5, haiku 4.5 | reasoning_effort                          |
        | an effort that is not low ... max        | reasoning_effort                          |
        | others behind the same protocol          | seed, logprobs, reasoning_effort          |
        """
        claude = re.search(r"claude.*", model)
        if claude is None:
            return ("seed", "logprobs", "reasoning_effort")
        effort = settings.get("reasoning_effort")
        refused = _WITHOUT_EFFORT.match(claude.group()) or effort not in _EFFORTS
        always = ("temperature", "top_p", "top_k", "seed", "logprobs")
        return (*always, "reasoning_effort") if refused else always

    def body(self, request: Request) -> bytes:
        """The request as the protocol writes it."""
        schema = None if request.schema is None else _SCHEMAS.of(request.schema)
        return encoded(self._tree(request, schema=SharedPart.PLACE), schema)

    def read(self, text: str, seconds: float) -> Reply:
        """A body of status 200 as a Reply."""
        return read_message(text, seconds)

    def assembly(self) -> Message:
        """What makes one message of its events."""
        return Message()

    def _tree(
        self, request: Request, streamed: bool | None = None, schema: str = ""
    ) -> dict[str, Any]:
        """The body; `schema` stands in the place of the schema, if there is one."""
        settings = settings_of(request, self.left_out(request))
        limit, effort, stop = (
            settings.pop(name, None) for name in ("max_output_tokens", "reasoning_effort", "stop")
        )
        output: dict[str, Any] = {"effort": effort} if effort is not None else {}
        if request.schema is not None:
            output["format"] = {
                "type": "json_schema",
                "schema": schema or _SCHEMAS.of(request.schema),
            }
        system, messages = _slots(request)
        body: dict[str, Any] = {
            "model": request.model,
            "max_tokens": limit or MAX_TOKENS,
            "messages": messages,
            **settings,
        }
        if system:
            body["system"] = system
        if output:
            body["output_config"] = output
        if stop is not None:
            body["stop_sequences"] = as_list(stop)
        if request.settings.get("stream") if streamed is None else streamed:
            body["stream"] = True
        return body

    @cached_property
    def _client(self) -> Any:
        from anthropic import AsyncAnthropic

        return one_address(AsyncAnthropic)(
            api_key=self._key,
            base_url=self._base,
            max_retries=0,
            default_headers=self._named,
            open_telemetry=False,
            http_client=self._http_client(),
        )

    @property
    def _named(self) -> dict[str, str]:
        """Headers that must not be left to the SDK."""
        # Where the environment may bring a header of its own, which would else take its place.
        named = (
            {"Authorization": f"Bearer {self._key}"}
            if os.environ.get("ANTHROPIC_CUSTOM_HEADERS")
            else {}
        )
        # Other servers look for the key where the protocol had it before October 2026.
        return named if self.address.startswith(OFFICIAL) else {**named, "X-Api-Key": self._key}

    @property
    def _base(self) -> str:
        # The SDK adds the version to the path; addresses are often written with it.
        return self.address.rstrip("/").removesuffix("/v1")

    @cached_property
    def _path(self) -> Any:
        import httpx2

        # parsed once; the SDK would do it for every call
        return httpx2.URL(f"{self._base}/v1/messages")


class Message:
    """One message from the events of its stream."""

    events = True

    def __init__(self) -> None:
        self.tree: dict[str, Any] = {"usage": {}}
        self.texts: list[str] = []

    def add(self, piece: Any) -> bool:
        """Take in an event; whether it brought text."""
        text = ""
        match piece["type"]:
            case "error":
                raise Refused(str(piece["error"].get("type")), str(piece["error"].get("message")))
            case "message_start":
                start = piece["message"]
                self.tree |= {
                    "id": start.get("id"),
                    "model": start.get("model"),
                    "usage": dict(start.get("usage") or {}),
                }
            case "content_block_start" if piece["content_block"].get("type") == "text":
                text = piece["content_block"].get("text") or ""
            case "content_block_delta" if piece["delta"].get("type") == "text_delta":
                text = piece["delta"]["text"]
            case "message_delta":
                self.tree |= {
                    name: value for name, value in piece["delta"].items() if value is not None
                }
                self.tree["usage"] |= {
                    name: value
                    for name, value in (piece.get("usage") or {}).items()
                    if value is not None
                }
        self.texts.append(text)
        return bool(text)

    def whole(self) -> dict[str, Any] | None:
        """The message; None while no event said why it stopped."""
        return (
            {**self.tree, "content": [{"type": "text", "text": "".join(self.texts)}]}
            if self.tree.get("stop_reason")
            else None
        )


def _slots(request: Request) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """(system blocks, messages), the last block of a long constant prefix marked."""
    system: list[dict[str, Any]] = [
        {"type": "text", "text": text} for role, text in request.messages if role == "system"
    ]
    messages: list[dict[str, Any]] = [
        {"role": role, "content": text} for role, text in request.messages if role != "system"
    ]
    prefix = [text for _, text in request.messages[:-1]]
    if (
        sum(len(text.encode("utf-8", "replace")) for text in prefix)
        >= CACHED_FROM * _BYTES_PER_TOKEN
    ):
        if len(messages) > 1:
            messages[-2]["content"] = [
                {"type": "text", "text": messages[-2]["content"], "cache_control": _MARK}
            ]
        elif system:
            system[-1]["cache_control"] = _MARK
    return system, messages


def _schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A JSON schema as the protocol takes it: bounds of numbers and lengths become words of the
    description."""
    from anthropic import transform_schema

    return transform_schema(copy.deepcopy(dict(schema)))


_SCHEMAS: Remembered[Mapping[str, Any], dict[str, Any]] = Remembered(_schema)


def read_message(text: str, seconds: float | None) -> Reply:
    """A body of status 200 as a Reply."""
    try:
        tree = json.loads(text)
        said = plain_text(
            "".join(block["text"] for block in tree["content"] if block["type"] == "text")
        )
        usage = tree.get("usage") or {}
        finish = str(tree.get("stop_reason") or "")
        explained = (tree.get("stop_details") or {}).get("explanation")
        fresh, written, cached = (
            count(usage.get(f"{name}input_tokens"))
            for name in ("", "cache_creation_", "cache_read_")
        )
        made = count(usage.get("output_tokens"))
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return Reply(cause="malformed", detail=say("no_message"), raw=text, seconds=seconds)
    cause, detail = "", ""
    if finish == "refusal":
        cause, detail = "refusal", str(explained or say("safeguards"))
    elif finish == "max_tokens":
        cause, detail = at_length()
    elif finish == "model_context_window_exceeded":
        cause, detail = "length_stop", say("end_of_window")
    elif not said.strip():
        cause, detail = no_text()
    return Reply(
        text=said,
        cause=cause,
        detail=detail,
        raw=text,
        finish_reason=finish,
        input_tokens=None if fresh is None else fresh + (written or 0) + (cached or 0),
        cached_tokens=cached,
        output_tokens=made,
        seconds=seconds,
        model=str(tree.get("model") or ""),
    )
