"""The HTTP client under the SDKs: aiohttp, and nothing that a chat completion does not need.

The SDKs take any client of their HTTP library. This one leaves out cookies, redirects and
authentication flows, and brings every response whole unless a stream is asked for; per call that
costs half of what the general client does. Import it only where a client is made: it loads aiohttp.
"""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Mapping
from typing import Any
from urllib.request import getproxies, proxy_bypass

import aiohttp
import httpx2
from aiohttp.abc import AbstractResolver, ResolveResult
from multidict import CIMultiDict
from yarl import URL

from graders.providers.http.addresses import Fence
from graders.providers.http.headers import EXTRA

#: What of a response's headers anybody reads. The body arrives decompressed, so its stated length
#: and coding no longer hold.
_KEPT = ("content-type", "retry-after", "retry-after-ms", "x-request-id")
#: What a server that a visitor named is sent: no organisation or other header that the
#: installation's environment adds.
_PLAIN = ("authorization", "content-type", "accept", "anthropic-version", "x-api-key")


class FencedResolver(AbstractResolver):
    """Names to addresses at the moment of connecting; OSError (Forbidden) where one of them is
    fenced off.

    The connection goes to the very addresses that were looked at, so a name that leads elsewhere by
    then gains nothing.
    """

    def __init__(self, fence: Fence) -> None:
        self._fence, self._inner = fence, aiohttp.ThreadedResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """The addresses of `host`."""
        found = await self._inner.resolve(host, port, family)
        self._fence.check_addresses(host, [place["host"] for place in found])
        return found

    async def close(self) -> None:
        """Nothing is held."""
        await self._inner.close()


class Body(httpx2.AsyncByteStream):
    """The body of a response as it arrives."""

    def __init__(self, response: aiohttp.ClientResponse) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._response.content.iter_any():
            yield chunk

    async def aclose(self) -> None:
        """Give the connection back, or close it where the body was not read to its end."""
        self._response.release()


class WholeClient(httpx2.AsyncClient):
    """Sends a request over one aiohttp session (proxies from the environment honoured) and reads
    the reply to its end.

    At most `connections` at once (0: no limit). Errors are aiohttp's own: they say exactly what
    broke. Time limits are the caller's. With a `fence` only what it lets through is asked, and
    without a proxy, which would connect in our place.
    """

    def __init__(self, connections: int, fence: Fence | None = None) -> None:
        # The transport is never used: a real one would load certificates a second time.
        super().__init__(transport=httpx2.AsyncBaseTransport(), trust_env=False)
        self._connections, self._fence = connections, fence
        self._session: aiohttp.ClientSession | None = None
        self._urls: dict[str, httpx2.URL] = {}
        self._last: tuple[Any, CIMultiDict[str]] = (None, CIMultiDict())

    def build_request(self, method: str, url: httpx2.URL | str, **options: Any) -> httpx2.Request:
        """The request without the client's own headers, cookies and parameters: there are none."""
        # A run asks one address thousands of times, and parsing it is a tenth of what a request
        # costs.
        parsed = (
            url
            if isinstance(url, httpx2.URL)
            else self._urls.get(url) or self._urls.setdefault(url, httpx2.URL(url))
        )
        headers, content = options.get("headers"), options.get("content")
        if files := options.get("files"):
            made = httpx2.Request(
                method,
                parsed,
                params=options.get("params"),
                headers=headers,
                data=options.get("data"),
                files=files,
            )
            headers = made.headers
        else:  # the headers go past the request, which would only encode and copy them
            made = httpx2.Request(method, parsed, params=options.get("params"), content=content)
        made.extensions["headers"] = headers
        return made

    async def send(
        self, request: httpx2.Request, *, stream: bool = False, **options: Any
    ) -> httpx2.Response:
        """The response to `request`, whole unless it is a success and a `stream` was asked for; a
        redirect is handed over as it came."""
        session = self._session or self._open(request.url)
        # as they were given: the request holds them encoded
        url, headers = (
            str(request.url),
            request.extensions["headers"],
        )
        if self._fence is not None:
            place = URL(url)
            self._fence.check_url(place.scheme, place.host or "", place.port)
            headers = [(name, value) for name, value in _pairs(headers) if name.lower() in _PLAIN]
        if extra := EXTRA.get():
            named = {name.lower() for name in extra}
            headers = [
                *((name, value) for name, value in _pairs(headers) if name.lower() not in named),
                *extra.items(),
            ]
        elif self._fence is None:
            headers = self._prepared(headers)
        body = await request.aread() if request.method != "GET" else None
        response = await session.request(
            request.method, url, data=body, headers=headers, allow_redirects=False
        )
        kept = [(name, response.headers[name]) for name in _KEPT if name in response.headers]
        if stream and response.status == 200:
            return httpx2.Response(
                response.status, headers=kept, stream=Body(response), request=request
            )
        async with response:
            return httpx2.Response(
                response.status, headers=kept, content=await response.read(), request=request
            )

    def _prepared(self, headers: Any) -> CIMultiDict[str]:
        """`headers` as aiohttp keeps them: calls of a run bring the very same ones, and each would
        be read anew."""
        if self._last[0] is not headers:
            self._last = headers, CIMultiDict(_pairs(headers))
        return self._last[1]

    def _open(self, url: httpx2.URL) -> aiohttp.ClientSession:
        resolver = FencedResolver(self._fence) if self._fence else None
        connector = aiohttp.TCPConnector(limit=self._connections, resolver=resolver)
        proxy = None if self._fence else environment_proxy(url)
        self._session = aiohttp.ClientSession(
            connector=connector, proxy=proxy, timeout=aiohttp.ClientTimeout()
        )
        return self._session

    async def aclose(self) -> None:
        """Close the session and all connections."""
        if self._session is not None:
            await self._session.close()
        await super().aclose()


def _pairs(headers: Any) -> list[tuple[str, str]]:
    return list(headers.items()) if isinstance(headers, Mapping) else list(headers or ())


def environment_proxy(url: httpx2.URL) -> str | None:
    """The proxy that HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY name for `url`.

    Asked once for a session: aiohttp's own switch would read the environment and .netrc for every
    call.
    """
    if proxy_bypass(url.host):
        return None
    proxies = getproxies()
    return proxies.get(url.scheme) or proxies.get("all")
