"""Ollama's own protocol: models on one's own machine, without a key."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import urlsplit

from graders.core.records import Reply, Request
from graders.core.words import carried
from graders.providers.http.connected import Connected, settings_of
from graders.providers.http.reading import (
    as_list,
    at_length,
    count,
    encoded,
    no_text,
    plain_text,
    read_logprobs,
)
from graders.providers.http.stream import Refused

say = carried(
    "ollama",
    {
        "no_chat": "status 200, but no chat of Ollama",
        "no_model": "{detail} (get it with `ollama pull`, or take one that `ollama list` shows)",
        "start_again": "Then start again: what was answered is not asked twice.",
        "too_long": "{detail} (set a larger window, or shorten the references and documents)",
        "unreachable": (
            "Ollama does not answer at {address} (start it with `ollama serve`, "
            "or set OLLAMA_HOST): {detail}"
        ),
        "wrong_key": (
            "Ollama itself asks for no key: give the header that the server before it "
            "wants, or the address of Ollama."
        ),
    },
)


if TYPE_CHECKING:
    from graders.providers.http.client import WholeClient

USUAL = "http://127.0.0.1:11434"
_USUAL_PORT = 11434
#: Settings that stand beside the options in the body; all others are options of the model.
_BESIDE = ("keep_alive", "think", "logprobs", "top_logprobs", "truncate")
_OPTIONS = {"max_output_tokens": "num_predict"}


@dataclass(frozen=True)
class Ollama(Connected):
    """Sends a request to Ollama's /api/chat, the reply held to the request's JSON schema; no
    retries of its own.

    * ``base_url`` empty: OLLAMA_HOST, else the usual address of this machine
    * ``connections``: a limit of its own to what may be on the way at once; 0 leaves it to the
      caller
    * ``context``: tokens of prompt and reply together (``num_ctx``); 0 leaves it to the server. A
      longer prompt is refused; servers older than their option ``truncate`` cut it without a word
    * ``input_price``, ``output_price``: US dollars per million tokens; nothing is charged without
      them

    Settings beyond the common ones (``top_k``, ``mirostat``) become options of the model under the
    names they have.
    """

    version: ClassVar[str] = "1"
    about: ClassVar[str] = "Ollama's own protocol: models on one's own machine, without a key."
    #: A machine of one's own loads one model at a time, and several calls at once would blur its
    #: seconds.
    at_once: ClassVar[int] = 1

    context: int = 0

    @property
    def address(self) -> str:
        """The base URL that calls go to. Part of every call's name in the ledger."""
        return self.base_url or address_of(os.environ.get("OLLAMA_HOST", ""))

    @property
    def lacking(self) -> str:
        """Nothing: no key is needed."""
        return ""

    def price(self, model: str, input_tokens: int, cached_tokens: int, output_tokens: int) -> float:
        """US dollars for a call: nothing, unless prices were set."""
        return (
            input_tokens * (self.input_price or 0.0) + output_tokens * (self.output_price or 0.0)
        ) / 1e6

    def window(self, model: str) -> int | None:
        """The context that was set; the server's own is not known."""
        return self.context or None

    def remedy(self, cause: str) -> str:
        """What is left to do: the reply's detail says what to do first."""
        if cause == "wrong_key":
            return say("wrong_key")
        return say("start_again") if cause in ("unreachable", "model_missing") else ""

    def untaken(self, model: str, settings: Mapping[str, Any]) -> tuple[str, ...]:
        """No model takes ``reasoning_effort``."""
        return ("reasoning_effort",)

    def body(self, request: Request) -> bytes:
        """The request as the protocol writes it."""
        settings = settings_of(request, self.left_out(request))
        options: dict[str, Any] = {"num_ctx": self.context} if self.context else {}
        options |= {
            _OPTIONS.get(name, name): value
            for name, value in settings.items()
            if name not in _BESIDE
        }
        if "stop" in options:
            options["stop"] = as_list(options["stop"])
        body: dict[str, Any] = {
            "model": request.model,
            "messages": [{"role": role, "content": text} for role, text in request.messages],
            "stream": bool(request.settings.get("stream")),
            # else a prompt that is too long is cut without a word; servers that do not know it pay
            # no heed
            "truncate": False,
            **{name: value for name, value in settings.items() if name in _BESIDE},
        }
        if request.schema is not None:
            body["format"] = request.schema
        if options:
            body["options"] = options
        return encoded(body)

    def read(self, text: str, seconds: float) -> Reply:
        """A body of status 200 as a Reply."""
        return read_chat(text, seconds)

    def assembly(self) -> Chat:
        """What makes one chat of its lines."""
        return Chat()

    async def aclose(self) -> None:
        """Close the client; the next send would make a new one."""
        client = self.__dict__.pop("_client", None)
        if client is not None:
            await client.aclose()

    @cached_property
    def _client(self) -> WholeClient:
        made: WholeClient = self._http_client()
        return made

    @property
    def _path(self) -> str:
        return f"{self.address.rstrip('/').removesuffix('/v1').removesuffix('/api')}/api/chat"

    async def _post(self, content: bytes, streamed: bool) -> Any:
        headers = [("content-type", "application/json")]
        request = self._client.build_request("POST", self._path, headers=headers, content=content)
        return await self._client.send(request, stream=streamed)

    def _explained(self, cause: str, detail: str) -> str:
        if cause == "unreachable":
            return say("unreachable", address=self.address, detail=detail)
        if cause == "model_missing" and "model" in detail:
            return say("no_model", detail=detail)
        if (
            cause == "bad_request"
            and "context" in detail
            and ("exceed" in detail or "too long" in detail)
        ):
            return say("too_long", detail=detail)
        return detail

    @property
    def _key(self) -> str:
        return ""  # a typed key belongs to another provider and is not sent here


class Chat:
    """One chat from the lines of its stream."""

    events = False

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.logprobs: list[Any] = []
        self.end: dict[str, Any] | None = None

    def add(self, piece: Any) -> bool:
        """Take in a line; whether it brought text."""
        if piece.get("error"):
            raise Refused("", str(piece["error"]))
        text = (piece.get("message") or {}).get("content") or ""
        self.texts.append(text)
        self.logprobs += piece.get("logprobs") or []
        if piece.get("done"):
            self.end = piece
        return bool(text)

    def whole(self) -> dict[str, Any] | None:
        """The chat; None while no line said that it is done."""
        if self.end is None:
            return None
        tree = {**self.end, "message": {"role": "assistant", "content": "".join(self.texts)}}
        return {**tree, "logprobs": self.logprobs} if self.logprobs else tree


def address_of(host: str) -> str:
    """The address that OLLAMA_HOST means: it may lack scheme and port, and name all interfaces
    where the server listens."""
    host = host.strip().rstrip("/")
    if not host:
        return USUAL
    parts = urlsplit(host if "://" in host else f"http://{host}")
    name = parts.hostname or "127.0.0.1"
    name = "127.0.0.1" if name in ("0.0.0.0", "::") else f"[{name}]" if ":" in name else name
    try:
        port = parts.port
    except ValueError:
        return host  # the connection says what is wrong with it
    if port is None and "://" not in host:
        port = _USUAL_PORT
    return f"{parts.scheme}://{name}{f':{port}' if port else ''}{parts.path}"


def read_chat(text: str, seconds: float) -> Reply:
    """A body of status 200 as a Reply."""
    try:
        tree = json.loads(text)
        said = plain_text(tree["message"].get("content"))
        finish = str(tree.get("done_reason") or "")
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return Reply(cause="malformed", detail=say("no_chat"), raw=text, seconds=seconds)
    cause, detail = "", ""
    if finish == "length":
        cause, detail = at_length()
    elif not said.strip():
        cause, detail = no_text()
    return Reply(
        text=said,
        cause=cause,
        detail=detail,
        raw=text,
        finish_reason=finish,
        input_tokens=count(tree.get("prompt_eval_count")),
        output_tokens=count(tree.get("eval_count")),
        seconds=seconds,
        model=str(tree.get("model") or ""),
        logprobs=read_logprobs(tree.get("logprobs")),
    )
