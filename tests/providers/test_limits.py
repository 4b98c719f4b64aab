"""What models do not take is left out by knowledge, and can be seen."""

import json
from dataclasses import replace

import pytest

from graders.core import discovery, provider_names
from graders.providers.anthropic_messages import AnthropicMessages
from graders.providers.openai_chat import OpenAIChat
from tests.providers.asking import REQUEST


def left_out(word, model, settings):
    """What the provider of that word leaves out of a request."""
    provider = discovery.make("providers", provider_names.provider_of(word))
    return provider.left_out(replace(REQUEST, model=model, settings=settings))


ALL = {
    "temperature": 0.0,
    "top_p": 0.9,
    "seed": 1,
    "stop": ["x"],
    "reasoning_effort": "low",
    "logprobs": True,
    "max_output_tokens": 50,
}
CLAUDE = {"temperature", "top_p", "seed", "logprobs"}


@pytest.mark.parametrize(
    ("protocol", "model", "unsent"),
    [
        ("openai", "gpt-4o", {"reasoning_effort"}),
        ("openai", "gpt-4.1-mini", {"reasoning_effort"}),
        ("openai", "gpt-35-turbo", {"reasoning_effort"}),  # as Azure writes it
        ("openai", "gpt-5-chat-latest", {"reasoning_effort"}),
        ("openai", "o1", {"temperature", "top_p", "logprobs", "stop"}),
        ("openai", "openai/o3-mini", {"temperature", "top_p", "logprobs", "stop"}),
        ("openai", "gpt-5-mini-2025-08-07", {"temperature", "top_p", "logprobs", "stop"}),
        ("openai", "gpt-6.1-sol", {"temperature", "top_p", "logprobs", "stop"}),
        ("openai", "gpt-oss-20b", set()),
        ("openai", "qwen3-max", set()),
        ("openai", "deepseek-chat", set()),
        ("openai", "deepseek-reasoner", {"temperature", "top_p", "logprobs"}),
        ("anthropic", "claude-sonnet-5", CLAUDE),
        ("anthropic", "claude-haiku-5-5", CLAUDE),
        ("anthropic", "claude-opus-4-5-20251101", CLAUDE),
        ("anthropic", "claude-haiku-4-5-20251001", {*CLAUDE, "reasoning_effort"}),
        ("anthropic", "claude-sonnet-4-20250514", {*CLAUDE, "reasoning_effort"}),
        ("anthropic", "us.anthropic.claude-opus-5", CLAUDE),
        ("anthropic", "kimi-k2", {"seed", "logprobs", "reasoning_effort"}),
        ("ollama", "llama3", {"reasoning_effort"}),
    ],
)
def test_each_family_gets_what_it_takes(protocol, model, unsent):
    assert set(left_out(protocol, model, ALL)) == unsent


@pytest.mark.parametrize(
    ("model", "effort", "unsent"),
    [
        ("gpt-5.1", "none", {"stop"}),  # without reasoning it samples as others do
        ("gpt-5.1", "low", {"temperature", "top_p", "logprobs", "stop"}),
        # cannot be told not to reason
        (
            "gpt-5",
            "none",
            {"temperature", "top_p", "logprobs", "stop"},
        ),
    ],
)
def test_reasoning_switched_off_brings_sampling_back(model, effort, unsent):
    assert set(left_out("openai", model, {**ALL, "reasoning_effort": effort})) == unsent


def test_an_effort_that_the_protocol_does_not_know_is_left_out():
    assert left_out("anthropic", "claude-sonnet-5", {"reasoning_effort": "minimal"}) == (
        "reasoning_effort",
    )
    assert left_out("anthropic", "claude-sonnet-5", {"reasoning_effort": "max"}) == ()


def test_only_what_was_set_is_named_in_its_order():
    assert left_out(
        "anthropic", "claude-sonnet-5", {"seed": 1, "max_output_tokens": 5, "temperature": 0.0}
    ) == ("seed", "temperature")
    assert left_out("openai", "gpt-4o", {}) == ()


@pytest.mark.parametrize(
    ("provider", "model"),
    [
        (OpenAIChat(), "o3"),
        (AnthropicMessages(), "claude-sonnet-5"),
        (OpenAIChat(base_url="http://x/v1"), "gpt-4o"),
    ],
)
def test_the_body_holds_none_of_what_is_left_out(provider, model):
    request = replace(REQUEST, model=model, settings=ALL)
    assert provider.left_out(request)
    assert not set(provider.left_out(request)) & set(json.loads(provider.body(request)))


def test_calls_in_a_batch_go_by_the_name_of_their_protocol_whichever_part_is_loaded_first() -> None:
    for name in discovery.names("providers"):
        assert "name" in vars(discovery.find("providers", name)), (
            f"{name} would have the name of what it is made from"
        )
    for single, batched in provider_names.batched_by().items():
        assert discovery.find("providers", batched).name == single
