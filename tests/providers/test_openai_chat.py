"""The OpenAI provider over HTTP, with the real SDK against a server on loopback that fails on
request."""

import asyncio
import json
import socket
import threading

import pytest

from graders.core.records import Reply
from graders.providers.anthropic_messages import AnthropicMessages
from graders.providers.http._prices import money
from graders.providers.http.failures import broken, error_message, refused, retry_after
from graders.providers.openai_chat import OpenAIChat, read_completion
from tests.providers import asking
from tests.providers.asking import KEY, REQUEST, SCHEMA
from tests.support.stub import provider_stub


@pytest.fixture(scope="module")
def stub():
    with provider_stub() as running:
        yield running


def send(base_url, timeout=10.0, request=REQUEST, key=KEY) -> Reply:
    return asking.send(OpenAIChat, base_url, request, timeout, key)


def test_a_reply_carries_text_tokens_and_raw_body(stub):
    stub.configure(faults={})
    reply = send(stub.base_url)
    assert reply.cause == "" and json.loads(reply.text)["value"] in ("No", "Yes")
    assert reply.finish_reason == "stop" and reply.model == "stub"
    body = json.loads(reply.raw)
    assert (reply.input_tokens, reply.output_tokens) == (
        body["usage"]["prompt_tokens"],
        body["usage"]["completion_tokens"],
    )
    assert reply.cached_tokens == reply.input_tokens // 2
    assert reply.seconds > 0
    assert stub.stats()["keys"] == [KEY]


@pytest.mark.parametrize(
    ("fault", "cause", "detail"),
    [
        ("rate_limited", "rate_limited", "status 429: Rate limit reached"),
        ("quota", "quota", "status 429: You exceeded your current quota"),
        ("server_error", "server_error", "status 500: The server had an error"),
        ("unavailable", "server_error", "status 503: Overloaded"),
        ("wrong_key", "wrong_key", "status 401: Incorrect API key provided: [key]"),
        ("forbidden", "wrong_key", "status 403: Not for you"),
        ("model_missing", "model_missing", "status 404: The model does not exist"),
        ("bad_request", "bad_request", "status 400: Unknown parameter"),
        ("truncated", "truncated_body", "the connection ended before the reply was whole"),
        (
            "page",
            "malformed",
            "status 200, but no chat completion: a web page came, so look whether the address is the one of the API",
        ),
        ("cut", "length_stop", "the reply reached the limit of output tokens"),
        ("refusal", "refusal", "I cannot help with that."),
        ("empty", "empty", "the reply carries no text"),
    ],
)
def test_every_failure_has_a_cause(stub, fault, cause, detail):
    stub.configure(faults={fault: 1.0}, retry_after=0.25)
    reply = send(stub.base_url)
    assert (reply.cause, reply.detail) == (cause, detail)
    assert reply.retry_after == (0.25 if fault == "rate_limited" else None)
    assert stub.stats()["requests"] == 1  # one send is one request: the SDK's own retries are off


def test_a_reset_connection_is_named(stub):
    stub.configure(faults={"reset": 1.0})
    reply = send(stub.base_url)
    assert reply.cause == "connection" and reply.detail.startswith(
        f"the connection to {stub.base_url} broke"
    )


def test_a_hanging_provider_is_left_at_the_time_limit(stub):
    stub.configure(faults={"hang": 1.0})
    reply = send(stub.base_url, timeout=0.3)
    assert (reply.cause, reply.detail) == ("timeout", "no reply within 0.3 s")
    assert 0.3 <= reply.seconds < 5


def test_nobody_listens():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))  # bound, not listening: the connection is refused
        address = f"http://127.0.0.1:{held.getsockname()[1]}/v1"
        reply = send(address)
    assert reply.cause == "unreachable" and reply.detail.startswith(f"no connection to {address}: ")


def test_a_host_that_does_not_exist():
    assert send("http://nobody.invalid/v1").cause == "unreachable"


def test_an_address_of_the_environment_that_is_none(monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://:0/v1")
    assert send("").cause in ("unreachable", "bad_request")


def test_no_key_is_a_wrong_key_with_the_name_of_the_variable(monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY"):
        monkeypatch.delenv(name, raising=False)
    reply = send("http://127.0.0.1:1/v1", key="")
    assert reply.cause == "wrong_key" and "OPENAI_API_KEY" in reply.detail


def test_the_environment_of_the_sdk_is_honoured(stub, monkeypatch):
    stub.configure(faults={})
    monkeypatch.setenv("OPENAI_BASE_URL", stub.base_url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-from-environment")
    assert send("", key="").cause == ""
    assert stub.stats()["keys"] == ["sk-from-environment"]
    assert OpenAIChat().address == stub.base_url


def test_the_environment_proxy_is_honoured(stub, monkeypatch):
    """The stub plays the proxy: the host asked for exists nowhere else."""
    stub.configure(faults={})
    monkeypatch.setenv("http_proxy", stub.base_url.removesuffix("/v1"))
    assert send("http://behind.invalid/v1").cause == ""
    monkeypatch.setenv("no_proxy", "behind.invalid")
    assert send("http://behind.invalid/v1").cause == "unreachable"


def test_one_client_serves_a_whole_run(stub):
    stub.configure(faults={})

    async def several() -> int:
        provider = OpenAIChat(base_url=stub.base_url, api_key=KEY)
        clients = set()
        for _ in range(3):
            await provider.send(REQUEST, 10)
            clients.add(id(provider._client))
        await provider.aclose()
        assert (await provider.send(REQUEST, 10)).cause == ""  # after closing a new one is made
        await provider.aclose()
        return len(clients)

    assert asyncio.run(several()) == 1


@pytest.mark.parametrize(("kind", "place"), [(OpenAIChat, "base_url"), (AnthropicMessages, "root")])
def test_what_a_run_keeps_does_not_grow_with_its_time_limits(stub, kind, place):
    """The limit of a call follows the replies so far, so that hardly two calls have the same
    one."""
    stub.configure(faults={})

    async def several() -> list[int]:
        provider = kind(base_url=getattr(stub, place), api_key=KEY)
        sizes = []
        for limit in (10.0, 11.5, 12.25):
            assert (await provider.send(REQUEST, limit)).cause == ""
            sizes.append(
                sum(len(kept) for kept in vars(provider._client).values() if isinstance(kept, dict))
            )
        await provider.aclose()
        return sizes

    first, *others = asyncio.run(several())
    assert set(others) == {first}


def test_the_request_asks_for_strict_structured_output():
    body = json.loads(OpenAIChat(base_url="http://127.0.0.1:1/v1").body(REQUEST))
    assert body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "verdicts", "strict": True, "schema": SCHEMA},
    }
    assert body["messages"][1] == {"role": "user", "content": "Ärger, 答え, \U0001f327"}
    assert (body["temperature"], body["max_tokens"]) == (0.0, 50)
    assert (
        json.loads(OpenAIChat(base_url="https://api.openai.com/v1").body(REQUEST))[
            "max_completion_tokens"
        ]
        == 50
    )


def test_the_key_is_never_shown(stub):
    provider = OpenAIChat(api_key=KEY)
    assert KEY not in repr(provider) + str(provider.options())
    stub.configure(faults={"wrong_key": 1.0})
    reply = send(stub.base_url)
    assert KEY not in reply.detail + reply.raw and "[key]" in reply.raw


class TestCompletions:
    @pytest.mark.parametrize(
        ("body", "cause"),
        [
            ("", "malformed"),
            ("null", "malformed"),
            ("[]", "malformed"),
            ('{"choices": []}', "malformed"),
            ('{"choices": [{"message": null}]}', "malformed"),
            ('{"choices": [null]}', "malformed"),
            ('{"error": {"message": "no"}}', "malformed"),
            ('{"choices": [{"message": {"content": null}}]}', "empty"),
            ('{"choices": [{"message": {"content": 7}}]}', "empty"),
            (
                '{"choices": [{"message": {"content": "x"}, "finish_reason": "content_filter"}]}',
                "refusal",
            ),
            ('{"choices": [{"message": {"content": "x"}}], "usage": "none"}', ""),
            (
                '{"choices": [{"message": {"content": "x"}}], "usage": {"prompt_tokens_details": 3, "prompt_tokens": "9"}}',
                "",
            ),
        ],
    )
    def test_odd_bodies_never_raise(self, body, cause):
        reply = read_completion(body, 0.1)
        assert (reply.cause, reply.input_tokens, reply.cached_tokens) == (cause, None, None)

    def test_text_in_parts_is_joined(self):
        body = {
            "choices": [
                {
                    "message": {
                        "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
                    }
                }
            ]
        }
        assert read_completion(json.dumps(body), 0.1).text == "ab"


class TestNames:
    @pytest.mark.parametrize(
        ("headers", "seconds"),
        [
            ({"retry-after-ms": "1500"}, 1.5),
            ({"retry-after": "2"}, 2.0),
            ({"retry-after-ms": "x", "retry-after": "0.5"}, 0.5),
            ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),  # past
            ({"retry-after": "soon"}, None),
            ({"retry-after": "inf"}, None),
            ({}, None),
        ],
    )
    def test_how_long_to_wait(self, headers, seconds):
        assert retry_after(headers) == seconds

    @pytest.mark.parametrize(
        ("status", "cause"),
        [
            (302, "bad_request"),
            (402, "quota"),
            (408, "timeout"),
            (409, "server_error"),
            (413, "bad_request"),
            (529, "server_error"),
        ],
    )
    def test_other_statuses(self, status, cause):
        assert refused(status, "", {})[0] == cause

    @pytest.mark.parametrize(
        ("body", "words"),
        [
            ('{"error": {"message": "m"}}', "m"),
            ('{"error": "m"}', "m"),
            ('{"message": "m"}', "m"),
            ("<p>m\n</p>", "<p>m </p>"),
            ("", "no words"),
        ],
    )
    def test_the_words_of_the_provider(self, body, words):
        assert error_message(body) == words

    def test_an_error_nobody_thought_of_keeps_its_name(self):
        assert broken(RuntimeError("odd"), "http://x") == ("bad_request", "RuntimeError: odd")


class TestMoney:
    def test_a_known_model_at_its_own_address(self):
        # gpt-4o: 2.50 $ per million input tokens, 1.25 cached, 10 output: (900 * 2.5 + 100 * 1.25 +
        # 100 * 10) / 1e6
        assert money("https://api.openai.com/v1", "gpt-4o", 1000, 100, 100) == pytest.approx(
            0.003375
        )

    @pytest.mark.parametrize(
        ("address", "model"),
        [
            ("https://api.openai.com/v1", "no-such-model"),
            ("https://example.org/v1", "gpt-4o"),
            ("http://127.0.0.1:8000/v1", "gpt-4o"),
            ("", "gpt-4o"),
        ],
    )
    def test_what_is_unknown_is_none_and_never_zero(self, address, model):
        assert money(address, model, 1000, 0, 100) is None

    def test_own_prices_come_first(self):
        provider = OpenAIChat(base_url="http://127.0.0.1:1/v1", input_price=2.0, output_price=8.0)
        assert provider.price("any", 1000, 0, 500) == pytest.approx((1000 * 2 + 500 * 8) / 1e6)


def test_importing_the_module_is_cheap():
    """In a fresh interpreter: neither the SDK nor the price list is loaded before a call is
    made."""
    import subprocess
    import sys

    code = "import sys, graders.providers.openai_chat; print(sorted({'openai', 'aiohttp', 'httpx2', 'genai_prices'} & set(sys.modules)))"
    assert (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout.strip()
        == "[]"
    )


def test_sends_of_many_at_once_are_independent(stub):
    stub.configure(faults={"server_error": 0.5}, seed=3)

    async def burst() -> list[Reply]:
        provider = OpenAIChat(base_url=stub.base_url, api_key=KEY, connections=20)
        replies = await asyncio.gather(*(provider.send(REQUEST, 10) for _ in range(60)))
        await provider.aclose()
        return replies

    causes = [reply.cause for reply in asyncio.run(burst())]
    stats = stub.stats()
    assert (
        causes.count("server_error") == stats["faults"]["server_error"]
        and causes.count("") == stats["paid"]
    )
    assert stats["peak"] <= 20 and threading.active_count() < 50
