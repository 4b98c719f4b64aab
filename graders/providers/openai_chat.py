"""The chat protocol of OpenAI, spoken by OpenAI and by every compatible server, through the
official SDK."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from graders.core.hashing import SharedPart
from graders.core.records import Reply, Request
from graders.core.words import carried
from graders.providers.http.connected import Connected, settings_of
from graders.providers.http.one_address import one_address
from graders.providers.http.reading import (
    at_length,
    count,
    encoded,
    no_text,
    plain_text,
    read_logprobs,
)
from graders.providers.http.stream import Refused

say = carried(
    "openai_chat",
    {
        "content_filter": "stopped by the provider's content filter",
        "no_completion": "status 200, but no chat completion",
    },
)


OFFICIAL = "api.openai.com"
_SAMPLING = ("temperature", "top_p", "logprobs")
_REASONING = re.compile(r"(o[134]|gpt-([5-9]|[12]\d))(?![0-9])(?!.*\bchat\b)")
_STEERABLE = re.compile(r"gpt-(5\.[1-9]|[6-9]|[12]\d)")
_PLAIN = re.compile(r"gpt-(3|4)|chatgpt|gpt-.*\bchat\b")


@dataclass(frozen=True)
class OpenAIChat(Connected):
    """Sends a request as one chat completion with strict structured output; no retries of its own.

    * ``base_url`` and ``api_key`` empty: the SDK's own environment variables (OPENAI_BASE_URL,
      OPENAI_API_KEY) hold
    * ``connections``: a limit of its own to what may be on the way at once; 0 leaves it to the
      caller
    * ``input_price``, ``output_price``: US dollars per million tokens, where the public list has
      none or is wrong

    Settings beyond the common ones go into the body under the names they have.
    """

    version: ClassVar[str] = "1"
    about: ClassVar[str] = (
        "OpenAI's chat protocol through the official SDK; any compatible server by its address."
    )
    short: ClassVar[str] = "openai"
    key_variable: ClassVar[str] = "OPENAI_API_KEY"

    @property
    def address(self) -> str:
        """The base URL that calls go to. Part of every call's name in the ledger."""
        return (
            self.base_url
            or os.environ.get("OPENAI_BASE_URL", "").strip()
            or f"https://{OFFICIAL}/v1"
        )

    def untaken(self, model: str, settings: Mapping[str, Any]) -> tuple[str, ...]:
        """What a model does not take:

        | models                                 | left out                              |
        |----------------------------------------|---------------------------------------|
        | reasoning: o1, o3, o4, gpt-5 and later | temperature, top_p, logprobs and stop |
        | gpt-5.1 and later, effort "none"       | stop                                  |
        | gpt-3.5, gpt-4, gpt-*-chat             | reasoning_effort                      |
        | deepseek-reasoner                      | temperature, top_p, logprobs          |
        """
        if model.startswith("deepseek-reasoner"):
            return _SAMPLING
        if _REASONING.match(model):
            steered = _STEERABLE.match(model) and settings.get("reasoning_effort") == "none"
            return ("stop",) if steered else (*_SAMPLING, "stop")
        return ("reasoning_effort",) if _PLAIN.match(model) else ()

    def body(self, request: Request) -> bytes:
        """The request as the protocol writes it."""
        return encoded(self._tree(request), request.schema)

    def read(self, text: str, seconds: float) -> Reply:
        """A body of status 200 as a Reply."""
        return read_completion(text, seconds)

    def assembly(self) -> Completion:
        """What makes one completion of its chunks."""
        return Completion()

    def _tree(self, request: Request, streamed: bool | None = None) -> dict[str, Any]:
        """The body; its schema, if there is one, is left to `encoded`."""
        settings = settings_of(request, self.left_out(request))
        limit = settings.pop("max_output_tokens", None)
        body: dict[str, Any] = {
            "model": request.model,
            "messages": [{"role": role, "content": text} for role, text in request.messages],
            **settings,
        }
        if limit is not None:
            # OpenAI's newer models refuse the old name; many compatible servers know only the old
            # one.
            body["max_completion_tokens" if OFFICIAL in self.address else "max_tokens"] = limit
        if request.schema is not None:
            schema = {"name": "verdicts", "strict": True, "schema": SharedPart.PLACE}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        if request.settings.get("stream") if streamed is None else streamed:
            body |= {"stream": True, "stream_options": {"include_usage": True}}
        return body

    @cached_property
    def _client(self) -> Any:
        from openai import AsyncOpenAI

        return one_address(AsyncOpenAI)(
            api_key=self._key,
            base_url=self.base_url or None,
            max_retries=0,
            http_client=self._http_client(),
        )

    @cached_property
    def _path(self) -> str:
        """The whole URL; a base with a query needs the SDK to build it."""
        base = str(self._client.base_url)
        return "/chat/completions" if "?" in base else f"{base}chat/completions"


class Completion:
    """One chat completion from its chunks."""

    events = True

    def __init__(self) -> None:
        self.tree: dict[str, Any] = {
            "choices": [{"index": 0, "finish_reason": None, "message": {"role": "assistant"}}]
        }
        self.texts: list[str] = []
        self.refusals: list[str] = []
        self.logprobs: list[Any] = []

    def add(self, piece: Any) -> bool:
        """Take in a chunk; whether it brought text."""
        if not isinstance(piece, Mapping):
            return False
        if error := piece.get("error"):
            error = error if isinstance(error, Mapping) else {"message": error}
            raise Refused(
                f"{error.get('type') or ''} {error.get('code') or ''}",
                str(error.get("message") or error),
            )
        self.tree |= {name: piece[name] for name in ("id", "model", "usage") if piece.get(name)}
        choices = piece.get("choices") or [{}]
        delta = choices[0].get("delta") or {}
        text = delta.get("content") or ""
        self.texts.append(text)
        self.refusals.append(delta.get("refusal") or "")
        self.logprobs += (choices[0].get("logprobs") or {}).get("content") or []
        if choices[0].get("finish_reason"):
            self.tree["choices"][0]["finish_reason"] = choices[0]["finish_reason"]
        return bool(text)

    def whole(self) -> dict[str, Any] | None:
        """The completion; None while no chunk said how it finished."""
        choice = self.tree["choices"][0]
        if choice["finish_reason"] is None:
            return None
        choice["message"] |= {
            "content": "".join(self.texts),
            "refusal": "".join(self.refusals) or None,
        }
        if self.logprobs:
            choice["logprobs"] = {"content": self.logprobs}
        return self.tree


def read_completion(text: str, seconds: float | None) -> Reply:
    """A body of status 200 as a Reply."""
    try:
        tree = json.loads(text)
        choice = tree["choices"][0]
        message = choice["message"]
        said = message.get("content")
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return Reply(
            cause="malformed",
            detail=say("no_completion"),
            raw=text,
            seconds=seconds,
        )
    if isinstance(said, list):
        said = "".join(str(part.get("text") or "") for part in said if isinstance(part, Mapping))
    said = plain_text(said)
    finish = str(choice.get("finish_reason") or "")
    refusal = message.get("refusal")
    cause, detail = "", ""
    if refusal or finish == "content_filter":
        cause, detail = "refusal", str(refusal or say("content_filter"))
    elif finish == "length":
        cause, detail = at_length()
    elif not said.strip():
        cause, detail = no_text()
    usage = tree.get("usage")
    usage = usage if isinstance(usage, Mapping) else {}
    details = usage.get("prompt_tokens_details")
    return Reply(
        text=said,
        cause=cause,
        detail=detail,
        raw=text,
        finish_reason=finish,
        input_tokens=count(usage.get("prompt_tokens")),
        cached_tokens=count(details.get("cached_tokens")) if isinstance(details, Mapping) else None,
        output_tokens=count(usage.get("completion_tokens")),
        seconds=seconds,
        model=str(tree.get("model") or ""),
        logprobs=read_logprobs(
            (choice.get("logprobs") or {}).get("content")
            if isinstance(choice.get("logprobs"), Mapping)
            else None
        ),
    )
