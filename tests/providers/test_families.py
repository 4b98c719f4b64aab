"""Families of models by their names."""

import pytest

from graders.providers.http.families import FAMILIES, family


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("gpt-4o", "openai"),
        ("o3-mini", "openai"),
        ("gpt-oss:20b", "openai"),
        ("ft:gpt-4o-mini:org::id", "openai"),
        ("openrouter/openai/gpt-5-mini", "openai"),
        ("claude-sonnet-5", "anthropic"),
        ("us.anthropic.claude-sonnet-5-v1:0", "anthropic"),
        ("gemini-2.5-pro", "google"),
        ("models/gemma3:4b", "google"),
        ("qwen2.5:7b", "qwen"),
        ("Qwen/Qwen3-8B", "qwen"),
        ("meta-llama/Llama-3.1-8B-Instruct", "llama"),
        ("codellama:7b", "llama"),
        ("nous-hermes-2-mixtral", "mistral"),
        ("open-mistral-nemo", "mistral"),
        ("deepseek-r1-distill-llama-70b", "deepseek"),
        ("ERNIE-4.5-turbo", "ernie"),
        ("bespoke-minicheck", "bespoke"),
        ("YandexGPT 5", "yandex"),
        ("yi-34b-chat", "yi"),
        ("phi3", "microsoft"),
        # names that only look like one
        ("yippee", ""),
        ("novak", ""),
        ("philosopher", ""),
        ("stub", ""),
        ("", ""),
        ("/", ""),
    ],
)
def test_the_name_tells_the_family(model, expected):
    assert family(model) == expected


def test_every_beginning_leads_to_its_own_family():
    assert [
        (word, kin)
        for kin, words in FAMILIES.items()
        for word in words
        if family(f"{word}-1") != kin
    ] == []
