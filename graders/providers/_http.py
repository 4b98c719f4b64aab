"""The HTTP client under the SDK: aiohttp, and nothing that a chat completion does not need.

The SDK takes any client of its HTTP library. This one leaves out cookies, redirects, authentication flows and
streaming, and brings every response whole; per call that costs half of what the general client does. Import it only
where a client is made: it loads aiohttp.
"""

from __future__ import annotations

from typing import Any
from urllib.request import getproxies, proxy_bypass

import aiohttp
import httpx2

#: What of a response's headers anybody reads. The body arrives decompressed, so that its own length and coding would lie.
_KEPT = ("content-type", "retry-after", "retry-after-ms", "x-request-id")


class WholeClient(httpx2.AsyncClient):
    """Sends a request over one aiohttp session (proxies from the environment honoured) and reads the reply to its end.

    At most `connections` at once (0: no limit). Errors are aiohttp's own: they say exactly what broke. Time limits are the caller's.
    """

    def __init__(self, connections: int) -> None:
        # The transport is never used: a real one would load certificates a second time.
        super().__init__(transport=httpx2.AsyncBaseTransport(), trust_env=False)
        self._connections = connections
        self._session: aiohttp.ClientSession | None = None
        self._urls: dict[str, httpx2.URL] = {}

    def build_request(self, method: str, url: httpx2.URL | str, **options: Any) -> httpx2.Request:
        """The request without the client's own headers, cookies and parameters: there are none."""
        # A run asks one address thousands of times, and parsing it is a tenth of what a request costs.
        parsed = self._urls.get(str(url)) or self._urls.setdefault(str(url), httpx2.URL(url))
        headers = options.get("headers")
        made = httpx2.Request(method, parsed, params=options.get("params"), headers=headers, content=options.get("content"))
        made.extensions["headers"] = headers
        return made

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """The whole response to `request`; a redirect is handed over as it came."""
        if self._session is None:
            connector = aiohttp.TCPConnector(limit=self._connections)
            proxy = environment_proxy(request.url)
            self._session = aiohttp.ClientSession(connector=connector, proxy=proxy, timeout=aiohttp.ClientTimeout())
        url, headers = str(request.url), request.extensions["headers"]  # as they were given: the request holds them encoded
        async with self._session.request(request.method, url, data=request.content, headers=headers, allow_redirects=False) as response:
            body = await response.read()
        kept = [(name, response.headers[name]) for name in _KEPT if name in response.headers]
        return httpx2.Response(response.status, headers=kept, content=body, request=request)

    async def aclose(self) -> None:
        """Close the session and all connections."""
        if self._session is not None:
            await self._session.close()
        await super().aclose()


def environment_proxy(url: httpx2.URL) -> str | None:
    """The proxy that HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY name for `url`.

    Asked once for a session: aiohttp's own switch would read the environment and .netrc for every call.
    """
    if proxy_bypass(url.host):
        return None
    proxies = getproxies()
    return proxies.get(url.scheme) or proxies.get("all")
