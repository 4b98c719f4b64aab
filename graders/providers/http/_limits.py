"""What model families do not take, so that it is left out by knowledge and not by the provider's
error.

| protocol  | models                                   | left out                                  |
|-----------|------------------------------------------|-------------------------------------------|
| openai    | reasoning: o1, o3, o4, gpt-5 and later   | temperature, top_p, logprobs              |
|           | gpt-5.1 and later, effort "none"         | (takes them)                              |
|           | reasoning models                         | stop                                      |
|           | gpt-3.5, gpt-4, gpt-*-chat               | reasoning_effort                          |
|           | deepseek-reasoner                        | temperature, top_p, logprobs              |
| anthropic | claude, all: interface of October 2026   | temperature, top_p, top_k, seed, logprobs |
|           | claude before 4.5, sonnet 4.5, haiku 4.5 | reasoning_effort                          |
|           | an effort that is not low ... max        | reasoning_effort                          |
|           | others behind the same protocol          | seed, logprobs, reasoning_effort          |
| ollama    | all                                      | reasoning_effort                          |

A model that nobody knows gets everything. Names count without the maker before them
("openai/o3-mini").
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_SAMPLING = ("temperature", "top_p", "logprobs")
_REASONING = re.compile(r"(o[134]|gpt-([5-9]|[12]\d))(?![0-9])(?!.*\bchat\b)")
_STEERABLE = re.compile(r"gpt-(5\.[1-9]|[6-9]|[12]\d)")
_PLAIN = re.compile(r"gpt-(3|4)|chatgpt|gpt-.*\bchat\b")
_WITHOUT_EFFORT = re.compile(
    r"claude-(1|2|3|instant|opus-4(-[01])?(-20\d{6}|-latest)?$|(sonnet|"
    r"haiku)-4(-[05])?(-20\d{6}|-latest)?$)"
)
_EFFORTS = ("low", "medium", "high", "xhigh", "max")


def left_out(protocol: str, model: str, settings: Mapping[str, Any]) -> tuple[str, ...]:
    """Names of those `settings` that `model` behind `protocol` (openai, anthropic, ollama) does not
    take, in their order."""
    name = model.lower().rsplit("/", 1)[-1]
    unknown = {"openai": _openai, "anthropic": _anthropic, "ollama": _ollama}[protocol](
        name, settings
    )
    return tuple(key for key in settings if key in unknown)


def _openai(name: str, settings: Mapping[str, Any]) -> tuple[str, ...]:
    if name.startswith("deepseek-reasoner"):
        return _SAMPLING
    if _REASONING.match(name):
        steered = _STEERABLE.match(name) and settings.get("reasoning_effort") == "none"
        return ("stop",) if steered else (*_SAMPLING, "stop")
    return ("reasoning_effort",) if _PLAIN.match(name) else ()


def _anthropic(name: str, settings: Mapping[str, Any]) -> tuple[str, ...]:
    claude = re.search(r"claude.*", name)
    if claude is None:
        return ("seed", "logprobs", "reasoning_effort")
    effort = (
        _WITHOUT_EFFORT.match(claude.group()) or settings.get("reasoning_effort") not in _EFFORTS
    )
    return (*_SAMPLING, "top_k", "seed", *(("reasoning_effort",) if effort else ()))


def _ollama(name: str, settings: Mapping[str, Any]) -> tuple[str, ...]:
    return ("reasoning_effort",)
