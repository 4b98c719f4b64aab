"""The Anthropic provider over HTTP, with the real SDK against a server on loopback that fails on
request."""

import json
import socket
import subprocess
import sys
from dataclasses import replace

import pytest

from graders.providers.anthropic_messages import MAX_TOKENS, AnthropicMessages, read_message
from tests.providers.asking import KEY, REQUEST, SCHEMA, asked, send
from tests.support.stub import provider_stub

CLAUDE = replace(REQUEST, model="claude-haiku-5-5")


@pytest.fixture(scope="module")
def stub():
    with provider_stub() as running:
        yield running


def body(request) -> dict:
    return json.loads(AnthropicMessages(base_url="http://127.0.0.1:1").body(request))


def test_a_reply_carries_text_tokens_and_raw_body(stub):
    stub.configure(faults={})
    reply = send(AnthropicMessages, stub.root, CLAUDE)
    assert reply.cause == "" and json.loads(reply.text)["value"] in ("No", "Yes")
    assert (reply.finish_reason, reply.model) == ("end_turn", "claude-haiku-5-5")
    assert reply.output_tokens == json.loads(reply.raw)["usage"]["output_tokens"]
    assert (reply.cached_tokens, reply.first_token_seconds) == (0, None)
    assert stub.stats()["keys"] == [KEY]


def test_an_address_with_the_version_at_its_end_is_the_same_place(stub):
    stub.configure(faults={})
    assert send(AnthropicMessages, stub.base_url, CLAUDE).cause == ""
    assert send(AnthropicMessages, stub.base_url + "/", CLAUDE).cause == ""


@pytest.mark.parametrize(
    ("fault", "cause", "detail"),
    [
        ("rate_limited", "rate_limited", "status 429: Rate limit reached"),
        ("overloaded", "server_error", "status 529: Overloaded"),
        ("server_error", "server_error", "status 500: The server had an error"),
        ("quota", "quota", "status 429: You exceeded your current quota"),
        ("no_credit", "quota", "status 400: Your credit balance is too low to access the API"),
        ("wrong_key", "wrong_key", "status 401: Incorrect API key provided: [key]"),
        ("forbidden", "wrong_key", "status 403: Not for you"),
        ("model_missing", "model_missing", "status 404: The model does not exist"),
        ("bad_request", "bad_request", "status 400: Unknown parameter"),
        ("truncated", "truncated_body", "the connection ended before the reply was whole"),
        (
            "page",
            "malformed",
            "status 200, but no message: a web page came, so look whether the address is the one of the API",
        ),
        ("cut", "length_stop", "the reply reached the limit of output tokens"),
        ("refusal", "refusal", "I cannot help with that."),
        ("empty", "empty", "the reply carries no text"),
    ],
)
def test_every_failure_has_a_cause(stub, fault, cause, detail):
    stub.configure(faults={fault: 1.0}, retry_after=0.25)
    reply = send(AnthropicMessages, stub.root, CLAUDE)
    assert (reply.cause, reply.detail) == (cause, detail)
    assert reply.retry_after == (0.25 if fault == "rate_limited" else None)
    assert stub.stats()["requests"] == 1  # one send is one request: the SDK's own retries are off
    assert KEY not in reply.raw


def test_a_reset_connection_and_a_hanging_provider_are_named(stub):
    stub.configure(faults={"reset": 1.0})
    assert send(AnthropicMessages, stub.root, CLAUDE).cause == "connection"
    stub.configure(faults={"hang": 1.0})
    reply = send(AnthropicMessages, stub.root, CLAUDE, timeout=0.3)
    assert (reply.cause, reply.detail) == ("timeout", "no reply within 0.3 s")


def test_nobody_listens():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))  # bound, not listening: the connection is refused
        reply = send(AnthropicMessages, f"http://127.0.0.1:{held.getsockname()[1]}", CLAUDE)
    assert reply.cause == "unreachable"


def test_no_key_is_a_wrong_key_with_the_name_of_the_variable(monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    reply = send(AnthropicMessages, "http://127.0.0.1:1", CLAUDE, key="")
    assert (reply.cause, reply.detail) == (
        "wrong_key",
        "no key: the variable ANTHROPIC_API_KEY is not set, and none was typed",
    )


def test_the_environment_is_honoured(stub, monkeypatch):
    stub.configure(faults={})
    monkeypatch.setenv("ANTHROPIC_BASE_URL", stub.root)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-from-environment")
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "Authorization: Bearer of-somebody-else")
    assert send(AnthropicMessages, "", CLAUDE, key="").cause == ""
    assert stub.stats()["keys"] == ["sk-from-environment"]
    assert AnthropicMessages().address == stub.root


def test_on_a_space_the_installations_key_stays_at_home(monkeypatch):
    monkeypatch.setenv("SPACE_ID", "owner/space")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-of-the-installation")
    reply = send(AnthropicMessages, "https://visitor.invalid", CLAUDE, key="")
    # nothing was sent: an address that a visitor typed gets the visitor's key only
    assert reply.cause == "wrong_key"
    reply = send(AnthropicMessages, "http://127.0.0.1:1", CLAUDE, key="typed-by-a-visitor")
    assert reply.cause == "unreachable" and "expected https" in reply.detail
    assert AnthropicMessages()._key == "sk-of-the-installation"


class TestBody:
    def test_structured_output_and_slots(self):
        found = body(CLAUDE)
        assert found == {
            "model": "claude-haiku-5-5",
            "max_tokens": 50,
            "system": [{"type": "text", "text": "Grade."}],
            "messages": [{"role": "user", "content": "Ärger, 答え, \U0001f327"}],
            "output_config": {
                "format": {
                    "type": "json_schema",
                    "schema": found["output_config"]["format"]["schema"],
                }
            },
        }
        assert found["output_config"]["format"]["schema"] == {
            **SCHEMA,
            "properties": {"value": {"enum": ["No", "Yes"]}},
        }

    def test_bounds_of_numbers_become_words(self):
        schema = {
            "type": "object",
            "properties": {"value": {"type": "integer", "minimum": 0, "maximum": 100}},
            "required": ["value"],
        }
        value = body(replace(CLAUDE, schema=schema))["output_config"]["format"]["schema"][
            "properties"
        ]["value"]
        assert value == {"type": "integer", "description": "{minimum: 0, maximum: 100}"}

    def test_the_limit_is_never_missing(self):
        assert body(replace(CLAUDE, settings={}))["max_tokens"] == MAX_TOKENS

    def test_neutral_names_become_the_protocols(self):
        settings = {
            "stop": "END",
            "reasoning_effort": "low",
            "thinking": {"type": "adaptive"},
            "stream": True,
            "headers": {"a": "b"},
        }
        found = body(replace(CLAUDE, settings=settings, schema=None))
        assert found["stop_sequences"] == ["END"] and found["output_config"] == {"effort": "low"}
        assert found["thinking"] == {"type": "adaptive"} and found["stream"] is True
        assert not {"stop", "reasoning_effort", "headers"} & set(found)

    @pytest.mark.parametrize(
        ("messages", "marked"),
        [
            ((("system", "x" * 4096), ("user", "q")), "system"),  # 4,096 bytes / 4 = 1,024 tokens
            ((("system", "x" * 4095), ("user", "q")), ""),
            ((("system", "語" * 1366), ("user", "q")), "system"),  # 1,366 x 3 bytes = 4,098
            (
                (("system", "x"), ("user", "y" * 4095), ("assistant", "No"), ("user", "q")),
                "assistant",
            ),
            ((("user", "x" * 9000),), ""),  # the last message differs from call to call
        ],
    )
    def test_a_long_constant_prefix_is_marked_at_its_end(self, messages, marked):
        found = body(replace(CLAUDE, messages=messages))
        blocks = [("system", block) for block in found.get("system", [])]
        blocks += [
            (turn["role"], block)
            for turn in found["messages"]
            if isinstance(turn["content"], list)
            for block in turn["content"]
        ]
        assert [role for role, block in blocks if "cache_control" in block] == (
            [marked] if marked else []
        )


def test_cached_tokens_are_counted_apart_and_belong_to_the_input(stub):
    stub.configure(faults={})
    reply = send(
        AnthropicMessages,
        stub.root,
        replace(CLAUDE, messages=(("system", "x" * 4096), ("user", "q"))),
    )
    usage = json.loads(reply.raw)["usage"]
    assert usage["cache_read_input_tokens"] == reply.cached_tokens > 500
    assert reply.input_tokens == usage["input_tokens"] + usage["cache_read_input_tokens"]


def test_money_takes_the_cached_share_at_its_own_price():
    # claude-sonnet-5: 2 $ per million input tokens, .20 read from the cache, 10 output: (600 * 2 +
    # 400 * .2 + 100 * 10) / 1e6
    assert AnthropicMessages().price("claude-sonnet-5", 1000, 400, 100) == pytest.approx(0.00228)
    assert (
        AnthropicMessages(base_url="https://example.org").price("claude-sonnet-5", 1000, 400, 100)
        is None
    )


def test_headers_of_a_request_are_sent_and_win(stub):
    stub.configure(faults={})
    assert (
        send(
            AnthropicMessages,
            stub.root,
            replace(
                CLAUDE, settings=asked(headers={"X-Team": "blue", "user-agent": "ours"}).settings
            ),
        ).cause
        == ""
    )
    headers = stub.stats()["last_headers"]
    assert (headers["x-team"], headers["user-agent"], headers["anthropic-version"]) == (
        "blue",
        "ours",
        "2026-10-21",
    )
    assert (
        send(AnthropicMessages, stub.root, CLAUDE).cause == ""
        and "x-team" not in stub.stats()["last_headers"]
    )


@pytest.mark.parametrize("headers", ["x: y", {"a": 1}, {"Host": "elsewhere"}])
def test_headers_that_cannot_be_sent_are_a_bad_request(stub, headers):
    stub.configure(faults={})
    reply = send(AnthropicMessages, stub.root, replace(CLAUDE, settings={"headers": headers}))
    assert reply.cause == "bad_request" and "the setting headers" in reply.detail
    assert stub.stats()["requests"] == 0


@pytest.mark.parametrize(
    ("found", "cause"),
    [
        ("", "malformed"),
        ("null", "malformed"),
        ('{"content": null}', "malformed"),
        ('{"content": [null]}', "malformed"),
        ('{"content": [{"type": "text", "text": 7}]}', "malformed"),
        ('{"content": [], "usage": "none"}', "malformed"),
        (
            '{"content": [{"type": "thinking", "thinking": "hm"}], "stop_reason": "end_turn"}',
            "empty",
        ),
        (
            '{"content": [{"type": "text", "text": "x"}], "stop_reason": "model_context_window_exceeded"}',
            "length_stop",
        ),
        (
            '{"content": [{"type": "text", "text": "x"}], "stop_reason": "refusal", "stop_details": null}',
            "refusal",
        ),
        (
            '{"content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "x"}]}',
            "",
        ),
        ('{"content": [{"type": "text", "text": "\\ud83d"}]}', ""),
    ],
)
def test_odd_bodies_never_raise(found, cause):
    reply = read_message(found, 0.1)
    assert (reply.cause, reply.input_tokens) == (cause, None)


def test_importing_the_module_is_cheap():
    """In a fresh interpreter: no SDK is loaded before a call is made."""
    code = (
        "import sys, graders.providers.anthropic_messages, graders.providers.anthropic_batch, graders.providers.ollama;"
        "print(sorted({'openai', 'anthropic', 'aiohttp', 'httpx2', 'genai_prices'} & set(sys.modules)))"
    )
    assert (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout.strip()
        == "[]"
    )


def test_a_run_loads_one_sdk_only(stub):
    stub.configure(faults={"reset": 1.0})  # so that the names of failures are asked for as well
    code = (
        "import sys; from tests.providers.asking import send; from graders.providers.anthropic_messages import AnthropicMessages;"
        f"print(send(AnthropicMessages, {stub.root!r}).cause, 'openai' in sys.modules)"
    )
    assert (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout.strip()
        == "connection False"
    )
