"""An SDK's client for runs, which send thousands of calls to one address.

The SDKs of OpenAI and Anthropic are made by one generator, so one class serves both. What is alike
in all calls of a run (address, headers, options) is made once; the SDK would make each anew, which
is a fifth of what a call costs the processor.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

#: What the SDK writes into the calls' headers, in seconds. The limit that holds is the caller's,
#: and changes during a run.
_LONGEST = 600.0


@cache
def one_address(sdk: type) -> Any:
    """The subclass of `sdk`, an SDK's asynchronous client, that has `send_json` too.

    The class is handed in because the SDKs take a second to load.
    """
    import httpx2

    base: Any = sdk
    options_type = import_module(f"{sdk.__module__.partition('.')[0]}._models").FinalRequestOptions

    class OneAddress(base):  # type: ignore[misc]
        def __init__(self, **options: Any) -> None:
            super().__init__(**options)
            self._addresses: dict[str, httpx2.URL] = {}
            self._alike: httpx2.Headers | None = None
            self._templates: dict[Any, Any] = {}

        async def send_json(self, path: Any, content: bytes, *, stream: bool = False) -> Any:
            """The response as it came to `content` sent to `path`; its text is parsed once, by the
            caller."""
            if path not in self._templates:
                options = {
                    "headers": {},
                    "params": {},
                    "max_retries": 0,
                    "timeout": _LONGEST,
                    "idempotency_key": "",
                }
                self._templates[path] = options_type.construct(method="post", url=path, **options)
            options = self._templates[path].model_copy(update={"content": content})
            if stream:
                return await self.request(httpx2.Response, options, stream=True, stream_cls=object)
            return await self.request(httpx2.Response, options)

        def _prepare_url(self, url: str) -> httpx2.URL:
            return self._addresses.get(url) or self._addresses.setdefault(
                url, super()._prepare_url(url)
            )

        def _build_headers(self, options: Any, *, retries_taken: int = 0) -> Any:
            if (
                options.timeout != _LONGEST
                or options.headers
                or options.idempotency_key
                or retries_taken
            ):
                return super()._build_headers(options, retries_taken=retries_taken)
            if self._alike is None:
                self._alike = super()._build_headers(options)
            # shared: the SDK takes headers away only from uploads and from what it fetches
            return self._alike

    return OneAddress
