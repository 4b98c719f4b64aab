"""The chat protocol of OpenAI, spoken by OpenAI and by every compatible server, through the official SDK."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from graders.core.contracts import Provider
from graders.core.records import Reply, Request
from graders.providers._failures import broken, refused
from graders.providers._prices import money

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from openai._types import RequestOptions

OFFICIAL = "api.openai.com"
#: Shorter keys are words for servers that want none ("x", "ollama"), and may stand in any text.
_SHORTEST_KEY = 8


@dataclass(frozen=True)
class OpenAIChat(Provider):
    """Sends a request as one chat completion with strict structured output; no retries of its own.

    * ``base_url`` and ``api_key`` empty: the SDK's own environment variables (OPENAI_BASE_URL, OPENAI_API_KEY) hold
    * ``connections``: a limit of its own to what may be on the way at once; 0 leaves it to the caller
    * ``input_price``, ``output_price``: US dollars per million tokens, where the public list has none or is wrong
    """

    version: ClassVar[str] = "1"
    about: ClassVar[str] = "OpenAI's chat protocol through the official SDK; any compatible server by its address."

    base_url: str = ""
    connections: int = 0
    input_price: float | None = None
    output_price: float | None = None
    api_key: str = field(default="", repr=False)

    def options(self) -> dict[str, Any]:
        """All options but the key."""
        return {name: value for name, value in super().options().items() if name != "api_key"}

    @property
    def address(self) -> str:
        """The base URL that calls go to. Part of every call's name in the ledger."""
        return self.base_url or os.environ.get("OPENAI_BASE_URL", "").strip() or f"https://{OFFICIAL}/v1"

    def price(self, model: str, input_tokens: int, cached_tokens: int, output_tokens: int) -> float | None:
        """US dollars for a call; None where no price is known. `input_tokens` includes `cached_tokens`."""
        if self.input_price is not None and self.output_price is not None:
            return (input_tokens * self.input_price + output_tokens * self.output_price) / 1e6
        return money(self.address, model, input_tokens, cached_tokens, output_tokens)

    async def send(self, request: Request, timeout: float) -> Reply:
        """One send within `timeout` seconds. Whatever happens is a Reply; its `cause` names what went wrong."""
        started = time.perf_counter()
        status, text, headers = 0, "", {}
        try:
            content = self.body(request)
            client = self._client
            # Given in full: what is left out the SDK copies or makes anew for every call.
            options: RequestOptions = {"headers": {}, "params": {}, "max_retries": 0, "timeout": timeout, "idempotency_key": ""}
            async with asyncio.timeout(timeout):
                response = await client.post(self._path, cast_to=self._raw, content=content, options=options)
            status, text = response.status_code, response.content.decode("utf-8", "replace")
        except TimeoutError:
            return Reply(cause="timeout", detail=f"no reply within {timeout:g} s", seconds=time.perf_counter() - started)
        except Exception as error:  # a send never raises: every failure of SDK, network or provider has a cause
            answer = getattr(error, "response", None)
            if answer is None:
                cause, detail = broken(error, self.address)
                return Reply(cause=cause, detail=self._clean(detail), seconds=time.perf_counter() - started)
            status, text, headers = answer.status_code, answer.text, answer.headers
        seconds, text = time.perf_counter() - started, self._clean(text)
        if status != 200:
            cause, detail, wait = refused(status, text, headers)
            return Reply(cause=cause, detail=detail, raw=text, retry_after=wait, seconds=seconds)
        return read_completion(text, seconds)

    async def aclose(self) -> None:
        """Close the client; the next send would make a new one."""
        client = self.__dict__.pop("_client", None)
        self.__dict__.pop("_path", None)
        if client is not None:
            await client.close()

    def body(self, request: Request) -> bytes:
        """The request as the protocol writes it."""
        settings = dict(request.settings)
        limit = settings.pop("max_output_tokens", None)
        body: dict[str, Any] = {
            "model": request.model,
            "messages": [{"role": role, "content": text} for role, text in request.messages],
            **settings,
        }
        if limit is not None:
            # OpenAI's newer models refuse the old name; many compatible servers know only the old one.
            body["max_completion_tokens" if OFFICIAL in self.address else "max_tokens"] = limit
        if request.schema is not None:
            schema = {"name": "verdicts", "strict": True, "schema": request.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")

    @cached_property
    def _client(self) -> AsyncOpenAI:
        """One client for the whole run: making one loads certificates, which costs more than many calls."""
        from openai import AsyncOpenAI

        from graders.providers._http import WholeClient

        return AsyncOpenAI(
            api_key=self.api_key or None,
            base_url=self.base_url or None,
            max_retries=0,
            http_client=WholeClient(self.connections),
        )

    @cached_property
    def _path(self) -> str:
        """Where completions are made. A whole URL spares the SDK to build one for every call; a base with a query needs it."""
        base = str(self._client.base_url)
        return "/chat/completions" if "?" in base else f"{base}chat/completions"

    @cached_property
    def _raw(self) -> Any:
        """The type that makes the SDK hand over the response as it came, so that its text is parsed once, here."""
        import httpx2

        return httpx2.Response

    def _clean(self, text: str) -> str:
        """`text` without the key, which some servers repeat in their complaints."""
        key = self.api_key or os.environ.get("OPENAI_API_KEY", "")
        return text.replace(key, "[key]") if len(key) >= _SHORTEST_KEY else text


def read_completion(text: str, seconds: float) -> Reply:
    """A body of status 200 as a Reply."""
    try:
        tree = json.loads(text)
        choice = tree["choices"][0]
        message = choice["message"]
        said = message.get("content")
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return Reply(cause="malformed", detail="status 200, but no chat completion", raw=text, seconds=seconds)
    if isinstance(said, list):
        said = "".join(str(part.get("text") or "") for part in said if isinstance(part, Mapping))
    # JSON can write half a character (a lone surrogate), which no UTF-8 file or database takes.
    said = said.encode("utf-8", "replace").decode() if isinstance(said, str) else ""
    finish = str(choice.get("finish_reason") or "")
    refusal = message.get("refusal")
    cause, detail = "", ""
    if refusal or finish == "content_filter":
        cause, detail = "refusal", str(refusal or "stopped by the provider's content filter")
    elif finish == "length":
        cause, detail = "length_stop", "the reply reached the limit of output tokens"
    elif not said.strip():
        cause, detail = "empty", "the reply carries no text"
    usage = tree.get("usage")
    usage = usage if isinstance(usage, Mapping) else {}
    details = usage.get("prompt_tokens_details")
    return Reply(
        text=said,
        cause=cause,
        detail=detail,
        raw=text,
        finish_reason=finish,
        input_tokens=_count(usage.get("prompt_tokens")),
        cached_tokens=_count(details.get("cached_tokens")) if isinstance(details, Mapping) else None,
        output_tokens=_count(usage.get("completion_tokens")),
        seconds=seconds,
        model=str(tree.get("model") or ""),
    )


def _count(found: Any) -> int | None:
    return found if isinstance(found, int) and not isinstance(found, bool) and found >= 0 else None
