"""What all providers over HTTP have in common: options, key, price, and one send from request to
reply.

A protocol says how a request is written (`body`), how a reply is read (`read`) and how the pieces
of a stream become one (`assembly`); what can go wrong on the way has the same names for all.
"""

from __future__ import annotations

import asyncio
import os
import time
from abc import abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

from graders.core.contracts import Provider
from graders.core.errors import InputError
from graders.core.records import Reply, Request
from graders.core.words import error_parts, say
from graders.providers.http._prices import ListedModel, listed, money, window
from graders.providers.http.addresses import Fence, check_form, fence_of
from graders.providers.http.failures import broken, refused, refused_inside
from graders.providers.http.headers import EXTRA, extra_headers, looks_secret
from graders.providers.http.stream import Assembly, Broken, Refused, assemble

#: Shorter keys are words for servers that want none ("x", "ollama"), and may stand in any text.
_SHORTEST_KEY = 8
#: Kinds of content that are no stream, from servers that do not stream or from something that
#: stands in between.
_WHOLE = ("application/json", "text/html")


@dataclass(frozen=True)
class Connected(Provider, abstract=True):
    """Sends a request to a model over HTTP; no retries of its own.

    * ``base_url`` and ``api_key`` empty: the protocol's environment variables hold
    * ``connections``: a limit of its own to what may be on the way at once; 0 leaves it to the
      caller
    * ``input_price``, ``output_price``: US dollars per million tokens, where the public list has
      none or is wrong
    * ``headers`` go with every call, as gateways want them; what a call is kept under in the ledger
      does not rest on them
    """

    #: Where the key is looked for when none was given; empty where none is needed.
    key_variable: ClassVar[str] = ""

    base_url: str = ""
    connections: int = 0
    input_price: float | None = None
    output_price: float | None = None
    api_key: str = field(default="", repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        check_form(self.base_url)

    def options(self) -> dict[str, Any]:
        """All options but the key and the headers, which may hold one."""
        return {
            name: value
            for name, value in super().options().items()
            if name not in ("api_key", "headers")
        }

    @property
    @abstractmethod
    def address(self) -> str:
        """The base URL that calls go to. Part of every call's name in the ledger."""

    @property
    def lacking(self) -> str:
        """What is missing before anything can be sent, in words; empty if nothing is."""
        return (
            ""
            if self._key or not self.key_variable
            else say("providers.no_key", variable=self.key_variable)
        )

    def price(
        self, model: str, input_tokens: int, cached_tokens: int, output_tokens: int
    ) -> float | None:
        """US dollars for a call; None where no price is known. `input_tokens` includes
        `cached_tokens`."""
        if self.input_price is not None and self.output_price is not None:
            return (input_tokens * self.input_price + output_tokens * self.output_price) / 1e6
        return money(self.address, model, input_tokens, cached_tokens, output_tokens)

    def models(self) -> tuple[ListedModel, ...]:
        """The models at this address that the installed price list knows; nothing is asked for
        them."""
        return listed(self.address)

    def window(self, model: str) -> int | None:
        """Tokens that a call to `model` may have, the reply included; None where it is not
        known."""
        return window(self.address, model)

    def left_out(self, request: Request) -> tuple[str, ...]:
        """Names of the settings of `request` that are not sent, because its model is known not to
        take them, in the order in which they were set."""
        name = request.model.lower().rsplit("/", 1)[-1]
        untaken = self.untaken(name, request.settings)
        return tuple(key for key in request.settings if key in untaken)

    def untaken(self, model: str, settings: Mapping[str, Any]) -> tuple[str, ...]:
        """What `model` is known not to take with these `settings`, so that it is left out by
        knowledge and not by the provider's error.

        The name is in lower case and without the maker before it ("openai/o3-mini"). An unknown
        model gets everything.
        """
        return ()

    def remedy(self, cause: str) -> str:
        """What a person can do about `cause` with this provider; empty where nothing particular."""
        return (
            say("providers.set_key", variable=self.key_variable)
            if cause == "wrong_key" and self.key_variable
            else ""
        )

    @abstractmethod
    def body(self, request: Request) -> bytes:
        """The request as the protocol writes it."""

    @abstractmethod
    def read(self, text: str, seconds: float) -> Reply:
        """A body of status 200 as a Reply. Never raises."""

    @abstractmethod
    def assembly(self) -> Assembly:
        """What makes one body of the pieces of a stream."""

    async def send(self, request: Request, timeout: float) -> Reply:
        """One send within `timeout` seconds. Whatever happens is a Reply; its `cause` names what
        went wrong."""
        if self.lacking:
            return Reply(cause="wrong_key", detail=self.lacking)
        started = time.perf_counter()
        first: float | None = None
        status, text, headers = 0, "", {}
        try:
            content, streamed = self.body(request), bool(request.settings.get("stream"))
            EXTRA.set(self._extra(request.settings.get("headers")))
            _ = self._client
            started = time.perf_counter()  # making the first client is our time, not the provider's
            async with asyncio.timeout(timeout):
                response = await self._post(content, streamed)
                status, headers = response.status_code, response.headers
                if response.is_closed:
                    text = response.content.decode("utf-8", "replace")
                else:
                    text, first = await self._streamed(response, started)
        except TimeoutError:
            return Reply(
                cause="timeout",
                detail=say("providers.no_reply", seconds=timeout),
                seconds=time.perf_counter() - started,
            )
        except (Broken, Refused) as error:
            cause, detail = (
                refused_inside(error.kind, error.words)
                if isinstance(error, Refused)
                else ("truncated_body", str(error))
            )
            return Reply(
                cause=cause, detail=self._clean(detail), seconds=time.perf_counter() - started
            )
        except (
            Exception
        ) as error:  # a send never raises: every failure of SDK, network or provider has a cause
            answer = getattr(error, "response", None)
            if answer is None:
                cause, detail = broken(error, self.address)
                return Reply(
                    cause=cause,
                    detail=self._clean(self._explained(cause, detail)),
                    seconds=time.perf_counter() - started,
                )
            status, text, headers = answer.status_code, answer.text, answer.headers
        return self._reply(status, self._clean(text), headers, time.perf_counter() - started, first)

    async def _streamed(self, response: Any, started: float) -> tuple[str, float | None]:
        """(body, seconds to the first text) of a stream; a body that came in one piece all the same
        has no first text."""
        try:
            if response.headers.get("content-type", "").partition(";")[0] in _WHOLE:
                return (await response.aread()).decode("utf-8", "replace"), None
            return await assemble(response, self.assembly(), started)
        finally:
            await response.aclose()

    def prepare(self) -> None:
        """Load the SDK and make the client. In a loop where other calls are under way, that second
        would be counted into theirs."""
        if not self.lacking:
            with suppress(Exception):  # the first send fails by the same, and its reply says why
                _ = self._client, self._path

    async def aclose(self) -> None:
        """Close the client; the next send would make a new one."""
        client = self.__dict__.pop("_client", None)
        self.__dict__.pop("_path", None)
        if client is not None:
            await client.close()

    def _reply(
        self,
        status: int,
        text: str,
        headers: Mapping[str, str],
        seconds: float,
        first: float | None = None,
    ) -> Reply:
        if status == 200:
            reply = self.read(text, seconds)
            if reply.cause == "malformed" and text.lstrip()[:1] == "<":
                return replace(
                    reply,
                    detail=(say("providers.web_page", detail=reply.detail)),
                )
            if first is not None:
                # just made and not shared: a copy would cost more
                object.__setattr__(reply, "first_token_seconds", first)
            return reply
        cause, detail, wait = refused(status, text, headers)
        return Reply(
            cause=cause,
            detail=self._explained(cause, detail),
            raw=text,
            retry_after=wait,
            seconds=seconds,
        )

    def _explained(self, cause: str, detail: str) -> str:
        """`detail` with what this provider knows to say about `cause`."""
        return detail

    @property
    @abstractmethod
    def _client(self) -> Any:
        """One client for the whole run: making one loads certificates, which costs more than many
        calls."""

    @property
    @abstractmethod
    def _path(self) -> Any:
        """Where completions are made. A whole URL spares the SDK to build one for every call."""

    async def _post(self, content: bytes, streamed: bool) -> Any:
        """The response as it came, through the SDK's client."""
        return await self._client.send_json(self._path, content, stream=streamed)

    def _extra(self, found: object) -> Mapping[str, str] | None:
        """Headers that the HTTP client adds to a call: the provider's own, and those of the setting
        ``headers``."""
        extra = extra_headers(found)
        return {**self.headers, **(extra or {})} if self.headers else extra

    def _http_client(self) -> Any:
        from graders.providers.http.client import WholeClient

        return WholeClient(self.connections, self._fence)

    @cached_property
    def _fence(self) -> Fence | None:
        """On a Space every address is fenced, the usual one too: visitors choose who is asked."""
        return fence_of(os.environ)

    def _clean(self, text: str) -> str:
        """`text` without the key, which some servers repeat in their complaints, and without
        headers that hold one."""
        for secret in (
            self._key,
            *(value for name, value in self.headers.items() if looks_secret(name, value)),
        ):
            text = text.replace(secret, "[key]") if len(secret) >= _SHORTEST_KEY else text
        return text

    @property
    def _key(self) -> str:
        if self._fence is not None and self.base_url:
            # the installation's own key is not for a server that a visitor named
            return self.api_key
        return self.api_key or os.environ.get(self.key_variable, "").strip()


def keep_fenced(provider: Any) -> Any:
    """The provider. InputError on a Space for one that does not go through `Connected`: nothing
    would fence it."""
    if not isinstance(provider, Connected) and fence_of(os.environ) is not None:
        raise InputError(**error_parts("providers.not_fenced", name=type(provider).__name__))
    return provider


def settings_of(request: Request, unsent: tuple[str, ...]) -> dict[str, Any]:
    """The settings that travel in the body: without those that are left out, and without what only
    the carrier reads."""
    return {
        name: value
        for name, value in request.settings.items()
        if name not in unsent and name not in ("headers", "stream")
    }
