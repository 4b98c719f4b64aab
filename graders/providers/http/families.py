"""Who made a model, as far as its name tells: a judge is kinder to answers of its own family."""

from __future__ import annotations

import re

#: Family -> beginnings of model names. A word stands for itself and whatever follows it, but not
#: for a longer word.
FAMILIES: dict[str, tuple[str, ...]] = {
    "openai": ("gpt", "chatgpt", "o1", "o3", "o4", "davinci", "text-davinci", "codex"),
    "anthropic": ("claude",),
    "google": ("gemini", "gemma", "palm", "bard", "codegemma", "shieldgemma"),
    "qwen": ("qwen", "qwq", "qvq", "codeqwen", "tongyi"),
    "llama": ("llama", "codellama", "llamaguard"),
    "mistral": (
        "mistral",
        "mixtral",
        "ministral",
        "magistral",
        "codestral",
        "devstral",
        "pixtral",
        "open-mistral",
        "open-mixtral",
    ),
    "deepseek": ("deepseek",),
    "ernie": ("ernie", "wenxin"),
    "bespoke": ("bespoke",),
    "cohere": ("command", "aya", "c4ai"),
    "microsoft": ("phi", "wizardlm"),
    "xai": ("grok",),
    "zhipu": ("glm", "chatglm", "codegeex"),
    "moonshot": ("kimi", "moonshot"),
    "minimax": ("minimax", "abab"),
    "baichuan": ("baichuan",),
    "yi": ("yi",),
    "internlm": ("internlm",),
    "tencent": ("hunyuan",),
    "bytedance": ("doubao", "seed-oss"),
    "sber": ("gigachat",),
    "yandex": ("yandexgpt", "aliceai"),
    "amazon": ("nova", "titan"),
    "ibm": ("granite",),
    "nvidia": ("nemotron",),
    "tii": ("falcon",),
    "allenai": ("olmo", "tulu"),
    "upstage": ("solar",),
    "ai21": ("jamba", "jurassic"),
    "huggingface": ("smollm", "zephyr"),
}
#: Longer beginnings first: "open-mistral" before what a shorter one would make of it.
_KNOWN = sorted(
    ((word, kin) for kin, words in FAMILIES.items() for word in words),
    key=lambda pair: -len(pair[0]),
)


def family(model: str) -> str:
    """The family of `model`, such as ``openai`` for ``openrouter/openai/gpt-5-mini``; empty where
    the name does not tell."""
    name = model.strip().lower().removeprefix("ft:").rsplit("/", 1)[-1].partition(":")[0]
    words = re.split(r"[\s_.@-]+", name)
    # Clouds write the maker before the model ("us.anthropic.claude-sonnet-5"), tuners their own
    # name ("nous-hermes-2-mixtral").
    for start in range(len(words)):
        rest = "-".join(words[start:])
        for word, kin in _KNOWN:
            if _begins(rest, word):
                return kin
    return ""


def _begins(name: str, word: str) -> bool:
    """Whether `name` is `word` with a version, a suffix or nothing behind it."""
    return re.match(rf"{re.escape(word)}(?![a-z])", name) is not None
