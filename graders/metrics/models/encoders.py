"""The one place that holds models: vectors of texts, computed once for all that ask."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Literal

from graders.core.errors import InputError
from graders.core.hashing import text_hash
from graders.core.words import error_parts
from graders.metrics.models._encoder_cache import MemoryCache, VectorCache, Vectors, is_cut, unpack
from graders.metrics.models._encoder_files import best_dtype
from graders.metrics.models._encoder_minilm import MiniLM
from graders.metrics.models._encoder_models import Model, Named, Universal

#: Texts that are encoded before their vectors go to the cache: what a killed run loses at most.
FLUSH_TEXTS = 2_000

Kind = Literal["sentence", "tokens"]

_OWN_NAMES = ("default", "all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2")


class Encoders:
    """Vectors of texts in many languages (the contract is `graders.core.contracts.Encoder`).

    * `english`: ``default`` is all-MiniLM-L6-v2 from the installed package; else a
      sentence-transformers model, by folder or by name.
    * `multilingual`: serves all other languages. ``default`` is the universal sentence encoder with
      its 15 other languages and no token vectors; a named model serves every language and gives
      token vectors too.
    * `bertscore_multilingual`: a model that only gives token vectors outside English.
    * `cache`: where vectors are kept from run to run.
    * `dtype`: ``auto`` is bfloat16 where the processor computes in it, else float32.

    A transformer reads the beginning of a text up to its window (256 tokens for all-MiniLM-L6-v2);
    what is longer is cut, and `cut` says so. Language tags are taken by their first part (``zh-TW``
    is ``zh``).

    In memory are the vectors of the last `prepare` and no others, so a run that prepares some
    questions at a time needs memory for these alone. Vectors of a text that was not prepared come
    from the cache, or the text is encoded by itself, which is slow.
    """

    def __init__(
        self,
        english: str = "default",
        multilingual: str = "default",
        bertscore_multilingual: str | None = None,
        cache: VectorCache | None = None,
        dtype: str = "auto",
    ) -> None:
        if dtype not in ("auto", "float32", "bfloat16"):
            raise InputError(**error_parts("metrics.dtype", found=repr(dtype)))
        dtype = best_dtype() if dtype == "auto" else dtype
        self._english: Model = (
            MiniLM(dtype) if english in _OWN_NAMES else Named(english, dtype, frozenset({"en"}))
        )
        self._others: Model = (
            Universal() if multilingual == "default" else Named(multilingual, dtype, None)
        )
        self._token_others = self._others
        if bertscore_multilingual and bertscore_multilingual != multilingual:
            self._token_others = Named(bertscore_multilingual, dtype, None)
        self._cache = MemoryCache() if cache is None else cache
        self._held: dict[str, bytes] = {}
        self._lock = threading.RLock()
        #: Texts that went through a model; what the cache knew is not counted.
        self.encoded = 0

    def prepare(self, texts: Sequence[str], languages: Sequence[str], tokens: bool = True) -> None:
        """Make the vectors of `texts` ready and let go of all others; `tokens=False` where no token
        vectors will be asked for.

        Equal texts are encoded once, known ones not at all; the others go through each model sorted
        by length.
        """
        wanted: dict[Model, dict[str, tuple[bool, bool]]] = {}
        for text, language in dict.fromkeys(zip(texts, languages, strict=True)):
            for model, kinds in self._needs(language, tokens):
                before = wanted.setdefault(model, {}).get(text, (False, False))
                wanted[model][text] = (before[0] or kinds[0], before[1] or kinds[1])
        with self._lock:
            held: dict[str, bytes] = {}
            for model, needs in wanted.items():
                held.update(self._fetch(model, needs))
            self._held = held

    def sentence(self, text: str, language: str) -> Vectors | None:
        """Sentence vector of shape (d,), unit length, or None where no model fits the language."""
        raw = self._one(self._model(language), text, "sentence")
        return None if raw is None else unpack([raw])[0][0]

    def tokens(self, text: str, language: str) -> Vectors | None:
        """Token vectors of shape (n, d), rows of unit length, or None where no model gives them for
        the language.

        First and last row belong to the special tokens that open and close a text.
        """
        raw = self._one(self._token_model(language), text, "tokens")
        rows = None if raw is None else unpack([raw])[0]
        return rows if rows is not None and len(rows) else None

    def cut(self, text: str, language: str, kind: Kind = "sentence") -> bool:
        """Whether `text` is longer than the window of the model that gives its vectors, so that
        only its beginning counts."""
        raw = self._one(
            self._model(language) if kind == "sentence" else self._token_model(language), text, kind
        )
        return raw is not None and is_cut(raw)

    def version(self, language: str) -> str:
        """The models that serve a language, each with hash and dtype; ``none`` where none does."""
        models = dict.fromkeys(
            model for model in (self._model(language), self._token_model(language)) if model
        )
        return "+".join(model.version for model in models) or "none"

    def _model(self, language: str) -> Model | None:
        model = self._english if _base(language) == "en" else self._others
        return model if model.languages is None or _base(language) in model.languages else None

    def _token_model(self, language: str) -> Model | None:
        model = self._english if _base(language) == "en" else self._token_others
        fits = model.languages is None or _base(language) in model.languages
        return model if fits and model.gives_tokens else None

    def _needs(self, language: str, tokens: bool) -> list[tuple[Model, tuple[bool, bool]]]:
        """The models a text of `language` goes through, with (sentence, tokens) wanted of each."""
        first, second = self._model(language), self._token_model(language) if tokens else None
        if first is second:
            return [(first, (True, True))] if first else []
        return [
            (model, kinds)
            for model, kinds in ((first, (True, False)), (second, (False, True)))
            if model
        ]

    def _fetch(self, model: Model, needs: dict[str, tuple[bool, bool]]) -> dict[str, bytes]:
        """Packed vectors by key: held ones, then the cache's, then the model's."""
        keys = {
            text: [
                _key(model, text, kind)
                for kind, on in zip(("sentence", "tokens"), kinds, strict=True)
                if on
            ]
            for text, kinds in needs.items()
        }
        asked = [key for several in keys.values() for key in several]
        found = {key: self._held[key] for key in asked if key in self._held}
        found.update(self._cache.get_many([key for key in asked if key not in found]))
        missing = [
            text for text, several in keys.items() if any(key not in found for key in several)
        ]
        # Sorted here as well, so that each portion holds texts of like length and little is padded.
        missing.sort(key=len)
        for start in range(0, len(missing), FLUSH_TEXTS):
            portion = missing[start : start + FLUSH_TEXTS]
            fresh = self._encode(model, portion, any(needs[text][1] for text in portion))
            self._cache.put_many(fresh)
            found.update(fresh)
        return found

    def _encode(self, model: Model, texts: Sequence[str], tokens: bool) -> dict[str, bytes]:
        self.encoded += len(texts)
        fresh: dict[str, bytes] = {}
        for position, sentence, token_rows in model.encode(texts, tokens):
            fresh[_key(model, texts[position], "sentence")] = sentence
            if token_rows is not None:
                fresh[_key(model, texts[position], "tokens")] = token_rows
        return fresh

    def _one(self, model: Model | None, text: str, kind: Kind) -> bytes | None:
        if model is None:
            return None
        key = _key(model, text, kind)
        held = self._held.get(key)
        if held is not None:
            return held
        with self._lock:
            return self._fetch(model, {text: (kind == "sentence", kind == "tokens")})[key]


def _base(language: str) -> str:
    return language.replace("_", "-").split("-")[0].casefold()


def _key(model: Model, text: str, kind: str) -> str:
    return f"{text_hash(text)}:{model.version}:{kind}"
