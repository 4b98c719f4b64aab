"""What the tests of providers ask: one small request, sent once by a provider of its own."""

import asyncio
from dataclasses import replace

from graders.core.records import Reply, Request

SCHEMA = {
    "type": "object",
    "properties": {"value": {"type": "string", "enum": ["No", "Yes"]}},
    "required": ["value"],
    "additionalProperties": False,
}
REQUEST = Request(
    subjects=(),
    provider="",
    model="stub",
    messages=(("system", "Grade."), ("user", "Ärger, 答え, \U0001f327")),
    schema=SCHEMA,
    settings={"temperature": 0.0, "max_output_tokens": 50},
)
KEY = "sk-test-visitor-key"


def asked(**settings) -> Request:
    """The request with further settings; None takes one away."""
    merged = {**REQUEST.settings, **settings}
    return replace(
        REQUEST, settings={name: value for name, value in merged.items() if value is not None}
    )


def send(
    kind,
    base_url: str,
    request: Request = REQUEST,
    timeout: float = 10.0,
    key: str = KEY,
    **options,
) -> Reply:
    """One send by a new provider of class `kind`."""

    async def once() -> Reply:
        provider = kind(base_url=base_url, api_key=key, **options)
        try:
            return await provider.send(request, timeout)
        finally:
            await provider.aclose()

    return asyncio.run(once())
