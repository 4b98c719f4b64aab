"""The Ollama provider over HTTP against a server on loopback that speaks its protocol."""

import json
import socket
from dataclasses import replace

import pytest

from graders.providers.ollama import USUAL, Ollama, address_of, read_chat
from tests.providers.asking import REQUEST, SCHEMA, asked, send
from tests.support.stub import provider_stub


@pytest.fixture(scope="module")
def stub():
    with provider_stub() as running:
        yield running


def body(request, **options) -> dict:
    return json.loads(Ollama(**options).body(request))


def test_a_reply_carries_text_and_tokens_and_costs_nothing(stub):
    stub.configure(faults={})
    reply = send(Ollama, stub.root)
    assert reply.cause == "" and json.loads(reply.text)["value"] in ("No", "Yes")
    assert (reply.finish_reason, reply.model, reply.cached_tokens) == ("stop", "stub", None)
    tree = json.loads(reply.raw)
    assert (reply.input_tokens, reply.output_tokens) == (
        tree["prompt_eval_count"],
        tree["eval_count"],
    )
    assert Ollama().price("stub", reply.input_tokens, 0, reply.output_tokens) == 0.0
    # 1,000 tokens in at 2 $ and 500 out at 8 $ per million
    assert Ollama(input_price=2.0, output_price=8.0).price("stub", 1000, 0, 500) == pytest.approx(
        0.006
    )


def test_no_key_is_needed_and_none_is_sent(stub):
    stub.configure(faults={})
    assert send(Ollama, stub.root, key="sk-for-another-provider").cause == ""
    assert stub.stats()["keys"] == [""]


@pytest.mark.parametrize("base", ["{root}", "{root}/", "{root}/v1", "{root}/api/"])
def test_addresses_are_understood_with_and_without_a_path(stub, base):
    stub.configure(faults={})
    assert send(Ollama, base.format(root=stub.root)).cause == ""


def test_not_running_says_what_to_do():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))  # bound, not listening: the connection is refused
        address = f"http://127.0.0.1:{held.getsockname()[1]}"
        reply = send(Ollama, address)
    assert reply.cause == "unreachable"
    assert reply.detail.startswith(
        f"Ollama does not answer at {address} (start it with `ollama serve`, or set OLLAMA_HOST): no connection"
    )


def test_not_pulled_says_what_to_do(stub):
    stub.configure(faults={"model_missing": 1.0})
    reply = send(Ollama, stub.root)
    assert reply.cause == "model_missing"
    assert reply.detail == (
        "status 404: model 'stub' not found, try pulling it first (get it with `ollama pull`, or take one that `ollama list` shows)"
    )


@pytest.mark.parametrize(
    ("fault", "cause"),
    [
        ("server_error", "server_error"),
        ("unavailable", "server_error"),
        ("bad_request", "bad_request"),
        ("truncated", "truncated_body"),
        ("reset", "connection"),
        ("page", "malformed"),
        ("cut", "length_stop"),
        ("empty", "empty"),
    ],
)
def test_every_failure_has_a_cause(stub, fault, cause):
    stub.configure(faults={fault: 1.0})
    assert send(Ollama, stub.root).cause == cause
    assert stub.stats()["requests"] == 1


def test_a_refused_key_does_not_send_people_after_one_that_ollama_never_asks_for():
    assert Ollama().remedy("wrong_key").startswith("Ollama itself asks for no key: give the header")


def test_a_prompt_beyond_the_window_is_refused_with_what_to_do():
    said = Ollama()._reply(
        400, '{"error": "prompt too long; exceeded max context length by 31697 tokens"}', {}, 0.1
    )
    assert (said.cause, said.detail) == (
        "bad_request",
        "status 400: prompt too long; exceeded max context length by 31697 tokens (set a larger window, or shorten the references and documents)",
    )


def test_the_body_is_the_protocols_own():
    assert body(REQUEST) == {
        "model": "stub",
        "messages": [
            {"role": "system", "content": "Grade."},
            {"role": "user", "content": "Ärger, 答え, \U0001f327"},
        ],
        "stream": False,
        "truncate": False,
        "format": SCHEMA,
        "options": {"temperature": 0.0, "num_predict": 50},
    }


def test_settings_become_options_of_the_model():
    found = body(
        asked(seed=7, stop="END", top_k=3, keep_alive="1h", think=False, reasoning_effort="low"),
        context=8192,
    )
    assert found["options"] == {
        "num_ctx": 8192,
        "temperature": 0.0,
        "num_predict": 50,
        "seed": 7,
        "stop": ["END"],
        "top_k": 3,
    }
    assert (found["keep_alive"], found["think"]) == ("1h", False)
    assert body(asked(truncate=True))["truncate"], "who wants a cut says so"
    assert Ollama().left_out(asked(reasoning_effort="low")) == ("reasoning_effort",)


def test_free_text_asks_for_no_format():
    assert "format" not in body(replace(REQUEST, schema=None))


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("", USUAL),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("box", "http://box:11434"),
        ("box:8080", "http://box:8080"),
        (":8080", "http://127.0.0.1:8080"),
        ("[::1]:8080", "http://[::1]:8080"),
        ("http://box:8080/", "http://box:8080"),
        ("https://ollama.example.org", "https://ollama.example.org"),
        ("https://example.org/ollama", "https://example.org/ollama"),
    ],
)
def test_what_ollama_host_means(host, address, monkeypatch):
    assert address_of(host) == address
    monkeypatch.setenv("OLLAMA_HOST", host)
    assert Ollama().address == address


@pytest.mark.parametrize(
    ("found", "cause"),
    [
        ("", "malformed"),
        ("[]", "malformed"),
        ('{"message": "x"}', "malformed"),
        ('{"error": "no"}', "malformed"),
        ('{"message": {"content": null}}', "empty"),
        ('{"message": {"content": "x"}, "logprobs": [{"token": 1}], "eval_count": -1}', ""),
    ],
)
def test_odd_bodies_never_raise(found, cause):
    reply = read_chat(found, 0.1)
    assert (reply.cause, reply.output_tokens, reply.logprobs) == (cause, None, None)
