"""Batches over HTTP with the real SDKs: handed in by one process, looked at by another, fetched by
a third."""

import asyncio
import json
import os
import subprocess
import sys
from dataclasses import replace

import pytest

from graders.core.contracts import BatchProvider
from graders.core.discovery import find
from graders.core.errors import InputError, ProviderError
from graders.core.records import BatchState, Reply
from graders.providers import anthropic_batch, openai_batch
from graders.providers.anthropic_batch import AnthropicBatch
from graders.providers.openai_batch import OpenAIBatch
from tests.providers.asking import KEY, asked, send
from tests.support.stub import provider_stub

KINDS = (OpenAIBatch, AnthropicBatch)
#: Keys as the ledger makes them; every request asks something else, so that a mixed-up reply shows.
REQUESTS = {
    f"{n:032x}": replace(
        asked(stream=True, headers={"a": "b"}),
        model="stub-1",
        schema={"type": "integer", "enum": [n]},
    )
    for n in range(12)
}


@pytest.fixture(scope="module")
def stub():
    with provider_stub() as running:
        yield running


def base(stub, kind) -> str:
    return stub.base_url if kind is OpenAIBatch else stub.root


def do(kind, base_url, method, *arguments, key=KEY):
    """One method of a provider that is made for it and closed after it: nothing can be kept in
    memory."""

    async def once():
        provider = kind(base_url=base_url, api_key=key)
        try:
            return await getattr(provider, method)(*arguments)
        finally:
            await provider.aclose()

    return asyncio.run(once())


@pytest.mark.parametrize("kind", KINDS)
class TestBothProviders:
    def test_submit_leave_come_back(self, stub, kind):
        stub.configure(faults={}, polls=1, expired=0, refuse="")
        handle = do(kind, base(stub, kind), "submit", REQUESTS)
        first = do(kind, base(stub, kind), "poll", handle)
        assert (first.ended, first.done, first.total) == (False, 0, 12)
        assert do(kind, base(stub, kind), "poll", handle) == BatchState(
            done=12, total=12, ended=True
        )
        replies = do(kind, base(stub, kind), "fetch", handle)
        assert {key: reply.text for key, reply in replies.items()} == {
            key: str(n) for n, key in enumerate(REQUESTS)
        }
        assert all(
            reply.cause == "" and reply.output_tokens and reply.seconds is None
            for reply in replies.values()
        )
        assert stub.stats()["paid"] == 12 and stub.stats()["keys"] == [KEY]

    def test_another_process_fetches(self, stub, kind):
        stub.configure(faults={}, polls=0, expired=0, refuse="")
        handle = do(kind, base(stub, kind), "submit", REQUESTS)
        module = kind.__module__.rsplit(".", 1)[-1]
        code = (
            "import asyncio; from graders.core.discovery import make;"
            f"p = make('providers', {module!r}, {{'base_url': {base(stub, kind)!r}, 'api_key': 'sk-of-a-new-process'}});"
            f"print(len(asyncio.run(p.fetch({handle!r}))))"
        )
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, env=os.environ
        )
        assert done.stdout.strip() == "12", done.stderr

    def test_single_failures_have_causes_and_the_rest_arrives(self, stub, kind):
        stub.configure(
            faults={"server_error": 0.25, "cut": 0.25}, polls=0, expired=3, refuse="", seed=2
        )
        replies = do(
            kind, base(stub, kind), "fetch", do(kind, base(stub, kind), "submit", REQUESTS)
        )
        drawn = stub.stats()["faults"]
        causes = [reply.cause for reply in replies.values()]
        assert set(replies) == set(REQUESTS)
        # the last three were not reached in time
        assert causes.count("server_error") == drawn["server_error"] + 3
        assert causes.count("length_stop") == drawn["cut"] > 0
        assert [reply.cause for reply in list(dict(sorted(replies.items())).values())[-3:]] == [
            "server_error"
        ] * 3
        # and not charged
        assert all(
            reply.output_tokens is None
            for reply in replies.values()
            if reply.cause == "server_error"
        )

    def test_fetching_too_early_says_so(self, stub, kind):
        stub.configure(faults={}, polls=9, expired=0, refuse="")
        handle = do(kind, base(stub, kind), "submit", REQUESTS)
        with pytest.raises(InputError) as error:
            do(kind, base(stub, kind), "fetch", handle)
        assert (
            str(error.value)
            == f"batch {handle} at {base(stub, kind)}: found it is in_progress, expected a batch that has ended. Come back later."
        )

    def test_an_unknown_handle_says_what_to_check(self, stub, kind):
        stub.configure(faults={}, polls=0, expired=0, refuse="")
        with pytest.raises(ProviderError) as error:
            do(kind, base(stub, kind), "poll", "batch_of_nobody")
        assert error.value.cause == "bad_request"
        assert "No such batch" in str(error.value) and "Check the handle" in str(error.value)

    @pytest.mark.parametrize(
        ("refusal", "cause"),
        [
            ("wrong_key", "wrong_key"),
            ("quota", "quota"),
            ("rate_limited", "rate_limited"),
            ("server_error", "server_error"),
        ],
    )
    @pytest.mark.parametrize("method", ["submit", "poll", "fetch"])
    def test_refusals_have_causes(self, stub, kind, method, refusal, cause):
        stub.configure(faults={}, polls=0, expired=0, refuse=refusal)
        with pytest.raises(ProviderError) as error:
            do(kind, base(stub, kind), method, REQUESTS if method == "submit" else "batch_1")
        assert error.value.cause == cause and KEY not in str(error.value)

    def test_no_key_is_said_before_anything_is_sent(self, kind, monkeypatch):
        monkeypatch.delenv(kind.key_variable, raising=False)
        with pytest.raises(ProviderError, match=f"{kind.key_variable} is not set") as error:
            do(kind, "http://127.0.0.1:1", "submit", REQUESTS, key="")
        assert error.value.cause == "wrong_key"

    def test_nobody_listens(self, kind):
        with pytest.raises(ProviderError) as error:
            do(kind, "http://nobody.invalid", "poll", "batch_1")
        assert error.value.cause == "unreachable"

    def test_an_empty_batch_is_refused(self, kind):
        with pytest.raises(InputError, match="found no requests, expected at least one"):
            do(kind, "http://127.0.0.1:1", "submit", {})

    def test_a_batch_that_is_too_large_says_what_to_do(self, kind, monkeypatch):
        module = sys.modules[kind.__module__]
        monkeypatch.setattr(module, "MOST_REQUESTS", 11)
        with pytest.raises(InputError, match="found 12 requests, expected at most 11"):
            do(kind, "http://127.0.0.1:1", "submit", REQUESTS)
        monkeypatch.setattr(module, "MOST_REQUESTS", 12)
        monkeypatch.setattr(module, "MOST_BYTES", 100)
        with pytest.raises(InputError, match="Hand the requests in as several batches"):
            do(kind, "http://127.0.0.1:1", "submit", REQUESTS)

    def test_it_is_found_by_its_name_and_sends_single_requests_too(self, stub, kind):
        found = find("providers", kind.__module__.rsplit(".", 1)[-1])
        assert found is kind and issubclass(found, BatchProvider) and found.price_share == 0.5
        stub.configure(faults={}, polls=0, expired=0, refuse="")
        assert send(kind, base(stub, kind)).cause == ""


def test_openais_file_holds_one_model_only():
    mixed = {**REQUESTS, "other": replace(asked(), model="stub-2")}
    with pytest.raises(InputError, match="found the models stub-1, stub-2, expected one model"):
        do(OpenAIBatch, "http://127.0.0.1:1/v1", "submit", mixed)


@pytest.mark.parametrize(
    ("reader", "line", "expected"),
    [
        (
            openai_batch.read_results,
            {
                "custom_id": "k",
                "response": None,
                "error": {"code": "batch_cancelled", "message": "m"},
            },
            ("server_error", "m"),
        ),
        (
            openai_batch.read_results,
            {
                "custom_id": "k",
                "response": {"status_code": 401, "body": {"error": {"message": "m"}}},
            },
            ("wrong_key", "status 401: m"),
        ),
        (
            openai_batch.read_results,
            {"custom_id": "k", "response": {"status_code": 200, "body": None}},
            ("malformed", "status 200, but no chat completion"),
        ),
        (
            anthropic_batch.read_results,
            {"custom_id": "k", "result": {"type": "canceled"}},
            ("server_error", "the batch was called off before this request was asked"),
        ),
        (
            anthropic_batch.read_results,
            {
                "custom_id": "k",
                "result": {
                    "type": "errored",
                    "error": {
                        "type": "error",
                        "error": {"type": "invalid_request_error", "message": "m"},
                    },
                },
            },
            ("bad_request", "m"),
        ),
        (
            anthropic_batch.read_results,
            {"custom_id": "k", "result": {"type": "errored", "error": None}},
            ("server_error", "no words"),
        ),
        (
            anthropic_batch.read_results,
            {"custom_id": "k", "result": {"type": "succeeded", "message": None}},
            ("malformed", "status 200, but no message"),
        ),
    ],
)
def test_lines_of_results(reader, line, expected):
    content = b"\n".join([b"", b"{half", b"[]", json.dumps(line).encode(), b""])
    found: dict[str, Reply] = reader(content)
    assert list(found) == ["k"] and (found["k"].cause, found["k"].detail) == expected
